// Why a message was answered or not, and what the model was told for it.

import { h } from "./dom.js";

// The names of reasons, in words.
const WORDS = {
  mention: "it mentions the bot",
  role: "it mentions the bot's role",
  reply: "it replies to the bot",
  word: "it holds one of the bot's words",
  dm: "it is a direct message",
  own_thread: "it stands in a thread of the bot's",
  always: "everything here is answered",
  auto: "enough was said since the bot last spoke",
  join_in: "a small model thought so",
  again: "another answer was asked for",
  due: "it was due",
  own: "the bot wrote it",
  bot: "a bot wrote it",
  bot_loop: "bots have talked among themselves for long enough",
  system: "Discord wrote it",
  stale: "it is too old",
  not_addressed: "it is not for the bot",
  opted_out: "its author has opted out",
  denied: "a list says so",
  slow_down: "its author asks too often",
  user_busy: "its author waits for many answers already",
  guild_busy: "the server waits for many answers already",
  channel_busy: "the channel waits for many answers already",
  wrong_place: "the bot does not talk in such a channel",
  unreadable: "Discord does not show the bot what it says",
  reaction: "somebody reacted with 🛑",
};

const OUTCOMES = { admitted: "Answered", ignored: "Not answered", refused: "Refused", stop: "Taken for a stop" };

// Shows what is known of `message`: of the question, if it is an answer.
export async function inspect(message) {
  const question = message.author?.bot ? message.message_reference?.message_id : message.id;
  const decided = await decision(message.channel_id, question);
  const told = decided.turn ? await prompt(decided.turn) : [];
  const close = h("button", { type: "button", class: "button", autofocus: true, on: { click: () => dialog.close() } }, "Close");
  const dialog = h(
    "dialog",
    { class: "question inspection", "aria-label": "Why?", dataset: { testid: "inspection" }, on: { close: () => dialog.remove() } },
    h("h2", {}, "Why?"),
    h("p", { dataset: { testid: "decision" } }, decided.words),
    told.length > 0 ? h("h2", {}, `What the model was told, about ${told.reduce((sum, { tokens }) => sum + tokens, 0)} tokens`) : null,
    told.map(({ title, tokens, text }) =>
      h("details", { dataset: { testid: "told" } }, h("summary", {}, `${title}, about ${tokens} tokens`), h("pre", { tabindex: "0" }, text))),
    h("div", { class: "question-buttons" }, close),
  );
  document.body.append(dialog);
  dialog.showModal();
}

async function decision(channel, question) {
  const known = question && (await get(`/inspect/channels/${channel}`));
  const found = known?.decisions.find(({ event }) => event === question);
  if (!found) return { words: "Nothing is known of this message: it came before the bot, or the bot cannot see it." };
  const words = `${OUTCOMES[found.outcome] ?? found.outcome}: ${WORDS[found.reason] ?? found.reason}.`;
  return { words, turn: found.outcome === "admitted" ? found.turn : null };
}

async function prompt(turn) {
  return (await get(`/inspect/turns/${turn}`))?.sections ?? [];
}

async function get(path) {
  try {
    const response = await fetch(path);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
