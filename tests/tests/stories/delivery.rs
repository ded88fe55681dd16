//! How answers arrive: degrees, code, tables, holds. Each story runs the whole
//! bot over real sockets.

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Notice, Persona, Rights};
use kaiwa_e2e::story::Story;
use kaiwa_pipeline::deliver::Degree;

#[tokio::test]
async fn a_long_answer_arrives_whole() {
    let mut story = Story::begin().await;
    story.ada().says("code", "@Kaiwa write a lot").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa write a lot").await;
    let code: String = (0..200)
        .map(|n| format!("    let line_{n} = {n};\n"))
        .collect();
    let prose: String = (0..200)
        .map(|n| format!("Words and {n} more words. "))
        .collect();
    answer.says(&format!("```rust\n{code}```\n{prose}")).await;
    answer.ends().await;

    story.ben().says("code", "@Kaiwa was that all?").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa was that all?").await;
    answer.says("That was all.").await;
    answer.ends().await;

    let mut said = Vec::new();
    loop {
        let message = story.sees_something("code", "more").await;
        if message.text == "That was all." {
            break;
        }
        assert!(message.text.encode_utf16().count() <= 2000);
        said.push(message.text);
    }
    let fenced: Vec<_> = said
        .iter()
        .filter(|text| text.starts_with("```rust\n"))
        .collect();
    assert!(fenced.len() > 1 && fenced.iter().all(|text| text.ends_with("\n```")));
    let lines: String = fenced
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.starts_with("```"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(lines, code);
    let words = said[fenced.len()..].join(" ");
    assert_eq!(words, prose.trim_end());
}

#[tokio::test]
async fn at_degree_0_an_answer_comes_whole() {
    let mut story = Story::begin_at(Degree::Whole).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("One line.\nAnother.").await;
    answer.ends().await;
    story.sees("general", "One line.\n\nAnother.").await;
}

#[tokio::test]
async fn at_degree_2_the_second_message_takes_its_time() {
    let mut story = Story::begin_at(Degree::Typed).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    story.sees_typing("general").await;
    answer.says("One line.\nAnother.\n").await;
    answer.ends().await;
    story.sees("general", "One line.").await;
    let typing = Duration::from_millis(300);
    story.clock.skip(typing).await;
    story.sees_typing("general").await;
    let waited = typing + story.clock.skip_any(450..=2250).await;
    story.sees("general", "Another.").await;
    assert!(waited >= Duration::from_millis(750), "{waited:?}");
    story.typing_has_ended("general");
}

#[tokio::test]
async fn at_degree_3_an_answer_comes_sentence_by_sentence() {
    let mut story = Story::begin_at(Degree::Sentences).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("Tea is ready. We drank it slowly").await;
    answer.ends().await;
    story.sees("general", "tea is ready.").await;
    story.clock.skip_any(750..=2250).await;
    story.sees("general", "we drank it slowly").await;
}

#[tokio::test]
async fn an_answer_takes_as_many_messages_as_it_may_and_the_rest_is_a_file() {
    let mut story = Story::begin_with(&[(SettingKey::AnswerMessages, "2")]).await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer
        .says("One.\nTwo.\nThree.\n```rs\nlet four;\n```\n")
        .await;
    story.sees("general", "One.").await;
    story.sees("general", "Two.").await;
    answer.says("Five.").await;
    answer.ends().await;
    let last = story.sees("general", Notice::AnswerAttached.text()).await;
    let (name, url) = last.file.expect("a file");
    let rest = "Three.\n```rs\nlet four;\n```\nFive.\n";
    assert_eq!((&*name, &*story.reads(&url).await), ("answer.md", rest));

    story.ada().says("general", "@Kaiwa and short?").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa and short?").await;
    answer.says("One.\nTwo.").await;
    answer.ends().await;
    story.sees("general", "One.").await;
    story.sees("general", "Two.").await;
    story.bot_is_done().await;
    assert!(story.transcript("general").ends_with("Kaiwa: Two.\n"));
}

#[tokio::test]
async fn a_persona_takes_as_many_messages_as_it_may() {
    let mut story = Story::begin_with(&[(SettingKey::AnswerMessages, "1")]).await;
    let yuki = Persona {
        name: "Yuki".into(),
        triggers: vec!["yuki".into()],
        ..Persona::default()
    };
    story.has_persona("Tea House", yuki).await;
    story.ada().says("general", "yuki, hello").await;
    let mut answer = story.model.is_told("hello").await;
    answer.says("One.\nTwo.\nThree.").await;
    answer.ends().await;
    story.sees("general", "One.").await;
    let last = story.sees("general", Notice::AnswerAttached.text()).await;
    let (name, url) = last.file.expect("a file");
    let rest = "Two.\nThree.\n";
    assert_eq!((&*name, &*story.reads(&url).await), ("answer.md", rest));
    story.bot_is_done().await;
    assert_eq!(story.transcript("general").matches("Yuki: ").count(), 2);
}

#[tokio::test]
async fn where_files_are_not_allowed_the_end_is_marked_alone() {
    let mut story = Story::begin_with(&[(SettingKey::AnswerMessages, "1")]).await;
    story
        .ada()
        .forbids("general", "Kaiwa", Rights::from_bits(1 << 15))
        .await;
    story.ada().says("general", "@Kaiwa hello").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hello").await;
    answer.says("One.\nTwo.").await;
    answer.ends().await;
    story.sees("general", "One.").await;
    let last = story.sees("general", Notice::AnswerShortened.text()).await;
    assert!(last.file.is_none());
}

#[tokio::test]
async fn text_that_is_held_is_let_go_after_a_while() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa think aloud").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa think aloud").await;
    answer.says("Hm.\nA thought (not closed\n").await;
    story.sees("general", "Hm.").await;
    story.clock.skip(Duration::from_secs(3)).await;
    story.sees("general", "A thought (not closed").await;
    answer.says("and on.)").await;
    answer.ends().await;
    story.sees("general", "and on.)").await;
}

#[tokio::test]
async fn the_model_may_not_speak_for_others() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa hi").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa hi").await;
    answer
        .says("Kaiwa: Hello!\nAda: thanks, you may go\nKaiwa: bye")
        .await;
    story.sees("general", "Hello!").await;
    answer.is_cancelled().await;
    story.ada().says("general", "@Kaiwa still there?").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa still there?").await;
    answer.says("Yes.").await;
    answer.ends().await;
    story.sees("general", "Yes.").await;
}

#[tokio::test]
async fn a_table_arrives_as_a_picture() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa compare").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa compare").await;
    answer
        .says("Look:\n\n| tea | minutes |\n|---|---:|\n| green | 2 |\n| black | 4 |\n\nEnjoy.")
        .await;
    answer.ends().await;
    story.sees("general", "Look:").await;
    let table = story.sees("general", "").await;
    let picture = table.picture.expect("a picture");
    assert!(
        picture.contains("tea") && picture.contains("minutes"),
        "{picture}"
    );
    story.sees("general", "Enjoy.").await;
}

#[tokio::test]
async fn thoughts_are_not_shown() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa think").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa think").await;
    answer
        .says("<thi")
        .await
        .says("nk>secret</think>Public.")
        .await;
    answer.ends().await;
    story.sees("general", "Public.").await;
    story.bot_stops().await;
    let expected = "Ada: @Kaiwa think\nKaiwa: Public.\n";
    assert_eq!(story.transcript("general"), expected);
}

#[tokio::test]
async fn long_code_arrives_as_a_file_where_that_is_asked_for() {
    let mut story = Story::begin_attaching_above(2000).await;
    story.ada().says("code", "@Kaiwa write a lot").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa write a lot").await;
    let code: String = (0..300)
        .map(|n| format!("    let line_{n} = {n};\n"))
        .collect();
    answer.says("Here it is:\n```rust\n").await;
    answer.says(&code).await;
    story.sees("code", "Here it is:").await;
    answer.says("```\nAnything else?").await;
    answer.ends().await;
    let message = story.sees("code", "").await;
    assert_eq!(message.picture.as_deref(), Some("code.rs, 300 lines"));
    let (name, url) = message.file.expect("a file");
    assert_eq!(name, "code.rs");
    assert_eq!(story.reads(&url).await, code);
    story.sees("code", "Anything else?").await;

    story.ada().says("code", "@Kaiwa and short?").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa and short?").await;
    answer.says("```rust\nlet a = 1;\n```").await;
    answer.ends().await;
    story.sees("code", "```rust\nlet a = 1;\n```").await;
}

#[tokio::test]
async fn a_turn_that_is_stopped_in_mid_hold_says_nothing_more() {
    let mut story = Story::begin().await;
    story.ada().says("general", "@Kaiwa think aloud").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa think aloud").await;
    answer.says("One.\nTwo.\n").await;
    story.sees("general", "One.").await;
    // The bot may not speak here any more, which it learns with its next post;
    // by then an open bracket holds the rest back.
    story.next_post_is_forbidden();
    answer.says("(a thought\nthat is held").await;
    answer.is_cancelled().await;

    story.ada().says("random", "@Kaiwa still there?").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa still there?").await;
    answer.says("Yes.").await;
    answer.ends().await;
    story.sees("random", "Yes.").await;
    assert_eq!(
        story.transcript("general"),
        "Ada: @Kaiwa think aloud\nKaiwa: One.\n"
    );
}
