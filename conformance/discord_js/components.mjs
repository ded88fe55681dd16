// Components, as they are sent; interactions.mjs has them used.

import {
  ActionRowBuilder, AttachmentBuilder, ButtonBuilder, ButtonStyle, ChannelSelectMenuBuilder, ContainerBuilder, FileBuilder,
  MediaGalleryBuilder, MessageFlags, SectionBuilder, SeparatorBuilder, StringSelectMenuBuilder, TextDisplayBuilder, ThumbnailBuilder,
} from 'discord.js';

import { bench, client, fails, features, same } from './emulator.mjs';

const row = (...components) => new ActionRowBuilder().addComponents(...components);
const button = (id, label = id) => new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(ButtonStyle.Primary);
const text = (content) => new TextDisplayBuilder().setContent(content);
const V2 = MessageFlags.IsComponentsV2;

const send = (body) => client.rest.post(`/channels/${bench().id}/messages`, { body });
const rawButton = (custom_id, more) => ({ type: 2, style: 1, label: 'x', custom_id, ...more });
const rawRow = (...components) => ({ type: 1, components });

Object.assign(features, {
  'components sent': async () => {
    const select = new StringSelectMenuBuilder().setCustomId('wood').setPlaceholder('wood').setMinValues(1).setMaxValues(2)
      .addOptions({ label: 'Oak', value: 'oak', description: 'hard', default: true }, { label: 'Ash', value: 'ash', emoji: '🪵' });
    const link = new ButtonBuilder().setURL('https://example.com').setLabel('more').setStyle(ButtonStyle.Link);
    const where = new ChannelSelectMenuBuilder().setCustomId('where').setChannelTypes(0, 5);
    const components = [row(button('go', 'Go'), link, button('no').setDisabled(true)), row(select), row(where)];
    const sent = await (await bench().send({ content: 'choose', components })).fetch(true);
    const [buttons, selects, channels] = sent.components.map((it) => it.components);
    same(buttons.map((it) => [it.customId, it.label, it.style, it.url, it.disabled]),
      [['go', 'Go', 1, null, false], [null, 'more', 5, 'https://example.com', false], ['no', 'no', 1, null, true]], 'buttons');
    same([selects[0].customId, selects[0].placeholder, selects[0].minValues, selects[0].maxValues], ['wood', 'wood', 1, 2], 'select');
    same(selects[0].options.map((it) => [it.value, it.default ?? false]), [['oak', true], ['ash', false]], 'options');
    same([channels[0].type, channels[0].channelTypes], [8, [0, 5]], 'channel select');
  },
  'components edited away': async () => {
    const sent = await bench().send({ content: 'choose', components: [row(button('go'))] });
    same((await sent.edit({ components: [] })).components, [], 'components');
  },
  'component limits': async () => {
    const content = 'x';
    await fails(send({ content, components: Array.from({ length: 6 }, (_, n) => rawRow(rawButton(`${n}`))) }), 50035);
    await fails(send({ content, components: [rawRow(...Array.from({ length: 6 }, (_, n) => rawButton(`${n}`)))] }), 50035);
    await fails(send({ content, components: [rawRow(rawButton('twice'), rawButton('twice'))] }), 50035);
    await fails(send({ content, components: [rawRow(rawButton('x'.repeat(101)))] }), 50035);
    await fails(send({ content, components: [rawRow(rawButton('a', { label: 'x'.repeat(81) }))] }), 50035);
    const options = Array.from({ length: 26 }, (_, n) => ({ label: `${n}`, value: `${n}` }));
    await fails(send({ content, components: [rawRow({ type: 3, custom_id: 's', options })] }), 50035);
    await fails(send({ content, components: [rawRow({ type: 2, style: 5, label: 'no address' })] }), 50035);
  },
  'components v2 sent': async () => {
    const section = new SectionBuilder().addTextDisplayComponents(text('beside a picture'))
      .setThumbnailAccessory(new ThumbnailBuilder().setURL('https://example.com/a.png').setDescription('A'));
    const box = new ContainerBuilder().setAccentColor(0x123456).addTextDisplayComponents(text('# Title'))
      .addSeparatorComponents(new SeparatorBuilder().setDivider(true).setSpacing(2)).addSectionComponents(section)
      .addActionRowComponents(row(button('go')));
    const gallery = new MediaGalleryBuilder().addItems({ media: { url: 'https://example.com/b.png' }, description: 'B', spoiler: true });
    const attached = new FileBuilder().setURL('attachment://note.txt');
    const files = [new AttachmentBuilder(Buffer.from('some text'), { name: 'note.txt' })];
    const sent = await (await bench().send({ flags: V2, components: [text('hello'), box, gallery, attached], files })).fetch(true);
    same([sent.flags.has(V2), sent.content], [true, ''], 'message');
    same(sent.components.map(({ type }) => type), [10, 17, 12, 13], 'kinds');
    const [hello, stored, pictures, note] = sent.components;
    same([hello.content, stored.accentColor ?? stored.data.accent_color], ['hello', 0x123456], 'text and colour');
    same(stored.components.map(({ type }) => type), [10, 14, 9, 1], 'kinds in the container');
    same(stored.components[2].accessory.media.url, 'https://example.com/a.png', 'thumbnail');
    same([pictures.items[0].description, pictures.items[0].spoiler], ['B', true], 'gallery');
    same([await (await fetch(note.file.url)).text(), note.data.name, note.data.size], ['some text', 'note.txt', 9], 'file');
    same(typeof hello.id, 'number', 'id of a component');
  },
  'components v2 rules': async () => {
    const hello = { type: 10, content: 'hello' };
    await fails(send({ flags: V2, content: 'x', components: [hello] }), 50035);
    await fails(send({ flags: V2, embeds: [{ title: 'x' }], components: [hello] }), 50035);
    await fails(send({ content: 'x', components: [hello] }), 50035);
    await fails(send({ flags: V2, components: Array.from({ length: 41 }, () => hello) }), 50035);
    await fails(send({ flags: V2, components: [{ type: 10, content: 'x'.repeat(4001) }] }), 50035);
    await fails(send({ flags: V2, components: [{ type: 9, components: [hello] }] }), 50035);
  },
  'components v2 edited': async () => {
    const sent = await bench().send({ flags: V2, components: [text('before')] });
    const edited = await sent.edit({ flags: V2, components: [text('after')] });
    same(edited.components[0].content, 'after', 'text');
    await fails(client.rest.patch(`/channels/${sent.channelId}/messages/${sent.id}`, { body: { content: 'plain' } }), 50035);
  },
});
