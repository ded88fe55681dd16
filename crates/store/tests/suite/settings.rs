//! What was set for scopes, channels and personas.

use kaiwa_domain::port::SettingsStore;
use kaiwa_domain::settings::{SETTINGS_PER_SCOPE, SettingKey, SettingPlace, StoredSetting};
use kaiwa_domain::{ChannelId, PersonaId, Scope, StoreError, UserId};

use super::{AWAY, Engine, HOME, NOW};

pub(super) fn setting(
    scope: Scope,
    place: SettingPlace,
    key: SettingKey,
    value: &str,
) -> StoredSetting {
    StoredSetting {
        scope,
        place,
        name: key.name().to_owned(),
        value: value.to_owned(),
        changed_by: Some(UserId::new(u64::MAX)),
        changed_at: NOW,
    }
}

pub(super) async fn a_setting_is_set_replaced_and_taken_away<E: Engine>(engine: E) {
    let store = engine.open().await;
    let key = SettingKey::Degree;
    let place = SettingPlace::Guild;
    assert_eq!(store.settings(HOME).await, Ok(vec![]));
    assert_eq!(store.unset(HOME, place, key).await, Ok(false));

    let mut degree = setting(HOME, place, key, "2");
    store.set(&degree).await.unwrap();
    assert_eq!(store.settings(HOME).await, Ok(vec![degree.clone()]));

    degree.value = "3".to_owned();
    degree.changed_by = None;
    store.set(&degree).await.unwrap();
    assert_eq!(store.settings(HOME).await, Ok(vec![degree]));

    assert_eq!(store.unset(HOME, place, key).await, Ok(true));
    assert_eq!(store.settings(HOME).await, Ok(vec![]));
}

pub(super) async fn a_setting_belongs_to_its_scope_and_place<E: Engine>(engine: E) {
    let store = engine.open().await;
    let places = [
        SettingPlace::Channel(ChannelId::new(1)),
        SettingPlace::Channel(ChannelId::new(u64::MAX)),
        SettingPlace::Guild,
        SettingPlace::Persona(PersonaId::new(1)),
    ];
    let key = SettingKey::Personality;
    for scope in [HOME, AWAY] {
        for place in places {
            let text = format!("{scope} {place:?}");
            store.set(&setting(scope, place, key, &text)).await.unwrap();
        }
    }
    for place in places {
        assert_eq!(store.unset(HOME, place, key).await, Ok(true));
        let left = store.settings(HOME).await.unwrap();
        assert!(left.iter().all(|it| it.place != place), "{left:?}");
    }
    let away = store.settings(AWAY).await.unwrap();
    assert_eq!(away.len(), places.len());
    for place in places {
        let text = format!("{AWAY} {place:?}");
        assert!(away.contains(&setting(AWAY, place, key, &text)), "{away:?}");
    }
}

pub(super) async fn a_scope_has_no_end_of_settings<E: Engine>(engine: E) {
    let store = engine.open().await;
    let at = |channel: u16| SettingPlace::Channel(ChannelId::new(channel.into()));
    for channel in 0..SETTINGS_PER_SCOPE {
        let degree = setting(HOME, at(channel), SettingKey::Degree, "0");
        store.set(&degree).await.unwrap();
    }
    let more = setting(HOME, at(SETTINGS_PER_SCOPE), SettingKey::Degree, "0");
    let refused = store.set(&more).await;
    assert!(
        matches!(refused, Err(StoreError::Conflict { .. })),
        "{refused:?}"
    );
    let kept = store.settings(HOME).await.unwrap();
    assert_eq!(kept.len(), usize::from(SETTINGS_PER_SCOPE));

    // What is there may change, others have room, and one less makes room.
    let other = setting(HOME, at(0), SettingKey::Degree, "3");
    store.set(&other).await.unwrap();
    let away = setting(AWAY, at(0), SettingKey::Degree, "0");
    store.set(&away).await.unwrap();
    store.unset(HOME, at(1), SettingKey::Degree).await.unwrap();
    store.set(&more).await.unwrap();
}

pub(super) async fn settings_survive_a_reopening<E: Engine>(engine: E) {
    let store = engine.open().await;
    let place = SettingPlace::Persona(PersonaId::MAIN);
    let degree = setting(HOME, place, SettingKey::Degree, "0");
    store.set(&degree).await.unwrap();
    engine.close(store).await;
    let store = engine.open().await;
    assert_eq!(store.settings(HOME).await, Ok(vec![degree]));
}
