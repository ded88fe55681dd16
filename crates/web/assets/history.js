// The messages of one channel that this page holds, oldest first.

const PAGE = 50;
const KEPT = 400;
const RELOADS = 3;

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

  get loadingOlder() {
    return this.#loading !== null && this.messages.length > 0;
  }

  // Forgets everything, for a gateway session that missed events.
  reset() {
    this.messages = [];
    this.#byId.clear();
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
    const page = await this.#steadyPage(before).catch((problem) => ({ problem }));
    if (generation !== this.#generation) return;
    this.#loading = null;
    this.problem = page.problem ?? null;
    if (this.problem) {
      if (!before) this.state = "failed";
      return;
    }
    for (const message of page) if (!this.#byId.has(message.id)) this.#insert(message);
    this.reachedStart = page.length < PAGE;
    this.state = "loaded";
  }

  // An edit, deletion or reaction that arrives while a page is on its way may
  // or may not be part of it; asking again settles the question.
  async #steadyPage(before) {
    for (let attempt = 1; ; attempt += 1) {
      this.#disturbed = false;
      const page = await this.#rest.messages(this.#channel, { before, limit: PAGE });
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
    const at = this.messages.findIndex(({ id }) => id === message.id);
    this.messages[at] = message;
    this.#byId.set(message.id, message);
  }
}
