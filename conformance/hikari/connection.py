"""Coming, and what is there."""

import hikari
from emulator import Own, SHOP, TEA, api, bot, channel, fails, listed, new_bot, ready, soon, uid
from people import ada, application_id, arrange, ben, bot_id, feature, person, same


@feature("login")
async def login():
    Own.bot = new_bot()
    await ready(bot())
    same(bot().is_alive, True, "alive")


@feature("login refused")
async def login_refused():
    stranger = hikari.GatewayBot("MQ.wrong.wrong", rest_url=api()._rest_url, banner=None, logs=None)
    try:
        await stranger.start(check_for_updates=False)
    except hikari.UnauthorizedError:
        return
    raise AssertionError("a wrong token was taken")


@feature("READY")
async def ready_row():
    await arrange()
    same(bot().get_me().id, bot_id, "user")
    same((await api().fetch_application()).id, application_id, "application")


@feature("gateway bot info")
async def gateway_bot_info():
    info = await api().fetch_gateway_bot_info()
    start = info.session_start_limit
    same((type(info.url), info.shard_count), (str, 1), "url and shards")
    same((start.total, start.max_concurrency, 0 < start.remaining <= 1000), (1000, 1, True), "starts")


@feature("guild cached")
async def guild_cached():
    guild = bot().cache.get_guild(TEA)
    same((guild.name, guild.member_count, guild.owner_id), ("Tea House", 4, uid(ada)), "guild")
    names = {it.name for it in bot().cache.get_guild_channels_view_for_guild(TEA).values()}
    same({"code", "general", "ideas", "lounge", "news", "random"} - names, set(), "missing channels")
    roles = {it.name for it in bot().cache.get_roles_view_for_guild(TEA).values()}
    same({"@everyone", "Keeper"} <= roles, True, "roles are there")
    same(guild.get_my_member().id, bot_id, "own member")


async def chunk(**more):
    seen = soon(hikari.MemberChunkEvent, lambda event: event.nonce == more["nonce"])
    await bot().request_guild_members(**more)
    return await seen


@feature("members requested")
async def members_requested():
    event = await chunk(guild=TEA, nonce="all")
    same(sorted(it.display_name for it in event.members.values()), ["Ada", "Ben", "Kaiwa", "Mika"], "members")
    same((event.chunk_index, event.chunk_count), (0, 1), "chunks")


@feature("members queried")
async def members_queried():
    event = await chunk(guild=SHOP, query="be", limit=5, nonce="query")
    same([it.display_name for it in event.members.values()], ["Ben"], "found")
    same(len((await chunk(guild=SHOP, query="nobody", limit=5, nonce="none")).members), 0, "of nobody")


@feature("members requested by id")
async def members_requested_by_id():
    event = await chunk(guild=TEA, users=[uid(ada), 1], nonce="ids")
    same(([int(it) for it in event.members], [int(it) for it in event.not_found]), ([uid(ada)], [1]), "members")


@feature("own guilds listed")
async def own_guilds_listed():
    guilds = {it.name: it for it in await listed(api().fetch_my_guilds())}
    same(sorted(guilds), ["Elsewhere", "Tea House", "Workshop"], "guilds")
    mine = guilds["Workshop"]
    rights = mine.my_permissions
    same((bool(rights & hikari.Permissions.BAN_MEMBERS), bool(rights & hikari.Permissions.ADMINISTRATOR), mine.is_owner), (True, False, False), "permissions")


@feature("objects fetched")
async def objects_fetched():
    same((await api().fetch_guild(TEA)).name, "Tea House", "guild")
    same((await api().fetch_channel(channel("general"))).name, "general", "channel")
    same((await api().fetch_user(uid(ben))).global_name, "Ben", "user")
    member = await api().fetch_member(TEA, uid(ada))
    same(member.get_top_role().name, "Keeper", "role")
    same((await api().fetch_application()).name, "Kaiwa", "application")


@feature("unknown objects")
async def unknown_objects():
    await fails(api().fetch_user(1), 10013)
    await fails(api().fetch_channel(1), 10003)
    await fails(api().fetch_guild(1), 10004)
    await fails(api().fetch_member(TEA, uid(person["noor"])), 10007)


@feature("own user edited")
async def own_user_edited():
    seen = soon(hikari.OwnUserUpdateEvent)
    await api().edit_my_user(username="Teapot")
    same((await seen).user.username, "Teapot", "name")
    await fails(api().edit_my_user(username="x"), 50035)
    await api().edit_my_user(username="Kaiwa")
