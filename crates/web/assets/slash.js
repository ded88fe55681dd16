// The list of commands that opens while one types `/`.

import { matching } from "./commands.js";
import { avatar, h } from "./dom.js";

const QUERY = /^\/([\p{L}\p{N}_\- ]{0,100})$/u;

export class SlashPicker {
  #input;
  #session;
  #onChoose;
  #id;
  #found = [];
  #chosen = 0;
  #asked = 0;
  node;

  // `onChoose(entry)` with one of what `Commands.typed` gives.
  constructor(input, session, id, onChoose) {
    this.#input = input;
    this.#session = session;
    this.#onChoose = onChoose;
    this.#id = id;
    this.node = h("div", { class: "suggestions slash", id, role: "listbox", "aria-label": "Commands", dataset: { testid: "commands" }, hidden: true });
  }

  async update() {
    this.#asked += 1;
    const asked = this.#asked;
    const query = QUERY.exec(this.#input.value)?.[1];
    const channel = this.#session.active;
    const all = query === undefined || !channel ? [] : await this.#session.commands.typed(channel);
    if (asked !== this.#asked) return;
    this.#found = query === undefined ? [] : matching(all, query);
    this.#chosen = 0;
    this.#render();
  }

  close() {
    this.#asked += 1;
    this.#found = [];
    this.#render();
  }

  // Handles a key when the list is open; says whether it did.
  key(event) {
    if (this.#found.length === 0) return false;
    const count = this.#found.length;
    if (event.key === "ArrowDown") this.#chosen = (this.#chosen + 1) % count;
    else if (event.key === "ArrowUp") this.#chosen = (this.#chosen + count - 1) % count;
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) this.#accept(this.#found[this.#chosen]);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    this.#render();
    return true;
  }

  // Chooses the command that a mention names.
  async choose(name) {
    const all = await this.#session.commands.typed(this.#session.active);
    const entry = all.find((one) => one.name === name);
    if (entry) this.#accept(entry);
  }

  #accept(entry) {
    this.close();
    this.#onChoose(entry);
  }

  #render() {
    const open = this.#found.length > 0;
    if (open) {
      this.#input.setAttribute("aria-activedescendant", `${this.#id}-${this.#chosen}`);
      this.#input.setAttribute("aria-controls", this.#id);
    }
    this.node.hidden = !open;
    this.node.replaceChildren(...this.#found.map((entry, at) => this.#option(entry, at)));
    this.node.children[this.#chosen]?.scrollIntoView({ block: "nearest" });
  }

  #option(entry, at) {
    const pick = (event) => {
      event.preventDefault();
      this.#accept(entry);
    };
    const { application } = entry.command;
    const owner = application?.name ?? "Application";
    const options = entry.options.map(({ name, required }) => h("span", { class: `slash-option ${required ? "required" : ""}` }, name));
    return h(
      "div",
      { class: "row slash-row", role: "option", id: `${this.#id}-${at}`, "aria-selected": String(at === this.#chosen), dataset: { testid: "command", name: entry.name }, on: { pointerdown: pick } },
      avatar(application?.bot ?? { bot: true }, owner, "small"),
      h("span", { class: "slash-words" }, h("span", { class: "slash-name" }, `/${entry.shown}`, options), h("span", { class: "slash-about" }, entry.description)),
      h("span", { class: "self-tag" }, owner),
    );
  }
}
