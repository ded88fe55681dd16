//! Actions: what is done after the reply, and for whom.

use axum::http::Method;
use kaiwa_domain::{Notice, Rights, ToolError, When};
use kaiwa_e2e::story::{SentMessage, Story};

const THUMB: &[(&str, &str)] = &[("react", r#"{"emoji": "👍"}"#)];

/// Ben asks for a reaction, and the model is glad to.
async fn ben_asks_for_a_reaction(story: &mut Story) -> SentMessage {
    let question = story.ben().says("general", "@Kaiwa like this").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa like this").await;
    call.says("With pleasure!").await;
    call.waits_for(THUMB).await;
    story.sees("general", "With pleasure!").await;
    question
}

/// Ben asks for a reaction where there can be none: the model does not know of
/// any, and one that asks for it all the same is told so.
async fn asks_for_what_is_not_there(story: &mut Story) {
    let rights = "GET /guilds/{guild}/members/{user}";
    let asked = story.requests(rights);
    story.ben().says("general", "@Kaiwa like this").await;
    let call = story.model.is_asked("Ben: @Kaiwa like this").await;
    assert!(!call.tools().contains(&"react"), "{:?}", call.tools());
    assert!(call.tools().contains(&"now"), "{:?}", call.tools());
    assert_eq!(story.requests(rights), asked, "nobody was asked");
    call.waits_for(THUMB).await;
    let call = story.model.is_told("no tool called").await;
    call.answers("I cannot.").await;
    story.sees("general", "I cannot.").await;
}

#[tokio::test]
async fn nobody_gets_done_what_they_may_not_do() {
    let mut story = Story::begin().await;
    story
        .ada()
        .forbids("general", "Ben", Rights::ADD_REACTIONS)
        .await;
    asks_for_what_is_not_there(&mut story).await;
    assert_eq!(story.reactions(), 0);

    // Elsewhere, and for others, nothing has changed.
    let question = story.ben().says("random", "@Kaiwa like that").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa like that").await;
    call.says("Sure.").await;
    call.waits_for(THUMB).await;
    story.sees_reaction(&question, "👍").await;
    let question = story.ada().says("general", "@Kaiwa like me").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa like me").await;
    call.says("Sure.").await;
    call.waits_for(THUMB).await;
    story.sees_reaction(&question, "👍").await;
}

#[tokio::test]
async fn who_may_react_gets_a_reaction() {
    let mut story = Story::begin().await;
    let question = ben_asks_for_a_reaction(&mut story).await;
    story.sees_reaction(&question, "👍").await;
}

#[tokio::test]
async fn a_right_that_was_given_back_counts_again() {
    let mut story = Story::begin().await;
    let ada = story.ada();
    ada.forbids("general", "Ben", Rights::ADD_REACTIONS).await;
    ada.allows("general", "Ben", Rights::ADD_REACTIONS).await;
    let question = ben_asks_for_a_reaction(&mut story).await;
    story.sees_reaction(&question, "👍").await;
}

/// The model has asked for the reaction and the reply is on its way: what
/// counts is what Ben may do when it is about to happen.
#[tokio::test]
async fn a_right_lost_before_the_action_runs_is_lost() {
    let mut story = Story::begin().await;
    story.ben().says("general", "@Kaiwa like this").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa like this").await;
    let posting = story.faults().hold(Method::POST, "/messages");
    call.says("With pleasure!").await;
    call.waits_for(THUMB).await;
    posting.arrived(1).await;
    story
        .ada()
        .forbids("general", "Ben", Rights::ADD_REACTIONS)
        .await;
    posting.release();
    story.sees("general", "With pleasure!").await;
    story.sees("general", Notice::ActionDenied.text()).await;
    assert_eq!(story.reactions(), 0);
}

#[tokio::test]
async fn the_bot_does_not_try_what_it_may_not_do() {
    let mut story = Story::begin().await;
    story
        .ada()
        .forbids("general", "Kaiwa", Rights::ADD_REACTIONS)
        .await;
    asks_for_what_is_not_there(&mut story).await;
    assert_eq!(
        story.requests("PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me"),
        0
    );
}

/// Whose emoji it is cannot be told, so it may be another guild's.
#[tokio::test]
async fn a_custom_emoji_takes_the_right_to_use_those_of_others() {
    let mut story = Story::begin().await;
    let kettle = &story.ready().guilds[0].emojis["kettle"];
    let kettle = format!(r#"{{"emoji": "<:kettle:{kettle}>"}}"#);
    let kettle = [("react", kettle.as_str())];
    let question = story.ben().says("general", "@Kaiwa tea").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa tea").await;
    call.says("Tea!").await;
    call.waits_for(&kettle).await;
    story.sees_reaction(&question, "kettle").await;

    story
        .ada()
        .forbids("random", "Ben", Rights::USE_EXTERNAL_EMOJIS)
        .await;
    story.ben().says("random", "@Kaiwa more tea").await;
    let mut call = story.model.is_asked("Ben: @Kaiwa more tea").await;
    call.says("More!").await;
    call.waits_for(&kettle).await;
    story.sees("random", "More!").await;
    story.sees("random", Notice::ActionDenied.text()).await;
    assert_eq!(story.reactions(), 1);
}

#[tokio::test]
async fn in_private_everything_is_allowed() {
    let mut story = Story::begin().await;
    let question = story.ben().whispers("like this").await;
    let mut call = story.model.is_asked("Ben: like this").await;
    call.says("With pleasure!").await;
    call.waits_for(THUMB).await;
    story.sees_reaction(&question, "👍").await;
    assert_eq!(story.requests("GET /guilds/{guild}/members/{user}"), 0);
}

/// What Ben may do cannot be found out: then nothing is done.
#[tokio::test]
async fn without_an_answer_about_rights_nothing_is_done() {
    let mut story = Story::begin().await;
    let body = serde_json::json!({"code": 50001, "message": "Missing Access"});
    let status = axum::http::StatusCode::FORBIDDEN;
    story
        .faults()
        .fail_next(Method::GET, "/members/", status, body, 1);
    ben_asks_for_a_reaction(&mut story).await;
    story.sees("general", Notice::ActionDenied.text()).await;
    assert_eq!(story.reactions(), 0);
}

#[tokio::test]
async fn an_action_runs_after_the_reply_was_posted() {
    let mut story = Story::begin().await;
    let question = story.ada().says("general", "@Kaiwa like this").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa like this").await;
    assert!(call.system().contains("never write that it is done"));
    call.says("With pleasure!").await;
    call.waits_for(&[("react", r#"{"emoji": "👍"}"#)]).await;
    story.sees("general", "With pleasure!").await;
    story.sees_reaction(&question, "👍").await;
}

#[tokio::test]
async fn an_action_waits_for_a_post_that_is_under_way() {
    let (mut story, mut ring) = Story::begin_with_tool("ring", When::AfterReply).await;
    story.ada().says("general", "@Kaiwa ring").await;
    let mut call = story.model.is_asked("Ada: @Kaiwa ring").await;
    story.answer_to_next_post_is_lost();
    call.says("I'll ring.").await;
    call.waits_for(&[("ring", r#"{"for": "tea"}"#)]).await;
    story.sees("general", "I'll ring.").await;
    // The post is up, but the bot does not know: it repeats it first.
    assert!(ring.rests());
    story.clock.skip_any(1_001..=1_126).await;
    ring.is_used().await.returns("");
    story.bot_stops().await;
    let expected = "Ada: @Kaiwa ring\nKaiwa: I'll ring.\n";
    assert_eq!(story.transcript("general"), expected);
}

#[tokio::test]
async fn an_action_without_words_gets_a_line() {
    let mut story = Story::begin().await;
    let question = story.ada().says("general", "@Kaiwa like this").await;
    let call = story.model.is_asked("Ada: @Kaiwa like this").await;
    call.waits_for(&[("react", r#"{"emoji": "👍"}"#)]).await;
    let call = story.model.is_told("You are about to do this").await;
    assert!(call.tools().is_empty());
    assert!(call.last().contains("don't say that it is done"));
    assert_eq!(story.reactions(), 0);
    call.answers("One thumb, coming up.").await;
    story.sees("general", "One thumb, coming up.").await;
    story.sees_reaction(&question, "👍").await;
}

#[tokio::test]
async fn an_action_beside_a_search_is_kept() {
    let (mut story, mut search) = Story::begin_with_tool("search", When::InLoop).await;
    let question = story.ada().says("general", "@Kaiwa look and like").await;
    let call = story.model.is_asked("Ada: @Kaiwa look and like").await;
    let calls = [
        ("react", r#"{"emoji": "👍"}"#),
        ("search", r#"{"for": "x"}"#),
    ];
    call.waits_for(&calls).await;
    search.is_used().await.returns("found");
    assert_eq!(story.reactions(), 0);
    let call = story.model.is_told("| found").await;
    call.answers("Found.").await;
    story.sees("general", "Found.").await;
    story.sees_reaction(&question, "👍").await;
    story.bot_stops().await;
    assert_eq!(story.reactions(), 1);
}

#[tokio::test]
async fn an_action_that_fails_is_owned_up_to() {
    let denied = ToolError::Denied {
        reason: "not yours".into(),
    };
    let failed = ToolError::Failed {
        reason: "broken".into(),
    };
    for (error, notice) in [
        (denied, Notice::ActionDenied),
        (failed, Notice::ActionFailed),
    ] {
        let (mut story, mut ring) = Story::begin_with_tool("ring", When::AfterReply).await;
        story.ada().says("general", "@Kaiwa ring").await;
        let mut call = story.model.is_asked("Ada: @Kaiwa ring").await;
        call.says("I'll try.").await;
        call.waits_for(&[("ring", r#"{"for": "tea"}"#)]).await;
        story.sees("general", "I'll try.").await;
        ring.is_used().await.fails(error);
        story.sees("general", notice.text()).await;
    }
}
