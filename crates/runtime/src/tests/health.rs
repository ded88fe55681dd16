//! Health tells the truth, and a bot whose journal failed heals without a
//! restart.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use kaiwa_domain::port::{Ack, Inbound, Store};
use kaiwa_domain::{Event, StoreError};
use kaiwa_pipeline::deliver::Degree;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::world::{CHANNEL, Scenario, World};
use crate::{Halt, MemoryBounds};

type Running = Pin<Box<dyn Future<Output = Result<(), Halt>>>>;

fn world() -> World {
    World::new(&Scenario {
        name: "",
        lines: vec!["One.", "Two."],
        action: None,
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
    })
}

fn full() -> StoreError {
    StoreError::Blocked {
        reason: "the disk is full".into(),
    }
}

/// A process under way, and where its events come from.
fn start(world: &World) -> (Running, mpsc::Sender<Inbound>) {
    let (events, inbound) = mpsc::channel(8);
    let running = world.bot().run(inbound, CancellationToken::new());
    (Box::pin(running), events)
}

async fn tell(events: &mpsc::Sender<Inbound>, event: Event) {
    let ack = Ack::none();
    events.send(Inbound { event, ack }).await.unwrap();
}

/// Lets it run until some time has passed.
async fn some_time(world: &World, running: &mut Running) {
    for _ in 0..20 {
        for _ in 0..24 {
            assert!(futures_util::poll!(&mut *running).is_pending());
            tokio::task::yield_now().await;
        }
        world
            .clock
            .advance_to_next(std::time::Duration::from_secs(55));
    }
}

fn journal(world: &World) -> Option<String> {
    world.health.condition().journal
}

#[tokio::test]
async fn a_question_that_cannot_be_journalled_is_answered_once_it_can() {
    let world = world();
    let (mut running, events) = start(&world);
    world.store.fail(Some(full()));
    tell(&events, Event::Message(world.question.clone())).await;
    some_time(&world, &mut running).await;
    assert_eq!(world.chat.said(CHANNEL), []);
    let reason = journal(&world).unwrap();
    assert!(reason.contains("the disk is full"), "{reason}");

    world.store.fail(None);
    some_time(&world, &mut running).await;
    assert_eq!(world.chat.said(CHANNEL).len(), 2);
    assert_eq!(journal(&world), None);
}

#[tokio::test]
async fn a_journal_that_fails_while_nobody_asks_is_found_down_and_up_again() {
    let world = world();
    let (mut running, _events) = start(&world);
    some_time(&world, &mut running).await;
    assert_eq!(journal(&world), None);
    let damaged = StoreError::Damaged {
        reason: "torn".into(),
    };
    for error in [full(), damaged] {
        world.store.fail(Some(error));
        some_time(&world, &mut running).await;
        assert!(journal(&world).is_some());
        world.store.fail(None);
        some_time(&world, &mut running).await;
        assert_eq!(journal(&world), None);
    }
}

#[tokio::test]
async fn what_the_last_run_left_is_read_as_soon_as_it_can_be() {
    let world = world();
    world.answer(10);
    world.store.fail(Some(full()));
    let (mut running, _events) = start(&world);
    some_time(&world, &mut running).await;
    assert!(journal(&world).is_some());
    world.store.fail(None);
    some_time(&world, &mut running).await;
    assert_eq!(world.chat.said(CHANNEL).len(), 2);
    assert_eq!(world.store.unfinished_scopes().await, Ok(vec![]));
}

#[tokio::test]
async fn a_lost_gateway_is_told_and_so_is_its_return() {
    let world = world();
    let (mut running, events) = start(&world);
    assert!(!world.health.condition().connected());
    for _ in 0..2 {
        tell(&events, up(&world, 0)).await;
        some_time(&world, &mut running).await;
        assert!(world.health.condition().connected());
        tell(&events, Event::Disconnected { shard: 0 }).await;
        some_time(&world, &mut running).await;
        assert!(!world.health.condition().connected());
    }
}

/// What one shard serves is served by no other.
#[tokio::test]
async fn one_of_several_shards_that_is_lost_is_told() {
    let world = world();
    let (mut running, events) = start(&world);
    for shard in 0..3 {
        tell(&events, up(&world, shard)).await;
    }
    tell(&events, Event::Disconnected { shard: 1 }).await;
    // Another one that comes back does not hide it.
    tell(&events, up(&world, 2)).await;
    some_time(&world, &mut running).await;
    let condition = world.health.condition();
    assert!(!condition.connected());
    assert_eq!(condition.lost_shards, [1].into());

    tell(&events, up(&world, 1)).await;
    some_time(&world, &mut running).await;
    assert!(world.health.condition().connected());
}

/// What is served by a shard that never came up is not heard.
#[tokio::test]
async fn a_shard_that_never_came_up_is_missing() {
    let world = world();
    world.health.expects(3);
    let (mut running, events) = start(&world);
    for shard in [0, 2] {
        tell(&events, up(&world, shard)).await;
    }
    some_time(&world, &mut running).await;
    let condition = world.health.condition();
    assert!(!condition.connected());
    assert_eq!(condition.lost_shards, [1].into());
    tell(&events, up(&world, 1)).await;
    some_time(&world, &mut running).await;
    assert!(world.health.condition().connected());
}

fn up(world: &World, shard: u32) -> Event {
    Event::Ready {
        me: world.bot().me,
        resumed: true,
        shard,
    }
}

const MEGABYTE: u64 = 1 << 20;

/// The process has 100 MB, and may have so many.
fn bounds(soft: Option<u64>, hard: Option<u64>) -> MemoryBounds {
    MemoryBounds {
        resident: || Some(100 * MEGABYTE),
        soft: soft.map(|it| it * MEGABYTE),
        hard: hard.map(|it| it * MEGABYTE),
    }
}

#[tokio::test]
async fn a_process_with_much_memory_forgets_what_it_can_read_again() {
    for (soft, forgets) in [(None, false), (Some(101), false), (Some(99), true)] {
        let world = world();
        world.bound_memory(bounds(soft, Some(101)));
        let (events, inbound) = mpsc::channel(8);
        let bot = world.bot();
        let window = bot.window.clone();
        let mut running: Running = Box::pin(bot.run(inbound, CancellationToken::new()));
        tell(&events, Event::Message(world.question.clone())).await;
        some_time(&world, &mut running).await;
        assert_eq!(world.chat.said(CHANNEL).len(), 2);
        assert_eq!(window.forget_everything() == 0, forgets, "{soft:?}");
    }
}

/// How the bot ends by itself within some minutes, if it does.
async fn end_of(world: &World, running: &mut Running) -> Option<Result<(), Halt>> {
    for step in 1..=480 {
        if let Poll::Ready(end) = futures_util::poll!(&mut *running) {
            return Some(end);
        }
        tokio::task::yield_now().await;
        if step % 24 == 0 {
            let longest = std::time::Duration::from_secs(55);
            world.clock.advance_to_next(longest);
        }
    }
    None
}

#[tokio::test]
async fn a_process_with_too_much_memory_ends_when_its_answers_are_given() {
    let world = world();
    world.bound_memory(bounds(Some(50), Some(99)));
    let (mut running, events) = start(&world);
    tell(&events, Event::Message(world.question.clone())).await;
    let ended = end_of(&world, &mut running).await;
    let megabytes = 100;
    assert_eq!(ended, Some(Err(Halt::Memory { megabytes })));
    assert_eq!(world.chat.said(CHANNEL).len(), 2);
}

#[tokio::test]
async fn a_process_whose_database_was_taken_over_ends() {
    let world = world();
    let (mut running, _events) = start(&world);
    some_time(&world, &mut running).await;
    let reason = "another process".to_owned();
    world.store.fail(Some(StoreError::Superseded { reason }));
    let ended = end_of(&world, &mut running).await;
    assert_eq!(ended, Some(Err(Halt::Superseded)));
    let said = world.health.condition().journal.unwrap();
    assert!(said.contains("no longer ours"), "{said}");
}
