//! The least that could answer: it reads the same streams and posts each line
//! as it ends.
//!
//! No journal, no history, nothing to stop, no markdown, and a line is lost with
//! the process. What it takes is what the machine, the model and Discord take,
//! and what Kaiwa takes more is what Kaiwa adds.

use std::io::stdin;
use std::process::ExitCode;
use std::sync::Arc;

use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::model::NUMBER;

/// What a relay is told on its standard input.
#[derive(Serialize, Deserialize)]
pub(crate) struct RelayOrders {
    /// Where Discord is.
    pub(crate) discord: String,
    pub(crate) token: String,
    /// Where the model is.
    pub(crate) model: String,
    pub(crate) channels: Vec<String>,
}

pub(crate) fn main() -> ExitCode {
    let orders = serde_json::from_reader(stdin()).expect("orders");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(relay(orders));
    ExitCode::SUCCESS
}

/// Asks the model once for each channel.
async fn relay(orders: RelayOrders) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build();
    let client = client.expect("a client");
    let orders = Arc::new(orders);
    let answers = (0..orders.channels.len())
        .map(|number| answer(client.clone(), orders.clone(), number))
        .collect::<JoinSet<()>>();
    answers.join_all().await;
}

async fn answer(client: reqwest::Client, orders: Arc<RelayOrders>, number: usize) {
    let question = format!("{NUMBER}{number}.");
    let asked = client
        .post(format!("{}/chat/completions", orders.model))
        .json(&json!({"stream": true, "messages": [{"role": "user", "content": question}]}))
        .send();
    let mut answer = asked.await.expect("a model").bytes_stream();
    let (mut unread, mut line) = (Vec::new(), String::new());
    while let Some(piece) = answer.next().await {
        unread.extend_from_slice(&piece.expect("a piece"));
        while let Some(end) = memchr::memchr(b'\n', &unread) {
            let row: Vec<u8> = unread.drain(..=end).collect();
            let Some(data) = row.strip_prefix(b"data: {") else {
                continue;
            };
            let data: Value = serde_json::from_slice(&[b"{", data].concat()).expect("JSON");
            let choice = &data["choices"][0];
            // A line is over when the next begins, as it is for Kaiwa.
            if line.ends_with('\n') {
                let text = std::mem::take(&mut line);
                post(&client, &orders, number, text.trim_end()).await;
            }
            line.push_str(choice["delta"]["content"].as_str().unwrap_or_default());
        }
    }
}

async fn post(client: &reqwest::Client, orders: &RelayOrders, number: usize, text: &str) {
    let channel = &orders.channels[number];
    let posted = client
        .post(format!("{}/channels/{channel}/messages", orders.discord))
        .header("authorization", format!("Bot {}", orders.token))
        .json(&json!({"content": text, "allowed_mentions": {"parse": []}}))
        .send();
    let posted = posted.await.expect("Discord");
    assert!(posted.status().is_success(), "{}", posted.status());
}
