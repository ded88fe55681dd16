"""Coming, and what is there."""

import discord
from emulator import Listening, Own, channel, client, connect, fails, raw, soon, tea_house, workshop
from people import ada, application_id, arrange, ben, bot_id, feature, person, same, shop, tea


@feature("login")
async def login():
    Own.client = await connect()
    same(client().application_id, application_id, "application")


@feature("login refused")
async def login_refused():
    stranger = Listening()
    try:
        await stranger.login("wrong")
    except discord.LoginFailure:
        return
    finally:
        await stranger.close()
    raise AssertionError("a wrong token was taken")


@feature("READY")
async def ready():
    await client().wait_until_ready()
    await arrange()
    same(client().user.id, bot_id, "user")


@feature("gateway bot info")
async def gateway_bot_info():
    info = await raw("GET", "/gateway/bot")
    same((type(info["url"]), info["shards"]), (str, 1), "url and shards")
    start = info["session_start_limit"]
    same((start["total"], start["max_concurrency"], 0 < start["remaining"] <= 1000), (1000, 1, True), "starts")


@feature("guild cached")
async def guild_cached():
    guild = tea_house()
    same((guild.name, guild.member_count, guild.owner_id), ("Tea House", 4, int(ada["id"])), "guild")
    visible = [c.name for c in guild.channels if c.permissions_for(guild.me).view_channel]
    same(sorted(visible), ["code", "general", "ideas", "lounge", "news", "random"], "visible channels")
    same({"@everyone", "Keeper"} <= {role.name for role in guild.roles}, True, "roles are there")
    same(sorted(m.display_name for m in guild.members), ["Ada", "Ben", "Kaiwa", "Mika"], "members")
    same(channel("general").permissions_for(guild.me).send_messages, True, "may send in general")


@feature("members requested")
async def members_requested():
    members = await tea_house().chunk(cache=False)
    same(sorted(m.display_name for m in members), ["Ada", "Ben", "Kaiwa", "Mika"], "members")


@feature("members queried")
async def members_queried():
    found = await workshop().query_members("be")
    same([member.display_name for member in found], ["Ben"], "found")
    same(await workshop().query_members("nobody"), [], "of nobody")


@feature("members requested by id")
async def members_requested_by_id():
    found = await tea_house().query_members(user_ids=[int(ada["id"]), 1])
    same([member.id for member in found], [int(ada["id"])], "members")


@feature("own guilds listed")
async def own_guilds_listed():
    same(len([guild async for guild in client().fetch_guilds(limit=2)]), 2, "limit")
    listed = [guild async for guild in client().fetch_guilds()]
    same(sorted(guild.name for guild in listed), ["Elsewhere", "Tea House", "Workshop"], "guilds")
    mine = {entry["id"]: entry for entry in await raw("GET", "/users/@me/guilds")}[shop["id"]]
    rights = discord.Permissions(int(mine["permissions"]))
    same((rights.ban_members, rights.administrator, mine["owner"]), (True, False, False), "permissions")


@feature("objects fetched")
async def objects_fetched():
    guild = await client().fetch_guild(int(tea["id"]))
    same(guild.name, "Tea House", "guild")
    same((await client().fetch_channel(channel("general").id)).name, "general", "channel")
    same((await client().fetch_user(int(ben["id"]))).global_name, "Ben", "user")
    member = await guild.fetch_member(int(ada["id"]))
    same(member.top_role.name, "Keeper", "role")
    same((await client().application_info()).name, "Kaiwa", "application")


@feature("unknown objects")
async def unknown_objects():
    await fails(client().fetch_user(1), 10013)
    await fails(client().fetch_channel(1), 10003)
    await fails(client().fetch_guild(1), 10004)
    await fails(tea_house().fetch_member(int(person["noor"]["id"])), 10007)


@feature("own user edited")
async def own_user_edited():
    seen = soon("socket_raw_receive", lambda text: "USER_UPDATE" in str(text))
    edited = await client().user.edit(username="Teapot")
    await seen
    same(edited.name, "Teapot", "name")
    await fails(client().user.edit(username="x"), 50035)
    await client().user.edit(username="Kaiwa")
