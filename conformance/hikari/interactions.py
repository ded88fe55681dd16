"""Commands used; presses.py has buttons, menus and modals."""

import hikari
from commands import GUILD, Kind, Option
from content import file
from emulator import APPLICATION, SHOP, api, fails, place, raw, soon, uid
from messages import send
from people import ada, advance, ben, feature, humans, rest, same, shop

DESK = place("desk")
commands = {}
Answer = hikari.ResponseType
Used = hikari.CommandInteractionCreateEvent


def handed(kind, fits):
    return soon(kind, lambda event: fits(event.interaction))


async def use(name, options=(), **more):
    """A human uses the command, and the bot has it."""
    seen = handed(Used, lambda it: it.command_name == name)
    await humans["ada"].slash(DESK, SHOP, commands[name], options, **more)
    return (await seen).interaction


async def callback(interaction, kind, data):
    return await raw("POST", f"/interactions/{interaction.id}/{interaction.token}/callback", {"type": kind, "data": data})


@feature("slash command")
async def slash_command():
    kinds = [Kind.STRING, Kind.INTEGER, Kind.FLOAT, Kind.BOOLEAN, Kind.USER, Kind.ROLE, Kind.CHANNEL, Kind.MENTIONABLE]
    names = ["text", "count", "size", "loud", "who", "role", "where", "any"]
    say_ = api().slash_command_builder("say", "Says")
    for kind, name in zip(kinds, names):
        say_.add_option(Option(type=kind, name=name, description="x"))
    text = Option(type=Kind.STRING, name="text", description="x", is_required=True)
    one = Option(type=Kind.SUB_COMMAND, name="one", description="x", options=[text])
    do = api().slash_command_builder("do", "Does").add_option(Option(type=Kind.SUB_COMMAND_GROUP, name="group", description="x", options=[one]))
    find = api().slash_command_builder("find", "Finds").add_option(Option(type=Kind.STRING, name="text", description="x", autocomplete=True))
    find.add_option(Option(type=Kind.INTEGER, name="n", description="x"))
    greet = api().context_menu_command_builder(hikari.CommandType.USER, "Greet")
    quote = api().context_menu_command_builder(hikari.CommandType.MESSAGE, "Quote")
    await api().set_application_commands(APPLICATION, [say_, do, find, greet, quote], SHOP)
    for command in await raw("GET", GUILD):
        commands[command["name"]] = command
    interaction = await use("say", [{"type": 3, "name": "text", "value": "hello"}])
    same((interaction.options[0].value, interaction.user.id, interaction.guild_id, interaction.channel_id), ("hello", uid(ada), SHOP, DESK), "interaction")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "hello yourself")
    reply = await interaction.fetch_initial_response()
    same((reply.content, int(reply.type)), ("hello yourself", 20), "reply")
    same((reply.interaction_metadata.interaction_id, reply.interaction_metadata.user.id), (interaction.id, uid(ada)), "metadata")
    read = await rest(ben["token"], "GET", f"/channels/{DESK}/messages/{reply.id}")
    same(read["content"], "hello yourself", "as another reads it")


@feature("slash command options")
async def slash_command_options():
    given = [
        {"type": 4, "name": "count", "value": 3}, {"type": 10, "name": "size", "value": 1.5}, {"type": 5, "name": "loud", "value": True},
        {"type": 6, "name": "who", "value": ben["id"]}, {"type": 8, "name": "role", "value": shop["roles"]["Elder"]},
        {"type": 7, "name": "where", "value": str(DESK)}, {"type": 9, "name": "any", "value": ada["id"]},
    ]
    interaction = await use("say", given)
    values = {it.name: it.value for it in interaction.options}
    same((values["count"], values["size"], values["loud"], values["any"]), (3, 1.5, True, uid(ada)), "values")
    found = interaction.resolved
    same((found.members[uid(ben)].display_name, found.roles[values["role"]].name, found.channels[DESK].name), ("Ben", "Elder", "desk"), "resolved")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "understood")


@feature("slash subcommand")
async def slash_subcommand():
    one = {"type": 1, "name": "one", "options": [{"type": 3, "name": "text", "value": "now"}]}
    interaction = await use("do", [{"type": 2, "name": "group", "options": [one]}])
    group = interaction.options[0]
    same((group.name, group.options[0].name, group.options[0].options[0].value), ("group", "one", "now"), "options")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "done")


@feature("interaction fields")
async def interaction_fields():
    interaction = await use("say")
    same((isinstance(interaction.locale, str), isinstance(interaction.guild_locale, str), int(interaction.context)), (True, True, 0), "languages and context")
    rights, mine = interaction.member.permissions, interaction.app_permissions
    admin = hikari.Permissions.ADMINISTRATOR
    same((bool(rights & admin), bool(mine & hikari.Permissions.BAN_MEMBERS), bool(mine & admin)), (True, True, False), "permissions")
    same((interaction.member.id, [int(it) for it in interaction.authorizing_integration_owners.values()]), (uid(ada), [SHOP]), "member and owner")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "looked at")


@feature("slash command: deferred")
async def deferred():
    interaction = await use("say")
    await interaction.create_initial_response(Answer.DEFERRED_MESSAGE_CREATE)
    waiting = await interaction.fetch_initial_response()
    same(bool(waiting.flags & hikari.MessageFlag.LOADING), True, "loading")
    seen = soon(hikari.GuildMessageUpdateEvent, lambda event: event.message_id == waiting.id)
    edited = await interaction.edit_initial_response("at last")
    same((edited.id, edited.content, bool(edited.flags & hikari.MessageFlag.LOADING)), (waiting.id, "at last", False), "answer")
    same((await seen).content, "at last", "event")


@feature("slash command: ephemeral")
async def ephemeral():
    interaction = await use("say")
    seen = humans["ada"].event("MESSAGE_CREATE", lambda message: message["content"] == "for you alone")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "for you alone", flags=hikari.MessageFlag.EPHEMERAL)
    same((await seen)["flags"] & 64, 64, "flag")
    page = await rest(ben["token"], "GET", f"/channels/{DESK}/messages?limit=10")
    same([it for it in page if it["content"] == "for you alone"], [], "read by another")
    same((await interaction.edit_initial_response("changed")).content, "changed", "edited")
    await interaction.delete_initial_response()


@feature("slash command: follow-up")
async def follow_up():
    interaction = await use("say")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "first")
    second = await interaction.execute("second", embed=hikari.Embed(title="T"))
    first = await interaction.fetch_initial_response()
    same((second.content, second.embeds[0].title, second.id == first.id), ("second", "T", False), "follow-up")
    same((await interaction.edit_message(second, "changed")).content, "changed", "edited")
    gone = soon(hikari.GuildMessageDeleteEvent, lambda event: event.message_id == second.id)
    await interaction.delete_message(second)
    await gone
    quiet = await interaction.execute("hush", flags=hikari.MessageFlag.EPHEMERAL)
    same(bool(quiet.flags & hikari.MessageFlag.EPHEMERAL), True, "ephemeral")


@feature("slash command: original deleted")
async def original_deleted():
    interaction = await use("say")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "before", attachment=file("some text", "note.txt"))
    reply = await interaction.fetch_initial_response()
    same(reply.attachments[0].filename, "note.txt", "file")
    await interaction.delete_initial_response()
    await fails(interaction.fetch_initial_response(), 10008)
    await fails(api().fetch_message(DESK, reply), 10008)


@feature("slash command: answer returned")
async def answer_returned():
    interaction = await use("say")
    answer = await interaction.create_initial_response(Answer.MESSAGE_CREATE, "returned")
    same((answer.interaction.id, int(answer.interaction.type)), (interaction.id, 2), "interaction")
    same((int(answer.resource.type), answer.resource.message.content), (4, "returned"), "resource")
    same(answer.interaction.response_message_id, answer.resource.message.id, "id of the message")


@feature("slash command: answered twice")
async def answered_twice():
    interaction = await use("say")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "once")
    await fails(interaction.create_initial_response(Answer.MESSAGE_CREATE, "twice"), 40060)


@feature("slash command: never answered")
async def never_answered():
    interaction = await use("say")
    await fails(interaction.fetch_initial_response(), 10008, 10015)
    await advance(3.1 / 60)
    await fails(interaction.create_initial_response(Answer.MESSAGE_CREATE, "too late"), 10062)


@feature("unknown interaction refused")
async def unknown_interaction_refused():
    await fails(api().create_interaction_response(1, "nothing", Answer.MESSAGE_CREATE, "x"), 10062, 50035)
    interaction = await use("say")
    await fails(interaction.create_initial_response(Answer.MESSAGE_CREATE, "x" * 2001), 50035)
    await fails(callback(interaction, 7, {"content": "x"}), 50035)
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "in the end")


@feature("slash command in a DM")
async def slash_in_a_dm():
    made = await api().create_slash_command(APPLICATION, "whisper", "Whispers")
    stored = await raw("GET", f"/applications/{APPLICATION}/commands/{made.id}")
    dm = await api().create_dm_channel(uid(ada))
    seen = handed(Used, lambda it: it.command_name == "whisper")
    await humans["ada"].slash(dm.id, None, stored)
    interaction = (await seen).interaction
    same((interaction.guild_id, interaction.user.id, int(interaction.context)), (None, uid(ada), 1), "interaction")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "psst")
    same((await rest(ada["token"], "GET", f"/channels/{dm.id}/messages?limit=1"))[0]["content"], "psst", "as read by the human")
    await api().delete_application_command(APPLICATION, made)


async def typed(options):
    seen = handed(hikari.AutocompleteInteractionCreateEvent, lambda it: it.command_name == "find")
    await humans["ada"].type(DESK, SHOP, commands["find"], options)
    return (await seen).interaction


@feature("autocomplete")
async def autocomplete():
    await humans["ada"].connect()
    shown = humans["ada"].event("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE")
    interaction = await typed([{"type": 4, "name": "n", "value": 2}, {"type": 3, "name": "text", "value": "ch", "focused": True}])
    same([(it.name, it.value, it.is_focused) for it in interaction.options], [("n", 2, False), ("text", "ch", True)], "options")
    await interaction.create_response([hikari.impl.AutocompleteChoiceBuilder(name, name.lower()) for name in ("Chair", "Chest")])
    choices = (await shown)["choices"]
    same([(it["name"], it["value"]) for it in choices], [("Chair", "chair"), ("Chest", "chest")], "choices")


@feature("autocomplete limits")
async def autocomplete_limits():
    interaction = await typed([{"type": 3, "name": "text", "value": "", "focused": True}])
    many = [hikari.impl.AutocompleteChoiceBuilder(str(n), str(n)) for n in range(26)]
    await fails(interaction.create_response(many), 50035)
    await fails(callback(interaction, 4, {"content": "x"}), 50035, 40060)


@feature("user command")
async def user_command():
    interaction = await use("Greet", target_id=ben["id"])
    same((interaction.target_id, interaction.resolved.members[uid(ben)].display_name), (uid(ben), "Ben"), "target")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "hello Ben")


@feature("message command")
async def message_command():
    sent = await send(DESK, "quote me")
    interaction = await use("Quote", target_id=str(sent.id))
    same((interaction.target_id, interaction.resolved.messages[sent.id].content), (sent.id, "quote me"), "target")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "> quote me")
