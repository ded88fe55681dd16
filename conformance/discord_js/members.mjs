// Members: edited, timed out, kicked, banned.

import { Events } from 'discord.js';

import { ada, bench, ben, client, event, fails, features, mika, person, refused, rest, same, say, shop, tea, teaHouse, workshop, world } from './emulator.mjs';

const member = (who) => workshop().members.fetch(who.id);
const HOUR = 60 * 60 * 1000;

async function comesBack(who) {
  const { code } = await bench().createInvite({ unique: true });
  await rest(who.token, 'POST', `/invites/${code}`, {});
}

Object.assign(features, {
  'members listed': async () => {
    const listed = await workshop().members.list({ limit: 1000, cache: false });
    same(['Ada', 'Ben', 'Kaiwa', 'Mika'].filter((name) => !listed.some((it) => it.user.globalName === name || it.user.username === name)), [], 'missing');
    const ids = [...listed.keys()];
    const [first, second] = [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    same([...(await workshop().members.list({ limit: 1, after: first, cache: false })).keys()], [second], 'the next');
  },
  'members searched': async () => {
    const found = await workshop().members.search({ query: 'mi' });
    same(found.map(({ id }) => id), [mika.id], 'found');
  },
  'member edited': async () => {
    const ben_ = await member(ben);
    const seen = event(Events.GuildMemberUpdate, (_, now) => now.id === ben.id && now.nickname === 'Benny');
    await ben_.setNickname('Benny', 'he asked for it');
    same((await seen)[1].displayName, 'Benny', 'name');
    await ben_.setNickname(null);
    same((await workshop().members.fetch({ user: ben.id, force: true })).nickname, null, 'without');
    await fails(ben_.setNickname('x'.repeat(33)), 50035);
  },
  'own nickname': async () => {
    const seen = event(Events.GuildMemberUpdate, (_, now) => now.id === world.bot.id && now.nickname === 'Master');
    await workshop().members.me.setNickname('Master');
    same((await seen)[1].displayName, 'Master', 'name');
    await workshop().members.me.setNickname(null);
  },
  'member roles': async () => {
    const ben_ = await member(ben);
    const added = event(Events.GuildMemberUpdate, (_, now) => now.id === ben.id && now.roles.cache.has(shop.roles.Apprentice));
    await ben_.roles.add(shop.roles.Apprentice);
    await added;
    const removed = event(Events.GuildMemberUpdate, (_, now) => now.id === ben.id && !now.roles.cache.has(shop.roles.Apprentice));
    await ben_.roles.remove(shop.roles.Apprentice);
    await removed;
    await fails(client.rest.put(`/guilds/${shop.id}/members/${ben.id}/roles/1`), 10011);
    await fails(ben_.roles.add(shop.roles.Elder), 50013);
  },
  'member edit refused': async () => {
    await fails((await member(ada)).setNickname('Countess'), 50013);
    await fails((await member(mika)).setNickname('Younger'), 50013);
    await fails(client.rest.patch(`/guilds/${tea.id}/members/${ben.id}`, { body: { nick: 'x' } }), 50013);
    await fails(client.rest.patch(`/guilds/${shop.id}/members/1`, { body: { nick: 'x' } }), 10007, 10013);
  },
  'member timed out': async () => {
    const dan = await member(person.dan);
    const until = new Date(Date.now() + HOUR);
    const seen = event(Events.GuildMemberUpdate, (_, now) => now.id === dan.id && now.isCommunicationDisabled());
    await dan.disableCommunicationUntil(until, 'too loud');
    same(Math.abs((await seen)[1].communicationDisabledUntil - until) < 1000, true, 'until when');
    await refused(say(person.dan, bench(), 'but'), 403, 50013);
    await dan.disableCommunicationUntil(null);
    await say(person.dan, bench(), 'thank you');
  },
  'timeout refused': async () => {
    const dan = await member(person.dan);
    await fails(dan.disableCommunicationUntil(new Date(Date.now() + 29 * 24 * HOUR)), 50035);
    await fails((await member(mika)).disableCommunicationUntil(new Date(Date.now() + HOUR)), 50013);
    await fails(client.rest.patch(`/guilds/${tea.id}/members/${ben.id}`, { body: { communication_disabled_until: new Date(Date.now() + HOUR).toISOString() } }), 50013);
  },
  'member kicked': async () => {
    const gus = await member(person.gus);
    const seen = event(Events.GuildMemberRemove, ({ id }) => id === gus.id);
    await gus.kick('closing time');
    await seen;
    await fails(workshop().members.fetch({ user: gus.id, force: true }), 10007);
    await refused(say(person.gus, bench(), 'I am out'), 403, 50001);
    await comesBack(person.gus);
  },
  'kick refused': async () => {
    await fails((await member(ada)).kick(), 50013);
    await fails((await member(mika)).kick(), 50013);
    await fails(teaHouse().members.kick(ben.id), 50013);
  },
  'member banned': async () => {
    const where = bench();
    const rude = await say(person.eve, where, 'something rude');
    const banned = event(Events.GuildBanAdd, ({ user }) => user.id === person.eve.id);
    const left = event(Events.GuildMemberRemove, ({ id }) => id === person.eve.id);
    await workshop().members.ban(person.eve.id, { deleteMessageSeconds: 3600, reason: 'rude' });
    await Promise.all([banned, left]);
    const ban = await workshop().bans.fetch({ user: person.eve.id, force: true });
    same([ban.user.id, ban.reason], [person.eve.id, 'rude'], 'ban');
    await fails(where.messages.fetch({ message: rude.id, force: true }), 10008);
  },
  'ban keeps out': async () => {
    const { code } = await bench().createInvite({ unique: true });
    await refused(rest(person.eve.token, 'POST', `/invites/${code}`, {}), 403, 40007);
  },
  'bans listed': async () => {
    await workshop().members.ban(person.noor.id, { reason: 'a stranger' });
    const listed = await workshop().bans.fetch();
    same([...listed.keys()].sort(), [person.eve.id, person.noor.id].sort(), 'bans');
    same((await workshop().bans.fetch({ limit: 1 })).size, 1, 'limit');
  },
  'ban lifted': async () => {
    const lifted = event(Events.GuildBanRemove, ({ user }) => user.id === person.eve.id);
    await workshop().members.unban(person.eve.id);
    await workshop().members.unban(person.noor.id);
    await lifted;
    await fails(workshop().bans.fetch({ user: person.eve.id, force: true }), 10026);
    await fails(workshop().members.unban(person.eve.id), 10026);
    await comesBack(person.eve);
  },
  'bulk ban': async () => {
    const { bannedUsers, failedUsers } = await workshop().bans.bulkCreate([person.eve.id, person.finn.id, ada.id], { reason: 'all of you' });
    same([[...bannedUsers].sort(), [...failedUsers]], [[person.eve.id, person.finn.id].sort(), [ada.id]], 'bans');
    await fails(workshop().bans.bulkCreate([ada.id]), 500000);
    for (const who of [person.eve, person.finn]) {
      await workshop().members.unban(who.id);
      await comesBack(who);
    }
  },
  'ban refused': async () => {
    await fails(workshop().members.ban(ada.id), 50013);
    await fails(workshop().members.ban(mika.id), 50013);
    await fails(teaHouse().members.ban(ben.id), 50013);
    await fails(workshop().members.ban(ben.id, { deleteMessageSeconds: 604801 }), 50035);
  },
});
