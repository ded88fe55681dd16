//! Lists that are read as far as Discord can mean them.

use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The first items of a list. What comes after them is passed over, so that
/// no event makes more work than Discord says a message can.
pub(crate) struct UpTo<const MOST: usize, T>(pub(crate) Vec<T>);

impl<const MOST: usize, T> Default for UpTo<MOST, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, const MOST: usize, T: Deserialize<'de>> Deserialize<'de> for UpTo<MOST, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Self::default())
    }
}

impl<'de, const MOST: usize, T: Deserialize<'de>> Visitor<'de> for UpTo<MOST, T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while self.0.len() < MOST {
            match list.next_element()? {
                Some(item) => self.0.push(item),
                None => return Ok(self),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}
