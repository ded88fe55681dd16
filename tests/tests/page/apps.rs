//! What applications offer, on the page, in a real browser: commands, buttons,
//! selects, forms, context menus, and messages for one reader alone. The bot is
//! written with discord.js, which knows nothing of Kaiwa.

use kaiwa_e2e::browser::node_bot::NodeBot;
use kaiwa_e2e::browser::page::{COMPOSER, DOWN, ENTER, ESCAPE, Page, TAB};
use kaiwa_e2e::story::Story;
use serde_json::json;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");
const TEA_BOT: &str = include_str!("../../bots/tea.mjs");
const COMMANDS: &str = "[data-testid=commands]";
const FORM: &str = "[data-testid=command-form]";
const MODAL: &str = "[data-testid=modal]";

async fn stage() -> Option<(Story, NodeBot, Page)> {
    let story = Story::without_bot().await;
    let bot = NodeBot::start(PICTURES, TEA_BOT, story.ready()).await?;
    let page = Page::open(&story.ready().page_url).await?;
    Some((story, bot, page))
}

/// The last message of the bot, or something in it.
fn last(css: &str) -> String {
    format!("article[data-author=Kaiwa]:not(:has(~ article[data-author=Kaiwa])) {css}")
}

async fn uses(page: &Page, command: &str) {
    page.focuses(COMPOSER).await;
    page.presses(&format!("/{command}")).await;
    page.shows(&format!(
        "{COMMANDS} [data-name='{command}'][aria-selected=true]"
    ))
    .await;
    page.presses(ENTER).await;
    page.shows(FORM).await;
    page.presses(ENTER).await;
    page.hides(FORM).await;
}

#[tokio::test]
async fn a_command_is_found_filled_in_and_answered() {
    let Some((story, _bot, page)) = stage().await else {
        return;
    };
    page.focuses(COMPOSER).await;
    page.presses("/").await;
    page.says_in(&format!("{COMMANDS} [role=option]"), "Brews a cup")
        .await;
    page.says_in(&format!("{COMMANDS} [role=option]"), "/shelf add")
        .await;
    page.keeps_picture(PICTURES, "commands.png").await;
    page.presses(ESCAPE).await;
    page.hides(COMMANDS).await;
    page.presses("bre").await;
    page.shows(&format!("{COMMANDS} [data-name=brew][aria-selected=true]"))
        .await;
    page.presses(TAB).await;

    // What is needed is asked for, and the application completes it.
    page.shows(FORM).await;
    page.says_in("[data-testid=proposal]", "assam").await;
    page.presses(ESCAPE).await;
    page.hides("[data-testid=proposal]").await;
    page.presses(ENTER).await;
    page.says_in(".command-problem", "required").await;
    page.presses("o").await;
    page.says_in("[data-testid=proposal]", "oolong").await;
    page.presses(ENTER).await;
    page.clicks("[data-testid=add-cups]").await;
    page.presses("12").await;
    page.presses(ENTER).await;
    page.says_in(".command-problem", "at most 9").await;
    page.presses("\u{e003}\u{e003}3").await;
    page.clicks("[data-testid=add-milk]").await;
    page.says_in("[data-testid=proposal]", "True").await;
    page.presses("fal").await;
    page.says_in("[data-testid=proposal]", "False").await;
    page.presses(ENTER).await;
    page.clicks("[data-testid=add-size]").await;
    page.says_in("[data-testid=proposal]", "Small").await;
    page.presses(&format!("{DOWN}{ENTER}")).await;
    page.keeps_picture(PICTURES, "command-form.png").await;
    page.presses(ENTER).await;
    page.says_in(
        &last(".message-body"),
        "Brewing: tea=oolong cups=3 milk=false size=l",
    )
    .await;
    page.says_in(&last("[data-testid=used]"), "/brew").await;
    page.hides(FORM).await;

    // A subcommand, and somebody of the guild.
    page.focuses(COMPOSER).await;
    page.presses("/shelf a").await;
    page.shows(&format!("{COMMANDS} [data-name='shelf add']"))
        .await;
    page.presses(ENTER).await;
    page.presses("Be").await;
    page.says_in("[data-testid=proposal]", "Ben").await;
    page.presses(ENTER).await;
    page.presses(ENTER).await;
    page.says_in(&last(".message-body"), "For ben").await;
    // A text that begins with a slash and is no command is a text.
    page.writes("/shrug indeed").await;
    page.sees("Ada", "/shrug indeed").await;

    // A command that is mentioned can be used from there.
    let said = story.ben().says("general", "try </menu:1>").await;
    page.clicks(&format!("article[data-id='{}'] .mention-link", said.id))
        .await;
    page.says_in(&format!("{FORM} .command-head"), "/menu")
        .await;
    page.presses(ESCAPE).await;
    page.hides(FORM).await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn buttons_and_selects_are_answered() {
    let Some((_story, _bot, page)) = stage().await else {
        return;
    };
    uses(&page, "menu").await;
    let menu = "article:has([data-custom=count])";
    page.clicks("[data-custom=count]").await;
    page.says_in("[data-custom=count]", "Pressed 1 times").await;
    page.focuses("[data-custom=count]").await;
    page.presses(ENTER).await;
    page.says_in("[data-custom=count]", "Pressed 2 times").await;
    page.shows(&format!("{menu} [data-custom=off]:disabled"))
        .await;

    page.clicks("[data-custom=teas]").await;
    page.says_in("[data-testid=option]", "a cup of assam").await;
    page.presses(ENTER).await;
    page.presses(&format!("{DOWN}{DOWN}{ENTER}")).await;
    page.shows("[data-testid=option][data-value=oolong][aria-selected=true]")
        .await;
    page.keeps_picture(PICTURES, "select.png").await;
    page.clicks("[data-testid=select-done]").await;
    page.says_in(&last(".message-body"), "Teas: assam, oolong")
        .await;
    page.says_in(&last(".quote-line"), "What will it be?").await;

    page.clicks("[data-custom=guest]").await;
    page.presses("mik").await;
    page.clicks("[data-testid=option]").await;
    page.says_in(&last(".message-body"), "Guest: mika").await;
    page.keeps_picture(PICTURES, "components.png").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn what_is_for_one_reader_can_be_put_away() {
    let Some((_story, _bot, page)) = stage().await else {
        return;
    };
    page.clicks("[data-testid=side-by-side]").await;
    let other = "[data-testid=pane-2]";
    page.shows(&format!("{other} .welcome")).await;
    uses(&page, "menu").await;
    page.clicks("[data-testid=pane] [data-custom=secret]").await;
    page.says_in("[data-testid=pane] article.ephemeral", "Just for you, ada")
        .await;
    page.says_in("[data-testid=ephemeral]", "Only you can see this")
        .await;
    page.shows(&format!("{other} article")).await;
    page.hides(&format!("{other} article.ephemeral")).await;
    page.keeps_picture(PICTURES, "ephemeral.png").await;
    page.clicks("[data-testid=dismiss]").await;
    page.hides("article.ephemeral").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_form_is_filled_in_and_sent() {
    let Some((_story, _bot, page)) = stage().await else {
        return;
    };
    uses(&page, "order").await;
    page.says_in(&format!("{MODAL} h2"), "Your order").await;
    page.says_in(&format!("{MODAL} label"), "Your name").await;
    page.presses("Ada L.").await;
    page.presses(TAB).await;
    page.presses("two sugars").await;
    page.keeps_picture(PICTURES, "modal.png").await;
    page.clicks("[data-testid=modal-submit]").await;
    page.hides(MODAL).await;
    page.says_in(&last(".message-body"), "Order of Ada L.: two sugars")
        .await;

    // From a button, and by the keyboard alone.
    uses(&page, "menu").await;
    page.shows("[data-custom=form]").await;
    page.focuses("[data-custom=form]").await;
    page.presses(ENTER).await;
    page.shows(MODAL).await;
    page.presses(&format!("Ben{ENTER}")).await;
    page.says_in(&last(".message-body"), "Order of Ben: nothing else")
        .await;
    page.clicks("[data-custom=form]").await;
    page.shows(MODAL).await;
    page.presses(ESCAPE).await;
    page.hides(MODAL).await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn messages_and_members_have_menus() {
    let Some((story, _bot, page)) = stage().await else {
        return;
    };
    let said = story.ben().says("general", "twelve chars").await;
    let said = format!("article[data-id='{}']", said.id);
    page.shows(&said).await;
    page.focuses(&said).await;
    page.presses("m").await;
    page.says_in("[data-testid=menu]", "Count letters").await;
    page.keeps_picture(PICTURES, "context-menu.png").await;
    page.clicks("[data-testid=app-command]").await;
    page.says_in(&last(".message-body"), "12 letters").await;
    page.says_in("[data-testid=ephemeral]", "Only you can see this")
        .await;

    let open = "document.querySelector('[data-testid=member-Ben]').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 1100, clientY: 200 }))";
    page.browser.run(open).await;
    page.says_in("[data-testid=menu]", "Message Ben").await;
    page.clicks("[data-testid=app-command]").await;
    page.says_in(&last(".message-body"), "A cup for ben").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn thinking_silence_and_cards() {
    let Some((_story, mut bot, page)) = stage().await else {
        return;
    };
    uses(&page, "slow").await;
    page.says_in("[data-testid=thinking]", "Kaiwa is thinking…")
        .await;
    bot.goes_on().await;
    page.says_in(&last(".message-body"), "Thought it over")
        .await;
    page.hides("[data-testid=thinking]").await;

    uses(&page, "card").await;
    let card = last("[data-testid=container]");
    for (css, words) in [
        ("h4.md-heading-2", "House card"),
        ("strong", "care"),
        ("[data-testid=text-display]", "below the line"),
        ("[data-testid=elsewhere]", "a cup at example.com"),
        ("[data-testid=component-button]", "Whisper"),
    ] {
        page.says_in(&format!("{card} {css}"), words).await;
    }
    page.shows(&format!("{card} [role=separator]")).await;
    page.keeps_picture(PICTURES, "card.png").await;
    page.clicks(&format!("{card} [data-testid=component-button]"))
        .await;
    page.says_in("article.ephemeral", "Just for you, ada").await;

    uses(&page, "silent").await;
    page.says_in(".notice", "did not respond").await;
    page.has_no_complaints().await;
}

/// Webhooks speak under names of their own, which group apart.
#[tokio::test]
async fn webhooks_have_names_of_their_own() {
    let story = Story::without_bot().await;
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    let api = &story.ready().api_url;
    let general = &story.ready().channels["general"];
    let http = kaiwa_e2e::http();
    let bot = format!("Bot {}", story.ready().bot.token);
    let made = http
        .post(format!("{api}/channels/{general}/webhooks"))
        .header("authorization", bot)
        .json(&json!({"name": "House"}))
        .send()
        .await
        .expect("an answer");
    let made: serde_json::Value = made.json().await.expect("JSON");
    let (id, token) = (&made["id"], &made["token"]);
    let url = format!(
        "{api}/webhooks/{}/{}",
        id.as_str().unwrap_or_default(),
        token.as_str().unwrap_or_default()
    );
    for (name, avatar, text) in [
        ("Owl", None, "one"),
        ("Owl", None, "two"),
        ("Fox", None, "three"),
        ("Fox", Some("https://example.com/fox.png"), "four"),
    ] {
        let said = http
            .post(format!("{url}?wait=true"))
            .json(&json!({"username": name, "avatar_url": avatar, "content": text}));
        let said = said.send().await.expect("an answer");
        assert!(said.status().is_success(), "{said:?}");
    }
    page.sees("Fox", "four").await;
    let groups = "return [...document.querySelectorAll('article')].map((it) => [it.dataset.author, it.matches('.compact'), !!it.querySelector('.bot-tag')])";
    let expect = json!([
        ["Owl", false, true],
        ["Owl", true, false],
        ["Fox", false, true],
        ["Fox", false, true]
    ]);
    assert_eq!(page.browser.run(groups).await, expect);
    // The last one has a picture of its own.
    page.shows("article:last-of-type .portrait.seen").await;
    page.keeps_picture(PICTURES, "webhooks.png").await;
    page.hides("[data-testid=member-Owl]").await;
    page.has_no_complaints().await;
}
