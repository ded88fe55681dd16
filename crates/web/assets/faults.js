// Faults on request, for the bot or for anybody, and the bot's restart.

import { h } from "./dom.js";
import { attempt, notify } from "./notices.js";

const REFRESH_MS = 2000;
const LAST_MS = 30_000;

// Each is { name, about, body(userId) }: what is sent to the emulator.
const GATEWAY = [
  { name: "Drop the connection", about: "Without a word, as a network does", body: (user) => ({ cut_gateway: { user_id: user, how: "abrupt" } }) },
  { name: "Ask to reconnect", about: "Opcode 7", body: (user) => ({ cut_gateway: { user_id: user, how: "reconnect" } }) },
  { name: "Refuse the next resume", about: "Opcode 9; the session begins anew", body: () => ({ refuse_resumes: 1 }) },
  { name: "Stall", about: "Open, but no event comes", body: (user) => ({ stall_gateway: { user_id: user } }) },
  { name: "End the stall", about: "What waited comes at once", body: (user) => ({ unstall_gateway: { user_id: user } }) },
  { name: "Double three events", about: "Each comes twice", body: (user) => ({ duplicate_events: { user_id: user, times: 3 } }) },
  { name: "Swap two events", about: "The second comes first", body: (user) => ({ reorder_events: { user_id: user, times: 1 } }) },
  { name: "Delay events", about: "By half a second", body: (user) => ({ delay_events: { user_id: user, ms: 500 } }) },
  { name: "Forget all sessions", about: "Nobody can resume", body: () => ({ drop_sessions: {} }) },
];

const rest = (name, about, fault, span) => ({ name, about, body: (user) => ({ rest: { user_id: user, fault, ...span } }) });
const REST = [
  rest("Fail with 503", "The next request", { fail: { status: 503 } }, { times: 1 }),
  rest("Reset before", "The next request is not applied", "reset_before", { times: 1 }),
  rest("Reset after", "The next request is applied, its answer is lost", "reset_after", { times: 1 }),
  rest("429 for a second", "The next request", { limit: { retry_after: 1, global: false } }, { times: 1 }),
  rest("429 storm", "Every request, for half a minute", { limit: { retry_after: 2, global: true } }, { for_ms: LAST_MS }),
  rest("Outage", "Every request fails for half a minute", { fail: { status: 500 } }, { for_ms: LAST_MS }),
  { name: "Expire interactions", about: "Their tokens are no longer taken", body: () => ({ expire_interactions: {} }) },
];

export function faultsTab({ world }) {
  const who = h("select", { id: "fault-user", dataset: { testid: "fault-user" } });
  const active = h("ul", { class: "fault-list", "aria-label": "Faults at work", dataset: { testid: "faults-active" } });
  const restart = h("button", { type: "button", class: "button button-danger", dataset: { testid: "restart-bot" }, on: { click: () => restartBot(restart) } }, "Restart the bot");
  let ticking = 0;

  const refresh = async () => {
    const faults = await list();
    const row = ({ id, fault }) =>
      h("li", {}, h("code", {}, typeof fault === "string" ? fault : JSON.stringify(fault)), h("button", { type: "button", class: "link-button", on: { click: () => end(id) } }, "End"));
    active.replaceChildren(...(faults.length > 0 ? faults.map(row) : [h("li", { class: "surface-hint" }, "None.")]));
  };
  const end = async (id) => {
    await attempt("Not ended", () => send("DELETE", `/emulator/faults/${encodeURIComponent(id)}`));
    refresh();
  };
  const act = async ({ name, body }) => {
    await attempt(name, async () => {
      const answer = await send("POST", "/emulator/faults", body(who.value));
      notify(answer?.cut ? `${name}: met ${answer.cut} ${answer.cut === 1 ? "connection" : "connections"}.` : `${name}: set.`, "calm");
    });
    refresh();
  };
  const button = (fault) => h("button", { type: "button", class: "fault", dataset: { testid: "fault", name: fault.name }, on: { click: () => act(fault) } }, h("strong", {}, fault.name), h("span", {}, fault.about));
  const group = (name, faults) => h("section", {}, h("h3", {}, name), h("div", { class: "fault-grid" }, faults.map(button)));
  const clear = () => attempt("Not cleared", async () => {
    await send("POST", "/emulator/faults", { clear: {} });
    refresh();
  });
  const node = h(
    "div",
    { class: "faults" },
    h("div", { class: "fault-head" }, h("label", { for: "fault-user" }, "For"), who, h("button", { type: "button", class: "button", dataset: { testid: "faults-clear" }, on: { click: clear } }, "End all faults"), restart),
    group("Gateway", GATEWAY),
    group("REST", REST),
    h("section", {}, h("h3", {}, "At work"), active),
  );
  const show = () => {
    const { bot, bots, users } = world() ?? { users: [] };
    const chosen = who.value;
    const people = [...(bots ?? (bot ? [{ id: bot.id, name: "the bot" }] : [])), ...users];
    who.replaceChildren(...people.map(({ id, name }) => h("option", { value: id, selected: id === chosen }, name)));
    refresh();
    ticking = setInterval(refresh, REFRESH_MS);
  };
  return { node, show, hide: () => clearInterval(ticking) };
}

async function restartBot(button) {
  button.disabled = true;
  button.textContent = "Restarting…";
  await attempt("Not restarted", async () => {
    await send("POST", "/play/bot/restart");
    notify("The bot was restarted.", "calm");
  });
  button.disabled = false;
  button.textContent = "Restart the bot";
}

async function list() {
  const answer = await send("GET", "/emulator/faults").catch(() => null);
  return answer?.faults ?? [];
}

async function send(method, path, body) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (response.status === 404 && path.startsWith("/play/")) throw new Error("The bot is not part of this process.");
  if (!response.ok) throw new Error((await response.text()).slice(0, 200) || `The server answered ${response.status}.`);
  return response.status === 204 ? null : response.json().catch(() => null);
}
