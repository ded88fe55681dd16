//! What is kept of guilds that we were removed from.

use std::time::Duration;

use kaiwa_domain::port::{Ack, Departures, Inbound, Retention, SettingsStore};
use kaiwa_domain::settings::{SettingKey, SettingPlace};
use kaiwa_domain::{ChannelId, Event, GuildId, PersonaId, Scope, Settlement, UserId};
use kaiwa_pipeline::deliver::Degree;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::world::{Scenario, World};
use crate::{Bot, departures};

const LEFT: GuildId = GuildId::new(3);
const OTHER: GuildId = GuildId::new(4);
const DAY: Duration = Duration::from_secs(24 * 3600);

fn world() -> World {
    World::new(&Scenario {
        name: "a guild that was left",
        lines: vec!["hello"],
        action: None::<Settlement>,
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
    })
}

/// A world in which two guilds and a person have something of their own.
async fn furnished() -> World {
    let world = world();
    let bot = world.bot();
    let scopes = [
        Scope::Guild(LEFT),
        Scope::Guild(OTHER),
        Scope::Dm(UserId::new(2)),
    ];
    for scope in scopes {
        let set = bot
            .settings
            .set(scope, SettingPlace::Guild, SettingKey::Degree, "2", None);
        set.await.unwrap();
    }
    world
}

/// The guilds with settings, in order. The person's have to stay.
async fn kept(world: &World) -> Vec<GuildId> {
    let person = world.store.settings(Scope::Dm(UserId::new(2))).await;
    assert_eq!(person.unwrap().len(), 1);
    let mut kept = Vec::new();
    for guild in [LEFT, OTHER] {
        let settings = world.store.settings(Scope::Guild(guild)).await;
        if !settings.unwrap().is_empty() {
            kept.push(guild);
        }
    }
    kept
}

/// Days pass, and then Discord tells of these guilds, or not.
async fn look(world: &World, bot: &Bot, days: u32, guilds: Option<&[GuildId]>) {
    world.clock.advance(days * DAY);
    world.chat.put_guilds(guilds.map(<[_]>::to_vec));
    departures::settle(bot).await;
}

#[tokio::test]
async fn a_guild_is_erased_thirty_days_after_it_was_left() {
    const BOTH: Option<&[GuildId]> = Some(&[LEFT, OTHER]);
    const GONE: Option<&[GuildId]> = Some(&[OTHER]);
    // How many days pass, which guilds Discord tells of, and whether the guild
    // is kept then.
    type Looks = &'static [(u32, Option<&'static [GuildId]>, bool)];
    let check = async |name: &str, by_event: bool, looks: Looks| {
        let world = furnished().await;
        let bot = world.bot();
        if by_event {
            departures::left(&bot, Scope::Guild(LEFT)).await;
        }
        for (days, guilds, is_kept) in looks {
            look(&world, &bot, *days, *guilds).await;
            let expect = if *is_kept { BOTH } else { GONE };
            assert_eq!(
                Some(&*kept(&world).await),
                expect,
                "{name}: after {days} days"
            );
        }
    };
    check("never left", false, &[(0, BOTH, true), (99, BOTH, true)]).await;
    check("told", true, &[(29, GONE, true), (1, GONE, false)]).await;
    check(
        "not told",
        false,
        &[(50, GONE, true), (29, GONE, true), (1, GONE, false)],
    )
    .await;
    check(
        "back",
        true,
        &[
            (29, BOTH, true),
            (2, BOTH, true),
            (1, GONE, true),
            (29, GONE, true),
            (1, GONE, false),
        ],
    )
    .await;
    check(
        "back when it was due",
        true,
        &[(40, BOTH, true), (9, GONE, true)],
    )
    .await;
    check("no list", true, &[(99, None, true), (1, GONE, false)]).await;
    check(
        "no list of others",
        false,
        &[(0, None, true), (99, None, true)],
    )
    .await;
}

#[tokio::test]
async fn a_guild_that_was_left_is_known_to_the_next_process() {
    let world = furnished().await;
    departures::left(&world.bot(), Scope::Guild(LEFT)).await;
    look(&world, &world.bot(), 30, Some(&[OTHER])).await;
    assert_eq!(kept(&world).await, [OTHER]);
}

#[tokio::test]
async fn a_guild_is_kept_for_ever_if_the_operator_wants_that() {
    let world = furnished().await;
    let departed = |departed| Retention {
        departed,
        ..Retention::default()
    };
    world.retain(departed(None));
    let bot = world.bot();
    look(&world, &bot, 0, Some(&[OTHER])).await;
    look(&world, &bot, 999, Some(&[OTHER])).await;
    assert_eq!(kept(&world).await, [LEFT, OTHER]);
    world.retain(departed(Some(DAY)));
    look(&world, &bot, 0, Some(&[OTHER])).await;
    assert_eq!(kept(&world).await, [OTHER]);
}

/// What was erased does not count from memory either.
#[tokio::test]
async fn a_guild_that_comes_after_its_erasure_begins_anew() {
    let world = furnished().await;
    let bot = world.bot();
    let scope = Scope::Guild(LEFT);
    let degree = async || {
        let here = (ChannelId::new(4), PersonaId::MAIN);
        bot.settings.of_turn(scope, here.0, here.1).await.degree
    };
    let set = degree().await;
    look(&world, &bot, 0, Some(&[OTHER])).await;
    look(&world, &bot, 30, Some(&[OTHER])).await;
    assert_ne!(degree().await, set);
}

#[tokio::test]
async fn the_gateway_tells_and_the_upkeep_erases() {
    let world = furnished().await;
    world.chat.put_guilds(Some(vec![OTHER]));
    let (events, inbound) = mpsc::channel(8);
    let mut running = Box::pin(world.bot().run(inbound, CancellationToken::new()));
    let scope = Scope::Guild(LEFT);
    let (event, ack) = (Event::GuildGone { scope }, Ack::none());
    events.send(Inbound { event, ack }).await.unwrap();
    let mut let_it_run = async || {
        for _ in 0..24 {
            assert!(futures_util::poll!(&mut running).is_pending());
            tokio::task::yield_now().await;
        }
    };
    let_it_run().await;
    assert_eq!(world.store.departures().await.unwrap().len(), 1);
    assert_eq!(kept(&world).await, [LEFT, OTHER]);
    world.clock.advance(30 * DAY);
    let_it_run().await;
    assert_eq!(kept(&world).await, [OTHER]);
}
