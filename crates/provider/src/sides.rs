//! A conversation for models that insist on who speaks when.
//!
//! Chat templates of open models know two sides that take turns, beginning
//! with the user's, and some know no system text and no results of tools. What
//! does not fit is moved or merged, never left out: the system text goes before
//! what the user says first, and what one side says in a row is one message.

use std::borrow::Cow;

use kaiwa_domain::{Brief, Line};

use crate::{Endpoint, Quirks};

/// What the user said before a conversation whose beginning is cut off.
const BEGINNING: &str = "(earlier)";

/// The model's words between a tool's result and the user's next words.
const RECEIVED: &str = "(I have the result.)";

/// The brief as the model at `endpoint` takes it.
pub(crate) fn fitted<'a>(endpoint: &Endpoint, brief: &'a Brief) -> Cow<'a, Brief> {
    let Quirks {
        system_role,
        takes_turns,
        answers_tools,
        ..
    } = endpoint.quirks;
    if system_role && !takes_turns && !answers_tools {
        return Cow::Borrowed(brief);
    }
    let mut brief = brief.clone();
    if answers_tools || takes_turns {
        brief.lines = answered(brief.lines);
    }
    if !system_role && !brief.system.is_empty() {
        let system = std::mem::take(&mut brief.system);
        if let Some(Line::User { text, .. }) = brief.lines.first_mut() {
            *text = joined(&system, "\n\n", text);
        } else {
            brief.lines.insert(0, Line::user(system));
        }
    }
    if takes_turns {
        brief.lines = alternating(brief.lines);
    }
    Cow::Owned(brief)
}

/// Whether the lines are such that the sides take turns and the user begins.
pub(crate) fn alternate(lines: &[Line]) -> bool {
    let mut said = lines.iter().filter(|line| !is_blank(line)).peekable();
    if !matches!(said.peek(), None | Some(Line::User { .. })) {
        return false;
    }
    let mut last = None;
    said.all(|line| {
        let before = last.replace(line);
        match (before, line) {
            (Some(Line::User { .. } | Line::Tool(_)), Line::User { .. }) => false,
            (Some(Line::Assistant { calls, .. }), Line::Assistant { .. }) => !calls.is_empty(),
            _ => true,
        }
    })
}

/// Whether somebody speaks right after a tool.
pub(crate) fn interrupt(lines: &[Line]) -> bool {
    let pair = |pair: &[Line]| matches!(pair, [Line::Tool(_), Line::User { .. }]);
    lines.windows(2).any(pair)
}

/// A line of ours that no format writes.
fn is_blank(line: &Line) -> bool {
    matches!(line, Line::Assistant { text, calls, .. } if text.trim().is_empty() && calls.is_empty())
}

/// With words of the model between results and the user's.
fn answered(lines: Vec<Line>) -> Vec<Line> {
    let mut answered: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines.into_iter().filter(|line| !is_blank(line)) {
        if let (Some(Line::Tool(_)), Line::User { .. }) = (answered.last(), &line) {
            answered.push(Line::assistant(RECEIVED.to_owned()));
        }
        answered.push(line);
    }
    answered
}

fn alternating(lines: Vec<Line>) -> Vec<Line> {
    let mut turns: Vec<Line> = Vec::with_capacity(lines.len() + 1);
    if !matches!(lines.first(), Some(Line::User { .. })) {
        turns.push(Line::user(BEGINNING.to_owned()));
    }
    for line in lines {
        match (turns.last_mut(), line) {
            (
                Some(Line::User { text, images }),
                Line::User {
                    text: more,
                    images: shown,
                },
            ) => {
                *text = joined(text, "\n", &more);
                images.extend(shown);
            }
            (
                Some(Line::Assistant {
                    text,
                    thoughts,
                    calls,
                }),
                Line::Assistant {
                    text: more,
                    thoughts: thought,
                    calls: asked,
                },
            ) if calls.is_empty() => {
                *text = joined(text, "\n", &more);
                thoughts.extend(thought);
                *calls = asked;
            }
            (_, line) => turns.push(line),
        }
    }
    turns
}

fn joined(first: &str, gap: &str, second: &str) -> String {
    match (first.trim().is_empty(), second.trim().is_empty()) {
        (true, _) => second.to_owned(),
        (_, true) => first.to_owned(),
        _ => format!("{first}{gap}{second}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{Image, ToolCall, ToolResult};

    const fn quirks(system_role: bool, takes_turns: bool, answers_tools: bool) -> Quirks {
        Quirks {
            system_role,
            takes_turns,
            answers_tools,
            ..crate::VENDORS[0].quirks
        }
    }

    const STRICT: Quirks = quirks(false, true, false);

    /// Lines by their first character: user, assistant, assistant that calls
    /// (`c`), tool, user with an image (`i`).
    fn lines(shown: &[&str]) -> Vec<Line> {
        let line = |shown: &&str| {
            let (kind, text) = shown.split_at(1);
            let text = text.to_owned();
            match kind {
                "u" => Line::user(text),
                "i" => Line::User {
                    text,
                    images: vec![Image {
                        media_type: "image/png",
                        bytes: [][..].into(),
                    }],
                },
                "a" => Line::assistant(text),
                "c" => Line::Assistant {
                    text,
                    thoughts: Vec::new(),
                    calls: vec![ToolCall {
                        id: "1".to_owned(),
                        name: "brew".to_owned(),
                        arguments: "{}".to_owned(),
                        signature: None,
                    }],
                },
                _ => Line::Tool(ToolResult {
                    call: "1".to_owned(),
                    name: "brew".to_owned(),
                    text,
                    failed: false,
                }),
            }
        };
        shown.iter().map(line).collect()
    }

    fn show(lines: &[Line]) -> Vec<String> {
        let kind = |line: &Line| match line {
            Line::User { images, .. } if !images.is_empty() => "i",
            Line::User { .. } => "u",
            Line::Assistant { calls, .. } if !calls.is_empty() => "c",
            Line::Assistant { .. } => "a",
            Line::Tool(_) => "t",
        };
        lines
            .iter()
            .map(|line| format!("{}{}", kind(line), line.text()))
            .collect()
    }

    #[test]
    fn what_does_not_fit_is_moved_or_merged() {
        fn check(quirks: Quirks, system: &str, given: &[&str], expect: (&str, &[&str])) {
            let url = "http://127.0.0.1:1/v1".parse().unwrap();
            let mut endpoint = Endpoint::at(crate::Vendor::at(&url), url, "tea".to_owned());
            endpoint.quirks = quirks;
            let brief = Brief {
                system: system.to_owned(),
                lines: lines(given),
                ..Brief::default()
            };
            let fitted = fitted(&endpoint, &brief);
            assert_eq!(fitted.system, expect.0, "{given:?}");
            assert_eq!(show(&fitted.lines), expect.1, "{given:?}");
            if quirks.takes_turns {
                assert!(alternate(&fitted.lines), "{given:?}");
            }
            let again = super::fitted(&endpoint, &fitted);
            assert_eq!(again, fitted, "{given:?}");
        }
        let plain = quirks(true, false, false);
        check(plain, "S", &["ux", "uy"], ("S", &["ux", "uy"]));
        let turns = quirks(true, true, false);
        check(turns, "S", &["ux", "uy"], ("S", &["ux\ny"]));
        check(turns, "S", &["ux", "iy"], ("S", &["ix\ny"]));
        check(turns, "S", &["ux", "a ", "uy"], ("S", &["ux\ny"]));
        check(
            turns,
            "S",
            &["ax", "uy"],
            ("S", &["u(earlier)", "ax", "uy"]),
        );
        check(turns, "S", &["ux", "ay", "az"], ("S", &["ux", "ay\nz"]));
        check(turns, "", &["ux", "ay", "cz"], ("", &["ux", "cy\nz"]));
        let bridged = ["ux", "cy", "tz", "a(I have the result.)", "uw"];
        check(turns, "", &["ux", "cy", "tz", "uw"], ("", &bridged));
        let whole = ["ux", "cy", "tz", "tz", "aw", "uv"];
        check(turns, "", &whole, ("", &whole));
        check(STRICT, "S", &["ux", "uy"], ("", &["uS\n\nx\ny"]));
        check(STRICT, "S", &["ax", "uy"], ("", &["uS", "ax", "uy"]));
        check(STRICT, "S", &[], ("", &["uS"]));
        let no_system = quirks(false, false, false);
        check(no_system, "S", &["ux", "uy"], ("", &["uS\n\nx", "uy"]));
        let mistral = quirks(true, false, true);
        check(mistral, "S", &["ux", "cy", "tz", "uw"], ("S", &bridged));
        check(mistral, "S", &["ux", "uy"], ("S", &["ux", "uy"]));
    }
}
