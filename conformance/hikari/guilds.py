"""A guild, its roles, and its audit log."""

import hikari
from emulator import SHOP, TEA, api, bot, fails, listed, raw, soon, uid
from people import ada, application_id, bot_id, feature, guilds, person, refused, rest, same, shop

GUILD = f"/guilds/{shop['id']}"
Right = hikari.Permissions


async def role(**more):
    return await api().create_role(SHOP, **more)


@feature("guild edited")
async def guild_edited():
    seen = soon(hikari.GuildUpdateEvent, lambda event: event.guild.name == "Wood Workshop")
    low, mentions = hikari.GuildVerificationLevel.LOW, hikari.GuildMessageNotificationsLevel.ONLY_MENTIONS
    edited = await api().edit_guild(SHOP, name="Wood Workshop", verification_level=low, default_message_notifications=mentions, reason="more to the point")
    same((edited.name, edited.verification_level, edited.default_message_notifications), ("Wood Workshop", low, mentions), "guild")
    event = await seen
    same((event.old_guild.name, event.guild.name), ("Workshop", "Wood Workshop"), "event")
    none, every = hikari.GuildVerificationLevel.NONE, hikari.GuildMessageNotificationsLevel.ALL_MESSAGES
    await api().edit_guild(SHOP, name="Workshop", verification_level=none, default_message_notifications=every)


@feature("guild edit refused")
async def guild_edit_refused():
    await fails(api().edit_guild(SHOP, name="x"), 50035)
    await fails(api().edit_guild(TEA, name="Coffee House"), 50013)


@feature("guild counted")
async def guild_counted():
    guild = await api().fetch_guild(SHOP)
    same((guild.approximate_member_count >= 8, guild.owner_id), (True, uid(ada)), "guild")


@feature("bot added and removed")
async def bot_added_and_removed():
    elsewhere, noor = guilds["Elsewhere"]["id"], person["noor"]
    gone = soon(hikari.GuildLeaveEvent, lambda event: event.guild_id == int(elsewhere))
    await rest(noor["token"], "DELETE", f"/guilds/{elsewhere}/members/{bot_id}")
    await gone
    await fails(api().fetch_guild(int(elsewhere)), 10004)
    link = f"/oauth2/authorize?client_id={application_id}&scope=bot%20applications.commands"
    yes = {"guild_id": elsewhere, "permissions": str(int(hikari.Permissions.VIEW_AUDIT_LOG)), "authorize": True}
    await refused(rest(ada["token"], "POST", link, yes), 404, 10004)
    came = soon(hikari.GuildJoinEvent, lambda event: event.guild_id == int(elsewhere))
    await rest(noor["token"], "POST", link, yes)
    roles = (await came).roles.values()
    own = next(role for role in roles if role.bot_id == bot_id)
    same((own.is_managed, own.permissions), (True, hikari.Permissions.VIEW_AUDIT_LOG), "own role")
    log = await listed(api().fetch_audit_log(int(elsewhere), event_type=hikari.AuditLogEventType.BOT_ADD))
    entry = next(iter(log[0].entries.values()))
    same((entry.user_id, entry.target_id), (int(noor["id"]), bot_id), "audit log")


@feature("role made")
async def role_made():
    seen = soon(hikari.RoleCreateEvent, lambda event: event.role.name == "Turner")
    made = await role(name="Turner", color=0x3498DB, hoist=True, mentionable=True, permissions=Right.MANAGE_MESSAGES)
    same((await seen).role_id, made.id, "event")
    actual = (made.name, int(made.color), made.is_hoisted, made.is_mentionable, made.permissions, made.is_managed)
    same(actual, ("Turner", 0x3498DB, True, True, Right.MANAGE_MESSAGES, False), "role")
    await api().delete_role(SHOP, made)


@feature("role edited")
async def role_edited():
    made = await role(name="before")
    seen = soon(hikari.RoleUpdateEvent, lambda event: event.role_id == made.id)
    edited = await api().edit_role(SHOP, made, name="after", permissions=Right.NONE, hoist=True)
    same((edited.name, edited.is_hoisted, edited.permissions), ("after", True, Right.NONE), "role")
    same((await seen).role.name, "after", "event")
    await api().delete_role(SHOP, made)


@feature("role deleted")
async def role_deleted():
    made = await role(name="short lived")
    cleo = uid(person["cleo"])
    await api().add_role_to_member(SHOP, cleo, made)
    gone = soon(hikari.RoleDeleteEvent, lambda event: event.role_id == made.id)
    await api().delete_role(SHOP, made)
    await gone
    same(made.id in (await api().fetch_member(SHOP, cleo)).role_ids, False, "the member has it")
    await fails(api().delete_role(SHOP, made), 10011)


@feature("roles listed and ordered")
async def roles_listed_and_ordered():
    made = {(await role(name=name)).id for name in "ab"}
    a, b = sorted([it for it in await api().fetch_roles(SHOP) if it.id in made], key=lambda it: it.position)
    seen = soon(hikari.RoleUpdateEvent, lambda event: event.role_id == a.id)
    await api().reposition_roles(SHOP, {b.position: a, a.position: b})
    await seen
    roles = {it.id: it.position for it in await api().fetch_roles(SHOP)}
    same(roles[a.id] > roles[b.id], True, "the lower is above the higher")
    await api().delete_role(SHOP, a)
    await api().delete_role(SHOP, b)


@feature("role limits")
async def role_limits():
    await fails(role(name="x" * 101), 50035)
    await fails(raw("POST", f"{GUILD}/roles", {"color": 0x1000000}), 50035)


@feature("role hierarchy kept")
async def role_hierarchy_kept():
    elder = int(shop["roles"]["Elder"])
    await fails(api().edit_role(SHOP, elder, name="Younger"), 50013)
    await fails(api().delete_role(SHOP, elder), 50013)
    await fails(api().add_role_to_member(SHOP, bot_id, elder), 50013)
    made = await role(name="low")
    above = bot().cache.get_role(elder).position + 1
    await fails(api().reposition_roles(SHOP, {above: made}), 50013)
    await api().delete_role(SHOP, made)


@feature("role beyond own permissions refused")
async def role_beyond_own_permissions():
    await fails(role(name="too much", permissions=Right.ADMINISTRATOR), 50013)
    await fails(api().create_role(TEA, name="x"), 50013)
    mine = next(it for it in bot().cache.get_roles_view_for_guild(SHOP).values() if it.bot_id == bot_id)
    await fails(api().delete_role(SHOP, mine), 50028, 50013)


async def entry(**more):
    log = await api().fetch_audit_log(SHOP, **more).limit(1)
    return next(iter(log[0].entries.values()))


@feature("audit log")
async def audit_log():
    made = await role(name="logged", reason="because of the log")
    first = await entry(event_type=hikari.AuditLogEventType.ROLE_CREATE)
    same((first.target_id, first.user_id, first.reason), (made.id, bot_id, "because of the log"), "entry")
    same([it.new_value for it in first.changes if it.key == "name"], ["logged"], "change")
    await api().delete_role(SHOP, made)
    last = await entry(user=bot_id)
    same((last.action_type, last.target_id), (hikari.AuditLogEventType.ROLE_DELETE, made.id), "last entry")
    await fails(listed(api().fetch_audit_log(TEA)), 50013)


@feature("audit log event")
async def audit_log_event():
    seen = soon(hikari.AuditLogEntryCreateEvent, lambda event: event.entry.action_type == hikari.AuditLogEventType.ROLE_CREATE)
    made = await role(name="watched", reason="a reason with ünïcode")
    found = (await seen).entry
    same((found.target_id, found.reason, found.guild_id), (made.id, "a reason with ünïcode", SHOP), "entry")
    await api().delete_role(SHOP, made)
