//! A reminder is told once, wherever the process dies.

use std::time::Duration;

use kaiwa_domain::port::{Clock, Schedules};
use kaiwa_domain::{NewSchedule, Scope, TaskKind, Timestamp, UserId};
use kaiwa_pipeline::deliver::Degree;

use super::world::{CHANNEL, Scenario, World};

const ADA: UserId = UserId::new(2);

/// A world in which Ada wants to be reminded of the tea now.
fn world() -> World {
    let world = World::new(&Scenario {
        name: "a reminder",
        lines: vec!["One."],
        action: None,
        degree: Degree::Lines,
        direct: true,
        lookup: None,
        buttons: false,
    });
    let now = world.clock.now();
    let schedule = NewSchedule {
        scope: Scope::Dm(ADA),
        channel: CHANNEL,
        user: ADA,
        kind: TaskKind::Remind,
        text: "tea".to_owned(),
        due: now,
        recurrence: None,
        zone: "UTC".to_owned(),
        mark: 7,
        created_at: Timestamp::from_millis(0),
    };
    let added = world.poll(world.store.add_schedule(&schedule), usize::MAX);
    added.unwrap().unwrap();
    world
}

fn reminders(world: &World) -> Vec<String> {
    let said = world.chat.said(CHANNEL).into_iter();
    said.map(|(text, _)| text)
        .filter(|text| text.starts_with('⏰'))
        .collect()
}

#[test]
fn a_process_that_dies_at_any_step_reminds_once() {
    let steps = {
        let world = world();
        let steps = world.run(usize::MAX);
        assert_eq!(reminders(&world), ["⏰ tea"]);
        steps
    };
    assert!(steps > 20, "{steps}");
    for step in 1..steps {
        for away in [Duration::from_secs(1), Duration::from_secs(100)] {
            let world = world();
            world.run(step);
            world.clock.advance(away);
            world.run(usize::MAX);
            assert_eq!(reminders(&world), ["⏰ tea"], "died after {step} steps");
        }
    }
}

#[test]
fn what_came_due_while_nobody_ran_is_told_late() {
    let world = world();
    let due = world.clock.now().as_millis() / 1000;
    world.clock.advance(Duration::from_secs(3 * 3600));
    world.run(usize::MAX);
    let late = format!("⏰ tea\n-# This was due <t:{due}:R>.");
    assert_eq!(reminders(&world), [late]);
}
