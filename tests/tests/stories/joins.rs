//! What people who join are given: a welcome in character, and roles.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::story::Story;

/// A court with these settings, and the code of an invite to it.
async fn court(settings: &[(SettingKey, &str)]) -> (Story, String) {
    let mut story = Story::court().await;
    story.bot_starts().await;
    // Requests to Discord are given up after twenty seconds: nobody else waits
    // for as long as this.
    story.sets("Court", SettingKey::WelcomeDelay, "25s").await;
    for (key, value) in settings {
        story.sets("Court", *key, value).await;
    }
    let code = story.somebody("Olga").invites_to("general").await;
    (story, code)
}

#[tokio::test]
async fn whoever_joins_is_welcomed_in_character_after_a_while() {
    let (mut story, code) = court(&[(SettingKey::WelcomePrompt, "Offer them tea.")]).await;
    let hall = story.ready().channels["hall"].clone();
    story.sets("Court", SettingKey::WelcomeChannel, &hall).await;
    story.somebody("Ned").joins_by(&code).await;
    story.clock.skip_any(22_000..=25_000).await;
    let call = story.model.is_told("has just joined the server").await;
    assert!(call.system().contains("You are kind."));
    assert!(call.last().contains("Offer them tea."), "{}", call.last());
    assert!(call.last().contains("\"Ned\""), "{}", call.last());
    assert!(call.tools().is_empty());
    let welcome = format!("Welcome, <@{}>!", story.id_of("Ned"));
    call.answers(&welcome).await;
    let said = story.sees("hall", &welcome).await;
    assert_eq!(said.replies_to, None);
}

#[tokio::test]
async fn nobody_is_welcomed_who_has_left() {
    let (mut story, code) = court(&[]).await;
    let hall = story.ready().channels["hall"].clone();
    story.sets("Court", SettingKey::WelcomeChannel, &hall).await;
    story.somebody("Ned").joins_by(&code).await;
    story.clock.sleeps(22_000..=25_000).await;
    story.somebody("Ned").leaves().await;
    story.clock.skip_any(22_000..=25_000).await;
    // Somebody else is, so the first was passed over.
    story.somebody("Nan").joins_by(&code).await;
    story.clock.skip_any(22_000..=25_000).await;
    let call = story.model.is_told("has just joined the server").await;
    assert!(call.last().contains("\"Nan\""), "{}", call.last());
}

#[tokio::test]
async fn a_welcome_that_the_model_has_no_words_for_is_left_out() {
    let (mut story, code) = court(&[]).await;
    let hall = story.ready().channels["hall"].clone();
    story.sets("Court", SettingKey::WelcomeChannel, &hall).await;
    story.somebody("Ned").joins_by(&code).await;
    story.clock.skip_any(22_000..=25_000).await;
    let call = story.model.is_told("has just joined the server").await;
    call.stays_silent();
    story.clock.skip(Duration::from_secs(30)).await;
    story.bot_is_done().await;
    story.bot_stops().await;
    assert_eq!(story.transcript("hall"), "");
}

#[tokio::test]
async fn a_role_is_given_on_joining_and_tried_until_discord_agrees() {
    let (mut story, code) = court(&[]).await;
    let crew = story.role("Crew");
    story.sets("Court", SettingKey::JoinRole, &crew).await;
    story.next_roles_fail(1);
    story.somebody("Ned").joins_by(&code).await;
    story.role_was_refused().await;
    story.bot_stops().await;
    story.bot_starts().await;
    story.sees_role("Ned", &crew).await;
}

#[tokio::test]
async fn a_role_for_staying_takes_time_and_messages() {
    let (story, code) = court(&[
        (SettingKey::AutoRoleAfter, "2m"),
        (SettingKey::AutoRoleMessages, "2"),
    ])
    .await;
    let crew = story.role("Crew");
    story.sets("Court", SettingKey::AutoRole, &crew).await;
    story.somebody("Ned").joins_by(&code).await;
    for text in ["hello", "nice here"] {
        story.somebody("Ned").says("general", text).await;
    }
    assert_eq!(story.roles_of("Ned").await, Vec::<String>::new());
    story.sees_role("Ned", &crew).await;
}
