// Short words from the page itself: connection banner, notices, a question.

import { h } from "./dom.js";

const NOTICE_MS = 6000;

// Says what went wrong, or with the look `calm` what went right, for a few
// seconds.
export function notify(text, look = "") {
  const notice = h("div", { class: `notice ${look}` }, text);
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

// Takes a dialog away that was closed. The field that has the focus again gets
// it anew: a browser may have given it back without a place for the caret.
export function takeAway(dialog) {
  const focused = document.activeElement;
  dialog.remove();
  if (!focused?.isConnected || focused === document.body) return;
  focused.blur();
  focused.focus({ preventScroll: true });
}

// Asks before something that cannot be undone. Resolves to the choice.
export function confirm(question, detail, verb) {
  return new Promise((resolve) => {
    const answer = (value) => () => dialog.close(value);
    const dialog = h(
      "dialog",
      { class: "question", "aria-label": question, on: { close: () => { resolve(dialog.returnValue === "yes"); takeAway(dialog); } } },
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

// Asks for a few texts. `fields` are { key, label, most, long }. Resolves to
// the texts by key, or to null.
export function ask(question, fields, verb) {
  return new Promise((resolve) => {
    const inputs = new Map(fields.map(({ key, most, long }) => {
      const props = { id: `ask-${key}`, name: key, maxlength: most, required: true, autocomplete: "off", dataset: { testid: `ask-${key}` } };
      return [key, long ? h("textarea", { ...props, rows: "4" }) : h("input", { ...props, type: "text" })];
    }));
    let answer = null;
    const submit = (event) => {
      event.preventDefault();
      const given = [...inputs].map(([key, input]) => [key, input.value.trim()]);
      if (given.some(([, text]) => text === "")) return;
      answer = Object.fromEntries(given);
      dialog.close();
    };
    const dialog = h(
      "dialog",
      { class: "question", "aria-label": question, on: { close: () => { resolve(answer); takeAway(dialog); } } },
      h("h2", {}, question),
      h(
        "form",
        { class: "question-form", "aria-label": question, on: { submit } },
        fields.map(({ key, label }) => h("div", { class: "question-field" }, h("label", { for: `ask-${key}` }, label), inputs.get(key))),
        h(
          "div",
          { class: "question-buttons" },
          h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, "Cancel"),
          h("button", { type: "submit", class: "button button-go", dataset: { testid: "confirm" } }, verb),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    inputs.values().next().value.focus();
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
