//! The buttons below Kaiwa's answers, on the page, in a real browser.

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::browser::page::Page;
use kaiwa_e2e::story::Story;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");
const STOP: &str = "article[data-author=Kaiwa] [data-custom*=stop_answer]";
const AGAIN: &str = "article[data-author=Kaiwa] [data-custom*=answer_again]";
const SOURCE: &str = "article[data-author=Kaiwa] [data-custom*=table_source]";
const SHOWN: &str = "article[data-author=Kaiwa] pre";

#[tokio::test]
async fn an_answer_is_stopped_and_given_again_with_clicks() {
    let mut story = Story::begin_with(&[(SettingKey::RegenerateButton, "on")]).await;
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    page.writes("@Kaiwa tell me").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa tell me").await;
    answer.says("Once upon a time.\nThere ").await;
    page.sees("Kaiwa", "Once upon a time.").await;
    page.hides(STOP).await;
    story.clock.skip(Duration::from_secs(15)).await;
    page.says_in(STOP, "Stop").await;
    page.keeps_picture(PICTURES, "stop-button.png").await;
    page.clicks(STOP).await;
    answer.is_cancelled().await;
    page.sees("Kaiwa", "Stopped.").await;
    page.hides(STOP).await;

    page.writes("@Kaiwa shorter").await;
    let answer = story.model.is_asked("Ada: @Kaiwa shorter").await;
    answer.answers("A kettle sang.").await;
    page.sees("Kaiwa", "A kettle sang.").await;
    page.says_in(AGAIN, "Regenerate").await;
    page.clicks(AGAIN).await;
    page.sees("Kaiwa", "I will answer that once more.").await;
    let answer = story.model.is_asked("Ada: @Kaiwa shorter").await;
    answer.answers("The kettle was quiet.").await;
    page.sees("Kaiwa", "The kettle was quiet.").await;
    page.keeps_picture(PICTURES, "regenerate-button.png").await;
    page.writes("@Kaiwa a table").await;
    let answer = story.model.is_asked("Ada: @Kaiwa a table").await;
    answer
        .answers("| tea | price |\n|---|---|\n| Assam | 3 |\n")
        .await;
    page.says_in(SOURCE, "Show source").await;
    page.clicks(SOURCE).await;
    page.says_in(SHOWN, "| Assam | 3 |").await;
    page.keeps_picture(PICTURES, "table-source.png").await;

    story.clock.passes(Duration::from_secs(15 * 60));
    page.hides(AGAIN).await;
    page.hides(SOURCE).await;
    page.sees("Kaiwa", "A kettle sang.").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}
