"""Components, as they are sent; interactions.py has them used."""

import discord
from content import file
from discord import ui
from emulator import bench, fails, raw
from people import Session, feature, same

V2 = 1 << 15


async def send(body):
    return await raw("POST", f"/channels/{bench().id}/messages", body)


def button(custom_id, **more):
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id} | more


def row(*components):
    return {"type": 1, "components": list(components)}


def shown(*items):
    layout = ui.LayoutView()
    for item in items:
        layout.add_item(item)
    return layout


@feature("components sent")
async def components_sent():
    view = ui.View()
    view.add_item(ui.Button(custom_id="go", label="Go", style=discord.ButtonStyle.primary, row=0))
    view.add_item(ui.Button(url="https://example.com", label="more", row=0))
    view.add_item(ui.Button(custom_id="no", label="no", style=discord.ButtonStyle.primary, disabled=True, row=0))
    select = ui.Select(custom_id="wood", placeholder="wood", min_values=1, max_values=2, row=1)
    select.add_option(label="Oak", value="oak", description="hard", default=True)
    select.add_option(label="Ash", value="ash", emoji="🪵")
    view.add_item(select)
    kinds = [discord.ChannelType.text, discord.ChannelType.news]
    view.add_item(ui.ChannelSelect(custom_id="where", channel_types=kinds, row=2))
    sent = await (await bench().send("choose", view=view)).fetch()
    buttons, selects, channels = [it.children for it in sent.components]
    expected = [("go", "Go", 1, None, False), (None, "more", 5, "https://example.com", False), ("no", "no", 1, None, True)]
    same([(b.custom_id, b.label, b.style.value, b.url, b.disabled) for b in buttons], expected, "buttons")
    wood = selects[0]
    same((wood.custom_id, wood.placeholder, wood.min_values, wood.max_values), ("wood", "wood", 1, 2), "select")
    same([(it.value, it.default) for it in wood.options], [("oak", True), ("ash", False)], "options")
    same((channels[0].type.value, channels[0].channel_types), (8, kinds), "channel select")
    view.stop()


@feature("components edited away")
async def components_edited_away():
    view = ui.View()
    view.add_item(ui.Button(custom_id="go", label="go"))
    sent = await bench().send("choose", view=view)
    same((await sent.edit(view=None)).components, [], "components")


@feature("component limits")
async def component_limits():
    await fails(send({"content": "x", "components": [row(button(str(n))) for n in range(6)]}), 50035)
    await fails(send({"content": "x", "components": [row(*[button(str(n)) for n in range(6)])]}), 50035)
    await fails(send({"content": "x", "components": [row(button("twice"), button("twice"))]}), 50035)
    await fails(send({"content": "x", "components": [row(button("x" * 101))]}), 50035)
    await fails(send({"content": "x", "components": [row(button("a", label="x" * 81))]}), 50035)
    options = [{"label": str(n), "value": str(n)} for n in range(26)]
    await fails(send({"content": "x", "components": [row({"type": 3, "custom_id": "s", "options": options})]}), 50035)
    await fails(send({"content": "x", "components": [row({"type": 2, "style": 5, "label": "no address"})]}), 50035)


@feature("components v2 sent")
async def components_v2_sent():
    thumbnail = ui.Thumbnail("https://example.com/a.png", description="A")
    box = ui.Container(
        ui.TextDisplay("# Title"),
        ui.Separator(visible=True, spacing=discord.SeparatorSpacing.large),
        ui.Section("beside a picture", accessory=thumbnail),
        ui.ActionRow(ui.Button(custom_id="go", label="go")),
        accent_colour=0x123456,
    )
    gallery = ui.MediaGallery(discord.MediaGalleryItem("https://example.com/b.png", description="B", spoiler=True))
    layout = shown(ui.TextDisplay("hello"), box, gallery, ui.File("attachment://note.txt"))
    sent = await (await bench().send(view=layout, file=file("some text", "note.txt"))).fetch()
    same((sent.flags.components_v2, sent.content), (True, ""), "message")
    same([it.type.value for it in sent.components], [10, 17, 12, 13], "kinds")
    hello, stored, pictures, note = sent.components
    same((hello.content, stored.accent_colour.value), ("hello", 0x123456), "text and colour")
    same([it.type.value for it in stored.children], [10, 14, 9, 1], "kinds in the container")
    same(stored.children[2].accessory.media.url, "https://example.com/a.png", "thumbnail")
    same((pictures.items[0].description, pictures.items[0].spoiler), ("B", True), "gallery")
    async with Session.http.get(note.media.url) as reply:
        same((await reply.text(), note.name, note.size), ("some text", "note.txt", 9), "file")
    same(type(hello.id), int, "id of a component")


@feature("components v2 rules")
async def components_v2_rules():
    hello = {"type": 10, "content": "hello"}
    await fails(send({"flags": V2, "content": "x", "components": [hello]}), 50035)
    await fails(send({"flags": V2, "embeds": [{"title": "x"}], "components": [hello]}), 50035)
    await fails(send({"content": "x", "components": [hello]}), 50035)
    await fails(send({"flags": V2, "components": [hello] * 41}), 50035)
    await fails(send({"flags": V2, "components": [{"type": 10, "content": "x" * 4001}]}), 50035)
    await fails(send({"flags": V2, "components": [{"type": 9, "components": [hello]}]}), 50035)


@feature("components v2 edited")
async def components_v2_edited():
    sent = await bench().send(view=shown(ui.TextDisplay("before")))
    edited = await sent.edit(view=shown(ui.TextDisplay("after")))
    same(edited.components[0].content, "after", "text")
    await fails(raw("PATCH", f"/channels/{sent.channel.id}/messages/{sent.id}", {"content": "plain"}), 50035)
