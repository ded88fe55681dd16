"""The people beside a bot, over plain REST and a gateway of their own, and the table of features. Knows no library."""

import asyncio
import base64
import json
import sys
import time
import traceback

import aiohttp

FEATURE_SECONDS = 20
ALWAYS = ("login", "READY")

world = json.loads(sys.argv[1])
person = {user["name"].lower(): user for user in world["users"]}
ada, ben, mika = person["ada"], person["ben"], person["mika"]
guilds = {guild["name"]: guild for guild in world["guilds"]}
tea, shop = guilds["Tea House"], guilds["Workshop"]
bot_id = int(world["bot"]["id"])
application_id = int(world["bot"]["application_id"])
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

FEATURES = {}


def feature(name):
    """Adds a row to the table; they are walked in this order."""

    def add(walk):
        assert name not in FEATURES, name
        FEATURES[name] = walk
        return walk

    return add


def same(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: {actual!r} instead of {expected!r}")


def picture(size=0):
    """One pixel, and as many bytes as are asked for."""
    return PIXEL + bytes(max(0, size - len(PIXEL)))


def snowflake(seconds_ago=0):
    return (int((time.time() - seconds_ago) * 1000) - 1420070400000) << 22


class Refusal(AssertionError):
    """What the API said to somebody past the library."""

    def __init__(self, method, status, code):
        super().__init__(f"{method} of a human: {status} {code}")
        self.status, self.code = status, code


class Session:
    """Where requests of people come from; opened by `walk`."""

    http = None


async def rest(authorization, method, path, body=None):
    headers = {"Authorization": authorization} if authorization else {}
    async with Session.http.request(method, world["api_url"] + path, json=body, headers=headers) as reply:
        text = await reply.text()
        if reply.status >= 400:
            error = json.loads(text) if text.startswith("{") else {}
            raise Refusal(method, reply.status, error.get("code"))
        return json.loads(text) if text else None


async def refused(awaitable, status, code=None):
    """Expects a human to be refused with this status and, if given, this code."""
    try:
        await awaitable
    except Refusal as refusal:
        same((refusal.status, code and refusal.code), (status, code), "the refusal")
    else:
        raise AssertionError("it was not refused")


async def say(who, where, content):
    where = getattr(where, "id", where)
    where = tea["channels"].get(where) or shop["channels"].get(where) or where
    return await rest(who["token"], "POST", f"/channels/{where}/messages", {"content": content})


async def react(who, channel, message, emoji, method="PUT"):
    """A human's reaction, as soon as the limit for them lets it through."""
    while True:
        try:
            return await rest(who["token"], method, f"/channels/{int(channel)}/messages/{int(message)}/reactions/{emoji}/@me")
        except Refusal as refusal:
            if refusal.status != 429:
                raise
            await asyncio.sleep(0.25)


async def fault(body):
    url = world["api_url"].split("/api/")[0] + "/emulator/faults"
    async with Session.http.post(url, json=body) as reply:
        if reply.status >= 400:
            raise AssertionError(f"/emulator/faults: {await reply.text()}")
        return (await reply.json())["cut"]


async def advance(minutes):
    """Moves the emulator's clock on."""
    url = world["api_url"].split("/api/")[0] + "/emulator/clock"
    async with Session.http.post(url, json={"advance_ms": round(minutes * 60_000)}) as reply:
        if reply.status >= 400:
            raise AssertionError(f"/emulator/clock: {await reply.text()}")


async def cut(how):
    return await fault({"cut_gateway": {"user_id": world["bot"]["id"], "how": how}})


async def alone():
    """Waits until the walk has the only connection of the bot."""
    while await fault({"undeafen_gateway": {"user_id": world["bot"]["id"]}}) > 1:
        await asyncio.sleep(0.02)


async def arrange():
    """The owner puts the Elder above everybody, whatever the bot's own role is."""
    elder = shop["roles"]["Elder"]
    roles = await rest(ada["token"], "GET", f"/guilds/{shop['id']}/roles")
    highest = max(role["position"] for role in roles)
    await rest(ada["token"], "PATCH", f"/guilds/{shop['id']}/roles", [{"id": elder, "position": highest}])


class Human:
    """A human's own client, as far as interactions need one."""

    def __init__(self, who):
        self.who, self.id = who, int(who["id"])
        self.socket = self.session = None
        self.waiting, self.heard, self.nonce = [], [], 100000

    async def connect(self, status="online"):
        """Connects to the gateway, unless it is connected."""
        if self.socket is None:
            self.socket = await Session.http.ws_connect(world["gateway_url"] + "/?v=10&encoding=json")
            ready = self.event("READY")
            self.reading = asyncio.create_task(self._read(status))
            self.session = (await ready)["session_id"]
        return self

    async def disconnect(self):
        if self.socket is not None:
            await self.socket.close()
            self.reading.cancel()
            self.socket = None

    async def send(self, op, data):
        await self.socket.send_json({"op": op, "d": data})

    async def _read(self, status):
        async for frame in self.socket:
            if frame.type != aiohttp.WSMsgType.TEXT:
                continue
            packet = json.loads(frame.data)
            if packet["op"] == 10:
                presence = {"status": status, "activities": [], "since": 0, "afk": False}
                properties = {"os": "linux", "browser": "walk", "device": ""}
                await self.send(
                    2, {"token": self.who["token"], "properties": properties, "presence": presence, "intents": 0x3FFFFFF}
                )
            if packet["op"] == 0:
                self._hear(packet["t"], packet["d"])

    def _hear(self, name, data):
        self.heard.append((name, data))
        for waiting in list(self.waiting):
            wanted, fits, found = waiting
            if wanted == name and not found.done() and fits(data):
                self.waiting.remove(waiting)
                found.set_result(data)

    def event(self, name, fits=lambda data: True):
        found = asyncio.get_running_loop().create_future()
        self.waiting.append((name, fits, found))
        return found

    async def interact(self, kind, channel, guild, data, **more):
        """What Discord's own client sends; it answers with nothing."""
        await self.connect()
        self.nonce += 1
        body = {"type": kind, "application_id": str(application_id), "channel_id": str(channel)}
        if guild is not None:
            body["guild_id"] = str(guild)
        body |= {"session_id": self.session, "nonce": str(self.nonce), "data": data, **more}
        await rest(self.who["token"], "POST", "/interactions", body)

    async def slash(self, channel, guild, command, options=(), **more):
        data = self._command(command, options) | more
        await self.interact(2, channel, guild, data)

    async def type(self, channel, guild, command, options):
        await self.interact(4, channel, guild, self._command(command, options))

    @staticmethod
    def _command(command, options):
        keys = {key: command[key] for key in ("id", "version", "name", "type")}
        return keys | {"options": list(options), "attachments": []}

    async def press(self, channel, guild, message, custom_id):
        data = {"component_type": 2, "custom_id": custom_id}
        await self.interact(3, channel, guild, data, message_id=str(message), message_flags=0)

    async def choose(self, channel, guild, message, kind, custom_id, values):
        data = {"component_type": kind, "type": kind, "custom_id": custom_id, "values": [str(it) for it in values]}
        await self.interact(3, channel, guild, data, message_id=str(message), message_flags=0)

    async def submit(self, channel, guild, modal, values):
        """Fills in the modal that came as INTERACTION_MODAL_CREATE."""

        def fill(component):
            if "components" in component:
                return {"type": component["type"], "components": [fill(it) for it in component["components"]]}
            if "component" in component:
                return {"type": component["type"], "component": fill(component["component"])}
            value = values[component["custom_id"]]
            key = "values" if isinstance(value, list) else "value"
            return {"type": component["type"], "custom_id": component["custom_id"], key: value}

        data = {"id": modal["id"], "custom_id": modal["custom_id"], "components": [fill(it) for it in modal["components"]]}
        await self.interact(5, channel, guild, data)


humans = {"ada": Human(ada), "ben": Human(ben)}


async def returns(who):
    """Somebody who was put out comes back by an invite of the owner's."""
    invite = await rest(ada["token"], "POST", f"/channels/{shop['channels']['bench-1']}/invites", {"unique": True})
    await rest(who["token"], "POST", f"/invites/{invite['code']}", {})


def show(line):
    print(json.dumps(line), flush=True)


async def walk(client, version):
    """Prints the list of features, then one JSON line for each as it is done."""
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    wanted = [name for name in FEATURES if name in ALWAYS or only in name]
    show({"client": client, "version": version, "features": wanted})
    async with aiohttp.ClientSession() as Session.http:
        for name in wanted:
            began = time.monotonic()
            try:
                await asyncio.wait_for(FEATURES[name](), FEATURE_SECONDS)
                show({"feature": name, "result": "pass"})
            except Exception as error:
                print(f"{name} failed", file=sys.stderr)
                traceback.print_exc()
                late = isinstance(error, asyncio.TimeoutError)
                note = f"nothing happened in {FEATURE_SECONDS} s" if late else str(error) or repr(error)
                show({"feature": name, "result": "fail", "note": note.splitlines()[0]})
            if time.monotonic() - began > 1:
                print(f"{name} took {time.monotonic() - began:.1f} s", file=sys.stderr)
        for human in humans.values():
            await human.disconnect()
