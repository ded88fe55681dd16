//! What a message tells of the interaction that it answers.

use serde_json::{Value, json};

use crate::{
    realm::{CommandKind, Interaction, InteractionKind, InteractionTrace, Realm},
    snowflake::Snowflake,
    wire::{Member, User},
};

/// Discord Docs/Message, Message Interaction Metadata. A follow-up names the
/// first answer.
pub(super) fn of(
    realm: &Realm,
    interaction: &Interaction,
    first_answer: Option<Snowflake>,
) -> InteractionTrace {
    let user = realm.person(interaction.user).map(User::from);
    let user = json!(user);
    let mut metadata = json!({
        "id": interaction.id,
        "type": interaction.kind.number(),
        "user": user,
        "authorizing_integration_owners": owners(interaction),
    });
    if let Some(id) = first_answer {
        metadata["original_response_message_id"] = json!(id);
    }
    let mut former = None;
    if let Some(command) = &interaction.command {
        metadata["name"] = json!(command.name);
        metadata["command_type"] = json!(command.kind.number());
        match (command.kind, command.target) {
            (CommandKind::User, Some(target)) => {
                metadata["target_user"] = json!(realm.person(target).map(User::from));
            }
            (CommandKind::Message, Some(target)) => {
                metadata["target_message_id"] = json!(target);
            }
            _ => {}
        }
        let mut older = json!({
            "id": interaction.id,
            "type": interaction.kind.number(),
            "name": command.name,
            "user": user,
        });
        let guild = interaction.guild.and_then(|id| realm.guild(id));
        if let Some(guild) = guild {
            older["member"] = json!(Member::partial(guild, interaction.user));
        }
        former = Some(older);
    }
    match (interaction.kind, interaction.source) {
        (InteractionKind::Component, Some(source)) => {
            metadata["interacted_message_id"] = json!(source);
        }
        (InteractionKind::ModalSubmit, _) => {
            let opened_by = interaction.opened_by.clone();
            metadata["triggering_interaction_metadata"] = opened_by.unwrap_or_default();
        }
        _ => {}
    }
    InteractionTrace { metadata, former }
}

/// Through which installation the application may act: here always the
/// guild's.
pub(super) fn owners(interaction: &Interaction) -> Value {
    match interaction.guild {
        Some(guild) => json!({ "0": guild }),
        None => json!({ "0": "0" }),
    }
}
