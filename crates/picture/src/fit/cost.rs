//! What it costs to decode a picture, told from its first bytes.
//!
//! The decoders allocate what the file asks for; their own limits count the
//! output alone, or nothing. So the most that each of them takes is estimated
//! beforehand, from how it works:
//!
//! | file | bytes for each pixel, beside the output |
//! |---|---|
//! | JPEG, one scan | none |
//! | JPEG, progressive or in several scans | 2 for each colour: every coefficient is kept |
//! | PNG | none |
//! | GIF | 4, if the frame is smaller than the canvas |
//! | WebP, lossy | 1.5 |
//! | WebP, lossless | 5, and 350 for each byte of the file: 12 bytes can describe a table of 4 kB |
//! | WebP, with transparency or animated | 12, and as above |
//!
//! A test measures that the estimates hold.

use image::ImageFormat;

/// The most that a byte of a lossless WebP can make its decoder allocate.
const WEBP_TABLES: u64 = 350;

/// How many bytes decoding may take beside the file, at most. `output` is the
/// size of the decoded picture.
pub(super) fn cost(format: ImageFormat, file: &[u8], size: (u32, u32), output: u64) -> u64 {
    let pixels = u64::from(size.0) * u64::from(size.1);
    let more = match format {
        ImageFormat::Jpeg => match one_scan(file) {
            Some(Scan { whole: true, .. }) => 0,
            other => {
                let colours = other.map_or(4, |scan| u64::from(scan.colours));
                // Blocks at the edges are kept whole.
                let padded = |side: u32| u64::from(side.next_multiple_of(32));
                2 * colours * padded(size.0) * padded(size.1)
            }
        },
        ImageFormat::Gif => 4 * pixels,
        ImageFormat::WebP => {
            let tables = WEBP_TABLES.saturating_mul(file.len() as u64);
            match webp_kind(file) {
                WebP::Lossy => 2 * pixels,
                WebP::Lossless => 5 * pixels + tables,
                WebP::Other => 12 * pixels + tables,
            }
        }
        _ => 0,
    };
    output.saturating_add(more)
}

/// The first scan of a JPEG.
struct Scan {
    /// How many colours the picture has.
    colours: u8,
    /// Whether the scan has all of them, in full depth.
    whole: bool,
}

/// The first scan, if all that stands before it is as the standard has it.
fn one_scan(file: &[u8]) -> Option<Scan> {
    let mut rest = file.strip_prefix(&[0xff, 0xd8])?;
    let mut frame: Option<(u8, bool)> = None;
    loop {
        let [0xff, marker, high, low, ..] = *rest else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let body = rest.get(4..2 + length)?;
        match marker {
            // Not frames: tables of codes, an extension, arithmetic coding.
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf if frame.is_some() => return None,
            0xc0..=0xcf => frame = Some((*body.get(5)?, matches!(marker, 0xc0 | 0xc1))),
            0xda => {
                let (colours, sequential) = frame?;
                let whole = sequential && *body.first()? == colours;
                return Some(Scan { colours, whole });
            }
            0xdb..=0xdf | 0xe0..=0xef | 0xfe => {}
            _ => return None,
        }
        rest = rest.get(2 + length..)?;
    }
}

enum WebP {
    Lossy,
    Lossless,
    /// Transparency beside a lossy picture, an animation, or something strange.
    Other,
}

fn webp_kind(file: &[u8]) -> WebP {
    match file.get(12..16) {
        Some(b"VP8 ") => WebP::Lossy,
        Some(b"VP8L") => WebP::Lossless,
        _ => WebP::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jpeg_is_cheap_only_if_it_is_plain_to_see() {
        fn check(parts: &[&[u8]], expect: Option<(u8, bool)>) {
            let mut file = vec![0xff, 0xd8];
            for part in parts {
                file.extend([0xff, part[0]]);
                file.extend(u16::try_from(part.len() + 1).unwrap().to_be_bytes());
                file.extend(&part[1..]);
            }
            let found = one_scan(&file).map(|scan| (scan.colours, scan.whole));
            assert_eq!(found, expect, "{parts:x?}");
        }
        let frame = |marker: u8, colours: u8| vec![marker, 8, 0, 9, 0, 9, colours, 1, 0x11, 0];
        let scan = |colours: u8| vec![0xda, colours, 1, 0, 0, 63, 0];
        check(&[&frame(0xc0, 3), &scan(3)], Some((3, true)));
        check(
            &[&[0xe1, 1, 2], &[0xc4, 0], &frame(0xc1, 1), &scan(1)],
            Some((1, true)),
        );
        check(&[&frame(0xc0, 3), &scan(1)], Some((3, false)));
        check(&[&frame(0xc2, 3), &scan(3)], Some((3, false)));
        check(&[&frame(0xc0, 3), &frame(0xc2, 3), &scan(3)], None);
        check(&[&scan(3)], None);
        check(&[&[0x01, 0], &frame(0xc0, 3), &scan(3)], None);
        check(&[&frame(0xc0, 3)], None);
        check(&[], None);
    }
}
