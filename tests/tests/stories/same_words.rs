//! What must not depend on Discord: whatever the gateway repeats or swaps,
//! however often it breaks and however slowly requests are answered, people
//! read the same.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use axum::http::Method;
use kaiwa_domain::Persona;
use kaiwa_domain::settings::SettingKey;
use kaiwa_e2e::soon;
use kaiwa_e2e::story::{Person, SentMessage, Story};
use kaiwa_emulator::{Cut, Faults};
use kaiwa_runtime::Tasks;

/// What is out of order.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Trouble {
    Nothing,
    /// Every event comes twice.
    Doubles,
    /// What people do reaches the bot after what they do next.
    Swaps,
    /// The connection breaks, and is resumed.
    Cuts,
    /// Discord asks to reconnect.
    Reconnects,
    /// The session is lost with the connection.
    Forgets,
    /// Whatever is posted or changed takes its time.
    Slow,
}

const TROUBLES: [Trouble; 7] = [
    Trouble::Nothing,
    Trouble::Doubles,
    Trouble::Swaps,
    Trouble::Cuts,
    Trouble::Reconnects,
    Trouble::Forgets,
    Trouble::Slow,
];

/// How long a slow request takes, in turns of everything else.
const SLOW: usize = 200;

impl Trouble {
    /// Before anything is said.
    fn before(self, story: &Story) {
        match self {
            Self::Doubles => {
                let bot = &story.ready().bot.id;
                assert_eq!(story.faults().duplicate_events(bot, 10_000), 1);
            }
            Self::Slow => {
                for method in [Method::POST, Method::PATCH] {
                    for path in ["/messages", "/webhooks"] {
                        slow_down(story.faults(), method.clone(), path);
                    }
                }
            }
            _ => {}
        }
    }

    /// In the middle of something. The bot is back when this is over, but may
    /// still have to hear of what it missed.
    async fn amid(self, story: &Story) {
        let (faults, bot) = (story.faults(), &story.ready().bot.id);
        let cut = match self {
            Self::Nothing | Self::Doubles | Self::Swaps | Self::Slow => return,
            Self::Cuts => Cut::Abrupt,
            Self::Reconnects => Cut::Reconnect,
            Self::Forgets => {
                faults.refuse_resumes(1);
                Cut::Close(4000)
            }
        };
        let sessions = |story: &Story| story.identifies() + story.resumes();
        let before = sessions(story);
        assert_eq!(faults.cut_gateway(bot, cut), 1, "{self:?}");
        soon("the bot to connect again", async {
            while sessions(story) == before {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }

    /// Somebody does something of which the bot hears.
    async fn does<T>(self, story: &Story, what: impl Future<Output = T>) -> T {
        if self == Self::Swaps {
            let bot = &story.ready().bot.id;
            assert_eq!(story.faults().reorder_events(bot, 1), 1);
        }
        let done = what.await;
        story.ben().says("random", "nothing much").await;
        done
    }

    async fn says(self, story: &Story, who: Person<'_>, text: &str) -> SentMessage {
        self.does(story, who.says("general", text)).await
    }
}

/// Keeps each request waiting until everything else has gone on.
fn slow_down(faults: Faults, method: Method, path: &'static str) {
    Tasks::new().spawn("slow", async move {
        let mut held = faults.hold(method.clone(), path);
        loop {
            held.arrived(1).await;
            for _ in 0..SLOW {
                tokio::task::yield_now().await;
            }
            let next = faults.hold(method.clone(), path);
            held.release();
            held = next;
        }
    });
}

/// What people read of one who speaks in several messages or in one.
fn read(story: &Story, name: &str) -> String {
    let said = story.transcript("general");
    let said = said.replace(&format!("\n{name}: "), "\n");
    said.replace("Kaiwa: ", "")
}

/// What waits may be told together.
async fn sees_all(story: &mut Story, last: &str) {
    while !story.transcript("general").contains(last) {
        story.sees_something("general", last).await;
    }
    story.bot_is_done().await;
}

/// Two ask, one line after the other is said, one stops, one goes on.
async fn a_conversation(trouble: Trouble) -> String {
    let mut story = Story::begin().await;
    trouble.before(&story);
    trouble.says(&story, story.ada(), "@Kaiwa count").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    trouble.amid(&story).await;
    answer.answers("o.\nThree.").await;
    sees_all(&mut story, "Three.").await;

    trouble.says(&story, story.ben(), "@Kaiwa and me?").await;
    let mut answer = story.model.is_told("Ben: @Kaiwa and me?").await;
    answer.says("You too.\nAnd").await;
    story.sees("general", "You too.").await;
    trouble.says(&story, story.ben(), "stop").await;
    answer.is_cancelled().await;
    story.bot_is_done().await;

    let question = trouble
        .says(&story, story.ada(), "@Kaiwa is that all?")
        .await;
    let answer = story.model.is_told("Ada: @Kaiwa is that all?").await;
    answer.answers("That is all.").await;
    let said = story.sees("general", "That is all.").await;
    assert_eq!(said.replies_to, Some(question.id));
    story.bot_is_done().await;
    story.bot_stops().await;
    read(&story, "Kaiwa")
}

/// Mina speaks by a webhook, and Tom answers her.
async fn a_scene(trouble: Trouble) -> String {
    let mut story = Story::begin().await;
    for name in ["Mina", "Tom"] {
        let persona = Persona {
            name: name.to_owned(),
            personality: "Kind.".to_owned(),
            ..Persona::default()
        };
        story.has_persona("Tea House", persona).await;
    }
    trouble.before(&story);
    trouble.says(&story, story.ada(), "Mina, count").await;
    let mut answer = story.model.is_told("Mina, count").await;
    answer.says("One.\nTw").await;
    story.sees("general", "One.").await;
    trouble.amid(&story).await;
    answer.answers("o.\nAsk Tom.").await;
    let call = story.model.is_told("Ask Tom.").await;
    call.answers("Three.").await;
    sees_all(&mut story, "Three.").await;
    trouble.says(&story, story.ada(), "Tom, is that all?").await;
    let call = story.model.is_told("is that all?").await;
    call.answers("That is all.").await;
    sees_all(&mut story, "That is all.").await;
    story.bot_stops().await;
    read(&story, "Mina")
}

/// An answer grows in one message.
async fn a_live_answer(trouble: Trouble) -> String {
    let mut story = Story::begin_with(&[(SettingKey::Degree, "4")]).await;
    trouble.before(&story);
    for (question, begun, whole) in [
        ("@Kaiwa count", "One", "One two."),
        ("@Kaiwa go on", "Three", "Three four."),
    ] {
        trouble.says(&story, story.ada(), question).await;
        let mut answer = story.model.is_told(question).await;
        answer.says(&format!("{begun} ")).await;
        let message = story.sees("general", begun).await;
        trouble.amid(&story).await;
        let rest = whole.strip_prefix(begun).unwrap();
        answer.answers(rest.trim_start()).await;
        story.sees_edit(&message, whole).await;
        story.bot_is_done().await;
    }
    story.bot_stops().await;
    read(&story, "Kaiwa")
}

/// A button below the answer gives another.
async fn an_answer_with_a_button(trouble: Trouble) -> String {
    let mut story = Story::begin_with(&[(SettingKey::RegenerateButton, "on")]).await;
    let mut screen = story.screen_of("Ada").await;
    trouble.before(&story);
    trouble.says(&story, story.ada(), "@Kaiwa a joke").await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa a joke").await;
    answer.says("Knock knock.\nWho").await;
    story.sees("general", "Knock knock.").await;
    trouble.amid(&story).await;
    answer.answers("'s there?").await;
    let below = screen
        .sees("MESSAGE_UPDATE", |it| {
            it["components"][0]["components"][0]["label"] == "Regenerate"
        })
        .await;
    story.bot_is_done().await;
    trouble
        .does(&story, story.ada().presses(&below, "Regenerate"))
        .await;
    let answer = story.model.is_asked("Ada: @Kaiwa a joke").await;
    answer.answers("A kettle walks into a bar.").await;
    sees_all(&mut story, "A kettle").await;
    story.controls_are_done().await;
    story.bot_stops().await;
    read(&story, "Kaiwa")
}

/// A question is edited once it was answered, and again while that is answered.
async fn an_edited_question(trouble: Trouble) -> String {
    let settings = [(SettingKey::EditedQuestion, "regenerate")];
    let mut story = Story::begin_with(&settings).await;
    trouble.before(&story);
    let question = trouble.says(&story, story.ada(), "@Kaiwa one").await;
    let answer = story.model.is_asked("Ada: @Kaiwa one").await;
    answer.answers("1").await;
    sees_all(&mut story, "1").await;
    trouble
        .does(&story, story.ada().edits(&question, "@Kaiwa two"))
        .await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa two").await;
    answer.says("2\nan").await;
    story.sees("general", "2").await;
    trouble.amid(&story).await;
    trouble
        .does(&story, story.ada().edits(&question, "@Kaiwa three"))
        .await;
    answer.is_cancelled().await;
    let answer = story.model.is_asked("Ada: @Kaiwa three").await;
    answer.answers("3").await;
    sees_all(&mut story, "3").await;
    story.bot_stops().await;
    read(&story, "Kaiwa")
}

/// A sign on the answer gives another, and on that one more.
async fn a_sign_for_another_take(trouble: Trouble) -> String {
    let mut story = Story::begin().await;
    trouble.before(&story);
    trouble.says(&story, story.ada(), "@Kaiwa a joke").await;
    let answer = story.model.is_asked("Ada: @Kaiwa a joke").await;
    answer.answers("Knock knock.").await;
    let said = story.sees("general", "Knock knock.").await;
    story.bot_is_done().await;
    trouble.does(&story, story.ada().reacts(&said, "🔁")).await;
    let mut answer = story.model.is_asked("Ada: @Kaiwa a joke").await;
    answer.says("A kettle\nwalks").await;
    let said = story.sees("general", "A kettle").await;
    trouble.amid(&story).await;
    answer.answers(" into a bar.").await;
    sees_all(&mut story, "walks into a bar.").await;
    trouble.does(&story, story.ada().reacts(&said, "🔁")).await;
    let answer = story.model.is_asked("Ada: @Kaiwa a joke").await;
    answer.answers("No more.").await;
    sees_all(&mut story, "No more.").await;
    story.bot_stops().await;
    read(&story, "Kaiwa")
}

/// Plays something under each trouble.
async fn reads_the_same<F: Future<Output = String>>(play: impl Fn(Trouble) -> F, expect: &str) {
    for trouble in TROUBLES {
        assert_eq!(play(trouble).await, expect, "{trouble:?}");
    }
}

#[tokio::test]
async fn f13_f16_f18_f19_a_conversation_reads_the_same() {
    let expect = "Ada: @Kaiwa count\nOne.\nTwo.\nThree.\nBen: @Kaiwa and me?\nYou too.\n\
                  Ben: stop\nAda: @Kaiwa is that all?\nThat is all.\n";
    reads_the_same(a_conversation, expect).await;
}

#[tokio::test]
async fn f13_f16_f18_f19_a_scene_of_personas_reads_the_same() {
    let expect = "Ada: Mina, count\nOne.\nTwo.\nAsk Tom.\nTom: Three.\n\
                  Ada: Tom, is that all?\nTom: That is all.\n";
    reads_the_same(a_scene, expect).await;
}

#[tokio::test]
async fn f13_f16_f18_f19_a_live_answer_reads_the_same() {
    let expect = "Ada: @Kaiwa count\nOne two.\nAda: @Kaiwa go on\nThree four.\n";
    reads_the_same(a_live_answer, expect).await;
}

#[tokio::test]
async fn f13_f16_f18_f19_an_answer_with_a_button_reads_the_same() {
    let expect = "Ada: @Kaiwa a joke\nKnock knock.\nWho's there?\nA kettle walks into a bar.\n";
    reads_the_same(an_answer_with_a_button, expect).await;
}

#[tokio::test]
async fn f13_f16_f18_f19_an_edited_question_reads_the_same() {
    let expect = "Ada: @Kaiwa three\n1\n2\n3\n";
    reads_the_same(an_edited_question, expect).await;
}

#[tokio::test]
async fn f13_f16_f18_f19_another_take_reads_the_same() {
    let expect = "Ada: @Kaiwa a joke\nKnock knock.\nA kettle\nwalks into a bar.\nNo more.\n";
    reads_the_same(a_sign_for_another_take, expect).await;
}
