//! What a bot hears of an interaction, and a human when it does not answer.

use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    super::{RequestContext, webhooks::post},
    trace,
};
use crate::{
    Emulator, limits,
    realm::{Interaction, in_channel},
    snowflake::Snowflake,
    wire::{self, Member, MessageView, User, Viewer},
};

/// Tells the human when no answer came in time.
pub(super) async fn give_up(emulator: Emulator, id: Snowflake) {
    tokio::select! {
        () = sleep(limits::INTERACTION_ANSWER) => {}
        () = emulator.stop().cancelled() => return,
    }
    let mut state = emulator.state();
    let interaction = state.realm.interactions.get(id);
    let Some(interaction) = interaction.filter(|it| !it.answered).cloned() else {
        return;
    };
    let failed = json!({ "id": id, "nonce": interaction.nonce, "reason_code": 2 });
    let (user, guild) = (interaction.user, interaction.guild);
    state.tell(user, guild, "INTERACTION_FAILURE", &failed);
}

/// Discord Docs/Receiving and Responding, Interaction Structure.
pub(super) fn payload(call: &RequestContext<'_>, interaction: &Interaction, data: &Value) -> Value {
    let realm = &call.state.realm;
    let mut payload = json!({
        "id": interaction.id,
        "application_id": interaction.application,
        "type": interaction.kind.number(),
        "data": data,
        "channel_id": interaction.channel,
        "token": interaction.token,
        "version": 1,
        "locale": "en-US",
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": trace::owners(interaction),
        "context": u8::from(interaction.guild.is_none()),
        "attachment_size_limit": limits::FILE_BYTES,
    });
    let (Some(channel), Some(person)) = (
        realm.channels.get(&interaction.channel),
        realm.person(interaction.user),
    ) else {
        return payload;
    };
    let bot = realm.person(interaction.bot);
    let held = bot.map(|bot| in_channel(realm, bot, channel));
    payload["app_permissions"] = json!(held.unwrap_or_default());
    payload["channel"] = json!(wire::Channel::new(realm, channel, Some(interaction.bot)));
    let own = in_channel(realm, person, channel);
    match realm.guild_around(channel) {
        Some(guild) => {
            payload["guild_id"] = json!(guild.id);
            payload["guild"] = json!({ "id": guild.id, "locale": "en-US", "features": [] });
            payload["guild_locale"] = json!("en-US");
            let mut member = json!(Member::full(realm, guild, person.id));
            member["permissions"] = json!(own);
            payload["member"] = member;
        }
        None => payload["user"] = json!(User::from(person)),
    }
    let source = interaction.source;
    let source = source.and_then(|id| post::find(call, interaction.channel, id));
    if let Some((message, _)) = source {
        let view = MessageView::History;
        let shown = wire::Message::new(realm, channel, message, Viewer::OBSERVER, view);
        payload["message"] = json!(shown);
    }
    payload
}
