// The start of a channel: where one is, and what to try first.

import { avatar, channelIcon, h } from "./dom.js";

const TRIALS = ["hello", "show a list", "show code", "show a table", "write a long answer"];

// `onTry(text)` puts text into the composer, `onPost(channel)` begins a post,
// `onOpen(id)` goes to one.
export function welcome(session, channel, { onTry, onPost, onOpen }) {
  const { directory } = session;
  if (directory.isForum(channel)) return forum(directory, channel, onPost, onOpen);
  const bot = directory.bot();
  const name = directory.channelName(channel);
  if (directory.isDm(channel)) {
    const person = directory.recipient(channel);
    const talksToBot = person && person.id === bot?.id;
    return h(
      "div",
      { class: "welcome" },
      avatar(directory.user(person?.id), name, "huge"),
      h("h2", {}, name),
      h("p", {}, talksToBot ? `Just you and ${name}. No need to mention it here: every message is for it.` : `This is the beginning of your conversation with ${name}.`),
      talksToBot ? chips("", onTry) : null,
    );
  }
  return h(
    "div",
    { class: "welcome" },
    h("span", { class: "welcome-sign" }, channelIcon(channel)),
    h("h2", {}, directory.isThread(channel) ? name : `Welcome to #${name}`),
    channel.topic ? h("p", { class: "welcome-topic" }, channel.topic) : null,
    bot ? h("p", {}, `${bot.name} is here. Type `, h("kbd", {}, `@${bot.name} hello`), " below and press Enter, or pick something to try:") : h("p", {}, "Say something below."),
    bot ? chips(`@${bot.name} `, onTry) : null,
    bot ? h("p", { class: "welcome-hint" }, `Click ${bot.name} in the member list to talk in private. Switch who you are below the channels.`) : null,
  );
}

// A forum has no messages of its own, but posts.
function forum(directory, channel, onPost, onOpen) {
  const posts = directory.threads(channel.id).reverse();
  const post = ({ id, name, message_count: count, owner_id: owner }) => {
    const answers = `${directory.nameOf(owner) ?? "Somebody"} · ${count ?? 0} ${count === 1 ? "answer" : "answers"}`;
    return h("li", {}, h("button", { type: "button", class: "post", dataset: { testid: `post-${name}` }, on: { click: () => onOpen(id) } }, h("strong", {}, name), h("span", {}, answers)));
  };
  return h(
    "div",
    { class: "welcome" },
    h("span", { class: "welcome-sign" }, channelIcon(channel)),
    h("h2", {}, channel.name),
    channel.topic ? h("p", {}, channel.topic) : null,
    h("p", {}, h("button", { type: "button", class: "button", dataset: { testid: "new-post" }, on: { click: () => onPost(channel) } }, "New post")),
    posts.length > 0 ? h("ul", { class: "posts", "aria-label": "Posts" }, posts.map(post)) : h("p", { class: "welcome-hint" }, "No posts yet."),
  );
}

function chips(prefix, onTry) {
  const chip = (trial) => h("button", { type: "button", class: "chip", dataset: { testid: "chip" }, on: { click: () => onTry(`${prefix}${trial}`) } }, trial);
  return h("div", { class: "chips" }, TRIALS.map(chip));
}
