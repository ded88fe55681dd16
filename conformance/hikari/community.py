"""What a guild sets up for its people: events, stages, rules, sounds, a template, a welcome."""

import base64
import datetime

import hikari
from emulator import APPLICATION, SHOP, TEA, api, bench, fails, listed, place, raw, soon, uid
from hikari.impl import special_endpoints as built
from people import ada, ben, bot_id, feature, humans, person, picture, refused, rest, same, say, shop, tea, world

GUILD = f"/guilds/{shop['id']}"
SOUND = b"ID3\x04" + bytes(60)


def hours(count):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=count)


async def outing(start=1, **more):
    return await api().create_external_event(SHOP, "Outing", "The lake", hours(start), hours(start + 1), **more)


@feature("scheduled event")
async def scheduled_event():
    made = soon(hikari.ScheduledEventCreateEvent)
    one = await outing(description="Bring tea", image=hikari.Bytes(picture(), "lake.png"), reason="summer")
    same(((await made).event_id, one.location, one.creator.id, one.status), (one.id, "The lake", bot_id, hikari.ScheduledEventStatus.SCHEDULED), "event")
    joined = soon(hikari.ScheduledEventUserAddEvent)
    await rest(ben["token"], "PUT", f"{GUILD}/scheduled-events/{one.id}/users/@me")
    same((await joined).user_id, uid(ben), "who joined")
    same([it.user.id for it in await listed(api().fetch_scheduled_event_users(SHOP, one))], [uid(ben)], "subscribers")
    same((await api().fetch_scheduled_event(SHOP, one)).user_count, 1, "count")
    changed = soon(hikari.ScheduledEventUpdateEvent)
    await api().edit_scheduled_event(SHOP, one, name="Picnic")
    same((await changed).event.name, "Picnic", "name")
    for status in (hikari.ScheduledEventStatus.ACTIVE, hikari.ScheduledEventStatus.COMPLETED):
        await api().edit_scheduled_event(SHOP, one, status=status)
    await fails(api().edit_scheduled_event(SHOP, one, name="Again"), 180000)
    other = await api().create_voice_event(SHOP, place("studio"), "Song", hours(1))
    gone = soon(hikari.ScheduledEventDeleteEvent)
    await api().delete_scheduled_event(SHOP, other)
    same((await gone).event_id, other.id, "deleted")


@feature("scheduled event refused")
async def scheduled_event_refused():
    await fails(outing(start=-1), 50035)
    body = {"name": "x", "privacy_level": 2, "entity_type": 3, "scheduled_start_time": hours(1).isoformat(), "entity_metadata": {"location": "x"}}
    await fails(raw("POST", f"{GUILD}/scheduled-events", body), 50035)
    await fails(api().create_stage_event(SHOP, place("studio"), "Song", hours(1)), 50035)
    theirs = await rest(ada["token"], "POST", f"/guilds/{tea['id']}/scheduled-events", {**body, "scheduled_end_time": hours(2).isoformat()})
    await fails(api().edit_scheduled_event(TEA, int(theirs["id"]), name="mine"), 50013)
    await fails(api().fetch_scheduled_event(SHOP, 1), 10070)


@feature("stage opened")
async def stage_opened():
    stage = await api().create_guild_stage_channel(SHOP, "stage")
    made = soon(hikari.events.StageInstanceCreateEvent)
    await api().create_stage_instance(stage, topic="Tea")
    same((await made).stage_instance.topic, "Tea", "event")
    await fails(api().create_stage_instance(stage, topic="Tea"), 150006)
    changed = soon(hikari.events.StageInstanceUpdateEvent)
    await api().edit_stage_instance(stage, topic="Coffee")
    same((await changed).stage_instance.topic, "Coffee", "topic")
    gone = soon(hikari.events.StageInstanceDeleteEvent)
    await api().delete_stage_instance(stage)
    await gone
    await fails(api().fetch_stage_instance(stage), 10067)
    await api().delete_channel(stage)


@feature("auto moderation")
async def auto_moderation():
    alerts, where = bench(), bench()
    made = soon(hikari.events.AutoModRuleCreateEvent)
    rule = await api().create_auto_mod_rule(
        SHOP,
        name="Manners",
        event_type=hikari.AutoModEventType.MESSAGE_SEND,
        trigger=built.AutoModKeywordTriggerBuilder(keyword_filter=["sloppy*"], allow_list=["sloppyjoe"]),
        actions=[built.AutoModBlockMessageActionBuilder(custom_message="please"), built.AutoModSendAlertMessageActionBuilder(channel_id=alerts)],
        enabled=True,
    )
    same((await made).rule.id, rule.id, "event")
    alerted = soon(hikari.MessageCreateEvent, lambda event: event.message.type == 24)
    acted = soon(hikari.events.AutoModActionExecutionEvent)
    cleo = person["cleo"]
    await refused(say(cleo, where, "Sloppyness"), 400, 200000)
    execution = await acted
    same((execution.user_id, execution.rule_id, execution.matched_keyword), (uid(cleo), rule.id, "sloppy*"), "execution")
    same((await alerted).channel_id, alerts, "alert")
    await say(cleo, where, "a sloppyjoe")
    await api().edit_auto_mod_rule(SHOP, rule, enabled=False)
    await say(cleo, where, "sloppy")
    same(len(await api().fetch_auto_mod_rules(SHOP)), 1, "rules")
    gone = soon(hikari.events.AutoModRuleDeleteEvent)
    await api().delete_auto_mod_rule(SHOP, rule)
    await gone
    await fails(api().fetch_auto_mod_rule(SHOP, rule), 10120)
    await fails(api().fetch_auto_mod_rules(TEA), 50013)


@feature("soundboard")
async def soundboard():
    """hikari has no sounds of its own: its plain requests."""
    path = f"{GUILD}/soundboard-sounds"
    body = {"name": "boing", "sound": f"data:audio/mpeg;base64,{base64.b64encode(SOUND).decode()}", "volume": 0.5, "emoji_name": "🔔"}
    one = await raw("POST", path, body)
    same((one["name"], one["volume"], one["emoji_name"]), ("boing", 0.5, "🔔"), "sound")
    same((await raw("PATCH", f"{path}/{one['sound_id']}", {"name": "bong"}))["name"], "bong", "name")
    await raw("DELETE", f"{path}/{one['sound_id']}")
    same((await raw("GET", path))["items"], [], "left")


@feature("guild template")
async def guild_template():
    one = await api().create_template(SHOP, "Base", description="for others")
    same(len((await api().fetch_template(one.code)).source_guild.channels) > 10, True, "channels")
    await api().sync_guild_template(SHOP, one)
    same((await api().edit_template(SHOP, one, name="Best")).name, "Best", "name")
    same(len(await api().fetch_guild_templates(SHOP)), 1, "templates")
    await api().delete_template(SHOP, one)
    await fails(api().fetch_template(one.code), 10057)


@feature("welcome screen")
async def welcome_screen():
    await fails(api().fetch_welcome_screen(TEA), 10069)
    channels = [hikari.WelcomeChannel(channel_id=hikari.Snowflake(place("desk")), description="Ask", emoji_name=hikari.UnicodeEmoji("👋"), emoji_id=None)]
    await api().edit_welcome_screen(SHOP, enabled=True, description="Hello", channels=channels)
    screen = await api().fetch_welcome_screen(SHOP)
    same((screen.description, str(screen.channels[0].emoji_name)), ("Hello", "👋"), "screen")


@feature("onboarding")
async def onboarding():
    prompts = [{"id": "0", "title": "What?", "options": [{"id": "0", "title": "Tea", "emoji_name": "🍵", "channel_ids": [str(place("desk"))]}]}]
    asked = {"prompts": prompts, "default_channel_ids": [str(place("desk"))], "enabled": False, "mode": 0}
    await raw("PUT", f"{GUILD}/onboarding", asked)
    same((await api().fetch_guild_onboarding(SHOP)).prompts[0].title, "What?", "prompt")
    await fails(raw("PUT", f"{GUILD}/onboarding", {"enabled": True}), 350000)


@feature("integrations listed")
async def integrations_listed():
    all_ = await api().fetch_integrations(SHOP)
    same([it.type for it in all_ if it.application.bot.id == bot_id], ["discord"], "integration")
    await fails(api().fetch_integrations(TEA), 50013)


@feature("guild features")
async def guild_features():
    seen = soon(hikari.GuildUpdateEvent, lambda event: "COMMUNITY" in event.guild.features)
    await api().edit_guild(SHOP, features=["COMMUNITY"], rules_channel=place("desk"), public_updates_channel=place("hooks"))
    await seen
    await raw("PATCH", GUILD, {"features": [], "rules_channel_id": None, "public_updates_channel_id": None})


@feature("application edited")
async def application_edited():
    same((await api().edit_application(description="Makes tea", tags=["tea"])).description, "Makes tea", "description")
    records = [{"type": 7, "key": "likes_tea", "name": "Tea", "description": "Likes tea"}]
    same(len(await raw("PUT", f"/applications/{APPLICATION}/role-connections/metadata", records)), 1, "records")
    same((list(await api().fetch_skus(APPLICATION)), list(await api().fetch_entitlements(APPLICATION))), ([], []), "what is sold")


@feature("voice state fetched")
async def voice_state_fetched():
    await fails(api().fetch_voice_state(SHOP, uid(ben)), 10065)
    human = await humans["ben"].connect()
    studio = shop["channels"]["studio"]
    seen = soon(hikari.VoiceStateUpdateEvent, lambda event: event.state.user_id == uid(ben) and event.state.channel_id is not None)
    await human.send(4, {"guild_id": shop["id"], "channel_id": studio, "self_mute": True, "self_deaf": False})
    await seen
    state = await api().fetch_voice_state(SHOP, uid(ben))
    same((str(state.channel_id), state.is_self_muted), (studio, True), "state")
    left = soon(hikari.VoiceStateUpdateEvent, lambda event: event.state.user_id == uid(ben) and event.state.channel_id is None)
    await human.send(4, {"guild_id": shop["id"], "channel_id": None, "self_mute": False, "self_deaf": False})
    await left


@feature("voice message")
async def voice_message():
    sent = await api().create_voice_message(bench(), hikari.Bytes(b"OggS", "voice.ogg"), waveform="AAAA", duration=2.5)
    heard = sent.attachments[0]
    same((bool(sent.flags & hikari.MessageFlag.IS_VOICE_MESSAGE), heard.duration, heard.waveform), (True, 2.5, "AAAA"), "message")


@feature("own picture in a guild")
async def own_picture():
    shown = await api().edit_my_member(SHOP, avatar=hikari.Bytes(picture(), "me.png"))
    same(shown.guild_avatar_hash is not None, True, "picture")
    same((await api().edit_my_member(SHOP, avatar=None)).guild_avatar_hash, None, "no picture")


@feature("messages searched")
async def messages_searched():
    await say(ben, bench(), "a needle in the hay")
    found = await api().search_messages(SHOP, content="needle", authors=[uid(ben)])
    same((found.total_results, found.messages[0].content), (1, "a needle in the hay"), "found")


@feature("webhooks in the audit log")
async def webhooks_logged():
    hook = await api().create_webhook(bench(), "Noted", reason="for the log")
    log = await listed(api().fetch_audit_log(SHOP, event_type=hikari.AuditLogEventType.WEBHOOK_CREATE), 1)
    entry = next(iter(log[0].entries.values()))
    same((entry.target_id, entry.reason), (hook.id, "for the log"), "entry")
    await api().delete_webhook(hook)
