//! `kaiwa settings`: what a server, a channel or a persona has of its own.

use std::sync::Arc;

use anyhow::{Result, bail};
use kaiwa_domain::port::{Clock, Database};
use kaiwa_domain::settings::{
    EffectiveSettings, Layer, SETTINGS, Setting, SettingPlace, SettingValue, StoredSetting,
};
use kaiwa_domain::{ChannelId, PersonaId, Scope};
use kaiwa_runtime::{Settings, SystemClock};

use crate::args::{SettingsCommand, SettingsHome, SettingsTarget};
use crate::config::Config;
use crate::{console, exit, models, offline};

pub(crate) async fn settings(command: SettingsCommand) -> Result<()> {
    match command {
        SettingsCommand::List {
            home,
            channel,
            persona,
        } => {
            let (config, store) = enter(&home).await?;
            let rows = store.settings(home.scope.scope()?).await;
            store.close().await?;
            let channel = channel.unwrap_or(ChannelId::new(0));
            let persona = persona.map_or(PersonaId::MAIN, PersonaId::new);
            list(&config, &rows?, channel, persona);
        }
        SettingsCommand::Set {
            home,
            target,
            key,
            value,
        } => {
            let place = target.place();
            let value = Settings::check(place, key, &value).map_err(exit::needs_a_person)?;
            let setting = StoredSetting {
                scope: home.scope.scope()?,
                place,
                name: key.name().to_owned(),
                value: value.to_string(),
                changed_by: None,
                changed_at: SystemClock.now(),
            };
            let (_, store) = enter(&home).await?;
            let written = store.set(&setting).await;
            store.close().await?;
            written?;
            let at = shown(setting.scope, &target);
            console::say(format_args!("{key} = {} for {at}", written_as(&value)));
        }
        SettingsCommand::Unset { home, target, key } => {
            let scope = home.scope.scope()?;
            let (_, store) = enter(&home).await?;
            let unset = store.unset(scope, target.place(), key).await;
            store.close().await?;
            let at = shown(scope, &target);
            if !unset? {
                bail!(exit::needs_a_person(format!(
                    "{key} is not set for {at}: `kaiwa settings list` shows what is"
                )));
            }
            console::say(format_args!("{key} is no longer set for {at}"));
        }
    }
    Ok(())
}

/// The configuration and the database.
async fn enter(home: &SettingsHome) -> Result<(Config, Arc<dyn Database>)> {
    offline::enter(&home.data, "settings are read and changed").await
}

fn list(config: &Config, rows: &[StoredSetting], channel: ChannelId, persona: PersonaId) {
    let changes: Vec<_> = rows.iter().filter_map(Settings::read).collect();
    let changes = changes
        .iter()
        .map(|(place, key, value)| (*place, *key, value));
    let instance = models::instance(config);
    let effective = EffectiveSettings::new(&instance, changes, channel, persona);
    for setting in &SETTINGS {
        let (value, layer) = (effective.value(setting.key), effective.layer(setting.key));
        console::print(format_args!("# {}", declared(setting)));
        console::print(format_args!(
            "{} = {}  # from the {layer}",
            setting.name,
            written_as(value)
        ));
    }
}

/// What a setting is, may be, and who may change it.
fn declared(setting: &Setting) -> String {
    let layers = setting
        .layers
        .iter()
        .filter(|layer| **layer != Layer::Instance);
    let layers: Vec<&str> = layers.map(|layer| layer.name()).collect();
    format!(
        "{}: {}; for a {}; {}",
        setting.label,
        setting.kind.allowed(),
        layers.join(", "),
        setting.right
    )
}

/// A value on one line.
fn written_as(value: &SettingValue) -> String {
    match value {
        SettingValue::Text(text) => format!("{text:?}"),
        other => other.to_string(),
    }
}

/// Names a place to people.
fn shown(scope: Scope, target: &SettingsTarget) -> String {
    let scope = offline::shown(scope);
    match target.place() {
        SettingPlace::Guild => scope,
        SettingPlace::Channel(id) => format!("channel {id} of {scope}"),
        SettingPlace::Persona(id) => format!("persona {id} of {scope}"),
    }
}
