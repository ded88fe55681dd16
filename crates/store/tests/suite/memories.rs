//! What is remembered, and who may hear of it.

use kaiwa_domain::port::{DecisionJournal, Memories, OptOuts, Recall, Snapshots};
use kaiwa_domain::{
    Audience, ChannelId, DecisionRecord, FACT_CHARS, FACTS_PER_PERSON, FACTS_PER_SCOPE, Fact,
    FactId, FactSource, GuildId, MessageId, NOTE_CHARS, NOTES_PER_CHANNEL, NewFact, Note,
    PromptSection, PromptSnapshot, Scope, StoreError, Timestamp, Trigger, TurnId, UserId,
};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof};
use proptest::test_runner::TestRunner;

use super::{AWAY, Engine, HOME, NOW};

pub(super) const ADA: UserId = UserId::new(30);
const BOB: UserId = UserId::new(u64::MAX);
pub(super) const HERE: ChannelId = ChannelId::new(20);
const THERE: ChannelId = ChannelId::new(21);

pub(super) fn fact(scope: Scope, about: Option<UserId>, text: &str) -> NewFact {
    NewFact {
        scope,
        about,
        audience: Audience::Scope,
        author: Some(BOB),
        source: FactSource::Told,
        channel: Some(HERE),
        message: Some(MessageId::new(u64::MAX)),
        text: text.to_owned(),
        learned_at: NOW,
        expires_at: None,
    }
}

pub(super) fn note(scope: Scope, channel: ChannelId, text: &str, at: i64) -> Note {
    Note {
        scope,
        channel,
        persona: kaiwa_domain::PersonaId::MAIN,
        people: vec![ADA],
        text: text.to_owned(),
        at: later(at),
        expires_at: later(at + 1000),
    }
}

pub(super) fn snapshot(scope: Scope, message: u64) -> PromptSnapshot {
    PromptSnapshot {
        turn: TurnId::of_message(MessageId::new(message)),
        scope,
        channel: HERE,
        people: vec![ADA, BOB],
        at: NOW,
        sections: vec![PromptSection {
            title: "system".to_owned(),
            text: "You are \"Kaiwa\".\n".to_owned(),
            tokens: 5,
        }],
    }
}

pub(super) fn decision(scope: Scope, message: u64) -> DecisionRecord {
    DecisionRecord {
        scope,
        channel: HERE,
        trigger: Trigger::Message(MessageId::new(message)),
        user: ADA,
        outcome: "admitted".to_owned(),
        reason: "mention".to_owned(),
        at: NOW,
    }
}

fn later(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.as_millis() + millis)
}

pub(super) fn recall(scope: Scope, query: &str) -> Recall<'_> {
    Recall {
        scope,
        channel: HERE,
        asker: ADA,
        query,
        limit: 100,
        now: NOW,
    }
}

fn texts(facts: &[Fact]) -> Vec<&str> {
    facts.iter().map(|fact| &*fact.learned.text).collect()
}

async fn recalled(store: &impl Memories, recall: &Recall<'_>) -> Vec<String> {
    let facts = store.recall(recall).await.unwrap();
    texts(&facts).into_iter().map(str::to_owned).collect()
}

pub(super) async fn a_fact_is_remembered_over_a_reopening_until_it_is_forgotten<E: Engine>(
    engine: E,
) {
    let store = engine.open().await;
    let mut tea = fact(HOME, Some(ADA), "likes tea 🍵");
    tea.audience = Audience::Channel(HERE);
    tea.expires_at = Some(later(5));
    let rules = NewFact {
        author: None,
        source: FactSource::Operator,
        channel: None,
        message: None,
        ..fact(HOME, None, "")
    };
    let first = store.remember(&tea).await.unwrap();
    let second = store.remember(&rules).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    let facts = store.facts(HOME).await.unwrap();
    let learned: Vec<_> = facts.iter().map(|fact| (fact.id, &fact.learned)).collect();
    assert_eq!(learned, [(first, &tea), (second, &rules)]);
    assert_eq!(store.facts(AWAY).await, Ok(vec![]));
    assert_eq!(store.forget(AWAY, first).await, Ok(false));
    assert_eq!(store.forget(HOME, first).await, Ok(true));
    assert_eq!(store.forget(HOME, first).await, Ok(false));
    assert_eq!(store.facts(HOME).await.unwrap().len(), 1);
}

pub(super) async fn facts_are_bounded<E: Engine>(engine: E) {
    let store = engine.open().await;
    let long = fact(HOME, None, &"長".repeat(FACT_CHARS + 1));
    let refused = |outcome| matches!(outcome, Err(StoreError::Conflict { .. }));
    assert!(refused(store.remember(&long).await));
    for number in 0..=FACTS_PER_PERSON {
        let about = fact(HOME, Some(ADA), &format!("fact {number}"));
        store.remember(&about).await.unwrap();
    }
    let facts = store.facts(HOME).await.unwrap();
    assert_eq!(facts.len(), FACTS_PER_PERSON);
    assert_eq!(texts(&facts)[0], "fact 1", "the oldest one went");
    for number in FACTS_PER_PERSON..FACTS_PER_SCOPE {
        let of_server = fact(HOME, None, &number.to_string());
        store.remember(&of_server).await.unwrap();
    }
    assert!(refused(store.remember(&fact(HOME, None, "more")).await));
    let about = fact(HOME, Some(ADA), "still replaces her oldest");
    store.remember(&about).await.unwrap();
    store.remember(&fact(AWAY, None, "more")).await.unwrap();
}

pub(super) async fn recall_finds_what_is_talked_about<E: Engine>(engine: E) {
    let store = engine.open().await;
    for (about, text) in [
        (Some(BOB), "Bob has two cats"),
        (Some(BOB), "Bob plays chess"),
        (Some(ADA), "Ada likes tea"),
        (None, "Game night is on Friday"),
        (Some(BOB), "ボブは東京出身です"),
    ] {
        store.remember(&fact(HOME, about, text)).await.unwrap();
    }
    let found = |query: &'static str| {
        let store = store.clone();
        async move { recalled(&*store, &recall(HOME, query)).await }
    };
    // What is known of the asker and the server comes after what matches.
    let always = ["Ada likes tea", "Game night is on Friday"];
    assert_eq!(found("hm").await, always);
    assert_eq!(found("").await, always);
    assert_eq!(
        found("how many cats").await,
        ["Bob has two cats", always[0], always[1]]
    );
    assert_eq!(
        found("FRIDAY night").await,
        [always[1], always[0]],
        "case does not matter"
    );
    assert_eq!(
        found("東京").await,
        ["ボブは東京出身です", always[0], always[1]]
    );
    assert_eq!(found("\" OR NEAR( * -").await, always, "no query language");

    let few = Recall {
        limit: 1,
        ..recall(HOME, "chess")
    };
    assert_eq!(recalled(&*store, &few).await, ["Bob plays chess"]);

    // A change is seen at once.
    store
        .remember(&fact(HOME, Some(BOB), "Bob hates chess clocks"))
        .await
        .unwrap();
    assert_eq!(found("chess").await.len(), 4);
    store.forget(HOME, FactId::new(2)).await.unwrap();
    assert_eq!(found("chess").await[0], "Bob hates chess clocks");
    assert_eq!(recalled(&*store, &recall(AWAY, "chess")).await.len(), 0);
}

pub(super) async fn a_fact_expires<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut away = fact(HOME, Some(ADA), "Ada is on holiday");
    away.expires_at = Some(later(1));
    store.remember(&away).await.unwrap();
    assert_eq!(recalled(&*store, &recall(HOME, "holiday")).await.len(), 1);
    let after = Recall {
        now: later(1),
        ..recall(HOME, "holiday")
    };
    assert_eq!(recalled(&*store, &after).await.len(), 0);
}

pub(super) async fn notes_are_for_their_channel_until_they_expire<E: Engine>(engine: E) {
    let store = engine.open().await;
    let long = note(HOME, HERE, &"長".repeat(NOTE_CHARS + 1), 0);
    let refused = store.take_note(&long).await;
    assert!(matches!(refused, Err(StoreError::Conflict { .. })));
    let (first, second) = (note(HOME, HERE, "one", 0), note(HOME, HERE, "two", 10));
    store.take_note(&first).await.unwrap();
    store.take_note(&second).await.unwrap();
    store.take_note(&note(HOME, THERE, "x", 0)).await.unwrap();
    store.take_note(&note(AWAY, HERE, "y", 0)).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    let notes = store.notes(HOME, HERE, NOW).await.unwrap();
    assert_eq!(notes, [first, second.clone()]);
    let notes = store.notes(HOME, HERE, later(1000)).await.unwrap();
    assert_eq!(notes, [second]);
    for number in 0..NOTES_PER_CHANNEL {
        let more = note(HOME, HERE, &number.to_string(), 20);
        store.take_note(&more).await.unwrap();
    }
    let notes = store.notes(HOME, HERE, NOW).await.unwrap();
    assert_eq!(notes.len(), NOTES_PER_CHANNEL);
    assert_eq!(notes[0].text, "0", "the oldest ones went");
}

pub(super) async fn notes_are_condensed_up_to_a_moment<E: Engine>(engine: E) {
    let store = engine.open().await;
    for (text, at) in [("one", 0), ("two", 10), ("three", 20)] {
        store.take_note(&note(HOME, HERE, text, at)).await.unwrap();
    }
    store.take_note(&note(HOME, THERE, "x", 0)).await.unwrap();
    let summary = note(HOME, HERE, "one and two", 10);
    store.condense_notes(&summary).await.unwrap();
    let notes = store.notes(HOME, HERE, NOW).await.unwrap();
    let kept: Vec<_> = notes.iter().map(|note| &*note.text).collect();
    assert_eq!(kept, ["one and two", "three"]);
    assert_eq!(store.notes(HOME, THERE, NOW).await.unwrap().len(), 1);
    // Those of another persona are left alone.
    let mut other = note(HOME, HERE, "other", 0);
    other.persona = kaiwa_domain::PersonaId::new(7);
    store.take_note(&other).await.unwrap();
    store.condense_notes(&summary).await.unwrap();
    let notes = store.notes(HOME, HERE, NOW).await.unwrap();
    assert!(notes.contains(&other), "{notes:?}");
    let mine = notes.iter().filter(|it| it.persona != other.persona);
    assert_eq!(mine.count(), 2);

    // What was forgotten meanwhile does not come back as a summary.
    let reset = store.reset_context(HOME, HERE, MessageId::new(9), NOW);
    reset.await.unwrap();
    store.condense_notes(&summary).await.unwrap();
    assert_eq!(store.notes(HOME, HERE, NOW).await, Ok(vec![]));
}

pub(super) async fn a_conversation_begins_after_its_last_reset<E: Engine>(engine: E) {
    let store = engine.open().await;
    let start = store.context_start(HOME, HERE).await;
    assert_eq!(start, Ok(None));
    for (message, expect) in [(5, 5), (9, 9), (7, 9)] {
        let reset = store.reset_context(HOME, HERE, MessageId::new(message), NOW);
        reset.await.unwrap();
        let start = store.context_start(HOME, HERE).await;
        assert_eq!(start, Ok(Some(MessageId::new(expect))));
    }
    assert_eq!(store.context_start(HOME, THERE).await, Ok(None));
    assert_eq!(store.context_start(AWAY, HERE).await, Ok(None));
}

pub(super) async fn snapshots_and_decisions_come_back<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut told = snapshot(HOME, 1);
    store.save_snapshot(&told).await.unwrap();
    told.sections[0].text.push_str("again");
    store.save_snapshot(&told).await.unwrap();
    assert_eq!(store.snapshot(told.turn).await, Ok(Some(told.clone())));
    assert_eq!(store.snapshot(snapshot(HOME, 2).turn).await, Ok(None));

    let (first, mut second) = (decision(HOME, 1), decision(AWAY, 2));
    second.at = later(1);
    store.record_decision(&first).await.unwrap();
    store.record_decision(&second).await.unwrap();
    let changed = DecisionRecord {
        reason: "reply".to_owned(),
        ..first.clone()
    };
    store.record_decision(&changed).await.unwrap();
    let newest = store.decisions(HERE, 10).await.unwrap();
    assert_eq!(newest, [second.clone(), first]);
    assert_eq!(store.decisions(HERE, 1).await, Ok(vec![second]));
    assert_eq!(store.decisions(THERE, 10).await, Ok(vec![]));
}

pub(super) async fn the_newest_refusal_of_each_person_stays<E: Engine>(engine: E) {
    let store = engine.open().await;
    let refusal = |user: UserId, message: u64, at| DecisionRecord {
        user,
        at,
        outcome: "refused".to_owned(),
        reason: "slow_down".to_owned(),
        ..decision(HOME, message)
    };
    let admitted = decision(HOME, 1);
    store.record_decision(&admitted).await.unwrap();
    let (first, second) = (refusal(ADA, 2, later(2)), refusal(BOB, 3, later(3)));
    let (third, fourth) = (refusal(ADA, 4, later(4)), refusal(ADA, 5, later(3_700_000)));
    store
        .record_refusals(&[first, second.clone()])
        .await
        .unwrap();
    store
        .record_refusals(std::slice::from_ref(&third))
        .await
        .unwrap();
    store
        .record_refusals(std::slice::from_ref(&third))
        .await
        .unwrap();
    let kept = store.decisions(HERE, 10).await.unwrap();
    assert_eq!(kept, [third.clone(), second.clone(), admitted.clone()]);
    store
        .record_refusals(std::slice::from_ref(&fourth))
        .await
        .unwrap();
    let kept = store.decisions(HERE, 10).await.unwrap();
    assert_eq!(kept, [fourth, third, second, admitted]);
    store.record_refusals(&[]).await.unwrap();
}

pub(super) async fn whoever_opts_out_stays_out<E: Engine>(engine: E) {
    let store = engine.open().await;
    assert_eq!(store.opt_out(BOB, NOW).await, Ok(true));
    assert_eq!(store.opt_out(BOB, NOW).await, Ok(false));
    assert_eq!(store.opt_out(ADA, NOW).await, Ok(true));
    engine.close(store).await;
    let store = engine.open().await;
    assert_eq!(store.opted_out().await, Ok(vec![ADA, BOB]));
    assert_eq!(store.opt_in(ADA).await, Ok(true));
    assert_eq!(store.opt_in(ADA).await, Ok(false));
    assert_eq!(store.opted_out().await, Ok(vec![BOB]));
}

/// A place where facts are learned and answers are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    scope: Scope,
    channel: ChannelId,
    is_private: bool,
}

/// Where a fact was learned, whether it is about the asker, and its word.
type Learned = (Place, bool, usize);

fn places() -> impl Strategy<Value = Place> {
    let scope = prop_oneof![
        3 => Just(HOME),
        1 => Just(Scope::Guild(GuildId::new(8))),
        2 => Just(AWAY),
        1 => Just(Scope::Dm(ADA)),
    ];
    (scope, 0..4_u64).prop_map(|(scope, channel)| Place {
        scope,
        channel: ChannelId::new(channel),
        is_private: channel % 2 == 1,
    })
}

/// The audience rule: nobody reads what they could not have read where it was
/// said.
pub(super) async fn what_was_said_in_private_is_not_told_elsewhere<E: Engine>(_: E) {
    let learned = || proptest::collection::vec((places(), any::<bool>(), 0..4_usize), 1..20);
    let readers = || proptest::collection::vec((places(), 0..4_usize), 1..8);
    let handle = tokio::runtime::Handle::current();
    let property = move |(learned, readers): (Vec<Learned>, Vec<(Place, usize)>)| {
        const WORDS: [&str; 4] = ["tea", "chess", "東京", ""];
        handle.block_on(async {
            let engine = E::default();
            let store = engine.open().await;
            for (number, (place, of_asker, word)) in learned.iter().enumerate() {
                let mut fact = fact(
                    place.scope,
                    of_asker.then_some(ADA),
                    &format!("{} #{number}", WORDS[*word]),
                );
                fact.audience = Audience::of_channel(place.scope, place.channel, place.is_private);
                store.remember(&fact).await.unwrap();
            }
            for (reader, word) in &readers {
                let recall = Recall {
                    channel: reader.channel,
                    ..recall(reader.scope, WORDS[*word])
                };
                let told = recalled(&*store, &recall).await;
                for text in &told {
                    let number: usize = text.split_once('#').unwrap().1.parse().unwrap();
                    let said = learned[number].0;
                    let in_dm = matches!(said.scope, Scope::Dm(_));
                    let could_read = said.scope == reader.scope
                        && (in_dm || !said.is_private || said.channel == reader.channel);
                    assert!(could_read, "{text:?} of {said:?} was told in {reader:?}");
                }
                // And nobody is forgotten: what may be told of the asker is.
                let of_asker = learned.iter().filter(|(said, of_asker, _)| {
                    let in_dm = matches!(said.scope, Scope::Dm(_));
                    *of_asker
                        && said.scope == reader.scope
                        && (in_dm || !said.is_private || said.channel == reader.channel)
                });
                assert!(told.len() >= of_asker.count(), "{told:?}");
            }
            engine.close(store).await;
        });
        Ok(())
    };
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(32)
    };
    let run = move || TestRunner::new(config).run(&(learned(), readers()), property);
    tokio::task::spawn_blocking(run).await.unwrap().unwrap();
}
