// Who and what exists: people, roles and channels, by id.

const TEXT = 0;
const DM = 1;
const CATEGORY = 4;
const ANNOUNCEMENT = 5;

export class Directory {
  guild = null;
  me = null;
  #users = new Map();
  #members = new Map();
  #roles = new Map();
  #channels = new Map();

  learnUser(user) {
    if (user?.id) this.#users.set(user.id, { ...this.#users.get(user.id), ...user });
  }

  learnMember(member) {
    if (!member?.user) return;
    this.learnUser(member.user);
    this.#members.set(member.user.id, member);
  }

  forgetMember(user) {
    this.#members.delete(user.id);
  }

  learnGuild(guild) {
    this.guild = guild;
    this.#members.clear();
    this.#roles.clear();
    for (const [id, channel] of this.#channels) if (channel.type !== DM) this.#channels.delete(id);
    for (const role of guild.roles ?? []) this.#roles.set(role.id, role);
    for (const member of guild.members ?? []) this.learnMember(member);
    for (const channel of guild.channels ?? []) this.learnChannel(channel);
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
    return this.#members.get(id)?.nick ?? user?.global_name ?? user?.username;
  }

  roleName(id) {
    return this.#roles.get(id)?.name;
  }

  channel(id) {
    return this.#channels.get(id);
  }

  isDm(channel) {
    return channel?.type === DM;
  }

  recipient(channel) {
    return channel.recipients?.find(({ id }) => id !== this.me?.id) ?? channel.recipients?.[0];
  }

  channelName(channel) {
    return this.isDm(channel) ? this.nameOf(this.recipient(channel)?.id) ?? "Direct message" : channel.name;
  }

  // Text channels in display order, under the category each belongs to.
  sections() {
    const all = [...this.#channels.values()].sort(byPosition);
    const text = all.filter(({ type }) => type === TEXT || type === ANNOUNCEMENT);
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
    return [...this.#members.keys()]
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
