//! A turn is dropped at every await point in turn, as by a kill; a new process
//! recovers, and the channel must look as if nothing had happened.

use std::time::Duration;

use kaiwa_domain::{MessageId, Notice, Settlement};
use kaiwa_pipeline::deliver::Degree;

use super::world::{CHANNEL, Scenario, World};

/// How long the process is away: shorter and longer than Discord remembers
/// nonces.
const AWAY: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(150)];

fn counting(name: &'static str) -> Scenario {
    Scenario {
        name,
        lines: vec!["One is first.", "Two is second.", "Three is last."],
        action: None,
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
    }
}

fn scenarios() -> Vec<Scenario> {
    vec![
        counting("three lines"),
        Scenario {
            action: Some(Settlement::Idempotent),
            ..counting("an action that may be repeated")
        },
        Scenario {
            action: Some(Settlement::AtMostOnce),
            ..counting("an action that must not be repeated")
        },
        Scenario {
            degree: Degree::Typed,
            ..counting("typed")
        },
        Scenario {
            degree: Degree::Whole,
            ..counting("in one message")
        },
        Scenario {
            direct: true,
            ..counting("direct")
        },
        Scenario {
            lookup: Some(Duration::from_secs(7)),
            ..counting("after a look that takes long")
        },
        Scenario {
            buttons: true,
            ..counting("with buttons")
        },
        Scenario {
            buttons: true,
            degree: Degree::Typed,
            ..counting("typed, with buttons")
        },
    ]
}

/// What people see in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    said: Vec<(String, Option<MessageId>)>,
    ran: Vec<String>,
    buttons: Vec<Vec<String>>,
}

fn seen(world: &World) -> Seen {
    Seen {
        said: world.chat.said(CHANNEL),
        ran: world.tools.ran(),
        buttons: world.chat.buttons(CHANNEL),
    }
}

/// Whether `got` is what people should see, where `whole` is what they see of
/// a turn that nobody disturbed.
fn is_right(scenario: &Scenario, whole: &Seen, got: &Seen) -> bool {
    let mut got = got.clone();
    match scenario.action {
        // Doing it twice changes nothing.
        Some(Settlement::Idempotent) => got.ran.dedup(),
        // It may have happened, and then people are told that nobody knows.
        Some(Settlement::AtMostOnce) => {
            let notice = Notice::ActionUnknown.text();
            if got.said.last().is_some_and(|(text, _)| text == notice) {
                got.said.pop();
                return got.said == whole.said && got.ran.len() <= 1;
            }
        }
        _ => {}
    }
    got == *whole
}

/// The undisturbed turn: what is seen, and how many polls it takes.
fn undisturbed(scenario: &Scenario) -> (Seen, usize) {
    let world = World::new(scenario);
    let (polls, ended) = world.answer(usize::MAX);
    assert!(ended && !world.store.has_work());
    let whole = seen(&world);
    assert_eq!(
        whole.said.len(),
        match scenario.degree {
            Degree::Whole => 1,
            _ => 3,
        }
    );
    // Nothing but the last message has a button, and none that stops it.
    let (last, earlier) = whole.buttons.split_last().unwrap();
    assert!(earlier.iter().all(Vec::is_empty), "{:?}", whole.buttons);
    let wanted: &[&str] = if scenario.buttons {
        &["Regenerate"]
    } else {
        &[]
    };
    assert_eq!(last, wanted);
    let put = world.chat.dressings();
    let stops = put.iter().filter(|it| *it == "Stop").count();
    assert_eq!(stops > 0, scenario.buttons, "{put:?}");
    assert_eq!(whole.ran.len(), usize::from(scenario.action.is_some()));
    let replies = whole.said.iter().filter(|(_, reply)| reply.is_some());
    assert_eq!(replies.count(), usize::from(!scenario.direct));
    (whole, polls)
}

#[test]
fn a_turn_dropped_at_any_await_is_recovered_whole() {
    for scenario in scenarios() {
        let (whole, polls) = undisturbed(&scenario);
        assert!(polls > 20, "{}: {polls} await points only", scenario.name);
        for away in AWAY {
            for at in 0..=polls {
                let world = World::new(&scenario);
                world.answer(at);
                world.clock.advance(away);
                world.run(usize::MAX);
                let got = seen(&world);
                assert!(
                    is_right(&scenario, &whole, &got),
                    "{}, dropped after {at} of {polls} polls, away {away:?}: {got:#?}",
                    scenario.name
                );
                let most = if scenario.lookup.is_some() { 4 } else { 2 };
                assert!(world.asked() <= most, "the model was asked too often");
            }
        }
    }
}

#[test]
fn lines_that_wait_become_one_message_and_none_is_lost_or_doubled() {
    let scenario = counting("limited");
    let limited = || {
        let world = World::new(&scenario);
        world.chat.limit(60);
        world
    };
    let all = scenario.lines.join("\n");
    let world = limited();
    let (polls, ended) = world.answer(usize::MAX);
    assert!(ended && !world.store.has_work());
    let said = world.chat.said(CHANNEL);
    assert!(said.len() < 3, "lines were merged: {said:#?}");
    for away in AWAY {
        for at in 0..=polls {
            let world = limited();
            world.answer(at);
            world.clock.advance(away);
            world.run(usize::MAX);
            let said = world.chat.said(CHANNEL);
            let texts: Vec<&str> = said.iter().map(|(text, _)| &**text).collect();
            assert_eq!(
                texts.join("\n"),
                all,
                "dropped after {at} of {polls}, {away:?}"
            );
            assert!(said[0].1.is_some(), "the first replies");
            assert!(said[1..].iter().all(|(_, reply)| reply.is_none()));
        }
    }
}

#[test]
fn a_recovery_dropped_at_any_step_is_recovered_too() {
    for scenario in scenarios() {
        let (whole, polls) = undisturbed(&scenario);
        for at in (0..polls).step_by(5) {
            let steps = {
                let world = World::new(&scenario);
                world.answer(at);
                world.run(usize::MAX)
            };
            for step in (1..steps).step_by(7) {
                let away = AWAY[step % AWAY.len()];
                let world = World::new(&scenario);
                world.answer(at);
                world.run(step);
                world.clock.advance(away);
                world.run(usize::MAX);
                let got = seen(&world);
                assert!(
                    is_right(&scenario, &whole, &got),
                    "{}, dropped after {at} polls and again after {step} steps, away {away:?}: {got:#?}",
                    scenario.name
                );
            }
        }
    }
}

#[test]
fn after_a_stop_at_any_await_nothing_is_sent_any_more() {
    for limited in [0, 3] {
        for polls in 1.. {
            let world = World::new(&counting("stopped"));
            world.chat.limit(limited);
            let Some(begun) = world.stop(polls) else {
                assert!(polls > 10, "it was stopped often");
                break;
            };
            let said = world.chat.said(CHANNEL).len();
            assert_eq!(said, begun, "stopped after {polls} polls");
        }
    }
}
