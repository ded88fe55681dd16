//! Threads, forum posts, reactions and guild emoji on the page, in a real
//! browser.

use kaiwa_e2e::browser::page::{COMPOSER, ENTER, ESCAPE, Page};
use kaiwa_e2e::browser::play::Play;
use kaiwa_e2e::story::Story;

/// The page on an emulator without a bot.
async fn page() -> Option<(Story, Page)> {
    let story = Story::without_bot().await;
    let page = Page::open(&story.ready().page_url).await?;
    Some((story, page))
}

/// Keeps a picture for whoever wants to look.
async fn keep_picture(page: &Page, name: &str) {
    let png = page.browser.screenshot().await;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let kept = std::fs::write(path, &png);
    assert!(kept.is_ok() && png.starts_with(b"\x89PNG"), "{kept:?}");
}

/// What is behind a question cannot be reached, so only the field is asked for.
async fn is_labelled(page: &Page, css: &str) {
    page.shows(css).await;
    let label = format!("return document.querySelector(\"{css}\").labels[0].innerText !== ''");
    assert_eq!(page.browser.run(&label).await, true, "{css}");
}

#[tokio::test]
async fn a_thread_is_opened_on_a_message_and_written_in() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    story.ben().says("general", "milk?").await;
    let milk = page.sees("Ben", "milk?").await;
    page.clicks(&milk).await;
    page.clicks(&format!("{milk} [data-testid=thread]")).await;
    is_labelled(&page, "[data-testid=ask-name]").await;
    page.presses("About milk").await;
    page.presses(ENTER).await;
    page.is_in("#About milk").await;
    page.shows("[data-testid='thread-About milk'][aria-current=page]")
        .await;
    page.sees("Ben", "milk?").await;
    page.says_in(".topic", "Thread in #general").await;
    page.writes("two drops").await;
    page.sees("Ada", "two drops").await;
    let thread = story.events("THREAD_CREATE")[0]["id"].clone();
    let thread = thread.as_str().expect("an id");
    story.ben().says(thread, "three").await;
    page.sees("Ben", "three").await;

    page.clicks("[data-testid=channel-general]").await;
    page.is_in("#general").await;
    let milk = page.sees("Ben", "milk?").await;
    let link = format!("{milk} [data-testid=thread-link]");
    page.says_in(&link, "About milk").await;
    page.says_in(&link, "2 messages").await;
    story.ben().says(thread, "four").await;
    page.shows("[data-testid='thread-About milk'].unread").await;
    page.clicks(&link).await;
    page.is_in("#About milk").await;
    page.sees("Ben", "four").await;
    page.has_no_complaints().await;
}

/// In the real playground, with the bot.
#[tokio::test]
async fn the_bot_answers_in_a_thread_and_in_a_post() {
    let play = Play::start().await;
    let Some(page) = Page::open(&play.address).await else {
        return;
    };
    let answer = "article[data-author=Kaiwa] .message-body";
    page.clicks("[data-testid=new-thread]").await;
    page.presses("Side talk").await;
    page.presses(ENTER).await;
    page.is_in("#Side talk").await;
    page.writes("@Kaiwa thanks").await;
    page.says_in(answer, "You're welcome!").await;
    page.clicks("[data-testid=channel-ideas]").await;
    page.clicks("[data-testid=new-post]").await;
    page.presses("A question").await;
    page.focuses("[data-testid=ask-text]").await;
    page.presses("@Kaiwa thanks").await;
    page.clicks("[data-testid=confirm]").await;
    page.is_in("#A question").await;
    page.says_in(answer, "You're welcome!").await;
    page.has_no_complaints().await;
    drop(page);
    play.is_interrupted().await;
}

/// By the keyboard alone, and then by somebody else.
#[tokio::test]
async fn a_thread_without_a_message_is_told_of() {
    let Some((story, page)) = page().await else {
        return;
    };
    page.focuses("[data-testid=new-thread]").await;
    page.presses(ENTER).await;
    page.shows("[data-testid=ask-name]").await;
    page.presses(ESCAPE).await;
    page.hides("[data-testid=ask-name]").await;
    page.focuses("[data-testid=new-thread]").await;
    page.presses(ENTER).await;
    page.presses("Notes").await;
    page.presses(ENTER).await;
    page.is_in("#Notes").await;
    page.clicks("[data-testid=channel-general]").await;
    page.says_in("[data-testid=thread-notice]", "Ada started a thread: Notes")
        .await;

    let other = story.ben().opens_thread("general", "Other notes").await;
    story.ben().says(&other, "mine").await;
    page.clicks("[data-testid='thread-Other notes']").await;
    page.sees("Ben", "mine").await;
    story.ada().closes(&other).await;
    page.hides("[data-testid='thread-Other notes']").await;
    page.is_in("#general").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_forum_has_posts() {
    let Some((story, page)) = page().await else {
        return;
    };
    page.clicks("[data-testid=channel-ideas]").await;
    page.says_in(".welcome", "No posts yet").await;
    page.hides(COMPOSER).await;
    page.clicks("[data-testid=new-post]").await;
    page.presses("More cups").await;
    page.focuses("[data-testid=ask-text]").await;
    page.presses("Ten, please @Ben").await;
    is_labelled(&page, "[data-testid=ask-text]").await;
    page.clicks("[data-testid=confirm]").await;
    page.is_in("#More cups").await;
    let first = page.sees("Ada", "Ten, please @Ben").await;
    page.says_in(&format!("{first} .mention"), "@Ben").await;
    page.writes("or nine").await;
    page.sees("Ada", "or nine").await;

    story.ben().begins_post("ideas", "Fewer cups", "one").await;
    page.clicks("[data-testid=channel-ideas]").await;
    page.says_in("[data-testid='post-Fewer cups']", "Ben · 0 answers")
        .await;
    page.says_in("[data-testid='post-More cups']", "Ada · 1 answer")
        .await;
    keep_picture(&page, "forum.png").await;
    page.clicks("[data-testid='post-More cups']").await;
    page.is_in("#More cups").await;
    page.clicks("[data-testid='thread-Fewer cups']").await;
    page.sees("Ben", "one").await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn reactions_stop_repeat_and_show_the_guilds_emoji() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    page.writes("hello :tea: and :unknown:").await;
    page.shows("article img.custom-emoji[alt=':tea:']").await;
    let drawn = "const img = document.querySelector('article img.custom-emoji'); \
        await img.decode(); return img.naturalWidth";
    assert_eq!(page.browser.run(drawn).await, 48);
    let sent = story.events("MESSAGE_CREATE")[0]["content"].to_string();
    let tea = &story.ready().guilds[0].emojis["tea"];
    assert_eq!(sent, format!("\"hello <:tea:{tea}> and :unknown:\""));

    story.ben().says("general", "counting").await;
    let counting = page.sees("Ben", "counting").await;
    for emoji in ["🛑", "🔁", "kettle"] {
        page.clicks(&counting).await;
        page.focuses(&counting).await;
        page.presses("+").await;
        page.clicks(&format!("{counting} .palette [data-emoji='{emoji}']"))
            .await;
        let pill = format!("{counting} [data-testid=reaction][data-emoji='{emoji}']");
        page.shows(&format!("{pill}[aria-pressed=true]")).await;
    }
    page.shows(&format!(
        "{counting} [data-testid=reaction] img[alt=':kettle:']"
    ))
    .await;
    // Somebody else's is joined and left by a click.
    let said = story.ada().says("general", "and you?").await;
    story.ben().reacts(&said, "🍵").await;
    let mine = page.sees("Ada", "and you?").await;
    let pill = format!("{mine} [data-testid=reaction]");
    page.clicks(&format!("{pill}[aria-pressed=false]")).await;
    page.says_in(&pill, "2").await;
    page.clicks(&format!("{pill}[aria-pressed=true]")).await;
    page.shows(&format!("{pill}[aria-pressed=false]")).await;
    let emoji = story.events("MESSAGE_REACTION_ADD");
    let emoji: Vec<_> = emoji.iter().map(|it| &it["emoji"]["name"]).collect();
    assert_eq!(emoji, ["🛑", "🔁", "kettle", "🍵", "🍵"]);
    keep_picture(&page, "reactions.png").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn what_is_no_text_is_shown() {
    let Some((story, page)) = page().await else {
        return;
    };
    let said = story.ben().says("random", "the oolong is gone").await;
    story.ben().forwards(&said, "general").await;
    page.says_in("[data-testid=forwarded]", "the oolong is gone")
        .await;
    story.ben().sends_sticker("general", "Cheers").await;
    page.says_in("[data-testid=sticker]", "Cheers").await;
    story
        .ben()
        .polls("general", "Which tea?", &["oolong", "sencha"])
        .await;
    page.says_in("[data-testid=poll]", "sencha").await;
    story
        .ben()
        .embeds("general", "A title", "with **words**")
        .await;
    page.says_in("[data-testid=embed] strong", "words").await;
    keep_picture(&page, "enclosures.png").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn threads_fit_on_a_phone() {
    let Some((story, page)) = page().await else {
        return;
    };
    page.browser.screen(390, 844, true).await;
    page.clicks("[data-testid=new-thread]").await;
    page.presses("A thread with quite a long name for a phone")
        .await;
    page.clicks("[data-testid=confirm]").await;
    page.is_in("#A thread with quite a long name for a phone")
        .await;
    page.writes("small").await;
    page.sees("Ada", "small").await;
    story
        .ben()
        .begins_post("ideas", "Phones", "small too")
        .await;
    keep_picture(&page, "thread-phone.png").await;
    page.clicks(".toggle-channels").await;
    page.clicks("[data-testid=thread-Phones]").await;
    page.hides("#channels").await;
    page.sees("Ben", "small too").await;
    page.has_a_name_for_everything().await;
    let sideways = "return document.documentElement.scrollWidth";
    assert_eq!(page.browser.run(sideways).await, 390);
    page.has_no_complaints().await;
}
