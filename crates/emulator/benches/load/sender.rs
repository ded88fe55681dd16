//! Somebody who writes.

use std::time::Instant;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::served::Target;

/// A connection that posts one message after the other.
pub(crate) struct Sender {
    stream: TcpStream,
    target: Target,
    answer: Vec<u8>,
}

impl Sender {
    pub(crate) async fn new(target: &Target) -> Self {
        let stream = TcpStream::connect(&target.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            target: target.clone(),
            answer: Vec::new(),
        }
    }

    /// Posts a message that says when it was to be sent, as the person of that
    /// number.
    pub(crate) async fn post(&mut self, channel: &str, person: usize, due: Instant) {
        let due = due.saturating_duration_since(self.target.begun).as_micros();
        let body = format!(r#"{{"content":"{due}"}}"#);
        let Target {
            tokens, address, ..
        } = &self.target;
        let request = format!(
            "POST /api/v10/channels/{channel}/messages HTTP/1.1\r\nhost: {address}\r\nauthorization: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            tokens[person % tokens.len()],
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.answer.clear();
        loop {
            assert_ne!(self.stream.read_buf(&mut self.answer).await.unwrap(), 0);
            let text = String::from_utf8_lossy(&self.answer);
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            assert!(head.starts_with("HTTP/1.1 200"), "{text}");
            let length = head.split_once("content-length: ").unwrap().1;
            let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
            if body.len() >= length {
                return;
            }
        }
    }
}
