// One message as an element, and the little bar of things to do with it.

import { avatar, botTag, emojiNode, h, icon, iconButton } from "./dom.js";
import { enclosures, threadLink } from "./enclosures.js";
import { renderMarkdown, summarize } from "./markdown.js";

const QUICK_REACTIONS = ["👍", "❤️", "😂"];
const MORE_REACTIONS = ["👍", "👎", "❤️", "😂", "🎉", "😮", "😢", "🔥", "👀", "🙏", "✅", "❌", "🛑", "🔁", "🤔", "👋", "🚀"];
const REPLY = 19;
const THREAD_CREATED = 18;
const THREAD_STARTER = 21;
const PICTURE_WIDTH = 550;
const PICTURE_HEIGHT = 720;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

export function dayOf(message) {
  return calendar.format(new Date(message.timestamp));
}

function when(date) {
  const time = clock.format(date);
  const day = calendar.format(date);
  if (day === calendar.format(new Date())) return `Today at ${time}`;
  if (day === calendar.format(new Date(Date.now() - 86_400_000))) return `Yesterday at ${time}`;
  return `${day}, ${time}`;
}

// `compact` leaves out the author, who spoke just before.
export function messageElement(shown, { session, compact, onReact, onJump, onOpen }) {
  const { directory } = session;
  if (shown.type === THREAD_CREATED) return noticeElement(shown, directory, onOpen);
  // A thread begins with the message that it hangs on.
  const message = shown.type === THREAD_STARTER && shown.referenced_message ? { ...shown.referenced_message, id: shown.id, reactions: [] } : shown;
  const { author } = message;
  const name = directory.nameOf(author.id) ?? author.username;
  const date = new Date(message.timestamp);
  const time = (text, look) => h("time", { class: look, datetime: message.timestamp, title: exact.format(date) }, text);
  const body = h("div", { class: "message-body" }, renderMarkdown(message.content ?? "", directory));
  if (message.edited_timestamp) {
    const edited = h("span", { class: "edited", title: exact.format(new Date(message.edited_timestamp)) }, "(edited)");
    const last = body.lastElementChild;
    (last?.classList.contains("md-text") ? last : body).append(edited);
  }
  const head = h("header", { class: "message-head" }, h("span", { class: "author" }, name), author.bot ? botTag() : null, time(when(date), "time"));
  return h(
    "article",
    {
      class: `message ${compact ? "compact" : ""} ${session.mentionsMe(message) ? "for-me" : ""}`,
      tabindex: "-1",
      "aria-label": `${name}, ${when(date)}`,
      dataset: { testid: "message", author: name, id: message.id },
    },
    message.type === REPLY ? quoteLine(message, session, onJump) : null,
    compact ? time(clock.format(date), "gutter-time") : avatar(author, name),
    h("div", { class: "message-main" }, compact ? null : head, body, enclosures(message, directory), attachments(message), reactions(message, directory, onReact), threadLink(message, directory, onOpen)),
  );
}

// Tells of a thread that hangs on no message.
function noticeElement(message, directory, onOpen) {
  const name = directory.nameOf(message.author.id) ?? message.author.username;
  const open = () => onOpen(message.message_reference.channel_id);
  return h(
    "article",
    { class: "message thread-notice", tabindex: "-1", "aria-label": `${name} started a thread`, dataset: { testid: "thread-notice", id: message.id } },
    icon("thread"),
    h("div", { class: "message-main" }, h("span", { class: "author" }, name), " started a thread: ", h("button", { type: "button", class: "link-button", on: { click: open } }, message.content)),
  );
}

function quoteLine(message, session, onJump) {
  const { directory } = session;
  const id = message.message_reference?.message_id;
  const known = session.history(message.channel_id).get(id) ?? message.referenced_message;
  if (!known) return h("div", { class: "quote-line" }, "The original message was deleted");
  const name = directory.nameOf(known.author.id) ?? known.author.username;
  return h(
    "button",
    { type: "button", class: "quote-line", "aria-label": `In reply to ${name}; press to jump there`, on: { click: () => onJump(id) } },
    avatar(known.author, name, "tiny"),
    h("span", { class: "author" }, name),
    h("span", { class: "quote-text" }, summarize(known.content ?? "", directory) || "(no text)"),
  );
}

function attachments(message) {
  const files = message.attachments ?? [];
  if (files.length === 0) return null;
  return h("div", { class: "attachments" }, files.filter(({ url }) => /^https?:/i.test(url)).map(attachment));
}

function attachment({ url, filename, description, content_type: kind, width, height }) {
  const name = filename ?? "attachment";
  const link = { href: ownAddress(url), target: "_blank", rel: "noopener noreferrer" };
  if (!/^image\/(png|jpeg|gif|webp)$/.test(kind ?? "") || !width || !height) return h("a", { ...link, class: "attachment" }, name);
  // With its size said, the picture does not move the text when it arrives.
  const scale = Math.min(1, PICTURE_WIDTH / width, PICTURE_HEIGHT / height);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return h("a", { ...link, class: "picture" }, h("img", { src: link.href, alt: description ?? name, title: description, loading: "lazy", ...size }));
}

// The page may be open under another name of the same host, and its policy
// allows pictures from its own origin only.
function ownAddress(url) {
  const { pathname, search } = new URL(url);
  return pathname.startsWith("/cdn/") ? pathname + search : url;
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
      failed ? h("div", { class: "pending-buttons" }, button("Retry", "retry", onRetry), button("Discard", "discard", onDiscard)) : null,
    ),
  );
}

// The bar that follows the pointer or the focus from message to message.
export class ActionBar {
  #actions;
  #message = null;
  node = h("div", { class: "action-bar", role: "toolbar", "aria-label": "Message actions" });

  constructor(actions) {
    this.#actions = actions;
  }

  // Moves the bar onto `article`. `own` adds what only the author may do.
  attach(article, message, own, directory) {
    if (this.node.parentNode === article && this.#message === message) return;
    this.#message = message;
    const { onReact, onReply, onEdit, onRemove, onThread, onInspect } = this.#actions;
    const emoji = ({ id, name }) =>
      h("button", { type: "button", class: "icon-button emoji", "aria-label": `React with ${name}`, title: `React with ${name}`, dataset: { emoji: name }, on: { click: () => onReact(message, { id, name }, true) } }, emojiNode({ id, name }, directory));
    const plain = (name) => ({ id: null, name });
    const threads = directory.takesThreads(directory.channel(message.channel_id)) && !message.thread && message.type !== THREAD_CREATED;
    this.node.replaceChildren(
      ...QUICK_REACTIONS.map(plain).map(emoji),
      this.#palette([...MORE_REACTIONS.map(plain), ...directory.emojis()].map(emoji)),
      ...(threads ? [iconButton("thread", "Start a thread (T)", { dataset: { testid: "thread" }, on: { click: () => onThread(message) } })] : []),
      iconButton("why", "Why? (W)", { dataset: { testid: "why" }, on: { click: () => onInspect(message) } }),
      iconButton("reply", "Reply (R)", { dataset: { testid: "reply" }, on: { click: () => onReply(message) } }),
      ...(own
        ? [
            iconButton("edit", "Edit (E)", { dataset: { testid: "edit" }, on: { click: () => onEdit(message) } }),
            iconButton("remove", "Delete", { class: "danger", dataset: { testid: "delete" }, on: { click: () => onRemove(message) } }),
          ]
        : []),
    );
    article.append(this.node);
  }

  openPalette() {
    const palette = this.node.querySelector("details");
    palette.open = true;
    palette.querySelector(".palette button").focus();
  }

  #palette(choices) {
    const summary = h("summary", { class: "icon-button", "aria-label": "More reactions (+)", title: "More reactions (+)", dataset: { testid: "react" } }, icon("react"));
    const close = (event) => {
      if (event.key !== "Escape" || !details.open) return;
      event.stopPropagation();
      details.open = false;
      summary.focus();
    };
    const place = () => details.classList.toggle("upwards", details.getBoundingClientRect().bottom > window.innerHeight * 0.6);
    const details = h("details", { class: "palette-holder", on: { keydown: close, toggle: place } }, summary, h("div", { class: "palette" }, choices));
    return details;
  }
}
