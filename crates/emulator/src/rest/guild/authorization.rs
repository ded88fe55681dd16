//! Adding a bot to a guild, as whoever manages it does on Discord's page
//! `/oauth2/authorize`.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, GuildError, RequestContext, integrations, membership::admit, roles,
};
use crate::{
    limits,
    realm::{Application, AuditAction, PermissionSet, Role},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        error::Problems,
    },
    snowflake::Snowflake,
    wire::{GuildSummary, User},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /oauth2/authorize", ask),
    write("POST /oauth2/authorize", decide),
];

/// Where Discord leads the browser afterwards.
const DONE: &str = "https://discord.com/oauth2/authorized";

/// What a link asks for: an application, whose bot is to come.
fn asked<'a>(call: &'a RequestContext<'_>) -> Result<&'a Application, ApiError> {
    if call.me()?.bot {
        return Err(ApiError::NoBots);
    }
    let Some(client) = call.query.get("client_id") else {
        let message = "This field is required";
        return Err(Problems::one("client_id", "BASE_TYPE_REQUIRED", message));
    };
    let client: Snowflake = client.parse().map_err(|()| {
        let message = format!("Value \"{client}\" is not snowflake.");
        Problems::one("client_id", "NUMBER_TYPE_COERCE", message)
    })?;
    let scopes = call.query.get("scope").map_or("", String::as_str);
    // Nobody here logs in elsewhere, which other scopes are for.
    if !scopes.split([' ', '+']).any(|scope| scope == "bot") {
        let message = "Only the scope bot is known here, with others beside it.";
        return Err(Problems::one("scope", "OAUTH2_SCOPE_INVALID", message));
    }
    let mut applications = call.state.realm.applications.iter();
    let found = applications.find(|it| it.id == client);
    found.ok_or(ApiError::UnknownApplication)
}

/// What the page shows: who would come, and where the caller may say so.
fn ask(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let (application, realm) = (asked(call)?, &call.state.realm);
    let bot = realm.person(application.bot);
    let guilds = realm.guilds_of(call.me);
    let guilds = guilds.filter(|guild| call.held_in(guild).has(PermissionSet::MANAGE_GUILD));
    let guilds: Vec<GuildSummary> = guilds
        .filter_map(|guild| Some(GuildSummary::new(guild, guild.member(call.me)?)))
        .collect();
    ApiResponse::json(json!({
        "application": integrations::described(realm, application),
        "bot": bot.map(User::from),
        "user": User::from(call.me()?),
        "guilds": guilds,
        "authorized": false,
        "integration_type": 0,
    }))
}

/// What the button of the page sends.
fn decide(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let bot = asked(call)?.bot;
    let mut body = Fields::new(&call.body.json, "");
    if body.flag("authorize") == Some(false) {
        body.problems.into_result()?;
        return ApiResponse::json(json!({ "location": format!("{DONE}?error=access_denied") }));
    }
    body.require("guild_id");
    let guild = body.id("guild_id").unwrap_or(Snowflake(0));
    let permissions = body.number("permissions").unwrap_or(0);
    body.problems.into_result()?;
    let held = {
        let guild = call.guild_with(guild, PermissionSet::MANAGE_GUILD)?;
        call.held_in(guild)
    };
    // Nobody gives away more than they have.
    let permissions = PermissionSet::from_bits(permissions).both(held);
    admit_bot(call, guild, bot, permissions)?;
    ApiResponse::json(json!({ "location": DONE }))
}

/// A bot comes, or, if it is there already, has other permissions from now on.
pub(in crate::rest) fn admit_bot(
    call: &mut RequestContext<'_>,
    id: Snowflake,
    bot: Snowflake,
    permissions: PermissionSet,
) -> Result<(), ApiError> {
    let realm = &call.state.realm;
    let name = realm.person(bot).ok_or(ApiError::UnknownUser)?.name.clone();
    let guild = realm.guild(id).ok_or(ApiError::UnknownGuild)?;
    if guild.bans(bot) {
        return Err(GuildError::Banned.into());
    }
    let present = guild.member(bot).is_some();
    let own = guild.roles.iter().find(|role| role.bot == Some(bot));
    let own = own.map(|role| role.id);
    // Without permissions a bot comes without a role of its own.
    let wanted = own.is_some() || permissions != PermissionSet::default();
    if own.is_none() && wanted && guild.roles.len() >= limits::ROLES {
        return Err(GuildError::TooManyRoles.into());
    }
    let sight = call.state.sight(id);
    let held = match own {
        Some(role) => {
            let roles = call.guild_mut(id)?.roles.iter_mut();
            if let Some(role) = roles.into_iter().find(|it| it.id == role) {
                role.permissions = permissions;
            }
            roles::announce(call, id, role, "GUILD_ROLE_UPDATE");
            vec![role]
        }
        None if wanted => {
            let role = Role {
                id: call.state.realm.mint.next(),
                name,
                permissions,
                color: 0,
                hoist: false,
                mentionable: false,
                position: 1,
                bot: Some(bot),
            };
            vec![roles::insert(call, id, role)?]
        }
        None => Vec::new(),
    };
    if !present {
        admit(call, id, bot, held)?;
        integrations::tell_created(call, id, bot);
        let action = AuditAction::BotAdd;
        call.audit(id, action, Some(bot), Vec::<Value>::new(), None);
        return Ok(());
    }
    let member = call.guild_mut(id)?.member_mut(bot);
    let member = member.ok_or(ApiError::UnknownMember)?;
    let new: Vec<Snowflake> = held
        .into_iter()
        .filter(|role| !member.roles.contains(role))
        .collect();
    if !new.is_empty() {
        member.roles.extend(new);
        super::changed(call, id, bot);
    }
    call.state.tell_of_sight(&sight);
    Ok(())
}
