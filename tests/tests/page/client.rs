//! The page as a client to live in, in a real browser: many messages, two
//! people side by side, members, and colours that can be read.

use axum::http::{Method, StatusCode};
use kaiwa_e2e::browser::page::{COMPOSER, ESCAPE, Page, TYPING};
use kaiwa_e2e::story::Story;
use serde_json::{Value, json};

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");

/// How many rows may be elements at once, whatever the channel holds.
const MOST_ROWS: u64 = 200;

/// Whether nothing but rows is in view: what stands for the others is not.
const NO_HOLE: &str = "(() => { const view = document.querySelector('.scroller').getBoundingClientRect(); \
    return [...document.querySelectorAll('.scroller .spacer')].every((it) => { \
      const { top, bottom } = it.getBoundingClientRect(); \
      return Math.min(bottom, view.bottom) - Math.max(top, view.top) < 1; }); })()";

async fn page() -> Option<(Story, Page)> {
    let story = Story::without_bot().await;
    let page = Page::open(&story.ready().page_url).await?;
    Some((story, page))
}

async fn rows(page: &Page) -> u64 {
    let counted = "return document.querySelectorAll('.log > *').length";
    page.browser.run(counted).await.as_u64().unwrap_or(u64::MAX)
}

#[tokio::test]
async fn ten_thousand_messages_are_a_few_rows() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    let text = |number: usize| match number % 7 {
        0 => format!("message {number}\nof two lines"),
        3 => format!("message {number} {}", "and on ".repeat(60)),
        _ => format!("message {number}"),
    };
    story
        .crowd_writes(&["Ben", "Mika", "Ben"], "general", 10_000, text)
        .await;
    page.says_in("article", "message 9999").await;
    assert!(rows(&page).await < MOST_ROWS);

    // All the way up, page by page, and never more than a few rows. However slow
    // the machine, a few pages come in time.
    for above in (1..10_000).rev().step_by(500).chain([1]) {
        let reached = format!(
            "(document.querySelector('.scroller').scrollTop = 0, \
              document.querySelectorAll('.log > *').length < {MOST_ROWS} && \
              [...document.querySelectorAll('article')].some((it) => Number(/message (\\d+)/.exec(it.innerText)?.[1]) < {above}))"
        );
        page.until(&format!("a message above {above}"), &reached)
            .await;
    }
    page.browser
        .run("document.querySelector('.scroller').scrollTop = 0")
        .await;
    page.shows(".welcome").await;
    page.says_in("article", "message 0").await;
    assert!(rows(&page).await < MOST_ROWS);
    page.keeps_picture(PICTURES, "top-of-10000.png").await;

    // Anywhere in between there is no hole, and what one looks at stays.
    for part in ["0.5", "0.2", "0.85", "0.95", "0.5"] {
        let scroll = format!(
            "const box = document.querySelector('.scroller'); box.scrollTop = box.scrollHeight * {part}"
        );
        page.browser.run(&scroll).await;
        page.until(&format!("rows at {part}"), NO_HOLE).await;
        assert!(rows(&page).await < MOST_ROWS, "at {part}");
    }
    let first_in_view = "return (() => { const edge = document.querySelector('.scroller').getBoundingClientRect().top; \
        const it = [...document.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > edge + 1); \
        return [it.dataset.id, Math.round(it.getBoundingClientRect().top)]; })()";
    let before = page.browser.run(first_in_view).await;
    story.ben().says("general", "one more").await;
    page.says_in("[data-testid=jump]", "New messages").await;
    let after = page.browser.run(first_in_view).await;
    assert_eq!(before[0], after[0]);
    let moved = before[1].as_i64().zip(after[1].as_i64());
    assert!(
        moved.is_some_and(|(a, b)| (a - b).abs() <= 2),
        "{before} {after}"
    );

    page.clicks("[data-testid=jump]").await;
    page.sees("Ben", "one more").await;
    page.hides("[data-testid=jump]").await;
    assert!(rows(&page).await < MOST_ROWS);
    page.has_no_complaints().await;
}

#[tokio::test]
async fn older_messages_that_did_not_come_can_be_asked_for_again() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    story
        .crowd_writes(&["Mika"], "general", 700, |number| format!("line {number}"))
        .await;
    page.says_in("article", "line 699").await;
    story.faults().fail_next(
        Method::GET,
        "/messages",
        StatusCode::BAD_GATEWAY,
        json!({"code": 0, "message": "502: Bad Gateway"}),
        1,
    );
    let go_up = "document.querySelector('.scroller').scrollTop = 0";
    page.browser.run(go_up).await;
    page.says_in(".log-note", "could not be loaded").await;
    page.browser.run(go_up).await;
    let first = "Math.min(...[...document.querySelectorAll('article')].map((it) => Number(/line (\\d+)/.exec(it.innerText)?.[1])))";
    let known = page.browser.run(&format!("return {first}")).await;
    page.clicks("[data-testid=load-again]").await;
    page.until("older messages", &format!("{first} < {known}"))
        .await;
    page.hides("[data-testid=load-again]").await;
}

#[tokio::test]
async fn a_quote_leads_far_back() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    let first = story.ben().says("general", "the very first").await;
    story
        .crowd_writes(&["Mika"], "general", 700, |number| format!("line {number}"))
        .await;
    let reply = story.ada().replies(&first, "remember this?").await;
    page.clicks(&format!(
        "article[data-id='{}'] button.quote-line",
        reply.id
    ))
    .await;
    page.shows(&format!("article[data-id='{}'].glow", first.id))
        .await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn two_people_act_side_by_side() {
    let Some((story, page)) = page().await else {
        return;
    };
    page.clicks("[data-testid=side-by-side]").await;
    let (left, right) = ("[data-testid=pane]", "[data-testid=pane-2]");
    page.shows(&format!("{right} [role=log][aria-busy=false]"))
        .await;
    page.shows(&format!("{right} .welcome")).await;
    page.focuses(&format!("{right} {COMPOSER}")).await;
    page.presses("hello from Ben").await;
    page.says_in(&format!("{left} {TYPING}"), "Ben is typing")
        .await;
    page.keeps_picture(PICTURES, "two-panes.png").await;
    page.presses("\u{e007}").await;
    page.says_in(
        &format!("{left} article[data-author=Ben]"),
        "hello from Ben",
    )
    .await;
    page.says_in(
        &format!("{right} article[data-author=Ben]"),
        "hello from Ben",
    )
    .await;
    page.focuses(&format!("{left} {COMPOSER}")).await;
    page.presses("hello from Ada\u{e007}").await;
    page.says_in(
        &format!("{right} article[data-author=Ada]"),
        "hello from Ada",
    )
    .await;
    // Each has a place of their own.
    page.clicks(&format!("{right} .toggle-channels")).await;
    page.clicks(&format!("{right} [data-testid=channel-random]"))
        .await;
    page.shows(&format!("{right} {COMPOSER}[aria-label='Message #random']"))
        .await;
    page.shows(&format!("{left} {COMPOSER}[aria-label='Message #general']"))
        .await;
    let ids = "const all = [...document.querySelectorAll('[id]')].map(({ id }) => id); return all.length === new Set(all).size";
    assert_eq!(page.browser.run(ids).await, true);
    page.has_a_name_for_everything().await;

    page.browser.open(&story.ready().page_url).await;
    page.shows(&format!("{right} {COMPOSER}[aria-label='Message #random']"))
        .await;
    page.clicks("[data-testid=close-second]").await;
    page.hides(right).await;
    page.writes("alone again").await;
    page.sees("Ada", "alone again").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn members_stand_under_their_roles() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    page.says_in(".member-list section:first-child", "Ada")
        .await;
    page.says_in(".member-list section:first-child h2", "KEEPER — 1")
        .await;
    page.says_in(".member-list section", "Kaiwa").await;
    page.says_in("[data-testid=member-Kaiwa] .bot-tag", "APP")
        .await;
    let color = "return getComputedStyle(document.querySelector('[data-testid=member-Ada] .row-name')).color \
        !== getComputedStyle(document.querySelector('[data-testid=member-Ben] .row-name')).color";
    assert_eq!(page.browser.run(color).await, true);
    // Those who are not there stand below.
    story.bot_starts().await;
    page.shows("[data-testid=member-Kaiwa] .presence-online")
        .await;
    page.shows("[data-testid=member-Ada] .presence-online")
        .await;
    page.says_in(".member-list section:last-child h2", "OFFLINE — 2")
        .await;
    page.keeps_picture(PICTURES, "members.png").await;
    story.bot_stops().await;
    page.shows("[data-testid=member-Kaiwa] .presence-offline")
        .await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn messages_group_as_on_discord() {
    let Some((story, page)) = page().await else {
        return;
    };
    story.ben().says("general", "one").await;
    story.ben().says("general", "two").await;
    story.ada().says("general", "three").await;
    let four = story.ben().says("general", "four").await;
    story.ben().replies(&four, "five").await;
    story.ben().says("general", "six").await;
    page.sees("Ben", "six").await;
    let groups = "return [...document.querySelectorAll('article')].map((it) => [it.querySelector('.message-body').innerText, it.matches('.compact')])";
    let expect = json!([
        ["one", false],
        ["two", true],
        ["three", false],
        ["four", false],
        ["five", false],
        ["six", true]
    ]);
    assert_eq!(page.browser.run(groups).await, expect);
    page.has_no_complaints().await;
}

/// Every text stands out from what is behind it: 4.5 to 1, or 3 to 1 where it
/// is large. WCAG 2.2, 1.4.3.
#[tokio::test]
async fn every_text_can_be_read() {
    let Some((story, page)) = page().await else {
        return;
    };
    let ada = story.person_id("Ada");
    let said = story
        .ben()
        .says(
            "general",
            &format!("<@{ada}> `code` **strong**\n> quote\n-# small\n```\nblock\n```"),
        )
        .await;
    story.ada().reacts(&said, "🍵").await;
    story
        .ben()
        .polls("general", "Which tea?", &["oolong", "sencha"])
        .await;
    let buttons = [1, 2, 3, 4].map(|style| json!({"type": 2, "style": style, "custom_id": style.to_string(), "label": "Press"}));
    story.bot_posts("general", json!({
        "embeds": [{"title": "T", "description": "d", "footer": {"text": "f"}, "fields": [{"name": "n", "value": "v"}]}],
        "components": [
            {"type": 1, "components": buttons},
            {"type": 1, "components": [{"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "a"}]}]},
        ],
    }));
    story.ada().replies(&said, "indeed").await;
    page.sees("Ada", "indeed").await;
    page.clicks("[data-testid=surface-button]").await;
    page.shows(".surface-tab").await;
    page.keeps_picture(PICTURES, "contrast.png").await;
    let pale = page.browser.run(PALE).await;
    assert_eq!(pale, Value::Array(Vec::new()));
    page.presses(ESCAPE).await;
    page.has_a_name_for_everything().await;
}

/// Texts whose contrast is too low, as [text, class, ratio]. What stands on a
/// picture or a gradient, or is switched off, is left out.
const PALE: &str = r##"
    const channel = (part) => { const it = part / 255; return it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4; };
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    canvas.canvas.width = canvas.canvas.height = 1;
    const paint = (...layers) => {
      canvas.fillStyle = "#000"; canvas.fillRect(0, 0, 1, 1);
      for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
      return canvas.getImageData(0, 0, 1, 1).data;
    };
    const behind = (node) => {
      const layers = [];
      for (let it = node; it; it = it.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(it);
        if (backgroundImage !== "none") return null;
        layers.unshift(backgroundColor);
      }
      return layers;
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      const node = walker.currentNode.parentElement;
      if (!text || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (node.closest(":disabled, .unseen, noscript, option, .avatar") || !/[\p{L}\p{N}]/u.test(text)) continue;
      const layers = behind(node);
      if (!layers) continue;
      const { color, fontSize, fontWeight } = getComputedStyle(node);
      const [one, other] = [light(paint(...layers)), light(paint(...layers, color))].sort((a, b) => b - a);
      const ratio = (one + 0.05) / (other + 0.05);
      const size = parseFloat(fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) found.push([text.slice(0, 40), node.className, ratio.toFixed(2)]);
    }
    return found;
"##;
