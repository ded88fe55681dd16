//! A bot on two shards: what befalls one is no matter of the other.

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
