// Who and what exists: guilds, people, roles and channels, by id. One guild at
// a time is looked at; names, members and channel lists are those of it.

const DM = 1;
const CATEGORY = 4;
const FORUM = 15;
// Text, voice, announcement, forum.
const LISTED = new Set([0, 2, 5, FORUM]);
// Text and announcement: where threads can be begun.
const THREADED = new Set([0, 5]);
const THREADS = new Set([10, 11, 12]);
const THREAD_STARTER = 21;

export class Directory {
  me = null;
  #guilds = new Map();
  #guildId = null;
  #users = new Map();
  #channels = new Map();

  // The guild that is looked at: the first that came, until another is chosen.
  get guild() {
    return this.#place()?.guild ?? null;
  }

  #place() {
    return this.#guilds.get(this.#guildId);
  }

  guilds() {
    return [...this.#guilds.values()].map(({ guild }) => guild);
  }

  // Says whether another guild is looked at now.
  lookAt(guildId) {
    if (guildId === this.#guildId || !this.#guilds.has(guildId)) return false;
    this.#guildId = guildId;
    return true;
  }

  learnUser(user) {
    if (user?.id) this.#users.set(user.id, { ...this.#users.get(user.id), ...user });
  }

  learnMember(member) {
    if (!member?.user) return;
    this.learnUser(member.user);
    this.#guilds.get(member.guild_id)?.members.set(member.user.id, member);
  }

  forgetMember({ guild_id: guildId, user }) {
    this.#guilds.get(guildId)?.members.delete(user.id);
  }

  learnGuild(guild) {
    const roles = new Map((guild.roles ?? []).map((role) => [role.id, role]));
    this.#guilds.set(guild.id, { guild, roles, members: new Map() });
    this.#guildId ??= guild.id;
    for (const [id, channel] of this.#channels) if (channel.guild_id === guild.id) this.#channels.delete(id);
    for (const member of guild.members ?? []) this.learnMember({ ...member, guild_id: guild.id });
    for (const channel of [...(guild.channels ?? []), ...(guild.threads ?? [])]) this.learnChannel({ ...channel, guild_id: guild.id });
  }

  // Emoji of the guild that is looked at.
  emojis() {
    return this.#place()?.guild.emojis ?? [];
  }

  // An emoji of any guild one is in.
  emoji(id) {
    return this.guilds().flatMap(({ emojis }) => emojis ?? []).find((emoji) => emoji.id === id);
  }

  learnChannel(channel) {
    this.#channels.set(channel.id, { ...this.#channels.get(channel.id), ...channel });
    for (const user of channel.recipients ?? []) this.learnUser(user);
  }

  forgetChannel(id) {
    this.#channels.delete(id);
  }

  user(id) {
    return this.#users.get(id);
  }

  // The name others see: nickname, display name, or user name.
  nameOf(id) {
    const user = this.#users.get(id);
    return this.#place()?.members.get(id)?.nick ?? user?.global_name ?? user?.username;
  }

  roleName(id) {
    for (const { roles } of this.#guilds.values()) if (roles.has(id)) return roles.get(id).name;
    return undefined;
  }

  channel(id) {
    return this.#channels.get(id);
  }

  isDm(channel) {
    return channel?.type === DM;
  }

  isForum(channel) {
    return channel?.type === FORUM;
  }

  isThread(channel) {
    return THREADS.has(channel?.type);
  }

  // Whether a thread can be begun in a channel.
  takesThreads(channel) {
    return THREADED.has(channel?.type);
  }

  // The open threads or posts of a channel, oldest first.
  threads(parentId) {
    return [...this.#channels.values()]
      .filter((channel) => this.isThread(channel) && channel.parent_id === parentId && !channel.thread_metadata?.archived)
      .sort((a, b) => a.id.length - b.id.length || a.id.localeCompare(b.id));
  }

  // One more message in a thread. Clients count for themselves.
  countMessage({ channel_id: id, id: message, type }) {
    const channel = this.#channels.get(id);
    const begins = message === id || type === THREAD_STARTER;
    if (this.isThread(channel) && !begins) this.learnChannel({ id, message_count: (channel.message_count ?? 0) + 1 });
  }

  recipient(channel) {
    return channel.recipients?.find(({ id }) => id !== this.me?.id) ?? channel.recipients?.[0];
  }

  channelName(channel) {
    return this.isDm(channel) ? this.nameOf(this.recipient(channel)?.id) ?? "Direct message" : channel.name;
  }

  // Every channel that can be talked in, of all guilds.
  channels() {
    return [...this.#channels.values()].filter(({ type }) => type !== CATEGORY);
  }

  // Channels of the guild in display order, under the category each
  // belongs to.
  sections(guildId = this.#guildId) {
    const all = [...this.#channels.values()].filter((channel) => channel.guild_id === guildId).sort(byPosition);
    const text = all.filter(({ type }) => LISTED.has(type));
    const categories = all.filter(({ type }) => type === CATEGORY);
    const known = new Set(categories.map(({ id }) => id));
    const loose = text.filter(({ parent_id }) => !known.has(parent_id));
    const sections = [{ name: "Channels", channels: loose }];
    for (const category of categories) {
      sections.push({ name: category.name, channels: text.filter(({ parent_id }) => parent_id === category.id) });
    }
    return sections.filter(({ channels }) => channels.length > 0);
  }

  dms() {
    return [...this.#channels.values()].filter((channel) => this.isDm(channel));
  }

  dmWith(userId) {
    return this.dms().find((channel) => this.recipient(channel)?.id === userId);
  }

  // Members by name, bots first: here the bot is who one came to meet.
  members() {
    return [...(this.#place()?.members.keys() ?? [])]
      .map((id) => ({ id, name: this.nameOf(id) ?? id, user: this.#users.get(id) }))
      .sort((a, b) => Number(b.user?.bot ?? false) - Number(a.user?.bot ?? false) || a.name.localeCompare(b.name));
  }

  bot() {
    return this.members().find(({ user }) => user?.bot);
  }
}

function byPosition(a, b) {
  return (a.position ?? 0) - (b.position ?? 0) || a.id.localeCompare(b.id);
}
