// The messages of the open channel, scrolled as a conversation is.

import { h, icon } from "./dom.js";
import { ActionBar, dayOf, messageElement, pendingElement } from "./message.js";
import { welcome } from "./welcome.js";

const GROUP_MS = 7 * 60_000;
const NEAR_BOTTOM = 60;
const NEAR_TOP = 240;
const THREAD_CREATED = 18;

export class Timeline {
  #session;
  #actions;
  #bar;
  #cache = new Map();
  #pinned = true;
  #channel = null;
  #height = 0;
  #newestSeen = null;

  #list = h("div", { class: "log", role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-label": "Messages" });
  #scroller = h("div", { class: "scroller" }, this.#list);
  #jumpText = h("span", {}, "Jump to present");
  #jump = h("button", { type: "button", class: "jump", hidden: true, dataset: { testid: "jump" }, on: { click: () => this.toPresent() } }, this.#jumpText, icon("down"));
  node = h("div", { class: "timeline" }, this.#scroller, this.#jump);

  // `actions`: what the action bar and the keys do, and `onTry`.
  constructor(session, actions) {
    this.#session = session;
    this.#actions = actions;
    this.#bar = new ActionBar(actions);
    this.#scroller.addEventListener("scroll", () => this.#scrolled());
    this.#list.addEventListener("pointerover", (event) => this.#point(event.target));
    this.#list.addEventListener("focusin", (event) => this.#point(event.target, true));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#settle()).observe(this.#scroller);
    new ResizeObserver(() => this.#settle()).observe(this.#list);
    session.on(["open"], () => this.#opened());
    session.on(["channel"], (channel) => channel === session.activeId && this.render());
    session.on(["directory"], () => this.#redraw());
  }

  toPresent() {
    this.#pinned = true;
    this.#settle();
    this.#session.seen();
  }

  // Shows a message that is on the page, with a short glow.
  reveal(id) {
    const node = this.#nodeOf(id);
    if (!node) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    node.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    node.classList.add("glow");
    setTimeout(() => node.classList.remove("glow"), 1600);
  }

  #opened() {
    if (this.#channel === this.#session.activeId) return this.toPresent();
    this.#channel = this.#session.activeId;
    this.#pinned = true;
    this.#redraw();
  }

  #redraw() {
    this.#cache.clear();
    this.render();
  }

  render() {
    const { activeId, active } = this.#session;
    if (!active) return;
    const history = this.#session.history(activeId);
    if (this.#pinned) history.trim();
    const fromBottom = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    const oldFirst = this.#list.querySelector("article")?.dataset.id;
    this.#list.setAttribute("aria-busy", String(history.loadingOlder || history.state === "loading"));
    this.#place(this.#rows(history, active));
    if (this.#pinned) this.#settle();
    else if (oldFirst && this.#list.querySelector("article")?.dataset.id !== oldFirst) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight - fromBottom;
    }
    this.#announce(history.messages.at(-1)?.id);
    this.#rove();
  }

  #announce(newest) {
    if (this.#pinned) this.#newestSeen = newest;
    this.#jumpText.textContent = newest === this.#newestSeen ? "Jump to present" : "New messages";
  }

  // Rows from top to bottom as [key, version, make]; a row is made anew only
  // when its version changed.
  #rows(history, channel) {
    const rows = [this.#top(history, channel)];
    let previous = null;
    for (const message of history.messages) {
      const newDay = !previous || dayOf(previous) !== dayOf(message);
      if (newDay) rows.push([`day-${message.id}`, "", () => h("div", { class: "day", role: "separator" }, h("span", {}, dayOf(message)))]);
      const compact = !newDay && follows(message, previous);
      rows.push([message.id, message, () => this.#message(message, compact), compact]);
      previous = message;
    }
    for (const entry of this.#session.outbox.entries(channel.id)) {
      const callbacks = { session: this.#session, onRetry: this.#actions.onRetry, onDiscard: this.#actions.onDiscard };
      rows.push([entry.nonce, entry.state, () => pendingElement(entry, callbacks)]);
    }
    return rows;
  }

  #top(history, channel) {
    if (history.state === "failed") {
      const again = h("button", { type: "button", class: "button", on: { click: () => this.#session.load(channel.id) } }, "Try again");
      return ["top", history.problem, () => h("div", { class: "log-note" }, h("p", {}, `The messages could not be loaded. ${history.problem.message}`), again)];
    }
    if (history.state !== "loaded" || !history.reachedStart) {
      return ["top", "loading", () => h("div", { class: "log-note" }, h("span", { class: "spinner" }), "Loading messages…")];
    }
    return ["top", channel, () => welcome(this.#session, channel, this.#actions)];
  }

  #message(message, compact) {
    return messageElement(message, { session: this.#session, compact, onReact: this.#actions.onReact, onOpen: this.#actions.onOpen, onJump: (id) => this.reveal(id) });
  }

  #place(rows) {
    const kept = new Map();
    let cursor = this.#list.firstChild;
    for (const [key, version, make, look] of rows) {
      const known = this.#cache.get(key);
      const fresh = known && known.version === version && known.look === look;
      const row = fresh ? known : { version, look, node: make() };
      kept.set(key, row);
      if (known && !fresh) this.#swap(known.node, row.node);
      if (cursor === known?.node && !fresh) cursor = row.node;
      if (row.node === cursor) cursor = cursor.nextSibling;
      else this.#list.insertBefore(row.node, cursor);
    }
    while (cursor) {
      const next = cursor.nextSibling;
      cursor.remove();
      cursor = next;
    }
    this.#cache = kept;
  }

  #swap(old, node) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(node);
    if (focused) node.focus({ preventScroll: true });
  }

  #settle() {
    if (this.#pinned) this.#scroller.scrollTop = this.#scroller.scrollHeight;
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
    const history = this.#session.history(this.#session.activeId);
    if (scrollTop < NEAR_TOP && history.state === "loaded" && !history.reachedStart && !history.loadingOlder) {
      this.#session.loadOlder(this.#session.activeId);
    }
  }

  #nodeOf(id) {
    return this.#cache.get(id)?.node;
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
    const own = found.message.author.id === this.#session.directory.me?.id;
    this.#bar.attach(found.article, found.message, own, this.#session.directory);
    if (focused) this.#rove(found.article);
  }

  #key(event) {
    if (!event.target.matches("article") || event.ctrlKey || event.metaKey || event.altKey) return;
    const articles = this.#articles();
    const at = articles.indexOf(event.target);
    const steps = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: articles.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      articles[Math.max(0, Math.min(articles.length - 1, steps[event.key]))].focus();
      return;
    }
    const found = this.#messageOf(event.target);
    if (!found) return;
    const own = found.message.author.id === this.#session.directory.me?.id;
    const act = {
      r: () => this.#actions.onReply(found.message),
      w: () => this.#actions.onInspect(found.message),
      t: () => this.#session.directory.takesThreads(this.#session.active) && this.#actions.onThread(found.message),
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
function follows(message, previous) {
  const gap = new Date(message.timestamp) - new Date(previous.timestamp);
  return previous.author.id === message.author.id && gap < GROUP_MS && !message.message_reference && previous.type !== THREAD_CREATED;
}
