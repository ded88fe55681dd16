//! The time in four characters: microseconds, as far as 24 bits hold them.

use std::time::SystemTime;

const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// How many microseconds a stamp can tell apart.
const MASK: u32 = 0xff_ffff;

/// The time now.
pub fn micros() -> u32 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    (since.as_micros() as u32) & MASK
}

/// A time as four characters that JSON leaves alone.
pub fn write(micros: u32) -> [u8; 4] {
    [18, 12, 6, 0].map(|shift| DIGITS[((micros >> shift) & 63) as usize])
}

/// How many microseconds have passed from a stamp to `now`.
pub fn elapsed(now: u32, stamp: &[u8]) -> u32 {
    let value = |digit: &u8| DIGITS.iter().position(|it| it == digit).unwrap_or_default();
    let sent = stamp
        .iter()
        .fold(0, |sum, digit| (sum << 6) | value(digit) as u32);
    now.wrapping_sub(sent) & MASK
}
