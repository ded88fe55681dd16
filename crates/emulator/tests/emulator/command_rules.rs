//! What Discord lets an application register.

use serde_json::{Value, json};

use crate::commands::{Shop, slash};

#[tokio::test]
async fn what_a_command_may_be() {
    let shop = Shop::open().await;
    let bot = shop.bot();
    let check = async |body: Value, at: &str, code: &str| {
        let reply = bot.post(&shop.path(), body.clone()).await;
        if code.is_empty() {
            assert!(reply.status.is_success(), "{body} {:?}", reply.json);
            return;
        }
        assert_eq!(
            (reply.status.as_u16(), &reply.json["code"]),
            (400, &json!(50035)),
            "{body}"
        );
        let place = at.split('.').filter(|it| !it.is_empty());
        let place = place.fold(&reply.json["errors"], |place, key| &place[key]);
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
    };
    let with = |key: &str, value: Value| {
        let mut body = slash("x");
        body[key] = value;
        body
    };
    let option = |more: Value| {
        let mut option = json!({ "type": 3, "name": "o", "description": "d" });
        option
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        with("options", json!([option]))
    };
    let sub =
        |options: Value| json!({ "type": 1, "name": "s", "description": "d", "options": options });
    let plain = |name: &str, required: bool| json!({ "type": 3, "name": name, "description": "d", "required": required });
    let choice = |value: Value| json!({ "name": "n", "value": value });
    let table = [
        (json!({}), "name", "BASE_TYPE_REQUIRED"),
        (json!({ "name": "x" }), "description", "BASE_TYPE_REQUIRED"),
        (
            with("description", json!("")),
            "description",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            with("description", json!("d".repeat(101))),
            "description",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            with("name", json!("a".repeat(33))),
            "name",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            with("name", json!("Upper")),
            "name",
            "APPLICATION_COMMAND_INVALID_NAME",
        ),
        (
            with("name", json!("two words")),
            "name",
            "APPLICATION_COMMAND_INVALID_NAME",
        ),
        (with("name", json!("größe-1_'")), "", ""),
        (with("name", json!("नमस्ते")), "", ""),
        (with("type", json!(9)), "type", "BASE_TYPE_CHOICES"),
        (json!({ "name": "Two Words", "type": 3 }), "", ""),
        (
            json!({ "name": "M", "type": 3, "description": "d" }),
            "description",
            "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED",
        ),
        (
            with("name_localizations", json!({ "de": "hallo", "xx": "y" })),
            "name_localizations",
            "BASE_TYPE_CHOICES",
        ),
        (
            with("name_localizations", json!({ "de": "Hallo" })),
            "name_localizations.de",
            "APPLICATION_COMMAND_INVALID_NAME",
        ),
        (with("default_member_permissions", json!("8")), "", ""),
        (
            with("default_member_permissions", json!("x")),
            "default_member_permissions",
            "NUMBER_TYPE_COERCE",
        ),
        (
            with("contexts", json!([0, 3])),
            "contexts.1",
            "BASE_TYPE_CHOICES",
        ),
        (with("integration_types", json!([0, 1])), "", ""),
        (with("options", json!({})), "options", "LIST_TYPE_CONVERT"),
        (
            with("options", json!(vec![plain("a", false); 26])),
            "options",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            with("options", json!([plain("a", false), plain("a", false)])),
            "options.1",
            "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
        ),
        (
            with("options", json!([plain("a", false), plain("b", true)])),
            "options.1",
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        ),
        (
            with("options", json!([plain("a", false), sub(json!([]))])),
            "options",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            with(
                "options",
                json!([{ "type": 2, "name": "g", "description": "d", "options": [sub(json!([plain("a", true)]))] }]),
            ),
            "",
            "",
        ),
        (
            with(
                "options",
                json!([{ "type": 2, "name": "g", "description": "d", "options": [plain("a", true)] }]),
            ),
            "options.0.options.0.type",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            with("options", json!([sub(json!([sub(json!([]))]))])),
            "options.0.options.0.type",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            option(json!({ "type": 12 })),
            "options.0.type",
            "BASE_TYPE_CHOICES",
        ),
        (
            option(json!({ "name": "" })),
            "options.0.name",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (option(json!({ "autocomplete": true })), "", ""),
        (
            option(json!({ "autocomplete": true, "choices": [choice(json!("v"))] })),
            "options.0.autocomplete",
            "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
        ),
        (
            option(json!({ "choices": vec![choice(json!("v")); 26] })),
            "options.0.choices",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            option(json!({ "choices": [choice(json!("v".repeat(101)))] })),
            "options.0.choices.0.value",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            option(json!({ "type": 4, "choices": [choice(json!("v"))] })),
            "options.0.choices.0.value",
            "NUMBER_TYPE_COERCE",
        ),
        (
            option(
                json!({ "type": 4, "choices": [choice(json!(3))], "min_value": 1, "max_value": 5 }),
            ),
            "",
            "",
        ),
        (
            option(json!({ "type": 4, "min_value": 1.5 })),
            "options.0.min_value",
            "NUMBER_TYPE_COERCE",
        ),
        (option(json!({ "type": 10, "min_value": 1.5 })), "", ""),
        (
            option(json!({ "min_length": 6001 })),
            "options.0.min_length",
            "NUMBER_TYPE_MAX",
        ),
        (
            option(json!({ "max_length": 0 })),
            "options.0.max_length",
            "NUMBER_TYPE_MAX",
        ),
        (
            option(json!({ "type": 6, "choices": [choice(json!("v"))] })),
            "options.0",
            "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
        ),
        (
            option(json!({ "type": 7, "channel_types": [0, 5] })),
            "",
            "",
        ),
        (
            option(json!({ "type": 7, "channel_types": [99] })),
            "options.0.channel_types",
            "BASE_TYPE_CHOICES",
        ),
    ];
    for (body, at, code) in table {
        check(body, at, code).await;
    }
    let long: Vec<Value> = (0..25)
        .map(|it| {
            let choices: Vec<Value> = (0..4)
                .map(|c| json!({ "name": format!("{c}{}", "n".repeat(90)), "value": "v" }))
                .collect();
            json!({ "type": 3, "name": format!("o{it}"), "description": "d", "choices": choices })
        })
        .collect();
    check(
        with("options", json!(long)),
        "",
        "APPLICATION_COMMAND_TOO_LARGE",
    )
    .await;
}

#[tokio::test]
async fn localizations_come_when_asked_for() {
    let shop = Shop::open().await;
    let bot = shop.bot();
    let body = json!({
        "name": "hello", "description": "Hi", "name_localizations": { "de": "hallo" },
        "options": [{ "type": 3, "name": "to", "description": "Whom",
            "description_localizations": { "de": "Wem" } }],
    });
    let made = bot.post(&shop.path(), body).await;
    assert_eq!(made.json["name_localizations"]["de"], "hallo");
    let listed = bot.get(&shop.path()).await;
    assert!(listed.json[0].get("name_localizations").is_none());
    assert!(
        listed.json[0]["options"][0]
            .get("description_localizations")
            .is_none()
    );
    let path = format!("{}?with_localizations=true", shop.path());
    let listed = bot.get(&path).await;
    assert_eq!(
        listed.json[0]["name_localizations"],
        json!({ "de": "hallo" })
    );
    assert_eq!(
        listed.json[0]["options"][0]["description_localizations"]["de"],
        "Wem"
    );
}
