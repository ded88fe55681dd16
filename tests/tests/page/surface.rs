//! The drawer under the surface, in a real browser: traffic, rate limits,
//! faults, the bot's restart, and which model answered at what cost.

use kaiwa_e2e::browser::page::{Page, RECONNECTING};
use kaiwa_e2e::browser::play::Play;
use kaiwa_e2e::story::Story;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");
const BUTTON: &str = "[data-testid=surface-button]";

/// Something that a message of the bot shows.
const ANSWER: &str = "article[data-author=Kaiwa] .message-body";

#[tokio::test]
async fn the_model_its_prompt_and_its_cost_are_told_and_the_bot_restarts() {
    let play = Play::start().await;
    let Some(page) = Page::open(&play.address).await else {
        return;
    };
    page.writes("@Kaiwa thanks").await;
    page.says_in(ANSWER, "You're welcome!").await;
    page.clicks(BUTTON).await;
    page.clicks("[data-testid=tab-model]").await;
    page.says_in(
        "[data-testid=model-decision] summary",
        "Answered: it mentions the bot",
    )
    .await;
    page.clicks("[data-testid=model-decision] > summary").await;
    page.says_in(
        "[data-testid=model-calls] caption",
        "Answered by understudy, free in all",
    )
    .await;
    page.says_in("[data-testid=model-calls] tbody", "chat")
        .await;
    page.browser
        .run("for (const it of document.querySelectorAll('[data-testid=told]')) it.open = true")
        .await;
    page.says_in("[data-testid=told] pre", "thanks").await;
    page.keeps_picture(PICTURES, "model.png").await;

    page.clicks("[data-testid=tab-faults]").await;
    page.clicks("[data-testid=restart-bot]").await;
    page.says_in(".notice", "The bot was restarted").await;
    page.writes("@Kaiwa show a list").await;
    page.says_in(
        "article[data-author=Kaiwa] ol > li",
        "Pour to the last drop",
    )
    .await;
    // What was decided before the restart is still known.
    page.clicks("[data-testid=tab-model]").await;
    page.until(
        "both questions",
        "document.querySelectorAll('[data-testid=model-decision]').length === 2",
    )
    .await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
    drop(page);
    play.is_interrupted().await;
}

#[tokio::test]
async fn traffic_passes_before_ones_eyes() {
    let story = Story::begin().await;
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    page.clicks(BUTTON).await;
    page.shows("[data-testid=panel-traffic]").await;
    let row = "[data-testid=traffic-row]";
    story.ben().says("general", "tea?").await;
    page.says_in(row, "MESSAGE_CREATE").await;
    page.clicks("[data-testid=show-people]").await;
    page.says_in(row, "/messages").await;
    page.focuses("[data-testid=traffic-filter]").await;
    page.presses("message_create").await;
    let only = "[...document.querySelectorAll('[data-testid=traffic-row]')].length > 0 && \
        [...document.querySelectorAll('[data-testid=traffic-row]')].every((it) => it.innerText.includes('MESSAGE_CREATE'))";
    page.until("nothing but what was asked for", only).await;
    page.clicks(&format!("{row}:last-child summary")).await;
    page.says_in(&format!("{row}:last-child pre"), "\"content\": \"tea?\"")
        .await;
    let tokens = "return document.querySelector('.traffic').innerText.includes('Bot ')";
    assert_eq!(page.browser.run(tokens).await, false);
    page.keeps_picture(PICTURES, "traffic.png").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn rate_limits_and_faults_are_at_hand() {
    let story = Story::without_bot().await;
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    page.clicks(BUTTON).await;
    page.clicks("[data-testid=tab-buckets]").await;
    page.writes("counted").await;
    page.says_in("[data-testid=bucket]", "Ada").await;
    page.keeps_picture(PICTURES, "buckets.png").await;

    page.clicks("[data-testid=tab-faults]").await;
    let whom = "const it = document.querySelector('[data-testid=fault-user]'); \
        it.value = [...it.options].find((one) => one.text === 'Ada').value";
    page.browser.run(whom).await;
    page.clicks("[data-name=Outage]").await;
    page.says_in("[data-testid=faults-active]", "500").await;
    page.keeps_picture(PICTURES, "faults.png").await;
    page.writes("refused").await;
    page.shows("[data-testid=retry]").await;
    page.clicks("[data-testid=faults-clear]").await;
    page.says_in("[data-testid=faults-active]", "None.").await;
    page.clicks("[data-testid=retry]").await;
    page.sees("Ada", "refused").await;

    page.watches_for(RECONNECTING).await;
    page.clicks("[data-name='Drop the connection']").await;
    page.saw_it().await;
    page.hides(RECONNECTING).await;
    page.writes("back").await;
    page.sees("Ada", "back").await;
    page.has_a_name_for_everything().await;
}
