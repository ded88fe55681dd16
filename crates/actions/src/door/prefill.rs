//! Forms that begin with what is there.
//!
//! What a form shows is read by whoever used the command, so rights are asked
//! for first. Whoever may not goes the usual way, and is told so there.

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Form, Interaction, InteractionKind};

use super::{Door, arguments};
use crate::command::{field, form_of};

impl Door {
    pub(super) fn prefill<'a>(&'a self, interaction: &'a Interaction) -> Pending<'a, Option<Form>> {
        Box::pin(self.fill(interaction))
    }

    async fn fill(&self, interaction: &Interaction) -> Option<Form> {
        let InteractionKind::Command(call) = &interaction.kind else {
            return None;
        };
        let entry = self.registry.behind(&call.name)?;
        let entrance = entry.declaration.command?;
        let known = arguments(&call.arguments, None)?;
        let alone = known
            .keys()
            .all(|name| Some(name.as_str()) == entrance.completes);
        if entrance.fills_in.is_empty() || !alone || known.is_empty() {
            return None;
        }
        let Interaction { scope, channel, .. } = *interaction;
        let user = interaction.user.id;
        let held = self.ports.permissions.of(scope, channel, user).await.ok()?;
        if !held.contains(entry.declaration.asker_needs) {
            return None;
        }
        let typed = entry.action.read(&call.arguments).ok()?;
        let current = typed.current(scope).await;
        let fields = entrance.fills_in.iter().filter_map(|name| {
            let (_, value) = current.iter().find(|(known, _)| known == name)?;
            let mut field = field(entry, entrance.name, name, &interaction.locale)?;
            field.value.clone_from(value);
            // What does not fit would be lost.
            (value.encode_utf16().count() <= usize::from(field.most)).then_some(field)
        });
        form_of(entry, &known, fields.collect(), &interaction.locale)
    }
}
