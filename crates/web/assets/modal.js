// A form that an application asks a human to fill in.

import { h } from "./dom.js";
import { renderMarkdown } from "./markdown.js";
import { selectElement } from "./selects.js";

const ROW = 1;
const TEXT_INPUT = 4;
const SELECTS = new Set([3, 5, 6, 7, 8]);
const TEXT = 10;
const LABEL = 18;
const PARAGRAPH = 2;

// `onSubmit(components)` gives a promise; while it fails the form stays open.
export function showModal(modal, { directory, onSubmit }) {
  const fields = [];
  const problem = h("div", { class: "command-problem", role: "alert", dataset: { testid: "modal-problem" }, hidden: true });
  const send = h("button", { type: "submit", class: "button button-go", dataset: { testid: "modal-submit" } }, "Submit");
  const parts = (modal.components ?? []).map((part) => top(part, directory, fields));
  const submit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    problem.hidden = true;
    try {
      await onSubmit(fields.map((read) => read()));
      dialog.close();
    } catch (error) {
      problem.textContent = `Something went wrong. ${error.message}`;
      problem.hidden = false;
      send.disabled = false;
    }
  };
  const dialog = h(
    "dialog",
    { class: "question modal", "aria-label": modal.title ?? "Form", dataset: { testid: "modal" }, on: { close: () => dialog.remove() } },
    h("h2", {}, modal.title ?? ""),
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
// to `fields` as a function.
function top(part, directory, fields) {
  if (part.type === TEXT) return h("div", { class: "message-body" }, renderMarkdown(part.content ?? "", directory));
  const inner = part.type === LABEL ? part.component : part.components?.[0];
  if (!inner || (part.type !== LABEL && part.type !== ROW)) return null;
  const name = part.label ?? inner.label ?? "";
  const made = SELECTS.has(inner.type) ? select(inner, directory, name) : inner.type === TEXT_INPUT ? text(inner) : null;
  if (!made) return h("div", { class: "question-field" }, name, h("span", { class: "command-about" }, "This kind of field is not known here."));
  const wrap = part.type === LABEL ? (data) => ({ type: LABEL, id: part.id, component: data }) : (data) => ({ type: ROW, id: part.id, components: [data] });
  fields.push(() => wrap(made.read()));
  const id = `modal-${inner.custom_id}`;
  made.node.id = id;
  const required = inner.required !== false;
  const about = part.description ? h("span", { class: "command-about" }, part.description) : null;
  return h("div", { class: "question-field" }, h("label", { for: id }, name, required ? h("span", { class: "required-mark", "aria-hidden": "true" }, " *") : null), about, made.node);
}

function text({ custom_id: custom, style, value, placeholder, min_length: least, max_length: most, required, id }) {
  const props = { name: custom, placeholder, minlength: least, maxlength: most ?? 4000, required: required !== false, autocomplete: "off", dataset: { testid: `modal-${custom}` } };
  const node = style === PARAGRAPH ? h("textarea", { ...props, rows: "4" }) : h("input", { ...props, type: "text" });
  node.value = value ?? "";
  return { node, read: () => ({ type: TEXT_INPUT, id, custom_id: custom, value: node.value }) };
}

function select(part, directory, label) {
  const { type, custom_id: custom, id } = part;
  let chosen = type === 3 ? (part.options ?? []).filter((one) => one.default).map(({ value }) => value) : (part.default_values ?? []).map((one) => one.id);
  const node = selectElement(part, { directory, label, always: true, onChoose: (values) => { chosen = values; } });
  return { node, read: () => ({ type, id, custom_id: custom, values: chosen }) };
}
