"""Messages that are said, changed, deleted, and found again."""

import discord
from emulator import bench, channel, client, fails, obj, place, raw, soon, tea_house
from people import ada, ben, bot_id, feature, rest, same, say, snowflake, tea

DAY = 24 * 60 * 60


@feature("message seen")
async def message_seen():
    seen = soon("message", lambda message: message.author.id == int(ada["id"]))
    await say(ada, "general", f"Hello <@{bot_id}>")
    message = await seen
    same(client().user in message.mentions, True, "mentions the bot")
    same((message.author.display_name, message.author.bot), ("Ada", False), "author")
    same(message.author.top_role.name, "Keeper", "role")
    same((message.channel.name, message.guild.name), ("general", "Tea House"), "place")


@feature("message sent")
async def message_sent():
    seen = soon("message", lambda message: message.content == "sent")
    sent = await channel("general").send("sent")
    same((sent.author.id, (await seen).id), (bot_id, sent.id), "message")


@feature("reply")
async def reply():
    asked = await say(ben, "general", "a question")
    question = await channel("general").fetch_message(int(asked["id"]))
    answer = await question.reply("an answer")
    same(answer.reference.message_id, question.id, "reference")
    same(answer.reference.resolved.content, "a question", "referenced message")
    same([user.id for user in answer.mentions], [int(ben["id"])], "replied user")


@feature("reply without a ping")
async def reply_without_a_ping():
    where = bench()
    asked = await say(ben, where, "do not ping me")
    question = await where.fetch_message(int(asked["id"]))
    answer = await question.reply("I will not", mention_author=False)
    same((answer.reference.message_id, answer.mentions), (question.id, []), "reply")


@feature("reply to a missing message")
async def reply_to_a_missing_message():
    where, gone = bench(), snowflake()
    reference = discord.MessageReference(message_id=gone, channel_id=where.id, guild_id=where.guild.id)
    await fails(where.send("x", reference=reference), 50035)
    reference.fail_if_not_exists = False
    sent = await where.send("nobody", reference=reference)
    same((sent.content, sent.type), ("nobody", discord.MessageType.default), "message")


@feature("edit")
async def edit():
    sent = await channel("random").send("before")
    seen = soon("message_edit", lambda _, now: now.id == sent.id)
    edited = await sent.edit(content="after")
    same((edited.content, edited.edited_at is not None), ("after", True), "edited")
    same((await seen)[1].content, "after", "event")


@feature("edit seen")
async def edit_seen():
    said = await say(ada, "random", "tpyo")
    seen = soon("raw_message_edit", lambda now: now.message_id == int(said["id"]))
    await rest(ada["token"], "PATCH", f"/channels/{tea['channels']['random']}/messages/{said['id']}", {"content": "typo"})
    same((await seen).message.content, "typo", "event")


@feature("edit of another's message refused")
async def edit_of_anothers_refused():
    where = bench()
    said = int((await say(ada, where, "mine"))["id"])
    await fails(where.get_partial_message(said).edit(content="yours"), 50005)
    same((await where.fetch_message(said)).content, "mine", "content")


@feature("delete")
async def delete():
    sent = await channel("random").send("short lived")
    seen = soon("raw_message_delete", lambda gone: gone.message_id == sent.id)
    await sent.delete()
    await seen
    await fails(channel("random").fetch_message(sent.id), 10008)


@feature("delete seen")
async def delete_seen():
    said = await say(ada, "random", "never mind")
    seen = soon("raw_message_delete", lambda gone: gone.message_id == int(said["id"]))
    await rest(ada["token"], "DELETE", f"/channels/{tea['channels']['random']}/messages/{said['id']}")
    await seen


@feature("delete of another's message")
async def delete_of_anothers():
    where = bench()
    message = where.get_partial_message(int((await say(ben, where, "rude"))["id"]))
    seen = soon("raw_message_delete", lambda gone: gone.message_id == message.id)
    await message.delete()
    await seen
    await fails(message.delete(), 10008)


@feature("history")
async def history():
    said = [await say(ada, "code", content) for content in "12345"]
    third = obj(said[2])

    async def read(**options):
        return ",".join([message.content async for message in channel("code").history(**options)])

    same(await read(limit=2), "5,4", "limit")
    same(await read(before=third, limit=2), "2,1", "before")
    same(await read(after=third, limit=2), "4,5", "after")
    same(await read(around=third, limit=3), "4,3,2", "around")
    await fails(raw("GET", f"/channels/{channel('code').id}/messages?limit=101"), 50035)


@feature("bulk delete")
async def bulk_delete():
    where = bench()
    ids = {int((await say(ada, where, "a"))["id"]), (await where.send("b")).id}
    seen = soon("raw_bulk_message_delete", lambda gone: gone.message_ids == ids)
    await where.delete_messages([obj(it) for it in ids], reason="tidy")
    await seen
    await fails(where.fetch_message(min(ids)), 10008)


@feature("bulk delete limits")
async def bulk_delete_limits():
    where = bench()
    fresh = (await where.send("fresh")).id
    path = f"/channels/{where.id}/messages/bulk-delete"
    await fails(raw("POST", path, {"messages": [str(fresh), str(snowflake(15 * DAY))]}), 50034)
    await fails(raw("POST", path, {"messages": [str(fresh)]}), 50016, 50035)
    many = [str(snowflake() + n) for n in range(101)]
    await fails(raw("POST", path, {"messages": many}), 50016, 50035)
    same((await where.fetch_message(fresh)).content, "fresh", "what was not deleted")


@feature("bulk delete refused")
async def bulk_delete_refused():
    sent = [await channel("random").send(content) for content in ("one", "two")]
    await fails(channel("random").delete_messages(sent), 50013)


@feature("forward")
async def forward():
    said = await say(ada, "general", "pass it on")
    message = await channel("general").fetch_message(int(said["id"]))
    sent = await message.forward(channel("random"))
    same((sent.reference.type.value, sent.reference.message_id), (1, message.id), "reference")
    same(sent.message_snapshots[0].content, "pass it on", "snapshot")


@feature("flags")
async def flags():
    silent = await bench().send("hush", silent=True)
    same(silent.flags.suppress_notifications, True, "silent")
    plain = await bench().send("https://example.com", suppress_embeds=True)
    same(plain.flags.suppress_embeds, True, "without embeds")
    bare = await (await bench().send(embed=discord.Embed(title="T"))).edit(suppress=True)
    same((bare.flags.suppress_embeds, bare.embeds), (True, []), "embeds taken away")


@feature("crosspost")
async def crosspost():
    sent = await place("sale").send("Chairs, half the price")
    await sent.publish()
    same((await sent.fetch()).flags.crossposted, True, "flag")
    await fails(sent.publish(), 40033)
    await fails((await bench().send("not for all")).publish(), 50024)


@feature("pins")
async def pins():
    where = bench()
    sent = await where.send("keep this")
    updated = soon("guild_channel_pins_update", lambda changed, _: changed == where)
    told = soon("message", lambda message: message.type == discord.MessageType.pins_add and message.channel == where)
    await sent.pin()
    await updated
    same((await told).reference.message_id, sent.id, "what the channel is told")
    same((await sent.fetch()).pinned, True, "pinned")
    same([pin.id async for pin in where.pins()], [sent.id], "pins")
    again = soon("guild_channel_pins_update", lambda changed, _: changed == where)
    await sent.unpin()
    await again
    same([pin.id async for pin in where.pins()], [], "pins left")


@feature("pin refused")
async def pin_refused():
    sent = await channel("random").send("not for ever")
    await fails(sent.pin(), 50013)


@feature("typing sent")
async def typing_sent():
    seen = soon("typing", lambda where, who, when: who.id == bot_id)
    async with channel("general").typing():
        same((await seen)[0].name, "general", "channel")


@feature("typing seen")
async def typing_seen():
    seen = soon("typing", lambda where, who, when: who.id == int(ben["id"]))
    await rest(ben["token"], "POST", f"/channels/{tea['channels']['general']}/typing")
    where, who, _ = await seen
    same((where.name, who.display_name), ("general", "Ben"), "typing")


@feature("DM sent")
async def dm_sent():
    sent = await client().get_user(int(ada["id"])).send("a private word")
    same((sent.guild, sent.channel.recipient.id), (None, int(ada["id"])), "place")
    read = await rest(ada["token"], "GET", f"/channels/{sent.channel.id}/messages?limit=1")
    same(read[0]["content"], "a private word", "as read by the human")


@feature("DM seen")
async def dm_seen():
    opened = await rest(ben["token"], "POST", "/users/@me/channels", {"recipient_id": str(bot_id)})
    seen = soon("message", lambda message: message.author.id == int(ben["id"]))
    await say(ben, opened["id"], "a secret")
    message = await seen
    same((message.content, type(message.channel)), ("a secret", discord.DMChannel), "message")
    same((await message.reply("heard")).reference.message_id, message.id, "reply")


@feature("nonce enforced")
async def nonce_enforced():
    first = await channel("random").send("once", nonce="the-nonce")
    same((await channel("random").send("once", nonce="the-nonce")).id, first.id, "second message")


@feature("allowed mentions")
async def allowed_mentions():
    content = f"<@{ada['id']}> and <@{ben['id']}>"
    some = await channel("code").send(content, allowed_mentions=discord.AllowedMentions(users=[obj(ben)]))
    same([user.id for user in some.mentions], [int(ben["id"])], "mentions of one")
    none = await channel("code").send(content, allowed_mentions=discord.AllowedMentions.none())
    same(none.mentions, [], "mentions of none")
    both = {"content": content, "allowed_mentions": {"parse": ["users"], "users": [ben["id"]]}}
    await fails(raw("POST", f"/channels/{channel('code').id}/messages", both), 50035)


@feature("everyone mentioned")
async def everyone_mentioned():
    same((await bench().send("@everyone, look")).mention_everyone, True, "where it may")
    same((await channel("random").send("@everyone, look")).mention_everyone, False, "where it may not")


@feature("own role mentioned")
async def own_role_mentioned():
    role = tea_house().self_role
    same((role.name, role.managed, role.tags.bot_id), ("Kaiwa", True, bot_id), "role")
    seen = soon("message", lambda message: "is a role" in message.content)
    await say(ben, "general", f"<@&{role.id}> is a role")
    message = await seen
    same((message.role_mentions, message.mentions), ([role], []), "mentions")


@feature("text in voice")
async def text_in_voice():
    seen = soon("message", lambda message: message.content == "in the lounge")
    await say(ben, "lounge", "in the lounge")
    same((type((await seen).channel), channel("news").is_news()), (discord.VoiceChannel, True), "kinds")


@feature("error 50001 Missing Access")
async def missing_access():
    await fails(client().fetch_channel(int(tea["channels"]["staff"])), 50001)


@feature("error 50013 Missing Permissions")
async def missing_permissions():
    said = await say(ada, "general", "mine")
    await fails(channel("general").get_partial_message(int(said["id"])).delete(), 50013)


@feature("error 10008 Unknown Message")
async def unknown_message():
    await fails(channel("general").fetch_message(1), 10008)


@feature("error 50035 Invalid Form Body")
async def invalid_form_body():
    await fails(channel("code").send("x" * 2001), 50035)


@feature("error 50006 empty message")
async def empty_message():
    await fails(bench().send(""), 50006)
