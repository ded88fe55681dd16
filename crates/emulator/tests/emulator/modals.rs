//! Modals: opened by a bot, filled in by a person.

use serde_json::{Value, json};

use crate::{interactions::Scene, test_emulator::TestEmulator};

fn modal() -> Value {
    json!({ "custom_id": "form", "title": "A form", "components": [
        { "type": 1, "components": [
            { "type": 4, "custom_id": "name", "label": "Name", "style": 1, "min_length": 2, "max_length": 5 },
        ]},
        { "type": 10, "content": "Think well." },
        { "type": 18, "label": "Why", "description": "In a word", "component":
            { "type": 4, "custom_id": "why", "style": 2, "required": false } },
        { "type": 18, "label": "Which", "component":
            { "type": 3, "custom_id": "which", "options": [{ "label": "A", "value": "a" }, { "label": "B", "value": "b" }] } },
        { "type": 18, "label": "Who", "component": { "type": 5, "custom_id": "who", "required": false } },
    ]})
}

fn filled(name: &str, which: &Value) -> Value {
    json!({ "custom_id": "form", "components": [
        { "type": 1, "components": [{ "type": 4, "custom_id": "name", "value": name }] },
        { "type": 18, "component": { "type": 3, "custom_id": "which", "values": which } },
    ]})
}

#[tokio::test]
async fn a_modal_opens_for_the_one_who_asked_and_comes_back() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = json!({ "name": "form", "description": "d" });
    let command = scene.command(command).await;
    let heard = scene.used(&command, json!([])).await;
    let early = scene.ask(5, None, filled("Ann", &json!(["a"]))).await;
    assert_eq!(early.json["code"], 10062, "none is open");
    let opened = scene
        .answer(&heard, json!({ "type": 9, "data": modal() }))
        .await;
    assert_eq!(opened.status, 200, "{:?}", opened.json);
    let shown = scene.to_ben.until("INTERACTION_MODAL_CREATE").await;
    assert_eq!(
        (&shown["id"], &shown["nonce"]),
        (&heard["id"], &json!("n1"))
    );
    assert_eq!(
        (&shown["title"], &shown["custom_id"]),
        (&json!("A form"), &json!("form"))
    );
    assert_eq!(shown["components"][0]["components"][0]["required"], true);
    assert_eq!(shown["application"]["id"], scene.application());
    scene.to_mika.heartbeat().await;
    for (name, which) in [
        ("A", json!(["a"])),
        ("Annemarie", json!(["a"])),
        ("Ann", json!(["z"])),
        ("Ann", json!([])),
    ] {
        let wrong = scene.ask(5, None, filled(name, &which)).await;
        assert_eq!(wrong.json["code"], 50035, "{name} {which}");
    }
    let heard = scene.asked(5, None, filled("Ann", &json!(["b"]))).await;
    assert_eq!(heard["type"], 5);
    let data = &heard["data"];
    assert_eq!(data["custom_id"], "form");
    let row = &data["components"][0];
    assert_eq!(
        row["components"][0],
        json!({ "type": 4, "id": 2, "custom_id": "name", "value": "Ann" })
    );
    assert_eq!(data["components"][1]["type"], 10);
    assert_eq!(data["components"][2]["component"]["value"], "");
    assert_eq!(data["components"][3]["component"]["values"], json!(["b"]));
    assert_eq!(data["components"][4]["component"]["values"], json!([]));
    let nested = scene
        .answer(&heard, json!({ "type": 9, "data": modal() }))
        .await;
    assert_eq!(nested.json["code"], 50035, "a modal opens no modal");
    let answer = scene
        .answer(
            &heard,
            json!({ "type": 4, "data": { "content": "thanks" } }),
        )
        .await;
    let message = &answer.json["resource"]["message"];
    let metadata = &message["interaction_metadata"];
    assert_eq!(metadata["type"], 5);
    assert_eq!(metadata["triggering_interaction_metadata"]["type"], 2);
}

#[tokio::test]
async fn a_modal_of_a_button_may_change_its_message() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let rows = json!([{ "type": 1, "components": [{ "type": 2, "style": 1, "label": "Go", "custom_id": "go" }] }]);
    let path = format!("/channels/{}/messages", scene.channel);
    let message = scene
        .bot
        .post(&path, json!({ "content": "?", "components": rows }))
        .await
        .json;
    let click = json!({ "component_type": 2, "custom_id": "go" });
    let heard = scene.asked(3, Some(&message), click).await;
    scene
        .answer(&heard, json!({ "type": 9, "data": modal() }))
        .await;
    let heard = scene.asked(5, None, filled("Ann", &json!(["b"]))).await;
    assert_eq!(heard["message"]["id"], message["id"]);
    let update = json!({ "type": 7, "data": { "content": "Ann", "components": [] } });
    let answer = scene.answer(&heard, update).await;
    assert_eq!(
        answer.json["resource"]["message"]["id"], message["id"],
        "{:?}",
        answer.json
    );
}

#[tokio::test]
async fn what_a_modal_may_be() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene
        .command(json!({ "name": "form", "description": "d" }))
        .await;
    let heard = scene.used(&command, json!([])).await;
    let with = |key: &str, value: Value| {
        let mut body = modal();
        body[key] = value;
        body
    };
    let label = |component: Value| {
        with(
            "components",
            json!([{ "type": 18, "label": "l", "component": component }]),
        )
    };
    let input = |more: Value| {
        let mut input = json!({ "type": 4, "custom_id": "x", "style": 1 });
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        label(input)
    };
    let button = json!({ "type": 2, "style": 1, "label": "l", "custom_id": "c" });
    let table = [
        (with("title", json!("t".repeat(46))), "title"),
        (with("title", Value::Null), "title"),
        (with("custom_id", json!("c".repeat(101))), "custom_id"),
        (with("components", json!([])), "components"),
        (
            with(
                "components",
                json!(vec![json!({ "type": 10, "content": "x" }); 6]),
            ),
            "components",
        ),
        (
            with("components", json!([{ "type": 1, "components": [button] }])),
            "components",
        ),
        (with("components", json!([button])), "components"),
        (input(json!({ "style": 3 })), "components"),
        (input(json!({ "min_length": 4001 })), "components"),
        (
            input(json!({ "min_length": 5, "max_length": 4 })),
            "components",
        ),
        (
            input(json!({ "placeholder": "p".repeat(101) })),
            "components",
        ),
        (
            label(
                json!({ "type": 21, "custom_id": "r", "options": [{ "label": "a", "value": "a" }] }),
            ),
            "components",
        ),
        (
            label(json!({ "type": 19, "custom_id": "f", "max_values": 11 })),
            "components",
        ),
    ];
    for (data, at) in table {
        let reply = scene
            .answer(&heard, json!({ "type": 9, "data": data }))
            .await;
        assert_eq!(reply.json["code"], 50035, "{data}");
        assert!(
            reply.json["errors"]["data"][at].is_object(),
            "{data} {:?}",
            reply.json
        );
    }
    let whole = with(
        "components",
        json!([
            { "type": 18, "label": "a", "component": { "type": 19, "custom_id": "f", "min_values": 0, "max_values": 3, "required": false } },
            { "type": 18, "label": "b", "component": { "type": 21, "custom_id": "r", "options": [{ "label": "a", "value": "a" }, { "label": "b", "value": "b" }] } },
            { "type": 18, "label": "c", "component": { "type": 22, "custom_id": "g", "options": [{ "label": "a", "value": "a" }], "required": false } },
            { "type": 18, "label": "d", "component": { "type": 23, "custom_id": "c" } },
        ]),
    );
    let opened = scene
        .answer(&heard, json!({ "type": 9, "data": whole }))
        .await;
    assert_eq!(opened.status, 200, "{:?}", opened.json);
    let sent = json!({ "id": heard["id"], "custom_id": "form", "components": [
        { "type": 18, "component": { "type": 21, "custom_id": "r", "value": "b" } },
        { "type": 18, "component": { "type": 23, "custom_id": "c", "value": true } },
    ]});
    let heard = scene.asked(5, None, sent).await;
    let values: Vec<_> = heard["data"]["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["component"].clone())
        .collect();
    assert_eq!(values[0]["values"], json!([]));
    assert_eq!(values[1]["value"], "b");
    assert_eq!(values[2]["values"], json!([]));
    assert_eq!(values[3]["value"], true);
}
