//! Settings: what may be decided for the whole bot, a guild, a channel or a
//! persona.
//!
//! Each [`Setting`] is declared once in [`SETTINGS`]. The configuration file
//! takes its words, bounds and default from there, and so does whoever changes
//! a setting in another [`Layer`].

mod declared;
mod layer;
mod value;

pub use layer::{EffectiveSettings, InstanceSettings, Layer, SettingPlace, StoredSetting};
pub use value::{BadSetting, RoleQuota, SettingKind, SettingValue, parse_duration, write_duration};

use std::fmt;

use declared::{actions, activation, buttons, context, joins, personas, speech};

/// Names a setting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SettingKey {
    /// Who the model is told to be.
    Personality,
    /// How many earlier messages the model is shown.
    Messages,
    /// How finely an answer is cut into messages.
    Degree,
    /// From which length on code is sent as a file.
    AttachCodeAbove,
    /// How old a message may be and still get an answer.
    AnswerWithin,
    /// Where "today" is.
    Timezone,
    /// Words that address the persona.
    TriggerWords,
    /// Whether every message of a channel is answered.
    AlwaysReply,
    /// After how many messages of others the bot joins in, at least.
    AutoReplyMin,
    /// After how many messages of others the bot joins in, at most.
    AutoReplyMax,
    /// Whether everything in a thread that the bot began is for it.
    OwnThreads,
    /// Whether a small model is asked if the bot should join in.
    JoinIn,
    /// How long the bot keeps out after it has joined in.
    JoinInPause,
    /// The most that its words may be among a channel's messages, in percent.
    JoinInShare,
    /// Whether other bots are answered.
    AnswerBots,
    /// The only users who are answered.
    UsersAllowed,
    /// Users who are never answered.
    UsersDenied,
    /// The only roles whose members are answered.
    RolesAllowed,
    /// Roles whose members are never answered.
    RolesDenied,
    /// The only channels in which the bot answers.
    ChannelsAllowed,
    /// Channels in which the bot never answers.
    ChannelsDenied,
    /// How many questions one person may ask within a while.
    UserQuestions,
    /// That while.
    UserWindow,
    /// How many answers one person may wait for at once.
    UserTurns,
    /// How many answers a server may wait for at once.
    GuildTurns,
    /// How many answers may wait in one channel.
    ChannelQueue,
    /// How many questions members of a role may ask, each.
    RoleQuotas,
    /// What is said after an answer was stopped.
    StopLine,
    /// What happens when a question that was answered is edited.
    EditedQuestion,
    /// How old a message may be and still be shown to the model.
    ContextAge,
    /// Which messages the model is shown.
    ContextView,
    /// How many of the newest messages are shown whoever they are for.
    ContextAround,
    /// How many tokens the conversation may take.
    ContextTokens,
    /// Whether what was said before the start is left out.
    ForgetOnRestart,
    /// Own messages that are left out.
    SkipPatterns,
    /// Whether own answers that went in circles are shown shortened.
    ShortenCircles,
    /// What the model is told of the server.
    ServerNote,
    /// What the model is told of the channel.
    ChannelNote,
    /// How many of the server's emoji the model is offered.
    ContextEmoji,
    /// What every answer is begun with.
    Prefill,
    /// Whether facts are kept and recalled.
    MemoryEnabled,
    /// How many tokens remembered facts may take.
    MemoryTokens,
    /// Whether models are asked to take notes.
    TakeNotes,
    /// How long notes on a conversation are kept.
    NotesExpire,
    /// Actions that are switched off.
    ActionsOff,
    /// Who may confirm what somebody asked for.
    ConfirmedBy,
    /// Where moderators read what was done.
    ActionLogChannel,
    /// Where people who join are welcomed.
    WelcomeChannel,
    /// What the model is told about welcoming them.
    WelcomePrompt,
    /// How long after joining they are welcomed.
    WelcomeDelay,
    /// The role of everybody who joins.
    JoinRole,
    /// The role of those who stay.
    AutoRole,
    /// After how long they get it.
    AutoRoleAfter,
    /// After how many messages they get it.
    AutoRoleMessages,
    /// Whether it takes both.
    AutoRoleWhen,
    /// Who answers where nobody is named.
    DefaultPersona,
    /// How many personas answer one message.
    MatchLimit,
    /// How often personas answer each other.
    CascadeLimit,
    /// How many messages an answer may take.
    AnswerMessages,
    /// Whether an answer pings who asked.
    PingAsker,
    /// After how many seconds an answer can be stopped with a button.
    StopAfter,
    /// After how many messages it can.
    StopMessages,
    /// Whether there is a button for another answer.
    RegenerateButton,
    /// Whether there is a button for the text of a table.
    SourceButton,
    /// How long the buttons below an answer last.
    ButtonsLast,
    /// Where it is shown what models thought.
    ThoughtLog,
}

/// One setting, as it is declared.
#[derive(PartialEq, Eq, Debug)]
pub struct Setting {
    /// Which it is.
    pub key: SettingKey,
    /// Its name: section and key of the configuration file.
    pub name: &'static str,
    /// What its value may be.
    pub kind: SettingKind,
    /// Its value where no layer has one, as text.
    pub default: &'static str,
    /// Where it may be set.
    pub layers: &'static [Layer],
    /// What one has to be allowed to do in a guild to change it there, in
    /// Discord's words. In direct messages everybody decides for themselves.
    pub right: &'static str,
    /// A few words for a form.
    pub label: &'static str,
    /// What it means, in lines for people.
    pub help: &'static [&'static str],
}

/// How many settings a scope may have, those of its channels and personas
/// included.
pub const SETTINGS_PER_SCOPE: u16 = 1000;

/// Every setting, in the order of [`SettingKey`].
pub const SETTINGS: [Setting; COUNT] = [
    speech::PERSONALITY,
    context::MESSAGES,
    speech::DEGREE,
    speech::ATTACH_CODE_ABOVE,
    speech::ANSWER_WITHIN,
    speech::TIMEZONE,
    activation::TRIGGER_WORDS,
    activation::ALWAYS_REPLY,
    activation::AUTO_REPLY_MIN,
    activation::AUTO_REPLY_MAX,
    activation::OWN_THREADS,
    activation::JOIN_IN,
    activation::JOIN_IN_PAUSE,
    activation::JOIN_IN_SHARE,
    activation::ANSWER_BOTS,
    activation::USERS_ALLOWED,
    activation::USERS_DENIED,
    activation::ROLES_ALLOWED,
    activation::ROLES_DENIED,
    activation::CHANNELS_ALLOWED,
    activation::CHANNELS_DENIED,
    activation::USER_QUESTIONS,
    activation::USER_WINDOW,
    activation::USER_TURNS,
    activation::GUILD_TURNS,
    activation::CHANNEL_QUEUE,
    activation::ROLE_QUOTAS,
    speech::STOP_LINE,
    speech::EDITED_QUESTION,
    context::CONTEXT_AGE,
    context::CONTEXT_VIEW,
    context::CONTEXT_AROUND,
    context::CONTEXT_TOKENS,
    context::FORGET_ON_RESTART,
    context::SKIP_PATTERNS,
    context::SHORTEN_CIRCLES,
    context::SERVER_NOTE,
    context::CHANNEL_NOTE,
    context::CONTEXT_EMOJI,
    speech::PREFILL,
    context::MEMORY_ENABLED,
    context::MEMORY_TOKENS,
    context::TAKE_NOTES,
    context::NOTES_EXPIRE,
    actions::ACTIONS_OFF,
    actions::CONFIRMED_BY,
    actions::ACTION_LOG_CHANNEL,
    joins::WELCOME_CHANNEL,
    joins::WELCOME_PROMPT,
    joins::WELCOME_DELAY,
    joins::JOIN_ROLE,
    joins::AUTO_ROLE,
    joins::AUTO_ROLE_AFTER,
    joins::AUTO_ROLE_MESSAGES,
    joins::AUTO_ROLE_WHEN,
    personas::DEFAULT_PERSONA,
    personas::MATCH_LIMIT,
    personas::CASCADE_LIMIT,
    speech::ANSWER_MESSAGES,
    speech::PING_ASKER,
    buttons::STOP_AFTER,
    buttons::STOP_MESSAGES,
    buttons::REGENERATE_BUTTON,
    buttons::SOURCE_BUTTON,
    buttons::BUTTONS_LAST,
    speech::THOUGHT_LOG,
];

/// How many settings there are.
const COUNT: usize = SettingKey::ThoughtLog as usize + 1;

/// The sections of the configuration file that settings stand in, with a few
/// words for people.
pub const SETTING_SECTIONS: [(&str, &str); 11] = [
    ("personality", "Who the bot is in conversation."),
    (
        "activation",
        "When the bot answers, beside mentions, replies and direct messages.",
    ),
    (
        "access",
        "Who is answered, and where. Lists hold Discord's ids.",
    ),
    ("limits", "How much people may ask."),
    ("conversation", "What happens around an answer."),
    ("context", "What the model gets to see."),
    ("memory", "What is remembered of people and places."),
    (
        "joins",
        "What happens when somebody joins a server. It needs discord.guild_members.",
    ),
    (
        "personas",
        "Who answers, where a server has personas beside the bot itself.",
    ),
    ("delivery", "How answers arrive."),
    ("actions", "What the bot does for people."),
];

impl SettingKey {
    /// What is declared of it.
    pub const fn setting(self) -> &'static Setting {
        const TABLE: &[Setting; COUNT] = &SETTINGS;
        &TABLE[self as usize]
    }

    /// Its name in the configuration file.
    pub const fn name(self) -> &'static str {
        self.setting().name
    }

    /// The setting of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        SETTINGS.iter().find(|it| it.name == name).map(|it| it.key)
    }
}

impl fmt::Display for SettingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Setting {
    /// Reads a value as people write it.
    pub fn parse(&self, text: &str) -> Result<SettingValue, BadSetting> {
        self.kind.parse(text).map_err(|problem| BadSetting {
            name: self.name,
            problem,
            allowed: self.kind.allowed(),
        })
    }

    /// Its section in the configuration file, and its key there.
    pub fn path(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or(("", self.name))
    }

    /// Whether it may be set in a layer.
    pub fn is_for(&self, layer: Layer) -> bool {
        self.layers.contains(&layer)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_setting_is_found_under_its_key_and_name() {
        for (place, setting) in SETTINGS.iter().enumerate() {
            assert_eq!(setting.key as usize, place);
            assert_eq!(setting.key.setting(), setting);
            assert_eq!(SettingKey::from_name(setting.name), Some(setting.key));
        }
        assert_eq!(SettingKey::from_name("delivery"), None);
    }

    #[test]
    fn every_declaration_is_whole() {
        for setting in &SETTINGS {
            let default = setting.parse(setting.default).unwrap();
            assert_eq!(default.to_string(), setting.default, "{}", setting.name);
            let (section, _) = setting.path();
            let known = SETTING_SECTIONS.iter().any(|(name, _)| *name == section);
            assert!(known || section == "runtime", "{}", setting.name);
            assert!(setting.layers.is_sorted(), "{}", setting.name);
            assert!(!setting.label.is_empty() && !setting.help.is_empty());
        }
    }

    /// Texts on both sides of every bound that a kind declares.
    fn edges(kind: SettingKind) -> (Vec<String>, Vec<String>) {
        let items = |count: usize, item: &str| vec![item; count].join(", ");
        let (right, mut wrong) = match kind {
            SettingKind::Whole { min, max, or_off } => {
                let mut right = vec![min.to_string(), max.to_string()];
                let mut wrong = vec![(u32::from(max) + 1).to_string(), "1.5".to_owned()];
                wrong.extend(min.checked_sub(1).map(|less| less.to_string()));
                if or_off { &mut right } else { &mut wrong }.push("off".to_owned());
                (right, wrong)
            }
            SettingKind::Duration { min, max } => {
                let millis = |duration: Duration| duration.as_millis();
                let right = vec![write_duration(min), write_duration(max)];
                let mut wrong = vec![
                    format!("{}ms", millis(max) + 1),
                    "5".to_owned(),
                    "-1s".to_owned(),
                ];
                wrong.extend(millis(min).checked_sub(1).map(|less| format!("{less}ms")));
                (right, wrong)
            }
            SettingKind::Text { most, or_off } => {
                let mut right = vec!["x".repeat(most)];
                right.extend(or_off.then(|| "off".to_owned()));
                (right, vec!["x".repeat(most + 1), " \n ".to_owned()])
            }
            SettingKind::Switch => {
                let wrong = ["yes", "true", "1", "On"].map(str::to_owned);
                (vec!["on".to_owned(), "off".to_owned()], wrong.to_vec())
            }
            SettingKind::Choice(words) => {
                let right = words.iter().map(|word| (*word).to_owned()).collect();
                (right, vec![words.join(" "), words[0].to_uppercase()])
            }
            SettingKind::List { most, each } => (
                vec!["none".to_owned(), items(most, "x"), "x".repeat(each)],
                vec![items(most + 1, "x"), "x".repeat(each + 1)],
            ),
            SettingKind::Ids { most } => (
                vec!["none".to_owned(), items(most, "7"), u64::MAX.to_string()],
                vec![
                    items(most + 1, "7"),
                    "0".to_owned(),
                    "@ada".to_owned(),
                    "-7".to_owned(),
                ],
            ),
            SettingKind::Quotas { most } => (
                vec!["none".to_owned(), items(most, "7=5/1h")],
                vec![
                    items(most + 1, "7=5/1h"),
                    "7=0/1h".to_owned(),
                    "7=1001/1h".to_owned(),
                    "7=5/0s".to_owned(),
                    "0=5/1h".to_owned(),
                    "7=5".to_owned(),
                ],
            ),
            SettingKind::Zone => (
                vec!["UTC".to_owned(), "America/Port-au-Prince".to_owned()],
                vec!["a b".to_owned(), "../UTC.".to_owned(), "x".repeat(65)],
            ),
        };
        wrong.extend([String::new(), "\u{7}".to_owned()]);
        (right, wrong)
    }

    #[test]
    fn every_setting_takes_its_bounds_and_nothing_beyond() {
        for setting in &SETTINGS {
            let (right, wrong) = edges(setting.kind);
            for text in right {
                let value = setting
                    .parse(&text)
                    .unwrap_or_else(|error| panic!("{error}"));
                let again = setting.parse(&value.to_string());
                assert_eq!(again.as_ref(), Ok(&value), "{} reads back", setting.name);
            }
            for text in wrong {
                let refused = setting.parse(&text);
                let told = match &refused {
                    Err(error) => error.to_string(),
                    Ok(value) => panic!("{} took {text:?} as {value:?}", setting.name),
                };
                assert!(told.starts_with(&format!("{}: ", setting.name)), "{told}");
                assert!(told.ends_with(&setting.kind.allowed()), "{told}");
            }
        }
    }
}
