// What applications offer for a message or a member: their context menus.

import { MESSAGE_COMMAND, USER_COMMAND } from "./commands.js";
import { showMenu } from "./menu.js";
import { attempt } from "./notices.js";

// Menu items for the commands that can be used on a message.
export async function appItems(session, message) {
  const channel = session.directory.channel(message.channel_id);
  return items(session, channel, MESSAGE_COMMAND, message.id);
}

// The menu of a member: a conversation, and the commands for users.
export async function appMenu(session, { id, name }, at, onNavigate) {
  const talk = () =>
    attempt("Could not open the conversation", async () => {
      await session.openDm(id);
      onNavigate();
    });
  const apps = await items(session, session.active, USER_COMMAND, id);
  const self = id === session.directory.me?.id;
  const own = self ? [] : [{ label: `Message ${name}`, act: talk }];
  if (own.length + apps.length === 0) return;
  showMenu(name, at, [...own, ...(apps.length > 0 ? [{ heading: "Apps" }, ...apps] : [])]);
}

async function items(session, channel, type, target) {
  if (!channel) return [];
  const commands = await session.commands.menu(channel, type);
  return commands.map((command) => ({
    label: command.name_localized ?? command.name,
    testid: "app-command",
    act: () => attempt(command.name, () => session.interactions.command(channel, command, [], target)),
  }));
}
