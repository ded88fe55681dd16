//! `/persona`: made, changed, imported, exported and deleted by command.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use kaiwa_domain::Persona;
use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

const CARD: &[u8] = include_bytes!("../../../crates/card/tests/cards/mina.png");
const PRESET: &[u8] = include_bytes!("../../../crates/card/tests/cards/words.preset.json");

/// What Ada, who owns the guild, is shown for a command.
async fn reads(story: &Story, command: &str, options: Value) -> Value {
    let mut screen = story.screen_of("Ada").await;
    story.ada().uses("general", command, options).await;
    screen.sees_answer().await
}

/// The same with a file, which is the option that is 0.
async fn gives(story: &Story, command: &str, options: Value, file: (&str, &[u8])) -> Value {
    let mut screen = story.screen_of("Ada").await;
    let ada = story.ada();
    ada.uses_with_file("general", command, options, file).await;
    let told = screen.sees_answer().await;
    assert_eq!(
        told["flags"].as_u64().unwrap() & 64,
        64,
        "nobody else sees it"
    );
    told
}

fn text(told: &Value) -> &str {
    told["content"].as_str().unwrap()
}

#[tokio::test]
async fn a_persona_is_made_in_a_form_and_answers() {
    let mut story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    story
        .ada()
        .uses("general", "persona create", json!({}))
        .await;
    let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
    let fields = [
        ("called", "Mina"),
        ("personality", "{{char}} keeps the tea house."),
        ("triggers", "landlady, ミナ"),
        ("dialogues", ""),
    ];
    story.ada().fills_in("general", &form, &fields).await;
    let told = screen.sees_answer().await;
    assert!(
        text(&told).starts_with("Mina answers here from now on."),
        "{told}"
    );
    story.ben().says("general", "landlady?").await;
    let call = story.model.is_told("landlady?").await;
    assert!(call.system().contains("Mina keeps the tea house."));
    call.answers("Yes?").await;
    story.sees("general", "Yes?").await;
    story.bot_is_done().await;

    let told = reads(
        &story,
        "persona edit",
        json!({"persona": "mina", "personality": "{{char}} sleeps.", "degree": "0", "triggers": "none"}),
    )
    .await;
    assert_eq!(text(&told), "Mina is changed.");
    let listed = reads(&story, "persona list", json!({})).await;
    assert_eq!(
        text(&listed),
        "Beside Kaiwa, one persona speaks here:\n- **Mina**: degree 0"
    );
    story.ben().says("general", "Mina, wake up").await;
    let call = story.model.is_told("wake up").await;
    assert!(call.system().contains("Mina sleeps."));
    call.answers("No.\nLater.").await;
    // Whole, when it is complete.
    story.sees("general", "No.\n\nLater.").await;
    story.bot_is_done().await;

    let bad = reads(
        &story,
        "persona edit",
        json!({"persona": "Mina", "degree": "7"}),
    )
    .await;
    assert_eq!(
        text(&bad),
        "That did not work: a degree is a number from 0 to 4"
    );
    let nobody = reads(
        &story,
        "persona edit",
        json!({"persona": "Nobody", "degree": "1"}),
    )
    .await;
    assert!(
        text(&nobody).starts_with("Nobody here is called Nobody."),
        "{nobody}"
    );
}

#[tokio::test]
async fn a_card_goes_in_and_comes_out() {
    let mut story = Story::begin().await;
    let told = gives(
        &story,
        "persona import",
        json!({"file": 0}),
        ("mina.png", CARD),
    )
    .await;
    assert_eq!(text(&told), "Mina is imported.");
    // The same again is the same persona.
    let told = gives(
        &story,
        "persona import",
        json!({"file": 0}),
        ("mina.png", CARD),
    )
    .await;
    assert_eq!(text(&told), "Mina is imported.");
    story
        .ben()
        .says("general", "Mina, when is the ferry?")
        .await;
    let call = story.model.is_told("when is the ferry?").await;
    let system = call.system().to_owned();
    assert!(system.contains("Mina keeps a small tea house"), "{system}");
    assert!(
        system.contains("The ferry comes at eight and at five."),
        "{system}"
    );
    assert!(
        system.contains("Scenario: Ben comes in out of the rain."),
        "{system}"
    );
    call.answers("At five.").await;
    story.sees("general", "At five.").await;

    let out = reads(
        &story,
        "persona export",
        json!({"persona": "Mina", "format": "v2"}),
    )
    .await;
    let hint = "Here is Mina, without pictures: this format has no place for them.";
    assert!(text(&out).starts_with(hint), "{out}");
    let file = &out["attachments"][0];
    assert_eq!(file["filename"], "mina.json", "{out}");
    let card = story.reads(file["url"].as_str().unwrap()).await;
    let card: Value = serde_json::from_str(&card).unwrap();
    assert_eq!(card["data"]["extensions"]["depth_prompt"]["depth"], 4);
    assert_eq!(card["data"]["name"], "Mina");

    let told = gives(
        &story,
        "persona import",
        json!({"file": 0, "persona": "Mina"}),
        ("words.json", PRESET),
    )
    .await;
    assert!(
        text(&told).starts_with("What the preset says is part of Mina now."),
        "{told}"
    );
    let refused = gives(
        &story,
        "persona import",
        json!({"file": 0}),
        ("words.json", PRESET),
    )
    .await;
    assert!(
        text(&refused).contains("The file cannot be used:"),
        "{refused}"
    );
    let refused = gives(
        &story,
        "persona import",
        json!({"file": 0}),
        ("a.txt", b"hello"),
    )
    .await;
    assert!(
        text(&refused).contains("The file cannot be used:"),
        "{refused}"
    );
}

#[tokio::test]
async fn pictures_are_kept_and_personas_deleted() {
    let story = Story::begin().await;
    gives(
        &story,
        "persona import",
        json!({"file": 0}),
        ("mina.png", CARD),
    )
    .await;
    let sprite = json!({"persona": "Mina", "sprite": "happy", "picture": 0, "usage": "when glad"});
    let told = gives(&story, "persona sprite", sprite, ("happy.png", CARD)).await;
    assert_eq!(text(&told), "Mina has the picture \"happy\".");
    let none = json!({"persona": "Mina", "sprite": "sad"});
    let told = reads(&story, "persona sprite", none).await;
    assert_eq!(text(&told), "There is no such picture yet: attach one.");
    let wrong = json!({"persona": "Mina", "avatar": 0});
    let told = gives(&story, "persona edit", wrong, ("a.png", b"no picture")).await;
    assert!(text(&told).starts_with("That is no PNG"), "{told}");
    let listed = reads(&story, "persona list", json!({})).await;
    assert!(text(&listed).ends_with("- **Mina**: (happy)"), "{listed}");

    let mut screen = story.screen_of("Ada").await;
    let which = json!({"persona": "Mina"});
    story.ada().uses("general", "persona delete", which).await;
    let asked = screen.sees_answer().await;
    assert!(text(&asked).contains("Delete Mina"), "{asked}");
    story.ada().presses(&asked, "Approve").await;
    screen
        .sees("MESSAGE_UPDATE", |it| {
            it["content"]
                .as_str()
                .is_some_and(|it| it.contains("Mina is gone."))
        })
        .await;
    let listed = reads(&story, "persona list", json!({})).await;
    assert!(
        text(&listed).starts_with("Nobody but Kaiwa speaks here."),
        "{listed}"
    );
}

/// A form as it opens: the names of its fields and what stands in them.
fn filled(form: &Value) -> Vec<(String, String)> {
    let rows = form["components"].as_array().unwrap().iter();
    let fields = rows.map(|row| &row["component"]);
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    fields
        .map(|field| (text(&field["custom_id"]), text(&field["value"])))
        .collect()
}

#[tokio::test]
async fn the_form_of_an_edit_begins_with_what_is_there() {
    let mut story = Story::begin().await;
    let mina = Persona {
        name: "Mina".to_owned(),
        personality: "{{char}} keeps the tea house.".to_owned(),
        triggers: vec!["landlady".to_owned(), "ミナ".to_owned()],
        dialogues: vec!["A: 1\nB: 2".to_owned(), "A: 3".to_owned()],
        degree: Some(4),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    let mut screen = story.screen_of("Ada").await;
    let which = json!({"persona": "mina"});
    story
        .ada()
        .uses("general", "persona edit", which.clone())
        .await;
    let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
    let there = [
        ("rename", "Mina"),
        ("personality", "{{char}} keeps the tea house."),
        ("triggers", "landlady, ミナ"),
        ("dialogues", "A: 1\nB: 2\n\nA: 3"),
        ("degree", "4"),
    ];
    let there = there.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(filled(&form), there);
    // What is cleared is gone, the rest stays.
    let fields = [
        ("rename", "Mina"),
        ("personality", "{{char}} sleeps."),
        ("triggers", "landlady, ミナ"),
        ("dialogues", ""),
        ("degree", ""),
    ];
    story.ada().fills_in("general", &form, &fields).await;
    assert_eq!(text(&screen.sees_answer().await), "Mina is changed.");
    story.ada().uses("general", "persona edit", which).await;
    let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
    let mut there = there;
    there[1].1 = "{{char}} sleeps.".to_owned();
    there[3].1 = String::new();
    there[4].1 = String::new();
    assert_eq!(filled(&form), there);

    // What is too long for a form is not asked for, and so not lost.
    let long = Persona {
        name: "Tom".to_owned(),
        personality: "purr ".repeat(1000),
        dialogues: vec!["A: 1\n\nB: 2".to_owned()],
        ..Persona::default()
    };
    story.has_persona("Tea House", long).await;
    let which = json!({"persona": "Tom"});
    story.ada().uses("general", "persona edit", which).await;
    let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
    let names: Vec<String> = filled(&form).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["rename", "triggers", "degree"]);
    let fields = [("rename", "Tim"), ("triggers", "cat"), ("degree", "0")];
    story.ada().fills_in("general", &form, &fields).await;
    assert_eq!(text(&screen.sees_answer().await), "Tim is changed.");
    story.ben().says("general", "cat, come!").await;
    let call = story.model.is_told("come!").await;
    assert!(call.system().contains("purr purr purr"));
    call.answers("Purr.").await;
    story.sees("general", "Purr.").await;
}

#[tokio::test]
async fn only_who_manages_the_server_changes_personas() {
    let story = Story::begin().await;
    let mina = Persona {
        name: "Mina".to_owned(),
        personality: "A secret.".to_owned(),
        ..Persona::default()
    };
    story.has_persona("Tea House", mina).await;
    // Discord shows the command to everybody: whom there is, everybody may know.
    story.commands_are_registered("Ada").await;
    let needs = "You need the permission Manage Server for that.";
    let mut screen = story.screen_of("Ben").await;
    for (command, options) in [
        ("persona edit", json!({"persona": "Mina"})),
        ("persona edit", json!({"persona": "Mina", "degree": "0"})),
        ("persona delete", json!({"persona": "Mina"})),
        ("persona export", json!({"persona": "Mina", "format": "v2"})),
        ("persona sprite", json!({"persona": "Mina", "sprite": "x"})),
    ] {
        story.ben().uses("general", command, options).await;
        let told = screen.sees_answer().await;
        assert_eq!(text(&told), needs, "{command}");
        assert_eq!(told["attachments"], json!([]), "{command}");
    }
    let file = ("mina.png", CARD);
    let ben = story.ben();
    ben.uses_with_file("general", "persona import", json!({"file": 0}), file)
        .await;
    assert_eq!(text(&screen.sees_answer().await), needs);
    // Nobody writes a personality only to hear that they may not.
    ben.uses("general", "persona create", json!({})).await;
    assert_eq!(text(&screen.sees_answer().await), needs);
    // Who speaks here is no secret, and nothing has changed.
    ben.uses("general", "persona list", json!({})).await;
    let listed = screen.sees_answer().await;
    assert_eq!(
        text(&listed),
        "Beside Kaiwa, one persona speaks here:\n- **Mina**"
    );
}
