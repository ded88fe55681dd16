//! Webhooks. Discord Docs/Webhook, Webhook Structure.

use serde_json::{Value, json};

use super::User;
use crate::realm::{Realm, Webhook};

/// To one who only has the token, who made it is not told. The token is only
/// shown to its owner.
pub(crate) fn webhook(realm: &Realm, webhook: &Webhook, whole: bool, with_token: bool) -> Value {
    let mut shown = json!({
        "id": webhook.id,
        "type": if webhook.follows.is_some() { 2 } else { 1 },
        "guild_id": webhook.guild,
        "channel_id": webhook.channel,
        "name": webhook.name,
        "avatar": webhook.avatar,
        "application_id": webhook.application,
    });
    if let Some(followed) = webhook.follows {
        // Null once the channel is gone.
        let channel = realm.channels.get(&followed);
        let place = channel.and_then(|it| it.of_guild());
        let guild = place.and_then(|place| realm.guild(place.guild));
        shown["source_guild"] = json!(
            guild.map(|it| json!({ "id": it.id, "name": it.name, "icon": it.settings.icon }))
        );
        shown["source_channel"] =
            json!(place.map(|place| json!({ "id": followed, "name": place.name })));
    } else if with_token {
        shown["token"] = json!(webhook.token);
    }
    if whole {
        let creator = realm.person(webhook.creator);
        shown["user"] = json!(creator.map(User::from));
    }
    shown
}
