// A text field with a list of proposals below it.

import { h } from "./dom.js";

let counted = 0;

export class Combobox {
  #source;
  #strict;
  #onChange;
  #found = [];
  #chosen = 0;
  #picked = null;
  #asked = 0;
  #id = `combobox-${(counted += 1)}`;
  #list = h("div", { class: "suggestions combobox-list", id: this.#id, role: "listbox", hidden: true });
  input;
  node;

  // `source(query)` gives { label, value, detail } or a promise of them. With
  // `strict` only they can be chosen.
  constructor({ label, source, strict = false, placeholder = "", onChange = () => {}, testid }) {
    this.#source = source;
    this.#strict = strict;
    this.#onChange = onChange;
    this.#list.setAttribute("aria-label", label);
    this.input = h("input", { type: "text", autocomplete: "off", role: "combobox", "aria-label": label, "aria-expanded": "false", "aria-controls": this.#id, "aria-autocomplete": "list", placeholder, dataset: testid ? { testid } : {} });
    this.input.addEventListener("input", () => { this.#picked = null; this.#onChange(); this.#ask(); });
    this.input.addEventListener("focus", () => this.#ask());
    this.input.addEventListener("blur", () => this.#close());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.node = h("div", { class: "combobox" }, this.input, this.#list);
  }

  // What was chosen, or what was typed where that will do; else undefined.
  get value() {
    if (this.#picked) return this.#picked.value;
    const typed = this.input.value.trim();
    if (!this.#strict) return typed === "" ? undefined : typed;
    const same = this.#found.filter(({ label }) => label.toLowerCase() === typed.toLowerCase());
    return typed !== "" && same.length === 1 ? same[0].value : undefined;
  }

  async #ask() {
    this.#asked += 1;
    const asked = this.#asked;
    const found = await this.#source(this.input.value.trim());
    if (asked !== this.#asked || document.activeElement !== this.input) return;
    this.#found = found;
    this.#chosen = 0;
    this.#render(found.length > 0 && !this.#picked);
  }

  #close() {
    this.#asked += 1;
    this.#render(false);
  }

  #key(event) {
    const open = !this.#list.hidden;
    const count = this.#found.length;
    if (event.key === "ArrowDown" && !open) this.#ask();
    else if (!open) return;
    else if (event.key === "ArrowDown") this.#move((this.#chosen + 1) % count);
    else if (event.key === "ArrowUp") this.#move((this.#chosen + count - 1) % count);
    else if (event.key === "Enter" || event.key === "Tab") this.#pick(this.#found[this.#chosen]);
    else if (event.key === "Escape") this.#close();
    else return;
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(to) {
    this.#chosen = to;
    this.#render(true);
  }

  #pick(one) {
    this.#picked = one;
    this.input.value = one.label;
    this.#close();
    this.#onChange();
  }

  #render(open) {
    this.#list.hidden = !open;
    this.input.setAttribute("aria-expanded", String(open));
    if (open) this.input.setAttribute("aria-activedescendant", `${this.#id}-${this.#chosen}`);
    else this.input.removeAttribute("aria-activedescendant");
    const row = (one, at) =>
      h(
        "div",
        { class: "row", role: "option", id: `${this.#id}-${at}`, "aria-selected": String(at === this.#chosen), dataset: { testid: "proposal" }, on: { pointerdown: (event) => { event.preventDefault(); this.#pick(one); } } },
        h("span", { class: "row-name" }, one.label),
        one.detail ? h("span", { class: "self-tag" }, one.detail) : null,
      );
    this.#list.replaceChildren(...(open ? this.#found.map(row) : []));
    this.#list.children[this.#chosen]?.scrollIntoView({ block: "nearest" });
  }
}
