//! What is kept about somebody, a persona or a table, as a file.

use std::collections::HashMap;

use kaiwa_domain::port::{Personas, ResponseFile};
use kaiwa_domain::{
    CardFormat, DataSubject, Export, ExportCell, ExportTable, OfferId, Persona, PersonaId,
    PersonalFile, Scope, StoreError,
};
use serde_json::{Map, Value, json};

use crate::Bot;

/// The largest file, in bytes: Discord takes ten million.
const LARGEST: usize = 9_000_000;

/// The tables that hold most, and are left out first: what models were told,
/// and what was posted.
const LEFT_OUT: [&str; 2] = ["snapshot", "effect"];

/// The document that shows an export.
pub fn export_document(subject: DataSubject, export: &Export) -> Value {
    let tables: Map<String, Value> = export
        .tables
        .iter()
        .map(|table| (table.name.clone(), rows(table)))
        .collect();
    json!({ "subject": subject.to_string(), "tables": tables })
}

fn rows(table: &ExportTable) -> Value {
    let row = |cells: &Vec<ExportCell>| {
        let cells = table.columns.iter().cloned().zip(cells.iter().map(value));
        Value::Object(cells.collect())
    };
    table.rows.iter().map(row).collect()
}

/// An id is a string: most readers of JSON lose the last digits of such numbers.
fn value(cell: &ExportCell) -> Value {
    match cell {
        ExportCell::Empty => Value::Null,
        ExportCell::Id(id) => id.to_string().into(),
        ExportCell::Number(number) => (*number).into(),
        ExportCell::Text(text) => text.clone().into(),
    }
}

/// Reads what belongs into a file, if there is anything.
pub(crate) async fn file(
    bot: &Bot,
    scope: Scope,
    file: PersonalFile,
) -> Result<Option<ResponseFile>, StoreError> {
    let (user, name, only) = match file {
        PersonalFile::Everything(user) => (user, "kaiwa-data.json", None),
        PersonalFile::Facts(user) => (user, "kaiwa-memory.json", Some("fact")),
        PersonalFile::Card(persona, format) => return card(bot, scope, persona, format).await,
        PersonalFile::Source(offer) => return source(bot, scope, offer).await,
    };
    let subject = DataSubject::User(user);
    let mut export = bot.erasure.export(subject).await?;
    if let Some(only) = only {
        export.tables.retain(|table| table.name == only);
    }
    Ok(Some(ResponseFile {
        name: name.to_owned(),
        bytes: fitting(subject, export).into_bytes(),
    }))
}

/// What a table was made from; none if nobody knows any more.
async fn source(
    bot: &Bot,
    scope: Scope,
    offer: OfferId,
) -> Result<Option<ResponseFile>, StoreError> {
    let offer = bot.offers.offer(scope, offer).await?;
    Ok(offer.map(|(offer, _)| ResponseFile {
        name: "table.md".to_owned(),
        bytes: offer.arguments.into_bytes(),
    }))
}

/// A persona as a card; none if it is gone or too large for one.
async fn card(
    bot: &Bot,
    scope: Scope,
    id: PersonaId,
    format: CardFormat,
) -> Result<Option<ResponseFile>, StoreError> {
    let kept = bot.personas.persona(scope, id).await?;
    let main = || Persona {
        name: bot.me.name.clone(),
        ..Persona::default()
    };
    let Some(persona) = kept.or_else(|| (id == PersonaId::MAIN).then(main)) else {
        return Ok(None);
    };
    let mut pictures = HashMap::new();
    for picture in persona.pictures() {
        if let Some(bytes) = bot.personas.picture(scope, id, picture).await? {
            pictures.insert(picture, bytes);
        }
    }
    let written = tokio::task::spawn_blocking(move || {
        let name = file_name(&persona.name, format);
        let card = kaiwa_card::write(&persona, &pictures, format);
        card.map(|bytes| ResponseFile { name, bytes })
    });
    Ok(match written.await {
        Ok(Ok(file)) => Some(file),
        Ok(Err(error)) => {
            tracing::info!(%error, "a persona is too large for a card");
            None
        }
        Err(_) => None,
    })
}

/// What the card of somebody is called, in letters that every system takes.
fn file_name(name: &str, format: CardFormat) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => '-',
    };
    let name: String = name.chars().take(40).map(plain).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => format!("persona.{}", format.extension()),
        false => format!("{}.{}", parts.join("-"), format.extension()),
    }
}

/// The document, without what makes it too large. What is missing is named.
fn fitting(subject: DataSubject, mut export: Export) -> String {
    let mut left_out: Vec<&str> = Vec::new();
    loop {
        let mut document = export_document(subject, &export);
        if !left_out.is_empty() {
            document["left_out"] = json!(left_out);
        }
        let text = format!("{document:#}");
        let next = LEFT_OUT.get(left_out.len());
        match next {
            Some(table) if text.len() > LARGEST => {
                left_out.push(table);
                export.tables.retain(|it| it.name != *table);
            }
            _ => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::UserId;

    fn table(name: &str, text: String) -> ExportTable {
        ExportTable {
            name: name.to_owned(),
            columns: vec!["user".to_owned(), "body".to_owned()],
            rows: vec![vec![ExportCell::Id(u64::MAX), ExportCell::Text(text)]],
        }
    }

    #[test]
    fn what_is_too_large_is_named() {
        let subject = DataSubject::User(UserId::new(5));
        let small = Export {
            tables: vec![
                table("fact", "tea".to_owned()),
                table("snapshot", String::new()),
            ],
        };
        let document: Value = serde_json::from_str(&fitting(subject, small)).unwrap();
        let max = u64::MAX.to_string();
        assert_eq!(document["tables"]["fact"][0]["user"], max);
        assert_eq!(document["tables"]["snapshot"][0]["body"], "");
        let large = Export {
            tables: vec![
                table("fact", "tea".to_owned()),
                table("snapshot", "x".repeat(LARGEST)),
            ],
        };
        let document: Value = serde_json::from_str(&fitting(subject, large)).unwrap();
        assert_eq!(document["left_out"], json!(["snapshot"]));
        assert_eq!(document["tables"]["fact"][0]["body"], "tea");
    }
}
