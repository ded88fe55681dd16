// A select menu: a button that opens a list, with a field to search in when
// the list is that of people, roles or channels.

import { avatar, channelIcon, emojiNode, h, icon } from "./dom.js";

const STRING = 3;
const USER = 5;
const ROLE = 6;
const MENTIONABLE = 7;
const CHANNEL = 8;
const SHOWN = 100;

let openOne = null;

// `onChoose(values)` when the choice is made. `always` reports each change at
// once, for forms that are sent later.
export function selectElement(part, { directory, onChoose, always = false, label }) {
  const least = part.min_values ?? 1;
  const most = part.max_values ?? 1;
  let chosen = initial(part);
  let open = false;

  const shown = h("span", { class: "select-words" });
  const face = h("button", { type: "button", class: "select-face", "aria-haspopup": "listbox", "aria-expanded": "false", disabled: Boolean(part.disabled), dataset: { testid: "select", custom: part.custom_id ?? "" } }, shown, icon("down"));
  const search = part.type === STRING ? null : h("input", { type: "text", class: "select-search", placeholder: "Search", "aria-label": "Search", autocomplete: "off" });
  const list = h("div", { class: "select-list", role: "listbox", tabindex: "-1", "aria-multiselectable": String(most > 1), "aria-label": label ?? part.placeholder ?? "Choices" });
  const done = most > 1 ? h("button", { type: "button", class: "button button-go", dataset: { testid: "select-done" } }, "Done") : null;
  const popup = h("div", { class: "select-popup", hidden: true }, search, list, done);
  const node = h("div", { class: "select", dataset: { testid: "select-holder" } }, face, popup);

  const nameFace = () => {
    const all = choices(part, directory, "");
    const names = chosen.map((value) => all.find((one) => one.value === value)?.label ?? value);
    shown.textContent = names.join(", ") || part.placeholder || "Make a selection";
    shown.classList.toggle("placeholder", names.length === 0);
    face.setAttribute("aria-label", `${label ?? part.placeholder ?? "Make a selection"}${names.length > 0 ? `: ${names.join(", ")}` : ""}`);
  };
  const close = (submit) => {
    if (!open) return;
    open = false;
    openOne = null;
    popup.hidden = true;
    list.replaceChildren();
    face.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    nameFace();
    if (submit && most > 1 && !always && chosen.length >= least) onChoose(chosen);
  };
  const outside = ({ target }) => node.contains(target) || close(true);
  const pick = (value) => {
    if (most === 1) {
      chosen = [value];
      if (always) onChoose(chosen);
      else onChoose([...chosen]);
      close(false);
      face.focus();
      return;
    }
    chosen = chosen.includes(value) ? chosen.filter((one) => one !== value) : chosen.length < most ? [...chosen, value] : chosen;
    if (always) onChoose(chosen);
    draw(value);
  };
  const draw = (focused) => {
    const rows = choices(part, directory, search?.value ?? "").slice(0, SHOWN).map((one) => row(one, chosen.includes(one.value), () => pick(one.value), directory));
    list.replaceChildren(...(rows.length > 0 ? rows : [h("div", { class: "select-none" }, "Nothing found")]));
    if (focused) rows.find((one) => one.dataset.value === focused)?.focus();
    if (done) done.disabled = chosen.length < least;
  };
  const show = () => {
    openOne?.(true);
    openOne = close;
    open = true;
    popup.hidden = false;
    face.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    draw();
    const edge = node.closest(".scroller, dialog")?.getBoundingClientRect().bottom ?? window.innerHeight;
    popup.classList.toggle("upwards", edge - face.getBoundingClientRect().bottom < popup.offsetHeight + 8);
    (search ?? list.querySelector("[aria-selected=true]") ?? list.querySelector("[role=option]"))?.focus();
  };
  face.addEventListener("click", () => (open ? close(true) : show()));
  search?.addEventListener("input", () => draw());
  done?.addEventListener("click", () => { close(true); face.focus(); });
  popup.addEventListener("keydown", (event) => {
    const rows = [...list.querySelectorAll("[role=option]")];
    const at = rows.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: search ? undefined : 0, End: search ? undefined : rows.length - 1 }[event.key];
    if (to !== undefined) (to < 0 ? search ?? rows.at(-1) : rows[to % rows.length])?.focus();
    else if (event.key === "Escape") { close(true); face.focus(); }
    else if ((event.key === "Enter" || event.key === " ") && at >= 0) pick(rows[at].dataset.value);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  nameFace();
  return node;
}

function initial({ type, options, default_values: defaults }) {
  if (type === STRING) return (options ?? []).filter((one) => one.default).map(({ value }) => value);
  return (defaults ?? []).map(({ id }) => id);
}

function row({ value, label, detail, sign }, selected, pick, directory) {
  return h(
    "div",
    { class: "select-option", role: "option", tabindex: "-1", "aria-selected": String(selected), dataset: { value, testid: "option" }, on: { click: pick } },
    sign ? (sign.name !== undefined ? emojiNode(sign, directory) : sign) : null,
    h("span", { class: "select-option-words" }, h("span", {}, label), detail ? h("span", { class: "select-detail" }, detail) : null),
    h("span", { class: "select-mark", "aria-hidden": "true" }, selected ? "✓" : ""),
  );
}

// What can be chosen, as { value, label, detail, sign }.
export function choices({ type, options, channel_types: kinds }, directory, query) {
  const people = () => directory.members().map(({ id, name, user }) => ({ value: id, label: name, sign: avatar(user, name, "small") }));
  const roles = () => directory.roles().map(({ id, name }) => ({ value: id, label: `@${name}` }));
  const channels = () =>
    directory
      .sections()
      .flatMap((section) => section.channels)
      .filter((channel) => !kinds?.length || kinds.includes(channel.type))
      .map((channel) => ({ value: channel.id, label: channel.name, sign: channelIcon(channel) }));
  const all = {
    [STRING]: () => (options ?? []).map(({ value, label, description, emoji }) => ({ value, label, detail: description, sign: emoji })),
    [USER]: people,
    [ROLE]: roles,
    [MENTIONABLE]: () => [...people(), ...roles()],
    [CHANNEL]: channels,
  }[type]?.() ?? [];
  const wanted = query.trim().toLowerCase();
  return wanted === "" ? all : all.filter(({ label }) => label.toLowerCase().includes(wanted));
}
