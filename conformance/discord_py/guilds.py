"""A guild, its roles, and its audit log."""

import discord
from emulator import client, fails, member, raw, soon, tea_house, workshop
from people import ada, application_id, bot_id, feature, guilds, person, refused, rest, same, shop

GUILD = f"/guilds/{shop['id']}"


async def role(**more):
    return await workshop().create_role(**more)


@feature("guild edited")
async def guild_edited():
    seen = soon("guild_update", lambda _, now: now.name == "Wood Workshop")
    low, mentions = discord.VerificationLevel.low, discord.NotificationLevel.only_mentions
    edited = await workshop().edit(name="Wood Workshop", verification_level=low, default_notifications=mentions, reason="more to the point")
    same((edited.name, edited.verification_level, edited.default_notifications), ("Wood Workshop", low, mentions), "guild")
    same([guild.name for guild in await seen], ["Workshop", "Wood Workshop"], "event")
    none, every = discord.VerificationLevel.none, discord.NotificationLevel.all_messages
    await workshop().edit(name="Workshop", verification_level=none, default_notifications=every)


@feature("guild edit refused")
async def guild_edit_refused():
    await fails(workshop().edit(name="x"), 50035)
    await fails(tea_house().edit(name="Coffee House"), 50013)


@feature("guild counted")
async def guild_counted():
    guild = await client().fetch_guild(workshop().id, with_counts=True)
    same((guild.approximate_member_count >= 8, guild.owner_id), (True, int(ada["id"])), "guild")


@feature("bot added and removed")
async def bot_added_and_removed():
    elsewhere, noor = guilds["Elsewhere"]["id"], person["noor"]
    gone = soon("guild_remove", lambda guild: guild.id == int(elsewhere))
    await rest(noor["token"], "DELETE", f"/guilds/{elsewhere}/members/{bot_id}")
    await gone
    await fails(client().fetch_guild(int(elsewhere)), 10004)
    link = f"/oauth2/authorize?client_id={application_id}&scope=bot%20applications.commands"
    yes = {"guild_id": elsewhere, "permissions": str(discord.Permissions(view_audit_log=True).value), "authorize": True}
    await refused(rest(ada["token"], "POST", link, yes), 404, 10004)
    came = soon("guild_join", lambda guild: guild.id == int(elsewhere))
    await rest(noor["token"], "POST", link, yes)
    guild = await came
    own = guild.self_role
    same((own.managed, own.permissions.view_audit_log), (True, True), "own role")
    entries = [entry async for entry in guild.audit_logs(action=discord.AuditLogAction.bot_add)]
    same((entries[0].user_id, entries[0].target.id), (int(noor["id"]), bot_id), "audit log")


@feature("role made")
async def role_made():
    seen = soon("guild_role_create", lambda it: it.name == "Turner")
    rights = discord.Permissions(manage_messages=True)
    made = await role(name="Turner", colour=0x3498DB, hoist=True, mentionable=True, permissions=rights)
    same((await seen).id, made.id, "event")
    same(
        (made.name, made.colour.value, made.hoist, made.mentionable, made.permissions, made.managed),
        ("Turner", 0x3498DB, True, True, rights, False),
        "role",
    )
    await made.delete()


@feature("role edited")
async def role_edited():
    made = await role(name="before")
    seen = soon("guild_role_update", lambda _, now: now.id == made.id)
    edited = await made.edit(name="after", permissions=discord.Permissions.none(), hoist=True)
    same((edited.name, edited.hoist, edited.permissions.value), ("after", True, 0), "role")
    same((await seen)[1].name, "after", "event")
    await made.delete()


@feature("role deleted")
async def role_deleted():
    made = await role(name="short lived")
    cleo = member(person["cleo"])
    await cleo.add_roles(made)
    gone = soon("guild_role_delete", lambda it: it.id == made.id)
    await made.delete()
    await gone
    same([it.name for it in (await workshop().fetch_member(cleo.id)).roles], ["@everyone"], "what the member has")
    await fails(raw("DELETE", f"{GUILD}/roles/{made.id}"), 10011)


@feature("roles listed and ordered")
async def roles_listed_and_ordered():
    made = {(await role(name=name)).id for name in "ab"}
    a, b = sorted([it for it in await workshop().fetch_roles() if it.id in made])
    seen = soon("guild_role_update", lambda _, now: now.id == a.id)
    await raw("PATCH", f"{GUILD}/roles", [{"id": str(a.id), "position": b.position}, {"id": str(b.id), "position": a.position}])
    await seen
    roles = {it.id: it for it in await workshop().fetch_roles()}
    same(roles[a.id] > roles[b.id], True, "the lower is above the higher")
    await a.delete()
    await b.delete()


@feature("role limits")
async def role_limits():
    await fails(role(name="x" * 101), 50035)
    await fails(raw("POST", f"{GUILD}/roles", {"color": 0x1000000}), 50035)


@feature("role hierarchy kept")
async def role_hierarchy_kept():
    elder = workshop().get_role(int(shop["roles"]["Elder"]))
    await fails(elder.edit(name="Younger"), 50013)
    await fails(elder.delete(), 50013)
    await fails(workshop().me.add_roles(elder), 50013)
    made = await role(name="low")
    await fails(raw("PATCH", f"{GUILD}/roles", [{"id": str(made.id), "position": elder.position + 1}]), 50013)
    await made.delete()


@feature("role beyond own permissions refused")
async def role_beyond_own_permissions():
    await fails(role(name="too much", permissions=discord.Permissions(administrator=True)), 50013)
    await fails(tea_house().create_role(name="x"), 50013)
    await fails(workshop().self_role.delete(), 50028, 50013)


@feature("audit log")
async def audit_log():
    made = await role(name="logged", reason="because of the log")
    entries = [entry async for entry in workshop().audit_logs(action=discord.AuditLogAction.role_create, limit=1)]
    entry = entries[0]
    same((entry.target.id, entry.user.id, entry.reason), (made.id, bot_id, "because of the log"), "entry")
    same(entry.after.name, "logged", "change")
    await made.delete()
    last = [entry async for entry in workshop().audit_logs(user=workshop().me, limit=1)][0]
    same((last.action, last.target.id), (discord.AuditLogAction.role_delete, made.id), "last entry")
    await fails(anext(tea_house().audit_logs()), 50013)


@feature("audit log event")
async def audit_log_event():
    seen = soon("audit_log_entry_create", lambda entry: entry.action is discord.AuditLogAction.role_create)
    made = await role(name="watched", reason="a reason with ünïcode")
    entry = await seen
    same((entry.target.id, entry.reason, entry.guild.id), (made.id, "a reason with ünïcode", workshop().id), "entry")
    await made.delete()
