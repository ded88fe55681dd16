//! Everything the understudy ever says.

pub(crate) const HELLO: &str = include_str!("text/hello.md");
pub(crate) const HELP: &str = include_str!("text/help.md");
pub(crate) const LIST: &str = include_str!("text/list.md");
pub(crate) const CODE: &str = include_str!("text/code.md");
pub(crate) const TABLE: &str = include_str!("text/table.md");
pub(crate) const MARKDOWN: &str = include_str!("text/markdown.md");
pub(crate) const LONG: &str = include_str!("text/long.md");

pub(crate) const THOUGHT: &str = "I am asked to think. I am a script, so this thought was written \
    down long ago. Still, it arrives piece by piece, apart from the answer, and whoever shows the \
    answer should keep it to themselves. Water first, then leaves. Good: now answer.";
pub(crate) const AFTER_THOUGHT: &str = "I thought about it, as far as a script thinks: water \
    first, then leaves. You should see this answer, and nothing of the thought before it.";

pub(crate) const AFTER_TOOL: &str =
    "The tool came back. I can't make sense of what it says, but I can read it to you:";

pub(crate) const NO_TOOL: &str =
    "I would ask for a tool now, but I was not offered one of that name:";

pub(crate) const REFUSAL: &str = "No, that one I leave alone. (You asked to see a refusal, and \
    this is what one looks like.)";
pub(crate) const FAILURE: &str =
    "the understudy forgot its lines, on purpose: you asked to see an error";

pub(crate) const THANKS: &str = "You're welcome! A script takes its applause where it finds it. 🍵";
pub(crate) const BYE: &str = "Goodbye! I'll be in the wings, saying the same lines. 👋";

pub(crate) const COUNT_LIMIT: &str = "I count from 1 up to 50 at most; the script ends there.";

pub(crate) const KNOWN: &str = "That is all I know, and I will have forgotten it by the next line.";
pub(crate) const UNKNOWN: &str =
    "I can't tell: no name stands in front of your message, and a script has no memory.";

pub(crate) const FALLBACKS: [&str; 3] = [
    "That is not in my script. I'm the understudy, a set of written lines and no real model, so I \
     won't pretend to know.",
    "Good question, wrong actor: I'm the understudy, a script, and I didn't understand a word.",
    "I have no line for that. I'm a script that stands in until a real model is plugged in.",
];
pub(crate) const OFFER: &str = "Try `list`, `code`, `table`, `long`, `thinking`, or `help` for \
    everything I can show. For real answers, start Ollama, or fill in `[models]` in `kaiwa.toml`.";
