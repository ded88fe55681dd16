// Threads and forum posts.

import { ChannelType, Events, MessageType } from 'discord.js';

import { ada, bench, ben, channel, client, event, fails, features, place, refused, rest, same, say, tea, teaHouse, workshop, world } from './emulator.mjs';

Object.assign(features, {
  'thread from a message': async () => {
    const said = await say(ada, 'general', 'let us talk');
    const message = await channel('general').messages.fetch(said.id);
    const seen = event(Events.ThreadCreate, (thread) => thread.id === said.id);
    const thread = await message.startThread({ name: 'Talk', autoArchiveDuration: 60 });
    await seen;
    same([thread.name, thread.parentId, thread.ownerId, thread.type], ['Talk', tea.channels.general, world.bot.id, 11], 'thread');
    same((await thread.fetchStarterMessage()).content, 'let us talk', 'starter');
    same((await message.fetch(true)).hasThread, true, 'has a thread');
    await fails(client.rest.post(`/channels/${message.channelId}/messages/${message.id}/threads`, { body: { name: 'x' } }), 160004);
  },
  'thread written in': async () => {
    const thread = await channel('general').threads.create({ name: 'Notes', type: 11 });
    const joined = event(Events.ThreadMembersUpdate, (added) => added.has(ben.id));
    const seen = event(Events.MessageCreate, (message) => message.content === 'noted');
    await say(ben, thread.id, 'noted');
    const message = await seen;
    same([message.channel.isThread(), message.channelId], [true, thread.id], 'place');
    await joined;
    same((await message.reply('me too')).reference.messageId, message.id, 'reply');
    const members = await thread.members.fetch();
    same(members.map(({ id }) => id).sort(), [world.bot.id, ben.id].sort(), 'members');
  },
  'thread archived and deleted': async () => {
    const created = event(Events.ThreadCreate, (thread) => thread.name === 'Old');
    const made = await rest(ada.token, 'POST', `/channels/${tea.channels.general}/threads`, { name: 'Old', type: 11 });
    same((await created)[1], true, 'newly created');
    const thread = await client.channels.fetch(made.id);
    const closed = event(Events.ThreadUpdate, (_, now) => now.id === made.id && now.archived);
    await rest(ada.token, 'PATCH', `/channels/${made.id}`, { archived: true });
    await closed;
    same((await channel('general').threads.fetchArchived()).threads.has(made.id), true, 'among the archived');
    const opened = event(Events.ThreadUpdate, (_, now) => now.id === made.id && !now.archived);
    await thread.send('open again');
    await opened;
    const gone = event(Events.ThreadDelete, ({ id }) => id === made.id);
    await rest(ada.token, 'DELETE', `/channels/${made.id}`);
    await gone;
  },
  'private thread': async () => {
    const made = await rest(ben.token, 'POST', `/channels/${tea.channels.general}/threads`, { name: 'Quiet', type: 12 });
    await fails(client.channels.fetch(made.id, { force: true }), 50001);
    const added = event(Events.ThreadCreate, (thread) => thread.id === made.id);
    await rest(ben.token, 'PUT', `/channels/${made.id}/thread-members/${world.bot.id}`);
    await added;
    same((await client.channels.fetch(made.id)).invitable, true, 'invitable');
  },
  'threads listed': async () => {
    const { threads } = await teaHouse().channels.fetchActiveThreads();
    same(threads.some((thread) => thread.name === 'Notes'), true, 'active');
    const thread = threads.find(({ name }) => name === 'Notes');
    await thread.leave();
    await thread.join();
  },
  'thread members': async () => {
    const thread = await bench().threads.create({ name: 'Guests', type: ChannelType.PublicThread });
    const came = event(Events.ThreadMembersUpdate, (added) => added.has(ben.id));
    await thread.members.add(ben.id);
    await came;
    same((await thread.members.fetch({ member: ben.id, force: true })).id, ben.id, 'member');
    const went = event(Events.ThreadMembersUpdate, (_, removed) => removed.has(ben.id));
    await thread.members.remove(ben.id);
    await went;
    await fails(thread.members.fetch({ member: ben.id, force: true }), 10007);
    same((await thread.members.fetch({ withMember: true })).map((it) => it.guildMember?.id), [world.bot.id], 'who is left');
  },
  'thread notices': async () => {
    const thread = await bench().threads.create({ name: 'Old', type: ChannelType.PrivateThread });
    const notice = (type) => event(Events.MessageCreate, (it) => it.channelId === thread.id && it.type === type);
    const renamed = notice(MessageType.ChannelNameChange);
    await thread.setName('New');
    same((await renamed).content, 'New', 'the new name');
    const added = notice(MessageType.RecipientAdd);
    await thread.members.add(ben.id);
    same([...(await added).mentions.users.keys()], [ben.id], 'who was added');
    const removed = notice(MessageType.RecipientRemove);
    await thread.members.remove(ben.id);
    same([...(await removed).mentions.users.keys()], [ben.id], 'who was taken out');
    await fails((await removed).edit('Nobody left'), 50021, 50005);
  },
  'thread edited': async () => {
    const thread = await bench().threads.create({ name: 'Draft' });
    const seen = event(Events.ThreadUpdate, (_, now) => now.id === thread.id && now.name === 'Final');
    await thread.edit({ name: 'Final', autoArchiveDuration: 4320, rateLimitPerUser: 5 });
    const now = (await seen)[1];
    same([now.autoArchiveDuration, now.rateLimitPerUser], [4320, 5], 'thread');
    await fails(thread.edit({ autoArchiveDuration: 61 }), 50035);
    await fails(thread.setName('x'.repeat(101)), 50035);
  },
  'thread locked': async () => {
    const thread = await bench().threads.create({ name: 'Closed' });
    await say(ben, thread, 'still open');
    await thread.setLocked(true);
    await refused(say(ben, thread, 'locked out'), 403);
    same((await thread.send('the warden may')).content, 'the warden may', 'message');
    await thread.setArchived(true);
    await fails(thread.setName('Archived'), 50083);
    same((await thread.setArchived(false)).archived, false, 'opened again');
  },
  'archived threads listed': async () => {
    const where = bench();
    const open = await where.threads.create({ name: 'Public', type: ChannelType.PublicThread });
    const hidden = await where.threads.create({ name: 'Private', type: ChannelType.PrivateThread });
    for (const thread of [open, hidden]) await thread.setArchived(true);
    const of = async (options) => (await where.threads.fetchArchived(options)).threads.map(({ id }) => id);
    same(await of({ type: 'public' }), [open.id], 'public');
    same(await of({ type: 'private', fetchAll: true }), [hidden.id], 'private');
    same(await of({ type: 'private' }), [hidden.id], 'private that were joined');
    same((await where.threads.fetchArchived({ limit: 2 })).hasMore, false, 'has more');
  },
  'announcement thread': async () => {
    const thread = await place('sale').threads.create({ name: 'Questions' });
    same(thread.type, ChannelType.AnnouncementThread, 'kind');
    same((await thread.send('ask')).channelId, thread.id, 'message');
  },
  'thread refused': async () => {
    await fails(bench().threads.create({ name: '' }), 50035);
    await fails(client.rest.post(`/channels/${place('studio').id}/threads`, { body: { name: 'x', type: 11 } }), 50024);
    await fails(channel('general').messages.fetch({ limit: 1 }).then(() => bench().threads.create({ name: 'x', startMessage: '1' })), 10008);
  },
  'forum post': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'more cups');
    const post = await channel('ideas').threads.create({ name: 'Cups', message: { content: 'more cups' } });
    const first = await seen;
    same([post.parentId, first.id, first.channelId], [tea.channels.ideas, post.id, post.id], 'post');
    same((await post.fetchStarterMessage()).content, 'more cups', 'starter');
  },
  'forum tags': async () => {
    const forum = await workshop().channels.create({
      name: 'requests', type: ChannelType.GuildForum, availableTags: [{ name: 'chair' }, { name: 'table', moderated: true }], defaultSortOrder: 1,
    });
    same(forum.availableTags.map(({ name, moderated }) => [name, moderated]), [['chair', false], ['table', true]], 'tags');
    const tag = forum.availableTags[0].id;
    const post = await forum.threads.create({ name: 'Please', message: { content: 'one more' }, appliedTags: [tag] });
    same(post.appliedTags, [tag], 'applied');
    same((await post.setAppliedTags([forum.availableTags[1].id])).appliedTags, [forum.availableTags[1].id], 'changed');
    const pinned = await post.pin();
    same(pinned.flags.has('Pinned'), true, 'pinned');
    await forum.delete();
  },
  'forum rules': async () => {
    await fails(client.rest.post(`/channels/${place('plans').id}/threads`, { body: { name: 'No message' } }), 50035);
    await fails(client.rest.post(`/channels/${place('plans').id}/messages`, { body: { content: 'x' } }), 50008);
  },
});
