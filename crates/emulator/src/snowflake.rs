//! Ids as Discord makes them: milliseconds since 2015 in the upper 42 bits.

use std::{collections::HashSet, fmt, str::FromStr};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{
    clock,
    limits::{EPOCH_MS, WORLD_BORN_MS},
};

/// An id of anything. On the wire it is a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Snowflake(pub(crate) u64);

impl Snowflake {
    /// When the thing was made.
    pub(crate) fn timestamp(self) -> Timestamp {
        let since_epoch = i64::try_from(self.0 >> 22).unwrap_or(0);
        Timestamp::from_millisecond(since_epoch + EPOCH_MS).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl fmt::Display for Snowflake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Snowflake {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text.parse() {
            Ok(id) if digits && id > 0 => Ok(Self(id)),
            _ => Err(()),
        }
    }
}

impl Serialize for Snowflake {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Snowflake {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|()| de::Error::custom("an id is a number in a string"))
    }
}

/// The emulator's clock, as every timestamp on the wire shows it.
pub(crate) fn now() -> Timestamp {
    clock::now()
}

/// Makes ids for things born while the emulator runs. They only ever grow,
/// even when the clock steps back.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Mint {
    last: u64,
}

impl Mint {
    /// Ids to come are greater than this one.
    pub(crate) fn after(&mut self, id: u64) {
        self.last = self.last.max(id);
    }

    pub(crate) fn next(&mut self) -> Snowflake {
        let since_epoch = u64::try_from(now().as_millisecond() - EPOCH_MS).unwrap_or(0);
        self.last = (since_epoch << 22).max(self.last + 1);
        clock::tick();
        Snowflake(self.last)
    }
}

/// Makes ids for the things a world is born with: the same name gives the
/// same id in every run.
#[derive(Debug)]
pub(crate) struct Founding<'a> {
    world: &'a str,
    taken: HashSet<u64>,
}

impl<'a> Founding<'a> {
    pub(crate) fn new(world: &'a str) -> Self {
        Self {
            world,
            taken: HashSet::new(),
        }
    }

    pub(crate) fn id(&mut self, kind: &str, name: &str) -> Snowflake {
        const YEAR_MS: u64 = 365 * 24 * 3600 * 1000;
        let hash = hash(&[self.world, kind, name]);
        let mut id = ((WORLD_BORN_MS + hash % YEAR_MS) << 22) | (hash >> 42);
        while !self.taken.insert(id) {
            id += 1;
        }
        Snowflake(id)
    }

    /// A token as Discord writes them, with the id of its owner in front, which
    /// hikari and serenity read; the middle says that it is not one of Discord's.
    pub(crate) fn token(&self, owner: Snowflake, name: &str) -> String {
        let owner = STANDARD_NO_PAD.encode(owner.0.to_string());
        let secret = hash(&[self.world, "token", name]);
        let more = hash(&[self.world, "token again", name]);
        format!("{owner}.emulated.{secret:016x}{more:016x}")
    }
}

/// FNV-1a with a final mix: stable across builds, which `std`'s hashers are not.
pub(crate) fn hash(parts: &[&str]) -> u64 {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// RFC 3339 with microseconds and a numeric offset, as Discord writes it.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%6f+00:00").to_string()
}
