// Drives whole bots as the humans around them: each bot is a process of its own
// that knows only where Discord is.
//
// Usage: node drive.mjs '{"api_url": …}', the line that `kaiwa emulate` prints.
// PYTHON says which Python has discord.py. Prints as the walks do.

import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Human, person, rest, same, shop, sleep, world } from './emulator.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const STEP_MS = 20_000;
const ada = new Human(person.ada);
const ben = new Human(person.ben);
const desk = { id: shop.channels.desk, guildId: shop.id };
const api = `/channels/${desk.id}/messages`;
const commandsOf = (path) => rest(`Bot ${world.bot.token}`, 'GET', `/applications/${world.bot.application_id}${path}/commands`);
const read = (id, where = desk.id) => rest(person.ada.token, 'GET', `/channels/${where}/messages/${id}`);
const pressable = (message) => ({ id: message.id, flags: message.flags, channel: desk });
const created = (who, fits) => who.event('MESSAGE_CREATE', fits);
const updated = (who, fits) => who.event('MESSAGE_UPDATE', fits);
// People see a message before the bot knows that it was sent, and press nothing until it has marked it.
const marked = (who, emoji) => who.event('MESSAGE_REACTION_ADD', (it) => it.user_id === world.bot.id && it.emoji.name === emoji);

let running;
async function start(program, ...args) {
  const env = {
    ...process.env, DISCORD_API: world.api_url.replace(/\/v10$/, ''), DISCORD_GATEWAY: world.gateway_url, DISCORD_TOKEN: world.bot.token, DISCORD_GUILD: shop.id,
  };
  running = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(running.stdout)) if (line === 'ready') return;
  throw new Error('the bot ended before it was ready');
}

async function stop() {
  const ended = new Promise((resolve) => running.on('exit', resolve));
  running.kill();
  await ended;
}

const commands = {};
async function slash(who, name, options = [], where = desk) {
  return who.slash(where, commands[name], options.map(([name, value]) => ({ type: 3, name, value })));
}

async function offers(name, option, text) {
  const shown = ada.event('APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE');
  await ada.type(desk, commands[name], [{ type: 3, name: option, value: text, focused: true }]);
  return (await shown).choices.map(({ value }) => value);
}

let ordered;
let poll;
let answered;

const steps = {
  'discord.js bot: commands deployed': async () => {
    await Promise.all([ada.connect(), ben.connect()]);
    await start(process.execPath, join(here, 'carpenter.mjs'));
    for (const command of await commandsOf(`/guilds/${shop.id}`)) commands[command.name] = command;
    same(Object.keys(commands).sort(), ['announce', 'order', 'stock', 'vote'], 'commands');
  },
  'discord.js bot: autocomplete': async () => {
    same(await offers('stock', 'wood', 'a'), ['ash'], 'offers');
    same((await offers('stock', 'wood', '')).length, 4, 'all offers');
  },
  'discord.js bot: deferred ephemeral answer': async () => {
    const seen = updated(ada, ({ content }) => content === 'We have ash.');
    await slash(ada, 'stock', [['wood', 'ash']]);
    same((await seen).flags & 64, 64, 'ephemeral');
  },
  'discord.js bot: modal': async () => {
    const shown = ada.event('INTERACTION_MODAL_CREATE');
    await slash(ada, 'order');
    const form = await shown;
    same([form.title, form.components.length], ['Your order', 2], 'modal');
    const seen = created(ada, ({ content }) => content.startsWith('A chair'));
    const listens = marked(ada, '🪚');
    await ada.submit(desk, form, { what: 'A chair', notes: 'With arms' });
    ordered = await seen;
    same((await listens).message_id, ordered.id, 'message that the bot marked');
    same([ordered.content, ordered.components[0].components[0].options.length], ['A chair: of which wood?', 4], 'answer');
  },
  'discord.js bot: menu and thread': async () => {
    const thread = ada.event('THREAD_CREATE', ({ name }) => name === 'A chair');
    const first = created(ada, ({ content }) => content.startsWith('We begin'));
    await ada.choose(pressable(ordered), 3, 'wood', ['walnut']);
    same([(await thread).id, (await thread).owner_id], [ordered.id, world.bot.id], 'thread');
    const { content, embeds, channel_id } = await first;
    same([content, embeds[0].description, channel_id], ['We begin with the walnut.', 'With arms', ordered.id], 'first message');
    same((await read(ordered.id)).content.startsWith('A chair of walnut, for'), true, 'what the message says now');
  },
  'discord.js bot: answer in a thread': async () => {
    const seen = created(ada, ({ content }) => content === 'Not yet.');
    const reacted = ada.event('MESSAGE_REACTION_ADD');
    const asked = await rest(person.ada.token, 'POST', `/channels/${ordered.id}/messages`, { content: 'Is it ready?' });
    same([(await seen).message_reference.message_id, (await reacted).emoji.name], [asked.id, '🔨'], 'answer');
  },
  'discord.js bot: cancelled, thread archived': async () => {
    const archived = ada.event('THREAD_UPDATE', ({ id, thread_metadata }) => id === ordered.id && thread_metadata.archived);
    await ada.press(pressable(ordered), 'cancel');
    await archived;
    const { content, components } = await read(ordered.id);
    same([content, components], ['Cancelled.', []], 'message');
  },
  'discord.js bot: collector': async () => {
    const seen = created(ada, ({ embeds }) => embeds[0]?.title === 'More tea?');
    const listens = marked(ada, '🗳️');
    await slash(ada, 'vote', [['what', 'More tea?']]);
    poll = await seen;
    same((await listens).message_id, poll.id, 'message that the bot marked');
    for (const [who, id, tally] of [[ada, 'yes', '1 for, 0 against'], [ben, 'no', '1 for, 1 against'], [ben, 'yes', '2 for, 0 against']]) {
      const changed = updated(who, (message) => message.id === poll.id && message.embeds[0].description === tally);
      await who.press(pressable(poll), id);
      await changed;
    }
    same((await read(poll.id)).embeds[0].description, '2 for, 0 against', 'tally');
  },
  'discord.js bot: collector ends': async () => {
    const refused = created(ben, ({ content }) => content === 'Only who asked may close it.');
    await ben.press(pressable(poll), 'close');
    same((await refused).flags & 64, 64, 'ephemeral');
    const told = created(ben, ({ content }) => content === 'More tea?: closed, 2 to 0');
    await ada.press(pressable(poll), 'close');
    await told;
    same((await read(poll.id)).components, [], 'components');
  },
  'discord.js bot: webhook': async () => {
    const seen = created(ben, ({ author }) => author.username === 'The Workshop');
    const told = updated(ada, ({ content }) => content.startsWith('Announced: https://'));
    await slash(ada, 'announce', [['text', `Closed today, <@${ben.id}>`]]);
    const { webhook_id, mentions, author } = await seen;
    same([typeof webhook_id, mentions, author.bot], ['string', [], true], 'message');
    await told;
    await stop();
  },
  'discord.py bot: command synced': async () => {
    await start(process.env.PYTHON, join(here, 'scribe.py'));
    for (const command of await commandsOf('')) commands[command.name] = command;
    same([commands.voice.description, commands.voice.options[0].autocomplete], ['Choose how it speaks', true], 'command');
  },
  'discord.py bot: presence': async () => {
    const guild = ben.heard('PRESENCE_UPDATE', ({ user, activities }) => user.id === world.bot.id && activities.some(({ state }) => state === 'Mention me'));
    if (guild.length === 0) await ben.event('PRESENCE_UPDATE', ({ user, activities }) => user.id === world.bot.id && activities.some(({ state }) => state === 'Mention me'));
  },
  'discord.py bot: autocomplete and answer': async () => {
    same(await offers('voice', 'name', 'qu'), ['quiet'], 'offers');
    const seen = created(ben, ({ content }) => content === 'It now speaks loud.');
    await slash(ada, 'voice', [['name', 'loud']]);
    await seen;
    const refused = created(ada, ({ content }) => content.startsWith('There is no voice'));
    await slash(ada, 'voice', [['name', 'absent']]);
    same((await refused).flags & 64, 64, 'ephemeral');
  },
  'discord.py bot: streams by editing an embed': async () => {
    let edits = 0;
    const answers = ({ author, embeds, message_reference }) => author?.id === world.bot.id && embeds.length > 0 && message_reference;
    const begun = created(ben, answers);
    const typing = ben.event('TYPING_START', ({ user_id }) => user_id === world.bot.id);
    const done = updated(ben, (message) => answers(message) && (edits += 1) && message.embeds[0].color === 0x1f8b4c);
    const asked = await rest(person.ada.token, 'POST', api, { content: `<@${world.bot.id}> are you there?` });
    await typing;
    const first = await begun;
    same([first.message_reference.message_id, first.flags & 4096], [asked.id, 4096], 'answer');
    answered = await done;
    same([answered.id, answered.embeds[0].description, edits > 1], [first.id, 'I heard 1 lines and 0 files, Ada!', true], 'answer as it ended');
  },
  'discord.py bot: follows replies': async () => {
    const done = updated(ben, ({ embeds }) => embeds[0]?.description.endsWith('Ben!'));
    const body = { content: `<@${world.bot.id}> and me?`, message_reference: { message_id: answered.id } };
    await rest(person.ben.token, 'POST', api, body);
    same((await done).embeds[0].description, 'I heard 3 lines and 0 files, Ben!', 'answer');
  },
  'discord.py bot: reads a file': async () => {
    const done = updated(ben, ({ embeds }) => embeds[0]?.description.endsWith('files, Ada!'));
    const form = new FormData();
    form.set('payload_json', JSON.stringify({ content: `<@${world.bot.id}>`, attachments: [{ id: 0, filename: 'note.txt' }] }));
    form.set('files[0]', new Blob(['some text'], { type: 'text/plain' }), 'note.txt');
    await fetch(world.api_url + api, { method: 'POST', headers: { authorization: person.ada.token }, body: form });
    same((await done).embeds[0].description, 'I heard 1 lines and 1 files, Ada!', 'answer');
    await stop();
  },
};

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
print({ client: 'whole bots', version: '1', features: Object.keys(steps) });
for (const [feature, step] of Object.entries(steps)) {
  const late = sleep(STEP_MS).then(() => { throw new Error(`nothing happened in ${STEP_MS / 1000} s`); });
  late.catch(() => {});
  try {
    await Promise.race([step(), late]);
    print({ feature, result: 'pass' });
  } catch (error) {
    console.error(feature, error);
    print({ feature, result: 'fail', note: String(error.message).split('\n')[0] });
  }
}
running?.kill();
process.exit(0);
