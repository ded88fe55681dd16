//! What people read when something was not done. The texts are a closed set,
//! and each of them is read in a story: here, if not elsewhere.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use axum::routing::get;
use flate2::Crc;
use kaiwa_domain::SCHEDULES_PER_PERSON;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::{Person, Screen, Story};
use kaiwa_runtime::Tasks;
use serde_json::{Value, json};
use tokio::net::TcpListener;

const TEXTS: &str = include_str!("../../../crates/actions/src/phrase/en.ftl");
const PDF: &str = env!("CARGO_BIN_EXE_read_pdf");

/// What tells people that something was not done: its name, the stories in
/// which it is read, and as much of it as is compared there.
const ERRORS: &[(&str, &str, &str)] = &[
    ("control-gone", "error_texts", "from an older version of me"),
    (
        "control-over",
        "error_texts",
        "This button no longer works.",
    ),
    ("not-here", "error_texts", "That cannot be done here."),
    ("bad-arguments", "reminders", "That does not fit:"),
    ("you-lack", "moderation", "You need the permission"),
    ("i-lack", "moderation", "I need the permission"),
    ("denied", "error_texts", "That is not allowed."),
    ("failed", "error_texts", "That did not work. It was noted"),
    ("slow-down", "controls", "Slow down"),
    ("switched-off", "error_texts", "That is switched off here."),
    ("running-already", "error_texts", "already under way"),
    (
        "offer-cancelled",
        "confirmation",
        "Cancelled. Nothing was done.",
    ),
    (
        "offer-expired",
        "confirmation",
        "Nobody confirmed this in time.",
    ),
    ("offer-gone", "confirmation", "That is too long ago."),
    (
        "offer-unknown",
        "confirmation",
        "I was interrupted and cannot tell",
    ),
    ("not-yours", "confirmation", "Only the person who asked"),
    (
        "protected-self",
        "moderation",
        "You cannot do that to yourself.",
    ),
    (
        "protected-bot",
        "moderation",
        "I will not do that to myself.",
    ),
    (
        "protected-owner",
        "moderation",
        "That is the owner of this server.",
    ),
    (
        "protected-absent",
        "moderation",
        "They are not on this server.",
    ),
    (
        "protected-above-you",
        "moderation",
        "role is not below yours.",
    ),
    (
        "protected-above-me",
        "moderation",
        "role is not below mine.",
    ),
    ("ban-already", "moderation", "banned by somebody else"),
    ("unban-nothing", "moderation", "They are not banned."),
    (
        "stop-nothing",
        "controls",
        "You are not waiting for an answer here.",
    ),
    ("stop-over", "error_texts", "That answer is over."),
    (
        "regenerate-nothing",
        "controls",
        "You have not asked me anything",
    ),
    (
        "why-nothing",
        "error_texts",
        "I have not decided anything here",
    ),
    ("erase-unconfirmed", "controls", "Nothing was deleted: type"),
    (
        "sticker-unknown",
        "chat_actions",
        "This server has no sticker",
    ),
    (
        "not-a-member",
        "error_texts",
        "I know nobody of that name here.",
    ),
    ("memory-full", "error_texts", "There is no room for more."),
    ("memory-unknown", "memory_actions", "There is no such thing"),
    ("remind-too-many", "error_texts", "reminders here already."),
    (
        "reminder-unknown",
        "reminders",
        "You have no such reminder here.",
    ),
    ("search-nothing", "web", "Nothing was found for"),
    ("search-failed", "web", "The search did not work"),
    ("page-forbidden", "web", "I do not open that address"),
    ("page-no-host", "error_texts", "There is no such host."),
    ("page-missing", "error_texts", "There is no such page."),
    (
        "page-without-text",
        "error_texts",
        "There is no text on that page",
    ),
    (
        "page-unreachable",
        "error_texts",
        "That page could not be reached.",
    ),
    (
        "persona-unknown",
        "persona_actions",
        "Nobody here is called",
    ),
    ("persona-refused", "persona_actions", "That did not work:"),
    (
        "persona-is-main",
        "error_texts",
        "is what I am called myself.",
    ),
    ("persona-main-name", "error_texts", "My own name is the one"),
    (
        "card-refused",
        "persona_actions",
        "The file cannot be used:",
    ),
    (
        "file-not-fetched",
        "error_texts",
        "I could not fetch the file.",
    ),
    (
        "picture-too-large",
        "error_texts",
        "The picture is too large.",
    ),
    ("picture-unreadable", "persona_actions", "That is no PNG"),
    (
        "sprite-needs-picture",
        "persona_actions",
        "There is no such picture yet",
    ),
];

/// What else people read: how something went, what there is, what is asked.
const OTHERS: &[&str] = &[
    "confirm",
    "source-attached",
    "pin-removed",
    "memory-learned",
    "memory-nothing",
    "memory-shown",
    "memory-forgotten",
    "remind-done-again",
    "reminders-none",
    "reminder-deleted",
    "opted-out",
    "opted-in",
    "banlist-nobody",
    "timeout-off",
    "cases-none",
    "slowmode-off",
    "persona-created",
    "persona-changed",
    "persona-none",
    "persona-list",
    "persona-delete",
    "persona-deleted",
    "persona-imported",
    "persona-imported-partly",
    "preset-imported",
    "persona-exported",
    "persona-exported-without-pictures",
    "sprite-saved",
    "sprite-removed",
];

#[test]
fn every_error_text_is_read_in_a_story() {
    let kinds = [
        "command-",
        "describe-",
        "button-",
        "report-",
        "progress-",
        "case-",
        // What is wrong with a value: parts of `bad-arguments`, which the tables
        // of the readers go through.
        "problem-",
        "draw-",
        "duration-",
        "expression-",
        "remind-text",
        "reminder-number",
        "when-",
        "zone-",
        // How often something comes again.
        "repeats-",
        "weekday-",
    ];
    let is_other = |name: &str| {
        kinds.iter().any(|kind| name.starts_with(kind))
            || ["-done", "-news"].iter().any(|it| name.ends_with(it))
            || OTHERS.contains(&name)
    };
    let texts = TEXTS.lines().filter_map(|line| line.split_once(" = "));
    let texts = texts.filter(|(name, _)| !name.starts_with(' ') && !is_other(name));
    let names: BTreeSet<&str> = texts.clone().map(|(name, _)| name).collect();
    let known: BTreeSet<&str> = ERRORS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, known, "every text is either an error or another");
    let stories = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    for (name, story, quoted) in ERRORS {
        let (_, text) = texts.clone().find(|it| it.0 == *name).unwrap();
        assert!(text.contains(quoted), "{name}: {text}");
        let path = stories.join(format!("{story}.rs"));
        let story = std::fs::read_to_string(path).unwrap();
        // What stands in this table is no story.
        let story = story.rsplit("const OTHERS").next().unwrap();
        assert!(story.contains(quoted), "{name} is not read");
    }
}

/// What somebody reads after a command.
async fn reads(story: &Story, who: &str, command: &str, options: Value) -> String {
    let mut screen = story.screen_of(who).await;
    story.somebody(who).uses("general", command, options).await;
    let told = text(&screen.sees_answer().await);
    story.controls_are_done().await;
    told
}

fn text(message: &Value) -> String {
    message["content"].as_str().unwrap_or_default().to_owned()
}

/// Somebody presses a button that the bot posted once.
async fn reads_button(story: &Story, channel: &str, control: &str) -> String {
    let button = json!({"type": 2, "style": 1, "label": "Do", "custom_id": control});
    let row = json!([{"type": 1, "components": [button]}]);
    let posted = story.bot_posts(channel, json!({"content": "Look", "components": row}));
    let posted = story.message(&posted).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().presses(&posted, "Do").await;
    let told = text(&screen.sees_answer().await);
    story.controls_are_done().await;
    told
}

#[tokio::test]
async fn what_is_not_there_is_said_to_be_missing() {
    let story = Story::begin().await;
    let check = async |command: &str, options: Value, expected: &str| {
        let told = reads(&story, "Ada", command, options).await;
        assert_eq!(told, expected, "/{command}");
    };
    check(
        "why",
        json!({}),
        "I have not decided anything here since I was started.",
    )
    .await;
    let noor = json!({"user": story.id_of("Noor")});
    let nobody = "I know nobody of that name here.";
    check("user_info", noor.clone(), nobody).await;
    check("avatar", noor, nobody).await;
    let main = json!({"persona": "Kaiwa", "rename": "Nina"});
    let own = "My own name is the one that I have on Discord.";
    check("persona edit", main, own).await;
    story
        .sets("Tea House", SettingKey::ActionsOff, "calculate")
        .await;
    let sum = json!({"expression": "1+1"});
    check("calculate", sum, "That is switched off here.").await;

    let mut screen = story.screen_of("Ada").await;
    let ada = story.ada();
    ada.uses("general", "persona create", json!({})).await;
    let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
    let fields = [("called", "kaiwa"), ("personality", "Kind.")];
    ada.fills_in("general", &form, &fields).await;
    let told = text(&screen.sees_answer().await);
    let taken = "kaiwa is what I am called myself.";
    assert!(told.starts_with(taken), "{told}");
}

#[tokio::test]
async fn buttons_of_another_time_or_place_say_so() {
    let story = Story::begin().await;
    let gone = "That is from an older version of me and does nothing any more.";
    let dm = story.ada().direct_messages().await;
    let file = json!({"file": format!("{}/attachments/1/2/a", story.ready().cdn_url)});
    let lost = "I could not fetch the file. Attach it again.";
    for (channel, control, expected) in [
        ("general", "k0/now/{}", gone),
        ("general", "k1/juggle/{}", gone),
        ("general", "vote", gone),
        (&dm, "k1/ban_list/{}", "That cannot be done here."),
        ("general", "k1/approve/{}", "That cannot be done here."),
        ("general", &format!("k1/import_persona/{file}"), lost),
    ] {
        let told = reads_button(&story, channel, control).await;
        assert_eq!(told, expected, "{control}");
    }
}

/// What Ada alone reads who presses a button that is still there.
async fn presses_late(story: &Story, screen: &mut Screen, below: &Value, label: &str) -> String {
    story.ada().presses(below, label).await;
    let alone = |it: &Value| {
        let flags = it["flags"].as_u64().unwrap_or(0);
        flags & 64 != 0 && flags & 128 == 0
    };
    text(&screen.sees("MESSAGE_UPDATE", alone).await)
}

fn has_button(message: &Value, label: &str) -> bool {
    message["components"][0]["components"][0]["label"] == label
}

#[tokio::test]
async fn buttons_of_an_answer_that_is_over_say_so() {
    let settings = [
        (SettingKey::RegenerateButton, "on"),
        (SettingKey::ButtonsLast, "1m"),
    ];
    let mut story = Story::begin_with(&settings).await;
    let mut screen = story.screen_of("Ada").await;
    story.ada().says("general", "@Kaiwa tell me").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tell me").await;
    answer.says("Once.\n… ").await;
    let first = story.sees("general", "Once.").await;
    story.clock.skip(Duration::from_secs(15)).await;
    let stop = |it: &Value| has_button(it, "Stop");
    let below = screen.sees("MESSAGE_UPDATE", stop).await;

    // It cannot be taken away.
    let body = json!({"code": 10008, "message": "Unknown Message"});
    let path = format!("/messages/{}", first.id);
    let lost = StatusCode::NOT_FOUND;
    story
        .faults()
        .fail_next(Method::PATCH, &path, lost, body, 1);
    answer.answers("The end.").await;
    story.sees("general", "… The end.").await;
    story.bot_is_done().await;
    let told = presses_late(&story, &mut screen, &below, "Stop").await;
    assert_eq!(told, "That answer is over.");

    story.ada().says("general", "@Kaiwa more").await;
    let answer = story.model.is_asked("Ada: @Kaiwa more").await;
    answer.answers("Twice.").await;
    story.sees("general", "Twice.").await;
    let again = |it: &Value| has_button(it, "Regenerate");
    let whole = screen.sees("MESSAGE_UPDATE", again).await;
    story.bot_is_done().await;
    let held = story.faults().hold(Method::PATCH, "/channels/");
    story.clock.passes(Duration::from_secs(60));
    held.arrived(1).await;
    let told = presses_late(&story, &mut screen, &whole, "Regenerate").await;
    assert_eq!(told, "This button no longer works.");
    held.release();
}

#[tokio::test]
async fn what_discord_refuses_is_told_without_its_words() {
    let story = Story::begin().await;
    let said = story.ada().says("general", "tea").await;
    let denied = "That is not allowed.";
    let failed = "That did not work. It was noted for whoever runs me.";
    for (status, code, expected) in [
        (StatusCode::BAD_REQUEST, 50035, failed),
        (StatusCode::FORBIDDEN, 50013, denied),
    ] {
        let body = json!({"code": code, "message": "the kettle is haunted"});
        story
            .faults()
            .fail_next(Method::PUT, "/reactions/", status, body, 1);
        let options = json!({"emoji": "👍", "message": said.id});
        let told = reads(&story, "Ada", "react", options).await;
        assert_eq!(told, expected, "{code}");
    }
}

#[tokio::test]
async fn pages_that_cannot_be_read_say_why() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let html = [("content-type", "text/html")];
    let router = axum::Router::new()
        .route("/empty", get(async move || (html, "<p> </p>")))
        .route("/broken", get(async || StatusCode::BAD_GATEWAY));
    Tasks::new().spawn("server", async move { axum::serve(listener, router).await });
    let mut story = Story::without_bot().await;
    story.gets_web(&[], PDF, Some(address));
    story.bot_starts().await;
    let unreadable = "There is no text on that page that I could read.";
    for (url, expected) in [
        (format!("http://{address}/none"), "There is no such page."),
        (format!("http://{address}/empty"), unreadable),
        (
            format!("http://{address}/broken"),
            "That page could not be reached.",
        ),
        ("http://tea.invalid/".to_owned(), "There is no such host."),
    ] {
        let told = reads(&story, "Ada", "fetch", json!({ "url": url })).await;
        assert_eq!(told, expected, "{url}");
    }
}

#[tokio::test]
async fn what_is_full_says_how_to_make_room() {
    let mut story = Story::without_bot().await;
    story.operator_teaches_all("Tea House").await;
    story.bot_starts().await;
    let more = json!({"fact": "I like oolong"});
    let told = reads(&story, "Ada", "memory add", more).await;
    let full = "There is no room for more. Let me forget something first: /memory forget";
    assert_eq!(told, full);

    for number in 0..=SCHEDULES_PER_PERSON {
        // Not too much at a time.
        story.clock.passes(Duration::from_secs(5));
        let later = json!({"when": "in 2 days", "text": format!("tea {number}")});
        let told = reads(&story, "Ada", "remind", later).await;
        let full = told.contains("reminders here already.");
        assert_eq!(full, number == SCHEDULES_PER_PERSON, "{number}: {told}");
    }
}

#[tokio::test]
async fn a_picture_of_too_many_pixels_says_so() {
    let story = Story::begin().await;
    let mut screen = story.screen_of("Ada").await;
    let ada = story.ada();
    let edit = json!({"persona": "Kaiwa", "avatar": 0});
    let huge = png(60_000);
    ada.uses_with_file("general", "persona edit", edit, ("a.png", &huge))
        .await;
    let told = text(&screen.sees_answer().await);
    assert_eq!(told, "The picture is too large. Make it smaller first.");
}

/// The beginning of a picture of so many pixels in a square.
fn png(side: u32) -> Vec<u8> {
    let chunk = |kind: &[u8], data: &[u8]| {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(data);
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length, kind, data, &crc.sum().to_be_bytes()].concat()
    };
    let side = side.to_be_bytes();
    let header = [&side[..], &side, &[8, 2, 0, 0, 0]].concat();
    let header = chunk(b"IHDR", &header);
    let parts = [chunk(b"IDAT", &[]), chunk(b"IEND", &[])].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &header, &parts].concat()
}

/// Somebody asks for the deletion of messages and approves it.
async fn cleans_up(who: &Person<'_>, screen: &mut Screen) {
    who.uses("hall", "nuke", json!({"count": 2})).await;
    let asked = screen.sees_answer().await;
    who.presses(&asked, "Approve").await;
}

#[tokio::test]
async fn what_is_under_way_is_not_begun_again() {
    let story = Story::at_court().await;
    for words in ["one", "two"] {
        story.somebody("Pip").says("hall", words).await;
    }
    let (gus, gia) = (story.somebody("Gus"), story.somebody("Gia"));
    let (mut his, mut hers) = (story.screen_of("Gus").await, story.screen_of("Gia").await);
    let held = story.faults().hold(Method::POST, "/bulk-delete");
    cleans_up(&gus, &mut his).await;
    held.arrived(1).await;
    cleans_up(&gia, &mut hers).await;
    let told = text(&hers.sees_answer().await);
    let busy = "That is already under way in this channel. Please wait until it is done.";
    assert_eq!(told, busy);
    held.release();
    let told = text(&his.sees_answer().await);
    assert_eq!(told, "Deleted 2 messages.");
}
