//! Worlds with Discord's limits: time passes for Discord and the bot alike.

use std::time::Duration;

use kaiwa_discord::REQUESTS_PER_SECOND;
use kaiwa_domain::settings::SettingKey;
use kaiwa_emulator::{Emulator, World};

use super::Story;
use crate::clock::HandClock;

/// For how many milliseconds nothing is asked of Discord before time goes on.
const QUIET: u32 = 2;

impl Story {
    /// A world as a file has it, under Discord's limits, whose bot has not come
    /// yet; its operator has decided so.
    pub async fn under_limits(toml: &str, settings: &[(SettingKey, &str)]) -> Self {
        let mut story = Self::on_stage(World::from_toml(toml).expect("a world")).await;
        story.requests_per_second = REQUESTS_PER_SECOND;
        story.operator_wants(settings);
        story
    }

    /// The time of everybody.
    pub fn time(&self) -> SharedTime {
        SharedTime {
            clock: self.clock.clone(),
            emulator: self.emulator.clone(),
        }
    }

    /// How many requests of the bot Discord refused because they were too many.
    pub fn refused_as_too_many(&self) -> u64 {
        self.emulator.counts().rate_limited
    }
}

/// The time of Discord and of the bot.
#[derive(Clone)]
pub struct SharedTime {
    clock: HandClock,
    emulator: Emulator,
}

impl SharedTime {
    /// Lets time pass, and the requests that it lets out come to an end.
    pub async fn passes(&self, by: Duration) {
        self.emulator.advance(by);
        self.clock.passes(by);
        let requests = || self.emulator.counts().requests.values().sum::<u64>();
        let mut before = requests();
        let mut quiet = 0;
        while quiet < QUIET {
            // Real time: what is on the wire and in the database takes some.
            tokio::time::sleep(Duration::from_millis(1)).await;
            let now = requests();
            quiet = if now == before { quiet + 1 } else { 0 };
            before = now;
        }
    }
}
