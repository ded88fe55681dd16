// Channels of all kinds, who may do what in them, and the invites to them.

import { ChannelType, Events, OverwriteType } from 'discord.js';

import { ada, bench, ben, client, event, fails, features, person, place, refused, rest, same, say, shop, teaHouse, workshop, world } from './emulator.mjs';

const make = (options) => workshop().channels.create(options);
const everyone = () => shop.id;

Object.assign(features, {
  'channel made: text': async () => {
    const seen = event(Events.ChannelCreate, ({ name }) => name === 'new-tools');
    const made = await make({ name: 'New Tools', topic: 'Sharp ones', nsfw: true, rateLimitPerUser: 7, reason: 'we have some' });
    same((await seen).id, made.id, 'event');
    same([made.name, made.topic, made.nsfw, made.rateLimitPerUser, made.type], ['new-tools', 'Sharp ones', true, 7, 0], 'channel');
    await made.delete();
  },
  'channel made: voice': async () => {
    const made = await make({ name: 'Loud Room', type: ChannelType.GuildVoice, bitrate: 64000, userLimit: 5 });
    same([made.name, made.type, made.bitrate, made.userLimit], ['Loud Room', 2, 64000, 5], 'channel');
    await fails(made.setUserLimit(100), 50035);
    await made.delete();
  },
  'channel made: category': async () => {
    const category = await make({ name: 'Cellar', type: ChannelType.GuildCategory });
    const child = await make({ name: 'shelf', parent: category.id });
    same([category.type, child.parentId, category.children.cache.map(({ name }) => name)], [4, category.id, ['shelf']], 'category');
    await category.delete();
    same((await child.fetch(true)).parentId, null, 'parent of what is left');
    await child.delete();
    await fails(make({ name: 'x', parent: bench().id }), 50035);
  },
  'channel made: announcement and stage': async () => {
    const news = await make({ name: 'papers', type: ChannelType.GuildAnnouncement });
    const stage = await make({ name: 'Podium', type: ChannelType.GuildStageVoice });
    same([news.type, stage.type], [5, 13], 'kinds');
    await Promise.all([news.delete(), stage.delete()]);
  },
  'channel made: forum': async () => {
    const forum = await make({ name: 'talks', type: ChannelType.GuildForum, topic: 'Rules', defaultReactionEmoji: { name: '🔨' } });
    same([forum.type, forum.topic, forum.defaultReactionEmoji.name], [15, 'Rules', '🔨'], 'forum');
    await forum.delete();
  },
  'channel edited': async () => {
    const made = await make({ name: 'before' });
    const seen = event(Events.ChannelUpdate, (_, now) => now.id === made.id);
    const edited = await made.edit({ name: 'after', topic: 'T', nsfw: true, rateLimitPerUser: 3, defaultAutoArchiveDuration: 60 });
    same([edited.name, edited.topic, edited.nsfw, edited.rateLimitPerUser, edited.defaultAutoArchiveDuration], ['after', 'T', true, 3, 60], 'channel');
    same((await seen)[1].name, 'after', 'event');
    await made.delete();
  },
  'channel deleted': async () => {
    const made = await make({ name: 'short-lived' });
    const seen = event(Events.ChannelDelete, ({ id }) => id === made.id);
    await made.delete();
    await seen;
    await fails(client.channels.fetch(made.id, { force: true }), 10003);
    await fails(client.rest.post(`/channels/${made.id}/messages`, { body: { content: 'x' } }), 10003);
  },
  'channel limits': async () => {
    await fails(make({ name: '' }), 50035);
    await fails(make({ name: 'x'.repeat(101) }), 50035);
    await fails(make({ name: 'x', topic: 'x'.repeat(1025) }), 50035);
    await fails(make({ name: 'x', rateLimitPerUser: 21601 }), 50035);
    await fails(make({ name: 'x', type: 99 }), 50035);
  },
  'channel refused': async () => {
    await fails(teaHouse().channels.create({ name: 'x' }), 50013);
    await fails(teaHouse().channels.cache.find(({ name }) => name === 'random').setTopic('x'), 50013);
  },
  'channels listed and ordered': async () => {
    const listed = await workshop().channels.fetch();
    same(Object.values(shop.channels).filter((id) => !listed.has(id)), [], 'channels that are missing');
    const [a, b] = [await make({ name: 'first' }), await make({ name: 'second' })];
    same(a.rawPosition < b.rawPosition, true, 'order in which they were made');
    const seen = event(Events.ChannelUpdate, (_, now) => now.id === b.id);
    await workshop().channels.setPositions([{ channel: a.id, position: b.rawPosition }, { channel: b.id, position: a.rawPosition }]);
    await seen;
    const again = await workshop().channels.fetch();
    same(again.get(b.id).rawPosition < again.get(a.id).rawPosition, true, 'order that was asked for');
    await Promise.all([a.delete(), b.delete()]);
  },
  'slowmode kept': async () => {
    const slow = await make({ name: 'slow', rateLimitPerUser: 60 });
    await say(ben, slow, 'one');
    await refused(say(ben, slow, 'two'), 429, 20016);
    await slow.send('a bot that manages messages');
    await slow.send('has no slowmode');
    await slow.delete();
  },
  'channel followed': async () => {
    const target = bench();
    const followed = await client.rest.post(`/channels/${place('sale').id}/followers`, { body: { webhook_channel_id: target.id } });
    same(followed.channel_id, place('sale').id, 'channel');
    const hook = (await target.fetchWebhooks()).get(followed.webhook_id);
    same([hook.type, hook.sourceChannel.id], [2, place('sale').id], 'webhook');
    await hook.delete();
    await fails(client.rest.post(`/channels/${target.id}/followers`, { body: { webhook_channel_id: target.id } }), 50024);
  },
  'overwrite made and removed': async () => {
    const made = await make({ name: 'signs' });
    const seen = event(Events.ChannelUpdate, (_, now) => now.id === made.id && now.permissionOverwrites.cache.has(everyone()));
    await made.permissionOverwrites.create(everyone(), { SendMessages: false, AddReactions: true });
    const overwrite = (await seen)[1].permissionOverwrites.cache.get(everyone());
    same([overwrite.type, overwrite.deny.has('SendMessages'), overwrite.allow.has('AddReactions')], [OverwriteType.Role, true, true], 'overwrite');
    await refused(say(ben, made, 'may I?'), 403, 50013);
    await made.permissionOverwrites.create(ben.id, { SendMessages: true }, { type: OverwriteType.Member });
    await say(ben, made, 'I may');
    await made.permissionOverwrites.delete(ben.id);
    await refused(say(ben, made, 'may I still?'), 403, 50013);
    await made.delete();
  },
  'overwrite hides a channel': async () => {
    const made = await make({ name: 'vault', permissionOverwrites: [{ id: everyone(), deny: ['ViewChannel'] }, { id: world.bot.id, allow: ['ViewChannel'], type: OverwriteType.Member }] });
    await refused(rest(ben.token, 'GET', `/channels/${made.id}/messages`), 403, 50001);
    await say(ada, made, 'the owner may');
    await made.delete();
  },
  'overwrite refused': async () => {
    const where = bench();
    const path = `/channels/${where.id}/permissions/${everyone()}`;
    await fails(client.rest.put(path, { body: { type: 0, allow: '8', deny: '0' } }), 50013);
    await fails(teaHouse().channels.cache.find(({ name }) => name === 'random').permissionOverwrites.create(teaHouse().id, { SendMessages: false }), 50013);
    await fails(client.rest.put(`/channels/${where.id}/permissions/1`, { body: { type: 0, allow: '0', deny: '0' } }), 10009, 10011, 50035);
  },
  'overwrites locked to the category': async () => {
    const category = await make({ name: 'Attic', type: ChannelType.GuildCategory, permissionOverwrites: [{ id: everyone(), deny: ['AttachFiles'] }] });
    const child = await make({ name: 'box', parent: category.id });
    same(child.permissionsLocked, true, 'as the category');
    await child.permissionOverwrites.create(everyone(), { EmbedLinks: false });
    same((await child.fetch(true)).permissionsLocked, false, 'on its own');
    await child.lockPermissions();
    same((await child.fetch(true)).permissionsLocked, true, 'as the category again');
    await Promise.all([child.delete(), category.delete()]);
  },
  'invite made and deleted': async () => {
    const where = bench();
    const seen = event(Events.InviteCreate);
    const invite = await where.createInvite({ maxAge: 3600, maxUses: 2, temporary: false, unique: true });
    same([(await seen).code, invite.maxAge, invite.maxUses, invite.uses, invite.inviterId], [invite.code, 3600, 2, 0, world.bot.id], 'invite');
    same([(await where.fetchInvites()).has(invite.code), (await workshop().invites.fetch({ cache: false })).has(invite.code)], [true, true], 'listed');
    const fetched = await client.fetchInvite(invite.code);
    same([fetched.guild.id, fetched.channel.id, fetched.memberCount >= 7], [shop.id, where.id, true], 'fetched');
    const gone = event(Events.InviteDelete, ({ code }) => code === invite.code);
    await invite.delete();
    await gone;
    await fails(client.fetchInvite(invite.code), 10006);
  },
  'invite limits': async () => {
    await fails(bench().createInvite({ maxAge: 604801 }), 50035);
    await fails(bench().createInvite({ maxUses: 101 }), 50035);
  },
  'member comes by an invite': async () => {
    await workshop().setSystemChannel(bench());
    const invite = await bench().createInvite({ maxUses: 1, unique: true });
    const came = event(Events.GuildMemberAdd, ({ id }) => id === person.noor.id);
    const greeted = event(Events.MessageCreate, (message) => message.type === 7);
    await rest(person.noor.token, 'POST', `/invites/${invite.code}`, {});
    same([(await came).displayName, (await greeted).author.id], ['Noor', person.noor.id], 'who came');
    await fails(client.fetchInvite(invite.code), 10006);
    const gone = event(Events.GuildMemberRemove, ({ id }) => id === person.noor.id);
    await rest(person.noor.token, 'DELETE', `/users/@me/guilds/${shop.id}`);
    await gone;
    await workshop().setSystemChannel(null);
  },
});
