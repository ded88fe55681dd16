//! What the gate remembers: how often people ask, how much was said since we
//! joined in, who talks with whom. All of it is bounded, and forgotten with the
//! process.

use std::collections::HashMap;
use std::time::Duration;

use kaiwa_domain::port::Dice;
use kaiwa_domain::{
    AuthorKind, ChannelId, Interaction, Message, Moment, Question, RateClass, RateLimiter,
    SeededDice, Timestamp, UserId,
};

use super::{
    Address, AdmitRefusal, Admitted, AutoReply, Decision, Gate, IgnoreReason, JoinIn, access,
    cast::speakers, is_place_to_talk, is_unreadable, reason_to_ignore,
};

/// How many channels are remembered; then all are forgotten.
const CHANNELS: usize = 8192;

/// How often bots may be answered in a row before a person has to speak.
const BOTS_IN_A_ROW: u8 = 2;

/// Over how many messages our share of the talk is taken.
const SHARE_OF: u32 = 20;

/// Nobody is told more than once within this time that they are refused.
const TOLD_AGAIN_AFTER: Duration = Duration::from_secs(60);

/// How many refusals a channel may be told at once, and how soon there is room
/// for another: a crowd is not answered with a crowd.
const TOLD_AT_ONCE: u32 = 10;
const TOLD_EVERY: Duration = Duration::from_secs(1);

/// What is waited for already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Load {
    /// By this person, in this scope.
    pub user: usize,
    /// By everybody of the scope.
    pub scope: usize,
    /// In this channel.
    pub channel: usize,
}

/// What the gate remembers.
#[derive(Debug, Default)]
pub struct AdmitState {
    limiter: RateLimiter,
    channels: HashMap<ChannelId, ChannelTalk>,
    told: HashMap<UserId, Moment>,
}

#[derive(Debug, Default)]
struct ChannelTalk {
    /// Messages since we joined in, and after how many we do so again.
    auto: Option<(u16, u16)>,
    /// Bots answered since a person spoke.
    bots: u8,
    /// Whether each of the last messages was ours, the newest in the lowest
    /// bit.
    ours: u32,
    /// When we were last asked whether to join in.
    considered: Option<Moment>,
    /// Refusals told: how many are left, as of when.
    refusals: Option<(u32, Moment)>,
}

impl AdmitState {
    /// Decides what becomes of `question`.
    pub fn admit(
        &mut self,
        gate: &Gate<'_>,
        now: Timestamp,
        moment: Moment,
        load: Load,
        question: Question,
    ) -> Decision {
        if let Some(reason) = reason_to_ignore(gate, now, &question) {
            if reason == IgnoreReason::Own
                && let Question::Message(message) = &question
            {
                self.note_own(gate, message);
            }
            return Decision::Ignored(reason);
        }
        let message = match &question {
            Question::Message(message) => message,
            Question::Interaction(interaction) => {
                return match self.objection_to_control(gate, moment, interaction) {
                    Some(objection) => objection,
                    None => admitted(gate, question, Address::Control, now),
                };
            }
            Question::Scheduled(_) | Question::Instruction(_) | Question::Cue(_) => {
                return admitted(gate, question, Address::Due, now);
            }
        };
        let address = Address::of(gate, message);
        if is_unreadable(gate, message) {
            let is_ours = matches!(address, Some(Address::Role | Address::Reply));
            return match is_ours && access::allows(gate, &message.author, message.channel) {
                true => Decision::Refused(AdmitRefusal::Unreadable),
                false => Decision::Ignored(IgnoreReason::Unreadable),
            };
        }
        let address = match address {
            Some(address) => address,
            None if self.joins_in(gate, message) => Address::Auto,
            None => return Decision::Ignored(IgnoreReason::NotAddressed),
        };
        match self.objection(gate, moment, load, message) {
            Some(objection) => objection,
            None => admitted(gate, question, address, now),
        }
    }

    /// Admits what a model says we should join in with, if the limits allow.
    pub fn admit_join_in(
        &mut self,
        gate: &Gate<'_>,
        now: Timestamp,
        moment: Moment,
        load: Load,
        message: Message,
    ) -> Decision {
        let question = Question::Message(message);
        if let Some(reason) = reason_to_ignore(gate, now, &question) {
            return Decision::Ignored(reason);
        }
        let Question::Message(message) = &question else {
            return Decision::Ignored(IgnoreReason::NotAddressed);
        };
        match self.objection(gate, moment, load, message) {
            // Nobody asked, so nobody is told.
            Some(_) => Decision::Ignored(IgnoreReason::NotAddressed),
            None => admitted(gate, question, Address::JoinIn, now),
        }
    }

    /// Whether a model is to be asked if we should say something to `message`,
    /// which was left alone.
    pub fn considers(&mut self, gate: &Gate<'_>, moment: Moment, message: &Message) -> bool {
        let Some(JoinIn { pause, share }) = gate.rules.join_in else {
            return false;
        };
        let may = message.author.kind == AuthorKind::Human
            && access::allows(gate, &message.author, message.channel)
            && is_place_to_talk(gate, message.scope);
        let talk = self.talk(message.channel);
        let rested = talk
            .considered
            .is_none_or(|last| moment.since(last) >= pause);
        let ours = (talk.ours & ((1 << SHARE_OF) - 1)).count_ones();
        let considers = may && rested && ours * 100 < u32::from(share) * SHARE_OF;
        if considers {
            talk.considered = Some(moment);
        }
        considers
    }

    /// Whether somebody is to be told that they are refused: once in a while,
    /// and a channel only so often.
    pub fn tells(&mut self, moment: Moment, channel: ChannelId, user: UserId) -> bool {
        let told = self.told.get(&user);
        if told.is_some_and(|last| moment.since(*last) < TOLD_AGAIN_AFTER) {
            return false;
        }
        let talk = self.talk(channel);
        let (left, since) = talk.refusals.unwrap_or((TOLD_AT_ONCE, moment));
        let earned = moment.since(since).as_millis() / TOLD_EVERY.as_millis();
        let earned = u32::try_from(earned).unwrap_or(u32::MAX);
        let left = left.saturating_add(earned).min(TOLD_AT_ONCE);
        let since = if earned > 0 { moment } else { since };
        if left == 0 {
            talk.refusals = Some((0, since));
            return false;
        }
        talk.refusals = Some((left - 1, since));
        if self.told.len() >= CHANNELS {
            self.told
                .retain(|_, last| moment.since(*last) < TOLD_AGAIN_AFTER);
        }
        if self.told.len() < CHANNELS {
            self.told.insert(user, moment);
        }
        true
    }

    /// Why something that is for us is not answered, if so.
    fn objection(
        &mut self,
        gate: &Gate<'_>,
        moment: Moment,
        load: Load,
        message: &Message,
    ) -> Option<Decision> {
        let rules = gate.rules;
        if !access::allows(gate, &message.author, message.channel) {
            return Some(Decision::Ignored(IgnoreReason::Denied));
        }
        if !is_place_to_talk(gate, message.scope) {
            return Some(Decision::Refused(AdmitRefusal::WrongPlace));
        }
        let full = |open: usize, most: u16| open >= usize::from(most);
        let busy = if full(load.user, rules.user_turns) {
            Some(AdmitRefusal::UserBusy)
        } else if full(load.channel, rules.channel_queue) {
            Some(AdmitRefusal::ChannelBusy)
        } else if full(load.scope, rules.guild_turns) {
            Some(AdmitRefusal::GuildBusy)
        } else {
            None
        };
        if let Some(busy) = busy {
            return Some(Decision::Refused(busy));
        }
        if let Some(limit) = limit(gate, message) {
            let user = message.author.id;
            if let Err(wait) = self.limiter.count(RateClass::Ai, user, limit, moment) {
                return Some(Decision::Refused(AdmitRefusal::SlowDown { wait }));
            }
        }
        let talk = self.talk(message.channel);
        match message.author.kind {
            AuthorKind::Bot if talk.bots >= BOTS_IN_A_ROW => {
                Some(Decision::Ignored(IgnoreReason::BotLoop))
            }
            AuthorKind::Bot => {
                talk.bots += 1;
                None
            }
            _ => {
                talk.bots = 0;
                None
            }
        }
    }

    /// Why somebody who uses a control is not heard, if so. Controls are for
    /// those too who are not read: with one they come back.
    fn objection_to_control(
        &mut self,
        gate: &Gate<'_>,
        moment: Moment,
        interaction: &Interaction,
    ) -> Option<Decision> {
        let user = &interaction.user;
        if user.kind != AuthorKind::Human {
            return Some(Decision::Ignored(IgnoreReason::Bot));
        }
        if !access::allows(gate, user, interaction.channel) {
            return Some(Decision::Refused(AdmitRefusal::WrongPlace));
        }
        let class = RateClass::Control;
        let counted = self
            .limiter
            .count(class, user.id, class.default_limit(), moment);
        let slow_down = |wait| Decision::Refused(AdmitRefusal::SlowDown { wait });
        counted.err().map(slow_down)
    }

    /// Counts a message that is for nobody, and says whether enough was said.
    fn joins_in(&mut self, gate: &Gate<'_>, message: &Message) -> bool {
        let human = message.author.kind == AuthorKind::Human;
        if human && let Some(talk) = self.channels.get_mut(&message.channel) {
            talk.bots = 0;
            talk.ours <<= 1;
        }
        let Some(AutoReply { min, max }) = gate.rules.auto.filter(|_| human) else {
            return false;
        };
        if !access::allows(gate, &message.author, message.channel)
            || !is_place_to_talk(gate, message.scope)
        {
            return false;
        }
        let talk = self.talk(message.channel);
        let mut dice = SeededDice::new(message.id.get());
        let mut draw = || {
            let above = dice.roll(u32::from(max - min) + 1);
            min.saturating_add(u16::try_from(above).unwrap_or(0))
        };
        let (count, target) = talk.auto.unwrap_or_else(|| (0, draw()));
        let count = count.saturating_add(1);
        let enough = count >= target;
        talk.auto = Some(if enough { (0, draw()) } else { (count, target) });
        enough
    }

    /// We said something.
    fn note_own(&mut self, gate: &Gate<'_>, message: &Message) {
        if gate.rules.join_in.is_some() {
            let talk = self.talk(message.channel);
            talk.ours = (talk.ours << 1) | 1;
        }
    }

    fn talk(&mut self, channel: ChannelId) -> &mut ChannelTalk {
        if self.channels.len() >= CHANNELS && !self.channels.contains_key(&channel) {
            self.channels.clear();
        }
        self.channels.entry(channel).or_default()
    }
}

fn admitted(gate: &Gate<'_>, question: Question, address: Address, now: Timestamp) -> Decision {
    let speakers = match &question {
        Question::Message(message) => speakers(gate, message),
        _ => Vec::new(),
    };
    Decision::Admitted(Admitted::by(question, address, now, &speakers))
}

/// How often the author may ask: the most generous of their roles, else what
/// counts for everybody.
fn limit(gate: &Gate<'_>, message: &Message) -> Option<(u16, Duration)> {
    let quotas = gate.rules.role_quotas.iter();
    let theirs = quotas.filter(|quota| message.author.roles.contains(&quota.role));
    let rate = |count: u16, window: Duration| f64::from(count) / window.as_secs_f64();
    let best = theirs.max_by(|a, b| rate(a.count, a.window).total_cmp(&rate(b.count, b.window)));
    match best {
        Some(quota) => Some((quota.count, quota.window)),
        None => gate.rules.user_questions,
    }
}
