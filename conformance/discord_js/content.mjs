// What messages carry: embeds, files, stickers, polls.

import { AttachmentBuilder, EmbedBuilder, Events } from 'discord.js';

import { ada, bench, ben, channel, client, event, fails, features, picture, rest, same, shop, tea } from './emulator.mjs';

const file = (text, name) => new AttachmentBuilder(Buffer.from(text), { name });
const poll = (answers) => ({
  question: { text: 'Which wood?' }, answers: answers.map((text) => ({ text })), duration: 24, allowMultiselect: false,
});

Object.assign(features, {
  'embed sent': async () => {
    const sent = await channel('general').send({ embeds: [{ title: 'T', description: 'D' }] });
    same([sent.embeds[0].title, sent.embeds[0].description], ['T', 'D'], 'embed');
  },
  'embed in full': async () => {
    const made = new EmbedBuilder()
      .setTitle('Chair').setDescription('Of oak').setURL('https://example.com/chair').setColor(0x123456)
      .setTimestamp(new Date('2026-01-02T03:04:05Z')).setFooter({ text: 'foot' }).setAuthor({ name: 'Ada', url: 'https://example.com' })
      .setImage('https://example.com/a.png').setThumbnail('https://example.com/b.png')
      .addFields({ name: 'legs', value: '4', inline: true }, { name: 'arms', value: '0' });
    const [embed] = (await (await bench().send({ embeds: [made] })).fetch(true)).embeds;
    same([embed.title, embed.description, embed.url, embed.color], ['Chair', 'Of oak', 'https://example.com/chair', 0x123456], 'embed');
    same(new Date(embed.timestamp).getTime(), Date.parse('2026-01-02T03:04:05Z'), 'time');
    same([embed.footer.text, embed.author.name, embed.author.url], ['foot', 'Ada', 'https://example.com'], 'foot and author');
    same([embed.image.url, embed.thumbnail.url], ['https://example.com/a.png', 'https://example.com/b.png'], 'pictures');
    same(embed.fields.map(({ name, value, inline }) => [name, value, inline]), [['legs', '4', true], ['arms', '0', false]], 'fields');
    same(embed.data.type, 'rich', 'type');
  },
  'embed limits': async () => {
    const where = bench();
    const send = (...embeds) => client.rest.post(`/channels/${where.id}/messages`, { body: { embeds } });
    const fields = (count) => Array.from({ length: count }, (_, n) => ({ name: `${n}`, value: 'x' }));
    await fails(send({ fields: fields(26) }), 50035);
    await fails(send({ title: 'x'.repeat(257) }), 50035);
    await fails(send({ description: 'x'.repeat(4097) }), 50035);
    await fails(send({ description: 'x'.repeat(3001) }, { description: 'x'.repeat(3000) }), 50035);
    await fails(send(...Array.from({ length: 11 }, () => ({ title: 'x' }))), 50035);
    same((await send({ fields: fields(25) })).embeds[0].fields.length, 25, 'fields that fit');
  },
  'attachment sent': async () => {
    const sent = await channel('general').send({ content: 'a file', files: [file('some text', 'note.txt')] });
    const [stored] = sent.attachments.values();
    same([sent.content, stored.name, stored.size], ['a file', 'note.txt', 9], 'attachment');
    same(await (await fetch(stored.url)).text(), 'some text', 'download');
  },
  'attachments described': async () => {
    const pixel = new AttachmentBuilder(picture(), { name: 'pixel.png', description: 'One pixel' }).setSpoiler(true);
    const sent = await bench().send({ files: [pixel, file('b', 'b.txt')] });
    const [first, second] = sent.attachments.values();
    same([first.name, first.description, first.spoiler, second.name], ['SPOILER_pixel.png', 'One pixel', true, 'b.txt'], 'attachments');
    same([first.width, first.height, first.contentType, second.width], [1, 1, 'image/png', null], 'measures');
    const parts = new URL(first.url).searchParams;
    same(['ex', 'is', 'hm'].filter((key) => !parts.has(key)), [], 'signature');
  },
  'attachments kept on edit': async () => {
    const sent = await bench().send({ files: [file('a', 'a.txt'), file('b', 'b.txt')] });
    const [first] = sent.attachments.values();
    const edited = await sent.edit({ attachments: [first], files: [file('c', 'c.txt')] });
    same(edited.attachments.map(({ name }) => name), ['a.txt', 'c.txt'], 'attachments');
    same([...(await sent.edit({ content: 'none', attachments: [] })).attachments.keys()], [], 'without any');
  },
  'attachment in an embed': async () => {
    const pixel = new AttachmentBuilder(picture(), { name: 'pixel.png' });
    const sent = await bench().send({ embeds: [{ image: { url: 'attachment://pixel.png' } }], files: [pixel] });
    const { url } = sent.embeds[0].image;
    same([url.startsWith('attachment:'), (await fetch(url)).status], [false, 200], 'picture');
    same(sent.attachments.size, 0, 'attachments beside it');
  },
  'attachment limits': async () => {
    const where = bench();
    const eleven = Array.from({ length: 11 }, (_, n) => file('x', `${n}.txt`));
    await fails(where.send({ files: eleven }), 50035);
    const large = new AttachmentBuilder(Buffer.alloc(11 * 1024 * 1024), { name: 'large.bin' });
    await fails(where.send({ files: [large] }), 40005);
  },
  'sticker seen': async () => {
    const cheers = tea.stickers.Cheers;
    const seen = event(Events.MessageCreate, (message) => message.stickers.size > 0);
    await rest(ada.token, 'POST', `/channels/${tea.channels.general}/messages`, { sticker_ids: [cheers] });
    same([...(await seen).stickers.values()].map(({ id, name }) => [id, name]), [[cheers, 'Cheers']], 'stickers');
  },
  'sticker sent': async () => {
    const sent = await bench().send({ stickers: [shop.stickers.Done] });
    const [{ id, name, format }] = sent.stickers.values();
    same([id, name, format], [shop.stickers.Done, 'Done', 1], 'sticker');
    await fails(bench().send({ stickers: Array(4).fill(shop.stickers.Done) }), 50035);
    await fails(bench().send({ stickers: ['1'] }), 50035, 50081, 10060);
  },
  'poll': async () => {
    const question = { text: 'Which tea?' };
    const answers = [{ text: 'oolong' }, { text: 'sencha' }];
    const sent = await channel('random').send({ poll: { question, answers, duration: 24, allowMultiselect: false } });
    same(sent.poll.question.text, 'Which tea?', 'question');
    same(sent.poll.answers.map((answer) => answer.text), ['oolong', 'sencha'], 'answers');
    const hours = (sent.poll.expiresTimestamp - sent.createdTimestamp) / 3_600_000;
    same([Math.round(hours), sent.poll.resultsFinalized], [24, false], 'end');
  },
  'poll voted': async () => {
    const sent = await bench().send({ poll: poll(['oak', 'ash']) });
    const voted = event(Events.MessagePollVoteAdd, (_, user) => user === ben.id);
    await rest(ben.token, 'PUT', `/channels/${sent.channelId}/polls/${sent.id}/answers/@me`, { answer_ids: ['2'] });
    same((await voted)[0].id, 2, 'answer');
    same((await sent.poll.answers.get(2).voters.fetch()).map(({ id }) => id), [ben.id], 'voters');
    const counted = await sent.fetch(true);
    same(counted.poll.answers.map(({ voteCount }) => voteCount), [0, 1], 'votes');
    const taken = event(Events.MessagePollVoteRemove, (_, user) => user === ben.id);
    await rest(ben.token, 'PUT', `/channels/${sent.channelId}/polls/${sent.id}/answers/@me`, { answer_ids: [] });
    same((await taken)[0].id, 2, 'answer taken back');
  },
  'poll ended': async () => {
    const sent = await bench().send({ poll: poll(['oak', 'ash']) });
    const told = event(Events.MessageCreate, (message) => message.type === 46);
    const ended = await sent.poll.end();
    same(ended.poll.resultsFinalized, true, 'final');
    same((await told).reference.messageId, sent.id, 'result');
    const plain = await bench().send('no poll');
    await fails(client.rest.post(`/channels/${plain.channelId}/polls/${plain.id}/expire`), 520006);
  },
  'poll limits': async () => {
    await fails(bench().send({ poll: poll(Array(11).fill('x')) }), 50035);
    await fails(bench().send({ poll: poll(['x'.repeat(56), 'y']) }), 50035);
    await fails(bench().send({ poll: { ...poll(['x']), duration: 769 } }), 50035);
  },
});
