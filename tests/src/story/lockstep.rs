//! Worlds with Discord's limits: time passes for Discord and the bot alike.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_discord::REQUESTS_PER_SECOND;
use kaiwa_domain::port::Database;
use kaiwa_domain::settings::SettingKey;
use kaiwa_domain::{ChannelId, Scope, Timestamp, UserId, WebhookId};
use kaiwa_emulator::{Emulator, World};

use super::Story;
use crate::clock::HandClock;

/// For how many rounds nothing is asked of Discord before time goes on: between
/// two requests the bot writes or reads so often in its database at most.
const QUIET: u32 = 5;

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
            journal: self.journal.clone(),
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
    journal: Journal,
}

/// The database of the bot that runs, or ran last.
#[derive(Clone, Default)]
pub(super) struct Journal(Arc<Mutex<Option<Arc<dyn Database>>>>);

impl Journal {
    pub(super) fn opens(&self, store: &Arc<dyn Database>) {
        *self.lock() = Some(store.clone());
    }

    /// Waits until everything was written and read that was asked for before:
    /// that is done on other threads, on a busy machine a while later.
    async fn keeps_up(&self) {
        let store = self.lock().clone();
        if let Some(store) = store {
            let (scope, nobody) = (Scope::Dm(UserId::new(1)), WebhookId::new(0));
            let at = Timestamp::from_millis(0);
            // What fails here fails the bot too, and a story may be about that.
            let _ = store.forget_webhook(scope, nobody, at).await;
            let _ = store.webhook(scope, ChannelId::new(0)).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<dyn Database>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            self.journal.keeps_up().await;
            // What is on the wire takes a moment of real time.
            tokio::time::sleep(Duration::from_millis(1)).await;
            let now = requests();
            quiet = if now == before { quiet + 1 } else { 0 };
            before = now;
        }
    }
}
