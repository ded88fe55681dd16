//! IDENTIFY and RESUME.

use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Intents, Lost, Subscription,
    connection::{Attached, Close, Connection, ConnectionEnd},
    intents::Refused,
    presence::{PresenceUpdate, ShownPresence},
};
use crate::{
    realm::{Guild, Realm},
    snowflake::Snowflake,
    state::EmulatorState,
    wire::{Channel, GuildCreate, Me, application_flags},
};

#[derive(Deserialize)]
struct Identify {
    token: String,
    intents: Option<u64>,
    shard: Option<[u64; 2]>,
    presence: Option<PresenceUpdate>,
}

#[derive(Deserialize)]
struct Resume {
    token: String,
    session_id: String,
    seq: u64,
}

/// Discord takes ids as numbers too, and discord.py sends them so.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Id {
    Text(String),
    Number(u64),
}

impl Id {
    pub(super) fn parse(&self) -> Option<Snowflake> {
        self.to_string().parse().ok()
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(id) => id.fmt(f),
            Self::Number(id) => id.fmt(f),
        }
    }
}

impl Connection {
    pub(super) async fn identify(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: Identify = serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let gateway_url = self.emulator.gateway_url();
        {
            let mut state = self.emulator.state();
            let subscription = subscribe(&state.realm, &ask)?;
            state.counts.identifies += 1;
            let (person, shard) = (subscription.person, subscription.shard.0);
            let bot = subscription.intents.is_some();
            if !bot || state.starts.start(person, shard) {
                let before = state.shown(person);
                if let Some(connected) = state.connections.get_mut(&self.id) {
                    connected.person = Some(subscription.person);
                }
                let session = open(&mut state, subscription, self, &gateway_url);
                if let Some(presence) = &ask.presence {
                    let now_ms = crate::snowflake::now().as_millisecond();
                    let presence = ShownPresence::new(presence, now_ms);
                    state.sessions.show(&session, presence);
                }
                state.presence_changed(person, &before);
                self.attached = Some(Attached { session, sent: 0 });
            }
        }
        match self.attached {
            Some(_) => self.flush().await,
            None => self.send_op(9, Value::Bool(false)).await,
        }
    }

    pub(super) async fn resume(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: Resume = serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let refused = self.emulator.faults().refuses_resume();
        let outcome = {
            let mut state = self.emulator.state();
            let person =
                person_with(&state.realm, &ask.token).ok_or(Close::AUTHENTICATION_FAILED)?;
            let state = &mut *state;
            let before = state.shown(person);
            let resumed = if refused.is_some() {
                Err(Lost::Gone)
            } else {
                let wake = self.wake.clone();
                state
                    .sessions
                    .resume(&ask.session_id, person, ask.seq, self.id, wake)
            };
            let resumed = resumed.map(|session| session.push("RESUMED", &json!({ "_trace": [] })));
            if resumed.is_ok() {
                state.counts.resumes += 1;
                if let Some(connected) = state.connections.get_mut(&self.id) {
                    connected.person = Some(person);
                }
                state.presence_changed(person, &before);
            }
            resumed
        };
        match outcome {
            Ok(()) => {
                self.attached = Some(Attached {
                    session: ask.session_id,
                    sent: ask.seq,
                });
                self.flush().await
            }
            Err(Lost::SeqAhead) => Err(Close::INVALID_SEQ.into()),
            Err(Lost::Gone | Lost::NotYours) => {
                let later = refused.unwrap_or(false);
                self.send_op(9, Value::Bool(later)).await
            }
        }
    }
}

fn person_with(realm: &Realm, token: &str) -> Option<Snowflake> {
    let token = token.strip_prefix("Bot ").unwrap_or(token);
    realm
        .people
        .iter()
        .find(|person| person.token == token)
        .map(|person| person.id)
}

fn subscribe(realm: &Realm, ask: &Identify) -> Result<Subscription, Close> {
    let id = person_with(realm, &ask.token).ok_or(Close::AUTHENTICATION_FAILED)?;
    let bot = realm.person(id).is_some_and(|person| person.bot);
    let shard = match ask.shard {
        None => (0, 1),
        Some([shard, shards]) if shard < shards => (shard, shards),
        Some(_) => return Err(Close::INVALID_SHARD),
    };
    let intents = if bot {
        let bits = ask.intents.ok_or(Close::INVALID_INTENTS)?;
        let application = realm.application_of(id);
        let application = application.ok_or(Close::AUTHENTICATION_FAILED)?;
        let asked = Intents::ask(bits, application).map_err(|refused| match refused {
            Refused::Invalid => Close::INVALID_INTENTS,
            Refused::Disallowed => Close::DISALLOWED_INTENTS,
        })?;
        Some(asked)
    } else {
        None
    };
    Ok(Subscription {
        person: id,
        intents,
        shard,
    })
}

/// Opens a session that begins with READY and the guilds.
fn open(
    state: &mut EmulatorState,
    subscription: Subscription,
    connection: &Connection,
    gateway_url: &str,
) -> String {
    let EmulatorState {
        realm, sessions, ..
    } = state;
    let wake = connection.wake.clone();
    let (id, session) = sessions.open(subscription, connection.id, wake);
    let subscription = session.subscription.clone();
    let Some(person) = realm.person(subscription.person) else {
        return id;
    };
    let guilds: Vec<&Guild> = realm
        .guilds_of(person.id)
        .filter(|guild| subscription.serves(Some(guild.id)))
        .collect();
    let still_to_come: Vec<Value> = guilds
        .iter()
        .map(|guild| json!({ "id": guild.id, "unavailable": true }))
        .collect();
    // Bots learn of a direct message when the first one arrives.
    let direct: Vec<Channel> = realm
        .channels
        .values()
        .filter(|channel| !person.bot && channel.direct() && realm.may_see(person, channel))
        .map(|channel| Channel::new(realm, channel, Some(person.id)))
        .collect();
    let mut ready = json!({
        "v": 10,
        "user": Me::from(person),
        "user_settings": {},
        "guilds": still_to_come,
        "private_channels": direct,
        "relationships": [],
        "presences": [],
        "session_type": "normal",
        "session_id": id,
        "resume_gateway_url": gateway_url,
        "shard": [subscription.shard.0, subscription.shard.1],
        "geo_ordered_rtc_regions": [],
        "_trace": [],
    });
    if let Some(application) = realm.application_of(person.id) {
        let flags = application_flags(application);
        ready["application"] =
            json!({ "id": application.id, "flags": flags, "flags_new": flags.to_string() });
    }
    session.push("READY", &ready);
    if subscription.has(Intents::GUILDS) {
        let everyone = subscription.has(Intents::GUILD_PRESENCES);
        let person = person.id;
        let guilds: Vec<Snowflake> = guilds.iter().map(|guild| guild.id).collect();
        for guild in guilds {
            let shown = guild_create(state, guild, person, everyone);
            let session = state.sessions.get_mut(&id);
            if let Some((session, shown)) = session.zip(shown) {
                session.push("GUILD_CREATE", &shown);
            }
        }
    }
    id
}

/// A guild as somebody who begins a session sees it.
pub(crate) fn guild_create(
    state: &EmulatorState,
    guild: Snowflake,
    viewer: Snowflake,
    everyone: bool,
) -> Option<GuildCreate> {
    let realm = &state.realm;
    let (guild, viewer) = realm.guild(guild).zip(realm.person(viewer))?;
    let presences = state.presences(guild, |person| everyone && person != viewer.id);
    let voice_states = state.voice.of(realm, guild);
    let shown = GuildCreate::new(realm, guild, viewer, |person| {
        everyone || state.voice.has(guild.id, person)
    });
    Some(shown.with_people(presences, voice_states))
}
