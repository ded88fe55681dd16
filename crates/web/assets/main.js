// Puts the playground together: one pane, or two side by side, for as many
// humans, and the drawer that shows what happens underneath.

import { h, iconButton } from "./dom.js";
import { refreshTimes } from "./markdown.js";
import { Pane } from "./pane.js";
import { Surface } from "./surface.js";

const IDENTITY = "kaiwa.identity";
const SECOND = "-2";
const WORLD_RETRY_MS = 1000;
const TICK_MS = 5000;

const app = document.getElementById("app");
const panes = h("div", { class: "panes" });
const surface = new Surface(() => first?.session);
let first = null;
let second = null;

// The emulator may still be starting, or have been restarted.
async function loadWorld() {
  for (;;) {
    try {
      const response = await fetch("/emulator/world");
      if (response.ok) return await response.json();
    } catch {
      // Not there yet: the splash stays until it is.
    }
    await new Promise((resolve) => setTimeout(resolve, WORLD_RETRY_MS));
  }
}

async function enter(name) {
  const world = await loadWorld();
  const human = world.users.find((user) => user.name === name) ?? world.users[0];
  first?.close();
  const beside = iconButton("panes", "Act as two people side by side", { class: "wide-only", "aria-pressed": String(second !== null), dataset: { testid: "side-by-side" }, on: { click: () => toggleSecond(world) } });
  first = new Pane(world, human, {
    key: "",
    buttons: [beside, surface.button],
    onIdentity: (other) => become("", other, enter),
    onRefused: () => enter(human.name),
  });
  first.beside = beside;
  surface.world = world;
  panes.prepend(first.node);
  if (!panes.isConnected) app.replaceChildren(h("div", { class: "stage" }, panes, surface.node));
  watch(first);
  first.start();
}

async function enterSecond(name) {
  const world = await loadWorld();
  const human = world.users.find((user) => user.name === name) ?? world.users[0];
  second?.close();
  second = new Pane(world, human, {
    key: SECOND,
    buttons: [iconButton("close", "Close this side", { dataset: { testid: "close-second" }, on: { click: closeSecond } })],
    onIdentity: (other) => become(SECOND, other, enterSecond),
    onRefused: () => enterSecond(human.name),
  });
  sessionStorage.setItem(IDENTITY + SECOND, human.name);
  panes.append(second.node);
  panes.classList.add("two");
  first.beside.setAttribute("aria-pressed", "true");
  watch(second);
  second.start();
}

function toggleSecond(world) {
  if (second) return closeSecond();
  const other = world.users.find(({ name }) => name !== first.human.name) ?? first.human;
  enterSecond(other.name);
}

function closeSecond() {
  second?.close();
  second = null;
  sessionStorage.removeItem(IDENTITY + SECOND);
  panes.classList.remove("two");
  first.beside.setAttribute("aria-pressed", "false");
  first.focus();
}

function become(key, name, enterAs) {
  sessionStorage.setItem(IDENTITY + key, name);
  enterAs(name);
}

function watch({ session }) {
  session.on(["open", "unread"], () => { document.title = title(); });
}

function title() {
  const { directory, active } = first.session;
  if (!active) return "Kaiwa playground";
  const mentions = directory.channels().reduce((sum, { id }) => sum + first.session.unread(id).mentions, 0);
  const place = `${directory.isDm(active) ? "@" : "#"}${directory.channelName(active)}`;
  return `${mentions > 0 ? `(${mentions}) ` : ""}${place} · Kaiwa playground`;
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") for (const pane of [first, second]) pane?.session.seen();
});
setInterval(refreshTimes, TICK_MS);

const beside = sessionStorage.getItem(IDENTITY + SECOND);
await enter(sessionStorage.getItem(IDENTITY));
if (beside) await enterSecond(beside);
