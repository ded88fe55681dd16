//! What an action is, and what it declares.

use std::time::Duration;

use kaiwa_domain::port::{Pending, SentAbroad};
use kaiwa_domain::{
    Button, OptionChoice, Outgoing, PersonalFile, RateClass, Rights, Scope, Settlement, ToolError,
    Turn, UserId, When,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::Grant;
use crate::phrase::Phrase;

/// One thing that Kaiwa can do.
pub trait Action: Send + Sync + 'static {
    /// What it is asked with. A value of this type is fit to be acted on; what
    /// is not goes back to whoever asked. Its schema is what the model is told
    /// and what the options of the command are made from.
    type Arguments: DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// What decides about a call before it runs; always the same.
    fn declaration(&self) -> Declaration;

    /// What asker and bot must be allowed for these arguments beyond what is
    /// declared.
    fn further_needs(&self, _: &Self::Arguments) -> Needs {
        Needs::default()
    }

    /// What fits an [option](CommandEntrance::completes) that `user` is typing.
    fn complete<'a>(
        &'a self,
        _scope: Scope,
        _user: UserId,
        _typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(std::future::ready(Vec::new()))
    }

    /// What the [fields](CommandEntrance::fills_in) of a form begin with, for
    /// what a command was used with. Those that are missing are not asked for.
    fn current<'a>(
        &'a self,
        _scope: Scope,
        _arguments: &'a Self::Arguments,
    ) -> Pending<'a, Vec<(&'static str, String)>> {
        Box::pin(std::future::ready(Vec::new()))
    }

    /// What would happen, for the person who is asked whether it should: with
    /// names that they know. The name of the action and its arguments, unless
    /// it says something better. An error is why they need not be asked.
    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        _: &'a Self::Arguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// What it sends to the open web.
    fn sends(&self, _: &Self::Arguments) -> Option<SentAbroad> {
        None
    }

    /// What people read while it takes long.
    fn progress(&self, _: &Self::Arguments) -> Phrase {
        Phrase::new("progress-working")
    }

    /// Does it. Dropping the future gives it up.
    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: Self::Arguments,
    ) -> Pending<'a, Result<Done, ToolError>>;
}

/// What would happen if somebody said yes.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    pub(crate) phrase: Phrase,
    /// How arguments were understood.
    pub(crate) settled: Vec<(&'static str, String)>,
}

impl Description {
    /// In these words.
    pub const fn new(phrase: Phrase) -> Self {
        Self {
            phrase,
            settled: Vec::new(),
        }
    }

    /// The argument `name` means `value`, also if the same words mean something
    /// else when it is done: whoever says yes has been shown this one.
    #[must_use]
    pub fn settling(mut self, name: &'static str, value: String) -> Self {
        self.settled.push((name, value));
        self
    }
}

/// What a call needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// What the asker must be allowed to do in the channel.
    pub asker: Rights,
    /// What the bot must be allowed to do in the channel.
    pub bot: Rights,
}

/// What became of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    pub(crate) told: String,
    pub(crate) shown: Option<Phrase>,
    pub(crate) buttons: Vec<Button>,
    pub(crate) undo: Option<UndoCall>,
    pub(crate) afterwards: Option<Outgoing>,
    pub(crate) file: Option<PersonalFile>,
    pub(crate) quotes_others: bool,
}

/// The call that takes something back.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct UndoCall {
    pub(crate) action: &'static str,
    pub(crate) arguments: String,
}

impl Done {
    /// It is done, and this is what the model is told; people too, unless
    /// something else is [shown](Self::showing) to them.
    pub fn new(told: impl Into<String>) -> Self {
        Self {
            told: told.into(),
            shown: None,
            buttons: Vec::new(),
            undo: None,
            afterwards: None,
            file: None,
            quotes_others: false,
        }
    }

    /// What people read, in their language.
    #[must_use]
    pub fn showing(self, phrase: Phrase) -> Self {
        Self {
            shown: Some(phrase),
            ..self
        }
    }

    /// A file goes with it, where people read it. The model gets none.
    #[must_use]
    pub fn with_file(self, file: PersonalFile) -> Self {
        Self {
            file: Some(file),
            ..self
        }
    }

    /// What the model is told holds words of somebody else than the asker, as if
    /// the action were declared to [taint](Declaration::taints).
    #[must_use]
    pub fn quoting_others(self, quotes_others: bool) -> Self {
        Self {
            quotes_others,
            ..self
        }
    }

    /// Who asked can take it back for a day: with this call, which passes the
    /// door like any other.
    #[must_use]
    pub fn undone_by(self, action: &'static str, arguments: &serde_json::Value) -> Self {
        Self {
            undo: Some(UndoCall {
                action,
                arguments: arguments.to_string(),
            }),
            ..self
        }
    }

    /// If the model asked, this follows its answer. A person sees what is
    /// [shown](Self::showing) alone.
    #[must_use]
    pub fn followed_by(self, message: Outgoing) -> Self {
        Self {
            afterwards: Some(message),
            ..self
        }
    }
}

/// What an action says about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// What it is called by.
    pub name: &'static str,
    /// When and how to use it, for the model.
    pub summary: &'static str,
    /// Whether the model may call it.
    pub model: bool,
    /// How people call it, if they can.
    pub command: Option<CommandEntrance>,
    /// Where it may be used.
    pub place: Availability,
    /// Whether somebody has to ask for it: a schedule that makes schedules
    /// would never end.
    pub attended: bool,
    /// Whether one call of it in a channel has to end before the next begins.
    pub alone: bool,
    /// What the asker must be allowed to do in the channel.
    pub asker_needs: Rights,
    /// What the bot must be allowed to do in the channel.
    pub bot_needs: Rights,
    /// What one person may not do too often.
    pub rate: Option<RateClass>,
    /// What it does to the world.
    pub class: EffectClass,
    /// Whether it is kept on record what was changed.
    pub on_record: bool,
    /// Whether what it returns is always written by others, as web pages are; what
    /// is so at times [says so](Done::quoting_others). From then on the model may
    /// want what its asker does not.
    pub taints: bool,
    /// When it runs, if the model calls it.
    pub when: When,
    /// How a call whose outcome was never learned is settled.
    pub settlement: Settlement,
    /// How long a call may take, the question for rights included.
    pub timeout: Duration,
}

impl Declaration {
    /// An action that looks and changes nothing, anywhere, for anybody.
    pub const fn reading(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            model: true,
            command: None,
            place: Availability::Anywhere,
            attended: false,
            alone: false,
            asker_needs: Rights::NONE,
            bot_needs: Rights::NONE,
            rate: None,
            class: EffectClass::Reads,
            on_record: true,
            taints: false,
            when: When::InLoop,
            settlement: Settlement::Idempotent,
            timeout: Duration::from_secs(5),
        }
    }

    /// The same as a command for people alone.
    #[must_use]
    pub const fn as_command(self, command: CommandEntrance) -> Self {
        Self {
            model: false,
            command: Some(command),
            ..self
        }
    }
}

/// How people call an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandEntrance {
    /// The command, and the subcommand if it is one: `privacy export`.
    pub name: &'static str,
    /// Whether only who asked sees the answer.
    pub ephemeral: bool,
    /// The option that is completed while it is typed.
    pub completes: Option<&'static str>,
    /// The options that are asked for in a form.
    pub form: &'static [&'static str],
    /// The options that are asked for in a form, with what is there already, if
    /// none but the one that is [completed](Self::completes) is given.
    pub fills_in: &'static [&'static str],
}

impl CommandEntrance {
    /// Answered for all to see.
    pub const fn public(name: &'static str) -> Self {
        Self {
            name,
            ephemeral: false,
            completes: None,
            form: &[],
            fills_in: &[],
        }
    }

    /// Answered for who asked.
    pub const fn private(name: &'static str) -> Self {
        Self {
            ephemeral: true,
            ..Self::public(name)
        }
    }
}

/// Where an action may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    /// In guilds and in direct messages.
    Anywhere,
    /// In guilds.
    Guild,
    /// In direct messages.
    Dm,
}

impl Availability {
    /// Whether what happens in `scope` happens here.
    pub(crate) const fn includes(self, scope: Scope) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Guild => matches!(scope, Scope::Guild(_)),
            Self::Dm => matches!(scope, Scope::Dm(_)),
        }
    }
}

/// What an action does to the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectClass {
    /// Nothing: it only looks at what everybody may see.
    Reads,
    /// Nothing, but it looks at what is not for everybody.
    ReadsPrivate,
    /// It shows something in the channel, as an answer does: a reaction, a
    /// poll, a sticker.
    Speaks,
    /// It changes something that is easily changed back.
    Changes,
    /// What it does is hard to undo or hurts. A person has to confirm it,
    /// however it was asked for.
    Dangerous,
}

impl EffectClass {
    /// Whether a call has to be confirmed by a person; `tainted` if the model
    /// asks and may have been told to by somebody else.
    pub(crate) const fn asks_first(self, tainted: bool) -> bool {
        match self {
            Self::Reads | Self::Speaks => false,
            Self::ReadsPrivate | Self::Changes => tainted,
            Self::Dangerous => true,
        }
    }

    /// Whether it is kept on record what became of a call. What is shown in the
    /// channel is there to be seen.
    pub(crate) const fn is_recorded(self) -> bool {
        matches!(self, Self::Changes | Self::Dangerous)
    }

    /// Whether a call is written down before it runs.
    pub(crate) const fn changes(self) -> bool {
        matches!(self, Self::Speaks | Self::Changes | Self::Dangerous)
    }
}

/// A call whose arguments were read.
pub(crate) trait TypedCall<'a>: Send + Sync {
    /// What these arguments need beyond the declaration.
    fn needs(&self) -> Needs;

    /// What people read while it takes long.
    fn progress(&self) -> Phrase;

    /// What it sends to the open web.
    fn sends(&self) -> Option<SentAbroad>;

    /// What a form about it begins with.
    fn current(&self, scope: Scope) -> Pending<'_, Vec<(&'static str, String)>>;

    /// What would happen.
    fn describe<'c>(
        &'c self,
        turn: &'c Turn,
    ) -> Pending<'c, Result<Option<Description>, ToolError>>;

    fn run(self: Box<Self>, grant: Grant<'a>) -> Pending<'a, Result<Done, ToolError>>;
}

struct TypedArguments<'a, A: Action> {
    action: &'a A,
    arguments: A::Arguments,
}

impl<'a, A: Action> TypedCall<'a> for TypedArguments<'a, A> {
    fn needs(&self) -> Needs {
        self.action.further_needs(&self.arguments)
    }

    fn progress(&self) -> Phrase {
        self.action.progress(&self.arguments)
    }

    fn sends(&self) -> Option<SentAbroad> {
        self.action.sends(&self.arguments)
    }

    fn current(&self, scope: Scope) -> Pending<'_, Vec<(&'static str, String)>> {
        self.action.current(scope, &self.arguments)
    }

    fn describe<'c>(
        &'c self,
        turn: &'c Turn,
    ) -> Pending<'c, Result<Option<Description>, ToolError>> {
        self.action.describe(turn, &self.arguments)
    }

    fn run(self: Box<Self>, grant: Grant<'a>) -> Pending<'a, Result<Done, ToolError>> {
        self.action.run(grant, self.arguments)
    }
}

/// An action without the type of its arguments.
pub(crate) trait AnyAction: Send + Sync {
    fn read<'a>(&'a self, arguments: &str) -> Result<Box<dyn TypedCall<'a> + 'a>, ToolError>;

    fn fitting<'a>(
        &'a self,
        scope: Scope,
        user: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>>;
}

impl<A: Action> AnyAction for A {
    fn read<'a>(&'a self, arguments: &str) -> Result<Box<dyn TypedCall<'a> + 'a>, ToolError> {
        Ok(Box::new(TypedArguments {
            action: self,
            arguments: typed(arguments).map_err(|problem| ToolError::BadArguments { problem })?,
        }))
    }

    fn fitting<'a>(
        &'a self,
        scope: Scope,
        user: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        self.complete(scope, user, typed)
    }
}

/// Reads arguments. What is wrong is said of the option that it is about, in
/// words that people understand too: they see no lines and columns.
fn typed<T: DeserializeOwned>(arguments: &str) -> Result<T, String> {
    let value: serde_json::Value =
        serde_json::from_str(arguments).map_err(|error| error.to_string())?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let (option, problem) = (error.path().to_string(), error.inner().to_string());
        match option.as_str() {
            "." => problem,
            _ if problem.starts_with(&format!("{option}: ")) => problem,
            _ => format!("{option}: {problem}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::UserArgument;

    #[derive(serde::Deserialize)]
    struct Tea {
        #[expect(dead_code, reason = "it is only read")]
        guest: UserArgument,
        #[expect(dead_code, reason = "it is only read")]
        cups: Option<u8>,
    }

    #[test]
    fn what_is_wrong_names_the_option() {
        for (arguments, expected) in [
            (r#"{"guest": "7", "cups": 2}"#, None),
            (r#"{"guest": "me"}"#, Some("guest: that is nobody; give")),
            (r#"{"guest": 5}"#, Some("guest: invalid type: integer")),
            (
                r#"{"guest": "7", "cups": 900}"#,
                Some("cups: invalid value"),
            ),
            ("{}", Some("missing field `guest`")),
        ] {
            let problem = typed::<Tea>(arguments).err();
            match (problem, expected) {
                (Some(problem), Some(expected)) => {
                    assert!(problem.starts_with(expected), "{problem}");
                    assert!(!problem.contains("column"), "{problem}");
                }
                (problem, expected) => assert_eq!(problem.as_deref(), expected, "{arguments}"),
            }
        }
        assert!(typed::<Tea>("tea").is_err());
    }
}
