//! Effects: what they are, and how far they have come.

use std::collections::HashMap;

use kaiwa_domain::port::{MessageRecord, Progress, Store};
use kaiwa_domain::{
    Button, ButtonLook, Effect, EffectBody, EffectState, Ending, File, GuildSticker, LiveMessage,
    MessageId, Notice, Outgoing, PersonaId, StickerFormat, Table, ThoughtPage, Timestamp,
};

use super::{AWAY, Engine, HOME, NOW, admit, effect, end, only, queue, say, turn};

pub(super) async fn bodies_come_back_as_they_were<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    let table = Table::parse("| a | b |\n|---|--:|\n| `1|2` | 3 |").unwrap();
    let file = File::new("code.rs", "fn main() {\n\n}\n").unwrap();
    let shown = |outgoing| EffectBody::Say {
        outgoing,
        reply_to: Some(MessageId::new(u64::MAX)),
    };
    let bodies = [
        shown(Outgoing::Say("\"quoted\" \0 \\ {}\n'; DROP TABLE".into())),
        shown(Outgoing::Table(table)),
        shown(Outgoing::File(file)),
        shown(Outgoing::Rest("and so on".into())),
        shown(Outgoing::Sticker(GuildSticker {
            id: u64::MAX,
            name: "two cups".into(),
            format: StickerFormat::Lottie,
        })),
        EffectBody::Thoughts(ThoughtPage {
            title: "💭 Mina".into(),
            link: "https://discord.com/channels/1/2/3".into(),
            text: "\"hm\"\nno".into(),
            footer: "vendor/model · 1.0 s".into(),
        }),
        live(None),
        live(Some(MessageId::new(7))),
        EffectBody::Notify {
            notice: Notice::AnswerCut,
            reply_to: None,
        },
        EffectBody::Act {
            name: "react".into(),
            arguments: r#"{"emoji":"👍"}"#.into(),
        },
        EffectBody::Point {
            text: "-# ↪ a link".to_owned(),
        },
        EffectBody::Report {
            text: "\"done\"".into(),
        },
        EffectBody::Progress {
            text: "looking".into(),
            of: None,
        },
        EffectBody::Progress {
            text: "still looking".into(),
            of: Some(6),
        },
        EffectBody::Delete { of: u16::MAX },
        EffectBody::Dress {
            message: MessageId::new(u64::MAX),
            buttons: vec![Button {
                control: "k1/stop/{}".into(),
                label: "\"Stop\"".into(),
                look: ButtonLook::Danger,
            }],
            lasting: true,
        },
        EffectBody::Undress {
            message: MessageId::new(u64::MAX),
        },
    ];
    let queued: Vec<Effect> = (0..)
        .zip(bodies)
        .map(|(i, it)| effect(&turn, i, it))
        .collect();
    for effect in &queued {
        queue(&*store, effect).await.unwrap();
    }
    engine.close(store).await;
    let store = engine.open().await;
    assert_eq!(only(&*store).await.effects, queued);
}

fn live(message: Option<MessageId>) -> EffectBody {
    EffectBody::Live(LiveMessage {
        first: "One".into(),
        text: "One **two**".into(),
        closing: 2,
        blank: "\n".into(),
        complete: message.is_some(),
        reply_to: Some(MessageId::new(9)),
        message,
    })
}

pub(super) async fn an_effect_under_way_is_revised<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    let queued = effect(&turn, 0, live(None));
    queue(&*store, &queued).await.unwrap();
    store.start(turn.scope, turn.id, 0, 1).await.unwrap();
    let message = MessageId::new(7);
    let grown = Effect {
        body: live(Some(message)),
        state: EffectState::Started { attempt: 1 },
        ..queued.clone()
    };
    assert_eq!(store.revise(&grown, &[message], NOW).await, Ok(true));
    assert_eq!(only(&*store).await.effects, std::slice::from_ref(&grown));
    let speakers = store.speakers(turn.scope, &[message]).await.unwrap();
    assert!(!speakers[&message].is_notice);

    store.done(&grown, &[message], NOW).await.unwrap();
    assert_eq!(store.revise(&queued, &[], NOW).await, Ok(false));
    assert_eq!(only(&*store).await.effects[0].body, grown.body);
    let elsewhere = effect(&turn, 1, live(None));
    assert!(store.revise(&elsewhere, &[], NOW).await.is_err());
}

pub(super) async fn an_effect_is_queued_once<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    let said = say(&turn, 0, "hello");
    queue(&*store, &said).await.unwrap();
    assert_eq!(store.shown(HOME, turn.id, 0).await, Ok(None));
    store.done(&said, &[MessageId::new(50)], NOW).await.unwrap();
    let shown = Some(MessageId::new(50));
    assert_eq!(store.shown(HOME, turn.id, 0).await, Ok(shown));
    assert_eq!(store.shown(AWAY, turn.id, 0).await, Ok(None));

    let mut again = said.clone();
    again.queued_at = Timestamp::from_millis(9_000);
    queue(&*store, &again).await.unwrap();
    let kept = only(&*store).await.effects;
    let expected = Effect {
        state: EffectState::Done {
            message: Some(MessageId::new(50)),
        },
        ..said.clone()
    };
    assert_eq!(kept, [expected]);

    let mut spoken_by_another = said.clone();
    spoken_by_another.persona = PersonaId::new(1);
    for other in [say(&turn, 0, "goodbye"), spoken_by_another] {
        assert_eq!(
            queue(&*store, &other).await.unwrap_err().reason(),
            "effect 0 of turn 1-0 was queued before with other content"
        );
    }
}

pub(super) async fn an_effect_may_be_started_as_it_is_queued<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    let started = EffectState::Started { attempt: 1 };
    let begun = Effect {
        state: started,
        ..say(&turn, 0, "now")
    };
    let waiting = say(&turn, 1, "later");
    let states = async || {
        let effects = only(&*store).await.effects.into_iter();
        effects.map(|it| it.state).collect::<Vec<_>>()
    };
    queue(&*store, &begun).await.unwrap();
    assert_eq!(states().await, [started], "alone");
    store
        .mark(HOME, turn.id, 0, EffectState::Queued)
        .await
        .unwrap();
    queue(&*store, &begun).await.unwrap();
    assert_eq!(states().await, [EffectState::Queued], "it was there before");

    let both = [
        Effect {
            index: 2,
            ..begun.clone()
        },
        waiting,
    ];
    let speaking = Progress::Speaking;
    let queued = store.queue(HOME, turn.id, &both, speaking).await;
    assert_eq!(queued, Ok(()));
    let expected = [EffectState::Queued, EffectState::Queued, started];
    assert_eq!(states().await, expected, "with another");
}

pub(super) async fn an_effect_moves_only_forward<E: Engine>(engine: E) {
    let store = engine.open().await;
    let queued = EffectState::Queued;
    let started = |attempt| EffectState::Started { attempt };
    let done = |id| EffectState::Done {
        message: Some(MessageId::new(id)),
    };
    let refused = |code| EffectState::Refused { code };
    let (unknown, expired) = (EffectState::Unknown, EffectState::Expired);

    let table: &[(&[EffectState], EffectState)] = &[
        (&[], queued),
        (&[started(1)], started(1)),
        (&[started(1), started(2)], started(2)),
        (&[started(1), queued], queued),
        (&[started(1), done(5)], done(5)),
        (
            &[EffectState::Done { message: None }],
            EffectState::Done { message: None },
        ),
        (&[started(1), refused(50013)], refused(50013)),
        (&[started(1), refused(u32::MAX)], refused(u32::MAX)),
        (&[started(1), unknown], unknown),
        (&[started(1), unknown, done(5)], done(5)),
        (&[started(1), unknown, started(2)], started(2)),
        (&[expired], expired),
        (&[done(5), expired], done(5)),
        (&[done(5), done(6)], done(5)),
        (&[done(5), started(2)], done(5)),
        (&[refused(1), started(2)], refused(1)),
        (&[expired, unknown], expired),
        (&[expired, done(5)], done(5)),
    ];
    for (message, (marks, expected)) in (1..).zip(table) {
        let turn = turn(HOME, message);
        admit(&*store, &turn).await;
        let said = say(&turn, 0, "hello");
        queue(&*store, &said).await.unwrap();
        for mark in *marks {
            store.mark(HOME, turn.id, 0, *mark).await.unwrap();
        }
        let state = only(&*store).await.effects[0].state;
        assert_eq!(state, *expected, "after {marks:?}");
        let settled = EffectState::Expired;
        store.mark(HOME, turn.id, 0, settled).await.unwrap();
        end(&*store, &turn, Ending::Done).await.unwrap();
    }
}

pub(super) async fn an_effect_that_was_given_up_is_not_started<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    for (index, mark) in [
        EffectState::Expired,
        EffectState::Refused { code: 1 },
        EffectState::Done { message: None },
    ]
    .into_iter()
    .enumerate()
    {
        let index = index as u16;
        queue(&*store, &say(&turn, index, "hello")).await.unwrap();
        assert_eq!(store.start(HOME, turn.id, index, 1).await, Ok(true));
        assert_eq!(store.start(HOME, turn.id, index, 2).await, Ok(true));
        store.mark(HOME, turn.id, index, mark).await.unwrap();
        assert_eq!(store.start(HOME, turn.id, index, 3).await, Ok(false));
    }
}

pub(super) async fn effects_that_wait_become_one_or_stay<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    for (index, text) in [(0, "one"), (1, "two"), (2, "three")] {
        queue(&*store, &say(&turn, index, text)).await.unwrap();
    }
    let id = turn.id;
    assert!(store.start(HOME, id, 0, 1).await.unwrap());
    let both = say(&turn, 0, "one\ntwo");
    // The second time changes nothing.
    for _ in 0..2 {
        assert!(store.merge(&both, 1).await.unwrap());
    }
    let texts = |effects: &[Effect]| -> Vec<(u16, EffectBody)> {
        effects
            .iter()
            .map(|it| (it.index, it.body.clone()))
            .collect()
    };
    let expected = texts(&[both.clone(), say(&turn, 2, "three")]);
    assert_eq!(texts(&only(&*store).await.effects), expected);
    let all = say(&turn, 0, "one\ntwo\nthree");
    // What was started may be up already.
    assert!(store.start(HOME, id, 2, 1).await.unwrap());
    assert!(!store.merge(&all, 2).await.unwrap());
    let expired = EffectState::Expired;
    store.mark(HOME, id, 2, expired).await.unwrap();
    assert!(!store.merge(&all, 2).await.unwrap());
    queue(&*store, &say(&turn, 3, "four")).await.unwrap();
    store.done(&both, &[MessageId::new(50)], NOW).await.unwrap();
    assert!(!store.merge(&all, 3).await.unwrap());
    let elsewhere = Effect {
        scope: AWAY,
        ..both.clone()
    };
    assert!(!store.merge(&elsewhere, 3).await.unwrap());
    assert_eq!(only(&*store).await.effects.len(), 3);
}

pub(super) async fn what_was_said_has_a_speaker<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut turn = turn(HOME, 1);
    turn.persona = PersonaId::new(3);
    admit(&*store, &turn).await;
    assert_eq!(only(&*store).await.turn, turn);
    let said = say(&turn, 0, "hello");
    queue(&*store, &said).await.unwrap();
    let messages = [MessageId::new(50), MessageId::new(u64::MAX)];
    store.done(&said, &messages, NOW).await.unwrap();
    store.done(&said, &messages, NOW).await.unwrap();
    let notice = EffectBody::Notify {
        notice: Notice::Internal,
        reply_to: None,
    };
    let notice = effect(&turn, 1, notice);
    queue(&*store, &notice).await.unwrap();
    let told = MessageId::new(5_000);
    store.done(&notice, &[told], NOW).await.unwrap();

    let asked = [MessageId::new(49), messages[0], messages[1], told];
    let record = |is_notice| MessageRecord {
        persona: PersonaId::new(3),
        look: None,
        is_notice,
    };
    let mut expected = HashMap::from(messages.map(|id| (id, record(false))));
    expected.insert(told, record(true));
    assert_eq!(store.speakers(HOME, &asked).await, Ok(expected));
    assert_eq!(store.speakers(AWAY, &asked).await, Ok(HashMap::new()));
    assert_eq!(store.speakers(HOME, &[]).await, Ok(HashMap::new()));
    let many: Vec<MessageId> = (0..1000).map(MessageId::new).collect();
    assert_eq!(store.speakers(HOME, &many).await.unwrap().len(), 1);
}
