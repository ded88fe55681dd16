//! How the network cuts a model's answer does not change what it amounts to,
//! whatever the answer is.
#![no_main]

use kaiwa_provider::{Format, Replay};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (options, step, bytes) = input;
    let format = Format::ALL[usize::from(options) % Format::ALL.len()];
    let verbatim = options & 128 != 0;
    let whole = Replay::of(format, [bytes], verbatim);
    let step = 1 + usize::from(step % 17);
    let pieces = Replay::of(format, bytes.chunks(step), verbatim);
    assert_eq!(pieces.result, whole.result);
    assert_eq!(pieces.nonsense, whole.nonsense);
});
