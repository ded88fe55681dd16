"""What messages carry: embeds, files, stickers, polls."""

import datetime
import io

import discord
from emulator import bench, channel, client, fails, obj, raw, soon, workshop
from people import Session, ada, ben, feature, picture, rest, same, shop, tea


def file(text, name, **more):
    return discord.File(io.BytesIO(text.encode() if isinstance(text, str) else text), name, **more)


def poll(answers, hours=24):
    asked = discord.Poll("Which wood?", duration=datetime.timedelta(hours=hours))
    for text in answers:
        asked.add_answer(text=text)
    return asked


@feature("embed sent")
async def embed_sent():
    sent = await channel("general").send(embed=discord.Embed(title="T", description="D"))
    same((sent.embeds[0].title, sent.embeds[0].description), ("T", "D"), "embed")


@feature("embed in full")
async def embed_in_full():
    when = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    made = discord.Embed(title="Chair", description="Of oak", url="https://example.com/chair", colour=0x123456, timestamp=when)
    made.set_footer(text="foot").set_author(name="Ada", url="https://example.com")
    made.set_image(url="https://example.com/a.png").set_thumbnail(url="https://example.com/b.png")
    made.add_field(name="legs", value="4", inline=True).add_field(name="arms", value="0", inline=False)
    embed = (await (await bench().send(embed=made)).fetch()).embeds[0]
    same((embed.title, embed.description, embed.url, embed.colour.value), ("Chair", "Of oak", "https://example.com/chair", 0x123456), "embed")
    same((embed.timestamp, embed.footer.text, embed.author.name, embed.author.url), (when, "foot", "Ada", "https://example.com"), "time, foot and author")
    same((embed.image.url, embed.thumbnail.url), ("https://example.com/a.png", "https://example.com/b.png"), "pictures")
    same([(f.name, f.value, f.inline) for f in embed.fields], [("legs", "4", True), ("arms", "0", False)], "fields")
    same(embed.type, "rich", "type")


@feature("embed limits")
async def embed_limits():
    where = bench()

    def many(count):
        embed = discord.Embed()
        for n in range(count):
            embed.add_field(name=str(n), value="x")
        return embed

    await fails(where.send(embed=many(26)), 50035)
    await fails(where.send(embed=discord.Embed(title="x" * 257)), 50035)
    await fails(where.send(embed=discord.Embed(description="x" * 4097)), 50035)
    await fails(where.send(embeds=[discord.Embed(description="x" * 3001), discord.Embed(description="x" * 3000)]), 50035)
    await fails(raw("POST", f"/channels/{where.id}/messages", {"embeds": [{"title": "x"}] * 11}), 50035)
    same(len((await where.send(embed=many(25))).embeds[0].fields), 25, "fields that fit")


@feature("attachment sent")
async def attachment_sent():
    sent = await channel("general").send("a file", file=file("some text", "note.txt"))
    stored = sent.attachments[0]
    same((sent.content, stored.filename, stored.size), ("a file", "note.txt", 9), "attachment")
    same(await stored.read(), b"some text", "download")


@feature("attachments described")
async def attachments_described():
    pixel = file(picture(), "pixel.png", description="One pixel", spoiler=True)
    first, second = (await bench().send(files=[pixel, file("b", "b.txt")])).attachments
    same((first.filename, first.description, first.is_spoiler(), second.filename), ("SPOILER_pixel.png", "One pixel", True, "b.txt"), "attachments")
    same((first.width, first.height, first.content_type, second.width), (1, 1, "image/png", None), "measures")
    same([key for key in ("ex=", "is=", "hm=") if key not in first.url], [], "signature")


@feature("attachments kept on edit")
async def attachments_kept_on_edit():
    sent = await bench().send(files=[file("a", "a.txt"), file("b", "b.txt")])
    edited = await sent.edit(attachments=[sent.attachments[0], file("c", "c.txt")])
    same([it.filename for it in edited.attachments], ["a.txt", "c.txt"], "attachments")
    same((await sent.edit(content="none", attachments=[])).attachments, [], "without any")


@feature("attachment in an embed")
async def attachment_in_an_embed():
    embed = discord.Embed().set_image(url="attachment://pixel.png")
    sent = await bench().send(embed=embed, file=file(picture(), "pixel.png"))
    url = sent.embeds[0].image.url
    async with Session.http.get(url) as reply:
        same((url.startswith("attachment:"), reply.status), (False, 200), "picture")
    same(sent.attachments, [], "attachments beside it")


@feature("attachment limits")
async def attachment_limits():
    where = bench()
    form = [{"name": "payload_json", "value": "{}"}]
    form += [{"name": f"files[{n}]", "value": b"x", "filename": f"{n}.txt", "content_type": "text/plain"} for n in range(11)]
    await fails(client().http.request(discord.http.Route("POST", f"/channels/{where.id}/messages"), form=form), 50035)
    await fails(where.send(file=file(bytes(11 * 1024 * 1024), "large.bin")), 40005)


@feature("sticker seen")
async def sticker_seen():
    cheers = tea["stickers"]["Cheers"]
    seen = soon("message", lambda message: len(message.stickers) > 0)
    await rest(ada["token"], "POST", f"/channels/{tea['channels']['general']}/messages", {"sticker_ids": [cheers]})
    same([(str(s.id), s.name) for s in (await seen).stickers], [(cheers, "Cheers")], "stickers")


@feature("sticker sent")
async def sticker_sent():
    done = await workshop().fetch_sticker(int(shop["stickers"]["Done"]))
    sent = await bench().send(stickers=[done])
    same([(s.id, s.name, s.format.value) for s in sent.stickers], [(done.id, "Done", 1)], "sticker")
    path = f"/channels/{bench().id}/messages"
    await fails(raw("POST", path, {"sticker_ids": [str(done.id)] * 4}), 50035)
    await fails(raw("POST", path, {"sticker_ids": ["1"]}), 50035, 50081, 10060)


@feature("poll")
async def poll_sent():
    asked = discord.Poll("Which tea?", duration=datetime.timedelta(hours=24))
    asked.add_answer(text="oolong")
    asked.add_answer(text="sencha")
    sent = await channel("random").send(poll=asked)
    same(sent.poll.question, "Which tea?", "question")
    same([answer.text for answer in sent.poll.answers], ["oolong", "sencha"], "answers")
    hours = (sent.poll.expires_at - sent.created_at).total_seconds() / 3600
    same((round(hours), sent.poll.is_finalised()), (24, False), "end")


@feature("poll voted")
async def poll_voted():
    sent = await bench().send(poll=poll(["oak", "ash"]))
    path = f"/channels/{sent.channel.id}/polls/{sent.id}/answers/@me"
    voted = soon("raw_poll_vote_add", lambda vote: vote.user_id == int(ben["id"]))
    await rest(ben["token"], "PUT", path, {"answer_ids": ["2"]})
    same((await voted).answer_id, 2, "answer")
    counted = await sent.fetch()
    same([answer.vote_count for answer in counted.poll.answers], [0, 1], "votes")
    same([user.id async for user in counted.poll.answers[1].voters()], [int(ben["id"])], "voters")
    taken = soon("raw_poll_vote_remove", lambda vote: vote.user_id == int(ben["id"]))
    await rest(ben["token"], "PUT", path, {"answer_ids": []})
    same((await taken).answer_id, 2, "answer taken back")


@feature("poll ended")
async def poll_ended():
    sent = await bench().send(poll=poll(["oak", "ash"]))
    told = soon("message", lambda message: message.type is discord.MessageType.poll_result)
    await sent.end_poll()
    same((await sent.fetch()).poll.is_finalised(), True, "final")
    same((await told).reference.message_id, sent.id, "result")
    plain = await bench().send("no poll")
    await fails(raw("POST", f"/channels/{plain.channel.id}/polls/{plain.id}/expire"), 520006)


@feature("poll limits")
async def poll_limits():
    def body(answers, hours=24):
        media = [{"poll_media": {"text": text}} for text in answers]
        return {"poll": {"question": {"text": "?"}, "answers": media, "duration": hours, "allow_multiselect": False}}

    path = f"/channels/{bench().id}/messages"
    await fails(raw("POST", path, body(["x"] * 11)), 50035)
    await fails(raw("POST", path, body(["x" * 56, "y"])), 50035)
    await fails(raw("POST", path, body(["x"], 769)), 50035)
