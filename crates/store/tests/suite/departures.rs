//! Guilds that we are no longer in.

use kaiwa_domain::port::{Departure, Departures, Erasure};
use kaiwa_domain::{DataSubject, GuildId, Scope, Timestamp};

use super::memories::fact;
use super::{Engine, HOME, NOW, admit, turn};
use kaiwa_domain::port::Memories;

const GUILD: GuildId = GuildId::new(7);
const OTHER: GuildId = GuildId::new(1 << 63);

pub(super) async fn a_guild_is_left_until_it_is_erased_or_entered_again<E: Engine>(engine: E) {
    let store = engine.open().await;
    let later = Timestamp::from_millis(NOW.as_millis() + 1);
    store.depart(OTHER, later).await.unwrap();
    store.depart(GUILD, NOW).await.unwrap();
    // Told again, it was left no later.
    store.depart(GUILD, later).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    let left = |guild, at| Departure { guild, at };
    let both = vec![left(GUILD, NOW), left(OTHER, later)];
    assert_eq!(store.departures().await, Ok(both));
    store.come_back(OTHER).await.unwrap();
    store.come_back(OTHER).await.unwrap();
    assert_eq!(store.departures().await, Ok(vec![left(GUILD, NOW)]));
    store.erase(DataSubject::Guild(GUILD), NOW).await.unwrap();
    assert_eq!(store.departures().await, Ok(vec![]));
}

pub(super) async fn a_guild_is_on_record_while_anything_is_kept_of_it<E: Engine>(engine: E) {
    let store = engine.open().await;
    assert_eq!(store.guilds_on_record().await, Ok(vec![]));
    for message in 1..4 {
        admit(&*store, &turn(HOME, message)).await;
        let other = fact(Scope::Guild(OTHER), None, &format!("{message}"));
        store.remember(&other).await.unwrap();
        let private = Scope::Dm(kaiwa_domain::UserId::new(message));
        admit(&*store, &turn(private, message)).await;
    }
    assert_eq!(store.guilds_on_record().await, Ok(vec![GUILD, OTHER]));
    store.erase(DataSubject::Guild(GUILD), NOW).await.unwrap();
    assert_eq!(store.guilds_on_record().await, Ok(vec![OTHER]));
}
