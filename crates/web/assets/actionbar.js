// The bar that follows the pointer or the focus from message to message.

import { emojiNode, h, icon, iconButton } from "./dom.js";
import { isEphemeral } from "./history.js";
import { below } from "./menu.js";

const QUICK_REACTIONS = ["👍", "❤️", "😂"];
const MORE_REACTIONS = ["👍", "👎", "❤️", "😂", "🎉", "😮", "😢", "🔥", "👀", "🙏", "✅", "❌", "🛑", "🔁", "🤔", "👋", "🚀"];
const THREAD_CREATED = 18;

export class ActionBar {
  #session;
  #actions;
  #message = null;
  node = h("div", { class: "action-bar", role: "toolbar", "aria-label": "Message actions" });

  constructor(session, actions) {
    this.#session = session;
    this.#actions = actions;
  }

  // Moves the bar onto `article`. The author may do more than others.
  attach(article, message) {
    if (this.node.parentNode === article && this.#message === message) return;
    this.#message = message;
    const { directory } = this.#session;
    const { onReply, onEdit, onRemove, onThread, onInspect, onMenu } = this.#actions;
    if (isEphemeral(message)) {
      this.node.remove();
      return;
    }
    const own = message.author.id === directory.me?.id;
    const threads = directory.takesThreads(directory.channel(message.channel_id)) && !message.thread && message.type !== THREAD_CREATED;
    const button = (drawn, label, testid, act, more = {}) => iconButton(drawn, label, { dataset: { testid }, ...more, on: { click: act } });
    const parts = [
      ...QUICK_REACTIONS.map((name) => this.#emoji({ id: null, name })),
      this.#palette([...MORE_REACTIONS.map((name) => ({ id: null, name })), ...directory.emojis()].map((one) => this.#emoji(one))),
      threads && button("thread", "Start a thread (T)", "thread", () => onThread(message)),
      button("why", "Why? (W)", "why", () => onInspect(message)),
      button("reply", "Reply (R)", "reply", () => onReply(message)),
      own && button("edit", "Edit (E)", "edit", () => onEdit(message)),
      own && button("remove", "Delete", "delete", () => onRemove(message), { class: "danger" }),
      button("more", "More (M)", "more", ({ currentTarget }) => onMenu(message, below(currentTarget))),
    ];
    this.node.replaceChildren(...parts.filter(Boolean));
    article.append(this.node);
  }

  openPalette() {
    const palette = this.node.querySelector("details");
    if (!palette) return;
    palette.open = true;
    palette.querySelector(".palette button").focus();
  }

  openMenu() {
    this.node.querySelector("[data-testid=more]")?.click();
  }

  #emoji({ id, name }) {
    const react = () => this.#actions.onReact(this.#message, { id, name }, true);
    return h("button", { type: "button", class: "icon-button emoji", "aria-label": `React with ${name}`, title: `React with ${name}`, dataset: { emoji: name }, on: { click: react } }, emojiNode({ id, name }, this.#session.directory));
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
