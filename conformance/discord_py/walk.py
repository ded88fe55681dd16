"""Walks discord.py, unmodified, through an emulator.

Usage: python walk.py '{"api_url": …}', the line that `kaiwa emulate` prints.
Prints the list of features, then one JSON line for each as it is done.
"""

import asyncio
import datetime
import importlib.util
import io
import json
import logging
import sys
import traceback
from contextlib import contextmanager
from unittest import mock

import aiohttp
import discord
import yarl

FEATURE_SECONDS = 20

world = json.loads(sys.argv[1])
ada, ben = world["users"][:2]
bot_id = int(world["bot"]["id"])
discord.http.Route.BASE = world["api_url"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(world["gateway_url"])


class Listening(discord.Client):
    """A client that hands its events to whoever waits for them."""

    def __init__(self):
        intents = discord.Intents.default()
        intents.members = intents.message_content = True
        super().__init__(intents=intents)
        self.watchers = []

    def dispatch(self, event, /, *args, **kwargs):
        super().dispatch(event, *args, **kwargs)
        for watch in list(self.watchers):
            watch(event, args)

    def event_soon(self, name, fits=lambda *args: True):
        """The first event of this name that fits; ask before you cause it."""
        found = asyncio.get_running_loop().create_future()

        def watch(event, args):
            if event == name and not found.done() and fits(*args):
                self.watchers.remove(watch)
                found.set_result(args[0] if len(args) == 1 else args)

        self.watchers.append(watch)
        return found

    async def leave(self):
        await self.close()
        await self.connecting


client = None
http = None

FEATURES = {}


def feature(name):
    def add(walk):
        FEATURES[name] = walk
        return walk

    return add


# --- what a feature is made of


def same(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: {actual!r} instead of {expected!r}")


def channel(name):
    return client.get_channel(int(world["channels"][name]))


async def rest(authorization, method, path, body=None):
    """Plain REST, past the library."""
    headers = {"Authorization": authorization}
    async with http.request(method, world["api_url"] + path, json=body, headers=headers) as reply:
        if reply.status >= 400:
            raise AssertionError(f"{method} of a human: {reply.status}")
        return None if reply.status == 204 else await reply.json()


async def say(who, where, content):
    path = f"/channels/{world['channels'].get(where, where)}/messages"
    return await rest(who["token"], "POST", path, {"content": content})


async def fault(body):
    url = yarl.URL(world["api_url"]).with_path("/emulator/faults")
    async with http.post(url, json=body) as reply:
        if reply.status >= 400:
            raise AssertionError(f"/emulator/faults: {await reply.text()}")
        return (await reply.json())["cut"]


async def cut(how):
    return await fault({"cut_gateway": {"user_id": world["bot"]["id"], "how": how}})


async def fails(kind, code, awaitable):
    try:
        await awaitable
    except discord.HTTPException as error:
        same((type(error), error.code), (kind, code), "the error")
    else:
        raise AssertionError("it did not fail")


async def resumes(how):
    """Cuts the gateway, speaks meanwhile, and expects to hear it once."""
    content = f"said after {how}"
    heard = []

    def count(event, args):
        if event == "message" and args[0].content == content:
            heard.append(args[0])

    client.watchers.append(count)
    back = client.event_soon("resumed")
    seen = client.event_soon("message", lambda message: message.content == content)
    same(await cut(how), 1, "connections cut")
    await say(ada, "general", content)
    await asyncio.gather(back, seen)
    client.watchers.remove(count)
    same(len(heard), 1, "times heard")


async def connect():
    """A client that has logged in and connects in the background."""
    coming = Listening()
    await coming.login(world["bot"]["token"])
    coming.connecting = asyncio.create_task(coming.connect())
    return coming


async def converses(expected):
    """A second client comes, hears a human, and goes."""
    second = await connect()
    try:
        await second.wait_until_ready()
        content = f"said over {expected}"
        seen = second.event_soon("message", lambda message: message.content == content)
        await say(ada, "general", content)
        await seen
        same(second.ws._decompressor.COMPRESSION_TYPE, expected, "compression")
    finally:
        await second.leave()


def zlib_reader():
    """discord.py's own, which it defines only where it finds no zstd."""
    spec = importlib.util.spec_from_file_location("discord.utils_without_zstd", discord.utils.__file__)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {"zstandard": None, "compression": None, "compression.zstd": None}):
        spec.loader.exec_module(module)
    return module._ActiveDecompressionContext


@contextmanager
def refusals():
    """The 429s that the library reports while this is open."""
    found = []

    class Watch(logging.Handler):
        def emit(self, record):
            if "responded with 429" in record.getMessage():
                found.append(record)

    log, watch = logging.getLogger("discord.http"), Watch()
    log.addHandler(watch)
    try:
        yield found
    finally:
        log.removeHandler(watch)


# --- the features, in the order they are walked


@feature("login")
async def login():
    global client
    client = await connect()
    same(client.application_id, int(world["bot"]["application_id"]), "application")


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
    await client.wait_until_ready()
    same(client.user.id, bot_id, "user")


@feature("guild cached")
async def guild_cached():
    guild = client.get_guild(int(world["guild_id"]))
    same((guild.name, guild.member_count, guild.owner_id), ("Tea House", 4, int(ada["id"])), "guild")
    visible = [c.name for c in guild.channels if c.permissions_for(guild.me).view_channel]
    same(sorted(visible), ["code", "general", "ideas", "lounge", "news", "random"], "visible channels")
    same({"@everyone", "Keeper"} <= {role.name for role in guild.roles}, True, "roles are there")
    same(sorted(m.display_name for m in guild.members), ["Ada", "Ben", "Kaiwa", "Mika"], "members")
    same(channel("general").permissions_for(guild.me).send_messages, True, "may send in general")


@feature("members requested")
async def members_requested():
    guild = client.get_guild(int(world["guild_id"]))
    members = await guild.chunk()
    same(sorted(m.display_name for m in members), ["Ada", "Ben", "Kaiwa", "Mika"], "members")
    found = await guild.query_members("be")
    same([member.display_name for member in found], ["Ben"], "query")


@feature("objects fetched")
async def objects_fetched():
    guild = await client.fetch_guild(int(world["guild_id"]))
    same(guild.name, "Tea House", "guild")
    same((await client.fetch_channel(channel("general").id)).name, "general", "channel")
    same((await client.fetch_user(int(ben["id"]))).global_name, "Ben", "user")
    member = await guild.fetch_member(int(ada["id"]))
    same(member.top_role.name, "Keeper", "role")
    same((await client.application_info()).name, "Kaiwa", "application")


@feature("message seen")
async def message_seen():
    seen = client.event_soon("message", lambda message: message.author.id == int(ada["id"]))
    await say(ada, "general", f"Hello <@{bot_id}>")
    message = await seen
    same(client.user in message.mentions, True, "mentions the bot")
    same((message.author.display_name, message.author.bot), ("Ada", False), "author")
    same(message.author.top_role.name, "Keeper", "role")
    same((message.channel.name, message.guild.name), ("general", "Tea House"), "place")


@feature("message sent")
async def message_sent():
    seen = client.event_soon("message", lambda message: message.content == "sent")
    sent = await channel("general").send("sent")
    same((sent.author.id, (await seen).id), (bot_id, sent.id), "message")


@feature("embed sent")
async def embed_sent():
    sent = await channel("general").send(embed=discord.Embed(title="T", description="D"))
    same((sent.embeds[0].title, sent.embeds[0].description), ("T", "D"), "embed")


@feature("attachment sent")
async def attachment_sent():
    file = discord.File(io.BytesIO(b"some text"), "note.txt")
    sent = await channel("general").send("a file", file=file)
    stored = sent.attachments[0]
    same((sent.content, stored.filename, stored.size), ("a file", "note.txt", 9), "attachment")
    same(await stored.read(), b"some text", "download")


@feature("reply")
async def reply():
    asked = await say(ben, "general", "a question")
    question = await channel("general").fetch_message(int(asked["id"]))
    answer = await question.reply("an answer")
    same(answer.reference.message_id, question.id, "reference")
    same(answer.reference.resolved.content, "a question", "referenced message")
    same([user.id for user in answer.mentions], [int(ben["id"])], "replied user")


@feature("edit")
async def edit():
    sent = await channel("random").send("before")
    seen = client.event_soon("message_edit", lambda _, now: now.id == sent.id)
    edited = await sent.edit(content="after")
    same((edited.content, edited.edited_at is not None), ("after", True), "edited")
    same((await seen)[1].content, "after", "event")


@feature("edit seen")
async def edit_seen():
    said = await say(ada, "random", "tpyo")
    seen = client.event_soon("raw_message_edit", lambda now: now.message_id == int(said["id"]))
    path = f"/channels/{world['channels']['random']}/messages/{said['id']}"
    await rest(ada["token"], "PATCH", path, {"content": "typo"})
    same((await seen).message.content, "typo", "event")


@feature("delete")
async def delete():
    sent = await channel("random").send("short lived")
    seen = client.event_soon("raw_message_delete", lambda gone: gone.message_id == sent.id)
    await sent.delete()
    await seen
    await fails(discord.NotFound, 10008, channel("random").fetch_message(sent.id))


@feature("delete seen")
async def delete_seen():
    said = await say(ada, "random", "never mind")
    seen = client.event_soon("raw_message_delete", lambda gone: gone.message_id == int(said["id"]))
    await rest(ada["token"], "DELETE", f"/channels/{world['channels']['random']}/messages/{said['id']}")
    await seen


@feature("history")
async def history():
    said = [await say(ada, "code", content) for content in "12345"]
    third = discord.Object(int(said[2]["id"]))

    async def read(**options):
        return ",".join([message.content async for message in channel("code").history(**options)])

    same(await read(limit=2), "5,4", "limit")
    same(await read(before=third, limit=2), "2,1", "before")
    same(await read(after=third, limit=2), "4,5", "after")
    same(await read(around=third, limit=3), "4,3,2", "around")


@feature("typing sent")
async def typing_sent():
    seen = client.event_soon("typing", lambda where, who, when: who.id == bot_id)
    async with channel("general").typing():
        same((await seen)[0].name, "general", "channel")


@feature("typing seen")
async def typing_seen():
    seen = client.event_soon("typing", lambda where, who, when: who.id == int(ben["id"]))
    await rest(ben["token"], "POST", f"/channels/{world['channels']['general']}/typing")
    where, who, _ = await seen
    same((where.name, who.display_name), ("general", "Ben"), "typing")


@feature("reaction added and removed")
async def reaction_added_and_removed():
    said = await say(ada, "general", "react to this")
    message = await channel("general").fetch_message(int(said["id"]))
    added = client.event_soon("raw_reaction_add", lambda reaction: reaction.user_id == bot_id)
    await message.add_reaction("👍")
    await added
    message = await message.fetch()
    same([(r.emoji, r.count, r.me) for r in message.reactions], [("👍", 1, True)], "reactions")
    same([user.id async for user in message.reactions[0].users()], [bot_id], "users")
    removed = client.event_soon("raw_reaction_remove", lambda reaction: reaction.user_id == bot_id)
    await message.remove_reaction("👍", client.user)
    await removed
    same((await message.fetch()).reactions, [], "reactions left")


@feature("reaction seen")
async def reaction_seen():
    said = await say(ada, "general", "watch this")
    path = f"/channels/{world['channels']['general']}/messages/{said['id']}/reactions/🍵/@me"
    added = client.event_soon("reaction_add", lambda _, user: user.id == int(ben["id"]))
    await rest(ben["token"], "PUT", path)
    same((await added)[0].emoji, "🍵", "emoji")
    removed = client.event_soon("reaction_remove", lambda _, user: user.id == int(ben["id"]))
    await rest(ben["token"], "DELETE", path)
    same((await removed)[0].emoji, "🍵", "emoji")


@feature("guild emoji")
async def guild_emoji():
    guild = client.get_guild(int(world["guild_id"]))
    tea = discord.utils.get(guild.emojis, name="tea")
    same(str(tea.id), world["guilds"][0]["emojis"]["tea"], "emoji")
    sent = await channel("general").send(str(tea))
    await sent.add_reaction(tea)
    sent = await sent.fetch()
    same([(r.emoji.id, r.me) for r in sent.reactions], [(tea.id, True)], "reactions")
    same(len(await guild.fetch_emojis()), 2, "emoji fetched")


@feature("own role mentioned")
async def own_role_mentioned():
    role = client.get_guild(int(world["guild_id"])).self_role
    same((role.name, role.managed, role.tags.bot_id), ("Kaiwa", True, bot_id), "role")
    seen = client.event_soon("message", lambda message: "is a role" in message.content)
    await say(ben, "general", f"<@&{role.id}> is a role")
    message = await seen
    same((message.role_mentions, message.mentions), ([role], []), "mentions")


@feature("sticker seen")
async def sticker_seen():
    cheers = world["guilds"][0]["stickers"]["Cheers"]
    seen = client.event_soon("message", lambda message: len(message.stickers) > 0)
    path = f"/channels/{world['channels']['general']}/messages"
    await rest(ada["token"], "POST", path, {"sticker_ids": [cheers]})
    same([(str(s.id), s.name) for s in (await seen).stickers], [(cheers, "Cheers")], "stickers")


@feature("poll")
async def poll():
    asked = discord.Poll("Which tea?", duration=datetime.timedelta(hours=24))
    asked.add_answer(text="oolong")
    asked.add_answer(text="sencha")
    sent = await channel("random").send(poll=asked)
    same(sent.poll.question, "Which tea?", "question")
    same([answer.text for answer in sent.poll.answers], ["oolong", "sencha"], "answers")


@feature("forward")
async def forward():
    said = await say(ada, "general", "pass it on")
    message = await channel("general").fetch_message(int(said["id"]))
    sent = await message.forward(channel("random"))
    same(sent.reference.message_id, message.id, "reference")
    same(sent.message_snapshots[0].content, "pass it on", "snapshot")


@feature("thread from a message")
async def thread_from_a_message():
    said = await say(ada, "general", "let us talk")
    message = await channel("general").fetch_message(int(said["id"]))
    seen = client.event_soon("thread_create", lambda thread: thread.id == message.id)
    thread = await message.create_thread(name="Talk", auto_archive_duration=60)
    await seen
    same((thread.name, thread.parent.name, thread.owner_id), ("Talk", "general", bot_id), "thread")
    same(thread.type, discord.ChannelType.public_thread, "type")
    starter = [m async for m in thread.history(oldest_first=True)][0]
    same(starter.reference.resolved.content, "let us talk", "starter")
    message = await message.fetch()
    same((message.flags.has_thread, message.thread), (True, thread), "has a thread")
    await fails(discord.HTTPException, 160004, message.create_thread(name="x"))


@feature("thread written in")
async def thread_written_in():
    thread = await channel("general").create_thread(name="Notes", type=discord.ChannelType.public_thread)
    joined = client.event_soon("thread_member_join", lambda member: member.id == int(ben["id"]))
    seen = client.event_soon("message", lambda message: message.content == "noted")
    await say(ben, str(thread.id), "noted")
    message = await seen
    same((type(message.channel), message.channel.id), (discord.Thread, thread.id), "place")
    await joined
    same((await message.reply("me too")).reference.message_id, message.id, "reply")
    members = await thread.fetch_members()
    same({member.id for member in members}, {bot_id, int(ben["id"])}, "members")


@feature("thread archived and deleted")
async def thread_archived_and_deleted():
    path = f"/channels/{world['channels']['general']}/threads"
    made = await rest(ada["token"], "POST", path, {"name": "Old", "type": 11})
    thread = await client.fetch_channel(int(made["id"]))
    closed = client.event_soon("raw_thread_update", lambda now: now.thread_id == thread.id)
    await rest(ada["token"], "PATCH", f"/channels/{thread.id}", {"archived": True})
    same((await closed).data["thread_metadata"]["archived"], True, "archived")
    archived = [it.id async for it in channel("general").archived_threads()]
    same(thread.id in archived, True, "among the archived")
    opened = client.event_soon("raw_thread_update", lambda now: now.thread_id == thread.id)
    await thread.send("open again")
    same((await opened).data["thread_metadata"]["archived"], False, "open")
    gone = client.event_soon("raw_thread_delete", lambda it: it.thread_id == thread.id)
    await rest(ada["token"], "DELETE", f"/channels/{thread.id}")
    await gone


@feature("private thread")
async def private_thread():
    path = f"/channels/{world['channels']['general']}/threads"
    made = await rest(ben["token"], "POST", path, {"name": "Quiet", "type": 12})
    await fails(discord.Forbidden, 50001, client.fetch_channel(int(made["id"])))
    added = client.event_soon("thread_join", lambda thread: thread.id == int(made["id"]))
    await rest(ben["token"], "PUT", f"/channels/{made['id']}/thread-members/{bot_id}")
    await added
    same((await client.fetch_channel(int(made["id"]))).invitable, True, "invitable")


@feature("threads listed")
async def threads_listed():
    threads = await client.get_guild(int(world["guild_id"])).active_threads()
    thread = discord.utils.get(threads, name="Notes")
    await thread.leave()
    await thread.join()


@feature("forum post")
async def forum_post():
    seen = client.event_soon("message", lambda message: message.content == "more cups")
    post = await channel("ideas").create_thread(name="Cups", content="more cups")
    first = await seen
    same((post.thread.parent.name, post.message.id, first.id), ("ideas", post.thread.id, post.thread.id), "post")


@feature("text in voice")
async def text_in_voice():
    seen = client.event_soon("message", lambda message: message.content == "in the lounge")
    await say(ben, "lounge", "in the lounge")
    same((type((await seen).channel), channel("news").is_news()), (discord.VoiceChannel, True), "kinds")


@feature("DM sent")
async def dm_sent():
    sent = await client.get_user(int(ada["id"])).send("a private word")
    same((sent.guild, sent.channel.recipient.id), (None, int(ada["id"])), "place")
    read = await rest(ada["token"], "GET", f"/channels/{sent.channel.id}/messages?limit=1")
    same(read[0]["content"], "a private word", "as read by the human")


@feature("DM seen")
async def dm_seen():
    opened = await rest(ben["token"], "POST", "/users/@me/channels", {"recipient_id": str(bot_id)})
    seen = client.event_soon("message", lambda message: message.author.id == int(ben["id"]))
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
    only_ben = discord.AllowedMentions(users=[discord.Object(int(ben["id"]))])
    some = await channel("code").send(content, allowed_mentions=only_ben)
    same([user.id for user in some.mentions], [int(ben["id"])], "mentions of one")
    none = await channel("code").send(content, allowed_mentions=discord.AllowedMentions.none())
    same(none.mentions, [], "mentions of none")


@feature("error 50001 Missing Access")
async def missing_access():
    staff = int(world["channels"]["staff"])
    await fails(discord.Forbidden, 50001, client.fetch_channel(staff))


@feature("error 50013 Missing Permissions")
async def missing_permissions():
    said = await say(ada, "general", "mine")
    await fails(discord.Forbidden, 50013, channel("general").get_partial_message(int(said["id"])).delete())


@feature("error 10008 Unknown Message")
async def unknown_message():
    await fails(discord.NotFound, 10008, channel("general").fetch_message(1))


@feature("error 50035 Invalid Form Body")
async def invalid_form_body():
    await fails(discord.HTTPException, 50035, channel("code").send("x" * 2001))


@feature("resume after an abrupt cut")
async def resume_after_an_abrupt_cut():
    await resumes("abrupt")


@feature("resume after a close with 4000")
async def resume_after_a_close():
    await resumes(4000)


@feature("resume after a request to reconnect")
async def resume_after_a_request():
    await resumes("reconnect")


@feature("new session after INVALID_SESSION")
async def new_session():
    again = client.event_soon("ready")
    await fault({"refuse_resumes": 1})
    same(await cut("abrupt"), 1, "connections cut")
    await again
    seen = client.event_soon("message", lambda message: message.content == "welcome back")
    await say(ada, "general", "welcome back")
    await seen


@feature("rate limit kept")
async def rate_limit_kept():
    with refusals() as refused:
        sent = await asyncio.gather(*[channel("random").send(content) for content in "abcdefg"])
    same([message.content for message in sent], list("abcdefg"), "messages")
    same(len(refused), 0, "429s")


@feature("429 waited out")
async def waited_out():
    path = f"/channels/{world['channels']['code']}/messages"
    try:
        while True:
            # Another process spends what the library thinks it has.
            await rest(f"Bot {world['bot']['token']}", "POST", path, {"content": "x"})
    except AssertionError:
        pass
    with refusals() as refused:
        sent = await channel("code").send("patience")
    same((sent.content, len(refused) > 0), ("patience", True), "message after a 429")


@feature("compression: zstd-stream")
async def zstd_stream():
    await converses("zstd-stream")


@feature("compression: zlib-stream")
async def zlib_stream():
    with mock.patch.object(discord.utils, "_ActiveDecompressionContext", zlib_reader()):
        await converses("zlib-stream")


@feature("logout")
async def logout():
    await client.leave()
    while await cut("abrupt") > 0:
        await asyncio.sleep(0.05)


# --- the walk


def show(line):
    print(json.dumps(line), flush=True)


async def walk():
    global http
    show({"client": "discord.py", "version": discord.__version__, "features": list(FEATURES)})
    async with aiohttp.ClientSession() as http:
        for name, walk in FEATURES.items():
            try:
                await asyncio.wait_for(walk(), FEATURE_SECONDS)
                show({"feature": name, "result": "pass"})
            except Exception as error:
                traceback.print_exc()
                late = isinstance(error, TimeoutError)
                note = f"nothing happened in {FEATURE_SECONDS} s" if late else str(error) or repr(error)
                show({"feature": name, "result": "fail", "note": note.splitlines()[0]})


logging.basicConfig(level=logging.INFO)
asyncio.run(walk())
