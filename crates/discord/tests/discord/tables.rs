//! Tables and files: as attachments, and as text where there can be none.

use std::sync::Arc;

use kaiwa_domain::limits::MESSAGE_TARGET_UTF16;
use kaiwa_domain::port::{Picture, TablePainter, Unpaintable};
use kaiwa_domain::{Effect, File, MessageId, Outgoing, Table};
use serde_json::{Value, json};

use super::fake::{Fake, Reply, Request};
use super::rest::{show, shown};

/// Paints everything alike.
pub struct Stencil(pub Result<Picture, Unpaintable>);

impl TablePainter for Stencil {
    fn paint(&self, _: &Table) -> Result<Picture, Unpaintable> {
        self.0.clone()
    }
}

pub fn picture(table: &Table) -> Picture {
    // The beginning of a PNG of 3 by 2, with bytes that could confuse a form.
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x03\0\0\0\x02".to_vec();
    png.extend_from_slice(b"\r\n--kaiwa-\r\n\r\n--\0\xff");
    Picture {
        png,
        width: 3,
        height: 2,
        alt: table.alt(),
    }
}

fn table(rows: usize) -> Table {
    Table::parse(&format!(
        "| \"key\" | value |\n|---|---|\n{}",
        "| some | thing |\n".repeat(rows)
    ))
    .unwrap()
}

fn table_post(table: &Table) -> Effect {
    shown(5, Some(36), Outgoing::Table(table.clone()))
}

fn posted(id: u64) -> Reply {
    Reply::json(200, &json!({"id": id.to_string()}))
}

/// The parts of a form, by their heads.
fn form(request: &Request) -> Vec<(String, Vec<u8>)> {
    let kind = request.headers["content-type"].to_str().unwrap();
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let body: String = request.body.iter().copied().map(char::from).collect();
    let body = body
        .strip_suffix(&format!("\r\n--{boundary}--\r\n"))
        .unwrap();
    format!("\r\n{body}")
        .split(&format!("\r\n--{boundary}\r\n"))
        .skip(1)
        .map(|part| {
            let (head, content) = part.split_once("\r\n\r\n").unwrap();
            (head.to_owned(), content.chars().map(|c| c as u8).collect())
        })
        .collect()
}

#[tokio::test]
async fn a_table_is_posted_as_a_picture_with_a_description() {
    let table = table(2);
    let painted = picture(&table);
    let (fake, rest, _) = Fake::start([posted(77)]).await;
    let rest = rest.with_painter(Arc::new(Stencil(Ok(painted.clone()))));
    let outcome = show(&rest, &table_post(&table)).await;
    assert_eq!(outcome, Ok(MessageId::new(77)));
    let requests = fake.requests();
    assert_eq!(requests[0].path, "/api/v10/channels/5/messages");
    let parts = form(&requests[0]);
    assert_eq!(
        parts[0].0,
        "Content-Disposition: form-data; name=\"payload_json\"\r\nContent-Type: application/json"
    );
    let message: Value = serde_json::from_slice(&parts[0].1).unwrap();
    assert_eq!(
        message,
        json!({
            "nonce": "0000000000001000000001",
            "enforce_nonce": true,
            "allowed_mentions": {"parse": [], "replied_user": false},
            "message_reference": {"message_id": "36", "fail_if_not_exists": false},
            "attachments": [{
                "id": 0,
                "filename": "table.png",
                "description": "Table with 2 rows. Columns: \"key\", value.",
            }],
        })
    );
    assert_eq!(
        parts[1],
        (
            "Content-Disposition: form-data; name=\"files[0]\"; filename=\"table.png\"\r\nContent-Type: image/png".to_owned(),
            painted.png
        )
    );
}

#[tokio::test]
async fn what_cannot_be_painted_is_text_and_ends_with_the_nonce() {
    let table = table(300);
    let texts = table.as_text(MESSAGE_TARGET_UTF16);
    assert!(texts.len() > 2);
    let replies = (0..).map(|id| posted(70 + id)).take(texts.len());
    let (fake, rest, _) = Fake::start(replies).await;
    let rest = rest.with_painter(Arc::new(Stencil(Err(Unpaintable::TooLarge))));
    let outcome = show(&rest, &table_post(&table)).await;
    let last = texts.len() as u64 - 1;
    assert_eq!(outcome, Ok(MessageId::new(70 + last)));

    let sent: Vec<Value> = fake.requests().iter().map(Request::json).collect();
    let contents: Vec<&str> = sent
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(contents, texts);
    let nonces: Vec<&str> = sent
        .iter()
        .map(|message| message["nonce"].as_str().unwrap())
        .collect();
    assert_eq!(nonces[0], "00000000000010000000010");
    assert_eq!(nonces[1], "00000000000010000000011");
    assert_eq!(nonces.last(), Some(&"0000000000001000000001"));
    for (index, message) in sent.iter().enumerate() {
        assert_eq!(message.get("message_reference").is_some(), index == 0);
        assert_eq!(message["allowed_mentions"]["replied_user"], false);
    }
}

#[tokio::test]
async fn where_files_are_not_allowed_tables_are_text() {
    let table = table(1);
    let refusal = Reply::json(
        403,
        &json!({"code": 50013, "message": "Missing Permissions"}),
    );
    let (fake, rest, _) = Fake::start([refusal, posted(77), posted(78)]).await;
    let rest = rest.with_painter(Arc::new(Stencil(Ok(picture(&table)))));
    for id in [77, 78] {
        let outcome = show(&rest, &table_post(&table)).await;
        assert_eq!(outcome, Ok(MessageId::new(id)));
    }
    let requests = fake.requests();
    assert_eq!(requests.len(), 3, "the refusal is remembered");
    for request in &requests[1..] {
        assert_eq!(
            request.json()["content"],
            table.as_text(MESSAGE_TARGET_UTF16)[0]
        );
    }
}

#[tokio::test]
async fn without_a_painter_tables_are_text() {
    let (fake, rest, _) = Fake::start([posted(77)]).await;
    show(&rest, &table_post(&table(1))).await.unwrap();
    assert!(
        fake.requests()[0].json()["content"]
            .as_str()
            .unwrap()
            .starts_with("```\n")
    );
}

fn file_post(file: &File) -> Effect {
    shown(5, Some(36), Outgoing::File(file.clone()))
}

#[tokio::test]
async fn a_file_is_posted_with_its_name_and_pings_nobody() {
    // It holds what ends a part of a form, were the boundary not chosen well.
    let code = "@everyone\r\n--kaiwa-000000000001000000000001-kaiwa--\r\nlet é = 1;\n";
    let file = File::new("code.rs", code).unwrap();
    let (fake, rest, _) = Fake::start([posted(77)]).await;
    let outcome = show(&rest, &file_post(&file)).await;
    assert_eq!(outcome, Ok(MessageId::new(77)));
    let parts = form(&fake.requests()[0]);
    let message: Value = serde_json::from_slice(&parts[0].1).unwrap();
    assert_eq!(
        message["allowed_mentions"],
        json!({"parse": [], "replied_user": false})
    );
    assert_eq!(message["message_reference"]["message_id"], "36");
    assert_eq!(
        message["attachments"],
        json!([{"id": 0, "filename": "code.rs", "description": "code.rs, 3 lines"}])
    );
    assert_eq!(
        parts[1],
        (
            "Content-Disposition: form-data; name=\"files[0]\"; filename=\"code.rs\"\r\nContent-Type: text/plain; charset=utf-8".to_owned(),
            code.as_bytes().to_vec()
        )
    );
}

#[tokio::test]
async fn where_files_are_not_allowed_code_is_text() {
    let file = File::new("code.rs", &"let a = 1;\n".repeat(400)).unwrap();
    let refusal = Reply::json(
        403,
        &json!({"code": 50013, "message": "Missing Permissions"}),
    );
    let texts = file.as_text(MESSAGE_TARGET_UTF16);
    assert!(texts.len() > 1);
    let replies = (0..).map(|id| posted(70 + id)).take(texts.len());
    let (fake, rest, _) = Fake::start([refusal].into_iter().chain(replies)).await;
    show(&rest, &file_post(&file)).await.unwrap();
    let requests = fake.requests();
    let sent: Vec<Value> = requests[1..].iter().map(Request::json).collect();
    let contents: Vec<&str> = sent
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(contents, texts);
}
