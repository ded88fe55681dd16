//! Everything about somebody is shown and deleted, and nothing of others.

use kaiwa_domain::port::{Admission, Departures, Erasure, OptOuts, Personas, SettingsStore, Store};
use kaiwa_domain::settings::{SettingKey, SettingPlace};
use kaiwa_domain::{
    CaseKind, ChannelId, DataSubject, GuildId, NewFact, OfferKind, PromptSnapshot, Scope, UserId,
    WebhookHandle, WebhookId,
};

use super::cases::case;
use super::expenses::expense;
use super::memories::{ADA, HERE, decision, fact, note, snapshot};
use super::newcomers::newcomer;
use super::offers::{audited, offer};
use super::personas::add_painted;
use super::retention;
use super::schedules::schedule;
use super::settings::setting;
use super::turns::take_request;
use super::{Engine, Everything, HOME, NOW, admit, queue, say, turn};

const BOB: UserId = UserId::new(31);
const HOME_GUILD: GuildId = GuildId::new(7);

/// Rows of one person in a scope, in every table that can have them.
async fn fill(store: &impl Everything, scope: Scope, user: UserId, number: u64) {
    let mut asked = turn(scope, number);
    asked.asker = user;
    admit(store, &asked).await;
    queue(store, &say(&asked, 0, "hello")).await.unwrap();
    let again = take_request(scope, user, None);
    store.request_take(&again, 1, NOW).await.unwrap();
    let mut spent = expense(0, 1, 1, None);
    (spent.payer.scope, spent.payer.user) = (scope, user);
    store.record(&spent).await.unwrap();
    let about = fact(scope, Some(user), &format!("about {user}"));
    store.remember(&about).await.unwrap();
    let by = NewFact {
        author: Some(user),
        ..fact(scope, None, &format!("by {user}"))
    };
    store.remember(&by).await.unwrap();
    let mut noted = note(scope, HERE, "noted", 0);
    noted.people = vec![UserId::new(99), user];
    store.take_note(&noted).await.unwrap();
    let told = PromptSnapshot {
        people: vec![user],
        ..snapshot(scope, number)
    };
    store.save_snapshot(&told).await.unwrap();
    let tea = schedule(scope, user, 1, "tea");
    store.add_schedule(&tea).await.unwrap();
    let mut decided = decision(scope, number);
    decided.user = user;
    store.record_decision(&decided).await.unwrap();
    let warned = case(scope, number, CaseKind::Warning, user);
    store.open_case(&warned).await.unwrap();
    let mut offered = offer(scope, number, OfferKind::Undo, 5);
    offered.asker = user;
    store.make_offer(&offered).await.unwrap();
    let done = audited(scope, number, user);
    store.audit(&done).await.unwrap();
    store.put_newcomer(&newcomer(scope, user)).await.unwrap();
}

/// Rows of a scope that are of nobody in it.
async fn furnish(store: &impl Everything, scope: Scope, number: u64) {
    let webhook = WebhookHandle::new(WebhookId::new(number), "token".to_owned());
    let kept = store.keep_webhook(scope, HERE, &webhook, NOW);
    kept.await.unwrap();
    let there = ChannelId::new(number);
    let refused = store.refuse_webhook(scope, there, 30007, NOW);
    refused.await.unwrap();
}

pub(super) async fn a_person_is_erased_and_others_stay<E: Engine>(engine: E) {
    let store = engine.open().await;
    let alone = E::default();
    let others = alone.open().await;
    for store in [&*store, &*others] {
        fill(store, HOME, BOB, 2).await;
        fill(store, Scope::Dm(BOB), BOB, 4).await;
        let mut degree = setting(HOME, SettingPlace::Guild, SettingKey::Degree, "2");
        degree.changed_by = None;
        store.set(&degree).await.unwrap();
        // She made it, but it is the guild's.
        add_painted(store, HOME, Some(ADA)).await;
    }
    fill(&*store, HOME, ADA, 1).await;
    fill(&*store, Scope::Dm(ADA), ADA, 3).await;
    add_painted(&*store, Scope::Dm(ADA), Some(ADA)).await;
    let dm = setting(Scope::Dm(ADA), SettingPlace::Guild, SettingKey::Degree, "2");
    store.set(&dm).await.unwrap();
    let mut degree = setting(HOME, SettingPlace::Guild, SettingKey::Degree, "2");
    degree.changed_by = Some(ADA);
    store.set(&degree).await.unwrap();
    store.opt_out(ADA, NOW).await.unwrap();

    let subject = DataSubject::User(ADA);
    assert!(!store.export(subject).await.unwrap().tables.is_empty());
    assert!(store.erase(subject, NOW).await.unwrap() > 0);
    let left = store.export(subject).await.unwrap().tables;
    let left: Vec<_> = left.iter().map(|table| &*table.name).collect();
    assert!(left.is_empty() || left == ["opt_out"], "{left:?}");
    assert_eq!(store.erase(subject, NOW).await, Ok(0));

    assert_eq!(store.opted_out().await, Ok(vec![ADA]));
    degree.changed_by = None;
    assert_eq!(store.settings(HOME).await, Ok(vec![degree]));
    assert_eq!(store.personas(HOME).await.unwrap().len(), 1);
    let mut expect = alone.row_counts().await;
    for (table, rows) in &mut expect {
        match &**table {
            "erasure" => *rows = 2,
            // That her question was dealt with is known, but not that it is hers.
            "opt_out" | "handled_event" => *rows = 1,
            _ => {}
        }
    }
    assert_eq!(engine.row_counts().await, expect);
    let replayed = store.admit(&turn(HOME, 1), None).await;
    assert_eq!(replayed, Ok(Admission::Duplicate));
    engine.close(store).await;
}

pub(super) async fn a_guild_is_erased_and_others_stay<E: Engine>(engine: E) {
    let store = engine.open().await;
    fill(&*store, HOME, ADA, 1).await;
    fill(&*store, HOME, BOB, 2).await;
    add_painted(&*store, HOME, Some(ADA)).await;
    furnish(&*store, HOME, 1).await;
    fill(&*store, Scope::Guild(GuildId::new(8)), ADA, 3).await;
    furnish(&*store, Scope::Guild(GuildId::new(8)), 2).await;
    let alone = E::default();
    let other = alone.open().await;
    fill(&*other, Scope::Guild(GuildId::new(8)), ADA, 3).await;
    furnish(&*other, Scope::Guild(GuildId::new(8)), 2).await;

    let subject = DataSubject::Guild(HOME_GUILD);
    assert!(!store.export(subject).await.unwrap().tables.is_empty());
    assert!(store.erase(subject, NOW).await.unwrap() > 0);
    assert!(store.export(subject).await.unwrap().tables.is_empty());
    let mut expect = alone.row_counts().await;
    for (table, rows) in &mut expect {
        if table == "erasure" {
            *rows = 1;
        }
    }
    assert_eq!(engine.row_counts().await, expect);
}

/// Tables that are of no guild: of the process, of the file, or of a person
/// wherever they are.
const OF_NO_GUILD: [&str; 5] = ["session", "probe", "memory_key", "opt_out", "erasure"];

/// Whoever adds a table has it filled here, and it is erased or of no guild.
pub(super) async fn a_guild_is_erased_from_every_table<E: Engine>(engine: E) {
    const OTHER: Scope = Scope::Guild(GuildId::new(8));
    let store = engine.open().await;
    retention::fill(&*store, HOME).await;
    for (table, rows) in engine.row_counts().await {
        assert!(rows > 0, "{table} is not filled by this test");
    }
    let alone = E::default();
    retention::fill(&*alone.open().await, OTHER).await;
    retention::fill(&*store, OTHER).await;
    let before = engine.row_counts().await;
    let others = alone.row_counts().await;

    let subject = DataSubject::Guild(HOME_GUILD);
    assert!(store.erase(subject, NOW).await.unwrap() > 0);
    let after = engine.row_counts().await;
    for (((table, after), (_, before)), (_, others)) in after.iter().zip(before).zip(others) {
        match OF_NO_GUILD.contains(&&**table) {
            true => assert!(*after >= before, "{table} is of no guild"),
            false => assert_eq!(
                *after, others,
                "{table} has more or less than of the other guild"
            ),
        }
    }
    assert_eq!(store.guilds_on_record().await, Ok(vec![GuildId::new(8)]));
}
