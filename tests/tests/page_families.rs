//! What the bot can do on request, on the page, in a real browser: asked for in
//! words of which the understudy makes calls, chosen from the list of commands,
//! and decided by click.

use std::collections::BTreeSet;
use std::time::Duration;

use kaiwa_e2e::browser::page::{COMPOSER, ENTER, ESCAPE, Page};
use kaiwa_e2e::story::Story;
use serde_json::json;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");
const PDF: &str = env!("CARGO_BIN_EXE_read_pdf");
const COMMANDS: &str = "[data-testid=commands]";
const FORM: &str = "[data-testid=command-form]";
const SAID: &str = "article[data-author=Kaiwa] .message-body";

/// The page with a bot whose model is the understudy, and whose web is the
/// library that comes with the playground. `who` owns the guild.
async fn stage(mut story: Story, who: &str) -> Option<(Story, Page, String)> {
    story.gets_understudy().await;
    let library = story.gets_library(PDF).await;
    story.bot_starts().await;
    story.commands_are_registered(who).await;
    let page = Page::open(&story.ready().page_url).await?;
    Some((story, page, format!("http://{library}")))
}

/// The button of that name: no two can be pressed at a time.
fn button(label: &str) -> String {
    format!("[data-testid=component-button][aria-label='{label}']")
}

/// Asks the understudy in words to use an action.
async fn asks(page: &Page, action: &str, arguments: serde_json::Value) {
    page.writes(&format!("@Kaiwa call {action} {arguments}"))
        .await;
}

/// Chooses a command from the list, fills in what it is given, and sends it. An
/// `@` is somebody who is proposed.
async fn uses(page: &Page, command: &str, options: &[(&str, &str)]) {
    page.focuses(COMPOSER).await;
    page.presses(&format!("/{command}")).await;
    page.shows(&format!(
        "{COMMANDS} [data-name='{command}'][aria-selected=true]"
    ))
    .await;
    page.presses(ENTER).await;
    page.shows(FORM).await;
    for (option, text) in options {
        let field = format!("[data-testid=option-{option}]");
        let script = format!("return !document.querySelector({})", json!(field));
        if page.browser.run(&script).await == true {
            page.clicks(&format!("[data-testid=add-{option}]")).await;
        }
        page.focuses(&field).await;
        let name = text.strip_prefix('@');
        page.presses(name.unwrap_or(text)).await;
        if let Some(name) = name {
            page.says_in("[data-testid=proposal]", name).await;
            page.presses(ENTER).await;
        }
    }
    page.clicks("[data-testid=command-send]").await;
    page.hides(FORM).await;
}

#[tokio::test]
async fn a_search_shows_what_was_found() {
    let Some((_story, page, _)) = stage(Story::without_bot().await, "Ada").await else {
        return;
    };
    page.writes("@Kaiwa search for matcha").await;
    page.says_in(SAID, "Matcha: tea that is drunk whole").await;
    page.says_in(SAID, "/pages/matcha.html").await;

    uses(&page, "search", &[("query", "kettle")]).await;
    page.says_in(SAID, "Found for \"kettle\"").await;
    page.shows("article[data-author=Kaiwa] a[href$='/pages/kettle.html']")
        .await;
    page.keeps_picture(PICTURES, "search.png").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_fact_is_remembered_and_forgotten() {
    let Some((_story, page, _)) = stage(Story::without_bot().await, "Ada").await else {
        return;
    };
    let fact = json!({"fact": "Ada likes oolong"});
    asks(&page, "remember_this_fact", fact).await;
    page.says_in(SAID, "💡 I will remember: Ada likes oolong (#1)")
        .await;
    page.says_in(SAID, "remembered as #1").await;
    page.keeps_picture(PICTURES, "learned.png").await;
    uses(&page, "memory show", &[]).await;
    page.says_in("article.ephemeral", "#1 Ada likes oolong")
        .await;
    page.clicks("[data-testid=dismiss]").await;
    page.hides("article.ephemeral").await;

    page.clicks(&button("Undo")).await;
    page.says_in(SAID, "Forgotten.").await;
    page.hides(&button("Undo")).await;
    uses(&page, "memory show", &[]).await;
    page.says_in("article.ephemeral", "I remember nothing of you here.")
        .await;

    // What was forgotten leaves room for the next.
    let fact = json!({"fact": "Ada takes no sugar"});
    asks(&page, "remember_this_fact", fact).await;
    page.says_in(SAID, "💡 I will remember: Ada takes no sugar (#1)")
        .await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_tempban_in_words_is_approved_and_undone_by_click() {
    let Some((story, page, _)) = stage(Story::court().await, "Olga").await else {
        return;
    };
    let pip = "[data-testid=member-Pip]";
    page.shows(pip).await;
    let ban = json!({"user": "Pip", "duration": "3d", "reason": "spilt the tea"});
    asks(&page, "tempban", ban).await;
    let whom = format!("Ban Pip ({}) until", story.id_of("Pip"));
    page.says_in(SAID, &whom).await;
    page.says_in(SAID, "Not done yet").await;
    page.shows(&button("Cancel")).await;
    page.keeps_picture(PICTURES, "confirmation.png").await;
    assert_eq!(story.banned_for("Pip").await, None);

    page.clicks(&button("Approve")).await;
    page.says_in(SAID, "is banned until").await;
    page.hides(pip).await;
    page.hides(&button("Approve")).await;
    let reason = story.banned_for("Pip").await;
    assert_eq!(reason.as_deref(), Some("Kaiwa case 1: spilt the tea"));

    page.clicks(&button("Undo")).await;
    page.says_in(SAID, "may come back.").await;
    page.hides(&button("Undo")).await;
    assert_eq!(story.banned_for("Pip").await, None);
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_reminder_arrives_when_it_is_due() {
    let Some((story, page, _)) = stage(Story::without_bot().await, "Ada").await else {
        return;
    };
    let tea = json!({"when": "in 5 minutes", "text": "water the tea"});
    asks(&page, "remind", tea).await;
    page.says_in(SAID, "set for").await;
    story.bot_is_done().await;
    story.clock.passes(Duration::from_secs(299));
    uses(&page, "reminders list", &[]).await;
    page.says_in("article.ephemeral", "water the tea").await;
    assert!(!story.transcript("general").contains('⏰'));
    story.clock.passes(Duration::from_secs(2));
    page.says_in(SAID, "⏰ @Ada water the tea").await;
    page.keeps_picture(PICTURES, "reminder.png").await;
    page.has_no_complaints().await;
}

/// A command, what it is given, and what is read then. Names in braces stand
/// for what is known when it is used.
type Use = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

/// In an order in which each can be used after those before.
const USES: &[Use] = &[
    ("help", &[], "Mention me, or write to me directly."),
    ("stop", &[], "You are not waiting for an answer here."),
    ("regenerate", &[], "You have not asked me anything here"),
    ("why", &[], "What I decided here lately:"),
    ("status", &[], "Model: "),
    ("refresh", &[], "We begin anew"),
    ("now", &[("zone", "Asia/Tokyo")], "Asia/Tokyo, UTC+09:00"),
    ("calculate", &[("expression", "2+3*4")], "= 14"),
    ("random", &[("choices", "tea, tea")], "🎲 tea"),
    ("user_info", &[("user", "@Cara")], "Roles: "),
    ("avatar", &[("user", "@Cara")], "The picture of Cara"),
    ("search", &[("query", "matcha")], "Found for \"matcha\""),
    (
        "fetch",
        &[("url", "{library}/pages/green-tea.html")],
        "Sencha",
    ),
    (
        "react",
        &[("emoji", "✅"), ("message", "{message}")],
        "Done.",
    ),
    ("pin", &[("message", "{message}")], "📌 Pinned."),
    ("thread", &[("title", "Leaves")], "Here it is: "),
    (
        "poll",
        &[("question", "Tea?"), ("answers", "yes, no")],
        "The poll is up.",
    ),
    ("sticker", &[("sticker", "Crown")], "Sent."),
    (
        "remind",
        &[("when", "in 2 hours"), ("text", "water the tea")],
        "I will remind you ",
    ),
    ("reminders list", &[], "Your reminders here:"),
    (
        "reminders delete",
        &[("reminder", "1")],
        "I will not remind you of that.",
    ),
    (
        "memory add",
        &[("fact", "I like oolong")],
        "💡 I will remember: I like oolong (#1)",
    ),
    ("memory show", &[], "#1 I like oolong"),
    ("memory forget", &[("fact", "1")], "Forgotten."),
    ("memory export", &[], "Here is what I keep about you."),
    ("slowmode", &[("wait", "10s")], "People now wait 10 s"),
    (
        "warn",
        &[("user", "@Cara"), ("reason", "spilt tea")],
        "was warned. Case 1",
    ),
    ("cases", &[], "Cases, newest first:"),
    (
        "timeout",
        &[("user", "@Cara"), ("duration", "1h")],
        "cannot write until ",
    ),
    (
        "tempban",
        &[("user", "@Pip"), ("duration", "1h")],
        "is banned until ",
    ),
    ("banlist", &[], "Banned:"),
];

/// These are in the list here, and used in `every_action` and `persona_actions`.
const LISTED_ALONE: [&str; 14] = [
    "unban",
    "kick",
    "nuke",
    "persona create",
    "persona list",
    "persona edit",
    "persona import",
    "persona export",
    "persona sprite",
    "persona delete",
    "privacy export",
    "privacy opt-out",
    "privacy opt-in",
    "privacy erase",
];

const CONFIRMED: [&str; 2] = ["timeout", "tempban"];

#[tokio::test]
async fn every_command_is_in_the_list_and_used_from_there() {
    let Some((story, page, library)) = stage(Story::court().await, "Olga").await else {
        return;
    };
    let message = story.somebody("Olga").says("general", "hello").await.id;
    page.focuses(COMPOSER).await;
    page.presses("/").await;
    page.shows(COMMANDS).await;
    let script = "return [...document.querySelectorAll('[data-testid=command]')].map((it) => it.dataset.name)";
    let listed = page.browser.run(script).await;
    let listed: BTreeSet<String> = serde_json::from_value(listed).expect("names");
    assert_eq!(listed, story.command_names());
    page.keeps_picture(PICTURES, "every-command.png").await;
    page.presses(&format!("\u{e003}{ESCAPE}")).await;

    let known = USES
        .iter()
        .map(|(command, ..)| *command)
        .chain(LISTED_ALONE);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    assert_eq!(listed, known, "every command is used, here or elsewhere");
    let filled = |text: &str| {
        text.replace("{library}", &library)
            .replace("{message}", &message)
    };
    for (command, options, shown) in USES {
        // Nobody does all this in a minute.
        story.clock.passes(Duration::from_secs(15));
        let options: Vec<(&str, String)> = options
            .iter()
            .map(|(name, text)| (*name, filled(text)))
            .collect();
        let options: Vec<(&str, &str)> = options
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        uses(&page, command, &options).await;
        if CONFIRMED.contains(command) {
            page.clicks(&button("Approve")).await;
        }
        page.says_in("article[data-author=Kaiwa]", shown).await;
        story.controls_are_done().await;
    }
}
