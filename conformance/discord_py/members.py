"""Members: edited, timed out, kicked, banned."""

import datetime

import discord
from emulator import bench, fails, member, obj, raw, soon, tea_house, workshop
from people import ada, ben, bot_id, feature, mika, person, refused, rest, returns, same, say, shop, tea

GUILD = f"/guilds/{shop['id']}"


@feature("members listed")
async def members_listed():
    listed = [it async for it in workshop().fetch_members(limit=None)]
    same({"Ada", "Ben", "Kaiwa", "Mika"} - {it.global_name or it.name for it in listed}, set(), "missing")
    first, second = sorted(it.id for it in listed)[:2]
    same([it.id async for it in workshop().fetch_members(limit=1, after=discord.Object(first))], [second], "the next")


@feature("members searched")
async def members_searched():
    found = await raw("GET", f"{GUILD}/members/search?query=mi")
    same([it["user"]["id"] for it in found], [mika["id"]], "found")


@feature("member edited")
async def member_edited():
    seen = soon("member_update", lambda _, now: now.id == int(ben["id"]) and now.nick == "Benny")
    await member(ben).edit(nick="Benny", reason="he asked for it")
    same((await seen)[1].display_name, "Benny", "name")
    await member(ben).edit(nick=None)
    same((await workshop().fetch_member(int(ben["id"]))).nick, None, "without")
    await fails(member(ben).edit(nick="x" * 33), 50035)


@feature("own nickname")
async def own_nickname():
    seen = soon("member_update", lambda _, now: now.id == bot_id and now.nick == "Master")
    await workshop().me.edit(nick="Master")
    same((await seen)[1].display_name, "Master", "name")
    await workshop().me.edit(nick=None)


@feature("member roles")
async def member_roles():
    apprentice = workshop().get_role(int(shop["roles"]["Apprentice"]))
    added = soon("member_update", lambda _, now: now.id == int(ben["id"]) and apprentice in now.roles)
    await member(ben).add_roles(apprentice)
    await added
    removed = soon("member_update", lambda _, now: now.id == int(ben["id"]) and apprentice not in now.roles)
    await member(ben).remove_roles(apprentice)
    await removed
    await fails(member(ben).add_roles(discord.Object(1)), 10011)
    await fails(member(ben).add_roles(obj(shop["roles"]["Elder"])), 50013)


@feature("member edit refused")
async def member_edit_refused():
    await fails(member(ada).edit(nick="Countess"), 50013)
    await fails(member(mika).edit(nick="Younger"), 50013)
    await fails(tea_house().get_member(int(ben["id"])).edit(nick="x"), 50013)
    await fails(raw("PATCH", f"{GUILD}/members/1", {"nick": "x"}), 10007, 10013)


@feature("member timed out")
async def member_timed_out():
    dan = member(person["dan"])
    until = discord.utils.utcnow() + datetime.timedelta(hours=1)
    seen = soon("member_update", lambda _, now: now.id == dan.id and now.is_timed_out())
    await dan.timeout(until, reason="too loud")
    same(abs(((await seen)[1].timed_out_until - until).total_seconds()) < 1, True, "until when")
    await refused(say(person["dan"], bench(), "but"), 403, 50013)
    await dan.timeout(None)
    await say(person["dan"], bench(), "thank you")


@feature("timeout refused")
async def timeout_refused():
    hour = datetime.timedelta(hours=1)
    await fails(member(person["dan"]).timeout(datetime.timedelta(days=29)), 50035)
    await fails(member(mika).timeout(hour), 50013)
    await fails(tea_house().get_member(int(ben["id"])).timeout(hour), 50013)


@feature("member kicked")
async def member_kicked():
    gus = member(person["gus"])
    seen = soon("member_remove", lambda it: it.id == gus.id)
    await gus.kick(reason="closing time")
    await seen
    await fails(workshop().fetch_member(gus.id), 10007)
    await refused(say(person["gus"], bench(), "I am out"), 403, 50001)
    await returns(person["gus"])


@feature("kick refused")
async def kick_refused():
    await fails(member(ada).kick(), 50013)
    await fails(member(mika).kick(), 50013)
    await fails(tea_house().kick(obj(ben)), 50013)


@feature("member banned")
async def member_banned():
    where, eve = bench(), person["eve"]
    rude = await say(eve, where, "something rude")
    banned = soon("member_ban", lambda guild, user: user.id == int(eve["id"]))
    left = soon("raw_member_remove", lambda event: event.user.id == int(eve["id"]))
    await workshop().ban(obj(eve), delete_message_seconds=3600, reason="rude")
    await banned
    await left
    ban = await workshop().fetch_ban(obj(eve))
    same((ban.user.id, ban.reason), (int(eve["id"]), "rude"), "ban")
    await fails(where.fetch_message(int(rude["id"])), 10008)


@feature("ban keeps out")
async def ban_keeps_out():
    invite = await bench().create_invite(unique=True)
    await refused(rest(person["eve"]["token"], "POST", f"/invites/{invite.code}", {}), 403, 40007)


@feature("bans listed")
async def bans_listed():
    await workshop().ban(obj(person["noor"]), reason="a stranger")
    listed = {str(ban.user.id) async for ban in workshop().bans()}
    same(listed, {person["eve"]["id"], person["noor"]["id"]}, "bans")
    same(len([ban async for ban in workshop().bans(limit=1)]), 1, "limit")


@feature("ban lifted")
async def ban_lifted():
    eve = person["eve"]
    lifted = soon("member_unban", lambda guild, user: user.id == int(eve["id"]))
    await workshop().unban(obj(eve))
    await workshop().unban(obj(person["noor"]))
    await lifted
    await fails(workshop().fetch_ban(obj(eve)), 10026)
    await fails(workshop().unban(obj(eve)), 10026)
    await returns(eve)


@feature("bulk ban")
async def bulk_ban():
    eve, finn = person["eve"], person["finn"]
    done = await workshop().bulk_ban([obj(eve), obj(finn), obj(ada)], reason="all of you")
    same({str(it.id) for it in done.banned}, {eve["id"], finn["id"]}, "bans")
    same([str(it.id) for it in done.failed], [ada["id"]], "failed")
    await fails(workshop().bulk_ban([obj(ada)]), 500000)
    for who in (eve, finn):
        await workshop().unban(obj(who))
        await returns(who)


@feature("ban refused")
async def ban_refused():
    await fails(workshop().ban(obj(ada)), 50013)
    await fails(workshop().ban(obj(mika)), 50013)
    await fails(tea_house().ban(obj(ben)), 50013)
    await fails(raw("PUT", f"{GUILD}/bans/{ben['id']}", {"delete_message_seconds": 604801}), 50035)
