// The drawer under the surface: what passes between bot and Discord, how much
// of each rate limit is left, faults to try, and what the model was told.

import { bucketsTab } from "./buckets.js";
import { h, iconButton } from "./dom.js";
import { faultsTab } from "./faults.js";
import { modelTab } from "./model.js";
import { trafficTab } from "./traffic.js";

const OPEN = "kaiwa.surface";

// A tab is { key, name, make(context) }; `make` gives { node, show(), hide() }.
const TABS = [
  { key: "traffic", name: "Traffic", make: trafficTab },
  { key: "buckets", name: "Rate limits", make: bucketsTab },
  { key: "faults", name: "Faults", make: faultsTab },
  { key: "model", name: "Model", make: modelTab },
];

export class Surface {
  #context;
  #made = new Map();
  #current = null;
  #tabs = h("div", { class: "surface-tabs", role: "tablist", "aria-label": "Under the surface" });
  #body = h("div", { class: "surface-body" });
  world = null;
  button = iconButton("surface", "Under the surface", { class: "wide-only", "aria-controls": "surface", "aria-expanded": "false", dataset: { testid: "surface-button" }, on: { click: () => this.toggle() } });
  node = h(
    "aside",
    { class: "surface", id: "surface", "aria-label": "Under the surface", hidden: true },
    h("header", { class: "surface-head" }, this.#tabs, iconButton("close", "Close the drawer", { dataset: { testid: "surface-close" }, on: { click: () => this.toggle() } })),
    this.#body,
  );

  // `session()` gives the session of the first pane.
  constructor(session) {
    this.#context = { session, world: () => this.world };
    this.#tabs.replaceChildren(...TABS.map((tab) => this.#tab(tab)));
    this.#tabs.addEventListener("keydown", (event) => this.#key(event));
    const kept = sessionStorage.getItem(OPEN);
    if (kept) queueMicrotask(() => this.open(kept));
  }

  toggle() {
    if (this.node.hidden) this.open(this.#current ?? TABS[0].key);
    else this.close();
  }

  open(key) {
    const tab = TABS.find((one) => one.key === key) ?? TABS[0];
    this.node.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    if (this.#current !== tab.key) this.#made.get(this.#current)?.hide();
    if (!this.#made.has(tab.key)) this.#made.set(tab.key, tab.make(this.#context));
    this.#current = tab.key;
    sessionStorage.setItem(OPEN, tab.key);
    const made = this.#made.get(tab.key);
    for (const button of this.#tabs.children) {
      const chosen = button.dataset.key === tab.key;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
    this.#body.replaceChildren(h("div", { class: "surface-panel", role: "tabpanel", id: "surface-panel", "aria-label": tab.name, dataset: { testid: `panel-${tab.key}` } }, made.node));
    made.show();
  }

  close() {
    this.#made.get(this.#current)?.hide();
    this.node.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    sessionStorage.removeItem(OPEN);
    this.button.focus();
  }

  #tab({ key, name }) {
    return h("button", { type: "button", role: "tab", class: "surface-tab", "aria-controls": "surface-panel", "aria-selected": "false", dataset: { key, testid: `tab-${key}` }, on: { click: () => this.open(key) } }, name);
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = TABS.findIndex(({ key }) => key === this.#current);
    const next = TABS[(at + step + TABS.length) % TABS.length];
    this.open(next.key);
    [...this.#tabs.children].find((button) => button.dataset.key === next.key).focus();
    event.preventDefault();
  }
}
