// Gateway and REST traffic as it passes.

import { h } from "./dom.js";

const KEPT = 500;
const OPS = { 0: "dispatch", 1: "heartbeat", 2: "identify", 3: "presence update", 4: "voice state", 6: "resume", 7: "reconnect", 8: "request members", 9: "invalid session", 10: "hello", 11: "heartbeat ack" };
const HEARTBEATS = new Set([1, 11]);
const NEAR_END = 40;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

export function trafficTab({ world }) {
  const entries = [];
  const users = new Map();
  let feed = null;
  let last = 0;
  let paused = false;

  const list = h("div", { class: "traffic-list", role: "log", "aria-live": "off", "aria-label": "Traffic", tabindex: "0", dataset: { testid: "traffic" } });
  const choice = (key, name, on) => {
    const box = h("input", { type: "checkbox", checked: on, dataset: { testid: `show-${key}` }, on: { change: () => draw() } });
    return { key, box, node: h("label", {}, box, name) };
  };
  const shown = [choice("rest", "REST", true), choice("gateway", "Gateway", true), choice("people", "People", false), choice("heartbeats", "Heartbeats", false)];
  const on = (key) => shown.find((one) => one.key === key).box.checked;
  const words = h("input", { type: "text", placeholder: "Filter", "aria-label": "Filter the traffic", autocomplete: "off", dataset: { testid: "traffic-filter" }, on: { input: () => draw() } });
  const pause = h("button", { type: "button", class: "button", "aria-pressed": "false", on: { click: () => { paused = !paused; pause.setAttribute("aria-pressed", String(paused)); pause.textContent = paused ? "Go on" : "Pause"; if (!paused) draw(); } } }, "Pause");
  const clear = h("button", { type: "button", class: "button", on: { click: () => { entries.length = 0; draw(); } } }, "Clear");
  const node = h("div", { class: "traffic" }, h("div", { class: "traffic-head" }, shown.map((one) => one.node), words, pause, clear), list);

  const isBot = (user) => !(world()?.users ?? []).some(({ id }) => id === user);
  const wanted = (entry) => {
    if (entry.heartbeat && !on("heartbeats")) return false;
    if (entry.user && !isBot(entry.user) && !on("people")) return false;
    if (!on(entry.kind === "gateway" ? "gateway" : "rest")) return false;
    const query = words.value.trim().toLowerCase();
    return query === "" || entry.words.toLowerCase().includes(query);
  };
  const draw = () => {
    list.replaceChildren(...entries.filter(wanted).map((entry) => row(entry, name)));
    list.scrollTop = list.scrollHeight;
  };
  const name = (user) => (user ? [...(world()?.bots ?? []), ...(world()?.users ?? [])].find(({ id }) => id === user)?.name ?? user : "");
  const take = (raw) => {
    if (raw.n !== undefined && raw.n <= last) return;
    last = raw.n ?? last;
    const entry = read(raw, users);
    entries.push(entry);
    if (entries.length > KEPT) entries.shift();
    if (paused || !wanted(entry)) return;
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    list.append(row(entry, name));
    while (list.childElementCount > KEPT) list.firstElementChild.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  };
  const show = () => {
    draw();
    feed = new EventSource("/emulator/traffic");
    feed.onmessage = ({ data }) => take(JSON.parse(data));
    // An emulator that was started again counts from the beginning.
    feed.onerror = () => { last = 0; };
  };
  return { node, show, hide: () => feed?.close() };
}

// What is shown of an entry. Gateway frames do not say whose they are; READY
// does, for its connection.
function read(raw, users) {
  if (raw.kind === "missed") return { kind: "gateway", way: "", what: "", words: `${raw.entries} entries were too fast to be shown`, detail: null };
  if (raw.kind !== "gateway") {
    const took = raw.took_ms === undefined ? "" : `${raw.took_ms.toFixed(1)} ms`;
    return { kind: raw.kind, at: raw.at, way: "⇄", what: raw.method, words: `${raw.status} ${raw.path}`, took, bad: raw.status >= 400, user: raw.user_id, detail: { request: raw.body, answer: raw.answer } };
  }
  const { op, t: type, d: data, s: sequence, close } = raw.frame ?? {};
  if (type === "READY") users.set(raw.connection, data?.user?.id);
  const what = type ?? OPS[op] ?? (close ? "close" : "frame");
  return {
    kind: "gateway",
    at: raw.at,
    way: raw.direction === "in" ? "→" : "←",
    what: "gateway",
    words: `${what}${sequence ? ` #${sequence}` : ""}${close ? ` ${close}` : ""}`,
    took: "",
    bad: op === 9 || op === 7 || close !== undefined,
    heartbeat: HEARTBEATS.has(op),
    user: users.get(raw.connection),
    detail: raw.frame,
  };
}

function row({ at, way, what, words, took, bad, user, detail }, name) {
  const body = () => {
    if (details.open && details.childElementCount === 1) details.append(h("pre", { tabindex: "0" }, JSON.stringify(detail, null, 2)));
  };
  const details = h(
    "details",
    { class: `traffic-row ${bad ? "bad" : ""}`, dataset: { testid: "traffic-row" }, on: { toggle: body } },
    h("summary", {}, h("time", {}, at ? clock.format(new Date(at)) : ""), h("span", { class: "traffic-way", "aria-hidden": "true" }, way), h("span", {}, what), h("span", {}, words), h("span", { class: "traffic-who" }, `${name(user)} ${took}`)),
  );
  return details;
}
