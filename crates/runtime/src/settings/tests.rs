//! Which settings count, and from when on.

use std::collections::HashMap;
use std::future::pending;

use kaiwa_domain::port::{Answer, ChatModel, Pending, Retention, RoleModels};
use kaiwa_domain::settings::InstanceSettings;
use kaiwa_domain::{Abilities, Brief, GuildId, Timestamp};
use kaiwa_pipeline::brief::Template;
use tokio::sync::Notify;

use super::*;

const GUILD: Scope = Scope::Guild(GuildId::new(1));
const OTHER: Scope = Scope::Guild(GuildId::new(2));
const HERE: ChannelId = ChannelId::new(10);
const THERE: ChannelId = ChannelId::new(11);
const MAIN: PersonaId = PersonaId::MAIN;

/// Rows in memory, which can fail, wait and be counted.
#[derive(Default)]
struct Rows {
    rows: Mutex<HashMap<(Scope, SettingPlace, String), StoredSetting>>,
    reads: Mutex<u32>,
    fails: Mutex<bool>,
    /// A read that has begun tells so, and waits to go on.
    gate: Mutex<Option<(Arc<Notify>, Arc<Notify>)>>,
}

impl SettingsStore for Rows {
    fn settings(&self, scope: Scope) -> Pending<'_, Result<Vec<StoredSetting>, StoreError>> {
        Box::pin(async move {
            *self.reads.lock().unwrap() += 1;
            if *self.fails.lock().unwrap() {
                return Err(StoreError::Transient {
                    reason: "locked".to_owned(),
                });
            }
            let rows = self.rows.lock().unwrap().clone();
            let gate = self.gate.lock().unwrap().take();
            if let Some((begun, go_on)) = gate {
                begun.notify_one();
                go_on.notified().await;
            }
            let of_scope = rows.into_values().filter(|row| row.scope == scope);
            Ok(of_scope.collect())
        })
    }

    fn set<'a>(&'a self, setting: &'a StoredSetting) -> Pending<'a, Result<(), StoreError>> {
        let key = (setting.scope, setting.place, setting.name.clone());
        self.rows.lock().unwrap().insert(key, setting.clone());
        Box::pin(async { Ok(()) })
    }

    fn unset(
        &self,
        scope: Scope,
        place: SettingPlace,
        key: SettingKey,
    ) -> Pending<'_, Result<bool, StoreError>> {
        let key = (scope, place, key.name().to_owned());
        let removed = self.rows.lock().unwrap().remove(&key).is_some();
        Box::pin(async move { Ok(removed) })
    }
}

/// A clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn moment(&self) -> kaiwa_domain::Moment {
        kaiwa_domain::Moment::default()
    }

    fn sleep(&self, _: Duration) -> Pending<'static, ()> {
        Box::pin(pending())
    }
}

struct Nobody;

impl ChatModel for Nobody {
    fn answer(&self, _: Brief) -> Answer {
        Box::pin(futures_util::stream::empty())
    }

    fn abilities(&self) -> Abilities {
        Abilities::default()
    }
}

fn setup(degree: u16) -> Arc<Setup> {
    let degree = SettingValue::Whole(degree);
    Arc::new(Setup {
        models: RoleModels::single(Arc::new(Nobody)),
        instance: InstanceSettings::default().with(SettingKey::Degree, degree),
        shutdown_grace: Duration::ZERO,
        retention: Retention::default(),
        template: Template::default(),
        memory: crate::MemoryBounds::default(),
    })
}

struct Bench {
    rows: Arc<Rows>,
    setup: watch::Sender<Arc<Setup>>,
    settings: Settings,
}

impl Bench {
    /// The instance says degree 1.
    fn new() -> Self {
        let rows = Arc::new(Rows::default());
        let setup = watch::Sender::new(setup(1));
        let settings = Settings::new(rows.clone(), Arc::new(Still), setup.subscribe());
        Self {
            rows,
            setup,
            settings,
        }
    }

    async fn set(&self, scope: Scope, place: SettingPlace, degree: &str) {
        let set = self
            .settings
            .set(scope, place, SettingKey::Degree, degree, None);
        set.await.unwrap();
    }

    async fn degree(&self, scope: Scope, channel: ChannelId) -> (Degree, Layer) {
        let effective = self.settings.of(scope, channel, MAIN).await;
        let layer = effective.layer(SettingKey::Degree);
        (TurnSettings::from(&*effective).degree, layer)
    }

    fn reads(&self) -> u32 {
        *self.rows.reads.lock().unwrap()
    }
}

#[tokio::test]
async fn a_change_counts_at_once_and_only_where_it_was_made() {
    let bench = Bench::new();
    let lines = (Degree::Lines, Layer::Instance);
    assert_eq!(bench.degree(GUILD, HERE).await, lines);
    bench.set(GUILD, SettingPlace::Guild, "0").await;
    bench.set(GUILD, SettingPlace::Channel(HERE), "3").await;
    assert_eq!(
        bench.degree(GUILD, HERE).await,
        (Degree::Sentences, Layer::Channel)
    );
    assert_eq!(
        bench.degree(GUILD, THERE).await,
        (Degree::Whole, Layer::Guild)
    );
    assert_eq!(bench.degree(OTHER, HERE).await, lines);

    let place = SettingPlace::Channel(HERE);
    let unset = bench.settings.unset(GUILD, place, SettingKey::Degree);
    assert_eq!(unset.await, Ok(true));
    assert_eq!(
        bench.degree(GUILD, HERE).await,
        (Degree::Whole, Layer::Guild)
    );
}

#[tokio::test]
async fn the_store_is_read_once_until_something_changes() {
    let bench = Bench::new();
    for _ in 0..3 {
        bench.degree(GUILD, HERE).await;
        bench.degree(GUILD, THERE).await;
    }
    assert_eq!(bench.reads(), 1);
    bench.set(GUILD, SettingPlace::Guild, "0").await;
    bench.degree(GUILD, HERE).await;
    bench.degree(GUILD, THERE).await;
    assert_eq!(bench.reads(), 2);
}

#[tokio::test]
async fn a_new_instance_layer_counts_at_once() {
    let bench = Bench::new();
    bench.set(OTHER, SettingPlace::Guild, "0").await;
    bench.degree(GUILD, HERE).await;
    bench.setup.send_replace(setup(2));
    assert_eq!(
        bench.degree(GUILD, HERE).await,
        (Degree::Typed, Layer::Instance)
    );
    assert_eq!(
        bench.degree(OTHER, HERE).await,
        (Degree::Whole, Layer::Guild)
    );
    assert_eq!(bench.settings.instance().degree, Degree::Typed);
}

#[tokio::test]
async fn a_store_that_fails_leaves_what_was_known() {
    let bench = Bench::new();
    bench.set(GUILD, SettingPlace::Guild, "0").await;
    bench.degree(GUILD, HERE).await;
    // Something changes, and then nothing can be read any more.
    bench.set(GUILD, SettingPlace::Guild, "3").await;
    *bench.rows.fails.lock().unwrap() = true;
    let known = (Degree::Whole, Layer::Guild);
    assert_eq!(bench.degree(GUILD, HERE).await, known);
    let unknown = (Degree::Lines, Layer::Instance);
    assert_eq!(bench.degree(OTHER, HERE).await, unknown);
    // Once it can be read again, it is.
    *bench.rows.fails.lock().unwrap() = false;
    let changed = (Degree::Sentences, Layer::Guild);
    assert_eq!(bench.degree(GUILD, HERE).await, changed);
}

#[tokio::test]
async fn a_change_during_a_read_is_not_forgotten() {
    let bench = Bench::new();
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    *bench.rows.gate.lock().unwrap() = Some((begun.clone(), go_on.clone()));
    let changing = async {
        begun.notified().await;
        bench.set(GUILD, SettingPlace::Guild, "3").await;
        go_on.notify_one();
    };
    let (before, ()) = tokio::join!(bench.degree(GUILD, HERE), changing);
    assert_eq!(before, (Degree::Lines, Layer::Instance));
    assert_eq!(
        bench.degree(GUILD, HERE).await,
        (Degree::Sentences, Layer::Guild)
    );
}

#[tokio::test]
async fn memory_is_bounded_and_keeps_what_is_used() {
    let bench = Bench::new();
    bench.set(GUILD, SettingPlace::Guild, "0").await;
    for id in 100..100 + SCOPES as u64 + 10 {
        bench.degree(GUILD, HERE).await;
        bench.degree(Scope::Guild(GuildId::new(id)), HERE).await;
    }
    assert_eq!(bench.settings.lock().scopes.len(), SCOPES);
    let reads = bench.reads();
    bench.degree(GUILD, HERE).await;
    assert_eq!(bench.reads(), reads);
}

#[tokio::test]
async fn what_is_not_allowed_is_refused_with_what_is() {
    let bench = Bench::new();
    let channel = SettingPlace::Channel(HERE);
    let cases = [
        (
            SettingPlace::Guild,
            SettingKey::Degree,
            "7",
            "delivery.degree: 7 is out of range; allowed: a whole number from 0 to 4",
        ),
        (
            channel,
            SettingKey::Timezone,
            "UTC",
            "runtime.timezone cannot be set for a channel; it can be set for: guild",
        ),
        (
            SettingPlace::Guild,
            SettingKey::Timezone,
            "Mars/Olympus",
            "runtime.timezone: unknown time zone \"Mars/Olympus\"; allowed: an IANA name like \"Europe/Berlin\" that this system's tzdata knows, or \"UTC\"",
        ),
    ];
    for (place, key, text, told) in cases {
        let set = bench.settings.set(GUILD, place, key, text, None).await;
        assert_eq!(set.unwrap_err().to_string(), told);
    }
    assert!(bench.rows.rows.lock().unwrap().is_empty());
}

/// A row of another version, or of a system that knew other time zones.
#[tokio::test]
async fn a_row_without_meaning_is_left_out() {
    let bench = Bench::new();
    for (name, value) in [
        ("runtime.timezone", "Mars/Olympus"),
        ("delivery.degree", "9"),
        ("delivery.colour", "red"),
        ("context.messages", "5"),
    ] {
        let row = StoredSetting {
            scope: GUILD,
            place: SettingPlace::Guild,
            name: name.to_owned(),
            value: value.to_owned(),
            changed_by: None,
            changed_at: Timestamp::from_millis(0),
        };
        bench.rows.set(&row).await.unwrap();
    }
    let settings = bench.settings.of_turn(GUILD, HERE, MAIN).await;
    let mut expected = bench.settings.instance();
    expected.context.messages = 5;
    assert_eq!(settings, expected);
}

/// What the model is shown follows what is set, each key by itself.
#[tokio::test]
async fn every_setting_of_the_context_is_used() {
    let bench = Bench::new();
    let usual = bench.settings.instance();
    let set = |key, place, text: &'static str, change: fn(&mut ContextSettings)| {
        let settings = &bench.settings;
        let usual = usual.clone();
        async move {
            settings.set(GUILD, place, key, text, None).await.unwrap();
            let mut expected = usual;
            change(&mut expected.context);
            let found = settings.of_turn(GUILD, HERE, MAIN).await;
            assert_eq!(found, expected, "{key}");
            settings.unset(GUILD, place, key).await.unwrap();
        }
    };
    let (guild, channel) = (SettingPlace::Guild, SettingPlace::Channel(HERE));
    set(SettingKey::Messages, guild, "5", |it| it.messages = 5).await;
    set(SettingKey::ContextAge, channel, "2h", |it| {
        it.age = Duration::from_secs(7200);
    })
    .await;
    set(SettingKey::ContextView, channel, "channel", |it| {
        it.directed = false;
    })
    .await;
    set(SettingKey::ContextAround, guild, "0", |it| it.around = 0).await;
    set(SettingKey::ContextTokens, guild, "900", |it| {
        it.tokens = 900;
    })
    .await;
    set(SettingKey::ForgetOnRestart, guild, "on", |it| {
        it.forget_on_restart = true;
    })
    .await;
    set(SettingKey::SkipPatterns, guild, "a, b", |it| {
        it.skip = vec!["a".into(), "b".into()];
    })
    .await;
    set(SettingKey::ShortenCircles, guild, "off", |it| {
        it.shorten_circles = false;
    })
    .await;
    set(SettingKey::TakeNotes, channel, "off", |it| {
        it.notes = false;
    })
    .await;
    set(SettingKey::ServerNote, guild, "We are kind.", |it| {
        it.server_note = Some("We are kind.".into());
    })
    .await;
    set(SettingKey::ChannelNote, channel, "No spoilers.", |it| {
        it.channel_note = Some("No spoilers.".into());
    })
    .await;
    set(SettingKey::ContextEmoji, guild, "0", |it| it.emoji = 0).await;
    set(SettingKey::Prefill, channel, "Well,", |it| {
        it.prefill = Some("Well,".into());
    })
    .await;
}
