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
    /// Answers with a button too many or too few.
    pub buttons: u32,
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
            + self.buttons
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
        self.buttons += other.buttons;
        self.unclear += other.unclear;
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} questions: {} whole ({} continued), {} marked; {} unanswered, {} doubled, {} out of order, {} cut short, {} actions undone, {} with wrong buttons, {} bans or reminders unclear",
            self.questions,
            self.whole,
            self.continued,
            self.marked,
            self.unanswered,
            self.doubled,
            self.out_of_order,
            self.cut_short,
            self.undone,
            self.buttons,
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
    /// What the buttons below each of its messages say.
    pub(super) buttons: Vec<Vec<&'a str>>,
}

impl GivenAnswer<'_> {
    /// Whether an answer, `whole` or not, has the buttons that it should have.
    fn has_buttons(&self, wanted: bool, whole: bool) -> bool {
        let Some((last, others)) = self.buttons.split_last() else {
            return true;
        };
        let below_last: &[&str] = match wanted && whole {
            true => &["Regenerate"],
            false => &[],
        };
        last == below_last && others.iter().all(Vec::is_empty)
    }
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
    judgement.buttons = u32::from(!said.has_buttons(plan.buttons, judgement.whole == 1));
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
            late: false,
            second: false,
            death: Death::Point(Failpoint::EffectQueued, 0),
            again: None,
            fault: DiscordFault::None,
            live: false,
            slow: false,
            persona: false,
            buttons: false,
        };
        let line = |number| RunPlan::line("7a", number);
        let cut = Notice::AnswerCut.text().to_owned();
        let restarting = Notice::Restarting.text().to_owned();
        let check = |texts: &[String], acted: bool, expect: &str| {
            let texts = texts.iter().map(String::as_str).collect();
            let buttons = Vec::new();
            let given = GivenAnswer {
                texts,
                acted,
                buttons,
            };
            let found = judge(&plan, 'a', &given);
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
    #[test]
    fn an_answer_has_its_buttons_below_its_last_message() {
        let check = |wanted: bool, whole: bool, buttons: &[&[&'static str]], expect: bool| {
            let given = GivenAnswer {
                texts: Vec::new(),
                acted: false,
                buttons: buttons.iter().map(|it| it.to_vec()).collect(),
            };
            assert_eq!(given.has_buttons(wanted, whole), expect, "{buttons:?}");
        };
        check(true, true, &[&[], &["Regenerate"]], true);
        check(true, true, &[&[], &[]], false);
        check(true, true, &[&["Stop"], &["Regenerate"]], false);
        check(true, false, &[&["Stop"]], false);
        check(true, false, &[&[], &[]], true);
        check(false, true, &[&["Regenerate"]], false);
        check(true, true, &[], true);
    }
}
