//! The care for the file of the journal while the bot runs.

use std::time::Duration;

use kaiwa_domain::StoreError;
use kaiwa_domain::port::Retention;
use kaiwa_pipeline::deliver::Degree;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::world::{Scenario, World};

const HOUR: Duration = Duration::from_secs(3600);

fn world() -> World {
    World::new(&Scenario {
        name: "a day",
        lines: vec!["hello"],
        action: None,
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
    })
}

#[tokio::test]
async fn there_is_a_backup_a_day_unless_the_file_is_damaged_or_the_disk_full() {
    let world = world();
    let (_events, inbound) = mpsc::channel(8);
    let mut running = Box::pin(world.bot().run(inbound, CancellationToken::new()));
    let mut pass = async |hours: u32| {
        for _ in 0..hours * 61 {
            for _ in 0..8 {
                assert!(futures_util::poll!(&mut running).is_pending());
                tokio::task::yield_now().await;
            }
            world.clock.advance(Duration::from_secs(60));
        }
    };
    let storage = || world.health.condition().storage;
    let made = || world.store.backups().len();

    pass(1).await;
    assert_eq!((made(), storage()), (1, None), "the first");
    pass(22).await;
    assert_eq!((made(), storage()), (1, None), "one is enough for a day");
    pass(3).await;
    assert_eq!((made(), storage()), (2, None), "the next day");

    world.store.damage(true);
    pass(24).await;
    let reason = storage().unwrap();
    assert!(reason.contains("the database is damaged: torn"), "{reason}");
    assert_eq!(made(), 2, "a damaged file is not copied");
    world.store.damage(false);
    pass(2).await;
    assert_eq!((made(), storage()), (3, None), "it was put right");

    world.store.fail(Some(StoreError::Blocked {
        reason: "the disk is full".into(),
    }));
    pass(26).await;
    assert!(storage().unwrap().contains("the disk is full"));
    world.store.fail(None);
    pass(2).await;
    assert_eq!(storage(), None);
    assert_eq!(made(), 3, "the fourth took the place of the first");
    let (now, last) = (
        kaiwa_domain::port::Clock::now(&world.clock),
        *world.store.backups().last().unwrap(),
    );
    assert!(now.since(last) < 3 * HOUR);
}

#[tokio::test]
async fn no_backup_is_made_if_the_operator_wants_none() {
    let world = world();
    world.retain(Retention {
        backups: 0,
        ..Retention::default()
    });
    let (_events, inbound) = mpsc::channel(8);
    let mut running = Box::pin(world.bot().run(inbound, CancellationToken::new()));
    for _ in 0..24 {
        assert!(futures_util::poll!(&mut running).is_pending());
        tokio::task::yield_now().await;
        world.clock.advance(HOUR);
    }
    assert_eq!(world.store.backups(), []);
}
