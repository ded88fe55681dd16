//! What is said under an identity is said once, though webhooks know no nonces.

use std::time::Duration;

use kaiwa_domain::port::{Progress, Store as _, Webhooks as _};
use kaiwa_domain::{
    Author, AuthorKind, Effect, EffectBody, EffectState, Identity, Message, MessageId, Outgoing,
    PersonaId, Pings, UserId, WebhookHandle,
};
use kaiwa_pipeline::deliver::Degree;
use kaiwa_twins::MemoryChat;

use super::world::{CHANNEL, Scenario, World};
use crate::recover::{resume, unfinished};
use crate::signals::Signals;

/// Two lines are the same, and each is its own.
const LINES: [&str; 4] = ["Yes.", "Yes.", "No.", "Yes."];

/// Shorter and longer than Discord remembers nonces.
const AWAY: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(150)];

/// A world in which an alter is about to say the lines.
fn world() -> World {
    let world = World::new(&Scenario {
        name: "identities",
        lines: vec!["never said"],
        degree: Degree::Lines,
        direct: false,
        action: None,
        lookup: None,
        buttons: false,
    });
    let bot = world.bot();
    let turn = world.admitted(&bot).turn();
    let webhook = WebhookHandle::new(MemoryChat::WEBHOOK, "token".to_owned());
    let kept = world
        .store
        .keep_webhook(turn.scope, CHANNEL, &webhook, turn.admitted_at);
    world.poll(kept, usize::MAX).unwrap().unwrap();
    let lines = (0..).zip(LINES).map(|(index, text)| Effect {
        turn: turn.id,
        index,
        scope: turn.scope,
        channel: CHANNEL,
        persona: PersonaId::new(2),
        identity: Identity::new("Mira", None),
        pings: Pings::default(),
        body: EffectBody::Say {
            outgoing: Outgoing::Say(text.to_owned()),
            reply_to: None,
        },
        state: EffectState::Queued,
        queued_at: turn.admitted_at,
    });
    let lines: Vec<Effect> = lines.collect();
    let settling = Progress::Settling;
    let queued = world.store.queue(turn.scope, turn.id, &lines, settling);
    world.poll(queued, usize::MAX).unwrap().unwrap();
    world
}

/// Says the lines in a process that dies after so many polls, and tells whether
/// it was done by then.
fn speak(world: &World, polls: usize) -> bool {
    let bot = world.bot();
    let left = world.poll(unfinished(&bot), usize::MAX).unwrap().unwrap();
    let [left] = <[_; 1]>::try_from(left).unwrap();
    let signals = Signals::default();
    let spoken = world.poll(resume(&bot, &signals, left), polls);
    spoken.is_ok_and(|spoken| spoken.is_ok())
}

fn expected() -> Vec<(String, String)> {
    let line = |text: &str| ("Mira".to_owned(), text.to_owned());
    LINES.into_iter().map(line).collect()
}

#[test]
fn lines_dropped_at_any_await_are_said_once_and_in_order() {
    let mut polls = 0;
    loop {
        for away in AWAY {
            let world = world();
            let done = speak(&world, polls);
            world.clock.advance(away);
            world.run(usize::MAX);
            let said = world.chat.said_under_names(CHANNEL);
            assert_eq!(said, expected(), "after {polls} polls, away {away:?}");
            if done {
                assert!(polls > 20, "{polls} await points only");
                return;
            }
        }
        polls += 1;
    }
}

/// Somebody else says the same by a webhook of theirs.
#[test]
fn the_words_of_others_are_not_taken_for_ours() {
    let world = world();
    let stranger = Author {
        id: UserId::new(78),
        name: "Mira".to_owned(),
        kind: AuthorKind::Webhook,
        roles: Vec::new(),
    };
    let scope = world.question.scope;
    let id = MessageId::new(0);
    let text = LINES[0].to_owned();
    world
        .chat
        .say(Message::new(id, scope, CHANNEL, stranger, text));
    // A request was made, and its outcome never learned.
    let started = world
        .store
        .start(scope, world.admitted(&world.bot()).turn().id, 0, 1);
    world.poll(started, usize::MAX).unwrap().unwrap();
    assert!(speak(&world, usize::MAX));
    assert_eq!(world.chat.said_under_names(CHANNEL).len(), LINES.len() + 1);
}

/// Where nobody can tell whether a line is there, it is not said again.
#[test]
fn what_cannot_be_read_back_is_not_said_again() {
    let world = world();
    let scope = world.question.scope;
    let turn = world.admitted(&world.bot()).turn();
    let started = world.store.start(scope, turn.id, 0, 1);
    world.poll(started, usize::MAX).unwrap().unwrap();
    world.chat.hide_history();
    assert!(speak(&world, usize::MAX));
    assert!(!world.store.has_work());
    assert_eq!(world.chat.said_under_names(CHANNEL), []);
}
