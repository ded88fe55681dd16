//! Application commands: registered by bots, listed for humans.

mod check;
mod options;
mod permissions;
mod route;

use serde_json::{Map, Value, json};

use super::{ApiError, ApiResponse, ApiResult, RequestContext};
use crate::{
    limits,
    realm::{AppCommand, Channel, CommandKind, UserAccount},
    snowflake::Snowflake,
    wire,
};
use check::{CheckedCommand, read_all};
pub(super) use options::check_choices;
pub(super) use route::{CommandPlace, CommandRoute};

pub(super) fn act(call: &mut RequestContext<'_>, route: &CommandRoute) -> ApiResult {
    match *route {
        CommandRoute::List(place) => list(call, place),
        CommandRoute::Create(place) => create(call, place),
        CommandRoute::Overwrite(place) => overwrite(call, place),
        CommandRoute::Get(place, id) => get(call, place, id),
        CommandRoute::Edit(place, id) => edit(call, place, id),
        CommandRoute::Delete(place, id) => delete(call, place, id),
        CommandRoute::AllPermissions(place) => permissions::all(call, place),
        CommandRoute::Permissions(place, id) => permissions::one(call, place, id),
        CommandRoute::EditPermissions(place, id) => permissions::edit(call, place, id),
        // (doc) "This endpoint has been disabled"
        CommandRoute::EditAllPermissions(_) => Err(ApiError::NotFound),
        CommandRoute::ChannelIndex(id) => channel_index(call, id),
        CommandRoute::GuildIndex(id) => guild_index(call, id),
        CommandRoute::ApplicationIndex(id) => application_index(call, id),
    }
}

/// The place, if it is the caller's own application and it is in the guild.
fn own(call: &RequestContext<'_>, place: CommandPlace) -> Result<(), ApiError> {
    let realm = &call.state.realm;
    let mut applications = realm.applications.iter();
    let application = applications
        .find(|it| it.id == place.application)
        .ok_or(ApiError::UnknownApplication)?;
    if application.bot != call.me {
        return Err(ApiError::NotYourApplication);
    }
    if let Some(guild) = place.guild {
        let guild = realm.guild(guild).ok_or(ApiError::UnknownGuild)?;
        guild
            .member(application.bot)
            .ok_or(ApiError::MissingAccess)?;
    }
    Ok(())
}

fn find<'a>(
    call: &'a RequestContext<'_>,
    place: CommandPlace,
    id: Snowflake,
) -> Result<&'a AppCommand, ApiError> {
    let mut commands = call.state.realm.commands.of(place.application, place.guild);
    commands
        .find(|command| command.id == id)
        .ok_or(ApiError::UnknownCommand)
}

fn list(call: &mut RequestContext<'_>, place: CommandPlace) -> ApiResult {
    own(call, place)?;
    let flag = call.query.get("with_localizations");
    let localized = flag.is_some_and(|flag| flag == "true" || flag == "True" || flag == "1");
    let commands = &call.state.realm.commands;
    let shown: Vec<Value> = commands
        .of(place.application, place.guild)
        .map(|command| wire::command(command, localized))
        .collect();
    ApiResponse::json(shown)
}

fn get(call: &mut RequestContext<'_>, place: CommandPlace, id: Snowflake) -> ApiResult {
    own(call, place)?;
    Ok(ApiResponse::Json(wire::command(
        find(call, place, id)?,
        true,
    )))
}

/// A command of the same name and kind is replaced.
fn create(call: &mut RequestContext<'_>, place: CommandPlace) -> ApiResult {
    own(call, place)?;
    let in_guild = place.guild.is_some();
    let checked = CheckedCommand::read(&call.body.json, "", in_guild).map_err(ApiError::Invalid)?;
    let mut kinds: Vec<CommandKind> = call
        .state
        .realm
        .commands
        .of(place.application, place.guild)
        .filter(|it| it.name != checked.name || it.kind != checked.kind)
        .map(|it| it.kind)
        .collect();
    let before = kinds.len();
    kinds.push(checked.kind);
    room_for(&kinds)?;
    let all = call.state.realm.commands.all.len();
    let known = before < all_of(call, place);
    if !known && all >= limits::COMMANDS_IN_ALL {
        return Err(ApiError::TooManyCommands);
    }
    let shown = put(call, place, checked);
    Ok(if known {
        ApiResponse::Json(shown)
    } else {
        ApiResponse::Created(shown)
    })
}

fn all_of(call: &RequestContext<'_>, place: CommandPlace) -> usize {
    let commands = &call.state.realm.commands;
    commands.of(place.application, place.guild).count()
}

fn room_for(kinds: &[CommandKind]) -> Result<(), ApiError> {
    let count = |kind| kinds.iter().filter(|it| **it == kind).count();
    let too_many = count(CommandKind::ChatInput) > limits::SLASH_COMMANDS
        || count(CommandKind::User) > limits::CONTEXT_MENUS
        || count(CommandKind::Message) > limits::CONTEXT_MENUS;
    if too_many {
        Err(ApiError::TooManyCommands)
    } else {
        Ok(())
    }
}

/// Stores a command and shows it. One that does not change keeps its version.
fn put(call: &mut RequestContext<'_>, place: CommandPlace, checked: CheckedCommand) -> Value {
    let realm = &mut call.state.realm;
    let known = realm.commands.all.iter_mut().find(|it| {
        it.application == place.application
            && it.guild == place.guild
            && it.kind == checked.kind
            && it.name == checked.name
    });
    if let Some(known) = known {
        if known.fields != checked.fields {
            known.version = realm.mint.next();
            known.fields = checked.fields;
        }
        return wire::command(known, true);
    }
    let id = realm.mint.next();
    let command = AppCommand {
        id,
        application: place.application,
        guild: place.guild,
        version: realm.mint.next(),
        kind: checked.kind,
        name: checked.name,
        fields: checked.fields,
    };
    let shown = wire::command(&command, true);
    realm.commands.all.push(command);
    shown
}

/// Those that are named stay or are new, the others go.
fn overwrite(call: &mut RequestContext<'_>, place: CommandPlace) -> ApiResult {
    own(call, place)?;
    let Some(list) = call.body.list.take() else {
        return Err(super::error::Problems::one(
            "",
            "LIST_TYPE_CONVERT",
            "Only iterables may be used in a ListType",
        ));
    };
    if list.len() > limits::SLASH_COMMANDS + 2 * limits::CONTEXT_MENUS {
        return Err(ApiError::TooManyCommands);
    }
    let checked = read_all(&list, place.guild.is_some())?;
    let kinds: Vec<CommandKind> = checked.iter().map(|it| it.kind).collect();
    room_for(&kinds)?;
    let gone: Vec<Snowflake> = call
        .state
        .realm
        .commands
        .of(place.application, place.guild)
        .filter(|it| {
            let mut named = checked.iter();
            named.all(|new| new.name != it.name || new.kind != it.kind)
        })
        .map(|it| it.id)
        .collect();
    for id in gone {
        call.state.realm.commands.remove(id);
    }
    let room = limits::COMMANDS_IN_ALL.saturating_sub(call.state.realm.commands.all.len());
    if checked.len() > room + all_of(call, place) {
        return Err(ApiError::TooManyCommands);
    }
    let shown: Vec<Value> = checked
        .into_iter()
        .map(|checked| put(call, place, checked))
        .collect();
    ApiResponse::json(shown)
}

fn edit(call: &mut RequestContext<'_>, place: CommandPlace, id: Snowflake) -> ApiResult {
    own(call, place)?;
    let before = find(call, place, id)?;
    let mut whole: Map<String, Value> = before.fields.clone();
    // Follows from the contexts, unless it is named.
    whole.remove("dm_permission");
    whole.insert("name".into(), json!(before.name));
    whole.extend(call.body.json.clone());
    whole.insert("type".into(), json!(before.kind.number()));
    let in_guild = place.guild.is_some();
    let checked = CheckedCommand::read(&whole, "", in_guild).map_err(ApiError::Invalid)?;
    let taken = call
        .state
        .realm
        .commands
        .of(place.application, place.guild)
        .any(|it| it.id != id && it.kind == checked.kind && it.name == checked.name);
    if taken {
        return Err(super::error::Problems::one(
            "name",
            "APPLICATION_COMMANDS_DUPLICATE_NAME",
            "Application command names must be unique",
        ));
    }
    let realm = &mut call.state.realm;
    let version = realm.mint.next();
    let command = realm.commands.all.iter_mut().find(|it| it.id == id);
    let command = command.ok_or(ApiError::UnknownCommand)?;
    command.name = checked.name;
    command.fields = checked.fields;
    command.version = version;
    Ok(ApiResponse::Json(wire::command(command, true)))
}

fn delete(call: &mut RequestContext<'_>, place: CommandPlace, id: Snowflake) -> ApiResult {
    own(call, place)?;
    find(call, place, id)?;
    call.state.realm.commands.remove(id);
    Ok(ApiResponse::NoContent)
}

fn human<'a>(call: &'a RequestContext<'_>) -> Result<&'a UserAccount, ApiError> {
    let me = call.me()?;
    if me.bot {
        return Err(ApiError::NoBots);
    }
    Ok(me)
}

/// What the caller may use in a channel, as Discord's own clients ask for it.
fn channel_index(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let me = human(call)?;
    let (channel, _) = call.channel(id)?;
    let realm = &call.state.realm;
    let usable = |command: &&AppCommand| realm.may_use(me, channel, command);
    let commands: Vec<&AppCommand> = realm.commands.all.iter().filter(usable).collect();
    Ok(index(call, &commands))
}

/// What the caller may use in any channel of a guild that they see.
fn guild_index(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    let me = human(call)?;
    let guild = super::guilds::known(call, id)?;
    let realm = &call.state.realm;
    let channels: Vec<&Channel> = realm.guild_channels(guild, me);
    let usable = |command: &&AppCommand| {
        let mut channels = channels.iter();
        channels.any(|channel| realm.may_use(me, channel, command))
    };
    let commands: Vec<&AppCommand> = realm.commands.all.iter().filter(usable).collect();
    Ok(index(call, &commands))
}

fn application_index(call: &mut RequestContext<'_>, id: Snowflake) -> ApiResult {
    human(call)?;
    let commands: Vec<&AppCommand> = call.state.realm.commands.of(id, None).collect();
    Ok(index(call, &commands))
}

fn index(call: &RequestContext<'_>, commands: &[&AppCommand]) -> ApiResponse {
    let realm = &call.state.realm;
    let applications: Vec<Value> = realm
        .applications
        .iter()
        .filter(|it| commands.iter().any(|command| command.application == it.id))
        .filter_map(|it| {
            let bot = realm.person(it.bot)?;
            Some(json!({
                "id": it.id,
                "name": bot.name,
                "icon": null,
                "description": "",
                "bot_id": bot.id,
                "bot": wire::User::from(bot),
                "flags": wire::application_flags(it),
            }))
        })
        .collect();
    let version = commands.iter().map(|it| it.version).max();
    let commands: Vec<Value> = commands
        .iter()
        .map(|command| wire::command(command, true))
        .collect();
    ApiResponse::Json(json!({
        "applications": applications,
        "application_commands": commands,
        "version": version,
    }))
}
