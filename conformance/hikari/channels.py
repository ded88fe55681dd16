"""Channels of all kinds, who may do what in them, and the invites to them."""

import hikari
from emulator import SHOP, TEA, api, bench, channel, fails, place, raw, soon, uid
from messages import send
from people import ada, ben, bot_id, feature, person, refused, rest, same, say, shop

GUILD = f"/guilds/{shop['id']}"
Right = hikari.Permissions
ROLE, MEMBER = hikari.PermissionOverwriteType.ROLE, hikari.PermissionOverwriteType.MEMBER


async def make(name, **more):
    return await api().create_guild_text_channel(SHOP, name, **more)


def overwrite(target, kind, allow=Right.NONE, deny=Right.NONE):
    return hikari.PermissionOverwrite(id=target, type=kind, allow=allow, deny=deny)


@feature("channel made: text")
async def text():
    seen = soon(hikari.GuildChannelCreateEvent, lambda event: event.channel.name == "new-tools")
    made = await make("New Tools", topic="Sharp ones", nsfw=True, rate_limit_per_user=7, reason="we have some")
    same((await seen).channel_id, made.id, "event")
    same((made.name, made.topic, made.is_nsfw, made.rate_limit_per_user.total_seconds(), int(made.type)), ("new-tools", "Sharp ones", True, 7, 0), "channel")
    await made.delete()


@feature("channel made: voice")
async def voice():
    made = await api().create_guild_voice_channel(SHOP, "Loud Room", bitrate=64000, user_limit=5)
    same((made.name, int(made.type), made.bitrate, made.user_limit), ("Loud Room", 2, 64000, 5), "channel")
    await fails(made.edit(user_limit=100), 50035)
    await made.delete()


@feature("channel made: category")
async def category():
    cellar = await api().create_guild_category(SHOP, "Cellar")
    child = await make("shelf", category=cellar)
    same((int(cellar.type), child.parent_id), (4, cellar.id), "category")
    await cellar.delete()
    same((await api().fetch_channel(child)).parent_id, None, "parent of what is left")
    await child.delete()
    await fails(raw("POST", f"{GUILD}/channels", {"name": "x", "parent_id": str(bench())}), 50035)


@feature("channel made: announcement and stage")
async def announcement_and_stage():
    news = await api().create_guild_news_channel(SHOP, "papers")
    stage = await api().create_guild_stage_channel(SHOP, "Podium")
    same((int(news.type), int(stage.type)), (5, 13), "kinds")
    await news.delete()
    await stage.delete()


@feature("channel made: forum")
async def forum():
    made = await api().create_guild_forum_channel(SHOP, "talks", topic="Rules", default_reaction_emoji="🔨")
    same((int(made.type), made.topic, made.default_reaction_emoji_name), (15, "Rules", "🔨"), "forum")
    await made.delete()


@feature("channel edited")
async def edited():
    made = await make("before")
    seen = soon(hikari.GuildChannelUpdateEvent, lambda event: event.channel_id == made.id)
    now = await made.edit(name="after", topic="T", nsfw=True, rate_limit_per_user=3, default_auto_archive_duration=60)
    same((now.name, now.topic, now.is_nsfw, now.rate_limit_per_user.total_seconds()), ("after", "T", True, 3), "channel")
    same(now.default_auto_archive_duration.total_seconds(), 3600, "archived after")
    event = await seen
    same((event.old_channel.name, event.channel.name), ("before", "after"), "event")
    await made.delete()


@feature("channel deleted")
async def deleted():
    made = await make("short-lived")
    seen = soon(hikari.GuildChannelDeleteEvent, lambda event: event.channel_id == made.id)
    await made.delete()
    await seen
    await fails(api().fetch_channel(made), 10003)
    await fails(made.send("x"), 10003)


@feature("channel limits")
async def limits():
    await fails(make(""), 50035)
    await fails(make("x" * 101), 50035)
    await fails(make("x", topic="x" * 1025), 50035)
    await fails(make("x", rate_limit_per_user=21601), 50035)
    await fails(raw("POST", f"{GUILD}/channels", {"name": "x", "type": 99}), 50035)


@feature("channel refused")
async def channel_refused():
    await fails(api().create_guild_text_channel(TEA, "x"), 50013)
    await fails(api().edit_channel(channel("random"), topic="x"), 50013)


@feature("channels listed and ordered")
async def listed_and_ordered():
    found = {str(it.id) for it in await api().fetch_guild_channels(SHOP)}
    same(set(shop["channels"].values()) - found, set(), "channels that are missing")
    a, b = await make("first"), await make("second")
    same(a.position < b.position, True, "order in which they were made")
    seen = soon(hikari.GuildChannelUpdateEvent, lambda event: event.channel_id == b.id)
    await api().reposition_channels(SHOP, {b.position: a, a.position: b})
    await seen
    again = {it.id: it.position for it in await api().fetch_guild_channels(SHOP)}
    same(again[b.id] < again[a.id], True, "order that was asked for")
    await a.delete()
    await b.delete()


@feature("slowmode kept")
async def slowmode_kept():
    slow = await make("slow", rate_limit_per_user=60)
    await say(ben, slow, "one")
    await refused(say(ben, slow, "two"), 429, 20016)
    await slow.send("a bot that manages messages")
    await slow.send("has no slowmode")
    await slow.delete()


@feature("channel followed")
async def followed():
    target = bench()
    follow = await api().follow_channel(place("sale"), target)
    same(follow.channel_id, place("sale"), "channel")
    hook = next(it for it in await api().fetch_channel_webhooks(target) if it.id == follow.webhook_id)
    same((int(hook.type), hook.source_channel.id), (2, place("sale")), "webhook")
    await api().delete_webhook(hook)
    await fails(api().follow_channel(target, target), 50024)


@feature("overwrite made and removed")
async def overwrite_made_and_removed():
    made = await make("signs")
    seen = soon(hikari.GuildChannelUpdateEvent, lambda event: event.channel_id == made.id and SHOP in event.channel.permission_overwrites)
    await made.edit_overwrite(SHOP, target_type=ROLE, allow=Right.ADD_REACTIONS, deny=Right.SEND_MESSAGES)
    stored = (await seen).channel.permission_overwrites[SHOP]
    same((stored.type, stored.allow, stored.deny), (ROLE, Right.ADD_REACTIONS, Right.SEND_MESSAGES), "overwrite")
    await refused(say(ben, made, "may I?"), 403, 50013)
    await made.edit_overwrite(uid(ben), target_type=MEMBER, allow=Right.SEND_MESSAGES)
    await say(ben, made, "I may")
    await made.remove_overwrite(uid(ben))
    await refused(say(ben, made, "may I still?"), 403, 50013)
    await made.delete()


@feature("overwrite hides a channel")
async def overwrite_hides():
    view = Right.VIEW_CHANNEL
    made = await make("vault", permission_overwrites=[overwrite(SHOP, ROLE, deny=view), overwrite(bot_id, MEMBER, allow=view)])
    await refused(rest(ben["token"], "GET", f"/channels/{made.id}/messages"), 403, 50001)
    await say(ada, made, "the owner may")
    await made.delete()


@feature("overwrite refused")
async def overwrite_refused():
    where = bench()
    edit = api().edit_permission_overwrite
    await fails(edit(where, SHOP, target_type=ROLE, allow=Right.ADMINISTRATOR), 50013)
    await fails(edit(channel("random"), TEA, target_type=ROLE, deny=Right.SEND_MESSAGES), 50013)
    await fails(edit(where, 1, target_type=ROLE), 10009, 10011, 50035)


@feature("overwrites locked to the category")
async def overwrites_locked():
    attic = await api().create_guild_category(SHOP, "Attic", permission_overwrites=[overwrite(SHOP, ROLE, deny=Right.ATTACH_FILES)])
    child = await make("box", category=attic)

    async def denied():
        return (await api().fetch_channel(child)).permission_overwrites[SHOP].deny

    same(await denied(), Right.ATTACH_FILES, "as the category")
    await child.edit_overwrite(SHOP, target_type=ROLE, deny=Right.EMBED_LINKS)
    same(await denied(), Right.EMBED_LINKS, "on its own")
    await raw("PATCH", f"{GUILD}/channels", [{"id": str(child.id), "parent_id": str(attic.id), "lock_permissions": True}])
    same(await denied(), Right.ATTACH_FILES, "as the category again")
    await child.delete()
    await attic.delete()


@feature("invite made and deleted")
async def invite_made_and_deleted():
    where = bench()
    seen = soon(hikari.InviteCreateEvent)
    invite = await api().create_invite(where, max_age=3600, max_uses=2, unique=True)
    same((await seen).code, invite.code, "event")
    same((invite.max_age.total_seconds(), invite.max_uses, invite.uses, invite.inviter.id), (3600, 2, 0, bot_id), "invite")
    lists = [await api().fetch_channel_invites(where), await api().fetch_guild_invites(SHOP)]
    same([invite.code in {it.code for it in found} for found in lists], [True, True], "listed")
    fetched = await api().fetch_invite(invite.code)
    same((fetched.guild_id, fetched.channel_id, fetched.approximate_member_count >= 7), (SHOP, where, True), "fetched")
    gone = soon(hikari.InviteDeleteEvent, lambda event: event.code == invite.code)
    await api().delete_invite(invite)
    await gone
    await fails(api().fetch_invite(invite.code), 10006)


@feature("invite limits")
async def invite_limits():
    await fails(api().create_invite(bench(), max_age=604801), 50035)
    await fails(api().create_invite(bench(), max_uses=101), 50035)


@feature("member comes by an invite")
async def member_comes():
    noor = person["noor"]
    await api().edit_guild(SHOP, system_channel=bench())
    invite = await api().create_invite(bench(), max_uses=1, unique=True)
    came = soon(hikari.MemberCreateEvent, lambda event: event.user_id == uid(noor))
    greeted = soon(hikari.GuildMessageCreateEvent, lambda event: int(event.message.type) == 7)
    await rest(noor["token"], "POST", f"/invites/{invite.code}", {})
    same(((await came).member.display_name, (await greeted).author_id), ("Noor", uid(noor)), "who came")
    await fails(api().fetch_invite(invite.code), 10006)
    gone = soon(hikari.MemberDeleteEvent, lambda event: event.user_id == uid(noor))
    await rest(noor["token"], "DELETE", f"/users/@me/guilds/{shop['id']}")
    await gone
    await api().edit_guild(SHOP, system_channel=None)
