//! Pictures and files in components and embeds, and the uploads they name.

use serde_json::{Map, Value, json};

use super::{
    super::{ApiError, body::Fields, error::Problems},
    check::ComponentPart,
};
use crate::realm::{Attachment, Message};

const UPLOAD: &str = "attachment://";

impl ComponentPart<'_> {
    /// A thumbnail's `media` or a file's `file`. Files are uploads.
    pub(super) fn media(&mut self, key: &str, anywhere: bool) {
        let item = item(self.fields.get(key), anywhere);
        match item {
            Some(item) => self.keep(key, item),
            None => self.wrong_url(key, anywhere),
        }
        if anywhere {
            self.keep("description", Value::Null);
            self.text("description", 1024, false);
        }
        self.keep("spoiler", false);
        self.flag("spoiler");
    }

    fn wrong_url(&mut self, key: &str, anywhere: bool) {
        let message = if anywhere {
            "Scheme must be one of ('http', 'https', 'attachment')."
        } else {
            "Scheme must be one of ('attachment')."
        };
        self.wrong(&format!("{key}.url"), "URL_TYPE_INVALID_SCHEME", message);
    }

    pub(super) fn gallery(&mut self) {
        let list = self.fields.list("items").unwrap_or_default();
        if !(1..=10).contains(&list.len()) {
            let message = "Must be between 1 and 10 in length.";
            self.wrong("items", "BASE_TYPE_BAD_LENGTH", message);
            return;
        }
        let mut kept = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let path = format!("{}.items.{index}", self.path);
            let Some(map) = self.fields.problems.object(&path, value) else {
                continue;
            };
            let mut part = ComponentPart {
                fields: Fields::new(map, &path),
                path,
                kept: Map::new(),
            };
            part.media("media", true);
            self.fields.problems.merge(part.fields.problems);
            kept.push(Value::Object(part.kept));
        }
        self.keep("items", kept);
    }

    pub(super) fn separator(&mut self) {
        self.keep("divider", true);
        self.keep("spacing", 1);
        self.flag("divider");
        self.number("spacing", 1, 2);
    }
}

fn item(value: Option<&Value>, anywhere: bool) -> Option<Value> {
    let url = value?.get("url")?.as_str()?;
    let outside = url.starts_with("http://") || url.starts_with("https://");
    let fits = url.starts_with(UPLOAD) || (anywhere && outside);
    (fits && url.len() <= 2048).then(|| json!({ "url": url }))
}

/// Gives what `attachment://` names the address of the upload. What an embed
/// shows is not listed among the attachments any more.
pub(in crate::rest) fn link_attachments(message: &mut Message) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    let files: Vec<Attachment> = message.attachments.iter().map(Attachment::signed).collect();
    for (index, component) in message.components.iter_mut().enumerate() {
        let path = format!("components.{index}");
        link(component, &files, &path, &mut problems);
    }
    let mut shown = Vec::new();
    for embed in &mut message.embeds {
        for key in ["image", "thumbnail", "footer", "author"] {
            let Some(part) = embed.get_mut(key).filter(|it| it.is_object()) else {
                continue;
            };
            for url in ["url", "icon_url"] {
                let named = part.get(url).and_then(Value::as_str);
                let file = named.and_then(|named| upload(named, &files));
                if let Some(file) = file {
                    part[url] = json!(file.url);
                    shown.push(file.id);
                    if url == "url" {
                        describe(part, file);
                    }
                }
            }
        }
    }
    message.attachments.retain(|file| !shown.contains(&file.id));
    problems.into_result()
}

fn link(component: &mut Value, files: &[Attachment], path: &str, problems: &mut Problems) {
    for key in ["media", "file"] {
        let Some(item) = component.get_mut(key) else {
            continue;
        };
        let Some(url) = item.get("url").and_then(Value::as_str) else {
            continue;
        };
        if !url.starts_with(UPLOAD) {
            if item.get("proxy_url").is_none() {
                item["proxy_url"] = json!(url);
            }
            continue;
        }
        let Some(file) = upload(url, files) else {
            problems.add(
                &format!("{path}.{key}.url"),
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                format!("The referenced attachment \"{url}\" was not found"),
            );
            continue;
        };
        item["url"] = json!(file.url);
        item["attachment_id"] = json!(file.id);
        item["content_type"] = json!(file.content_type);
        item["loading_state"] = json!(2);
        describe(item, file);
        if key == "file" {
            component["name"] = json!(file.filename);
            component["size"] = json!(file.size);
        }
    }
    for key in ["components", "items"] {
        if let Some(inner) = component.get_mut(key).and_then(Value::as_array_mut) {
            for (index, component) in inner.iter_mut().enumerate() {
                let path = format!("{path}.{key}.{index}");
                link(component, files, &path, problems);
            }
        }
    }
    if let Some(accessory) = component.get_mut("accessory") {
        link(accessory, files, &format!("{path}.accessory"), problems);
    }
}

fn describe(item: &mut Value, file: &Attachment) {
    item["proxy_url"] = json!(file.proxy_url);
    if let Some(size) = file.dimensions {
        item["width"] = json!(size.width);
        item["height"] = json!(size.height);
    }
}

fn upload<'a>(url: &str, files: &'a [Attachment]) -> Option<&'a Attachment> {
    let name = url.strip_prefix(UPLOAD)?;
    files.iter().find(|file| file.filename == name)
}
