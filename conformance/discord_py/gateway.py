"""The gateway: presence, voice, intents, shards, compression, cuts, limits."""

import asyncio
import importlib.util
import json
import sys
from unittest import mock

import discord
from emulator import Sharded, channel, client, fails, member, place, raw, refusals, resumes, soon, visitor, workshop
from interactions import said
from people import Human, Refusal, ada, advance, ben, bot_id, cut, fault, feature, humans, person, rest, same, say, shop, tea, world


@feature("presence set")
async def presence_set():
    human = await humans["ben"].connect()
    seen = human.event("PRESENCE_UPDATE", lambda it: it["user"]["id"] == str(bot_id) and it["status"] == "idle")
    await client().change_presence(status=discord.Status.idle, activity=discord.Game("chess"))
    same([(it["name"], it["type"]) for it in (await seen)["activities"]], [("chess", 0)], "activities")


@feature("presence from the start")
async def presence_from_the_start():
    human = await humans["ben"].connect()
    seen = human.event("PRESENCE_UPDATE", lambda it: it["user"]["id"] == str(bot_id) and any(one.get("state") == "go" for one in it["activities"]))
    async with visitor(activity=discord.CustomActivity("go")):
        shown = await seen
        same((shown["status"], shown["activities"][0]["type"]), ("online", 4), "presence")


@feature("presence seen")
async def presence_seen():
    cleo = Human(person["cleo"])
    came = soon("presence_update", lambda _, now: now.id == cleo.id and now.status is discord.Status.dnd)
    await cleo.connect("dnd")
    same((await came)[1].guild.id, workshop().id, "guild")
    went = soon("presence_update", lambda _, now: now.id == cleo.id and now.status is discord.Status.offline)
    await cleo.disconnect()
    await went


@feature("voice state of the bot")
async def voice_state_of_the_bot():
    state = soon("voice_state_update", lambda who, _, now: who.id == bot_id and now.channel is not None)
    server = soon("socket_raw_receive", lambda text: "VOICE_SERVER_UPDATE" in str(text))
    await workshop().change_voice_state(channel=place("studio"), self_mute=True)
    now = (await state)[2]
    same((now.channel.id, now.self_mute, type(now.session_id)), (place("studio").id, True, str), "state")
    data = json.loads(await server)["d"]
    same((data["guild_id"], type(data["token"]), type(data["endpoint"])), (shop["id"], str, str), "server")
    left = soon("voice_state_update", lambda who, _, now: who.id == bot_id and now.channel is None)
    await workshop().change_voice_state(channel=None)
    await left


@feature("voice state seen")
async def voice_state_seen():
    human = await humans["ben"].connect()
    came = soon("voice_state_update", lambda who, _, now: who.id == human.id and now.channel == place("studio"))
    await human.send(4, {"guild_id": shop["id"], "channel_id": shop["channels"]["studio"], "self_mute": False, "self_deaf": True})
    same((await came)[2].self_deaf, True, "deaf")
    same(member(ben) in place("studio").members, True, "among the members of the channel")
    muted = soon("voice_state_update", lambda who, _, now: who.id == human.id and now.mute)
    await member(ben).edit(mute=True)
    await muted
    left = soon("voice_state_update", lambda who, _, now: who.id == human.id and now.channel is None)
    await member(ben).move_to(None)
    await left
    await fails(member(ben).edit(mute=False), 40032)


@feature("content hidden without its intent")
async def content_hidden():
    intents = discord.Intents.default()
    async with visitor(intents=intents) as second:
        seen = second.event_soon("message", lambda message: message.author.id == int(ada["id"]))
        await say(ada, "general", "not for you")
        same((await seen).content, "", "of a message")
        seen = second.event_soon("message", lambda message: message.author.id == int(ada["id"]))
        await say(ada, "general", f"for you, <@{bot_id}>")
        same((await seen).content, f"for you, <@{bot_id}>", "of a mention")
        own = second.event_soon("message", lambda message: message.author.id == bot_id)
        await channel("general").send("my own")
        same((await own).content, "my own", "of an own message")


@feature("events only as intended")
async def events_only_as_intended():
    async with visitor(intents=discord.Intents(guilds=True)) as second:
        heard = []
        second.watchers.append(lambda event, args: heard.append(event) if event in ("message", "typing") else None)
        await say(ada, "general", "unheard")
        seen = second.event_soon("guild_channel_create", lambda made: made.name == "heard")
        made = await workshop().create_text_channel("heard")
        await seen
        await made.delete()
        same(heard, [], "messages heard")


@feature("sharding")
async def sharding():
    async with visitor(kind=Sharded, shard_count=2) as second:
        ids = [int(tea["id"]), int(shop["id"])]
        same([second.get_guild(it).shard_id for it in ids], [(it >> 22) % 2 for it in ids], "shards of the guilds")
        same(sorted(second.shards), [0, 1], "shards")
        dm = await rest(ada["token"], "POST", "/users/@me/channels", {"recipient_id": str(bot_id)})
        heard = []
        second.watchers.append(lambda event, args: heard.append(args[0].content) if event == "message" else None)
        seen = second.event_soon("message", lambda message: message.content == "to shard zero")
        await say(ada, dm["id"], "to shard zero")
        await seen
        same(heard, ["to shard zero"], "times heard")


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
    again = soon("ready")
    await fault({"refuse_resumes": 1})
    same(await cut("abrupt"), 1, "connections cut")
    await again
    seen = soon("message", lambda message: message.content == "welcome back")
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
    path = f"/channels/{tea['channels']['code']}/messages"
    try:
        while True:
            # Another process spends what the library thinks it has.
            await rest(f"Bot {world['bot']['token']}", "POST", path, {"content": "x"})
    except Refusal:
        pass
    with refusals() as refused:
        sent = await channel("code").send("patience")
    same((sent.content, len(refused) > 0), ("patience", True), "message after a 429")


async def converses(expected):
    """A second client comes, hears a human, and goes."""
    async with visitor() as second:
        content = f"said over {expected}"
        seen = second.event_soon("message", lambda message: message.content == content)
        await say(ada, "general", content)
        await seen
        same(second.ws._decompressor.COMPRESSION_TYPE, expected, "compression")


def zlib_reader():
    """discord.py's own, which it defines only where it finds no zstd."""
    spec = importlib.util.spec_from_file_location("discord.utils_without_zstd", discord.utils.__file__)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {"zstandard": None, "compression": None, "compression.zstd": None}):
        spec.loader.exec_module(module)
    return module._ActiveDecompressionContext


@feature("compression: zstd-stream")
async def zstd_stream():
    await converses("zstd-stream")


@feature("compression: zlib-stream")
async def zlib_stream():
    with mock.patch.object(discord.utils, "_ActiveDecompressionContext", zlib_reader()):
        await converses("zlib-stream")


@feature("interaction token expired")
async def interaction_token_expired():
    interaction = await said()
    await interaction.response.send_message("for a while")
    await advance(14)
    same((await interaction.edit_original_response(content="still")).content, "still", "within fifteen minutes")
    await advance(2)
    await fails(interaction.edit_original_response(content="too late"), 50027)
    await fails(interaction.followup.send("too late"), 50027)


@feature("logout")
async def logout():
    for human in humans.values():
        await human.disconnect()
    await client().leave()
    while await cut("abrupt") > 0:
        await asyncio.sleep(0.05)
