//! A second pair of eyes: unmodified discord.js reads what our bot has
//! registered and posted, and builds the same with its own builders, which
//! refuse what Discord would.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use kaiwa_e2e::browser::node_bot::NodeBot;
use kaiwa_e2e::story::Story;
use serde_json::json;

const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");
const READER: &str = include_str!("../../bots/reader.mjs");

#[tokio::test]
async fn discord_js_reads_our_commands_and_components() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    let options = json!({"user": story.id_of("Pip"), "duration": "3d"});
    gus.uses("general", "tempban", options).await;
    let offered = screen.sees_answer().await;
    assert_eq!(
        offered["components"][0]["components"][0]["label"],
        "Approve"
    );
    // It ends with an error if it reads anything else than it expects.
    let Some(_reader) = NodeBot::start(FOLDER, READER, story.ready()).await else {
        return;
    };
    // What it looked at still works.
    gus.presses(&offered, "Cancel").await;
    let told = screen.sees_answer().await;
    assert_eq!(told["content"], "Cancelled. Nothing was done.");
}
