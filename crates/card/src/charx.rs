//! Archives of a card and its pictures.

use std::collections::HashMap;
use std::io::{Cursor, Read, Write};

use kaiwa_domain::{Persona, PictureId};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::picture::kind;
use crate::{CardError, CharacterCard, TEXT_BYTES, json};

const CARD: &str = "card.json";

/// How the card names files of the archive. The second is what was meant.
const EMBEDDED: [&str; 2] = ["embeded://", "embedded://"];

/// The most files in an archive.
const FILES: usize = 2_000;

/// The most that pictures may be unpacked, together and each.
const UNPACKED: usize = 64 << 20;
const EACH: usize = 10 << 20;

/// Whether a file may be an archive; some programs put a JPEG before it.
pub(crate) fn is_archive(file: &[u8]) -> bool {
    file.starts_with(b"PK\x03\x04") || file.starts_with(&[0xff, 0xd8, 0xff])
}

/// Reads an archive.
pub(crate) fn read(file: &[u8]) -> Result<CharacterCard, CardError> {
    let archive = ZipArchive::new(Cursor::new(file));
    let mut archive = match archive {
        Ok(archive) => archive,
        Err(_) if !file.starts_with(b"PK") => return Err(CardError::PlainPicture),
        Err(error) => return Err(CardError::damaged(format!("no archive: {error}"))),
    };
    if archive.len() > FILES {
        return Err(CardError::damaged("there are too many files in it"));
    }
    let card = unpack(&mut archive, CARD, TEXT_BYTES)?;
    let card = card.ok_or_else(|| CardError::damaged("there is no card.json in it"))?;
    let text = crate::decoded(&card)?;
    let wanted = addresses(&text);
    let mut pictures: HashMap<String, Vec<u8>> = HashMap::new();
    let mut room = UNPACKED;
    for path in wanted {
        if pictures.contains_key(&path) {
            continue;
        }
        if let Some(bytes) = unpack(&mut archive, &path, EACH.min(room))? {
            room -= bytes.len();
            pictures.insert(path, bytes);
        }
    }
    json::read_with(&text, |uri| pictures.get(path_of(uri)?).cloned())
}

fn path_of(uri: &str) -> Option<&str> {
    let mut prefixes = EMBEDDED.iter();
    prefixes.find_map(|prefix| uri.trim().strip_prefix(prefix))
}

/// The files that a card names.
fn addresses(card: &str) -> Vec<String> {
    let root: serde_json::Value = serde_json::from_str(card).unwrap_or_default();
    let assets = root.pointer("/data/assets").and_then(|it| it.as_array());
    let uris = assets.into_iter().flatten().filter_map(|it| {
        let kind = it.get("type")?.as_str()?;
        let uri = it.get("uri")?.as_str()?;
        let is_ours = matches!(kind, "icon" | "emotion");
        is_ours.then(|| path_of(uri).map(str::to_owned))?
    });
    uris.take(kaiwa_domain::SPRITES_PER_PERSONA + 8).collect()
}

/// A file of an archive, if it is there and not too large.
fn unpack(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    path: &str,
    most: usize,
) -> Result<Option<Vec<u8>>, CardError> {
    let Ok(mut file) = archive.by_name(path) else {
        return Ok(None);
    };
    // What it says of its size need not be true.
    let mut bytes = Vec::new();
    let unpacked = file.by_ref().take(most as u64 + 1).read_to_end(&mut bytes);
    if bytes.len() > most {
        return Err(CardError::Bomb { most });
    }
    unpacked.map_err(|error| CardError::damaged(format!("{path}: {error}")))?;
    Ok(Some(bytes))
}

/// Writes an archive.
pub(crate) fn write(
    persona: &Persona,
    pictures: &HashMap<PictureId, Vec<u8>>,
) -> Result<Vec<u8>, CardError> {
    let mut names: HashMap<PictureId, String> = HashMap::new();
    for (place, id) in persona.pictures().enumerate() {
        let Some(bytes) = pictures.get(&id) else {
            continue;
        };
        let folder = match Some(id) == persona.avatar {
            true => "icon",
            false => "emotion",
        };
        names
            .entry(id)
            .or_insert_with(|| format!("assets/{folder}/image/{place}.{}", kind(bytes).1));
    }
    let addresses = names.iter();
    let addresses = addresses.map(|(id, path)| (*id, format!("{}{path}", EMBEDDED[0])));
    let addresses: HashMap<PictureId, String> = addresses.collect();
    let card = json::write_v3(persona, &json::Assets::Beside(&addresses));
    packed(&card, &names, pictures).map_err(|error| CardError::damaged(error.to_string()))
}

fn packed(
    card: &str,
    names: &HashMap<PictureId, String>,
    pictures: &HashMap<PictureId, Vec<u8>>,
) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let text = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive.start_file(CARD, text)?;
    archive.write_all(card.as_bytes())?;
    let picture = text.compression_method(CompressionMethod::Stored);
    let mut listed: Vec<(&String, &PictureId)> =
        names.iter().map(|(id, path)| (path, id)).collect();
    listed.sort_unstable();
    for (path, id) in listed {
        if let Some(bytes) = pictures.get(id) {
            archive.start_file(path.as_str(), picture)?;
            archive.write_all(bytes)?;
        }
    }
    Ok(archive.finish()?.into_inner())
}
