//! Who is online, and what they say they do.
//!
//! A presence belongs to a session; of several, the one that was changed last
//! is shown. Somebody without a connection is offline.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Intents,
    connection::{Close, Connection, ConnectionEnd},
};
use crate::{limits, realm::Guild, snowflake::Snowflake, state::EmulatorState};

/// What UPDATE PRESENCE and IDENTIFY carry.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PresenceUpdate {
    /// Null, as Eris says it, is none.
    #[serde(default)]
    activities: Option<Vec<ActivityUpdate>>,
    /// What hikari still calls its one activity.
    #[serde(default)]
    game: Option<ActivityUpdate>,
    /// Online, if nothing is said: discord.py has none for a client that was
    /// given an activity alone.
    #[serde(default)]
    status: Option<PresenceStatus>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PresenceStatus {
    Online,
    Dnd,
    Idle,
    Invisible,
    Offline,
}

/// What bots may set of an activity.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ActivityUpdate {
    name: String,
    #[serde(rename = "type")]
    kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// How somebody is shown to others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShownPresence {
    status: &'static str,
    activities: Value,
}

impl ShownPresence {
    pub(crate) const fn offline() -> Self {
        Self {
            status: "offline",
            activities: Value::Null,
        }
    }

    /// Online without any activity, as sessions begin.
    pub(crate) fn online() -> Self {
        Self {
            status: "online",
            activities: json!([]),
        }
    }

    pub(crate) fn new(update: &PresenceUpdate, now_ms: i64) -> Self {
        let status = match update.status.unwrap_or(PresenceStatus::Online) {
            PresenceStatus::Online => "online",
            PresenceStatus::Dnd => "dnd",
            PresenceStatus::Idle => "idle",
            PresenceStatus::Invisible | PresenceStatus::Offline => return Self::offline(),
        };
        let activities = update.activities.iter().flatten().chain(&update.game);
        let activities = activities.take(limits::ACTIVITIES);
        let activities: Vec<Value> = activities
            .enumerate()
            .map(|(place, activity)| {
                let mut shown = json!(activity);
                shown["id"] = json!(format!("{place:x}"));
                shown["created_at"] = json!(now_ms);
                shown
            })
            .collect();
        Self {
            status,
            activities: Value::Array(activities),
        }
    }

    fn is_offline(&self) -> bool {
        self.status == "offline"
    }

    /// As GUILD_CREATE and member chunks show it.
    fn partial(&self, person: Snowflake, bot: bool) -> Value {
        let client = if bot { "web" } else { "desktop" };
        let clients = match self.is_offline() {
            true => json!({}),
            false => json!({ client: self.status }),
        };
        let activities = match &self.activities {
            Value::Null => json!([]),
            activities => activities.clone(),
        };
        json!({
            "user": { "id": person },
            "status": self.status,
            "activities": activities,
            "client_status": clients,
        })
    }
}

impl EmulatorState {
    fn presence(&self, person: Snowflake) -> ShownPresence {
        self.sessions.presence(person)
    }

    /// The presences of those members of a guild who are online.
    pub(crate) fn presences(&self, guild: &Guild, among: impl Fn(Snowflake) -> bool) -> Vec<Value> {
        let members = guild.members.iter().map(|member| member.person);
        members
            .filter(|person| among(*person))
            .filter_map(|person| {
                let presence = self.presence(person);
                let bot = self.realm.person(person)?.bot;
                (!presence.is_offline()).then(|| {
                    let mut shown = presence.partial(person, bot);
                    shown["guild_id"] = json!(guild.id);
                    shown
                })
            })
            .collect()
    }

    /// Tells the others in somebody's guilds, if a change of their sessions
    /// changed how they are shown.
    pub(crate) fn presence_changed(&mut self, person: Snowflake, before: &ShownPresence) {
        let now = self.presence(person);
        if now == *before {
            return;
        }
        let Self {
            realm, sessions, ..
        } = self;
        let bot = realm.person(person).is_some_and(|it| it.bot);
        for guild in realm.guilds_of(person) {
            let mut shown = now.partial(person, bot);
            shown["guild_id"] = json!(guild.id);
            for (session, other) in sessions.listening(realm) {
                let subscription = &session.subscription;
                let wanted = subscription.has(Intents::GUILD_PRESENCES)
                    && subscription.serves(Some(guild.id))
                    && other.id != person
                    && guild.member(other.id).is_some();
                if wanted {
                    session.push("PRESENCE_UPDATE", &shown);
                }
            }
        }
    }

    /// How somebody is shown before their sessions change.
    pub(crate) fn shown(&self, person: Snowflake) -> ShownPresence {
        self.presence(person)
    }
}

impl Connection {
    pub(super) fn update_presence(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let update: PresenceUpdate =
            serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let Some(attached) = &self.attached else {
            return Ok(());
        };
        let mut state = self.emulator.state();
        let now_ms = crate::snowflake::now().as_millisecond();
        let person = state.sessions.get_mut(&attached.session);
        let Some(person) = person.map(|session| session.subscription.person) else {
            return Ok(());
        };
        let before = state.shown(person);
        let presence = ShownPresence::new(&update, now_ms);
        state.sessions.show(&attached.session, presence);
        state.presence_changed(person, &before);
        Ok(())
    }
}
