//! Files that hang on messages: taken in, kept, and served.

use axum::{
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    ApiResponse, ApiResult, RequestContext,
    body::{Fields, snowflake},
};
use crate::{
    Emulator, limits,
    realm::{Attachment, Dimensions, signature, signed},
    snowflake::{Snowflake, now},
    state::StoredFile,
};

/// Discord Docs/Message, Attachment Flags.
const SPOILER: u64 = 1 << 3;

/// Keeps the uploads of a request.
pub(super) fn store(call: &mut RequestContext<'_>, channel: Snowflake) -> Vec<Attachment> {
    let described: Vec<Value> = match call.body.json.get("attachments") {
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    };
    let mut stored = Vec::new();
    for upload in std::mem::take(&mut call.body.files) {
        let about = described.iter().find(|entry| {
            let id = entry.get("id");
            id.and_then(|id| id.as_u64().or_else(|| id.as_str()?.parse().ok()))
                == Some(upload.number)
        });
        let field = |key: &str| {
            about
                .and_then(|entry| entry.get(key))
                .and_then(Value::as_str)
        };
        let filename = safe_name(field("filename").unwrap_or(&upload.name));
        let id = call.state.realm.mint.next();
        let url = format!("{}/attachments/{channel}/{id}/{filename}", call.cdn_url);
        let content_type = content_type(&filename);
        let attachment = Attachment {
            id,
            filename: filename.clone(),
            description: field("description").map(|text| text.chars().take(1024).collect()),
            size: upload.bytes.len(),
            proxy_url: url.clone(),
            url,
            content_type: content_type.to_owned(),
            flags: if filename.starts_with("SPOILER_") {
                SPOILER
            } else {
                0
            },
            dimensions: dimensions(&upload.bytes),
            duration_secs: about.and_then(|entry| entry.get("duration_secs")?.as_f64()),
            waveform: field("waveform").map(|text| text.chars().take(400).collect()),
        };
        stored.push(attachment);
        let file = StoredFile {
            channel,
            name: filename,
            content_type: content_type.to_owned(),
            bytes: upload.bytes,
        };
        call.state.files.put(id, file);
    }
    stored
}

/// Names that are part of a URL keep letters, digits and `._-`.
fn safe_name(name: &str) -> String {
    let kept: String = name
        .chars()
        .take(100)
        .map(|c| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    if kept.trim_matches('.').is_empty() {
        "unknown".into()
    } else {
        kept
    }
}

pub(super) fn content_type(name: &str) -> &'static str {
    let extension = name
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ogg" | "oga" | "opus" => "audio/ogg",
        "mp3" => "audio/mpeg",
        "wav" => "audio/x-wav",
        "flac" => "audio/flac",
        "m4a" => "audio/mp4",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "mov" => "video/quicktime",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "csv" => "text/csv; charset=utf-8",
        "html" | "htm" => "text/html; charset=utf-8",
        "txt" | "md" | "log" => "text/plain; charset=utf-8",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}

/// The size of a picture, if its head tells.
fn dimensions(bytes: &[u8]) -> Option<Dimensions> {
    png_dimensions(bytes)
        .or_else(|| gif_dimensions(bytes))
        .or_else(|| jpeg_dimensions(bytes))
        .filter(|size| size.width > 0 && size.height > 0)
}

/// The size of a GIF, which stands right after its name.
fn gif_dimensions(bytes: &[u8]) -> Option<Dimensions> {
    let head = bytes
        .strip_prefix(b"GIF87a")
        .or_else(|| bytes.strip_prefix(b"GIF89a"))?;
    let number = |at: usize| Some(u16::from_le_bytes(head.get(at..at + 2)?.try_into().ok()?));
    Some(Dimensions {
        width: number(0)?.into(),
        height: number(2)?.into(),
    })
}

/// The size of a JPEG, which its first frame tells.
fn jpeg_dimensions(bytes: &[u8]) -> Option<Dimensions> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, marker, high, low, tail @ ..] = rest else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        // Frames, but not the tables that have numbers among theirs.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let number = |at: usize| tail.get(at..at + 2)?.try_into().ok();
            return Some(Dimensions {
                width: u16::from_be_bytes(number(3)?).into(),
                height: u16::from_be_bytes(number(1)?).into(),
            });
        }
        rest = rest.get(2 + length.max(2)..)?;
    }
}

/// The size of a PNG, which its first chunk tells.
fn png_dimensions(bytes: &[u8]) -> Option<Dimensions> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    (header.get(4..8)? == b"IHDR").then_some(())?;
    Some(Dimensions {
        width: number(8)?,
        height: number(12)?,
    })
}

/// Attachments that an edit keeps: those it names by id.
pub(super) fn kept(attachments: &[Attachment], named: &[Value]) -> Vec<Attachment> {
    let ids: Vec<Snowflake> = named
        .iter()
        .filter_map(|entry| snowflake(entry.get("id")?))
        .collect();
    attachments
        .iter()
        .filter(|attachment| ids.contains(&attachment.id))
        .cloned()
        .collect()
}

/// What a signed URL carries.
#[derive(Deserialize)]
pub(crate) struct UrlSignature {
    #[serde(default)]
    ex: String,
    #[serde(default)]
    is: String,
    #[serde(default)]
    hm: String,
}

impl UrlSignature {
    fn holds(&self, path: &str) -> bool {
        let ends = i64::from_str_radix(&self.ex, 16);
        ends.is_ok_and(|ends| ends > now().as_second())
            && self.hm == signature(path, &self.ex, &self.is)
    }
}

/// Refresh Attachment URLs: signs those anew that were ours.
pub(super) fn refresh(call: &mut RequestContext<'_>) -> ApiResult {
    let mut body = Fields::new(&call.body.json, "");
    body.require("attachment_urls");
    let list = body.list("attachment_urls").unwrap_or_default();
    if list.len() > limits::REFRESHED_URLS {
        body.too_long("attachment_urls", limits::REFRESHED_URLS);
    }
    body.problems.into_result()?;
    let ours = format!("{}/attachments/", call.cdn_url);
    let refreshed: Vec<Value> = list
        .iter()
        .filter_map(Value::as_str)
        .map(|original| {
            let plain = original.split_once('?').map_or(original, |(url, _)| url);
            let refreshed = plain.starts_with(&ours).then(|| signed(plain));
            json!({ "original": original, "refreshed": refreshed })
        })
        .collect();
    ApiResponse::json(json!({ "refreshed_urls": refreshed }))
}

/// Serves an upload to those who have a signed URL. The page shares our origin, so nothing but plain images
/// is shown in place.
pub(crate) async fn serve(
    State(emulator): State<Emulator>,
    Path((channel, id, name)): Path<(String, String, String)>,
    Query(signature): Query<UrlSignature>,
) -> Response {
    if !signature.holds(&format!("{channel}/{id}/{name}")) {
        let gone = "This content is no longer available.";
        return (StatusCode::NOT_FOUND, gone).into_response();
    }
    let file = {
        let state = emulator.state();
        let found = id.parse().ok().and_then(|id| state.files.get(id));
        found
            .filter(|file| file.channel.to_string() == channel && file.name == name)
            .cloned()
    };
    let Some(file) = file else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let picture = ["image/png", "image/jpeg", "image/gif", "image/webp"]
        .contains(&file.content_type.as_str());
    let (kind, disposition) = if picture {
        (file.content_type, "inline")
    } else {
        ("application/octet-stream".to_owned(), "attachment")
    };
    let headers = [
        (header::CONTENT_TYPE, kind.as_str()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; sandbox",
        ),
    ];
    (headers, file.bytes).into_response()
}
