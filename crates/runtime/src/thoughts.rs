//! What models thought before their answers, told where a server wants it.
//!
//! Thoughts may hold whatever the model was shown. So they are told only of
//! answers in channels that are hidden from nobody in the server: then whoever
//! reads the log could have read all of it. Nobody waits for them, and what is
//! too much is left out: telling them never holds an answer up. A page is an
//! effect of a turn of its own, so one that has its row survives the process.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use kaiwa_domain::port::{Admission, Progress};
use kaiwa_domain::{
    ChannelId, Delta, Effect, EffectBody, Ending, MessageId, OccurrenceId, PersonaId, Scope,
    StoreError, ThoughtPage, Trigger, Turn, TurnId, TurnState,
};
use tokio::sync::mpsc;

use crate::Bot;
use crate::outbox::effect;
use crate::send::{Sender, Sent};
use crate::signals::Signals;
use crate::turn::end;

/// How much of what was thought before an answer is told: pages of so many
/// UTF-16 units each, within [Discord's limit](https://docs.discord.com/developers/resources/message#embed-object-embed-limits)
/// of 4096.
const PAGES: usize = 3;
const PAGE_UTF16: usize = 4000;

/// How much is kept until then, in bytes.
const KEPT_BYTES: usize = PAGES * PAGE_UTF16 * 3;

/// How many answers' thoughts may wait to be told, and are told at a time.
const WAITING: usize = 64;
const AT_ONCE: usize = 16;

/// What was thought before one answer, and what that took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ThoughtsHeard {
    text: String,
    /// How much of it is of calls that are over.
    settled: usize,
    model: String,
    /// In millionths of a US dollar, as far as prices are known.
    cost: Option<u64>,
}

impl ThoughtsHeard {
    /// A model is asked.
    pub(crate) fn begin(&mut self) {
        self.settled = self.text.len();
    }

    /// A model said something.
    pub(crate) fn hear(&mut self, delta: &Delta) {
        match delta {
            Delta::Thought(thought) => {
                let new = self.text.len() == self.settled && self.settled > 0;
                self.push(if new { "\n\n" } else { "" }, &thought.text);
            }
            Delta::Anew => self.text.truncate(self.settled),
            Delta::Spent(bill) => {
                self.model.clone_from(&bill.model);
                if let Some(cost) = bill.cost {
                    self.cost = Some(self.cost.unwrap_or_default().saturating_add(cost));
                }
            }
            _ => {}
        }
    }

    /// It thought aloud, among its words.
    pub(crate) fn add(&mut self, aloud: &[String]) {
        for thought in aloud {
            self.push("\n\n", thought);
        }
    }

    fn push(&mut self, gap: &str, text: &str) {
        let gap = if self.text.is_empty() { "" } else { gap };
        for text in [gap, text] {
            let room = KEPT_BYTES.saturating_sub(self.text.len());
            self.text.push_str(&text[..text.floor_char_boundary(room)]);
        }
    }

    /// The same with other words.
    pub(crate) fn guarded(self, guard: impl FnOnce(String) -> String) -> Self {
        Self {
            text: guard(self.text),
            ..self
        }
    }

    /// What is told of it.
    fn pages(&self, who: &str, link: &str, took: Duration) -> Vec<ThoughtPage> {
        let mut texts = cut(self.text.trim());
        if texts.len() > PAGES {
            texts.truncate(PAGES);
            texts[PAGES - 1].push('…');
        }
        let mut footer = match self.model.is_empty() {
            true => String::new(),
            false => format!("{} · ", self.model),
        };
        footer.push_str(&format!("{:.1} s", took.as_secs_f64()));
        if let Some(cost) = self.cost {
            footer.push_str(&format!(" · ${}", dollars(cost)));
        }
        let pages = texts.into_iter().map(|text| ThoughtPage {
            title: format!("💭 {who}"),
            link: link.to_owned(),
            text,
            footer: footer.clone(),
        });
        pages.collect()
    }
}

/// A text in parts that fit a page, at ends of lines where there are any.
fn cut(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut left = PAGE_UTF16;
        let mut fits = rest.len();
        for (at, c) in rest.char_indices() {
            if c.len_utf16() > left {
                fits = at;
                break;
            }
            left -= c.len_utf16();
        }
        let line = rest[..fits].rfind('\n').filter(|at| *at > fits / 2);
        let end = line.filter(|_| fits < rest.len()).unwrap_or(fits);
        parts.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    parts
}

/// Millionths of a dollar as dollars, with two digits at least.
fn dollars(millionths: u64) -> String {
    let all = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
    let short = all.trim_end_matches('0');
    let least = all.len() - 4;
    all[..short.len().max(least)].to_owned()
}

/// What was thought before an answer that is up.
#[derive(Clone, Debug)]
pub(crate) struct AnswerThoughts {
    pub(crate) thoughts: ThoughtsHeard,
    /// Where they are to be told.
    pub(crate) log: ChannelId,
    /// The turn that answered, and the first message of the answer.
    pub(crate) turn: Turn,
    pub(crate) first: MessageId,
    pub(crate) took: Duration,
}

/// Thoughts on their way to where they are told. Clones share them.
#[derive(Clone, Debug)]
pub struct ThoughtLog {
    queue: mpsc::Sender<AnswerThoughts>,
    waiting: Arc<Mutex<Option<mpsc::Receiver<AnswerThoughts>>>>,
}

impl Default for ThoughtLog {
    fn default() -> Self {
        let (queue, waiting) = mpsc::channel(WAITING);
        Self {
            queue,
            waiting: Arc::new(Mutex::new(Some(waiting))),
        }
    }
}

impl ThoughtLog {
    /// What waits, for the one who tells it.
    fn take(&self) -> Option<mpsc::Receiver<AnswerThoughts>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.take()
    }

    /// Has thoughts told, unless too many wait.
    pub(crate) fn tell(&self, thoughts: AnswerThoughts) {
        if thoughts.thoughts.text.trim().is_empty() {
            return;
        }
        let turn = thoughts.turn.id;
        if self.queue.try_send(thoughts).is_err() {
            tracing::warn!(%turn, "thoughts are not told: too many wait");
        }
    }
}

/// Tells what was thought until the bot closes.
pub(crate) async fn run(bot: Arc<Bot>, signals: Signals) {
    let Some(mut waiting) = bot.thoughts.take() else {
        return;
    };
    let mut telling = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            () = signals.overdue.cancelled() => return,
            Some(told) = telling.next() => {
                let told: Result<(), StoreError> = told;
                if let Err(error) = told {
                    tracing::warn!(%error, "thoughts cannot be told");
                }
            }
            Some(thoughts) = waiting.recv(), if telling.len() < AT_ONCE => {
                telling.push(tell(&bot, &signals, thoughts));
            }
            () = signals.closing.cancelled(), if telling.is_empty() => return,
        }
    }
}

async fn tell(bot: &Bot, signals: &Signals, told: AnswerThoughts) -> Result<(), StoreError> {
    let AnswerThoughts { turn, log, .. } = &told;
    let Scope::Guild(guild) = turn.scope else {
        return Ok(());
    };
    match bot
        .permissions
        .open_to_readers(guild, turn.channel, *log)
        .await
    {
        Ok(true) => {}
        Ok(false) => {
            tracing::debug!(turn = %turn.id, "thoughts are not told: not everybody reads the channel");
            return Ok(());
        }
        Err(error) => {
            tracing::warn!(%error, turn = %turn.id, "thoughts are not told: nobody knows who reads the channel");
            return Ok(());
        }
    }
    let link = format!(
        "https://discord.com/channels/{guild}/{}/{}",
        turn.channel, told.first
    );
    let personas = bot.personas.of(turn.scope).await;
    let named = personas.find(turn.persona);
    let named = named.filter(|_| turn.persona != PersonaId::MAIN);
    let who = named.map_or(bot.me.name.as_str(), |persona| &persona.name);
    let pages = told.thoughts.pages(who, &link, told.took);
    let own = Turn {
        id: TurnId::first(Trigger::Schedule(OccurrenceId::due(
            told.first.get(),
            bot.clock.now(),
        ))),
        scope: turn.scope,
        channel: *log,
        asker: turn.asker,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: bot.clock.now(),
    };
    if bot.persist(|| bot.store.admit(&own, None)).await? == Admission::Duplicate {
        return Ok(());
    }
    let pages = (0..).zip(pages);
    let effects: Vec<Effect> = pages
        .map(|(index, page)| effect(bot, &own, index, EffectBody::Thoughts(page)))
        .collect();
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(own.scope, own.id, &effects, settling))
        .await?;
    let settings = bot.settings_of(&own).await;
    let sender = Sender::new(bot, signals, &own, &settings);
    for effect in effects {
        match sender.send(effect).await? {
            Sent::Left => return Ok(()),
            Sent::Done => {}
            _ => break,
        }
    }
    end(bot, &own, Ending::Done).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{Bill, Role, Thought, ThoughtKind, Usage};

    fn thought(text: &str) -> Delta {
        Delta::Thought(Thought {
            kind: ThoughtKind::Raw,
            text: text.to_owned(),
        })
    }

    fn spent(cost: Option<u64>) -> Delta {
        Delta::Spent(Bill {
            role: Role::Chat,
            model: "vendor/model".to_owned(),
            usage: Usage::default(),
            estimated: false,
            cost,
        })
    }

    fn page(thoughts: &ThoughtsHeard) -> Vec<ThoughtPage> {
        thoughts.pages("Mina", "link", Duration::from_millis(1250))
    }

    #[test]
    fn what_is_thought_in_vain_is_not_told() {
        let mut thoughts = ThoughtsHeard::default();
        thoughts.begin();
        thoughts.hear(&thought("First"));
        thoughts.hear(&thought(", look it up."));
        thoughts.hear(&spent(Some(1200)));
        thoughts.begin();
        thoughts.hear(&thought("No"));
        thoughts.hear(&Delta::Anew);
        thoughts.hear(&thought("Then answer."));
        thoughts.hear(&spent(Some(34)));
        thoughts.add(&["Aloud.".to_owned()]);
        let pages = page(&thoughts);
        assert_eq!(pages.len(), 1);
        assert_eq!(
            pages[0].text,
            "First, look it up.\n\nThen answer.\n\nAloud."
        );
        assert_eq!(pages[0].footer, "vendor/model · 1.2 s · $0.001234");
        assert_eq!(pages[0].title, "💭 Mina");
    }

    #[test]
    fn endless_thoughts_fit_a_few_pages() {
        let mut thoughts = ThoughtsHeard::default();
        for _ in 0..100_000 {
            thoughts.hear(&thought("𝄞 und so weiter\n"));
        }
        let pages = page(&thoughts);
        assert_eq!(pages.len(), PAGES);
        for page in &pages {
            assert!(page.text.encode_utf16().count() <= PAGE_UTF16 + 1);
        }
        assert!(pages[PAGES - 1].text.ends_with('…'));
        assert!(!pages[0].text.ends_with('…'));
    }

    #[test]
    fn prices_have_two_digits_at_least() {
        for (cost, expected) in [
            (0, "0.00"),
            (1, "0.000001"),
            (120_000, "0.12"),
            (100_000, "0.10"),
            (2_500_000, "2.50"),
        ] {
            assert_eq!(dollars(cost), expected);
        }
    }
}
