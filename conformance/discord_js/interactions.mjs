// Commands used, buttons pressed, menus chosen from, modals filled in.

import {
  ActionRowBuilder, ApplicationCommandOptionType as Option, ApplicationCommandType, ButtonBuilder, ChannelSelectMenuBuilder,
  ComponentType, Events, LabelBuilder, MentionableSelectMenuBuilder, MessageFlags, ModalBuilder, RoleSelectMenuBuilder,
  StringSelectMenuBuilder, TextInputBuilder, UserSelectMenuBuilder,
} from 'discord.js';

import { ada, advance, ben, client, event, fails, features, humans, place, rest, same, shop, tea, workshop, world } from './emulator.mjs';

const desk = () => place('desk');
const commands = {};
const named = (name) => event(Events.InteractionCreate, (it) => it.commandName === name);
const pressed = (id) => event(Events.InteractionCreate, (it) => it.customId === id);
const row = (...components) => new ActionRowBuilder().addComponents(...components);
const button = (id) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(1);
const read = (who, id) => rest(who.token, 'GET', `/channels/${desk().id}/messages/${id}`);

/** A human uses the command, and the bot has it. */
export async function use(name, options, human = humans.ada, where = desk()) {
  const seen = named(name);
  await human.slash(where, commands[name], options);
  return seen;
}

/** A human chooses from a menu, and the bot has it. */
async function chosen(menu, values) {
  const sent = await desk().send({ content: 'choose', components: [row(menu)] });
  const seen = pressed(menu.data.custom_id);
  await humans.ada.choose(sent, menu.data.type, menu.data.custom_id, values);
  const interaction = await seen;
  await interaction.update({ content: 'chosen', components: [] });
  return interaction;
}

const modal = (id) => new ModalBuilder().setCustomId(id).setTitle('An order')
  .addComponents(row(new TextInputBuilder().setCustomId('what').setLabel('What?').setStyle(1).setRequired(true).setMaxLength(20)));

Object.assign(features, {
  'slash command': async () => {
    const options = [
      { type: Option.String, name: 'text', description: 'x' }, { type: Option.Integer, name: 'count', description: 'x' },
      { type: Option.Number, name: 'size', description: 'x' }, { type: Option.Boolean, name: 'loud', description: 'x' },
      { type: Option.User, name: 'who', description: 'x' }, { type: Option.Role, name: 'role', description: 'x' },
      { type: Option.Channel, name: 'where', description: 'x' }, { type: Option.Mentionable, name: 'any', description: 'x' },
    ];
    const sub = { type: Option.Subcommand, name: 'one', description: 'x', options: [{ type: Option.String, name: 'text', description: 'x', required: true }] };
    const set = await workshop().commands.set([
      { name: 'say', description: 'Says', options },
      { name: 'do', description: 'Does', options: [{ type: Option.SubcommandGroup, name: 'group', description: 'x', options: [sub] }] },
      { name: 'find', description: 'Finds', options: [{ type: Option.String, name: 'text', description: 'x', autocomplete: true }, { type: Option.Integer, name: 'n', description: 'x' }] },
      { name: 'Greet', type: ApplicationCommandType.User },
      { name: 'Quote', type: ApplicationCommandType.Message },
    ]);
    for (const command of set.values()) commands[command.name] = command;
    const interaction = await use('say', [{ type: 3, name: 'text', value: 'hello' }]);
    same([interaction.isChatInputCommand(), interaction.options.getString('text'), interaction.user.id, interaction.guildId, interaction.channelId],
      [true, 'hello', ada.id, shop.id, desk().id], 'interaction');
    await interaction.reply('hello yourself');
    const reply = await interaction.fetchReply();
    same([reply.content, reply.type, reply.interactionMetadata.id, reply.interactionMetadata.user.id], ['hello yourself', 20, interaction.id, ada.id], 'reply');
    same((await read(ben, reply.id)).content, 'hello yourself', 'as another reads it');
  },
  'slash command options': async () => {
    const interaction = await use('say', [
      { type: 4, name: 'count', value: 3 }, { type: 10, name: 'size', value: 1.5 }, { type: 5, name: 'loud', value: true },
      { type: 6, name: 'who', value: ben.id }, { type: 8, name: 'role', value: shop.roles.Elder }, { type: 7, name: 'where', value: desk().id },
      { type: 9, name: 'any', value: ada.id },
    ]);
    const { options } = interaction;
    same([options.getInteger('count'), options.getNumber('size'), options.getBoolean('loud')], [3, 1.5, true], 'values');
    same([options.getUser('who').username, options.getMember('who').displayName, options.getRole('role').name, options.getChannel('where').name, options.getMentionable('any').id],
      [(await client.users.fetch(ben.id)).username, 'Ben', 'Elder', 'desk', ada.id], 'resolved');
    await interaction.reply('understood');
  },
  'slash subcommand': async () => {
    const interaction = await use('do', [{ type: 2, name: 'group', options: [{ type: 1, name: 'one', options: [{ type: 3, name: 'text', value: 'now' }] }] }]);
    same([interaction.options.getSubcommandGroup(), interaction.options.getSubcommand(), interaction.options.getString('text')], ['group', 'one', 'now'], 'options');
    await interaction.reply('done');
  },
  'interaction fields': async () => {
    const interaction = await use('say', []);
    same([typeof interaction.locale, typeof interaction.guildLocale, interaction.context], ['string', 'string', 0], 'languages and context');
    same([interaction.memberPermissions.has('Administrator'), interaction.appPermissions.has('BanMembers'), interaction.appPermissions.has('Administrator')], [true, true, false], 'permissions');
    same([interaction.member.id, interaction.authorizingIntegrationOwners[0]], [ada.id, shop.id], 'member and owner');
    await interaction.reply('looked at');
  },
  'slash command: deferred': async () => {
    const interaction = await use('say', []);
    await interaction.deferReply();
    const waiting = await interaction.fetchReply();
    same(waiting.flags.has(MessageFlags.Loading), true, 'loading');
    const seen = event(Events.MessageUpdate, (_, now) => now.id === waiting.id);
    const edited = await interaction.editReply('at last');
    same([edited.id, edited.content, edited.flags.has(MessageFlags.Loading)], [waiting.id, 'at last', false], 'answer');
    same((await seen)[1].content, 'at last', 'event');
  },
  'slash command: ephemeral': async () => {
    const interaction = await use('say', []);
    const seen = humans.ada.event('MESSAGE_CREATE', (message) => message.content === 'for you alone');
    await interaction.reply({ content: 'for you alone', flags: MessageFlags.Ephemeral });
    const message = await seen;
    same(message.flags & 64, 64, 'flag');
    const page = await rest(ben.token, 'GET', `/channels/${desk().id}/messages?limit=10`);
    same(page.some(({ content }) => content === 'for you alone'), false, 'read by another');
    same((await interaction.editReply('changed')).content, 'changed', 'edited');
    await interaction.deleteReply();
  },
  'slash command: follow-up': async () => {
    const interaction = await use('say', []);
    await interaction.reply('first');
    const second = await interaction.followUp({ content: 'second', embeds: [{ title: 'T' }] });
    same([second.content, second.embeds[0].title, second.id === (await interaction.fetchReply()).id], ['second', 'T', false], 'follow-up');
    same((await interaction.editReply({ message: second.id, content: 'changed' })).content, 'changed', 'edited');
    const gone = event(Events.MessageDelete, ({ id }) => id === second.id);
    await interaction.deleteReply(second.id);
    await gone;
    const quiet = await interaction.followUp({ content: 'hush', flags: MessageFlags.Ephemeral });
    same(quiet.flags.has(MessageFlags.Ephemeral), true, 'ephemeral');
  },
  'slash command: original deleted': async () => {
    const interaction = await use('say', []);
    await interaction.reply({ content: 'before', files: [{ attachment: Buffer.from('some text'), name: 'note.txt' }] });
    const reply = await interaction.fetchReply();
    same(reply.attachments.first().name, 'note.txt', 'file');
    await interaction.deleteReply();
    await fails(interaction.fetchReply(), 10008);
    await fails(desk().messages.fetch({ message: reply.id, force: true }), 10008);
  },
  'slash command: answer returned': async () => {
    const interaction = await use('say', []);
    const response = await interaction.reply({ content: 'returned', withResponse: true });
    same([response.interaction.id, response.interaction.type, response.resource.type, response.resource.message.content], [interaction.id, 2, 4, 'returned'], 'response');
    same(response.interaction.responseMessageId, response.resource.message.id, 'id of the message');
  },
  'slash command: answered twice': async () => {
    const interaction = await use('say', []);
    await interaction.reply('once');
    const body = { type: 4, data: { content: 'twice' } };
    await fails(client.rest.post(`/interactions/${interaction.id}/${interaction.token}/callback`, { body, auth: false }), 40060);
  },
  'slash command: never answered': async () => {
    const interaction = await use('say', []);
    await fails(client.rest.get(`/webhooks/${world.bot.application_id}/${interaction.token}/messages/@original`, { auth: false }), 10008, 10015);
    await advance(3.1 / 60);
    await fails(interaction.reply('too late'), 10062);
  },
  'unknown interaction refused': async () => {
    await fails(client.rest.post('/interactions/1/nothing/callback', { body: { type: 4, data: { content: 'x' } }, auth: false }), 10062, 50035);
    const interaction = await use('say', []);
    await fails(interaction.reply('x'.repeat(2001)), 50035);
    await fails(client.rest.post(`/interactions/${interaction.id}/${interaction.token}/callback`, { body: { type: 7, data: { content: 'x' } }, auth: false }), 50035);
    await interaction.reply('in the end');
  },
  'slash command in a DM': async () => {
    const everywhere = await client.application.commands.create({ name: 'whisper', description: 'Whispers' });
    const dm = await (await client.users.fetch(ada.id)).createDM();
    const seen = named('whisper');
    await humans.ada.slash(dm, everywhere);
    const interaction = await seen;
    same([interaction.inGuild(), interaction.user.id, interaction.context], [false, ada.id, 1], 'interaction');
    await interaction.reply('psst');
    same((await rest(ada.token, 'GET', `/channels/${dm.id}/messages?limit=1`))[0].content, 'psst', 'as read by the human');
    await client.application.commands.delete(everywhere.id);
  },
  'autocomplete': async () => {
    const seen = named('find');
    await humans.ada.connect();
    const offered = humans.ada.event('APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE');
    await humans.ada.type(desk(), commands.find, [{ type: 4, name: 'n', value: 2 }, { type: 3, name: 'text', value: 'ch', focused: true }]);
    const interaction = await seen;
    same([interaction.isAutocomplete(), interaction.options.getFocused(), interaction.options.getInteger('n')], [true, 'ch', 2], 'interaction');
    await interaction.respond([{ name: 'Chair', value: 'chair' }, { name: 'Chest', value: 'chest' }]);
    same((await offered).choices.map(({ name, value }) => [name, value]), [['Chair', 'chair'], ['Chest', 'chest']], 'choices');
  },
  'autocomplete limits': async () => {
    const seen = named('find');
    await humans.ada.type(desk(), commands.find, [{ type: 3, name: 'text', value: '', focused: true }]);
    const interaction = await seen;
    await fails(interaction.respond(Array.from({ length: 26 }, (_, n) => ({ name: `${n}`, value: `${n}` }))), 50035);
    await fails(client.rest.post(`/interactions/${interaction.id}/${interaction.token}/callback`, { body: { type: 4, data: { content: 'x' } }, auth: false }), 50035, 40060);
  },
  'user command': async () => {
    const seen = named('Greet');
    await humans.ada.slash(desk(), commands.Greet, [], { target_id: ben.id });
    const interaction = await seen;
    same([interaction.isUserContextMenuCommand(), interaction.targetUser.id, interaction.targetMember.displayName], [true, ben.id, 'Ben'], 'target');
    await interaction.reply('hello Ben');
  },
  'message command': async () => {
    const target = await desk().send('quote me');
    const seen = named('Quote');
    await humans.ada.slash(desk(), commands.Quote, [], { target_id: target.id });
    const interaction = await seen;
    same([interaction.isMessageContextMenuCommand(), interaction.targetMessage.content], [true, 'quote me'], 'target');
    await interaction.reply(`> ${interaction.targetMessage.content}`);
  },
  'button pressed': async () => {
    const sent = await desk().send({ content: 'press', components: [row(button('press'))] });
    const seen = pressed('press');
    await humans.ben.press(sent, 'press');
    const interaction = await seen;
    same([interaction.isButton(), interaction.user.id, interaction.message.id, interaction.componentType], [true, ben.id, sent.id, 2], 'interaction');
    await interaction.reply('pressed');
    same((await interaction.fetchReply()).reference?.messageId ?? sent.id, sent.id, 'reference');
  },
  'button: message updated': async () => {
    const sent = await desk().send({ content: 'press', components: [row(button('update'))] });
    const seen = pressed('update');
    await humans.ada.press(sent, 'update');
    const interaction = await seen;
    const updated = event(Events.MessageUpdate, (_, now) => now.id === sent.id);
    await interaction.update({ content: 'pressed', components: [] });
    same([(await updated)[1].content, (await sent.fetch(true)).components.length], ['pressed', 0], 'message');
    same((await interaction.fetchReply()).id, sent.id, 'original');
  },
  'button: deferred update': async () => {
    const sent = await desk().send({ content: 'press', components: [row(button('later'))] });
    const seen = pressed('later');
    await humans.ada.press(sent, 'later');
    const interaction = await seen;
    await interaction.deferUpdate();
    same((await sent.fetch(true)).flags.has(MessageFlags.Loading), false, 'loading');
    await interaction.editReply('edited later');
    same((await sent.fetch(true)).content, 'edited later', 'content');
    same((await interaction.followUp('and more')).content, 'and more', 'follow-up');
  },
  'button collected': async () => {
    const sent = await desk().send({ content: 'press', components: [row(button('a'), button('b'))] });
    const collected = sent.awaitMessageComponent({ filter: (it) => it.user.id === ben.id, componentType: ComponentType.Button, time: 5000 });
    const others = pressed('a');
    await humans.ada.press(sent, 'a');
    await (await others).deferUpdate();
    await humans.ben.press(sent, 'b');
    const interaction = await collected;
    same([interaction.customId, interaction.user.id], ['b', ben.id], 'interaction');
    await interaction.deferUpdate();
  },
  'select: strings': async () => {
    const menu = new StringSelectMenuBuilder().setCustomId('strings').setMaxValues(2).addOptions({ label: 'Oak', value: 'oak' }, { label: 'Ash', value: 'ash' });
    const interaction = await chosen(menu, ['oak', 'ash']);
    same([interaction.isStringSelectMenu(), interaction.values], [true, ['oak', 'ash']], 'values');
  },
  'select: users': async () => {
    const interaction = await chosen(new UserSelectMenuBuilder().setCustomId('users'), [ben.id]);
    same([interaction.values, interaction.users.first().globalName, interaction.members.first().displayName], [[ben.id], 'Ben', 'Ben'], 'users');
  },
  'select: roles': async () => {
    const interaction = await chosen(new RoleSelectMenuBuilder().setCustomId('roles'), [shop.roles.Elder]);
    same(interaction.roles.map(({ name }) => name), ['Elder'], 'roles');
  },
  'select: mentionables': async () => {
    const interaction = await chosen(new MentionableSelectMenuBuilder().setCustomId('any').setMaxValues(2), [ben.id, shop.roles.Elder]);
    same([interaction.users.first().id, interaction.roles.first().name], [ben.id, 'Elder'], 'mentionables');
  },
  'select: channels': async () => {
    const interaction = await chosen(new ChannelSelectMenuBuilder().setCustomId('channels'), [desk().id]);
    same(interaction.channels.map(({ name }) => name), ['desk'], 'channels');
  },
  'modal': async () => {
    const interaction = await use('say', []);
    const shown = humans.ada.event('INTERACTION_MODAL_CREATE');
    await interaction.showModal(modal('order'));
    const form = await shown;
    same([form.title, form.custom_id, form.components[0].components[0].label], ['An order', 'order', 'What?'], 'modal');
    const seen = pressed('order');
    await humans.ada.submit(desk(), form, { what: 'a chair' });
    const submitted = await seen;
    same([submitted.isModalSubmit(), submitted.fields.getTextInputValue('what'), submitted.isFromMessage()], [true, 'a chair', false], 'submitted');
    await submitted.reply('ordered');
    same((await submitted.fetchReply()).content, 'ordered', 'reply');
  },
  'modal of a button': async () => {
    const sent = await desk().send({ content: 'press', components: [row(button('form'))] });
    const seen = pressed('form');
    await humans.ada.press(sent, 'form');
    const interaction = await seen;
    const shown = humans.ada.event('INTERACTION_MODAL_CREATE');
    await interaction.showModal(modal('change'));
    const submitting = interaction.awaitModalSubmit({ time: 5000 });
    await humans.ada.submit(desk(), await shown, { what: 'a table' });
    const submitted = await submitting;
    same([submitted.isFromMessage(), submitted.message.id], [true, sent.id], 'message');
    await submitted.update({ content: submitted.fields.getTextInputValue('what'), components: [] });
    same((await sent.fetch(true)).content, 'a table', 'content');
  },
  'modal with labels': async () => {
    const interaction = await use('say', []);
    const shown = humans.ada.event('INTERACTION_MODAL_CREATE');
    const menu = new StringSelectMenuBuilder().setCustomId('wood').addOptions({ label: 'Oak', value: 'oak' }, { label: 'Ash', value: 'ash' });
    const label = new LabelBuilder().setLabel('Wood').setDescription('Which one').setStringSelectMenuComponent(menu);
    await interaction.showModal(new ModalBuilder().setCustomId('labels').setTitle('Labels').addLabelComponents(label));
    const seen = pressed('labels');
    await humans.ada.submit(desk(), await shown, { wood: ['ash'] });
    const submitted = await seen;
    same(submitted.fields.getStringSelectValues('wood'), ['ash'], 'values');
    await submitted.reply('noted');
  },
  'modal limits': async () => {
    const interaction = await use('say', []);
    const callback = (data) => client.rest.post(`/interactions/${interaction.id}/${interaction.token}/callback`, { body: { type: 9, data }, auth: false });
    const line = (custom_id) => ({ type: 1, components: [{ type: 4, custom_id, label: 'x', style: 1 }] });
    await fails(callback({ custom_id: 'm', title: 'x'.repeat(46), components: [line('a')] }), 50035);
    await fails(callback({ custom_id: 'm', title: 'x', components: [] }), 50035);
    await fails(callback({ custom_id: 'm', title: 'x', components: ['a', 'b', 'c', 'd', 'e', 'f'].map(line) }), 50035);
    await interaction.reply('no modal');
  },
});
