//! A bot on two shards: what befalls one is no matter of the other.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use kaiwa_e2e::story::Story;

/// Two guilds, each of which has a shard for itself.
const TOWN: &str = r#"
shards = 2
max_concurrency = 2

[guild]
name = "Tea House"

[bot]
name = "Kaiwa"

[[users]]
name = "Ada"

[[channels]]
name = "general"

[[guilds]]
name = "Library"

[[guilds.members]]
name = "Ada"

[[guilds.channels]]
name = "desk"
"#;

const DESK: &str = "Library/desk";

/// The shard of a guild.
fn shard(story: &Story, guild: &str) -> u64 {
    let mut guilds = story.ready().guilds.iter();
    let guild = guilds.find(|it| it.name == guild).expect("a guild");
    (guild.id.parse::<u64>().expect("an id") >> 22) % 2
}

#[tokio::test]
async fn a_deaf_shard_is_found_while_another_talks() {
    let mut story = Story::in_written_world(TOWN).await;
    story.bot_starts().await;
    let (tea, library) = (shard(&story, "Tea House"), shard(&story, "Library"));
    assert_ne!(tea, library);
    for channel in ["general", DESK] {
        story.ada().says(channel, "@Kaiwa one").await;
        let call = story.model.is_told("one").await;
        call.answers("1").await;
        story.sees(channel, "1").await;
    }
    story.bot_is_done().await;
    assert_eq!((story.identifies(), story.resumes()), (2, 0));

    let bot = story.ready().bot.id.clone();
    assert_eq!(story.faults().deafen_shard(&bot, tea), 1);
    story.ada().says("general", "@Kaiwa do you hear me?").await;
    for round in 0..6 {
        // Nobody could tell from this shard that the other is deaf.
        let said = story.ada().says(DESK, &format!("page {round}")).await;
        story.decided_on(&said).await;
        story.clock.skip(Duration::from_secs(55)).await;
    }
    let call = story.model.is_told("do you hear me?").await;
    call.answers("Now I do.").await;
    story.sees("general", "Now I do.").await;
    story.bot_is_done().await;
    let sessions = (story.identifies(), story.resumes());
    assert_eq!(sessions, (2, 1), "the other keeps its connection");
}

/// Of a day's sessions the last tenth is left alone, as Discord resets the token
/// of who starts too many.
#[tokio::test]
async fn a_session_that_may_be_one_of_the_last_is_not_started() {
    let world = TOWN.replace(
        "shards = 2",
        "shards = 1\nsession_starts = 20\nheartbeat_ms = 100",
    );
    let mut story = Story::in_written_world(&world).await;
    story.bot_starts().await;
    story.bot_stops().await;
    let bot = story.ready().bot.id.clone();
    story.faults().use_session_starts(&bot, 18);

    // What can be resumed is.
    story.bot_starts().await;
    assert!(story.is_short_of_sessions(true).await.connected());
    assert_eq!((story.identifies(), story.resumes()), (1, 1));

    // What cannot be has to wait, and people with it.
    story.faults().drop_sessions();
    story.gateway_breaks();
    story.ada().says("general", "@Kaiwa are you there?").await;
    // It is connected again, and keeps that connection alive.
    story.hears_heartbeats(20).await;
    for _ in 0..3 {
        story.clock.skip(Duration::from_secs(5)).await;
    }
    story.is_disconnected().await;
    assert_eq!(story.identifies(), 1);

    story.time().passes(Duration::from_secs(24 * 3600)).await;
    story.is_short_of_sessions(false).await;
    story.ada().says("general", "@Kaiwa and now?").await;
    let call = story.model.is_told("and now?").await;
    call.answers("Here I am.").await;
    story.sees("general", "Here I am.").await;
    assert_eq!(story.identifies(), 2);
}
