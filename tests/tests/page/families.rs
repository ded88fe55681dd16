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
const CARD: &[u8] = include_bytes!("../../../crates/card/tests/cards/mina.png");
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
/// `@` is somebody who is proposed, a `+` the card.
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
        if let Some(name) = text.strip_prefix('+') {
            page.gives_file(&field, "change", name, "image/png", CARD)
                .await;
            continue;
        }
        page.focuses(&field).await;
        let name = text.strip_prefix('@');
        page.presses(name.unwrap_or(text)).await;
        if let Some(name) = name {
            page.says_in("[data-testid=proposal][aria-selected=true]", name)
                .await;
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

    // What was forgotten leaves room for the next, which is forgotten in words.
    let fact = json!({"fact": "Ada takes no sugar"});
    asks(&page, "remember_this_fact", fact).await;
    page.says_in(SAID, "💡 I will remember: Ada takes no sugar (#1)")
        .await;
    asks(&page, "recall", json!({"query": "sugar"})).await;
    page.says_in(SAID, "#1 Ada takes no sugar").await;
    asks(&page, "forget", json!({"fact": "1"})).await;
    page.says_in(SAID, "forgotten").await;
    asks(&page, "recall", json!({"query": "sugar"})).await;
    page.says_in(SAID, "nothing is remembered of that").await;
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

/// One use of a command.
#[derive(Clone, Copy)]
struct Use {
    command: &'static str,
    /// What it is given. Names in braces stand for what is known then.
    options: &'static [(&'static str, &'static str)],
    /// What else is asked.
    then: Then,
    /// What is read in the end.
    shown: &'static str,
}

/// What follows a command before it is done.
#[derive(Clone, Copy)]
enum Then {
    Nothing,
    /// A click on this button.
    Click(&'static str),
    /// A form with these fields.
    Form(&'static [(&'static str, &'static str)]),
}

const fn used(
    command: &'static str,
    options: &'static [(&'static str, &'static str)],
    shown: &'static str,
) -> Use {
    Use {
        command,
        options,
        then: Then::Nothing,
        shown,
    }
}

const fn then(then: Then, used: Use) -> Use {
    Use { then, ..used }
}

const MODERATION: [&str; 9] = [
    "slowmode", "warn", "cases", "timeout", "tempban", "banlist", "unban", "kick", "nuke",
];

const APPROVE: Then = Then::Click("Approve");

/// In an order in which each can be used after those before.
const USES: &[Use] = &[
    used("help", &[], "Mention me, or write to me directly."),
    used("stop", &[], "You are not waiting for an answer here."),
    used("regenerate", &[], "You have not asked me anything here"),
    used("why", &[], "What I decided here lately:"),
    used("status", &[], "Model: "),
    used("refresh", &[], "We begin anew"),
    used("now", &[("zone", "Asia/Tokyo")], "Asia/Tokyo, UTC+09:00"),
    used("calculate", &[("expression", "2+3*4")], "= 14"),
    used("random", &[("choices", "tea, tea")], "🎲 tea"),
    used("user_info", &[("user", "@Cara")], "Roles: "),
    used("avatar", &[("user", "@Cara")], "The picture of Cara"),
    used("search", &[("query", "matcha")], "Found for \"matcha\""),
    used(
        "fetch",
        &[("url", "{library}/pages/green-tea.html")],
        "Sencha",
    ),
    used(
        "react",
        &[("emoji", "✅"), ("message", "{message}")],
        "Done.",
    ),
    used("pin", &[("message", "{message}")], "📌 Pinned."),
    used("thread", &[("title", "Leaves")], "Here it is: "),
    used(
        "poll",
        &[("question", "Tea?"), ("answers", "yes, no")],
        "The poll is up.",
    ),
    used("sticker", &[("sticker", "Crown")], "Sent."),
    used(
        "remind",
        &[("when", "in 2 hours"), ("text", "water the tea")],
        "I will remind you ",
    ),
    used("reminders list", &[], "Your reminders here:"),
    used(
        "reminders delete",
        &[("reminder", "1")],
        "I will not remind you of that.",
    ),
    used(
        "memory add",
        &[("fact", "I like oolong")],
        "💡 I will remember: I like oolong (#1)",
    ),
    used("memory show", &[], "#1 I like oolong"),
    used("memory forget", &[("fact", "1")], "Forgotten."),
    used("memory export", &[], "Here is what I keep about you."),
    used(
        "persona import",
        &[("file", "+mina.png")],
        "Mina is imported.",
    ),
    used(
        "persona edit",
        &[("persona", "@Mina"), ("degree", "0")],
        "Mina is changed.",
    ),
    used(
        "persona sprite",
        &[
            ("persona", "@Mina"),
            ("sprite", "happy"),
            ("picture", "+happy.png"),
        ],
        "Mina has the picture \"happy\".",
    ),
    used("persona list", &[], "one persona speaks here:"),
    used("persona export", &[("persona", "@Mina")], "Here is Mina."),
    then(
        APPROVE,
        used("persona delete", &[("persona", "@Mina")], "Mina is gone."),
    ),
    then(
        Then::Form(&[("called", "Nina"), ("personality", "Calm.")]),
        used("persona create", &[], "Nina answers here from now on."),
    ),
    used("slowmode", &[("wait", "10s")], "People now wait 10 s"),
    used(
        "warn",
        &[("user", "@Cara"), ("reason", "spilt tea")],
        "was warned. Case 1",
    ),
    used("cases", &[], "Cases, newest first:"),
    then(
        APPROVE,
        used(
            "timeout",
            &[("user", "@Cara"), ("duration", "1h")],
            "cannot write until ",
        ),
    ),
    then(
        APPROVE,
        used(
            "tempban",
            &[("user", "@Pip"), ("duration", "1h")],
            "is banned until ",
        ),
    ),
    used("banlist", &[], "Banned:"),
    // Who is banned is proposed, though no member.
    used("unban", &[("user", "@Pip")], "may come back."),
    then(APPROVE, used("kick", &[("user", "@Gia")], "had to leave.")),
    then(
        APPROVE,
        used("nuke", &[("count", "1")], "Deleted one message."),
    ),
    used("privacy export", &[], "Here is what I keep about you."),
    used("privacy opt-out", &[], "I will not read what you write"),
    used("privacy opt-in", &[], "I read what you write again."),
    then(
        Then::Form(&[("confirmation", "erase")]),
        used("privacy erase", &[], "about you."),
    ),
];

/// What the bot says from now on, and nothing that is there already.
async fn forgets_what_was_said(page: &Page) {
    let script = "for (const it of document.querySelectorAll('article')) it.dataset.old = '';";
    page.browser.run(script).await;
}

const SAID_NOW: &str = "article[data-author=Kaiwa]:not([data-old])";

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
    let known: BTreeSet<String> = USES.iter().map(|it| it.command.to_owned()).collect();
    assert_eq!(listed, known, "every command is used");
    page.keeps_picture(PICTURES, "every-command.png").await;
    page.presses(&format!("\u{e003}{ESCAPE}")).await;

    for it in USES {
        // Nobody does all this in a minute; what is asked by a clock that is far
        // behind is not answered.
        let moderates = MODERATION.contains(&it.command);
        let pause = if moderates { 15 } else { 5 };
        story.clock.passes(Duration::from_secs(pause));
        let filled = it.options.iter().map(|(name, text)| {
            let text = text.replace("{library}", &library);
            (*name, text.replace("{message}", &message))
        });
        let filled: Vec<(&str, String)> = filled.collect();
        let options: Vec<(&str, &str)> = filled.iter().map(|it| (it.0, &*it.1)).collect();
        forgets_what_was_said(&page).await;
        uses(&page, it.command, &options).await;
        match it.then {
            Then::Nothing => {}
            Then::Click(label) => page.clicks(&button(label)).await,
            Then::Form(fields) => {
                for (field, text) in fields {
                    let field = format!("[data-testid=modal-{field}]");
                    page.shows(&field).await;
                    page.focuses(&field).await;
                    page.presses(text).await;
                }
                page.clicks("[data-testid=modal-submit]").await;
            }
        }
        page.says_in(SAID_NOW, it.shown).await;
        story.controls_are_done().await;
    }
    page.has_no_complaints().await;
}
