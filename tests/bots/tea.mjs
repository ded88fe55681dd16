// A bot as people write them with discord.js, unmodified: commands, buttons,
// selects, a form, context menus, and messages built of components.
//
// Usage: node tea.mjs '{"api_url": …}', what `GET /emulator/world` answers.

import {
  ActionRowBuilder, ApplicationCommandType, ButtonBuilder, ButtonStyle, Client, ContainerBuilder, ContextMenuCommandBuilder,
  Events, GatewayIntentBits, LabelBuilder, MediaGalleryBuilder, MessageFlags, ModalBuilder, SectionBuilder, SeparatorBuilder,
  SlashCommandBuilder, StringSelectMenuBuilder, TextDisplayBuilder, TextInputBuilder, TextInputStyle, UserSelectMenuBuilder,
} from 'discord.js';

const world = JSON.parse(process.argv[2]);
const TEAS = ['assam', 'gyokuro', 'oolong', 'sencha'];

const commands = [
  new SlashCommandBuilder().setName('brew').setDescription('Brews a cup')
    .addStringOption((it) => it.setName('tea').setDescription('Which one').setRequired(true).setAutocomplete(true))
    .addIntegerOption((it) => it.setName('cups').setDescription('How many').setMinValue(1).setMaxValue(9))
    .addBooleanOption((it) => it.setName('milk').setDescription('With milk'))
    .addStringOption((it) => it.setName('size').setDescription('How large').addChoices({ name: 'Small', value: 's' }, { name: 'Large', value: 'l' })),
  new SlashCommandBuilder().setName('menu').setDescription('Buttons and selects'),
  new SlashCommandBuilder().setName('order').setDescription('Opens a form'),
  new SlashCommandBuilder().setName('card').setDescription('A message built of components'),
  new SlashCommandBuilder().setName('slow').setDescription('Thinks before it answers'),
  new SlashCommandBuilder().setName('silent').setDescription('Never answers'),
  new SlashCommandBuilder().setName('shelf').setDescription('The shelf')
    .addSubcommand((it) => it.setName('add').setDescription('Puts a tea there').addUserOption((who) => who.setName('for').setDescription('For whom').setRequired(true)))
    .addSubcommand((it) => it.setName('list').setDescription('Lists it')),
  new ContextMenuCommandBuilder().setName('Count letters').setType(ApplicationCommandType.Message),
  new ContextMenuCommandBuilder().setName('Pour for them').setType(ApplicationCommandType.User),
];

const client = new Client({
  rest: { api: world.api_url.replace(/\/v10$/, ''), version: '10' },
  intents: [GatewayIntentBits.Guilds],
});

const row = (...parts) => new ActionRowBuilder().addComponents(...parts);
const button = (id, label, style) => new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);
let slow = null;

const slash = {
  brew: (it) => {
    const given = ['tea', 'cups', 'milk', 'size'].map((name) => `${name}=${it.options.get(name)?.value ?? '-'}`);
    return it.reply(`Brewing: ${given.join(' ')}`);
  },
  menu: (it) => it.reply({
    content: 'What will it be?',
    components: [
      row(button('count', 'Pressed 0 times', ButtonStyle.Primary), button('secret', 'Whisper', ButtonStyle.Secondary), button('form', 'Order', ButtonStyle.Success), button('off', 'Off', ButtonStyle.Danger).setDisabled(true)),
      row(new StringSelectMenuBuilder().setCustomId('teas').setPlaceholder('Choose teas').setMinValues(1).setMaxValues(2).addOptions(TEAS.map((tea) => ({ label: tea, value: tea, description: `a cup of ${tea}` })))),
      row(new UserSelectMenuBuilder().setCustomId('guest').setPlaceholder('Choose a guest')),
    ],
  }),
  order: (it) => it.showModal(form()),
  card: (it) => it.reply({
    flags: MessageFlags.IsComponentsV2,
    components: [
      new ContainerBuilder().setAccentColor(0x6fd3a4)
        .addSectionComponents(new SectionBuilder().addTextDisplayComponents(new TextDisplayBuilder().setContent('## House card\nwith **care**')).setButtonAccessory(button('secret', 'Whisper', ButtonStyle.Primary)))
        .addSeparatorComponents(new SeparatorBuilder().setDivider(true))
        .addTextDisplayComponents(new TextDisplayBuilder().setContent('below the line'))
        .addMediaGalleryComponents(new MediaGalleryBuilder().addItems((item) => item.setURL('https://example.com/cup.png').setDescription('a cup'))),
    ],
  }),
  slow: async (it) => {
    slow = it;
    await it.deferReply();
  },
  silent: () => {},
  shelf: (it) => it.reply(it.options.getSubcommand() === 'add' ? `For ${it.options.getUser('for').username}` : 'Empty'),
};

function form() {
  const name = new TextInputBuilder().setCustomId('name').setStyle(TextInputStyle.Short).setMaxLength(20);
  const words = new TextInputBuilder().setCustomId('words').setStyle(TextInputStyle.Paragraph).setRequired(false);
  return new ModalBuilder().setCustomId('order').setTitle('Your order').addLabelComponents(
    new LabelBuilder().setLabel('Your name').setDescription('As on the cup').setTextInputComponent(name),
    new LabelBuilder().setLabel('Anything else').setTextInputComponent(words),
  );
}

const used = {
  count: (it) => {
    const times = Number(/\d+/.exec(it.component.label)) + 1;
    const [first, ...rest] = it.message.components;
    const buttons = first.components.map((one) => ButtonBuilder.from(one));
    buttons[0].setLabel(`Pressed ${times} times`);
    return it.update({ components: [row(...buttons), ...rest] });
  },
  secret: (it) => it.reply({ content: `Just for you, ${it.user.username}`, flags: MessageFlags.Ephemeral }),
  form: (it) => it.showModal(form()),
  teas: (it) => it.reply(`Teas: ${it.values.join(', ')}`),
  guest: (it) => it.reply(`Guest: ${it.users.first().username}`),
};

client.on(Events.InteractionCreate, async (it) => {
  if (it.isAutocomplete()) {
    const typed = it.options.getFocused();
    await it.respond(TEAS.filter((tea) => tea.startsWith(typed)).map((tea) => ({ name: tea, value: tea })));
  } else if (it.isChatInputCommand()) await slash[it.commandName](it);
  else if (it.isMessageContextMenuCommand()) await it.reply({ content: `${it.targetMessage.content.length} letters`, flags: MessageFlags.Ephemeral });
  else if (it.isUserContextMenuCommand()) await it.reply(`A cup for ${it.targetUser.username}`);
  else if (it.isMessageComponent()) await used[it.customId](it);
  else if (it.isModalSubmit()) await it.reply(`Order of ${it.fields.getTextInputValue('name')}: ${it.fields.getTextInputValue('words') || 'nothing else'}`);
});

client.once(Events.ClientReady, async () => {
  await client.application.commands.set(commands);
  console.log('ready');
});

// The test says when thinking ends.
process.stdin.on('data', async () => {
  await slow?.editReply('Thought it over');
  slow = null;
});

await client.login(world.bots[0].token);
