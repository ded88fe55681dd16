//! What a channel shows about a run.

use std::fmt;

use kaiwa_domain::Notice;

use super::plan::RunPlan;

/// How the answers of some runs came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// Questions that were asked.
    pub questions: u32,
    /// Answers that came whole.
    pub whole: u32,
    /// Those of them that took more than one process.
    pub continued: u32,
    /// Answers that stop short and say so, or say why there is none.
    pub marked: u32,
    /// Questions without any word.
    pub unanswered: u32,
    /// Lines that came more than once.
    pub doubled: u32,
    /// Lines before which another is missing or late.
    pub out_of_order: u32,
    /// Answers that stop short without a word.
    pub cut_short: u32,
    /// Actions that were not done though the answer came whole.
    pub undone: u32,
    /// Bans and reminders of which people read something else than what
    /// happened.
    pub unclear: u32,
}

impl Judgement {
    /// How many faults there are.
    pub const fn faults(&self) -> u32 {
        self.unanswered
            + self.doubled
            + self.out_of_order
            + self.cut_short
            + self.undone
            + self.unclear
    }

    pub(super) const fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.whole += other.whole;
        self.continued += other.continued;
        self.marked += other.marked;
        self.unanswered += other.unanswered;
        self.doubled += other.doubled;
        self.out_of_order += other.out_of_order;
        self.cut_short += other.cut_short;
        self.undone += other.undone;
        self.unclear += other.unclear;
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} questions: {} whole ({} continued), {} marked; {} unanswered, {} doubled, {} out of order, {} cut short, {} actions undone, {} bans or reminders unclear",
            self.questions,
            self.whole,
            self.continued,
            self.marked,
            self.unanswered,
            self.doubled,
            self.out_of_order,
            self.cut_short,
            self.undone,
            self.unclear,
        )
    }
}

/// What the bot said in answer to one question, in order.
pub(super) struct GivenAnswer<'a> {
    /// The lines of the answer and the notices around it.
    pub(super) texts: Vec<&'a str>,
    /// Whether the action was done.
    pub(super) acted: bool,
}

/// Judges one answer.
pub(super) fn judge(plan: &RunPlan, who: char, said: &GivenAnswer<'_>) -> Judgement {
    let run = format!("{}{who}", plan.run);
    let mut judgement = Judgement {
        questions: 1,
        ..Judgement::default()
    };
    let mut next = 1;
    let mut marked = false;
    for text in &said.texts {
        let number = (1..=plan.lines).find(|number| *text == RunPlan::line(&run, *number));
        match number {
            Some(number) if number == next => next += 1,
            Some(number) if number < next => judgement.doubled += 1,
            Some(_) => judgement.out_of_order += 1,
            None => marked |= is_mark(text),
        }
    }
    let wants_action = plan.acts && who == 'a';
    match next - 1 {
        all if all == plan.lines => {
            judgement.whole = 1;
            judgement.undone = u32::from(wants_action && !said.acted);
        }
        _ if marked => judgement.marked = 1,
        0 => judgement.unanswered = 1,
        _ => judgement.cut_short = 1,
    }
    judgement
}

/// Whether a text says that an answer stops short, or why there is none.
pub(super) fn is_mark(text: &str) -> bool {
    let ends = Notice::ALL
        .into_iter()
        .filter(|it| *it != Notice::Restarting);
    ends.map(Notice::text).any(|mark| mark == text)
}

#[cfg(test)]
mod tests {
    use kaiwa_failpoint::Failpoint;

    use super::super::plan::{Death, DiscordFault};
    use super::*;

    #[test]
    fn each_fault_is_told_from_the_others() {
        let plan = RunPlan {
            run: 7,
            lines: 3,
            acts: true,
            bans: false,
            cancels: false,
            reminds: false,
            second: false,
            death: Death::Point(Failpoint::EffectQueued, 0),
            again: None,
            fault: DiscordFault::None,
            live: false,
            slow: false,
            persona: false,
        };
        let line = |number| RunPlan::line("7a", number);
        let cut = Notice::AnswerCut.text().to_owned();
        let restarting = Notice::Restarting.text().to_owned();
        let check = |texts: &[String], acted: bool, expect: &str| {
            let texts = texts.iter().map(String::as_str).collect();
            let found = judge(&plan, 'a', &GivenAnswer { texts, acted });
            let table = [
                ("whole", found.whole),
                ("marked", found.marked),
                ("unanswered", found.unanswered),
                ("doubled", found.doubled),
                ("out of order", found.out_of_order),
                ("cut short", found.cut_short),
                ("undone", found.undone),
            ];
            let words: Vec<&str> = table.iter().filter(|it| it.1 > 0).map(|it| it.0).collect();
            assert_eq!(words.join(", "), expect);
        };
        check(&[line(1), line(2), line(3)], true, "whole");
        check(
            &[line(1), restarting.clone(), line(2), line(3)],
            true,
            "whole",
        );
        check(&[line(1), line(2), line(3)], false, "whole, undone");
        check(&[], false, "unanswered");
        check(std::slice::from_ref(&restarting), false, "unanswered");
        check(&[line(1), line(2)], false, "cut short");
        check(&[line(1), restarting], false, "cut short");
        check(&[line(1), cut.clone()], false, "marked");
        check(&[cut], false, "marked");
        check(
            &[line(1), line(1), line(2), line(3)],
            true,
            "whole, doubled",
        );
        check(&[line(1), line(3)], false, "out of order, cut short");
        check(&[line(2), line(1)], false, "out of order, cut short");
    }
}
