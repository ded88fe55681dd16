"""Webhooks, and what is said through them."""

import discord
from content import file
from discord import ui
from emulator import bench, channel, client, fails, place, raw, soon, tea_house, workshop
from people import Session, application_id, bot_id, feature, picture, rest, same, shop


class Made:
    """The webhook that the rows have in common."""

    hook = None


def hook():
    return Made.hook


@feature("webhook made")
async def webhook_made():
    seen = soon("webhooks_update", lambda where: where == place("hooks"))
    Made.hook = made = await place("hooks").create_webhook(name="Parrot", avatar=picture(), reason="it talks")
    await seen
    same((made.name, made.type.value, made.channel_id, made.guild_id, made.user.id), ("Parrot", 1, place("hooks").id, workshop().id, bot_id), "webhook")
    same((type(made.token), made.avatar is None), (str, False), "token and picture")


@feature("webhook name rules")
async def webhook_name_rules():
    for name in ("clyde", "My Clyde", "discord", "", "x" * 81):
        await fails(raw("POST", f"/channels/{place('hooks').id}/webhooks", {"name": name}), 50035)


@feature("webhook refused")
async def webhook_refused():
    await fails(channel("random").create_webhook(name="x"), 50013)
    await fails(channel("random").webhooks(), 50013)


@feature("webhook executed")
async def webhook_executed():
    seen = soon("message", lambda message: message.content == "polly")
    sent = await hook().send("polly", username="Polly", avatar_url="https://example.com/polly.png", wait=True)
    message = await seen
    same((message.id, message.webhook_id, message.author.name, message.author.bot), (sent.id, hook().id, "Polly", True), "message")
    same((message.author.discriminator, message.application_id), ("0000", application_id), "discriminator and application")


@feature("webhook without waiting")
async def webhook_without_waiting():
    seen = soon("message", lambda message: message.content == "no answer")
    same(await hook().send("no answer", wait=False), None, "answer")
    same((await seen).author.name, "Parrot", "author")


@feature("webhook with its token alone")
async def webhook_with_its_token():
    fetched = await rest(None, "GET", f"/webhooks/{hook().id}/{hook().token}")
    same((int(fetched["id"]), "user" in fetched), (hook().id, False), "webhook without its user")
    alone = discord.Webhook.partial(hook().id, hook().token, session=Session.http)
    same((await alone.send("by token", wait=True)).content, "by token", "message")
    await fails(discord.Webhook.partial(hook().id, "wrong", session=Session.http).send("x"), 50027)


@feature("webhook with files and embeds")
async def webhook_with_files_and_embeds():
    embeds = [discord.Embed(title=str(n)) for n in range(10)]
    sent = await hook().send(file=file("some text", "note.txt"), embeds=embeds, wait=True)
    same((len(sent.embeds), sent.attachments[0].filename), (10, "note.txt"), "message")
    await fails(hook().send("x" * 2001), 50035)
    await fails(hook().send("x", username="x" * 81), 50035)
    await fails(hook().send(""), 50006)


@feature("webhook message edited and deleted")
async def webhook_message_edited():
    sent = await hook().send("before", username="Polly", wait=True)
    seen = soon("raw_message_edit", lambda event: event.message_id == sent.id)
    edited = await hook().edit_message(sent.id, content="after")
    same((edited.content, (await seen).message.content, edited.author.name), ("after", "after", "Polly"), "edited")
    same((await hook().fetch_message(sent.id)).content, "after", "fetched")
    gone = soon("raw_message_delete", lambda event: event.message_id == sent.id)
    await hook().delete_message(sent.id)
    await gone
    await fails(hook().fetch_message(sent.id), 10008)
    own = await place("hooks").send("not of the webhook")
    await fails(hook().edit_message(own.id, content="x"), 10008, 50005)


@feature("webhook in a thread")
async def webhook_in_a_thread():
    kind = discord.ChannelType.public_thread
    thread = await place("hooks").create_thread(name="Cage", type=kind)
    sent = await hook().send("inside", thread=thread, wait=True)
    same(sent.channel.id, thread.id, "place")
    same((await hook().edit_message(sent.id, content="still", thread=thread)).content, "still", "edited")
    await hook().delete_message(sent.id, thread=thread)
    other = await bench().create_thread(name="Elsewhere", type=kind)
    await fails(hook().send("x", thread=other), 10003)


@feature("webhook makes a forum post")
async def webhook_makes_a_forum_post():
    made = await place("plans").create_webhook(name="Planner")
    created = soon("thread_create", lambda thread: thread.name == "A plan")
    sent = await made.send("the plan", thread_name="A plan", wait=True)
    same(((await created).id, sent.channel.id), (sent.id, sent.id), "post")
    await fails(made.send("x"), 220001)
    await fails(hook().send("x", thread_name="no forum"), 220003)
    await made.delete()


@feature("webhook with components")
async def webhook_with_components():
    view = ui.View()
    view.add_item(ui.Button(custom_id="go", label="Go"))
    sent = await hook().send("press", view=view, wait=True)
    same(sent.components[0].children[0].custom_id, "go", "button")
    view.stop()


@feature("webhook changed and moved")
async def webhook_changed_and_moved():
    target = bench()
    seen = soon("webhooks_update")
    Made.hook = await hook().edit(name="Macaw", channel=target)
    await seen
    same((hook().name, hook().channel_id), ("Macaw", target.id), "webhook")
    sent = await hook().send("moved", wait=True)
    same((sent.channel.id, sent.author.name), (target.id, "Macaw"), "message")
    Made.hook = await hook().edit(channel=place("hooks"))


@feature("webhooks listed")
async def webhooks_listed():
    same((hook() in await place("hooks").webhooks(), hook() in await workshop().webhooks()), (True, True), "listed")
    same((await client().fetch_webhook(hook().id)).name, "Macaw", "fetched")
    await fails(tea_house().webhooks(), 50013)


@feature("webhook limit")
async def webhook_limit():
    full = await workshop().create_text_channel("aviary")
    for n in range(15):
        await full.create_webhook(name=f"Bird {n}")
    await fails(full.create_webhook(name="One too many"), 30007)
    await full.delete()


@feature("webhook deleted")
async def webhook_deleted():
    await hook().delete(reason="it is tired")
    await fails(client().fetch_webhook(hook().id), 10015)
    alone = discord.Webhook.partial(hook().id, hook().token, session=Session.http)
    await fails(alone.send("x"), 10015)
