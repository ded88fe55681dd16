// Between what people type (`@Kaiwa`, `#general`, `:tea:`) and what Discord
// stores (`<@id>`, `<#id>`, `<:tea:id>`).

const CODE = /(```[\s\S]*?```|`[^`\n]*`)/;
const WORD = /[\p{L}\p{N}_]/u;
const SUGGESTED = 8;

// Typed text as it is sent. Code keeps its text, as on Discord.
export function encode(text, directory) {
  const names = targets(directory);
  return text.split(CODE).map((part, index) => (index % 2 === 1 ? part : encodeEmoji(encodePlain(part, names), directory))).join("");
}

// Stored text as it is edited.
export function decode(text, directory) {
  return text
    .replace(/<@!?(\d{1,20})>/g, (tag, id) => (directory.nameOf(id) ? `@${directory.nameOf(id)}` : tag))
    .replace(/<@&(\d{1,20})>/g, (tag, id) => (directory.role(id) ? `@${directory.role(id).name}` : tag))
    .replace(/<a?:(\w{1,32}):\d{1,20}>/g, ":$1:")
    .replace(/<#(\d{1,20})>/g, (tag, id) => (directory.channel(id)?.name ? `#${directory.channel(id).name}` : tag));
}

// The users that a text to be sent calls.
export function called(text) {
  return [...new Set([...text.matchAll(/<@!?(\d{1,20})>/g)].map(([, id]) => id))];
}

// What begins with `query` after a sign, then what contains it, as
// { name, text, user?, emoji?, channel?, hint? }.
export function candidates(sign, query, directory) {
  const wanted = query.toLowerCase();
  const place = ({ name, user }) => {
    const at = [name, user?.username ?? ""].map((text) => text.toLowerCase().indexOf(wanted)).filter((found) => found >= 0);
    return at.length === 0 ? Infinity : Math.min(...at);
  };
  return everything(sign, directory)
    .filter((one) => place(one) < Infinity)
    .sort((a, b) => place(a) - place(b))
    .slice(0, SUGGESTED);
}

function everything(sign, directory) {
  if (sign === ":") return directory.emojis().map((emoji) => ({ name: emoji.name, text: `:${emoji.name}:`, emoji }));
  if (sign === "#") return channels(directory).map((channel) => ({ name: channel.name, text: `#${channel.name}`, channel }));
  const people = directory.members().filter(({ id }) => id !== directory.me?.id).map(({ name, user }) => ({ name, text: `@${name}`, user }));
  const roles = directory.roles().filter(({ managed }) => !managed).map(({ name }) => ({ name, text: `@${name}`, hint: "role" }));
  return [...people, ...roles];
}

function channels(directory) {
  return directory.sections().flatMap((section) => section.channels);
}

// Everything that can be named, longest name first so that `@Ada Lovelace`
// is not read as `@Ada`. People come before roles of the same name.
function targets(directory) {
  const people = directory.members().flatMap(({ id, name, user }) =>
    [...new Set([name, user?.username])].filter(Boolean).map((text) => ({ text: `@${text}`.toLowerCase(), tag: `<@${id}>` })),
  );
  const roles = directory.roles().map(({ id, name }) => ({ text: `@${name}`.toLowerCase(), tag: `<@&${id}>` }));
  const places = channels(directory).map(({ id, name }) => ({ text: `#${name}`.toLowerCase(), tag: `<#${id}>` }));
  return [...people, ...roles, ...places].sort((a, b) => b.text.length - a.text.length);
}

function encodePlain(text, names) {
  const lower = text.toLowerCase();
  // Lower-casing may change the length of a few letters; then names cannot be
  // found by place, and the text is sent as typed.
  if (lower.length !== text.length) return text;
  let out = "";
  let from = 0;
  for (let at = nextSign(lower, 0); at >= 0; at = nextSign(lower, Math.max(at + 1, from))) {
    if (at > 0 && (WORD.test(lower[at - 1]) || lower[at - 1] === "<" || lower[at - 1] === "\\")) continue;
    const found = names.find(({ text: name }) => lower.startsWith(name, at) && !WORD.test(lower[at + name.length] ?? " "));
    if (!found) continue;
    out += text.slice(from, at) + found.tag;
    from = at + found.text.length;
  }
  return out + text.slice(from);
}

function encodeEmoji(text, directory) {
  return text.replace(/(?<![<\w]):(\w{2,32}):(?!\d)/g, (typed, name) => {
    const known = directory.emojis().find((emoji) => emoji.name === name);
    return known ? `<${known.animated ? "a" : ""}:${name}:${known.id}>` : typed;
  });
}

function nextSign(text, from) {
  for (let at = from; at < text.length; at += 1) if (text[at] === "@" || text[at] === "#") return at;
  return -1;
}
