// Who types where. A sign of typing lasts ten seconds, or until its author has
// written.

const LASTS_MS = 10_000;

export class Typists {
  #channels = new Map();
  #onChange;

  constructor(onChange) {
    this.#onChange = onChange;
  }

  // Ids of those who type in a channel, oldest first.
  in(channel) {
    return [...(this.#channels.get(channel)?.keys() ?? [])];
  }

  began(channel, user) {
    const typists = this.#channels.get(channel) ?? new Map();
    this.#channels.set(channel, typists);
    clearTimeout(typists.get(user));
    typists.set(user, setTimeout(() => this.ended(channel, user), LASTS_MS));
    this.#onChange(channel);
  }

  ended(channel, user) {
    const typists = this.#channels.get(channel);
    if (!typists?.has(user)) return;
    clearTimeout(typists.get(user));
    typists.delete(user);
    this.#onChange(channel);
  }

  clear() {
    for (const [channel, typists] of this.#channels) for (const user of [...typists.keys()]) this.ended(channel, user);
  }
}
