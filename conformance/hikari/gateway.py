"""The gateway: presence, voice, intents, shards, compression, cuts, limits."""

import asyncio

import hikari
from emulator import SHOP, TEA, api, bot, channel, fails, place, raw, refusals, resumes, soon, uid, visitor
from interactions import Answer, use
from messages import send
from people import Human, Refusal, ada, advance, ben, bot_id, cut, fault, feature, humans, person, rest, same, say, shop, tea, world

Intents = hikari.Intents


@feature("presence set")
async def presence_set():
    human = await humans["ben"].connect()
    seen = human.event("PRESENCE_UPDATE", lambda it: it["user"]["id"] == str(bot_id) and it["status"] == "idle")
    await bot().update_presence(status=hikari.Status.IDLE, activity=hikari.Activity(name="chess"))
    same([(it["name"], it["type"]) for it in (await seen)["activities"]], [("chess", 0)], "activities")


@feature("presence from the start")
async def presence_from_the_start():
    human = await humans["ben"].connect()
    seen = human.event("PRESENCE_UPDATE", lambda it: it["user"]["id"] == str(bot_id) and any(one["name"] == "go" for one in it["activities"]))
    async with visitor(activity=hikari.Activity(name="go", type=hikari.ActivityType.WATCHING)):
        shown = await seen
        same((shown["status"], shown["activities"][0]["type"]), ("online", 3), "presence")


@feature("presence seen")
async def presence_seen():
    cleo = Human(person["cleo"])

    def turned(status):
        return soon(hikari.PresenceUpdateEvent, lambda event: event.user_id == cleo.id and event.presence.visible_status == status)

    came = turned(hikari.Status.DO_NOT_DISTURB)
    await cleo.connect("dnd")
    same((await came).guild_id, SHOP, "guild")
    went = turned(hikari.Status.OFFLINE)
    await cleo.disconnect()
    await went


def voice(who, fits):
    return soon(hikari.VoiceStateUpdateEvent, lambda event: event.state.user_id == who and fits(event.state))


@feature("voice state of the bot")
async def voice_state_of_the_bot():
    state = voice(bot_id, lambda now: now.channel_id is not None)
    server = soon(hikari.VoiceServerUpdateEvent)
    await bot().update_voice_state(SHOP, place("studio"), self_mute=True)
    now = (await state).state
    same((now.channel_id, now.is_self_muted, type(now.session_id)), (place("studio"), True, str), "state")
    event = await server
    same((event.guild_id, type(event.token), type(event.endpoint)), (SHOP, str, str), "server")
    left = voice(bot_id, lambda now: now.channel_id is None)
    await bot().update_voice_state(SHOP, None)
    await left


@feature("voice state seen")
async def voice_state_seen():
    human = await humans["ben"].connect()
    came = voice(human.id, lambda now: now.channel_id == place("studio"))
    await human.send(4, {"guild_id": shop["id"], "channel_id": shop["channels"]["studio"], "self_mute": False, "self_deaf": True})
    same((await came).state.is_self_deafened, True, "deaf")
    same(human.id in bot().cache.get_voice_states_view_for_channel(SHOP, place("studio")), True, "among the states of the channel")
    muted = voice(human.id, lambda now: now.is_guild_muted)
    await api().edit_member(SHOP, uid(ben), mute=True)
    await muted
    left = voice(human.id, lambda now: now.channel_id is None)
    await api().edit_member(SHOP, uid(ben), voice_channel=None)
    await left
    await fails(api().edit_member(SHOP, uid(ben), mute=False), 40032)


@feature("content hidden without its intent")
async def content_hidden():
    async with visitor(Intents.ALL_UNPRIVILEGED) as second:
        def next_of(who):
            return soon(hikari.GuildMessageCreateEvent, lambda event: event.author_id == who, second)

        seen = next_of(uid(ada))
        await say(ada, "general", "not for you")
        same((await seen).content or None, None, "of a message")
        seen = next_of(uid(ada))
        await say(ada, "general", f"for you, <@{bot_id}>")
        same((await seen).content, f"for you, <@{bot_id}>", "of a mention")
        own = next_of(bot_id)
        await send(channel("general"), "my own")
        same((await own).content, "my own", "of an own message")


@feature("events only as intended")
async def events_only_as_intended():
    async with visitor(Intents.GUILDS) as second:
        heard = []

        async def watch(event):
            if event.name in ("MESSAGE_CREATE", "TYPING_START"):
                heard.append(event.name)

        second.event_manager.subscribe(hikari.ShardPayloadEvent, watch)
        await say(ada, "general", "unheard")
        seen = soon(hikari.GuildChannelCreateEvent, lambda event: event.channel.name == "heard", second)
        made = await api().create_guild_text_channel(SHOP, "heard")
        await seen
        await made.delete()
        same(heard, [], "messages heard")


@feature("sharding")
async def sharding():
    async with visitor(shard_count=2) as second:
        same(sorted(second.shards), [0, 1], "shards")
        dm = await rest(ada["token"], "POST", "/users/@me/channels", {"recipient_id": str(bot_id)})
        for guild, where in ((TEA, tea["channels"]["general"]), (SHOP, shop["channels"]["bench-1"]), (0, dm["id"])):
            seen = soon(hikari.MessageCreateEvent, lambda event: event.content == f"to {guild}", second)
            await say(ada, where, f"to {guild}")
            same((await seen).shard.id, (guild >> 22) % 2, "shard that heard it")


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
    again = soon(hikari.ShardReadyEvent)
    await fault({"refuse_resumes": 1})
    same(await cut("abrupt"), 1, "connections cut")
    await again
    seen = soon(hikari.MessageCreateEvent, lambda event: event.content == "welcome back")
    await say(ada, "general", "welcome back")
    await seen


@feature("rate limit kept")
async def rate_limit_kept():
    # hikari forgets buckets that rest for ten seconds. What is then sent at once goes out unlimited: each message gets a bucket of its
    # own until the first answer tells which it is. So one goes ahead.
    await send(channel("random"), "first")
    with refusals() as refused:
        sent = await asyncio.gather(*[send(channel("random"), content) for content in "abcdefg"])
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
    sent = await send(channel("code"), "patience")
    same(sent.content, "patience", "message after a 429")


@feature("compression: zlib-stream")
async def zlib_stream():
    async with visitor() as second:
        seen = soon(hikari.MessageCreateEvent, lambda event: event.content == "said over zlib", second)
        await say(ada, "general", "said over zlib")
        await seen
        same(second.shards[0]._compression, hikari.api.GatewayCompression.TRANSPORT_ZLIB_STREAM, "compression")


@feature("interaction token expired")
async def interaction_token_expired():
    interaction = await use("say")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "for a while")
    await advance(14)
    same((await interaction.edit_initial_response("still")).content, "still", "within fifteen minutes")
    await advance(2)
    await fails(interaction.edit_initial_response("too late"), 50027)
    await fails(interaction.execute("too late"), 50027)


@feature("logout")
async def logout():
    for human in humans.values():
        await human.disconnect()
    await bot().close()
    while await cut("abrupt") > 0:
        await asyncio.sleep(0.05)
