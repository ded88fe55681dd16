// Building elements. Text only ever becomes text nodes, so nothing that a
// message holds can turn into markup.

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  members: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.2.8 3.5 2.8 3.5 5.5",
  reply: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  edit: "M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  react: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18M9 10h.01M15 10h.01M8.5 14.5c2 2 5 2 7 0",
  send: "M4 12 20 4l-5 16-3.5-6.5zM11.5 13.5 20 4",
  close: "M6 6l12 12M18 6 6 18",
  down: "M6 10l6 6 6-6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  thread: "M9 3 7 15M16 3l-2 9M4 7h15M3 12h11M14 16h7M14 20h5",
  forum: "M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12h5",
  voice: "M4 9v6h4l5 4V5L8 9zM16 9c1.5 1.5 1.5 4.5 0 6M18.5 6.5c3 3 3 8 0 11",
  news: "M4 10v4h3l9 4V6L7 10zM8 14v5M19 10v4",
  add: "M12 5v14M5 12h14",
  why: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18",
  hash: "M9 4 7 20M17 4l-2 16M4 9h17M3 15h17",
  attach: "M8 12.5l6-6a3 3 0 0 1 4.2 4.2l-8 8a5 5 0 0 1-7-7l8-8",
  more: "M4.7 12h.6M11.7 12h.6M18.7 12h.6",
  panes: "M4 5h16v14H4zM12 5v14",
  surface: "M3 12h4l3-7 4 14 3-7h4",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  apps: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  link: "M14 4h6v6M20 4l-9 9M17 14v6H4V7h6",
};

// An element. `props` are attributes, except `class`, `dataset`, and `on`
// (event listeners). `false`, `null` and `undefined` leave an attribute out.
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") node.className = value;
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (name === "on") listen(node, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function listen(node, listeners) {
  for (const [event, listener] of Object.entries(listeners)) node.addEventListener(event, listener);
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, props = {}) {
  const { class: extra, ...rest } = props;
  return h("button", { type: "button", class: `icon-button ${extra ?? ""}`, "aria-label": label, title: label, ...rest }, icon(name));
}

// A round picture made of the name's first letters, in a colour that follows
// from the name. `person` is a Discord user object.
// Letters on a colour, and over them the picture, if there is one. Another
// picture that is not kept here is another colour.
export function avatar(person, name, size = "") {
  const hue = [...(person?.avatar ?? name)].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 8;
  const letters = [...name.split(/\s+/u).map((word) => [...word][0] ?? "").join("")].slice(0, 2).join("") || "?";
  const look = person?.bot && !person.avatar ? "avatar-bot" : `avatar-${hue}`;
  return h("span", { class: `avatar ${look} ${size}`, "aria-hidden": "true" }, letters.toUpperCase(), portrait(person));
}

function portrait(person) {
  if (!person?.avatar) return null;
  const src = `/cdn/avatars/${encodeURIComponent(person.id)}/${encodeURIComponent(person.avatar)}.png`;
  const picture = h("img", { class: "portrait", src, alt: "", loading: "lazy" });
  picture.addEventListener("load", () => picture.classList.add("seen"));
  picture.addEventListener("error", () => picture.remove());
  return picture;
}

const PRESENCES = { online: "Online", idle: "Idle", dnd: "Do not disturb", offline: "Offline" };

// A round picture with a dot that says whether its owner is there.
export function avatarWithPresence(person, name, status, size) {
  const known = PRESENCES[status];
  const dot = known ? h("span", { class: `presence presence-${status}`, role: "img", "aria-label": known, title: known }) : null;
  return h("span", { class: "avatar-holder" }, avatar(person, name, size), dot);
}

// An emoji: a character, or a guild's picture if the guild is known. The page
// is served where the pictures are.
export function emojiNode({ id, name }, directory) {
  if (!id) return document.createTextNode(name);
  if (!directory.emoji(id)) return h("span", { class: "custom-emoji" }, `:${name}:`);
  return h("img", { class: "custom-emoji", src: `/cdn/emojis/${encodeURIComponent(id)}.png`, alt: `:${name}:`, title: `:${name}:`, width: "22", height: "22" });
}

const CHANNEL_ICONS = { 2: "voice", 5: "news", 10: "thread", 11: "thread", 12: "thread", 13: "voice", 15: "forum", 16: "forum" };

export function channelIcon({ type }) {
  return icon(CHANNEL_ICONS[type] ?? "hash");
}

export function botTag() {
  return h("span", { class: "bot-tag" }, "APP");
}

// Bytes in a size that people read.
export function sizeInWords(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  const step = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
}

// Where a file of Discord's CDN is found from here: the page may be open under
// another name of the same host, and its policy allows pictures of its own
// origin only. Null for what lies elsewhere.
export function ownFile(url) {
  try {
    const { protocol, pathname, search } = new URL(url, location.href);
    return /^https?:$/.test(protocol) && pathname.startsWith("/cdn/") ? pathname + search : null;
  } catch {
    return null;
  }
}

// Puts new children in place of the old ones; what had the focus keeps it if
// its key is still there.
export function replaceKeepingFocus(list, children) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  list.replaceChildren(...children);
  if (key) list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
