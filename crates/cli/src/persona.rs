//! `kaiwa persona`: who speaks, beside the bot itself.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use kaiwa_card::{CharacterCard, FILE_BYTES};
use kaiwa_domain::port::{Clock, Database, PersonaChange};
use kaiwa_domain::{Persona, Scope};
use kaiwa_picture::portrait;
use kaiwa_runtime::SystemClock;

use crate::args::PersonaCommand;
use crate::offline::{enter, shown};
use crate::{console, exit};

/// What is done here with personas.
const DOING: &str = "personas are read and changed";

pub(crate) async fn persona(command: PersonaCommand) -> Result<()> {
    match command {
        PersonaCommand::List { home } => {
            let scope = home.scope.scope()?;
            let (_, store) = enter(&home.data, DOING).await?;
            let personas = store.personas(scope).await;
            store.close().await?;
            for persona in &personas? {
                console::print(line(persona));
            }
        }
        PersonaCommand::Import {
            home,
            file,
            replace,
        } => {
            let scope = home.scope.scope()?;
            let card = read(&file)?;
            let (_, store) = enter(&home.data, DOING).await?;
            let imported = import(&*store, scope, card, replace.as_deref()).await;
            store.close().await?;
            let (name, left_out) = imported?;
            console::say(format_args!("{name} speaks in {}", shown(scope)));
            for what in left_out {
                console::say(format_args!("left out: {what}"));
            }
        }
        PersonaCommand::Export {
            home,
            name,
            format,
            out,
        } => {
            let scope = home.scope.scope()?;
            let (_, store) = enter(&home.data, DOING).await?;
            let read = async {
                let persona = find(&*store, scope, &name).await?;
                let mut pictures = HashMap::new();
                for id in persona.pictures() {
                    if let Some(bytes) = store.picture(scope, persona.id, id).await? {
                        pictures.insert(id, bytes);
                    }
                }
                Ok::<_, anyhow::Error>((persona, pictures))
            };
            let read = read.await;
            store.close().await?;
            let (persona, pictures) = read?;
            let card = kaiwa_card::write(&persona, &pictures, format.card())
                .map_err(|error| exit::needs_a_person(error.to_string()))?;
            let mut file = File::create_new(&out)
                .with_context(|| format!("cannot write {}", out.display()))
                .map_err(|error| exit::needs_a_person(format!("{error:#}")))?;
            file.write_all(&card)
                .with_context(|| format!("cannot write {}", out.display()))?;
            console::say(format_args!("{} is in {}", persona.name, out.display()));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<CharacterCard> {
    let shown = path.display();
    let unreadable = |error: std::io::Error| {
        exit::needs_a_person(format!("cannot read the card {shown}: {error}"))
    };
    // Looked at before it is opened: opening a pipe would wait for a writer.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        bail!(exit::needs_a_person(format!(
            "the card {shown} is not a file"
        )));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    kaiwa_card::read(&bytes)
        .map_err(|error| exit::needs_a_person(format!("the card {shown} cannot be used: {error}")))
}

async fn find(store: &dyn Database, scope: Scope, name: &str) -> Result<Persona> {
    let personas = store.personas(scope).await?;
    let found = personas.into_iter().find(|it| it.is_called(name));
    found.ok_or_else(|| {
        exit::needs_a_person(format!(
            "there is no persona {name:?} of {}: `kaiwa persona list` shows those there are",
            shown(scope)
        ))
    })
}

/// Keeps the persona of a card, and says its name and what was left out.
async fn import(
    store: &dyn Database,
    scope: Scope,
    card: CharacterCard,
    replace: Option<&str>,
) -> Result<(String, Vec<String>)> {
    let (mut persona, pictures, left_out) = card.fitted(|file| portrait(file).ok());
    if let Some(name) = replace {
        persona.id = find(store, scope, name).await?.id;
    }
    let change = PersonaChange {
        scope,
        persona: &persona,
        pictures: &pictures,
        by: None,
        at: SystemClock.now(),
    };
    match replace {
        Some(_) => drop(store.save_persona(&change).await?),
        None => drop(store.add_persona(&change).await?),
    }
    let left_out = left_out.iter().map(ToString::to_string).collect();
    Ok((persona.name, left_out))
}

/// A persona on one line: number, name, words that address it.
fn line(persona: &Persona) -> String {
    let mut line = format!("{}  {}", persona.id, persona.name);
    if !persona.triggers.is_empty() {
        line.push_str(&format!("  ({})", persona.triggers.join(", ")));
    }
    if let Some(degree) = persona.degree {
        line.push_str(&format!(", degree {degree}"));
    }
    if let Some(model) = &persona.model {
        line.push_str(&format!(", {model}"));
    }
    line
}
