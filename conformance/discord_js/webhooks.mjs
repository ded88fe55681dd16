// Webhooks, and what is said through them.

import { ChannelType, Events, WebhookClient } from 'discord.js';

import { bench, client, event, fails, features, picture, place, rest, same, teaHouse, channel, workshop, world, shop } from './emulator.mjs';

const hooks = () => place('hooks');
let hook;
const alone = () => new WebhookClient({ id: hook.id, token: hook.token }, { rest: { api: world.api_url.replace(/\/v10$/, '') } });

Object.assign(features, {
  'webhook made': async () => {
    const seen = event(Events.WebhooksUpdate, ({ id }) => id === hooks().id);
    hook = await hooks().createWebhook({ name: 'Parrot', avatar: picture(), reason: 'it talks' });
    await seen;
    same([hook.name, hook.type, hook.channelId, hook.guildId, hook.applicationId, hook.owner.id],
      ['Parrot', 1, hooks().id, shop.id, world.bot.application_id, world.bot.id], 'webhook');
    same([typeof hook.token, typeof hook.avatar], ['string', 'string'], 'token and picture');
  },
  'webhook name rules': async () => {
    for (const name of ['clyde', 'My Clyde', 'discord', '', 'x'.repeat(81)]) await fails(hooks().createWebhook({ name }), 50035);
  },
  'webhook refused': async () => {
    await fails(channel('random').createWebhook({ name: 'x' }), 50013);
    await fails(channel('random').fetchWebhooks(), 50013);
  },
  'webhook executed': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'polly');
    const sent = await hook.send({ content: 'polly', username: 'Polly', avatarURL: 'https://example.com/polly.png' });
    const message = await seen;
    same([message.id, message.webhookId, message.author.username, message.author.bot, message.author.discriminator], [sent.id, hook.id, 'Polly', true, '0000'], 'message');
    same([message.member, message.applicationId], [null, world.bot.application_id], 'member and application');
  },
  'webhook without waiting': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'no answer');
    const path = `/webhooks/${hook.id}/${hook.token}`;
    same(await rest(null, 'POST', path, { content: 'no answer' }), null, 'answer');
    same((await seen).author.username, 'Parrot', 'author');
  },
  'webhook with its token alone': async () => {
    const fetched = await client.rest.get(`/webhooks/${hook.id}/${hook.token}`, { auth: false });
    same([fetched.id, fetched.user], [hook.id, undefined], 'webhook without its user');
    const sent = await alone().send('by token');
    same(sent.content, 'by token', 'message');
    await fails(new WebhookClient({ id: hook.id, token: 'wrong' }, { rest: { api: world.api_url.replace(/\/v10$/, '') } }).send('x'), 50027);
  },
  'webhook with files and embeds': async () => {
    const files = [{ attachment: Buffer.from('some text'), name: 'note.txt' }];
    const sent = await hook.send({ files, embeds: Array.from({ length: 10 }, (_, n) => ({ title: `${n}` })) });
    same([sent.embeds.length, sent.attachments.first().name], [10, 'note.txt'], 'message');
    await fails(hook.send({ content: 'x'.repeat(2001) }), 50035);
    await fails(client.rest.post(`/webhooks/${hook.id}/${hook.token}`, { auth: false, body: { content: 'x', username: 'x'.repeat(81) } }), 50035);
    await fails(client.rest.post(`/webhooks/${hook.id}/${hook.token}`, { auth: false, body: {} }), 50006);
  },
  'webhook message edited and deleted': async () => {
    const sent = await hook.send({ content: 'before', username: 'Polly' });
    const seen = event(Events.MessageUpdate, (_, now) => now.id === sent.id);
    const edited = await hook.editMessage(sent.id, 'after');
    same([edited.content, (await seen)[1].content, edited.author.username], ['after', 'after', 'Polly'], 'edited');
    same((await hook.fetchMessage(sent.id)).content, 'after', 'fetched');
    const gone = event(Events.MessageDelete, ({ id }) => id === sent.id);
    await hook.deleteMessage(sent.id);
    await gone;
    await fails(hook.fetchMessage(sent.id), 10008);
    const own = await hooks().send('not of the webhook');
    await fails(hook.editMessage(own.id, 'x'), 10008, 50005);
  },
  'webhook in a thread': async () => {
    const thread = await hooks().threads.create({ name: 'Cage' });
    const sent = await hook.send({ content: 'inside', threadId: thread.id });
    const channelId = sent.channel_id ?? sent.channelId;
    same([channelId, (await hook.editMessage(sent.id, { content: 'still', threadId: thread.id })).content], [thread.id, 'still'], 'message');
    await hook.deleteMessage(sent.id, thread.id);
    const other = await bench().threads.create({ name: 'Elsewhere' });
    await fails(hook.send({ content: 'x', threadId: other.id }), 10003);
  },
  'webhook makes a forum post': async () => {
    const made = await place('plans').createWebhook({ name: 'Planner' });
    const created = event(Events.ThreadCreate, ({ name }) => name === 'A plan');
    const sent = await made.send({ content: 'the plan', threadName: 'A plan' });
    same([(await created)[0].id, sent.channel_id ?? sent.channelId], [sent.id, sent.id], 'post');
    await fails(client.rest.post(`/webhooks/${made.id}/${made.token}`, { auth: false, body: { content: 'x' } }), 220001);
    await fails(hook.send({ content: 'x', threadName: 'no forum' }), 220003);
    await made.delete();
  },
  'webhook with components': async () => {
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }];
    same((await hook.send({ content: 'press', components })).components[0].components[0].customId, 'go', 'button');
  },
  'webhook changed and moved': async () => {
    const seen = event(Events.WebhooksUpdate);
    const target = bench();
    const edited = await hook.edit({ name: 'Macaw', channel: target.id });
    await seen;
    same([edited.name, edited.channelId], ['Macaw', target.id], 'webhook');
    const sent = await hook.send('moved');
    same([sent.channelId ?? sent.channel_id, sent.author.username], [target.id, 'Macaw'], 'message');
    await hook.edit({ channel: hooks().id });
  },
  'webhooks listed': async () => {
    const ofChannel = await hooks().fetchWebhooks();
    const ofGuild = await workshop().fetchWebhooks();
    same([ofChannel.has(hook.id), ofGuild.has(hook.id), (await client.fetchWebhook(hook.id)).name], [true, true, 'Macaw'], 'listed');
    await fails(teaHouse().fetchWebhooks(), 50013);
  },
  'webhook limit': async () => {
    const full = await workshop().channels.create({ name: 'aviary', type: ChannelType.GuildText });
    for (let n = 0; n < 15; n++) await full.createWebhook({ name: `Bird ${n}` });
    await fails(full.createWebhook({ name: 'One too many' }), 30007);
    await full.delete();
  },
  'webhook deleted': async () => {
    await hook.delete('it is tired');
    await fails(client.fetchWebhook(hook.id), 10015);
    await fails(alone().send('x'), 10015);
  },
});
