//! Archives of a card and its pictures.

use std::cell::Cell;
use std::collections::HashMap;

use kaiwa_domain::{Persona, PictureId};

use crate::archive::{Archive, ArchiveWriter, plain_path};
use crate::picture::{after_scheme, kind};
use crate::text::decoded;
use crate::{CardError, CharacterCard, LeftOut, TEXT_BYTES, export, json};

const CARD: &str = "card.json";

/// What RisuAI knows of a character beside its card.
const MODULE: &str = "module.risum";

/// How the names of cards end, as files.
const ENDINGS: [&str; 6] = ["charx", "jpeg", "jpg", "json", "png", "toml"];

/// Where macOS puts what it knows of files.
const APPLE: &str = "__MACOSX";

/// How the card names files of the archive. The second is what was meant, and
/// the third stands in pictures.
const EMBEDDED: [&str; 3] = ["embeded://", "embedded://", "__asset:"];

/// The most that pictures may be unpacked, together and each.
const UNPACKED: usize = 64 << 20;
const EACH: usize = 10 << 20;

/// Whether a file may be an archive; some programs put a JPEG before it.
pub(crate) fn is_archive(file: &[u8]) -> bool {
    file.starts_with(b"PK\x03\x04") || file.starts_with(&[0xff, 0xd8, 0xff])
}

/// Reads an archive.
pub(crate) fn read(file: &[u8]) -> Result<CharacterCard, CardError> {
    let archive = match Archive::read(file)? {
        Some(archive) => archive,
        None if !file.starts_with(b"PK") => return Err(CardError::PlainPicture),
        None => return Err(CardError::damaged("no whole archive")),
    };
    let folder = folder(&archive)?;
    let unpack = |path: &str, most: usize| archive.unpack(&format!("{folder}{path}"), most);
    let card = unpack(CARD, TEXT_BYTES)?.unwrap_or_default();
    let text = decoded(&card)?;
    let room = Cell::new(UNPACKED);
    let mut card = json::read_with(&text, |uri| {
        let most = EACH.min(room.get());
        let unpacked = unpack(&path_of(uri)?, most);
        // What cannot be unpacked may have taken as long as what can.
        let used = match &unpacked {
            Ok(picture) => picture.as_ref().map_or(0, Vec::len),
            Err(_) => most,
        };
        room.set(room.get() - used);
        unpacked.ok()?
    })?;
    if archive.names().any(|name| name == MODULE) {
        match card.left_out.last_mut() {
            Some(LeftOut::Programs(named)) => named.push(MODULE.to_owned()),
            _ => card
                .left_out
                .push(LeftOut::Programs(vec![MODULE.to_owned()])),
        }
    }
    Ok(card)
}

/// The folder in which the card is: none, or one that somebody packed again as
/// a whole.
fn folder(archive: &Archive<'_>) -> Result<String, CardError> {
    if archive.names().any(|name| name.eq_ignore_ascii_case(CARD)) {
        return Ok(String::new());
    }
    let mut folders = archive.names().filter_map(|name| {
        let (folder, file) = name.rsplit_once('/')?;
        (file.eq_ignore_ascii_case(CARD) && !folder.starts_with(APPLE)).then_some(folder)
    });
    let is_card = |name: &str| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|it| ENDINGS.iter().any(|known| it.eq_ignore_ascii_case(known)))
    };
    match (folders.next(), folders.next()) {
        (Some(folder), None) => Ok(format!("{folder}/")),
        _ if archive.names().any(|name| name.starts_with("characters/")) => Err(CardError::Other {
            what: "an archive of Backyard AI",
        }),
        _ if archive.names().any(is_card) => Err(CardError::Packed),
        _ => Err(CardError::Other {
            what: "an archive without a card.json",
        }),
    }
}

fn path_of(uri: &str) -> Option<String> {
    let mut prefixes = EMBEDDED.iter();
    let path = prefixes.find_map(|prefix| after_scheme(uri.trim(), prefix));
    path.map(plain_path)
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
