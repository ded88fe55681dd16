//! Webhooks. Discord Docs/Webhook, Webhook Structure.

use serde_json::{Value, json};

use super::User;
use crate::realm::{Realm, Webhook};

/// To one who only has the token, who made it is not told. The token is only
/// shown to its owner.
pub(crate) fn webhook(realm: &Realm, webhook: &Webhook, whole: bool, with_token: bool) -> Value {
    let mut shown = json!({
        "id": webhook.id,
        "type": 1,
        "guild_id": webhook.guild,
        "channel_id": webhook.channel,
        "name": webhook.name,
        "avatar": webhook.avatar,
        "application_id": webhook.application,
    });
    if with_token {
        shown["token"] = json!(webhook.token);
    }
    if whole {
        let creator = realm.person(webhook.creator);
        shown["user"] = json!(creator.map(User::from));
    }
    shown
}
