//! Pictures that hold a card in their text chunks.
//!
//! The card stands as base64 under `chara` (version 2) or `ccv3` (version 3),
//! and some programs put further pictures beside it. Only the chunks are
//! looked at, never the pixels, and a broken checksum is no reason to refuse a
//! card that can be read.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::ZlibDecoder;
use kaiwa_domain::{Persona, PictureId};

use crate::picture::{from_base64, from_data_uri, to_base64};
use crate::text::{decoded, latin};
use crate::{CardError, CharacterCard, TEXT_BYTES, export, json};

const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";

/// The keywords of a card, the newest version first.
const KEYWORDS: [&str; 2] = ["ccv3", "chara"];

/// What the keyword of a further picture begins with, and how the card names
/// it. Older programs have no colon.
const ASSET: (&str, &str) = ("chara-ext-asset_", "__asset:");

/// How many further pictures are looked at.
const ASSETS: usize = 64;

/// How many cards of a version are looked at.
const CARDS: usize = 8;

/// A grey pixel, for personas without a picture.
const PLAIN: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x68, 0x00, 0x00, 0x00,
    0x82, 0x00, 0x81, 0x77, 0xcd, 0x72, 0xb6, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];

/// Whether a file is a PNG.
pub(crate) fn is_png(file: &[u8]) -> bool {
    file.starts_with(SIGNATURE)
}

/// One chunk, within the file.
#[derive(Clone, Copy)]
struct Chunk<'a> {
    kind: [u8; 4],
    data: &'a [u8],
    /// All of it, with its length and checksum.
    whole: &'a [u8],
}

/// The chunks of a file. What follows the end, or is cut off, is none.
fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut rest = file.get(SIGNATURE.len()..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, _) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let kind = *rest.get(4..8)?.first_chunk::<4>()?;
        let whole = rest.get(..length.checked_add(12)?)?;
        rest = match &kind {
            b"IEND" => &[],
            _ => &rest[whole.len()..],
        };
        Some(Chunk {
            kind,
            data: &whole[8..8 + length],
            whole,
        })
    })
}

impl Chunk<'_> {
    /// The keyword of a text.
    fn keyword(&self) -> Option<&str> {
        let is_text = [b"tEXt", b"zTXt", b"iTXt"].contains(&&self.kind);
        let end = self.data.iter().take(80).position(|byte| *byte == 0)?;
        let keyword = std::str::from_utf8(&self.data[..end]).ok()?;
        is_text.then_some(keyword)
    }

    /// The text, unpacked.
    fn text(&self) -> Result<Vec<u8>, CardError> {
        let (text, is_packed) = self
            .written()
            .ok_or_else(|| CardError::damaged("its text has no end"))?;
        match is_packed {
            true => inflate(text),
            false => Ok(text.to_vec()),
        }
    }

    /// The text as it stands there, and whether it is packed.
    fn written(&self) -> Option<(&[u8], bool)> {
        let keyword = self.keyword()?;
        let rest = self.data.get(keyword.len() + 1..)?;
        match &self.kind {
            b"tEXt" => Some((rest, false)),
            b"zTXt" => Some((rest.get(1..)?, true)),
            _ => {
                let is_packed = *rest.first()? != 0;
                let mut rest = rest.get(2..)?;
                // A language and a translated keyword.
                for _ in 0..2 {
                    let end = rest.iter().position(|byte| *byte == 0)?;
                    rest = &rest[end + 1..];
                }
                Some((rest, is_packed))
            }
        }
    }
}

/// Unpacks a text, if it is not too large.
fn inflate(packed: &[u8]) -> Result<Vec<u8>, CardError> {
    let most = TEXT_BYTES * 4 / 3;
    let mut text = Vec::new();
    let unpacked = ZlibDecoder::new(packed)
        .take(most as u64 + 1)
        .read_to_end(&mut text);
    if text.len() > most {
        return Err(CardError::TooLarge { most: TEXT_BYTES });
    }
    unpacked.map_err(|_| CardError::damaged("its text cannot be unpacked"))?;
    Ok(text)
}

/// Reads the card in a picture.
pub(crate) fn read(file: &[u8]) -> Result<CharacterCard, CardError> {
    let under = |keyword: &str| -> Vec<Chunk<'_>> {
        let named = chunks(file).filter(|it| {
            let own = it.keyword();
            own.is_some_and(|own| own.eq_ignore_ascii_case(keyword))
        });
        named.collect()
    };
    let mut problem = None;
    for keyword in KEYWORDS {
        // Programs that edit cards may leave the old one behind; the last counts.
        for chunk in under(keyword).iter().rev().take(CARDS) {
            let read = card_text(chunk).and_then(|text| json::read_with(&text, find_in(file)));
            match read {
                Ok(mut card) => {
                    let alone = || Some(without_cards(file)).filter(|it| it != PLAIN);
                    card.avatar = card.avatar.or_else(alone);
                    return Ok(card);
                }
                Err(error) => problem = problem.or(Some(error)),
            }
        }
    }
    let has_end = || chunks(file).any(|chunk| &chunk.kind == b"IEND");
    Err(problem.unwrap_or_else(|| match has_end() {
        true => CardError::PlainPicture,
        false => CardError::CutOff,
    }))
}

fn card_text(chunk: &Chunk<'_>) -> Result<String, CardError> {
    let text = chunk.text()?;
    let bare = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    if bare.trim_ascii_start().starts_with(b"{") {
        return decoded_json(bare);
    }
    let text = std::str::from_utf8(bare).unwrap_or_default();
    let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    let bytes = from_data_uri(text).or_else(|| from_base64(text));
    let bytes = bytes.filter(|bytes| !bytes.is_empty());
    decoded_json(&bytes.ok_or_else(|| CardError::damaged("its text is no base64"))?)
}

/// The text of a card, which is Latin-1 if it is nothing else.
fn decoded_json(bytes: &[u8]) -> Result<String, CardError> {
    match decoded(bytes) {
        Err(CardError::NotText) if bytes.trim_ascii_start().starts_with(b"{") => Ok(latin(bytes)),
        read => read,
    }
}

/// Finds the further pictures of a card.
fn find_in(file: &[u8]) -> impl Fn(&str) -> Option<Vec<u8>> {
    let assets = chunks(file).filter_map(|chunk| Some((asset(&chunk)?, chunk)));
    let assets: HashMap<String, Chunk<'_>> = assets.take(ASSETS).collect();
    move |uri: &str| {
        let chunk = assets.get(uri.strip_prefix(ASSET.1)?)?;
        from_base64(std::str::from_utf8(&chunk.text().ok()?).ok()?)
    }
}

/// The name of the further picture that a chunk holds.
fn asset(chunk: &Chunk<'_>) -> Option<String> {
    let name = chunk.keyword()?.strip_prefix(ASSET.0)?;
    Some(name.strip_prefix(':').unwrap_or(name).to_owned())
}

fn is_cards(chunk: &Chunk<'_>) -> bool {
    let keyword = chunk.keyword();
    keyword.is_some_and(|it| {
        it.starts_with(ASSET.0) || KEYWORDS.iter().any(|own| it.eq_ignore_ascii_case(own))
    })
}

/// The picture alone.
fn without_cards(file: &[u8]) -> Vec<u8> {
    let mut picture = SIGNATURE.to_vec();
    for chunk in chunks(file).filter(|it| !is_cards(it)) {
        picture.extend_from_slice(chunk.whole);
    }
    picture
}

/// Writes a picture that holds a card.
pub(crate) fn write(
    persona: &Persona,
    pictures: &HashMap<PictureId, Vec<u8>>,
) -> Result<Vec<u8>, CardError> {
    let avatar = persona.avatar.and_then(|it| pictures.get(&it));
    let avatar = avatar.filter(|it| is_png(it)).map_or(PLAIN, |it| it);
    let v3 = export::write_v3(persona, &export::Assets::Beside(&asset_names(persona)));
    let mut file = SIGNATURE.to_vec();
    for chunk in chunks(avatar).filter(|it| !is_cards(it)) {
        if &chunk.kind == b"IEND" {
            push_text(&mut file, "chara", export::write_v2(persona).as_bytes());
            push_text(&mut file, "ccv3", v3.as_bytes());
            for (place, sprite) in persona.sprites.iter().enumerate() {
                if let Some(bytes) = pictures.get(&sprite.picture) {
                    push_text(&mut file, &format!("{}:{}", ASSET.0, place + 1), bytes);
                }
            }
        }
        file.extend_from_slice(chunk.whole);
    }
    Ok(file)
}

/// How the card names its pictures; its own is the file.
fn asset_names(persona: &Persona) -> HashMap<PictureId, String> {
    let sprites = persona.sprites.iter().enumerate();
    let mut names: HashMap<PictureId, String> = sprites
        .map(|(place, sprite)| (sprite.picture, format!("{}{}", ASSET.1, place + 1)))
        .collect();
    if let Some(avatar) = persona.avatar {
        names.insert(avatar, "ccdefault:".to_owned());
    }
    names
}

fn push_text(file: &mut Vec<u8>, keyword: &str, text: &[u8]) {
    let mut body = b"tEXt".to_vec();
    body.extend_from_slice(keyword.as_bytes());
    body.push(0);
    body.extend_from_slice(to_base64(text).as_bytes());
    let length = u32::try_from(body.len() - 4).unwrap_or(u32::MAX);
    file.extend_from_slice(&length.to_be_bytes());
    file.extend_from_slice(&body);
    file.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
}
