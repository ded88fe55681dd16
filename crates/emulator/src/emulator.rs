//! The emulator as its owner holds it.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde::Serialize;
use serde_json::Value;
use tokio::sync::broadcast;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Counts, Faults, TlsIdentity, World,
    clock::EmulatorClock,
    faults::SharedPlans,
    gateway::ConnectionId,
    realm::{Guild, Message, Realm},
    rest::{self, ApiError},
    snowflake::Snowflake,
    state::{EmulatorState, StateGuard},
    traffic::Traffic,
};

/// Discord in a box. Clones share one realm.
#[derive(Clone, Debug)]
pub struct Emulator {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<EmulatorState>,
    clock: EmulatorClock,
    plans: SharedPlans,
    traffic: Traffic,
    address: OnceLock<SocketAddr>,
    tls: OnceLock<TlsIdentity>,
    connections: AtomicU64,
    stop: CancellationToken,
    tracker: TaskTracker,
}

/// Where the emulator listens and who lives in it: what a client needs to
/// take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// The REST root, such as `http://127.0.0.1:4000/api/v10`.
    pub api_url: String,
    /// The gateway, such as `ws://127.0.0.1:4000/gateway`.
    pub gateway_url: String,
    /// Where attachments are served.
    pub cdn_url: String,
    /// The page that shows the realm, if one is served along.
    pub page_url: String,
    /// The first guild.
    pub guild_id: String,
    /// Ids of the first guild's channels by name.
    pub channels: BTreeMap<String, String>,
    /// Every guild, the first included, in the order of the world file.
    pub guilds: Vec<ReadyGuild>,
    /// The first bot's account.
    pub bot: ReadyBot,
    /// Every bot's account, the first included, in the order of the world file;
    /// then those made since.
    pub bots: Vec<ReadyBot>,
    /// The humans, in the order of the world file.
    pub users: Vec<ReadyUser>,
}

/// A guild.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadyGuild {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Ids of its channels by name.
    pub channels: BTreeMap<String, String>,
    /// Ids of its roles by name, `@everyone` included.
    pub roles: BTreeMap<String, String>,
    /// Ids of its emoji by name.
    pub emojis: BTreeMap<String, String>,
    /// Ids of its stickers by name.
    pub stickers: BTreeMap<String, String>,
}

impl ReadyGuild {
    fn new(realm: &Realm, guild: &Guild) -> Self {
        let channels = realm.channels.values();
        let named = channels.filter_map(|channel| {
            let place = channel.of_guild().filter(|it| it.guild == guild.id)?;
            Some((place.name.clone(), channel.id.to_string()))
        });
        Self {
            id: guild.id.to_string(),
            name: guild.name.clone(),
            channels: named.collect(),
            roles: ids(guild.roles.iter().map(|it| (&it.name, it.id))),
            emojis: ids(guild.emojis.iter().map(|it| (&it.name, it.id))),
            stickers: ids(guild.stickers.iter().map(|it| (&it.name, it.id))),
        }
    }
}

fn ids<'a>(named: impl Iterator<Item = (&'a String, Snowflake)>) -> BTreeMap<String, String> {
    named
        .map(|(name, id)| (name.clone(), id.to_string()))
        .collect()
}

/// A bot's account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReadyBot {
    /// The bot's name.
    pub name: String,
    /// Sent as `Bot TOKEN` to REST.
    pub token: String,
    /// The bot's user id.
    pub id: String,
    /// The id of its application.
    pub application_id: String,
}

/// A human's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadyUser {
    /// The display name.
    pub name: String,
    /// The user id.
    pub id: String,
    /// Sent as it is to REST.
    pub token: String,
}

/// A message as one who may see everything reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TranscriptMessage {
    /// The message id.
    pub id: String,
    /// Who wrote it.
    pub author_id: String,
    /// Their name.
    pub author: String,
    /// Whether a bot wrote it.
    pub bot: bool,
    /// The text as it now stands.
    pub content: String,
    /// What the author chose to recognise it by.
    pub nonce: Option<String>,
    /// The id of the message it replies to.
    pub reference: Option<String>,
    /// The names of its files.
    pub files: Vec<String>,
    /// What its buttons say.
    pub buttons: Vec<String>,
    /// Whether it was changed after it was sent.
    pub edited: bool,
}

impl TranscriptMessage {
    fn new(realm: &Realm, message: &Message) -> Self {
        let author = realm.person(message.author);
        let look = message.webhook.as_ref().and_then(|it| it.look.as_ref());
        Self {
            id: message.id.to_string(),
            author_id: message.author.to_string(),
            author: match look {
                Some(look) => look.name.clone(),
                None => author.map(|it| it.name.clone()).unwrap_or_default(),
            },
            bot: look.is_some() || author.is_some_and(|it| it.bot),
            content: message.content.clone(),
            nonce: message.nonce.as_ref().map(ToString::to_string),
            reference: message
                .reference
                .and_then(|it| it.message)
                .map(|it| it.to_string()),
            files: message
                .attachments
                .iter()
                .map(|it| it.filename.clone())
                .collect(),
            buttons: labels(&message.components),
            edited: message.edited.is_some(),
        }
    }
}

/// What the buttons in rows say.
fn labels(rows: &[Value]) -> Vec<String> {
    let inner = rows.iter().filter_map(|row| row["components"].as_array());
    let labels = inner.flatten().filter_map(|it| it["label"].as_str());
    labels.map(str::to_owned).collect()
}

impl Emulator {
    /// A realm as the world describes it, with nothing said yet.
    #[must_use]
    pub fn new(world: World) -> Self {
        let World { plan, seed } = world;
        let shared = Shared {
            state: Mutex::new(EmulatorState::new(&plan)),
            clock: EmulatorClock::new(seed),
            plans: SharedPlans::default(),
            traffic: Traffic::default(),
            address: OnceLock::new(),
            tls: OnceLock::new(),
            connections: AtomicU64::new(0),
            stop: CancellationToken::new(),
            tracker: TaskTracker::new(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Tells the emulator the address it is reached at, which its URLs
    /// carry. [`Emulator::serve`] does this too; call it before to have
    /// [`Emulator::ready`] complete. The first address stays.
    pub fn announce(&self, address: SocketAddr) {
        self.shared.address.get_or_init(|| address);
        let cdn_url = self.cdn_url();
        self.state().move_attachments(&cdn_url);
    }

    /// Serves `https` and `wss` only. Call it before the address is announced;
    /// the first certificate stays.
    pub fn use_tls(&self, identity: TlsIdentity) {
        self.shared.tls.get_or_init(|| identity);
    }

    /// Where to connect and as whom.
    #[must_use]
    pub fn ready(&self) -> Ready {
        let (gateway_url, cdn_url) = (self.gateway_url(), self.cdn_url());
        let (host, s) = (self.host(), self.secure());
        let state = self.state();
        let realm = &state.realm;
        let guilds: Vec<_> = realm
            .guilds
            .iter()
            .map(|guild| ReadyGuild::new(realm, guild))
            .collect();
        let first = guilds.first();
        let bots: Vec<ReadyBot> = realm
            .applications
            .iter()
            .filter_map(|application| {
                let bot = realm.person(application.bot)?;
                Some(ReadyBot {
                    name: bot.name.clone(),
                    token: bot.token.clone(),
                    id: bot.id.to_string(),
                    application_id: application.id.to_string(),
                })
            })
            .collect();
        Ready {
            api_url: format!("http{s}://{host}/api/v10"),
            gateway_url,
            cdn_url,
            page_url: format!("http{s}://{host}/"),
            guild_id: first.map(|guild| guild.id.clone()).unwrap_or_default(),
            channels: first
                .map(|guild| guild.channels.clone())
                .unwrap_or_default(),
            guilds,
            bot: bots.first().cloned().unwrap_or_default(),
            bots,
            users: realm
                .people
                .iter()
                .filter(|person| !person.bot)
                .map(|person| ReadyUser {
                    name: person.name.clone(),
                    id: person.id.to_string(),
                    token: person.token.clone(),
                })
                .collect(),
        }
    }

    /// Failures on request.
    #[must_use]
    pub fn faults(&self) -> Faults {
        Faults::new(self.clone())
    }

    /// What was said in a channel, oldest first: who and what. Empty when
    /// there is no such channel.
    #[must_use]
    pub fn transcript(&self, channel_id: &str) -> Vec<(String, String)> {
        let said = self.messages(channel_id).unwrap_or_default();
        said.into_iter()
            .map(|said| (said.author, said.content))
            .collect()
    }

    /// Every message of a channel as it now stands, oldest first. `None` when
    /// there is no such channel.
    #[must_use]
    pub fn messages(&self, channel_id: &str) -> Option<Vec<TranscriptMessage>> {
        let state = self.state();
        let channel = state.realm.channels.get(&channel_id.parse().ok()?)?;
        let said = channel
            .messages
            .iter()
            .map(|message| TranscriptMessage::new(&state.realm, message));
        Some(said.collect())
    }

    /// Posts the JSON body of Create Message as somebody, without the wire and
    /// the limits: for a crowd that writes faster than a test could ask.
    ///
    /// # Errors
    ///
    /// Discord's code for why it was refused; 10013 and 10003 when there is
    /// no such person or channel.
    pub fn post(&self, user_id: &str, channel_id: &str, body: Value) -> Result<Value, u32> {
        let author = user_id.parse().map_err(|()| ApiError::UnknownUser.code())?;
        let channel = channel_id
            .parse()
            .map_err(|()| ApiError::UnknownChannel.code())?;
        let Value::Object(body) = body else {
            return Err(ApiError::InvalidJson.code());
        };
        rest::post(self, author, channel, body).map_err(|error| match error {
            ApiError::Unauthorized => ApiError::UnknownUser.code(),
            error => error.code(),
        })
    }

    /// Every event of a channel from now on, once and uncensored, as
    /// `{"t": name, "d": payload}`. A reader that lags loses the oldest.
    #[must_use]
    pub fn watch(&self) -> broadcast::Receiver<Value> {
        self.state().watchers.subscribe()
    }

    /// Moves the emulator's clock on: ids, ages, rate limits, polls, threads and
    /// whatever else goes by time. In all it can be moved by fifty years.
    pub fn advance(&self, by: Duration) {
        self.clock().advance(by);
        rest::catch_up(self);
    }

    /// What clients asked for since the start.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.state().counts.clone()
    }

    /// The tokens of all webhooks and of the latest interactions, which nobody
    /// is to see but whose they are.
    #[must_use]
    pub fn handed_out_tokens(&self) -> Vec<String> {
        let state = self.state();
        let webhooks = state.realm.webhooks.iter().map(|it| it.token.as_str());
        let tokens = webhooks.chain(state.realm.interactions.tokens());
        let tokens = tokens.filter(|it| !it.is_empty());
        tokens.map(str::to_owned).collect()
    }

    pub(crate) fn state(&self) -> StateGuard<'_> {
        let state = self.shared.state.lock();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        StateGuard::new(state, &self.shared.clock)
    }

    pub(crate) fn clock(&self) -> &EmulatorClock {
        &self.shared.clock
    }

    pub(crate) fn traffic(&self) -> &Traffic {
        &self.shared.traffic
    }

    /// How long it runs.
    pub(crate) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.clock().elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn plans(&self) -> &SharedPlans {
        &self.shared.plans
    }

    pub(crate) fn stop(&self) -> &CancellationToken {
        &self.shared.stop
    }

    pub(crate) fn tracker(&self) -> &TaskTracker {
        &self.shared.tracker
    }

    pub(crate) fn next_connection(&self) -> ConnectionId {
        ConnectionId(self.shared.connections.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        self.shared.address.get().copied().unwrap_or(nowhere)
    }

    pub(crate) fn gateway_url(&self) -> String {
        format!("ws{}://{}/gateway", self.secure(), self.host())
    }

    pub(crate) fn cdn_url(&self) -> String {
        format!("http{}://{}/cdn", self.secure(), self.host())
    }

    pub(crate) fn tls(&self) -> Option<&TlsIdentity> {
        self.shared.tls.get()
    }

    /// What the scheme of an address ends with.
    fn secure(&self) -> &'static str {
        self.tls().map_or("", |_| "s")
    }

    /// The address as clients on this machine write it.
    fn host(&self) -> SocketAddr {
        let mut address = self.address();
        if address.ip().is_unspecified() {
            address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        address
    }
}
