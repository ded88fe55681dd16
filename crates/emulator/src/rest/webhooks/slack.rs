//! Execute Slack-Compatible Webhook: other words for the same message.

use serde_json::{Map, Value, json};

use super::{
    super::{ApiResponse, ApiResult, RequestContext},
    execute,
};
use crate::realm::Webhook;

pub(super) fn execute(call: &mut RequestContext<'_>, webhook: &Webhook) -> ApiResult {
    call.body.json = translated(&call.body.json);
    execute::execute(call, webhook)?;
    Ok(ApiResponse::Text("ok"))
}

fn translated(slack: &Map<String, Value>) -> Map<String, Value> {
    let mut body = Map::new();
    let mut take = |from: &str, to: &str| {
        if let Some(value) = slack.get(from) {
            body.insert(to.to_owned(), value.clone());
        }
    };
    take("text", "content");
    take("username", "username");
    take("icon_url", "avatar_url");
    let attachments = slack.get("attachments").and_then(Value::as_array);
    let embeds: Vec<Value> = attachments.into_iter().flatten().map(embed).collect();
    if !embeds.is_empty() {
        body.insert("embeds".to_owned(), Value::Array(embeds));
    }
    body
}

fn embed(attachment: &Value) -> Value {
    let mut embed = Map::new();
    for (from, to) in [
        ("title", "title"),
        ("title_link", "url"),
        ("text", "description"),
        ("color", "color"),
        ("image_url", "image"),
        ("thumb_url", "thumbnail"),
        ("footer", "footer"),
        ("author_name", "author"),
    ] {
        let value = match (to, &attachment[from]) {
            (_, Value::Null) => continue,
            ("color", Value::String(hex)) => {
                json!(u32::from_str_radix(hex.trim_start_matches('#'), 16).ok())
            }
            ("image" | "thumbnail", url) => json!({ "url": url }),
            ("footer", text) => json!({ "text": text, "icon_url": attachment["footer_icon"] }),
            ("author", name) => json!({
                "name": name,
                "url": attachment["author_link"],
                "icon_url": attachment["author_icon"],
            }),
            (_, value) => value.clone(),
        };
        embed.insert(to.to_owned(), value);
    }
    let fields = attachment["fields"].as_array().into_iter().flatten();
    let fields: Vec<Value> = fields
        .map(|field| {
            json!({ "name": field["title"], "value": field["value"], "inline": field["short"] })
        })
        .collect();
    if !fields.is_empty() {
        embed.insert("fields".to_owned(), Value::Array(fields));
    }
    Value::Object(embed)
}
