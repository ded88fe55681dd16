// The commands of a place, as its applications have registered them.

const CHAT_INPUT = 1;
export const USER_COMMAND = 2;
export const MESSAGE_COMMAND = 3;
const SUBCOMMAND = 1;
const GROUP = 2;
const FRESH_MS = 5000;

export class Commands {
  #rest;
  #known = new Map();

  constructor(rest) {
    this.#rest = rest;
  }

  // Every command that can be used in a channel; empty where none is known.
  async in(channel) {
    const key = channel.guild_id ?? channel.id;
    const known = this.#known.get(key);
    if (known && Date.now() - known.at < FRESH_MS) return known.commands;
    const index = await this.#rest.commands(channel).catch(() => null);
    const names = new Map((index?.applications ?? []).map(({ id, name, bot }) => [id, { name: bot?.username ?? name, bot }]));
    const commands = (index?.application_commands ?? []).map((command) => ({ ...command, application: names.get(command.application_id) }));
    this.#known.set(key, { at: Date.now(), commands });
    return commands;
  }

  async menu(channel, type) {
    return (await this.in(channel)).filter((command) => command.type === type);
  }

  // What can be typed after a slash: { path, description, options, command },
  // a subcommand being one of its own.
  async typed(channel) {
    const commands = (await this.in(channel)).filter(({ type }) => (type ?? CHAT_INPUT) === CHAT_INPUT);
    return commands.flatMap((command) => flatten(command));
  }
}

function flatten(command) {
  const walk = (node, path) => {
    const nested = (node.options ?? []).filter(({ type }) => type === SUBCOMMAND || type === GROUP);
    if (nested.length > 0) return nested.flatMap((inner) => walk(inner, [...path, inner]));
    return [{ command, path, name: [command.name, ...path.map(({ name }) => name)].join(" "), shown: [shownName(command), ...path.map(shownName)].join(" "), description: node.description_localized ?? node.description ?? "", options: node.options ?? [] }];
  };
  return walk(command, []);
}

function shownName({ name_localized: localized, name }) {
  return localized ?? name;
}

// Those whose name begins with what was typed, then those that contain it.
export function matching(all, query) {
  const wanted = query.trim().toLowerCase();
  const place = ({ shown }) => shown.toLowerCase().indexOf(wanted);
  return all.filter((one) => place(one) >= 0).sort((a, b) => place(a) - place(b) || a.shown.localeCompare(b.shown));
}

// The options of an interaction: those of a subcommand stand inside it.
export function nest(path, options) {
  return path.reduceRight((inner, { name, type }) => [{ name, type, options: inner }], options);
}
