// Why a message was answered or not, and what the model was told for it.

import { h } from "./dom.js";
import { takeAway } from "./notices.js";
import { turnParts } from "./turn.js";

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
  deleted: "it was deleted before it came",
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
  const found = question && (await decisions(message.channel_id))?.find(({ event }) => event === question);
  const words = found ? `${outcome(found)}.` : "Nothing is known of this message: it came before the bot, or the bot cannot see it.";
  const about = found?.outcome === "admitted" && found.turn ? turnParts(await turn(found.turn)) : [];
  const close = h("button", { type: "button", class: "button", autofocus: true, on: { click: () => dialog.close() } }, "Close");
  const dialog = h(
    "dialog",
    { class: "question inspection", "aria-label": "Why?", dataset: { testid: "inspection" }, on: { close: () => takeAway(dialog) } },
    h("h2", {}, "Why?"),
    h("p", { dataset: { testid: "decision" } }, words),
    about,
    h("div", { class: "question-buttons" }, close),
  );
  document.body.append(dialog);
  dialog.showModal();
}

// A decision in words.
export function outcome({ outcome: kind, reason }) {
  return `${OUTCOMES[kind] ?? kind}: ${WORDS[reason] ?? reason}`;
}

// What was decided in a channel, newest first; null where no bot can be asked.
export async function decisions(channel) {
  return (await get(`/inspect/channels/${channel}`))?.decisions ?? null;
}

// What a model was told for a turn, and what that cost.
export function turn(id) {
  return get(`/inspect/turns/${id}`);
}

async function get(path) {
  try {
    const response = await fetch(path);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
