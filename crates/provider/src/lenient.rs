//! JSON as servers write it: a field of the wrong type is an absent field.
//!
//! A chunk whose text is well must not be lost because its third counter is a
//! string. These types read any JSON value and keep what they understand.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A text; empty if there is none.
#[derive(Debug, Default)]
pub(crate) struct Text<'a>(Cow<'a, str>);

impl Text<'_> {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, unless it is empty.
    pub(crate) fn some(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(&*self.0)
    }
}

/// A number of things.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count(pub(crate) Option<u64>);

impl Count {
    pub(crate) fn or_zero(self) -> u64 {
        self.0.unwrap_or(0)
    }
}

/// A yes; everything else is a no.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bool(pub(crate) bool);

/// An object.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// The objects of a list.
#[derive(Debug)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Any JSON, as the text it was written in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Raw<'a>(Option<&'a str>);

impl<'a> Raw<'a> {
    /// The JSON, unless it is absent or null.
    pub(crate) fn some(self) -> Option<&'a str> {
        self.0.filter(|json| *json != "null")
    }

    /// Arguments of a tool: the text that a JSON string holds, or else the
    /// JSON itself without its white space.
    pub(crate) fn arguments(self) -> Option<Cow<'a, str>> {
        let json = self.some()?;
        Some(match json.starts_with('"') {
            true => Cow::Owned(serde_json::from_str(json).ok()?),
            false => compact(json),
        })
    }
}

/// JSON without the white space between its tokens. Nothing else changes:
/// neither the order of names nor the digits of numbers.
pub(crate) fn compact(json: &str) -> Cow<'_, str> {
    if !json.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return Cow::Borrowed(json);
    }
    let (mut inside, mut escaped) = (false, false);
    let kept = json.chars().filter(|c| {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ => {}
        }
        inside || !c.is_ascii_whitespace()
    });
    Cow::Owned(kept.collect())
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'a RawValue>::deserialize(deserializer)?;
        Ok(Self(Some(raw.get())))
    }
}

/// What a type makes of each kind of JSON; of the other kinds, the default.
trait FromJson<'de>: Default {
    fn text(_: &str) -> Self {
        Self::default()
    }

    fn lasting_text(text: &'de str) -> Self {
        Self::text(text)
    }

    fn number(_: u64) -> Self {
        Self::default()
    }

    fn truth(_: bool) -> Self {
        Self::default()
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    fn object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

impl<'de: 'a, 'a> FromJson<'de> for Text<'a> {
    fn text(text: &str) -> Self {
        Self(Cow::Owned(text.to_owned()))
    }

    fn lasting_text(text: &'de str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl FromJson<'_> for Count {
    fn text(text: &str) -> Self {
        Self(text.parse().ok())
    }

    fn number(number: u64) -> Self {
        Self(Some(number))
    }
}

impl FromJson<'_> for Bool {
    fn truth(truth: bool) -> Self {
        Self(truth)
    }
}

impl<'de, T: Deserialize<'de>> FromJson<'de> for Object<T> {
    fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(|object| Self(Some(object)))
    }
}

impl<'de, T: Deserialize<'de>> FromJson<'de> for List<T> {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut objects = Vec::new();
        while let Some(Object(object)) = list.next_element::<Object<T>>()? {
            objects.extend(object);
        }
        Ok(Self(objects))
    }
}

struct LenientVisitor<T>(PhantomData<T>);

impl<'de, T: FromJson<'de>> Visitor<'de> for LenientVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::text(text))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::lasting_text(text))
    }

    fn visit_u64<E>(self, number: u64) -> Result<T, E> {
        Ok(T::number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<T, E> {
        Ok(u64::try_from(number).map(T::number).unwrap_or_default())
    }

    fn visit_f64<E>(self, number: f64) -> Result<T, E> {
        // Some servers count in floats.
        let whole = number >= 0.0 && number.fract() == 0.0 && number < 1e15;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be a small whole number"
        )]
        Ok(match whole {
            true => T::number(number as u64),
            false => T::default(),
        })
    }

    fn visit_bool<E>(self, truth: bool) -> Result<T, E> {
        Ok(T::truth(truth))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::object(object)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Bool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Everything<'a> {
        #[serde(borrow)]
        text: Text<'a>,
        count: Count,
        flag: Bool,
        #[serde(borrow)]
        object: Object<Inner<'a>>,
        #[serde(borrow)]
        list: List<Inner<'a>>,
        #[serde(borrow)]
        raw: Raw<'a>,
    }

    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Inner<'a> {
        #[serde(borrow)]
        text: Text<'a>,
    }

    #[test]
    fn a_field_of_the_wrong_type_is_absent() {
        for odd in [
            "null",
            "7",
            "-7",
            "7.5",
            "true",
            "\"x\"",
            "[]",
            "[1,[{}]]",
            "{}",
            "{\"a\":[{}]}",
        ] {
            let json = format!(
                r#"{{"text":{odd},"count":{odd},"flag":{odd},"object":{odd},"list":{odd},"raw":{odd},"other":{odd}}}"#
            );
            let read: Everything<'_> = serde_json::from_str(&json).unwrap();
            assert_eq!(read.text.as_str() == "x", odd == "\"x\"", "{odd}");
            assert_eq!(read.count.0, (odd == "7").then_some(7), "{odd}");
            assert_eq!(read.flag.0, odd == "true", "{odd}");
            assert_eq!(read.object.0.is_some(), odd.starts_with('{'), "{odd}");
            assert!(read.list.0.is_empty(), "{odd}");
            assert_eq!(read.raw.0, Some(odd), "{odd}");
        }
        let json = r#"{"count":3.0,"list":[{"text":"a\n"},4,{"text":5}],"object":{"text":"b"}}"#;
        let read: Everything<'_> = serde_json::from_str(json).unwrap();
        assert_eq!(read.count.0, Some(3));
        let texts: Vec<_> = read
            .list
            .0
            .iter()
            .map(|inner| inner.text.as_str())
            .collect();
        assert_eq!(texts, ["a\n", ""]);
        assert_eq!(read.object.0.unwrap().text.as_str(), "b");
    }

    #[test]
    fn arguments_are_text_or_compact_json() {
        fn check(json: &str, expect: Option<&str>) {
            let raw: Raw<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(raw.arguments().as_deref(), expect, "{json}");
        }
        check("null", None);
        check(r#""""#, Some(""));
        check(r#""{\"a\": 1}""#, Some(r#"{"a": 1}"#));
        check(
            r#"{ "b" : 1.50, "a" : [ "x \" y", 2 ] }"#,
            Some(r#"{"b":1.50,"a":["x \" y",2]}"#),
        );
        check("\"\\ud800\"", None);
    }
}
