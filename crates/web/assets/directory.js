// Who and what exists: guilds, people, roles and channels, by id. One guild at
// a time is looked at; names, members and channel lists are those of it.

import { permissionsIn, VIEW_CHANNEL } from "./permissions.js";

const DM = 1;
const GROUP_DM = 3;
const CATEGORY = 4;
const PRIVATE_THREAD = 12;
const FORUM = 15;
const MEDIA = 16;
// Text, voice, announcement, stage, forum, media.
const LISTED = new Set([0, 2, 5, 13, FORUM, MEDIA]);
// Text and announcement: where threads can be begun.
const THREADED = new Set([0, 5]);
const THREADS = new Set([10, 11, PRIVATE_THREAD]);
const THREAD_STARTER = 21;

export class Directory {
  me = null;
  #guilds = new Map();
  #guildId = null;
  #users = new Map();
  #channels = new Map();
  #presences = new Map();
  #presencesTold = false;

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
    const members = this.#guilds.get(member.guild_id)?.members;
    members?.set(member.user.id, { ...members.get(member.user.id), ...member });
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
    if (guild.presences) this.#presencesTold = true;
    for (const presence of guild.presences ?? []) this.learnPresence(presence);
  }

  // A guild whose own fields changed: its name, emoji or stickers.
  changeGuild(id, fields) {
    const place = this.#guilds.get(id);
    if (place) place.guild = { ...place.guild, ...fields };
  }

  forgetGuild(id) {
    this.#guilds.delete(id);
    for (const [channel, { guild_id: guild }] of this.#channels) if (guild === id) this.#channels.delete(channel);
    if (this.#guildId === id) this.#guildId = this.#guilds.keys().next().value ?? null;
  }

  learnRole(guildId, role) {
    this.#guilds.get(guildId)?.roles.set(role.id, role);
  }

  forgetRole(guildId, role) {
    this.#guilds.get(guildId)?.roles.delete(role);
  }

  learnPresence({ user, status }) {
    if (user?.id && status) this.#presences.set(user.id, status);
  }

  // `online`, `idle`, `dnd`, `offline`, or nothing where presences are not told.
  presence(id) {
    if (!this.#presencesTold && this.#presences.size === 0) return undefined;
    return this.#presences.get(id) ?? (id === this.me?.id ? "online" : "offline");
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

  // The name under which a message was written. A webhook names each anew.
  authorName({ author, webhook_id: webhook, application_id: application }) {
    const own = webhook && webhook !== application;
    return (own ? author?.username : this.nameOf(author?.id) ?? author?.username) ?? "Somebody";
  }

  roles() {
    return [...(this.#place()?.roles.values() ?? [])].filter(({ id }) => id !== this.#guildId).sort((a, b) => b.position - a.position);
  }

  role(id) {
    for (const { roles } of this.#guilds.values()) if (roles.has(id)) return roles.get(id);
    return undefined;
  }

  // The colour of somebody's name: that of their highest role that has one.
  colorOf(id) {
    const held = this.#place()?.members.get(id)?.roles ?? [];
    return this.roles().find((role) => held.includes(role.id) && role.color > 0)?.color;
  }

  // Whether one of my roles in its guild is this one.
  isMyRole(id) {
    for (const { members } of this.#guilds.values()) if (members.get(this.me?.id)?.roles?.includes(id)) return true;
    return false;
  }

  channel(id) {
    return this.#channels.get(id);
  }

  isDm(channel) {
    return channel?.type === DM || channel?.type === GROUP_DM;
  }

  isForum(channel) {
    return channel?.type === FORUM || channel?.type === MEDIA;
  }

  isThread(channel) {
    return THREADS.has(channel?.type);
  }

  // Whether a thread can be begun in a channel.
  takesThreads(channel) {
    return THREADED.has(channel?.type);
  }

  // Whether somebody may read a channel. In a private thread it is not told
  // who is; there the answer is yes.
  sees(userId, channel) {
    if (this.isDm(channel)) return (channel.recipients ?? []).some(({ id }) => id === userId) || userId === this.me?.id;
    const place = this.#guilds.get(channel?.guild_id);
    const member = place?.members.get(userId);
    if (!member) return false;
    const ruled = this.isThread(channel) ? this.#channels.get(channel.parent_id) ?? channel : channel;
    return (permissionsIn(place.guild, place.roles, member, ruled) & VIEW_CHANNEL) !== 0n;
  }

  // The bots that a text calls and that cannot read it here.
  deafBots(channel, ids) {
    if (!channel) return [];
    return ids.filter((id) => this.#users.get(id)?.bot && !this.sees(id, channel)).map((id) => this.nameOf(id) ?? "The bot");
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
    return this.dms().find((channel) => channel.type === DM && this.recipient(channel)?.id === userId);
  }

  // Members by name, bots first: here the bot is who one came to meet.
  members() {
    return [...(this.#place()?.members.values() ?? [])]
      .map(({ user: { id }, roles }) => ({ id, name: this.nameOf(id) ?? id, user: this.#users.get(id), roles: roles ?? [] }))
      .sort((a, b) => Number(b.user?.bot ?? false) - Number(a.user?.bot ?? false) || a.name.localeCompare(b.name));
  }

  // Members as Discord lists them: those who are there under the highest of
  // their roles that is shown apart, the others below.
  memberGroups() {
    const everyone = this.members();
    const apart = this.roles().filter(({ hoist }) => hoist);
    const here = everyone.filter(({ id }) => this.presence(id) !== "offline");
    const place = ({ roles }) => apart.find(({ id }) => roles.includes(id));
    const groups = apart.map((role) => ({ name: role.name, members: here.filter((member) => place(member) === role) }));
    groups.push({ name: "Online", members: here.filter((member) => !place(member)) });
    groups.push({ name: "Offline", members: everyone.filter((member) => !here.includes(member)) });
    return groups.filter(({ members }) => members.length > 0);
  }

  bot() {
    return this.members().find(({ user }) => user?.bot);
  }
}

function byPosition(a, b) {
  return (a.position ?? 0) - (b.position ?? 0) || a.id.localeCompare(b.id);
}
