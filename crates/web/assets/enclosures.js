// What a message carries besides its text: what was forwarded, embeds, polls,
// stickers, and the thread that hangs on it.

import { attachments } from "./attachments.js";
import { emojiNode, h, icon } from "./dom.js";
import { embedded } from "./embeds.js";
import { renderMarkdown } from "./markdown.js";

const SUPPRESS_EMBEDS = 1 << 2;

export function enclosures(message, directory) {
  const embeds = (message.flags ?? 0) & SUPPRESS_EMBEDS ? [] : message.embeds ?? [];
  const parts = [
    ...(message.message_snapshots ?? []).map((snapshot) => forwarded(snapshot.message, message, directory)),
    ...embeds.map((embed) => embedded(embed, message, directory)),
    message.poll ? poll(message.poll, directory) : null,
    ...(message.sticker_items ?? []).map(({ name }) => h("div", { class: "sticker", role: "img", "aria-label": `Sticker: ${name}`, dataset: { testid: "sticker" } }, name)),
  ].filter(Boolean);
  return parts.length > 0 ? h("div", { class: "enclosures" }, parts) : null;
}

// The message as it stood; who wrote it is not told.
function forwarded(message, around, directory) {
  const source = directory.channel(around.message_reference?.channel_id);
  return h(
    "blockquote",
    { class: "forwarded", dataset: { testid: "forwarded" } },
    h("div", { class: "forwarded-head" }, icon("reply"), "Forwarded", source?.name ? ` from #${source.name}` : null),
    h("div", { class: "message-body" }, renderMarkdown(message.content ?? "", directory)),
    attachments(message),
    enclosures({ ...message, message_snapshots: [] }, directory),
  );
}

function poll({ question, answers, results, expiry, allow_multiselect: several }, directory) {
  const counts = new Map((results?.answer_counts ?? []).map((one) => [one.id, one]));
  const votes = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
  const over = results?.is_finalized || (expiry && new Date(expiry) < new Date());
  const answer = ({ answer_id: id, poll_media: media }) => {
    const { count = 0, me_voted: mine } = counts.get(id) ?? {};
    const bar = h("span", { class: "poll-bar" });
    bar.style.width = `${votes > 0 ? Math.round((count / votes) * 100) : 0}%`;
    return h("li", { class: mine ? "mine" : "" }, bar, h("span", { class: "poll-answer" }, media?.emoji ? emojiNode(media.emoji, directory) : null, " ", media?.text ?? ""), h("span", { class: "poll-votes" }, votesInWords(count)));
  };
  const state = over ? "Poll closed" : expiry ? `Open until ${new Date(expiry).toLocaleString()}` : "Open";
  return h(
    "div",
    { class: "poll", dataset: { testid: "poll" } },
    h("strong", {}, question?.text ?? ""),
    h("div", { class: "poll-hint" }, several ? "Several answers are allowed" : "One answer each"),
    h("ul", {}, (answers ?? []).map(answer)),
    h("div", { class: "poll-hint" }, `${votesInWords(votes)} · ${state}`),
  );
}

function votesInWords(count) {
  return `${count} ${count === 1 ? "vote" : "votes"}`;
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
