//! What a picture is. Bytes that only begin like one have no size, and are none.

/// The type of a picture whose header tells a width and a height.
pub(crate) fn content_type(bytes: &[u8]) -> Option<&'static str> {
    let (content_type, (width, height)) = match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ("image/png", png(bytes)?),
        [0xff, 0xd8, rest @ ..] => ("image/jpeg", jpeg(rest)?),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', rest @ ..] => {
            ("image/gif", (little(rest, 0, 2)?, little(rest, 2, 2)?))
        }
        [b'R', b'I', b'F', b'F', ..] if bytes.get(8..12)? == b"WEBP" => {
            ("image/webp", webp(bytes)?)
        }
        _ => return None,
    };
    (width > 0 && height > 0).then_some(content_type)
}

fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.get(12..16)? == b"IHDR" && big(bytes, 8, 4)? == 13;
    let size = (big(bytes, 16, 4)?, big(bytes, 20, 4)?);
    header.then_some(size)
}

/// The segments up to the frame, which tells the size.
fn jpeg(mut rest: &[u8]) -> Option<(u32, u32)> {
    loop {
        match rest {
            // Any number of these may stand before a marker.
            [0xff, 0xff, ..] => rest = &rest[1..],
            // Tables, arithmetic and reserved ones share the frames' numbers.
            [0xff, 0xc0..=0xcf, ..] if !matches!(rest[1], 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(rest, 7, 2)?, big(rest, 5, 2)?));
            }
            [0xff, ..] => {
                let length = usize::try_from(big(rest, 2, 2)?).ok()?;
                rest = rest.get(2 + length.max(2)..)?;
            }
            _ => return None,
        }
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        b"VP8L" if *bytes.get(20)? == 0x2f => {
            let bits = little(bytes, 21, 4)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " if bytes.get(23..26)? == [0x9d, 0x01, 0x2a] => {
            let side = |at| little(bytes, at, 2).map(|it| it & 0x3fff);
            Some((side(26)?, side(28)?))
        }
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let digits = bytes.get(at..at + length)?.iter();
    Some(digits.fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let digits = bytes.get(at..at + length)?.iter().rev();
    Some(digits.fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_with_a_size_are_pictures() {
        let check = |bytes: &[u8], expected: Option<&str>| {
            assert_eq!(content_type(bytes), expected, "{bytes:?}");
        };
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x02";
        check(png, Some("image/png"));
        check(&png[..23], None);
        check(b"\x89PNG\r\n\x1a\n, or so it says", None);
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x02", None);
        check(b"GIF89a\x01\0\x01\0", Some("image/gif"));
        check(b"GIF89a\x01\0", None);
        check(b"GIF8, or so it says", None);
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc0\0\x11\x08\0\x02\0\x01";
        check(jpeg, Some("image/jpeg"));
        check(&jpeg[..10], None);
        check(b"\xff\xd8\xff\xe0\0\0", None);
        let webp = |chunk: &[u8]| [b"RIFF\0\0\0\0WEBP".as_slice(), chunk].concat();
        check(
            &webp(b"VP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0"),
            Some("image/webp"),
        );
        check(&webp(b"VP8L\x05\0\0\0\x2f\0\0\0\0"), Some("image/webp"));
        check(
            &webp(b"VP8 \x0a\0\0\0abc\x9d\x01\x2a\x01\0\x01\0"),
            Some("image/webp"),
        );
        check(&webp(b"VP8 \x0a\0\0\0abcdef\x01\0\x01\0"), None);
        check(b"RIFF", None);
        check(b"", None);
    }
}
