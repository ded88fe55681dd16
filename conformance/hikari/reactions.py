"""Reactions, and the emoji and stickers of a guild."""

import hikari
from content import again, file
from emulator import SHOP, TEA, api, bench, bot, channel, fails, listed, soon, uid
from messages import send
from people import ada, ben, bot_id, feature, picture, react, same, say, shop, tea

Added, Removed = hikari.ReactionAddEvent, hikari.ReactionDeleteEvent


@feature("reaction added and removed")
async def reaction_added_and_removed():
    said = int((await say(ada, "general", "react to this"))["id"])
    added = soon(Added, lambda event: event.user_id == bot_id)
    await api().add_reaction(channel("general"), said, "👍")
    await added
    message = await api().fetch_message(channel("general"), said)
    same([(str(it.emoji), it.count, it.is_me) for it in message.reactions], [("👍", 1, True)], "reactions")
    users = await listed(api().fetch_reactions_for_emoji(channel("general"), said, "👍"))
    same([it.id for it in users], [bot_id], "users")
    removed = soon(Removed, lambda event: event.user_id == bot_id)
    await api().delete_my_reaction(channel("general"), said, "👍")
    await removed
    same(list((await api().fetch_message(channel("general"), said)).reactions), [], "reactions left")


@feature("reaction seen")
async def reaction_seen():
    said = await say(ada, "general", "watch this")
    added = soon(Added, lambda event: event.user_id == uid(ben))
    await react(ben, tea["channels"]["general"], said["id"], "🍵")
    same((await added).emoji_name, "🍵", "emoji")
    removed = soon(Removed, lambda event: event.user_id == uid(ben))
    await react(ben, tea["channels"]["general"], said["id"], "🍵", "DELETE")
    same((await removed).emoji_name, "🍵", "emoji")


@feature("reaction of another removed")
async def reaction_of_another_removed():
    message = await send(bench(), "look")
    await react(ben, message.channel_id, message.id, "🔨")
    removed = soon(Removed, lambda event: event.user_id == uid(ben))
    await api().delete_reaction(message.channel_id, message, uid(ben), "🔨")
    await removed
    in_tea = await send(channel("random"), "look")
    await react(ben, in_tea.channel_id, in_tea.id, "🔨")
    await fails(api().delete_reaction(in_tea.channel_id, in_tea, uid(ben), "🔨"), 50013)


@feature("reactions cleared")
async def reactions_cleared():
    message = await send(bench(), "look")
    for emoji in "🔨🪚":
        await react(ben, message.channel_id, message.id, emoji)
    one = soon(hikari.GuildReactionDeleteEmojiEvent, lambda event: event.message_id == message.id)
    await api().delete_all_reactions_for_emoji(message.channel_id, message, "🔨")
    same((await one).emoji_name, "🔨", "emoji")
    every = soon(hikari.GuildReactionDeleteAllEvent, lambda event: event.message_id == message.id)
    await message.remove_all_reactions()
    await every
    same(list((await again(message)).reactions), [], "reactions left")


@feature("unknown emoji refused")
async def unknown_emoji_refused():
    message = await send(bench(), "look")
    await fails(message.add_reaction("nothing", 1), 10014)


@feature("guild emoji")
async def guild_emoji():
    emoji = next(it for it in bot().cache.get_emojis_view_for_guild(TEA).values() if it.name == "tea")
    same(str(emoji.id), tea["emojis"]["tea"], "emoji")
    sent = await send(channel("general"), str(emoji))
    await sent.add_reaction(emoji)
    same([(it.emoji.id, it.is_me) for it in (await again(sent)).reactions], [(emoji.id, True)], "reactions")
    same(len(await api().fetch_guild_emojis(TEA)), 2, "emoji fetched")


@feature("emoji made, changed and deleted")
async def emoji_made():
    def names(event):
        return {it.name for it in event.emojis}

    created = soon(hikari.EmojisUpdateEvent, lambda event: "saw" in names(event))
    emoji = await api().create_emoji(SHOP, "saw", file(picture(), "saw.png"), reason="for sawing")
    await created
    same((emoji.name, emoji.is_animated, emoji.is_available), ("saw", False, True), "emoji")
    same((await api().fetch_emoji(SHOP, emoji)).user.id, bot_id, "author")
    changed = soon(hikari.EmojisUpdateEvent, lambda event: "handsaw" in names(event))
    await api().edit_emoji(SHOP, emoji, name="handsaw")
    await changed
    deleted = soon(hikari.EmojisUpdateEvent, lambda event: "handsaw" not in names(event))
    await api().delete_emoji(SHOP, emoji)
    await deleted
    await fails(api().fetch_emoji(SHOP, emoji), 10014)


@feature("emoji limits")
async def emoji_limits():
    await fails(api().create_emoji(SHOP, "x", file(picture(), "x.png")), 50035)
    await fails(api().create_emoji(SHOP, "large", file(picture(257 * 1024), "x.png")), 50035, 50045, 50138)
    await fails(api().create_emoji(SHOP, "text", file("no picture", "x.png")), 50035, 50046)
    await fails(api().create_emoji(TEA, "saw", file(picture(), "x.png")), 50013)


@feature("sticker made, changed and deleted")
async def sticker_made():
    def names(event):
        return {it.name for it in event.stickers}

    created = soon(hikari.StickersUpdateEvent, lambda event: "Glue" in names(event))
    sticker = await api().create_sticker(SHOP, "Glue", "glue", file(picture(), "glue.png"), description="Sticks")
    await created
    same((sticker.name, sticker.description, sticker.tag, int(sticker.format_type)), ("Glue", "Sticks", "glue", 1), "sticker")
    same((await api().fetch_guild_sticker(SHOP, sticker)).name, "Glue", "fetched")
    changed = soon(hikari.StickersUpdateEvent, lambda event: "Wood glue" in names(event))
    await api().edit_sticker(SHOP, sticker, name="Wood glue")
    await changed
    deleted = soon(hikari.StickersUpdateEvent, lambda event: "Wood glue" not in names(event))
    await api().delete_sticker(SHOP, sticker)
    await deleted
    await fails(api().fetch_guild_sticker(SHOP, sticker), 10060)


@feature("sticker limits")
async def sticker_limits():
    await fails(api().create_sticker(SHOP, "x", "glue", file(picture(), "glue.png")), 50035)
    await fails(api().create_sticker(TEA, "Glue", "glue", file(picture(), "glue.png")), 50013)
    same((await api().fetch_sticker(int(shop["stickers"]["Done"]))).name, "Done", "sticker by its id")
    await fails(api().fetch_sticker(1), 10060)


@feature("reaction limit")
async def reaction_limit():
    message = await send(bench(), "look")
    for emoji in "😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓":
        await react(ada, message.channel_id, message.id, emoji)
    await fails(message.add_reaction("😔"), 30010)
    await message.add_reaction("😀")
