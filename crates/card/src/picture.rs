//! Pictures within texts.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Reads with and without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes that a text stands for; it may be broken into lines, and be for
/// addresses.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let clean: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        })
        .collect();
    LENIENT.decode(clean).ok()
}

pub(crate) fn to_base64(bytes: &[u8]) -> String {
    base64::prelude::BASE64_STANDARD.encode(bytes)
}

/// What a `data:` address holds, if it holds base64.
pub(crate) fn from_data_uri(uri: &str) -> Option<Vec<u8>> {
    let rest = after_scheme(uri.trim(), "data:")?;
    let (head, body) = rest.split_once(',')?;
    head.ends_with(";base64").then(|| from_base64(body))?
}

/// What follows the beginning of an address, whatever its case.
pub(crate) fn after_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = uri.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// A picture as a `data:` address.
pub(crate) fn to_data_uri(picture: &[u8]) -> String {
    format!("data:{};base64,{}", kind(picture).0, to_base64(picture))
}

/// Media type and ending of a picture, by its first bytes.
pub(crate) fn kind(picture: &[u8]) -> (&'static str, &'static str) {
    match picture {
        [0x89, b'P', b'N', b'G', ..] => ("image/png", "png"),
        [0xff, 0xd8, 0xff, ..] => ("image/jpeg", "jpg"),
        [b'G', b'I', b'F', b'8', ..] => ("image/gif", "gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => ("image/webp", "webp"),
        _ => ("application/octet-stream", "bin"),
    }
}

/// Whether these bytes begin like a picture.
pub(crate) fn is_picture(bytes: &[u8]) -> bool {
    kind(bytes).1 != "bin"
}

/// What a picture is called, if it is of a kind in which no cards are.
pub(crate) fn without_cards(file: &[u8]) -> Option<&'static str> {
    match file.get(4..12) {
        Some(b"ftypavif" | b"ftypavis") => Some("an AVIF picture"),
        _ => match kind(file).1 {
            "webp" => Some("a WebP picture"),
            "gif" => Some("a GIF picture"),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_however_it_is_written() {
        for text in [
            "dGVh", "dGVh\n", "dG\r\nVh", "dGVhcw==", "dGVhcw", "dGVhcw=",
        ] {
            let read = from_base64(text).unwrap_or_default();
            assert!(read.starts_with(b"tea"), "{text:?}");
        }
        assert_eq!(from_base64("_-8="), from_base64("/+8="));
        assert_eq!(from_base64("d*"), None);
    }

    #[test]
    fn a_data_uri_holds_a_picture() {
        let png = b"\x89PNG....";
        assert_eq!(from_data_uri(&to_data_uri(png)).as_deref(), Some(&png[..]));
        for other in ["https://example.org/a.png", "data:,tea", "ccdefault:", ""] {
            assert_eq!(from_data_uri(other), None, "{other:?}");
        }
    }
}
