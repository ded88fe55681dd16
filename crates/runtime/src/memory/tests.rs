use std::sync::atomic::{AtomicUsize, Ordering};

use kaiwa_domain::port::{Answer, ChatModel, Pending};
use kaiwa_domain::settings::{EffectiveSettings, InstanceSettings};
use kaiwa_domain::{
    Abilities, Audience, FactId, FactSource, Finish, GuildId, MessageId, NewFact, PersonaId,
    TurnId, TurnState,
};
use kaiwa_twins::{MemoryStore, StillClock};
use tokio::sync::oneshot;

use super::*;

const HOME: Scope = Scope::Guild(GuildId::new(3));
const CHANNEL: ChannelId = ChannelId::new(4);
const ADA: UserId = UserId::new(5);
const BOB: UserId = UserId::new(6);
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn fact(about: Option<UserId>, text: &str) -> NewFact {
    NewFact {
        scope: HOME,
        about,
        audience: Audience::Scope,
        author: None,
        source: FactSource::Operator,
        channel: None,
        message: None,
        text: text.to_owned(),
        learned_at: NOW,
        expires_at: None,
    }
}

fn note(text: &str, at: i64) -> Note {
    Note {
        scope: HOME,
        channel: CHANNEL,
        persona: kaiwa_domain::PersonaId::MAIN,
        people: vec![ADA],
        text: text.to_owned(),
        at: Timestamp::from_millis(NOW.as_millis() + at),
        expires_at: Timestamp::from_millis(i64::MAX),
    }
}

fn recalled(facts: &[NewFact], notes: &[Note]) -> Recalled {
    let facts = (1..).zip(facts).map(|(number, learned)| Fact {
        id: FactId::new(number),
        learned: learned.clone(),
    });
    Recalled {
        facts: facts.collect(),
        notes: notes.to_vec(),
    }
}

fn turn() -> Turn {
    Turn {
        id: TurnId::of_message(MessageId::new(1)),
        scope: HOME,
        channel: CHANNEL,
        asker: ADA,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: NOW,
    }
}

fn settings() -> TurnSettings {
    let instance = InstanceSettings::default();
    let effective = EffectiveSettings::new(&instance, [], CHANNEL, PersonaId::MAIN);
    TurnSettings::from(&effective)
}

#[test]
fn what_is_recalled_is_one_line_each_within_the_budget() {
    let name = |user| (user == ADA).then(|| "Ada".to_owned());
    let recalled = recalled(
        &[
            fact(Some(ADA), "likes\n- You: tea"),
            fact(Some(BOB), "plays chess"),
            fact(None, "Game night is on Friday"),
        ],
        &[note("old", 0), note("new", 1)],
    );
    assert_eq!(
        recalled.lines(800, name),
        [
            "About Ada: likes - You: tea",
            "About <@6>: plays chess",
            "Game night is on Friday",
            "Your note on this conversation: old",
            "Your note on this conversation: new",
        ]
    );
    for budget in 0..100_u16 {
        let lines = recalled.lines(budget, name);
        let cost: u32 = lines.iter().map(|line| cost(line)).sum();
        assert!(cost <= u32::from(budget), "{budget}: {lines:?}");
        // The newest note goes last.
        let has = |text: &str| lines.iter().any(|line| line.ends_with(text));
        assert!(!has("old") || has("new"), "{budget}: {lines:?}");
    }
    assert!(recalled.lines(0, name).is_empty());
}

/// A memory, its store and its clock.
fn memory() -> (Memory, MemoryStore, StillClock) {
    let clock = StillClock::new(NOW);
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let store = MemoryStore::new(shared.clone());
    let memory = Memory::new(
        Arc::new(store.clone()),
        Arc::new(store.clone()),
        shared,
        Tasks::new(),
        CancellationToken::new(),
    );
    (memory, store, clock)
}

#[tokio::test]
async fn what_is_off_or_opted_out_is_not_recalled() {
    let (memory, store, _) = memory();
    store.remember(&fact(Some(ADA), "likes tea")).await.unwrap();
    store.remember(&fact(None, "Friday")).await.unwrap();
    store.take_note(&note("noted", 0)).await.unwrap();
    let count = async |settings: &TurnSettings| {
        let recalled = memory.recall(settings, &turn(), "tea").await;
        recalled.facts.len() + recalled.notes.len()
    };
    assert_eq!(count(&settings()).await, 3);
    let off = TurnSettings {
        memory: false,
        ..settings()
    };
    assert_eq!(count(&off).await, 0);
    memory
        .keep(&off, &nobody(), &turn(), &["x".to_owned()])
        .await;
    assert_eq!(store.notes(HOME, CHANNEL, NOW).await.unwrap().len(), 1);

    assert!(!memory.is_opted_out(ADA));
    memory
        .opt_out(ADA, Timestamp::from_millis(0))
        .await
        .unwrap();
    assert!(memory.is_opted_out(ADA));
    assert_eq!(count(&settings()).await, 1);
    let (again, ..) = (
        Memory {
            shared: Arc::default(),
            ..memory.clone()
        },
        (),
    );
    again.load().await.unwrap();
    assert!(again.is_opted_out(ADA), "it holds over a restart");
    memory.opt_in(ADA).await.unwrap();
    assert_eq!(count(&settings()).await, 3);
}

#[tokio::test]
async fn nobody_waits_for_a_memory_that_fails() {
    let (memory, store, _) = memory();
    store.remember(&fact(None, "Friday")).await.unwrap();
    store.fail(Some(StoreError::Transient {
        reason: "busy".to_owned(),
    }));
    let recalled = memory.recall(&settings(), &turn(), "").await;
    assert!(recalled.facts.is_empty());
    let details = ["x".to_owned()];
    memory.keep(&settings(), &nobody(), &turn(), &details).await;
}

/// A store that never answers.
struct Stuck;

macro_rules! stuck {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        fn $name<'a>(&'a self, $($arg: $kind),*) -> Pending<'a, Result<$result, StoreError>> {
            Box::pin(std::future::pending())
        }
    )*};
}

impl Memories for Stuck {
    stuck! {
        remember(_fact: &'a NewFact) -> FactId;
        recall(_recall: &'a Recall<'a>) -> Vec<Fact>;
        take_note(_note: &'a Note) -> ();
        condense_notes(_note: &'a Note) -> ();
    }

    fn facts(&self, _: Scope) -> Pending<'_, Result<Vec<Fact>, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn forget(&self, _: Scope, _: FactId) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn notes(
        &self,
        _: Scope,
        _: ChannelId,
        _: Timestamp,
    ) -> Pending<'_, Result<Vec<Note>, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn reset_context(
        &self,
        _: Scope,
        _: ChannelId,
        _: MessageId,
        _: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(std::future::pending())
    }

    fn context_start(
        &self,
        _: Scope,
        _: ChannelId,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>> {
        Box::pin(std::future::pending())
    }

    fn rotate_key(&self) -> Pending<'_, Result<u64, StoreError>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn nobody_waits_for_a_memory_that_hangs() {
    let (memory, _, clock) = memory();
    let stuck = Memory {
        store: Arc::new(Stuck),
        ..memory
    };
    let (settings, turn) = (settings(), turn());
    let recalling = stuck.recall(&settings, &turn, "tea");
    let waiting = async {
        tokio::task::yield_now().await;
        assert!(clock.advance_to_next(RECALL_WITHIN), "it waits without end");
    };
    let (recalled, ()) = tokio::join!(recalling, waiting);
    assert!(recalled.facts.is_empty());
}

/// Says one line once the gate opens.
struct Summarizer {
    asked: AtomicUsize,
    gate: Mutex<Option<oneshot::Receiver<()>>>,
    says: String,
}

impl Summarizer {
    fn new(says: &str) -> (Arc<Self>, oneshot::Sender<()>) {
        let (open, gate) = oneshot::channel();
        let summarizer = Self {
            asked: AtomicUsize::new(0),
            gate: Mutex::new(Some(gate)),
            says: says.to_owned(),
        };
        (Arc::new(summarizer), open)
    }
}

impl ChatModel for Summarizer {
    fn answer(&self, brief: Brief) -> Answer {
        assert!(brief.system.starts_with("These are notes"));
        self.asked.fetch_add(1, Ordering::Relaxed);
        let gate = self.gate.lock().unwrap().take();
        let says = self.says.clone();
        let finish = Delta::Finish {
            finish: Finish::Stop,
            word: String::new(),
        };
        let deltas = async move {
            if let Some(gate) = gate {
                let _ = gate.await;
            }
            futures_util::stream::iter([Ok(Delta::Text(says)), Ok(finish)])
        };
        Box::pin(futures_util::stream::once(deltas).flatten())
    }

    fn abilities(&self) -> Abilities {
        Abilities::default()
    }
}

fn nobody() -> RoleModels {
    RoleModels::single(Summarizer::new("").0)
}

#[tokio::test]
async fn many_notes_are_summed_up_beside_the_turns() {
    let (memory, store, _) = memory();
    let (summarizer, open) = Summarizer::new(" - likes tea ");
    let cast = RoleModels {
        summarizer: Some(summarizer.clone()),
        ..nobody()
    };
    let long = ["long ".repeat(500)];
    for asker in [ADA, BOB, ADA, ADA] {
        let turn = Turn { asker, ..turn() };
        // It returns although the summarizer says nothing yet.
        memory.keep(&settings(), &cast, &turn, &long).await;
    }
    assert_eq!(store.notes(HOME, CHANNEL, NOW).await.unwrap().len(), 4);
    assert!(open.send(()).is_ok());
    memory.tasks.ended().await;
    assert_eq!(
        summarizer.asked.load(Ordering::Relaxed),
        1,
        "once at a time"
    );
    let notes = store.notes(HOME, CHANNEL, NOW).await.unwrap();
    let [summary] = &*notes else {
        panic!("{notes:?}");
    };
    assert_eq!(summary.text, "- likes tea");
    assert_eq!(summary.people, [ADA, BOB]);
    assert!(memory.lock().condensing.is_empty());
}

#[tokio::test]
async fn notes_stay_when_nobody_sums_them_up() {
    let (memory, store, _) = memory();
    let long = ["long ".repeat(1000), "x".repeat(NOTE_CHARS)];
    for _ in 0..3 {
        memory.keep(&settings(), &nobody(), &turn(), &long).await;
    }
    memory.tasks.ended().await;
    assert_eq!(store.notes(HOME, CHANNEL, NOW).await.unwrap().len(), 3);
    assert!(memory.lock().condensing.is_empty());
}
