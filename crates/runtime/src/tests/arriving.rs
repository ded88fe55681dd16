//! What people who join are given.

use std::time::Duration;

use kaiwa_domain::port::{Clock, Newcomers, SettingsStore};
use kaiwa_domain::settings::{SettingKey, SettingPlace, StoredSetting};
use kaiwa_domain::{
    ChatError, Disposition, GuildId, MemberSnapshot, RoleId, Scope, Trigger, UserId,
};
use kaiwa_pipeline::admit::Admitted;
use kaiwa_pipeline::deliver::Degree;
use tokio::sync::mpsc;

use super::world::{Scenario, World};
use crate::Bot;
use crate::newcomers::{Arrivals, Host};

const GUILD: GuildId = GuildId::new(3);
const SCOPE: Scope = Scope::Guild(GUILD);
const NED: UserId = UserId::new(70);
const ROLE: RoleId = RoleId::new(50);

/// A guild with these settings.
struct Lobby {
    world: World,
    arrivals: Arrivals,
    welcomes: mpsc::Sender<Admitted>,
    welcomed: mpsc::Receiver<Admitted>,
}

impl Lobby {
    async fn with(settings: &[(SettingKey, &str)]) -> Self {
        let world = World::new(&Scenario {
            name: "a join",
            lines: vec!["welcome"],
            action: None,
            degree: Degree::Lines,
            direct: false,
            lookup: None,
            buttons: false,
        });
        for (key, value) in settings {
            let setting = StoredSetting {
                scope: SCOPE,
                place: SettingPlace::Guild,
                name: key.name().to_owned(),
                value: (*value).to_owned(),
                changed_by: None,
                changed_at: world.clock.now(),
            };
            world.store.set(&setting).await.unwrap();
        }
        let (welcomes, welcomed) = mpsc::channel(64);
        Self {
            world,
            arrivals: Arrivals::default(),
            welcomes,
            welcomed,
        }
    }

    fn host(&self) -> Host {
        Host::new(self.welcomes.clone())
    }

    async fn joins(&self, bot: &Bot, user: UserId) {
        let member = MemberSnapshot {
            scope: SCOPE,
            id: user,
            name: format!("Ned {user}"),
            is_bot: false,
            joined_at: Some(self.world.clock.now()),
            is_pending: false,
            roles: Vec::new(),
        };
        self.world.guilds.add(GUILD, member.clone());
        assert!(self.arrivals.joined(bot, &member).await);
    }

    async fn serves(&self, host: &mut Host, bot: &Bot) {
        host.serve_all(bot, &self.arrivals).await.unwrap();
    }

    fn welcomed(&mut self) -> Vec<UserId> {
        let mut users = Vec::new();
        while let Ok(admitted) = self.welcomed.try_recv() {
            let turn = admitted.turn();
            assert!(matches!(turn.id.trigger, Trigger::Join(_)));
            users.push(turn.asker);
        }
        users
    }
}

#[tokio::test]
async fn a_role_is_tried_until_discord_agrees_also_after_a_restart() {
    let stage = Lobby::with(&[(SettingKey::JoinRole, "50")]).await;
    let bot = stage.world.bot();
    let refusal = ChatError::Refused {
        code: 50013,
        message: "Missing Permissions".into(),
        disposition: Disposition::StopTurn,
    };
    stage.world.guilds.refuse(Some(refusal));
    stage.joins(&bot, NED).await;
    let mut host = stage.host();
    stage.serves(&mut host, &bot).await;
    let calls = stage.world.guilds.calls();
    // Not at once again.
    stage.serves(&mut host, &bot).await;
    assert_eq!(stage.world.guilds.calls(), calls);

    stage.world.guilds.refuse(None);
    let mut host = stage.host();
    stage.serves(&mut host, &bot).await;
    assert_eq!(stage.world.guilds.roles(GUILD, NED), [ROLE]);
    assert_eq!(stage.world.store.newcomers(SCOPE).await, Ok(vec![]));
}

#[tokio::test]
async fn what_somebody_writes_counts_whenever_they_join() {
    const AHEAD: UserId = UserId::new(69);
    let after_so_many_polls = async |polls: usize| {
        let stage = Lobby::with(&[
            (SettingKey::AutoRole, "50"),
            (SettingKey::AutoRoleMessages, "2"),
        ])
        .await;
        let bot = stage.world.bot();
        let mut host = stage.host();
        stage.joins(&bot, AHEAD).await;
        let mut ended = false;
        {
            let mut serving = std::pin::pin!(stage.serves(&mut host, &bot));
            for _ in 0..polls {
                ended = futures_util::poll!(&mut serving).is_ready();
                if ended {
                    break;
                }
            }
            stage.joins(&bot, NED).await;
            if !ended {
                serving.await;
            }
        }
        let mut said = stage.world.question.clone();
        (said.scope, said.author.id) = (SCOPE, NED);
        stage.arrivals.message(&said);
        stage.serves(&mut host, &bot).await;
        let rows = stage.world.store.newcomers(SCOPE).await.unwrap();
        let ned = rows.iter().find(|it| it.user == NED);
        assert_eq!(ned.map(|it| it.messages), Some(1), "after {polls} polls");
        ended
    };
    let mut polls = 0;
    while !after_so_many_polls(polls).await {
        polls += 1;
    }
    assert!(polls > 2);
}

#[tokio::test]
async fn a_welcome_is_said_once_and_in_time() {
    let mut stage = Lobby::with(&[(SettingKey::WelcomeChannel, "4")]).await;
    let bot = stage.world.bot();
    let mut host = stage.host();
    stage.joins(&bot, NED).await;
    stage.serves(&mut host, &bot).await;
    assert!(stage.welcomed().is_empty());
    stage.world.clock.advance(Duration::from_secs(20));
    stage.serves(&mut host, &bot).await;
    stage.serves(&mut host, &bot).await;
    assert_eq!(stage.welcomed(), [NED]);
    assert!(stage.world.store.has_work());
}

/// A bot that may give no roles still welcomes people, and in time.
#[tokio::test]
async fn a_role_that_is_refused_keeps_no_welcome_back() {
    let settings = [
        (SettingKey::JoinRole, "50"),
        (SettingKey::WelcomeChannel, "4"),
    ];
    let mut stage = Lobby::with(&settings).await;
    let bot = stage.world.bot();
    let mut host = stage.host();
    stage.world.guilds.refuse_roles(ChatError::Refused {
        code: 50013,
        message: "Missing Permissions".into(),
        disposition: Disposition::StopTurn,
    });
    stage.joins(&bot, NED).await;
    stage.serves(&mut host, &bot).await;
    stage.world.clock.advance(Duration::from_secs(20));
    stage.serves(&mut host, &bot).await;
    stage.serves(&mut host, &bot).await;
    assert_eq!(stage.welcomed(), [NED]);
}

#[tokio::test]
async fn nobody_is_welcomed_who_has_left() {
    let mut stage = Lobby::with(&[(SettingKey::WelcomeChannel, "4")]).await;
    let bot = stage.world.bot();
    let mut host = stage.host();
    stage.joins(&bot, NED).await;
    stage.world.guilds.remove(GUILD, NED);
    stage.world.clock.advance(Duration::from_secs(20));
    stage.serves(&mut host, &bot).await;
    assert!(stage.welcomed().is_empty());
    assert_eq!(stage.world.store.newcomers(SCOPE).await, Ok(vec![]));
}

#[tokio::test]
async fn a_raid_is_met_with_silence() {
    let mut stage = Lobby::with(&[(SettingKey::WelcomeChannel, "4")]).await;
    let bot = stage.world.bot();
    let mut host = stage.host();
    for number in 0..40 {
        stage.joins(&bot, UserId::new(100 + number)).await;
    }
    stage.world.clock.advance(Duration::from_secs(20));
    stage.serves(&mut host, &bot).await;
    assert_eq!(stage.welcomed().len(), 5);
    stage.serves(&mut host, &bot).await;
    assert!(stage.welcomed().is_empty());
    assert_eq!(stage.world.store.newcomers(SCOPE).await, Ok(vec![]));
    // Once it is quiet, people are welcomed again.
    stage.world.clock.advance(Duration::from_secs(60));
    stage.joins(&bot, NED).await;
    stage.world.clock.advance(Duration::from_secs(20));
    stage.serves(&mut host, &bot).await;
    assert_eq!(stage.welcomed(), [NED]);
}
