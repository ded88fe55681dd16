// The list of names that opens while one types `@`, `#` or `:`.

import { avatar, botTag, channelIcon, emojiNode, h } from "./dom.js";
import { candidates } from "./mentions.js";

const QUERY = /(?:^|\s)([@#])([\p{L}\p{N}_.-]{0,32})$|(?:^|\s)(:)(\w{2,32})$/u;

export class Suggestions {
  #input;
  #directory;
  #id;
  #found = [];
  #chosen = 0;
  node;

  constructor(input, directory, id) {
    this.#input = input;
    this.#directory = directory;
    this.#id = id;
    this.node = h("div", { class: "suggestions", id, role: "listbox", "aria-label": "What to mention", hidden: true });
    input.setAttribute("aria-controls", id);
    input.setAttribute("aria-autocomplete", "list");
  }

  update() {
    const query = this.#query();
    this.#found = query ? candidates(query.sign, query.text, this.#directory) : [];
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
    const match = QUERY.exec(value.slice(Math.max(0, selectionStart - 40), selectionStart));
    return match ? { sign: match[1] ?? match[3], text: match[2] ?? match[4] } : null;
  }

  #accept({ text }) {
    const end = this.#input.selectionStart;
    const start = end - this.#query().text.length - 1;
    this.#input.setRangeText(`${text} `, start, end, "end");
    this.#found = [];
    this.#input.focus();
    this.#input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #render() {
    const open = this.#found.length > 0;
    this.node.hidden = !open;
    if (open) this.#input.setAttribute("aria-activedescendant", `${this.#id}-${this.#chosen}`);
    else this.#input.removeAttribute("aria-activedescendant");
    this.node.replaceChildren(...this.#found.map((one, index) => this.#option(one, index)));
  }

  #option(one, index) {
    const pick = (event) => {
      event.preventDefault();
      this.#accept(one);
      this.#render();
    };
    const sign = one.emoji ? emojiNode(one.emoji, this.#directory) : one.channel ? channelIcon(one.channel) : one.user ? avatar(one.user, one.name, "small") : "@";
    return h(
      "div",
      { class: "row", role: "option", id: `${this.#id}-${index}`, "aria-selected": String(index === this.#chosen), on: { pointerdown: pick } },
      sign,
      h("span", { class: "row-name" }, one.name),
      one.user?.bot ? botTag() : null,
      one.hint ? h("span", { class: "self-tag" }, one.hint) : null,
    );
  }
}
