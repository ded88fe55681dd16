// Discord's REST API, version 10, as one human uses it.

const BASE = "/api/v10";
const PATIENCE_MS = 15_000;
const UPLOAD_PATIENCE_MS = 120_000;
const LIMITED_TRIES = 3;

// Why a request failed. `kind` says what can be done about it:
// `network` and `server`: try again; `limited`: wait `retryAfterMs` first;
// `refused`: change the request.
export class RestError extends Error {
  constructor(kind, message, extra = {}) {
    super(message);
    this.kind = kind;
    Object.assign(this, extra);
  }
}

export class Rest {
  #token;

  constructor(token) {
    this.#token = token;
  }

  // One request; a rate limit is reported, not waited for.
  async once(method, path, body) {
    const response = await this.#fetch(method, path, body);
    if (response.status === 204) return null;
    const answer = await response.json().catch(() => null);
    if (response.ok) return answer;
    const { status } = response;
    if (status === 429) {
      const seconds = Number(answer?.retry_after ?? response.headers.get("retry-after") ?? 1);
      throw new RestError("limited", "Slow down a little.", { status, retryAfterMs: Math.max(50, seconds * 1000) });
    }
    const kind = status >= 500 ? "server" : "refused";
    throw new RestError(kind, explain(answer, status), { status, code: answer?.code });
  }

  // One request that waits out rate limits.
  async request(method, path, body) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(method, path, body);
      } catch (error) {
        if (error.kind !== "limited" || attempt === LIMITED_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs));
      }
    }
  }

  async #fetch(method, path, body) {
    const headers = { authorization: this.#token };
    const form = body instanceof FormData;
    if (body !== undefined && !form) headers["content-type"] = "application/json";
    const signal = AbortSignal.timeout(form ? UPLOAD_PATIENCE_MS : PATIENCE_MS);
    try {
      return await fetch(BASE + path, { method, headers, body: body === undefined || form ? body : JSON.stringify(body), signal });
    } catch {
      throw new RestError("network", "The server could not be reached.");
    }
  }

  messages(channel, { before, limit = 50 } = {}) {
    const cursor = before ? `&before=${before}` : "";
    return this.request("GET", `/channels/${channel}/messages?limit=${limit}${cursor}`);
  }

  edit(channel, message, content) {
    return this.request("PATCH", `/channels/${channel}/messages/${message}`, { content });
  }

  remove(channel, message) {
    return this.request("DELETE", `/channels/${channel}/messages/${message}`);
  }

  react(channel, message, emoji, add) {
    const name = encodeURIComponent(emoji.id ? `${emoji.name}:${emoji.id}` : emoji.name);
    return this.request(add ? "PUT" : "DELETE", `/channels/${channel}/messages/${message}/reactions/${name}/@me`);
  }

  interact(interaction) {
    return this.request("POST", "/interactions", interaction);
  }

  // The commands that can be used in a guild or with a direct message's bot.
  commands({ id, guild_id: guild }) {
    return this.request("GET", guild ? `/guilds/${guild}/application-command-index` : `/channels/${id}/application-command-index`);
  }

  typing(channel) {
    return this.once("POST", `/channels/${channel}/typing`);
  }

  channel(id) {
    return this.request("GET", `/channels/${id}`);
  }

  // `text` makes a forum's post, `message` a thread that hangs on it.
  startThread(channel, { name, message, text }) {
    if (text !== undefined) return this.request("POST", `/channels/${channel}/threads`, { name, message: { content: text } });
    if (message) return this.request("POST", `/channels/${channel}/messages/${message}/threads`, { name });
    return this.request("POST", `/channels/${channel}/threads`, { name, type: 11 });
  }

  openDm(recipient) {
    return this.request("POST", "/users/@me/channels", { recipient_id: recipient });
  }
}

// Discord's own words, with the first field error when there is one.
function explain(answer, status) {
  const detail = firstFieldError(answer?.errors, 0);
  return detail ?? answer?.message ?? `The server answered ${status}.`;
}

function firstFieldError(errors, depth) {
  if (!errors || typeof errors !== "object" || depth > 8) return undefined;
  if (Array.isArray(errors._errors)) return errors._errors[0]?.message;
  for (const value of Object.values(errors)) {
    const found = firstFieldError(value, depth + 1);
    if (found) return found;
  }
  return undefined;
}
