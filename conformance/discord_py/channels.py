"""Channels of all kinds, who may do what in them, and the invites to them."""

import discord
from emulator import bench, client, fails, member, obj, place, raw, soon, tea_house, workshop
from people import ada, ben, bot_id, feature, person, refused, rest, same, say, shop

GUILD = f"/guilds/{shop['id']}"


async def make(name, **more):
    return await workshop().create_text_channel(name, **more)


def random():
    return discord.utils.get(tea_house().channels, name="random")


@feature("channel made: text")
async def text():
    seen = soon("guild_channel_create", lambda made: made.name == "new-tools")
    made = await make("New Tools", topic="Sharp ones", nsfw=True, slowmode_delay=7, reason="we have some")
    same((await seen).id, made.id, "event")
    same((made.name, made.topic, made.nsfw, made.slowmode_delay, made.type.value), ("new-tools", "Sharp ones", True, 7, 0), "channel")
    await made.delete()


@feature("channel made: voice")
async def voice():
    made = await workshop().create_voice_channel("Loud Room", bitrate=64000, user_limit=5)
    same((made.name, made.type.value, made.bitrate, made.user_limit), ("Loud Room", 2, 64000, 5), "channel")
    await fails(made.edit(user_limit=100), 50035)
    await made.delete()


@feature("channel made: category")
async def category():
    cellar = await workshop().create_category("Cellar")
    made = soon("guild_channel_create", lambda made: made.name == "shelf")
    child = await cellar.create_text_channel("shelf")
    await made
    same((cellar.type.value, child.category_id, [c.name for c in cellar.channels]), (4, cellar.id, ["shelf"]), "category")
    await cellar.delete()
    same((await client().fetch_channel(child.id)).category_id, None, "parent of what is left")
    await child.delete()
    await fails(raw("POST", f"{GUILD}/channels", {"name": "x", "parent_id": str(bench().id)}), 50035)


@feature("channel made: announcement and stage")
async def announcement_and_stage():
    news = await raw("POST", f"{GUILD}/channels", {"name": "papers", "type": 5})
    stage = await raw("POST", f"{GUILD}/channels", {"name": "Podium", "type": 13})
    same((news["type"], stage["type"]), (5, 13), "kinds")
    for made in (news, stage):
        await raw("DELETE", f"/channels/{made['id']}")


@feature("channel made: forum")
async def forum():
    made = await workshop().create_forum("talks", topic="Rules", default_reaction_emoji="🔨")
    same((made.type.value, made.topic, made.default_reaction_emoji.name), (15, "Rules", "🔨"), "forum")
    await made.delete()


@feature("channel edited")
async def edited():
    made = await make("before")
    seen = soon("guild_channel_update", lambda _, now: now.id == made.id)
    now = await made.edit(name="after", topic="T", nsfw=True, slowmode_delay=3, default_auto_archive_duration=60)
    same((now.name, now.topic, now.nsfw, now.slowmode_delay, now.default_auto_archive_duration), ("after", "T", True, 3, 60), "channel")
    same([it.name for it in await seen], ["before", "after"], "event")
    await made.delete()


@feature("channel deleted")
async def deleted():
    made = await make("short-lived")
    seen = soon("guild_channel_delete", lambda gone: gone.id == made.id)
    await made.delete()
    await seen
    await fails(client().fetch_channel(made.id), 10003)
    await fails(made.send("x"), 10003)


@feature("channel limits")
async def limits():
    await fails(make(""), 50035)
    await fails(make("x" * 101), 50035)
    await fails(make("x", topic="x" * 1025), 50035)
    await fails(make("x", slowmode_delay=21601), 50035)
    await fails(raw("POST", f"{GUILD}/channels", {"name": "x", "type": 99}), 50035)


@feature("channel refused")
async def channel_refused():
    await fails(tea_house().create_text_channel("x"), 50013)
    await fails(random().edit(topic="x"), 50013)


@feature("channels listed and ordered")
async def listed_and_ordered():
    listed = {str(it.id) for it in await workshop().fetch_channels()}
    same(set(shop["channels"].values()) - listed, set(), "channels that are missing")
    a, b = await make("first"), await make("second")
    same(a.position < b.position, True, "order in which they were made")
    seen = soon("guild_channel_update", lambda _, now: now.id == b.id)
    await raw("PATCH", f"{GUILD}/channels", [{"id": str(a.id), "position": b.position}, {"id": str(b.id), "position": a.position}])
    await seen
    again = {it.id: it.position for it in await workshop().fetch_channels()}
    same(again[b.id] < again[a.id], True, "order that was asked for")
    await a.delete()
    await b.delete()


@feature("slowmode kept")
async def slowmode_kept():
    slow = await make("slow", slowmode_delay=60)
    await say(ben, slow, "one")
    await refused(say(ben, slow, "two"), 429, 20016)
    await slow.send("a bot that manages messages")
    await slow.send("has no slowmode")
    await slow.delete()


@feature("channel followed")
async def followed():
    target = bench()
    hook = await place("sale").follow(destination=target)
    stored = discord.utils.get(await target.webhooks(), id=hook.id)
    same((stored.type, stored.source_channel.id), (discord.WebhookType.channel_follower, place("sale").id), "webhook")
    await stored.delete()
    await fails(raw("POST", f"/channels/{target.id}/followers", {"webhook_channel_id": str(target.id)}), 50024)


@feature("overwrite made and removed")
async def overwrite_made_and_removed():
    made = await make("signs")
    everyone = workshop().default_role
    seen = soon("guild_channel_update", lambda _, now: now.id == made.id and now.overwrites_for(everyone).send_messages is False)
    await made.set_permissions(everyone, send_messages=False, add_reactions=True)
    same((await seen)[1].overwrites_for(everyone).add_reactions, True, "allowed")
    await refused(say(ben, made, "may I?"), 403, 50013)
    await made.set_permissions(member(ben), send_messages=True)
    await say(ben, made, "I may")
    await made.set_permissions(member(ben), overwrite=None)
    await refused(say(ben, made, "may I still?"), 403, 50013)
    await made.delete()


@feature("overwrite hides a channel")
async def overwrite_hides():
    hidden = {workshop().default_role: discord.PermissionOverwrite(view_channel=False)}
    made = await make("vault", overwrites=hidden | {workshop().me: discord.PermissionOverwrite(view_channel=True)})
    await refused(rest(ben["token"], "GET", f"/channels/{made.id}/messages"), 403, 50001)
    await say(ada, made, "the owner may")
    await made.delete()


@feature("overwrite refused")
async def overwrite_refused():
    where = bench()
    await fails(where.set_permissions(workshop().default_role, administrator=True), 50013)
    await fails(random().set_permissions(tea_house().default_role, send_messages=False), 50013)
    await fails(raw("PUT", f"/channels/{where.id}/permissions/1", {"type": 0, "allow": "0", "deny": "0"}), 10009, 10011, 50035)


@feature("overwrites locked to the category")
async def overwrites_locked():
    deny = {workshop().default_role: discord.PermissionOverwrite(attach_files=False)}
    attic = await workshop().create_category("Attic", overwrites=deny)
    made = soon("guild_channel_create", lambda made: made.name == "box")
    child = await attic.create_text_channel("box")
    await made
    same(child.permissions_synced, True, "as the category")
    await child.set_permissions(workshop().default_role, embed_links=False)
    same((await client().fetch_channel(child.id)).permissions_synced, False, "on its own")
    await child.edit(sync_permissions=True)
    same((await client().fetch_channel(child.id)).permissions_synced, True, "as the category again")
    await child.delete()
    await attic.delete()


@feature("invite made and deleted")
async def invite_made_and_deleted():
    where = bench()
    seen = soon("invite_create")
    invite = await where.create_invite(max_age=3600, max_uses=2, unique=True)
    same((await seen).code, invite.code, "event")
    same((invite.max_age, invite.max_uses, invite.uses, invite.inviter.id), (3600, 2, 0, bot_id), "invite")
    same((invite in await where.invites(), invite in await workshop().invites()), (True, True), "listed")
    fetched = await client().fetch_invite(invite.code)
    same((fetched.guild.id, fetched.channel.id, fetched.approximate_member_count >= 7), (workshop().id, where.id, True), "fetched")
    gone = soon("invite_delete", lambda it: it.code == invite.code)
    await invite.delete()
    await gone
    await fails(client().fetch_invite(invite.code), 10006)


@feature("invite limits")
async def invite_limits():
    await fails(bench().create_invite(max_age=604801), 50035)
    await fails(bench().create_invite(max_uses=101), 50035)


@feature("member comes by an invite")
async def member_comes():
    noor = person["noor"]
    await workshop().edit(system_channel=bench())
    invite = await bench().create_invite(max_uses=1, unique=True)
    came = soon("member_join", lambda it: it.id == int(noor["id"]))
    greeted = soon("message", lambda message: message.type == discord.MessageType.new_member)
    await rest(noor["token"], "POST", f"/invites/{invite.code}", {})
    same(((await came).display_name, (await greeted).author.id), ("Noor", int(noor["id"])), "who came")
    await fails(client().fetch_invite(invite.code), 10006)
    gone = soon("raw_member_remove", lambda event: event.user.id == int(noor["id"]))
    await rest(noor["token"], "DELETE", f"/users/@me/guilds/{shop['id']}")
    await gone
    await workshop().edit(system_channel=None)
