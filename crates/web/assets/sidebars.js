// The two side columns: where one can talk, and with whom.

import { avatar, avatarWithPresence, botTag, channelIcon, h, replaceKeepingFocus } from "./dom.js";
import { hexColor } from "./markdown.js";
import { below } from "./menu.js";
import { attempt } from "./notices.js";

// Guilds, the channels of one, direct messages, and who one is.
export function channelColumn(session, { id, key, humans, human, onIdentity, onNavigate }) {
  const guildName = h("h1", { class: "guild-name" }, "…");
  const list = h("nav", { class: "channel-list", "aria-label": "Channels" });
  const column = h(
    "aside",
    { class: "column channels", id, "aria-label": "Guild" },
    guildBar(session, onNavigate),
    h("header", { class: "column-head" }, h("img", { src: "/assets/icon.svg", alt: "", width: "28", height: "28" }), guildName),
    list,
    identityPanel(`identity${key}`, humans, human, onIdentity),
  );

  const go = (channel) => () => {
    session.open(channel.id);
    onNavigate();
  };
  const render = () => {
    const { directory } = session;
    guildName.textContent = directory.guild?.name ?? "…";
    const sections = directory.sections().map((section) =>
      h("section", {}, h("h2", {}, section.name), section.channels.flatMap((channel) => [channel, ...directory.threads(channel.id)]).map((channel) => channelButton(session, channel, go(channel)))),
    );
    const dms = directory.dms();
    if (dms.length > 0) sections.push(h("section", {}, h("h2", {}, "Direct messages"), dms.map((channel) => channelButton(session, channel, go(channel)))));
    replaceKeepingFocus(list, sections);
  };
  session.on(["directory", "open", "unread", "presence"], render);
  render();
  return column;
}

// The guilds one is in; nothing where there is but one.
function guildBar(session, onNavigate) {
  const bar = h("nav", { class: "guild-bar", "aria-label": "Guilds", hidden: true });
  const render = () => {
    const guilds = session.directory.guilds();
    bar.hidden = guilds.length < 2;
    replaceKeepingFocus(bar, guilds.map((guild) => guildButton(session, guild, onNavigate)));
  };
  session.on(["directory", "open", "unread"], render);
  return bar;
}

function guildButton(session, guild, onNavigate) {
  const active = guild.id === session.directory.guild?.id;
  const { any, mentions } = session.unreadIn(guild.id);
  const state = mentions > 0 ? `, ${mentions} for you` : any ? ", unread" : "";
  const initials = [...guild.name.split(/\s+/u).map((word) => [...word][0] ?? "").join("")].slice(0, 3).join("");
  const go = () => {
    session.openGuild(guild.id);
    onNavigate();
  };
  return h(
    "button",
    {
      type: "button",
      class: `guild-button ${active ? "active" : ""} ${any && !active ? "unread" : ""}`,
      title: guild.name,
      "aria-current": active ? "true" : null,
      "aria-label": `Guild ${guild.name}${state}`,
      dataset: { testid: `guild-${guild.name}`, key: `guild-${guild.id}` },
      on: { click: go },
    },
    initials,
    mentions > 0 ? h("span", { class: "badge" }, mentions > 99 ? "99+" : String(mentions)) : null,
  );
}

function channelButton(session, channel, go) {
  const { directory } = session;
  const direct = directory.isDm(channel);
  const name = directory.channelName(channel);
  const { any, mentions } = session.unread(channel.id);
  const active = channel.id === session.activeId;
  const thread = directory.isThread(channel);
  const kind = direct ? "dm" : thread ? "thread" : "channel";
  const called = direct ? "Direct messages with" : thread ? "Thread" : directory.isForum(channel) ? "Forum" : "Channel";
  const testid = `${kind}-${name}`;
  const state = mentions > 0 ? `, ${mentions} for you` : any ? ", unread" : "";
  const person = direct ? directory.recipient(channel) : null;
  return h(
    "button",
    {
      type: "button",
      class: `row channel-row ${thread ? "thread-row" : ""} ${active ? "active" : ""} ${any && !active ? "unread" : ""}`,
      "aria-current": active ? "page" : null,
      "aria-label": `${called} ${name}${state}`,
      dataset: { testid, key: thread ? channel.id : testid },
      on: { click: go },
    },
    direct ? avatarWithPresence(directory.user(person?.id), name, directory.presence(person?.id), "small") : channelIcon(channel),
    h("span", { class: "row-name" }, name),
    mentions > 0 ? h("span", { class: "badge" }, mentions > 99 ? "99+" : String(mentions)) : null,
  );
}

function identityPanel(id, humans, human, onIdentity) {
  const options = humans.map(({ name }) => h("option", { value: name, selected: name === human.name }, name));
  const select = h("select", { id, dataset: { testid: "identity" }, on: { change: () => onIdentity(select.value) } }, options);
  return h(
    "footer",
    { class: "identity" },
    avatar(human, human.name),
    h("div", { class: "identity-choice" }, h("label", { for: id }, "You are"), select),
  );
}

// Everybody in the guild, under their roles. A click opens a conversation with
// just them, a right click what applications offer.
export function memberColumn(session, { id, onNavigate, onMember }) {
  const list = h("div", { class: "member-list" });
  const column = h("aside", { class: "column members", id, "aria-label": "Members" }, list);
  const render = () => {
    const groups = session.directory.memberGroups();
    const group = ({ name, members }) => h("section", {}, h("h2", {}, `${name} — ${members.length}`), members.map((member) => memberButton(session, member, onNavigate, onMember)));
    replaceKeepingFocus(list, groups.map(group));
  };
  session.on(["directory", "presence"], render);
  render();
  return column;
}

function memberButton(session, member, onNavigate, onMember) {
  const { id, name, user } = member;
  const { directory } = session;
  const self = id === directory.me?.id;
  const status = directory.presence(id);
  const open = () =>
    attempt("Could not open the conversation", async () => {
      await session.openDm(id);
      onNavigate();
    });
  const menu = (event) => {
    event.preventDefault();
    onMember(member, event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : below(event.currentTarget));
  };
  const shown = h("span", { class: "row-name" }, name);
  const color = directory.colorOf(id);
  if (color) shown.style.setProperty("--role", hexColor(color));
  return h(
    "button",
    {
      type: "button",
      class: `row member-row ${status === "offline" ? "away" : ""}`,
      "aria-disabled": self ? "true" : null,
      title: self ? "This is you" : `Message ${name} directly`,
      dataset: { testid: `member-${name}`, key: `member-${id}` },
      on: { click: self ? () => {} : open, contextmenu: menu },
    },
    avatarWithPresence(user, name, status),
    shown,
    user?.bot ? botTag() : null,
    self ? h("span", { class: "self-tag" }, "you") : null,
  );
}
