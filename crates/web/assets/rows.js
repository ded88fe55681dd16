// A long list of rows of which only those near the view are elements. Empty
// boxes stand for the rest, so that the scroll bar tells the truth; what one
// looks at stays where it is while rows around it come, go or grow.
//
// A row is { key, version, estimate, make }: `version` is a list of what the
// row shows, which is made anew only when one of them changed.

import { h } from "./dom.js";

const OVERSCAN = 900;
const PASSES = 4;

export class RowWindow {
  #scroller;
  #list;
  #before = h("div", { class: "spacer" });
  #after = h("div", { class: "spacer" });
  #rows = [];
  #index = new Map();
  #offsets = [0];
  #heights = new Map();
  #made = new Map();
  #start = 0;
  #end = 0;

  constructor(scroller, list) {
    this.#scroller = scroller;
    this.#list = list;
    list.append(this.#before, this.#after);
  }

  // Forgets what was made, for rows that may look different now.
  clear() {
    for (const row of this.#made.values()) row.version = null;
    this.#heights.clear();
  }

  // Shows rows; at the end of them if `pinned`, else where one was.
  show(rows, pinned) {
    const anchor = pinned ? null : this.#anchor();
    this.#rows = rows;
    this.#index = new Map(rows.map(({ key }, at) => [key, at]));
    this.#sum();
    this.#settle(anchor, pinned);
  }

  // After sizes changed.
  refit(pinned) {
    this.#settle(pinned ? null : this.#anchor(), pinned);
  }

  // After a scroll.
  scrolled() {
    const top = this.#scroller.scrollTop - this.#base();
    const bottom = top + this.#scroller.clientHeight;
    const early = this.#start > 0 && top < this.#offsets[this.#start] + OVERSCAN / 3;
    const late = this.#end < this.#rows.length && bottom > this.#offsets[this.#end] - OVERSCAN / 3;
    if (early || late) this.#settle(this.#anchor(), false);
  }

  // Brings a row into view; gives its element.
  reveal(key) {
    if (!this.#index.has(key)) return null;
    this.#settle({ key, top: this.#scroller.clientHeight / 3 }, false);
    return this.node(key);
  }

  node(key) {
    return this.#made.get(key)?.node ?? null;
  }

  // The first message in view, and how far below the edge it begins.
  #anchor() {
    const edge = this.#scroller.getBoundingClientRect().top;
    for (const { key, node } of this.#made.values()) {
      const { top, bottom } = node.getBoundingClientRect();
      if (bottom > edge + 1 && node.matches("article")) return { key, top: top - edge };
    }
    return null;
  }

  // How far above the first row the content begins.
  #base() {
    return this.#before.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top + this.#scroller.scrollTop;
  }

  #sum() {
    const offsets = [0];
    for (const { key, estimate } of this.#rows) offsets.push(offsets.at(-1) + (this.#heights.get(key) ?? estimate));
    this.#offsets = offsets;
  }

  #settle(anchor, pinned) {
    for (let pass = 0; pass < PASSES; pass += 1) {
      const [start, end] = this.#range(anchor, pinned);
      this.#place(start, end);
      const changed = this.#measure();
      this.#before.style.height = `${this.#offsets[this.#start]}px`;
      this.#after.style.height = `${this.#offsets.at(-1) - this.#offsets[this.#end]}px`;
      this.#aim(anchor, pinned);
      if (!changed) break;
    }
  }

  #range(anchor, pinned) {
    const view = this.#scroller.clientHeight;
    const at = anchor ? this.#index.get(anchor.key) : undefined;
    let top = this.#scroller.scrollTop - this.#base();
    if (pinned) top = this.#offsets.at(-1) - view;
    else if (at !== undefined) top = this.#offsets[at] - anchor.top;
    const start = Math.max(0, this.#rowAt(top - OVERSCAN));
    const end = pinned ? this.#rows.length : Math.min(this.#rows.length, this.#rowAt(top + view + OVERSCAN) + 1);
    return [Math.min(start, end), end];
  }

  // The row that a height falls into.
  #rowAt(height) {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle + 1] <= height) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #place(start, end) {
    const kept = new Map();
    let cursor = this.#before.nextSibling;
    for (const { key, version, make } of this.#rows.slice(start, end)) {
      const known = this.#made.get(key);
      const fresh = known && same(known.version, version);
      const row = fresh ? known : { key, version, node: make() };
      kept.set(key, row);
      if (known && !fresh) {
        swap(known.node, row.node);
        if (cursor === known.node) cursor = row.node;
      }
      if (row.node === cursor) cursor = cursor.nextSibling;
      else this.#list.insertBefore(row.node, cursor);
    }
    while (cursor !== this.#after) {
      const next = cursor.nextSibling;
      if (cursor.contains(document.activeElement)) this.#list.focus({ preventScroll: true });
      cursor.remove();
      cursor = next;
    }
    this.#made = kept;
    this.#start = start;
    this.#end = end;
  }

  // Notes how high the rows really are; says whether that was news.
  #measure() {
    let changed = false;
    const nodes = [...this.#made.values()];
    for (const [at, { key, node }] of nodes.entries()) {
      const next = nodes[at + 1]?.node ?? this.#after;
      const height = next.offsetTop - node.offsetTop;
      if (Math.abs(height - (this.#heights.get(key) ?? -9)) <= 1) continue;
      this.#heights.set(key, height);
      changed = true;
    }
    if (changed) this.#sum();
    return changed;
  }

  #aim(anchor, pinned) {
    if (pinned) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight;
      return;
    }
    const node = anchor && this.node(anchor.key);
    if (!node) return;
    const edge = this.#scroller.getBoundingClientRect().top;
    const off = node.getBoundingClientRect().top - edge - anchor.top;
    if (Math.abs(off) >= 1) this.#scroller.scrollTop += off;
  }
}

function same(one, other) {
  return one !== null && one.length === other.length && one.every((part, at) => part === other[at]);
}

function swap(old, node) {
  const focused = old.contains(document.activeElement);
  old.replaceWith(node);
  if (focused) node.focus({ preventScroll: true });
}
