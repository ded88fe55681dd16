// Reads what another bot of the same application has registered and posted,
// and builds it once more with discord.js's own builders, which check
// everything. Prints `ready` if all is as it should be.

import assert from 'node:assert/strict';

import {
  ActionRowBuilder, ApplicationCommandOptionType as Option, ButtonBuilder, ButtonStyle, Client, ComponentType, GatewayIntentBits, SlashCommandBuilder,
  SlashCommandSubcommandBuilder,
} from 'discord.js';

const world = JSON.parse(process.argv[2]);
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: world.api_url.replace(/\/v10$/, '') } });

const adders = {
  [Option.String]: 'addStringOption',
  [Option.Integer]: 'addIntegerOption',
  [Option.Number]: 'addNumberOption',
  [Option.Boolean]: 'addBooleanOption',
  [Option.User]: 'addUserOption',
  [Option.Channel]: 'addChannelOption',
  [Option.Role]: 'addRoleOption',
  [Option.Attachment]: 'addAttachmentOption',
};

function named(builder, { name, description, nameLocalizations, descriptionLocalizations }) {
  return builder
    .setName(name)
    .setDescription(description)
    .setNameLocalizations(nameLocalizations ?? {})
    .setDescriptionLocalizations(descriptionLocalizations ?? {});
}

function withOptions(builder, options) {
  for (const option of options ?? []) {
    if (option.type === Option.Subcommand) {
      builder.addSubcommand(withOptions(named(new SlashCommandSubcommandBuilder(), option), option.options));
      continue;
    }
    builder[adders[option.type]]((it) => {
      named(it, option).setRequired(option.required ?? false);
      if (option.choices?.length) it.addChoices(...option.choices.map(({ name, value }) => ({ name, value })));
      if (option.minValue !== undefined) it.setMinValue(option.minValue);
      if (option.maxValue !== undefined) it.setMaxValue(option.maxValue);
      if (option.maxLength !== undefined) it.setMaxLength(option.maxLength);
      if (option.autocomplete) it.setAutocomplete(true);
      return it;
    });
  }
  return builder;
}

async function commands() {
  const all = await client.application.commands.fetch({ withLocalizations: true });
  assert.ok(all.size >= 20, `${all.size} commands`);
  for (const command of all.values()) {
    const built = withOptions(named(new SlashCommandBuilder(), command), command.options).toJSON();
    assert.equal(built.name, command.name);
    assert.ok(command.nameLocalizations?.ja, `${command.name} has a Japanese name`);
    const names = (options) => (options ?? []).map(({ name, type, options: inner }) => [name, type, names(inner)]);
    assert.deepEqual(names(built.options), names(command.options), command.name);
  }
  const tempban = all.find(({ name }) => name === 'tempban');
  assert.equal(tempban.defaultMemberPermissions.bitfield, 4n, 'Ban Members');
  const option = (wanted) => tempban.options.find(({ name }) => name === wanted);
  assert.deepEqual(['user', 'duration', 'reason'].map((name) => [option(name).type, option(name).required ?? false]), [
    [Option.User, true], [Option.String, true], [Option.String, false],
  ]);
}

async function components() {
  const channel = await client.channels.fetch(world.channels.general);
  const messages = await channel.messages.fetch({ limit: 10 });
  const offer = messages.find(({ components }) => components.length > 0);
  assert.equal(offer.author.id, client.user.id);
  const [row] = offer.components;
  assert.equal(row.type, ComponentType.ActionRow);
  assert.deepEqual(row.components.map(({ type, label, style, disabled }) => [type, label, style, disabled ?? false]), [
    [ComponentType.Button, 'Approve', ButtonStyle.Danger, false],
    [ComponentType.Button, 'Cancel', ButtonStyle.Secondary, false],
  ]);
  const built = new ActionRowBuilder().addComponents(row.components.map((it) => ButtonBuilder.from(it))).toJSON();
  assert.equal(built.components.length, 2);
  for (const { customId } of row.components) assert.match(customId, /^k1\//);
}

client.once('clientReady', async () => {
  await commands();
  await components();
  console.log('ready');
});
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
await client.login(world.bot.token);
