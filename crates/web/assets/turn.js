// What is known of an answer: which models were asked, what they were told and
// what they cost.

import { h } from "./dom.js";

// What is known of a turn: its calls with their cost, and what was told.
export function turnParts(known) {
  if (!known) return [h("p", { class: "surface-hint" }, "What the model was told is no longer kept.")];
  const told = known.sections ?? [];
  const tokens = told.reduce((sum, section) => sum + section.tokens, 0);
  return [
    callTable(known.calls ?? []),
    told.length > 0 ? h("h2", {}, `What the model was told, about ${tokens} tokens`) : null,
    ...told.map(({ title, tokens: size, text }) => h("details", { dataset: { testid: "told" } }, h("summary", {}, `${title}, about ${size} tokens`), h("pre", { tabindex: "0" }, text))),
  ].filter(Boolean);
}

function callTable(calls) {
  if (calls.length === 0) return h("p", { class: "surface-hint" }, "No call of a model is on record for this answer.");
  const total = calls.reduce((sum, { cost_usd: cost }) => (cost === null || sum === null ? null : sum + cost), 0);
  const cell = (text) => h("td", {}, text);
  const line = ({ model, role, input, cached, output, thinking, estimated, cost_usd: cost }) =>
    h("tr", {}, h("th", { scope: "row" }, model), cell(role), cell(`${input}${cached > 0 ? ` (${cached} cached)` : ""}`), cell(`${output}${thinking > 0 ? ` (${thinking} thinking)` : ""}`), cell(`${money(cost)}${estimated ? " (estimated)" : ""}`));
  return h(
    "table",
    { class: "model-calls", dataset: { testid: "model-calls" } },
    h("caption", {}, `Answered by ${calls.at(-1).model}, ${money(total)} in all`),
    h("thead", {}, h("tr", {}, ["Model", "For", "Tokens in", "Tokens out", "Cost"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, calls.map(line)),
  );
}

function money(dollars) {
  if (dollars === null || dollars === undefined) return "cost unknown";
  return dollars === 0 ? "free" : `$${dollars.toFixed(dollars < 0.01 ? 6 : 4)}`;
}
