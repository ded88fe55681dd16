//! Nobody's first "stop" waits for word lists: they are built when the bot
//! starts. Alone in its process, for they are built once in each.

use kaiwa_e2e::soon;
use kaiwa_e2e::story::Story;
use kaiwa_pipeline::admit::stop::lexicon_is_built;

#[tokio::test]
async fn the_words_for_stop_are_known_when_the_bot_is_up() {
    let mut story = Story::without_bot().await;
    assert!(!lexicon_is_built());
    story.bot_starts().await;
    let built = async {
        while !lexicon_is_built() {
            tokio::task::yield_now().await;
        }
    };
    soon("the words for stop", built).await;
}
