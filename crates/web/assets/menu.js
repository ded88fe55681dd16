// A small menu at a place: arrow keys move, Enter chooses, Escape leaves.

import { h } from "./dom.js";

let open = null;

// `items` are { label, act, danger } or { heading }. The focus returns to
// where it was.
export function showMenu(name, at, items) {
  open?.();
  const before = document.activeElement;
  const close = () => {
    open = null;
    document.removeEventListener("pointerdown", outside, true);
    menu.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
  };
  const outside = ({ target }) => menu.contains(target) || close();
  const entry = ({ label, act, danger, heading, testid }) =>
    heading
      ? h("div", { class: "menu-heading", role: "presentation" }, heading)
      : h("button", { type: "button", class: `menu-item ${danger ? "danger" : ""}`, role: "menuitem", tabindex: "-1", dataset: testid ? { testid } : {}, on: { click: () => { close(); act(); } } }, label);
  const keydown = (event) => {
    const all = [...menu.querySelectorAll("[role=menuitem]")];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[to % all.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const menu = h("div", { class: "menu", role: "menu", "aria-label": name, dataset: { testid: "menu" }, on: { keydown } }, items.map(entry));
  document.body.append(menu);
  const { offsetWidth: width, offsetHeight: height } = menu;
  menu.style.left = `${Math.max(8, Math.min(at.x, window.innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(at.y, window.innerHeight - height - 8))}px`;
  document.addEventListener("pointerdown", outside, true);
  open = close;
  menu.querySelector("[role=menuitem]")?.focus();
}

// Where a menu of an element belongs that no pointer called.
export function below(element) {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom + 4 };
}
