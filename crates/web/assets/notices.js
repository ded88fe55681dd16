// Short words from the page itself: connection banner, notices, a question.

import { h } from "./dom.js";

const NOTICE_MS = 6000;

// Says what went wrong, for a few seconds.
export function notify(text) {
  const notice = h("div", { class: "notice" }, text);
  document.getElementById("notices").append(notice);
  setTimeout(() => notice.remove(), NOTICE_MS);
}

// Runs `action` and says so when it fails.
export async function attempt(what, action) {
  try {
    await action();
  } catch (error) {
    notify(`${what}: ${error.message}`);
  }
}

// Asks before something that cannot be undone. Resolves to the choice.
export function confirm(question, detail, verb) {
  return new Promise((resolve) => {
    const answer = (value) => () => dialog.close(value);
    const dialog = h(
      "dialog",
      { class: "question", "aria-label": question, on: { close: () => { resolve(dialog.returnValue === "yes"); dialog.remove(); } } },
      h("h2", {}, question),
      h("p", {}, detail),
      h(
        "div",
        { class: "question-buttons" },
        h("button", { type: "button", class: "button", on: { click: answer("no") } }, "Cancel"),
        h("button", { type: "button", class: "button button-danger", dataset: { testid: "confirm" }, autofocus: true, on: { click: answer("yes") } }, verb),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

// "Reconnecting…" for as long as the gateway is away.
export function connectionBanner(session) {
  const text = h("span", {});
  const now = h("button", { type: "button", class: "button", on: { click: () => session.retryNow() } }, "Try now");
  const banner = h("div", { class: "banner", role: "status", dataset: { testid: "reconnecting" }, hidden: true }, h("span", { class: "spinner", "aria-hidden": "true" }), text, now);
  const show = () => {
    const { state, everReady, retryAtMs } = session.connection;
    banner.hidden = state === "ready" || (!everReady && state === "connecting");
    now.hidden = state !== "lost";
    const seconds = Math.ceil(((retryAtMs ?? 0) - Date.now()) / 1000);
    text.textContent = seconds > 1 ? `Connection lost. Reconnecting in ${seconds} s…` : "Connection lost. Reconnecting…";
  };
  const ticking = setInterval(() => (banner.isConnected ? show() : clearInterval(ticking)), 1000);
  session.on(["connection"], show);
  return banner;
}
