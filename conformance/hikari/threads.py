"""Threads and forum posts."""

import hikari
from emulator import SHOP, TEA, api, bench, bot, channel, fails, listed, place, raw, soon, uid
from messages import send
from people import ada, ben, bot_id, feature, refused, rest, same, say, tea

PUBLIC, PRIVATE, NEWS = hikari.ChannelType.GUILD_PUBLIC_THREAD, hikari.ChannelType.GUILD_PRIVATE_THREAD, hikari.ChannelType.GUILD_NEWS_THREAD
Created, Updated, Gone = hikari.GuildThreadCreateEvent, hikari.GuildThreadUpdateEvent, hikari.GuildThreadDeleteEvent


async def made(name, where=None, kind=PUBLIC):
    return await api().create_thread(where or bench(), kind, name)


@feature("thread from a message")
async def thread_from_a_message():
    said = int((await say(ada, "general", "let us talk"))["id"])
    seen = soon(Created, lambda event: event.thread_id == said)
    thread = await api().create_message_thread(channel("general"), said, "Talk", auto_archive_duration=60)
    await seen
    same((thread.name, thread.parent_id, thread.owner_id, thread.type), ("Talk", channel("general"), bot_id, PUBLIC), "thread")
    starter = (await listed(api().fetch_messages(thread.id)))[-1]
    same(starter.referenced_message.content, "let us talk", "starter")
    message = await api().fetch_message(channel("general"), said)
    same((bool(message.flags & hikari.MessageFlag.HAS_THREAD), message.thread.id), (True, thread.id), "has a thread")
    await fails(api().create_message_thread(channel("general"), said, "x"), 160004)


@feature("thread written in")
async def thread_written_in():
    thread = await made("Notes", channel("general"))
    joined = soon(hikari.ThreadMembersUpdateEvent, lambda event: uid(ben) in event.added_members)
    seen = soon(hikari.GuildMessageCreateEvent, lambda event: event.content == "noted")
    await say(ben, thread, "noted")
    event = await seen
    same(event.channel_id, thread.id, "place")
    await joined
    same((await event.message.respond("me too", reply=True)).message_reference.id, event.message_id, "reply")
    members = await listed(api().fetch_thread_members(thread))
    same({it.user_id for it in members}, {bot_id, uid(ben)}, "members")


@feature("thread archived and deleted")
async def thread_archived_and_deleted():
    path = f"/channels/{tea['channels']['general']}/threads"
    thread = int((await rest(ada["token"], "POST", path, {"name": "Old", "type": 11}))["id"])
    closed = soon(Updated, lambda event: event.thread_id == thread)
    await rest(ada["token"], "PATCH", f"/channels/{thread}", {"archived": True})
    same((await closed).thread.is_archived, True, "archived")
    archived = [it.id for it in await listed(api().fetch_public_archived_threads(channel("general")))]
    same(thread in archived, True, "among the archived")
    opened = soon(Updated, lambda event: event.thread_id == thread)
    await send(thread, "open again")
    same((await opened).thread.is_archived, False, "open")
    gone = soon(Gone, lambda event: event.thread_id == thread)
    await rest(ada["token"], "DELETE", f"/channels/{thread}")
    await gone


@feature("private thread")
async def private_thread():
    path = f"/channels/{tea['channels']['general']}/threads"
    thread = int((await rest(ben["token"], "POST", path, {"name": "Quiet", "type": 12}))["id"])
    await fails(api().fetch_channel(thread), 50001)
    added = soon(hikari.GuildThreadEvent, lambda event: event.thread_id == thread)
    await rest(ben["token"], "PUT", f"/channels/{thread}/thread-members/{bot_id}")
    await added
    same((await api().fetch_channel(thread)).is_invitable, True, "invitable")


@feature("threads listed")
async def threads_listed():
    threads = await api().fetch_active_threads(TEA)
    thread = next(it for it in threads if it.name == "Notes")
    await api().leave_thread(thread)
    await api().join_thread(thread)


@feature("thread members")
async def thread_members():
    thread = await made("Guests")
    came = soon(hikari.ThreadMembersUpdateEvent, lambda event: uid(ben) in event.added_members)
    await api().add_thread_member(thread, uid(ben))
    await came
    same((await api().fetch_thread_member(thread, uid(ben))).user_id, uid(ben), "member")
    went = soon(hikari.ThreadMembersUpdateEvent, lambda event: uid(ben) in event.removed_member_ids)
    await api().remove_thread_member(thread, uid(ben))
    await went
    await fails(api().fetch_thread_member(thread, uid(ben)), 10007)
    same([it.user_id for it in await listed(api().fetch_thread_members(thread))], [bot_id], "who is left")


@feature("thread notices")
async def thread_notices():
    thread = await api().create_thread(bench(), hikari.ChannelType.GUILD_PRIVATE_THREAD, "Old")

    def notice(kind):
        return soon(hikari.GuildMessageCreateEvent, lambda event: event.channel_id == thread.id and event.message.type == kind)

    renamed = notice(hikari.MessageType.CHANNEL_NAME_CHANGE)
    await api().edit_channel(thread, name="New")
    same((await renamed).content, "New", "the new name")
    added = notice(hikari.MessageType.RECIPIENT_ADD)
    await api().add_thread_member(thread, uid(ben))
    same(list((await added).message.user_mentions_ids), [uid(ben)], "who was added")
    removed = notice(hikari.MessageType.RECIPIENT_REMOVE)
    await api().remove_thread_member(thread, uid(ben))
    gone = (await removed).message
    same(list(gone.user_mentions_ids), [uid(ben)], "who was taken out")
    await fails(api().edit_message(thread, gone, "Nobody left"), 50021, 50005)


@feature("thread edited")
async def thread_edited():
    thread = await made("Draft")
    seen = soon(Updated, lambda event: event.thread_id == thread.id and event.thread.name == "Final")
    await thread.edit(name="Final", auto_archive_duration=4320, rate_limit_per_user=5)
    now = (await seen).thread
    same((now.auto_archive_duration.total_seconds(), now.rate_limit_per_user.total_seconds()), (4320 * 60, 5), "thread")
    await fails(raw("PATCH", f"/channels/{thread.id}", {"auto_archive_duration": 61}), 50035)
    await fails(thread.edit(name="x" * 101), 50035)


@feature("thread locked")
async def thread_locked():
    thread = await made("Closed")
    await say(ben, thread, "still open")
    await thread.edit(locked=True)
    await refused(say(ben, thread, "locked out"), 403)
    same((await thread.send("the warden may")).content, "the warden may", "message")
    await thread.edit(archived=True)
    await fails(thread.edit(name="Archived"), 50083)
    same((await thread.edit(archived=False)).is_archived, False, "opened again")


@feature("archived threads listed")
async def archived_threads_listed():
    where = bench()
    public, private = await made("Public", where), await made("Private", where, PRIVATE)
    for thread in (public, private):
        await thread.edit(archived=True)
    same([it.id for it in await listed(api().fetch_public_archived_threads(where))], [public.id], "public")
    same([it.id for it in await listed(api().fetch_private_archived_threads(where))], [private.id], "private")
    same([it.id for it in await listed(api().fetch_joined_private_archived_threads(where))], [private.id], "private that were joined")
    same((await raw("GET", f"/channels/{where}/threads/archived/public?limit=2"))["has_more"], False, "has more")


@feature("announcement thread")
async def announcement_thread():
    thread = await made("Questions", place("sale"), NEWS)
    same(thread.type, NEWS, "kind")
    same((await thread.send("ask")).channel_id, thread.id, "message")


@feature("thread refused")
async def thread_refused():
    await fails(made(""), 50035)
    await fails(raw("POST", f"/channels/{place('studio')}/threads", {"name": "x", "type": 11}), 50024)
    await fails(api().create_message_thread(bench(), 1, "x"), 10008)


@feature("forum post")
async def forum_post():
    seen = soon(hikari.GuildMessageCreateEvent, lambda event: event.content == "more cups")
    post = await api().create_forum_post(channel("ideas"), "Cups", "more cups")
    same((post.parent_id, (await seen).message_id), (channel("ideas"), post.id), "post")


@feature("forum tags")
async def forum_tags():
    tags = [hikari.ForumTag(name="chair"), hikari.ForumTag(name="table", moderated=True)]
    forum = await api().create_guild_forum_channel(SHOP, "requests", available_tags=tags, default_sort_order=hikari.ForumSortOrderType.CREATION_DATE)
    same([(it.name, it.moderated) for it in forum.available_tags], [("chair", False), ("table", True)], "tags")
    chair, table = forum.available_tags
    post = await api().create_forum_post(forum, "Please", "one more", tags=[chair])
    same(list(post.applied_tag_ids), [chair.id], "applied")
    same(list((await post.edit(applied_tags=[table])).applied_tag_ids), [table.id], "changed")
    pinned = await post.edit(flags=hikari.ChannelFlag.PINNED)
    same(bool(pinned.flags & hikari.ChannelFlag.PINNED), True, "pinned")
    await forum.delete()


@feature("forum rules")
async def forum_rules():
    await fails(raw("POST", f"/channels/{place('plans')}/threads", {"name": "No message"}), 50035)
    await fails(raw("POST", f"/channels/{place('plans')}/messages", {"content": "x"}), 50008)
