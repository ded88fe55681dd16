// Application commands: made, localised, limited.

import { ApplicationCommandOptionType as Option, ApplicationCommandType, PermissionFlagsBits as Permissions } from 'discord.js';

import { client, fails, features, same, shop, tea, workshop, world } from './emulator.mjs';

const own = () => client.application.commands;
const guilds = () => workshop().commands;
const path = `/applications/${world.bot.application_id}/guilds/${shop.id}/commands`;

Object.assign(features, {
  'command made, changed and deleted': async () => {
    const made = await own().create({ name: 'build', description: 'Builds something' });
    same([made.name, made.description, made.type, made.applicationId, made.guildId], ['build', 'Builds something', 1, world.bot.application_id, null], 'command');
    same([typeof made.version, (await own().fetch()).has(made.id)], ['string', true], 'listed');
    const { version } = made;
    const edited = await own().edit(made.id, { description: 'Builds a chair' });
    same([edited.id, edited.description, edited.version === version], [made.id, 'Builds a chair', false], 'edited');
    const again = await own().create({ name: 'build', description: 'Overwritten' });
    same([again.id, (await own().fetch(made.id, { force: true })).description], [made.id, 'Overwritten'], 'same name');
    await own().delete(made.id);
    await fails(own().fetch(made.id, { force: true }), 10063);
  },
  'commands set': async () => {
    const set = await guilds().set([{ name: 'saw', description: 'Saws' }, { name: 'Inspect', type: ApplicationCommandType.User }]);
    same(set.map(({ name, type, guildId }) => [name, type, guildId]), [['saw', 1, shop.id], ['Inspect', 2, shop.id]], 'commands');
    const saw = set.find(({ name }) => name === 'saw').id;
    const next = await guilds().set([{ name: 'saw', description: 'Saws more' }]);
    same(next.map(({ id }) => id), [saw], 'what is left');
    same((await client.application.commands.fetch({ guildId: tea.id })).size, 0, 'in another guild');
    await guilds().set([]);
    same((await guilds().fetch()).size, 0, 'without any');
  },
  'command kinds': async () => {
    const user = await guilds().create({ name: 'Who is this', type: ApplicationCommandType.User });
    const message = await guilds().create({ name: 'Who is this', type: ApplicationCommandType.Message });
    same([user.type, message.type, user.id === message.id, user.description], [2, 3, false, ''], 'commands');
    await fails(client.rest.post(path, { body: { name: 'described', type: 2, description: 'x' } }), 50035);
    await guilds().set([]);
  },
  'command options': async () => {
    const options = [
      { type: Option.Subcommand, name: 'of', description: 'Of wood', options: [
        { type: Option.String, name: 'wood', description: 'Which', required: true, choices: [{ name: 'Oak', value: 'oak' }] },
        { type: Option.Integer, name: 'legs', description: 'How many', min_value: 1, max_value: 8 },
        { type: Option.Channel, name: 'where', description: 'Where', channel_types: [0, 5] },
        { type: Option.String, name: 'note', description: 'What', min_length: 1, max_length: 10, autocomplete: true },
      ] },
      { type: Option.SubcommandGroup, name: 'more', description: 'More', options: [{ type: Option.Subcommand, name: 'tools', description: 'Tools' }] },
    ];
    const made = await guilds().create({ name: 'chair', description: 'A chair', options });
    const [of, more] = (await guilds().fetch(made.id, { force: true })).options;
    same([of.type, more.type, more.options[0].name], [1, 2, 'tools'], 'options');
    const [wood, legs, where, note] = of.options;
    same([wood.required, wood.choices[0].value, legs.minValue, legs.maxValue, where.channelTypes], [true, 'oak', 1, 8, [0, 5]], 'of them');
    same([note.minLength, note.maxLength, note.autocomplete], [1, 10, true], 'of the text');
    await guilds().set([]);
  },
  'commands localised': async () => {
    const made = await guilds().create({
      name: 'table', description: 'A table', nameLocalizations: { de: 'tisch', ja: 'つくえ' }, descriptionLocalizations: { de: 'Ein Tisch' },
    });
    same(made.nameLocalizations, { de: 'tisch', ja: 'つくえ' }, 'names');
    const listed = await guilds().fetch({ withLocalizations: true });
    same(listed.get(made.id).descriptionLocalizations, { de: 'Ein Tisch' }, 'descriptions');
    const [short] = await client.rest.get(path);
    same(short.name_localizations ?? null, null, 'without them');
    await fails(client.rest.post(path, { body: { name: 'x', description: 'x', name_localizations: { xx: 'x' } } }), 50035);
    await guilds().set([]);
  },
  'command permissions and contexts': async () => {
    const made = await own().create({
      name: 'sweep', description: 'Sweeps', defaultMemberPermissions: Permissions.ManageMessages, nsfw: true, contexts: [0], integrationTypes: [0],
    });
    same([made.defaultMemberPermissions.bitfield.toString(), made.nsfw, made.contexts, made.integrationTypes], ['8192', true, [0], [0]], 'command');
    await fails(client.rest.get(`${path}/${made.id}/permissions`), 10066);
    same(await client.rest.get(`${path}/permissions`), [], 'permissions of all');
    await own().delete(made.id);
  },
  'command limits': async () => {
    const make = (body) => client.rest.post(path, { body: { description: 'x', ...body } });
    const option = (name, more) => ({ type: 3, name, description: 'x', ...more });
    await fails(make({ name: 'Upper' }), 50035);
    await fails(make({ name: 'two words' }), 50035);
    await fails(make({ name: 'x'.repeat(33) }), 50035);
    await fails(make({ name: 'x', description: '' }), 50035);
    await fails(make({ name: 'x', description: 'x'.repeat(101) }), 50035);
    await fails(make({ name: 'x', options: [option('a'), option('b', { required: true })] }), 50035);
    await fails(make({ name: 'x', options: [option('a'), option('a')] }), 50035);
    await fails(make({ name: 'x', options: Array.from({ length: 26 }, (_, n) => option(`o${n}`)) }), 50035);
    await fails(make({ name: 'x', options: [option('a', { autocomplete: true, choices: [{ name: 'x', value: 'x' }] })] }), 50035);
    await fails(client.rest.put(path, { body: [{ name: 'x', description: 'x' }, { name: 'x', description: 'x' }] }), 50035);
    await fails(client.rest.post(path.replace(shop.id, '1'), { body: { name: 'x', description: 'x' } }), 50001, 10004);
  },
});
