// Where one writes: new messages, replies, edits and commands.

import { CommandForm } from "./command-form.js";
import { h, icon, iconButton } from "./dom.js";
import { summarize } from "./markdown.js";
import { called, decode, encode } from "./mentions.js";
import { attempt } from "./notices.js";
import { SlashPicker } from "./slash.js";
import { Suggestions } from "./suggestions.js";
import { Uploads } from "./uploads.js";

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
  #form = null;
  #typedAt = 0;

  #input = h("textarea", { rows: "1", class: "composer-input", dataset: { testid: "composer" }, autocomplete: "off" });
  #counter = h("span", { class: "counter", role: "status", dataset: { testid: "counter" }, hidden: true });
  #context = h("div", { class: "composer-context", hidden: true });
  #slow = h("div", { class: "slow", role: "status", hidden: true }, "Slow down a little: your message is waiting its turn.");
  #deaf = h("div", { class: "slow", role: "status", dataset: { testid: "deaf-warning" }, hidden: true });
  #send = h("button", { type: "submit", class: "send", "aria-label": "Send message", title: "Send (Enter)", dataset: { testid: "send" } }, icon("send"));
  #uploads = new Uploads(() => this.#changed());
  #box;
  #suggestions;
  #slash;
  node;

  // `onSent()` after a message was handed to the outbox; `key` tells apart the
  // ids of two composers.
  constructor(session, { onSent, key = "" }) {
    this.#session = session;
    this.#onSent = onSent;
    this.#suggestions = new Suggestions(this.#input, session.directory, `suggestions${key}`);
    this.#slash = new SlashPicker(this.#input, session, `commands${key}`, (entry) => this.#begin(entry));
    this.#input.addEventListener("input", () => this.#changed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => { this.#suggestions.close(); this.#slash.close(); });
    const submit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    this.#box = h("div", { class: "composer-box" }, this.#uploads.button, this.#uploads.input, this.#input, this.#counter, this.#send);
    this.node = h(
      "form",
      { class: "composer", "aria-label": "Write a message", on: { submit } },
      this.#suggestions.node,
      this.#slash.node,
      this.#slow,
      this.#deaf,
      this.#context,
      this.#uploads.node,
      this.#box,
    );
    session.on(["open", "directory"], () => this.#opened());
    session.on(["channel"], () => { this.#slow.hidden = !session.outbox.isLimited(session.activeId); });
    this.#changed();
  }

  // Takes files that are dropped anywhere on `area`.
  acceptFiles(area) {
    this.#uploads.accept(area, this.#input);
  }

  focus() {
    if (this.#form) this.#form.focus();
    else this.#input.focus({ preventScroll: true });
  }

  // Puts text in place of the draft, ready to be sent.
  fill(text) {
    this.#endContext();
    this.#write(text);
    this.focus();
  }

  // Begins the command that a mention names.
  useCommand(name) {
    this.#slash.choose(name);
  }

  replyTo(message) {
    this.#endContext();
    this.#reply = message;
    this.#showContext("Replying to ", this.#session.directory.authorName(message), summarize(message.content ?? "", this.#session.directory, 80));
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

  // A command takes the place of the text until it is sent or left.
  #begin(entry) {
    this.#endForm();
    this.#write("");
    this.#form = new CommandForm(entry, this.#session, () => {
      this.#endForm();
      this.focus();
    });
    this.#box.hidden = true;
    this.node.append(this.#form.node);
    this.#form.focus();
  }

  #endForm() {
    this.#form?.node.remove();
    this.#form = null;
    this.#box.hidden = false;
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
    this.#endForm();
    this.#uploads.clear();
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
    this.#slash.close();
  }

  #encoded() {
    return encode(this.#input.value.trim(), this.#session.directory);
  }

  #changed() {
    if (!this.#box) return;
    const content = this.#encoded();
    const { length } = content;
    this.#counter.hidden = length < COUNTED_FROM;
    this.#counter.textContent = String(LIMIT - length);
    this.#counter.classList.toggle("over", length > LIMIT);
    this.#send.disabled = (length === 0 && this.#uploads.files.length === 0) || length > LIMIT;
    this.#warn(content);
    this.#grow();
    this.#suggestions.update();
    this.#slash.update();
    if (length > 0 && !this.#edit && !content.startsWith("/")) this.#tellTyping();
  }

  #warn(content) {
    const deaf = this.#session.directory.deafBots(this.#session.active, called(content));
    this.#deaf.hidden = deaf.length === 0;
    this.#deaf.textContent = deaf.length === 0 ? "" : `${deaf.join(" and ")} cannot see this channel and will not read this.`;
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
    if (event.isComposing || this.#slash.key(event) || this.#suggestions.key(event)) return;
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
    if (this.#form) return this.#form.submit();
    const content = this.#encoded();
    const { files } = this.#uploads;
    if ((content === "" && files.length === 0) || content.length > LIMIT || !this.#channel) return;
    const edited = this.#edit;
    if (edited) {
      this.cancel();
      if (content !== edited.content) attempt("Not edited", () => this.#session.rest.edit(edited.channel_id, edited.id, content));
      return;
    }
    this.#session.outbox.push(this.#channel, { content, replyTo: this.#reply?.id, files });
    this.#endContext();
    this.#uploads.clear();
    this.#typedAt = 0;
    this.#write("");
    this.#onSent();
  }
}
