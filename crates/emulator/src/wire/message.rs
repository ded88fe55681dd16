//! Messages, as each viewer may see them.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Channel, Member, User};
use crate::{
    realm::{self, Attachment, Emoji, MessageKind, Nonce, Realm},
    snowflake::{Snowflake, rfc3339},
};

/// Whether embeds are hidden. Discord Docs/Message, Message Flags.
const SUPPRESS_EMBEDS: u64 = 1 << 2;

/// Who reads, and whether they may read what others wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Viewer {
    pub(crate) person: Option<Snowflake>,
    pub(crate) reads_content: bool,
}

impl Viewer {
    /// Sees all, and is nobody.
    pub(crate) const OBSERVER: Self = Self {
        person: None,
        reads_content: true,
    };

    /// Without the message content intent, a bot reads its own messages,
    /// those that mention it, and direct messages.
    fn reads(&self, channel: &realm::Channel, message: &realm::Message) -> bool {
        self.reads_content
            || channel.direct()
            || self.person == Some(message.author)
            || self.person.is_some_and(|me| message.mentions.contains(&me))
    }
}

/// Where a message is shown: the gateway adds the guild and members, and
/// only a new message carries its nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageView {
    History,
    CreateAnswer,
    GatewayCreate,
    GatewayUpdate,
}

#[derive(Serialize)]
pub(crate) struct Message {
    id: Snowflake,
    channel_id: Snowflake,
    #[serde(skip_serializing_if = "Option::is_none")]
    guild_id: Option<Snowflake>,
    author: Option<User>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<Member>,
    #[serde(rename = "type")]
    kind: u8,
    content: String,
    timestamp: String,
    edited_timestamp: Option<String>,
    tts: bool,
    mention_everyone: bool,
    mentions: Vec<Mention>,
    mention_roles: Vec<Snowflake>,
    attachments: Vec<Attachment>,
    embeds: Vec<Value>,
    components: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reactions: Vec<Reaction>,
    pinned: bool,
    flags: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<Nonce>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_reference: Option<Reference>,
    /// Left out when nothing is referenced, null when that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    referenced_message: Option<Option<Box<Message>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    message_snapshots: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sticker_items: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    poll: Option<Value>,
    /// The thread that hangs on the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<Channel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel_type: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_id: Option<Snowflake>,
    #[serde(skip_serializing_if = "Option::is_none")]
    application_id: Option<Snowflake>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interaction_metadata: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interaction: Option<Value>,
}

#[derive(Serialize)]
struct Mention {
    #[serde(flatten)]
    user: User,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<Member>,
}

#[derive(Serialize)]
struct Reaction {
    emoji: Emoji,
    count: usize,
    count_details: CountDetails,
    burst_colors: [(); 0],
    me: bool,
    me_burst: bool,
    burst_me: bool,
    burst_count: usize,
}

#[derive(Serialize)]
struct CountDetails {
    burst: usize,
    normal: usize,
}

#[derive(Serialize)]
struct Reference {
    #[serde(rename = "type")]
    kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<Snowflake>,
    channel_id: Snowflake,
    #[serde(skip_serializing_if = "Option::is_none")]
    guild_id: Option<Snowflake>,
}

impl Message {
    pub(crate) fn new(
        realm: &Realm,
        channel: &realm::Channel,
        message: &realm::Message,
        viewer: Viewer,
        place: MessageView,
    ) -> Self {
        let mut shown = Self::alone(realm, channel, message, viewer, place);
        let answers = matches!(
            message.kind,
            MessageKind::Reply | MessageKind::ThreadStarter
        );
        if let Some(reference) = message.reference.filter(|_| answers) {
            let source = realm.channels.get(&reference.channel);
            let referenced = source.and_then(|source| {
                let referenced = source.message(reference.message?)?;
                let place = MessageView::History;
                let shown = Self::alone(realm, source, referenced, viewer, place);
                Some(Box::new(shown))
            });
            shown.referenced_message = Some(referenced);
        }
        shown
    }

    /// A message without the one it answers.
    fn alone(
        realm: &Realm,
        channel: &realm::Channel,
        message: &realm::Message,
        viewer: Viewer,
        place: MessageView,
    ) -> Self {
        let guild = realm.guild_around(channel);
        let guild_id = guild.map(|guild| guild.id);
        let live = matches!(
            place,
            MessageView::GatewayCreate | MessageView::GatewayUpdate
        );
        let fresh = matches!(
            place,
            MessageView::GatewayCreate | MessageView::CreateAnswer
        );
        let member = |person| Member::partial(guild.filter(|_| live)?, person);
        let identity = message.webhook.as_ref();
        let look = identity.and_then(|it| Some((it.id, it.look.as_ref()?)));
        let author = match look {
            Some((id, look)) => Some(User::of_webhook(id, look)),
            None => realm.person(message.author).map(User::from),
        };
        let trace = message.interaction.as_ref();
        let readable = viewer.reads(channel, message);
        let content = |text: &String| {
            if readable {
                text.clone()
            } else {
                String::new()
            }
        };
        Self {
            id: message.id,
            channel_id: channel.id,
            guild_id: guild_id.filter(|_| live),
            author,
            member: member(message.author),
            kind: message.kind.number(),
            content: content(&message.content),
            timestamp: rfc3339(message.id.timestamp()),
            edited_timestamp: message.edited.map(rfc3339),
            tts: message.tts,
            mention_everyone: message.mention_everyone,
            mentions: message
                .mentions
                .iter()
                .filter_map(|id| realm.person(*id))
                .map(|person| Mention {
                    user: User::from(person),
                    member: member(person.id),
                })
                .collect(),
            mention_roles: message.mention_roles.clone(),
            attachments: if readable {
                message.attachments.iter().map(Attachment::signed).collect()
            } else {
                Vec::new()
            },
            embeds: if readable && message.flags & SUPPRESS_EMBEDS == 0 {
                message.embeds.clone()
            } else {
                Vec::new()
            },
            components: if readable {
                message.components.clone()
            } else {
                Vec::new()
            },
            reactions: message
                .reactions
                .iter()
                .map(|reaction| Reaction::new(reaction, viewer))
                .collect(),
            pinned: message.pinned.is_some(),
            flags: message.flags,
            nonce: message.nonce.clone().filter(|_| fresh),
            message_reference: message.reference.map(|reference| Reference {
                kind: u8::from(reference.forward),
                message_id: reference.message,
                channel_id: reference.channel,
                guild_id: realm
                    .channels
                    .get(&reference.channel)
                    .and_then(realm::Channel::guild),
            }),
            referenced_message: None,
            message_snapshots: if readable {
                message.snapshots.clone()
            } else {
                Vec::new()
            },
            sticker_items: message.stickers.clone(),
            poll: message
                .poll
                .clone()
                .filter(|_| readable)
                .map(|poll| with_results(poll, message, viewer)),
            thread: realm
                .channels
                .get(&message.id)
                .filter(|thread| thread.id != channel.id && thread.thread().is_some())
                .map(|thread| Channel::new(realm, thread, viewer.person)),
            channel_type: live.then(|| channel.number()),
            // Known since it was posted, which its sender's copy was not.
            position: channel
                .thread()
                .and_then(|_| channel.message(message.id)?.position),
            webhook_id: identity.map(|it| it.id),
            application_id: identity.and_then(|it| it.application),
            interaction_metadata: trace.map(|it| it.metadata.clone()),
            interaction: trace.and_then(|it| it.former.clone()),
        }
    }
}

impl Reaction {
    fn new(reaction: &realm::Reaction, viewer: Viewer) -> Self {
        let count = reaction.people.len();
        Self {
            emoji: reaction.emoji.clone(),
            count,
            count_details: CountDetails {
                burst: 0,
                normal: count,
            },
            burst_colors: [],
            me: viewer
                .person
                .is_some_and(|me| reaction.people.contains(&me)),
            me_burst: false,
            burst_me: false,
            burst_count: 0,
        }
    }
}

/// A poll with who voted for what.
fn with_results(mut poll: Value, message: &realm::Message, viewer: Viewer) -> Value {
    let mut answers: Vec<u64> = message.votes.iter().map(|vote| vote.answer).collect();
    answers.sort_unstable();
    answers.dedup();
    let counts: Vec<Value> = answers
        .into_iter()
        .map(|answer| {
            let votes = || message.votes.iter().filter(|vote| vote.answer == answer);
            json!({
                "id": answer,
                "count": votes().count(),
                "me_voted": votes().any(|vote| Some(vote.person) == viewer.person),
            })
        })
        .collect();
    poll["results"] = json!({
        "is_finalized": message.poll_is_over(),
        "answer_counts": counts,
    });
    poll
}
