//! What a conversation begins with: the brief, the window, the manners.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Pending, RoleModels};
use kaiwa_domain::{
    AuthorKind, Brief, Effect, EffectBody, Message, MessageId, Notice, Payer, Persona, PersonaId,
    PromptSnapshot, Question, RecordedOutcome, Timestamp, Tool, ToolCall, Trigger, Turn, UserId,
};
use kaiwa_pipeline::brief::sanitize::speaker_name;
use kaiwa_pipeline::brief::{
    BriefPlace, Composed, FileText, Now, Room, Sources, Spoken, Template, WindowRules, compose,
};
use kaiwa_pipeline::converse::{Conversation, Earlier, Limits, LinkGuard, ModelAbilities};
use kaiwa_pipeline::deliver::clean::{Emoji, EmojiBook, RecentEmoji, Roster};
use kaiwa_pipeline::deliver::{Degree, Deliverer, DeliverySettings, Speech, Vocabulary};

use crate::guises::Guises;
use crate::live::live_of;
use crate::{Bot, Setup, Tasks, TurnSettings, files, history};

/// Everything a conversation begins with.
pub(crate) struct Prepared {
    brief: Brief,
    company: ModelAbilities,
    pub(crate) limits: Limits,
    /// How the answer is made readable.
    pub(crate) delivery: DeliverySettings,
    /// The settings of the turn.
    pub(crate) settings: TurnSettings,
    /// What an earlier process said.
    earlier: Earlier,
    /// The message that it was writing.
    pub(crate) open: Option<Effect>,
    /// The actions it kept and did not settle.
    pub(crate) kept: Vec<Effect>,
    /// Every action that it wrote down.
    pub(crate) begun: Vec<Effect>,
    /// Whether the model is told what somebody else than the asker wrote.
    pub(crate) tainted: bool,
    /// The addresses it is shown, if it also knows what is not for everybody.
    pub(crate) links: Option<LinkGuard>,
    /// How it is said, if it is a line that nobody asked for.
    pub(crate) aside: Option<Aside>,
    /// The look in which an earlier process left the answer.
    worn: Option<usize>,
}

/// A line that nobody asked for.
#[derive(Clone, Copy)]
pub(crate) struct Aside {
    limits: Limits,
    /// The longest it may be, in tokens.
    tokens: u32,
    /// What is said instead if the model fails.
    pub(crate) stock: Option<Notice>,
}

impl Aside {
    const fn of(question: &Question) -> Option<Self> {
        match question {
            Question::Instruction(instruction) => Some(match instruction.trigger {
                Trigger::Join(_) => Self::WELCOME,
                _ => Self::STOP_LINE,
            }),
            _ => None,
        }
    }

    const STOP_LINE: Self = Self {
        limits: SHORT_LINE,
        tokens: 120,
        stock: Some(Notice::Stopped),
    };

    const WELCOME: Self = Self {
        limits: Limits {
            bytes: 1500,
            wall: Duration::from_secs(30),
            ..SHORT_LINE
        },
        tokens: 300,
        stock: None,
    };
}

/// The limits of a line that nobody asked for.
const SHORT_LINE: Limits = Limits {
    rounds: 0,
    calls: 0,
    failures: 1,
    bytes: 600,
    messages: 2,
    wall: Duration::from_secs(6),
};

/// How long ago something was done lately, how much of it is looked at, and how
/// long that may take.
const DONE_LATELY: Duration = Duration::from_secs(30 * 60);
const DONE_AT_MOST: u16 = 20;
const READ_WITHIN: Duration = Duration::from_millis(2_400);

impl Prepared {
    /// Gathers what there is to know. `earlier` are the effects that an earlier
    /// process queued.
    ///
    /// The future is boxed: it is large, and those that hold it are moved.
    pub(crate) fn gather<'a>(
        bot: &'a Bot,
        setup: &'a Setup,
        cast: &'a RoleModels,
        settings: &'a TurnSettings,
        turn: &'a Turn,
        question: &'a Question,
        earlier: &'a [Effect],
    ) -> Pending<'a, Self> {
        Box::pin(Self::gathered(
            bot, setup, cast, settings, turn, question, earlier,
        ))
    }

    async fn gathered(
        bot: &Bot,
        setup: &Setup,
        cast: &RoleModels,
        settings: &TurnSettings,
        turn: &Turn,
        question: &Question,
        earlier: &[Effect],
    ) -> Self {
        let personas = bot.personas.of(turn.scope).await;
        let persona = personas.find(turn.persona);
        let shown = async {
            match question.message() {
                Some(message) => {
                    tokio::join!(
                        bot.images.look(&*bot.chat, &*bot.clock, message),
                        files::read(&*bot.chat, &*bot.clock, message)
                    )
                }
                None => (crate::images::LoadedImages::default(), Vec::new()),
            }
        };
        let asked = question.message().map_or("", |message| &message.text);
        let (history, (loaded, files), recalled, done, begins_after) = tokio::join!(
            history::read(bot, settings, turn, question, earlier),
            shown,
            bot.memory.recall(settings, turn, asked),
            done_lately(bot, turn),
            bot.memory.context_start(turn),
        );
        let in_view = history.iter().map(|spoken| &*spoken.message);
        let in_view: Vec<&Message> = in_view.chain(question.message()).collect();
        let memory = recalled.lines(settings.memory_tokens, |user| {
            let mut authors = in_view.iter().rev().map(|message| &message.author);
            let known = authors.find(|author| author.id == user);
            known.map(|author| author.name.clone())
        });
        let aside = Aside::of(question);
        let company = ModelAbilities {
            chat: cast.chat.abilities(),
            reasoner: cast.reasoner.as_ref().map(|it| it.abilities()),
            vision: cast.vision.as_ref().map(|it| it.abilities()),
        };
        let told = Told {
            bot,
            settings,
            turn,
            question,
            persona: Persona {
                id: turn.persona,
                name: match persona {
                    Some(alter) if turn.persona != PersonaId::MAIN => alter.name.clone(),
                    _ => bot.me.name.clone(),
                },
                personality: settings.personality.clone(),
                ..persona.cloned().unwrap_or_default()
            },
            cast: personas.cast(&bot.me),
            history,
            files,
            memory,
            done: done.lines,
            quotes_others: done.looked_up || recalled.quotes_others(turn.asker),
            begins_after,
            // What waits for an answer of its own is not answered here.
            pending: bot.waiting.questions(turn.channel),
            tools: match aside {
                None if takes_tools(company) => bot.actions.tools(turn).await,
                _ => Vec::new(),
            },
        };
        let usual = || Limits {
            messages: settings.messages.into(),
            ..Limits::default()
        };
        let limits = aside.map_or_else(usual, |it| it.limits);
        let composed = told.compose(&setup.template, cast, limits.rounds);
        told.keep(&composed);
        let delivery = told.delivery(&composed);
        let tainted = told.is_tainted(&composed);
        let links = told.links();
        let mut brief = Brief {
            payer: Some(payer(turn)),
            ..composed.brief
        };
        if let Some(aside) = aside {
            brief.manner.max_output_tokens = Some(aside.tokens);
        }
        loaded.show(&mut brief, cast);
        Self {
            brief,
            company,
            limits,
            aside,
            settings: settings.clone(),
            delivery,
            earlier: said(earlier),
            open: open(earlier).cloned(),
            kept: unsettled(earlier).cloned().collect(),
            begun: acts(earlier).cloned().collect(),
            tainted,
            links,
            worn: None,
        }
    }

    /// Tells the looks that the speaker can put on, and which is on.
    pub(crate) fn dress(&mut self, guises: &Guises, earlier: &[Effect]) {
        self.delivery.speech.looks = guises.looks();
        self.worn = guises.left_in(earlier, self.open.is_some());
    }

    /// Whether the answer is shown while it is written.
    pub(crate) const fn is_live(&self) -> bool {
        self.settings.live && self.aside.is_none()
    }

    /// What makes messages of the answer.
    pub(crate) fn deliverer(&self) -> Deliverer {
        let mut deliverer = match self.is_live() {
            true => Deliverer::live(self.delivery.clone()),
            false => Deliverer::new(self.delivery.clone()),
        };
        if let Some(look) = self.worn {
            deliverer.resume_in(look);
        }
        deliverer
    }

    /// The conversation, from the start or from where it was left.
    pub(crate) fn conversation(&mut self) -> Conversation {
        let brief = std::mem::take(&mut self.brief);
        let earlier = std::mem::take(&mut self.earlier);
        Conversation::resumed(brief, self.company, self.limits, earlier)
    }
}

/// Whether anybody who may answer can ask for tools: otherwise they would only
/// take the room of the conversation.
fn takes_tools(company: ModelAbilities) -> bool {
    let others = [company.reasoner, company.vision];
    company.chat.tools || others.iter().flatten().any(|it| it.tools)
}

/// The actions among effects.
fn acts(effects: &[Effect]) -> impl Iterator<Item = &Effect> {
    effects
        .iter()
        .filter(|effect| matches!(effect.body, EffectBody::Act { .. }))
}

/// The actions among effects that are not settled.
fn unsettled(effects: &[Effect]) -> impl Iterator<Item = &Effect> {
    acts(effects).filter(|effect| effect.state.is_unsettled())
}

/// What the effects of an earlier process say, notices aside.
fn said(effects: &[Effect]) -> Earlier {
    let mut earlier = Earlier::default();
    for effect in effects {
        let said = match &effect.body {
            EffectBody::Say { outgoing, .. } => outgoing.source(),
            EffectBody::Live(live) => Cow::Owned(live.written()),
            _ => continue,
        };
        if !earlier.text.is_empty() {
            earlier.text.push('\n');
        }
        earlier.messages += 1;
        earlier.text.push_str(&said);
    }
    if !earlier.text.is_empty() && open(effects).is_none() {
        earlier.text.push('\n');
    }
    earlier.actions = unsettled(effects).filter_map(kept_call).collect();
    earlier
}

/// Whether an earlier process left a message that is still to grow. It does,
/// whatever was set meanwhile.
pub(crate) fn grows_on(earlier: &[Effect]) -> bool {
    open(earlier).is_some()
}

/// The live message that is still to grow.
fn open(effects: &[Effect]) -> Option<&Effect> {
    let mut shown = effects.iter().filter(|effect| effect.body.is_shown());
    let last = shown.next_back()?;
    let grows = live_of(last).is_some_and(|live| !live.complete && live.message.is_some());
    (grows && last.state.is_unsettled()).then_some(last)
}

/// The call that an effect keeps.
pub(crate) fn kept_call(effect: &Effect) -> Option<ToolCall> {
    match &effect.body {
        EffectBody::Act { name, arguments } => Some(ToolCall {
            id: format!("kept-{}", effect.index),
            name: name.clone(),
            arguments: arguments.clone(),
            signature: None,
        }),
        _ => None,
    }
}

/// What was done in the channel lately, newest first. An answer does not wait
/// for it.
async fn done_lately(bot: &Bot, turn: &Turn) -> DoneLately {
    let now = bot.clock.now();
    let lately = i64::try_from(DONE_LATELY.as_millis()).unwrap_or(i64::MAX);
    let since = Timestamp::from_millis(now.as_millis().saturating_sub(lately));
    let done = tokio::select! {
        done = bot.action_log.audited(turn.scope, since, DONE_AT_MOST) => done,
        () = bot.clock.sleep(READ_WITHIN) => return DoneLately::default(),
    };
    let done = done.unwrap_or_else(|error| {
        tracing::warn!(%error, turn = %turn.id, "it cannot be told what was done lately");
        Vec::new()
    });
    let here = done.into_iter().filter(|it| {
        it.channel == turn.channel && it.outcome == RecordedOutcome::Done && it.turn != turn.id
    });
    let mut lately = DoneLately::default();
    for it in here {
        lately.looked_up |= !bot.actions.changes(&it.action);
        let line = format!("{}: {} (for <@{}>)", it.action, it.result, it.asker);
        lately.lines.push(line);
    }
    lately
}

/// What was done in a channel lately.
#[derive(Default)]
struct DoneLately {
    /// A line each.
    lines: Vec<String>,
    /// Whether any of it was looked up, and may be in anybody's words.
    looked_up: bool,
}

const fn payer(turn: &Turn) -> Payer {
    Payer {
        turn: turn.id,
        scope: turn.scope,
        channel: turn.channel,
        user: turn.asker,
    }
}

/// Everything that the model may be told in a turn.
struct Told<'a> {
    bot: &'a Bot,
    settings: &'a TurnSettings,
    turn: &'a Turn,
    question: &'a Question,
    persona: Persona,
    /// What personas are called.
    cast: Vec<(PersonaId, String)>,
    history: Vec<Spoken>,
    files: Vec<FileText>,
    memory: Vec<String>,
    /// What was done here lately, a line each.
    done: Vec<String>,
    /// Whether anything that is remembered is in words of others.
    quotes_others: bool,
    begins_after: Option<MessageId>,
    pending: Vec<MessageId>,
    tools: Vec<Tool>,
}

impl Told<'_> {
    fn compose(&self, template: &Template, cast: &RoleModels, search_rounds: u32) -> Composed {
        let Self { bot, question, .. } = *self;
        let (scope, channel) = (question.scope(), question.channel());
        let context = &self.settings.context;
        let zoned = |millis: i64| {
            let at = jiff::Timestamp::from_millisecond(millis).unwrap_or_default();
            at.to_zoned(self.settings.timezone.clone())
        };
        let now = bot.clock.now();
        let here = zoned(now.as_millis());
        let write = |seconds: i64| {
            let at = zoned(seconds.saturating_mul(1000));
            at.strftime("%-d %B %Y, %H:%M").to_string()
        };
        let guild = bot.directory.guild(scope);
        let place = bot.directory.channel(scope, channel);
        let channel_name = |id| {
            let channel = bot.directory.channel(scope, id)?;
            Some(channel.name.clone())
        };
        compose(&Sources {
            me: &bot.me,
            persona: &self.persona,
            cast: &self.cast,
            place: BriefPlace {
                guild: guild.as_deref(),
                channel: place.as_deref(),
                channel_name: &channel_name,
                server_note: context.server_note.as_deref(),
                channel_note: context.channel_note.as_deref(),
            },
            now: Now {
                at: now,
                date: &here.strftime("%A, %-d %B %Y").to_string(),
                time: &here.strftime("%H:%M").to_string(),
                zone: &match here.time_zone().iana_name() {
                    Some("UTC") | None => "UTC".to_owned(),
                    Some(name) => format!("{name}, UTC{}", here.strftime("%:z")),
                },
                write: &write,
            },
            version: bot.version,
            history: &self.history,
            question,
            files: &self.files,
            window: WindowRules {
                messages: context.messages.into(),
                age: context.age,
                directed: context.directed,
                around: context.around.into(),
                since: context.forget_on_restart.then_some(bot.started_at),
                after: self.begins_after,
                skip: &context.skip,
                shorten_circles: context.shorten_circles,
                pending: &self.pending,
            },
            room: Room {
                conversation: context.tokens.into(),
                context: cast.chat.context(),
            },
            emoji: context.emoji.into(),
            memory: &self.memory,
            done: &self.done,
            notes: context.notes && !matches!(question, Question::Instruction(_)),
            tools: &self.tools,
            search_rounds,
            prefill: context.prefill.as_deref().unwrap_or_default(),
            template,
        })
    }

    /// Has it kept what the model is told, without waiting for that.
    fn keep(&self, composed: &Composed) {
        let Some(snapshots) = self.bot.snapshots.clone() else {
            return;
        };
        let me = &self.bot.me;
        let mut people: Vec<UserId> = composed.names.keys().copied().collect();
        people.retain(|id| !me.is(*id));
        let snapshot = PromptSnapshot {
            turn: self.turn.id,
            scope: self.turn.scope,
            channel: self.turn.channel,
            people,
            at: self.bot.clock.now(),
            sections: composed.sections.clone(),
        };
        Tasks::new().spawn("snapshot", async move {
            if let Err(error) = snapshots.save_snapshot(&snapshot).await {
                tracing::warn!(%error, turn = %snapshot.turn, "what the model was told was not kept");
            }
        });
    }

    /// Whether the model is told what somebody else than the asker wrote: then
    /// it may want what the asker does not.
    fn is_tainted(&self, composed: &Composed) -> bool {
        let (me, asker) = (&self.bot.me, self.turn.asker);
        let mut people = composed.names.keys();
        let others = people.any(|id| *id != asker && !me.is(*id));
        others || !self.files.is_empty() || self.quotes_others
    }

    /// The addresses that the model is shown, if it also knows what is not for
    /// everybody: then others are not to be trusted.
    fn links(&self) -> Option<LinkGuard> {
        let Turn { scope, channel, .. } = *self.turn;
        let open = self.bot.permissions.known_open(scope, channel);
        (!open || !self.memory.is_empty()).then(|| {
            let mut links = LinkGuard::default();
            let history = self.history.iter().map(|spoken| &*spoken.message);
            for message in history.chain(self.question.message()) {
                links.learn(&message.text);
            }
            for file in &self.files {
                links.learn(&file.text);
            }
            if let Some(asked) = self.question.message() {
                links.hear_asker(&asked.text);
            }
            links
        })
    }

    /// How the answer is made readable.
    fn delivery(&self, composed: &Composed) -> DeliverySettings {
        let Self { bot, settings, .. } = *self;
        let spoken = self.history.iter();
        let others = spoken.filter(|spoken| spoken.by != Some(self.persona.id));
        let others = others.map(|spoken| &*spoken.message);
        let authors = others.chain(self.question.message());
        let mut people = Roster::default();
        let mut other_names: Vec<String> = Vec::new();
        for author in authors.map(|message| &message.author) {
            other_names.push(author.name.clone());
            if !bot.me.is(author.id) && author.kind == AuthorKind::Human {
                people.add(author.id, &author.name);
            }
        }
        for (id, name) in composed.names.iter().filter(|(id, _)| !bot.me.is(**id)) {
            people.add(*id, name);
            other_names.push(name.clone());
        }
        let others = self.cast.iter().filter(|(id, _)| *id != self.persona.id);
        other_names.extend(others.flat_map(|(_, name)| as_told(name)));
        other_names.sort_unstable();
        other_names.dedup();
        let guild = bot.directory.guild(self.turn.scope);
        let emoji = guild.iter().flat_map(|guild| &guild.emoji);
        let emoji = EmojiBook::new(emoji.map(|emoji| Emoji {
            name: emoji.name.clone(),
            id: emoji.id.get(),
            animated: emoji.animated,
        }));
        let own = self.history.iter().rev();
        let own = own.filter(|spoken| spoken.by == Some(self.persona.id));
        let recent = RecentEmoji::in_messages(own.take(5).map(|it| &*it.message.text));
        let human = settings.degree == Degree::Sentences;
        DeliverySettings {
            degree: settings.degree,
            attach_code_above: settings.attach_code_above,
            speech: Speech {
                prefill: settings.context.prefill.clone().unwrap_or_default(),
                own_names: as_told(&self.persona.name),
                other_names,
                looks: Vec::new(),
            },
            humanize: human.then_some(self.turn.id.trigger.number()),
            vocabulary: Some(Vocabulary {
                emoji: Arc::new(emoji),
                recent: Arc::new(recent),
                people: Arc::new(people),
            }),
            ..DeliverySettings::default()
        }
    }
}

/// A name as it is and as models are told it, which differs for odd ones: they
/// may begin lines with either.
fn as_told(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned(), speaker_name(name)];
    names.dedup();
    names
}
