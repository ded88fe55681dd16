"""What a feature is made of with discord.py: the client, and what is expected of it."""

import asyncio
import itertools
import logging
from contextlib import asynccontextmanager, contextmanager

import discord
import yarl
from people import ada, alone, cut, say, same, shop, tea, world

discord.http.Route.BASE = world["api_url"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(world["gateway_url"])


class Watching:
    """A client that hands its events to whoever waits for them."""

    def __init__(self, intents=None, **more):
        super().__init__(intents=intents or discord.Intents.all(), enable_debug_events=True, **more)
        self.watchers = []

    def dispatch(self, event, /, *args, **kwargs):
        super().dispatch(event, *args, **kwargs)
        for watch in list(self.watchers):
            watch(event, args)

    def event_soon(self, name, fits=lambda *args: True):
        """The first event of this name that fits; ask before you cause it."""
        found = asyncio.get_running_loop().create_future()

        def watch(event, args):
            if event != name or found.done():
                return
            try:
                if not fits(*args):
                    return
                found.set_result(args[0] if len(args) == 1 else args)
            except Exception as error:
                found.set_exception(error)
            self.watchers.remove(watch)

        self.watchers.append(watch)
        return found

    async def leave(self):
        await self.close()
        await self.connecting


class Listening(Watching, discord.Client):
    pass


class Sharded(Watching, discord.AutoShardedClient):
    pass


class Own:
    """The client of the walk."""

    client = None


def client():
    return Own.client


def soon(name, fits=lambda *args: True):
    return client().event_soon(name, fits)


def tea_house():
    return client().get_guild(int(tea["id"]))


def workshop():
    return client().get_guild(int(shop["id"]))


def channel(name):
    return client().get_channel(int(tea["channels"][name]))


def place(name):
    return client().get_channel(int(shop["channels"][name]))


benches = itertools.cycle(range(1, 9))


def bench():
    """A text channel of the Workshop; another one each time, for the sake of its limit."""
    return place(f"bench-{next(benches)}")


def member(who):
    return workshop().get_member(int(who["id"]))


def obj(who):
    return discord.Object(int(who["id"] if isinstance(who, dict) else who))


async def raw(method, path, body=None, **more):
    """A request of the library's own HTTP client."""
    if body is not None:
        more["json"] = body
    return await client().http.request(discord.http.Route(method, path), **more)


async def fails(awaitable, *codes):
    """Expects the library to report one of these errors of Discord's."""
    try:
        await awaitable
    except discord.HTTPException as error:
        if error.code not in codes:
            raise AssertionError(f"the error: {error.code} {error.text!r} instead of {codes}") from error
        kind = {403: discord.Forbidden, 404: discord.NotFound}.get(error.status, discord.HTTPException)
        same(type(error), kind, "kind of error")
    else:
        raise AssertionError(f"it did not fail with {codes}")


async def connect(kind=Listening, **more):
    """A client that has logged in and connects in the background."""
    coming = kind(**more)
    await coming.login(world["bot"]["token"])
    coming.connecting = asyncio.create_task(coming.connect())
    return coming


@asynccontextmanager
async def visitor(**more):
    """A second client comes, and goes."""
    second = await connect(**more)
    try:
        await second.wait_until_ready()
        yield second
    finally:
        await second.leave()
        await alone()


async def resumes(how):
    """Cuts the gateway, speaks meanwhile, and expects to hear it once."""
    content = f"said after {how}"
    heard = []

    def count(event, args):
        if event == "message" and args[0].content == content:
            heard.append(args[0])

    client().watchers.append(count)
    back = soon("resumed")
    seen = soon("message", lambda message: message.content == content)
    same(await cut(how), 1, "connections cut")
    await say(ada, "general", content)
    await asyncio.gather(back, seen)
    client().watchers.remove(count)
    same(len(heard), 1, "times heard")


@contextmanager
def refusals():
    """The 429s that the library reports while this is open."""
    found = []

    class Watch(logging.Handler):
        def emit(self, record):
            if "responded with 429" in record.getMessage():
                found.append(record)

    log, watch = logging.getLogger("discord.http"), Watch()
    log.addHandler(watch)
    try:
        yield found
    finally:
        log.removeHandler(watch)
