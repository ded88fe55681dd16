// What a message carries besides its text: what was forwarded, embeds, polls,
// stickers, and the thread that hangs on it.

import { emojiNode, h, icon } from "./dom.js";
import { renderMarkdown } from "./markdown.js";
import { safeUrl } from "./markdown-spans.js";

export function enclosures(message, directory) {
  const parts = [
    ...(message.message_snapshots ?? []).map((snapshot) => forwarded(snapshot.message, directory)),
    ...(message.embeds ?? []).map((embed) => embedded(embed, directory)),
    message.poll ? poll(message.poll, directory) : null,
    ...(message.sticker_items ?? []).map(({ name }) => h("div", { class: "sticker", dataset: { testid: "sticker" } }, name)),
  ].filter(Boolean);
  return parts.length > 0 ? h("div", { class: "enclosures" }, parts) : null;
}

// The message as it stood; who wrote it is not told.
function forwarded(message, directory) {
  return h(
    "blockquote",
    { class: "forwarded", dataset: { testid: "forwarded" } },
    h("div", { class: "forwarded-head" }, icon("reply"), "Forwarded"),
    renderMarkdown(message.content ?? "", directory),
    enclosures({ ...message, message_snapshots: [] }, directory),
  );
}

function embedded({ title, url, description, fields, footer, color }, directory) {
  const href = url ? safeUrl(url) : null;
  const heading = href ? h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, title) : title;
  const edge = Number.isInteger(color) ? `#${color.toString(16).padStart(6, "0")}` : null;
  const node = h(
    "div",
    { class: "embed", dataset: { testid: "embed" } },
    title ? h("strong", {}, heading) : null,
    description ? h("div", {}, renderMarkdown(description, directory)) : null,
    (fields ?? []).map(({ name, value }) => h("div", { class: "embed-field" }, h("strong", {}, name), h("div", {}, renderMarkdown(value ?? "", directory)))),
    footer?.text ? h("div", { class: "md-subtext" }, footer.text) : null,
  );
  if (edge) node.style.borderLeftColor = edge;
  return node;
}

function poll({ question, answers }, directory) {
  const answer = ({ poll_media: media }) => h("li", {}, media.emoji ? emojiNode(media.emoji, directory) : null, " ", media.text ?? "");
  return h("div", { class: "poll", dataset: { testid: "poll" } }, h("strong", {}, question?.text ?? ""), h("ul", {}, (answers ?? []).map(answer)));
}

export function threadLink(message, directory, onOpen) {
  if (!message.thread) return null;
  const thread = directory.channel(message.thread.id) ?? message.thread;
  const count = thread.message_count ?? 0;
  const said = `${count} ${count === 1 ? "message" : "messages"}`;
  return h(
    "button",
    { type: "button", class: "thread-link", "aria-label": `Open the thread ${thread.name}, ${said}`, dataset: { testid: "thread-link" }, on: { click: () => onOpen(thread.id) } },
    icon("thread"),
    h("strong", {}, thread.name),
    h("span", {}, said),
  );
}
