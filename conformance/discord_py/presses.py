"""Buttons pressed, menus chosen from, modals filled in."""

import discord
from discord import ui
from emulator import fails, soon
from interactions import DESK, SHOP, awaited, callback, desk, hand, said
from people import ben, feature, humans, same, shop


async def offered(*items):
    """A message with these components, each of which hands over its interactions."""
    view = ui.View(timeout=60)
    for item in items:
        def callback(interaction, item=item):
            return hand(item.custom_id, interaction, item)

        item.callback = callback
        view.add_item(item)
    return await desk().send("choose", view=view)


async def chosen(select, values):
    sent = await offered(select)
    seen = awaited(select.custom_id)
    await humans["ada"].choose(DESK, SHOP, sent.id, select.type.value, select.custom_id, values)
    interaction, select = await seen
    await interaction.response.edit_message(content="chosen", view=None)
    return select


class Order(ui.Modal, title="An order"):
    what = ui.TextInput(label="What?", max_length=20, custom_id="what")

    async def on_submit(self, interaction):
        await hand(self.custom_id, interaction, self)


@feature("button pressed")
async def button_pressed():
    sent = await offered(ui.Button(custom_id="press", label="press"))
    seen = awaited("press")
    await humans["ben"].press(DESK, SHOP, sent.id, "press")
    interaction, _ = await seen
    same((interaction.user.id, interaction.message.id, interaction.data["component_type"]), (int(ben["id"]), sent.id, 2), "interaction")
    await interaction.response.send_message("pressed")
    same((await interaction.original_response()).content, "pressed", "reply")


@feature("button: message updated")
async def message_updated():
    sent = await offered(ui.Button(custom_id="update", label="update"))
    seen = awaited("update")
    await humans["ada"].press(DESK, SHOP, sent.id, "update")
    interaction, _ = await seen
    updated = soon("raw_message_edit", lambda event: event.message_id == sent.id)
    await interaction.response.edit_message(content="pressed", view=None)
    same(((await updated).message.content, (await sent.fetch()).components), ("pressed", []), "message")
    same((await interaction.original_response()).id, sent.id, "original")


@feature("button: deferred update")
async def deferred_update():
    sent = await offered(ui.Button(custom_id="later", label="later"))
    seen = awaited("later")
    await humans["ada"].press(DESK, SHOP, sent.id, "later")
    interaction, _ = await seen
    await interaction.response.defer()
    same((await sent.fetch()).flags.loading, False, "loading")
    await interaction.edit_original_response(content="edited later")
    same((await sent.fetch()).content, "edited later", "content")
    same((await interaction.followup.send("and more", wait=True)).content, "and more", "follow-up")


@feature("button collected")
async def button_collected():
    sent = await offered(ui.Button(custom_id="a", label="a"), ui.Button(custom_id="b", label="b"))
    collected = soon("interaction", lambda it: it.user.id == int(ben["id"]) and it.message.id == sent.id)
    others = awaited("a")
    await humans["ada"].press(DESK, SHOP, sent.id, "a")
    await (await others)[0].response.defer()
    await humans["ben"].press(DESK, SHOP, sent.id, "b")
    interaction = await collected
    same((interaction.data["custom_id"], interaction.user.id), ("b", int(ben["id"])), "interaction")
    await interaction.response.defer()


@feature("select: strings")
async def select_strings():
    menu = ui.Select(custom_id="strings", max_values=2)
    menu.add_option(label="Oak", value="oak")
    menu.add_option(label="Ash", value="ash")
    same((await chosen(menu, ["oak", "ash"])).values, ["oak", "ash"], "values")


@feature("select: users")
async def select_users():
    menu = await chosen(ui.UserSelect(custom_id="users"), [ben["id"]])
    same([(type(it), it.id, it.display_name) for it in menu.values], [(discord.Member, int(ben["id"]), "Ben")], "users")


@feature("select: roles")
async def select_roles():
    menu = await chosen(ui.RoleSelect(custom_id="roles"), [shop["roles"]["Elder"]])
    same([it.name for it in menu.values], ["Elder"], "roles")


@feature("select: mentionables")
async def select_mentionables():
    menu = await chosen(ui.MentionableSelect(custom_id="any", max_values=2), [ben["id"], shop["roles"]["Elder"]])
    same({it.id for it in menu.values}, {int(ben["id"]), int(shop["roles"]["Elder"])}, "mentionables")


@feature("select: channels")
async def select_channels():
    menu = await chosen(ui.ChannelSelect(custom_id="channels"), [DESK])
    same([it.name for it in menu.values], ["desk"], "channels")


@feature("modal")
async def modal():
    interaction = await said()
    shown = humans["ada"].event("INTERACTION_MODAL_CREATE")
    await interaction.response.send_modal(Order(custom_id="order"))
    form = await shown
    same((form["title"], form["custom_id"]), ("An order", "order"), "modal")
    seen = awaited("order")
    await humans["ada"].submit(DESK, SHOP, form, {"what": "a chair"})
    submitted, filled = await seen
    same((filled.what.value, submitted.message), ("a chair", None), "submitted")
    await submitted.response.send_message("ordered")
    same((await submitted.original_response()).content, "ordered", "reply")


@feature("modal of a button")
async def modal_of_a_button():
    sent = await offered(ui.Button(custom_id="form", label="form"))
    seen = awaited("form")
    await humans["ada"].press(DESK, SHOP, sent.id, "form")
    interaction, _ = await seen
    shown = humans["ada"].event("INTERACTION_MODAL_CREATE")
    await interaction.response.send_modal(Order(custom_id="change"))
    seen = awaited("change")
    await humans["ada"].submit(DESK, SHOP, await shown, {"what": "a table"})
    submitted, filled = await seen
    same(submitted.message.id, sent.id, "message")
    await submitted.response.edit_message(content=filled.what.value, view=None)
    same((await sent.fetch()).content, "a table", "content")


@feature("modal with labels")
async def modal_with_labels():
    interaction = await said()
    shown = humans["ada"].event("INTERACTION_MODAL_CREATE")
    menu = ui.Select(custom_id="wood", options=[discord.SelectOption(label="Oak", value="oak"), discord.SelectOption(label="Ash", value="ash")])

    class Labels(ui.Modal, title="Labels"):
        wood = ui.Label(text="Wood", description="Which one", component=menu)

        async def on_submit(self, interaction):
            await hand("labels", interaction, self)

    await interaction.response.send_modal(Labels(custom_id="labels"))
    seen = awaited("labels")
    await humans["ada"].submit(DESK, SHOP, await shown, {"wood": ["ash"]})
    submitted, filled = await seen
    same(filled.wood.component.values, ["ash"], "values")
    await submitted.response.send_message("noted")


@feature("modal limits")
async def modal_limits():
    interaction = await said()

    def line(custom_id):
        return {"type": 1, "components": [{"type": 4, "custom_id": custom_id, "label": "x", "style": 1}]}

    await fails(callback(interaction, 9, {"custom_id": "m", "title": "x" * 46, "components": [line("a")]}), 50035)
    await fails(callback(interaction, 9, {"custom_id": "m", "title": "x", "components": []}), 50035)
    await fails(callback(interaction, 9, {"custom_id": "m", "title": "x", "components": [line(it) for it in "abcdef"]}), 50035)
    await interaction.response.send_message("no modal")
