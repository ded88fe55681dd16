//! Why a message was answered, and what the model was told, on the page, in a
//! real browser.

use kaiwa_e2e::browser::page::{ESCAPE, Page};
use kaiwa_e2e::browser::play::Play;

#[tokio::test]
async fn the_page_says_why_and_what_the_model_was_told() {
    let play = Play::start().await;
    let Some(page) = Page::open(&play.address).await else {
        return;
    };
    page.is_in("#general").await;
    page.writes("just talking").await;
    let chatter = page.sees("Ada", "just talking").await;
    page.writes("@Kaiwa hello there").await;
    let question = page.sees("Ada", "@Kaiwa hello there").await;
    // A line that comes later would move what is clicked.
    page.says_in("article[data-author=Kaiwa]", "then start again.")
        .await;

    page.clicks(&chatter).await;
    page.clicks(&format!("{chatter} [data-testid=why]")).await;
    page.says_in(
        "[data-testid=decision]",
        "Not answered: it is not for the bot.",
    )
    .await;
    page.presses(ESCAPE).await;
    page.hides("[data-testid=inspection]").await;

    page.focuses(&question).await;
    page.presses("w").await;
    page.says_in("[data-testid=decision]", "Answered: it mentions the bot.")
        .await;
    page.clicks("[data-testid=told]:nth-last-of-type(2) summary")
        .await;
    page.says_in("[data-testid=told]:nth-last-of-type(2) pre", "hello there")
        .await;
    let png = page.browser.screenshot().await;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspection.png");
    std::fs::write(path, png).expect("a picture");
    page.has_no_complaints().await;
    drop(page);
    play.is_interrupted().await;
}
