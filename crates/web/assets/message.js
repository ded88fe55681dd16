// One message as an element.

import { attachments } from "./attachments.js";
import { components, isBuiltOfComponents } from "./components.js";
import { avatar, botTag, emojiNode, h, icon } from "./dom.js";
import { enclosures, threadLink } from "./enclosures.js";
import { isEphemeral } from "./history.js";
import { hexColor, notifiedBy, renderMarkdown, summarize } from "./markdown.js";

const REPLY = 19;
const THREAD_CREATED = 18;
const THREAD_STARTER = 21;
const LOADING = 1 << 7;

// What Discord says by itself; the author's name comes first.
const NOTICES = {
  1: "added somebody to the conversation",
  2: "took somebody out of the conversation",
  4: "changed the name of the conversation",
  6: "pinned a message to this channel",
  7: "joined the server",
  8: "boosted the server",
  12: "follows another channel here",
};

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

// Formatting is slow, and a day is asked for at each look at the list.
const days = new WeakMap();

export function dayOf(message) {
  let day = days.get(message);
  if (day === undefined) {
    day = calendar.format(new Date(message.timestamp));
    days.set(message, day);
  }
  return day;
}

function when(date) {
  const time = clock.format(date);
  const day = calendar.format(date);
  if (day === calendar.format(new Date())) return `Today at ${time}`;
  if (day === calendar.format(new Date(Date.now() - 86_400_000))) return `Yesterday at ${time}`;
  return `${day}, ${time}`;
}

// `compact` leaves out the author, who spoke just before.
export function messageElement(shown, { session, compact, onReact, onJump, onOpen, onDismiss, onComponent }) {
  const { directory } = session;
  if (shown.type === THREAD_CREATED || NOTICES[shown.type]) return noticeElement(shown, directory, onOpen);
  // A thread begins with the message that it hangs on.
  const message = shown.type === THREAD_STARTER && shown.referenced_message ? { ...shown.referenced_message, id: shown.id, reactions: [] } : shown;
  const { author } = message;
  const name = directory.authorName(message);
  const date = new Date(message.timestamp);
  const time = (text, look) => h("time", { class: look, datetime: message.timestamp, title: exact.format(date) }, text);
  const ephemeral = isEphemeral(message);
  return h(
    "article",
    {
      class: `message ${compact ? "compact" : ""} ${session.mentionsMe(message) ? "for-me" : ""} ${ephemeral ? "ephemeral" : ""}`,
      tabindex: "-1",
      "aria-label": `${name}, ${when(date)}`,
      dataset: { testid: "message", author: name, id: message.id },
    },
    message.type === REPLY ? quoteLine(message, directory, onJump) : usedLine(message, directory),
    compact ? time(clock.format(date), "gutter-time") : avatar(author, name),
    h(
      "div",
      { class: "message-main" },
      compact ? null : h("header", { class: "message-head" }, authorNode(message, name, directory), author.bot ? botTag() : null, time(when(date), "time")),
      bodyOf(message, name, directory),
      attachments(message),
      enclosures(message, directory),
      components(message, { directory, onComponent }),
      reactions(message, directory, onReact),
      threadLink(message, directory, onOpen),
      deafNote(message, directory),
      ephemeral ? ephemeralNote(message, onDismiss) : null,
    ),
  );
}

function authorNode(message, name, directory) {
  const node = h("span", { class: "author" }, name);
  const color = message.webhook_id ? undefined : directory.colorOf(message.author.id);
  if (color) node.style.setProperty("--role", hexColor(color));
  return node;
}

function bodyOf(message, name, directory) {
  if (isBuiltOfComponents(message)) return h("div", { class: "message-body" }, message.edited_timestamp ? editedMark(message) : null);
  if ((message.flags ?? 0) & LOADING) {
    const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    return h("div", { class: "message-body thinking", role: "status", dataset: { testid: "thinking" } }, dots, `${name} is thinking…`);
  }
  const body = h("div", { class: "message-body" }, renderMarkdown(message.content ?? "", directory, notifiedBy(message)));
  if (message.edited_timestamp) {
    const last = body.lastElementChild;
    (last?.classList.contains("md-text") ? last : body).append(editedMark(message));
  }
  return body;
}

function editedMark({ edited_timestamp: at }) {
  return h("span", { class: "edited", title: exact.format(new Date(at)) }, "(edited)");
}

// Tells of what happened, a thread or a pin, rather than of what was said.
function noticeElement(message, directory, onOpen) {
  const name = directory.authorName(message);
  const thread = message.type === THREAD_CREATED;
  const words = thread ? "started a thread" : NOTICES[message.type];
  const open = () => onOpen(message.message_reference.channel_id);
  return h(
    "article",
    { class: "message thread-notice", tabindex: "-1", "aria-label": `${name} ${words}`, dataset: { testid: thread ? "thread-notice" : "notice", id: message.id } },
    icon(thread ? "thread" : "down"),
    h("div", { class: "message-main" }, h("span", { class: "author" }, name), thread ? [" started a thread: ", h("button", { type: "button", class: "link-button", on: { click: open } }, message.content)] : ` ${words}.`),
  );
}

function quoteLine(message, directory, onJump) {
  const known = message.referenced_message;
  if (!known) return h("div", { class: "quote-line" }, "The original message was deleted");
  const name = directory.authorName(known);
  return h(
    "button",
    { type: "button", class: "quote-line", "aria-label": `In reply to ${name}; press to jump there`, on: { click: () => onJump(known.id) } },
    avatar(known.author, name, "tiny"),
    h("span", { class: "author" }, name),
    h("span", { class: "quote-text" }, summarize(known.content ?? "", directory) || "(no text)"),
  );
}

// Who used which command for this answer.
function usedLine(message, directory) {
  const used = message.interaction_metadata ?? message.interaction;
  const name = message.interaction?.name ?? used?.name ?? used?.triggering_interaction_metadata?.name;
  if (!used?.user || !name) return null;
  const who = directory.nameOf(used.user.id) ?? used.user.global_name ?? used.user.username;
  return h(
    "div",
    { class: "quote-line", dataset: { testid: "used" } },
    avatar(used.user, who, "tiny"),
    h("span", { class: "author" }, who),
    " used ",
    h("span", { class: "mention" }, message.type === 23 ? name : `/${name}`),
  );
}

// A bot that cannot read the channel will never answer here.
function deafNote(message, directory) {
  const deaf = directory.deafBots(directory.channel(message.channel_id), (message.mentions ?? []).map(({ id }) => id));
  if (deaf.length === 0) return null;
  return h("div", { class: "deaf-note", role: "note", dataset: { testid: "deaf" } }, `${deaf.join(" and ")} cannot see this channel and will not read this.`);
}

function ephemeralNote(message, onDismiss) {
  return h(
    "div",
    { class: "ephemeral-note", dataset: { testid: "ephemeral" } },
    icon("eye"),
    "Only you can see this • ",
    h("button", { type: "button", class: "link-button", dataset: { testid: "dismiss" }, on: { click: () => onDismiss(message) } }, "Dismiss message"),
  );
}

function reactions(message, directory, onReact) {
  const all = message.reactions ?? [];
  if (all.length === 0) return null;
  const pill = ({ emoji, count, me }) => {
    const shown = emoji.id ? `:${emoji.name}:` : emoji.name;
    return h(
      "button",
      {
        type: "button",
        class: "reaction",
        "aria-pressed": String(me),
        "aria-label": `${shown}, ${count}; press to ${me ? "remove yours" : "add yours"}`,
        dataset: { testid: "reaction", emoji: emoji.name },
        on: { click: () => onReact(message, emoji, !me) },
      },
      h("span", { class: "reaction-emoji" }, emojiNode(emoji, directory)),
      h("span", { class: "reaction-count" }, String(count)),
    );
  };
  return h("div", { class: "reactions" }, all.map(pill));
}

// What stands in for a message that is still on its way, or could not go.
export function pendingElement(entry, { session, onRetry, onDiscard }) {
  const { directory } = session;
  const name = directory.nameOf(directory.me.id) ?? "You";
  const failed = entry.state === "failed";
  const status = {
    queued: "Waiting…",
    sending: "Sending…",
    limited: "Slow down: Discord asks for a short pause. It will be sent by itself.",
    failed: `Not sent. ${entry.problem ?? ""}`,
  }[entry.state];
  const button = (label, testid, act) => h("button", { type: "button", class: "link-button", dataset: { testid }, on: { click: () => act(entry.nonce) } }, label);
  return h(
    "article",
    { class: `message pending ${entry.state}`, tabindex: "-1", "aria-label": `${name}: ${status}`, dataset: { testid: "pending", author: name } },
    avatar(directory.me, name),
    h(
      "div",
      { class: "message-main" },
      h("header", { class: "message-head" }, h("span", { class: "author" }, name), h("span", { class: "time" }, status)),
      h("div", { class: "message-body" }, renderMarkdown(entry.content, directory)),
      entry.files.length > 0 ? h("div", { class: "attachments" }, entry.files.map(({ file }) => h("span", { class: "attachment" }, icon("file"), file.name))) : null,
      failed ? h("div", { class: "pending-buttons" }, button("Retry", "retry", onRetry), button("Discard", "discard", onDiscard)) : null,
    ),
  );
}
