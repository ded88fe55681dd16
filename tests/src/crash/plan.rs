//! What happens in one run, decided by the seed alone.

use std::fmt;
use std::time::Duration;

use kaiwa_domain::SeededDice;
use kaiwa_domain::port::Dice;
use kaiwa_failpoint::Failpoint;
use serde_json::{Value, json};

/// One run.
#[derive(Clone, Debug)]
pub(super) struct RunPlan {
    /// Which run; it stands in every line of its answers.
    pub(super) run: u32,
    /// How many lines each answer has.
    pub(super) lines: u32,
    /// Whether the first answer comes with an action.
    pub(super) acts: bool,
    /// Whether somebody is banned meanwhile.
    pub(super) bans: bool,
    /// Whether that is cancelled instead of confirmed.
    pub(super) cancels: bool,
    /// Whether somebody wants to be reminded of something meanwhile.
    pub(super) reminds: bool,
    /// Whether the bot is started again only once that is due.
    pub(super) late: bool,
    /// Whether somebody else asks too.
    pub(super) second: bool,
    /// How the bot dies.
    pub(super) death: Death,
    /// When it dies once more, after the restart.
    pub(super) again: Option<Duration>,
    /// What is wrong with Discord meanwhile.
    pub(super) fault: DiscordFault,
    /// Whether the answer grows in a message that is edited.
    pub(super) live: bool,
    /// Whether the model takes its time, so that most die in mid-answer.
    pub(super) slow: bool,
    /// Whether a persona is asked, who speaks through a webhook.
    pub(super) persona: bool,
    /// Whether an answer has buttons: to stop it, and for another one.
    pub(super) buttons: bool,
}

/// Who speaks through a webhook.
pub(super) const PERSONA: &str = "Mina";

/// How a bot dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Death {
    /// At a named point, after passing it so often.
    Point(Failpoint, u32),
    /// Whenever the moment comes: after the question, or after the model was
    /// asked if it takes its time.
    Moment(Duration),
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(point, _) => f.write_str(point.name()),
            Self::Moment(_) => f.write_str("any moment"),
        }
    }
}

/// What is wrong with Discord.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DiscordFault {
    None,
    /// The next post breaks before it has an effect.
    ResetBefore,
    /// The next post takes effect, and its answer is lost.
    ResetAfter,
    /// Every post fails for a while.
    Failing,
    /// The next post is limited for longer than a restart takes.
    Limited,
    /// The gateway connection breaks.
    Cut,
    /// The next session cannot be resumed.
    ResumeRefused,
}

impl DiscordFault {
    const ALL: [Self; 7] = [
        Self::None,
        Self::ResetBefore,
        Self::ResetAfter,
        Self::Failing,
        Self::Limited,
        Self::Cut,
        Self::ResumeRefused,
    ];

    /// How the emulator is asked for it; `requests` says which meet it.
    pub(super) fn request(self, bot: &str, requests: &Value) -> Option<Value> {
        let posts = |fault: Value, span: (&str, u32)| {
            let mut rest = requests.clone();
            rest["fault"] = fault;
            rest[span.0] = span.1.into();
            json!({ "rest": rest })
        };
        Some(match self {
            Self::None => return None,
            Self::ResetBefore => posts(json!("reset_before"), ("times", 1)),
            Self::ResetAfter => posts(json!("reset_after"), ("times", 1)),
            Self::Failing => posts(json!({"fail": {"status": 503}}), ("for_ms", 300)),
            Self::Limited => posts(json!({"limit": {"retry_after": 1.2}}), ("times", 1)),
            Self::Cut => json!({"cut_gateway": {"user_id": bot, "how": "abrupt"}}),
            Self::ResumeRefused => json!({"refuse_resumes": 1}),
        })
    }
}

impl RunPlan {
    pub(super) fn new(seed: u64, run: u32) -> Self {
        let mut dice = SeededDice::new(seed.wrapping_mul(1_000_003).wrapping_add(run.into()));
        let mut millis =
            |from: u32, sides: u32| Duration::from_millis(u64::from(from + dice.roll(sides)));
        let moment = millis(0, 260);
        let again = millis(20, 300);
        let points = Failpoint::ALL;
        // Half of the runs walk the points in turn, half die at any moment.
        let death = if run.is_multiple_of(2) {
            let point = points[(run / 2) as usize % points.len()];
            Death::Point(point, dice.roll(4))
        } else {
            Death::Moment(moment)
        };
        let plan = Self {
            run,
            lines: 1 + dice.roll(8),
            acts: dice.roll(3) == 0,
            second: dice.roll(3) == 0,
            death,
            again: (dice.roll(4) == 0).then_some(again),
            fault: DiscordFault::ALL[dice.roll(DiscordFault::ALL.len() as u32) as usize],
            bans: dice.roll(4) == 0,
            cancels: dice.roll(3) == 0,
            reminds: dice.roll(4) == 0,
            live: dice.roll(3) == 0,
            slow: dice.roll(4) == 0,
            persona: dice.roll(4) == 0,
            buttons: dice.roll(3) == 0,
            late: dice.roll(2) == 0,
        };
        let passes = |points: &[Failpoint]| matches!(plan.death, Death::Point(point, _) if points.contains(&point));
        let live = plan.live || passes(&[Failpoint::LiveRevised, Failpoint::LiveEdited]);
        let reminds =
            plan.reminds || passes(&[Failpoint::ScheduleDue, Failpoint::ScheduleAdmitted]);
        // An answer that grows takes its time, or nothing would be edited.
        let slow = live || plan.slow;
        let death = match plan.death {
            Death::Moment(moment) if slow => Death::Moment(moment * 8),
            death => death,
        };
        // Discord tells of a command once: with the session it is lost, and
        // whoever used it reads that nobody answered.
        let lost = matches!(plan.fault, DiscordFault::ResumeRefused);
        Self {
            bans: plan.bans && !lost,
            reminds: reminds && !lost,
            late: plan.late && reminds && !lost,
            death,
            live,
            slow,
            ..plan
        }
    }

    /// What is asked of a bot; the model reads from it what to write.
    pub(super) fn question(&self, who: char, bot: &str) -> String {
        let act = if self.acts && who == 'a' {
            " react"
        } else {
            ""
        };
        let pace = if self.slow { " slowly" } else { "" };
        let whom = match self.persona {
            true => format!("{PERSONA},"),
            false => format!("<@{bot}>"),
        };
        format!("{whom} count {}{who} {}{act}{pace}", self.run, self.lines)
    }

    /// Line `number` of an answer.
    pub(super) fn line(run: &str, number: u32) -> String {
        format!("run {run} line {number}.")
    }

    /// Who asks.
    pub(super) fn askers(&self) -> &'static [char] {
        match self.second {
            true => &['a', 'b'],
            false => &['a'],
        }
    }
}

impl fmt::Display for RunPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} lines{}{}{}{}, {} questions{}{}{}, {:?} while {:?}",
            self.lines,
            if self.slow { ", slowly" } else { "" },
            if self.persona { " by a persona" } else { "" },
            if self.live {
                " in a message that grows"
            } else {
                ""
            },
            if self.buttons { " with buttons" } else { "" },
            self.askers().len(),
            if self.acts { ", an action" } else { "" },
            match (self.bans, self.cancels) {
                (true, true) => ", a ban that is cancelled",
                (true, false) => ", a ban",
                (false, _) => "",
            },
            match (self.reminds, self.late) {
                (true, true) => ", a reminder that is due before the restart",
                (true, false) => ", a reminder",
                (false, _) => "",
            },
            self.death,
            self.fault
        )?;
        match self.again {
            Some(after) => write!(f, ", killed again after {after:?}"),
            None => Ok(()),
        }
    }
}
