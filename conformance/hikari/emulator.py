"""What a feature is made of with hikari: the bot, and what is expected of it."""

import asyncio
import itertools
import json
import logging
from contextlib import asynccontextmanager, contextmanager

import hikari
from hikari.internal import routes
from people import ada, alone, application_id, cut, same, say, shop, tea, world

TEA, SHOP = int(tea["id"]), int(shop["id"])
APPLICATION = application_id


def new_bot(intents=hikari.Intents.ALL):
    return hikari.GatewayBot(world["bot"]["token"], rest_url=world["api_url"], intents=intents, banner=None, logs=None, suppress_optimization_warning=True)


class Own:
    """The bot of the walk."""

    bot = None


def bot():
    return Own.bot


def api():
    return Own.bot.rest


def soon(kind, fits=lambda event: True, on=None):
    """The first event of this kind that fits; ask before you cause it."""
    listening = on or bot()
    found = asyncio.get_running_loop().create_future()

    async def watch(event):
        if not found.done() and fits(event):
            found.set_result(event)
            listening.event_manager.unsubscribe(kind, watch)

    listening.event_manager.subscribe(kind, watch)
    return found


def channel(name):
    return int(tea["channels"][name])


def place(name):
    return int(shop["channels"][name])


benches = itertools.cycle(range(1, 9))


def bench():
    """A text channel of the Workshop; another one each time, for the sake of its limit."""
    return place(f"bench-{next(benches)}")


def uid(who):
    return int(who["id"])


async def raw(method, path, body=None):
    """A request of the library's own HTTP client."""
    path, _, query = path.partition("?")
    query = dict(pair.split("=") for pair in query.split("&")) if query else None
    return await api()._request(route_of(method, path), json=body, query=query)


def route_of(method, path):
    """hikari tells allowances apart by the names of a route's parameters."""
    _, kind, *rest = path.split("/")
    name = {"channels": "channel", "guilds": "guild", "webhooks": "webhook"}.get(kind)
    if not name or not rest:
        return routes.Route(method, path).compile()
    template = "/".join(["", kind, "{%s}" % name, *rest[1:]])
    return routes.Route(method, template).compile(**{name: rest[0]})


async def listed(iterator, limit=1000):
    return [it async for it in iterator.limit(limit)]


async def fails(awaitable, *codes):
    """Expects the library to report one of these errors of Discord's."""
    try:
        await awaitable
    except hikari.ClientHTTPResponseError as error:
        # hikari reads the code of the usual statuses only.
        code = error.code or json.loads(error.raw_body or b"{}").get("code")
        if code not in codes:
            raise AssertionError(f"the error: {code} {error.message!r} instead of {codes}") from error
        kinds = {400: hikari.BadRequestError, 403: hikari.ForbiddenError, 404: hikari.NotFoundError}
        same(type(error), kinds.get(error.status, type(error)), "kind of error")
    else:
        raise AssertionError(f"it did not fail with {codes}")


async def ready(coming, count=3, **more):
    """Starts a bot and waits until it knows the guilds."""
    known = set()
    enough = asyncio.get_running_loop().create_future()

    async def watch(event):
        known.add(event.guild_id)
        if len(known) == count and not enough.done():
            enough.set_result(None)

    coming.event_manager.subscribe(hikari.GuildAvailableEvent, watch)
    await coming.start(check_for_updates=False, **more)
    await enough
    coming.event_manager.unsubscribe(hikari.GuildAvailableEvent, watch)


@asynccontextmanager
async def visitor(intents=hikari.Intents.ALL, **more):
    """A second bot comes, and goes."""
    second = new_bot(intents)
    try:
        await ready(second, **more)
        yield second
    finally:
        await second.close()
        await alone()


async def resumes(how):
    """Cuts the gateway, speaks meanwhile, and expects to hear it once."""
    content = f"said after {how}"
    heard = []

    async def count(event):
        if event.content == content:
            heard.append(event)

    bot().event_manager.subscribe(hikari.MessageCreateEvent, count)
    back = soon(hikari.ShardResumedEvent)
    seen = soon(hikari.MessageCreateEvent, lambda event: event.content == content)
    same(await cut(how), 1, "connections cut")
    await say(ada, "general", content)
    await asyncio.gather(back, seen)
    bot().event_manager.unsubscribe(hikari.MessageCreateEvent, count)
    same(len(heard), 1, "times heard")


@contextmanager
def refusals():
    """The 429s that the library reports while this is open."""
    found = []

    class Watch(logging.Handler):
        def emit(self, record):
            if "rate limited on" in record.getMessage():
                found.append(record)

    log, watch = logging.getLogger("hikari.rest"), Watch()
    log.addHandler(watch)
    try:
        yield found
    finally:
        log.removeHandler(watch)
