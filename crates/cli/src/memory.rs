//! `kaiwa memory` and `kaiwa privacy`: what is remembered, and who is never read.

use anyhow::{Result, bail};
use kaiwa_domain::port::Clock;
use kaiwa_domain::{Audience, Fact, FactSource, NewFact, Timestamp};
use kaiwa_runtime::SystemClock;

use crate::args::{MemoryCommand, PrivacyCommand};
use crate::offline::{enter, shown};
use crate::{console, exit};

/// What is done here with memories.
const DOING: &str = "memories are read and changed";

/// What is done here with the list of who is never read.
const OPTING: &str = "who is never read is said";

pub(crate) async fn memory(command: MemoryCommand) -> Result<()> {
    match command {
        MemoryCommand::List { home } => {
            let scope = home.scope.scope()?;
            let (_, store) = enter(&home.data, DOING).await?;
            let facts = store.facts(scope).await;
            store.close().await?;
            for fact in &facts? {
                console::print(line(fact));
            }
        }
        MemoryCommand::Add {
            home,
            about,
            channel,
            text,
        } => {
            let scope = home.scope.scope()?;
            let text = text.trim();
            if text.is_empty() {
                bail!(exit::needs_a_person("the fact is empty"));
            }
            let fact = NewFact {
                scope,
                about,
                audience: channel.map_or(Audience::Scope, Audience::Channel),
                author: None,
                source: FactSource::Operator,
                channel: None,
                message: None,
                text: text.to_owned(),
                learned_at: SystemClock.now(),
                expires_at: None,
            };
            let (_, store) = enter(&home.data, DOING).await?;
            let remembered = store.remember(&fact).await;
            store.close().await?;
            let number = remembered?;
            console::say(format_args!(
                "fact {number} of {} is remembered",
                shown(scope)
            ));
        }
        MemoryCommand::Forget { home, fact } => {
            let scope = home.scope.scope()?;
            let (_, store) = enter(&home.data, DOING).await?;
            let forgotten = store.forget(scope, fact).await;
            store.close().await?;
            if !forgotten? {
                bail!(exit::needs_a_person(format!(
                    "there is no fact {fact} of {}: `kaiwa memory list` shows those there are",
                    shown(scope)
                )));
            }
            console::say(format_args!("fact {fact} of {} is forgotten", shown(scope)));
        }
        MemoryCommand::RotateKey { home } => {
            let (_, store) = enter(&home, DOING).await?;
            let sealed = store.rotate_key().await;
            store.close().await?;
            console::say(format_args!("{} rows are sealed with a new key", sealed?));
        }
    }
    Ok(())
}

/// A fact on one line: number, day, whom it is about, who may hear of it, how it
/// was learned, and what it is.
fn line(fact: &Fact) -> String {
    let learned = &fact.learned;
    let about = match learned.about {
        Some(user) => format!("about {user}"),
        None => "about the server".to_owned(),
    };
    let audience = match learned.audience {
        Audience::Scope => "for everybody".to_owned(),
        Audience::Channel(channel) => format!("for channel {channel}"),
    };
    let source = match (learned.source, learned.author) {
        (source, Some(author)) => format!("{} by {author}", source.name()),
        (source, None) => source.name().to_owned(),
    };
    let until = learned.expires_at.map(|at| format!(", until {}", day(at)));
    let until = until.unwrap_or_default();
    // A newline in it could pass for another fact.
    let text: String = learned
        .text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    format!(
        "{}  {}{until}  {about}, {audience}, {source}: {text}",
        fact.id,
        day(learned.learned_at)
    )
}

fn day(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or_default();
    at.strftime("%Y-%m-%d").to_string()
}

pub(crate) async fn privacy(command: PrivacyCommand) -> Result<()> {
    match command {
        PrivacyCommand::OptOut { home, user } => {
            let (_, store) = enter(&home, OPTING).await?;
            let changed = store.opt_out(user, SystemClock.now()).await;
            store.close().await?;
            console::say(match changed? {
                true => format!(
                    "{user} is never read again. `kaiwa erase --user {user}` deletes what there is"
                ),
                false => format!("{user} was opted out before"),
            });
        }
        PrivacyCommand::OptIn { home, user } => {
            let (_, store) = enter(&home, OPTING).await?;
            let changed = store.opt_in(user).await;
            store.close().await?;
            console::say(match changed? {
                true => format!("{user} is read again"),
                false => format!("{user} had not opted out"),
            });
        }
        PrivacyCommand::List { home } => {
            let (_, store) = enter(&home, OPTING).await?;
            let users = store.opted_out().await;
            store.close().await?;
            for user in users? {
                console::print(user);
            }
        }
    }
    Ok(())
}
