// One human's client: columns, conversation and composer, for one session.

import { appItems, appMenu } from "./apps.js";
import { Composer } from "./composer.js";
import { h } from "./dom.js";
import { Drawers } from "./drawers.js";
import { conversationHead, typingLine } from "./head.js";
import { inspect } from "./inspect.js";
import { summarize, writeClipboard } from "./markdown.js";
import { encode } from "./mentions.js";
import { showMenu } from "./menu.js";
import { showModal } from "./modal.js";
import { ask, attempt, confirm, connectionBanner } from "./notices.js";
import { Session } from "./session.js";
import { channelColumn, memberColumn } from "./sidebars.js";
import { Timeline } from "./timeline.js";

const PLACE = "kaiwa.channel";

export class Pane {
  #world;
  #key;
  #composer;
  #timeline;
  #drawers;
  session;
  human;
  node;

  // `key` tells two panes apart, in the document and in what is kept over a
  // reload. `onIdentity(name)` when another human is chosen, `onRefused()` when
  // the world knows this one no more. `buttons` stand in the head.
  constructor(world, human, { key, buttons, onIdentity, onRefused }) {
    this.#world = world;
    this.#key = key;
    this.human = human;
    const applications = new Map((world.bots ?? [world.bot]).map((bot) => [bot.id, bot.application_id]));
    const session = new Session(human.token, applications);
    this.session = session;
    this.node = h("section", { class: "pane", "aria-label": `Playing ${human.name}`, dataset: { testid: `pane${key}` } });
    const ids = { channels: `channels${key}`, members: `members${key}` };
    this.#drawers = new Drawers(this.node, ids);
    this.#composer = new Composer(session, { key, onSent: () => this.#timeline.toPresent() });
    this.#timeline = new Timeline(session, this.#actions());

    const onNavigate = () => {
      this.#drawers.close();
      if (!touches()) this.#composer.focus();
    };
    const onMember = (member, at) => appMenu(session, member, at, onNavigate);
    const channels = channelColumn(session, { id: ids.channels, key, humans: world.users, human, onIdentity, onNavigate });
    const members = memberColumn(session, { id: ids.members, onNavigate, onMember });
    this.#drawers.add("channels", channels);
    this.#drawers.add("members", members);
    const head = conversationHead(session, {
      before: this.#drawers.button("channels", "menu", "Channels"),
      buttons: [h("span", { class: "playing", title: `You are ${human.name} here` }, human.name), ...buttons, this.#drawers.button("members", "members", "Members")],
      onThread: () => (session.directory.isForum(session.active) ? this.#startPost(session.activeId) : this.#startThread(session.activeId)),
    });
    const conversation = h("main", { class: "conversation" }, head, connectionBanner(session), this.#timeline.node, typingLine(session), this.#composer.node);
    this.#composer.acceptFiles(conversation);
    conversation.addEventListener("channel-mention", ({ detail }) => this.#open(detail.id));
    conversation.addEventListener("command-mention", ({ detail }) => this.#composer.useCommand(detail.name));
    const keydown = (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && !this.#drawers.close()) this.#timeline.toPresent();
    };
    this.node.append(h("div", { class: "layout", on: { keydown } }, channels, conversation, members, this.#drawers.backdrop));
    this.#listen(onRefused);
  }

  start() {
    this.session.start();
  }

  close() {
    this.session.close();
    this.node.remove();
  }

  focus() {
    if (!touches()) this.#composer.focus();
  }

  #listen(onRefused) {
    const { session } = this;
    session.on(["directory"], () => {
      if (!session.active && session.complete) this.#openFirst();
      if (document.activeElement === document.body) this.focus();
    });
    session.on(["open"], () => {
      sessionStorage.setItem(PLACE + this.#key, session.activeId);
      const elsewhere = document.activeElement?.closest(".pane") ?? this.node;
      if (elsewhere === this.node) this.focus();
    });
    session.on(["connection"], () => session.connection.state === "refused" && onRefused());
    session.interactions.whenModal((modal) => {
      const channel = session.directory.channel(modal.channel_id) ?? session.active;
      showModal(modal, { directory: session.directory, onSubmit: (components, files) => session.interactions.submit(channel, modal, components, files) });
    });
  }

  #openFirst() {
    const { session } = this;
    const known = (id) => session.directory.channel(id) && id;
    const id = known(sessionStorage.getItem(PLACE + this.#key)) ?? known(this.#world.channels.general) ?? session.directory.sections()[0]?.channels[0]?.id;
    if (id) session.open(id);
  }

  #actions() {
    const { session } = this;
    const composer = this.#composer;
    return {
      onReply: (message) => composer.replyTo(message),
      onEdit: (message) => composer.editing(message),
      onRemove: (message) => this.#remove(message),
      onReact: (message, emoji, add) => attempt("No reaction", () => session.rest.react(message.channel_id, message.id, emoji, add)),
      onRetry: (nonce) => session.outbox.retry(nonce),
      onDiscard: (nonce) => session.outbox.discard(nonce),
      onTry: (text) => composer.fill(text),
      onThread: (message) => this.#startThread(message.channel_id, message.id),
      onPost: (channel) => this.#startPost(channel.id),
      onOpen: (channel) => this.#open(channel),
      onInspect: (message) => inspect(message),
      onDismiss: (message) => session.dismiss(message),
      onComponent: (message, component, values) => session.interactions.component(session.directory.channel(message.channel_id), message, component, values),
      onMenu: (message, at) => this.#menu(message, at),
    };
  }

  async #menu(message, at) {
    const { session } = this;
    const own = message.author.id === session.directory.me?.id;
    const apps = await appItems(session, message);
    showMenu("Message", at, [
      { label: "Reply", act: () => this.#composer.replyTo(message) },
      ...(own ? [{ label: "Edit", act: () => this.#composer.editing(message) }] : []),
      { label: "Copy text", act: () => writeClipboard(message.content ?? "") },
      { label: "Copy id", act: () => writeClipboard(message.id) },
      { label: "Why?", act: () => inspect(message) },
      ...(own ? [{ label: "Delete", danger: true, act: () => this.#remove(message) }] : []),
      ...(apps.length > 0 ? [{ heading: "Apps" }, ...apps] : []),
    ]);
  }

  async #remove(message) {
    const text = summarize(message.content ?? "", this.session.directory) || "This message";
    if (!(await confirm("Delete this message?", text, "Delete"))) return;
    await attempt("Not deleted", () => this.session.rest.remove(message.channel_id, message.id));
  }

  async #startThread(channel, message) {
    const given = await ask("New thread", [{ key: "name", label: "Its name", most: 100 }], "Start it");
    if (given) await attempt("No thread", () => this.session.startThread(channel, { ...given, message }));
  }

  async #startPost(channel) {
    const fields = [{ key: "name", label: "Title", most: 100 }, { key: "text", label: "First message", most: 2000, long: true }];
    const given = await ask("New post", fields, "Post it");
    if (!given) return;
    const text = encode(given.text, this.session.directory);
    await attempt("Not posted", () => this.session.startThread(channel, { name: given.name, text }));
  }

  // Archived threads are not in the list; they can be read all the same.
  async #open(id) {
    const { session } = this;
    await attempt("Could not open the channel", async () => {
      if (!session.directory.channel(id)) session.directory.learnChannel(await session.rest.channel(id));
      session.open(id);
    });
  }
}

// On a touch screen, focus would raise the keyboard over the conversation.
function touches() {
  return matchMedia("(pointer: coarse)").matches;
}
