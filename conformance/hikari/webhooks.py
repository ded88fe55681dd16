"""Webhooks, and what is said through them."""

import hikari
from content import file
from emulator import SHOP, TEA, api, bench, channel, fails, place, raw, soon
from components import pressable
from messages import send
from people import application_id, bot_id, feature, picture, rest, same

NEW = hikari.GuildMessageCreateEvent
PUBLIC = hikari.ChannelType.GUILD_PUBLIC_THREAD


class Made:
    """The webhook that the rows have in common."""

    hook = None


def hook():
    return Made.hook


async def speak(*content, **more):
    return await api().execute_webhook(hook(), hook().token, *content, **more)


@feature("webhook made")
async def webhook_made():
    where = place("hooks")
    seen = soon(hikari.WebhookUpdateEvent, lambda event: event.channel_id == where)
    Made.hook = made = await api().create_webhook(where, "Parrot", avatar=file(picture(), "parrot.png"), reason="it talks")
    await seen
    same((made.name, int(made.type), made.channel_id, made.guild_id, made.application_id, made.author.id), ("Parrot", 1, where, SHOP, application_id, bot_id), "webhook")
    same((type(made.token), type(made.avatar_hash)), (str, str), "token and picture")


@feature("webhook name rules")
async def webhook_name_rules():
    for name in ("clyde", "My Clyde", "discord", "", "x" * 81):
        await fails(raw("POST", f"/channels/{place('hooks')}/webhooks", {"name": name}), 50035)


@feature("webhook refused")
async def webhook_refused():
    await fails(api().create_webhook(channel("random"), "x"), 50013)
    await fails(api().fetch_channel_webhooks(channel("random")), 50013)


@feature("webhook executed")
async def webhook_executed():
    seen = soon(NEW, lambda event: event.content == "polly")
    sent = await speak("polly", username="Polly", avatar_url="https://example.com/polly.png")
    message = (await seen).message
    same((message.id, message.webhook_id, message.author.username, message.author.is_bot), (sent.id, hook().id, "Polly", True), "message")
    same((message.author.discriminator, message.application_id), ("0000", application_id), "discriminator and application")


@feature("webhook without waiting")
async def webhook_without_waiting():
    seen = soon(NEW, lambda event: event.content == "no answer")
    same(await rest(None, "POST", f"/webhooks/{hook().id}/{hook().token}", {"content": "no answer"}), None, "answer")
    same((await seen).author.username, "Parrot", "author")


@feature("webhook with its token alone")
async def webhook_with_its_token():
    fetched = await api().fetch_webhook(hook(), token=hook().token)
    same((fetched.id, fetched.author), (hook().id, None), "webhook without its user")
    same((await speak("by token")).content, "by token", "message")
    await fails(api().execute_webhook(hook(), "wrong", "x"), 50027)


@feature("webhook with files and embeds")
async def webhook_with_files_and_embeds():
    sent = await speak(attachment=file("some text", "note.txt"), embeds=[hikari.Embed(title=str(n)) for n in range(10)])
    same((len(sent.embeds), sent.attachments[0].filename), (10, "note.txt"), "message")
    await fails(speak("x" * 2001), 50035)
    await fails(speak("x", username="x" * 81), 50035)
    await fails(raw("POST", f"/webhooks/{hook().id}/{hook().token}", {}), 50006)


@feature("webhook message edited and deleted")
async def webhook_message_edited():
    token = hook().token
    sent = await speak("before", username="Polly")
    seen = soon(hikari.GuildMessageUpdateEvent, lambda event: event.message_id == sent.id)
    edited = await api().edit_webhook_message(hook(), token, sent, "after")
    same((edited.content, (await seen).content, edited.author.username), ("after", "after", "Polly"), "edited")
    same((await api().fetch_webhook_message(hook(), token, sent)).content, "after", "fetched")
    gone = soon(hikari.GuildMessageDeleteEvent, lambda event: event.message_id == sent.id)
    await api().delete_webhook_message(hook(), token, sent)
    await gone
    await fails(api().fetch_webhook_message(hook(), token, sent), 10008)
    own = await send(place("hooks"), "not of the webhook")
    await fails(api().edit_webhook_message(hook(), token, own, "x"), 10008, 50005)


@feature("webhook in a thread")
async def webhook_in_a_thread():
    thread = await api().create_thread(place("hooks"), PUBLIC, "Cage")
    sent = await speak("inside", thread=thread)
    same(sent.channel_id, thread.id, "place")
    same((await api().edit_webhook_message(hook(), hook().token, sent, "still", thread=thread)).content, "still", "edited")
    await api().delete_webhook_message(hook(), hook().token, sent, thread=thread)
    other = await api().create_thread(bench(), PUBLIC, "Elsewhere")
    await fails(speak("x", thread=other), 10003)


@feature("webhook makes a forum post")
async def webhook_makes_a_forum_post():
    made = await api().create_webhook(place("plans"), "Planner")
    created = soon(hikari.GuildThreadCreateEvent, lambda event: event.thread.name == "A plan")
    path = f"/webhooks/{made.id}/{made.token}"
    sent = await raw("POST", f"{path}?wait=true", {"content": "the plan", "thread_name": "A plan"})
    same(((await created).thread_id, sent["channel_id"]), (int(sent["id"]), sent["id"]), "post")
    await fails(raw("POST", path, {"content": "x"}), 220001)
    await fails(raw("POST", f"/webhooks/{hook().id}/{hook().token}", {"content": "x", "thread_name": "no forum"}), 220003)
    await api().delete_webhook(made)


@feature("webhook with components")
async def webhook_with_components():
    sent = await speak("press", component=pressable("go"))
    same(sent.components[0].components[0].custom_id, "go", "button")


@feature("webhook changed and moved")
async def webhook_changed_and_moved():
    target = bench()
    seen = soon(hikari.WebhookUpdateEvent)
    # hikari's own `channel` is sent under a name that Discord does not know.
    await raw("PATCH", f"/webhooks/{hook().id}", {"name": "Macaw", "channel_id": str(target)})
    Made.hook = await api().fetch_webhook(hook())
    await seen
    same((hook().name, hook().channel_id), ("Macaw", target), "webhook")
    sent = await speak("moved")
    same((sent.channel_id, sent.author.username), (target, "Macaw"), "message")
    await raw("PATCH", f"/webhooks/{hook().id}", {"channel_id": str(place("hooks"))})


@feature("webhooks listed")
async def webhooks_listed():
    lists = [await api().fetch_channel_webhooks(place("hooks")), await api().fetch_guild_webhooks(SHOP)]
    same([hook().id in {it.id for it in found} for found in lists], [True, True], "listed")
    same((await api().fetch_webhook(hook())).name, "Macaw", "fetched")
    await fails(api().fetch_guild_webhooks(TEA), 50013)


@feature("webhook limit")
async def webhook_limit():
    full = await api().create_guild_text_channel(SHOP, "aviary")
    for n in range(15):
        await api().create_webhook(full, f"Bird {n}")
    await fails(api().create_webhook(full, "One too many"), 30007)
    await full.delete()


@feature("webhook deleted")
async def webhook_deleted():
    await api().delete_webhook(hook(), reason="it is tired")
    await fails(api().fetch_webhook(hook()), 10015)
    await fails(speak("x"), 10015)
