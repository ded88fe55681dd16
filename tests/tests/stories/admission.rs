//! Who is answered, when, and who is told that they are not.

use std::time::Duration;

use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{Notice, Rights};
use kaiwa_e2e::story::Story;

/// Asks, and is answered.
macro_rules! is_answered {
    ($story:ident, $channel:expr, $asked:expr, $says:expr) => {{
        let mut answer = $story.model.is_asked($asked).await;
        answer.says($says).await;
        answer.ends().await;
        let said = $story.sees($channel, $says).await;
        $story.bot_is_done().await;
        said
    }};
}

#[tokio::test]
async fn its_words_and_its_role_address_the_bot() {
    let mut story = Story::begin_with(&[(SettingKey::TriggerWords, "kettle, 会話")]).await;
    story.ben().says("general", "oh kettttle, hello").await;
    is_answered!(story, "general", "Ben: oh kettttle, hello", "Hello, Ben.");
    story.ben().says("general", "この会話は？").await;
    is_answered!(story, "general", "Ben: この会話は？", "Yes?");
    story
        .ben()
        .says_to_role("general", "Bots", "all of you")
        .await;
    story.ben().says("general", "kettles are nice").await;
    story
        .ben()
        .says_to_role("general", "Kaiwa", "only you")
        .await;
    let mut answer = story.model.is_told("only you").await;
    answer.says("Me?").await;
    answer.ends().await;
    story.sees("general", "Me?").await;
}

#[tokio::test]
async fn a_channel_can_be_one_where_everything_is_answered() {
    let mut story = Story::begin().await;
    story
        .sets("Tea House/random", SettingKey::AlwaysReply, "on")
        .await;
    story.ben().says("general", "nobody asked").await;
    story.ben().says("random", "anything").await;
    is_answered!(story, "random", "Ben: anything", "Something.");
}

#[tokio::test]
async fn the_bot_joins_in_after_enough_talk_of_each_channel() {
    let settings = [
        (SettingKey::AutoReplyMin, "3"),
        (SettingKey::AutoReplyMax, "3"),
    ];
    let mut story = Story::begin_with(&settings).await;
    for (channel, text) in [
        ("general", "one"),
        ("random", "uno"),
        ("general", "two"),
        ("general", "three"),
    ] {
        story.ben().says(channel, text).await;
    }
    is_answered!(story, "general", "Ben: three", "Four!");
}

#[tokio::test]
async fn a_small_model_decides_whether_to_join_in() {
    let mut story = Story::begin_with(&[(SettingKey::JoinIn, "on")]).await;
    story
        .ben()
        .says("general", "who knows how long to brew?")
        .await;
    let sorted = story.model.is_asked("who knows how long to brew?").await;
    assert!(sorted.system().contains("yes or no"), "{}", sorted.system());
    sorted.answers("Yes.").await;
    is_answered!(
        story,
        "general",
        "Ben: who knows how long to brew?",
        "Three minutes."
    );
    // It is not asked again so soon.
    story.ben().says("general", "and how hot?").await;
    story.ben().says("general", "@Kaiwa you there?").await;
    is_answered!(story, "general", "Ben: @Kaiwa you there?", "Yes.");
}

#[tokio::test]
async fn forum_posts_and_threads_are_answered_where_they_are() {
    let mut story = Story::begin().await;
    let thread = story.ben().opens_thread("general", "a pot").await;
    story.ben().says(&thread, "@Kaiwa in here").await;
    is_answered!(story, &thread, "Ben: @Kaiwa in here", "Here I am.");
}

#[tokio::test]
async fn who_asks_too_often_is_told_once_when_to_ask_again() {
    let mut story = Story::begin_with(&[(SettingKey::UserQuestions, "2")]).await;
    for text in ["one", "two"] {
        story.ada().says("general", &format!("@Kaiwa {text}")).await;
        is_answered!(story, "general", &format!("Ada: @Kaiwa {text}"), text);
    }
    let third = story.ada().says("general", "@Kaiwa three").await;
    let told = story
        .sees("general", "Slow down — try again in 60 s.")
        .await;
    assert_eq!(told.replies_to, Some(third.id));
    story.ada().says("general", "@Kaiwa four").await;
    story.ben().says("general", "@Kaiwa me?").await;
    is_answered!(story, "general", "Ben: @Kaiwa me?", "You may.");
    let transcript = story.transcript("general");
    assert_eq!(transcript.matches("Slow down").count(), 1, "{transcript}");
}

#[tokio::test]
async fn a_full_channel_says_so_and_goes_on() {
    let mut story = Story::begin_with(&[(SettingKey::ChannelQueue, "1")]).await;
    story.ada().says("general", "@Kaiwa one").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa one").await;
    let second = story.ben().says("general", "@Kaiwa two").await;
    let told = story.sees("general", Notice::TooManyWaiting.text()).await;
    assert_eq!(told.replies_to, Some(second.id));
    answer.says("One.").await;
    answer.ends().await;
    story.sees("general", "One.").await;
    story.bot_is_done().await;
    story.ben().says("general", "@Kaiwa now?").await;
    is_answered!(story, "general", "Ben: @Kaiwa now?", "Now.");
}

#[tokio::test]
async fn lists_decide_who_is_answered() {
    let mut story = Story::begin().await;
    let ben = story.person_id("Ben");
    story.sets("Tea House", SettingKey::UsersDenied, &ben).await;
    story.ben().says("general", "@Kaiwa please").await;
    story.ada().says("general", "@Kaiwa hello").await;
    is_answered!(story, "general", "Ada: @Kaiwa hello", "Hello.");
    story
        .sets("Tea House", SettingKey::UsersDenied, "none")
        .await;
    story.ben().says("general", "@Kaiwa and now").await;
    is_answered!(story, "general", "Ben: @Kaiwa and now", "Now, yes.");
}

#[tokio::test]
async fn a_moderator_stops_anybodys_answer_and_others_do_not() {
    let mut story = Story::begin().await;
    story.ben().says("general", "@Kaiwa tell me a story").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa tell me a story").await;
    answer.says("Once upon a time\nthere").await;
    story.sees("general", "Once upon a time").await;
    story
        .ada()
        .allows("general", "Ada", Rights::MANAGE_MESSAGES)
        .await;
    story.ada().says("general", "Kaiwa, stop").await;
    answer.is_cancelled().await;
    story.bot_stops().await;
    assert!(!story.transcript("general").contains("there"));
}

#[tokio::test]
async fn a_sign_on_the_question_or_the_answer_stops_it() {
    for on_answer in [true, false] {
        let mut story = Story::begin().await;
        let question = story.ben().says("general", "@Kaiwa go on").await;
        let mut answer = story.model.is_asked("Ben: @Kaiwa go on").await;
        answer.says("First.\nSecond").await;
        let first = story.sees("general", "First.").await;
        let target = if on_answer { &first } else { &question };
        story.ben().reacts(target, "🛑").await;
        answer.is_cancelled().await;
        story.bot_stops().await;
        assert!(!story.transcript("general").contains("Second"));
    }
}

#[tokio::test]
async fn a_question_that_is_deleted_is_not_answered() {
    let mut story = Story::begin().await;
    let question = story.ben().says("general", "@Kaiwa never mind me").await;
    let answer = story.model.is_asked("Ben: @Kaiwa never mind me").await;
    story.ben().deletes(&question).await;
    answer.is_cancelled().await;
    story.ben().says("general", "@Kaiwa this instead").await;
    is_answered!(story, "general", "Ben: @Kaiwa this instead", "This.");
    let transcript = story.transcript("general");
    assert_eq!(transcript.matches("Kaiwa:").count(), 1, "{transcript}");
}

#[tokio::test]
async fn an_edited_question_is_answered_again_or_that_is_offered() {
    let mut story = Story::begin().await;
    let question = story.ben().says("general", "@Kaiwa what is tee?").await;
    is_answered!(story, "general", "Ben: @Kaiwa what is tee?", "A letter.");
    story.ben().edits(&question, "@Kaiwa what is tea?").await;
    story.sees_reaction(&question, "🔁").await;
    story.ben().reacts(&question, "🔁").await;
    let answer = story.model.is_told("Ben: @Kaiwa what is tea?").await;
    answer.answers("A leaf.").await;
    story.sees("general", "A leaf.").await;
    story.bot_is_done().await;

    story.operator_sets(SettingKey::EditedQuestion, "regenerate");
    let question = story.ben().says("general", "@Kaiwa one").await;
    is_answered!(story, "general", "Ben: @Kaiwa one", "1");
    story.ben().edits(&question, "@Kaiwa two").await;
    let again = is_answered!(story, "general", "Ben: @Kaiwa two", "2");
    assert_eq!(again.replies_to, Some(question.id));
}

#[tokio::test]
async fn an_edit_while_the_answer_is_on_its_way_begins_it_anew() {
    let mut story = Story::begin().await;
    let question = story.ben().says("general", "@Kaiwa tee").await;
    let answer = story.model.is_asked("Ben: @Kaiwa tee").await;
    story.ben().edits(&question, "@Kaiwa tea").await;
    answer.is_cancelled().await;
    is_answered!(story, "general", "Ben: @Kaiwa tea", "Tea it is.");
}

#[tokio::test]
async fn a_sign_on_an_answer_asks_for_another_take() {
    let mut story = Story::begin().await;
    story.ben().says("general", "@Kaiwa a joke").await;
    let first = is_answered!(story, "general", "Ben: @Kaiwa a joke", "Knock knock.");
    story.noor().whispers("hello").await;
    let mut elsewhere = story.model.is_told("hello").await;
    elsewhere.says("Hi!").await;
    elsewhere.ends().await;
    story.ben().reacts(&first, "🔁").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa a joke").await;
    let told = answer.told().join("\n");
    assert!(
        !told.contains("Knock"),
        "the first take is not shown: {told}"
    );
    answer.says("A kettle walks into a bar.").await;
    answer.ends().await;
    story.sees("general", "A kettle walks into a bar.").await;
}

#[tokio::test]
async fn a_stop_is_met_with_a_line_in_character() {
    let mut story = Story::begin_with(&[(SettingKey::StopLine, "own words")]).await;
    story.ben().says("general", "@Kaiwa tell me a story").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa tell me a story").await;
    answer.says("Once upon a time\nthere").await;
    story.sees("general", "Once upon a time").await;
    let stop = story.ben().says("general", "@Kaiwa stop").await;
    answer.is_cancelled().await;
    let mut line = story.model.is_told("asked to stop").await;
    assert!(line.tools().is_empty());
    let told = line.told().join("\n");
    let quoted = "in these words: \"@Kaiwa stop\"";
    assert!(told.contains(quoted), "as people see it: {told}");
    line.says("As you wish.").await;
    line.ends().await;
    let said = story.sees("general", "As you wish.").await;
    assert_eq!(said.replies_to, Some(stop.id));
    assert!(!story.transcript("general").contains("there"));
}

#[tokio::test]
async fn if_the_model_is_slow_a_stop_is_met_with_a_stock_line() {
    let mut story = Story::begin_with(&[(SettingKey::StopLine, "own words")]).await;
    story.ben().says("general", "@Kaiwa tell me a story").await;
    let mut answer = story.model.is_asked("Ben: @Kaiwa tell me a story").await;
    answer.says("Once upon a time\nthere").await;
    story.sees("general", "Once upon a time").await;
    story.ben().says("general", "stop").await;
    answer.is_cancelled().await;
    let slow = story.model.is_told("asked to stop").await;
    story.clock.skip(Duration::from_secs(6)).await;
    story.sees("general", Notice::Stopped.text()).await;
    slow.is_cancelled().await;
}

#[tokio::test]
async fn after_a_raid_an_honest_question_is_answered() {
    let settings = [(SettingKey::UserQuestions, "10")];
    let mut story = Story::begin_with(&settings).await;
    story
        .crowd_writes(&["Ben", "Mika"], "general", 10_000, |number| {
            format!("@Kaiwa spam {number}")
        })
        .await;
    story.ada().says("random", "@Kaiwa still there?").await;
    loop {
        let mut answer = story.model.is_told("").await;
        if answer.last().contains("still there?") {
            answer.says("Still here.").await;
            answer.ends().await;
            break;
        }
        answer.answers("No.").await;
    }
    story.sees("random", "Still here.").await;
    let transcript = story.transcript("general");
    assert!(
        transcript.matches("Kaiwa:").count() < 30,
        "a raid is not answered"
    );
}

#[tokio::test]
async fn somebody_with_many_questions_does_not_keep_others_waiting() {
    let mut story = Story::begin().await;
    let mut answer = None;
    // Three additions are answered together; what is asked after that waits.
    for text in ["@Kaiwa 1", "@Kaiwa 2", "@Kaiwa 3", "@Kaiwa 4"] {
        story.ada().says("general", text).await;
        answer = Some(story.model.is_asked(&format!("Ada: {text}")).await);
    }
    for text in ["@Kaiwa 5", "@Kaiwa 6"] {
        story.ada().says("general", text).await;
    }
    story.ben().says("general", "@Kaiwa me too").await;
    // What is said elsewhere is heard after all of that.
    story.ben().says("random", "@Kaiwa are you busy?").await;
    is_answered_elsewhere(&mut story).await;
    answer.unwrap().answers("4").await;
    story.sees("general", "4").await;
    for (asked, answer) in [
        ("Ada: @Kaiwa 5", "Five."),
        ("Ben: @Kaiwa me too", "You too."),
        ("Ada: @Kaiwa 6", "Six."),
    ] {
        story.model.is_asked(asked).await.answers(answer).await;
        story.sees("general", answer).await;
    }
}

async fn is_answered_elsewhere(story: &mut Story) {
    let asked = story.model.is_asked("Ben: @Kaiwa are you busy?").await;
    asked.answers("A little.").await;
    story.sees("random", "A little.").await;
}
