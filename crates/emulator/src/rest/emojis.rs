//! Emoji of guilds: their list, and pictures for them.

use std::io::Write as _;

use axum::{
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, Crc, write::ZlibEncoder};

use super::{ApiResponse, ApiResult, RequestContext, guilds::known};
use crate::{
    Emulator,
    snowflake::{Snowflake, hash},
    state::PictureKind,
    wire::Emoji,
};

/// Pixels on each side.
const SIDE: u32 = 48;

pub(super) fn list(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let emojis: Vec<Emoji> = known(call, id)?.emojis.iter().map(Emoji::from).collect();
    ApiResponse::json(emojis)
}

/// Serves `ID.EXT`, whatever the extension: what was uploaded, or of an emoji
/// of the world, as PNG, a disc in a colour that follows from the name.
pub(crate) async fn serve(State(emulator): State<Emulator>, Path(file): Path<String>) -> Response {
    let id = file.split_once('.').and_then(|(id, _)| id.parse().ok());
    let uploaded = id.and_then(|id| {
        let state = emulator.state();
        state.pictures.get(PictureKind::Emoji, id).cloned()
    });
    if let Some(picture) = uploaded {
        return (
            [(header::CONTENT_TYPE, picture.content_type)],
            picture.bytes,
        )
            .into_response();
    }
    let name = id.and_then(|id: Snowflake| {
        let state = emulator.state();
        let mut all = state.realm.guilds.iter().flat_map(|guild| &guild.emojis);
        all.find(|emoji| emoji.id == id)
            .map(|emoji| emoji.name.clone())
    });
    match name.and_then(|name| disc(&name)) {
        Some(png) => ([(header::CONTENT_TYPE, "image/png")], png).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A disc in a colour that follows from a name.
pub(super) fn disc(name: &str) -> Option<Vec<u8>> {
    let [red, green, blue, ..] = hash(&["emoji", name]).to_le_bytes();
    disc_of([red, green, blue].map(|value| value | 0x60))
}

/// A disc in a colour, as PNG.
pub(super) fn disc_of([red, green, blue]: [u8; 3]) -> Option<Vec<u8>> {
    let mut rows = Vec::new();
    for y in 0..SIDE {
        rows.push(0);
        for x in 0..SIDE {
            let (dx, dy) = (x.abs_diff(SIDE / 2), y.abs_diff(SIDE / 2));
            let inside = dx * dx + dy * dy < (SIDE / 2) * (SIDE / 2);
            let alpha = if inside { 255 } else { 0 };
            rows.extend([red, green, blue, alpha]);
        }
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&rows).ok()?;
    let packed = packed.finish().ok()?;
    let mut header = Vec::new();
    header.extend(SIDE.to_be_bytes());
    header.extend(SIDE.to_be_bytes());
    // Eight bits each of red, green, blue and alpha.
    header.extend([8, 6, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", &header), (b"IDAT", &packed), (b"IEND", &vec![])] {
        png.extend(u32::try_from(data.len()).ok()?.to_be_bytes());
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(data);
        png.extend(kind);
        png.extend(data);
        png.extend(crc.sum().to_be_bytes());
    }
    Some(png)
}
