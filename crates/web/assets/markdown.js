// Discord's markdown as elements, built node by node.

import { emojiNode, h, icon } from "./dom.js";
import { parseBlocks } from "./markdown-blocks.js";
import { parseSpans } from "./markdown-spans.js";

const MARKS = { strong: "strong", em: "em", underline: "u", strike: "s" };

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

// `directory` names whom and what is mentioned.
export function renderMarkdown(text, directory) {
  const fragment = document.createDocumentFragment();
  fragment.append(...parseBlocks(text).map((block) => renderBlock(block, directory)));
  return fragment;
}

// One line of plain words, for quotes of a reply and for labels.
export function summarize(text, directory, limit = 140) {
  const words = parseSpans(text.slice(0, limit * 4)).map((span) => spanText(span, directory)).join("");
  const line = words.replace(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

function renderBlock(block, directory) {
  const spans = (text) => renderSpans(parseSpans(text), directory);
  switch (block.type) {
    case "heading": return h(`h${block.level + 2}`, { class: `md-heading md-heading-${block.level}` }, spans(block.text));
    case "subtext": return h("div", { class: "md-subtext" }, spans(block.text));
    case "code": return renderCode(block);
    case "quote": return h("blockquote", {}, block.blocks.map((inner) => renderBlock(inner, directory)));
    case "list": return renderList(block, directory);
    default: return h("div", { class: "md-text" }, spans(block.text));
  }
}

function renderList(list, directory) {
  const start = list.ordered && list.start !== 1 ? list.start : null;
  const items = list.items.map((item) =>
    h("li", {}, renderSpans(parseSpans(item.text), directory), item.lists.map((inner) => renderList(inner, directory))),
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

async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function renderSpans(spans, directory) {
  return spans.map((span) => (typeof span === "string" ? document.createTextNode(span) : renderSpan(span, directory)));
}

function renderSpan(span, directory) {
  const inner = () => renderSpans(span.children, directory);
  switch (span.type) {
    case "strong":
    case "em":
    case "underline":
    case "strike": return h(MARKS[span.type], {}, inner());
    case "spoiler": return renderSpoiler(inner());
    case "link": return h("a", { href: span.href, title: span.href, target: "_blank", rel: "noopener noreferrer nofollow" }, inner());
    case "code": return h("code", { class: "inline-code" }, span.text);
    case "emoji": return emojiNode(span, directory);
    case "time": return h("time", { class: "timestamp", title: formatTime(span.seconds, "F") }, spanText(span, directory));
    default: return h("span", { class: mentionClass(span, directory) }, spanText(span, directory));
  }
}

function mentionClass(span, directory) {
  const me = span.type === "crowd" || (span.type === "user" && span.id === directory.me?.id);
  return me ? "mention mention-me" : "mention";
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
    case "role": return `@${directory.roleName(span.id) ?? "unknown-role"}`;
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
