//! Pictures: read from bodies, recognised, and served.

mod format;

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use crate::{
    Emulator,
    rest::{
        body::Fields,
        emojis::{disc, disc_of},
    },
    snowflake::{Snowflake, hash},
    state::{PictureKind, StoredPicture},
};

pub(crate) use format::content_type;

/// Reads a picture that stands in a body as `data:image/png;base64,…`.
pub(in crate::rest) fn data_uri(
    body: &mut Fields<'_>,
    key: &str,
    most: usize,
) -> Option<StoredPicture> {
    let text = body.text(key)?;
    let encoded = text
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    let bytes = encoded.and_then(|(_, data)| LENIENT.decode(data).ok());
    let picture = bytes.and_then(|bytes| {
        let content_type = content_type(&bytes)?;
        Some(StoredPicture {
            content_type,
            bytes: bytes.into(),
        })
    });
    match picture {
        Some(picture) if picture.bytes.len() > most => {
            let message = format!("File cannot be larger than {}.0 kb.", most / 1024);
            body.wrong(key, "BINARY_TYPE_MAX_SIZE", &message);
            None
        }
        Some(picture) => Some(picture),
        None => {
            body.wrong(key, "IMAGE_INVALID", "Invalid image");
            None
        }
    }
}

/// The hash that a picture is called by. Those that move begin with `a_`.
pub(in crate::rest) fn hash_of(picture: &StoredPicture) -> String {
    let bytes: String = picture.bytes.iter().map(|byte| char::from(*byte)).collect();
    let moves = match picture.content_type {
        "image/gif" => "a_",
        _ => "",
    };
    format!(
        "{moves}{:016x}{:016x}",
        hash(&["picture", &bytes]),
        hash(&["again", &bytes])
    )
}

/// What the picture of a message's author is kept by, which is not its
/// webhook's: the beginning of its hash.
pub(in crate::rest) fn named_by(hash: &str) -> Option<Snowflake> {
    let digits = hash.trim_start_matches("a_").get(..16)?;
    u64::from_str_radix(digits, 16).ok().map(Snowflake)
}

/// What the pictures of a member are kept by.
pub(in crate::rest) fn in_one_guild(guild: Snowflake, person: Snowflake) -> Snowflake {
    Snowflake(hash(&[&guild.to_string(), &person.to_string()]))
}

/// With or without padding: libraries differ.
pub(super) const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The pictures of those who have none: blurple, grey, green, orange, red, pink.
static DEFAULT_AVATARS: LazyLock<[Bytes; 6]> = LazyLock::new(|| {
    let colours = [
        [0x58, 0x65, 0xf2],
        [0x75, 0x7e, 0x8a],
        [0x3b, 0xa5, 0x5c],
        [0xfa, 0xa6, 0x1a],
        [0xed, 0x42, 0x45],
        [0xeb, 0x45, 0x9f],
    ];
    colours.map(|colour| disc_of(colour).unwrap_or_default().into())
});

/// Serves `KIND/ID/HASH.EXT`, of stickers `stickers/ID.EXT`, and
/// `embed/avatars/N.png`.
pub(crate) async fn serve(State(emulator): State<Emulator>, Path(path): Path<String>) -> Response {
    let segments: Vec<&str> = path.split('/').collect();
    if let ["embed", "avatars", file] = segments[..] {
        let number: Option<usize> = file.strip_suffix(".png").and_then(|it| it.parse().ok());
        return match number.and_then(|number| DEFAULT_AVATARS.get(number)) {
            Some(png) => shown("image/png", png.clone()),
            None => StatusCode::NOT_FOUND.into_response(),
        };
    }
    let (kind, of) = match segments[..] {
        ["avatars", id, _] => (PictureKind::Avatar, id),
        ["banners", id, _] => (PictureKind::UserBanner, id),
        ["icons", id, _] => (PictureKind::Icon, id),
        ["guilds", _, "users", id, "avatars", _] => (PictureKind::MemberAvatar, id),
        ["guilds", _, "users", id, "banners", _] => (PictureKind::MemberBanner, id),
        ["app-icons", id, _] => (PictureKind::AppIcon, id),
        ["guild-events", id, _] => (PictureKind::EventCover, id),
        ["soundboard-sounds", id] => (PictureKind::Sound, stem(id)),
        ["stickers", file] => (PictureKind::Sticker, stem(file)),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let id: Option<Snowflake> = match segments[..] {
        ["guilds", guild, "users", ..] => {
            let ids = guild.parse().ok().zip(of.parse().ok());
            ids.map(|(guild, person)| in_one_guild(guild, person))
        }
        _ => of.parse().ok(),
    };
    let (uploaded, named) = {
        let state = emulator.state();
        let uploaded = id.and_then(|id| state.pictures.get(kind, id));
        let hash = segments.last().map_or("", |file| stem(file));
        let uploaded = match kind {
            // A message of a webhook may have another picture than the webhook.
            PictureKind::Avatar => {
                uploaded
                    .filter(|picture| hash_of(picture) == hash)
                    .or_else(|| {
                        state
                            .pictures
                            .get(PictureKind::MessageAvatar, named_by(hash)?)
                    })
            }
            _ => uploaded,
        };
        let uploaded = uploaded.cloned();
        let mut stickers = state.realm.guilds.iter().flat_map(|guild| &guild.stickers);
        let named = stickers.find(|it| kind == PictureKind::Sticker && Some(it.id) == id);
        (uploaded, named.map(|sticker| sticker.name.clone()))
    };
    if let Some(picture) = uploaded {
        return shown(picture.content_type, picture.bytes);
    }
    // Stickers of the world have no picture of their own.
    match named.and_then(|name| disc(&name)) {
        Some(png) => shown("image/png", png.into()),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn stem(file: &str) -> &str {
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// The page shares our origin, so a picture is nothing but a picture.
fn shown(content_type: &'static str, bytes: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_with_and_without_padding() {
        let check = |text: &str, expected: Option<&[u8]>| {
            assert_eq!(LENIENT.decode(text).ok().as_deref(), expected, "{text}");
        };
        check("", Some(b""));
        check("dGVh", Some(b"tea"));
        check("dGU=", Some(b"te"));
        check("dGU", Some(b"te"));
        check("dA==", Some(b"t"));
        check("d", None);
        check("d*==", None);
    }
}
