//! `kaiwa ask`: one question from the terminal.

use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::StreamExt;
use kaiwa_domain::port::{ChatModel, Clock};
use kaiwa_domain::{Bill, Brief, Delta, Finish, Line, ModelError, Role, Usage};
use kaiwa_provider::{Budget, Candidate, ModelPool, ModelRoute};
use kaiwa_runtime::SystemClock;

use crate::args::AskArgs;
use crate::config::Config;
use crate::exit::needs_a_person;
use crate::{console, exit, image, local, models, reach};

/// The longest question from standard input.
const MAX_QUESTION: u64 = 1 << 20;

/// How many images may go with a question.
const MAX_IMAGES: usize = 10;

pub(crate) async fn ask(args: AskArgs) -> Result<ExitCode> {
    if args.images.len() > MAX_IMAGES {
        let given = args.images.len();
        bail!(needs_a_person(format!(
            "{given} images are too many: show {MAX_IMAGES} at most"
        )));
    }
    let config = Config::find(args.config.as_deref())?;
    let brief = Brief {
        lines: vec![Line::User {
            text: question(args.question)?,
            images: args
                .images
                .iter()
                .map(|path| image::load(path))
                .collect::<Result<_>>()?,
        }],
        ..Brief::default()
    };
    let candidates = match &args.model {
        Some(name) => {
            vec![models::given(&config, name)?]
        }
        None => chosen(&config, !args.images.is_empty()).await?,
    };
    let candidates = match args.images.is_empty() {
        true => candidates,
        false => seeing(candidates)?,
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let route = ModelRoute {
        role: Role::Chat,
        candidates: candidates.clone(),
        on_censored: match args.model {
            Some(_) => Vec::new(),
            None => models::uncensored(&config)?,
        },
        budget: Budget::default(),
        first_word_within: models::first_word_within(&config, &candidates),
    };
    let model = ModelPool::new(clock.clone(), None).route(route)?;
    let answered = tokio::select! {
        biased;
        () = console::interrupted() => return Ok(ExitCode::from(exit::INTERRUPTED)),
        answered = hear(&model, brief, &*clock) => answered,
    };
    match answered {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => bail!("the answer is empty: ask in other words, or ask another model"),
        Err(error) => bail!(reach::explain(&config, &candidates, &error).await),
    }
}

/// The question itself, or all of standard input for `-`.
fn question(given: String) -> Result<String> {
    let text = match given.as_str() {
        "-" => {
            let mut text = String::new();
            std::io::stdin()
                .take(MAX_QUESTION + 1)
                .read_to_string(&mut text)
                .context("the question on standard input is no UTF-8 text")?;
            if text.len() as u64 > MAX_QUESTION {
                bail!(needs_a_person(
                    "the question on standard input exceeds 1 MiB"
                ));
            }
            text
        }
        _ => given,
    };
    match text.trim() {
        "" => bail!(needs_a_person("the question is empty")),
        text => Ok(text.to_owned()),
    }
}

/// The configured models for this, or one on this machine.
async fn chosen(config: &Config, images: bool) -> Result<Vec<Candidate>> {
    if images {
        let seeing = models::candidates(config, Role::Vision)?;
        if !seeing.is_empty() {
            return Ok(seeing);
        }
    }
    let chat = models::candidates(config, Role::Chat)?;
    if !chat.is_empty() {
        return Ok(chat);
    }
    let local = local::models(config).await;
    let Some(first) = local.first() else {
        bail!(needs_a_person(models::NO_MODEL));
    };
    console::say(format_args!(
        "asking {} at {}, as no model is configured",
        first.name, first.endpoint.base_url
    ));
    Ok(local)
}

/// Those that can see images.
fn seeing(candidates: Vec<Candidate>) -> Result<Vec<Candidate>> {
    let names: Vec<String> = candidates.iter().map(|it| it.name.clone()).collect();
    let seeing: Vec<Candidate> = candidates
        .into_iter()
        .filter(|candidate| candidate.endpoint.abilities.vision)
        .collect();
    if seeing.is_empty() {
        bail!(needs_a_person(format!(
            "{} is not known to see images: name a model that does with --model or [models] vision, or set vision = true in its section [vendors.VENDOR.models.\"MODEL\"]",
            names.join(", ")
        )));
    }
    Ok(seeing)
}

/// Prints the answer as it comes, then what it cost. Tells whether there was
/// anything to print.
async fn hear(model: &dyn ChatModel, brief: Brief, clock: &dyn Clock) -> Result<bool, ModelError> {
    let asked_at = clock.now();
    let mut answer = model.answer(brief);
    let mut shown = TerminalState::default();
    let mut account = AnswerSummary::default();
    while let Some(delta) = answer.next().await {
        let delta = match delta {
            Ok(delta) => delta,
            Err(error) => {
                shown.end();
                return Err(error);
            }
        };
        match delta {
            Delta::Text(text) | Delta::Refusal(text) => {
                if shown.text(&text).is_err() {
                    // Nobody reads any more, as behind `| head`.
                    return Ok(true);
                }
            }
            Delta::Thought(_) => shown.progress("thinking…"),
            Delta::Anew => shown.progress("asking again…"),
            Delta::ToolCall(call) => {
                shown.end();
                console::say(format_args!(
                    "it asks for the tool {:?}, and there is none here",
                    call.name
                ));
            }
            Delta::Spent(bill) => account.bills.push(bill),
            Delta::Finish { finish, .. } => account.finish = Some(finish),
            Delta::Signature(_) | Delta::ToolPiece(_) | Delta::Usage(_) | Delta::Heartbeat => {}
        }
    }
    shown.end();
    console::say(account.told(clock.now().since(asked_at)));
    Ok(shown.begun)
}

/// What the terminal shows so far.
#[derive(Default)]
struct TerminalState {
    /// Whether the answer has begun.
    begun: bool,
    /// Whether it stands in the middle of a line.
    mid_line: bool,
    /// What was last said about its making.
    progress: &'static str,
}

impl TerminalState {
    fn text(&mut self, text: &str) -> std::io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.begun = true;
        self.mid_line = !text.ends_with('\n');
        console::print_piece(text)
    }

    fn progress(&mut self, what: &'static str) {
        if self.progress != what && !self.begun {
            console::say(what);
            self.progress = what;
        }
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.mid_line) {
            // A terminal shows both streams; a file gets a whole last line.
            let _ = console::print_piece("\n");
        }
    }
}

/// What an answer came to.
#[derive(Default)]
struct AnswerSummary {
    bills: Vec<Bill>,
    finish: Option<Finish>,
}

impl AnswerSummary {
    /// One line: who answered, tokens, cost, time, and how it ended if not well.
    fn told(&self, took: Duration) -> String {
        let mut parts: Vec<String> = self.bills.iter().map(bill).collect();
        parts.push(format!("{:.1} s", took.as_secs_f64()));
        match self.finish {
            Some(Finish::Length) => parts.push("cut off at the longest answer".to_owned()),
            Some(Finish::Refused) => parts.push("refused".to_owned()),
            Some(Finish::Stop | Finish::Tool) | None => {}
        }
        parts.join(", ")
    }
}

fn bill(bill: &Bill) -> String {
    let Usage {
        input,
        cached,
        output,
        thinking,
    } = bill.usage;
    let about = if bill.estimated { "about " } else { "" };
    let of_which = |count: u64, what: &str| match count {
        0 => String::new(),
        _ => format!(" ({count} {what})"),
    };
    let (cached, thinking) = (of_which(cached, "cached"), of_which(thinking, "thinking"));
    let cost = match bill.cost {
        Some(micros) => format!("${}.{:06}", micros / 1_000_000, micros % 1_000_000),
        None => "price unknown".to_owned(),
    };
    format!(
        "{}: {about}{input} tokens in{cached}, {output} out{thinking}, {cost}",
        bill.model
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_one_line() {
        fn check(cost: Option<u64>, estimated: bool, finish: Finish, expect: &str) {
            let bill = Bill {
                role: Role::Chat,
                model: "a/b".to_owned(),
                usage: Usage {
                    input: 12,
                    cached: 3,
                    output: 34,
                    thinking: 5,
                },
                estimated,
                cost,
            };
            let account = AnswerSummary {
                bills: vec![bill],
                finish: Some(finish),
            };
            assert_eq!(account.told(Duration::from_millis(1260)), expect);
        }
        check(
            Some(1_200_345),
            false,
            Finish::Stop,
            "a/b: 12 tokens in (3 cached), 34 out (5 thinking), $1.200345, 1.3 s",
        );
        check(
            None,
            true,
            Finish::Length,
            "a/b: about 12 tokens in (3 cached), 34 out (5 thinking), price unknown, 1.3 s, cut off at the longest answer",
        );
    }
}
