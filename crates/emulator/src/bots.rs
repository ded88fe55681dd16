//! `/emulator/bots`: applications that are made while the emulator runs, and
//! the guilds that bots are in.
//!
//! ```text
//! POST   /emulator/bots                    { "name": "Dice", "intents": [], "guilds": ["…"], "permissions": "8" }
//! PUT    /emulator/bots/{id}/guilds/{id}   { "permissions": "8" }
//! DELETE /emulator/bots/{id}/guilds/{id}
//! ```

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    Emulator, limits,
    realm::PermissionSet,
    rest::{ApiError, Problems, join_guild, leave_guild},
    snowflake::Snowflake,
    world::PrivilegedIntent,
};

/// A bot that somebody wants. What is left out is as in a world file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotRequest {
    name: String,
    #[serde(default = "PrivilegedIntent::all")]
    intents: Vec<PrivilegedIntent>,
    #[serde(default)]
    guilds: Vec<String>,
    #[serde(default)]
    permissions: PermissionSet,
}

/// What a bot may do in a guild to which it comes.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotAdmission {
    #[serde(default)]
    permissions: PermissionSet,
}

/// `POST /emulator/bots`: the new bot with its token.
pub(crate) async fn create(
    State(emulator): State<Emulator>,
    Json(ask): Json<BotRequest>,
) -> Response {
    match made(&emulator, ask) {
        Ok(bot) => (StatusCode::CREATED, Json(json!(bot))).into_response(),
        Err(error) => error.into_response(),
    }
}

fn made(emulator: &Emulator, ask: BotRequest) -> Result<crate::ReadyBot, ApiError> {
    let guilds = ask.guilds.iter().map(|id| id.parse());
    let guilds: Result<Vec<Snowflake>, ()> = guilds.collect();
    let guilds = guilds.map_err(|()| ApiError::UnknownGuild)?;
    let id = {
        let realm = &mut emulator.state().realm;
        if guilds.iter().any(|id| realm.guild(*id).is_none()) {
            return Err(ApiError::UnknownGuild);
        }
        if !(2..=32).contains(&ask.name.chars().count()) {
            let message = "Must be between 2 and 32 in length.";
            return Err(Problems::one("name", "BASE_TYPE_BAD_LENGTH", message));
        }
        let taken = |name: &str| name.to_lowercase() == ask.name.to_lowercase();
        if realm.people.iter().any(|person| taken(&person.name)) {
            let message = "Somebody has this name already.";
            return Err(Problems::one("name", "USERNAME_ALREADY_TAKEN", message));
        }
        if realm.applications.len() >= limits::APPLICATIONS {
            let message = format!("There can be {} bots.", limits::APPLICATIONS);
            return Err(Problems::one("name", "BASE_TYPE_MAX_LENGTH", message));
        }
        realm.register(&ask.name, ask.intents)
    };
    for guild in guilds {
        join_guild(emulator, id, guild, ask.permissions)?;
    }
    let id = id.to_string();
    let mut bots = emulator.ready().bots.into_iter();
    bots.find(|bot| bot.application_id == id)
        .ok_or(ApiError::UnknownApplication)
}

/// `PUT /emulator/bots/{bot}/guilds/{guild}`
pub(crate) async fn join(
    State(emulator): State<Emulator>,
    Path((bot, guild)): Path<(String, String)>,
    ask: Option<Json<BotAdmission>>,
) -> Response {
    let Json(ask) = ask.unwrap_or_default();
    let joined = ids(&bot, &guild)
        .and_then(|(bot, guild)| join_guild(&emulator, bot, guild, ask.permissions));
    answered(joined)
}

/// `DELETE /emulator/bots/{bot}/guilds/{guild}`
pub(crate) async fn leave(
    State(emulator): State<Emulator>,
    Path((bot, guild)): Path<(String, String)>,
) -> Response {
    let left = ids(&bot, &guild).and_then(|(bot, guild)| leave_guild(&emulator, bot, guild));
    answered(left)
}

fn ids(bot: &str, guild: &str) -> Result<(Snowflake, Snowflake), ApiError> {
    let bot = bot.parse().map_err(|()| ApiError::UnknownApplication)?;
    let guild = guild.parse().map_err(|()| ApiError::UnknownGuild)?;
    Ok((bot, guild))
}

fn answered(done: Result<(), ApiError>) -> Response {
    match done {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => error.into_response(),
    }
}
