//! The settings that count for a turn.
//!
//! What was set in a scope is read once and kept until it changes. A turn takes
//! one [`TurnSettings`] and keeps it, so a change takes effect with the next.
//! If the store cannot be read, what was known last counts, or else the
//! instance layer: no answer waits for its settings.

mod context;
mod joins;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use jiff::tz::TimeZone;
use kaiwa_domain::limits::ANSWER_MESSAGES_MOST;
use kaiwa_domain::port::{ActionPolicies, ActionPolicy, Clock, Pending, SettingsStore};
use kaiwa_domain::settings::{
    BadSetting, EffectiveSettings, Layer, SettingKey, SettingPlace, SettingValue, StoredSetting,
};
use kaiwa_domain::{ChannelId, Persona, PersonaId, Scope, StoreError, UserId};
use kaiwa_pipeline::admit::AdmitRules;
use kaiwa_pipeline::deliver::Degree;
use tokio::sync::watch;

pub use context::ContextSettings;
pub(crate) use joins::JoinSettings;

use crate::Setup;
use crate::buttons::ButtonRules;

/// Of how many scopes what is set is kept in memory.
const SCOPES: usize = 4096;

/// Of how many places of a scope what counts there is kept. Those without
/// settings of their own are one.
const PLACES_PER_SCOPE: usize = 64;

/// The degree of answers that are edited as they grow.
const LIVE: u16 = 4;

/// How long the store may take.
const READ_WITHIN: Duration = Duration::from_millis(2_500);

/// What was set in one scope and has a meaning.
type Changes = Arc<[(SettingPlace, SettingKey, SettingValue)]>;

/// The settings of every scope. Clones share them.
#[derive(Clone)]
pub struct Settings {
    store: Arc<dyn SettingsStore>,
    clock: Arc<dyn Clock>,
    setup: watch::Receiver<Arc<Setup>>,
    known: Arc<Mutex<Known>>,
}

/// What is known of the store.
#[derive(Default)]
struct Known {
    scopes: HashMap<Scope, KnownScope>,
    /// How often something was changed: what was read before a change may be
    /// out of date.
    changes: u64,
    /// Counts uses.
    uses: u64,
}

struct KnownScope {
    changes: Changes,
    /// Something was changed since it was read.
    is_stale: bool,
    last_use: u64,
    /// What counts in its places.
    places: Vec<(KnownPlace, InForce)>,
}

/// A channel and a persona, where they have settings of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
struct KnownPlace(Option<ChannelId>, Option<PersonaId>);

impl KnownPlace {
    fn new(changes: &Changes, channel: ChannelId, persona: PersonaId) -> Self {
        let has = |place| changes.iter().any(|(it, ..)| *it == place);
        Self(
            has(SettingPlace::Channel(channel)).then_some(channel),
            has(SettingPlace::Persona(persona)).then_some(persona),
        )
    }
}

/// What counts in a place, for one setup.
struct InForce {
    setup: Arc<Setup>,
    effective: Arc<EffectiveSettings>,
    /// What the gate goes by there.
    rules: OnceLock<Arc<AdmitRules>>,
}

/// The settings of one turn.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnSettings {
    /// How to speak.
    pub personality: String,
    /// What the model is shown.
    pub context: ContextSettings,
    /// How finely an answer is cut into messages.
    pub degree: Degree,
    /// Whether it is shown while it is written, in a message that is edited.
    pub live: bool,
    /// The most messages of an answer.
    pub messages: u16,
    /// Whether an answer pings who asked.
    pub pings_asker: bool,
    /// Which buttons it has.
    pub buttons: ButtonRules,
    /// Longer code is sent as a file.
    pub attach_code_above: Option<usize>,
    /// Where "today" is.
    pub timezone: TimeZone,
    /// A message older than this is not answered, and what is not sent by then
    /// is given up.
    pub answer_within: Duration,
    /// What is said once an answer was stopped.
    pub stop_line: StopLine,
    /// What happens when a question that was answered is edited.
    pub edited_question: EditedQuestion,
    /// Whether anything is remembered.
    pub memory: bool,
    /// How many tokens what is remembered may take.
    pub memory_tokens: u16,
    /// How long notes on a conversation are kept.
    pub notes_expire: Duration,
    /// Where it is told what was thought.
    pub thought_log: Option<ChannelId>,
}

/// What is said once an answer was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopLine {
    /// A line in character.
    OwnWords,
    /// A stock line.
    Stock,
    /// Nothing.
    Off,
}

/// What happens when a question that was answered is edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditedQuestion {
    /// It is answered again.
    Regenerate,
    /// The answer gets a reaction with which that can be asked for.
    Offer,
    /// Nothing.
    Ignore,
}

/// Why a setting was not changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// The value is not one of this setting.
    #[error(transparent)]
    Bad(#[from] BadSetting),
    /// It cannot be set there.
    #[error("{key} cannot be set for a {layer}; it can be set for: {}", layers(*.key))]
    WrongLayer {
        /// The setting.
        key: SettingKey,
        /// The layer.
        layer: Layer,
    },
    /// It could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The layers of a setting that are kept in the store.
fn layers(key: SettingKey) -> String {
    let layers = key.setting().layers.iter();
    let stored = layers.filter(|layer| **layer != Layer::Instance);
    let names: Vec<&str> = stored.map(|layer| layer.name()).collect();
    names.join(", ")
}

impl Settings {
    /// What `store` holds, on top of the instance layer in `setup`.
    pub fn new(
        store: Arc<dyn SettingsStore>,
        clock: Arc<dyn Clock>,
        setup: watch::Receiver<Arc<Setup>>,
    ) -> Self {
        Self {
            store,
            clock,
            setup,
            known: Arc::default(),
        }
    }

    /// What counts for a persona in a channel, and which layer says so.
    pub async fn of(
        &self,
        scope: Scope,
        channel: ChannelId,
        persona: PersonaId,
    ) -> Arc<EffectiveSettings> {
        self.in_force(scope, channel, persona, |it| it.effective.clone())
            .await
    }

    /// What the gate goes by in a channel.
    pub(crate) async fn rules(&self, scope: Scope, channel: ChannelId) -> Arc<AdmitRules> {
        self.in_force(scope, channel, PersonaId::MAIN, |it| {
            let read = || Arc::new(AdmitRules::from(&*it.effective));
            it.rules.get_or_init(read).clone()
        })
        .await
    }

    /// Reads what counts in a place.
    async fn in_force<T>(
        &self,
        scope: Scope,
        channel: ChannelId,
        persona: PersonaId,
        read: impl Fn(&InForce) -> T,
    ) -> T {
        let known = {
            let setup = self.setup.borrow();
            let mut known = self.lock();
            let found = known.in_force(scope, (channel, persona), &setup);
            found.map(&read)
        };
        if let Some(known) = known {
            return known;
        }
        let setup = self.setup.borrow().clone();
        let changes = self.changes(scope).await;
        let effective = effective(&setup, &changes, channel, persona);
        let in_force = InForce {
            setup,
            effective: Arc::new(effective),
            rules: OnceLock::new(),
        };
        let wanted = read(&in_force);
        let place = KnownPlace::new(&changes, channel, persona);
        self.lock().keep(scope, &changes, place, in_force);
        wanted
    }

    /// What a guild does for people who join.
    pub(crate) async fn joins(&self, scope: Scope) -> JoinSettings {
        let nowhere = (ChannelId::new(0), PersonaId::MAIN);
        JoinSettings::from(&*self.of(scope, nowhere.0, nowhere.1).await)
    }

    /// As [`of`](Self::of), as a turn uses it.
    pub async fn of_turn(
        &self,
        scope: Scope,
        channel: ChannelId,
        persona: PersonaId,
    ) -> TurnSettings {
        TurnSettings::from(&*self.of(scope, channel, persona).await)
    }

    /// As [`of_turn`](Self::of_turn), without looking at the store.
    pub fn of_turn_now(
        &self,
        scope: Scope,
        channel: ChannelId,
        persona: PersonaId,
    ) -> TurnSettings {
        let changes = self.lock().find(scope).map(|(changes, _)| changes);
        let changes = changes.unwrap_or_default();
        let setup = self.setup.borrow();
        TurnSettings::from(&effective(&setup, &changes, channel, persona))
    }

    /// The instance layer alone.
    pub fn instance(&self) -> TurnSettings {
        let nowhere = (ChannelId::new(0), PersonaId::MAIN);
        let setup = self.setup.borrow();
        TurnSettings::from(&effective(&setup, &[], nowhere.0, nowhere.1))
    }

    /// Reads a value for a place, or says what is wrong with it.
    pub fn check(
        place: SettingPlace,
        key: SettingKey,
        text: &str,
    ) -> Result<SettingValue, SettingError> {
        let setting = key.setting();
        let layer = place.layer();
        if !setting.is_for(layer) {
            return Err(SettingError::WrongLayer { key, layer });
        }
        let value = setting.parse(text)?;
        if let SettingValue::Zone(name) = &value
            && zone(name).is_none()
        {
            return Err(SettingError::Bad(BadSetting {
                name: setting.name,
                problem: format!("unknown time zone \"{name}\""),
                allowed: setting.kind.allowed(),
            }));
        }
        Ok(value)
    }

    /// What a row says, unless it has no meaning here and now.
    pub fn read(row: &StoredSetting) -> Option<(SettingPlace, SettingKey, SettingValue)> {
        let unknown = |value: &SettingValue| matches!(value, SettingValue::Zone(name) if zone(name).is_none());
        let Some((key, value)) = row.read().filter(|(_, value)| !unknown(value)) else {
            let layer = row.place.layer();
            tracing::warn!(scope = %row.scope, %layer, name = row.name, "a setting has no meaning and is left out");
            return None;
        };
        Some((row.place, key, value))
    }

    /// Changes a setting. It counts from the next turn on.
    pub async fn set(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
        text: &str,
        by: Option<UserId>,
    ) -> Result<(), SettingError> {
        let value = Self::check(place, key, text)?;
        let setting = StoredSetting {
            scope,
            place,
            name: key.name().to_owned(),
            value: value.to_string(),
            changed_by: by,
            changed_at: self.clock.now(),
        };
        let written = self.store.set(&setting).await;
        self.lock().changed(scope);
        Ok(written?)
    }

    /// Takes a setting away, so that the less specific layer counts. False if
    /// it was not set.
    pub async fn unset(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
    ) -> Result<bool, StoreError> {
        let written = self.store.unset(scope, place, key).await;
        self.lock().changed(scope);
        written
    }

    /// What is set in a scope was erased.
    pub(crate) fn erased(&self, scope: Scope) {
        self.lock().changed(scope);
    }

    /// What is set in a scope, from memory unless it has changed.
    async fn changes(&self, scope: Scope) -> Changes {
        let (last_known, changed_before) = {
            let mut known = self.lock();
            match known.find(scope) {
                Some((changes, false)) => return changes,
                stale => (stale.map(|(changes, _)| changes), known.changes),
            }
        };
        let read = tokio::select! {
            read = self.store.settings(scope) => read,
            () = self.clock.sleep(READ_WITHIN) => Err(StoreError::Transient {
                reason: "the settings took too long to read".to_owned(),
            }),
        };
        match read {
            Ok(rows) => {
                let changes: Changes = rows.iter().filter_map(Self::read).collect();
                self.lock().learn(scope, changes.clone(), changed_before);
                changes
            }
            Err(error) => {
                tracing::warn!(%scope, %error, "the settings cannot be read; the last known ones count");
                last_known.unwrap_or_default()
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn effective(
    setup: &Setup,
    changes: &[(SettingPlace, SettingKey, SettingValue)],
    channel: ChannelId,
    persona: PersonaId,
) -> EffectiveSettings {
    let changes = changes.iter();
    let changes = changes.map(|(place, key, value)| (*place, *key, value));
    EffectiveSettings::new(&setup.instance, changes, channel, persona)
}

impl Known {
    /// What is known of a scope, and whether that is out of date.
    fn find(&mut self, scope: Scope) -> Option<(Changes, bool)> {
        self.uses += 1;
        let known = self.scopes.get_mut(&scope)?;
        known.last_use = self.uses;
        Some((known.changes.clone(), known.is_stale))
    }

    /// Notes what was read. If anything was changed meanwhile, it will be read
    /// again.
    fn learn(&mut self, scope: Scope, changes: Changes, changed_before: u64) {
        if self.scopes.len() >= SCOPES && !self.scopes.contains_key(&scope) {
            let oldest = self.scopes.iter().min_by_key(|(_, known)| known.last_use);
            if let Some(oldest) = oldest.map(|(scope, _)| *scope) {
                self.scopes.remove(&oldest);
            }
        }
        let known = KnownScope {
            changes,
            is_stale: self.changes != changed_before,
            last_use: self.uses,
            places: Vec::new(),
        };
        self.scopes.insert(scope, known);
    }

    /// What counts in a place, if that is known and up to date.
    fn in_force(
        &mut self,
        scope: Scope,
        (channel, persona): (ChannelId, PersonaId),
        setup: &Arc<Setup>,
    ) -> Option<&InForce> {
        let known = self.scopes.get_mut(&scope).filter(|it| !it.is_stale)?;
        let place = KnownPlace::new(&known.changes, channel, persona);
        let (_, found) = known.places.iter().find(|(it, _)| *it == place)?;
        self.uses += 1;
        known.last_use = self.uses;
        Some(found).filter(|it| Arc::ptr_eq(&it.setup, setup))
    }

    /// Keeps what counts in a place, unless what it follows from was replaced
    /// meanwhile.
    fn keep(&mut self, scope: Scope, changes: &Changes, place: KnownPlace, read: InForce) {
        let known = self.scopes.get_mut(&scope);
        let current = known.filter(|it| Arc::ptr_eq(&it.changes, changes));
        if let Some(known) = current {
            known.places.retain(|(it, _)| *it != place);
            if known.places.len() >= PLACES_PER_SCOPE {
                known.places.clear();
            }
            known.places.push((place, read));
        }
    }

    /// Something was changed in a scope, or may have been.
    fn changed(&mut self, scope: Scope) {
        self.changes += 1;
        if let Some(known) = self.scopes.get_mut(&scope) {
            known.is_stale = true;
        }
    }
}

impl Settings {
    /// Where moderators of a guild read what was done.
    pub(crate) async fn log_channel(&self, scope: Scope) -> Option<ChannelId> {
        let nowhere = (ChannelId::new(0), PersonaId::MAIN);
        let effective = self.of(scope, nowhere.0, nowhere.1).await;
        match (scope, effective.value(SettingKey::ActionLogChannel)) {
            (Scope::Guild(_), SettingValue::Ids(ids)) => ids.first().copied().map(ChannelId::new),
            _ => None,
        }
    }
}

impl ActionPolicies for Settings {
    fn policy(&self, scope: Scope, channel: ChannelId) -> Pending<'_, ActionPolicy> {
        Box::pin(async move {
            let effective = self.of(scope, channel, PersonaId::MAIN).await;
            ActionPolicy {
                off: match effective.value(SettingKey::ActionsOff) {
                    SettingValue::List(names) => names.clone(),
                    _ => Vec::new(),
                },
                moderators_confirm: *effective.value(SettingKey::ConfirmedBy)
                    == SettingValue::Choice("moderators"),
            }
        })
    }
}

/// How finely an answer is cut, and whether it is shown as it grows.
fn degree_of(number: Option<u16>) -> (Degree, bool) {
    match number {
        Some(LIVE) => (Degree::Whole, true),
        number => {
            let degree = number.and_then(|number| Degree::from_number(number.into()));
            (degree.unwrap_or_default(), false)
        }
    }
}

/// The time zone of that name, if this system knows it.
fn zone(name: &str) -> Option<TimeZone> {
    match name {
        "UTC" => Some(TimeZone::UTC),
        name => TimeZone::get(name).ok(),
    }
}

impl TurnSettings {
    /// What counts for a persona: what it has of its own comes before the
    /// settings of its place, but not before its own settings.
    pub fn of_persona(effective: &EffectiveSettings, persona: Option<&Persona>) -> Self {
        let mut settings = Self::from(effective);
        let Some(persona) = persona else {
            return settings;
        };
        let is_free = |key| effective.layer(key) < Layer::Persona;
        if is_free(SettingKey::Personality) && !persona.personality.trim().is_empty() {
            settings.personality.clone_from(&persona.personality);
        }
        let degree = persona.degree.filter(|_| is_free(SettingKey::Degree));
        if let Some(degree) = degree {
            (settings.degree, settings.live) = degree_of(Some(degree.into()));
        }
        settings
    }
}

impl From<&EffectiveSettings> for TurnSettings {
    fn from(effective: &EffectiveSettings) -> Self {
        let whole = |key| match effective.value(key) {
            SettingValue::Whole(number) => Some(*number),
            _ => None,
        };
        let text = |key| match effective.value(key) {
            SettingValue::Text(text) | SettingValue::Zone(text) => text.as_str(),
            _ => "",
        };
        let duration = |key| match effective.value(key) {
            SettingValue::Duration(duration) => *duration,
            _ => Duration::ZERO,
        };
        let switch = |key| matches!(effective.value(key), SettingValue::Switch(true));
        let (degree, live) = degree_of(whole(SettingKey::Degree));
        Self {
            personality: text(SettingKey::Personality).to_owned(),
            context: ContextSettings::from(effective),
            degree,
            live,
            messages: whole(SettingKey::AnswerMessages)
                .filter(|most| *most > 0)
                .unwrap_or(ANSWER_MESSAGES_MOST),
            pings_asker: switch(SettingKey::PingAsker),
            buttons: ButtonRules {
                stop_after: whole(SettingKey::StopAfter)
                    .map(|seconds| Duration::from_secs(seconds.into())),
                stop_messages: whole(SettingKey::StopMessages).map(usize::from),
                again: switch(SettingKey::RegenerateButton),
                source: switch(SettingKey::SourceButton),
                last: duration(SettingKey::ButtonsLast),
            },
            attach_code_above: whole(SettingKey::AttachCodeAbove).map(usize::from),
            timezone: zone(text(SettingKey::Timezone)).unwrap_or(TimeZone::UTC),
            stop_line: match effective.value(SettingKey::StopLine) {
                SettingValue::Choice("stock") => StopLine::Stock,
                SettingValue::Choice("off") => StopLine::Off,
                _ => StopLine::OwnWords,
            },
            edited_question: match effective.value(SettingKey::EditedQuestion) {
                SettingValue::Choice("regenerate") => EditedQuestion::Regenerate,
                SettingValue::Choice("offer") => EditedQuestion::Offer,
                _ => EditedQuestion::Ignore,
            },
            answer_within: duration(SettingKey::AnswerWithin),
            memory: switch(SettingKey::MemoryEnabled),
            memory_tokens: whole(SettingKey::MemoryTokens).unwrap_or_default(),
            notes_expire: duration(SettingKey::NotesExpire),
            thought_log: match effective.value(SettingKey::ThoughtLog) {
                SettingValue::Ids(ids) => ids.first().copied().map(ChannelId::new),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests;
