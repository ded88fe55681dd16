// Reactions, and the emoji and stickers of a guild.

import { Events } from 'discord.js';

import { ada, bench, ben, channel, client, event, fails, features, picture, rest, same, say, shop, sleep, tea, teaHouse, workshop, world } from './emulator.mjs';

/** A human's reaction, as soon as the limit for them lets it through. */
async function react(who, message, emoji, method = 'PUT') {
  const path = `/channels/${message.channelId}/messages/${message.id}/reactions/${encodeURIComponent(emoji)}/@me`;
  for (;;) {
    const error = await rest(who.token, method, path).then(() => null, (error) => error);
    if (error === null) return;
    if (error.status !== 429) throw error;
    await sleep(250);
  }
}

Object.assign(features, {
  'reaction added and removed': async () => {
    const { id } = await say(ada, 'general', 'react to this');
    const message = await channel('general').messages.fetch(id);
    const added = event(Events.MessageReactionAdd, (_, user) => user.id === client.user.id);
    const reaction = await message.react('👍');
    await added;
    same((await message.fetch(true)).reactions.cache.get('👍')?.me, true, 'own reaction');
    same((await reaction.users.fetch()).map((user) => user.id), [client.user.id], 'users');
    const removed = event(Events.MessageReactionRemove, (_, user) => user.id === client.user.id);
    await reaction.users.remove();
    await removed;
    same((await reaction.users.fetch()).size, 0, 'users left');
  },
  'reaction seen': async () => {
    const { id } = await say(ada, 'general', 'watch this');
    const message = { id, channelId: tea.channels.general };
    const added = event(Events.MessageReactionAdd, (_, user) => user.id === ben.id);
    await react(ben, message, '🍵');
    same((await added)[0].emoji.name, '🍵', 'emoji');
    const removed = event(Events.MessageReactionRemove, (_, user) => user.id === ben.id);
    await react(ben, message, '🍵', 'DELETE');
    same((await removed)[0].emoji.name, '🍵', 'emoji');
  },
  "reaction of another removed": async () => {
    const message = await bench().send('look');
    await react(ben, message, '🔨');
    const removed = event(Events.MessageReactionRemove, (_, user) => user.id === ben.id);
    await (await message.fetch(true)).reactions.cache.get('🔨').users.remove(ben.id);
    await removed;
    const inTea = await channel('random').send('look');
    await react(ben, inTea, '🔨');
    await fails((await inTea.fetch(true)).reactions.cache.get('🔨').users.remove(ben.id), 50013);
  },
  'reactions cleared': async () => {
    const message = await bench().send('look');
    for (const emoji of ['🔨', '🪚']) await react(ben, message, emoji);
    const one = event(Events.MessageReactionRemoveEmoji, (reaction) => reaction.message.id === message.id);
    await (await message.fetch(true)).reactions.cache.get('🔨').remove();
    same((await one).emoji.name, '🔨', 'emoji');
    const all = event(Events.MessageReactionRemoveAll, ({ id }) => id === message.id);
    await message.reactions.removeAll();
    await all;
    same((await message.fetch(true)).reactions.cache.size, 0, 'reactions left');
  },
  'unknown emoji refused': async () => {
    const message = await bench().send('look');
    await fails(message.react('nothing:1'), 10014);
  },
  'guild emoji': async () => {
    const guild = teaHouse();
    const emoji = guild.emojis.cache.find(({ name }) => name === 'tea');
    same(emoji.id, tea.emojis.tea, 'emoji');
    const sent = await channel('general').send(`${emoji}`);
    await sent.react(emoji);
    const [reaction] = (await sent.fetch(true)).reactions.cache.values();
    same([reaction.emoji.id, reaction.emoji.name, reaction.me], [emoji.id, 'tea', true], 'reaction');
    same((await fetch(new URL(`/cdn/emojis/${emoji.id}.png`, world.api_url))).status, 200, 'picture');
    same((await guild.emojis.fetch()).size, 2, 'emoji fetched');
  },
  'emoji made, changed and deleted': async () => {
    const created = event(Events.GuildEmojiCreate, ({ name }) => name === 'saw');
    const emoji = await workshop().emojis.create({ attachment: picture(), name: 'saw', reason: 'for sawing' });
    same([(await created).id, emoji.name, emoji.animated, emoji.available], [emoji.id, 'saw', false, true], 'emoji');
    same((await emoji.fetchAuthor()).id, client.user.id, 'author');
    const changed = event(Events.GuildEmojiUpdate, (_, now) => now.id === emoji.id);
    await emoji.edit({ name: 'handsaw' });
    same((await changed)[1].name, 'handsaw', 'name');
    const deleted = event(Events.GuildEmojiDelete, ({ id }) => id === emoji.id);
    await emoji.delete();
    await deleted;
    await fails(workshop().emojis.fetch(emoji.id, { force: true }), 10014);
  },
  'emoji limits': async () => {
    await fails(workshop().emojis.create({ attachment: picture(), name: 'x' }), 50035);
    await fails(workshop().emojis.create({ attachment: picture(257 * 1024), name: 'large' }), 50035, 50045, 50138);
    await fails(workshop().emojis.create({ attachment: Buffer.from('no picture'), name: 'text' }), 50035, 50046);
    await fails(teaHouse().emojis.create({ attachment: picture(), name: 'saw' }), 50013);
  },
  'sticker made, changed and deleted': async () => {
    const created = event(Events.GuildStickerCreate, ({ name }) => name === 'Glue');
    const file = { attachment: picture(), name: 'glue.png' };
    const sticker = await workshop().stickers.create({ file, name: 'Glue', tags: 'glue', description: 'Sticks' });
    same([(await created).id, sticker.description, sticker.tags, sticker.format], [sticker.id, 'Sticks', 'glue', 1], 'sticker');
    same((await workshop().stickers.fetch(sticker.id, { force: true })).name, 'Glue', 'fetched');
    const changed = event(Events.GuildStickerUpdate, (_, now) => now.id === sticker.id);
    await sticker.edit({ name: 'Wood glue' });
    same((await changed)[1].name, 'Wood glue', 'name');
    const deleted = event(Events.GuildStickerDelete, ({ id }) => id === sticker.id);
    await sticker.delete();
    await deleted;
    await fails(workshop().stickers.fetch(sticker.id, { force: true }), 10060);
  },
  'sticker limits': async () => {
    const file = { attachment: picture(), name: 'glue.png' };
    await fails(workshop().stickers.create({ file, name: 'x', tags: 'glue', description: '' }), 50035);
    await fails(teaHouse().stickers.create({ file, name: 'Glue', tags: 'glue', description: '' }), 50013);
    same((await client.fetchSticker(shop.stickers.Done)).name, 'Done', 'sticker by its id');
    await fails(client.fetchSticker('1'), 10060);
  },
  'reaction limit': async () => {
    const message = await bench().send('look');
    const emoji = [...'😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓'];
    for (const it of emoji) await react(ada, message, it);
    await fails(message.react('😔'), 30010);
    await message.react('😀');
  },
});
