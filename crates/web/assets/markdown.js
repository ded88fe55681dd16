// Discord's markdown as elements, built node by node.

import { emojiNode, h, icon } from "./dom.js";
import { parseBlocks } from "./markdown-blocks.js";
import { parseSpans } from "./markdown-spans.js";

const MARKS = { strong: "strong", em: "em", underline: "u", strike: "s" };
const JUMBO_MOST = 27;
const EMOJI_ONLY = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\s])+$/u;

const TIME_STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

// Nobody: for texts that name people without calling them.
const NOBODY = { everyone: false, users: new Set(), roles: new Set() };

// Who a message called: what it names is one thing, whom it reached another.
export function notifiedBy(message) {
  return {
    everyone: Boolean(message.mention_everyone),
    users: new Set((message.mentions ?? []).map(({ id }) => id)),
    roles: new Set(message.mention_roles ?? []),
  };
}

// `directory` names whom and what is mentioned, `notified` says who was called.
export function renderMarkdown(text, directory, notified = NOBODY) {
  const look = { directory, notified };
  const fragment = document.createDocumentFragment();
  const blocks = parseBlocks(text);
  fragment.append(...blocks.map((block) => renderBlock(block, look)));
  if (blocks.length === 1 && blocks[0].type === "paragraph" && isJumbo(blocks[0].text)) fragment.firstChild.classList.add("jumbo");
  return fragment;
}

// A line of marks and mentions, for titles: no blocks.
export function renderLine(text, directory) {
  return renderSpans(parseSpans(text), { directory, notified: NOBODY });
}

function isJumbo(text) {
  if (text.length > 1000) return false;
  const bare = text.replace(/<a?:\w{1,32}:\d{1,20}>/g, "🍵");
  return EMOJI_ONLY.test(bare) && [...bare.replace(/\s/g, "")].length <= JUMBO_MOST;
}

// One line of plain words, for quotes of a reply and for labels.
export function summarize(text, directory, limit = 140) {
  const words = parseSpans(text.slice(0, limit * 4)).map((span) => spanText(span, directory)).join("");
  const line = words.replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

function renderBlock(block, look) {
  const spans = (text) => renderSpans(parseSpans(text), look);
  switch (block.type) {
    case "heading": return h(`h${block.level + 2}`, { class: `md-heading md-heading-${block.level}` }, spans(block.text));
    case "subtext": return h("div", { class: "md-subtext" }, spans(block.text));
    case "code": return renderCode(block);
    case "quote": return h("blockquote", {}, block.blocks.map((inner) => renderBlock(inner, look)));
    case "list": return renderList(block, look);
    default: return h("div", { class: "md-text" }, spans(block.text));
  }
}

function renderList(list, look) {
  const start = list.ordered && list.start !== 1 ? list.start : null;
  const items = list.items.map((item) =>
    h("li", {}, renderSpans(parseSpans(item.text), look), item.lists.map((inner) => renderList(inner, look))),
  );
  return h(list.ordered ? "ol" : "ul", { start }, items);
}

function renderCode({ language, text }) {
  const label = h("span", { class: "code-language" }, language || "text");
  const copied = h("span", { role: "status" }, "Copy");
  const copy = async () => {
    copied.textContent = (await writeClipboard(text)) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { copied.textContent = "Copy"; }, 1600);
  };
  const button = h("button", { type: "button", class: "code-copy", "aria-label": "Copy code", on: { click: copy } }, icon("copy"), copied);
  const code = h("code", {}, text);
  return h("div", { class: "code" }, h("div", { class: "code-head" }, label, button), h("pre", { tabindex: "0" }, code));
}

export async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function renderSpans(spans, look) {
  return spans.map((span) => (typeof span === "string" ? document.createTextNode(span) : renderSpan(span, look)));
}

function renderSpan(span, look) {
  const { directory, notified } = look;
  const inner = () => renderSpans(span.children, look);
  const text = () => spanText(span, directory);
  switch (span.type) {
    case "strong":
    case "em":
    case "underline":
    case "strike": return h(MARKS[span.type], {}, inner());
    case "spoiler": return renderSpoiler(inner());
    case "link": return h("a", { href: span.href, title: span.href, target: "_blank", rel: "noopener noreferrer nofollow" }, inner());
    case "code": return h("code", { class: "inline-code" }, span.text);
    case "emoji": return emojiNode(span, directory);
    case "time": return renderTime(span, text());
    // Who may not call everybody has only written a word.
    case "crowd": return notified.everyone ? h("span", { class: "mention mention-me" }, text()) : document.createTextNode(text());
    case "user": return h("span", { class: mention(span.id === directory.me?.id && notified.users.has(span.id)) }, text());
    case "role": return renderRole(span, look, text());
    case "channel": return renderGoto(span, "channel-mention", directory.channel(span.id), text());
    default: return renderGoto(span, "command-mention", true, text());
  }
}

function mention(forMe) {
  return forMe ? "mention mention-me" : "mention";
}

function renderRole(span, { directory, notified }, text) {
  const node = h("span", { class: mention(notified.roles.has(span.id) && directory.isMyRole(span.id)) }, text);
  const color = directory.role(span.id)?.color;
  if (color) node.style.setProperty("--role", hexColor(color));
  return node;
}

export function hexColor(color) {
  return `#${(color & 0xffffff).toString(16).padStart(6, "0")}`;
}

// A mention that leads somewhere says so to whoever shows the message, by an
// event of this name.
function renderGoto(span, event, known, text) {
  if (!known) return h("span", { class: "mention" }, text);
  const tell = ({ currentTarget }) => currentTarget.dispatchEvent(new CustomEvent(event, { bubbles: true, detail: { id: span.id, name: span.name } }));
  return h("button", { type: "button", class: "mention mention-link", on: { click: tell } }, text);
}

function renderTime({ seconds, style }, text) {
  const relative = style === "R" ? String(seconds) : undefined;
  return h("time", { class: "timestamp", title: formatTime(seconds, "F"), dataset: relative ? { relative } : {} }, text);
}

// Lets "5 minutes ago" become six.
export function refreshTimes() {
  for (const node of document.querySelectorAll("time[data-relative]")) {
    const text = formatTime(Number(node.dataset.relative), "R");
    if (node.textContent !== text) node.textContent = text;
  }
}

function renderSpoiler(children) {
  const reveal = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    spoiler.classList.add("revealed");
    spoiler.removeAttribute("role");
    spoiler.removeAttribute("aria-label");
    spoiler.removeEventListener("click", reveal);
    spoiler.removeEventListener("keydown", reveal);
  };
  const spoiler = h(
    "span",
    { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler, press to reveal", on: { click: reveal, keydown: reveal } },
    h("span", {}, children),
  );
  return spoiler;
}

function spanText(span, directory) {
  if (typeof span === "string") return span;
  switch (span.type) {
    case "code":
    case "crowd": return span.text;
    case "user": return `@${directory.nameOf(span.id) ?? "unknown-user"}`;
    case "role": return `@${directory.role(span.id)?.name ?? "unknown-role"}`;
    case "channel": return `#${directory.channel(span.id)?.name ?? "unknown"}`;
    case "emoji": return `:${span.name}:`;
    case "command": return `/${span.name}`;
    case "time": return formatTime(span.seconds, span.style);
    case "spoiler": return "▇▇▇";
    default: return span.children.map((child) => spanText(child, directory)).join("");
  }
}

function formatTime(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "an impossible date";
  if (style !== "R") return new Intl.DateTimeFormat(undefined, TIME_STYLES[style]).format(date);
  const distance = Math.round(seconds - Date.now() / 1000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(distance) >= length) ?? STEPS.at(-1);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.trunc(distance / size), unit);
}
