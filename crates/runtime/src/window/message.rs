//! Messages: how large they are, and what they look like before the gateway
//! brings them.

use kaiwa_domain::{
    Author, AuthorKind, Effect, EffectBody, Embed, Me, Message, MessageId, Notice, Outgoing, Reply,
};

/// What a message takes beside its words.
const MESSAGE_BYTES: usize = 400;

/// About as many bytes as a message takes.
pub(super) fn bytes(message: &Message) -> usize {
    let embeds = |embeds: &[Embed]| -> usize {
        let each = embeds.iter().map(|embed| {
            let texts = [&embed.title, &embed.description, &embed.url];
            let texts: usize = texts.into_iter().flatten().map(String::len).sum();
            let fields = embed.fields.iter();
            let fields: usize = fields.map(|(name, value)| name.len() + value.len()).sum();
            texts + fields + 100
        });
        each.sum()
    };
    let forward = message.forward.as_ref();
    let forward = forward.map_or(0, |it| it.text.len() + embeds(&it.embeds) + 100);
    let reply = message.reply.as_ref().and_then(|it| it.target.as_deref());
    let lists = message.attachments.len() * 300
        + message.mentions.len() * 60
        + message.reactions.len() * 40
        + message.author.roles.len() * 8
        + message.stickers.iter().map(String::len).sum::<usize>();
    MESSAGE_BYTES
        + message.text.len()
        + embeds(&message.embeds)
        + lists
        + forward
        + reply.map_or(0, bytes)
}

/// A message that shows an effect, as far as that is known without the gateway.
pub(super) fn posted(me: &Me, effect: &Effect, id: MessageId) -> Message {
    let text = match &effect.body {
        EffectBody::Say { outgoing, .. } => match outgoing {
            Outgoing::Say(text) => text.clone(),
            Outgoing::Table(table) => table.source().to_owned(),
            Outgoing::File(file) => file.text().to_owned(),
            Outgoing::Rest(_) => Notice::AnswerAttached.text().to_owned(),
            Outgoing::Sticker(_) => String::new(),
        },
        EffectBody::Notify { notice, .. } => notice.text().to_owned(),
        EffectBody::Live(live) => live.text.clone(),
        EffectBody::Act { .. }
        | EffectBody::Delete { .. }
        | EffectBody::Dress { .. }
        | EffectBody::Undress { .. } => String::new(),
        EffectBody::Thoughts(page) => page.text.clone(),
        EffectBody::Respond { text, .. }
        | EffectBody::Offer { text, .. }
        | EffectBody::Report { text }
        | EffectBody::Point { text }
        | EffectBody::Progress { text, .. }
        | EffectBody::Retire { text, .. } => text.clone(),
    };
    let author = Author {
        id: me.id,
        name: me.name.clone(),
        kind: AuthorKind::Bot,
        roles: Vec::new(),
    };
    let reply = effect.body.reply_to();
    let stickers = match &effect.body {
        EffectBody::Say {
            outgoing: Outgoing::Sticker(sticker),
            ..
        } => vec![sticker.name.clone()],
        _ => Vec::new(),
    };
    Message {
        stickers,
        reply: reply.map(|to| Reply { to, target: None }),
        ..Message::new(id, effect.scope, effect.channel, author, text)
    }
}
