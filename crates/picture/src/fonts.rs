//! Which fonts a table needs.
//!
//! The system's fonts are listed once, by name and path; their files are
//! opened when a character asks for them, and closed after the picture.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use cosmic_text::fontdb::{Database, FaceInfo, ID, Source, Style, Weight};
use cosmic_text::skrifa::{FontRef, MetadataProvider};
use cosmic_text::{FontSystem, PlatformFallback};
use kaiwa_domain::port::Unpaintable;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) const SANS: &str = "Noto Sans";
pub(crate) const MONO: &str = "Noto Sans Mono";

static EMBEDDED: [&[u8]; 6] = [
    include_bytes!("../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../fonts/NotoSansMono-Regular.ttf"),
    include_bytes!("../fonts/NotoSansMath-Regular.ttf"),
    include_bytes!("../fonts/NotoSansSymbols-Regular.ttf"),
    include_bytes!("../fonts/NotoSansSymbols2-Regular.ttf"),
];

/// How many fonts of the system one picture may use.
const MAX_CHOSEN: usize = 24;

/// Where fonts beside our own are looked for.
#[derive(Debug)]
pub(crate) enum FontSource {
    /// The folders of the system.
    System,
    /// These folders.
    Folders(Vec<PathBuf>),
}

/// The fonts there are.
#[derive(Debug)]
pub(crate) struct Fonts {
    place: FontSource,
    /// The other fonts, the preferred ones first.
    others: OnceLock<Vec<FaceInfo>>,
}

/// The fonts for one picture.
pub(crate) struct FontSelection {
    pub(crate) system: FontSystem,
    /// The family of the emoji, if there are any.
    pub(crate) emoji: Option<String>,
}

impl Fonts {
    pub(crate) const fn new(place: FontSource) -> Self {
        Self {
            place,
            others: OnceLock::new(),
        }
    }

    /// The fonts that have all characters of `text`.
    pub(crate) fn choose(&self, text: &str) -> Result<FontSelection, Unpaintable> {
        let mut set = Set::embedded();
        let mut wanted = BTreeSet::new();
        let mut emoji = None;
        let clusters: BTreeSet<&str> = text.graphemes(true).collect();
        for cluster in clusters {
            let visible = || cluster.chars().filter(|c| is_visible(*c));
            if is_emoji(cluster) {
                emoji = emoji.or_else(|| self.emoji_face());
                let first = visible().next();
                let face = emoji.filter(|face| first.is_some_and(|first| has(face, first)));
                if let Some(face) = face {
                    set.add(face);
                    continue;
                }
            }
            wanted.extend(visible());
        }
        let language = Language::of(text);
        for c in wanted {
            if set.has(c) {
                continue;
            }
            let face = self
                .others()
                .iter()
                .filter(|face| language.suits(face))
                .chain(self.others().iter().filter(|face| !language.suits(face)))
                .find(|face| has(face, c));
            match face {
                Some(face) if set.chosen.len() < MAX_CHOSEN => {
                    set.add(face);
                    set.chosen.extend(self.bold_of(face));
                }
                _ => return Err(Unpaintable::MissingGlyph(c)),
            }
        }
        let emoji = emoji.filter(|face| set.chosen.iter().any(|other| other.id == face.id));
        Ok(FontSelection {
            emoji: emoji.and_then(|face| Some(face.families.first()?.0.clone())),
            system: set.into_system(),
        })
    }

    fn emoji_face(&self) -> Option<&FaceInfo> {
        let named = |part: &str| {
            let mut faces = self.others().iter();
            faces.find(|face| face.families.iter().any(|(name, _)| name.contains(part)))
        };
        named("Color Emoji").or_else(|| named("Emoji"))
    }

    /// The bold sister of a face.
    fn bold_of(&self, face: &FaceInfo) -> Option<FaceInfo> {
        let family = &face.families.first()?.0;
        let sister = |other: &&FaceInfo| {
            other.weight == Weight::BOLD
                && other.style == face.style
                && other
                    .families
                    .first()
                    .is_some_and(|(name, _)| name == family)
        };
        self.others().iter().find(sister).cloned()
    }

    fn others(&self) -> &[FaceInfo] {
        self.others.get_or_init(|| {
            let mut database = Database::new();
            match &self.place {
                FontSource::System => database.load_system_fonts(),
                FontSource::Folders(folders) => {
                    for folder in folders {
                        database.load_fonts_dir(folder);
                    }
                }
            }
            let mut faces: Vec<FaceInfo> = database.faces().cloned().collect();
            faces.sort_by_cached_key(preference);
            tracing::debug!(faces = faces.len(), "listed the fonts of the system");
            faces
        })
    }
}

/// Plain faces before others, sans before serif, and then by name and place,
/// so that the order does not depend on the file system.
fn preference(face: &FaceInfo) -> (bool, u16, bool, bool, bool, String, Option<PathBuf>, u32) {
    let name = face.post_script_name.clone();
    let path = match &face.source {
        Source::File(path) | Source::SharedFile(path, _) => Some(path.clone()),
        Source::Binary(_) => None,
    };
    (
        face.style != Style::Normal,
        face.weight.0.abs_diff(Weight::NORMAL.0),
        !name.contains("Noto"),
        name.contains("Serif"),
        face.monospaced || name.contains("Mono"),
        name,
        path,
        face.index,
    )
}

/// Whose shapes the Han characters have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Japanese,
    Korean,
    Chinese,
}

impl Language {
    fn of(text: &str) -> Self {
        let any = |ranges: &[(char, char)]| {
            text.chars()
                .any(|c| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)))
        };
        if any(&[('\u{3040}', '\u{30ff}'), ('\u{31f0}', '\u{31ff}')]) {
            Self::Japanese
        } else if any(&[('\u{1100}', '\u{11ff}'), ('\u{ac00}', '\u{d7a3}')]) {
            Self::Korean
        } else {
            Self::Chinese
        }
    }

    fn suits(self, face: &FaceInfo) -> bool {
        let ending = match self {
            Self::Japanese => "JP",
            Self::Korean => "KR",
            Self::Chinese => "SC",
        };
        let families = face.families.iter();
        families
            .map(|(name, _)| name)
            .any(|name| name.ends_with(ending))
    }
}

/// Our own faces and those chosen so far.
struct Set {
    chosen: Vec<FaceInfo>,
}

impl Set {
    const fn embedded() -> Self {
        Self { chosen: Vec::new() }
    }

    fn add(&mut self, face: &FaceInfo) {
        if self.chosen.iter().all(|other| other.id != face.id) {
            self.chosen.push(face.clone());
        }
    }

    fn has(&self, c: char) -> bool {
        EMBEDDED.iter().any(|font| maps(font, 0, c)) || self.chosen.iter().any(|face| has(face, c))
    }

    fn into_system(self) -> FontSystem {
        let mut database = Database::new();
        for font in EMBEDDED {
            database.load_font_source(Source::Binary(Arc::new(font)));
        }
        for face in self.chosen {
            database.push_face_info(face);
        }
        FontSystem::new_with_locale_and_db_and_fallback(
            "en-US".to_owned(),
            database,
            PlatformFallback,
        )
    }
}

/// Whether a face of the system has a character. A file that has gone has
/// none.
fn has(face: &FaceInfo, c: char) -> bool {
    let mut database = Database::new();
    let id: ID = database.push_face_info(face.clone());
    database
        .with_face_data(id, |font, index| maps(font, index, c))
        .unwrap_or(false)
}

fn maps(font: &[u8], index: u32, c: char) -> bool {
    FontRef::from_index(font, index).is_ok_and(|font| font.charmap().map(c).is_some())
}

/// Whether a character needs a glyph to be seen.
pub(crate) fn is_visible(c: char) -> bool {
    !(c.is_whitespace() || c.is_control() || is_ignorable(c))
}

/// Joiners, variation selectors, marks of direction: they shape their
/// neighbours.
const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a cluster is meant to be shown in colour.
pub(crate) fn is_emoji(cluster: &str) -> bool {
    cluster
        .chars()
        .any(|c| matches!(c, '\u{fe0f}' | '\u{20e3}'))
        || (cluster.chars().next().is_some_and(is_emoji_by_default)
            && !cluster.contains('\u{fe0e}'))
}

/// The characters with the property `Emoji_Presentation`.
///
/// See [UTS #51](https://www.unicode.org/reports/tr51/). Above the basic plane
/// whole blocks are taken; what in them is no emoji is in no text font either.
const fn is_emoji_by_default(c: char) -> bool {
    matches!(c,
        '\u{231a}'..='\u{231b}' | '\u{23e9}'..='\u{23ec}' | '\u{23f0}' | '\u{23f3}'
        | '\u{25fd}'..='\u{25fe}' | '\u{2614}'..='\u{2615}' | '\u{2648}'..='\u{2653}' | '\u{267f}'
        | '\u{2693}' | '\u{26a1}' | '\u{26aa}'..='\u{26ab}' | '\u{26bd}'..='\u{26be}'
        | '\u{26c4}'..='\u{26c5}' | '\u{26ce}' | '\u{26d4}' | '\u{26ea}' | '\u{26f2}'..='\u{26f3}'
        | '\u{26f5}' | '\u{26fa}' | '\u{26fd}' | '\u{2705}' | '\u{270a}'..='\u{270b}' | '\u{2728}'
        | '\u{274c}' | '\u{274e}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2795}'..='\u{2797}'
        | '\u{27b0}' | '\u{27bf}' | '\u{2b1b}'..='\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
        | '\u{1f004}' | '\u{1f0cf}' | '\u{1f18e}' | '\u{1f191}'..='\u{1f19a}'
        | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f201}' | '\u{1f21a}' | '\u{1f22f}'
        | '\u{1f232}'..='\u{1f23a}' | '\u{1f250}'..='\u{1f251}' | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}' | '\u{1f7e0}'..='\u{1f7f0}' | '\u{1f900}'..='\u{1faff}')
}
