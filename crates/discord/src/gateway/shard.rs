//! One shard, from connect to shutdown.

use std::collections::{BTreeSet, HashSet};
use std::future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use kaiwa_domain::port::{Ack, Clock, Inbound, Pending, Session, Sessions};
use kaiwa_domain::{Event, GuildId, Me, Scope, Timestamp};
use serde::Deserialize;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use twilight_gateway::error::ReceiveMessageError;
use twilight_gateway::{
    CloseFrame, Config, ConfigBuilder, Message, Session as Resumable, Shard, ShardId, ShardState,
};
use twilight_model::gateway::OpCode;
use twilight_model::gateway::event::GatewayEventDeserializer;

use super::acks::AckTracker;
use super::budget::IdentifyBudget;
use super::closure::PrivilegedIntents;
use super::dms::DmScopes;
use super::held::HeldEvents;
use super::pulse::ShardLine;
use super::saves::SessionSaves;
use super::{GatewayError, usable};
use crate::known::KnownRights;
use crate::translate::{
    RawChannel, RawDeletion, RawDeparture, RawEmojis, RawGuild, RawGuildGone, RawGuildMember,
    RawInteraction, RawMessage, RawMissingGuild, RawReaction, RawReactionRemoval, RawStickers,
    RawUser, UpTo,
};
use crate::webhook_news::WebhookNews;

/// How often the session is saved while it changes.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// A connection that is down for this many saves is lost. Discord asks to
/// reconnect now and then, which takes a moment.
const LOST_AFTER: u32 = 2;

/// How long the goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);

/// How long a connection is kept that cannot be read, as nobody takes what it
/// brings. Heartbeats wait too, so this is well below the time between two.
const UNREAD: Duration = Duration::from_secs(10);

/// How many guilds a shard has at most.
///
/// See [Discord Docs/Sharding](https://docs.discord.com/developers/events/gateway#sharding).
const GUILDS: usize = 2500;

/// One shard, ready to run.
pub struct ShardTask {
    pub(super) id: ShardId,
    pub(super) config: Config<IdentifyBudget>,
    pub(super) privileged: PrivilegedIntents,
    pub(super) me: Me,
    pub(super) sessions: Arc<dyn Sessions>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) line: Arc<ShardLine>,
    pub(super) paused: watch::Sender<BTreeSet<u32>>,
    pub(super) known: KnownRights,
    pub(super) webhook_news: WebhookNews,
}

impl ShardTask {
    /// Which shard this is, counted from 0.
    pub const fn number(&self) -> u32 {
        self.id.number()
    }

    /// Brings events until `shutdown`, or until Discord shuts us out for good.
    ///
    /// Resumes the saved session if there is one. On shutdown the session is
    /// left resumable and saved; events that are not acknowledged by then
    /// come again.
    ///
    /// So many events are held for a listener that lags. If it takes none of
    /// them for long, the connection is closed so that it can be resumed, and
    /// is resumed once all that is held was taken: the memory stays bounded,
    /// and Discord keeps the rest. What it keeps no longer is a new session's.
    pub fn run(
        self,
        events: mpsc::Sender<Inbound>,
        shutdown: CancellationToken,
    ) -> BoxFuture<'static, Result<(), GatewayError>> {
        // Boxed, so that it is compiled here and not with the binary, which
        // comes last and alone.
        Box::pin(self.run_until(events, shutdown))
    }

    async fn run_until(
        self,
        events: mpsc::Sender<Inbound>,
        shutdown: CancellationToken,
    ) -> Result<(), GatewayError> {
        let privileged = self.privileged;
        let mut running = RunningShard::start(self).await;
        match running.listen(&events, &shutdown).await {
            Ended::Stopped => {
                running.say_goodbye().await;
                running.save_last().await;
                Ok(())
            }
            Ended::ShutOut(code) => {
                running.save_last().await;
                let shards = running.shard.id().total();
                Err(GatewayError::of(code, privileged, shards))
            }
        }
    }
}

/// Why [`RunningShard::listen`] returned.
enum Ended {
    Stopped,
    ShutOut(u16),
}

/// A shard that runs.
struct RunningShard {
    shard: Shard<IdentifyBudget>,
    me: Me,
    clock: Arc<dyn Clock>,
    acks: AckTracker,
    /// Where to resume; twilight forgets it when a connection fails.
    resume_url: String,
    saves: SessionSaves,
    /// Whether listeners know that this connection is up.
    announced: bool,
    /// How often in a row the connection was found down.
    down: u32,
    /// Whether this connection begins a session, so that events before it are
    /// lost.
    fresh: bool,
    /// The guilds of a session that began with us which are still to come,
    /// maybe by a later connection.
    missing: HashSet<GuildId>,
    held: HeldEvents,
    /// Whether there is no connection until somebody has taken what is held.
    is_paused: bool,
    dms: DmScopes,
    line: Arc<ShardLine>,
    /// The shards without a connection for that reason, this one among them
    /// until events flow again.
    paused: watch::Sender<BTreeSet<u32>>,
    known: KnownRights,
    webhook_news: WebhookNews,
}

impl RunningShard {
    async fn start(task: ShardTask) -> Self {
        let number = task.number();
        let saved = task.sessions.load(number).await.unwrap_or_else(|error| {
            tracing::warn!(shard = number, %error, "no saved session can be read");
            None
        });
        let mut acks = AckTracker::default();
        let resumed = saved.as_ref().filter(|it| it.shards == task.id.total());
        let resumable = resumed.and_then(|session| {
            let resumable = Resumable::new(session.sequence, session.id.clone());
            Some((resumable, usable(&session.resume_url)?))
        });
        if let Some((session, _)) = &resumable {
            acks = AckTracker::starting_at(session.sequence());
        }
        Self {
            fresh: resumable.is_none(),
            missing: HashSet::new(),
            resume_url: resumable
                .as_ref()
                .map_or_else(String::new, |(_, url)| url.clone()),
            shard: shard_of(task.id, task.config, resumable),
            me: task.me,
            clock: task.clock,
            acks,
            saves: SessionSaves::new(number, task.sessions, saved),
            announced: false,
            down: 0,
            held: HeldEvents::default(),
            is_paused: false,
            dms: DmScopes::default(),
            line: task.line,
            paused: task.paused,
            known: task.known,
            webhook_news: task.webhook_news,
        }
    }

    async fn listen(
        &mut self,
        events: &mpsc::Sender<Inbound>,
        shutdown: &CancellationToken,
    ) -> Ended {
        let mut save_due: Pending<'static, ()> = self.clock.sleep(SAVE_EVERY);
        let mut unread: Option<Pending<'static, ()>> = None;
        let mut last_close = 0;
        loop {
            if self.is_paused && self.held.is_empty() {
                self.is_paused = false;
                tracing::info!(shard = self.shard.id().number(), "there is room again");
            }
            let is_read = !self.is_paused && !self.held.is_full();
            if is_read || self.is_paused {
                unread = None;
            } else if unread.is_none() {
                unread = Some(self.clock.sleep(UNREAD));
            }
            tokio::select! {
                biased;
                () = shutdown.cancelled() => return Ended::Stopped,
                () = self.saves.done() => {}
                () = &mut save_due => {
                    self.save();
                    self.notice_loss();
                    self.shard.config().queue().release();
                    save_due = self.clock.sleep(SAVE_EVERY);
                }
                () = self.line.reconnect.notified() => self.reconnect(),
                room = events.reserve(), if !self.held.is_empty() => match room {
                    Ok(room) => {
                        if let Some(inbound) = self.held.pop() {
                            room.send(inbound);
                        }
                    }
                    // Nobody listens any more.
                    Err(_) => return Ended::Stopped,
                },
                () = ended(&mut unread) => self.pause().await,
                item = self.shard.next(), if is_read => match item {
                    Some(Ok(Message::Text(text))) => self.receive(&text),
                    Some(Ok(Message::Close(frame))) => {
                        last_close = frame.map_or(0, |frame| frame.code);
                        self.announced = false;
                        self.log_close(last_close);
                    }
                    Some(Err(error)) => self.log_failure(&error),
                    None => return Ended::ShutOut(last_close),
                },
            }
        }
    }

    /// Somebody says that the connection brings nothing.
    fn reconnect(&self) {
        if !self.is_paused {
            tracing::warn!(shard = self.shard.id().number(), "reconnecting on request");
            self.shard.close(CloseFrame::RESUME);
        }
    }

    /// Closes the connection, to be resumed after the last event that is held.
    async fn pause(&mut self) {
        let id = self.shard.id();
        tracing::warn!(
            shard = id.number(),
            held = self.held.len(),
            "nobody takes what comes: the connection is closed, to be resumed once there is room"
        );
        metrics::counter!("gateway_pauses_total").increment(1);
        self.is_paused = true;
        self.announced = false;
        let session = self.session();
        self.say_goodbye().await;
        // What arrived meanwhile twilight has counted, and we have not taken.
        let resumable = session.as_ref().and_then(|session| {
            let resumable = Resumable::new(self.acks.taken_in(), session.id.clone());
            Some((resumable, usable(&session.resume_url)?))
        });
        self.shard = shard_of(id, self.shard.config().clone(), resumable);
        self.tell_paused(true);
        self.saves.begin(session);
    }

    fn tell_paused(&self, paused: bool) {
        let shard = self.shard.id().number();
        self.paused.send_if_modified(|shards| {
            let changed = match paused {
                true => shards.insert(shard),
                false => shards.remove(&shard),
            };
            if changed {
                metrics::gauge!("gateway_shards_paused").set(shards.len() as f64);
            }
            changed
        });
    }

    /// Takes in one gateway message; what has to be known outside is held.
    fn receive(&mut self, text: &str) {
        let Some(envelope) = GatewayEventDeserializer::from_json(text) else {
            return;
        };
        let Some(sequence) = envelope.sequence() else {
            // Every connection begins with this, the one after Discord asked
            // us to reconnect too, of which we see no close.
            if OpCode::from(envelope.op()) == Some(OpCode::Hello) {
                self.announced = false;
                // twilight has decided by now what it asks for, and what is
                // replayed comes before Discord agrees.
                self.fresh = self.shard.session().is_none();
            }
            return;
        };
        let kind = envelope.event_type().unwrap_or_default();
        count_event(kind);
        self.line.beat(self.clock.moment());
        match kind {
            "READY" => {
                self.acks = AckTracker::starting_at(sequence);
                self.begin(text);
            }
            "RESUMED" => {
                self.acks.pass(sequence);
                self.announce();
                count_session("resume");
                tracing::info!(shard = self.shard.id().number(), "session resumed");
                self.save();
            }
            kind => {
                // Replayed events come before Discord says RESUMED.
                self.announce();
                self.known.note(kind, text, &self.me, self.clock.now());
                self.webhook_news.note(kind, text);
                match self.event(kind, text) {
                    Some(event) => {
                        let ack = self.acks.enter(sequence);
                        self.held.push(Inbound { event, ack }, text.len());
                    }
                    None => self.acks.pass(sequence),
                }
            }
        }
    }

    /// A new session began.
    fn begin(&mut self, text: &str) {
        #[derive(Deserialize)]
        struct Ready {
            user: RawUser,
            #[serde(default)]
            guilds: UpTo<GUILDS, RawMissingGuild>,
        }
        self.missing.clear();
        if let Some(ready) = payload::<Ready>(text) {
            self.me = ready.user.into_me();
            let guilds = ready.guilds.0.iter();
            self.missing.extend(guilds.map(RawMissingGuild::id));
        }
        self.announced = false;
        self.fresh = true;
        self.announce();
        count_session("identify");
        tracing::info!(shard = self.shard.id().number(), "session started");
        self.save();
    }

    /// Says once for each connection that events flow.
    fn announce(&mut self) {
        if !self.announced {
            self.announced = true;
            self.tell_paused(false);
            self.hold(Event::Ready {
                me: self.me.clone(),
                resumed: !self.fresh,
                shard: self.shard.id().number(),
            });
        }
    }

    /// Says once for each time that no events flow.
    fn notice_loss(&mut self) {
        if self.shard.state() == ShardState::Active || self.is_paused {
            self.down = 0;
            return;
        }
        self.down = self.down.saturating_add(1);
        if self.down == LOST_AFTER {
            self.announced = false;
            self.hold(Event::Disconnected {
                shard: self.shard.id().number(),
            });
        }
    }

    /// Holds what did not come from Discord.
    fn hold(&mut self, event: Event) {
        let ack = Ack::none();
        self.held.push(Inbound { event, ack }, size_of::<Event>());
    }

    /// What an event means to us, if anything.
    fn event(&mut self, kind: &str, text: &str) -> Option<Event> {
        match kind {
            "MESSAGE_CREATE" => {
                let Some(raw) = payload::<RawMessage>(text) else {
                    tracing::warn!("a message event is unreadable and was skipped");
                    return None;
                };
                // It was sent before it came, however our clock may go.
                let ever = Timestamp::from_millis(i64::MAX);
                self.clock.learn(raw.sent_at(), ever);
                self.message(raw).map(Event::Message)
            }
            "MESSAGE_UPDATE" => self.message(payload(text)?).map(Event::Edited),
            "MESSAGE_DELETE" | "MESSAGE_DELETE_BULK" => {
                let raw = payload::<RawDeletion>(text)?;
                let (channel, guild) = raw.place();
                Some(Event::Deleted {
                    scope: guild.or_else(|| self.dms.of(&self.me, channel, None))?,
                    channel,
                    messages: raw.messages(),
                })
            }
            "MESSAGE_REACTION_ADD" => {
                let raw = payload::<RawReaction>(text)?;
                let (channel, guild, user) = raw.place();
                let scope = guild.or_else(|| self.dms.of(&self.me, channel, Some(user)))?;
                Some(Event::Reacted(raw.within(scope, self.me.is(user))))
            }
            "MESSAGE_REACTION_REMOVE"
            | "MESSAGE_REACTION_REMOVE_EMOJI"
            | "MESSAGE_REACTION_REMOVE_ALL" => {
                let raw = payload::<RawReactionRemoval>(text)?;
                let (channel, guild, user) = raw.place();
                let scope = guild.or_else(|| self.dms.of(&self.me, channel, user))?;
                Some(raw.within(scope))
            }
            "INTERACTION_CREATE" => {
                let Some(interaction) =
                    payload::<RawInteraction>(text).and_then(RawInteraction::interaction)
                else {
                    tracing::warn!("an interaction is unreadable and was skipped");
                    return None;
                };
                if let Scope::Dm(user) = interaction.scope {
                    self.dms.of(&self.me, interaction.channel, Some(user));
                }
                Some(Event::Interaction(Box::new(interaction)))
            }
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => {
                let (scope, channel) = payload::<RawChannel>(text)?.in_guild()?;
                Some(Event::Channel { scope, channel })
            }
            "CHANNEL_DELETE" | "THREAD_DELETE" => {
                let (scope, channel) = payload::<RawChannel>(text)?.in_guild()?;
                let channel = channel.id;
                Some(Event::ChannelGone { scope, channel })
            }
            "GUILD_DELETE" => payload::<RawGuildGone>(text)?.event(),
            "GUILD_EMOJIS_UPDATE" => payload(text).map(RawEmojis::event),
            "GUILD_STICKERS_UPDATE" => payload(text).map(RawStickers::event),
            "GUILD_MEMBER_ADD" => {
                payload::<RawGuildMember>(text).map(|raw| Event::MemberJoined(raw.snapshot()))
            }
            "GUILD_MEMBER_UPDATE" => {
                payload::<RawGuildMember>(text).map(|raw| Event::MemberUpdated(raw.snapshot()))
            }
            "GUILD_MEMBER_REMOVE" => payload(text).map(RawDeparture::event),
            "GUILD_CREATE" => {
                let raw = payload::<RawGuild>(text)?;
                let is_missing = self.missing.remove(&raw.id());
                Some(Event::Guild(
                    raw.snapshot(&self.me, self.fresh || is_missing),
                ))
            }
            _ => None,
        }
    }

    /// A message that was heard. One whose scope cannot be known is left out.
    fn message(&mut self, raw: RawMessage) -> Option<kaiwa_domain::Message> {
        let (channel, guild, author) = raw.place();
        if let (Some(Scope::Guild(guild)), Some(roles)) = (guild, raw.author_roles()) {
            self.known.heard(guild, author, roles, self.clock.now());
        }
        let scope = guild.or_else(|| self.dms.of(&self.me, channel, Some(author)))?;
        Some(raw.within(scope))
    }

    /// Saves what a restart would resume from, if that has changed.
    fn save(&mut self) {
        let session = self.session();
        self.saves.begin(session);
    }

    /// The same at the end, which is waited for.
    async fn save_last(&mut self) {
        let session = self.session();
        self.saves.end(session).await;
    }

    /// What a restart would resume from.
    fn session(&mut self) -> Option<Session> {
        if let Some(url) = self.shard.resume_url() {
            url.clone_into(&mut self.resume_url);
        }
        let session = self.shard.session()?;
        Some(Session {
            id: session.id().to_owned(),
            sequence: self.acks.acknowledged(),
            resume_url: self.resume_url.clone(),
            shards: self.shard.id().total(),
        })
    }

    /// Closes so that the session can be resumed, and waits for the answer.
    /// What still arrives is not taken in: it is replayed on resume.
    async fn say_goodbye(&mut self) {
        if matches!(self.shard.state(), ShardState::Disconnected { .. }) {
            return;
        }
        self.shard.close(CloseFrame::RESUME);
        let mut too_late = self.clock.sleep(GOODBYE);
        loop {
            tokio::select! {
                () = &mut too_late => return,
                item = self.shard.next() => match item {
                    Some(Ok(Message::Text(_))) => {}
                    _ => return,
                },
            }
        }
    }

    fn log_close(&self, code: u16) {
        let shard = self.shard.id().number();
        if self.shard.state() == ShardState::FatallyClosed {
            tracing::error!(shard, code, "the gateway shut us out");
        } else {
            tracing::info!(shard, code, "the gateway connection closed; reconnecting");
        }
    }

    /// twilight's own words quote the event, so only the kind is logged.
    fn log_failure(&self, error: &ReceiveMessageError) {
        use twilight_gateway::error::ReceiveMessageErrorType as Kind;
        let what = match error.kind() {
            Kind::Reconnect => "the gateway cannot be reached; trying again",
            _ => "an event is unreadable and was skipped",
        };
        tracing::warn!(shard = self.shard.id().number(), what, "gateway trouble");
    }
}

/// A shard that will connect, and resume a session at an address if there is one.
fn shard_of(
    id: ShardId,
    config: Config<IdentifyBudget>,
    resumable: Option<(Resumable, String)>,
) -> Shard<IdentifyBudget> {
    let mut builder = ConfigBuilder::from(config);
    if let Some((session, url)) = resumable {
        builder = builder.session(session).resume_url(url);
    }
    Shard::with_config(id, builder.build())
}

/// Completes with a sleep, and never without one.
async fn ended(sleep: &mut Option<Pending<'static, ()>>) {
    match sleep {
        Some(sleep) => sleep.await,
        None => future::pending().await,
    }
}

/// The payload of an event, if it is what we take it for.
fn payload<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    #[derive(Deserialize)]
    struct Envelope<T> {
        d: T,
    }
    let envelope: Envelope<T> = serde_json::from_str(text).ok()?;
    Some(envelope.d)
}

fn count_event(kind: &str) {
    // Labels come from a fixed set; Discord's names do not.
    let kind = match kind {
        "READY" => "ready",
        "RESUMED" => "resumed",
        "MESSAGE_CREATE" => "message_create",
        "MESSAGE_UPDATE" => "message_update",
        "MESSAGE_DELETE" | "MESSAGE_DELETE_BULK" => "message_delete",
        "MESSAGE_REACTION_ADD" => "reaction_add",
        "MESSAGE_REACTION_REMOVE"
        | "MESSAGE_REACTION_REMOVE_EMOJI"
        | "MESSAGE_REACTION_REMOVE_ALL" => "reaction_remove",
        "GUILD_CREATE" => "guild_create",
        "WEBHOOKS_UPDATE" => "webhooks_update",
        "GUILD_MEMBER_ADD" => "member_add",
        "GUILD_MEMBER_UPDATE" => "member_update",
        "GUILD_MEMBER_REMOVE" => "member_remove",
        _ => "other",
    };
    metrics::counter!("gateway_events_total", "kind" => kind).increment(1);
}

fn count_session(how: &'static str) {
    metrics::counter!("gateway_sessions_total", "how" => how).increment(1);
}
