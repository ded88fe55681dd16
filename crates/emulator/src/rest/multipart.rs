//! `multipart/form-data`, of a body that is already in memory.

use memchr::memmem;

pub(super) struct MultipartField<'a> {
    pub(super) name: String,
    pub(super) filename: Option<String>,
    pub(super) bytes: &'a [u8],
}

/// The boundary that a content type names.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let (kind, parameters) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parameter(parameters, "boundary")?;
    (1..=70).contains(&boundary.len()).then_some(boundary)
}

/// The parts of a form; `None` when it is cut short.
pub(super) fn parts<'a>(body: &'a [u8], boundary: &str) -> Option<Vec<MultipartField<'a>>> {
    let delimiter = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let finder = memmem::Finder::new(between.as_bytes());
    let start = memmem::find(body, delimiter.as_bytes())?;
    let mut rest = &body[start + delimiter.len()..];
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        rest = rest.strip_prefix(b"\r\n")?;
        let end = finder.find(rest)?;
        parts.extend(part(&rest[..end]));
        rest = &rest[end + between.len()..];
    }
    Some(parts)
}

fn part(text: &[u8]) -> Option<MultipartField<'_>> {
    let split = memmem::find(text, b"\r\n\r\n")?;
    let head = std::str::from_utf8(&text[..split]).ok()?;
    let disposition = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim()
            .eq_ignore_ascii_case("content-disposition")
            .then_some(value)
    })?;
    Some(MultipartField {
        name: parameter(disposition, "name")?,
        filename: parameter(disposition, "filename"),
        bytes: &text[split + 4..],
    })
}

/// A parameter of a header, quoted or not. Quotes inside come as `%22`.
fn parameter(header: &str, wanted: &str) -> Option<String> {
    header.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let value = value.trim();
        let value = value
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .unwrap_or(value);
        name.trim()
            .eq_ignore_ascii_case(wanted)
            .then(|| value.to_owned())
    })
}
