//! Embeds of a message: what Discord shows of them, within its lengths.

use serde_json::{Map, Value, json};

use super::{body::Fields, components::COMPONENTS_V2, error::Problems};
use crate::{limits, snowflake::rfc3339};

pub(super) fn embeds(body: &mut Fields<'_>) -> Option<Vec<Value>> {
    let list = body.list("embeds")?;
    check_size(body, "embeds", list);
    if list.len() > limits::EMBEDS {
        body.too_long("embeds", limits::EMBEDS);
        return None;
    }
    let mut total = 0;
    let mut embeds = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let path = format!("embeds.{index}");
        let Some(map) = body.problems.object(&path, value) else {
            continue;
        };
        let mut embed = EmbedReader::new(map, path);
        embed.read();
        total += embed.chars;
        body.problems.merge(embed.problems);
        embed.shown.insert("type".into(), "rich".into());
        embeds.push(Value::Object(embed.shown));
    }
    if total > limits::EMBED_CHARS {
        body.problems.add(
            "embeds",
            "MAX_EMBED_SIZE_EXCEEDED",
            "Embed size exceeds maximum size of 6000",
        );
    }
    Some(embeds)
}

/// What passes through unread must still fit in memory.
pub(super) fn check_size(body: &mut Fields<'_>, key: &str, list: &[Value]) {
    let bytes: usize = list.iter().map(|value| value.to_string().len()).sum();
    if bytes > limits::STRUCTURED_BYTES {
        body.too_long(key, limits::STRUCTURED_BYTES);
    }
}

/// Of these an embed needs one.
const SHOWN: [&str; 7] = [
    "title",
    "description",
    "author",
    "footer",
    "image",
    "thumbnail",
    "fields",
];

/// One embed: what it shows, how long that is, and what is wrong with it.
struct EmbedReader<'a> {
    map: &'a Map<String, Value>,
    path: String,
    shown: Map<String, Value>,
    chars: usize,
    problems: Problems,
}

impl<'a> EmbedReader<'a> {
    fn new(map: &'a Map<String, Value>, path: String) -> Self {
        Self {
            map,
            path,
            shown: Map::new(),
            chars: 0,
            problems: Problems::default(),
        }
    }

    fn read(&mut self) {
        let mut own = Fields::new(self.map, &self.path);
        for (key, most) in [("title", 256), ("description", 4096)] {
            if let Some(text) = measured(&mut own, key, most, &mut self.chars) {
                self.shown.insert(key.into(), text.into());
            }
        }
        if let Some(url) = address(&mut own, "url", false) {
            self.shown.insert("url".into(), url.into());
        }
        if let Some(time) = own.time("timestamp") {
            self.shown.insert("timestamp".into(), rfc3339(time).into());
        }
        if let Some(color) = own.within("color", 0..=0xff_ffff) {
            self.shown.insert("color".into(), color.into());
        }
        for (key, text, most) in [
            ("footer", Some("text"), 2048),
            ("author", Some("name"), 256),
            ("image", None, 0),
            ("thumbnail", None, 0),
        ] {
            let Some(map) = own.object(key) else { continue };
            let mut inside = Fields::new(map, &format!("{}.{key}", self.path));
            let mut part = Map::new();
            if let Some(text) = text {
                if let Some(said) = measured(&mut inside, text, most, &mut self.chars) {
                    part.insert(text.into(), said.into());
                }
            } else {
                inside.require("url");
            }
            for (url, uploaded) in [("url", text.is_none()), ("icon_url", true)] {
                if let Some(address) = address(&mut inside, url, uploaded) {
                    part.insert(url.into(), address.into());
                }
            }
            own.problems.merge(inside.problems);
            if !part.is_empty() {
                self.shown.insert(key.into(), part.into());
            }
        }
        let fields = self.fields(&mut own);
        if !fields.is_empty() {
            self.shown.insert("fields".into(), fields.into());
        }
        // Colour and time alone show nothing.
        let shows = SHOWN.iter().any(|key| self.shown.contains_key(*key));
        if own.problems.is_empty() && !shows {
            own.wrong(
                "description",
                "BASE_TYPE_REQUIRED",
                "This field is required",
            );
        }
        self.problems = own.problems;
    }

    /// Fields have a name; what they say may be nothing.
    fn fields(&mut self, own: &mut Fields<'_>) -> Vec<Value> {
        let list = own.list("fields").unwrap_or_default();
        if list.len() > 25 {
            own.too_long("fields", 25);
        }
        let empty = Map::new();
        let mut fields = Vec::new();
        for (index, value) in list.iter().take(25).enumerate() {
            let map = value.as_object().unwrap_or(&empty);
            let mut field = Fields::new(map, &format!("{}.fields.{index}", self.path));
            field.require("value");
            let name = measured(&mut field, "name", 256, &mut self.chars);
            if name.is_none() {
                field.wrong("name", "BASE_TYPE_REQUIRED", "This field is required");
            }
            let text = measured(&mut field, "value", 1024, &mut self.chars);
            let inline = field.flag("inline").unwrap_or(false);
            own.problems.merge(field.problems);
            fields.push(json!({
                "name": name,
                "value": text.unwrap_or_default(),
                "inline": inline,
            }));
        }
        fields
    }
}

/// A text without what stands around it, if there is one, and not too long.
fn measured(body: &mut Fields<'_>, key: &str, most: usize, total: &mut usize) -> Option<String> {
    let text = body.text(key)?;
    let text = text.trim();
    let chars = text.chars().count();
    *total += chars;
    if chars > most {
        body.too_long(key, most);
    }
    (chars > 0).then(|| text.to_owned())
}

/// An address of the web or, where that makes sense, of a file beside it.
fn address(body: &mut Fields<'_>, key: &str, uploaded: bool) -> Option<String> {
    let text = body.text(key).filter(|text| !text.is_empty())?;
    let (scheme, host) = text.split_once("://").unwrap_or(("", ""));
    match scheme {
        "http" | "https" if !host.is_empty() => return Some(text),
        "attachment" if uploaded => return Some(text),
        "" | "http" | "https" => {
            body.wrong(key, "URL_TYPE_INVALID_URL", "Not a well formed URL.");
        }
        other => {
            let message = format!(
                "Scheme \"{other}\" is not supported. Scheme must be one of ('http', 'https')."
            );
            body.wrong(key, "URL_TYPE_INVALID_SCHEME", &message);
        }
    }
    None
}

pub(super) fn check_components_v2(
    problems: &mut Problems,
    flags: u64,
    content: &str,
    embeds: &[Value],
) {
    if flags & COMPONENTS_V2 == 0 {
        return;
    }
    let message = "This field cannot be used with MessageFlags.IS_COMPONENTS_V2";
    if !content.is_empty() {
        problems.add(
            "content",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            message,
        );
    }
    if !embeds.is_empty() {
        problems.add(
            "embeds",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            message,
        );
    }
}
