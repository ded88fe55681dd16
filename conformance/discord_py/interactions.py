"""Commands used; presses.py has buttons, menus and modals."""

import asyncio
from typing import Optional, Union

import discord
from commands import GUILD, WORKSHOP, tree
from content import file
from discord import app_commands
from emulator import client, fails, place, raw, soon
from people import ada, advance, application_id, ben, feature, humans, rest, same, shop

SHOP = shop["id"]
DESK = shop["channels"]["desk"]
commands, waiting = {}, {}


def desk():
    return place("desk")


def awaited(name):
    """The next interaction with the command, component or modal of this name."""
    waiting[name] = asyncio.get_running_loop().create_future()
    return waiting[name]


async def hand(name, interaction, *given):
    found = waiting.pop(name, None)
    if found is not None and not found.done():
        found.set_result((interaction, *given) if given else interaction)


@app_commands.command(name="say", description="Says")
async def say_command(
    interaction: discord.Interaction,
    text: Optional[str] = None,
    count: Optional[int] = None,
    size: Optional[float] = None,
    loud: Optional[bool] = None,
    who: Optional[discord.Member] = None,
    role: Optional[discord.Role] = None,
    where: Optional[discord.TextChannel] = None,
    any: Optional[Union[discord.Member, discord.Role]] = None,
):
    await hand("say", interaction, (text, count, size, loud, who, role, where, any))


do = app_commands.Group(name="do", description="Does")
group = app_commands.Group(name="group", description="x", parent=do)


@group.command(name="one", description="x")
async def do_group_one(interaction: discord.Interaction, text: str):
    await hand("do", interaction, text)


@app_commands.command(name="find", description="Finds")
async def find(interaction: discord.Interaction, text: Optional[str] = None, n: Optional[int] = None):
    pass


@find.autocomplete("text")
async def complete(interaction: discord.Interaction, current: str):
    await hand("find", interaction, current)
    return [app_commands.Choice(name=name, value=name.lower()) for name in ("Chair", "Chest")]


@app_commands.context_menu(name="Greet")
async def greet(interaction: discord.Interaction, user: discord.Member):
    await hand("Greet", interaction, user)


@app_commands.context_menu(name="Quote")
async def quote(interaction: discord.Interaction, message: discord.Message):
    await hand("Quote", interaction, message)


async def use(name, options=(), who="ada", **more):
    seen = awaited(name)
    await humans[who].slash(DESK, SHOP, commands[name], options, **more)
    return await seen


async def said():
    """A bare use of `say`."""
    return (await use("say"))[0]


@feature("slash command")
async def slash_command():
    tree().clear_commands(guild=WORKSHOP)
    for command in (say_command, do, find, greet, quote):
        tree().add_command(command, guild=WORKSHOP)
    same(len(await tree().sync(guild=WORKSHOP)), 5, "commands")
    for command in await raw("GET", GUILD):
        commands[command["name"]] = command
    interaction, given = await use("say", [{"type": 3, "name": "text", "value": "hello"}])
    same((given[0], interaction.user.id, interaction.guild_id, interaction.channel_id), ("hello", int(ada["id"]), int(SHOP), int(DESK)), "interaction")
    await interaction.response.send_message("hello yourself")
    reply = await interaction.original_response()
    same((reply.content, reply.type.value), ("hello yourself", 20), "reply")
    same((reply.interaction_metadata.id, reply.interaction_metadata.user.id), (interaction.id, int(ada["id"])), "metadata")
    read = await rest(ben["token"], "GET", f"/channels/{DESK}/messages/{reply.id}")
    same(read["content"], "hello yourself", "as another reads it")


@feature("slash command options")
async def slash_command_options():
    options = [
        {"type": 4, "name": "count", "value": 3}, {"type": 10, "name": "size", "value": 1.5}, {"type": 5, "name": "loud", "value": True},
        {"type": 6, "name": "who", "value": ben["id"]}, {"type": 8, "name": "role", "value": shop["roles"]["Elder"]},
        {"type": 7, "name": "where", "value": DESK}, {"type": 9, "name": "any", "value": ada["id"]},
    ]
    interaction, (_, count, size, loud, who, role, where, any) = await use("say", options)
    same((count, size, loud), (3, 1.5, True), "values")
    same((type(who), who.display_name, role.name, where.name, any.id), (discord.Member, "Ben", "Elder", "desk", int(ada["id"])), "resolved")
    await interaction.response.send_message("understood")


@feature("slash subcommand")
async def slash_subcommand():
    one = {"type": 1, "name": "one", "options": [{"type": 3, "name": "text", "value": "now"}]}
    interaction, text = await use("do", [{"type": 2, "name": "group", "options": [one]}])
    same((interaction.command.qualified_name, text), ("do group one", "now"), "command")
    await interaction.response.send_message("done")


@feature("interaction fields")
async def interaction_fields():
    interaction = await said()
    same((str(interaction.locale), str(interaction.guild_locale), interaction.context.guild), ("en-US", "en-US", True), "languages and context")
    mine = interaction.app_permissions
    same((interaction.permissions.administrator, mine.ban_members, mine.administrator), (True, True, False), "permissions")
    same((type(interaction.user), interaction.guild.id), (discord.Member, int(SHOP)), "member and guild")
    await interaction.response.send_message("looked at")


@feature("slash command: deferred")
async def deferred():
    interaction = await said()
    await interaction.response.defer(thinking=True)
    waiting_ = await interaction.original_response()
    same(waiting_.flags.loading, True, "loading")
    seen = soon("raw_message_edit", lambda event: event.message_id == waiting_.id)
    edited = await interaction.edit_original_response(content="at last")
    same((edited.id, edited.content, edited.flags.loading), (waiting_.id, "at last", False), "answer")
    same((await seen).message.content, "at last", "event")


@feature("slash command: ephemeral")
async def ephemeral():
    interaction = await said()
    seen = humans["ada"].event("MESSAGE_CREATE", lambda message: message["content"] == "for you alone")
    await interaction.response.send_message("for you alone", ephemeral=True)
    same((await seen)["flags"] & 64, 64, "flag")
    page = await rest(ben["token"], "GET", f"/channels/{DESK}/messages?limit=10")
    same([it for it in page if it["content"] == "for you alone"], [], "read by another")
    same((await interaction.edit_original_response(content="changed")).content, "changed", "edited")
    await interaction.delete_original_response()


@feature("slash command: follow-up")
async def follow_up():
    interaction = await said()
    await interaction.response.send_message("first")
    second = await interaction.followup.send("second", embed=discord.Embed(title="T"), wait=True)
    first = await interaction.original_response()
    same((second.content, second.embeds[0].title, second.id == first.id), ("second", "T", False), "follow-up")
    same((await second.edit(content="changed")).content, "changed", "edited")
    gone = soon("raw_message_delete", lambda event: event.message_id == second.id)
    await second.delete()
    await gone
    same((await interaction.followup.send("hush", ephemeral=True, wait=True)).flags.ephemeral, True, "ephemeral")


@feature("slash command: original deleted")
async def original_deleted():
    interaction = await said()
    await interaction.response.send_message("before", file=file("some text", "note.txt"))
    reply = await interaction.original_response()
    same(reply.attachments[0].filename, "note.txt", "file")
    await interaction.delete_original_response()
    await fails(desk().fetch_message(reply.id), 10008)
    path = f"/webhooks/{application_id}/{interaction.token}/messages/@original"
    await fails(raw("GET", path), 10008)


@feature("slash command: answer returned")
async def answer_returned():
    interaction = await said()
    answer = await interaction.response.send_message("returned")
    same((answer.id, answer.type.value, answer.resource.content), (interaction.id, 4, "returned"), "response")
    same(answer.message_id, answer.resource.id, "id of the message")


async def callback(interaction, kind, data):
    return await raw("POST", f"/interactions/{interaction.id}/{interaction.token}/callback", {"type": kind, "data": data})


@feature("slash command: answered twice")
async def answered_twice():
    interaction = await said()
    await interaction.response.send_message("once")
    await fails(callback(interaction, 4, {"content": "twice"}), 40060)


@feature("slash command: never answered")
async def never_answered():
    interaction = await said()
    await fails(raw("GET", f"/webhooks/{application_id}/{interaction.token}/messages/@original"), 10008, 10015)
    await advance(3.1 / 60)
    await fails(interaction.response.send_message("too late"), 10062)


@feature("unknown interaction refused")
async def unknown_interaction_refused():
    await fails(raw("POST", "/interactions/1/nothing/callback", {"type": 4, "data": {"content": "x"}}), 10062, 50035)
    interaction = await said()
    await fails(interaction.response.send_message("x" * 2001), 50035)
    await fails(callback(interaction, 7, {"content": "x"}), 50035)
    await interaction.response.send_message("in the end")


@feature("slash command in a DM")
async def slash_in_a_dm():
    @app_commands.command(name="whisper", description="Whispers")
    async def whisper(interaction: discord.Interaction):
        await hand("whisper", interaction)

    tree().add_command(whisper)
    synced = (await tree().sync())[0]
    stored = await raw("GET", f"/applications/{application_id}/commands/{synced.id}")
    dm = await client().get_user(int(ada["id"])).create_dm()
    seen = awaited("whisper")
    await humans["ada"].slash(dm.id, None, stored)
    interaction = await seen
    same((interaction.guild_id, interaction.user.id, interaction.context.dm_channel), (None, int(ada["id"]), True), "interaction")
    await interaction.response.send_message("psst")
    same((await rest(ada["token"], "GET", f"/channels/{dm.id}/messages?limit=1"))[0]["content"], "psst", "as read by the human")
    tree().remove_command("whisper")
    await synced.delete()


@feature("autocomplete")
async def autocomplete():
    seen = awaited("find")
    await humans["ada"].connect()
    shown = humans["ada"].event("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE")
    await humans["ada"].type(DESK, SHOP, commands["find"], [{"type": 4, "name": "n", "value": 2}, {"type": 3, "name": "text", "value": "ch", "focused": True}])
    interaction, current = await seen
    same((interaction.type, current, interaction.namespace.n), (discord.InteractionType.autocomplete, "ch", 2), "interaction")
    choices = (await shown)["choices"]
    same([(it["name"], it["value"]) for it in choices], [("Chair", "chair"), ("Chest", "chest")], "choices")


@feature("autocomplete limits")
async def autocomplete_limits():
    seen = soon("interaction", lambda it: it.type is discord.InteractionType.autocomplete)
    tree().clear_commands(guild=WORKSHOP)
    await humans["ada"].type(DESK, SHOP, commands["find"], [{"type": 3, "name": "text", "value": "", "focused": True}])
    interaction = await seen
    for command in (say_command, do, find, greet, quote):
        tree().add_command(command, guild=WORKSHOP)
    await fails(callback(interaction, 8, {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]}), 50035)
    await fails(callback(interaction, 4, {"content": "x"}), 50035, 40060)


@feature("user command")
async def user_command():
    interaction, target = await use("Greet", target_id=ben["id"])
    same((type(target), target.id, target.display_name), (discord.Member, int(ben["id"]), "Ben"), "target")
    await interaction.response.send_message("hello Ben")


@feature("message command")
async def message_command():
    sent = await desk().send("quote me")
    interaction, target = await use("Quote", target_id=str(sent.id))
    same((target.id, target.content), (sent.id, "quote me"), "target")
    await interaction.response.send_message(f"> {target.content}")
