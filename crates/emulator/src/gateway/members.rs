//! REQUEST GUILD MEMBERS.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Intents,
    connection::{Close, Connection, ConnectionEnd},
    identify::Id,
};
use crate::{
    limits,
    realm::{Guild, Realm},
    snowflake::Snowflake,
    wire::Member,
    world::RateLimits,
};

#[derive(Deserialize)]
struct RequestMembers {
    guild_id: Id,
    query: Option<String>,
    #[serde(default)]
    limit: usize,
    user_ids: Option<OneOrMany>,
    #[serde(default)]
    presences: bool,
    nonce: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Id),
    Many(Vec<Id>),
}

impl Connection {
    pub(super) fn request_members(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: RequestMembers =
            serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let mut state = self.emulator.state();
        let limited = state.buckets.mode() == RateLimits::Discord;
        let id = self.attached.as_ref().map(|attached| &attached.session);
        let session = id.and_then(|id| state.sessions.get_mut(id));
        let Some(subscription) = session.map(|session| session.subscription.clone()) else {
            return Ok(());
        };
        let wanted = ask.guild_id.to_string();
        let mut theirs = state.realm.guilds_of(subscription.person);
        let Some(guild) = theirs.find(|guild| guild.id.to_string() == wanted) else {
            return Ok(());
        };
        // Only a full list and presences are privileged.
        let full = ask.user_ids.is_none() && ask.limit == 0;
        let allowed = (!full || subscription.has(Intents::GUILD_MEMBERS))
            && (!ask.presences || subscription.has(Intents::GUILD_PRESENCES));
        if !allowed {
            return Err(Close::DISALLOWED_INTENTS.into());
        }
        let mut chunks = chunks(&state.realm, guild, &ask);
        if ask.presences {
            for chunk in &mut chunks {
                let shown = chunk["members"].as_array().into_iter().flatten();
                let shown = shown.filter_map(|member| member["user"]["id"].as_str()?.parse().ok());
                let shown: HashSet<Snowflake> = shown.collect();
                let presences = state.presences(guild, |person| shown.contains(&person));
                chunk["presences"] = Value::Array(presences);
            }
        }
        let guild = guild.id;
        drop(theirs);
        let Some(session) = id.and_then(|id| state.sessions.get_mut(id)) else {
            return Ok(());
        };
        let wait = match full && limited {
            true => session.ask_all_members(guild),
            false => None,
        };
        if let Some(wait) = wait {
            let mut meta = json!({ "guild_id": guild });
            if let Some(nonce) = &ask.nonce {
                meta["nonce"] = json!(nonce);
            }
            let limited = json!({ "opcode": 8, "retry_after": wait.as_secs_f64(), "meta": meta });
            session.push("RATE_LIMITED", &limited);
            return Ok(());
        }
        for chunk in chunks {
            session.push("GUILD_MEMBERS_CHUNK", &chunk);
        }
        Ok(())
    }
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
