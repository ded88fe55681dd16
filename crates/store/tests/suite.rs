//! What every engine of the journals promises, stated once.
//!
//! An engine joins with an [`Engine`] and one line of `suite!` at the end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this file is tests"
)]

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{join_all, select};
use kaiwa_domain::port::{Admission, Ledger, OpenTurn, Session, Sessions, Store};
use kaiwa_domain::{
    Bill, ChannelId, Ending, Expense, File, GuildId, MessageId, Notice, Outgoing, Payer, Post,
    PostState, Role, Scope, Spender, Spent, Table, Timestamp, Turn, TurnId, TurnState, Usage,
    UserId,
};
use kaiwa_store::Sqlite;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::test_runner::TestRunner;
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

/// A place for journals that can be opened, closed and opened again.
trait Engine: Default {
    type Journals: Store + Sessions + Ledger + 'static;

    fn open(&self) -> impl Future<Output = Arc<Self::Journals>>;
    fn close(&self, journals: Arc<Self::Journals>) -> impl Future<Output = ()>;

    /// The ending and the notice in the row of a turn of `HOME`: the port does
    /// not show turns that are over.
    fn ending_row(&self, turn: TurnId) -> impl Future<Output = (String, Option<String>)>;
}

struct SqliteFile(tempfile::TempDir);

impl Default for SqliteFile {
    fn default() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Engine for SqliteFile {
    type Journals = Sqlite;

    async fn open(&self) -> Arc<Sqlite> {
        Arc::new(Sqlite::open(&self.path()).await.unwrap())
    }

    async fn close(&self, journals: Arc<Sqlite>) {
        journals.close().await.unwrap();
    }

    async fn ending_row(&self, turn: TurnId) -> (String, Option<String>) {
        let options = SqliteConnectOptions::new().filename(self.path());
        let mut connection = options.read_only(true).connect().await.unwrap();
        sqlx::query_as("SELECT ending, notice FROM turn WHERE scope = ?1 AND trigger = ?2")
            .bind(HOME.to_string())
            .bind(turn.trigger.get().cast_signed())
            .fetch_one(&mut connection)
            .await
            .unwrap()
    }
}

impl SqliteFile {
    fn path(&self) -> PathBuf {
        self.0.path().join("kaiwa.db")
    }
}

const HOME: Scope = Scope::Guild(GuildId::new(7));
const AWAY: Scope = Scope::Dm(UserId::new(7));

fn turn(scope: Scope, trigger: u64) -> Turn {
    Turn {
        id: TurnId::first(MessageId::new(trigger)),
        scope,
        channel: ChannelId::new(20),
        asker: UserId::new(30),
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(1_000),
    }
}

fn post(turn: &Turn, index: u32, text: &str) -> Post {
    Post {
        turn: turn.id,
        index,
        scope: turn.scope,
        channel: turn.channel,
        reply_to: (index == 0).then_some(turn.id.trigger),
        outgoing: Outgoing::Say(text.to_owned()),
        state: PostState::Queued,
        queued_at: Timestamp::from_millis(2_000),
    }
}

fn text_of(post: &Post) -> &str {
    match &post.outgoing {
        Outgoing::Say(text) => text,
        Outgoing::Table(table) => table.source(),
        Outgoing::File(file) => file.source(),
    }
}

/// The one open turn of `HOME`.
async fn only(store: &impl Store) -> OpenTurn {
    let mut open = store.open_turns(HOME).await.unwrap();
    assert_eq!(open.len(), 1, "{open:?}");
    open.remove(0)
}

async fn tables_and_files_come_back_from_their_source<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    store.admit(&turn).await.unwrap();
    let table = Table::parse("| a | b |\n|---|--:|\n| `1|2` | 3 |").unwrap();
    let shown = Post {
        outgoing: Outgoing::Table(table),
        ..post(&turn, 0, "")
    };
    store.queue(&shown).await.unwrap();
    let file = File::new("code.rs", "fn main() {\n\n}\n").unwrap();
    let sent = Post {
        outgoing: Outgoing::File(file),
        ..post(&turn, 1, "")
    };
    store.queue(&sent).await.unwrap();
    engine.close(store).await;
    let store = engine.open().await;
    assert_eq!(only(&*store).await.posts, [shown, sent]);
}

async fn a_message_is_admitted_once<E: Engine>(engine: E) {
    let store = engine.open().await;
    let first = turn(HOME, 1);
    assert_eq!(store.admit(&first).await, Ok(Admission::New));
    store.think(HOME, first.id).await.unwrap();

    let mut again = first.clone();
    again.admitted_at = Timestamp::from_millis(9_000);
    assert_eq!(store.admit(&again).await, Ok(Admission::Duplicate));
    let kept = only(&*store).await.turn;
    assert_eq!(kept.state, TurnState::Thinking { attempt: 1 });
    assert_eq!(kept.admitted_at, first.admitted_at);

    store.end(HOME, first.id, Ending::Done).await.unwrap();
    assert_eq!(store.admit(&first).await, Ok(Admission::Duplicate));
    assert_eq!(store.open_turns(HOME).await, Ok(vec![]));

    let mut second_take = first.clone();
    second_take.id.take = 1;
    assert_eq!(store.admit(&second_take).await, Ok(Admission::New));
}

async fn a_turn_is_run_until_it_speaks<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    store.admit(&turn).await.unwrap();
    assert_eq!(only(&*store).await.turn.state, TurnState::Admitted);

    for attempt in 1..=3 {
        assert_eq!(store.think(HOME, turn.id).await, Ok(attempt));
        let state = only(&*store).await.turn.state;
        assert_eq!(state, TurnState::Thinking { attempt });
    }

    store.queue(&post(&turn, 0, "hello")).await.unwrap();
    assert_eq!(only(&*store).await.turn.state, TurnState::Speaking);
    let refused = store.think(HOME, turn.id).await.unwrap_err().reason;
    assert_eq!(refused, "turn 1-0 has posts already and is never run again");
    assert_eq!(only(&*store).await.turn.state, TurnState::Speaking);
}

async fn an_ended_turn_stays_as_it_ended<E: Engine>(engine: E) {
    let store = engine.open().await;
    let endings = [
        (Ending::Done, "done", None),
        (Ending::Stopped, "stopped", None),
        (
            Ending::Failed(Notice::ModelBusy),
            "failed",
            Some("model_busy"),
        ),
        (Ending::Stale, "stale", None),
    ];
    for (trigger, (ending, word, notice)) in (1..).zip(endings) {
        let turn = turn(HOME, trigger);
        store.admit(&turn).await.unwrap();
        let said = post(&turn, 0, "hello");
        store.queue(&said).await.unwrap();
        store.end(HOME, turn.id, ending).await.unwrap();
        assert_eq!(store.open_turns(HOME).await, Ok(vec![]), "{ending:?}");
        assert_eq!(store.open_scopes().await, Ok(vec![]), "{ending:?}");

        let other = if ending == Ending::Done {
            Ending::Stale
        } else {
            Ending::Done
        };
        store.end(HOME, turn.id, other).await.unwrap();
        let kept = engine.ending_row(turn.id).await;
        assert_eq!(kept, (word.to_owned(), notice.map(str::to_owned)));
        let over = format!("turn {} has ended", turn.id);
        let thought = store.think(HOME, turn.id).await.unwrap_err().reason;
        assert_eq!(thought, over);
        let late = post(&turn, 1, "late");
        assert_eq!(store.queue(&late).await.unwrap_err().reason, over);
        assert_eq!(store.queue(&said).await, Ok(()), "it is there already");
        assert_eq!(store.open_turns(HOME).await, Ok(vec![]), "{ending:?}");
    }
}

async fn a_post_is_queued_once<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    store.admit(&turn).await.unwrap();
    let said = post(&turn, 0, "hello");
    store.queue(&said).await.unwrap();
    let sent = PostState::Sent(MessageId::new(50));
    store.mark(HOME, turn.id, 0, sent).await.unwrap();

    let mut again = said.clone();
    again.queued_at = Timestamp::from_millis(9_000);
    store.queue(&again).await.unwrap();
    let kept = only(&*store).await.posts;
    let expected = Post {
        state: sent,
        ..said.clone()
    };
    assert_eq!(kept, [expected]);

    let other = post(&turn, 0, "goodbye");
    assert_eq!(
        store.queue(&other).await.unwrap_err().reason,
        "post 0 of turn 1-0 was queued before with other content"
    );
}

async fn a_post_moves_only_forward<E: Engine>(engine: E) {
    let store = engine.open().await;
    let queued = PostState::Queued;
    let started = |attempt| PostState::Started { attempt };
    let sent = |id| PostState::Sent(MessageId::new(id));
    let refused = |code| PostState::Refused { code };
    let (unknown, abandoned) = (PostState::Unknown, PostState::Abandoned);

    let table: &[(&[PostState], PostState)] = &[
        (&[], queued),
        (&[started(1)], started(1)),
        (&[started(1), started(2)], started(2)),
        (&[started(1), sent(5)], sent(5)),
        (&[started(1), refused(50013)], refused(50013)),
        (&[started(1), refused(u32::MAX)], refused(u32::MAX)),
        (&[started(1), unknown], unknown),
        (&[started(1), unknown, sent(5)], sent(5)),
        (&[started(1), unknown, started(2)], started(2)),
        (&[abandoned], abandoned),
        (&[sent(5), abandoned], sent(5)),
        (&[sent(5), sent(6)], sent(5)),
        (&[sent(5), started(2)], sent(5)),
        (&[refused(1), started(2)], refused(1)),
        (&[abandoned, unknown], abandoned),
        (&[abandoned, sent(5)], sent(5)),
    ];
    for (trigger, (marks, expected)) in (1..).zip(table) {
        let turn = turn(HOME, trigger);
        store.admit(&turn).await.unwrap();
        store.queue(&post(&turn, 0, "hello")).await.unwrap();
        for mark in *marks {
            store.mark(HOME, turn.id, 0, *mark).await.unwrap();
        }
        let state = only(&*store).await.posts[0].state;
        assert_eq!(state, *expected, "after {marks:?}");
        store.end(HOME, turn.id, Ending::Done).await.unwrap();
    }
}

async fn what_is_not_there_is_an_error<E: Engine>(engine: E) {
    let store = engine.open().await;
    let absent = turn(HOME, 1);
    let no_turn = "there is no turn 1-0 in this scope";
    let reason = store.think(HOME, absent.id).await.unwrap_err().reason;
    assert_eq!(reason, no_turn);
    let said = post(&absent, 0, "hello");
    assert_eq!(store.queue(&said).await.unwrap_err().reason, no_turn);
    let ended = store.end(HOME, absent.id, Ending::Done).await;
    assert_eq!(ended.unwrap_err().reason, no_turn);
    let marked = store.mark(HOME, absent.id, 3, PostState::Unknown).await;
    assert_eq!(
        marked.unwrap_err().reason,
        "there is no post 3 of turn 1-0 in this scope"
    );
    assert_eq!(store.open_scopes().await, Ok(vec![]));
}

async fn open_turns_come_oldest_first_with_their_posts<E: Engine>(engine: E) {
    let store = engine.open().await;
    for (trigger, admitted_at) in [(3, 500), (1, 900), (2, 700)] {
        let mut turn = turn(HOME, trigger);
        turn.admitted_at = Timestamp::from_millis(admitted_at);
        store.admit(&turn).await.unwrap();
        // Queued out of order: their place decides, not the time.
        for index in [1, 0, 10, 2] {
            let text = format!("{trigger}.{index}");
            let said = Post {
                queued_at: Timestamp::from_millis(-i64::from(index)),
                ..post(&turn, index, &text)
            };
            store.queue(&said).await.unwrap();
        }
    }
    let open = store.open_turns(HOME).await.unwrap();
    let texts: Vec<Vec<&str>> = open
        .iter()
        .map(|open| open.posts.iter().map(text_of).collect())
        .collect();
    assert_eq!(
        texts,
        [
            ["3.0", "3.1", "3.2", "3.10"],
            ["2.0", "2.1", "2.2", "2.10"],
            ["1.0", "1.1", "1.2", "1.10"],
        ]
    );
}

async fn everything_survives_a_reopening<E: Engine>(engine: E) {
    // The widest values, so that nothing is narrowed on its way.
    let scope = Scope::Guild(GuildId::new(u64::MAX));
    let turn = Turn {
        id: TurnId {
            trigger: MessageId::new(u64::MAX),
            take: u16::MAX,
        },
        scope,
        channel: ChannelId::new(u64::MAX - 1),
        asker: UserId::new(1 << 63),
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(i64::MAX),
    };
    let said = Post {
        index: u32::MAX,
        reply_to: Some(MessageId::new(u64::MAX)),
        ..post(
            &turn,
            0,
            "会話 \u{1f469}\u{200d}\u{1f680} \0 '; DROP TABLE turn",
        )
    };
    let session = Session {
        id: "abc".to_owned(),
        sequence: u64::MAX,
        resume_url: "wss://example.invalid".to_owned(),
        shards: u32::MAX,
    };

    let store = engine.open().await;
    store.admit(&turn).await.unwrap();
    store.queue(&said).await.unwrap();
    let sent = PostState::Sent(MessageId::new(u64::MAX));
    store.mark(scope, turn.id, said.index, sent).await.unwrap();
    store.save(u32::MAX, Some(session.clone())).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    let expected = OpenTurn {
        turn: Turn {
            state: TurnState::Speaking,
            ..turn
        },
        posts: vec![Post {
            state: sent,
            ..said
        }],
    };
    assert_eq!(store.open_scopes().await, Ok(vec![scope]));
    assert_eq!(store.open_turns(scope).await, Ok(vec![expected]));
    assert_eq!(store.load(u32::MAX).await, Ok(Some(session)));
}

async fn a_session_is_replaced_and_forgotten<E: Engine>(engine: E) {
    let store = engine.open().await;
    let session = |sequence| Session {
        id: format!("s{sequence}"),
        sequence,
        resume_url: "ws://127.0.0.1:1".to_owned(),
        shards: 1,
    };
    assert_eq!(store.load(0).await, Ok(None));
    store.save(0, Some(session(1))).await.unwrap();
    store.save(1, Some(session(9))).await.unwrap();
    store.save(0, Some(session(2))).await.unwrap();
    assert_eq!(store.load(0).await, Ok(Some(session(2))));
    store.save(0, None).await.unwrap();
    assert_eq!(store.load(0).await, Ok(None));
    assert_eq!(store.load(1).await, Ok(Some(session(9))));
}

/// A bill of `HOME`'s user 30 in channel 20.
fn expense(at: i64, input: u64, output: u64, cost: Option<u64>) -> Expense {
    Expense {
        payer: Payer {
            turn: TurnId::first(MessageId::new(1)),
            scope: HOME,
            channel: ChannelId::new(20),
            user: UserId::new(30),
        },
        bill: Bill {
            role: Role::Chat,
            model: "tea/green".to_owned(),
            usage: Usage {
                input,
                cached: input / 2,
                output,
                thinking: output / 2,
            },
            estimated: cost.is_none(),
            cost,
        },
        at: Timestamp::from_millis(at),
    }
}

async fn expenses_add_up<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut elsewhere = expense(2_000, 10_000, 0, Some(10_000));
    elsewhere.payer.channel = ChannelId::new(21);
    let mut somebody = expense(2_000, 100_000, 0, None);
    somebody.payer.user = UserId::new(u64::MAX);
    let mut away = expense(2_000, 1_000_000, 0, Some(1));
    away.payer.scope = AWAY;
    for expense in [
        expense(999, 1, 0, Some(1)),
        expense(1_000, 10, 5, Some(10)),
        expense(2_000, 100, 50, None),
        expense(2_000, 100, 50, Some(100)),
        elsewhere,
        somebody,
        away,
    ] {
        store.record(&expense).await.unwrap();
    }
    engine.close(store).await;

    let store = engine.open().await;
    let user = |id| Spender::User(UserId::new(id));
    let channel = |id| Spender::Channel(ChannelId::new(id));
    for (scope, spender, since, tokens, cost) in [
        (HOME, user(30), 1_000, 10_315, 10_110),
        (HOME, user(30), 999, 10_316, 10_111),
        (HOME, user(30), 2_001, 0, 0),
        (HOME, user(u64::MAX), 0, 100_000, 0),
        (HOME, user(31), 0, 0, 0),
        (HOME, channel(20), 1_000, 100_315, 110),
        (HOME, channel(21), 1_000, 10_000, 10_000),
        (HOME, Spender::Everyone, 1_000, 110_315, 10_110),
        (AWAY, Spender::Everyone, 1_000, 1_000_000, 1),
        (AWAY, user(30), 1_000, 1_000_000, 1),
    ] {
        let since = Timestamp::from_millis(since);
        let spent = store.spent(scope, spender, since).await;
        let expected = Spent { tokens, cost };
        assert_eq!(spent, Ok(expected), "{scope} {spender:?} {since:?}");
    }
}

async fn a_bill_beyond_belief_breaks_no_sum<E: Engine>(engine: E) {
    let store = engine.open().await;
    for _ in 0..3 {
        let bill = expense(1, u64::MAX, u64::MAX, Some(u64::MAX));
        store.record(&bill).await.unwrap();
    }
    let spent = store.spent(HOME, Spender::Everyone, Timestamp::from_millis(0));
    let spent = spent.await.unwrap();
    assert!(spent.tokens > 1 << 40 && spent.cost > 1 << 40, "{spent:?}");
}

async fn many_writers_and_readers_all_get_through<E: Engine>(engine: E) {
    let store = engine.open().await;
    let trips = (1..=40).map(|trigger| {
        let store = Arc::clone(&store);
        async move {
            let scope = if trigger % 2 == 0 { HOME } else { AWAY };
            let turn = turn(scope, trigger);
            assert_eq!(store.admit(&turn).await, Ok(Admission::New));
            assert_eq!(store.think(scope, turn.id).await, Ok(1));
            for index in 0..3 {
                store.queue(&post(&turn, index, "hello")).await.unwrap();
                let sent = PostState::Sent(MessageId::new(trigger));
                store.mark(scope, turn.id, index, sent).await.unwrap();
                store.open_turns(scope).await.unwrap();
            }
            store.end(scope, turn.id, Ending::Done).await.unwrap();
        }
    });
    join_all(trips).await;
    assert_eq!(store.open_scopes().await, Ok(vec![]));
}

async fn a_dropped_call_leaves_no_half_and_no_lock<E: Engine>(engine: E) {
    let store = engine.open().await;
    for trigger in 1..=20 {
        let turn = turn(HOME, trigger);
        // Polled once or twice, then dropped in the middle.
        let call = store.admit(&turn);
        select(call, pin!(std::future::ready(()))).await;
    }
    for trigger in 1..=20 {
        store.admit(&turn(HOME, trigger)).await.unwrap();
    }
    assert_eq!(store.open_turns(HOME).await.unwrap().len(), 20);
}

/// One call on the journals, on a small set of names so that calls collide.
#[derive(Clone, Debug)]
enum Call {
    Admit,
    Think,
    Queue(u32),
    Mark(u32, PostState),
    End(Ending),
}

async fn make(store: &impl Store, scope: Scope, trigger: u64, call: &Call) -> String {
    let turn = turn(scope, trigger);
    match *call {
        Call::Admit => format!("{:?}", store.admit(&turn).await),
        Call::Think => format!("{:?}", store.think(scope, turn.id).await),
        Call::Queue(index) => format!("{:?}", store.queue(&post(&turn, index, "hi")).await),
        Call::Mark(index, state) => {
            format!("{:?}", store.mark(scope, turn.id, index, state).await)
        }
        Call::End(ending) => format!("{:?}", store.end(scope, turn.id, ending).await),
    }
}

fn calls() -> impl Strategy<Value = Vec<(bool, u64, Call)>> {
    let mark = prop_oneof![
        any::<u32>().prop_map(|attempt| PostState::Started { attempt }),
        any::<u64>().prop_map(|id| PostState::Sent(MessageId::new(id))),
        any::<u32>().prop_map(|code| PostState::Refused { code }),
        Just(PostState::Unknown),
        Just(PostState::Abandoned),
    ];
    let call = prop_oneof![
        3 => Just(Call::Admit),
        2 => Just(Call::Think),
        3 => (0..2u32).prop_map(Call::Queue),
        3 => (0..2u32, mark).prop_map(|(index, state)| Call::Mark(index, state)),
        1 => Just(Call::End(Ending::Stopped)),
    ];
    proptest::collection::vec((any::<bool>(), 1..3u64, call), 1..30)
}

/// Two scopes that share one database and every id behave exactly as if each
/// had a database to itself.
async fn scopes_never_touch<E: Engine>(_: E) {
    let handle = tokio::runtime::Handle::current();
    let property = move |calls: Vec<(bool, u64, Call)>| {
        handle.block_on(async {
            let engines = [E::default(), E::default(), E::default()];
            let shared = engines[0].open().await;
            let home = engines[1].open().await;
            let away = engines[2].open().await;
            for (is_home, trigger, call) in &calls {
                let (scope, alone) = if *is_home {
                    (HOME, &home)
                } else {
                    (AWAY, &away)
                };
                let together = make(&*shared, scope, *trigger, call).await;
                assert_eq!(together, make(&**alone, scope, *trigger, call).await);
            }
            for (scope, alone) in [(HOME, &home), (AWAY, &away)] {
                assert_eq!(
                    shared.open_turns(scope).await,
                    alone.open_turns(scope).await
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

macro_rules! suite {
    ($engine_name:ident: $engine:ty; $($promise:ident)*) => {
        mod $engine_name {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $promise() {
                super::$promise(<$engine>::default()).await;
            })*
        }
    };
}

suite! { sqlite: SqliteFile;
    a_message_is_admitted_once
    tables_and_files_come_back_from_their_source
    a_turn_is_run_until_it_speaks
    an_ended_turn_stays_as_it_ended
    a_post_is_queued_once
    a_post_moves_only_forward
    what_is_not_there_is_an_error
    open_turns_come_oldest_first_with_their_posts
    everything_survives_a_reopening
    a_session_is_replaced_and_forgotten
    expenses_add_up
    a_bill_beyond_belief_breaks_no_sum
    many_writers_and_readers_all_get_through
    a_dropped_call_leaves_no_half_and_no_lock
    scopes_never_touch
}
