// Discord's gateway, version 10: one websocket that survives losses.
//
// Reported states: `connecting`, `ready`, `lost` (with `retryAtMs`), `refused`
// (the token is not known here; a new one is needed).

const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, ack: 11 };

// GUILDS, GUILD_MEMBERS, GUILD_EXPRESSIONS, GUILD_PRESENCES, GUILD_MESSAGES,
// GUILD_MESSAGE_REACTIONS, GUILD_MESSAGE_TYPING, DIRECT_MESSAGES,
// DIRECT_MESSAGE_REACTIONS, DIRECT_MESSAGE_TYPING, MESSAGE_CONTENT.
const INTENTS = [0, 1, 3, 8, 9, 10, 11, 12, 13, 14, 15].reduce((bits, bit) => bits | (1 << bit), 0);

const BACKOFF_MS = [300, 700, 1500, 3000, 6000, 10_000, 15_000];
const HELLO_PATIENCE_MS = 10_000;
const AUTHENTICATION_FAILED = 4004;
const SESSION_IS_GONE = new Set([4003, 4007, 4009]);
// A close with 1000 ends the session; any other code lets it be resumed.
const FAREWELL = 1000;
const STAY_RESUMABLE = 4900;

export class Gateway {
  #token;
  #onDispatch;
  #onState;
  #socket = null;
  #session = null;
  #sequence = null;
  #failures = 0;
  #patience = 0;
  #heartbeat = 0;
  #retry = 0;
  #identify = 0;
  #acknowledged = true;
  #closed = false;
  #wake = () => this.retryNow();

  constructor(token, { onDispatch, onState }) {
    this.#token = token;
    this.#onDispatch = onDispatch;
    this.#onState = onState;
  }

  get sessionId() {
    return this.#session;
  }

  open() {
    window.addEventListener("online", this.#wake);
    this.#connect();
  }

  close() {
    this.#closed = true;
    window.removeEventListener("online", this.#wake);
    this.#drop(FAREWELL);
    clearTimeout(this.#retry);
  }

  // Skips the rest of a back-off.
  retryNow() {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  #connect() {
    this.#onState("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/gateway/?v=10&encoding=json`);
    this.#socket = socket;
    this.#patience = setTimeout(() => this.#lost(STAY_RESUMABLE), HELLO_PATIENCE_MS);
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#lost(code);
    };
  }

  #receive({ op, d, s, t }) {
    if (op === OP.dispatch) this.#dispatch(t, d, s);
    else if (op === OP.hello) this.#greet(d.heartbeat_interval);
    else if (op === OP.heartbeat) this.#beat();
    else if (op === OP.ack) this.#acknowledged = true;
    else if (op === OP.reconnect) this.#lost(STAY_RESUMABLE);
    else if (op === OP.invalid) this.#invalidated(d === true);
  }

  #dispatch(type, data, sequence) {
    this.#sequence = sequence;
    if (type === "READY") this.#session = data.session_id;
    if (type === "READY" || type === "RESUMED") {
      this.#failures = 0;
      this.#onState("ready");
    }
    this.#onDispatch(type, data);
  }

  #greet(interval) {
    this.#acknowledged = true;
    clearTimeout(this.#patience);
    clearTimeout(this.#heartbeat);
    const beat = () => {
      if (!this.#acknowledged) return this.#lost(STAY_RESUMABLE);
      this.#beat();
      this.#heartbeat = setTimeout(beat, interval);
    };
    this.#heartbeat = setTimeout(beat, interval * Math.random());
    if (this.#session) this.#send(OP.resume, { token: this.#token, session_id: this.#session, seq: this.#sequence });
    else this.#introduce();
  }

  #beat() {
    this.#acknowledged = false;
    this.#send(OP.heartbeat, this.#sequence);
  }

  #introduce() {
    const properties = { os: "browser", browser: "kaiwa-playground", device: "kaiwa-playground" };
    this.#send(OP.identify, { token: this.#token, intents: INTENTS, properties });
  }

  // Discord asks for a pause of one to five seconds before the next try.
  #invalidated(resumable) {
    if (resumable) return this.#lost(STAY_RESUMABLE);
    this.#forget();
    clearTimeout(this.#identify);
    this.#identify = setTimeout(() => this.#introduce(), 1000 + Math.random() * 1000);
  }

  // Does not wait for a dead connection to say goodbye.
  #lost(code) {
    this.#drop(STAY_RESUMABLE);
    if (code === AUTHENTICATION_FAILED) return this.#onState("refused");
    if (SESSION_IS_GONE.has(code)) this.#forget();
    const base = BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)];
    this.#failures += 1;
    const delay = base * (0.8 + Math.random() * 0.4);
    this.#onState("lost", { retryAtMs: Date.now() + delay });
    this.#retry = setTimeout(() => this.#connect(), delay);
  }

  #forget() {
    this.#session = null;
    this.#sequence = null;
  }

  #drop(code) {
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#patience);
    clearTimeout(this.#identify);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(code);
  }

  #send(op, d) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ op, d }));
  }
}
