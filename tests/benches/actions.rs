//! What the door costs, and what it costs to look settings up. Prints rows of
//! a table, which `cargo xtask bench actions` publishes.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "a stopwatch, run by hand"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kaiwa_actions::{Action, Declaration, Done, Door, DoorPorts, Grant, Registry};
use kaiwa_domain::port::{ActionHost, Entrance, Pending, Permissions};
use kaiwa_domain::settings::InstanceSettings;
use kaiwa_domain::{
    ChannelId, ChatError, GuildId, MessageId, PersonaId, Rights, RoleId, Scope, Standing,
    Timestamp, ToolCall, ToolError, Turn, TurnId, TurnState, UserId,
};
use kaiwa_pipeline::brief::Template;
use kaiwa_runtime::{Settings, Setup};
use kaiwa_twins::{MemoryStore, ScriptedModel, StillClock};
use tokio::sync::watch;

/// How many calls are timed together, and how often.
const CALLS: u32 = 2_000;
const ROUNDS: usize = 50;

/// Everybody may do everything.
struct Everything;

impl Permissions for Everything {
    fn of(&self, _: Scope, _: ChannelId, _: UserId) -> Pending<'_, Result<Rights, ChatError>> {
        Box::pin(std::future::ready(Ok(Rights::ALL)))
    }

    fn mentionable<'a>(
        &'a self,
        _: GuildId,
        roles: &'a [RoleId],
    ) -> Pending<'a, Result<Vec<RoleId>, ChatError>> {
        Box::pin(std::future::ready(Ok(roles.to_vec())))
    }

    fn standing(
        &self,
        _: GuildId,
        _: UserId,
        _: UserId,
    ) -> Pending<'_, Result<Standing, ChatError>> {
        Box::pin(std::future::ready(Ok(Standing::Above)))
    }
}

/// Does nothing, for people who may do something.
struct Nod;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct NodArguments {
    to: String,
}

impl Action for Nod {
    type Arguments = NodArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            asker_needs: Rights::ADD_REACTIONS,
            bot_needs: Rights::ADD_REACTIONS,
            ..Declaration::reading("nod", "Nods.")
        }
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        NodArguments { to }: NodArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(std::future::ready(Ok(Done::new(to))))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let clock = Arc::new(StillClock::new(Timestamp::from_millis(1_794_783_600_000)));
    let store = Arc::new(MemoryStore::new(clock.clone()));
    let setup = Arc::new(Setup {
        models: kaiwa_domain::port::RoleModels::single(Arc::new(ScriptedModel::new([""]))),
        instance: InstanceSettings::default(),
        shutdown_grace: Duration::ZERO,
        retention: kaiwa_domain::port::Retention::default(),
        template: Template::default(),
        memory: kaiwa_runtime::MemoryBounds::default(),
    });
    let (_kept, setup) = watch::channel(setup);
    let settings = Settings::new(store.clone(), clock.clone(), setup);
    let ports = DoorPorts {
        bot: UserId::new(2),
        permissions: Arc::new(Everything),
        policies: Arc::new(settings.clone()),
        offers: store.clone(),
        conversations: Arc::new(kaiwa_twins::StagedConversations::default()),
        audit: store,
        clock,
    };
    let door = Door::new(Registry::new().with(Nod), ports);
    let turn = Turn {
        id: TurnId::of_message(MessageId::new(7)),
        scope: Scope::Guild(GuildId::new(3)),
        channel: ChannelId::new(5),
        asker: UserId::new(1),
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(0),
    };
    let call = ToolCall {
        id: "1".into(),
        name: "nod".into(),
        arguments: r#"{"to": "Ada"}"#.into(),
        signature: None,
    };

    println!("| what | median | aim |\n|---|---|---|");
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        for _ in 0..CALLS {
            let entrance = Entrance::Model {
                tainted: false,
                carries: false,
            };
            black_box(door.run(&turn, &call, entrance).await.unwrap());
        }
        times.push(begun.elapsed() / CALLS);
    }
    let micros = median(times).as_nanos() as f64 / 1000.0;
    println!("| a call through the door, without IO | {micros:.1} µs | below 50 µs |");

    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        for _ in 0..CALLS {
            let (scope, channel) = (turn.scope, turn.channel);
            black_box(settings.of(scope, channel, PersonaId::MAIN).await);
        }
        times.push(begun.elapsed() / CALLS);
    }
    let nanos = median(times).as_nanos();
    println!("| the settings of a place, known before | {nanos} ns | below 200 ns |");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
