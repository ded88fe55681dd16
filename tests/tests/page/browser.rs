//! The page in a real browser, as people use it. Stories about the bot run the
//! binary; the others run the page on an emulator whose faults they choose.

use std::path::Path;

use axum::http::{Method, StatusCode};
use kaiwa_e2e::browser::page::{COMPOSER, ENTER, ESCAPE, Page, RECONNECTING, TAB, TYPING, UP};
use kaiwa_e2e::browser::play::Play;
use kaiwa_e2e::story::Story;
use kaiwa_emulator::Cut;
use serde_json::json;

/// Something that a message of the bot shows.
fn of_kaiwa(css: &str) -> String {
    format!("article[data-author=Kaiwa] {css}")
}

/// The page on an emulator without a bot.
async fn page_without_bot() -> Option<(Story, Page)> {
    let story = Story::without_bot().await;
    let page = Page::open(&story.ready().page_url).await?;
    Some((story, page))
}

#[tokio::test]
async fn a_newcomers_first_minute() {
    let play = Play::start().await;
    let Some(page) = Page::open(&play.address).await else {
        return;
    };
    page.shows("[data-testid=channel-general][aria-current=page]")
        .await;
    page.says_in(".welcome", "@Kaiwa hello").await;

    page.watches_for(&format!("{TYPING} .dots")).await;
    page.writes("@Kaiwa hello").await;
    let question = page.sees("Ada", "@Kaiwa hello").await;
    page.says_in(&format!("{question} .mention"), "@Kaiwa")
        .await;
    page.saw_it().await;

    page.says_in(&of_kaiwa(".quote-line"), "@Kaiwa hello").await;
    page.says_in(&of_kaiwa("strong"), "understudy").await;
    page.says_in(&of_kaiwa(".message-body"), "then start again")
        .await;
    page.hides(&format!("{TYPING} .dots")).await;

    page.writes("@Kaiwa show a list").await;
    page.says_in(&of_kaiwa("ol > li"), "Pour to the last drop")
        .await;
    page.hides(&format!("{TYPING} .dots")).await;
    page.writes("@Kaiwa show code").await;
    page.says_in(TYPING, "Kaiwa is typing").await;
    keep_picture(&page.browser.screenshot().await);
    page.says_in(&of_kaiwa("pre > code"), "fn steeping").await;
    page.says_in(&of_kaiwa(".message-body"), "from memory")
        .await;
    page.hides(&format!("{TYPING} .dots")).await;

    page.has_no_complaints().await;
    drop(page);
    play.is_interrupted().await;
}

/// Puts the picture where the README finds it if asked to, else out of the way.
fn keep_picture(png: &[u8]) {
    let update = std::env::var_os("KAIWA_UPDATE_SCREENSHOT").is_some_and(|it| it == "1");
    let folder = match update {
        true => concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"),
        false => env!("CARGO_TARGET_TMPDIR"),
    };
    let kept = std::fs::write(Path::new(folder).join("first-minute.png"), png);
    assert!(kept.is_ok() && png.starts_with(b"\x89PNG"), "{kept:?}");
}

#[tokio::test]
async fn a_table_arrives_as_a_picture_that_says_what_it_shows() {
    let play = Play::start().await;
    let Some(page) = Page::open(&play.address).await else {
        return;
    };
    page.writes("@Kaiwa show a table").await;
    let picture = of_kaiwa(".picture img[alt^='Table with']");
    page.shows(&picture).await;
    let drawn = format!(
        "const img = document.querySelector({}); await img.decode(); return [img.naturalWidth, img.alt]",
        json!(picture)
    );
    let drawn = page.browser.run(&drawn).await;
    assert!(
        drawn[0].as_u64().is_some_and(|width| width > 100),
        "{drawn}"
    );
    let alt = drawn[1].as_str().unwrap_or_default();
    assert!(alt.contains("Columns: "), "{alt}");
    page.has_no_complaints().await;
    drop(page);
    play.is_interrupted().await;
}

#[tokio::test]
async fn talking_in_private_as_somebody_else() {
    let play = Play::start().await;
    let Some(page) = Page::open(&play.address).await else {
        return;
    };
    page.focuses("[data-testid=identity]").await;
    page.presses("B").await;
    page.presses(ENTER).await;
    page.says_in(".self-tag", "you").await;
    page.is_in("#general").await;
    page.writes("Ben was here").await;
    page.sees("Ben", "Ben was here").await;

    page.clicks("[data-testid=member-Kaiwa]").await;
    page.is_in("@Kaiwa").await;
    page.writes("thanks").await;
    page.sees("Ben", "thanks").await;
    page.says_in(&of_kaiwa(".message-body"), "You're welcome!")
        .await;

    page.clicks("[data-testid=channel-general]").await;
    page.sees("Ben", "Ben was here").await;
    page.hides(&of_kaiwa("")).await;
    page.has_no_complaints().await;
    drop(page);
    play.is_interrupted().await;
}

#[tokio::test]
async fn guilds_are_switched_and_keep_apart() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    let (tea, reading) = (
        "[data-testid='guild-Tea House']",
        "[data-testid='guild-Reading Room']",
    );
    page.shows(&format!("{tea}[aria-current=true]")).await;
    page.writes("tea").await;
    page.sees("Ada", "tea").await;
    story.noor().says("Reading Room/quiet", "psst").await;
    page.shows(&format!("{reading}[aria-label$=unread]")).await;
    page.hides("[data-testid=channel-quiet]").await;

    page.clicks(reading).await;
    page.is_in("#general").await;
    page.says_in(".guild-name", "Reading Room").await;
    page.hides("[data-testid=channel-code]").await;
    page.hides("[data-testid=member-Ben]").await;
    page.shows("[data-testid=member-Countess]").await;
    page.clicks("[data-testid=channel-quiet]").await;
    page.sees("Noor", "psst").await;
    page.writes("shh").await;
    page.sees("Countess", "shh").await;
    page.shows(&format!("{reading}[aria-label$=Room]")).await;

    // A reload stays where one was.
    page.browser.open(&story.ready().page_url).await;
    page.is_in("#quiet").await;
    page.says_in(".guild-name", "Reading Room").await;
    page.clicks(tea).await;
    page.is_in("#general").await;
    page.sees("Ada", "tea").await;
    page.clicks(reading).await;
    page.is_in("#quiet").await;

    // Who is in one guild has no bar.
    page.focuses("[data-testid=identity]").await;
    page.presses("N").await;
    page.presses(ENTER).await;
    page.hides(".guild-bar").await;
    page.says_in(".guild-name", "Reading Room").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn hostile_text_stays_text() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    let hostile = [
        "<img src=x onerror=\"alert(1)\">",
        "<script>alert(1)</script>",
        "<svg onload=alert(1)><iframe src=\"javascript:alert(1)\"></iframe></svg>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "<javascript:alert(1)>",
        "</div></article><style>*{display:none}</style>",
    ];
    for text in hostile {
        story.ben().says("general", text).await;
        page.sees("Ben", text).await;
    }
    story
        .ben()
        .says("general", "```html\n<b onclick=alert(1)>\n```")
        .await;
    page.says_in("pre > code", "<b onclick=alert(1)>").await;

    page.writes(hostile[0]).await;
    page.sees("Ada", hostile[0]).await;
    let made = page
        .browser
        .run("return document.querySelectorAll('[role=log] :is(img, script, svg:not(.icon), iframe, style, a, b, [onclick])').length")
        .await;
    assert_eq!(made, 0);
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_lost_connection_loses_and_doubles_nothing() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    for (text, forgotten) in [("resumed", 0), ("begun anew", 1)] {
        story.faults().refuse_resumes(forgotten);
        page.watches_for(RECONNECTING).await;
        let ada = &story.ready().users[0].id;
        assert_eq!(story.faults().cut_gateway(ada, Cut::Abrupt), 1);
        story.ben().says("general", text).await;
        page.saw_it().await;
        page.hides(RECONNECTING).await;
        page.sees("Ben", text).await;
    }
    page.writes("I am back").await;
    page.sees("Ada", "I am back").await;
    for (author, text) in [
        ("Ben", "resumed"),
        ("Ben", "begun anew"),
        ("Ada", "I am back"),
    ] {
        assert_eq!(page.count(author, text).await, 1, "{text}");
    }
}

#[tokio::test]
async fn what_could_not_be_sent_is_kept_and_sent_once() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    let body = json!({"message": "The kettle is cold", "code": 0});
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    story
        .faults()
        .fail_next(Method::POST, "/messages", status, body, 1);
    page.writes("tea?").await;
    page.says_in("[data-testid=pending]", "tea?").await;
    page.says_in("[data-testid=pending]", "The kettle is cold")
        .await;
    assert_eq!(story.transcript("general"), "");

    page.clicks("[data-testid=retry]").await;
    page.sees("Ada", "tea?").await;
    page.hides("[data-testid=pending]").await;

    // Taken, but the answer never comes, not even to the browser, which tries
    // again by itself a few times: the gateway tells.
    story.faults().swallow_next(Method::POST, "/messages", 9);
    page.writes("coffee?").await;
    page.sees("Ada", "coffee?").await;
    page.hides("[data-testid=pending]").await;
    assert_eq!(story.transcript("general"), "Ada: tea?\nAda: coffee?\n");
    assert_eq!(page.count("Ada", "coffee?").await, 1);
}

#[tokio::test]
async fn a_long_message_is_counted_and_too_long_a_one_is_not_sent() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    let counter = "[data-testid=counter]";
    page.pastes(&"x".repeat(1799)).await;
    page.hides(counter).await;
    for (length, left) in [(1800, "200"), (2000, "0"), (2001, "-1")] {
        page.pastes(&"x".repeat(length)).await;
        page.says_in(counter, left).await;
    }
    page.shows("[data-testid=send]:disabled").await;
    page.presses(ENTER).await;
    page.hides("article").await;
    assert_eq!(story.transcript("general"), "");

    let text = "x".repeat(2000);
    page.pastes(&text).await;
    page.presses(ENTER).await;
    page.sees("Ada", &text).await;
    page.hides(counter).await;
}

#[tokio::test]
async fn words_can_be_changed_taken_back_and_answered() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    page.writes("two sugers").await;
    page.sees("Ada", "two sugers").await;
    page.presses(UP).await;
    page.says_in(".composer-context", "Editing").await;
    page.pastes("two sugars").await;
    page.presses(ENTER).await;
    let mine = page.sees("Ada", "two sugars").await;
    page.says_in(&format!("{mine} .edited"), "(edited)").await;

    story.ben().says("general", "milk?").await;
    let milk = page.sees("Ben", "milk?").await;
    page.focuses(&milk).await;
    page.presses("+").await;
    page.presses(ENTER).await;
    let pill = format!("{milk} [data-testid=reaction]");
    page.shows(&format!("{pill}[aria-pressed=true]")).await;
    page.clicks(&pill).await;
    page.hides(&pill).await;

    page.presses(ESCAPE).await;
    page.clicks(&milk).await;
    page.clicks(&format!("{milk} [data-testid=reply]")).await;
    page.says_in(".composer-context", "Ben").await;
    page.writes("please").await;
    let answer = page.sees("Ada", "please").await;
    page.says_in(&format!("{answer} .quote-line"), "milk?")
        .await;

    page.clicks(&mine).await;
    page.clicks(&format!("{mine} [data-testid=delete]")).await;
    page.clicks("[data-testid=confirm]").await;
    page.hides(&mine).await;
    assert_eq!(story.transcript("general"), "Ben: milk?\nAda: please\n");
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_phone_is_large_enough() {
    let Some((_story, page)) = page_without_bot().await else {
        return;
    };
    page.browser.screen(390, 844, true).await;
    page.hides("#channels").await;
    page.hides("#members").await;
    page.clicks(".toggle-channels").await;
    page.clicks("[data-testid=channel-random]").await;
    page.hides("#channels").await;
    page.is_in("#random").await;

    page.clicks(COMPOSER).await;
    page.presses("from my phone").await;
    page.clicks("[data-testid=send]").await;
    page.sees("Ada", "from my phone").await;

    page.has_a_name_for_everything().await;
    page.clicks(".toggle-members").await;
    page.shows("[data-testid=member-Kaiwa]").await;
    page.presses(ESCAPE).await;
    page.hides("#members").await;
    let sideways = "return document.documentElement.scrollWidth";
    assert_eq!(page.browser.run(sideways).await, 390);
    page.has_no_complaints().await;
}

#[tokio::test]
async fn everything_has_a_name_and_the_keyboard_reaches_it() {
    let Some((story, page)) = page_without_bot().await else {
        return;
    };
    story.ben().says("general", "`a` ```\nb\n``` ||c||").await;
    page.shows("article .spoiler").await;
    page.focuses("article").await;
    page.presses("+").await;
    page.shows(".palette button").await;
    page.has_a_name_for_everything().await;
    page.presses(ESCAPE).await;

    page.browser.run("document.activeElement.blur()").await;
    for stop in ["#channels", "#identity", "[role=log]", COMPOSER, "#members"] {
        let reached = format!("!!document.activeElement.closest({})", json!(stop));
        for _ in 0..40 {
            if page.browser.run(&format!("return {reached}")).await == true {
                break;
            }
            page.presses(TAB).await;
        }
        page.until(&format!("the focus to reach {stop}"), &reached)
            .await;
    }
    page.has_no_complaints().await;
}
