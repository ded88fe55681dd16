// Puts the playground together for one human at a time.

import { Composer } from "./composer.js";
import { channelIcon, h, iconButton } from "./dom.js";
import { inspect } from "./inspect.js";
import { ask, attempt, confirm, connectionBanner } from "./notices.js";
import { summarize } from "./markdown.js";
import { encode } from "./mentions.js";
import { Session } from "./session.js";
import { channelColumn, memberColumn } from "./sidebars.js";
import { Timeline } from "./timeline.js";

const IDENTITY = "kaiwa.identity";
const PLACE = "kaiwa.channel";
const WORLD_RETRY_MS = 1000;

const app = document.getElementById("app");
let session = null;

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
  session?.close();
  const world = await loadWorld();
  const human = world.users.find((user) => user.name === name) ?? world.users[0];
  session = new Session(human.token);
  mount(session, world, human);
  session.start();
}

function mount(session, world, human) {
  const drawers = new Drawers();
  const composer = new Composer(session, { onSent: () => timeline.toPresent() });
  const timeline = new Timeline(session, {
    onReply: (message) => composer.replyTo(message),
    onEdit: (message) => composer.editing(message),
    onRemove: (message) => remove(session, message),
    onReact: (message, emoji, add) => attempt("No reaction", () => session.rest.react(message.channel_id, message.id, emoji, add)),
    onRetry: (nonce) => session.outbox.retry(nonce),
    onDiscard: (nonce) => session.outbox.discard(nonce),
    onTry: (text) => composer.fill(text),
    onThread: (message) => startThread(session, message.channel_id, message.id),
    onPost: (channel) => startPost(session, channel.id),
    onOpen: (channel) => openChannel(session, channel),
    onInspect: (message) => inspect(message),
  });
  const onNavigate = () => {
    drawers.close();
    if (!touches()) composer.focus();
  };
  const onIdentity = (name) => {
    sessionStorage.setItem(IDENTITY, name);
    enter(name);
  };
  const channels = channelColumn(session, { humans: world.users, human, onIdentity, onNavigate });
  const members = memberColumn(session, { onNavigate });
  drawers.add("channels", channels);
  drawers.add("members", members);

  const conversation = h(
    "main",
    { class: "conversation" },
    conversationHead(session, drawers),
    connectionBanner(session),
    timeline.node,
    typingLine(session),
    composer.node,
  );
  const keydown = (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !drawers.close()) timeline.toPresent();
  };
  app.replaceChildren(h("div", { class: "layout", on: { keydown } }, channels, conversation, members, drawers.backdrop));

  session.on(["directory"], () => {
    if (!session.active && session.complete) openFirst(session, world);
    if (document.activeElement === document.body && !touches()) composer.focus();
  });
  session.on(["open"], () => {
    sessionStorage.setItem(PLACE, session.activeId);
    if (!touches()) composer.focus();
  });
  document.onvisibilitychange = () => {
    if (document.visibilityState === "visible") session.seen();
  };
  session.on(["open", "unread"], () => { document.title = title(session); });
  session.on(["connection"], () => session.connection.state === "refused" && enter(human.name));
}

// On a touch screen, focus would raise the keyboard over the conversation.
function touches() {
  return matchMedia("(pointer: coarse)").matches;
}

function openFirst(session, world) {
  const known = (id) => session.directory.channel(id) && id;
  const id = known(sessionStorage.getItem(PLACE)) ?? known(world.channels.general) ?? session.directory.sections()[0]?.channels[0]?.id;
  if (id) session.open(id);
}

function title(session) {
  const { directory, active } = session;
  if (!active) return "Kaiwa playground";
  const mentions = directory.channels().reduce((sum, { id }) => sum + session.unread(id).mentions, 0);
  const place = `${directory.isDm(active) ? "@" : "#"}${directory.channelName(active)}`;
  return `${mentions > 0 ? `(${mentions}) ` : ""}${place} · Kaiwa playground`;
}

async function remove(session, message) {
  const text = summarize(message.content ?? "", session.directory) || "This message";
  if (!(await confirm("Delete this message?", text, "Delete"))) return;
  await attempt("Not deleted", () => session.rest.remove(message.channel_id, message.id));
}

async function startThread(session, channel, message) {
  const given = await ask("New thread", [{ key: "name", label: "Its name", most: 100 }], "Start it");
  if (given) await attempt("No thread", () => session.startThread(channel, { ...given, message }));
}

async function startPost(session, channel) {
  const fields = [{ key: "name", label: "Title", most: 100 }, { key: "text", label: "First message", most: 2000, long: true }];
  const given = await ask("New post", fields, "Post it");
  if (!given) return;
  const text = encode(given.text, session.directory);
  await attempt("Not posted", () => session.startThread(channel, { name: given.name, text }));
}

// Archived threads are not in the list; they can be read all the same.
async function openChannel(session, id) {
  await attempt("Could not open the thread", async () => {
    if (!session.directory.channel(id)) session.directory.learnChannel(await session.rest.channel(id));
    session.open(id);
  });
}

function conversationHead(session, drawers) {
  const sign = h("span", { class: "head-sign" });
  const name = h("h1", {}, "…");
  const topic = h("p", { class: "topic" });
  const begin = () => (session.directory.isForum(session.active) ? startPost(session, session.activeId) : startThread(session, session.activeId));
  const thread = iconButton("thread", "New thread", { hidden: true, dataset: { testid: "new-thread" }, on: { click: begin } });
  const show = () => {
    const { active, directory } = session;
    if (!active) return;
    const direct = directory.isDm(active);
    sign.replaceChildren(direct ? "@" : channelIcon(active));
    name.textContent = directory.channelName(active);
    const about = directory.isThread(active) ? `Thread in #${directory.channel(active.parent_id)?.name ?? "…"}` : active.topic ?? "";
    topic.textContent = about;
    topic.title = about;
    const forum = directory.isForum(active);
    thread.hidden = !forum && !directory.takesThreads(active);
    thread.setAttribute("aria-label", forum ? "New post" : "New thread");
    thread.title = forum ? "New post" : "New thread";
  };
  session.on(["open", "directory"], show);
  return h("header", { class: "conversation-head" }, drawers.button("channels", "menu", "Channels"), sign, name, topic, thread, drawers.button("members", "members", "Members"));
}

function typingLine(session) {
  const text = h("span", {});
  const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  const line = h("div", { class: "typing", role: "status", dataset: { testid: "typing" } });
  const show = () => {
    const names = session.typists(session.activeId);
    text.textContent = phrase(names);
    line.replaceChildren(...(names.length > 0 ? [dots, text] : []));
  };
  session.on(["typing", "open"], show);
  return line;
}

function phrase(names) {
  if (names.length > 3) return "Several people are typing…";
  const last = names.at(-1);
  return names.length === 1 ? `${last} is typing…` : `${names.slice(0, -1).join(", ")} and ${last} are typing…`;
}

// The side columns of a narrow screen: one at a time, over the conversation.
class Drawers {
  #columns = new Map();
  #buttons = new Map();
  #narrow = { channels: matchMedia("(max-width: 760px)"), members: matchMedia("(max-width: 1040px)") };
  backdrop = h("div", { class: "backdrop", on: { click: () => this.close() } });

  button(key, drawn, label) {
    const button = iconButton(drawn, label, { class: `toggle toggle-${key}`, "aria-controls": key, "aria-expanded": "false", on: { click: () => this.toggle(key) } });
    this.#buttons.set(key, button);
    return button;
  }

  add(key, column) {
    this.#columns.set(key, column);
    const adapt = () => this.#show(key, false);
    this.#narrow[key].onchange = adapt;
    adapt();
  }

  toggle(key) {
    const open = this.#columns.get(key).classList.contains("open");
    this.close();
    if (!open) this.#show(key, true);
  }

  // Says whether one was open.
  close() {
    const open = [...this.#columns].filter(([, column]) => column.classList.contains("open"));
    for (const [key] of open) this.#show(key, false);
    return open.length > 0;
  }

  #show(key, open) {
    const column = this.#columns.get(key);
    const button = this.#buttons.get(key);
    if (!open && column.contains(document.activeElement)) button?.focus();
    button?.setAttribute("aria-expanded", String(open));
    column.classList.toggle("open", open);
    column.inert = this.#narrow[key].matches && !open;
    this.backdrop.classList.toggle("shown", open);
    if (open) column.querySelector("button:not(:disabled)")?.focus();
  }
}

enter(sessionStorage.getItem(IDENTITY));
