"""Components, as they are sent; interactions.py has them used."""

import hikari
from content import again, file
from emulator import bench, fails, raw
from hikari.impl import special_endpoints as builders
from messages import send
from people import feature, same

V2 = hikari.MessageFlag.IS_COMPONENTS_V2


async def post(body):
    return await raw("POST", f"/channels/{bench()}/messages", body)


def button(custom_id, **more):
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id} | more


def row(*components):
    return {"type": 1, "components": list(components)}


def pressable(custom_id):
    return builders.MessageActionRowBuilder().add_interactive_button(hikari.ButtonStyle.PRIMARY, custom_id, label=custom_id)


@feature("components sent")
async def components_sent():
    primary = hikari.ButtonStyle.PRIMARY
    buttons = builders.MessageActionRowBuilder()
    buttons.add_interactive_button(primary, "go", label="Go").add_link_button("https://example.com", label="more")
    buttons.add_interactive_button(primary, "no", label="no", is_disabled=True)
    selects = builders.MessageActionRowBuilder()
    menu = selects.add_text_menu("wood", placeholder="wood", min_values=1, max_values=2)
    menu.add_option("Oak", "oak", description="hard", is_default=True).add_option("Ash", "ash", emoji="🪵")
    kinds = [hikari.ChannelType.GUILD_TEXT, hikari.ChannelType.GUILD_NEWS]
    channels = builders.MessageActionRowBuilder().add_channel_menu("where", channel_types=kinds)
    sent = await again(await send(bench(), "choose", components=[buttons, selects, channels]))
    first, second, third = [it.components for it in sent.components]
    expected = [("go", "Go", 1, None, False), (None, "more", 5, "https://example.com", False), ("no", "no", 1, None, True)]
    same([(b.custom_id, b.label, int(b.style), b.url, b.is_disabled) for b in first], expected, "buttons")
    wood = second[0]
    same((wood.custom_id, wood.placeholder, wood.min_values, wood.max_values), ("wood", "wood", 1, 2), "select")
    same([(it.value, it.is_default) for it in wood.options], [("oak", True), ("ash", False)], "options")
    same((int(third[0].type), [int(it) for it in third[0].channel_types]), (8, [0, 5]), "channel select")


@feature("components edited away")
async def components_edited_away():
    sent = await send(bench(), "choose", component=pressable("go"))
    same(list((await sent.edit(components=None)).components), [], "components")


@feature("component limits")
async def component_limits():
    await fails(post({"content": "x", "components": [row(button(str(n))) for n in range(6)]}), 50035)
    await fails(post({"content": "x", "components": [row(*[button(str(n)) for n in range(6)])]}), 50035)
    await fails(post({"content": "x", "components": [row(button("twice"), button("twice"))]}), 50035)
    await fails(post({"content": "x", "components": [row(button("x" * 101))]}), 50035)
    await fails(post({"content": "x", "components": [row(button("a", label="x" * 81))]}), 50035)
    options = [{"label": str(n), "value": str(n)} for n in range(26)]
    await fails(post({"content": "x", "components": [row({"type": 3, "custom_id": "s", "options": options})]}), 50035)
    await fails(post({"content": "x", "components": [row({"type": 2, "style": 5, "label": "no address"})]}), 50035)


@feature("components v2 sent")
async def components_v2_sent():
    box = builders.ContainerComponentBuilder(accent_color=hikari.Color(0x123456)).add_text_display("# Title")
    box.add_separator(divider=True, spacing=hikari.SpacingType.LARGE)
    section = builders.SectionComponentBuilder(accessory=builders.ThumbnailComponentBuilder(media="https://example.com/a.png", description="A"))
    box.add_component(section.add_text_display("beside a picture")).add_component(pressable("go"))
    gallery = builders.MediaGalleryComponentBuilder()
    gallery.add_media_gallery_item("https://example.com/b.png", description="B", spoiler=True)
    parts = [builders.TextDisplayComponentBuilder(content="hello"), box, gallery, builders.FileComponentBuilder(file=file("some text", "note.txt"))]
    sent = await again(await send(bench(), components=parts, flags=V2))
    same((bool(sent.flags & V2), sent.content or None), (True, None), "message")
    same([int(it.type) for it in sent.components], [10, 17, 12, 13], "kinds")
    hello, stored, pictures, note = sent.components
    same((hello.content, int(stored.accent_color)), ("hello", 0x123456), "text and colour")
    same([int(it.type) for it in stored.components], [10, 14, 9, 1], "kinds in the container")
    same(stored.components[2].accessory.media.resource.url, "https://example.com/a.png", "thumbnail")
    same((pictures.items[0].description, pictures.items[0].is_spoiler), ("B", True), "gallery")
    same(await note.file.read(), b"some text", "file")
    same(type(hello.id), int, "id of a component")


@feature("components v2 rules")
async def components_v2_rules():
    hello, flags = {"type": 10, "content": "hello"}, int(V2)
    await fails(post({"flags": flags, "content": "x", "components": [hello]}), 50035)
    await fails(post({"flags": flags, "embeds": [{"title": "x"}], "components": [hello]}), 50035)
    await fails(post({"content": "x", "components": [hello]}), 50035)
    await fails(post({"flags": flags, "components": [hello] * 41}), 50035)
    await fails(post({"flags": flags, "components": [{"type": 10, "content": "x" * 4001}]}), 50035)
    await fails(post({"flags": flags, "components": [{"type": 9, "components": [hello]}]}), 50035)


@feature("components v2 edited")
async def components_v2_edited():
    def text(content):
        return builders.TextDisplayComponentBuilder(content=content)

    sent = await send(bench(), component=text("before"), flags=V2)
    edited = await sent.edit(component=text("after"), flags=V2)
    same(edited.components[0].content, "after", "text")
    await fails(raw("PATCH", f"/channels/{sent.channel_id}/messages/{sent.id}", {"content": "plain"}), 50035)
