//! The script: which request gets which reply.

use serde_json::json;

use crate::pace::fingerprint;
use crate::prompt::Prompt;
use crate::text;

/// The highest number it counts to.
const MAX_COUNT: u32 = 50;

/// How much of a tool's result it reads back, in characters.
const RESULT_CHARS: usize = 300;

/// What the understudy does about one request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReplyKind {
    /// Says something, perhaps after thinking aloud.
    Say {
        /// What it thinks first; may be empty.
        thought: &'static str,
        /// What it says.
        text: String,
    },
    /// Asks for a tool.
    CallTool {
        /// Which.
        name: String,
        /// With what, in JSON.
        arguments: String,
    },
    /// Declines.
    Refuse(&'static str),
    /// Fails like an overloaded server.
    Fail(&'static str),
    /// Says nothing at all.
    Silence,
}

/// A row of the script.
struct ScriptRow {
    /// Any of these phrases calls for the reply.
    phrases: &'static [&'static str],
    reply_kind: fn(&Prompt) -> ReplyKind,
}

/// The first row that fits is played. Greetings come last, because people
/// greet before they ask.
const SCRIPT: &[ScriptRow] = &[
    row(&["silence", "silent", "say nothing"], |_| {
        ReplyKind::Silence
    }),
    row(&["error", "fail"], |_| ReplyKind::Fail(text::FAILURE)),
    row(&["refuse", "refusal", "decline"], |_| {
        ReplyKind::Refuse(text::REFUSAL)
    }),
    row(&["tool", "tools", "tool call"], |_| ReplyKind::CallTool {
        name: "now".to_owned(),
        arguments: "{}".to_owned(),
    }),
    row(&["think", "thinking", "reason", "reasoning"], |_| {
        ReplyKind::Say {
            thought: text::THOUGHT,
            text: text::AFTER_THOUGHT.to_owned(),
        }
    }),
    row(&["long", "story", "essay"], |_| say(text::LONG)),
    row(&["markdown", "formatting", "showcase"], |_| {
        say(text::MARKDOWN)
    }),
    row(&["table"], |_| say(text::TABLE)),
    row(&["code", "program"], |_| say(text::CODE)),
    row(&["list"], |_| say(text::LIST)),
    row(&["who am i"], who_am_i),
    row(
        &[
            "help",
            "menu",
            "what can you do",
            "who are you",
            "what are you",
        ],
        |_| say(text::HELP),
    ),
    row(&["thanks", "thank you", "thx"], |_| say(text::THANKS)),
    row(&["bye", "goodbye", "good night", "see you"], |_| {
        say(text::BYE)
    }),
    row(
        &["hello", "hi", "hey", "good morning", "good evening"],
        |_| say(text::HELLO),
    ),
];

const fn row(phrases: &'static [&'static str], reply_kind: fn(&Prompt) -> ReplyKind) -> ScriptRow {
    ScriptRow {
        phrases,
        reply_kind,
    }
}

/// The reply for what a person said.
pub(crate) fn reply_kind(prompt: &Prompt) -> ReplyKind {
    let asked = echo(prompt).or_else(|| count(prompt));
    let asked = asked.or_else(|| call(prompt));
    if let Some(reply_kind) = asked.or_else(|| look_up(prompt)) {
        return reply_kind;
    }
    let fits = |row: &&ScriptRow| row.phrases.iter().any(|phrase| prompt.has(phrase));
    match SCRIPT.iter().find(fits) {
        Some(row) => (row.reply_kind)(prompt),
        None => fallback(prompt),
    }
}

/// The reply instead of a call that nobody could answer.
pub(crate) fn no_tool(name: &str) -> ReplyKind {
    say(&format!("{} `{name}`.", text::NO_TOOL))
}

/// The reply after a tool has returned. Kaiwa puts what a tool returned behind
/// bars, below a line of its own; that line is not read out.
pub(crate) fn after_tool(result: &str) -> ReplyKind {
    let behind_bars: Vec<&str> = result
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .collect();
    let behind_bars = behind_bars.join(" ");
    let result = match behind_bars.trim() {
        "" => result.trim(),
        found => found,
    };
    let shown: String = result.chars().take(RESULT_CHARS).collect();
    let more = if shown.len() < result.len() {
        "…"
    } else {
        ""
    };
    say(&format!("{}\n> {shown}{more}", text::AFTER_TOOL))
}

fn say(text: &str) -> ReplyKind {
    ReplyKind::Say {
        thought: "",
        text: text.trim_end().to_owned(),
    }
}

/// "say …", "repeat …", "echo …".
fn echo(prompt: &Prompt) -> Option<ReplyKind> {
    let is_request = matches!(prompt.words.first()?.as_str(), "say" | "repeat" | "echo");
    let words = prompt.after_first_word();
    let silence = prompt.has("say nothing");
    (is_request && !silence && !words.is_empty()).then(|| say(words))
}

/// "call NAME {json}", "use NAME {json}"; nothing in brackets is nothing.
fn call(prompt: &Prompt) -> Option<ReplyKind> {
    let is_request = matches!(prompt.words.first()?.as_str(), "call" | "use");
    let rest = prompt.after_first_word();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let (name, arguments) = rest.split_at(end.unwrap_or(rest.len()));
    let arguments = arguments.trim();
    let is_object = arguments.starts_with('{') && arguments.ends_with('}');
    // "use a tool" names none.
    let is_named = arguments.is_empty() && (name.contains('_') || prompt.has("call"));
    let is_named = !name.is_empty() && (is_object || is_named);
    (is_request && is_named).then(|| ReplyKind::CallTool {
        name: name.to_owned(),
        arguments: if is_object { arguments } else { "{}" }.to_owned(),
    })
}

/// "count to N".
fn count(prompt: &Prompt) -> Option<ReplyKind> {
    let to = prompt
        .words
        .windows(2)
        .position(|pair| pair == ["count", "to"])?;
    let digits = prompt.words.get(to + 2)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match digits.parse() {
        Ok(n @ 1..=MAX_COUNT) => {
            let lines: Vec<String> = (1..=n).map(|number: u32| number.to_string()).collect();
            say(&lines.join("\n"))
        }
        _ => say(text::COUNT_LIMIT),
    })
}

/// What is to be looked up, and how that is asked for.
const LOOK_UPS: &[(&[&str], &str)] = &[
    (&["pictures of ", "images of ", "a picture of "], "images"),
    (&["news about ", "news of "], "news"),
    (&["search for ", "look up ", "search the web for "], "web"),
];

/// "search for …", "pictures of …", "news about …", "read https://…".
fn look_up(prompt: &Prompt) -> Option<ReplyKind> {
    let lower = prompt.text.to_lowercase();
    // Lower case may be longer or shorter; then nothing is looked up.
    let after = |phrase: &str| {
        lower
            .find(phrase)
            .and_then(|at| prompt.text.get(at + phrase.len()..))
    };
    if let Some(at) = prompt.text.find("http://").or(prompt.text.find("https://")) {
        let asked = ["read", "fetch", "open"]
            .iter()
            .any(|word| prompt.has(word));
        let url = prompt.text[at..].split_whitespace().next()?;
        return asked.then(|| ReplyKind::CallTool {
            name: "fetch_page".to_owned(),
            arguments: json!({ "url": url }).to_string(),
        });
    }
    LOOK_UPS.iter().find_map(|(phrases, kind)| {
        let query = phrases.iter().find_map(|phrase| after(phrase))?;
        let query = query.trim_matches(|c: char| !c.is_alphanumeric());
        (!query.is_empty()).then(|| ReplyKind::CallTool {
            name: "web_search".to_owned(),
            arguments: json!({ "query": query, "kind": kind }).to_string(),
        })
    })
}

fn who_am_i(prompt: &Prompt) -> ReplyKind {
    match &prompt.speaker {
        Some(name) => say(&format!(
            "You are **{name}**: it is written in front of your message. {}",
            text::KNOWN
        )),
        None => say(text::UNKNOWN),
    }
}

fn fallback(prompt: &Prompt) -> ReplyKind {
    let number = fingerprint(prompt.text.as_bytes()) % text::FALLBACKS.len() as u64;
    let opening = text::FALLBACKS[number as usize];
    say(&format!("{opening} {}", text::OFFER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(message: &str) -> &'static str {
        match reply_kind(&Prompt::hear(message)) {
            ReplyKind::Say { thought: "", text } => {
                let known = [
                    (text::LONG, "long"),
                    (text::MARKDOWN, "markdown"),
                    (text::TABLE, "table"),
                    (text::CODE, "code"),
                    (text::LIST, "list"),
                    (text::HELP, "help"),
                    (text::THANKS, "thanks"),
                    (text::BYE, "bye"),
                    (text::HELLO, "hello"),
                    (text::COUNT_LIMIT, "limit"),
                ];
                match known.iter().find(|(words, _)| words.trim_end() == text) {
                    Some((_, name)) => name,
                    None if text.ends_with(text::OFFER.trim_end()) => "fallback",
                    None => "other",
                }
            }
            ReplyKind::Say { .. } => "thinking",
            ReplyKind::CallTool { .. } => "tool",
            ReplyKind::Refuse(_) => "refusal",
            ReplyKind::Fail(_) => "error",
            ReplyKind::Silence => "silence",
        }
    }

    #[test]
    fn each_request_gets_its_reply() {
        for (message, expect) in [
            ("hello", "hello"),
            ("Ada: @Kaiwa Hi!", "hello"),
            ("hey, show me a list please", "list"),
            ("hello, some code?", "code"),
            ("a table", "table"),
            ("Tell me a LONG story.", "long"),
            ("think about it", "thinking"),
            ("use a tool", "tool"),
            (
                "Ada: @Kaiwa call calculate {\"expression\": \"1+1\"}",
                "tool",
            ),
            ("Ada: @Kaiwa use list_reminders", "tool"),
            ("use your head", "fallback"),
            ("please refuse", "refusal"),
            ("error", "error"),
            ("silence", "silence"),
            ("say nothing", "silence"),
            ("help", "help"),
            ("what can you do?", "help"),
            ("thank you", "thanks"),
            ("bye!", "bye"),
            ("markdown", "markdown"),
            ("count to 51", "limit"),
            ("count to 0", "limit"),
            ("count to 99999999999999999999", "limit"),
            ("count to three", "fallback"),
            ("listen, hither", "fallback"),
            ("", "fallback"),
            ("say", "fallback"),
        ] {
            assert_eq!(kind(message), expect, "{message:?}");
        }
    }

    #[test]
    fn things_are_looked_up_on_request() {
        for (message, name, arguments) in [
            (
                "Ada: search for green tea!",
                "web_search",
                json!({"query": "green tea", "kind": "web"}),
            ),
            (
                "please Look Up Matcha",
                "web_search",
                json!({"query": "Matcha", "kind": "web"}),
            ),
            (
                "pictures of a cup",
                "web_search",
                json!({"query": "a cup", "kind": "images"}),
            ),
            (
                "any news about tea?",
                "web_search",
                json!({"query": "tea", "kind": "news"}),
            ),
            (
                "read http://127.0.0.1:1/a b",
                "fetch_page",
                json!({"url": "http://127.0.0.1:1/a"}),
            ),
        ] {
            let ReplyKind::CallTool {
                name: called,
                arguments: with,
            } = reply_kind(&Prompt::hear(message))
            else {
                panic!("{message}: a tool is called");
            };
            let with: serde_json::Value = serde_json::from_str(&with).unwrap();
            assert_eq!((called.as_str(), with), (name, arguments), "{message}");
        }
        assert_eq!(kind("search for ?"), "fallback");
        assert_eq!(kind("İ search for"), "fallback");
    }

    #[test]
    fn some_answers_depend_on_the_words() {
        for (message, expect) in [
            ("say error", "error"),
            ("Ada: repeat  Two  words.", "Two  words."),
            ("count to 3", "1\n2\n3"),
            ("please count to 1, now", "1"),
        ] {
            assert_eq!(reply_kind(&Prompt::hear(message)), say(expect));
        }
        let ReplyKind::Say { text, .. } = reply_kind(&Prompt::hear("Ada: who am I?")) else {
            panic!("it says who");
        };
        assert!(text.contains("Ada"), "{text}");
        assert_eq!(reply_kind(&Prompt::hear("who am I?")), say(text::UNKNOWN));
    }

    #[test]
    fn a_tools_result_is_read_back_in_short() {
        let ReplyKind::Say { text, .. } = after_tool(&"é".repeat(301)) else {
            panic!("it says what the tool said");
        };
        assert!(text.ends_with("é…"), "{text}");
        assert_eq!(text.matches('é').count(), 300);
        let ReplyKind::Say { text, .. } = after_tool("It returned:\n| tea\n| is ready") else {
            panic!("it says what the tool said");
        };
        assert!(text.ends_with("\n> tea is ready"), "{text}");
    }
}
