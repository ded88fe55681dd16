//! Nothing grows for ever.

use std::time::Duration;

use kaiwa_domain::port::{Retention, Session, StopRequest, Store};
use kaiwa_domain::settings::{SettingKey, SettingPlace};
use kaiwa_domain::{
    CaseKind, ChannelId, DataSubject, Ending, InteractionId, MessageId, OfferKind, ResponseHandle,
    Scope, Timestamp, UserId, WebhookHandle, WebhookId,
};

use super::cases::case;
use super::expenses::expense;
use super::memories::{decision, fact, note, snapshot};
use super::newcomers::newcomer;
use super::offers::{audited, offer};
use super::personas::add_painted;
use super::schedules::schedule;
use super::settings::setting;
use super::turns::take_request;
use super::{Engine, Everything, HOME, admit, end, queue, say, turn};

/// Tables that hold one row for each of something that is bounded: `setting`
/// has one for each setting and place and `fact` one for each fact, up to a
/// thousand in a scope; `persona` has a hundred in a scope and `persona_picture`
/// two hundred different ones; `schedule` has 25 for each person; `opt_out` has one for each
/// person, `departure` one for each guild, `memory_key` one for each key.
const BOUNDED: [&str; 9] = [
    "probe",
    "setting",
    "persona",
    "persona_picture",
    "fact",
    "schedule",
    "departure",
    "opt_out",
    "memory_key",
];

const DAY: Duration = Duration::from_secs(24 * 3600);

const RETENTION: Retention = Retention {
    turns: DAY,
    messages: DAY,
    expenses: DAY,
    snapshots: DAY,
    departed: None,
    backups: 0,
};

fn days(days: i64) -> Timestamp {
    Timestamp::from_millis(days * DAY.as_millis() as i64)
}

/// At least one row in every table, all written on day 0 but for the session.
pub(super) async fn fill(store: &impl Everything, scope: Scope) {
    let mut turn = turn(scope, 1);
    turn.admitted_at = days(0);
    admit(store, &turn).await;
    let said = say(&turn, 0, "hello");
    queue(store, &said).await.unwrap();
    let sent = [MessageId::new(50)];
    store.done(&said, &sent, days(0)).await.unwrap();
    end(store, &turn, Ending::Done).await.unwrap();
    let stop = StopRequest {
        scope,
        channel: turn.channel,
        asker: turn.asker,
        event: MessageId::new(2),
        at: days(0),
    };
    store.stop(&stop).await.unwrap();
    let again = take_request(scope, turn.asker, Some(days(0)));
    store.request_take(&again, 1, days(0)).await.unwrap();
    let handle = ResponseHandle::new(7, "token".to_owned());
    store
        .keep_handle(scope, InteractionId::new(5), &handle, days(2))
        .await
        .unwrap();
    let mut spent = expense(0, 1, 1, None);
    spent.payer.scope = scope;
    store.record(&spent).await.unwrap();
    let session = Session {
        id: "abc".to_owned(),
        sequence: 1,
        resume_url: "wss://example.invalid".to_owned(),
        shards: 1,
    };
    store.save(0, Some(session)).await.unwrap();
    let degree = setting(scope, SettingPlace::Guild, SettingKey::Degree, "2");
    store.set(&degree).await.unwrap();
    let webhook = WebhookHandle::new(WebhookId::new(1), "token".to_owned());
    let (there, here) = (ChannelId::new(21), turn.channel);
    let kept = store.keep_webhook(scope, here, &webhook, days(0));
    kept.await.unwrap();
    let gone = store.forget_webhook(scope, webhook.id(), days(0));
    gone.await.unwrap();
    let refused = store.refuse_webhook(scope, there, 30007, days(0));
    refused.await.unwrap();
    store.probe().await.unwrap();
    store.remember(&fact(scope, None, "stays")).await.unwrap();
    let mut goes = fact(scope, None, "goes");
    goes.expires_at = Some(days(2));
    store.remember(&goes).await.unwrap();
    let mut noted = note(scope, turn.channel, "noted", 0);
    (noted.at, noted.expires_at) = (days(0), days(2));
    store.take_note(&noted).await.unwrap();
    let reset = store.reset_context(scope, there, MessageId::new(1), days(0));
    reset.await.unwrap();
    let mut told = snapshot(scope, 1);
    told.at = days(0);
    store.save_snapshot(&told).await.unwrap();
    let mut decided = decision(scope, 1);
    decided.at = days(0);
    store.record_decision(&decided).await.unwrap();
    let mut warned = case(scope, 1, CaseKind::Warning, turn.asker);
    warned.at = days(0);
    store.open_case(&warned).await.unwrap();
    let mut joined = newcomer(scope, turn.asker);
    joined.joined_at = days(0);
    store.put_newcomer(&joined).await.unwrap();
    let tea = schedule(scope, turn.asker, 1, "tea");
    store.add_schedule(&tea).await.unwrap();
    store.opt_out(turn.asker, days(0)).await.unwrap();
    let mut offered = offer(scope, 1, OfferKind::Undo, 0);
    offered.until = days(0);
    store.make_offer(&offered).await.unwrap();
    let mut done = audited(scope, 1, turn.asker);
    done.at = days(0);
    store.audit(&done).await.unwrap();
    add_painted(store, scope, None).await;
    if let Scope::Guild(guild) = scope {
        store.depart(guild, days(0)).await.unwrap();
    }
    let nobody = DataSubject::User(UserId::new(1));
    store.erase(nobody, days(0)).await.unwrap();
}

pub(super) async fn every_table_has_a_rule<E: Engine>(engine: E) {
    let store = engine.open().await;
    fill(&*store, HOME).await;
    for (table, rows) in engine.row_counts().await {
        assert!(
            rows > 0,
            "{table} is not filled by this test: it needs a rule"
        );
    }
    let far = Timestamp::from_millis(i64::MAX / 2);
    assert!(store.sweep(&RETENTION, far).await.unwrap() > 0);
    for (table, rows) in engine.row_counts().await {
        let bounded = BOUNDED.contains(&table.as_str());
        assert!(rows == 0 || bounded, "{table} grows for ever");
        assert!(table != "fact" || rows == 1, "facts expire");
    }
    assert_eq!(store.sweep(&RETENTION, far).await, Ok(0));
}

pub(super) async fn what_is_young_or_open_stays<E: Engine>(engine: E) {
    let store = engine.open().await;
    fill(&*store, HOME).await;
    let before = engine.row_counts().await;
    assert_eq!(store.sweep(&RETENTION, days(1)).await, Ok(0));
    assert_eq!(engine.row_counts().await, before);

    let mut open = turn(HOME, 9);
    open.admitted_at = days(0);
    admit(&*store, &open).await;
    // A budget still looks at the expense of a day ago.
    assert!(
        store
            .sweep(&RETENTION, Timestamp::from_millis(days(1).as_millis() + 1))
            .await
            .unwrap()
            > 0
    );
    assert_eq!(store.unfinished(HOME).await.unwrap().len(), 1);
    let rows = engine.row_counts().await;
    assert!(rows.contains(&("expense".to_owned(), 1)), "{rows:?}");
}
