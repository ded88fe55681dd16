//! `kaiwa persona`: who speaks, beside the bot itself.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use kaiwa_card::{CardError, CharacterCard, FILE_BYTES, Preset, read_preset};
use kaiwa_domain::port::{Clock, Database, PersonaChange};
use kaiwa_domain::{CARD_PIXELS, CardFormat, Persona, PersonaId, Scope, StoreError};
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
            let card = read(&file, replace.is_some())?;
            let (_, store) = enter(&home.data, DOING).await?;
            let imported = match card {
                Imported::Card(card) => import(&*store, scope, *card, replace.as_deref()).await,
                Imported::Preset(preset) => {
                    let name = replace.as_deref().unwrap_or_default();
                    put_before(&*store, scope, &preset, name).await
                }
            };
            store.close().await?;
            let (told, left_out) = imported?;
            console::say(told);
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
            if format.card() == CardFormat::V2 && persona.pictures().next().is_some() {
                console::say(
                    "its pictures are not in it: version 2 has no place for them, and png, v3, \
                     charx and toml have",
                );
            }
        }
    }
    Ok(())
}

/// What a file holds for a persona.
enum Imported {
    Card(Box<CharacterCard>),
    Preset(Preset),
}

/// Reads a file; a preset only for a persona that is there.
fn read(path: &Path, has_persona: bool) -> Result<Imported> {
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
    let read = match kaiwa_card::read(&bytes) {
        Err(CardError::Preset) if has_persona => read_preset(&bytes).map(Imported::Preset),
        read => read.map(|card| Imported::Card(Box::new(card))),
    };
    read.map_err(|error| {
        let how = match error {
            CardError::Preset => ", with --replace NAME",
            _ => "",
        };
        exit::needs_a_person(format!("the card {shown} cannot be used: {error}{how}"))
    })
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

/// Keeps the persona of a card, and says so with what was left out.
async fn import(
    store: &dyn Database,
    scope: Scope,
    card: CharacterCard,
    replace: Option<&str>,
) -> Result<(String, Vec<String>)> {
    let mut pixels = CARD_PIXELS;
    let (mut persona, pictures, left_out) = card.fitted(|file| portrait(file, &mut pixels).ok());
    if let Some(name) = replace {
        let before = find(store, scope, name).await?;
        persona.id = before.id;
        // The bot itself keeps its name.
        if before.id == PersonaId::MAIN {
            persona.name = before.name;
        }
    }
    let change = change(scope, &persona, &pictures);
    match replace {
        Some(_) => {
            store.save_persona(&change).await.map_err(refused)?;
        }
        None => {
            let personas = store.personas(scope).await?;
            if let Some(there) = personas.iter().find(|it| it.is_called(&persona.name)) {
                bail!(exit::needs_a_person(format!(
                    "there is a persona {0:?} in {1} already: --replace {0:?} puts the card in its place",
                    there.name,
                    shown(scope)
                )));
            }
            store.add_persona(&change).await.map_err(refused)?;
        }
    }
    let left_out = left_out.iter().map(ToString::to_string).collect();
    let told = format!("{} speaks in {}", persona.name, shown(scope));
    Ok((told, left_out))
}

/// What the database does not take is changed by a person, or not at all.
fn refused(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Conflict { reason } => exit::needs_a_person(reason),
        error => error.into(),
    }
}

/// Lets a persona speak as a preset says.
async fn put_before(
    store: &dyn Database,
    scope: Scope,
    preset: &Preset,
    name: &str,
) -> Result<(String, Vec<String>)> {
    let persona = preset.before(&find(store, scope, name).await?);
    let checked = persona.check();
    checked.map_err(|error| exit::needs_a_person(format!("with the preset, {error}")))?;
    let saved = store.save_persona(&change(scope, &persona, &[])).await;
    saved.map_err(refused)?;
    let left_out = match preset.left_out.is_empty() {
        true => Vec::new(),
        false => vec![preset.left_out.join(", ")],
    };
    let told = format!("what the preset says is part of {} now", persona.name);
    Ok((told, left_out))
}

fn change<'a>(scope: Scope, persona: &'a Persona, pictures: &'a [Vec<u8>]) -> PersonaChange<'a> {
    PersonaChange {
        scope,
        persona,
        pictures,
        by: None,
        at: SystemClock.now(),
    }
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
