//! Two scopes that share one database and every id behave exactly as if each
//! had a database to itself.

use kaiwa_domain::port::{Memories, SettingsStore, StopRequest, Store};
use kaiwa_domain::settings::{SettingKey, SettingPlace};
use kaiwa_domain::{EffectState, Ending, FactId, MessageId, Scope, Timestamp};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::test_runner::TestRunner;

use super::memories::{fact, note, recall};
use super::settings::setting;
use super::{AWAY, Engine, HOME, NOW, end, queue, say, turn};

/// One call on the journals, on a small set of names so that calls collide.
#[derive(Clone, Debug)]
enum Call {
    Admit,
    Begin,
    Queue(u16),
    Start(u16, u32),
    Mark(u16, EffectState),
    Done(u16, u64),
    Stop,
    Set(SettingKey),
    Unset(SettingKey),
    Remember(usize),
    Forget(u32),
    Recall(usize),
    TakeNote,
    Reset,
    End(Ending),
}

const WORDS: [&str; 2] = ["tea", "東京"];

async fn make(
    store: &(impl Store + SettingsStore + Memories),
    scope: Scope,
    message: u64,
    call: &Call,
) -> String {
    let turn = turn(scope, message);
    match *call {
        Call::Admit => format!("{:?}", store.admit(&turn, None).await),
        Call::Begin => format!("{:?}", store.begin(scope, turn.id).await),
        Call::Queue(index) => format!("{:?}", queue(store, &say(&turn, index, "hi")).await),
        Call::Start(index, attempt) => {
            format!("{:?}", store.start(scope, turn.id, index, attempt).await)
        }
        Call::Mark(index, state) => {
            format!("{:?}", store.mark(scope, turn.id, index, state).await)
        }
        Call::Done(index, message) => {
            let said = say(&turn, index, "hi");
            let sent = [MessageId::new(message)];
            format!("{:?}", store.done(&said, &sent, NOW).await)
        }
        Call::Stop => {
            let stop = StopRequest {
                scope,
                channel: turn.channel,
                asker: turn.asker,
                event: MessageId::new(message + 1),
                at: Timestamp::from_millis(1_000),
            };
            format!("{:?}", store.stop(&stop).await)
        }
        Call::Set(key) => {
            let value = message.to_string();
            let set = setting(scope, SettingPlace::Guild, key, &value);
            format!("{:?}", store.set(&set).await)
        }
        Call::Unset(key) => {
            format!("{:?}", store.unset(scope, SettingPlace::Guild, key).await)
        }
        Call::Remember(word) => {
            let about = (message == 1).then_some(turn.asker);
            let fact = fact(scope, about, WORDS[word]);
            format!("{:?}", store.remember(&fact).await)
        }
        Call::Forget(number) => {
            format!("{:?}", store.forget(scope, FactId::new(number)).await)
        }
        Call::Recall(word) => {
            let asked = recall(scope, WORDS[word]);
            format!("{:?}", store.recall(&asked).await)
        }
        Call::TakeNote => {
            let noted = note(scope, turn.channel, "noted", 0);
            let taken = store.take_note(&noted).await;
            let notes = store.notes(scope, turn.channel, NOW).await;
            format!("{taken:?} {notes:?}")
        }
        Call::Reset => {
            let message = MessageId::new(message);
            let reset = store.reset_context(scope, turn.channel, message, NOW).await;
            let start = store.context_start(scope, turn.channel).await;
            format!("{reset:?} {start:?}")
        }
        Call::End(ending) => format!("{:?}", end(store, &turn, ending).await),
    }
}

fn calls() -> impl Strategy<Value = Vec<(bool, u64, Call)>> {
    let mark = prop_oneof![
        any::<u32>().prop_map(|code| EffectState::Refused { code }),
        Just(EffectState::Unknown),
        Just(EffectState::Queued),
        Just(EffectState::Expired),
    ];
    let call = prop_oneof![
        4 => Just(Call::Admit),
        2 => Just(Call::Begin),
        4 => (0..2u16).prop_map(Call::Queue),
        2 => (0..2u16, any::<u32>()).prop_map(|(index, attempt)| Call::Start(index, attempt)),
        2 => (0..2u16, mark).prop_map(|(index, state)| Call::Mark(index, state)),
        2 => (0..2u16, 90..93u64).prop_map(|(index, message)| Call::Done(index, message)),
        1 => Just(Call::Stop),
        1 => Just(Call::Set(SettingKey::Degree)),
        1 => Just(Call::Unset(SettingKey::Degree)),
        2 => (0..2_usize).prop_map(Call::Remember),
        1 => (1..4_u32).prop_map(Call::Forget),
        2 => (0..2_usize).prop_map(Call::Recall),
        1 => Just(Call::TakeNote),
        1 => Just(Call::Reset),
        1 => Just(Call::End(Ending::Stopped)),
    ];
    proptest::collection::vec((any::<bool>(), 1..3u64, call), 1..30)
}

pub(super) async fn scopes_never_touch<E: Engine>(_: E) {
    let handle = tokio::runtime::Handle::current();
    let property = move |calls: Vec<(bool, u64, Call)>| {
        handle.block_on(async {
            let engines = [E::default(), E::default(), E::default()];
            let shared = engines[0].open().await;
            let home = engines[1].open().await;
            let away = engines[2].open().await;
            for (is_home, message, call) in &calls {
                let (scope, alone) = if *is_home {
                    (HOME, &home)
                } else {
                    (AWAY, &away)
                };
                let together = make(&*shared, scope, *message, call).await;
                assert_eq!(together, make(&**alone, scope, *message, call).await);
            }
            let messages: Vec<MessageId> = (90..93).map(MessageId::new).collect();
            for (scope, alone) in [(HOME, &home), (AWAY, &away)] {
                assert_eq!(
                    shared.unfinished(scope).await,
                    alone.unfinished(scope).await
                );
                assert_eq!(shared.settings(scope).await, alone.settings(scope).await);
                assert_eq!(shared.facts(scope).await, alone.facts(scope).await);
                assert_eq!(
                    shared.speakers(scope, &messages).await,
                    alone.speakers(scope, &messages).await
                );
            }
            for (engine, store) in engines.iter().zip([shared, home, away]) {
                engine.close(store).await;
            }
        });
        Ok(())
    };
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(24)
    };
    let run = move || TestRunner::new(config).run(&calls(), property);
    tokio::task::spawn_blocking(run).await.unwrap().unwrap();
}
