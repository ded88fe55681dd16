//! Bans that end by themselves.

use std::time::Duration;

use kaiwa_domain::port::CaseBook;
use kaiwa_domain::{
    CaseKind, CaseState, ChatError, Disposition, GuildId, MessageId, NewCase, Scope, Settlement,
    Timestamp, TurnId, UserId,
};
use kaiwa_pipeline::deliver::Degree;

use super::world::{Scenario, World};
use crate::release::Release;

const GUILD: GuildId = GuildId::new(3);
const ADA: UserId = UserId::new(2);
const MINUTE: Duration = Duration::from_secs(60);

fn world() -> World {
    World::new(&Scenario {
        name: "a ban",
        lines: vec!["hello"],
        action: None::<Settlement>,
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
    })
}

async fn ban(world: &World, message: u64, lasts: Duration) {
    let now = kaiwa_domain::port::Clock::now(&world.clock);
    let until = now.as_millis() + i64::try_from(lasts.as_millis()).unwrap();
    let case = NewCase {
        scope: Scope::Guild(GUILD),
        turn: TurnId::of_message(MessageId::new(message)),
        kind: CaseKind::Ban,
        user: ADA,
        moderator: UserId::new(9),
        reason: "tea".into(),
        at: now,
        until: Some(Timestamp::from_millis(until)),
    };
    let case = world.store.open_case(&case).await.unwrap();
    world.guilds.put_ban(GUILD, ADA, &case.audit_reason());
    let settled = world
        .store
        .settle_case(case.scope, case.number, CaseState::Done, now);
    settled.await.unwrap();
}

fn refusal() -> ChatError {
    ChatError::Refused {
        code: 50013,
        message: "Missing Permissions".into(),
        disposition: Disposition::StopTurn,
    }
}

#[tokio::test]
async fn the_longest_ban_is_waited_for() {
    let world = world();
    let bot = world.bot();
    ban(&world, 1, MINUTE).await;
    ban(&world, 2, 3 * MINUTE).await;
    let mut release = Release::default();
    assert_eq!(release.lift_due(&bot).await, Ok(Some(3 * MINUTE)));
    world.clock.advance(2 * MINUTE);
    assert_eq!(release.lift_due(&bot).await, Ok(Some(MINUTE)));
    assert!(world.guilds.banned(GUILD).contains(&ADA));
    world.clock.advance(MINUTE);
    assert_eq!(release.lift_due(&bot).await, Ok(None));
    assert!(world.guilds.banned(GUILD).is_empty());
    let left = world.store.open_bans(Scope::Guild(GUILD)).await;
    assert_eq!(left, Ok(vec![]));
}

#[tokio::test]
async fn discord_is_asked_until_it_agrees_also_after_a_restart() {
    let world = world();
    let bot = world.bot();
    ban(&world, 1, MINUTE).await;
    world.clock.advance(MINUTE);
    world.guilds.refuse(Some(refusal()));
    let mut release = Release::default();
    let asked = async |release: &mut Release| {
        let before = world.guilds.calls();
        release.lift_due(&bot).await.unwrap();
        world.guilds.calls() - before
    };
    assert_eq!(asked(&mut release).await, 1);
    // Not at once again: refusals are counted against us.
    assert_eq!(asked(&mut release).await, 0);
    world.clock.advance(MINUTE);
    assert_eq!(asked(&mut release).await, 1);
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(asked(&mut release).await, 0);

    let mut release = Release::default();
    assert_eq!(asked(&mut release).await, 1);
    world.guilds.refuse(None);
    world.clock.advance(MINUTE);
    release.lift_due(&bot).await.unwrap();
    assert!(world.guilds.banned(GUILD).is_empty());
    assert_eq!(asked(&mut release).await, 0);
}

#[tokio::test]
async fn the_ban_of_somebody_else_stays() {
    let world = world();
    let bot = world.bot();
    ban(&world, 1, MINUTE).await;
    world.guilds.put_ban(GUILD, ADA, "raided us");
    world.clock.advance(MINUTE);
    let mut release = Release::default();
    release.lift_due(&bot).await.unwrap();
    assert!(world.guilds.banned(GUILD).contains(&ADA));
    let left = world.store.open_bans(Scope::Guild(GUILD)).await;
    assert_eq!(left, Ok(vec![]));
}
