// What a guild sets up for its people: events, stages, rules, sounds, a template, a welcome.

import { AuditLogEvent, ChannelType, Events } from 'discord.js';

import { ada, ben, bench, client, event, fails, features, humans, person, picture, place, refused, rest, same, say, shop, sleep, tea, teaHouse, workshop, world } from './emulator.mjs';

const hour = 3_600_000;
const soon = (hours) => Date.now() + hours * hour;
const outing = { name: 'Outing', privacyLevel: 2, entityType: 3, entityMetadata: { location: 'The lake' } };
const times = () => ({ scheduledStartTime: soon(1), scheduledEndTime: soon(2) });

/** An MP3 as far as its beginning goes. */
const sound = () => Buffer.concat([Buffer.from('ID3\x04', 'latin1'), Buffer.alloc(60)]);

Object.assign(features, {
  'scheduled event': async () => {
    const events = workshop().scheduledEvents;
    const made = event(Events.GuildScheduledEventCreate);
    const one = await events.create({ ...outing, ...times(), description: 'Bring tea', image: picture(), reason: 'summer' });
    same([(await made).id, one.entityMetadata.location, one.creatorId, one.status], [one.id, 'The lake', world.bot.id, 1], 'event');
    const joined = event(Events.GuildScheduledEventUserAdd);
    await rest(ben.token, 'PUT', `/guilds/${shop.id}/scheduled-events/${one.id}/users/@me`);
    same((await joined)[1].id, ben.id, 'who joined');
    const people = await one.fetchSubscribers({ withMember: true });
    same(people.get(ben.id)?.member.id, ben.id, 'subscriber');
    same((await events.fetch({ guildScheduledEvent: one.id, force: true, withUserCount: true })).userCount, 1, 'count');
    const changed = event(Events.GuildScheduledEventUpdate);
    await one.setName('Picnic');
    same((await changed)[1].name, 'Picnic', 'name');
    await one.setStatus(2);
    await one.setStatus(3);
    await fails(one.setName('Again'), 180000);
    const other = await events.create({ ...outing, entityType: 2, entityMetadata: undefined, channel: place('studio'), scheduledStartTime: soon(1) });
    const gone = event(Events.GuildScheduledEventDelete);
    await other.delete();
    same((await gone).id, other.id, 'deleted');
  },
  'scheduled event refused': async () => {
    const events = workshop().scheduledEvents;
    await fails(events.create({ ...outing, ...times(), scheduledStartTime: soon(-1) }), 50035);
    await fails(events.create({ ...outing, scheduledStartTime: soon(1) }), 50035);
    await fails(events.create({ ...outing, ...times(), entityType: 1, channel: place('studio') }), 50035);
    const body = { name: 'x', privacy_level: 2, entity_type: 3, entity_metadata: { location: 'x' } };
    const during = { scheduled_start_time: new Date(soon(1)).toISOString(), scheduled_end_time: new Date(soon(2)).toISOString() };
    const theirs = await rest(ada.token, 'POST', `/guilds/${tea.id}/scheduled-events`, { ...body, ...during });
    await fails(client.rest.patch(`/guilds/${tea.id}/scheduled-events/${theirs.id}`, { body: { name: 'mine' } }), 50013);
    await fails(events.fetch('1'), 10070);
  },
  'stage opened': async () => {
    const stage = await workshop().channels.create({ name: 'stage', type: ChannelType.GuildStageVoice });
    const made = event(Events.StageInstanceCreate);
    const one = await stage.createStageInstance({ topic: 'Tea' });
    same((await made).topic, 'Tea', 'event');
    await fails(stage.createStageInstance({ topic: 'Tea' }), 150006);
    const changed = event(Events.StageInstanceUpdate);
    await one.setTopic('Coffee');
    same((await changed)[1].topic, 'Coffee', 'topic');
    const gone = event(Events.StageInstanceDelete);
    await one.delete();
    await gone;
    await fails(workshop().stageInstances.fetch(stage, { force: true }), 10067);
    await stage.delete();
  },
  'auto moderation': async () => {
    const rules = workshop().autoModerationRules;
    const made = event(Events.AutoModerationRuleCreate);
    const alerts = bench();
    const rule = await rules.create({
      name: 'Manners', eventType: 1, triggerType: 1, enabled: true,
      triggerMetadata: { keywordFilter: ['sloppy*'], allowList: ['sloppyjoe'] },
      actions: [{ type: 1, metadata: { customMessage: 'please' } }, { type: 2, metadata: { channel: alerts } }],
    });
    same((await made).id, rule.id, 'event');
    const alerted = event(Events.MessageCreate, ({ type }) => type === 24);
    const acted = event(Events.AutoModerationActionExecution);
    const where = bench();
    await refused(say(person.cleo, where, 'Sloppyness'), 400, 200000);
    const execution = await acted;
    same([execution.userId, execution.ruleId, execution.matchedKeyword], [person.cleo.id, rule.id, 'sloppy*'], 'execution');
    same((await alerted).channelId, alerts.id, 'alert');
    await say(person.cleo, where, 'a sloppyjoe');
    await rule.setEnabled(false);
    await say(person.cleo, where, 'sloppy');
    same((await rules.fetch()).size, 1, 'rules');
    const gone = event(Events.AutoModerationRuleDelete);
    await rule.delete();
    await gone;
    await fails(rules.fetch(rule.id), 10120);
    await fails(teaHouse().autoModerationRules.fetch(), 50013);
  },
  'soundboard': async () => {
    const sounds = workshop().soundboardSounds;
    const made = event(Events.GuildSoundboardSoundCreate);
    const one = await sounds.create({ file: sound(), contentType: 'audio/mpeg', name: 'boing', volume: 0.5, emojiName: '🔔' });
    same([(await made).name, one.volume, one.emoji.name], ['boing', 0.5, '🔔'], 'sound');
    same((await client.guilds.fetchSoundboardSounds({ guildIds: [shop.id] })).get(shop.id).size, 1, 'over the gateway');
    const changed = event(Events.GuildSoundboardSoundUpdate);
    await one.edit({ name: 'bong' });
    same((await changed)[1].name, 'bong', 'name');
    const gone = event(Events.GuildSoundboardSoundDelete);
    await one.delete();
    await gone;
    same((await sounds.fetch()).size, 0, 'left');
    same((await client.fetchDefaultSoundboardSounds()).size > 0, true, 'defaults');
  },
  'guild template': async () => {
    const one = await workshop().createTemplate('Base', 'for others');
    same((await client.fetchGuildTemplate(one.code)).serializedGuild.channels.length > 10, true, 'channels');
    await one.sync();
    same((await one.edit({ name: 'Best' })).name, 'Best', 'name');
    same((await workshop().fetchTemplates()).size, 1, 'templates');
    await one.delete();
    await fails(client.fetchGuildTemplate(one.code), 10057);
  },
  'welcome screen': async () => {
    await fails(teaHouse().fetchWelcomeScreen(), 10069);
    const channels = [{ channel: place('desk'), description: 'Ask', emoji: '👋' }];
    await workshop().editWelcomeScreen({ enabled: true, description: 'Hello', welcomeChannels: channels });
    const screen = await workshop().fetchWelcomeScreen();
    same([screen.description, screen.welcomeChannels.first().emoji.name], ['Hello', '👋'], 'screen');
  },
  'onboarding': async () => {
    const options = [{ title: 'Tea', emoji: '🍵', channels: [place('desk')] }];
    const set = await workshop().editOnboarding({ prompts: [{ title: 'What?', options }], defaultChannels: [place('desk')], enabled: false });
    same([set.prompts.first().title, set.prompts.first().options.first().emoji.name], ['What?', '🍵'], 'prompt');
    await fails(workshop().editOnboarding({ enabled: true }), 350000);
  },
  'integrations listed': async () => {
    const all = await workshop().fetchIntegrations();
    same(all.find(({ application }) => application.bot.id === world.bot.id)?.type, 'discord', 'integration');
    await fails(teaHouse().fetchIntegrations(), 50013);
  },
  'guild features': async () => {
    const channels = { rulesChannel: place('desk'), publicUpdatesChannel: place('hooks') };
    same((await workshop().edit({ features: ['COMMUNITY'], ...channels })).features, ['COMMUNITY'], 'features');
    await workshop().disableInvites();
    same(workshop().features.includes('INVITES_DISABLED'), true, 'invites');
    await workshop().edit({ features: [], rulesChannel: null, publicUpdatesChannel: null });
  },
  'application edited': async () => {
    const { application } = client;
    same((await application.edit({ description: 'Makes tea', tags: ['tea'] })).description, 'Makes tea', 'description');
    const records = [{ type: 7, key: 'likes_tea', name: 'Tea', description: 'Likes tea' }];
    same((await application.editRoleConnectionMetadataRecords(records)).length, 1, 'records');
    same([(await application.fetchSKUs()).size, (await application.entitlements.fetch()).size], [0, 0], 'what is sold');
  },
  'voice state fetched': async () => {
    await fails(workshop().voiceStates.fetch(ben.id, { force: true }), 10065);
    const { studio } = shop.channels;
    await humans.ben.connect();
    const seen = event(Events.VoiceStateUpdate, (_, now) => now.id === ben.id && now.channelId === studio);
    humans.ben.send(4, { guild_id: shop.id, channel_id: studio, self_mute: true, self_deaf: false });
    await seen;
    const state = await workshop().voiceStates.fetch(ben.id, { force: true });
    same([state.channelId, state.selfMute], [studio, true], 'state');
    const left = event(Events.VoiceStateUpdate, (_, now) => now.id === ben.id && now.channelId === null);
    humans.ben.send(4, { guild_id: shop.id, channel_id: null, self_mute: false, self_deaf: false });
    await left;
  },
  'voice message': async () => {
    const file = { attachment: Buffer.from('OggS'), name: 'voice.ogg', waveform: 'AAAA', duration: 2.5 };
    const sent = await bench().send({ files: [file], flags: 1 << 13 });
    const heard = sent.attachments.first();
    same([sent.flags.has(1 << 13), heard.duration, heard.waveform], [true, 2.5, 'AAAA'], 'message');
    await fails(bench().send({ content: 'x', files: [file], flags: 1 << 13 }), 50159);
  },
  'own picture in a guild': async () => {
    const me = await workshop().members.editMe({ avatar: picture() });
    const url = me.avatarURL({ extension: 'png' }).replace(/^https:\/\/[^/]+/, world.cdn_url);
    same((await fetch(url)).status, 200, 'picture');
    same((await workshop().members.editMe({ avatar: null })).avatar, null, 'no picture');
  },
  'messages searched': async () => {
    const where = bench();
    await say(ben, where, 'a needle in the hay');
    const found = await client.rest.get(`/guilds/${shop.id}/messages/search?content=needle&author_id=${ben.id}`);
    same([found.total_results, found.messages[0][0].content], [1, 'a needle in the hay'], 'found');
  },
  'webhooks in the audit log': async () => {
    const hook = await bench().createWebhook({ name: 'Noted', reason: 'for the log' });
    const entry = (await workshop().fetchAuditLogs({ type: AuditLogEvent.WebhookCreate, limit: 1 })).entries.first();
    same([entry.targetId, entry.reason], [hook.id, 'for the log'], 'entry');
    await hook.delete();
    await sleep(0);
  },
});
