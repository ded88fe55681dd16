//! Requests that Discord calls invalid: long before it would ban the address,
//! the bot keeps quiet.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_e2e::log::CapturedLog;
use kaiwa_e2e::story::{Screen, Story};
use kaiwa_emulator::{FaultSpan, Requests, RestFault};
use serde_json::json;

const POSTS: &str = "POST /channels/{channel}/messages";

/// After how many the bot of these stories stops itself.
const MOST: u32 = 12;

/// Longer than Discord counts them together.
const FORGOTTEN: Duration = Duration::from_secs(611);

/// Ada asks, and the bot has something to say. Says how often it tried to.
async fn tries_to_answer(story: &mut Story, number: usize) -> u64 {
    let before = story.requests(POSTS);
    let question = format!("@Kaiwa {number}?");
    story.ada().says("general", &question).await;
    let call = story.model.is_told(&question).await;
    call.answers(&format!("Answer {number}.")).await;
    story.bot_is_done().await;
    // Ada's own is one.
    story.requests(POSTS) - before - 1
}

async fn is_shown_the_status(story: &Story, screen: &mut Screen) {
    story.ada().uses("general", "status", json!({})).await;
    let told = screen.sees_answer().await;
    let text = told["content"].as_str().unwrap_or_default();
    assert!(text.contains("Model"), "{text}");
    // The bot has heard that it is shown, before time goes on.
    story.controls_are_done().await;
}

fn posts_of_bot(story: &Story) -> Requests {
    Requests {
        method: Some(Method::POST),
        path_part: "/messages".into(),
        user_id: Some(story.ready().bot.id.clone()),
        skip: 0,
    }
}

#[tokio::test]
async fn after_too_many_refusals_only_controls_are_answered_for_ten_minutes() {
    let (log, _guard) = CapturedLog::capture();
    let mut story = Story::without_bot().await;
    story.bot_stops_itself_after(MOST);
    story.bot_starts().await;
    let mut screen = story.screen_of("Ada").await;
    // Of no right that would be remembered as missing.
    let posts = posts_of_bot(&story);
    let forbidden = RestFault::Fail {
        status: StatusCode::FORBIDDEN,
        body: json!({"code": 0, "message": "no"}),
    };
    let faults = story.faults();
    faults.rest(posts, forbidden, FaultSpan::Next(u32::MAX));

    let mut tried = 0;
    let mut asked = 0;
    while tried < u64::from(MOST) {
        let more = tries_to_answer(&mut story, asked).await;
        assert!(more > 0, "quiet after {tried} of {MOST}");
        tried += more;
        asked += 1;
    }
    assert_eq!(tried, u64::from(MOST));
    let warning = "Discord calls many of our requests invalid";
    assert_eq!(log.text().matches(warning).count(), 1);
    is_shown_the_status(&story, &mut screen).await;

    // Nothing is tried though it would pass.
    faults.clear();
    for _ in 0..2 {
        assert_eq!(tries_to_answer(&mut story, asked).await, 0);
        asked += 1;
    }
    is_shown_the_status(&story, &mut screen).await;
    assert!(!story.transcript("general").contains("Kaiwa:"));

    story.time().passes(FORGOTTEN).await;
    assert_eq!(tries_to_answer(&mut story, asked).await, 1);
    story.sees("general", &format!("Answer {asked}.")).await;
}

/// The wall in front of Discord says no to the address, whatever is asked: it is
/// left alone for as long as it says, in all channels.
#[tokio::test]
async fn a_wall_stops_everything_until_it_opens() {
    const WALL: Duration = Duration::from_secs(5);
    let (log, _guard) = CapturedLog::capture();
    let mut story = Story::begin().await;
    let posts = posts_of_bot(&story);
    // No JSON of Discord's, and no word about how long.
    let wall = RestFault::Fail {
        status: StatusCode::TOO_MANY_REQUESTS,
        body: json!("error code: 1015"),
    };
    story.faults().rest(posts, wall, FaultSpan::Next(1));
    story.ada().says("general", "@Kaiwa one?").await;
    let call = story.model.is_told("one?").await;
    call.answers("One.").await;
    kaiwa_e2e::soon("the wall to be met", async {
        while !log.text().contains("scope=Wall") {
            tokio::task::yield_now().await;
        }
    })
    .await;
    story.ben().says("random", "@Kaiwa two?").await;
    let call = story.model.is_told("two?").await;
    call.answers("Two.").await;
    story.clock.skip(WALL).await;
    for (channel, text) in [("general", "One."), ("random", "Two.")] {
        story.sees(channel, text).await;
    }
    story.bot_is_done().await;
    // Two are people's, and one ran into the wall.
    assert_eq!(story.requests(POSTS), 2 + 1 + 2);
}
