"""Walks discord.py, unmodified, through an emulator.

Usage: python walk.py '{"api_url": …}', the line that `kaiwa emulate` prints.
A second argument walks only the features whose names contain it.
"""

import asyncio
import logging
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "people"))

import discord
import people

import connection, messages, content, components, reactions, threads, channels, guilds, members, webhooks, commands, interactions, presses, community, gateway

logging.basicConfig(level=logging.INFO)
asyncio.run(people.walk("discord.py", discord.__version__))
