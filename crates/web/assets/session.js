// One human at the keyboard: what they know of the world, kept up to date by
// the gateway. Views read it and listen; they never change it directly.
//
// Topics: `connection`, `directory`, `open`, `channel` (with its id), `typing`
// (with its channel's id), `unread`, `presence`, `arrival` (with a new message of the open
// channel).

import { Commands } from "./commands.js";
import { Directory } from "./directory.js";
import { Gateway } from "./gateway.js";
import { History, isEphemeral, isLater } from "./history.js";
import { Interactions } from "./interactions.js";
import { Outbox } from "./outbox.js";
import { withReaction, withoutEmoji } from "./reactions.js";
import { Rest } from "./rest.js";
import { Typists } from "./typists.js";

export class Session {
  #listeners = [];
  #histories = new Map();
  #typing = new Typists((channel) => this.#tell("typing", channel));
  #unread = new Map();
  #lastSeen = new Map();
  #lastOpened = new Map();
  #guildsToCome = new Set();
  #gateway;

  directory = new Directory();
  connection = { state: "connecting", everReady: false };
  activeId = null;

  // `applications` maps the accounts of bots to their applications.
  constructor(token, applications) {
    this.rest = new Rest(token);
    this.outbox = new Outbox(this.rest, {
      onChange: (channel) => this.#tell("channel", channel),
      onSent: (message) => this.#arrived(message),
    });
    this.#gateway = new Gateway(token, {
      onDispatch: (type, data) => this.#apply(type, data),
      onState: (state, extra) => this.#connected(state, extra),
    });
    this.commands = new Commands(this.rest);
    this.interactions = new Interactions(this.rest, () => this.#gateway.sessionId, applications);
  }

  start() {
    this.#gateway.open();
  }

  close() {
    this.#listeners = [];
    this.#gateway.close();
  }

  retryNow() {
    this.#gateway.retryNow();
  }

  on(topics, listener) {
    this.#listeners.push({ topics, listener });
  }

  #tell(topic, subject) {
    for (const { topics, listener } of this.#listeners) if (topics.includes(topic)) listener(subject, topic);
  }

  history(channel) {
    let history = this.#histories.get(channel);
    if (!history) {
      history = new History(this.rest, channel);
      this.#histories.set(channel, history);
    }
    return history;
  }

  get active() {
    return this.directory.channel(this.activeId);
  }

  // Whether every guild has come that the gateway announced.
  get complete() {
    return this.#guildsToCome.size === 0;
  }

  open(channel) {
    this.activeId = channel;
    const guild = this.active?.guild_id;
    if (guild) {
      this.#lastOpened.set(guild, channel);
      if (this.directory.lookAt(guild)) this.#tell("directory");
    }
    this.#markSeen(channel);
    this.#tell("open");
    this.load(channel);
  }

  // Goes to where one last was in a guild, or to its first channel.
  openGuild(guild) {
    const last = this.directory.channel(this.#lastOpened.get(guild));
    const channel = last ?? this.directory.sections(guild)[0]?.channels[0];
    if (channel) this.open(channel.id);
  }

  async load(channel) {
    const loading = this.history(channel).load();
    this.#tell("channel", channel);
    await loading;
    this.#tell("channel", channel);
  }

  async loadOlder(channel) {
    const loading = this.history(channel).loadOlder();
    this.#tell("channel", channel);
    await loading;
    this.#tell("channel", channel);
  }

  async openDm(userId) {
    const known = this.directory.dmWith(userId);
    const channel = known ?? (await this.rest.openDm(userId));
    this.directory.learnChannel(channel);
    this.#tell("directory");
    this.open(channel.id);
  }

  // Names of those typing in a channel, oldest first, without oneself.
  typists(channel) {
    return this.#typing.in(channel).map((id) => this.directory.nameOf(id) ?? "Somebody");
  }

  unread(channel) {
    return this.#unread.get(channel) ?? { any: false, mentions: 0 };
  }

  // What is unread in all channels of a guild together.
  unreadIn(guild) {
    const theirs = this.directory.channels().filter(({ guild_id: id }) => id === guild);
    return theirs.map(({ id }) => this.unread(id)).reduce((sum, { any, mentions }) => ({ any: sum.any || any, mentions: sum.mentions + mentions }), { any: false, mentions: 0 });
  }

  seen() {
    if (this.activeId && this.unread(this.activeId).any) this.#markSeen(this.activeId);
  }

  mentionsMe(message) {
    const me = this.directory.me?.id;
    if (message.author?.id === me) return false;
    const named = (message.mentions ?? []).some(({ id }) => id === me);
    return Boolean(message.mention_everyone) || named || (message.mention_roles ?? []).some((id) => this.directory.isMyRole(id));
  }

  // Reads back to a message of a channel; says whether it is there.
  async loadBackTo(channel, message) {
    const found = await this.history(channel).loadBackTo(message);
    this.#tell("channel", channel);
    return found;
  }

  // Puts away a message that only oneself can see.
  dismiss(message) {
    if (isEphemeral(message)) this.#removed(message.channel_id, [message.id]);
  }

  #markSeen(channel) {
    this.#unread.delete(channel);
    const last = this.history(channel).messages.at(-1)?.id ?? this.directory.channel(channel)?.last_message_id;
    if (last) this.#lastSeen.set(channel, last);
    this.#tell("unread");
  }

  #connected(state, extra = {}) {
    const everReady = this.connection.everReady || state === "ready";
    this.connection = { state, everReady, ...extra };
    this.#tell("connection");
  }

  #apply(type, data) {
    const channel = data?.channel_id;
    const learn = (change) => {
      change(this.directory);
      this.#tell("directory");
    };
    switch (type) {
      case "READY": return this.#begin(data);
      case "GUILD_CREATE": return this.#guild(data);
      case "MESSAGE_CREATE": return this.#created(data);
      case "MESSAGE_UPDATE": return this.#edited(data);
      case "MESSAGE_DELETE": return this.#removed(channel, [data.id]);
      case "MESSAGE_DELETE_BULK": return this.#removed(channel, data.ids);
      case "MESSAGE_REACTION_ADD": return this.#reacted(data, 1);
      case "MESSAGE_REACTION_REMOVE": return this.#reacted(data, -1);
      case "MESSAGE_REACTION_REMOVE_ALL": return this.#change(channel, data.message_id, (known) => ({ ...known, reactions: [] }));
      case "MESSAGE_REACTION_REMOVE_EMOJI": return this.#change(channel, data.message_id, (known) => ({ ...known, reactions: withoutEmoji(known.reactions ?? [], data.emoji) }));
      case "TYPING_START": return this.#typed(data);
      case "CHANNEL_CREATE":
      case "CHANNEL_UPDATE": return learn((directory) => directory.learnChannel(data));
      case "THREAD_CREATE":
      case "THREAD_UPDATE": return learn((directory) => directory.learnChannel(data));
      case "THREAD_LIST_SYNC": return learn((directory) => data.threads.forEach((thread) => directory.learnChannel(thread)));
      case "CHANNEL_DELETE":
      case "THREAD_DELETE": return this.#closed(data);
      case "GUILD_MEMBER_ADD":
      case "GUILD_MEMBER_UPDATE": return learn((directory) => directory.learnMember(data));
      case "GUILD_MEMBER_REMOVE": return learn((directory) => directory.forgetMember(data));
      case "GUILD_ROLE_CREATE":
      case "GUILD_ROLE_UPDATE": return learn((directory) => directory.learnRole(data.guild_id, data.role));
      case "GUILD_ROLE_DELETE": return learn((directory) => directory.forgetRole(data.guild_id, data.role_id));
      case "GUILD_EMOJIS_UPDATE": return learn((directory) => directory.changeGuild(data.guild_id, { emojis: data.emojis }));
      case "GUILD_STICKERS_UPDATE": return learn((directory) => directory.changeGuild(data.guild_id, { stickers: data.stickers }));
      case "GUILD_UPDATE": return learn((directory) => directory.changeGuild(data.id, data));
      case "GUILD_DELETE": return this.#left(data);
      case "PRESENCE_UPDATE": return this.#appeared(data);
      default: this.interactions.hear(type, data);
    }
  }

  #appeared(presence) {
    this.directory.learnPresence(presence);
    this.#tell("presence");
  }

  #left({ id, unavailable }) {
    if (unavailable) return;
    const inside = this.active?.guild_id === id;
    this.directory.forgetGuild(id);
    if (inside) this.activeId = null;
    this.#tell("directory");
    if (inside && this.directory.guild) this.openGuild(this.directory.guild.id);
  }

  // Whoever is in a channel that is deleted goes to where it hung, or away.
  #closed({ id, parent_id: parent, guild_id: guild }) {
    const threads = this.directory.threads(id);
    const inside = this.activeId === id || threads.some((thread) => thread.id === this.activeId);
    for (const gone of [id, ...threads.map((thread) => thread.id)]) this.directory.forgetChannel(gone);
    this.#tell("directory");
    if (!inside) return;
    if (this.directory.channel(parent)) this.open(parent);
    else this.openGuild(guild);
  }

  // Begins a thread and goes there: on a message, alone, or as a forum's post.
  async startThread(channel, { name, message, text }) {
    const thread = await this.rest.startThread(channel, { name, message, text });
    this.directory.learnChannel(thread);
    this.#tell("directory");
    this.open(thread.id);
  }

  // A new gateway session knows nothing of what happened since the last one.
  #begin(ready) {
    this.directory.me = ready.user;
    this.directory.learnUser(ready.user);
    this.#guildsToCome = new Set((ready.guilds ?? []).map(({ id }) => id));
    for (const channel of ready.private_channels ?? []) this.directory.learnChannel(channel);
    this.#typing.clear();
    for (const history of this.#histories.values()) history.reset();
    this.#tell("directory");
    if (this.activeId) this.load(this.activeId);
  }

  #guild(guild) {
    if (guild.unavailable) return;
    this.directory.learnGuild(guild);
    this.#guildsToCome.delete(guild.id);
    for (const { id, last_message_id: last } of [...(guild.channels ?? []), ...(guild.threads ?? [])]) {
      const seen = this.#lastSeen.get(id);
      if (last && !seen) this.#lastSeen.set(id, last);
      else if (last && isLater(last, seen) && id !== this.activeId) this.#unread.set(id, { any: true, mentions: 0 });
    }
    this.#tell("directory");
  }

  #arrived(message) {
    const { channel_id: channel, author } = message;
    if (!message.webhook_id || message.webhook_id === message.application_id) this.directory.learnUser(author);
    for (const user of message.mentions ?? []) this.directory.learnUser(user);
    this.#typing.ended(channel, author.id);
    const history = this.history(channel);
    const isNew = !history.get(message.id);
    history.put(message);
    if (channel !== this.activeId) history.trim();
    if (isNew) {
      this.directory.countMessage(message);
      this.#count(message);
    }
    this.#tell("channel", channel);
    if (isNew && channel === this.activeId) this.#tell("arrival", message);
  }

  #count(message) {
    const { channel_id: channel, author, id } = message;
    const watching = channel === this.activeId && document.visibilityState === "visible";
    if (watching || author.id === this.directory.me?.id) {
      this.#lastSeen.set(channel, id);
      return;
    }
    const { mentions } = this.unread(channel);
    const direct = this.directory.isDm(this.directory.channel(channel));
    this.#unread.set(channel, { any: true, mentions: mentions + Number(direct || this.mentionsMe(message)) });
    this.#tell("unread");
  }

  async #created(message) {
    this.outbox.confirm(message.nonce);
    this.#arrived(message);
    if (this.directory.channel(message.channel_id)) return;
    const channel = await this.rest.channel(message.channel_id).catch(() => null);
    if (!channel) return;
    this.directory.learnChannel(channel);
    this.#tell("directory");
  }

  #edited(data) {
    const update = (known) => ({ ...known, ...data });
    this.#change(data.channel_id, data.id, update);
    this.#follow(data.id, update);
  }

  #change(channel, message, update) {
    if (this.history(channel).change(message, update)) this.#tell("channel", channel);
  }

  #removed(channel, ids) {
    for (const id of ids) {
      this.history(channel).remove(id);
      this.#follow(id, () => null);
    }
    this.#tell("channel", channel);
  }

  // Replies quote a message as it now stands, wherever they are.
  #follow(id, update) {
    for (const [channel, history] of this.#histories) if (history.follow(id, update)) this.#tell("channel", channel);
  }

  #typed({ channel_id: channel, user_id: user, member }) {
    if (user === this.directory.me?.id) return;
    this.directory.learnMember(member);
    this.#typing.began(channel, user);
  }

  #reacted({ channel_id: channel, message_id: message, user_id: user, emoji }, step) {
    const mine = user === this.directory.me?.id;
    this.#change(channel, message, (known) => ({ ...known, reactions: withReaction(known.reactions ?? [], emoji, mine, step) }));
  }
}
