// Which model answers in the open channel, what it was told and what it cost.

import { h } from "./dom.js";
import { decisions, outcome, turn } from "./inspect.js";
import { turnParts } from "./turn.js";

const REFRESH_MS = 1500;
const SHOWN = 30;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

export function modelTab({ session }) {
  const node = h("div", { class: "model", dataset: { testid: "model" } });
  let ticking = 0;
  let drawn = "";
  const refresh = async () => {
    const channel = session()?.activeId;
    const known = channel ? await decisions(channel) : null;
    const state = JSON.stringify([channel, known]);
    if (state === drawn) return;
    drawn = state;
    if (known === null) clearInterval(ticking);
    if (known === null) return node.replaceChildren(h("p", { class: "surface-hint" }, "No bot of this process answers here, so nothing is known of a model."));
    if (known.length === 0) return node.replaceChildren(h("p", { class: "surface-hint" }, "Nothing was decided in this channel yet."));
    node.replaceChildren(...known.slice(0, SHOWN).map((one) => row(one, session())));
  };
  const show = () => {
    drawn = "";
    refresh();
    ticking = setInterval(refresh, REFRESH_MS);
  };
  return { node, show, hide: () => clearInterval(ticking) };
}

function row(decision, session) {
  const about = h("div", { class: "model-turn" });
  const name = session.directory.nameOf(decision.user) ?? decision.user;
  const head = h("summary", {}, h("time", {}, clock.format(new Date(decision.at))), h("strong", {}, name), h("span", {}, outcome(decision)));
  const open = async () => {
    if (!details.open || about.childNodes.length > 0) return;
    about.append(...(decision.turn ? turnParts(await turn(decision.turn)) : [h("p", { class: "surface-hint" }, "No model was asked.")]));
  };
  const details = h("details", { class: "model-decision", dataset: { testid: "model-decision" }, on: { toggle: open } }, head, about);
  return details;
}
