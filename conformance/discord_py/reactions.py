"""Reactions, and the emoji and stickers of a guild."""

import discord
from content import file
from emulator import bench, channel, client, fails, obj, soon, tea_house, workshop
from people import ada, ben, bot_id, feature, picture, react, same, say, shop, tea


@feature("reaction added and removed")
async def reaction_added_and_removed():
    said = await say(ada, "general", "react to this")
    message = await channel("general").fetch_message(int(said["id"]))
    added = soon("raw_reaction_add", lambda reaction: reaction.user_id == bot_id)
    await message.add_reaction("👍")
    await added
    message = await message.fetch()
    same([(r.emoji, r.count, r.me) for r in message.reactions], [("👍", 1, True)], "reactions")
    same([user.id async for user in message.reactions[0].users()], [bot_id], "users")
    removed = soon("raw_reaction_remove", lambda reaction: reaction.user_id == bot_id)
    await message.remove_reaction("👍", client().user)
    await removed
    same((await message.fetch()).reactions, [], "reactions left")


@feature("reaction seen")
async def reaction_seen():
    said = await say(ada, "general", "watch this")
    added = soon("reaction_add", lambda _, user: user.id == int(ben["id"]))
    await react(ben, tea["channels"]["general"], said["id"], "🍵")
    same((await added)[0].emoji, "🍵", "emoji")
    removed = soon("reaction_remove", lambda _, user: user.id == int(ben["id"]))
    await react(ben, tea["channels"]["general"], said["id"], "🍵", "DELETE")
    same((await removed)[0].emoji, "🍵", "emoji")


@feature("reaction of another removed")
async def reaction_of_another_removed():
    message = await bench().send("look")
    await react(ben, message.channel.id, message.id, "🔨")
    removed = soon("raw_reaction_remove", lambda reaction: reaction.user_id == int(ben["id"]))
    await message.remove_reaction("🔨", obj(ben))
    await removed
    in_tea = await channel("random").send("look")
    await react(ben, in_tea.channel.id, in_tea.id, "🔨")
    await fails(in_tea.remove_reaction("🔨", obj(ben)), 50013)


@feature("reactions cleared")
async def reactions_cleared():
    message = await bench().send("look")
    for emoji in "🔨🪚":
        await react(ben, message.channel.id, message.id, emoji)
    one = soon("raw_reaction_clear_emoji", lambda event: event.message_id == message.id)
    await message.clear_reaction("🔨")
    same((await one).emoji.name, "🔨", "emoji")
    every = soon("raw_reaction_clear", lambda event: event.message_id == message.id)
    await message.clear_reactions()
    await every
    same((await message.fetch()).reactions, [], "reactions left")


@feature("unknown emoji refused")
async def unknown_emoji_refused():
    message = await bench().send("look")
    await fails(message.add_reaction("nothing:1"), 10014)


@feature("guild emoji")
async def guild_emoji():
    guild = tea_house()
    emoji = discord.utils.get(guild.emojis, name="tea")
    same(str(emoji.id), tea["emojis"]["tea"], "emoji")
    sent = await channel("general").send(str(emoji))
    await sent.add_reaction(emoji)
    sent = await sent.fetch()
    same([(r.emoji.id, r.me) for r in sent.reactions], [(emoji.id, True)], "reactions")
    same(len(await guild.fetch_emojis()), 2, "emoji fetched")


@feature("emoji made, changed and deleted")
async def emoji_made():
    def names(emojis):
        return {emoji.name for emoji in emojis}

    created = soon("guild_emojis_update", lambda guild, before, after: "saw" in names(after))
    emoji = await workshop().create_custom_emoji(name="saw", image=picture(), reason="for sawing")
    await created
    same((emoji.name, emoji.animated, emoji.available), ("saw", False, True), "emoji")
    same((await workshop().fetch_emoji(emoji.id)).user.id, bot_id, "author")
    changed = soon("guild_emojis_update", lambda guild, before, after: "handsaw" in names(after))
    await emoji.edit(name="handsaw")
    await changed
    deleted = soon("guild_emojis_update", lambda guild, before, after: "handsaw" not in names(after))
    await emoji.delete()
    await deleted
    await fails(workshop().fetch_emoji(emoji.id), 10014)


@feature("emoji limits")
async def emoji_limits():
    make = workshop().create_custom_emoji
    await fails(make(name="x", image=picture()), 50035)
    await fails(make(name="large", image=picture(257 * 1024)), 50035, 50045, 50138)
    await fails(make(name="text", image=b"\x89PNG\r\n\x1a\n, or so it says"), 50035, 50046)
    await fails(tea_house().create_custom_emoji(name="saw", image=picture()), 50013)


@feature("sticker made, changed and deleted")
async def sticker_made():
    def names(stickers):
        return {sticker.name for sticker in stickers}

    created = soon("guild_stickers_update", lambda guild, before, after: "Glue" in names(after))
    sticker = await workshop().create_sticker(name="Glue", description="Sticks", emoji="🪵", file=file(picture(), "glue.png"))
    await created
    same((sticker.name, sticker.description, sticker.format.value), ("Glue", "Sticks", 1), "sticker")
    same((await workshop().fetch_sticker(sticker.id)).name, "Glue", "fetched")
    changed = soon("guild_stickers_update", lambda guild, before, after: "Wood glue" in names(after))
    await sticker.edit(name="Wood glue")
    await changed
    deleted = soon("guild_stickers_update", lambda guild, before, after: "Wood glue" not in names(after))
    await sticker.delete()
    await deleted
    await fails(workshop().fetch_sticker(sticker.id), 10060)


@feature("sticker limits")
async def sticker_limits():
    make = workshop().create_sticker
    await fails(make(name="x", description="", emoji="🪵", file=file(picture(), "glue.png")), 50035)
    await fails(tea_house().create_sticker(name="Glue", description="", emoji="🪵", file=file(picture(), "glue.png")), 50013)
    same((await client().fetch_sticker(int(shop["stickers"]["Done"]))).name, "Done", "sticker by its id")
    await fails(client().fetch_sticker(1), 10060)


@feature("reaction limit")
async def reaction_limit():
    message = await bench().send("look")
    for emoji in "😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓":
        await react(ada, message.channel.id, message.id, emoji)
    await fails(message.add_reaction("😔"), 30010)
    await message.add_reaction("😀")
