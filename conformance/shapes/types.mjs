// Which type of discord-api-types an answer or an event has.

const ID = '[^/]+';

/** A route with `*` for every id, as a pattern. */
const route = (path) => new RegExp(`^${path.replaceAll('*', ID)}$`);

const both = (path, method, type) => [method, route(path), type];

const commands = (own, one, many) => [
  both(own, 'GET', many), both(own, 'POST', one), both(own, 'PUT', many),
  both(`${own}/*`, 'GET', one), both(`${own}/*`, 'PATCH', one),
];

/** What is listed, made, read and changed below a path. */
const things = (path, name) => [
  both(path, 'GET', `RESTGetAPI${name}sResult`), both(path, 'POST', `RESTPostAPI${name}Result`),
  both(`${path}/*`, 'GET', `RESTGetAPI${name}Result`), both(`${path}/*`, 'PATCH', `RESTPatchAPI${name}Result`),
];

/** Method, pattern and type of the body; `null` where a body is nobody's type. The first that fits counts. */
export const routes = [
  both('/gateway', 'GET', 'RESTGetAPIGatewayResult'),
  both('/gateway/bot', 'GET', 'RESTGetAPIGatewayBotResult'),
  both('/users/@me', 'GET', 'RESTGetAPICurrentUserResult'),
  both('/users/@me', 'PATCH', 'RESTPatchAPICurrentUserResult'),
  both('/users/@me/guilds', 'GET', 'RESTGetAPICurrentUserGuildsResult'),
  both('/users/@me/channels', 'POST', 'RESTPostAPICurrentUserCreateDMChannelResult'),
  both('/users/*', 'GET', 'RESTGetAPIUserResult'),
  both('/applications/@me', 'GET', 'APIApplication'),
  both('/applications/@me', 'PATCH', 'RESTPatchCurrentApplicationResult'),
  both('/applications/*/role-connections/metadata', 'PUT', 'RESTPutAPIApplicationRoleConnectionMetadataResult'),
  both('/applications/*/skus', 'GET', 'RESTGetAPISKUsResult'),
  both('/applications/*/entitlements', 'GET', 'RESTGetAPIEntitlementsResult'),
  both('/oauth2/applications/@me', 'GET', 'RESTGetAPIOAuth2CurrentApplicationResult'),
  both('/applications/*/guilds/*/commands/permissions', 'GET', 'RESTGetAPIGuildApplicationCommandsPermissionsResult'),
  ...commands('/applications/*/commands', 'RESTGetAPIApplicationCommandResult', 'RESTGetAPIApplicationCommandsResult'),
  ...commands('/applications/*/guilds/*/commands', 'RESTGetAPIApplicationGuildCommandResult', 'RESTGetAPIApplicationGuildCommandsResult'),
  both('/guilds/*', 'GET', 'RESTGetAPIGuildResult'),
  both('/guilds/*', 'PATCH', 'RESTPatchAPIGuildResult'),
  both('/guilds/*/channels', 'GET', 'APIChannel[]'),
  both('/guilds/*/channels', 'POST', 'RESTPostAPIGuildChannelResult'),
  both('/guilds/*/threads/active', 'GET', 'RESTGetAPIGuildThreadsResult'),
  both('/guilds/*/roles', 'GET', 'RESTGetAPIGuildRolesResult'),
  both('/guilds/*/roles', 'POST', 'RESTPostAPIGuildRoleResult'),
  both('/guilds/*/roles', 'PATCH', 'RESTPatchAPIGuildRolePositionsResult'),
  both('/guilds/*/roles/*', 'GET', 'RESTGetAPIGuildRoleResult'),
  both('/guilds/*/roles/*', 'PATCH', 'RESTPatchAPIGuildRoleResult'),
  both('/guilds/*/members', 'GET', 'RESTGetAPIGuildMembersResult'),
  both('/guilds/*/members/search', 'GET', 'RESTGetAPIGuildMembersSearchResult'),
  both('/guilds/*/members/@me', 'PATCH', 'RESTPatchAPICurrentGuildMemberResult'),
  both('/guilds/*/members/*', 'GET', 'RESTGetAPIGuildMemberResult'),
  both('/guilds/*/members/*', 'PATCH', 'RESTPatchAPIGuildMemberResult'),
  both('/guilds/*/bans', 'GET', 'RESTGetAPIGuildBansResult'),
  both('/guilds/*/bans/*', 'GET', 'RESTGetAPIGuildBanResult'),
  both('/guilds/*/bulk-ban', 'POST', 'RESTPostAPIGuildBulkBanResult'),
  both('/guilds/*/audit-logs', 'GET', 'RESTGetAPIAuditLogResult'),
  both('/guilds/*/invites', 'GET', 'RESTGetAPIGuildInvitesResult'),
  both('/guilds/*/webhooks', 'GET', 'RESTGetAPIGuildWebhooksResult'),
  both('/guilds/*/emojis', 'GET', 'RESTGetAPIGuildEmojisResult'),
  both('/guilds/*/emojis', 'POST', 'RESTPostAPIGuildEmojiResult'),
  both('/guilds/*/emojis/*', 'GET', 'RESTGetAPIGuildEmojiResult'),
  both('/guilds/*/emojis/*', 'PATCH', 'RESTPatchAPIGuildEmojiResult'),
  both('/guilds/*/stickers', 'GET', 'RESTGetAPIGuildStickersResult'),
  both('/guilds/*/stickers', 'POST', 'RESTPostAPIGuildStickerResult'),
  both('/guilds/*/stickers/*', 'GET', 'RESTGetAPIGuildStickerResult'),
  both('/guilds/*/stickers/*', 'PATCH', 'RESTPatchAPIGuildStickerResult'),
  both('/guilds/*/integrations', 'GET', 'RESTGetAPIGuildIntegrationsResult'),
  both('/guilds/*/messages/search', 'GET', 'RESTGetAPIGuildMessagesSearchResult'),
  both('/guilds/*/voice-states/*', 'GET', 'RESTGetAPIGuildVoiceStateUserResult'),
  both('/guilds/*/welcome-screen', 'GET', 'RESTGetAPIGuildWelcomeScreenResult'),
  both('/guilds/*/welcome-screen', 'PATCH', 'RESTPatchAPIGuildWelcomeScreenResult'),
  both('/guilds/*/onboarding', 'GET', 'RESTGetAPIGuildOnboardingResult'),
  both('/guilds/*/onboarding', 'PUT', 'RESTPutAPIGuildOnboardingResult'),
  ...things('/guilds/*/scheduled-events', 'GuildScheduledEvent'),
  both('/guilds/*/scheduled-events/*/users', 'GET', 'RESTGetAPIGuildScheduledEventUsersResult'),
  ...things('/guilds/*/auto-moderation/rules', 'AutoModerationRule'),
  ...things('/guilds/*/soundboard-sounds', 'GuildSoundboardSound'),
  both('/soundboard-default-sounds', 'GET', 'RESTGetAPISoundboardDefaultSoundsResult'),
  ...things('/stage-instances', 'StageInstance'),
  both('/guilds/templates/*', 'GET', 'RESTGetAPITemplateResult'),
  both('/guilds/*/templates', 'GET', 'RESTGetAPIGuildTemplatesResult'),
  both('/guilds/*/templates', 'POST', 'RESTPostAPIGuildTemplatesResult'),
  both('/guilds/*/templates/*', 'PUT', 'RESTPutAPIGuildTemplateSyncResult'),
  both('/guilds/*/templates/*', 'PATCH', 'RESTPatchAPIGuildTemplateResult'),
  both('/guilds/*/templates/*', 'DELETE', 'RESTDeleteAPIGuildTemplateResult'),
  both('/stickers/*', 'GET', 'RESTGetAPIStickerResult'),
  both('/invites/*', 'GET', 'RESTGetAPIInviteResult'),
  both('/invites/*', 'DELETE', 'RESTDeleteAPIInviteResult'),
  both('/channels/*', 'GET', 'RESTGetAPIChannelResult'),
  both('/channels/*', 'PATCH', 'RESTPatchAPIChannelResult'),
  both('/channels/*', 'DELETE', 'RESTDeleteAPIChannelResult'),
  both('/channels/*/invites', 'GET', 'RESTGetAPIChannelInvitesResult'),
  both('/channels/*/invites', 'POST', 'RESTPostAPIChannelInviteResult'),
  both('/channels/*/followers', 'POST', 'RESTPostAPIChannelFollowersResult'),
  both('/channels/*/webhooks', 'GET', 'RESTGetAPIChannelWebhooksResult'),
  both('/channels/*/webhooks', 'POST', 'RESTPostAPIChannelWebhookResult'),
  both('/channels/*/messages', 'GET', 'RESTGetAPIChannelMessagesResult'),
  both('/channels/*/messages', 'POST', 'RESTPostAPIChannelMessageResult'),
  both('/channels/*/messages/pins', 'GET', 'RESTGetAPIChannelMessagesPinsResult'),
  both('/channels/*/pins', 'GET', 'RESTGetAPIChannelPinsResult'),
  both('/channels/*/messages/*', 'GET', 'RESTGetAPIChannelMessageResult'),
  both('/channels/*/messages/*', 'PATCH', 'RESTPatchAPIChannelMessageResult'),
  both('/channels/*/messages/*/crosspost', 'POST', 'RESTPostAPIChannelMessageCrosspostResult'),
  both('/channels/*/messages/*/reactions/*', 'GET', 'RESTGetAPIChannelMessageReactionUsersResult'),
  both('/channels/*/messages/*/threads', 'POST', 'RESTPostAPIChannelMessagesThreadsResult'),
  both('/channels/*/threads', 'POST', (_, body) => (body.message ? 'APIThreadChannel & { message: APIMessage }' : 'RESTPostAPIChannelThreadsResult')),
  both('/channels/*/threads/archived/public', 'GET', 'RESTGetAPIChannelThreadsArchivedPublicResult'),
  both('/channels/*/threads/archived/private', 'GET', 'RESTGetAPIChannelThreadsArchivedPrivateResult'),
  both('/channels/*/users/@me/threads/archived/private', 'GET', 'RESTGetAPIChannelUsersThreadsArchivedResult'),
  both('/channels/*/thread-members', 'GET', 'RESTGetAPIChannelThreadMembersResult'),
  both('/channels/*/thread-members/*', 'GET', 'RESTGetAPIChannelThreadMemberResult'),
  both('/channels/*/polls/*/answers/*', 'GET', 'RESTGetAPIPollAnswerVotersResult'),
  both('/channels/*/polls/*/expire', 'POST', 'RESTPostAPIPollExpireResult'),
  both('/webhooks/*', 'GET', 'RESTGetAPIWebhookResult'),
  both('/webhooks/*', 'PATCH', 'RESTPatchAPIWebhookResult'),
  both('/webhooks/*/*', 'GET', 'RESTGetAPIWebhookWithTokenResult'),
  both('/webhooks/*/*', 'PATCH', 'RESTPatchAPIWebhookWithTokenResult'),
  both('/webhooks/*/*', 'POST', 'RESTPostAPIWebhookWithTokenWaitResult'),
  both('/webhooks/*/*/messages/*', 'GET', 'RESTGetAPIWebhookWithTokenMessageResult'),
  both('/webhooks/*/*/messages/*', 'PATCH', 'RESTPatchAPIWebhookWithTokenMessageResult'),
  both('/interactions/*/*/callback', 'POST', 'RESTPostAPIInteractionCallbackWithResponseResult'),
];

/** The data of an event is named as the event is. */
const named = (event) => `Gateway${event.split('_').map((word) => word[0] + word.slice(1).toLowerCase()).join('')}DispatchData`;

const regular = [
  'READY', 'CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE', 'CHANNEL_PINS_UPDATE', 'GUILD_CREATE', 'GUILD_UPDATE', 'GUILD_DELETE',
  'GUILD_AUDIT_LOG_ENTRY_CREATE', 'GUILD_BAN_ADD', 'GUILD_BAN_REMOVE', 'GUILD_EMOJIS_UPDATE', 'GUILD_STICKERS_UPDATE', 'GUILD_MEMBER_ADD',
  'GUILD_MEMBER_UPDATE', 'GUILD_MEMBER_REMOVE', 'GUILD_MEMBERS_CHUNK', 'GUILD_ROLE_CREATE', 'GUILD_ROLE_UPDATE', 'GUILD_ROLE_DELETE',
  'INTERACTION_CREATE', 'INVITE_CREATE', 'INVITE_DELETE', 'MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE', 'MESSAGE_DELETE_BULK',
  'MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE', 'MESSAGE_REACTION_REMOVE_ALL', 'MESSAGE_REACTION_REMOVE_EMOJI', 'PRESENCE_UPDATE',
  'THREAD_CREATE', 'THREAD_UPDATE', 'THREAD_DELETE', 'THREAD_LIST_SYNC', 'THREAD_MEMBER_UPDATE', 'THREAD_MEMBERS_UPDATE', 'TYPING_START',
  'USER_UPDATE', 'VOICE_STATE_UPDATE', 'VOICE_SERVER_UPDATE', 'WEBHOOKS_UPDATE', 'APPLICATION_COMMAND_PERMISSIONS_UPDATE',
  'GUILD_INTEGRATIONS_UPDATE', 'INTEGRATION_CREATE', 'INTEGRATION_UPDATE', 'INTEGRATION_DELETE',
  'GUILD_SCHEDULED_EVENT_CREATE', 'GUILD_SCHEDULED_EVENT_UPDATE', 'GUILD_SCHEDULED_EVENT_DELETE', 'GUILD_SCHEDULED_EVENT_USER_ADD',
  'GUILD_SCHEDULED_EVENT_USER_REMOVE', 'STAGE_INSTANCE_CREATE', 'STAGE_INSTANCE_UPDATE', 'STAGE_INSTANCE_DELETE', 'AUTO_MODERATION_RULE_CREATE',
  'AUTO_MODERATION_RULE_UPDATE', 'AUTO_MODERATION_RULE_DELETE', 'AUTO_MODERATION_ACTION_EXECUTION', 'GUILD_SOUNDBOARD_SOUND_CREATE',
  'GUILD_SOUNDBOARD_SOUND_UPDATE', 'GUILD_SOUNDBOARD_SOUND_DELETE', 'SOUNDBOARD_SOUNDS', 'VOICE_CHANNEL_EFFECT_SEND',
];

export const events = {
  ...Object.fromEntries(regular.map((event) => [event, named(event)])),
  MESSAGE_POLL_VOTE_ADD: 'GatewayMessagePollVoteDispatchData',
  MESSAGE_POLL_VOTE_REMOVE: 'GatewayMessagePollVoteDispatchData',
  RESUMED: null,
};

const partial = ['last_message_id', 'last_pin_timestamp', 'nsfw', 'parent_id', 'guild_id', 'flags', 'rate_limit_per_user', 'topic', 'position'];

/** Where a path begins that is within an autocompletion. */
export const AUTOCOMPLETE = 'autocomplete';

/** What Discord sends although the types do not have it: which object at which path, and which properties. */
export const undocumented = [
  [(it) => 'hoist' in it && 'permissions' in it, ['description']],
  [(it) => 'count_details' in it, ['burst_count', 'burst_me']],
  [(it) => 'bot_public' in it, ['hook', 'type']],
  [(it) => 'join_timestamp' in it && 'member' in it, ['presence']],
  [(it) => 'nsfw_level' in it, ['home_header', 'nsfw']],
  [(it, path) => path.endsWith('.interaction.member'), ['banner', 'flags']],
  [(it, path) => path.endsWith('.member') && 'mute' in it, ['banner']],
  [(it) => 'code' in it && 'channel' in it, ['guild_id']],
  [(it) => 'code' in it && 'max_age' in it && !('channel' in it), ['flags', 'type']],
  [(it) => 'max_age' in it, ['flags']],
  [(it, path) => /\.resolved\.channels\.\d+$/.test(path), partial],
  [(it) => 'app_permissions' in it, ['entitlement_sku_ids']],
  [(it, path) => path.includes('interaction_metadata'), ['command_type', 'name']],
  [(it) => 'component_type' in it && 'custom_id' in it, ['id']],
  [(it) => 'resume_gateway_url' in it, ['_trace', 'private_channels', 'presences', 'relationships', 'user_settings', 'session_type', 'auth', 'geo_ordered_rtc_regions', 'game_relationships']],
  [(it) => it.key === 'applied_tags', ['key', 'old_value', 'new_value']],
  [(it) => it.guild_scheduled_event_id === null && 'privacy_level' in it, ['guild_scheduled_event_id']],
  [(it) => it.hit === true, ['hit']],
  [(it, path) => path.endsWith('.application') && 'summary' in it, ['summary']],
  // A template tells everything of every channel, whatever its kind.
  [(it, path) => path.endsWith('.serialized_source_guild.channels'), ['bitrate', 'user_limit', 'topic', 'nsfw', 'rate_limit_per_user']],
];

/** What the types ask for although Discord does not send it. */
export const unsent = [
  [(it) => it.type === 1 && 'recipients' in it, 'name', null],
  [(it) => it.key === 'applied_tags', 'key', 'tags'],
];

/**
 * What is of another kind in the types. They say that every number of an autocompletion is text. Discord says so of the option that is
 * being typed alone (discord-api-docs #4338, #4956); clients that read the others strictly, as twilight does, want numbers.
 */
export const retyped = [
  [(it, path) => path.startsWith(AUTOCOMPLETE) && [4, 10].includes(it.type) && typeof it.value === 'number', 'value', String],
];
