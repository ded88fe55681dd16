// Where one writes: new messages, replies and edits.

import { h, icon, iconButton } from "./dom.js";
import { summarize } from "./markdown.js";
import { decode, encode } from "./mentions.js";
import { attempt } from "./notices.js";
import { Suggestions } from "./suggestions.js";

const LIMIT = 2000;
const COUNTED_FROM = 1800;
const TYPING_EVERY_MS = 8000;

export class Composer {
  #session;
  #onSent;
  #channel = null;
  #drafts = new Map();
  #reply = null;
  #edit = null;
  #typedAt = 0;

  #input = h("textarea", { rows: "1", class: "composer-input", dataset: { testid: "composer" }, autocomplete: "off" });
  #counter = h("span", { class: "counter", role: "status", dataset: { testid: "counter" }, hidden: true });
  #context = h("div", { class: "composer-context", hidden: true });
  #slow = h("div", { class: "slow", role: "status", hidden: true }, "Slow down a little: your message is waiting its turn.");
  #send = h("button", { type: "submit", class: "send", "aria-label": "Send message", title: "Send (Enter)", dataset: { testid: "send" } }, icon("send"));
  #suggestions;
  node;

  // `onSent()` after a message was handed to the outbox.
  constructor(session, { onSent }) {
    this.#session = session;
    this.#onSent = onSent;
    this.#suggestions = new Suggestions(this.#input, session.directory);
    this.#input.addEventListener("input", () => this.#changed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => this.#suggestions.close());
    const submit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    this.node = h(
      "form",
      { class: "composer", "aria-label": "Write a message", on: { submit } },
      this.#suggestions.node,
      this.#slow,
      this.#context,
      h("div", { class: "composer-box" }, this.#input, this.#counter, this.#send),
    );
    session.on(["open", "directory"], () => this.#opened());
    session.on(["channel"], () => { this.#slow.hidden = !session.outbox.isLimited(session.activeId); });
    this.#changed();
  }

  focus() {
    this.#input.focus({ preventScroll: true });
  }

  // Puts text in place of the draft, ready to be sent.
  fill(text) {
    this.#endContext();
    this.#write(text);
    this.focus();
  }

  replyTo(message) {
    this.#endContext();
    this.#reply = message;
    const name = this.#session.directory.nameOf(message.author.id) ?? message.author.username;
    this.#showContext("Replying to ", name, summarize(message.content ?? "", this.#session.directory, 80));
    this.focus();
  }

  editing(message) {
    if (!this.#edit) this.#keepDraft();
    this.#endContext();
    this.#edit = message;
    this.#showContext("Editing your message", "", "Enter saves, Esc cancels");
    this.#write(decode(message.content ?? "", this.#session.directory));
    this.focus();
  }

  // Leaves a reply or an edit; says whether there was one.
  cancel() {
    if (!this.#reply && !this.#edit) return false;
    const edited = this.#edit !== null;
    this.#endContext();
    if (edited) this.#write(this.#drafts.get(this.#channel) ?? "");
    return true;
  }

  #opened() {
    const { activeId, active, directory } = this.#session;
    this.node.hidden = directory.isForum(active);
    if (active) {
      const name = directory.channelName(active);
      const label = `Message ${directory.isDm(active) ? "@" : "#"}${name}`;
      this.#input.setAttribute("aria-label", label);
      this.#input.placeholder = label;
    }
    if (activeId === this.#channel) return;
    if (!this.#edit) this.#keepDraft();
    this.#endContext();
    this.#channel = activeId;
    this.#write(this.#drafts.get(activeId) ?? "");
  }

  #keepDraft() {
    if (this.#channel) this.#drafts.set(this.#channel, this.#input.value);
  }

  #showContext(before, name, after) {
    const cancel = iconButton("close", "Cancel (Esc)", { on: { click: () => { this.cancel(); this.focus(); } } });
    this.#context.replaceChildren(h("span", { class: "context-text" }, before, h("strong", {}, name), h("span", { class: "context-quote" }, after)), cancel);
    this.#context.hidden = false;
  }

  #endContext() {
    this.#reply = null;
    this.#edit = null;
    this.#context.hidden = true;
  }

  #write(text) {
    this.#input.value = text;
    this.#input.setSelectionRange(text.length, text.length);
    this.#changed();
    this.#suggestions.close();
  }

  #encoded() {
    return encode(this.#input.value.trim(), this.#session.directory);
  }

  #changed() {
    const length = this.#encoded().length;
    this.#counter.hidden = length < COUNTED_FROM;
    this.#counter.textContent = String(LIMIT - length);
    this.#counter.classList.toggle("over", length > LIMIT);
    this.#send.disabled = length === 0 || length > LIMIT;
    this.#grow();
    this.#suggestions.update();
    if (length > 0 && !this.#edit) this.#tellTyping();
  }

  #grow() {
    // Held at its height meanwhile, lest the timeline above scrolls.
    this.node.style.minHeight = `${this.node.offsetHeight}px`;
    this.#input.style.height = "auto";
    this.#input.style.height = `${this.#input.scrollHeight}px`;
    this.node.style.minHeight = "";
  }

  #tellTyping() {
    if (!this.#channel || document.activeElement !== this.#input || Date.now() - this.#typedAt < TYPING_EVERY_MS) return;
    this.#typedAt = Date.now();
    this.#session.rest.typing(this.#channel).catch(() => {}); // Nobody misses one typing sign.
  }

  #key(event) {
    if (event.isComposing || this.#suggestions.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "Escape") {
      if (this.cancel()) event.preventDefault();
    } else if (event.key === "ArrowUp" && this.#input.value === "") {
      this.#editLast(event);
    }
  }

  #editLast(event) {
    const me = this.#session.directory.me?.id;
    const last = this.#session.history(this.#channel).messages.findLast(({ author }) => author.id === me);
    if (!last) return;
    event.preventDefault();
    this.editing(last);
  }

  #submit() {
    const content = this.#encoded();
    if (content === "" || content.length > LIMIT || !this.#channel) return;
    const edited = this.#edit;
    if (edited) {
      this.cancel();
      if (content !== edited.content) attempt("Not edited", () => this.#session.rest.edit(edited.channel_id, edited.id, content));
      return;
    }
    this.#session.outbox.push(this.#channel, content, this.#reply?.id);
    this.#endContext();
    this.#typedAt = 0;
    this.#write("");
    this.#onSent();
  }
}
