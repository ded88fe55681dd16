// Walks discord.js, unmodified, through an emulator.
//
// Usage: node walk.mjs '{"api_url": …}', the line that `kaiwa emulate` prints.
// Prints the list of features, then one JSON line for each as it is done.

import {
  AttachmentBuilder, Client, Events, GatewayIntentBits as Intents, Partials, RESTEvents,
  SimpleShardingStrategy, version,
} from 'discord.js';

const world = JSON.parse(process.argv[2]);
const FEATURE_MS = 20_000;

function connectTo(world, more = {}) {
  return new Client({
    rest: { api: world.api_url.replace(/\/v10$/, ''), version: '10' },
    intents: [
      Intents.Guilds, Intents.GuildMembers, Intents.GuildMessages, Intents.MessageContent,
      Intents.GuildMessageReactions, Intents.GuildMessageTyping,
      Intents.DirectMessages, Intents.DirectMessageReactions, Intents.DirectMessageTyping,
    ],
    partials: [Partials.Channel, Partials.Message, Partials.Reaction],
    ...more,
  });
}

const client = connectTo(world);
const [ada, ben] = world.users;
const debugged = [];
client.on(Events.Debug, (line) => debugged.push(line));
client.on(Events.Error, () => {});

// --- what a feature is made of

function same(actual, expected, what) {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${what}: ${a} instead of ${e}`);
}

/** The first event of this name that fits; ask before you cause it. */
function event(name, fits = () => true, on = client) {
  return new Promise((resolve) => {
    on.on(name, function seen(...args) {
      if (!fits(...args)) return;
      on.off(name, seen);
      resolve(args.length > 1 ? args : args[0]);
    });
  });
}

const channel = (name) => client.channels.cache.get(world.channels[name]);

/** Plain REST, past the library. */
async function rest(authorization, method, path, body) {
  const response = await fetch(world.api_url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} of a human: ${response.status}`);
  return response.status === 204 ? null : response.json();
}

const say = (who, where, content) =>
  rest(who.token, 'POST', `/channels/${world.channels[where] ?? where}/messages`, { content });

async function fault(body) {
  const response = await fetch(new URL('/emulator/faults', world.api_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`/emulator/faults: ${await response.text()}`);
  return (await response.json()).cut;
}

const cut = (how) => fault({ cut_gateway: { user_id: world.bot.id, how } });

async function fails(promise, code) {
  const error = await promise.then(() => null, (error) => error);
  same([error?.name, error?.code], [`DiscordAPIError[${code}]`, code], 'the error');
}

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
  const second = connectTo(world, more);
  const asked = event(Events.Debug, (line) => line.includes('compression: '), second);
  try {
    const ready = event(Events.ClientReady, undefined, second);
    await second.login(world.bot.token);
    await ready;
    const content = `said over ${expected}`;
    const seen = event(Events.MessageCreate, (message) => message.content === content, second);
    await say(ada, 'general', content);
    await seen;
    same((await asked).match(/compression: (\S+)/)[1], expected, 'compression');
  } finally {
    await second.destroy();
  }
}

// --- the features, in the order they are walked

const ready = event(Events.ClientReady);

const features = {
  'login': async () => {
    same(await client.login(world.bot.token), world.bot.token, 'token');
  },
  'login refused': async () => {
    const error = await connectTo(world).login('wrong').then(() => null, (error) => error);
    same(error?.code, 'TokenInvalid', 'the error');
  },
  'READY': async () => {
    await ready;
    same(client.user.id, world.bot.id, 'user');
    same(client.application.id, world.bot.application_id, 'application');
  },
  'guild cached': async () => {
    const guild = client.guilds.cache.get(world.guild_id);
    same([guild.name, guild.memberCount, guild.ownerId], ['Tea House', 4, ada.id], 'guild');
    const visible = guild.channels.cache.filter((channel) => channel.viewable);
    const names = visible.map((channel) => channel.name);
    same(names.sort(), ['code', 'general', 'ideas', 'lounge', 'news', 'random'], 'visible channels');
    const roles = guild.roles.cache.map((role) => role.name);
    same(['@everyone', 'Keeper'].filter((name) => !roles.includes(name)), [], 'missing roles');
    const me = guild.members.me;
    same(me.id, world.bot.id, 'own member');
    same(me.permissionsIn(channel('general')).has('SendMessages'), true, 'may send in general');
  },
  'members requested': async () => {
    const members = await client.guilds.cache.get(world.guild_id).members.fetch();
    const names = members.map((member) => member.displayName);
    same(names.sort(), ['Ada', 'Ben', 'Kaiwa', 'Mika'], 'members');
  },
  'objects fetched': async () => {
    const guild = await client.guilds.fetch({ guild: world.guild_id, force: true });
    same(guild.name, 'Tea House', 'guild');
    const general = await client.channels.fetch(world.channels.general, { force: true });
    same(general.name, 'general', 'channel');
    same((await client.users.fetch(ben.id, { force: true })).globalName, 'Ben', 'user');
    const member = await guild.members.fetch({ user: ada.id, force: true });
    same(member.roles.highest.name, 'Keeper', 'role');
    same((await client.application.fetch()).name, 'Kaiwa', 'application');
  },
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
  'embed sent': async () => {
    const sent = await channel('general').send({ embeds: [{ title: 'T', description: 'D' }] });
    same([sent.embeds[0].title, sent.embeds[0].description], ['T', 'D'], 'embed');
  },
  'attachment sent': async () => {
    const file = new AttachmentBuilder(Buffer.from('some text'), { name: 'note.txt' });
    const sent = await channel('general').send({ content: 'a file', files: [file] });
    const [stored] = sent.attachments.values();
    same([sent.content, stored.name, stored.size], ['a file', 'note.txt', 9], 'attachment');
    same(await (await fetch(stored.url)).text(), 'some text', 'download');
  },
  'reply': async () => {
    const asked = await say(ben, 'general', 'a question');
    const question = await channel('general').messages.fetch(asked.id);
    const answer = await question.reply('an answer');
    same(answer.reference.messageId, asked.id, 'reference');
    same((await answer.fetchReference()).content, 'a question', 'referenced message');
    same(answer.mentions.repliedUser.id, ben.id, 'replied user');
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
    const path = `/channels/${world.channels.random}/messages/${said.id}`;
    await rest(ada.token, 'PATCH', path, { content: 'typo' });
    same((await seen)[1].content, 'typo', 'event');
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
    await rest(ada.token, 'DELETE', `/channels/${world.channels.random}/messages/${said.id}`);
    await seen;
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
  },
  'typing sent': async () => {
    const seen = event(Events.TypingStart, (typing) => typing.user.id === client.user.id);
    await channel('general').sendTyping();
    same((await seen).channel.name, 'general', 'channel');
  },
  'typing seen': async () => {
    const seen = event(Events.TypingStart, (typing) => typing.user.id === ben.id);
    await rest(ben.token, 'POST', `/channels/${world.channels.general}/typing`);
    const typing = await seen;
    same([typing.channel.name, typing.member.displayName], ['general', 'Ben'], 'typing');
  },
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
    const path = `/channels/${world.channels.general}/messages/${id}/reactions/%F0%9F%8D%B5/@me`;
    const added = event(Events.MessageReactionAdd, (_, user) => user.id === ben.id);
    await rest(ben.token, 'PUT', path);
    same((await added)[0].emoji.name, '🍵', 'emoji');
    const removed = event(Events.MessageReactionRemove, (_, user) => user.id === ben.id);
    await rest(ben.token, 'DELETE', path);
    same((await removed)[0].emoji.name, '🍵', 'emoji');
  },
  'guild emoji': async () => {
    const guild = client.guilds.cache.get(world.guild_id);
    const tea = guild.emojis.cache.find((emoji) => emoji.name === 'tea');
    same(tea.id, world.guilds[0].emojis.tea, 'emoji');
    const sent = await channel('general').send(`${tea}`);
    await sent.react(tea);
    const [reaction] = (await sent.fetch(true)).reactions.cache.values();
    same([reaction.emoji.id, reaction.emoji.name, reaction.me], [tea.id, 'tea', true], 'reaction');
    same((await fetch(new URL(`/cdn/emojis/${tea.id}.png`, world.api_url))).status, 200, 'picture');
    same((await guild.emojis.fetch()).size, 2, 'emoji fetched');
  },
  'own role mentioned': async () => {
    const role = client.guilds.cache.get(world.guild_id).members.me.roles.botRole;
    same([role?.name, role?.managed, role?.tags.botId], ['Kaiwa', true, world.bot.id], 'role');
    const seen = event(Events.MessageCreate, (message) => message.content.includes('role'));
    await say(ben, 'general', `<@&${role.id}> is a role`);
    const message = await seen;
    same([message.mentions.roles.has(role.id), message.mentions.users.size], [true, 0], 'mentions');
  },
  'sticker seen': async () => {
    const cheers = world.guilds[0].stickers.Cheers;
    const seen = event(Events.MessageCreate, (message) => message.stickers.size > 0);
    await rest(ada.token, 'POST', `/channels/${world.channels.general}/messages`, { sticker_ids: [cheers] });
    same([...(await seen).stickers.values()].map(({ id, name }) => [id, name]), [[cheers, 'Cheers']], 'stickers');
  },
  'poll': async () => {
    const question = { text: 'Which tea?' };
    const sent = await channel('random').send({ poll: { question, answers: [{ text: 'oolong' }, { text: 'sencha' }], duration: 24, allowMultiselect: false } });
    same(sent.poll.question.text, 'Which tea?', 'question');
    same(sent.poll.answers.map((answer) => answer.text), ['oolong', 'sencha'], 'answers');
  },
  'forward': async () => {
    const said = await say(ada, 'general', 'pass it on');
    const message = await channel('general').messages.fetch(said.id);
    const sent = await message.forward(channel('random'));
    same([sent.reference.type, sent.reference.messageId], [1, said.id], 'reference');
    same(sent.messageSnapshots.first().content, 'pass it on', 'snapshot');
  },
  'thread from a message': async () => {
    const said = await say(ada, 'general', 'let us talk');
    const message = await channel('general').messages.fetch(said.id);
    const seen = event(Events.ThreadCreate, (thread) => thread.id === said.id);
    const thread = await message.startThread({ name: 'Talk', autoArchiveDuration: 60 });
    await seen;
    same([thread.name, thread.parentId, thread.ownerId, thread.type], ['Talk', world.channels.general, world.bot.id, 11], 'thread');
    same((await thread.fetchStarterMessage()).content, 'let us talk', 'starter');
    same((await message.fetch(true)).hasThread, true, 'has a thread');
    await fails(message.fetch(true).then(() => client.rest.post(`/channels/${message.channelId}/messages/${message.id}/threads`, { body: { name: 'x' } })), 160004);
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
    const made = await rest(ada.token, 'POST', `/channels/${world.channels.general}/threads`, { name: 'Old', type: 11 });
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
    const path = `/channels/${world.channels.general}/threads`;
    const made = await rest(ben.token, 'POST', path, { name: 'Quiet', type: 12 });
    await fails(client.channels.fetch(made.id, { force: true }), 50001);
    const added = event(Events.ThreadCreate, (thread) => thread.id === made.id);
    await rest(ben.token, 'PUT', `/channels/${made.id}/thread-members/${world.bot.id}`);
    await added;
    same((await client.channels.fetch(made.id)).invitable, true, 'invitable');
  },
  'threads listed': async () => {
    const guild = client.guilds.cache.get(world.guild_id);
    const { threads } = await guild.channels.fetchActiveThreads();
    same(threads.some((thread) => thread.name === 'Notes'), true, 'active');
    const thread = threads.find(({ name }) => name === 'Notes');
    await thread.leave();
    await thread.join();
  },
  'forum post': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'more cups');
    const post = await channel('ideas').threads.create({ name: 'Cups', message: { content: 'more cups' } });
    const first = await seen;
    same([post.parentId, first.id, first.channelId], [world.channels.ideas, post.id, post.id], 'post');
    same((await post.fetchStarterMessage()).content, 'more cups', 'starter');
  },
  'text in voice': async () => {
    const seen = event(Events.MessageCreate, (message) => message.content === 'in the lounge');
    await say(ben, 'lounge', 'in the lounge');
    same([(await seen).channel.isVoiceBased(), channel('news').type], [true, 5], 'kinds');
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
  },
  'error 50001 Missing Access': async () => {
    await fails(client.channels.fetch(world.channels.staff, { force: true }), 50001);
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
    const path = `/channels/${world.channels.code}/messages`;
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
  'compression: zlib-stream': () => converses({}, 'zlib-stream'),
  'compression: none': () => converses({
    ws: {
      buildStrategy: (manager) => {
        manager.options.compression = null;
        return new SimpleShardingStrategy(manager);
      },
    },
  }, 'none'),
  'logout': async () => {
    await client.destroy();
    while (await cut('abrupt') > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  },
};

// --- the walk

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing happened in ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

process.on('unhandledRejection', (error) => console.error(error));
print({ client: 'discord.js', version, features: Object.keys(features) });
for (const [feature, walk] of Object.entries(features)) {
  try {
    await within(FEATURE_MS, walk());
    print({ feature, result: 'pass' });
  } catch (error) {
    console.error(feature, error, debugged.slice(-10));
    print({ feature, result: 'fail', note: String(error.message ?? error).split('\n')[0] });
  }
}
process.exit(0);
