// Coming, and what is there.

import { Events } from 'discord.js';

import { ada, arrange, ben, channel, client, connectTo, event, fails, features, same, shop, teaHouse, tea, workshop, world } from './emulator.mjs';

const ready = event(Events.ClientReady);

Object.assign(features, {
  'login': async () => {
    same(await client.login(world.bot.token), world.bot.token, 'token');
  },
  'login refused': async () => {
    const error = await connectTo().login('wrong').then(() => null, (error) => error);
    same(error?.code, 'TokenInvalid', 'the error');
  },
  'READY': async () => {
    await ready;
    await arrange();
    same(client.user.id, world.bot.id, 'user');
    same(client.application.id, world.bot.application_id, 'application');
  },
  'gateway bot info': async () => {
    const info = await client.rest.get('/gateway/bot');
    same([typeof info.url, info.shards], ['string', 1], 'url and shards');
    const { total, remaining, reset_after, max_concurrency } = info.session_start_limit;
    same([total, remaining > 0 && remaining <= total, reset_after >= 0, max_concurrency], [1000, true, true, 1], 'starts');
  },
  'guild cached': async () => {
    const guild = teaHouse();
    same([guild.name, guild.memberCount, guild.ownerId], ['Tea House', 4, ada.id], 'guild');
    const visible = guild.channels.cache.filter((channel) => channel.viewable);
    const names = visible.map((channel) => channel.name);
    same(names.sort(), ['code', 'general', 'ideas', 'lounge', 'news', 'random'], 'visible channels');
    const roles = guild.roles.cache.map((role) => role.name);
    same(['@everyone', 'Keeper'].filter((name) => !roles.includes(name)), [], 'missing roles');
    const me = guild.members.me;
    same(me.id, world.bot.id, 'own member');
    same(me.permissionsIn(channel('general')).has('SendMessages'), true, 'may send in general');
  },
  'members requested': async () => {
    const members = await teaHouse().members.fetch();
    same(members.map((member) => member.displayName).sort(), ['Ada', 'Ben', 'Kaiwa', 'Mika'], 'members');
  },
  'members queried': async () => {
    const found = await workshop().members.fetch({ query: 'be', limit: 5 });
    same(found.map((member) => member.displayName), ['Ben'], 'found');
    same((await workshop().members.fetch({ query: 'nobody', limit: 5 })).size, 0, 'of nobody');
  },
  'members requested by id': async () => {
    const found = await teaHouse().members.fetch({ user: [ada.id, '1'], force: true });
    same(found.map((member) => member.id), [ada.id], 'members');
  },
  'own guilds listed': async () => {
    const guilds = await client.guilds.fetch({ limit: 2 });
    same(guilds.size, 2, 'limit');
    const all = await client.guilds.fetch();
    same(all.map(({ name }) => name).sort(), ['Elsewhere', 'Tea House', 'Workshop'], 'guilds');
    const { permissions, owner } = all.get(shop.id);
    same([permissions.has('BanMembers'), permissions.has('Administrator'), owner], [true, false, false], 'permissions');
  },
  'objects fetched': async () => {
    const guild = await client.guilds.fetch({ guild: tea.id, force: true });
    same(guild.name, 'Tea House', 'guild');
    const general = await client.channels.fetch(tea.channels.general, { force: true });
    same(general.name, 'general', 'channel');
    same((await client.users.fetch(ben.id, { force: true })).globalName, 'Ben', 'user');
    const member = await guild.members.fetch({ user: ada.id, force: true });
    same(member.roles.highest.name, 'Keeper', 'role');
    same((await client.application.fetch()).name, 'Kaiwa', 'application');
  },
  'unknown objects': async () => {
    await fails(client.users.fetch('1', { force: true }), 10013);
    await fails(client.channels.fetch('1', { force: true }), 10003);
    await fails(client.guilds.fetch({ guild: '1', force: true }), 10004);
    await fails(teaHouse().members.fetch({ user: world.users.find(({ name }) => name === 'Noor').id, force: true }), 10007);
  },
  'own user edited': async () => {
    const seen = event(Events.UserUpdate, (_, now) => now.id === client.user.id);
    await client.user.setUsername('Teapot');
    same([(await seen)[1].username, client.user.username], ['Teapot', 'Teapot'], 'name');
    await fails(client.user.setUsername('x'), 50035);
    await client.user.setUsername('Kaiwa');
  },
});
