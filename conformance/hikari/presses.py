"""Buttons pressed, menus chosen from, modals filled in."""

import hikari
from components import pressable
from content import again
from emulator import SHOP, api, fails, soon, uid
from hikari.impl import special_endpoints as builders
from interactions import DESK, Answer, callback, handed, use
from messages import send
from people import ben, feature, humans, same, shop

Pressed, Submitted = hikari.ComponentInteractionCreateEvent, hikari.ModalInteractionCreateEvent


async def press(custom_id, who="ada"):
    """A message with a button, and the interaction of a human who presses it."""
    sent = await send(DESK, "press", component=pressable(custom_id))
    seen = handed(Pressed, lambda it: it.custom_id == custom_id)
    await humans[who].press(DESK, SHOP, sent.id, custom_id)
    return sent, (await seen).interaction


@feature("button pressed")
async def button_pressed():
    sent, interaction = await press("press", "ben")
    same((interaction.user.id, interaction.message.id, int(interaction.component_type)), (uid(ben), sent.id, 2), "interaction")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "pressed")
    same((await interaction.fetch_initial_response()).content, "pressed", "reply")


@feature("button: message updated")
async def message_updated():
    sent, interaction = await press("update")
    updated = soon(hikari.GuildMessageUpdateEvent, lambda event: event.message_id == sent.id)
    await interaction.create_initial_response(Answer.MESSAGE_UPDATE, "pressed", components=None)
    same(((await updated).content, list((await again(sent)).components)), ("pressed", []), "message")
    same((await interaction.fetch_initial_response()).id, sent.id, "original")


@feature("button: deferred update")
async def deferred_update():
    sent, interaction = await press("later")
    await interaction.create_initial_response(Answer.DEFERRED_MESSAGE_UPDATE)
    same(bool((await again(sent)).flags & hikari.MessageFlag.LOADING), False, "loading")
    await interaction.edit_initial_response("edited later")
    same((await again(sent)).content, "edited later", "content")
    same((await interaction.execute("and more")).content, "and more", "follow-up")


@feature("button collected")
async def button_collected():
    row = pressable("a").add_interactive_button(hikari.ButtonStyle.PRIMARY, "b", label="b")
    sent = await send(DESK, "press", component=row)
    collected = handed(Pressed, lambda it: it.user.id == uid(ben) and it.message.id == sent.id)
    others = handed(Pressed, lambda it: it.custom_id == "a")
    await humans["ada"].press(DESK, SHOP, sent.id, "a")
    await (await others).interaction.create_initial_response(Answer.DEFERRED_MESSAGE_UPDATE)
    await humans["ben"].press(DESK, SHOP, sent.id, "b")
    interaction = (await collected).interaction
    same((interaction.custom_id, interaction.user.id), ("b", uid(ben)), "interaction")
    await interaction.create_initial_response(Answer.DEFERRED_MESSAGE_UPDATE)


async def chosen(kind, custom_id, values, row):
    sent = await send(DESK, "choose", component=row)
    seen = handed(Pressed, lambda it: it.custom_id == custom_id)
    await humans["ada"].choose(DESK, SHOP, sent.id, int(kind), custom_id, values)
    interaction = (await seen).interaction
    await interaction.create_initial_response(Answer.MESSAGE_UPDATE, "chosen", components=None)
    return interaction


async def menu(kind, custom_id, values, **more):
    row = builders.MessageActionRowBuilder().add_select_menu(kind, custom_id, **more)
    return await chosen(kind, custom_id, values, row)


@feature("select: strings")
async def select_strings():
    row = builders.MessageActionRowBuilder()
    row.add_text_menu("strings", max_values=2).add_option("Oak", "oak").add_option("Ash", "ash")
    interaction = await chosen(3, "strings", ["oak", "ash"], row)
    same(list(interaction.values), ["oak", "ash"], "values")


@feature("select: users")
async def select_users():
    interaction = await menu(hikari.ComponentType.USER_SELECT_MENU, "users", [ben["id"]])
    found = interaction.resolved
    same((list(interaction.values), found.users[uid(ben)].global_name, found.members[uid(ben)].display_name), ([ben["id"]], "Ben", "Ben"), "users")


@feature("select: roles")
async def select_roles():
    interaction = await menu(hikari.ComponentType.ROLE_SELECT_MENU, "roles", [shop["roles"]["Elder"]])
    same([it.name for it in interaction.resolved.roles.values()], ["Elder"], "roles")


@feature("select: mentionables")
async def select_mentionables():
    values = [ben["id"], shop["roles"]["Elder"]]
    interaction = await menu(hikari.ComponentType.MENTIONABLE_SELECT_MENU, "any", values, max_values=2)
    found = interaction.resolved
    same(([int(it) for it in found.users], [it.name for it in found.roles.values()]), ([uid(ben)], ["Elder"]), "mentionables")


@feature("select: channels")
async def select_channels():
    row = builders.MessageActionRowBuilder().add_channel_menu("channels")
    interaction = await chosen(8, "channels", [DESK], row)
    same([it.name for it in interaction.resolved.channels.values()], ["desk"], "channels")


async def asked(interaction, custom_id):
    """Shows a modal and returns it as the human has it."""
    shown = humans["ada"].event("INTERACTION_MODAL_CREATE")
    row = builders.ModalActionRowBuilder().add_text_input("what", "What?", max_length=20)
    await interaction.create_modal_response("An order", custom_id, component=row)
    return await shown


async def submitted(form, what):
    seen = handed(Submitted, lambda it: it.custom_id == form["custom_id"])
    await humans["ada"].submit(DESK, SHOP, form, {"what": what})
    return (await seen).interaction


@feature("modal")
async def modal():
    form = await asked(await use("say"), "order")
    same((form["title"], form["custom_id"], form["components"][0]["components"][0]["label"]), ("An order", "order", "What?"), "modal")
    interaction = await submitted(form, "a chair")
    same((interaction.components[0].components[0].value, interaction.message), ("a chair", None), "submitted")
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "ordered")
    same((await interaction.fetch_initial_response()).content, "ordered", "reply")


@feature("modal of a button")
async def modal_of_a_button():
    sent, pressed = await press("form")
    interaction = await submitted(await asked(pressed, "change"), "a table")
    same(interaction.message.id, sent.id, "message")
    await interaction.create_initial_response(Answer.MESSAGE_UPDATE, "a table", components=None)
    same((await again(sent)).content, "a table", "content")


@feature("modal limits")
async def modal_limits():
    interaction = await use("say")

    def line(custom_id):
        return {"type": 1, "components": [{"type": 4, "custom_id": custom_id, "label": "x", "style": 1}]}

    await fails(callback(interaction, 9, {"custom_id": "m", "title": "x" * 46, "components": [line("a")]}), 50035)
    await fails(callback(interaction, 9, {"custom_id": "m", "title": "x", "components": []}), 50035)
    await fails(callback(interaction, 9, {"custom_id": "m", "title": "x", "components": [line(it) for it in "abcdef"]}), 50035)
    await interaction.create_initial_response(Answer.MESSAGE_CREATE, "no modal")
