// The list of names that opens while one types `@`.

import { avatar, botTag, h } from "./dom.js";
import { candidates } from "./mentions.js";

const QUERY = /(?:^|\s)@([\p{L}\p{N}_.-]{0,32})$/u;

export class Suggestions {
  #input;
  #directory;
  #found = [];
  #chosen = 0;
  node = h("div", { class: "suggestions", id: "suggestions", role: "listbox", "aria-label": "People to mention", hidden: true });

  constructor(input, directory) {
    this.#input = input;
    this.#directory = directory;
    input.setAttribute("aria-controls", "suggestions");
    input.setAttribute("aria-autocomplete", "list");
  }

  update() {
    const query = this.#query();
    this.#found = query === null ? [] : candidates(query, this.#directory);
    this.#chosen = 0;
    this.#render();
  }

  close() {
    this.#found = [];
    this.#render();
  }

  // Handles a key when the list is open; says whether it did.
  key(event) {
    if (this.#found.length === 0) return false;
    const count = this.#found.length;
    if (event.key === "ArrowDown") this.#chosen = (this.#chosen + 1) % count;
    else if (event.key === "ArrowUp") this.#chosen = (this.#chosen + count - 1) % count;
    else if (event.key === "Tab" || event.key === "Enter") this.#accept(this.#found[this.#chosen]);
    else if (event.key === "Escape") this.#found = [];
    else return false;
    event.preventDefault();
    this.#render();
    return true;
  }

  #query() {
    const { selectionStart, selectionEnd, value } = this.#input;
    if (selectionStart !== selectionEnd) return null;
    return QUERY.exec(value.slice(Math.max(0, selectionStart - 40), selectionStart))?.[1] ?? null;
  }

  #accept({ name }) {
    const end = this.#input.selectionStart;
    const start = end - this.#query().length - 1;
    this.#input.setRangeText(`@${name} `, start, end, "end");
    this.#found = [];
    this.#input.focus();
    this.#input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #render() {
    const open = this.#found.length > 0;
    this.node.hidden = !open;
    if (open) this.#input.setAttribute("aria-activedescendant", `suggestion-${this.#chosen}`);
    else this.#input.removeAttribute("aria-activedescendant");
    this.node.replaceChildren(...this.#found.map((member, index) => this.#option(member, index)));
  }

  #option(member, index) {
    const pick = (event) => {
      event.preventDefault();
      this.#accept(member);
      this.#render();
    };
    return h(
      "div",
      { class: "row", role: "option", id: `suggestion-${index}`, "aria-selected": String(index === this.#chosen), on: { pointerdown: pick } },
      avatar(member.user, member.name, "small"),
      h("span", { class: "row-name" }, member.name),
      member.user?.bot ? botTag() : null,
    );
  }
}
