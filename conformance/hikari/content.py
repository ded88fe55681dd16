"""What messages carry: embeds, files, stickers, polls."""

import datetime

import hikari
from emulator import api, bench, channel, fails, raw, soon, uid
from hikari.impl import special_endpoints as builders
from messages import send
from people import Session, ada, ben, feature, picture, rest, same, shop, tea


def file(text, name):
    return hikari.Bytes(text.encode() if isinstance(text, str) else text, name)


def poll(answers, hours=24):
    made = builders.PollBuilder(question_text="Which wood?", duration=hours, allow_multiselect=False)
    for text in answers:
        made.add_answer(text=text)
    return made


async def again(message):
    return await api().fetch_message(message.channel_id, message.id)


@feature("embed sent")
async def embed_sent():
    sent = await send(channel("general"), embed=hikari.Embed(title="T", description="D"))
    same((sent.embeds[0].title, sent.embeds[0].description), ("T", "D"), "embed")


@feature("embed in full")
async def embed_in_full():
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    made = hikari.Embed(title="Chair", description="Of oak", url="https://example.com/chair", color=0x123456, timestamp=when)
    made.set_footer("foot").set_author(name="Ada", url="https://example.com")
    made.set_image("https://example.com/a.png").set_thumbnail("https://example.com/b.png")
    made.add_field("legs", "4", inline=True).add_field("arms", "0", inline=False)
    embed = (await again(await send(bench(), embed=made))).embeds[0]
    same((embed.title, embed.description, embed.url, int(embed.color)), ("Chair", "Of oak", "https://example.com/chair", 0x123456), "embed")
    same((embed.timestamp, embed.footer.text, embed.author.name, embed.author.url), (when, "foot", "Ada", "https://example.com"), "time, foot and author")
    same((embed.image.url, embed.thumbnail.url), ("https://example.com/a.png", "https://example.com/b.png"), "pictures")
    same([(f.name, f.value, f.is_inline) for f in embed.fields], [("legs", "4", True), ("arms", "0", False)], "fields")


@feature("embed limits")
async def embed_limits():
    path = f"/channels/{bench()}/messages"

    def fields(count):
        return [{"name": str(n), "value": "x"} for n in range(count)]

    for embeds in (
        [{"fields": fields(26)}],
        [{"title": "x" * 257}],
        [{"description": "x" * 4097}],
        [{"description": "x" * 3001}, {"description": "x" * 3000}],
        [{"title": "x"}] * 11,
    ):
        await fails(raw("POST", path, {"embeds": embeds}), 50035)
    sent = await raw("POST", path, {"embeds": [{"fields": fields(25)}]})
    same(len(sent["embeds"][0]["fields"]), 25, "fields that fit")


@feature("attachment sent")
async def attachment_sent():
    sent = await send(channel("general"), "a file", attachment=file("some text", "note.txt"))
    stored = sent.attachments[0]
    same((sent.content, stored.filename, stored.size), ("a file", "note.txt", 9), "attachment")
    same(await stored.read(), b"some text", "download")


@feature("attachments described")
async def attachments_described():
    pixel = hikari.Bytes(picture(), "pixel.png", spoiler=True)
    first, second = (await send(bench(), attachments=[pixel, file("b", "b.txt")])).attachments
    same((first.filename, second.filename), ("SPOILER_pixel.png", "b.txt"), "attachments")
    same((first.width, first.height, first.media_type, second.width), (1, 1, "image/png", None), "measures")
    same([key for key in ("ex=", "is=", "hm=") if key not in first.url], [], "signature")


@feature("attachments kept on edit")
async def attachments_kept_on_edit():
    sent = await send(bench(), attachments=[file("a", "a.txt"), file("b", "b.txt")])
    edited = await sent.edit(attachments=[sent.attachments[0], file("c", "c.txt")])
    same([it.filename for it in edited.attachments], ["a.txt", "c.txt"], "attachments")
    same(list((await sent.edit("none", attachments=None)).attachments), [], "without any")


@feature("attachment in an embed")
async def attachment_in_an_embed():
    sent = await send(bench(), embed=hikari.Embed().set_image(file(picture(), "pixel.png")))
    url = sent.embeds[0].image.url
    async with Session.http.get(url) as reply:
        same((url.startswith("attachment:"), reply.status), (False, 200), "picture")
    same(list(sent.attachments), [], "attachments beside it")


@feature("attachment limits")
async def attachment_limits():
    where = bench()
    await fails(send(where, attachments=[file("x", f"{n}.txt") for n in range(11)]), 50035)
    await fails(send(where, attachment=file(bytes(11 * 1024 * 1024), "large.bin")), 40005)


@feature("sticker seen")
async def sticker_seen():
    cheers = tea["stickers"]["Cheers"]
    seen = soon(hikari.GuildMessageCreateEvent, lambda event: len(event.message.stickers) > 0)
    await rest(ada["token"], "POST", f"/channels/{tea['channels']['general']}/messages", {"sticker_ids": [cheers]})
    same([(str(it.id), it.name) for it in (await seen).message.stickers], [(cheers, "Cheers")], "stickers")


@feature("sticker sent")
async def sticker_sent():
    done = int(shop["stickers"]["Done"])
    sent = await send(bench(), sticker=done)
    same([(it.id, it.name, int(it.format_type)) for it in sent.stickers], [(done, "Done", 1)], "sticker")
    path = f"/channels/{bench()}/messages"
    await fails(raw("POST", path, {"sticker_ids": [str(done)] * 4}), 50035)
    await fails(raw("POST", path, {"sticker_ids": ["1"]}), 50035, 50081, 10060)


@feature("poll")
async def poll_sent():
    made = builders.PollBuilder(question_text="Which tea?", duration=24, allow_multiselect=False)
    sent = await send(channel("random"), poll=made.add_answer(text="oolong").add_answer(text="sencha"))
    same(sent.poll.question.text, "Which tea?", "question")
    same([it.poll_media.text for it in sent.poll.answers], ["oolong", "sencha"], "answers")
    same(round((sent.poll.expiry - sent.timestamp).total_seconds() / 3600), 24, "end")


@feature("poll voted")
async def poll_voted():
    sent = await send(bench(), poll=poll(["oak", "ash"]))
    path = f"/channels/{sent.channel_id}/polls/{sent.id}/answers/@me"
    voted = soon(hikari.PollVoteCreateEvent, lambda event: event.user_id == uid(ben))
    await rest(ben["token"], "PUT", path, {"answer_ids": ["2"]})
    same((await voted).answer_id, 2, "answer")
    same([it.id for it in await api().fetch_poll_voters(sent.channel_id, sent, 2)], [uid(ben)], "voters")
    counted = (await again(sent)).poll.results.answer_counts
    same({it.id: it.count for it in counted}.get(2), 1, "votes")
    taken = soon(hikari.PollVoteDeleteEvent, lambda event: event.user_id == uid(ben))
    await rest(ben["token"], "PUT", path, {"answer_ids": []})
    same((await taken).answer_id, 2, "answer taken back")


@feature("poll ended")
async def poll_ended():
    sent = await send(bench(), poll=poll(["oak", "ash"]))
    told = soon(hikari.MessageCreateEvent, lambda event: int(event.message.type) == 46)
    ended = await api().end_poll(sent.channel_id, sent)
    same(ended.poll.results.is_finalized, True, "final")
    same((await told).message.message_reference.id, sent.id, "result")
    plain = await send(bench(), "no poll")
    await fails(api().end_poll(plain.channel_id, plain), 520006)


@feature("poll limits")
async def poll_limits():
    await fails(send(bench(), poll=poll(["x"] * 11)), 50035)
    await fails(send(bench(), poll=poll(["x" * 56, "y"])), 50035)
    await fails(send(bench(), poll=poll(["x"], 769)), 50035)
