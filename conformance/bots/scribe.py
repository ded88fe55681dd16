"""A bot as somebody would write it with discord.py: whoever mentions it gets an
answer that grows by editing an embed, in the thread or channel where they are,
and a synced command with autocomplete chooses how it speaks. It knows nothing of
being tested but where Discord is."""

import asyncio
import os

import discord
import yarl
from discord import app_commands
from discord.ext import commands

discord.http.Route.BASE = os.environ["DISCORD_API"] + "/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])

VOICES = {"plain": "{}", "loud": "{}!", "quiet": "({})"}
WAITING, DONE = discord.Colour.orange(), discord.Colour.dark_green()
intents = discord.Intents.default()
intents.message_content = True
bot = commands.Bot(command_prefix="!", intents=intents, help_command=None)
bot.voice = "plain"


@bot.tree.command(name="voice", description="Choose how it speaks")
async def voice(interaction: discord.Interaction, name: str):
    if name not in VOICES:
        await interaction.response.send_message(f"There is no voice {name!r}.", ephemeral=True)
        return
    bot.voice = name
    await interaction.response.send_message(f"It now speaks {name}.")


@voice.autocomplete("name")
async def voices(interaction: discord.Interaction, current: str):
    mark = {bot.voice: "◉"}
    return [app_commands.Choice(name=f"{mark.get(it, '○')} {it}", value=it) for it in VOICES if current.lower() in it]


async def history(message):
    """What the replies lead back to, the oldest first."""
    lines = []
    while message is not None and len(lines) < 10:
        text = message.embeds[0].description if message.author == bot.user and message.embeds else message.content
        lines.insert(0, f"{message.author.display_name}: {text}")
        reference = message.reference
        if reference is None or reference.message_id is None:
            break
        message = reference.cached_message or await message.channel.fetch_message(reference.message_id)
    return lines


async def attached(message):
    texts = [it for it in message.attachments if (it.content_type or "").startswith("text")]
    return [(await it.read()).decode() for it in texts]


@bot.event
async def on_message(message):
    if message.author.bot or bot.user not in message.mentions:
        return
    lines = await history(message)
    files = await attached(message)
    words = f"I heard {len(lines)} lines and {len(files)} files, {message.author.display_name}".split()
    async with message.channel.typing():
        embed = discord.Embed(description="⚪", colour=WAITING)
        answer = await message.reply(embed=embed, silent=True)
        said = ""
        for word in words:
            said = f"{said} {word}".strip()
            embed.description = f"{said} ⚪"
            if len(said) % 3 == 0:
                await answer.edit(embed=embed)
            await asyncio.sleep(0.02)
        embed.description, embed.colour = VOICES[bot.voice].format(said), DONE
        await answer.edit(embed=embed)


@bot.event
async def on_ready():
    await bot.tree.sync()
    await bot.change_presence(activity=discord.CustomActivity(name="Mention me"))
    print("ready", flush=True)


bot.run(os.environ["DISCORD_TOKEN"])
