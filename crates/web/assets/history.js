// The messages of one channel that this page holds, oldest first.

const PAGE = 50;
const OLDER = 100;
const KEPT = 400;
const RELOADS = 3;
const LOOKED_BACK = 40;

// Snowflakes grow with time; longer means later.
export function isLater(one, other) {
  return one.length === other.length ? one > other : one.length > other.length;
}

export class History {
  #rest;
  #channel;
  #byId = new Map();
  #loading = null;
  #generation = 0;
  #disturbed = false;

  messages = [];
  state = "empty"; // empty | loading | loaded | failed
  problem = null;
  reachedStart = false;

  constructor(rest, channel) {
    this.#rest = rest;
    this.#channel = channel;
  }

  get(id) {
    return this.#byId.get(id);
  }

  // Fetches the newest page unless it is here already.
  load() {
    if (this.state === "loaded") return Promise.resolve();
    return this.#fetch(undefined);
  }

  loadOlder() {
    if (this.state !== "loaded" || this.reachedStart) return Promise.resolve();
    return this.#fetch(this.messages[0]?.id);
  }

  // Reads back until a message is here; says whether it came.
  async loadBackTo(id) {
    for (let step = 0; step < LOOKED_BACK && !this.#byId.has(id) && this.state === "loaded" && !this.reachedStart; step += 1) {
      await this.loadOlder();
      if (this.problem) break;
    }
    return this.#byId.has(id);
  }

  get loadingOlder() {
    return this.#loading !== null && this.messages.length > 0;
  }

  // Forgets everything, for a gateway session that missed events. What only
  // this page knows, the messages for its human alone, stays.
  reset() {
    this.messages = this.messages.filter(isEphemeral);
    this.#byId = new Map(this.messages.map((message) => [message.id, message]));
    this.#loading = null;
    this.#generation += 1;
    this.state = "empty";
    this.reachedStart = false;
  }

  #fetch(before) {
    if (this.#loading) return this.#loading;
    if (!before) this.state = "loading";
    this.#loading = this.#fetchPage(before, this.#generation);
    return this.#loading;
  }

  async #fetchPage(before, generation) {
    const limit = before ? OLDER : PAGE;
    const page = await this.#steadyPage(before, limit).catch((problem) => ({ problem }));
    if (generation !== this.#generation) return;
    this.#loading = null;
    this.problem = page.problem ?? null;
    if (this.problem) {
      if (!before) this.state = "failed";
      return;
    }
    this.#merge(page.filter(({ id }) => !this.#byId.has(id)));
    this.reachedStart = page.length < limit;
    this.state = "loaded";
  }

  // A page, newest first, usually older than all that is here.
  #merge(page) {
    const first = this.messages[0]?.id;
    const older = page.filter(({ id }) => first === undefined || isLater(first, id)).reverse();
    for (const message of older) this.#byId.set(message.id, message);
    this.messages = [...older, ...this.messages];
    for (const message of page) if (!this.#byId.has(message.id)) this.#insert(message);
  }

  // An edit, deletion or reaction that arrives while a page is on its way may
  // or may not be part of it; asking again settles the question.
  async #steadyPage(before, limit) {
    for (let attempt = 1; ; attempt += 1) {
      this.#disturbed = false;
      const page = await this.#rest.messages(this.#channel, { before, limit });
      if (!this.#disturbed || attempt === RELOADS) return page;
    }
  }

  // Adds a message or replaces the one with its id.
  put(message) {
    if (this.#byId.has(message.id)) this.#replace(message);
    else this.#insert(message);
  }

  change(id, update) {
    const known = this.#byId.get(id);
    if (known) this.#replace(update(known));
    else this.#disturbed = true;
    return Boolean(known);
  }

  remove(id) {
    if (!this.#byId.delete(id)) this.#disturbed = true;
    else this.messages = this.messages.filter((message) => message.id !== id);
  }

  // What quotes a message follows it: `update` makes the quoted one new, or
  // null of it. Says whether anything here quotes it.
  follow(id, update) {
    const quoting = this.messages.filter((message) => message.message_reference?.message_id === id && message.referenced_message);
    for (const message of quoting) this.#replace({ ...message, referenced_message: update(message.referenced_message) });
    return quoting.length > 0;
  }

  // Drops the oldest messages of a long conversation; scrolling up brings
  // them back.
  trim() {
    const surplus = this.messages.length - KEPT;
    if (surplus <= PAGE || this.#loading) return;
    for (const message of this.messages.splice(0, surplus)) this.#byId.delete(message.id);
    this.reachedStart = false;
  }

  #insert(message) {
    let at = this.messages.length;
    while (at > 0 && isLater(this.messages[at - 1].id, message.id)) at -= 1;
    this.messages.splice(at, 0, message);
    this.#byId.set(message.id, message);
  }

  #replace(message) {
    let at = this.messages.length - 1;
    while (at >= 0 && this.messages[at].id !== message.id) at -= 1;
    if (at >= 0) this.messages[at] = message;
    this.#byId.set(message.id, message);
  }
}

const EPHEMERAL = 1 << 6;

// Whether Discord keeps no such message: its reader alone has it.
export function isEphemeral({ flags }) {
  return ((flags ?? 0) & EPHEMERAL) !== 0;
}
