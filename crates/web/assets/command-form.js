// A chosen command with its options, each in a field of its type.

import { Combobox } from "./combobox.js";
import { nest } from "./commands.js";
import { h, iconButton } from "./dom.js";
import { attempt } from "./notices.js";
import { choices } from "./selects.js";

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const ROLE = 8;
const MENTIONABLE = 9;
const NUMBER = 10;
const ATTACHMENT = 11;
const NUMERIC = new Set([INTEGER, NUMBER]);
// Which select shows the same things as an option of a type.
const SELECT_OF = { [USER]: 5, [ROLE]: 6, [MENTIONABLE]: 7, [CHANNEL]: 8 };
const MOST_CHOICES = 25;

export class CommandForm {
  #entry;
  #session;
  #channel;
  #onEnd;
  #fields = new Map();
  #more = h("div", { class: "command-more" });
  #problem = h("div", { class: "command-problem", role: "alert", hidden: true });
  #line = h("div", { class: "command-fields" });
  node;

  // `onEnd(sent)` when the command was sent or left.
  constructor(entry, session, onEnd) {
    this.#entry = entry;
    this.#session = session;
    this.#channel = session.active;
    this.#onEnd = onEnd;
    for (const option of entry.options) if (option.required) this.#add(option);
    this.node = h(
      "div",
      { class: "command-form", role: "group", "aria-label": `Command /${entry.shown}`, dataset: { testid: "command-form" }, on: { keydown: (event) => this.#key(event), input: () => { this.#problem.hidden = true; } } },
      h("div", { class: "command-head" }, h("strong", {}, `/${entry.shown}`), h("span", {}, entry.description), iconButton("close", "Leave the command (Esc)", { on: { click: () => onEnd(false) } })),
      this.#line,
      this.#more,
      this.#problem,
      h("button", { type: "button", class: "button button-go command-send", dataset: { testid: "command-send" }, on: { click: () => this.submit() } }, "Send"),
    );
    this.#offerMore();
  }

  focus() {
    const first = this.#line.querySelector("input, select") ?? this.node.querySelector(".command-send");
    first.focus();
  }

  submit() {
    const { options, files, problem } = this.#read();
    this.#problem.hidden = !problem;
    this.#problem.textContent = problem ?? "";
    if (problem) return;
    const { command, path } = this.#entry;
    attempt(`/${this.#entry.shown}`, () => this.#session.interactions.command(this.#channel, command, nest(path, options), undefined, files));
    this.#onEnd(true);
  }

  #key(event) {
    if (event.key === "Escape") this.#onEnd(false);
    else if (event.key === "Enter" && event.target.matches("input")) this.submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #add(option) {
    const field = this.#field(option);
    this.#fields.set(option.name, { option, field });
    const id = `option-${option.name}`;
    this.#line.append(h("div", { class: "command-field" }, h("span", { class: "command-label", id, title: option.description }, option.name_localized ?? option.name, option.required ? h("span", { class: "required-mark", "aria-hidden": "true" }, " *") : null), field.node, h("span", { class: "command-about" }, option.description ?? "")));
    return field;
  }

  #offerMore() {
    const left = this.#entry.options.filter(({ name }) => !this.#fields.has(name));
    const offer = (option) => {
      const add = () => {
        const field = this.#add(option);
        this.#offerMore();
        (field.input ?? field.node).focus();
      };
      return h("button", { type: "button", class: "chip", title: option.description, dataset: { testid: `add-${option.name}` }, on: { click: add } }, `+ ${option.name}`);
    };
    this.#more.replaceChildren(...left.map(offer));
    this.#more.hidden = left.length === 0;
  }

  #field(option) {
    const label = `${option.name}: ${option.description ?? ""}`;
    const testid = `option-${option.name}`;
    const named = (source, strict) => new Combobox({ label, source, strict, testid });
    const listed = (all) => (query) => all.filter((one) => one.label.toLowerCase().includes(query.toLowerCase())).slice(0, MOST_CHOICES);
    if (option.choices?.length > 0) return named(listed(option.choices.map((one) => ({ label: one.name_localized ?? one.name, value: one.value }))), true);
    if (option.autocomplete) return named((query) => this.#complete(option, query), false);
    if (option.type === BOOLEAN) return named(listed([{ label: "True", value: true }, { label: "False", value: false }]), true);
    const select = SELECT_OF[option.type];
    if (select) return named((query) => choices({ type: select, channel_types: option.channel_types }, this.#session.directory, query).slice(0, MOST_CHOICES), true);
    if (option.type === ATTACHMENT) {
      const input = h("input", { type: "file", "aria-label": label, dataset: { testid } });
      return { node: input, input, get value() { return input.files[0]; } };
    }
    const numeric = NUMERIC.has(option.type) ? { inputmode: option.type === INTEGER ? "numeric" : "decimal" } : {};
    const input = h("input", { type: "text", autocomplete: "off", "aria-label": label, minlength: option.min_length, maxlength: option.max_length, dataset: { testid }, ...numeric });
    return { node: input, input, get value() { return input.value.trim() === "" ? undefined : input.value.trim(); } };
  }

  // Asks the application, which sees what is filled in so far.
  async #complete(option, query) {
    const { options } = this.#read(option.name);
    const focused = { name: option.name, type: option.type, value: query, focused: true };
    const { command, path } = this.#entry;
    const found = await this.#session.interactions.autocomplete(this.#channel, command, nest(path, [...options, focused])).catch(() => []);
    return found.map((one) => ({ label: one.name_localized ?? one.name, value: one.value }));
  }

  // What is filled in, as Discord takes it; `without` leaves one option out.
  #read(without) {
    const options = [];
    const files = [];
    let problem;
    for (const [name, { option, field }] of this.#fields) {
      if (name === without) continue;
      const typed = field.value;
      const value = NUMERIC.has(option.type) && typed !== undefined ? Number(typed) : typed;
      problem ??= wrong(option, value, field.input?.value ?? "");
      if (value === undefined || wrong(option, value, "")) continue;
      if (option.type === ATTACHMENT) options.push({ name, type: option.type, value: String(files.push(value) - 1) });
      else options.push({ name, type: option.type, value });
    }
    return { options, files, problem };
  }
}

// Why a value does not do, if it does not.
function wrong({ name, type, required, min_value: least, max_value: most, min_length: shortest, max_length: longest }, value, typed) {
  if (value === undefined) return required || typed.trim() !== "" ? `${name}: ${typed.trim() === "" ? "this option is required" : "choose one of the list"}.` : undefined;
  if (NUMERIC.has(type)) {
    if (!Number.isFinite(value)) return `${name}: a number is needed.`;
    if (type === INTEGER && !Number.isInteger(value)) return `${name}: a whole number is needed.`;
    if (least !== undefined && value < least) return `${name}: at least ${least}.`;
    if (most !== undefined && value > most) return `${name}: at most ${most}.`;
  }
  if (type === STRING) {
    if (shortest !== undefined && value.length < shortest) return `${name}: at least ${shortest} characters.`;
    if (longest !== undefined && value.length > longest) return `${name}: at most ${longest} characters.`;
  }
  return undefined;
}
