//! Who decides what, before and while the bot runs.

use std::sync::Arc;

use kaiwa_domain::Scope;
use kaiwa_domain::port::Retention;
use kaiwa_domain::settings::{SettingKey, SettingPlace};
use kaiwa_pipeline::brief::Template;
use kaiwa_provider::ModelPool;
use kaiwa_runtime::{MemoryBounds, Setup};

use super::{GRACE, Story};

impl Story {
    pub(super) fn operator_decides(&self, model_pool: &ModelPool) -> Setup {
        Setup {
            models: self.cast(model_pool),
            instance: self.instance.clone(),
            shutdown_grace: GRACE,
            retention: Retention::default(),
            template: Template::default(),
            memory: MemoryBounds::default(),
        }
    }

    /// What the operator has decided before the bot starts.
    pub fn operator_wants(&mut self, settings: &[(SettingKey, &str)]) {
        for (key, text) in settings {
            let value = key.setting().parse(text).expect("a value of the setting");
            self.instance = self.instance.clone().with(*key, value);
        }
    }

    /// The bot, which has not come yet, will stop itself after so many requests
    /// that Discord calls invalid.
    pub fn bot_stops_itself_after(&mut self, invalid_requests: u32) {
        self.invalid_requests = invalid_requests;
    }

    /// The operator changes the configuration file under the running bot.
    pub fn operator_sets(&mut self, key: SettingKey, value: &str) {
        let value = key.setting().parse(value).expect("a value");
        self.instance = self.instance.clone().with(key, value);
        let (setup, model_pool) = self.setup.as_ref().expect("a running bot");
        setup.send_replace(Arc::new(self.operator_decides(model_pool)));
    }

    /// Somebody sets something for a guild, or one of its channels, while the
    /// bot runs: `Tea House` or `Tea House/general`.
    pub async fn sets(&self, place: &str, key: SettingKey, value: &str) {
        let (guild, channel) = match place.split_once('/') {
            Some((guild, _)) => (guild, Some(self.channel(place))),
            None => (place, None),
        };
        let mut guilds = self.ready.guilds.iter();
        let guild = guilds.find(|it| it.name == guild).expect("a guild");
        let scope = Scope::Guild(guild.id.parse().expect("an id"));
        let place = channel.map_or(SettingPlace::Guild, |id| {
            SettingPlace::Channel(id.parse().expect("an id"))
        });
        self.set(scope, place, key, value).await;
    }

    /// Somebody sets something for their direct messages.
    pub async fn sets_for_whispers_of(&self, name: &str, key: SettingKey, value: &str) {
        let user = self.ready.users.iter().find(|user| user.name == name);
        let id = user.expect("somebody of that name").id.parse();
        let scope = Scope::Dm(id.expect("an id"));
        self.set(scope, SettingPlace::Guild, key, value).await;
    }

    async fn set(&self, scope: Scope, place: SettingPlace, key: SettingKey, value: &str) {
        let settings = self.bot.as_ref().expect("a running bot").settings();
        let set = settings.set(scope, place, key, value, None).await;
        set.expect("a setting");
    }
}
