//! Makes what is told fit the room that there is.

use std::collections::BTreeMap;
use std::ops::Range;

use kaiwa_domain::{Brief, Line, PromptSection, Tool, UserId};

use super::budget::{self, CUT_ORDER, OfferedTools, Part, RECENT_ENTRIES};
use super::prompt::PromptFacts;
use super::{Composed, SEPARATOR, Sources};
use kaiwa_domain::{ENTRY_TOKENS, tokens};

/// Stands between the sections of the system prompt.
const BETWEEN: &str = "\n\n";

/// The section that tells how to use tools.
const TOOL_RULES: &str = "actions";

/// An entry as the model sees it.
pub(super) struct WrittenEntry {
    pub(super) line: Line,
    /// Whether the asker said it.
    pub(super) is_askers: bool,
}

/// Puts it together so that it fits.
pub(super) fn fit(
    sources: &Sources<'_>,
    offered: OfferedTools<'_>,
    mut facts: PromptFacts,
    entries: Vec<WrittenEntry>,
    question: &str,
    names: BTreeMap<UserId, String>,
) -> Composed {
    let whole = sources.room.whole();
    let costs = entries.iter();
    let costs = costs.map(|entry| tokens(entry.line.text()) + ENTRY_TOKENS);
    let costs: Vec<u32> = costs.collect();
    let separator = tokens(SEPARATOR) + ENTRY_TOKENS;
    let mut question = budget::cut(
        question,
        sources
            .room
            .conversation
            .saturating_sub(separator + ENTRY_TOKENS),
    );
    let mut system = sections(sources, &facts);
    let mut recent: u32 = costs.iter().rev().take(RECENT_ENTRIES).sum();
    let fixed = |system: &[PromptSection], question: &str| {
        let parts = system.iter().map(|section| section.tokens + 1).sum::<u32>();
        parts + offered.tokens + tokens(question) + separator + 2 * ENTRY_TOKENS
    };
    let mut most_entries = entries.len();
    for part in CUT_ORDER {
        let needed = fixed(&system, &question).saturating_add(recent);
        let excess = needed.saturating_sub(whole);
        if excess == 0 {
            break;
        }
        if budget::take(&mut facts, part, excess, whole) {
            system = sections(sources, &facts);
        }
        match part {
            Part::OldEntries => most_entries = RECENT_ENTRIES,
            Part::RecentEntries => (most_entries, recent) = (0, 0),
            Part::Question => question = budget::cut_by(&question, excess, whole),
            _ => {}
        }
    }
    if fixed(&system, &question) > whole {
        cut_sections(&mut system, whole / 2);
    }

    let fixed = fixed(&system, &question);
    let conversation = sources.room.conversation;
    let told = tokens(&question) + separator + 2 * ENTRY_TOKENS;
    let mut room = conversation
        .saturating_sub(told)
        .min(whole.saturating_sub(fixed));
    let mut kept = 0;
    for cost in costs.iter().rev().take(most_entries) {
        match room.checked_sub(*cost) {
            Some(rest) => room = rest,
            None => break,
        }
        kept += 1;
    }
    // What the asker said just before is not answered yet.
    let asked_last = entries.iter().rev().take_while(|entry| entry.is_askers);
    let asked_last = asked_last.count().min(kept);
    let first = entries.len() - kept;
    let mut lines: Vec<Line> = entries.into_iter().skip(first).map(|it| it.line).collect();
    if kept > asked_last {
        lines.insert(kept - asked_last, Line::user(SEPARATOR.to_owned()));
    }
    assemble(system, lines, question, names, offered.tools)
}

fn assemble(
    mut sections: Vec<PromptSection>,
    mut lines: Vec<Line>,
    question: String,
    names: BTreeMap<UserId, String>,
    tools: &[Tool],
) -> Composed {
    let (system, tool_rules) = joined(&sections);
    if !lines.is_empty() {
        let shown = lines.iter().map(|line| match line {
            Line::Assistant { text, .. } => format!("(you) {text}"),
            line => line.text().to_owned(),
        });
        let shown = shown.collect::<Vec<_>>().join("\n");
        sections.push(named("history", shown));
    }
    sections.push(named("question", question.clone()));
    if !tools.is_empty() {
        let list = tools.iter();
        let list = list.map(|tool| format!("{}: {} {}", tool.name, tool.description, tool.schema));
        let list = list.collect::<Vec<_>>().join("\n");
        sections.push(named("tools", list));
    }
    lines.push(Line::user(question));
    Composed {
        brief: Brief {
            system,
            tool_rules,
            lines,
            tools: tools.to_vec(),
            ..Brief::default()
        },
        sections,
        names,
    }
}

/// The system prompt, and where in it the rules of the tools stand, with the
/// space after or before them.
fn joined(sections: &[PromptSection]) -> (String, Option<Range<usize>>) {
    let mut system = String::new();
    let mut tool_rules = None;
    for section in sections {
        let start = system.len();
        if start > 0 {
            system.push_str(BETWEEN);
        }
        system.push_str(&section.text);
        if section.title == TOOL_RULES && tool_rules.is_none() {
            tool_rules = Some(start..system.len());
        }
    }
    let rules_come_first = tool_rules.as_ref().is_some_and(|it| it.start == 0);
    if let Some(rules) = tool_rules
        .as_mut()
        .filter(|it| rules_come_first && it.end < system.len())
    {
        rules.end += BETWEEN.len();
    }
    (system, tool_rules)
}

/// The sections of the system prompt. A template is tried before it is used, so
/// if this one fails all the same, a plain one takes its place.
fn sections(sources: &Sources<'_>, facts: &PromptFacts) -> Vec<PromptSection> {
    let sections = sources.template.sections(facts);
    let sections = sections.unwrap_or_else(|_| {
        let plain = format!("You are {}.", facts.char);
        vec![
            ("personality".to_owned(), facts.personality.clone()),
            ("conversation".to_owned(), plain),
        ]
    });
    let sections = sections.into_iter();
    sections.map(|(title, text)| named(title, text)).collect()
}

/// Cuts what is too long even without all that can give way: an operator's
/// template has texts of its own.
fn cut_sections(sections: &mut Vec<PromptSection>, most: u32) {
    let mut room = most;
    for section in sections.iter_mut() {
        if section.tokens + 1 > room {
            *section = named(
                std::mem::take(&mut section.title),
                budget::cut(&section.text, room.saturating_sub(1)),
            );
        }
        room = room.saturating_sub(section.tokens + 1);
    }
    sections.retain(|section| !section.text.is_empty());
}

fn named(title: impl Into<String>, text: String) -> PromptSection {
    PromptSection {
        title: title.into(),
        tokens: tokens(&text),
        text,
    }
}
