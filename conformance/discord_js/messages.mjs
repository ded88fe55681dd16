// Messages that are said, changed, deleted, and found again.

import { Events, MessageFlags, SnowflakeUtil } from 'discord.js';

import { ada, bench, ben, channel, client, event, fails, features, place, rest, same, say, tea, world } from './emulator.mjs';

const DAY = 24 * 60 * 60 * 1000;

Object.assign(features, {
  'message seen': async () => {
    const seen = event(Events.MessageCreate, (message) => message.author.id === ada.id);
    await say(ada, 'general', `Hello <@${world.bot.id}>`);
    const message = await seen;
    same(message.mentions.has(client.user), true, 'mentions the bot');
    same([message.author.displayName, message.author.bot], ['Ada', false], 'author');
    same(message.member.roles.highest.name, 'Keeper', 'role');
    same([message.channel.name, message.guild.name], ['general', 'Tea House'], 'place');
  },
  'message sent': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'sent');
    const sent = await channel('general').send('sent');
    same([sent.author.id, (await seen).id], [client.user.id, sent.id], 'message');
  },
  'reply': async () => {
    const asked = await say(ben, 'general', 'a question');
    const question = await channel('general').messages.fetch(asked.id);
    const answer = await question.reply('an answer');
    same(answer.reference.messageId, asked.id, 'reference');
    same((await answer.fetchReference()).content, 'a question', 'referenced message');
    same(answer.mentions.repliedUser.id, ben.id, 'replied user');
  },
  'reply without a ping': async () => {
    const where = bench();
    const { id } = await say(ben, where, 'do not ping me');
    const question = await where.messages.fetch(id);
    const answer = await question.reply({ content: 'I will not', allowedMentions: { repliedUser: false } });
    same([answer.reference.messageId, answer.mentions.users.size], [id, 0], 'reply');
  },
  'reply to a missing message': async () => {
    const where = bench();
    const gone = SnowflakeUtil.generate().toString();
    await fails(where.send({ content: 'x', reply: { messageReference: gone } }), 50035);
    const sent = await where.send({ content: 'nobody', reply: { messageReference: gone, failIfNotExists: false } });
    same([sent.content, sent.type], ['nobody', 0], 'message');
  },
  'edit': async () => {
    const sent = await channel('random').send('before');
    const seen = event(Events.MessageUpdate, (_, now) => now.id === sent.id);
    const edited = await sent.edit('after');
    same([edited.content, edited.editedAt !== null], ['after', true], 'edited');
    same((await seen)[1].content, 'after', 'event');
  },
  'edit seen': async () => {
    const said = await say(ada, 'random', 'tpyo');
    const seen = event(Events.MessageUpdate, (_, now) => now.id === said.id);
    await rest(ada.token, 'PATCH', `/channels/${tea.channels.random}/messages/${said.id}`, { content: 'typo' });
    same((await seen)[1].content, 'typo', 'event');
  },
  "edit of another's message refused": async () => {
    const where = bench();
    const { id } = await say(ada, where, 'mine');
    await fails(where.messages.edit(id, 'yours'), 50005);
    same((await where.messages.fetch({ message: id, force: true })).content, 'mine', 'content');
  },
  'delete': async () => {
    const sent = await channel('random').send('short lived');
    const seen = event(Events.MessageDelete, (gone) => gone.id === sent.id);
    await sent.delete();
    await seen;
    await fails(channel('random').messages.fetch({ message: sent.id, force: true }), 10008);
  },
  'delete seen': async () => {
    const said = await say(ada, 'random', 'never mind');
    const seen = event(Events.MessageDelete, (gone) => gone.id === said.id);
    await rest(ada.token, 'DELETE', `/channels/${tea.channels.random}/messages/${said.id}`);
    await seen;
  },
  "delete of another's message": async () => {
    const where = bench();
    const { id } = await say(ben, where, 'rude');
    const seen = event(Events.MessageDelete, (gone) => gone.id === id);
    await where.messages.delete(id);
    await seen;
    await fails(where.messages.delete(id), 10008);
  },
  'history': async () => {
    const said = [];
    for (const content of ['1', '2', '3', '4', '5']) said.push(await say(ada, 'code', content));
    const read = async (options) => {
      const page = await channel('code').messages.fetch(options);
      return page.map((message) => message.content).join();
    };
    same(await read({ limit: 2 }), '5,4', 'limit');
    same(await read({ before: said[2].id, limit: 2 }), '2,1', 'before');
    same(await read({ after: said[2].id, limit: 2 }), '5,4', 'after');
    same(await read({ around: said[2].id, limit: 3 }), '4,3,2', 'around');
    await fails(channel('code').messages.fetch({ limit: 101 }), 50035);
  },
  'bulk delete': async () => {
    const where = bench();
    const ids = [(await say(ada, where, 'a')).id, (await where.send('b')).id];
    const seen = event(Events.MessageBulkDelete, (gone) => gone.hasAll(...ids));
    const deleted = await where.bulkDelete(ids);
    same([deleted.size, (await seen)[0].size], [2, 2], 'deleted');
    await fails(where.messages.fetch({ message: ids[0], force: true }), 10008);
  },
  'bulk delete limits': async () => {
    const where = bench();
    const fresh = (await where.send('fresh')).id;
    const old = SnowflakeUtil.generate({ timestamp: Date.now() - 15 * DAY }).toString();
    const path = `/channels/${where.id}/messages/bulk-delete`;
    await fails(client.rest.post(path, { body: { messages: [fresh, old] } }), 50034);
    await fails(client.rest.post(path, { body: { messages: [fresh] } }), 50016, 50035);
    const many = Array.from({ length: 101 }, () => SnowflakeUtil.generate().toString());
    await fails(client.rest.post(path, { body: { messages: many } }), 50016, 50035);
    same((await where.messages.fetch({ message: fresh, force: true })).content, 'fresh', 'what was not deleted');
  },
  'bulk delete refused': async () => {
    const ids = [(await channel('random').send('one')).id, (await channel('random').send('two')).id];
    await fails(channel('random').bulkDelete(ids), 50013);
  },
  'forward': async () => {
    const said = await say(ada, 'general', 'pass it on');
    const message = await channel('general').messages.fetch(said.id);
    const sent = await message.forward(channel('random'));
    same([sent.reference.type, sent.reference.messageId], [1, said.id], 'reference');
    same(sent.messageSnapshots.first().content, 'pass it on', 'snapshot');
  },
  'flags': async () => {
    const silent = await bench().send({ content: 'hush', flags: MessageFlags.SuppressNotifications });
    same(silent.flags.has(MessageFlags.SuppressNotifications), true, 'silent');
    const plain = await bench().send({ content: 'https://example.com', flags: MessageFlags.SuppressEmbeds });
    same(plain.flags.has(MessageFlags.SuppressEmbeds), true, 'without embeds');
    const bare = await (await bench().send({ embeds: [{ title: 'T' }] })).suppressEmbeds(true);
    same([bare.flags.has(MessageFlags.SuppressEmbeds), bare.embeds.length], [true, 0], 'embeds taken away');
  },
  'crosspost': async () => {
    const sent = await place('sale').send('Chairs, half the price');
    await sent.crosspost();
    same((await sent.fetch(true)).flags.has(MessageFlags.Crossposted), true, 'flag');
    await fails(sent.crosspost(), 40033);
    const elsewhere = await bench().send('not for all');
    await fails(client.rest.post(`/channels/${elsewhere.channelId}/messages/${elsewhere.id}/crosspost`), 50024);
  },
  'pins': async () => {
    const where = bench();
    const sent = await where.send('keep this');
    const updated = event(Events.ChannelPinsUpdate, ({ id }) => id === where.id);
    const told = event(Events.MessageCreate, (message) => message.type === 6 && message.channelId === where.id);
    await sent.pin();
    await updated;
    same((await told).reference.messageId, sent.id, 'what the channel is told');
    same((await sent.fetch(true)).pinned, true, 'pinned');
    const { items, hasMore } = await where.messages.fetchPins();
    same([items.map(({ message }) => message.id), hasMore], [[sent.id], false], 'pins');
    const again = event(Events.ChannelPinsUpdate, ({ id }) => id === where.id);
    await sent.unpin();
    await again;
    same((await where.messages.fetchPins()).items.length, 0, 'pins left');
  },
  'pin refused': async () => {
    const sent = await channel('random').send('not for ever');
    await fails(sent.pin(), 50013);
  },
  'typing sent': async () => {
    const seen = event(Events.TypingStart, (typing) => typing.user.id === client.user.id);
    await channel('general').sendTyping();
    same((await seen).channel.name, 'general', 'channel');
  },
  'typing seen': async () => {
    const seen = event(Events.TypingStart, (typing) => typing.user.id === ben.id);
    await rest(ben.token, 'POST', `/channels/${tea.channels.general}/typing`);
    const typing = await seen;
    same([typing.channel.name, typing.member.displayName], ['general', 'Ben'], 'typing');
  },
  'DM sent': async () => {
    const sent = await (await client.users.fetch(ada.id)).send('a private word');
    same([sent.inGuild(), sent.channel.recipientId], [false, ada.id], 'place');
    const read = await rest(ada.token, 'GET', `/channels/${sent.channelId}/messages?limit=1`);
    same(read[0].content, 'a private word', 'as read by the human');
  },
  'DM seen': async () => {
    const opened = await rest(ben.token, 'POST', '/users/@me/channels', { recipient_id: world.bot.id });
    const seen = event(Events.MessageCreate, (message) => message.author.id === ben.id);
    await say(ben, opened.id, 'a secret');
    const message = await seen;
    same([message.content, message.channel.isDMBased()], ['a secret', true], 'message');
    same((await message.reply('heard')).reference.messageId, message.id, 'reply');
  },
  'nonce enforced': async () => {
    const once = { content: 'once', nonce: 'the-nonce', enforceNonce: true };
    const first = await channel('random').send(once);
    same((await channel('random').send(once)).id, first.id, 'second message');
  },
  'allowed mentions': async () => {
    const content = `<@${ada.id}> and <@${ben.id}>`;
    const some = await channel('code').send({ content, allowedMentions: { users: [ben.id] } });
    same([...some.mentions.users.keys()], [ben.id], 'mentions of one');
    const none = await channel('code').send({ content, allowedMentions: { parse: [] } });
    same(none.mentions.users.size, 0, 'mentions of none');
    await fails(channel('code').send({ content, allowedMentions: { parse: ['users'], users: [ben.id] } }), 50035);
  },
  'everyone mentioned': async () => {
    const may = await bench().send('@everyone, look');
    same(may.mentions.everyone, true, 'where it may');
    const mayNot = await channel('random').send('@everyone, look');
    same(mayNot.mentions.everyone, false, 'where it may not');
  },
  'own role mentioned': async () => {
    const role = client.guilds.cache.get(tea.id).members.me.roles.botRole;
    same([role?.name, role?.managed, role?.tags.botId], ['Kaiwa', true, world.bot.id], 'role');
    const seen = event(Events.MessageCreate, (message) => message.content.includes('is a role'));
    await say(ben, 'general', `<@&${role.id}> is a role`);
    const message = await seen;
    same([message.mentions.roles.has(role.id), message.mentions.users.size], [true, 0], 'mentions');
  },
  'text in voice': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'in the lounge');
    await say(ben, 'lounge', 'in the lounge');
    same([(await seen).channel.isVoiceBased(), channel('news').type], [true, 5], 'kinds');
  },
  'error 50001 Missing Access': async () => {
    await fails(client.channels.fetch(tea.channels.staff, { force: true }), 50001);
  },
  'error 50013 Missing Permissions': async () => {
    const { id } = await say(ada, 'general', 'mine');
    await fails(channel('general').messages.delete(id), 50013);
  },
  'error 10008 Unknown Message': async () => {
    await fails(channel('general').messages.fetch('1'), 10008);
  },
  'error 50035 Invalid Form Body': async () => {
    await fails(channel('code').send('x'.repeat(2001)), 50035);
  },
  'error 50006 empty message': async () => {
    await fails(client.rest.post(`/channels/${bench().id}/messages`, { body: { content: '' } }), 50006);
  },
});
