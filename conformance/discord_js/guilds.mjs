// A guild, its roles, and its audit log.

import { AuditLogEvent, Events, PermissionFlagsBits as Permissions } from 'discord.js';

import { ada, client, event, fails, features, person, refused, rest, same, shop, teaHouse, workshop, world } from './emulator.mjs';

const role = (options) => workshop().roles.create(options);

Object.assign(features, {
  'guild edited': async () => {
    const seen = event(Events.GuildUpdate, (_, now) => now.name === 'Wood Workshop');
    const edited = await workshop().edit({ name: 'Wood Workshop', verificationLevel: 1, defaultMessageNotifications: 1, reason: 'more to the point' });
    same([edited.name, edited.verificationLevel, edited.defaultMessageNotifications], ['Wood Workshop', 1, 1], 'guild');
    same((await seen)[1].verificationLevel, 1, 'event');
    await workshop().edit({ name: 'Workshop', verificationLevel: 0, defaultMessageNotifications: 0 });
  },
  'guild edit refused': async () => {
    await fails(workshop().setName('x'), 50035);
    await fails(teaHouse().setName('Coffee House'), 50013);
  },
  'guild counted': async () => {
    const guild = await client.guilds.fetch({ guild: shop.id, force: true, withCounts: true });
    same([guild.approximateMemberCount >= 8, guild.ownerId], [true, ada.id], 'guild');
  },
  'bot added and removed': async () => {
    const elsewhere = world.guilds.find(({ name }) => name === 'Elsewhere').id;
    const { noor } = person;
    const gone = event(Events.GuildDelete, ({ id }) => id === elsewhere);
    await rest(noor.token, 'DELETE', `/guilds/${elsewhere}/members/${world.bot.id}`);
    await gone;
    await fails(client.guilds.fetch({ guild: elsewhere, force: true }), 10004);
    const link = `/oauth2/authorize?client_id=${world.bot.application_id}&scope=bot%20applications.commands`;
    const yes = { guild_id: elsewhere, permissions: String(Permissions.ViewAuditLog), authorize: true };
    await refused(rest(ada.token, 'POST', link, yes), 404, 10004);
    const came = event(Events.GuildCreate, ({ id }) => id === elsewhere);
    await rest(noor.token, 'POST', link, yes);
    const guild = await came;
    const { botRole } = guild.members.me.roles;
    same([botRole.managed, String(botRole.permissions.bitfield)], [true, String(Permissions.ViewAuditLog)], 'own role');
    const { entries } = await guild.fetchAuditLogs({ type: AuditLogEvent.BotAdd });
    same([entries.first().executorId, entries.first().targetId], [noor.id, world.bot.id], 'audit log');
  },
  'role made': async () => {
    const seen = event(Events.GuildRoleCreate, ({ name }) => name === 'Turner');
    const made = await role({ name: 'Turner', colors: { primaryColor: 0x3498db }, hoist: true, mentionable: true, permissions: [Permissions.ManageMessages] });
    same((await seen).id, made.id, 'event');
    same([made.name, made.hexColor, made.hoist, made.mentionable, made.permissions.bitfield.toString(), made.managed],
      ['Turner', '#3498db', true, true, '8192', false], 'role');
    await made.delete();
  },
  'role edited': async () => {
    const made = await role({ name: 'before' });
    const seen = event(Events.GuildRoleUpdate, (_, now) => now.id === made.id);
    const edited = await made.edit({ name: 'after', permissions: [], hoist: true });
    same([edited.name, edited.hoist, edited.permissions.bitfield.toString()], ['after', true, '0'], 'role');
    same((await seen)[1].name, 'after', 'event');
    await made.delete();
  },
  'role deleted': async () => {
    const made = await role({ name: 'short lived' });
    const member = await workshop().members.fetch(world.users.find(({ name }) => name === 'Cleo').id);
    await member.roles.add(made);
    const updated = event(Events.GuildRoleDelete, ({ id }) => id === made.id);
    await made.delete();
    await updated;
    same((await workshop().members.fetch({ user: member.id, force: true })).roles.cache.has(made.id), false, 'the member has it');
    await fails(client.rest.delete(`/guilds/${shop.id}/roles/${made.id}`), 10011);
  },
  'roles listed and ordered': async () => {
    const made = [(await role({ name: 'a' })).id, (await role({ name: 'b' })).id];
    const listed = await workshop().roles.fetch(undefined, { force: true });
    const [low, high] = made.map((id) => listed.get(id)).sort((one, other) => one.comparePositionTo(other));
    const before = [low, high].map(({ id, rawPosition }) => ({ id, rawPosition }));
    const [a, b] = [low, high];
    const seen = event(Events.GuildRoleUpdate, (_, now) => now.id === a.id);
    await workshop().roles.setPositions([{ role: a.id, position: before[1].rawPosition }, { role: b.id, position: before[0].rawPosition }]);
    await seen;
    const roles = await workshop().roles.fetch(undefined, { force: true });
    same(roles.get(a.id).comparePositionTo(roles.get(b.id)) > 0, true, 'the lower is above the higher');
    await Promise.all([a.delete(), b.delete()]);
  },
  'role limits': async () => {
    await fails(role({ name: 'x'.repeat(101) }), 50035);
    await fails(client.rest.post(`/guilds/${shop.id}/roles`, { body: { color: 0x1000000 } }), 50035);
  },
  'role hierarchy kept': async () => {
    const elder = workshop().roles.cache.get(shop.roles.Elder);
    await fails(elder.setName('Younger'), 50013);
    await fails(elder.delete(), 50013);
    const me = await workshop().members.fetchMe();
    await fails(me.roles.add(elder), 50013);
    const made = await role({ name: 'low' });
    await fails(client.rest.patch(`/guilds/${shop.id}/roles`, { body: [{ id: made.id, position: elder.position + 1 }] }), 50013);
    await made.delete();
  },
  'role beyond own permissions refused': async () => {
    await fails(role({ name: 'too much', permissions: [Permissions.Administrator] }), 50013);
    await fails(teaHouse().roles.create({ name: 'x' }), 50013);
    await fails(workshop().members.me.roles.botRole.delete(), 50028, 50013);
  },
  'audit log': async () => {
    const made = await role({ name: 'logged', reason: 'because of the log' });
    const log = await workshop().fetchAuditLogs({ type: AuditLogEvent.RoleCreate, limit: 1 });
    const entry = log.entries.first();
    same([entry.targetId, entry.executorId, entry.reason, entry.action], [made.id, world.bot.id, 'because of the log', 30], 'entry');
    same(entry.changes.find(({ key }) => key === 'name')?.new, 'logged', 'change');
    await made.delete();
    const last = (await workshop().fetchAuditLogs({ user: world.bot.id, limit: 1 })).entries.first();
    same([last.action, last.targetId], [AuditLogEvent.RoleDelete, made.id], 'last entry');
    await fails(teaHouse().fetchAuditLogs(), 50013);
  },
  'audit log event': async () => {
    const seen = event(Events.GuildAuditLogEntryCreate, (entry) => entry.action === AuditLogEvent.RoleCreate);
    const made = await role({ name: 'watched', reason: 'a reason with ünïcode' });
    const [entry, guild] = await seen;
    same([entry.targetId, entry.reason, guild.id], [made.id, 'a reason with ünïcode', shop.id], 'entry');
    await made.delete();
  },
});
