// The side columns of a narrow pane: one at a time, over the conversation.

import { h, iconButton } from "./dom.js";

// Up to which width of the pane a column is a drawer; layout.css knows them too.
const NARROW = { channels: 760, members: 1040 };

export class Drawers {
  #columns = new Map();
  #buttons = new Map();
  #pane;
  #ids;
  backdrop = h("div", { class: "backdrop", on: { click: () => this.close() } });

  // `ids` names the columns in the document.
  constructor(pane, ids) {
    this.#pane = pane;
    this.#ids = ids;
    new ResizeObserver(() => this.#adapt()).observe(pane);
  }

  button(key, drawn, label) {
    const button = iconButton(drawn, label, { class: `toggle toggle-${key}`, "aria-controls": this.#ids[key], "aria-expanded": "false", on: { click: () => this.toggle(key) } });
    this.#buttons.set(key, button);
    return button;
  }

  add(key, column) {
    this.#columns.set(key, column);
    this.#show(key, false);
  }

  toggle(key) {
    const open = this.#columns.get(key).classList.contains("open");
    this.close();
    if (!open) this.#show(key, true);
  }

  // Says whether one was open.
  close() {
    const open = [...this.#columns].filter(([, column]) => column.classList.contains("open"));
    for (const [key] of open) this.#show(key, false);
    return open.length > 0;
  }

  #isNarrow(key) {
    return this.#pane.offsetWidth <= NARROW[key];
  }

  #adapt() {
    for (const [key, column] of this.#columns) {
      const open = column.classList.contains("open");
      if (open && !this.#isNarrow(key)) this.#show(key, false);
      else column.inert = this.#isNarrow(key) && !open;
    }
  }

  #show(key, open) {
    const column = this.#columns.get(key);
    const button = this.#buttons.get(key);
    if (!open && column.contains(document.activeElement)) button?.focus();
    button?.setAttribute("aria-expanded", String(open));
    column.classList.toggle("open", open);
    column.inert = this.#isNarrow(key) && !open;
    this.backdrop.classList.toggle("shown", open);
    if (open) column.querySelector("button:not(:disabled)")?.focus();
  }
}
