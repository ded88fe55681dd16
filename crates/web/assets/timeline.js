// The messages of the open channel, scrolled as a conversation is.

import { ActionBar } from "./actionbar.js";
import { h, icon } from "./dom.js";
import { isEphemeral } from "./history.js";
import { summarize } from "./markdown.js";
import { dayOf, messageElement, pendingElement } from "./message.js";
import { RowWindow } from "./rows.js";
import { welcome } from "./welcome.js";

const GROUP_MS = 7 * 60_000;
const NEAR_BOTTOM = 60;
const NEAR_TOP = 1500;
// Plain messages, replies and answers to commands; the others stand alone.
const GROUPED = new Set([0, 19, 20, 23]);
const UNSEEN_MS = 250;
const LINE = 23;
const LINE_CHARS = 95;

export class Timeline {
  #session;
  #actions;
  #bar;
  #rows;
  #pinned = true;
  #channel = null;
  #height = 0;
  #newestSeen = null;
  #due = false;

  // What is scrolled into view is no news; news is told apart.
  #list = h("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "Messages", tabindex: "-1" });
  #news = h("div", { class: "unseen", "aria-live": "polite" });
  #scroller = h("div", { class: "scroller" }, this.#list);
  #jumpText = h("span", {}, "Jump to present");
  #jump = h("button", { type: "button", class: "jump", hidden: true, dataset: { testid: "jump" }, on: { click: () => this.toPresent() } }, this.#jumpText, icon("down"));
  node = h("div", { class: "timeline" }, this.#scroller, this.#news, this.#jump);

  // `actions`: what the action bar and the keys do, and `onTry`.
  constructor(session, actions) {
    this.#session = session;
    this.#actions = actions;
    this.#bar = new ActionBar(session, actions);
    this.#rows = new RowWindow(this.#scroller, this.#list);
    this.#scroller.addEventListener("scroll", () => this.#scrolled());
    this.#list.addEventListener("pointerover", (event) => this.#point(event.target));
    this.#list.addEventListener("focusin", (event) => this.#point(event.target, true));
    this.#list.addEventListener("contextmenu", (event) => this.#menu(event));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#settle()).observe(this.#scroller);
    new ResizeObserver(() => this.#settle()).observe(this.#list);
    session.on(["open"], () => this.#opened());
    session.on(["channel"], (channel) => channel === session.activeId && this.#renderSoon());
    session.on(["directory"], () => this.#redraw());
    session.on(["arrival"], (message) => this.#announce(message));
  }

  toPresent() {
    this.#pinned = true;
    this.#settle();
    this.#session.seen();
  }

  // Shows a message with a short glow, reading back to it if need be.
  async reveal(id) {
    const channel = this.#session.activeId;
    if (!this.#session.history(channel).get(id) && !(await this.#session.loadBackTo(channel, id))) return;
    if (channel !== this.#session.activeId) return;
    this.#pinned = false;
    this.render();
    const node = this.#rows.reveal(id);
    node?.classList.add("glow");
    setTimeout(() => node?.classList.remove("glow"), 1600);
  }

  #opened() {
    if (this.#channel === this.#session.activeId) return this.toPresent();
    this.#channel = this.#session.activeId;
    this.#pinned = true;
    this.#redraw();
  }

  #redraw() {
    this.#rows.clear();
    this.render();
  }

  // A flood of messages is drawn once per frame; a page that is not looked at
  // has no frames, but is kept up to date.
  #renderSoon() {
    if (this.#due) return;
    this.#due = true;
    const now = () => this.#due && this.render();
    requestAnimationFrame(now);
    setTimeout(now, UNSEEN_MS);
  }

  render() {
    this.#due = false;
    const { activeId, active } = this.#session;
    if (!active) return;
    const history = this.#session.history(activeId);
    if (this.#pinned) history.trim();
    this.#list.setAttribute("aria-busy", String(history.loadingOlder || history.state === "loading"));
    this.#rows.show(this.#describe(history, active), this.#pinned);
    this.#jump.hidden = this.#pinned;
    const newest = history.messages.at(-1)?.id;
    if (this.#pinned) this.#newestSeen = newest;
    this.#jumpText.textContent = newest === this.#newestSeen ? "Jump to present" : "New messages";
    this.#rove();
  }

  #announce(message) {
    if (message.author.id === this.#session.directory.me?.id) return;
    const { directory } = this.#session;
    this.#news.textContent = `${directory.authorName(message)}: ${summarize(message.content ?? "", directory) || "a message without text"}`;
  }

  // Every row from top to bottom.
  #describe(history, channel) {
    const { directory } = this.#session;
    const rows = [this.#top(history, channel)];
    let previous = null;
    for (const message of history.messages) {
      const newDay = !previous || dayOf(previous) !== dayOf(message);
      if (newDay) rows.push({ key: `day-${message.id}`, version: [], estimate: 44, make: () => h("div", { class: "day", role: "separator" }, h("span", {}, dayOf(message))) });
      const compact = !newDay && follows(message, previous, directory);
      rows.push({ key: message.id, version: [message, compact], estimate: estimate(message, compact), make: () => this.#message(message, compact) });
      previous = message;
    }
    for (const entry of this.#session.outbox.entries(channel.id)) {
      const callbacks = { session: this.#session, onRetry: this.#actions.onRetry, onDiscard: this.#actions.onDiscard };
      rows.push({ key: entry.nonce, version: [entry.state], estimate: 64, make: () => pendingElement(entry, callbacks) });
    }
    return rows;
  }

  #top(history, channel) {
    const row = (version, make) => ({ key: "top", version, estimate: 200, make });
    const isFailed = history.state === "failed";
    if (isFailed || (history.problem && !history.loadingOlder)) {
      const load = () => (isFailed ? this.#session.load(channel.id) : this.#session.loadOlder(channel.id));
      const again = () => h("button", { type: "button", class: "button", dataset: { testid: "load-again" }, on: { click: load } }, "Try again");
      return row([history.problem], () => h("div", { class: "log-note" }, h("p", {}, `The messages could not be loaded. ${history.problem.message}`), again()));
    }
    if (history.state !== "loaded" || !history.reachedStart) {
      return row(["loading"], () => h("div", { class: "log-note" }, h("span", { class: "spinner" }), "Loading messages…"));
    }
    return row([channel], () => welcome(this.#session, channel, this.#actions));
  }

  #message(message, compact) {
    const { onReact, onOpen, onDismiss, onComponent } = this.#actions;
    return messageElement(message, { session: this.#session, compact, onReact, onOpen, onDismiss, onComponent, onJump: (id) => this.reveal(id) });
  }

  #settle() {
    this.#rows.refit(this.#pinned);
    this.#height = this.#scroller.clientHeight;
    this.#jump.hidden = this.#pinned;
  }

  #scrolled() {
    // A box that changed its height scrolls by itself; that is nobody's wish.
    if (this.#scroller.clientHeight !== this.#height) return this.#settle();
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    this.#pinned = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
    this.#jump.hidden = this.#pinned;
    if (this.#pinned) this.#session.seen();
    this.#rows.scrolled();
    const history = this.#session.history(this.#session.activeId);
    if (scrollTop < NEAR_TOP && history.state === "loaded" && !history.reachedStart && !history.loadingOlder && !history.problem) {
      this.#session.loadOlder(this.#session.activeId);
    }
  }

  #articles() {
    return [...this.#list.querySelectorAll("article")];
  }

  // One message at a time is in the tab order: the focused or the last one.
  #rove(chosen) {
    const articles = this.#articles();
    const current = chosen ?? articles.find((article) => article.contains(document.activeElement)) ?? articles.at(-1);
    for (const article of articles) article.tabIndex = article === current ? 0 : -1;
  }

  #messageOf(target) {
    const article = target.closest?.("article[data-id]");
    const message = article && this.#session.history(this.#session.activeId).get(article.dataset.id);
    return message ? { article, message } : null;
  }

  #point(target, focused = false) {
    const found = this.#messageOf(target);
    if (!found) return;
    if (!focused && this.#bar.node.contains(document.activeElement)) return;
    this.#bar.attach(found.article, found.message);
    if (focused) this.#rove(found.article);
  }

  #menu(event) {
    const found = event.target.closest("a, img, input, textarea") ? null : this.#messageOf(event.target);
    if (!found || window.getSelection()?.toString()) return;
    event.preventDefault();
    const { left, top } = found.article.getBoundingClientRect();
    const at = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : { x: left + 60, y: top + 20 };
    this.#actions.onMenu(found.message, at);
  }

  #key(event) {
    if (!event.target.matches("article, .log") || event.ctrlKey || event.metaKey || event.altKey) return;
    const articles = this.#articles();
    const at = articles.indexOf(event.target);
    const steps = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: articles.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      articles.at(Math.max(0, Math.min(articles.length - 1, steps[event.key])))?.focus();
      return;
    }
    const found = this.#messageOf(event.target);
    if (!found) return;
    const own = found.message.author.id === this.#session.directory.me?.id;
    const act = {
      r: () => this.#actions.onReply(found.message),
      w: () => this.#actions.onInspect(found.message),
      t: () => this.#session.directory.takesThreads(this.#session.active) && this.#actions.onThread(found.message),
      m: () => this.#bar.openMenu(),
      "+": () => this.#bar.openPalette(),
      e: () => own && this.#actions.onEdit(found.message),
      Delete: () => own && this.#actions.onRemove(found.message),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

// Whether a message reads as the next line of the one above it.
function follows(message, previous, directory) {
  const gap = new Date(message.timestamp) - new Date(previous.timestamp);
  return (
    gap < GROUP_MS &&
    GROUPED.has(message.type ?? 0) &&
    GROUPED.has(previous.type ?? 0) &&
    !message.message_reference &&
    !message.interaction_metadata &&
    isEphemeral(message) === isEphemeral(previous) &&
    previous.author.id === message.author.id &&
    (previous.author.avatar ?? null) === (message.author.avatar ?? null) &&
    directory.authorName(previous) === directory.authorName(message)
  );
}

// About how high a message will be, before it is an element.
function estimate({ content, embeds, attachments, components }, compact) {
  const text = content ?? "";
  const lines = Math.max(1, text.split("\n").length - 1 + Math.ceil(text.length / LINE_CHARS));
  const extra = 120 * (embeds?.length ?? 0) + 200 * (attachments?.length ?? 0) + 50 * (components?.length ?? 0);
  return lines * LINE + extra + (compact ? 2 : 42);
}
