//! What people do with our controls: slash commands, buttons, menus, forms.

use std::fmt;

use crate::{Author, ChannelId, InteractionId, MessageId, Scope};

/// Somebody used a control of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interaction {
    /// Its id, which also tells when it happened.
    pub id: InteractionId,
    /// Where the answer goes.
    pub handle: ResponseHandle,
    /// Whose data it is.
    pub scope: Scope,
    /// Where it happened.
    pub channel: ChannelId,
    /// Who did it.
    pub user: Author,
    /// Their language, by Discord's name for it, like `en-US`.
    pub locale: String,
    /// What they did.
    pub kind: InteractionKind,
}

/// What somebody did with a control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InteractionKind {
    /// They used a command, from the keyboard or from a menu of a message or
    /// of a person.
    Command(CommandCall),
    /// They are typing an option of a command and want to be told what fits.
    Completion {
        /// The command as far as it is written.
        call: CommandCall,
        /// The option that they are at.
        option: String,
        /// What they have typed there.
        typed: String,
    },
    /// They used a button or a menu of a message.
    Component {
        /// Which, as we named it.
        control: String,
        /// What they chose, if it is a menu.
        values: Vec<String>,
        /// The message.
        message: MessageId,
    },
    /// They filled in a form.
    Form {
        /// Which, as we named it.
        control: String,
        /// What they wrote: the text of a JSON object of strings.
        fields: String,
    },
}

/// A command as somebody called it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandCall {
    /// Its name, with those of its subcommands: `memory add`.
    pub name: String,
    /// Its options: the text of a JSON object. Users, channels, roles and
    /// messages are their ids as strings.
    pub arguments: String,
}

/// Lets us answer an interaction for
/// [fifteen minutes](crate::limits::INTERACTION_LASTS). Whoever has it can
/// speak for us, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ResponseHandle {
    application: u64,
    token: String,
}

impl ResponseHandle {
    /// What Discord gave us.
    pub const fn new(application: u64, token: String) -> Self {
        Self { application, token }
    }

    /// Our application's id.
    pub const fn application(&self) -> u64 {
        self.application
    }

    /// The secret.
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl fmt::Debug for ResponseHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseHandle")
            .field("application", &self.application)
            .finish_non_exhaustive()
    }
}

/// The first answer to an interaction, which Discord wants
/// [within three seconds](crate::limits::INTERACTION_ACK_WITHIN).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Acknowledgement {
    /// The answer follows; until then people see that we think.
    Deferred {
        /// Whether only who asked sees it, and the answer.
        ephemeral: bool,
    },
    /// The message with the control will be changed, or not.
    Unchanged,
    /// What fits an option that is being typed, at most
    /// [so many](crate::limits::CHOICES).
    Choices(Vec<OptionChoice>),
    /// A form to fill in.
    Form(Form),
}

/// A form that somebody fills in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// What comes back with it: at most
    /// [so many](crate::limits::CONTROL_CHARS) characters.
    pub control: String,
    /// What it is for.
    pub title: String,
    /// What is asked, at most five things.
    pub fields: Vec<FormField>,
}

/// A thing that a form asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormField {
    /// The name that the text comes back under.
    pub name: String,
    /// What people read.
    pub label: String,
    /// The most characters.
    pub most: u16,
    /// Whether there is room for several lines.
    pub long: bool,
    /// Whether it cannot be left empty.
    pub required: bool,
    /// What stands there already.
    pub value: String,
}

/// Something that fits an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionChoice {
    /// What people read.
    pub name: String,
    /// What the option becomes.
    pub value: String,
}

/// A button below a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Button {
    /// What comes back when it is used: at most
    /// [so many](crate::limits::CONTROL_CHARS) characters.
    pub control: String,
    /// What people read.
    pub label: String,
    /// How it looks.
    pub look: ButtonLook,
}

/// How a button looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ButtonLook {
    /// What one usually does.
    Primary,
    /// Something else.
    Secondary,
    /// Something that cannot be taken back.
    Danger,
}

/// A command as Discord is told of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlashCommand {
    /// Its name.
    pub name: Localized,
    /// What it is for.
    pub summary: Localized,
    /// What it is called with, or what it is divided into.
    pub options: Vec<CommandOption>,
    /// What one must be allowed to do to see it, by default: Discord's
    /// permission bits.
    pub needs: Option<u64>,
    /// Whether it is offered in direct messages too.
    pub in_dms: bool,
}

/// An option or a subcommand of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandOption {
    /// Its name.
    pub name: Localized,
    /// What it is for.
    pub summary: Localized,
    /// What it takes.
    pub kind: OptionKind,
}

/// What an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A command within the command.
    Subcommand(Vec<CommandOption>),
    /// A value.
    Value {
        /// Of this type.
        of: ValueKind,
        /// Whether it cannot be left out.
        required: bool,
    },
}

/// The type of an option's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// Text.
    Text {
        /// The most characters.
        most: Option<u16>,
        /// Whether we are asked what fits while it is typed.
        completed: bool,
    },
    /// One of a few.
    Choice(Vec<OptionChoice>),
    /// A whole number, within bounds if there are any.
    Integer(Option<i64>, Option<i64>),
    /// A number.
    Number,
    /// Yes or no.
    Switch,
    /// A person.
    User,
    /// A channel.
    Channel,
    /// A role.
    Role,
    /// A file, by its address.
    File,
}

/// A text in English, and in other languages by Discord's names for them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Localized {
    /// In English.
    pub text: String,
    /// In other languages.
    pub others: Vec<(&'static str, String)>,
}

impl Localized {
    /// A text in English alone.
    pub fn english(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            others: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_does_not_show_its_secret() {
        let handle = ResponseHandle::new(7, "hush".to_owned());
        assert_eq!(
            format!("{handle:?}"),
            "ResponseHandle { application: 7, .. }"
        );
    }
}
