"""Threads and forum posts."""

import discord
from emulator import bench, channel, client, fails, obj, place, raw, soon, tea_house, workshop
from people import ada, ben, bot_id, feature, refused, rest, same, say, tea

PUBLIC, PRIVATE = discord.ChannelType.public_thread, discord.ChannelType.private_thread


@feature("thread from a message")
async def thread_from_a_message():
    said = await say(ada, "general", "let us talk")
    message = await channel("general").fetch_message(int(said["id"]))
    seen = soon("thread_create", lambda thread: thread.id == message.id)
    thread = await message.create_thread(name="Talk", auto_archive_duration=60)
    await seen
    same((thread.name, thread.parent.name, thread.owner_id, thread.type), ("Talk", "general", bot_id, PUBLIC), "thread")
    starter = [m async for m in thread.history(oldest_first=True)][0]
    same(starter.reference.resolved.content, "let us talk", "starter")
    message = await message.fetch()
    same((message.flags.has_thread, message.thread), (True, thread), "has a thread")
    await fails(message.create_thread(name="x"), 160004)


@feature("thread written in")
async def thread_written_in():
    thread = await channel("general").create_thread(name="Notes", type=PUBLIC)
    joined = soon("thread_member_join", lambda member: member.id == int(ben["id"]))
    seen = soon("message", lambda message: message.content == "noted")
    await say(ben, thread, "noted")
    message = await seen
    same((type(message.channel), message.channel.id), (discord.Thread, thread.id), "place")
    await joined
    same((await message.reply("me too")).reference.message_id, message.id, "reply")
    members = await thread.fetch_members()
    same({member.id for member in members}, {bot_id, int(ben["id"])}, "members")


@feature("thread archived and deleted")
async def thread_archived_and_deleted():
    path = f"/channels/{tea['channels']['general']}/threads"
    made = await rest(ada["token"], "POST", path, {"name": "Old", "type": 11})
    thread = await client().fetch_channel(int(made["id"]))
    closed = soon("raw_thread_update", lambda now: now.thread_id == thread.id)
    await rest(ada["token"], "PATCH", f"/channels/{thread.id}", {"archived": True})
    same((await closed).data["thread_metadata"]["archived"], True, "archived")
    archived = [it.id async for it in channel("general").archived_threads()]
    same(thread.id in archived, True, "among the archived")
    opened = soon("raw_thread_update", lambda now: now.thread_id == thread.id)
    await thread.send("open again")
    same((await opened).data["thread_metadata"]["archived"], False, "open")
    gone = soon("raw_thread_delete", lambda it: it.thread_id == thread.id)
    await rest(ada["token"], "DELETE", f"/channels/{thread.id}")
    await gone


@feature("private thread")
async def private_thread():
    path = f"/channels/{tea['channels']['general']}/threads"
    made = await rest(ben["token"], "POST", path, {"name": "Quiet", "type": 12})
    await fails(client().fetch_channel(int(made["id"])), 50001)
    added = soon("thread_join", lambda thread: thread.id == int(made["id"]))
    await rest(ben["token"], "PUT", f"/channels/{made['id']}/thread-members/{bot_id}")
    await added
    same((await client().fetch_channel(int(made["id"]))).invitable, True, "invitable")


@feature("threads listed")
async def threads_listed():
    thread = discord.utils.get(await tea_house().active_threads(), name="Notes")
    await thread.leave()
    await thread.join()


@feature("thread members")
async def thread_members():
    thread = await bench().create_thread(name="Guests", type=PUBLIC)
    came = soon("thread_member_join", lambda member: member.id == int(ben["id"]))
    await thread.add_user(obj(ben))
    await came
    same((await raw("GET", f"/channels/{thread.id}/thread-members/{ben['id']}"))["user_id"], ben["id"], "member")
    went = soon("raw_thread_member_remove", lambda event: ben["id"] in event.data["removed_member_ids"])
    await thread.remove_user(obj(ben))
    await went
    await fails(raw("GET", f"/channels/{thread.id}/thread-members/{ben['id']}"), 10007)
    same([member.id for member in await thread.fetch_members()], [bot_id], "who is left")


@feature("thread notices")
async def thread_notices():
    thread = await bench().create_thread(name="Old")

    def notice(kind):
        return soon("message", lambda message: message.channel.id == thread.id and message.type is kind)

    renamed = notice(discord.MessageType.channel_name_change)
    await thread.edit(name="New")
    same((await renamed).content, "New", "the new name")
    added = notice(discord.MessageType.recipient_add)
    await thread.add_user(obj(ben))
    same([user.id for user in (await added).mentions], [int(ben["id"])], "who was added")
    removed = notice(discord.MessageType.recipient_remove)
    await thread.remove_user(obj(ben))
    gone = await removed
    same([user.id for user in gone.mentions], [int(ben["id"])], "who was taken out")
    await fails(gone.edit(content="Nobody left"), 50021, 50005)


@feature("thread edited")
async def thread_edited():
    thread = await bench().create_thread(name="Draft", type=PUBLIC)
    seen = soon("thread_update", lambda _, now: now.id == thread.id and now.name == "Final")
    await thread.edit(name="Final", auto_archive_duration=4320, slowmode_delay=5)
    now = (await seen)[1]
    same((now.auto_archive_duration, now.slowmode_delay), (4320, 5), "thread")
    await fails(raw("PATCH", f"/channels/{thread.id}", {"auto_archive_duration": 61}), 50035)
    await fails(thread.edit(name="x" * 101), 50035)


@feature("thread locked")
async def thread_locked():
    thread = await bench().create_thread(name="Closed", type=PUBLIC)
    await say(ben, thread, "still open")
    await thread.edit(locked=True)
    await refused(say(ben, thread, "locked out"), 403)
    same((await thread.send("the warden may")).content, "the warden may", "message")
    await thread.edit(archived=True)
    await fails(thread.edit(name="Archived"), 50083)
    same((await thread.edit(archived=False)).archived, False, "opened again")


@feature("archived threads listed")
async def archived_threads_listed():
    where = bench()
    public = await where.create_thread(name="Public", type=PUBLIC)
    private = await where.create_thread(name="Private", type=PRIVATE)
    for thread in (public, private):
        await thread.edit(archived=True)

    async def of(**options):
        return [thread.id async for thread in where.archived_threads(**options)]

    same(await of(), [public.id], "public")
    same(await of(private=True), [private.id], "private")
    same(await of(private=True, joined=True), [private.id], "private that were joined")
    same((await raw("GET", f"/channels/{where.id}/threads/archived/public?limit=2"))["has_more"], False, "has more")


@feature("announcement thread")
async def announcement_thread():
    thread = await place("sale").create_thread(name="Questions", type=discord.ChannelType.news_thread)
    same(thread.type, discord.ChannelType.news_thread, "kind")
    same((await thread.send("ask")).channel.id, thread.id, "message")


@feature("thread refused")
async def thread_refused():
    await fails(bench().create_thread(name="", type=PUBLIC), 50035)
    await fails(raw("POST", f"/channels/{place('studio').id}/threads", {"name": "x", "type": 11}), 50024)
    await fails(bench().create_thread(name="x", message=discord.Object(1)), 10008)


@feature("forum post")
async def forum_post():
    seen = soon("message", lambda message: message.content == "more cups")
    post = await channel("ideas").create_thread(name="Cups", content="more cups")
    first = await seen
    same((post.thread.parent.name, post.message.id, first.id), ("ideas", post.thread.id, post.thread.id), "post")


@feature("forum tags")
async def forum_tags():
    tags = [discord.ForumTag(name="chair"), discord.ForumTag(name="table", moderated=True)]
    forum = await workshop().create_forum(name="requests", available_tags=tags, default_sort_order=discord.ForumOrderType.creation_date)
    same([(tag.name, tag.moderated) for tag in forum.available_tags], [("chair", False), ("table", True)], "tags")
    chair, table = forum.available_tags
    post = (await forum.create_thread(name="Please", content="one more", applied_tags=[chair])).thread
    same(post.applied_tags, [chair], "applied")
    same((await post.edit(applied_tags=[table])).applied_tags, [table], "changed")
    same((await post.edit(pinned=True)).flags.pinned, True, "pinned")
    await forum.delete()


@feature("forum rules")
async def forum_rules():
    await fails(raw("POST", f"/channels/{place('plans').id}/threads", {"name": "No message"}), 50035)
    await fails(raw("POST", f"/channels/{place('plans').id}/messages", {"content": "x"}), 50008)
