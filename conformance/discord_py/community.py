"""What a guild sets up for its people: events, stages, rules, sounds, a template, a welcome."""

import io
from datetime import timedelta

import discord
from emulator import bench, client, fails, obj, place, raw, soon, tea_house, workshop
from people import ada, ben, bot_id, feature, humans, person, picture, refused, rest, same, say, shop, tea, world

GUILD = f"/guilds/{shop['id']}"
SOUND = b"ID3\x04" + bytes(60)
Rule, Action, Trigger = discord.AutoModRule, discord.AutoModRuleAction, discord.AutoModTrigger


def hours(count):
    return discord.utils.utcnow() + timedelta(hours=count)


async def outing(**more):
    place = {"entity_type": discord.EntityType.external, "location": "The lake"}
    asked = {"name": "Outing", "privacy_level": discord.PrivacyLevel.guild_only, "start_time": hours(1), "end_time": hours(2), **place, **more}
    return await workshop().create_scheduled_event(**asked)


@feature("scheduled event")
async def scheduled_event():
    made = soon("scheduled_event_create")
    one = await outing(description="Bring tea", image=picture(), reason="summer")
    same(((await made).id, one.location, one.creator_id, one.status), (one.id, "The lake", bot_id, discord.EventStatus.scheduled), "event")
    joined = soon("scheduled_event_user_add")
    await rest(ben["token"], "PUT", f"{GUILD}/scheduled-events/{one.id}/users/@me")
    same((await joined)[1].id, int(ben["id"]), "who joined")
    same([user.id async for user in one.users()], [int(ben["id"])], "subscribers")
    same((await workshop().fetch_scheduled_event(one.id)).user_count, 1, "count")
    changed = soon("scheduled_event_update")
    one = await one.edit(name="Picnic")
    same((await changed)[1].name, "Picnic", "name")
    one = await (await one.start()).end()
    await fails(one.edit(name="Again"), 180000)
    other = await workshop().create_scheduled_event(
        name="Song", entity_type=discord.EntityType.voice, channel=place("studio"), privacy_level=discord.PrivacyLevel.guild_only, start_time=hours(1)
    )
    gone = soon("scheduled_event_delete")
    await other.delete()
    same((await gone).id, other.id, "deleted")


@feature("scheduled event refused")
async def scheduled_event_refused():
    await fails(outing(start_time=hours(-1)), 50035)
    body = {"name": "x", "privacy_level": 2, "entity_type": 3, "scheduled_start_time": hours(1).isoformat(), "entity_metadata": {"location": "x"}}
    await fails(raw("POST", f"{GUILD}/scheduled-events", body), 50035)
    await fails(raw("POST", f"{GUILD}/scheduled-events", {**body, "entity_type": 1, "channel_id": str(place("studio").id)}), 50035)
    theirs = await rest(ada["token"], "POST", f"/guilds/{tea['id']}/scheduled-events", {**body, "scheduled_end_time": hours(2).isoformat()})
    await fails(raw("PATCH", f"/guilds/{tea['id']}/scheduled-events/{theirs['id']}", {"name": "mine"}), 50013)
    await fails(workshop().fetch_scheduled_event(1), 10070)


@feature("stage opened")
async def stage_opened():
    stage = await workshop().create_stage_channel("stage")
    made = soon("stage_instance_create")
    one = await stage.create_instance(topic="Tea")
    same((await made).topic, "Tea", "event")
    await fails(stage.create_instance(topic="Tea"), 150006)
    changed = soon("stage_instance_update")
    await one.edit(topic="Coffee")
    same((await changed)[1].topic, "Coffee", "topic")
    gone = soon("stage_instance_delete")
    await one.delete()
    await gone
    await fails(stage.fetch_instance(), 10067)
    await stage.delete()


@feature("auto moderation")
async def auto_moderation():
    alerts, where = bench(), bench()
    made = soon("automod_rule_create")
    rule = await workshop().create_automod_rule(
        name="Manners",
        event_type=discord.AutoModRuleEventType.message_send,
        trigger=Trigger(keyword_filter=["sloppy*"], allow_list=["sloppyjoe"]),
        actions=[Action(custom_message="please"), Action(channel_id=alerts.id)],
        enabled=True,
    )
    same((await made).id, rule.id, "event")
    alerted = soon("message", lambda message: message.type == discord.MessageType.auto_moderation_action)
    acted = soon("automod_action")
    cleo = person["cleo"]
    await refused(say(cleo, where, "Sloppyness"), 400, 200000)
    execution = await acted
    same((execution.user_id, execution.rule_id, execution.matched_keyword), (int(cleo["id"]), rule.id, "sloppy*"), "execution")
    same((await alerted).channel.id, alerts.id, "alert")
    await say(cleo, where, "a sloppyjoe")
    await rule.edit(enabled=False)
    await say(cleo, where, "sloppy")
    same(len(await workshop().fetch_automod_rules()), 1, "rules")
    gone = soon("automod_rule_delete")
    await rule.delete()
    await gone
    await fails(workshop().fetch_automod_rule(rule.id), 10120)
    await fails(tea_house().fetch_automod_rules(), 50013)


@feature("soundboard")
async def soundboard():
    made = soon("soundboard_sound_create")
    one = await workshop().create_soundboard_sound(name="boing", sound=SOUND, volume=0.5, emoji="🔔")
    same(((await made).name, one.volume, one.emoji.name), ("boing", 0.5, "🔔"), "sound")
    changed = soon("soundboard_sound_update")
    await one.edit(name="bong")
    same((await changed)[1].name, "bong", "name")
    gone = soon("soundboard_sound_delete")
    await one.delete()
    await gone
    same(await workshop().fetch_soundboard_sounds(), [], "left")
    same(len(await client().fetch_soundboard_default_sounds()) > 0, True, "defaults")


@feature("guild template")
async def guild_template():
    one = await workshop().create_template(name="Base", description="for others")
    same(len((await client().fetch_template(one.code)).source_guild.channels) > 10, True, "channels")
    await one.sync()
    same((await one.edit(name="Best")).name, "Best", "name")
    same(len(await workshop().templates()), 1, "templates")
    await one.delete()
    await fails(client().fetch_template(one.code), 10057)


@feature("welcome screen")
async def welcome_screen():
    await fails(tea_house().welcome_screen(), 10069)
    channels = [discord.WelcomeChannel(channel=place("desk"), description="Ask", emoji="👋")]
    await workshop().edit_welcome_screen(enabled=True, description="Hello", welcome_channels=channels)
    screen = await workshop().welcome_screen()
    same((screen.description, str(screen.welcome_channels[0].emoji)), ("Hello", "👋"), "screen")


@feature("onboarding")
async def onboarding():
    prompts = [{"id": "0", "title": "What?", "options": [{"id": "0", "title": "Tea", "emoji_name": "🍵", "channel_ids": [str(place("desk").id)]}]}]
    asked = {"prompts": prompts, "default_channel_ids": [str(place("desk").id)], "enabled": False, "mode": 0}
    answer = await raw("PUT", f"{GUILD}/onboarding", asked)
    same((answer["prompts"][0]["title"], answer["prompts"][0]["options"][0]["emoji"]["name"]), ("What?", "🍵"), "prompt")
    await fails(raw("PUT", f"{GUILD}/onboarding", {"enabled": True}), 350000)


@feature("integrations listed")
async def integrations_listed():
    listed = await workshop().integrations()
    same([it.type for it in listed if it.application.user.id == bot_id], ["discord"], "integration")
    await fails(tea_house().integrations(), 50013)


@feature("guild features")
async def guild_features():
    seen = soon("guild_update", lambda _, now: "COMMUNITY" in now.features)
    await workshop().edit(community=True, rules_channel=place("desk"), public_updates_channel=place("hooks"))
    await seen
    seen = soon("guild_update", lambda _, now: "INVITES_DISABLED" in now.features)
    await workshop().edit(invites_disabled=True)
    await seen
    await raw("PATCH", GUILD, {"features": [], "rules_channel_id": None, "public_updates_channel_id": None})


@feature("application edited")
async def application_edited():
    application = await client().application_info()
    same((await application.edit(description="Makes tea", tags=["tea"])).description, "Makes tea", "description")
    records = [{"type": 7, "key": "likes_tea", "name": "Tea", "description": "Likes tea"}]
    answer = await raw("PUT", f"/applications/{application.id}/role-connections/metadata", records)
    same(len(answer), 1, "records")
    same((await client().fetch_skus(), [it async for it in client().entitlements()]), ([], []), "what is sold")


@feature("voice state fetched")
async def voice_state_fetched():
    member = await workshop().fetch_member(int(ben["id"]))
    await fails(member.fetch_voice(), 10065)
    human = await humans["ben"].connect()
    studio = shop["channels"]["studio"]
    seen = soon("voice_state_update", lambda who, _, now: who.id == member.id and now.channel is not None)
    await human.send(4, {"guild_id": shop["id"], "channel_id": studio, "self_mute": True, "self_deaf": False})
    await seen
    state = await member.fetch_voice()
    same((str(state.channel.id), state.self_mute), (studio, True), "state")
    left = soon("voice_state_update", lambda who, _, now: who.id == member.id and now.channel is None)
    await human.send(4, {"guild_id": shop["id"], "channel_id": None, "self_mute": False, "self_deaf": False})
    await left


@feature("voice message")
async def voice_message():
    """discord.py reads voice messages and does not send them."""
    where = bench()
    about = [{"id": 0, "filename": "voice.ogg", "duration_secs": 2.5, "waveform": "AAAA"}]
    form = [{"name": "payload_json", "value": discord.utils._to_json({"flags": 8192, "attachments": about})}]
    form.append({"name": "files[0]", "value": b"OggS", "filename": "voice.ogg", "content_type": "audio/ogg"})
    heard = soon("message", lambda message: message.channel == where and message.flags.voice)
    await raw("POST", f"/channels/{where.id}/messages", form=form)
    sent = await heard
    same((sent.attachments[0].is_voice_message(), sent.attachments[0].duration), (True, 2.5), "message")


@feature("own picture in a guild")
async def own_picture():
    me = workshop().me
    shown = await me.edit(avatar=picture())
    asset = shown.guild_avatar
    async with client().http._HTTPClient__session.get(asset.url.replace(discord.Asset.BASE, world["cdn_url"])) as reply:
        same(reply.status, 200, "picture")
    same((await me.edit(avatar=None)).guild_avatar, None, "no picture")


@feature("messages searched")
async def messages_searched():
    await say(ben, bench(), "a needle in the hay")
    found = await raw("GET", f"{GUILD}/messages/search?content=needle&author_id={ben['id']}")
    same((found["total_results"], found["messages"][0][0]["content"]), (1, "a needle in the hay"), "found")


@feature("webhooks in the audit log")
async def webhooks_logged():
    hook = await bench().create_webhook(name="Noted", reason="for the log")
    entries = [it async for it in workshop().audit_logs(action=discord.AuditLogAction.webhook_create, limit=1)]
    same((entries[0].target.id, entries[0].reason), (hook.id, "for the log"), "entry")
    await hook.delete()
