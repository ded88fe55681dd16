//! The text engine on JSON lines: one row in, one row out.

mod picture;
mod row;

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use kaiwa_domain::Outgoing;
use kaiwa_pipeline::admit::stop::judge_stop;
use kaiwa_pipeline::brief::sanitize::{SanitizeReason, sanitize};
use kaiwa_pipeline::deliver::explain::Change;
use kaiwa_pipeline::deliver::{Degree, Deliverer, DeliverySettings, Speech, chunk};
use serde_json::{Value, json};

use crate::args::{ChunkArgs, StreamArgs, TextCommand};
use crate::{console, exit};
use row::{InputRow, Wrong};

/// Runs a command of the text engine from standard input to standard output.
pub(crate) fn text(command: &TextCommand) -> Result<ExitCode> {
    if let TextCommand::Explain(args) = command {
        let text = std::fs::read_to_string(&args.file);
        let text = text.with_context(|| format!("cannot read {}", args.file.display()))?;
        let picture = picture::draw(&text, args.max.into(), args.delta.into());
        return match std::io::stdout().lock().write_all(picture.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(ExitCode::SUCCESS),
        };
    }
    let input = BufReader::new(std::io::stdin().lock());
    let output = BufWriter::new(std::io::stdout().lock());
    let done = match command {
        TextCommand::Chunk(args) => each_row(input, output, |row| chunk_row(row, args)),
        TextCommand::Stream(args) => each_row(input, output, |row| stream_row(row, args)),
        TextCommand::Explain(_) => Ok(true),
        TextCommand::Stop => each_row(input, output, stop_row),
        TextCommand::Sanitize => each_row(input, output, sanitize_row),
    };
    match done {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::from(exit::NEEDS_A_PERSON)),
        // Nobody reads any more, as behind `| head`.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let written = error.downcast_ref::<io::Error>();
    written.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Answers each row in turn, and says on standard error what is wrong with
/// those that cannot be. Returns whether all could.
fn each_row(
    mut input: impl BufRead,
    mut output: impl Write,
    mut answer: impl FnMut(InputRow) -> Result<InputRow, Wrong>,
) -> Result<bool> {
    let mut line = Vec::new();
    let mut number = 0_u64;
    let mut all_well = true;
    loop {
        line.clear();
        if input
            .read_until(b'\n', &mut line)
            .context("standard input")?
            == 0
        {
            output.flush().context("standard output")?;
            return Ok(all_well);
        }
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match InputRow::read(&line).and_then(&mut answer) {
            Ok(row) => {
                serde_json::to_writer(&mut output, &row)
                    .map_err(io::Error::from)
                    .context("standard output")?;
                output.write_all(b"\n").context("standard output")?;
            }
            Err(wrong) => {
                all_well = false;
                console::say(format_args!("line {number}: {wrong}"));
            }
        }
    }
}

fn settings(row: &InputRow) -> Result<DeliverySettings, Wrong> {
    let defaults = DeliverySettings::default();
    Ok(DeliverySettings {
        degree: row.degree()?.unwrap_or_default(),
        max: row.max()?.unwrap_or(defaults.max),
        dialect: false,
        tables: false,
        ..defaults
    })
}

fn chunk_row(mut row: InputRow, args: &ChunkArgs) -> Result<InputRow, Wrong> {
    let text = row.text("input")?;
    let settings = DeliverySettings {
        dialect: args.dialect,
        humanize: args.humanize,
        explain: args.explain,
        ..settings(&row)?
    };
    let chunked = chunk(&text, &settings);
    row.set("output", &chunked.messages)?;
    if args.explain {
        row.set("explained", &explained(&chunked.explained))?;
    }
    Ok(row)
}

fn stream_row(mut row: InputRow, args: &StreamArgs) -> Result<InputRow, Wrong> {
    let deltas = row.texts("deltas")?.ok_or(Wrong::Missing("deltas"))?;
    let settings = DeliverySettings {
        dialect: args.dialect,
        tables: args.tables,
        humanize: args.humanize,
        explain: true,
        speech: Speech {
            own_names: row.names("self")?,
            other_names: row.names("speakers")?,
            ..Speech::default()
        },
        ..settings(&row)?
    };
    let mut deliverer = Deliverer::new(settings);
    let mut messages = Vec::new();
    let note = |after: usize, given: Vec<Outgoing>, messages: &mut Vec<Value>| {
        messages.extend(given.into_iter().map(|outgoing| match outgoing {
            Outgoing::Say(text) | Outgoing::Rest(text) => {
                json!({ "after_delta": after, "text": text })
            }
            Outgoing::Table(table) => json!({ "after_delta": after, "table": table.source() }),
            Outgoing::Sticker(sticker) => json!({ "after_delta": after, "sticker": sticker.name }),
            Outgoing::File(file) => {
                json!({ "after_delta": after, "file": file.name(), "text": file.text() })
            }
        }));
    };
    for (index, delta) in deltas.iter().enumerate() {
        note(index + 1, deliverer.push(delta), &mut messages);
    }
    note(deltas.len(), deliverer.finish(), &mut messages);
    row.remove("deltas");
    row.set("messages", &messages)?;
    row.set("thoughts", &deliverer.take_thoughts())?;
    row.set("details", &deliverer.take_details())?;
    let changes = deliverer.take_explained();
    let removals = changes.iter().filter(|change| change.is_removal());
    let removed: Vec<Value> = removals
        .map(|removal| json!({ "reason": removal.reason.name(), "text": removal.removed }))
        .collect();
    row.set("removed", &removed)?;
    if args.explain {
        row.set("explained", &explained(&changes))?;
    }
    Ok(row)
}

/// The bot's name in rows that do not say it.
const NAME: &str = "Kaiwa";

fn stop_row(mut row: InputRow) -> Result<InputRow, Wrong> {
    let text = row.text("text")?;
    let addressed = row.flag("addressed")?.unwrap_or(true);
    let name = match row.value("name")? {
        None | Some(Value::Null) => NAME.to_owned(),
        Some(_) => row.text("name")?,
    };
    let (stop, why) = match judge_stop(&text, &name, addressed) {
        Ok(reason) => (true, reason.name()),
        Err(reason) => (false, reason.name()),
    };
    row.keep("id");
    row.set("stop", &stop)?;
    row.set("why", &why)?;
    Ok(row)
}

fn sanitize_row(mut row: InputRow) -> Result<InputRow, Wrong> {
    let sanitized = sanitize(&row.text("text")?);
    row.set("text", &sanitized.text)?;
    let changed = sanitized.changed.into_iter().map(SanitizeReason::name);
    row.set("changed", &changed.collect::<Vec<_>>())?;
    Ok(row)
}

fn explained(explained: &[Change]) -> Vec<Value> {
    explained
        .iter()
        .map(|entry| {
            json!({
                "at": entry.at,
                "reason": entry.reason.name(),
                "removed": entry.removed,
                "inserted": entry.inserted,
            })
        })
        .collect()
}

impl InputRow {
    fn degree(&self) -> Result<Option<Degree>, Wrong> {
        self.number("degree")?
            .map(|number| {
                Degree::from_number(number).ok_or(Wrong::Type("degree", "a number from 0 to 3"))
            })
            .transpose()
    }

    fn max(&self) -> Result<Option<usize>, Wrong> {
        let wrong = Wrong::Type("max", "a number from 2 to 2000");
        match self.number("max")? {
            None => Ok(None),
            Some(max @ 2..=2000) => Ok(usize::try_from(max).ok()),
            Some(_) => Err(wrong),
        }
    }

    /// A name or a list of names; none if absent.
    fn names(&self, field: &'static str) -> Result<Vec<String>, Wrong> {
        match self.value(field)? {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(name)) => Ok(vec![name]),
            Some(_) => self
                .texts(field)
                .map(Option::unwrap_or_default)
                .map_err(|_| Wrong::Type(field, "a name or a list of names")),
        }
    }
}

#[cfg(test)]
mod tests;
