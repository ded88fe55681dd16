// What one human is sending: in order within a channel, never lost, never
// doubled. Each entry keeps its nonce over all tries.

export class Outbox {
  #rest;
  #onChange;
  #onSent;
  #entries = [];
  #busy = new Set();

  // `onChange(channel)` after each change, `onSent(message)` when the server
  // has one.
  constructor(rest, { onChange, onSent }) {
    this.#rest = rest;
    this.#onChange = onChange;
    this.#onSent = onSent;
  }

  entries(channel) {
    return this.#entries.filter((entry) => entry.channel === channel);
  }

  // Whether Discord asked this channel's sender to wait.
  isLimited(channel) {
    return this.entries(channel).some(({ state }) => state === "limited");
  }

  // `files` are { file, description, spoiler }.
  push(channel, { content, replyTo, files = [] }) {
    this.#entries.push({ nonce: newNonce(), channel, content, replyTo, files, state: "queued", problem: null });
    this.#onChange(channel);
    this.#work(channel);
  }

  retry(nonce) {
    const entry = this.#find(nonce);
    if (entry?.state !== "failed") return;
    entry.state = "queued";
    this.#onChange(entry.channel);
    this.#work(entry.channel);
  }

  discard(nonce) {
    const entry = this.#find(nonce);
    if (!entry) return;
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#onChange(entry.channel);
  }

  // The gateway showed the message, whatever became of the request.
  confirm(nonce) {
    if (nonce !== undefined && nonce !== null) this.discard(String(nonce));
  }

  #find(nonce) {
    return this.#entries.find((entry) => entry.nonce === nonce);
  }

  async #work(channel) {
    if (this.#busy.has(channel)) return;
    this.#busy.add(channel);
    for (;;) {
      const entry = this.#entries.find((one) => one.channel === channel && one.state === "queued");
      if (!entry) break;
      await this.#deliver(entry);
    }
    this.#busy.delete(channel);
  }

  async #deliver(entry) {
    this.#mark(entry, "sending");
    try {
      const message = await this.#rest.once("POST", `/channels/${entry.channel}/messages`, body(entry));
      this.discard(entry.nonce);
      this.#onSent(message);
    } catch (error) {
      if (error.kind !== "limited") return this.#mark(entry, "failed", error.message);
      this.#mark(entry, "limited");
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs));
      this.#mark(entry, "queued");
    }
  }

  #mark(entry, state, problem = null) {
    entry.state = state;
    entry.problem = problem;
    this.#onChange(entry.channel);
  }
}

function body({ content, nonce, replyTo, files }) {
  const message = {
    content,
    nonce,
    enforce_nonce: true,
    allowed_mentions: { parse: ["users", "roles", "everyone"], replied_user: true },
  };
  if (replyTo) message.message_reference = { message_id: replyTo, fail_if_not_exists: false };
  return files.length > 0 ? form(message, files) : message;
}

function form(message, files) {
  const named = files.map(({ file, spoiler }) => (spoiler ? `SPOILER_${file.name}` : file.name));
  const attachments = files.map(({ description }, id) => ({ id, filename: named[id], description: description || undefined }));
  const data = new FormData();
  data.append("payload_json", JSON.stringify({ ...message, attachments }));
  files.forEach(({ file }, id) => data.append(`files[${id}]`, file, named[id]));
  return data;
}

// Not longer than Discord takes: 25 characters.
export function newNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
