//! What goes wrong on the gateway.

use std::time::Duration;

use super::{Cut, Faults};
use crate::{gateway::EventTrouble, limits, snowflake::Snowflake, state::Connected};

impl Faults {
    /// Cuts every gateway connection of a user, and says how many there were.
    pub fn cut_gateway(&self, user_id: &str, cut: Cut) -> usize {
        self.each_connection(user_id, |connected| connected.cuts.try_send(cut).is_ok())
    }

    /// Makes every gateway connection that a user has now deaf, and says how
    /// many there were: heartbeats are acknowledged, but no event is sent.
    /// Events are kept, so that a resume replays them.
    pub fn deafen_gateway(&self, user_id: &str) -> usize {
        self.each_connection(user_id, |connected| {
            connected.deaf = true;
            true
        })
    }

    /// The same for the connections of one shard alone.
    pub fn deafen_shard(&self, user_id: &str, shard: u64) -> usize {
        let mut state = self.emulator.state();
        let theirs: Vec<_> = match user_id.parse::<Snowflake>() {
            Ok(person) => state.sessions.connections(person, shard).collect(),
            Err(()) => Vec::new(),
        };
        let mut met = 0;
        for id in theirs {
            if let Some(connected) = state.connections.get_mut(&id) {
                connected.deaf = true;
                met += 1;
            }
        }
        met
    }

    /// Lets the deaf connections of a user hear again, beginning with what
    /// they missed, and says how many connections there were.
    pub fn undeafen_gateway(&self, user_id: &str) -> usize {
        self.each_connection(user_id, |connected| {
            connected.deaf = false;
            connected.wake.notify_one();
            true
        })
    }

    fn each_connection(&self, user_id: &str, act: impl Fn(&mut Connected) -> bool) -> usize {
        let mut state = self.emulator.state();
        let theirs = state
            .connections
            .values_mut()
            .filter(|connected| connected.person.is_some_and(|id| id.to_string() == user_id));
        theirs
            .filter_map(|connected| act(connected).then_some(()))
            .count()
    }

    /// Stops every gateway connection that a user has now, and says how many
    /// there were: nothing is read any more, nor sent, heartbeats included.
    pub fn stall_gateway(&self, user_id: &str) -> usize {
        self.each_connection(user_id, |connected| {
            connected.stalled = true;
            connected.wake.notify_one();
            true
        })
    }

    /// Lets the stalled connections of a user go on where they stopped.
    pub fn unstall_gateway(&self, user_id: &str) -> usize {
        self.each_connection(user_id, |connected| {
            connected.stalled = false;
            connected.wake.notify_one();
            true
        })
    }

    /// Sends so many of the next events of each session of a user twice, with
    /// a number each. This and the next two say how many sessions there are
    /// now, and hold for those to come.
    pub fn duplicate_events(&self, user_id: &str, times: u32) -> usize {
        self.trouble(user_id, |trouble| trouble.duplicate = times)
    }

    /// Sends so many of the next events of each session of a user after the
    /// event that follows them. Events are numbered in the order they are sent.
    pub fn reorder_events(&self, user_id: &str, times: u32) -> usize {
        self.trouble(user_id, |trouble| trouble.reorder = times)
    }

    /// Sends every event of a user so much later.
    pub fn delay_events(&self, user_id: &str, delay: Duration) -> usize {
        let delay = delay.min(limits::EVENT_DELAY);
        self.trouble(user_id, |trouble| trouble.delay = delay)
    }

    /// Ends every interaction there is: its token no longer answers it. Says
    /// nothing to anybody, as Discord does when three seconds or fifteen
    /// minutes are over.
    pub fn expire_interactions(&self) {
        let mut state = self.emulator.state();
        state.realm.interactions.expire();
    }

    /// Counts so many sessions as started today that nobody started.
    pub fn use_session_starts(&self, user_id: &str, times: u32) {
        if let Ok(bot) = user_id.parse::<Snowflake>() {
            self.emulator.state().starts.use_up(bot, u64::from(times));
        }
    }

    fn trouble(&self, user_id: &str, change: impl Fn(&mut EventTrouble)) -> usize {
        match user_id.parse::<Snowflake>() {
            Ok(person) => self.emulator.state().sessions.trouble(person, change),
            Err(()) => 0,
        }
    }
}
