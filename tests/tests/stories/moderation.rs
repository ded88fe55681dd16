//! What moderators do through the bot: each action by command and in words,
//! each edge of their rights.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use axum::http::Method;
use kaiwa_domain::Rights;
use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);

fn text(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_tempban_by_command_is_confirmed_told_and_done() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let pip = story.id_of("Pip");
    let gus = story.somebody("Gus");
    let options = json!({"user": pip, "duration": "3d", "reason": "spilt the tea"});
    gus.uses("general", "tempban", options).await;
    let asked = screen.sees_answer().await;
    assert!(
        text(&asked).contains(&format!("**Pip** ({pip})")),
        "{asked}"
    );
    assert!(story.member("Pip").await.is_some());

    let whispers = story.somebody("Pip").direct_messages().await;
    gus.presses(&asked, "Approve").await;
    let told = screen.sees_answer().await;
    assert!(text(&told).contains("is banned until <t:"), "{told}");
    assert!(text(&told).contains("Case 1"), "{told}");
    let reason = story.banned_for("Pip").await;
    assert_eq!(reason.as_deref(), Some("Kaiwa case 1: spilt the tea"));
    assert!(story.member("Pip").await.is_none());
    let news = story.transcript(&whispers);
    assert!(news.contains("You were banned from Court"), "{news}");
    assert!(news.contains("spilt the tea"), "{news}");

    // And back again.
    gus.presses(&told, "Undo").await;
    let told = screen.sees_answer().await;
    assert!(text(&told).contains("may come back"), "{told}");
    assert_eq!(story.banned_for("Pip").await, None);
}

#[tokio::test]
async fn a_ban_that_was_cancelled_is_not_made() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    let options = json!({"user": story.id_of("Pip"), "duration": "two weeks"});
    gus.uses("general", "tempban", options).await;
    let asked = screen.sees_answer().await;
    gus.presses(&asked, "Cancel").await;
    screen.sees_answer().await;
    assert!(story.member("Pip").await.is_some());
}

/// Discord shows the question, and we do not hear of it: what is shown once more
/// must not hide what came of a click.
#[tokio::test]
async fn a_click_counts_while_it_is_unknown_whether_the_question_is_shown() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    story
        .faults()
        .swallow_next(Method::PATCH, "/messages/@original", 1);
    let options = json!({"user": story.id_of("Pip"), "duration": "3d"});
    gus.uses("general", "tempban", options).await;
    let asked = screen.sees_answer().await;
    gus.presses(&asked, "Approve").await;
    story.clock.sleeps(15_000..=15_000).await;
    assert!(story.member("Pip").await.is_some());
    story.clock.skip_any(500..=500).await;
    story.bot_is_done().await;
    assert!(story.member("Pip").await.is_none());
    let shown = story.transcript("general");
    assert!(shown.contains("is banned until"), "{shown}");
}

#[tokio::test]
async fn a_ban_for_a_while_ends_by_itself_however_often_discord_says_no() {
    let mut story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let options = json!({"user": story.id_of("Pip"), "duration": "1m"});
    story
        .somebody("Gus")
        .uses_and_approves(&mut screen, "general", "tempban", options)
        .await;
    assert!(story.banned_for("Pip").await.is_some());
    story.next_unbans_fail(1);
    story.lets_pass(MINUTE).await;
    story.bot_stops().await;
    assert!(story.banned_for("Pip").await.is_some());
    story.bot_starts().await;
    story.lets_pass(2 * MINUTE).await;
    story.sees_ban_lifted("Pip").await;
    assert_eq!(story.banned_for("Pip").await, None);
}

#[tokio::test]
async fn the_longest_of_two_bans_counts() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let pip = story.id_of("Pip");
    for duration in ["5m", "1m"] {
        let options = json!({"user": pip, "duration": duration});
        story
            .somebody("Gus")
            .uses_and_approves(&mut screen, "general", "tempban", options)
            .await;
    }
    story.lets_pass(3 * MINUTE).await;
    assert!(story.banned_for("Pip").await.is_some());
    story.lets_pass(3 * MINUTE).await;
    story.sees_ban_lifted("Pip").await;
}

#[tokio::test]
async fn the_ban_of_a_person_is_theirs_to_lift() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    story.somebody("Olga").bans("Pip").await;
    let options = json!({"user": story.id_of("Pip"), "duration": "1m"});
    let told = story
        .somebody("Gus")
        .uses_and_approves(&mut screen, "general", "tempban", options)
        .await;
    assert!(text(&told).contains("banned by somebody else"), "{told}");
    story.lets_pass(3 * MINUTE).await;
    assert!(story.banned_for("Pip").await.is_some());
}

#[tokio::test]
async fn owner_self_bot_and_higher_roles_are_protected() {
    let story = Story::at_court().await;
    story.somebody("Olga").puts_on_top("Kings").await;
    let owner = "That is the owner of this server. Nobody can do that to them.";
    for (asker, target, expected) in [
        ("Gus", "Gus", "You cannot do that to yourself."),
        ("Gus", "Kaiwa", "I will not do that to myself."),
        ("Gus", "Olga", owner),
        ("Rex", "Olga", owner),
        ("Gus", "Gia", "Their highest role is not below yours."),
        ("Gus", "Rex", "Their highest role is not below mine."),
        ("Olga", "Rex", "Their highest role is not below mine."),
        ("Gia", "Ned", "They are not on this server."),
    ] {
        let mut screen = story.screen_of(asker).await;
        let options = json!({"user": story.id_of(target)});
        story.somebody(asker).uses("general", "kick", options).await;
        let told = screen.sees_answer().await;
        assert_eq!(text(&told), expected, "{asker} {target}");
    }
    for name in ["Gus", "Olga", "Gia", "Rex"] {
        assert!(story.member(name).await.is_some(), "{name}");
    }
}

#[tokio::test]
async fn the_model_knows_only_what_its_asker_may_do() {
    let mut story = Story::at_court().await;
    let check = async |story: &mut Story, who: &str, may: bool| {
        story.somebody(who).says("general", "@Kaiwa hello").await;
        let call = story.model.is_asked(&format!("{who}: @Kaiwa hello")).await;
        for (name, _) in MODERATION {
            assert_eq!(call.tools().contains(&name), may, "{who}: {name}");
        }
        let size = call.request()["tools"].to_string().len();
        call.answers("Hello.").await;
        story.sees("general", "Hello.").await;
        size
    };
    let member = check(&mut story, "Pip", false).await;
    let guard = check(&mut story, "Gus", true).await;
    assert!(
        member + 3000 < guard,
        "{member} bytes, not much below {guard}"
    );
    // Who becomes a guard is one from their next word on.
    story.somebody("Olga").gives_role("Pip", "Guards").await;
    check(&mut story, "Pip", true).await;
    // What the bot may not do, it offers to nobody.
    let olga = story.somebody("Olga");
    olga.forbids("general", "Kaiwa", Rights::MANAGE_CHANNELS)
        .await;
    story.somebody("Gus").says("general", "@Kaiwa hello").await;
    let call = story.model.is_asked("Gus: @Kaiwa hello").await;
    assert!(!call.tools().contains(&"slowmode"), "{:?}", call.tools());
    assert!(call.tools().contains(&"kick"), "{:?}", call.tools());
}

const MODERATION: [(&str, &str); 9] = [
    ("tempban", r#"{"user": "Cara", "duration": "1h"}"#),
    ("unban", r#"{"user": "Cara"}"#),
    ("ban_list", "{}"),
    ("timeout", r#"{"user": "Cara", "duration": "1h"}"#),
    ("kick", r#"{"user": "Cara"}"#),
    ("warn", r#"{"user": "Cara", "reason": "x"}"#),
    ("cases", "{}"),
    ("nuke", r#"{"count": 5}"#),
    ("slowmode", r#"{"wait": "10s"}"#),
];

/// The model was told of them, and the right is gone when it asks.
#[tokio::test]
async fn who_may_not_any_more_is_told_so_in_words_and_nothing_happens() {
    let mut story = Story::at_court().await;
    for (number, (name, arguments)) in MODERATION.into_iter().enumerate() {
        let asked = format!("@Kaiwa wish {number}");
        story.somebody("Olga").gives_role("Pip", "Guards").await;
        story.somebody("Pip").says("general", &asked).await;
        let call = story.model.is_asked(&format!("Pip: {asked}")).await;
        assert!(call.tools().contains(&name), "{name}");
        story.somebody("Olga").takes_role("Pip", "Guards").await;
        call.waits_for(&[(name, arguments)]).await;
        let call = story.model.is_told("not allowed: the asker lacks").await;
        call.answers("You may not do that.").await;
        story.sees("general", "You may not do that.").await;
    }
    assert!(story.member("Cara").await.is_some());
    assert_eq!(story.slow_mode("general").await, 0);
}

#[tokio::test]
async fn what_the_bot_may_not_do_it_says() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let missing = Rights::MANAGE_CHANNELS;
    story
        .somebody("Olga")
        .forbids("general", "Kaiwa", missing)
        .await;
    let options = json!({"wait": "10s"});
    story
        .somebody("Gus")
        .uses("general", "slowmode", options)
        .await;
    let told = screen.sees_answer().await;
    assert_eq!(
        text(&told),
        "I need the permission Manage Channels for that."
    );
    assert_eq!(story.slow_mode("general").await, 0);
}

#[tokio::test]
async fn a_timeout_is_set_and_taken_back() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Olga").await;
    let options = json!({"user": story.id_of("Gus"), "duration": "1h", "reason": "enough"});
    let told = story
        .somebody("Olga")
        .uses_and_approves(&mut screen, "general", "timeout", options)
        .await;
    assert!(text(&told).contains("cannot write until <t:"), "{told}");
    let until = story.member("Gus").await.unwrap()["communication_disabled_until"].clone();
    assert!(until.is_string(), "{until}");

    story.somebody("Olga").presses(&told, "Undo").await;
    let told = screen.sees_answer().await;
    assert!(text(&told).contains("may write again"), "{told}");
    let until = story.member("Gus").await.unwrap()["communication_disabled_until"].clone();
    assert!(until.is_null(), "{until}");
}

#[tokio::test]
async fn somebody_in_a_timeout_moderates_nobody() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    gus.uses("general", "kick", json!({"user": story.id_of("Pip")}))
        .await;
    let asked = screen.sees_answer().await;
    // Between the question and the click.
    story.somebody("Olga").silences("Gus").await;
    gus.presses(&asked, "Approve").await;
    let told = screen.sees_answer().await;
    assert_eq!(
        text(&told),
        "You need the permission Kick Members for that."
    );
    assert!(story.member("Pip").await.is_some());
}

#[tokio::test]
async fn an_administrator_is_never_timed_out() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Olga").await;
    let options = json!({"user": story.id_of("Rex"), "duration": "1h"});
    story
        .somebody("Olga")
        .uses("general", "timeout", options)
        .await;
    let told = screen.sees_answer().await;
    assert_eq!(text(&told), "Their highest role is not below mine.");
}

#[tokio::test]
async fn a_kick_in_words_waits_for_the_click_of_who_asked() {
    let mut story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    story
        .somebody("Gus")
        .says("general", "@Kaiwa kick Cara")
        .await;
    let call = story.model.is_asked("Gus: @Kaiwa kick Cara").await;
    let arguments = r#"{"user": "cara", "reason": "rude"}"#;
    call.waits_for(&[("kick", arguments)]).await;
    let call = story.model.is_told("has to confirm it").await;
    call.answers("As soon as you click.").await;
    let shown = screen
        .sees("MESSAGE_CREATE", |it| {
            it["components"].as_array().is_some_and(|it| !it.is_empty())
        })
        .await;
    assert!(text(&shown).contains("**Cara**"), "{shown}");
    assert!(story.member("Cara").await.is_some());
    story.somebody("Gus").presses(&shown, "Approve").await;
    let told = screen.sees_answer().await;
    assert!(text(&told).contains("had to leave"), "{told}");
    assert!(story.member("Cara").await.is_none());
}

#[tokio::test]
async fn names_that_fit_nobody_or_two_people_are_sent_back() {
    let mut story = Story::at_court().await;
    story
        .somebody("Gus")
        .says("general", "@Kaiwa kick Zoe")
        .await;
    let call = story.model.is_asked("Gus: @Kaiwa kick Zoe").await;
    call.waits_for(&[("kick", r#"{"user": "Zoe"}"#)]).await;
    let call = story
        .model
        .is_told("there is nobody of that name here")
        .await;
    call.answers("Who is Zoe?").await;
    story.sees("general", "Who is Zoe?").await;
}

#[tokio::test]
async fn warnings_are_numbered_and_listed() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    let cara = story.id_of("Cara");
    let whispers = story.somebody("Cara").direct_messages().await;
    for (number, expected) in [(1, "their first warning"), (2, "warning number 2")] {
        let options = json!({"user": cara, "reason": format!("loud {number}")});
        gus.uses("general", "warn", options).await;
        let told = screen.sees_answer().await;
        assert!(text(&told).contains(&format!("Case {number}")), "{told}");
        assert!(text(&told).contains(expected), "{told}");
    }
    let news = story.transcript(&whispers);
    assert!(
        news.contains("You were warned in Court. Reason: loud 1"),
        "{news}"
    );

    gus.uses("general", "cases", json!({"user": cara})).await;
    let told = screen.sees_answer().await;
    let (second, first) = (
        text(&told).find("2. warning").unwrap(),
        text(&told).find("1. warning").unwrap(),
    );
    assert!(second < first, "{told}");
    // Only who asked sees it.
    assert_eq!(told["flags"].as_u64().unwrap() & 64, 64);
    gus.uses("general", "cases", json!({"user": story.id_of("Pip")}))
        .await;
    let told = screen.sees_answer().await;
    assert_eq!(text(&told), "There are no cases.");
}

#[tokio::test]
async fn the_list_of_bans_says_until_when() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    gus.uses("general", "banlist", json!({})).await;
    let told = screen.sees_answer().await;
    assert_eq!(text(&told), "Nobody is banned.");
    story.somebody("Olga").bans("Cara").await;
    let options = json!({"user": story.id_of("Pip"), "duration": "3d"});
    gus.uses_and_approves(&mut screen, "general", "tempban", options)
        .await;
    gus.uses("general", "banlist", json!({})).await;
    let told = screen.sees_answer().await;
    let lines: Vec<&str> = text(&told).lines().collect();
    let line = |name: &str| *lines.iter().find(|it| it.starts_with(name)).unwrap();
    assert!(line("Pip").contains("→ <t:"), "{told}");
    assert!(!line("Cara").contains("→"), "{told}");

    gus.uses("general", "unban", json!({"user": story.id_of("Cara")}))
        .await;
    screen.sees_answer().await;
    assert_eq!(story.banned_for("Cara").await, None);
    gus.uses("general", "unban", json!({"user": story.id_of("Cara")}))
        .await;
    let told = screen.sees_answer().await;
    assert_eq!(text(&told), "They are not banned.");
}

#[tokio::test]
async fn a_nuke_deletes_what_it_says_and_nothing_else() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    for number in 1..=3 {
        let (pip, cara) = (format!("pip {number}"), format!("cara {number}"));
        story.somebody("Pip").says("hall", &pip).await;
        story.somebody("Cara").says("hall", &cara).await;
    }
    let options = json!({"count": 2, "user": story.id_of("Pip")});
    let told = gus
        .uses_and_approves(&mut screen, "hall", "nuke", options)
        .await;
    assert_eq!(text(&told), "Deleted 2 messages.");
    let left = story.transcript("hall");
    let left: Vec<&str> = left.lines().filter(|it| !it.starts_with("Kaiwa")).collect();
    assert_eq!(
        left,
        ["Pip: pip 1", "Cara: cara 1", "Cara: cara 2", "Cara: cara 3"]
    );

    // More than there is: what was there is counted.
    let told = gus
        .uses_and_approves(&mut screen, "hall", "nuke", json!({"count": 100}))
        .await;
    assert_eq!(text(&told), "Deleted 4 messages.");
    let told = gus
        .uses_and_approves(&mut screen, "hall", "nuke", json!({"count": 1}))
        .await;
    let nothing = "Deleted no messages: there are none that I can delete.";
    assert_eq!(text(&told), nothing);
}

#[tokio::test]
async fn a_nuke_in_words_spares_the_request_and_the_confirmation() {
    let mut story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    story.somebody("Pip").says("hall", "spam").await;
    story.somebody("Pip").says("hall", "more spam").await;
    story.somebody("Gus").says("hall", "@Kaiwa clean up").await;
    let call = story.model.is_asked("Gus: @Kaiwa clean up").await;
    call.waits_for(&[("nuke", r#"{"count": 50}"#)]).await;
    let call = story.model.is_told("has to confirm it").await;
    call.answers("Click, please.").await;
    let shown = screen
        .sees("MESSAGE_CREATE", |it| {
            it["components"].as_array().is_some_and(|it| !it.is_empty())
        })
        .await;
    story.sees_something("hall", "the confirmation").await;
    story.sees("hall", "Click, please.").await;
    story.somebody("Gus").presses(&shown, "Approve").await;
    let told = screen.sees_answer().await;
    assert_eq!(text(&told), "Deleted 2 messages.");
    let left = story.transcript("hall");
    assert!(left.starts_with("Gus: @Kaiwa clean up\n"), "{left}");
    assert!(left.contains("Kaiwa: Click, please."), "{left}");
    assert!(left.contains("Kaiwa: Deleted 2 messages."), "{left}");
}

#[tokio::test]
async fn slow_mode_is_set_and_taken_back() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    gus.uses("hall", "slowmode", json!({"wait": "five minutes"}))
        .await;
    let told = screen.sees_answer().await;
    assert!(text(&told).contains("300 s"), "{told}");
    assert_eq!(story.slow_mode("hall").await, 300);
    gus.presses(&told, "Undo").await;
    let told = screen.sees_answer().await;
    assert_eq!(text(&told), "Slow mode is off.");
    assert_eq!(story.slow_mode("hall").await, 0);
    gus.uses("hall", "slowmode", json!({"wait": "7h"})).await;
    let told = screen.sees_answer().await;
    assert!(text(&told).contains("six hours at most"), "{told}");
}

/// However it was asked for: the button goes after a day, and the words stay.
#[tokio::test]
async fn what_cannot_be_taken_back_any_more_has_no_button() {
    let mut story = Story::at_court().await;
    let mut screen = story.screen_of("Olga").await;
    let olga = story.somebody("Olga");
    let wait = json!({"wait": "five minutes"});
    olga.uses("general", "slowmode", wait).await;
    let by_command = screen.sees_answer().await;
    let options = json!({"user": story.id_of("Gus"), "duration": "1h", "reason": "enough"});
    let approved = olga.uses_and_approves(&mut screen, "general", "timeout", options);
    let approved = approved.await;
    olga.says("general", "@Kaiwa I like oolong").await;
    let call = story.model.is_asked("Olga: @Kaiwa I like oolong").await;
    let fact = r#"{"fact": "Olga likes oolong"}"#;
    call.waits_for(&[("remember_this_fact", fact)]).await;
    let learned = |it: &Value| text(it).starts_with("💡");
    let in_words = screen.sees("MESSAGE_CREATE", learned).await;
    let call = story.model.is_told("| remembered as #1").await;
    call.answers("Noted.").await;
    story.bot_is_done().await;
    story.bot_stops().await;
    story.bot_starts().await;

    story.clock.passes(Duration::from_secs(24 * 3600));
    for shown in [by_command, approved, in_words] {
        assert_eq!(shown["components"][0]["components"][0]["label"], "Undo");
        let changed = screen.sees("MESSAGE_UPDATE", |it| it["id"] == shown["id"]);
        let changed = changed.await;
        assert_eq!(changed["components"], json!([]), "{shown}");
        assert_eq!(changed["content"], shown["content"]);
    }
}

#[tokio::test]
async fn too_many_deeds_in_a_minute_have_to_wait() {
    let story = Story::at_court().await;
    let mut screen = story.screen_of("Gus").await;
    let gus = story.somebody("Gus");
    for _ in 0..5 {
        gus.uses("hall", "slowmode", json!({"wait": "off"})).await;
        screen.sees_answer().await;
    }
    gus.uses("hall", "slowmode", json!({"wait": "off"})).await;
    let told = screen.sees_answer().await;
    assert!(text(&told).starts_with("Slow down"), "{told}");
}
