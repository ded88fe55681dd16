//! The requests we make: method, path, and the names they go by elsewhere.

use std::hash::{DefaultHasher, Hash, Hasher};

use kaiwa_domain::limits::AUDIT_REASON_CHARS;
use kaiwa_domain::port::{History, OnWire, Urgency};
use kaiwa_domain::{
    ChannelId, GuildId, InteractionId, MessageId, ResponseHandle, RoleId, Scope, UserId,
    WebhookHandle,
};
use reqwest::Method;

use super::governor::{Counted, Errand};

/// A request, without its body.
#[derive(Clone, Copy, Debug)]
pub(super) enum Route<'a> {
    Me,
    Application,
    Gateway,
    Guilds {
        after: Option<GuildId>,
        limit: u16,
    },
    Guild(GuildId),
    Channels(GuildId),
    ActiveThreads(GuildId),
    Member {
        guild: GuildId,
        user: UserId,
    },
    Channel(ChannelId),
    ThreadMember {
        thread: ChannelId,
        user: UserId,
    },
    CreateMessage(ChannelId),
    CreateMessageWithFile(ChannelId),
    Typing(ChannelId),
    History {
        channel: ChannelId,
        point: History,
        limit: u16,
    },
    Message {
        channel: ChannelId,
        message: MessageId,
    },
    EditMessage {
        channel: ChannelId,
        message: MessageId,
    },
    /// A message of ours.
    DeleteOwn {
        channel: ChannelId,
        message: MessageId,
    },
    React {
        channel: ChannelId,
        message: MessageId,
        emoji: &'a str,
    },
    Pin {
        channel: ChannelId,
        message: MessageId,
    },
    Unpin {
        channel: ChannelId,
        message: MessageId,
    },
    /// At a message, or at none.
    BeginThread {
        channel: ChannelId,
        message: Option<MessageId>,
    },
    Stickers(GuildId),
    /// The first answer to an interaction.
    Acknowledge {
        interaction: InteractionId,
        handle: &'a ResponseHandle,
    },
    /// What is shown as the answer to an interaction.
    EditResponse(&'a ResponseHandle),
    Commands(u64),
    /// All commands at once; those that are not among them go.
    SetCommands(u64),
    User(UserId),
    FindMembers {
        guild: GuildId,
        name: &'a str,
        limit: u16,
    },
    EditMember {
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    },
    Kick {
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    },
    Bans {
        guild: GuildId,
        after: Option<UserId>,
        limit: u16,
    },
    BanOf {
        guild: GuildId,
        user: UserId,
    },
    Ban {
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    },
    Unban {
        guild: GuildId,
        user: UserId,
        reason: &'a str,
    },
    GiveRole {
        guild: GuildId,
        user: UserId,
        role: RoleId,
        reason: &'a str,
    },
    TakeRole {
        guild: GuildId,
        user: UserId,
        role: RoleId,
        reason: &'a str,
    },
    EditChannel {
        channel: ChannelId,
        reason: &'a str,
    },
    DeleteMessage {
        channel: ChannelId,
        message: MessageId,
        reason: &'a str,
    },
    DeleteMessages {
        channel: ChannelId,
        reason: &'a str,
    },
    OpenDm,
    /// The emoji of an application.
    Emojis(u64),
    CreateEmoji(u64),
    DeleteEmoji {
        application: u64,
        emoji: u64,
    },
    Webhooks(ChannelId),
    CreateWebhook(ChannelId),
    /// Says something by a webhook, in its channel or in a thread of it.
    ExecuteWebhook {
        webhook: &'a WebhookHandle,
        home: ChannelId,
        thread: Option<ChannelId>,
    },
    /// Changes what a webhook said.
    EditWebhookMessage {
        webhook: &'a WebhookHandle,
        thread: Option<ChannelId>,
        message: MessageId,
    },
    /// Takes back what a webhook said.
    DeleteWebhookMessage {
        webhook: &'a WebhookHandle,
        thread: Option<ChannelId>,
        message: MessageId,
    },
}

/// What a request does in a channel. Each is refused on its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operation {
    Speak,
    Edit,
    Attach,
    React,
    Read,
    Pin,
    BeginThread,
    HaveWebhook,
}

impl Route<'_> {
    pub(super) const fn method(self) -> Method {
        match self {
            Self::CreateMessage(_) | Self::CreateMessageWithFile(_) | Self::Typing(_) => {
                Method::POST
            }
            Self::Acknowledge { .. } | Self::BeginThread { .. } => Method::POST,
            Self::EditMessage { .. } | Self::EditResponse(_) => Method::PATCH,
            Self::DeleteMessages { .. } | Self::OpenDm => Method::POST,
            Self::CreateWebhook(_) | Self::ExecuteWebhook { .. } | Self::CreateEmoji(_) => {
                Method::POST
            }
            Self::EditMember { .. }
            | Self::EditChannel { .. }
            | Self::EditWebhookMessage { .. } => Method::PATCH,
            Self::Kick { .. }
            | Self::Unban { .. }
            | Self::TakeRole { .. }
            | Self::Unpin { .. }
            | Self::DeleteOwn { .. }
            | Self::DeleteEmoji { .. }
            | Self::DeleteWebhookMessage { .. }
            | Self::DeleteMessage { .. } => Method::DELETE,
            Self::React { .. }
            | Self::Pin { .. }
            | Self::Ban { .. }
            | Self::GiveRole { .. }
            | Self::SetCommands(_) => Method::PUT,
            Self::Me
            | Self::Application
            | Self::Gateway
            | Self::Guilds { .. }
            | Self::History { .. }
            | Self::Message { .. }
            | Self::Guild(_)
            | Self::Channels(_)
            | Self::ActiveThreads(_)
            | Self::Stickers(_)
            | Self::Member { .. }
            | Self::Channel(_)
            | Self::Commands(_)
            | Self::User(_)
            | Self::FindMembers { .. }
            | Self::Bans { .. }
            | Self::BanOf { .. }
            | Self::Webhooks(_)
            | Self::Emojis(_)
            | Self::ThreadMember { .. } => Method::GET,
        }
    }

    /// Whether repeating it can do no harm.
    pub(super) fn is_idempotent(self) -> bool {
        let again = matches!(self, Self::DeleteMessages { .. } | Self::OpenDm);
        again || self.method() != Method::POST
    }

    /// What the audit log of the guild says about it, as a header has it.
    pub(super) fn audit_reason(self) -> Option<String> {
        match self {
            Self::EditMember { reason, .. }
            | Self::Kick { reason, .. }
            | Self::Ban { reason, .. }
            | Self::Unban { reason, .. }
            | Self::GiveRole { reason, .. }
            | Self::TakeRole { reason, .. }
            | Self::EditChannel { reason, .. }
            | Self::DeleteMessage { reason, .. }
            | Self::DeleteMessages { reason, .. } => {
                let short: String = reason.chars().take(AUDIT_REASON_CHARS).collect();
                Some(percent_encoded(&short))
            }
            _ => None,
        }
    }

    /// The route's name in logs and metrics.
    pub(super) const fn template(self) -> &'static str {
        match self {
            Self::Me => "GET /users/@me",
            Self::Application => "GET /applications/@me",
            Self::Gateway => "GET /gateway/bot",
            Self::Guilds { .. } => "GET /users/@me/guilds",
            Self::Guild(_) => "GET /guilds/{guild}",
            Self::Channels(_) => "GET /guilds/{guild}/channels",
            Self::ActiveThreads(_) => "GET /guilds/{guild}/threads/active",
            Self::Member { .. } => "GET /guilds/{guild}/members/{user}",
            Self::Channel(_) => "GET /channels/{channel}",
            Self::ThreadMember { .. } => "GET /channels/{channel}/thread-members/{user}",
            Self::CreateMessage(_) | Self::CreateMessageWithFile(_) => {
                "POST /channels/{channel}/messages"
            }
            Self::Typing(_) => "POST /channels/{channel}/typing",
            Self::History { .. } => "GET /channels/{channel}/messages",
            Self::Message { .. } => "GET /channels/{channel}/messages/{message}",
            Self::EditMessage { .. } => "PATCH /channels/{channel}/messages/{message}",
            Self::React { .. } => {
                "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me"
            }
            Self::Pin { .. } => "PUT /channels/{channel}/messages/pins/{message}",
            Self::Unpin { .. } => "DELETE /channels/{channel}/messages/pins/{message}",
            Self::BeginThread { message: None, .. } => "POST /channels/{channel}/threads",
            Self::BeginThread { .. } => "POST /channels/{channel}/messages/{message}/threads",
            Self::Stickers(_) => "GET /guilds/{guild}/stickers",
            Self::Acknowledge { .. } => "POST /interactions/{interaction}/{token}/callback",
            Self::EditResponse(_) => "PATCH /webhooks/{application}/{token}/messages/@original",
            Self::Commands(_) => "GET /applications/{application}/commands",
            Self::SetCommands(_) => "PUT /applications/{application}/commands",
            Self::User(_) => "GET /users/{user}",
            Self::FindMembers { .. } => "GET /guilds/{guild}/members/search",
            Self::EditMember { .. } => "PATCH /guilds/{guild}/members/{user}",
            Self::Kick { .. } => "DELETE /guilds/{guild}/members/{user}",
            Self::Bans { .. } => "GET /guilds/{guild}/bans",
            Self::BanOf { .. } => "GET /guilds/{guild}/bans/{user}",
            Self::Ban { .. } => "PUT /guilds/{guild}/bans/{user}",
            Self::Unban { .. } => "DELETE /guilds/{guild}/bans/{user}",
            Self::GiveRole { .. } => "PUT /guilds/{guild}/members/{user}/roles/{role}",
            Self::TakeRole { .. } => "DELETE /guilds/{guild}/members/{user}/roles/{role}",
            Self::EditChannel { .. } => "PATCH /channels/{channel}",
            Self::DeleteMessage { .. } | Self::DeleteOwn { .. } => {
                "DELETE /channels/{channel}/messages/{message}"
            }
            Self::DeleteMessages { .. } => "POST /channels/{channel}/messages/bulk-delete",
            Self::OpenDm => "POST /users/@me/channels",
            Self::Emojis(_) => "GET /applications/{application}/emojis",
            Self::CreateEmoji(_) => "POST /applications/{application}/emojis",
            Self::DeleteEmoji { .. } => "DELETE /applications/{application}/emojis/{emoji}",
            Self::Webhooks(_) => "GET /channels/{channel}/webhooks",
            Self::CreateWebhook(_) => "POST /channels/{channel}/webhooks",
            Self::ExecuteWebhook { .. } => "POST /webhooks/{webhook}/{token}",
            Self::EditWebhookMessage { .. } => {
                "PATCH /webhooks/{webhook}/{token}/messages/{message}"
            }
            Self::DeleteWebhookMessage { .. } => {
                "DELETE /webhooks/{webhook}/{token}/messages/{message}"
            }
        }
    }

    /// The path below the API's address, with the query.
    pub(super) fn path(self) -> String {
        match self {
            Self::Me => "users/@me".to_owned(),
            Self::Application => "applications/@me".to_owned(),
            Self::Gateway => "gateway/bot".to_owned(),
            Self::Guilds { after, limit } => {
                let after = after.map_or_else(String::new, |id| format!("after={id}&"));
                format!("users/@me/guilds?{after}limit={limit}")
            }
            Self::Guild(guild) => format!("guilds/{guild}"),
            Self::Channels(guild) => format!("guilds/{guild}/channels"),
            Self::ActiveThreads(guild) => format!("guilds/{guild}/threads/active"),
            Self::Member { guild, user }
            | Self::EditMember { guild, user, .. }
            | Self::Kick { guild, user, .. } => format!("guilds/{guild}/members/{user}"),
            Self::User(user) => format!("users/{user}"),
            Self::FindMembers { guild, name, limit } => {
                let name = percent_encoded(name);
                format!("guilds/{guild}/members/search?query={name}&limit={limit}")
            }
            Self::Bans {
                guild,
                after,
                limit,
            } => {
                let after = after.map_or_else(String::new, |id| format!("after={id}&"));
                format!("guilds/{guild}/bans?{after}limit={limit}")
            }
            Self::BanOf { guild, user }
            | Self::Ban { guild, user, .. }
            | Self::Unban { guild, user, .. } => format!("guilds/{guild}/bans/{user}"),
            Self::GiveRole {
                guild, user, role, ..
            }
            | Self::TakeRole {
                guild, user, role, ..
            } => format!("guilds/{guild}/members/{user}/roles/{role}"),
            Self::DeleteMessages { channel, .. } => {
                format!("channels/{channel}/messages/bulk-delete")
            }
            Self::OpenDm => "users/@me/channels".to_owned(),
            Self::Channel(channel) | Self::EditChannel { channel, .. } => {
                format!("channels/{channel}")
            }
            Self::ThreadMember { thread, user } => {
                format!("channels/{thread}/thread-members/{user}")
            }
            Self::CreateMessage(channel) | Self::CreateMessageWithFile(channel) => {
                format!("channels/{channel}/messages")
            }
            Self::Typing(channel) => format!("channels/{channel}/typing"),
            Self::History {
                channel,
                point,
                limit,
            } => {
                let point = match point {
                    History::Before(id) => format!("before={id}&"),
                    History::After(id) => format!("after={id}&"),
                    History::Latest => String::new(),
                };
                format!("channels/{channel}/messages?{point}limit={limit}")
            }
            Self::Message { channel, message }
            | Self::EditMessage { channel, message }
            | Self::DeleteOwn { channel, message }
            | Self::DeleteMessage {
                channel, message, ..
            } => format!("channels/{channel}/messages/{message}"),
            Self::React {
                channel,
                message,
                emoji,
            } => {
                let emoji = percent_encoded(emoji);
                format!("channels/{channel}/messages/{message}/reactions/{emoji}/@me")
            }
            Self::Pin { channel, message } | Self::Unpin { channel, message } => {
                format!("channels/{channel}/messages/pins/{message}")
            }
            Self::BeginThread { channel, message } => match message {
                Some(message) => format!("channels/{channel}/messages/{message}/threads"),
                None => format!("channels/{channel}/threads"),
            },
            Self::Stickers(guild) => format!("guilds/{guild}/stickers"),
            Self::Acknowledge {
                interaction,
                handle,
            } => {
                let token = percent_encoded(handle.token());
                format!("interactions/{interaction}/{token}/callback")
            }
            Self::EditResponse(handle) => {
                let token = percent_encoded(handle.token());
                let application = handle.application();
                format!("webhooks/{application}/{token}/messages/@original")
            }
            Self::Emojis(application) | Self::CreateEmoji(application) => {
                format!("applications/{application}/emojis")
            }
            Self::DeleteEmoji { application, emoji } => {
                format!("applications/{application}/emojis/{emoji}")
            }
            Self::Webhooks(channel) | Self::CreateWebhook(channel) => {
                format!("channels/{channel}/webhooks")
            }
            // Without `wait` nobody would learn what became of it.
            Self::ExecuteWebhook {
                webhook, thread, ..
            } => {
                let (id, token) = (webhook.id(), percent_encoded(webhook.token()));
                let thread = thread.map_or_else(String::new, |id| format!("&thread_id={id}"));
                format!("webhooks/{id}/{token}?wait=true{thread}")
            }
            Self::EditWebhookMessage {
                webhook,
                thread,
                message,
            }
            | Self::DeleteWebhookMessage {
                webhook,
                thread,
                message,
            } => {
                let (id, token) = (webhook.id(), percent_encoded(webhook.token()));
                let thread = thread.map_or_else(String::new, |id| format!("?thread_id={id}"));
                format!("webhooks/{id}/{token}/messages/{message}{thread}")
            }
            Self::Commands(application) => {
                format!("applications/{application}/commands?with_localizations=true")
            }
            Self::SetCommands(application) => format!("applications/{application}/commands"),
        }
    }

    /// Whether a token in the path says who we are, so that our own is not
    /// told.
    pub(super) const fn is_by_token(self) -> bool {
        matches!(
            self,
            Self::ExecuteWebhook { .. }
                | Self::EditWebhookMessage { .. }
                | Self::DeleteWebhookMessage { .. }
        )
    }

    /// Whether Discord's limits do not count it, so that it never waits for
    /// them: three seconds are soon over.
    pub(super) const fn is_unlimited(self) -> bool {
        matches!(self, Self::Acknowledge { .. })
    }

    /// Whether it answers somebody who used a control.
    pub(super) const fn answers_control(self) -> bool {
        matches!(self, Self::Acknowledge { .. } | Self::EditResponse(_))
    }

    /// What the governor has to know of it.
    pub(super) fn errand(self, on_wire: &OnWire) -> Errand {
        let place = self.place();
        let party = match (on_wire.scope(), self) {
            (Some(Scope::Guild(guild)), _) => guild.get(),
            _ => place,
        };
        Errand {
            route: self.template(),
            place,
            party,
            urgency: self.urgency(on_wire),
            counted: match self {
                control if control.answers_control() => Counted::Address,
                by_token if by_token.is_by_token() => Counted::Address,
                _ => Counted::Bot,
            },
            jointly: match self {
                Self::ExecuteWebhook { home, .. } => Some(home.get()),
                _ => None,
            },
            since: on_wire.since(),
        }
    }

    /// The channel, guild or token that its bucket belongs to; zero if that is
    /// everything.
    ///
    /// See [Discord Docs/Rate Limits](https://docs.discord.com/developers/topics/rate-limits).
    fn place(self) -> u64 {
        match self {
            Self::Guild(guild)
            | Self::Channels(guild)
            | Self::ActiveThreads(guild)
            | Self::Member { guild, .. }
            | Self::Stickers(guild)
            | Self::FindMembers { guild, .. }
            | Self::EditMember { guild, .. }
            | Self::Kick { guild, .. }
            | Self::Bans { guild, .. }
            | Self::BanOf { guild, .. }
            | Self::Ban { guild, .. }
            | Self::Unban { guild, .. }
            | Self::GiveRole { guild, .. }
            | Self::TakeRole { guild, .. } => guild.get(),
            Self::Channel(channel)
            | Self::ThreadMember {
                thread: channel, ..
            }
            | Self::CreateMessage(channel)
            | Self::CreateMessageWithFile(channel)
            | Self::Typing(channel)
            | Self::History { channel, .. }
            | Self::Message { channel, .. }
            | Self::EditMessage { channel, .. }
            | Self::DeleteOwn { channel, .. }
            | Self::React { channel, .. }
            | Self::Pin { channel, .. }
            | Self::Unpin { channel, .. }
            | Self::BeginThread { channel, .. }
            | Self::EditChannel { channel, .. }
            | Self::DeleteMessage { channel, .. }
            | Self::Webhooks(channel)
            | Self::CreateWebhook(channel)
            | Self::DeleteMessages { channel, .. } => channel.get(),
            Self::ExecuteWebhook { webhook, .. }
            | Self::EditWebhookMessage { webhook, .. }
            | Self::DeleteWebhookMessage { webhook, .. } => webhook.id().get(),
            Self::Acknowledge { handle, .. } | Self::EditResponse(handle) => {
                let mut digest = DefaultHasher::new();
                handle.token().hash(&mut digest);
                digest.finish()
            }
            Self::Me
            | Self::Application
            | Self::Gateway
            | Self::Guilds { .. }
            | Self::Emojis(_)
            | Self::CreateEmoji(_)
            | Self::DeleteEmoji { .. }
            | Self::Commands(_)
            | Self::SetCommands(_)
            | Self::User(_)
            | Self::OpenDm => 0,
        }
    }

    /// How much somebody waits for it. Of texts, whoever sends them knows.
    fn urgency(self, on_wire: &OnWire) -> Urgency {
        match self {
            Self::CreateMessage(_)
            | Self::CreateMessageWithFile(_)
            | Self::ExecuteWebhook { .. } => on_wire.urgency(),
            // The last text that a message gets is no less than a message.
            Self::EditMessage { .. } | Self::EditWebhookMessage { .. }
                if on_wire.urgency() == Urgency::FinalText =>
            {
                Urgency::FinalText
            }
            Self::EditMessage { .. }
            | Self::DeleteOwn { .. }
            | Self::EditWebhookMessage { .. }
            | Self::DeleteWebhookMessage { .. } => Urgency::Edit,
            // Nobody waits for the second.
            Self::React { .. } | Self::DeleteEmoji { .. } => Urgency::Reaction,
            Self::Typing(_) => Urgency::Typing,
            Self::History { .. }
            | Self::Message { .. }
            | Self::Channel(_)
            | Self::Webhooks(_)
            | Self::CreateWebhook(_)
            | Self::Emojis(_)
            | Self::CreateEmoji(_) => Urgency::Lookup,
            // Whoever joins is given roles, and a hundred may join at once.
            Self::GiveRole { .. }
            | Self::TakeRole { .. }
            | Self::Commands(_)
            | Self::SetCommands(_) => Urgency::Text,
            _ => Urgency::Control,
        }
    }

    /// Where it acts, and how, if it acts in a channel.
    pub(super) const fn operation(self) -> Option<(ChannelId, Operation)> {
        match self {
            Self::CreateMessage(channel) | Self::Typing(channel) => {
                Some((channel, Operation::Speak))
            }
            // Who may no longer speak may still change what is up.
            Self::EditMessage { channel, .. } => Some((channel, Operation::Edit)),
            Self::CreateMessageWithFile(channel) => Some((channel, Operation::Attach)),
            Self::History { channel, .. } | Self::Message { channel, .. } => {
                Some((channel, Operation::Read))
            }
            Self::React { channel, .. } => Some((channel, Operation::React)),
            Self::Pin { channel, .. } | Self::Unpin { channel, .. } => {
                Some((channel, Operation::Pin))
            }
            Self::BeginThread { channel, .. } => Some((channel, Operation::BeginThread)),
            Self::Webhooks(channel) | Self::CreateWebhook(channel) => {
                Some((channel, Operation::HaveWebhook))
            }
            Self::Me
            | Self::Application
            | Self::Gateway
            | Self::Guilds { .. }
            | Self::Guild(_)
            | Self::Channels(_)
            | Self::ActiveThreads(_)
            | Self::Stickers(_)
            | Self::Member { .. }
            | Self::Channel(_)
            | Self::Acknowledge { .. }
            | Self::EditResponse(_)
            | Self::Commands(_)
            | Self::SetCommands(_)
            | Self::User(_)
            | Self::FindMembers { .. }
            | Self::EditMember { .. }
            | Self::Kick { .. }
            | Self::Bans { .. }
            | Self::BanOf { .. }
            | Self::Ban { .. }
            | Self::Unban { .. }
            | Self::GiveRole { .. }
            | Self::TakeRole { .. }
            | Self::EditChannel { .. }
            | Self::DeleteOwn { .. }
            | Self::DeleteMessage { .. }
            | Self::DeleteMessages { .. }
            | Self::OpenDm
            | Self::ExecuteWebhook { .. }
            | Self::EditWebhookMessage { .. }
            | Self::DeleteWebhookMessage { .. }
            | Self::Emojis(_)
            | Self::CreateEmoji(_)
            | Self::DeleteEmoji { .. }
            | Self::ThreadMember { .. } => None,
        }
    }
}

/// A text as one segment of a path.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' => {
                encoded.push(char::from(byte));
            }
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_text_of_a_message_is_as_urgent_as_one_of_its_own() {
        let (channel, message) = (ChannelId::new(1), MessageId::new(2));
        let webhook = WebhookHandle::new(kaiwa_domain::WebhookId::new(3), "token".to_owned());
        let edits = [
            Route::EditMessage { channel, message },
            Route::EditWebhookMessage {
                webhook: &webhook,
                thread: None,
                message,
            },
        ];
        let scope = Scope::Guild(GuildId::new(4));
        for route in edits {
            for (asked, expect) in [
                (Urgency::FinalText, Urgency::FinalText),
                (Urgency::FirstText, Urgency::Edit),
                (Urgency::Text, Urgency::Edit),
                (Urgency::Edit, Urgency::Edit),
            ] {
                let errand = route.errand(&OnWire::of(scope, asked));
                assert_eq!(errand.urgency, expect, "{route:?} {asked:?}");
                assert_eq!(errand.party, 4);
            }
        }
    }
}
