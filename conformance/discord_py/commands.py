"""Application commands: made, localised, limited."""

import discord
from discord import app_commands
from emulator import client, fails, raw
from people import application_id, feature, same, shop, tea

OWN = f"/applications/{application_id}/commands"
GUILD = f"/applications/{application_id}/guilds/{shop['id']}/commands"
WORKSHOP = discord.Object(int(shop["id"]))


class Tree:
    """The one tree that a client can have."""

    tree = None


def tree():
    if Tree.tree is None:
        Tree.tree = app_commands.CommandTree(client())
    return Tree.tree


async def nothing(interaction: discord.Interaction):
    pass


def command(name, description="x"):
    return app_commands.Command(name=name, description=description, callback=nothing)


async def made(command, guild=WORKSHOP):
    """A command as the library sends it, and as it comes back."""
    tree().clear_commands(guild=guild)
    tree().add_command(command, guild=guild)
    return (await tree().sync(guild=guild))[0]


async def cleared():
    tree().clear_commands(guild=WORKSHOP)
    same(await tree().sync(guild=WORKSHOP), [], "without any")


@feature("command made, changed and deleted")
async def command_made():
    first = await made(command("build", "Builds something"), guild=None)
    same((first.name, first.description, first.type.value, first.application_id, first.guild_id), ("build", "Builds something", 1, application_id, None), "command")
    before = await raw("GET", f"{OWN}/{first.id}")
    edited = await first.edit(description="Builds a chair")
    same((edited.id, edited.description), (first.id, "Builds a chair"), "edited")
    same((await raw("GET", f"{OWN}/{first.id}"))["version"] == before["version"], False, "version is the same")
    again = await raw("POST", OWN, {"name": "build", "description": "Overwritten"})
    same((int(again["id"]), (await tree().fetch_command(first.id)).description), (first.id, "Overwritten"), "same name")
    await first.delete()
    await fails(tree().fetch_command(first.id), 10063)
    tree().clear_commands(guild=None)


@feature("commands set")
async def commands_set():
    tree().add_command(command("saw", "Saws"), guild=WORKSHOP)

    async def inspect(interaction: discord.Interaction, user: discord.Member):
        pass

    tree().add_command(app_commands.ContextMenu(name="Inspect", callback=inspect), guild=WORKSHOP)
    synced = await tree().sync(guild=WORKSHOP)
    expected = {("saw", 1, int(shop["id"])), ("Inspect", 2, int(shop["id"]))}
    same({(it.name, it.type.value, it.guild_id) for it in synced}, expected, "commands")
    saw = discord.utils.get(synced, name="saw")
    same([it.id for it in [await made(command("saw", "Saws more"))]], [saw.id], "what is left")
    same(await tree().fetch_commands(guild=discord.Object(int(tea["id"]))), [], "in another guild")
    await cleared()


@feature("command kinds")
async def command_kinds():
    async def of_user(interaction: discord.Interaction, user: discord.Member):
        pass

    async def of_message(interaction: discord.Interaction, message: discord.Message):
        pass

    for callback in (of_user, of_message):
        tree().add_command(app_commands.ContextMenu(name="Who is this", callback=callback), guild=WORKSHOP)
    user, message = sorted(await tree().sync(guild=WORKSHOP), key=lambda it: it.type.value)
    same((user.type.value, message.type.value, user.id == message.id, user.description), (2, 3, False, ""), "commands")
    await fails(raw("POST", GUILD, {"name": "described", "type": 2, "description": "x"}), 50035)
    await cleared()


@feature("command options")
async def command_options():
    group = app_commands.Group(name="chair", description="A chair")
    more = app_commands.Group(name="more", description="More", parent=group)

    @group.command(name="of", description="Of wood")
    @app_commands.choices(wood=[app_commands.Choice(name="Oak", value="oak")])
    async def of(
        interaction: discord.Interaction,
        wood: str,
        legs: app_commands.Range[int, 1, 8] = 4,
        where: discord.TextChannel = None,
        note: app_commands.Range[str, 1, 10] = "",
    ):
        pass

    @of.autocomplete("note")
    async def complete(interaction, current):
        return []

    @more.command(name="tools", description="Tools")
    async def tools(interaction: discord.Interaction):
        pass

    synced = await made(group)
    fetched = await tree().fetch_command(synced.id, guild=WORKSHOP)
    options = {it.name: it for it in fetched.options}
    same((options["of"].type.value, options["more"].type.value, options["more"].options[0].name), (1, 2, "tools"), "options")
    wood, legs, where, note = options["of"].options
    same((wood.required, wood.choices[0].value, legs.min_value, legs.max_value), (True, "oak", 1, 8), "of them")
    same([it.value for it in where.channel_types], [0, 5], "channel types")
    same((note.min_length, note.max_length, note.autocomplete), (1, 10, True), "of the text")
    await cleared()


@feature("commands localised")
async def commands_localised():
    body = {
        "name": "table", "description": "A table",
        "name_localizations": {"de": "tisch", "ja": "つくえ"}, "description_localizations": {"de": "Ein Tisch"},
    }
    stored = await raw("POST", GUILD, body)
    same(stored["name_localizations"], body["name_localizations"], "names")
    listed = (await raw("GET", f"{GUILD}?with_localizations=true"))[0]
    same(listed["description_localizations"], {"de": "Ein Tisch"}, "descriptions")
    same((await raw("GET", GUILD))[0].get("name_localizations"), None, "without them")
    await fails(raw("POST", GUILD, {"name": "x", "description": "x", "name_localizations": {"xx": "x"}}), 50035)
    await cleared()


@feature("command permissions and contexts")
async def command_permissions():
    sweep = command("sweep", "Sweeps")
    sweep.default_permissions = discord.Permissions(manage_messages=True)
    sweep.nsfw = True
    sweep.allowed_contexts = app_commands.AppCommandContext(guild=True)
    sweep.allowed_installs = app_commands.AppInstallationType(guild=True)
    synced = await made(sweep, guild=None)
    same((synced.default_member_permissions.value, synced.nsfw), (8192, True), "command")
    stored = await raw("GET", f"{OWN}/{synced.id}")
    same((stored["contexts"], stored["integration_types"]), ([0], [0]), "contexts")
    await fails(synced.fetch_permissions(WORKSHOP), 10066)
    same(await raw("GET", f"{GUILD}/permissions"), [], "permissions of all")
    await synced.delete()
    tree().clear_commands(guild=None)


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
