//! A model's server that says exactly what the test tells it to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::terminal::PATIENCE;

/// What a server was asked.
#[derive(Debug)]
pub(crate) struct Request {
    /// Like `POST /v1/chat/completions`.
    pub(crate) line: String,
    headers: Vec<String>,
    pub(crate) body: String,
}

impl Request {
    /// The value of a header named in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|header| {
            let (key, value) = header.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// What it answers.
pub(crate) struct Reply {
    status: u16,
    content_type: &'static str,
    body: String,
    /// Whether there is more to come, which never comes.
    endless: bool,
}

impl Reply {
    pub(crate) fn new(status: u16, content_type: &'static str, body: &str) -> Self {
        Self {
            status,
            content_type,
            body: body.to_owned(),
            endless: false,
        }
    }

    pub(crate) fn json(status: u16, body: &str) -> Self {
        Self::new(status, "application/json", body)
    }

    /// OpenAI's chat, saying `text`.
    pub(crate) fn chat(text: &str) -> Self {
        let piece = serde_json::json!({"choices": [{"delta": {"content": text}}]});
        let last = serde_json::json!({
            "choices": [{"delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        });
        let body = format!("data: {piece}\n\ndata: {last}\n\ndata: [DONE]\n\n");
        Self::new(200, "text/event-stream", &body)
    }

    /// The beginning of an answer without an end.
    pub(crate) fn endless(text: &str) -> Self {
        let piece = serde_json::json!({"choices": [{"delta": {"content": text}}]});
        Self {
            endless: true,
            ..Self::new(200, "text/event-stream", &format!("data: {piece}\n\n"))
        }
    }
}

/// A server on a port of its own. Its threads end with the process.
pub(crate) struct Server {
    pub(crate) base_url: String,
    requests: Receiver<Request>,
    left: Receiver<()>,
}

impl Server {
    pub(crate) fn start(reply: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (asked, requests) = channel();
        let (leaving, left) = channel();
        let reply = Arc::new(reply);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (reply, asked, leaving) = (reply.clone(), asked.clone(), leaving.clone());
                thread::spawn(move || {
                    let _ = serve(stream, &*reply, &asked, &leaving);
                });
            }
        });
        Self {
            base_url,
            requests,
            left,
        }
    }

    /// The next request that arrived.
    pub(crate) fn request(&self) -> Request {
        self.requests.recv_timeout(PATIENCE).unwrap()
    }

    /// The requests that arrived so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.try_iter().collect()
    }

    /// Waits until a client has closed the connection of an endless reply.
    pub(crate) fn client_left(&self) {
        self.left.recv_timeout(PATIENCE).unwrap();
    }
}

fn serve(
    mut stream: TcpStream,
    reply: &(impl Fn(&Request) -> Reply + ?Sized),
    asked: &Sender<Request>,
    leaving: &Sender<()>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut request = Request {
        line: line.rsplit_once(' ').unwrap_or_default().0.to_owned(),
        headers: Vec::new(),
        body: String::new(),
    };
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        match header.trim() {
            "" => break,
            header => request.headers.push(header.to_owned()),
        }
    }
    let length = request.header("content-length").unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8(body).unwrap();

    let reply = reply(&request);
    asked.send(request).unwrap();
    let length = match reply.endless {
        true => String::new(),
        false => format!("content-length: {}\r\n", reply.body.len()),
    };
    write!(
        stream,
        "HTTP/1.1 {} -\r\ncontent-type: {}\r\n{length}connection: close\r\n\r\n{}",
        reply.status, reply.content_type, reply.body
    )?;
    stream.flush()?;
    if reply.endless {
        // Ends when the client closes, well or badly.
        let _ = reader.read(&mut [0]);
        let _ = leaving.send(());
    }
    Ok(())
}
