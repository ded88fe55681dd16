// The gateway: presence, voice, intents, shards, compression, cuts, limits.

import { ActivityType, Events, GatewayIntentBits as Intents, RESTEvents, SimpleShardingStrategy } from 'discord.js';

import { ada, advance, ben, channel, client, cut, event, fails, fault, features, Human, humans, person, place, rest, same, say, shop, sleep, tea, visit, workshop, world } from './emulator.mjs';
import { use } from './interactions.mjs';

/** Cuts the gateway, speaks meanwhile, and expects to hear it once. */
async function resumes(how) {
  const content = `said after ${how}`;
  let heard = 0;
  const count = (message) => { heard += message.content === content; };
  client.on(Events.MessageCreate, count);
  const back = event(Events.ShardResume);
  const seen = event(Events.MessageCreate, (message) => message.content === content);
  same(await cut(how), 1, 'connections cut');
  await say(ada, 'general', content);
  await Promise.all([back, seen]);
  client.off(Events.MessageCreate, count);
  same(heard, 1, 'times heard');
}

/** A second client comes, hears a human, and goes. */
async function converses(more, expected) {
  let asked;
  await visit(more, async (second) => {
    const content = `said over ${expected}`;
    const seen = event(Events.MessageCreate, (message) => message.content === content, second);
    await say(ada, 'general', content);
    await seen;
    asked = second.asked;
  });
  return asked;
}

const uncompressed = (manager) => {
  manager.options.compression = null;
  return new SimpleShardingStrategy(manager);
};

Object.assign(features, {
  'presence set': async () => {
    await humans.ben.connect();
    const seen = humans.ben.event('PRESENCE_UPDATE', ({ user, status }) => user.id === world.bot.id && status === 'idle');
    client.user.setPresence({ status: 'idle', activities: [{ name: 'chess', type: ActivityType.Playing }] });
    const { activities } = await seen;
    same(activities.map(({ name, type }) => [name, type]), [['chess', 0]], 'activities');
  },
  'presence from the start': async () => {
    await humans.ben.connect();
    const seen = humans.ben.event('PRESENCE_UPDATE', ({ user, activities }) => user.id === world.bot.id && activities[0]?.name === 'go');
    await visit({ presence: { activities: [{ name: 'go', type: ActivityType.Watching }] } }, async () => {
      const { status, activities } = await seen;
      same([status, activities[0].type], ['online', 3], 'presence');
    });
  },
  'presence seen': async () => {
    const cleo = new Human(person.cleo);
    const came = event(Events.PresenceUpdate, (_, now) => now.userId === cleo.id && now.status === 'dnd');
    await cleo.connect({ status: 'dnd', activities: [], since: 0, afk: false });
    same((await came)[1].guild.id, shop.id, 'guild');
    const went = event(Events.PresenceUpdate, (_, now) => now.userId === cleo.id && now.status === 'offline');
    cleo.disconnect();
    await went;
  },
  'voice state of the bot': async () => {
    const state = event(Events.VoiceStateUpdate, (_, now) => now.id === world.bot.id && now.channelId !== null);
    const server = event(Events.Raw, ({ t }) => t === 'VOICE_SERVER_UPDATE');
    const send = (channel_id) => workshop().shard.send({ op: 4, d: { guild_id: shop.id, channel_id, self_mute: true, self_deaf: false } });
    send(shop.channels.studio);
    const now = (await state)[1];
    same([now.channelId, now.selfMute, typeof now.sessionId], [shop.channels.studio, true, 'string'], 'state');
    const [{ d }] = await server;
    same([d.guild_id, typeof d.token, typeof d.endpoint], [shop.id, 'string', 'string'], 'server');
    const left = event(Events.VoiceStateUpdate, (_, now) => now.id === world.bot.id && now.channelId === null);
    send(null);
    await left;
  },
  'voice state seen': async () => {
    await humans.ben.connect();
    const came = event(Events.VoiceStateUpdate, (_, now) => now.id === ben.id && now.channelId === shop.channels.studio);
    humans.ben.send(4, { guild_id: shop.id, channel_id: shop.channels.studio, self_mute: false, self_deaf: true });
    same((await came)[1].selfDeaf, true, 'deaf');
    same(place('studio').members.has(ben.id), true, 'among the members of the channel');
    const muted = event(Events.VoiceStateUpdate, (_, now) => now.id === ben.id && now.serverMute);
    await workshop().members.cache.get(ben.id).voice.setMute(true);
    await muted;
    const left = event(Events.VoiceStateUpdate, (_, now) => now.id === ben.id && now.channelId === null);
    await workshop().members.cache.get(ben.id).voice.disconnect();
    await left;
    await fails(client.rest.patch(`/guilds/${shop.id}/members/${ben.id}`, { body: { mute: false } }), 40032);
  },
  'content hidden without its intent': () => visit({ intents: [Intents.Guilds, Intents.GuildMessages, Intents.DirectMessages] }, async (second) => {
    const next = () => event(Events.MessageCreate, ({ author }) => author.id === ada.id, second);
    let seen = next();
    await say(ada, 'general', 'not for you');
    same((await seen).content, '', 'of a message');
    seen = next();
    await say(ada, 'general', `for you, <@${world.bot.id}>`);
    same((await seen).content, `for you, <@${world.bot.id}>`, 'of a mention');
    const own = event(Events.MessageCreate, ({ author }) => author.id === world.bot.id, second);
    await channel('general').send('my own');
    same((await own).content, 'my own', 'of an own message');
  }),
  'events only as intended': () => visit({ intents: [Intents.Guilds] }, async (second) => {
    let heard = 0;
    second.on(Events.Raw, ({ t }) => { heard += t === 'MESSAGE_CREATE' || t === 'TYPING_START'; });
    await say(ada, 'general', 'unheard');
    const seen = event(Events.ChannelCreate, ({ name }) => name === 'heard', second);
    const made = await workshop().channels.create({ name: 'heard' });
    await seen;
    await made.delete();
    same(heard, 0, 'messages heard');
  }),
  'sharding': () => visit({ shardCount: 2 }, async (second) => {
    const shardOf = (id) => Number((BigInt(id) >> 22n) % 2n);
    while (second.ws.shards.size < 2 || second.guilds.cache.size < 3) await sleep(20);
    same([tea.id, shop.id].map((id) => second.guilds.cache.get(id)?.shardId), [tea.id, shop.id].map(shardOf), 'shards of the guilds');
    const heard = [];
    second.on(Events.Raw, (packet, shard) => { if (packet.t === 'MESSAGE_CREATE') heard.push(shard); });
    const seen = event(Events.MessageCreate, ({ content }) => content === 'to shard zero', second);
    const dm = await rest(ada.token, 'POST', '/users/@me/channels', { recipient_id: world.bot.id });
    await say(ada, dm.id, 'to shard zero');
    await seen;
    same(heard, [0], 'shards that heard it');
  }),
  'resume after an abrupt cut': () => resumes('abrupt'),
  'resume after a close with 4000': () => resumes(4000),
  'resume after a request to reconnect': () => resumes('reconnect'),
  'new session after INVALID_SESSION': async () => {
    const again = event(Events.ShardReady);
    await fault({ refuse_resumes: 1 });
    same(await cut('abrupt'), 1, 'connections cut');
    await again;
    const seen = event(Events.MessageCreate, (message) => message.content === 'welcome back');
    await say(ada, 'general', 'welcome back');
    await seen;
  },
  'rate limit kept': async () => {
    let refused = 0;
    const watch = (_, response) => { refused += response.status === 429; };
    client.rest.on(RESTEvents.Response, watch);
    const contents = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const sent = await Promise.all(contents.map((content) => channel('random').send(content)));
    client.rest.off(RESTEvents.Response, watch);
    same(sent.map((message) => message.content), contents, 'messages');
    same(refused, 0, '429s');
  },
  '429 waited out': async () => {
    const path = `/channels/${tea.channels.code}/messages`;
    for (;;) {
      // Another process spends what the library thinks it has.
      const spent = await rest(`Bot ${world.bot.token}`, 'POST', path, { content: 'x' }).catch(() => null);
      if (spent === null) break;
    }
    let refused = 0;
    const watch = (_, response) => { refused += response.status === 429; };
    client.rest.on(RESTEvents.Response, watch);
    const sent = await channel('code').send('patience');
    client.rest.off(RESTEvents.Response, watch);
    same([sent.content, refused > 0], ['patience', true], 'message after a 429');
  },
  'compression: zlib-stream': async () => same(await converses({}, 'zlib-stream'), 'zlib-stream', 'compression'),
  'compression: none': async () => same(await converses({ ws: { buildStrategy: uncompressed } }, 'none'), 'none', 'compression'),
  'interaction token expired': async () => {
    const interaction = await use('say', []);
    await interaction.reply('for a while');
    await advance(14);
    same((await interaction.editReply('still')).content, 'still', 'within fifteen minutes');
    await advance(2);
    await fails(interaction.editReply('too late'), 50027);
    await fails(interaction.followUp('too late'), 50027);
  },
  'logout': async () => {
    for (const human of Object.values(humans)) human.disconnect();
    await client.destroy();
    while (await cut('abrupt') > 0) await sleep(50);
  },
});
