"""Members: edited, timed out, kicked, banned."""

import datetime

import hikari
from emulator import SHOP, TEA, api, bench, fails, listed, raw, soon, uid
from people import ada, ben, bot_id, feature, mika, person, refused, rest, returns, same, say, shop

GUILD = f"/guilds/{shop['id']}"


def updated(who, fits):
    return soon(hikari.MemberUpdateEvent, lambda event: event.user_id == who and event.guild_id == SHOP and fits(event.member))


def soon_from_now(**more):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**more)


@feature("members listed")
async def members_listed():
    found = await listed(api().fetch_members(SHOP))
    same({"Ada", "Ben", "Kaiwa", "Mika"} - {it.user.display_name for it in found}, set(), "missing")
    first, second = sorted(it.id for it in found)[:2]
    page = await raw("GET", f"{GUILD}/members?limit=1&after={first}")
    same([int(it["user"]["id"]) for it in page], [second], "the next")


@feature("members searched")
async def members_searched():
    same([it.id for it in await api().search_members(SHOP, "mi")], [uid(mika)], "found")


@feature("member edited")
async def member_edited():
    seen = updated(uid(ben), lambda now: now.nickname == "Benny")
    await api().edit_member(SHOP, uid(ben), nickname="Benny", reason="he asked for it")
    same((await seen).member.display_name, "Benny", "name")
    await api().edit_member(SHOP, uid(ben), nickname=None)
    same((await api().fetch_member(SHOP, uid(ben))).nickname, None, "without")
    await fails(api().edit_member(SHOP, uid(ben), nickname="x" * 33), 50035)


@feature("own nickname")
async def own_nickname():
    seen = updated(bot_id, lambda now: now.nickname == "Master")
    await api().edit_my_member(SHOP, nickname="Master")
    same((await seen).member.display_name, "Master", "name")
    await api().edit_my_member(SHOP, nickname=None)


@feature("member roles")
async def member_roles():
    apprentice = int(shop["roles"]["Apprentice"])
    added = updated(uid(ben), lambda now: apprentice in now.role_ids)
    await api().add_role_to_member(SHOP, uid(ben), apprentice)
    await added
    removed = updated(uid(ben), lambda now: apprentice not in now.role_ids)
    await api().remove_role_from_member(SHOP, uid(ben), apprentice)
    await removed
    await fails(api().add_role_to_member(SHOP, uid(ben), 1), 10011)
    await fails(api().add_role_to_member(SHOP, uid(ben), int(shop["roles"]["Elder"])), 50013)


@feature("member edit refused")
async def member_edit_refused():
    await fails(api().edit_member(SHOP, uid(ada), nickname="Countess"), 50013)
    await fails(api().edit_member(SHOP, uid(mika), nickname="Younger"), 50013)
    await fails(api().edit_member(TEA, uid(ben), nickname="x"), 50013)
    await fails(api().edit_member(SHOP, 1, nickname="x"), 10007, 10013)


@feature("member timed out")
async def member_timed_out():
    dan, until = uid(person["dan"]), soon_from_now(hours=1)
    seen = updated(dan, lambda now: now.communication_disabled_until() is not None)
    await api().edit_member(SHOP, dan, communication_disabled_until=until, reason="too loud")
    same(abs(((await seen).member.communication_disabled_until() - until).total_seconds()) < 1, True, "until when")
    await refused(say(person["dan"], bench(), "but"), 403, 50013)
    await api().edit_member(SHOP, dan, communication_disabled_until=None)
    await say(person["dan"], bench(), "thank you")


@feature("timeout refused")
async def timeout_refused():
    async def time_out(guild, who, **more):
        await api().edit_member(guild, who, communication_disabled_until=soon_from_now(**more))

    await fails(time_out(SHOP, uid(person["dan"]), days=29), 50035)
    await fails(time_out(SHOP, uid(mika), hours=1), 50013)
    await fails(time_out(TEA, uid(ben), hours=1), 50013)


@feature("member kicked")
async def member_kicked():
    gus = uid(person["gus"])
    seen = soon(hikari.MemberDeleteEvent, lambda event: event.user_id == gus)
    await api().kick_user(SHOP, gus, reason="closing time")
    await seen
    await fails(api().fetch_member(SHOP, gus), 10007)
    await refused(say(person["gus"], bench(), "I am out"), 403, 50001)
    await returns(person["gus"])


@feature("kick refused")
async def kick_refused():
    await fails(api().kick_user(SHOP, uid(ada)), 50013)
    await fails(api().kick_user(SHOP, uid(mika)), 50013)
    await fails(api().kick_user(TEA, uid(ben)), 50013)


@feature("member banned")
async def member_banned():
    where, eve = bench(), uid(person["eve"])
    rude = await say(person["eve"], where, "something rude")
    banned = soon(hikari.BanCreateEvent, lambda event: event.user_id == eve)
    left = soon(hikari.MemberDeleteEvent, lambda event: event.user_id == eve)
    await api().ban_user(SHOP, eve, delete_message_seconds=3600, reason="rude")
    await banned
    await left
    ban = await api().fetch_ban(SHOP, eve)
    same((ban.user.id, ban.reason), (eve, "rude"), "ban")
    await fails(api().fetch_message(where, int(rude["id"])), 10008)


@feature("ban keeps out")
async def ban_keeps_out():
    invite = await api().create_invite(bench(), unique=True)
    await refused(rest(person["eve"]["token"], "POST", f"/invites/{invite.code}", {}), 403, 40007)


@feature("bans listed")
async def bans_listed():
    await api().ban_user(SHOP, uid(person["noor"]), reason="a stranger")
    found = {it.user.id for it in await listed(api().fetch_bans(SHOP))}
    same(found, {uid(person["eve"]), uid(person["noor"])}, "bans")
    same(len(await raw("GET", f"{GUILD}/bans?limit=1")), 1, "limit")


@feature("ban lifted")
async def ban_lifted():
    eve = uid(person["eve"])
    lifted = soon(hikari.BanDeleteEvent, lambda event: event.user_id == eve)
    await api().unban_user(SHOP, eve)
    await api().unban_user(SHOP, uid(person["noor"]))
    await lifted
    await fails(api().fetch_ban(SHOP, eve), 10026)
    await fails(api().unban_user(SHOP, eve), 10026)
    await returns(person["eve"])


@feature("bulk ban")
async def bulk_ban():
    eve, finn = person["eve"], person["finn"]
    done = await api().bulk_ban_users(SHOP, [uid(eve), uid(finn), uid(ada)], reason="all of you")
    same((set(done.banned_users), list(done.failed_users)), ({uid(eve), uid(finn)}, [uid(ada)]), "bans")
    await fails(api().bulk_ban_users(SHOP, [uid(ada)]), 500000)
    for who in (eve, finn):
        await api().unban_user(SHOP, uid(who))
        await returns(who)


@feature("ban refused")
async def ban_refused():
    await fails(api().ban_user(SHOP, uid(ada)), 50013)
    await fails(api().ban_user(SHOP, uid(mika)), 50013)
    await fails(api().ban_user(TEA, uid(ben)), 50013)
    await fails(api().ban_user(SHOP, uid(ben), delete_message_seconds=604801), 50035)
