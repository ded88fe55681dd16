//! A model that knows its lines.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{StreamExt, stream};
use kaiwa_domain::port::{Answer, ChatModel};
use kaiwa_domain::{Abilities, Brief, Delta, Finish, Line, ToolCall};

use crate::pause;

/// How a conversation that broke off asks for the rest.
const GO_ON: &str = "Continue your answer exactly after";

/// Says its lines, then asks for its action. Asked to go on, it begins after
/// the last line that it is told it has said.
#[derive(Debug)]
pub struct ScriptedModel {
    lines: Vec<String>,
    action: Option<ToolCall>,
    lookup: Option<ToolCall>,
    asked: AtomicUsize,
}

impl ScriptedModel {
    /// A model that says these lines, which all differ.
    pub fn new(lines: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            lines: lines.into_iter().map(Into::into).collect(),
            action: None,
            lookup: None,
            asked: AtomicUsize::new(0),
        }
    }

    /// The same, and then it asks for an action.
    #[must_use]
    pub fn with_action(mut self, name: &str, arguments: &str) -> Self {
        self.action = Some(tool_call(name, arguments));
        self
    }

    /// The same, once it has looked something up.
    #[must_use]
    pub fn with_lookup(mut self, name: &str, arguments: &str) -> Self {
        self.lookup = Some(tool_call(name, arguments));
        self
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// How many lines it has said according to `brief`.
    fn said(&self, brief: &Brief) -> usize {
        let goes_on = |line: &Line| matches!(line, Line::User { text, .. } if text.contains(GO_ON));
        let Some(at) = brief.lines.iter().rposition(goes_on) else {
            return 0;
        };
        let own = brief.lines[..at].iter().rev();
        let own: Vec<&str> = own
            .take_while(|line| matches!(line, Line::Assistant { .. }))
            .map(Line::text)
            .collect();
        let was_said = |line: &String| own.iter().any(|text| text.contains(line.as_str()));
        let last = self.lines.iter().rposition(was_said);
        last.map_or(0, |last| last + 1)
    }
}

impl ChatModel for ScriptedModel {
    fn answer(&self, brief: Brief) -> Answer {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let answered = brief.lines.iter().any(|line| matches!(line, Line::Tool(_)));
        let mut deltas = Vec::new();
        let said = self.said(&brief);
        if let Some(lookup) = self.lookup.clone().filter(|_| !answered && said == 0) {
            deltas.push(Delta::ToolCall(lookup));
        } else if !answered || self.lookup.is_some() {
            for line in &self.lines[said..] {
                deltas.push(Delta::Text(format!("{line}\n")));
            }
            deltas.extend(self.action.clone().map(Delta::ToolCall));
        }
        let calls = matches!(deltas.last(), Some(Delta::ToolCall(_)));
        let finish = if calls { Finish::Tool } else { Finish::Stop };
        deltas.push(Delta::Finish {
            finish,
            word: String::new(),
        });
        let deltas = stream::iter(deltas).then(|delta| async {
            pause().await;
            Ok(delta)
        });
        Box::pin(deltas)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            tools: self.action.is_some() || self.lookup.is_some(),
            vision: false,
            thinking: false,
        }
    }
}

fn tool_call(name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: "call-1".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        signature: None,
    }
}
