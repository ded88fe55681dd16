// What a feature is made of: the client, the people beside it, and what is expected.

import { Client, DefaultRestOptions, Events, GatewayIntentBits as Intents, Partials } from 'discord.js';
import WebSocket from 'ws';

import { recorded } from './record.mjs';

export const world = JSON.parse(process.argv[2]);

/** Every feature by its name, in the order they are walked. */
export const features = {};

export function connectTo(more = {}) {
  return new Client({
    rest: {
      api: world.api_url.replace(/\/v10$/, ''),
      version: '10',
      makeRequest: async (url, init) => recorded(init.method, url, await DefaultRestOptions.makeRequest(url, init)),
    },
    intents: [
      Intents.Guilds, Intents.GuildMembers, Intents.GuildModeration, Intents.GuildExpressions, Intents.GuildWebhooks,
      Intents.GuildInvites, Intents.GuildVoiceStates, Intents.GuildPresences, Intents.GuildMessages, Intents.MessageContent,
      Intents.GuildMessageReactions, Intents.GuildMessageTyping, Intents.GuildMessagePolls, Intents.GuildScheduledEvents, Intents.AutoModerationConfiguration, Intents.AutoModerationExecution,
      Intents.DirectMessages, Intents.DirectMessageReactions, Intents.DirectMessageTyping,
    ],
    partials: [Partials.Channel, Partials.Message, Partials.Reaction, Partials.GuildMember, Partials.ThreadMember],
    ...more,
  });
}

export const client = connectTo();
export const person = Object.fromEntries(world.users.map((user) => [user.name.toLowerCase(), user]));
export const { ada, ben, mika } = person;

const guildNamed = (name) => world.guilds.find((guild) => guild.name === name);
export const tea = guildNamed('Tea House');
export const shop = guildNamed('Workshop');
export const teaHouse = () => client.guilds.cache.get(tea.id);
export const workshop = () => client.guilds.cache.get(shop.id);
export const channel = (name) => client.channels.cache.get(tea.channels[name]);
export const place = (name) => client.channels.cache.get(shop.channels[name]);

let lastBench = 0;
/** A text channel of the Workshop; another one each time, for the sake of its limit. */
export const bench = () => place(`bench-${(lastBench++ % 8) + 1}`);

export function same(actual, expected, what) {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${what}: ${a} instead of ${e}`);
}

/** The first event of this name that fits; ask before you cause it. */
export function event(name, fits = () => true, on = client) {
  return new Promise((resolve) => {
    on.on(name, function seen(...args) {
      if (!fits(...args)) return;
      on.off(name, seen);
      resolve(args.length > 1 ? args : args[0]);
    });
  });
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Expects the library to report this error of Discord's. */
export async function fails(promise, ...codes) {
  const error = await promise.then(() => null, (error) => error);
  if (error !== null && !codes.includes(error.code)) console.error(error);
  same([error?.name, codes.includes(error?.code)], [`DiscordAPIError[${error?.code}]`, true], `the error ${error?.code} ${error?.message}`);
}

/** Plain REST, past the library. */
export async function rest(authorization, method, path, body) {
  const response = await fetch(world.api_url + path, {
    method,
    headers: { ...(authorization && { authorization }), ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return text === '' ? null : JSON.parse(text);
  const { code } = JSON.parse(text.startsWith('{') ? text : '{}');
  throw Object.assign(new Error(`${method} of a human: ${response.status} ${code}`), { status: response.status, code });
}

/** What a human is refused: the status and, unless it is left out, the code. */
export async function refused(promise, status, code) {
  const error = await promise.then(() => null, (error) => error);
  same([error?.status, code && error?.code], [status, code], 'the refusal');
}

export const say = (who, where, content) =>
  rest(who.token, 'POST', `/channels/${tea.channels[where] ?? shop.channels[where] ?? where.id ?? where}/messages`, { content });

export async function fault(body) {
  const response = await fetch(new URL('/emulator/faults', world.api_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`/emulator/faults: ${await response.text()}`);
  return (await response.json()).cut;
}

/** Moves the emulator's clock on. */
export async function advance(minutes) {
  const url = new URL('/emulator/clock', world.api_url);
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_ms: Math.round(minutes * 60_000) }) });
  if (!response.ok) throw new Error(`/emulator/clock: ${await response.text()}`);
}

export const cut = (how) => fault({ cut_gateway: { user_id: world.bot.id, how } });

/** Waits until the walk has the only connection of the bot. */
async function alone() {
  while (await fault({ undeafen_gateway: { user_id: world.bot.id } }) > 1) await sleep(20);
}

/** The owner puts the Elder above everybody, whatever the bot's own role is. */
export async function arrange() {
  const path = `/guilds/${shop.id}/roles`;
  const roles = await rest(ada.token, 'GET', path);
  await rest(ada.token, 'PATCH', path, [{ id: shop.roles.Elder, position: Math.max(...roles.map(({ position }) => position)) }]);
}

/** A picture: one pixel, and as many bytes as are asked for. */
export function picture(bytes = 0) {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const pixel = Buffer.from(png, 'base64');
  return Buffer.concat([pixel, Buffer.alloc(Math.max(0, bytes - pixel.length))]);
}

/** A second client comes, does something, and goes. */
export async function visit(more, what) {
  const second = connectTo(more);
  second.on(Events.Error, () => {});
  second.on(Events.Debug, (line) => { second.asked ??= line.match(/compression: (\S+)/)?.[1]; });
  try {
    const ready = event(Events.ClientReady, undefined, second);
    await second.login(world.bot.token);
    await ready;
    await what(second);
  } finally {
    await second.destroy();
    await alone();
  }
}

/** A human's own client, as far as interactions need one. */
export class Human {
  #heard = [];
  #waiting = [];
  #nonce = 0n;

  constructor(who) {
    this.who = who;
    this.id = who.id;
  }

  /** Connects to the gateway, unless it is connected. */
  async connect(presence = { status: 'online', activities: [], since: 0, afk: false }) {
    if (this.socket) return this;
    this.socket = new WebSocket(`${world.gateway_url}/?v=10&encoding=json`);
    let beat;
    this.socket.on('close', () => clearInterval(beat));
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      const { op, d, t } = JSON.parse(data);
      if (op === 10) {
        this.send(2, { token: this.who.token, properties: { os: 'linux', browser: 'walk', device: '' }, presence, intents: 0x3ffffff });
        beat = setInterval(() => this.send(1, null), d.heartbeat_interval);
      }
      if (op === 0) this.#hear(t, d);
    });
    const { session_id } = await this.event('READY');
    this.session = session_id;
    return this;
  }

  disconnect() {
    this.socket?.close(1000);
    this.socket = undefined;
  }

  send(op, d) {
    this.socket.send(JSON.stringify({ op, d }));
  }

  #hear(name, data) {
    const at = this.#waiting.findIndex((it) => it.name === name && it.fits(data));
    if (at >= 0) this.#waiting.splice(at, 1)[0].resolve(data);
    this.#heard.push({ name, data });
  }

  event(name, fits = () => true) {
    return new Promise((resolve) => this.#waiting.push({ name, fits, resolve }));
  }

  heard(name, fits = () => true) {
    return this.#heard.filter((it) => it.name === name && fits(it.data)).map((it) => it.data);
  }

  /** What Discord's own client sends; it answers with nothing. */
  async interact(type, where, data, more = {}) {
    await this.connect();
    const nonce = String(++this.#nonce + 100000n);
    const guild = where.guildId && { guild_id: where.guildId };
    await rest(this.who.token, 'POST', '/interactions', {
      type, application_id: world.bot.application_id, ...guild, channel_id: where.id, session_id: this.session, nonce, data, ...more,
    });
    return nonce;
  }

  slash(where, command, options = [], more = {}) {
    const { id, version, name, type } = command;
    return this.interact(2, where, { id, version, name, type, options, attachments: [], ...more });
  }

  type(where, command, options) {
    const { id, version, name, type } = command;
    return this.interact(4, where, { id, version, name, type, options, attachments: [] });
  }

  press(message, custom_id) {
    return this.#component(message, { component_type: 2, custom_id });
  }

  choose(message, component_type, custom_id, values) {
    return this.#component(message, { component_type, type: component_type, custom_id, values });
  }

  #component(message, data) {
    const more = { message_id: message.id, message_flags: message.flags?.bitfield ?? message.flags ?? 0 };
    return this.interact(3, message.channel, data, more);
  }

  /** Fills in the modal that came as INTERACTION_MODAL_CREATE. */
  submit(where, modal, values) {
    const fill = (component) => {
      if (component.components) return { type: component.type, components: component.components.map(fill) };
      if (component.component) return { type: component.type, component: fill(component.component) };
      const { type, custom_id } = component;
      return Array.isArray(values[custom_id]) ? { type, custom_id, values: values[custom_id] } : { type, custom_id, value: values[custom_id] };
    };
    return this.interact(5, where, { id: modal.id, custom_id: modal.custom_id, components: modal.components.map(fill) });
  }
}

export const humans = { ada: new Human(person.ada), ben: new Human(person.ben) };
