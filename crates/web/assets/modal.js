// A form that an application asks a human to fill in.

import { h } from "./dom.js";
import { renderMarkdown } from "./markdown.js";
import { takeAway } from "./notices.js";
import { selectElement } from "./selects.js";

const ROW = 1;
const STRING_SELECT = 3;
const TEXT_INPUT = 4;
const SELECTS = new Set([STRING_SELECT, 5, 6, 7, 8]);
const TEXT = 10;
const LABEL = 18;
const FILE_UPLOAD = 19;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;
const PARAGRAPH = 2;

// `onSubmit(components, files)` gives a promise; when it fails the form stays
// open.
export function showModal(modal, { directory, onSubmit }) {
  const reads = [];
  const problem = h("div", { class: "command-problem", role: "alert", dataset: { testid: "modal-problem" }, hidden: true });
  const send = h("button", { type: "submit", class: "button button-go", dataset: { testid: "modal-submit" } }, "Submit");
  const parts = (modal.components ?? []).map((part) => top(part, directory, reads));
  const submit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    problem.hidden = true;
    const files = [];
    try {
      await onSubmit(reads.map((read) => read(files)), files);
      dialog.close();
    } catch (error) {
      problem.textContent = `Something went wrong. ${error.message}`;
      problem.hidden = false;
      send.disabled = false;
    }
  };
  const dialog = h(
    "dialog",
    { class: "question modal", "aria-label": modal.title ?? "Form", dataset: { testid: "modal" }, on: { close: () => takeAway(dialog) } },
    h("h2", {}, modal.title ?? ""),
    h("div", { class: "modal-owner" }, modal.application?.name ?? ""),
    h(
      "form",
      { class: "question-form", "aria-label": modal.title ?? "Form", on: { submit } },
      parts,
      problem,
      h("div", { class: "question-buttons" }, h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"), send),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, textarea, .select-face")?.focus();
}

// A row or a label with its one component. What is to be sent of it is added
// to `reads` as a function that takes the list of files.
function top(part, directory, reads) {
  if (part.type === TEXT) return h("div", { class: "message-body" }, renderMarkdown(part.content ?? "", directory));
  const inner = part.type === LABEL ? part.component : part.components?.[0];
  if (!inner || (part.type !== LABEL && part.type !== ROW)) return null;
  const name = part.label ?? inner.label ?? "";
  const made = field(inner, directory, name);
  if (!made) return h("div", { class: "question-field" }, name, h("span", { class: "command-about" }, "This kind of field is not known here."));
  const base = { type: inner.type, id: inner.id, custom_id: inner.custom_id };
  const wrap = (data) => (part.type === LABEL ? { type: LABEL, id: part.id, component: data } : { type: ROW, id: part.id, components: [data] });
  reads.push((files) => wrap({ ...base, ...made.read(files) }));
  const id = `modal-${inner.custom_id}`;
  made.input.id = id;
  const required = inner.required !== false && inner.type !== CHECKBOX;
  const about = part.description ? h("span", { class: "command-about" }, part.description) : null;
  const label = h(made.group ? "span" : "label", made.group ? { class: "field-name", id: `${id}-name` } : { for: id }, name, required ? h("span", { class: "required-mark", "aria-hidden": "true" }, " *") : null);
  if (made.group) made.input.setAttribute("aria-labelledby", `${id}-name`);
  return h("div", { class: "question-field" }, label, about, made.node);
}

// { node, input, read, group }: `input` is what a label points at.
function field(part, directory, label) {
  if (SELECTS.has(part.type)) return select(part, directory, label);
  switch (part.type) {
    case TEXT_INPUT: return text(part);
    case FILE_UPLOAD: return upload(part);
    case RADIO_GROUP: return group(part, "radio");
    case CHECKBOX_GROUP: return group(part, "checkbox");
    case CHECKBOX: return checkbox(part);
    default: return null;
  }
}

function text({ custom_id: custom, style, value, placeholder, min_length: least, max_length: most, required }) {
  const props = { name: custom, placeholder, minlength: least, maxlength: most ?? 4000, required: required !== false, autocomplete: "off", dataset: { testid: `modal-${custom}` } };
  const node = style === PARAGRAPH ? h("textarea", { ...props, rows: "4" }) : h("input", { ...props, type: "text" });
  node.value = value ?? "";
  return { node, input: node, read: () => ({ value: node.value }) };
}

function select(part, directory, label) {
  let chosen = part.type === STRING_SELECT ? (part.options ?? []).filter((one) => one.default).map(({ value }) => value) : (part.default_values ?? []).map((one) => one.id);
  const node = selectElement(part, { directory, label, always: true, onChoose: (values) => { chosen = values; } });
  return { node, input: node.querySelector(".select-face"), read: () => ({ values: chosen }) };
}

function upload({ custom_id: custom, max_values: most, required }) {
  const node = h("input", { type: "file", multiple: (most ?? 1) > 1, required: required !== false, dataset: { testid: `modal-${custom}` } });
  return { node, input: node, read: (files) => ({ values: [...node.files].map((file) => String(files.push(file) - 1)) }) };
}

function group({ custom_id: custom, options, required }, kind) {
  const boxes = (options ?? []).map(({ value, default: chosen }) => h("input", { type: kind, name: custom, value, checked: Boolean(chosen), required: kind === "radio" && required !== false, dataset: { testid: `modal-${custom}` } }));
  const rows = (options ?? []).map(({ label, description }, at) => h("label", { class: "modal-choice" }, boxes[at], h("span", {}, label, description ? h("span", { class: "command-about" }, ` ${description}`) : null)));
  const node = h("div", { class: "modal-choices", role: kind === "radio" ? "radiogroup" : "group" }, rows);
  const chosen = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  return { node, input: node, group: true, read: () => (kind === "radio" ? { value: chosen()[0] ?? null } : { values: chosen() }) };
}

function checkbox({ custom_id: custom, default: chosen }) {
  const node = h("input", { type: "checkbox", checked: Boolean(chosen), dataset: { testid: `modal-${custom}` } });
  return { node, input: node, read: () => ({ value: node.checked }) };
}
