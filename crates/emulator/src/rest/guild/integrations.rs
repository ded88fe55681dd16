//! Integrations of a guild: the bots that were let in.

use serde_json::{Value, json};

use super::{ApiError, ApiResult, GuildError, RequestContext, membership::remove};
use crate::{
    realm::{Application, AuditAction, Guild, PermissionSet, Realm},
    rest::{
        ApiResponse,
        endpoint::{PathValues, RestEndpoint, read, write},
    },
    snowflake::Snowflake,
    wire::User,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /guilds/{guild}/integrations", list),
    write("DELETE /guilds/{guild}/integrations/{integration}", delete),
];

const MANAGE: PermissionSet = PermissionSet::MANAGE_GUILD;

/// Bots have no other integration than themselves, which is called as their
/// application is.
fn shown(realm: &Realm, application: &Application) -> Value {
    let bot = realm.person(application.bot);
    let name = bot.map(|bot| bot.name.clone());
    json!({
        "id": application.id,
        "name": name,
        "type": "discord",
        "enabled": true,
        "account": { "id": application.id, "name": name },
        "application": described(realm, application),
        "scopes": ["applications.commands", "bot"],
    })
}

/// An application as others see it.
pub(super) fn described(realm: &Realm, application: &Application) -> Value {
    let bot = realm.person(application.bot);
    json!({
        "id": application.id,
        "name": bot.map(|bot| bot.name.clone()),
        "icon": application.profile.icon,
        "description": application.profile.description,
        "summary": "",
        "bot": bot.map(User::from),
    })
}

/// Tells that a bot was let in.
pub(super) fn tell_created(call: &mut RequestContext<'_>, guild: Snowflake, bot: Snowflake) {
    call.state
        .dispatch_guild(guild, "INTEGRATION_CREATE", |realm, guild| {
            let application = realm.application_of(bot);
            let mut payload = application.map_or(Value::Null, |it| shown(realm, it));
            payload["guild_id"] = json!(guild.id);
            payload
        });
    tell_changed(call, guild);
}

/// Tells that somebody is gone, if it was a bot.
pub(super) fn tell_deleted(call: &mut RequestContext<'_>, guild: Snowflake, bot: Snowflake) {
    let Some(id) = call.state.realm.application_of(bot).map(|it| it.id) else {
        return;
    };
    call.state.dispatch_guild(
        guild,
        "INTEGRATION_DELETE",
        |_, guild| json!({ "id": id, "guild_id": guild.id, "application_id": id }),
    );
    tell_changed(call, guild);
}

fn tell_changed(call: &mut RequestContext<'_>, guild: Snowflake) {
    call.state.dispatch_guild(
        guild,
        "GUILD_INTEGRATIONS_UPDATE",
        |_, guild| json!({ "guild_id": guild.id }),
    );
}

fn present<'a>(realm: &'a Realm, guild: &'a Guild) -> impl Iterator<Item = &'a Application> {
    let here = |application: &&Application| guild.member(application.bot).is_some();
    realm.applications.iter().filter(here)
}

fn list(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = call.guild_with(path.id(0), MANAGE)?;
    let realm = &call.state.realm;
    let shown: Vec<Value> = present(realm, guild).map(|it| shown(realm, it)).collect();
    ApiResponse::json(shown)
}

/// With the integration goes the bot.
fn delete(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (id, integration) = (path.id(0), path.id(1));
    let guild = call.guild_with(id, MANAGE)?;
    let found = present(&call.state.realm, guild).find(|it| it.id == integration);
    let bot = found
        .map(|it| it.bot)
        .ok_or(GuildError::UnknownIntegration)?;
    if bot == call.me {
        return Err(ApiError::MissingPermissions);
    }
    remove(call, id, bot);
    let action = AuditAction::IntegrationDelete;
    call.audit(id, action, Some(integration), Vec::new(), None);
    Ok(ApiResponse::NoContent)
}
