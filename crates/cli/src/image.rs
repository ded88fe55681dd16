//! A picture file for the model.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kaiwa_domain::Image;

/// The largest picture file.
const MAX_BYTES: u64 = 10_000_000;

/// Reads a picture, which is what its first bytes say, whatever its name.
pub(crate) fn load(path: &Path) -> Result<Image> {
    let shown = path.display();
    let unreadable = || format!("cannot read the image {shown}");
    // Looked at before it is opened: opening a pipe would wait for a writer.
    if !std::fs::metadata(path).with_context(unreadable)?.is_file() {
        bail!("the image {shown} is not a file");
    }
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(unreadable)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("the image {shown} is larger than 10 MB: make it smaller first");
    }
    let Some(media_type) = sniff(&bytes) else {
        bail!("the image {shown} is no PNG, JPEG, WEBP or GIF: convert it first");
    };
    Ok(Image {
        media_type,
        bytes: bytes.into(),
    })
}

fn sniff(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
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
        ] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_kind() {
        fn check(bytes: &[u8], expect: Option<&str>) {
            assert_eq!(sniff(bytes), expect, "{bytes:?}");
        }
        check(b"\x89PNG\r\n\x1a\n...", Some("image/png"));
        check(b"\xff\xd8\xff\xe0", Some("image/jpeg"));
        check(b"GIF89a", Some("image/gif"));
        check(b"RIFF\x00\x00\x00\x00WEBPVP8 ", Some("image/webp"));
        check(b"RIFF\x00\x00\x00\x00WAVE", None);
        check(b"<svg>", None);
        check(b"", None);
    }
}
