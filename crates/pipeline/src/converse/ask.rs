//! Who is asked, and what they are told.

use std::time::Duration;

use kaiwa_domain::{Brief, Ending, Line, Manner, Notice, Role, Thinking, ToolResult};

use super::reply::Reply;
use super::{Act, Conclusion, Conversation, ModelAbilities, Stage, prompt};

/// How long the question is sorted before it counts as an easy one.
const SORT_WITHIN: Duration = Duration::from_secs(5);

/// How long a line beside the answer may take.
const LINE_WITHIN: Duration = Duration::from_secs(15);

/// Tokens for one word. Some vendors allow no fewer.
const WORD_TOKENS: u32 = 16;

/// Tokens for one line, or for a few calls.
const LINE_TOKENS: u32 = 256;

impl Conversation {
    /// Begins with whoever can: images go to a model that sees, and any other
    /// question is sorted first if that makes a difference.
    pub(super) fn begin(&mut self) {
        let seen = self.brief.lines.iter().any(Line::has_images);
        match self.company {
            ModelAbilities {
                chat,
                vision: Some(_),
                ..
            } if seen && !chat.vision => {
                self.ask_as(Role::Vision);
            }
            ModelAbilities {
                reasoner: Some(_), ..
            } if !seen => self.sort(),
            _ => self.ask_as(Role::Chat),
        }
    }

    /// Goes on with what an earlier process said: with who can see, if there is
    /// something to see.
    pub(super) fn resume(&mut self) {
        let seen = self.brief.lines.iter().any(Line::has_images);
        if seen && !self.company.chat.vision && self.company.vision.is_some() {
            self.role = Role::Vision;
        }
        self.stage = Stage::Answering;
        self.go_on();
    }

    /// Nobody could look: the chat model answers, and is told so.
    pub(super) fn look_away(&mut self) {
        for line in &mut self.brief.lines {
            if let Line::User { text, images } = line
                && !images.is_empty()
            {
                images.clear();
                text.push_str(prompt::UNSEEN);
            }
        }
        self.forget();
        self.ask_as(Role::Chat);
    }

    /// Asks which kind of question it is.
    pub(super) fn sort(&mut self) {
        let question = self.brief.lines.last().map_or("", Line::text);
        let brief = Brief {
            system: prompt::SORT.to_owned(),
            tool_rules: None,
            lines: vec![Line::user(question.to_owned())],
            manner: short(&Manner::default(), WORD_TOKENS),
            payer: self.brief.payer,
            tools: Vec::new(),
        };
        self.stage = Stage::Sorting;
        self.send(Role::Classifier, brief, Some(SORT_WITHIN));
    }

    /// Only a plain yes calls the reasoner.
    pub(super) fn sorted(&mut self) {
        let word = std::mem::take(&mut self.said);
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !word.eq_ignore_ascii_case("yes") {
            return self.ask_as(Role::Chat);
        }
        let reasons_with_tools = self.company.reasoner.is_some_and(|it| it.tools);
        if reasons_with_tools || self.brief.tools.is_empty() || !self.company.chat.tools {
            return self.ask_as(Role::Reasoner);
        }
        self.prepare();
    }

    /// Has the chat model gather what the reasoner cannot.
    pub(super) fn prepare(&mut self) {
        let mut brief = self.equipped();
        brief.lines.push(Line::user(prompt::PREPARE.to_owned()));
        brief.manner = short(&brief.manner, LINE_TOKENS);
        self.stage = Stage::Preparing;
        self.send(Role::Chat, brief, None);
    }

    pub(super) fn prepared(&mut self) {
        let plan = self.call_plan();
        let useful = plan.wrong && !self.once.corrected;
        if self.rounds < self.limits.rounds && (useful || !plan.now.is_empty()) {
            return self.look(plan, true);
        }
        self.keep(&plan);
        let kept = plan.answered.into_iter().filter(|result| !result.failed);
        self.after.extend(kept.map(Line::Tool));
        self.take_over();
    }

    /// The reasoner answers with what was gathered.
    pub(super) fn take_over(&mut self) {
        let gathered = results(&std::mem::take(&mut self.after));
        if !gathered.is_empty() {
            let line = Line::user(format!("{}\n{gathered}", prompt::PREPARED));
            let question = self.brief.lines.len().saturating_sub(1);
            self.brief.lines.insert(question, line);
        }
        self.ask_as(Role::Reasoner);
    }

    /// Asks for the line that goes with actions.
    pub(super) fn announce(&mut self) {
        let line = prompt::announce(&self.actions);
        let mut brief = self.folded();
        brief.lines.push(Line::user(line));
        brief.manner = short(&brief.manner, LINE_TOKENS);
        self.forget();
        self.stage = Stage::Announcing;
        self.send(Role::Chat, brief, Some(LINE_WITHIN));
    }

    /// Has the chat model say no. It is not told to what.
    pub(super) fn decline(&mut self) {
        let brief = Brief {
            system: self.brief.system_without_tools(),
            tool_rules: None,
            lines: vec![Line::user(prompt::DECLINE.to_owned())],
            manner: short(&self.brief.manner, LINE_TOKENS),
            payer: self.brief.payer,
            tools: Vec::new(),
        };
        self.forget();
        self.stage = Stage::Declining;
        self.send(Role::Chat, brief, Some(LINE_WITHIN));
    }

    /// The line beside the answer is given, or is not to be had.
    pub(super) fn line_is_over(&mut self) {
        let conclusion = match self.stage {
            Stage::Declining => Conclusion {
                ending: Ending::Failed(Notice::ModelRefused),
                notice: self.is_blank().then_some(Notice::ModelRefused),
            },
            _ => self.conclusion,
        };
        self.end(conclusion);
    }

    pub(super) fn ask_as(&mut self, role: Role) {
        self.role = role;
        self.stage = Stage::Answering;
        self.ask(None);
    }

    /// Asks for the answer.
    pub(super) fn ask(&mut self, nudge: Option<&str>) {
        let mut brief = self.briefed();
        brief
            .lines
            .extend(nudge.map(|nudge| Line::user(nudge.to_owned())));
        self.send(self.role, brief, None);
    }

    pub(super) fn send(&mut self, role: Role, brief: Brief, within: Option<Duration>) {
        self.reply = Reply::default();
        self.acts.push_back(Act::Ask {
            role,
            brief,
            within,
        });
    }

    /// Everything the model is told now.
    pub(super) fn briefed(&self) -> Brief {
        match self.tools_are_on() {
            true => self.equipped(),
            false => self.folded(),
        }
    }

    /// Whether the model that answers may use tools now.
    pub(super) fn tools_are_on(&self) -> bool {
        let able = match self.role {
            Role::Reasoner => self.company.reasoner.is_some_and(|it| it.tools),
            Role::Vision => self.company.vision.is_some_and(|it| it.tools),
            _ => self.company.chat.tools,
        };
        able && self.rounds < self.limits.rounds && !self.brief.tools.is_empty()
    }

    /// The brief with tools and what they returned.
    fn equipped(&self) -> Brief {
        let mut brief = self.brief.clone();
        brief.lines.extend(self.after.iter().cloned());
        brief
    }

    /// The same without tools: what they returned becomes text, because
    /// vendors take no results of tools that are not there.
    fn folded(&self) -> Brief {
        let mut brief = self.brief.clone();
        brief.system = brief.system_without_tools();
        brief.tool_rules = None;
        brief.tools.clear();
        let said = self.after.iter().filter_map(|line| match line {
            Line::Assistant { text, .. } if !text.trim().is_empty() => Some(text.clone()),
            _ => None,
        });
        brief.lines.extend(said.map(Line::assistant));
        let results = results(&self.after);
        if !results.is_empty() {
            let line = format!("{results}\n\n{}", prompt::NO_MORE_TOOLS);
            brief.lines.push(Line::user(line));
        }
        brief
    }
}

/// What the tools returned, as text.
fn results(lines: &[Line]) -> String {
    let results = lines.iter().filter_map(|line| match line {
        Line::Tool(ToolResult { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    results.collect::<Vec<_>>().join("\n\n")
}

/// A manner for a few words.
fn short(manner: &Manner, tokens: u32) -> Manner {
    Manner {
        thinking: Some(Thinking::Off),
        max_output_tokens: Some(tokens),
        ..manner.clone()
    }
}
