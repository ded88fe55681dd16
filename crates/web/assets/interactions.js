// What a human does with an application besides writing: commands, components
// and forms. Each use has a nonce; the gateway says under it what came of it.

import { newNonce } from "./outbox.js";

const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL_SUBMIT = 5;

// An application has three seconds to answer; the rest is for the way.
const PATIENCE_MS = 6000;

export class Interactions {
  #rest;
  #sessionId;
  #applications;
  #waiting = new Map();
  #onModal = () => {};

  // `applications` maps the accounts of bots to their applications.
  constructor(rest, sessionId, applications) {
    this.#rest = rest;
    this.#sessionId = sessionId;
    this.#applications = applications;
  }

  // `listener(modal)` when an application answers with a form.
  whenModal(listener) {
    this.#onModal = listener;
  }

  // Uses a command. `options` as Discord takes them; `target` is the user or
  // message of a context menu. Rejects when it failed.
  // The values of options for files are their places in `files`.
  command(channel, command, options, target, files = []) {
    const data = { ...commandData(command, options, target), attachments: described(files) };
    return this.#use({ type: COMMAND, ...place(channel, command.application_id), data }, files);
  }

  // The choices an application offers for the option that is being typed.
  async autocomplete(channel, command, options) {
    const answer = await this.#use({ type: AUTOCOMPLETE, ...place(channel, command.application_id), data: commandData(command, options) });
    return answer.choices ?? [];
  }

  // Presses a button or chooses from a list of a message.
  component(channel, message, component, values) {
    const data = { component_type: component.type, custom_id: component.custom_id };
    if (values) data.values = values;
    const application = message.application_id ?? this.#applications.get(message.author.id) ?? message.author.id;
    return this.#use({ type: COMPONENT, ...place(channel, application), message_id: message.id, message_flags: message.flags ?? 0, data });
  }

  submit(channel, modal, components, files) {
    const application = modal.application?.id ?? modal.application_id;
    const data = { id: modal.id, custom_id: modal.custom_id, components, attachments: described(files) };
    return this.#use({ type: MODAL_SUBMIT, ...place(channel, application), data }, files);
  }

  #use(asked, files = []) {
    const nonce = newNonce();
    const whole = { ...asked, session_id: this.#sessionId(), nonce };
    const body = files.length > 0 ? form(whole, files) : whole;
    return new Promise((resolve, reject) => {
      const late = () => this.#end(nonce, "failed", new Error("The application did not respond"));
      this.#waiting.set(nonce, { resolve, reject, timer: setTimeout(late, PATIENCE_MS) });
      this.#rest.interact(body).catch((error) => this.#end(nonce, "failed", error));
    });
  }

  // The gateway's events about interactions.
  hear(type, data) {
    const nonce = String(data?.nonce ?? "");
    switch (type) {
      case "INTERACTION_SUCCESS": return this.#end(nonce, "done", data);
      case "INTERACTION_FAILURE": return this.#end(nonce, "failed", new Error(data.message || "The application did not respond"));
      case "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE": return this.#end(nonce, "done", data);
      case "INTERACTION_MODAL_CREATE":
        this.#end(nonce, "done", data);
        this.#onModal(data);
    }
  }

  #end(nonce, how, result) {
    const use = this.#waiting.get(nonce);
    if (!use) return;
    this.#waiting.delete(nonce);
    clearTimeout(use.timer);
    if (how === "done") use.resolve(result);
    else use.reject(result);
  }
}

function place({ id, guild_id: guild }, application) {
  return { application_id: application, channel_id: id, ...(guild ? { guild_id: guild } : {}) };
}

function commandData({ id, name, type, version, guild_id: guild }, options, target) {
  const data = { id, name, type: type ?? 1, version, options, attachments: [] };
  if (guild) data.guild_id = guild;
  if (target) data.target_id = target;
  return data;
}

function described(files) {
  return files.map(({ name }, id) => ({ id: String(id), filename: name }));
}

function form(payload, files) {
  const data = new FormData();
  data.append("payload_json", JSON.stringify(payload));
  files.forEach((file, id) => data.append(`files[${id}]`, file, file.name));
  return data;
}
