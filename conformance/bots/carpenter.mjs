// A bot as somebody would write it with discord.js: commands with a modal, a
// shop of buttons and menus, threads for orders, and a webhook that speaks for
// the workshop. It knows nothing of being tested but where Discord is.

import {
  ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, ComponentType, EmbedBuilder, Events, GatewayIntentBits, MessageFlags,
  ModalBuilder, REST, Routes, SlashCommandBuilder, StringSelectMenuBuilder, TextInputBuilder, TextInputStyle,
} from 'discord.js';

const { DISCORD_API, DISCORD_TOKEN, DISCORD_GUILD } = process.env;
const rest = { api: DISCORD_API, version: '10' };
const client = new Client({ rest, intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent] });

const orders = new Map();
const woods = ['oak', 'ash', 'beech', 'walnut'];

const definitions = [
  new SlashCommandBuilder().setName('order').setDescription('Order a piece of furniture'),
  new SlashCommandBuilder().setName('stock').setDescription('Ask for a kind of wood')
    .addStringOption((option) => option.setName('wood').setDescription('Which').setRequired(true).setAutocomplete(true)),
  new SlashCommandBuilder().setName('vote').setDescription('Have people vote').addStringOption((option) => option.setName('what').setDescription('On what').setRequired(true)),
  new SlashCommandBuilder().setName('announce').setDescription('Speak as the workshop').addStringOption((option) => option.setName('text').setDescription('What').setRequired(true)),
].map((definition) => definition.toJSON());

const row = (...components) => new ActionRowBuilder().addComponents(...components);
const button = (id, label, style = ButtonStyle.Primary) => new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);

const commands = {
  async order(interaction) {
    const what = new TextInputBuilder().setCustomId('what').setLabel('What shall it be?').setStyle(TextInputStyle.Short).setMaxLength(50);
    const notes = new TextInputBuilder().setCustomId('notes').setLabel('Notes').setStyle(TextInputStyle.Paragraph).setRequired(false);
    await interaction.showModal(new ModalBuilder().setCustomId('order').setTitle('Your order').addComponents(row(what), row(notes)));
    const submitted = await interaction.awaitModalSubmit({ time: 60_000, filter: (it) => it.user.id === interaction.user.id });
    const order = { what: submitted.fields.getTextInputValue('what'), notes: submitted.fields.getTextInputValue('notes') };
    const menu = new StringSelectMenuBuilder().setCustomId('wood').setPlaceholder('Which wood?').addOptions(woods.map((wood) => ({ label: wood, value: wood })));
    const { resource } = await submitted.reply({ content: `${order.what}: of which wood?`, components: [row(menu)], withResponse: true });
    orders.set(resource.message.id, order);
    await resource.message.react('🪚');
  },
  async stock(interaction) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const wood = interaction.options.getString('wood');
    await interaction.editReply(woods.includes(wood) ? `We have ${wood}.` : `We have no ${wood}.`);
  },
  async vote(interaction) {
    const what = interaction.options.getString('what');
    const buttons = row(button('yes', 'Yes', ButtonStyle.Success), button('no', 'No', ButtonStyle.Danger), button('close', 'Close', ButtonStyle.Secondary));
    const { resource } = await interaction.reply({ embeds: [new EmbedBuilder().setTitle(what).setDescription('0 for, 0 against')], components: [buttons], withResponse: true });
    const votes = new Map();
    const tally = (side) => [...votes.values()].filter((vote) => vote === side).length;
    const collector = resource.message.createMessageComponentCollector({ componentType: ComponentType.Button, time: 60_000 });
    collector.on('collect', async (pressed) => {
      if (pressed.customId === 'close') {
        if (pressed.user.id !== interaction.user.id) return void pressed.reply({ content: 'Only who asked may close it.', flags: MessageFlags.Ephemeral });
        await pressed.update({ components: [] });
        return void collector.stop('closed');
      }
      votes.set(pressed.user.id, pressed.customId);
      const embed = new EmbedBuilder().setTitle(what).setDescription(`${tally('yes')} for, ${tally('no')} against`);
      await pressed.update({ embeds: [embed] });
    });
    collector.on('end', (_, reason) => interaction.followUp(`${what}: ${reason}, ${tally('yes')} to ${tally('no')}`));
    await resource.message.react('🗳️');
  },
  async announce(interaction) {
    const hooks = await interaction.channel.fetchWebhooks();
    const hook = hooks.find((it) => it.token) ?? await interaction.channel.createWebhook({ name: 'Workshop' });
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const sent = await hook.send({ content: interaction.options.getString('text'), username: 'The Workshop', allowedMentions: { parse: [] } });
    await interaction.editReply(`Announced: ${sent.url}`);
  },
};

async function chosen(interaction) {
  const order = orders.get(interaction.message.id);
  const wood = interaction.values[0];
  await interaction.update({ content: `${order.what} of ${wood}, for ${interaction.user.displayName}`, components: [row(button('cancel', 'Cancel', ButtonStyle.Danger))] });
  const thread = await interaction.message.startThread({ name: order.what, autoArchiveDuration: 60 });
  await thread.members.add(interaction.user);
  await thread.send({ content: `We begin with the ${wood}.`, embeds: order.notes ? [{ description: order.notes }] : [] });
}

async function cancelled(interaction) {
  await interaction.deferUpdate();
  await interaction.editReply({ content: 'Cancelled.', components: [] });
  const thread = interaction.message.thread ?? await client.channels.fetch(interaction.message.id);
  await thread.send('It was cancelled.');
  await thread.setArchived(true);
}

client.on(Events.InteractionCreate, async (interaction) => {
  try {
    if (interaction.isAutocomplete()) {
      const begun = interaction.options.getFocused();
      await interaction.respond(woods.filter((wood) => wood.startsWith(begun)).map((wood) => ({ name: wood, value: wood })));
    } else if (interaction.isChatInputCommand()) await commands[interaction.commandName](interaction);
    else if (interaction.isStringSelectMenu()) await chosen(interaction);
    else if (interaction.isButton() && interaction.customId === 'cancel') await cancelled(interaction);
  } catch (error) {
    console.error(error);
  }
});

client.on(Events.MessageCreate, async (message) => {
  if (message.author.bot || !message.channel.isThread() || !message.content.includes('ready?')) return;
  await message.react('🔨');
  await message.reply('Not yet.');
});

client.once(Events.ClientReady, async (ready) => {
  const deploy = new REST(rest).setToken(DISCORD_TOKEN);
  await deploy.put(Routes.applicationGuildCommands(ready.application.id, DISCORD_GUILD), { body: definitions });
  console.log('ready');
});

await client.login(DISCORD_TOKEN);
