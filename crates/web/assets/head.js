// The head of a conversation, and the line that says who types.

import { channelIcon, h, iconButton } from "./dom.js";

// `buttons` come last; `onThread` begins a thread or a post in the open channel.
export function conversationHead(session, { before, buttons, onThread }) {
  const sign = h("span", { class: "head-sign" });
  const name = h("h1", {}, "…");
  const topic = h("p", { class: "topic" });
  const thread = iconButton("thread", "New thread", { hidden: true, dataset: { testid: "new-thread" }, on: { click: onThread } });
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
  return h("header", { class: "conversation-head" }, before, sign, name, topic, thread, buttons);
}

export function typingLine(session) {
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
