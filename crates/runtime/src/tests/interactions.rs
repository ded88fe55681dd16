//! A command is dropped at every await point in turn, as by a kill; a new
//! process answers it, once.

use std::time::Duration;

use kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS;
use kaiwa_domain::port::Ack;
use kaiwa_domain::{
    Acknowledgement, CommandCall, Event, Interaction, InteractionId, InteractionKind, Notice,
    PersonaId, Question, ResponseHandle, Settlement, Turn, TurnId, TurnState,
};
use kaiwa_pipeline::deliver::Degree;

use super::world::{CHANNEL, Scenario, World};
use crate::interaction;
use crate::signals::Signals;

fn world(settlement: Settlement) -> (World, Interaction) {
    let mut world = World::new(&Scenario {
        name: "a command",
        lines: Vec::new(),
        action: Some(settlement),
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
    });
    let now = kaiwa_domain::port::Clock::now(&world.clock);
    let id = (now.as_millis() - SNOWFLAKE_EPOCH_MS).cast_unsigned() << 22;
    let interaction = Interaction {
        id: InteractionId::new(id),
        handle: ResponseHandle::new(7, "token".to_owned()),
        scope: world.question.scope,
        channel: CHANNEL,
        user: world.question.author.clone(),
        locale: "en-US".to_owned(),
        kind: InteractionKind::Command(CommandCall {
            name: "act".to_owned(),
            arguments: "{}".to_owned(),
        }),
    };
    world.replayed = Event::Interaction(Box::new(interaction.clone()));
    (world, interaction)
}

/// Uses the command in a process that dies after so many polls.
fn used(world: &World, interaction: &Interaction, polls: usize) -> (usize, bool) {
    let bot = world.bot();
    let question = Question::Interaction(Box::new(interaction.clone()));
    let turn = Turn {
        id: TurnId::first(question.trigger()),
        scope: interaction.scope,
        channel: CHANNEL,
        asker: interaction.user.id,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: interaction.id.created_at(),
    };
    let signals = Signals::default();
    let answering = interaction::answer(&bot, &signals, &turn, interaction, Ack::none());
    let mut answering = std::pin::pin!(answering);
    let mut count = 0;
    let counted = std::future::poll_fn(|context| {
        count += 1;
        answering.as_mut().poll(context)
    });
    let ended = world.poll(counted, polls).map(|ended| ended.unwrap());
    (count, ended.is_ok())
}

#[test]
fn a_command_dropped_at_any_await_is_answered_once() {
    for settlement in [Settlement::Idempotent, Settlement::AtMostOnce] {
        let (whole, command) = world(settlement);
        let (polls, ended) = used(&whole, &command, usize::MAX);
        assert!(ended && !whole.store.has_work() && polls > 8);
        let deferred = Acknowledgement::Deferred { ephemeral: false };
        assert_eq!(whole.chat.acknowledged(), [(command.id, deferred)]);
        for at in 0..=polls {
            let (world, command) = world(settlement);
            used(&world, &command, at);
            world.clock.advance(Duration::from_secs(2));
            world.run(usize::MAX);
            let said = world.chat.said(CHANNEL);
            let ran = world.tools.ran().len();
            let [(text, _)] = &*said else {
                panic!("{settlement:?}, dropped after {at} of {polls}: {said:?}");
            };
            match (settlement, text.as_str()) {
                // Doing it twice changes nothing.
                (Settlement::Idempotent, "Done.") => assert!(ran >= 1),
                (_, "Done.") => assert_eq!(ran, 1),
                (Settlement::AtMostOnce, text) => {
                    assert_eq!(text, Notice::ActionUnknown.text());
                    assert!(ran <= 1);
                }
                (_, text) => panic!("{text}"),
            }
            assert!(!world.store.has_work(), "dropped after {at} of {polls}");
        }
    }
}

#[test]
fn what_can_no_longer_be_answered_is_let_go() {
    let (world, command) = world(Settlement::Idempotent);
    let (polls, _) = used(&world, &command, usize::MAX);
    let (world, command) = self::world(Settlement::Idempotent);
    used(&world, &command, polls / 2);
    world.clock.advance(Duration::from_secs(16 * 60));
    world.run(usize::MAX);
    assert!(!world.store.has_work());
}
