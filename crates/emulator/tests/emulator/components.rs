//! Components of messages, in rows and as a layout.

use serde_json::{Value, json};

use crate::test_emulator::TestEmulator;

pub(crate) const V2: u64 = 1 << 15;

pub(crate) fn button(more: &Value) -> Value {
    let mut button = json!({ "type": 2, "style": 1, "label": "l", "custom_id": "c" });
    let more = more.as_object().unwrap();
    for (key, value) in more {
        button[key] = value.clone();
    }
    button
}

fn row(components: &Value) -> Value {
    json!({ "components": [{ "type": 1, "components": components }] })
}

fn select(more: &Value) -> Value {
    let mut select =
        json!({ "type": 3, "custom_id": "s", "options": [{ "label": "a", "value": "a" }] });
    for (key, value) in more.as_object().unwrap() {
        select[key] = value.clone();
    }
    row(&json!([select]))
}

pub(crate) fn layout(components: &Value) -> Value {
    json!({ "flags": V2, "components": components })
}

#[tokio::test]
async fn what_components_may_be() {
    let server = TestEmulator::open().await;
    let path = format!("/channels/{}/messages", server.channel("general"));
    let bot = server.bot();
    let text = json!({ "type": 10, "content": "hi" });
    let thumbnail = json!({ "type": 11, "media": { "url": "https://example.com/a.png" } });
    let section =
        |components: Value| json!({ "type": 9, "components": components, "accessory": thumbnail });
    let options = |count: usize| -> Vec<Value> {
        (0..count)
            .map(|it| json!({ "label": "l", "value": it.to_string() }))
            .collect()
    };
    let rows = |count: usize| -> Vec<Value> {
        (0..count)
            .map(|it| json!({ "type": 1, "components": [button(&json!({ "custom_id": it.to_string() }))] }))
            .collect()
    };
    let six: Vec<Value> = (0..6)
        .map(|it| button(&json!({ "custom_id": it.to_string() })))
        .collect();
    let first = "components.0.components.0";
    let table: Vec<(Value, &str, &str)> = vec![
        (row(&json!([button(&json!({}))])), "", ""),
        (json!({ "components": rows(5) }), "", ""),
        (
            json!({ "components": rows(6) }),
            "components",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            row(&json!(six)),
            "components.0.components",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            row(&json!([])),
            "components.0.components",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            json!({ "components": [button(&json!({}))] }),
            "components.0",
            "UNION_TYPE_CHOICES",
        ),
        (
            json!({ "components": [text] }),
            "components.0",
            "UNION_TYPE_CHOICES",
        ),
        (
            json!({ "components": ["x"] }),
            "components.0",
            "DICT_TYPE_CONVERT",
        ),
        (
            row(&json!([button(&json!({})), button(&json!({}))])),
            "components.0.components.1.custom_id",
            "COMPONENT_CUSTOM_ID_DUPLICATED",
        ),
        (
            row(&json!([button(&json!({ "custom_id": null }))])),
            "components.0.components.0.custom_id",
            "BASE_TYPE_REQUIRED",
        ),
        (
            row(&json!([button(&json!({ "custom_id": "c".repeat(101) }))])),
            "components.0.components.0.custom_id",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            row(&json!([button(&json!({ "label": "l".repeat(81) }))])),
            "components.0.components.0.label",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            row(&json!([button(&json!({ "label": null }))])),
            "components.0.components.0.label",
            "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
        ),
        (
            row(&json!([button(
                &json!({ "label": null, "emoji": { "name": "🍵" } })
            )])),
            "",
            "",
        ),
        (
            row(&json!([button(&json!({ "style": 7 }))])),
            "components.0.components.0.style",
            "BASE_TYPE_CHOICES",
        ),
        (
            row(&json!([button(
                &json!({ "style": 5, "url": "https://example.com", "custom_id": null })
            )])),
            "",
            "",
        ),
        (
            row(&json!([button(
                &json!({ "style": 5, "url": "javascript:x", "custom_id": null })
            )])),
            "components.0.components.0.url",
            "URL_TYPE_INVALID_SCHEME",
        ),
        (
            row(&json!([button(
                &json!({ "style": 5, "url": "https://example.com" })
            )])),
            "components.0.components.0.custom_id",
            "BUTTON_COMPONENT_FIELD_NOT_ALLOWED",
        ),
        (
            row(&json!([button(&json!({ "url": "https://example.com" }))])),
            "components.0.components.0.url",
            "BUTTON_COMPONENT_FIELD_NOT_ALLOWED",
        ),
        (
            row(&json!([{ "type": 2, "style": 6, "sku_id": "17" }])),
            "",
            "",
        ),
        (
            row(&json!([{ "type": 2, "style": 6 }])),
            "components.0.components.0.sku_id",
            "BASE_TYPE_REQUIRED",
        ),
        (select(&json!({})), "", ""),
        (
            select(&json!({ "options": options(26) })),
            "components.0.components.0.options",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            select(&json!({ "options": [{ "label": "l" }] })),
            "components.0.components.0.options.0.value",
            "BASE_TYPE_REQUIRED",
        ),
        (
            select(
                &json!({ "options": [{ "label": "l", "value": "a" }, { "label": "l", "value": "a" }] }),
            ),
            "components.0.components.0.options.1.value",
            "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        ),
        (
            select(&json!({ "placeholder": "p".repeat(151) })),
            "components.0.components.0.placeholder",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            select(&json!({ "min_values": 3, "max_values": 2 })),
            "components.0.components.0.min_values",
            "NUMBER_TYPE_MAX",
        ),
        (
            select(&json!({ "max_values": 26 })),
            "components.0.components.0.max_values",
            "NUMBER_TYPE_MAX",
        ),
        (
            row(&json!([{ "type": 8, "custom_id": "s", "channel_types": [0] }])),
            "",
            "",
        ),
        (
            row(
                &json!([{ "type": 7, "custom_id": "s", "default_values": [{ "id": "17", "type": "user" }] }]),
            ),
            "",
            "",
        ),
        (
            row(
                &json!([{ "type": 6, "custom_id": "s", "default_values": [{ "id": "17", "type": "user" }] }]),
            ),
            "components.0.components.0.default_values",
            "SELECT_DEFAULT_VALUES_INVALID",
        ),
        (
            row(&json!([{ "type": 5, "custom_id": "s" }, button(&json!({}))])),
            "components.0.components",
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        ),
        (
            row(&json!([{ "type": 4, "custom_id": "s", "style": 1, "label": "l" }])),
            first,
            "UNION_TYPE_CHOICES",
        ),
        (
            row(&json!([
                button(&json!({ "id": 5 })),
                button(&json!({ "id": 5, "custom_id": "d" }))
            ])),
            "components.0.components.1.id",
            "COMPONENT_ID_DUPLICATED",
        ),
        (layout(&json!([text])), "", ""),
        (layout(&json!([section(json!([text, text, text]))])), "", ""),
        (
            layout(&json!([section(json!([text, text, text, text]))])),
            "components.0.components",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            layout(&json!([{ "type": 9, "components": [text] }])),
            "components.0.accessory",
            "BASE_TYPE_REQUIRED",
        ),
        (
            layout(&json!([thumbnail])),
            "components.0",
            "UNION_TYPE_CHOICES",
        ),
        (
            layout(
                &json!([{ "type": 12, "items": [{ "media": { "url": "https://example.com/a.png" }, "description": "d" }] }]),
            ),
            "",
            "",
        ),
        (
            layout(&json!([{ "type": 12, "items": [] }])),
            "components.0.items",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            layout(&json!([{ "type": 12, "items": [{ "media": { "url": "ftp://x" } }] }])),
            "components.0.items.0.media.url",
            "URL_TYPE_INVALID_SCHEME",
        ),
        (
            layout(&json!([{ "type": 13, "file": { "url": "https://example.com" } }])),
            "components.0.file.url",
            "URL_TYPE_INVALID_SCHEME",
        ),
        (
            layout(&json!([{ "type": 13, "file": { "url": "attachment://no.txt" } }])),
            "components.0.file.url",
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
        ),
        (
            layout(&json!([{ "type": 14, "spacing": 2, "divider": false }])),
            "",
            "",
        ),
        (
            layout(&json!([{ "type": 14, "spacing": 3 }])),
            "components.0.spacing",
            "NUMBER_TYPE_MAX",
        ),
        (
            layout(
                &json!([{ "type": 17, "accent_color": 0xff_ff_ff, "components": [text, section(json!([text]))] }]),
            ),
            "",
            "",
        ),
        (
            layout(&json!([{ "type": 17, "components": [{ "type": 17, "components": [text] }] }])),
            "components.0.components.0",
            "UNION_TYPE_CHOICES",
        ),
        (
            layout(&json!([{ "type": 17, "accent_color": 0x100_0000, "components": [text] }])),
            "components.0.accent_color",
            "NUMBER_TYPE_MAX",
        ),
        (
            layout(&json!([{ "type": 10, "content": "x".repeat(4001) }])),
            "components.0.content",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            layout(
                &json!([{ "type": 10, "content": "x".repeat(2001) }, { "type": 10, "content": "x".repeat(2000) }]),
            ),
            "components",
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
        ),
        (
            layout(&json!([{ "type": 17, "components": vec![text.clone(); 40] }])),
            "components",
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
        ),
        (
            json!({ "flags": V2, "content": "x", "components": [text] }),
            "content",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        ),
    ];
    for (mut body, at, code) in table {
        if body.get("flags").is_none() {
            body["content"] = json!("x");
        }
        let reply = bot.post(&path, body.clone()).await;
        if code.is_empty() {
            assert_eq!(reply.status, 200, "{body} {:?}", reply.json);
            continue;
        }
        assert_eq!(
            (reply.status.as_u16(), &reply.json["code"]),
            (400, &json!(50035)),
            "{body}"
        );
        let place = at
            .split('.')
            .fold(&reply.json["errors"], |place, key| &place[key]);
        let codes: Vec<_> = place["_errors"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| &it["code"])
            .collect();
        assert!(
            codes.contains(&&json!(code)),
            "{body} at {at}: {:?}",
            reply.json
        );
    }
}
