// The two side columns: where one can talk, and with whom.

import { avatar, botTag, channelIcon, h } from "./dom.js";
import { attempt } from "./notices.js";

// Guilds, the channels of one, direct messages, and who one is.
export function channelColumn(session, { humans, human, onIdentity, onNavigate }) {
  const guildName = h("h1", { class: "guild-name" }, "…");
  const list = h("nav", { class: "channel-list", "aria-label": "Channels" });
  const column = h(
    "aside",
    { class: "column channels", id: "channels", "aria-label": "Guild" },
    guildBar(session, onNavigate),
    h("header", { class: "column-head" }, h("img", { src: "/assets/icon.svg", alt: "", width: "28", height: "28" }), guildName),
    list,
    identityPanel(session, humans, human, onIdentity),
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
  session.on(["directory", "open", "unread"], render);
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
  const initials = guild.name.split(/\s+/).map(([first]) => first ?? "").join("").slice(0, 3);
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
    direct ? avatar(directory.user(person?.id), name, "small") : channelIcon(channel),
    h("span", { class: "row-name" }, name),
    mentions > 0 ? h("span", { class: "badge" }, mentions > 99 ? "99+" : String(mentions)) : null,
  );
}

function identityPanel(session, humans, human, onIdentity) {
  const options = humans.map(({ name }) => h("option", { value: name, selected: name === human.name }, name));
  const select = h("select", { id: "identity", dataset: { testid: "identity" }, on: { change: () => onIdentity(select.value) } }, options);
  return h(
    "footer",
    { class: "identity" },
    avatar(human, human.name),
    h("div", { class: "identity-choice" }, h("label", { for: "identity" }, "You are"), select),
  );
}

// Everybody in the guild. A click opens a conversation with just them.
export function memberColumn(session, { onNavigate }) {
  const list = h("div", { class: "member-list" });
  const column = h("aside", { class: "column members", id: "members", "aria-label": "Members" }, list);
  const render = () => {
    const { directory } = session;
    const members = directory.members();
    const group = (title, people) =>
      people.length === 0 ? null : h("section", {}, h("h2", {}, `${title} — ${people.length}`), people.map((member) => memberButton(session, member, onNavigate)));
    const groups = [group("Bots", members.filter(({ user }) => user?.bot)), group("People", members.filter(({ user }) => !user?.bot))];
    replaceKeepingFocus(list, groups.filter(Boolean));
  };
  session.on(["directory"], render);
  render();
  return column;
}

function memberButton(session, { id, name, user }, onNavigate) {
  const self = id === session.directory.me?.id;
  const open = () =>
    attempt("Could not open the conversation", async () => {
      await session.openDm(id);
      onNavigate();
    });
  return h(
    "button",
    {
      type: "button",
      class: "row member-row",
      disabled: self,
      title: self ? "This is you" : `Message ${name} directly`,
      dataset: { testid: `member-${name}`, key: `member-${id}` },
      on: { click: open },
    },
    avatar(user, name),
    h("span", { class: "row-name" }, name),
    user?.bot ? botTag() : null,
    self ? h("span", { class: "self-tag" }, "you") : null,
  );
}

function replaceKeepingFocus(list, children) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  list.replaceChildren(...children);
  if (key) list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
