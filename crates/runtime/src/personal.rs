//! What is kept about somebody, as a file that they can read.

use kaiwa_domain::port::{Erasure, ResponseFile};
use kaiwa_domain::{DataSubject, Export, ExportCell, ExportTable, PersonalFile, StoreError};
use serde_json::{Map, Value, json};

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

/// Reads what belongs into a file.
pub(crate) async fn file(
    erasure: &dyn Erasure,
    file: PersonalFile,
) -> Result<ResponseFile, StoreError> {
    let (PersonalFile::Everything(user) | PersonalFile::Facts(user)) = file;
    let subject = DataSubject::User(user);
    let mut export = erasure.export(subject).await?;
    let name = match file {
        PersonalFile::Everything(_) => "kaiwa-data.json",
        PersonalFile::Facts(_) => {
            export.tables.retain(|table| table.name == "fact");
            "kaiwa-memory.json"
        }
    };
    Ok(ResponseFile {
        name,
        text: fitting(subject, export),
    })
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
