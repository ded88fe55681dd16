// The start of a channel: where one is, and what to try first.

import { avatar, h, icon } from "./dom.js";

const TRIALS = ["hello", "show a list", "show code", "show a table", "write a long answer"];

// `onTry(text)` puts text into the composer.
export function welcome(session, channel, onTry) {
  const { directory } = session;
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
    h("span", { class: "welcome-sign" }, icon("hash")),
    h("h2", {}, `Welcome to #${name}`),
    channel.topic ? h("p", { class: "welcome-topic" }, channel.topic) : null,
    bot ? h("p", {}, `${bot.name} is here. Type `, h("kbd", {}, `@${bot.name} hello`), " below and press Enter, or pick something to try:") : h("p", {}, "Say something below."),
    bot ? chips(`@${bot.name} `, onTry) : null,
    bot ? h("p", { class: "welcome-hint" }, `Click ${bot.name} in the member list to talk in private. Switch who you are below the channels.`) : null,
  );
}

function chips(prefix, onTry) {
  const chip = (trial) => h("button", { type: "button", class: "chip", dataset: { testid: "chip" }, on: { click: () => onTry(`${prefix}${trial}`) } }, trial);
  return h("div", { class: "chips" }, TRIALS.map(chip));
}
