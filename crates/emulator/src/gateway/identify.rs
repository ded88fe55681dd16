//! IDENTIFY, RESUME and REQUEST GUILD MEMBERS.

use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Intents, Lost, Subscription,
    connection::{Attached, Close, Connection, ConnectionEnd},
    intents::Refused,
};
use crate::{
    limits,
    realm::{Guild, Realm},
    snowflake::Snowflake,
    state::EmulatorState,
    wire::{Channel, GuildCreate, Me, Member, application_flags},
};

#[derive(Deserialize)]
struct Identify {
    token: String,
    intents: Option<u64>,
    shard: Option<[u64; 2]>,
}

#[derive(Deserialize)]
struct Resume {
    token: String,
    session_id: String,
    seq: u64,
}

#[derive(Deserialize)]
struct RequestMembers {
    guild_id: Id,
    query: Option<String>,
    #[serde(default)]
    limit: usize,
    user_ids: Option<OneOrMany>,
    nonce: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Id),
    Many(Vec<Id>),
}

/// Discord takes ids as numbers too, and discord.py sends them so.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(u64),
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
            if let Some(connected) = state.connections.get_mut(&self.id) {
                connected.person = Some(subscription.person);
            }
            let session = open(&mut state, subscription, self, &gateway_url);
            self.attached = Some(Attached { session, sent: 0 });
        }
        self.flush().await
    }

    pub(super) async fn resume(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: Resume = serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let refused = self.emulator.faults().refuses_resume();
        let outcome = {
            let mut state = self.emulator.state();
            let person =
                person_with(&state.realm, &ask.token).ok_or(Close::AUTHENTICATION_FAILED)?;
            let state = &mut *state;
            let resumed = if refused {
                Err(Lost::Gone)
            } else {
                let wake = self.wake.clone();
                state
                    .sessions
                    .resume(&ask.session_id, person, ask.seq, self.id, wake)
            };
            resumed.map(|session| {
                session.push("RESUMED", &json!({ "_trace": [] }));
                state.counts.resumes += 1;
                if let Some(connected) = state.connections.get_mut(&self.id) {
                    connected.person = Some(person);
                }
            })
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
            Err(Lost::Gone | Lost::NotYours) => self.send_op(9, Value::Bool(false)).await,
        }
    }

    pub(super) fn request_members(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: RequestMembers =
            serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let mut state = self.emulator.state();
        let EmulatorState {
            realm, sessions, ..
        } = &mut *state;
        let session = self
            .attached
            .as_ref()
            .and_then(|attached| sessions.get_mut(&attached.session));
        let Some(session) = session else {
            return Ok(());
        };
        let wanted = ask.guild_id.to_string();
        let mut theirs = realm.guilds_of(session.subscription.person);
        let Some(guild) = theirs.find(|guild| guild.id.to_string() == wanted) else {
            return Ok(());
        };
        // Only a full list is privileged.
        let full = ask.user_ids.is_none() && ask.limit == 0;
        if full && !session.subscription.has(Intents::GUILD_MEMBERS) {
            return Err(Close::DISALLOWED_INTENTS.into());
        }
        for chunk in chunks(realm, guild, &ask) {
            session.push("GUILD_MEMBERS_CHUNK", &chunk);
        }
        Ok(())
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
        "guild_join_requests": [],
        "geo_ordered_rtc_regions": [],
        "_trace": [],
    });
    if let Some(application) = realm.application_of(person.id) {
        ready["application"] =
            json!({ "id": application.id, "flags": application_flags(application) });
    }
    session.push("READY", &ready);
    if subscription.has(Intents::GUILDS) {
        let everyone = subscription.has(Intents::GUILD_PRESENCES);
        for guild in guilds {
            let shown = GuildCreate::new(realm, guild, person, everyone);
            session.push("GUILD_CREATE", &shown);
        }
    }
    id
}

fn chunks(realm: &Realm, guild: &Guild, ask: &RequestMembers) -> Vec<Value> {
    let ids = match &ask.user_ids {
        None => None,
        Some(OneOrMany::One(id)) => Some(vec![id.to_string()]),
        Some(OneOrMany::Many(ids)) => Some(
            ids.iter()
                .take(limits::REQUESTED_MEMBERS)
                .map(Id::to_string)
                .collect(),
        ),
    };
    let prefix = ask.query.as_deref().unwrap_or_default().to_lowercase();
    let most = if ask.limit == 0 {
        usize::MAX
    } else {
        ask.limit.min(limits::REQUESTED_MEMBERS)
    };
    let begins = |name: &str| name.to_lowercase().starts_with(&prefix);
    let members: Vec<Member> = guild
        .members
        .iter()
        .filter(|member| match &ids {
            Some(ids) => ids.contains(&member.person.to_string()),
            None => {
                let person = realm.person(member.person);
                member.nickname.as_deref().is_some_and(begins)
                    || person.is_some_and(|person| begins(&person.name))
            }
        })
        .take(if ids.is_some() { usize::MAX } else { most })
        .filter_map(|member| Member::full(realm, guild, member.person))
        .collect();
    let not_found: Vec<String> = ids
        .unwrap_or_default()
        .into_iter()
        .filter(|id| {
            let mut members = guild.members.iter();
            members.all(|member| member.person.to_string() != *id)
        })
        .collect();
    let mut slices: Vec<&[Member]> = members.chunks(limits::MEMBERS_PER_CHUNK).collect();
    if slices.is_empty() {
        slices.push(&[]);
    }
    let count = slices.len();
    slices
        .into_iter()
        .enumerate()
        .map(|(index, members)| {
            let mut chunk = json!({
                "guild_id": guild.id,
                "members": members,
                "chunk_index": index,
                "chunk_count": count,
                "not_found": not_found,
            });
            if let Some(nonce) = &ask.nonce {
                chunk["nonce"] = json!(nonce);
            }
            chunk
        })
        .collect()
}
