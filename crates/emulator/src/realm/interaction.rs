//! What people did with a bot's commands, components and modals, and how far
//! the bot has answered.

use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use serde_json::Value;

use super::{AppCommand, CommandKind, Message};
use crate::{
    limits,
    snowflake::{Snowflake, now},
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Interaction {
    pub(crate) id: Snowflake,
    pub(crate) token: String,
    pub(crate) application: Snowflake,
    /// The account of the application's bot.
    pub(crate) bot: Snowflake,
    pub(crate) kind: InteractionKind,
    pub(crate) user: Snowflake,
    pub(crate) guild: Option<Snowflake>,
    pub(crate) channel: Snowflake,
    /// What the human's client recognises it by.
    pub(crate) nonce: Option<String>,
    pub(crate) command: Option<UsedCommand>,
    /// The message whose component was used, also for a modal that a
    /// component opened.
    pub(crate) source: Option<Snowflake>,
    /// Of the interaction that opened the modal.
    pub(crate) opened_by: Option<Value>,
    /// The kind of the option that is being completed.
    pub(crate) completes: Option<u64>,
    /// The first answer has come.
    /// Over before its time, as a fault had it.
    pub(crate) expired: bool,
    pub(crate) answered: bool,
    /// The message that the answer made or changed.
    pub(crate) original: Option<Snowflake>,
    /// The modal that the answer opened.
    pub(crate) modal: Option<OpenedModal>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UsedCommand {
    /// With the subcommand.
    pub(crate) name: String,
    pub(crate) kind: CommandKind,
    /// The user or message that a context menu was opened on.
    pub(crate) target: Option<Snowflake>,
}

impl UsedCommand {
    pub(crate) fn new(command: &AppCommand, path: &[String], target: Option<Snowflake>) -> Self {
        let mut name = command.name.clone();
        for part in path {
            name.push(' ');
            name.push_str(part);
        }
        Self {
            name,
            kind: command.kind,
            target,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OpenedModal {
    pub(crate) custom_id: String,
    pub(crate) components: Vec<Value>,
}

/// Discord Docs/Receiving and Responding, Interaction Type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum InteractionKind {
    Command,
    Component,
    Autocomplete,
    ModalSubmit,
}

impl InteractionKind {
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Command => 2,
            Self::Component => 3,
            Self::Autocomplete => 4,
            Self::ModalSubmit => 5,
        }
    }
}

impl Interaction {
    fn age(&self) -> Duration {
        Duration::try_from(now().duration_since(self.id.timestamp())).unwrap_or_default()
    }

    /// Whether the first answer may still come.
    pub(crate) fn awaits_answer(&self) -> bool {
        !self.answered && !self.expired && self.age() <= limits::INTERACTION_ANSWER
    }

    /// Whether its token still opens the channel.
    pub(crate) fn token_holds(&self) -> bool {
        !self.expired && self.age() <= limits::INTERACTION_TOKEN
    }
}

/// The latest interactions.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Interactions {
    all: BTreeMap<Snowflake, Interaction>,
}

impl Interactions {
    /// Ends all, whatever their age.
    pub(crate) fn expire(&mut self) {
        for interaction in self.all.values_mut() {
            interaction.expired = true;
        }
    }

    pub(crate) fn put(&mut self, interaction: Interaction) {
        self.all.insert(interaction.id, interaction);
        while self.all.len() > limits::INTERACTIONS {
            self.all.pop_first();
        }
    }

    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        self.all.values().map(|it| it.token.as_str())
    }

    pub(crate) fn get(&self, id: Snowflake) -> Option<&Interaction> {
        self.all.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: Snowflake) -> Option<&mut Interaction> {
        self.all.get_mut(&id)
    }

    pub(crate) fn with_token(&self, application: Snowflake, token: &str) -> Option<&Interaction> {
        let mut latest = self.all.values().rev();
        latest.find(|it| it.application == application && it.token == token)
    }

    /// The modal that a person has before them: the one of an interaction if
    /// it is named, else the latest with that name.
    pub(crate) fn modal_of(
        &self,
        user: Snowflake,
        named: Option<Snowflake>,
        application: Snowflake,
        custom_id: &str,
    ) -> Option<&Interaction> {
        let theirs = |it: &&Interaction| {
            it.user == user
                && it.application == application
                && it
                    .modal
                    .as_ref()
                    .is_some_and(|it| it.custom_id == custom_id)
        };
        let named = named.and_then(|id| self.all.get(&id)).filter(theirs);
        named.or_else(|| self.all.values().rev().find(theirs))
    }
}

/// A message that one person alone sees, and that no history keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EphemeralMessage {
    pub(crate) channel: Snowflake,
    pub(crate) viewer: Snowflake,
    pub(crate) message: Message,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct EphemeralMessages {
    all: VecDeque<EphemeralMessage>,
}

impl EphemeralMessages {
    pub(crate) fn put(&mut self, message: EphemeralMessage) {
        self.all.push_back(message);
        while self.all.len() > limits::EPHEMERAL_MESSAGES {
            self.all.pop_front();
        }
    }

    pub(crate) fn get(&self, id: Snowflake) -> Option<&EphemeralMessage> {
        self.all.iter().rev().find(|it| it.message.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: Snowflake) -> Option<&mut EphemeralMessage> {
        self.all.iter_mut().rev().find(|it| it.message.id == id)
    }

    pub(crate) fn remove(&mut self, id: Snowflake) {
        self.all.retain(|it| it.message.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an interaction of that age awaits its answer, and whether its
    /// token still holds.
    fn check(seconds: i64, expected: (bool, bool)) {
        let at = now() - jiff::SignedDuration::from_secs(seconds);
        let since_epoch = u64::try_from(at.as_millisecond() - limits::EPOCH_MS).unwrap();
        let interaction = Interaction {
            id: Snowflake(since_epoch << 22),
            token: String::new(),
            application: Snowflake(1),
            bot: Snowflake(2),
            kind: InteractionKind::Command,
            user: Snowflake(3),
            guild: None,
            channel: Snowflake(4),
            nonce: None,
            command: None,
            source: None,
            opened_by: None,
            completes: None,
            expired: false,
            answered: false,
            original: None,
            modal: None,
        };
        let got = (interaction.awaits_answer(), interaction.token_holds());
        assert_eq!(got, expected, "{seconds} s");
    }

    #[test]
    fn an_answer_has_three_seconds_and_a_token_fifteen_minutes() {
        check(1, (true, true));
        check(5, (false, true));
        check(14 * 60, (false, true));
        check(15 * 60 + 1, (false, false));
    }
}
