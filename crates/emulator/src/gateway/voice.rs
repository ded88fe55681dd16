//! Who is in which voice channel. State only: nobody can be heard, and the
//! endpoint that clients are told is a placeholder until a voice server stands
//! behind it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Intents,
    connection::{Close, Connection, ConnectionEnd},
    identify::Id,
};
use crate::{
    limits,
    realm::{Guild, GuildChannelKind, PermissionSet, Realm, in_channel},
    snowflake::{Snowflake, hash, rfc3339},
    state::EmulatorState,
    wire::Member,
};

/// Everybody who is in a voice channel, by guild and person.
#[derive(Debug, Default)]
pub(crate) struct VoiceStates(BTreeMap<(Snowflake, Snowflake), VoiceState>);

#[derive(Clone, Debug)]
struct VoiceState {
    channel: Snowflake,
    session: String,
    /// What those who manage voice decided.
    mute: bool,
    deaf: bool,
    self_mute: bool,
    self_deaf: bool,
    self_video: bool,
    /// On a stage: whether they only listen, and since when they want to speak.
    suppress: bool,
    asked_to_speak: Option<Timestamp>,
}

#[derive(Deserialize)]
struct VoiceStateUpdate {
    guild_id: Id,
    channel_id: Option<Id>,
    #[serde(default)]
    self_mute: bool,
    #[serde(default)]
    self_deaf: bool,
    #[serde(default)]
    self_video: bool,
}

impl VoiceStates {
    /// The states of a guild as GUILD_CREATE shows them.
    pub(crate) fn of(&self, realm: &Realm, guild: &Guild) -> Vec<Value> {
        let theirs = self.0.iter().filter(|((id, _), _)| *id == guild.id);
        theirs
            .filter(|(_, state)| realm.channels.contains_key(&state.channel))
            .map(|((_, person), state)| shown(realm, guild, *person, Some(state), ""))
            .collect()
    }

    /// The channel that somebody is in.
    pub(crate) fn channel(&self, guild: Snowflake, person: Snowflake) -> Option<Snowflake> {
        self.0.get(&(guild, person)).map(|state| state.channel)
    }

    /// The state of one who is in a channel, as REST shows it.
    pub(crate) fn one(&self, realm: &Realm, guild: &Guild, person: Snowflake) -> Option<Value> {
        let state = self.0.get(&(guild.id, person))?;
        let mut shown = shown(realm, guild, person, Some(state), "");
        shown["guild_id"] = json!(guild.id);
        Some(shown)
    }

    pub(crate) fn has(&self, guild: Snowflake, person: Snowflake) -> bool {
        self.0.contains_key(&(guild, person))
    }
}

/// A voice state object; without a state, that of somebody who has left.
fn shown(
    realm: &Realm,
    guild: &Guild,
    person: Snowflake,
    state: Option<&VoiceState>,
    session: &str,
) -> Value {
    json!({
        "channel_id": state.map(|state| state.channel),
        "user_id": person,
        "member": Member::full(realm, guild, person),
        "session_id": state.map_or(session, |state| state.session.as_str()),
        "deaf": state.is_some_and(|state| state.deaf),
        "mute": state.is_some_and(|state| state.mute),
        "self_deaf": state.is_some_and(|state| state.self_deaf),
        "self_mute": state.is_some_and(|state| state.self_mute),
        "self_video": state.is_some_and(|state| state.self_video),
        "suppress": state.is_some_and(|state| state.suppress),
        "request_to_speak_timestamp": state
            .and_then(|state| state.asked_to_speak)
            .map(rfc3339),
    })
}

/// What somebody who manages voice changes of a member; `None` leaves it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VoiceChange {
    pub(crate) mute: Option<bool>,
    pub(crate) deaf: Option<bool>,
    /// Where they are taken to; the inner `None` disconnects them.
    pub(crate) channel: Option<Option<Snowflake>>,
}

impl VoiceChange {
    pub(crate) fn asks(self) -> bool {
        self.mute.is_some() || self.deaf.is_some() || self.channel.is_some()
    }
}

/// What changes for somebody on a stage; `None` leaves it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StageChange {
    pub(crate) suppress: Option<bool>,
    pub(crate) asked_to_speak: Option<Option<Timestamp>>,
}

impl EmulatorState {
    /// Lets somebody on a stage speak or listen.
    pub(crate) fn change_stage(&mut self, guild: Snowflake, person: Snowflake, to: StageChange) {
        let Some(state) = self.voice.0.get_mut(&(guild, person)) else {
            return;
        };
        state.suppress = to.suppress.unwrap_or(state.suppress);
        if let Some(asked) = to.asked_to_speak {
            state.asked_to_speak = asked;
        }
        if to.suppress == Some(false) {
            state.asked_to_speak = None;
        }
        let session = state.session.clone();
        self.tell_voice(guild, person, &session);
    }

    /// Mutes, deafens, moves or disconnects somebody who is in voice.
    pub(crate) fn change_voice(&mut self, guild: Snowflake, person: Snowflake, to: VoiceChange) {
        let Some(state) = self.voice.0.get_mut(&(guild, person)) else {
            return;
        };
        state.mute = to.mute.unwrap_or(state.mute);
        state.deaf = to.deaf.unwrap_or(state.deaf);
        let session = state.session.clone();
        match to.channel {
            Some(Some(channel)) => {
                state.channel = channel;
                state.suppress = is_stage(&self.realm, channel);
            }
            Some(None) => {
                self.voice.0.remove(&(guild, person));
            }
            None => {}
        }
        self.tell_voice(guild, person, &session);
    }

    /// Tells a guild where somebody is now.
    fn tell_voice(&mut self, guild: Snowflake, person: Snowflake, session: &str) {
        let Self {
            realm,
            sessions,
            voice,
            ..
        } = self;
        let Some(guild) = realm.guild(guild) else {
            return;
        };
        let state = voice.0.get(&(guild.id, person));
        let mut update = shown(realm, guild, person, state, session);
        update["guild_id"] = json!(guild.id);
        for (session, other) in sessions.listening(realm) {
            let subscription = &session.subscription;
            let wanted = subscription.has(Intents::GUILD_VOICE_STATES)
                && subscription.serves(Some(guild.id))
                && guild.member(other.id).is_some();
            if wanted {
                session.push("VOICE_STATE_UPDATE", &update);
            }
        }
    }

    /// A session is gone for good, and with it whoever spoke through it.
    pub(crate) fn leave_voice(&mut self, session: &str) {
        self.disconnect(|state| state.session == session);
    }

    /// A channel is gone, and with it whoever spoke there.
    pub(crate) fn empty_voice(&mut self, channel: Snowflake) {
        self.disconnect(|state| state.channel == channel);
    }

    fn disconnect(&mut self, who: impl Fn(&VoiceState) -> bool) {
        let left = self.voice.0.iter().filter(|(_, state)| who(state));
        let left: Vec<_> = left
            .map(|(place, state)| (*place, state.session.clone()))
            .collect();
        for ((guild, person), session) in left {
            self.voice.0.remove(&(guild, person));
            self.tell_voice(guild, person, &session);
        }
    }
}

/// On a stage, those who come only listen.
fn is_stage(realm: &Realm, channel: Snowflake) -> bool {
    let channel = realm.channels.get(&channel);
    let place = channel.and_then(|channel| channel.of_guild());
    place.is_some_and(|place| place.kind == GuildChannelKind::Stage)
}

/// Whether somebody may go into a channel of a guild.
fn may_join(realm: &Realm, guild: Snowflake, person: Snowflake, channel: Snowflake) -> bool {
    let Some((person, channel)) = realm.person(person).zip(realm.channels.get(&channel)) else {
        return false;
    };
    let spoken = channel.thread().is_none()
        && [GuildChannelKind::Voice.number(), limits::STAGE_CHANNEL].contains(&channel.number());
    let held = in_channel(realm, person, channel);
    spoken && channel.guild() == Some(guild) && held.has(PermissionSet::CONNECT)
}

impl Connection {
    pub(super) fn update_voice(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: VoiceStateUpdate =
            serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let Some(attached) = &self.attached else {
            return Ok(());
        };
        let mut state = self.emulator.state();
        let session = state.sessions.get_mut(&attached.session);
        let Some(person) = session.map(|session| session.subscription.person) else {
            return Ok(());
        };
        let guild = ask.guild_id.parse();
        let guild = guild.and_then(|id| state.realm.guild(id));
        let Some(guild) = guild.filter(|guild| guild.member(person).is_some()) else {
            return Ok(());
        };
        let guild = guild.id;
        let before = state.voice.0.get(&(guild, person)).cloned();
        let Some(channel) = ask.channel_id else {
            if before.is_some() {
                state.voice.0.remove(&(guild, person));
                state.tell_voice(guild, person, &attached.session);
            }
            return Ok(());
        };
        // Discord says nothing to those who may not.
        let channel = channel.parse();
        let channel = channel.filter(|id| may_join(&state.realm, guild, person, *id));
        let Some(channel) = channel else {
            return Ok(());
        };
        let now = VoiceState {
            channel,
            session: attached.session.clone(),
            mute: before.as_ref().is_some_and(|before| before.mute),
            deaf: before.as_ref().is_some_and(|before| before.deaf),
            self_mute: ask.self_mute,
            self_deaf: ask.self_deaf,
            self_video: ask.self_video,
            suppress: match &before {
                Some(before) if before.channel == channel => before.suppress,
                _ => is_stage(&state.realm, channel),
            },
            asked_to_speak: before.as_ref().and_then(|before| before.asked_to_speak),
        };
        state.voice.0.insert((guild, person), now);
        state.tell_voice(guild, person, &attached.session);
        if before.is_none_or(|before| before.channel != channel) {
            let token = hash(&[&attached.session, &guild.to_string(), "voice"]);
            if let Some(session) = state.sessions.get_mut(&attached.session) {
                let server = json!({
                    "token": format!("{token:016x}"),
                    "guild_id": guild,
                    "endpoint": limits::VOICE_ENDPOINT,
                });
                session.push("VOICE_SERVER_UPDATE", &server);
            }
        }
        Ok(())
    }
}
