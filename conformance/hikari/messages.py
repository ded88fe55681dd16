"""Messages that are said, changed, deleted, and found again."""

import hikari
from emulator import TEA, api, bench, bot, channel, fails, listed, place, raw, soon, uid
from people import ada, ben, bot_id, feature, rest, same, say, snowflake, tea

DAY = 24 * 60 * 60
Created, Updated, Deleted = hikari.MessageCreateEvent, hikari.MessageUpdateEvent, hikari.MessageDeleteEvent


async def send(where, *content, **more):
    return await api().create_message(where, *content, **more)


@feature("message seen")
async def message_seen():
    seen = soon(hikari.GuildMessageCreateEvent, lambda event: event.author_id == uid(ada))
    await say(ada, "general", f"Hello <@{bot_id}>")
    event = await seen
    same(list(event.message.user_mentions_ids), [bot_id], "mentions the bot")
    same((event.author.display_name, event.is_bot), ("Ada", False), "author")
    same(event.member.get_top_role().name, "Keeper", "role")
    same((event.channel_id, event.guild_id), (channel("general"), TEA), "place")


@feature("message sent")
async def message_sent():
    seen = soon(Created, lambda event: event.content == "sent")
    sent = await send(channel("general"), "sent")
    same((sent.author.id, (await seen).message_id), (bot_id, sent.id), "message")


@feature("reply")
async def reply():
    asked = await say(ben, "general", "a question")
    answer = await send(channel("general"), "an answer", reply=int(asked["id"]), mentions_reply=True)
    same(answer.message_reference.id, int(asked["id"]), "reference")
    same(answer.referenced_message.content, "a question", "referenced message")
    same(list(answer.user_mentions_ids), [uid(ben)], "replied user")


@feature("reply without a ping")
async def reply_without_a_ping():
    where = bench()
    asked = await say(ben, where, "do not ping me")
    answer = await send(where, "I will not", reply=int(asked["id"]), mentions_reply=False)
    same((answer.message_reference.id, list(answer.user_mentions_ids)), (int(asked["id"]), []), "reply")


@feature("reply to a missing message")
async def reply_to_a_missing_message():
    where, gone = bench(), snowflake()
    await fails(send(where, "x", reply=gone), 50035)
    sent = await send(where, "nobody", reply=gone, reply_must_exist=False)
    same((sent.content, sent.type), ("nobody", hikari.MessageType.DEFAULT), "message")


@feature("edit")
async def edit():
    sent = await send(channel("random"), "before")
    seen = soon(Updated, lambda event: event.message_id == sent.id)
    edited = await sent.edit("after")
    same((edited.content, edited.edited_timestamp is not None), ("after", True), "edited")
    same((await seen).content, "after", "event")


@feature("edit seen")
async def edit_seen():
    said = await say(ada, "random", "tpyo")
    seen = soon(Updated, lambda event: event.message_id == int(said["id"]))
    await rest(ada["token"], "PATCH", f"/channels/{tea['channels']['random']}/messages/{said['id']}", {"content": "typo"})
    same((await seen).content, "typo", "event")


@feature("edit of another's message refused")
async def edit_of_anothers_refused():
    where = bench()
    said = int((await say(ada, where, "mine"))["id"])
    await fails(api().edit_message(where, said, "yours"), 50005)
    same((await api().fetch_message(where, said)).content, "mine", "content")


@feature("delete")
async def delete():
    sent = await send(channel("random"), "short lived")
    seen = soon(Deleted, lambda event: event.message_id == sent.id)
    await sent.delete()
    await seen
    await fails(api().fetch_message(channel("random"), sent.id), 10008)


@feature("delete seen")
async def delete_seen():
    said = await say(ada, "random", "never mind")
    seen = soon(Deleted, lambda event: event.message_id == int(said["id"]))
    await rest(ada["token"], "DELETE", f"/channels/{tea['channels']['random']}/messages/{said['id']}")
    await seen


@feature("delete of another's message")
async def delete_of_anothers():
    where = bench()
    said = int((await say(ben, where, "rude"))["id"])
    seen = soon(Deleted, lambda event: event.message_id == said)
    await api().delete_message(where, said)
    await seen
    await fails(api().delete_message(where, said), 10008)


@feature("history")
async def history():
    said = [await say(ada, "code", content) for content in "12345"]
    third = int(said[2]["id"])

    async def read(limit, **options):
        return ",".join(it.content for it in await listed(api().fetch_messages(channel("code"), **options), limit))

    same(await read(2), "5,4", "limit")
    same(await read(2, before=third), "2,1", "before")
    same(await read(2, after=third), "4,5", "after")
    around = await raw("GET", f"/channels/{channel('code')}/messages?around={third}&limit=3")
    same(",".join(it["content"] for it in around), "4,3,2", "around")
    await fails(raw("GET", f"/channels/{channel('code')}/messages?limit=101"), 50035)


@feature("bulk delete")
async def bulk_delete():
    where = bench()
    ids = {int((await say(ada, where, "a"))["id"]), (await send(where, "b")).id}
    seen = soon(hikari.GuildBulkMessageDeleteEvent, lambda event: set(event.message_ids) == ids)
    await api().delete_messages(where, list(ids))
    await seen
    await fails(api().fetch_message(where, min(ids)), 10008)


@feature("bulk delete limits")
async def bulk_delete_limits():
    where = bench()
    fresh = (await send(where, "fresh")).id
    path = f"/channels/{where}/messages/bulk-delete"
    await fails(raw("POST", path, {"messages": [str(fresh), str(snowflake(15 * DAY))]}), 50034)
    await fails(raw("POST", path, {"messages": [str(fresh)]}), 50016, 50035)
    await fails(raw("POST", path, {"messages": [str(snowflake() + n) for n in range(101)]}), 50016, 50035)
    same((await api().fetch_message(where, fresh)).content, "fresh", "what was not deleted")


@feature("bulk delete refused")
async def bulk_delete_refused():
    ids = [str((await send(channel("random"), content)).id) for content in ("one", "two")]
    await fails(raw("POST", f"/channels/{channel('random')}/messages/bulk-delete", {"messages": ids}), 50013)


@feature("forward")
async def forward():
    said = await say(ada, "general", "pass it on")
    sent = await api().forward_message(channel("random"), int(said["id"]), channel("general"))
    same((int(sent.message_reference.type), sent.message_reference.id), (1, int(said["id"])), "reference")
    same(sent.message_snapshots[0].content, "pass it on", "snapshot")


@feature("flags")
async def flags():
    flag = hikari.MessageFlag
    silent = await send(bench(), "hush", flags=flag.SUPPRESS_NOTIFICATIONS)
    same(bool(silent.flags & flag.SUPPRESS_NOTIFICATIONS), True, "silent")
    plain = await send(bench(), "https://example.com", flags=flag.SUPPRESS_EMBEDS)
    same(bool(plain.flags & flag.SUPPRESS_EMBEDS), True, "without embeds")
    bare = await (await send(bench(), embed=hikari.Embed(title="T"))).edit(flags=flag.SUPPRESS_EMBEDS)
    same((bool(bare.flags & flag.SUPPRESS_EMBEDS), list(bare.embeds)), (True, []), "embeds taken away")


@feature("crosspost")
async def crosspost():
    sent = await send(place("sale"), "Chairs, half the price")
    published = await api().crosspost_message(place("sale"), sent)
    same(bool(published.flags & hikari.MessageFlag.CROSSPOSTED), True, "flag")
    await fails(api().crosspost_message(place("sale"), sent), 40033)
    where = bench()
    await fails(api().crosspost_message(where, await send(where, "not for all")), 50024)


@feature("pins")
async def pins():
    where = bench()
    sent = await send(where, "keep this")
    updated = soon(hikari.GuildPinsUpdateEvent, lambda event: event.channel_id == where)
    told = soon(Created, lambda event: event.message.type is hikari.MessageType.CHANNEL_PINNED_MESSAGE and event.channel_id == where)
    await api().pin_message(where, sent)
    await updated
    same((await told).message.message_reference.id, sent.id, "what the channel is told")
    same((await api().fetch_message(where, sent)).is_pinned, True, "pinned")
    same([it.message.id for it in await listed(api().fetch_pins(where))], [sent.id], "pins")
    again = soon(hikari.GuildPinsUpdateEvent, lambda event: event.channel_id == where)
    await api().unpin_message(where, sent)
    await again
    same(await listed(api().fetch_pins(where)), [], "pins left")


@feature("pin refused")
async def pin_refused():
    sent = await send(channel("random"), "not for ever")
    await fails(api().pin_message(channel("random"), sent), 50013)


@feature("typing sent")
async def typing_sent():
    seen = soon(hikari.GuildTypingEvent, lambda event: event.user_id == bot_id)
    async with api().trigger_typing(channel("general")):
        same((await seen).channel_id, channel("general"), "channel")


@feature("typing seen")
async def typing_seen():
    seen = soon(hikari.GuildTypingEvent, lambda event: event.user_id == uid(ben))
    await rest(ben["token"], "POST", f"/channels/{tea['channels']['general']}/typing")
    event = await seen
    same((event.channel_id, event.member.display_name), (channel("general"), "Ben"), "typing")


@feature("DM sent")
async def dm_sent():
    dm = await api().create_dm_channel(uid(ada))
    sent = await dm.send("a private word")
    same((sent.guild_id, dm.recipient.id), (None, uid(ada)), "place")
    read = await rest(ada["token"], "GET", f"/channels/{dm.id}/messages?limit=1")
    same(read[0]["content"], "a private word", "as read by the human")


@feature("DM seen")
async def dm_seen():
    opened = await rest(ben["token"], "POST", "/users/@me/channels", {"recipient_id": str(bot_id)})
    seen = soon(hikari.DMMessageCreateEvent, lambda event: event.author_id == uid(ben))
    await say(ben, opened["id"], "a secret")
    event = await seen
    same((event.content, event.channel_id), ("a secret", int(opened["id"])), "message")
    same((await event.message.respond("heard", reply=True)).message_reference.id, event.message_id, "reply")


@feature("nonce enforced")
async def nonce_enforced():
    first = await send(channel("random"), "once", nonce="the-nonce")
    same((await send(channel("random"), "once", nonce="the-nonce")).id, first.id, "second message")


@feature("allowed mentions")
async def allowed_mentions():
    content = f"<@{ada['id']}> and <@{ben['id']}>"
    some = await send(channel("code"), content, user_mentions=[uid(ben)])
    same(list(some.user_mentions_ids), [uid(ben)], "mentions of one")
    none = await send(channel("code"), content, user_mentions=False)
    same(list(none.user_mentions_ids), [], "mentions of none")
    both = {"content": content, "allowed_mentions": {"parse": ["users"], "users": [ben["id"]]}}
    await fails(raw("POST", f"/channels/{channel('code')}/messages", both), 50035)


@feature("everyone mentioned")
async def everyone_mentioned():
    same((await send(bench(), "@everyone, look", mentions_everyone=True)).mentions_everyone, True, "where it may")
    same((await send(channel("random"), "@everyone, look", mentions_everyone=True)).mentions_everyone, False, "where it may not")


@feature("own role mentioned")
async def own_role_mentioned():
    roles = bot().cache.get_roles_view_for_guild(TEA).values()
    role = next(it for it in roles if it.bot_id == bot_id)
    same((role.name, role.is_managed), ("Kaiwa", True), "role")
    seen = soon(Created, lambda event: "is a role" in (event.content or ""))
    await say(ben, "general", f"<@&{role.id}> is a role")
    message = (await seen).message
    same((list(message.role_mention_ids), list(message.user_mentions_ids)), ([role.id], []), "mentions")


@feature("text in voice")
async def text_in_voice():
    seen = soon(hikari.GuildMessageCreateEvent, lambda event: event.content == "in the lounge")
    await say(ben, "lounge", "in the lounge")
    kinds = (type((await seen).get_channel()), type(bot().cache.get_guild_channel(channel("news"))))
    same(kinds, (hikari.GuildVoiceChannel, hikari.GuildNewsChannel), "kinds")


@feature("error 50001 Missing Access")
async def missing_access():
    await fails(api().fetch_channel(int(tea["channels"]["staff"])), 50001)


@feature("error 50013 Missing Permissions")
async def missing_permissions():
    said = await say(ada, "general", "mine")
    await fails(api().delete_message(channel("general"), int(said["id"])), 50013)


@feature("error 10008 Unknown Message")
async def unknown_message():
    await fails(api().fetch_message(channel("general"), 1), 10008)


@feature("error 50035 Invalid Form Body")
async def invalid_form_body():
    await fails(send(channel("code"), "x" * 2001), 50035)


@feature("error 50006 empty message")
async def empty_message():
    await fails(raw("POST", f"/channels/{bench()}/messages", {"content": ""}), 50006)
