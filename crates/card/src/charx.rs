//! Archives of a card and its pictures.

use std::collections::HashMap;

use kaiwa_domain::{Persona, PictureId};

use crate::archive::{Archive, ArchiveWriter};
use crate::picture::kind;
use crate::text::{decoded, parsed};
use crate::{CardError, CharacterCard, TEXT_BYTES, export, json};

const CARD: &str = "card.json";

/// How the card names files of the archive. The second is what was meant.
const EMBEDDED: [&str; 2] = ["embeded://", "embedded://"];

/// The most that pictures may be unpacked, together and each.
const UNPACKED: usize = 64 << 20;
const EACH: usize = 10 << 20;

/// Whether a file may be an archive; some programs put a JPEG before it.
pub(crate) fn is_archive(file: &[u8]) -> bool {
    file.starts_with(b"PK\x03\x04") || file.starts_with(&[0xff, 0xd8, 0xff])
}

/// Reads an archive.
pub(crate) fn read(file: &[u8]) -> Result<CharacterCard, CardError> {
    let archive = match Archive::read(file) {
        Some(archive) => archive,
        None if !file.starts_with(b"PK") => return Err(CardError::PlainPicture),
        None => return Err(CardError::damaged("no whole archive")),
    };
    let card = archive.unpack(CARD, TEXT_BYTES)?;
    let card = card.ok_or_else(|| CardError::damaged("there is no card.json in it"))?;
    let text = decoded(&card)?;
    let wanted = addresses(&text);
    let mut pictures: HashMap<String, Vec<u8>> = HashMap::new();
    let mut room = UNPACKED;
    for path in wanted {
        if pictures.contains_key(&path) {
            continue;
        }
        if let Some(bytes) = archive.unpack(&path, EACH.min(room))? {
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
    let root = parsed(card).unwrap_or_default();
    let assets = root.pointer("/data/assets").and_then(|it| it.as_array());
    let uris = assets.into_iter().flatten().filter_map(|it| {
        let kind = it.get("type")?.as_str()?;
        let uri = it.get("uri")?.as_str()?;
        let is_ours = matches!(kind, "icon" | "emotion");
        is_ours.then(|| path_of(uri).map(str::to_owned))?
    });
    uris.take(kaiwa_domain::SPRITES_PER_PERSONA + 8).collect()
}

/// Writes an archive.
pub(crate) fn write(persona: &Persona, pictures: &HashMap<PictureId, Vec<u8>>) -> Vec<u8> {
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
    let card = export::write_v3(persona, &export::Assets::Beside(&addresses));
    let mut archive = ArchiveWriter::default();
    archive.put(CARD, card.as_bytes());
    let mut listed: Vec<(&String, &PictureId)> =
        names.iter().map(|(id, path)| (path, id)).collect();
    listed.sort_unstable();
    for (path, id) in listed {
        if let Some(bytes) = pictures.get(id) {
            archive.put(path, bytes);
        }
    }
    archive.finish()
}
