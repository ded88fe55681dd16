"""Application commands: made, localised, limited."""

import hikari
from emulator import APPLICATION, SHOP, TEA, api, fails, raw
from hikari.impl import special_endpoints as builders
from people import feature, same, shop

OWN = f"/applications/{APPLICATION}/commands"
GUILD = f"/applications/{APPLICATION}/guilds/{shop['id']}/commands"
Option, Kind = hikari.CommandOption, hikari.OptionType


async def cleared():
    await api().set_application_commands(APPLICATION, [], SHOP)
    same(list(await api().fetch_application_commands(APPLICATION, SHOP)), [], "without any")


@feature("command made, changed and deleted")
async def command_made():
    made = await api().create_slash_command(APPLICATION, "build", "Builds something")
    same((made.name, made.description, int(made.type), made.application_id, made.guild_id), ("build", "Builds something", 1, APPLICATION, None), "command")
    same(made.id in {it.id for it in await api().fetch_application_commands(APPLICATION)}, True, "listed")
    edited = await api().edit_application_command(APPLICATION, made, description="Builds a chair")
    same((edited.id, edited.description, edited.version == made.version), (made.id, "Builds a chair", False), "edited")
    again = await api().create_slash_command(APPLICATION, "build", "Overwritten")
    same((again.id, (await api().fetch_application_command(APPLICATION, made)).description), (made.id, "Overwritten"), "same name")
    await api().delete_application_command(APPLICATION, made)
    await fails(api().fetch_application_command(APPLICATION, made), 10063)


@feature("commands set")
async def commands_set():
    saw = api().slash_command_builder("saw", "Saws")
    inspect = api().context_menu_command_builder(hikari.CommandType.USER, "Inspect")
    made = await api().set_application_commands(APPLICATION, [saw, inspect], SHOP)
    same([(it.name, int(it.type), it.guild_id) for it in made], [("saw", 1, SHOP), ("Inspect", 2, SHOP)], "commands")
    left = await api().set_application_commands(APPLICATION, [api().slash_command_builder("saw", "Saws more")], SHOP)
    same([it.id for it in left], [made[0].id], "what is left")
    same(list(await api().fetch_application_commands(APPLICATION, TEA)), [], "in another guild")
    await cleared()


@feature("command kinds")
async def command_kinds():
    user = await api().create_context_menu_command(APPLICATION, hikari.CommandType.USER, "Who is this", guild=SHOP)
    message = await api().create_context_menu_command(APPLICATION, hikari.CommandType.MESSAGE, "Who is this", guild=SHOP)
    same((int(user.type), int(message.type), user.id == message.id), (2, 3, False), "commands")
    await fails(raw("POST", GUILD, {"name": "described", "type": 2, "description": "x"}), 50035)
    await cleared()


@feature("command options")
async def command_options():
    wood = Option(type=Kind.STRING, name="wood", description="Which", is_required=True, choices=[hikari.CommandChoice(name="Oak", value="oak")])
    legs = Option(type=Kind.INTEGER, name="legs", description="How many", min_value=1, max_value=8)
    where = Option(type=Kind.CHANNEL, name="where", description="Where", channel_types=[hikari.ChannelType.GUILD_TEXT, hikari.ChannelType.GUILD_NEWS])
    note = Option(type=Kind.STRING, name="note", description="What", min_length=1, max_length=10, autocomplete=True)
    of = Option(type=Kind.SUB_COMMAND, name="of", description="Of wood", options=[wood, legs, where, note])
    tools = Option(type=Kind.SUB_COMMAND, name="tools", description="Tools")
    more = Option(type=Kind.SUB_COMMAND_GROUP, name="more", description="More", options=[tools])
    made = await api().create_slash_command(APPLICATION, "chair", "A chair", guild=SHOP, options=[of, more])
    of, more = (await api().fetch_application_command(APPLICATION, made, SHOP)).options
    same((int(of.type), int(more.type), more.options[0].name), (1, 2, "tools"), "options")
    wood, legs, where, note = of.options
    same((wood.is_required, wood.choices[0].value, legs.min_value, legs.max_value), (True, "oak", 1, 8), "of them")
    same([int(it) for it in where.channel_types], [0, 5], "channel types")
    same((note.min_length, note.max_length, note.autocomplete), (1, 10, True), "of the text")
    await cleared()


@feature("commands localised")
async def commands_localised():
    names = {hikari.Locale.DE: "tisch", hikari.Locale.JA: "つくえ"}
    texts = {hikari.Locale.DE: "Ein Tisch"}
    made = await api().create_slash_command(APPLICATION, "table", "A table", guild=SHOP, name_localizations=names, description_localizations=texts)
    same(dict(made.name_localizations), names, "names")
    listed = (await api().fetch_application_commands(APPLICATION, SHOP))[0]
    same(dict(listed.description_localizations), texts, "descriptions")
    await fails(raw("POST", GUILD, {"name": "x", "description": "x", "name_localizations": {"xx": "x"}}), 50035)
    await cleared()


@feature("command permissions and contexts")
async def command_permissions():
    sweep = builders.SlashCommandBuilder("sweep", "Sweeps").set_is_nsfw(True).set_default_member_permissions(hikari.Permissions.MANAGE_MESSAGES)
    sweep.set_context_types([hikari.ApplicationContextType.GUILD]).set_integration_types([hikari.ApplicationIntegrationType.GUILD_INSTALL])
    made = (await api().set_application_commands(APPLICATION, [sweep]))[0]
    same((made.default_member_permissions, made.is_nsfw), (hikari.Permissions.MANAGE_MESSAGES, True), "command")
    same(([int(it) for it in made.context_types], [int(it) for it in made.integration_types]), ([0], [0]), "contexts")
    await fails(api().fetch_application_command_permissions(APPLICATION, SHOP, made), 10066)
    same(list(await api().fetch_application_guild_commands_permissions(APPLICATION, SHOP)), [], "permissions of all")
    await api().delete_application_command(APPLICATION, made)


@feature("command limits")
async def command_limits():
    async def make(**body):
        return await raw("POST", GUILD, {"description": "x"} | body)

    def option(name, **more):
        return {"type": 3, "name": name, "description": "x"} | more

    await fails(make(name="Upper"), 50035)
    await fails(make(name="two words"), 50035)
    await fails(make(name="x" * 33), 50035)
    await fails(make(name="x", description=""), 50035)
    await fails(make(name="x", description="x" * 101), 50035)
    await fails(make(name="x", options=[option("a"), option("b", required=True)]), 50035)
    await fails(make(name="x", options=[option("a"), option("a")]), 50035)
    await fails(make(name="x", options=[option(f"o{n}") for n in range(26)]), 50035)
    await fails(make(name="x", options=[option("a", autocomplete=True, choices=[{"name": "x", "value": "x"}])]), 50035)
    await fails(raw("PUT", GUILD, [{"name": "x", "description": "x"}] * 2), 50035)
    await fails(raw("POST", GUILD.replace(shop["id"], "1"), {"name": "x", "description": "x"}), 50001, 10004)
