//! An emulator that listens, and the clients that talk to it.

use std::{sync::Once, time::Duration};

use futures_util::{SinkExt, StreamExt};
use kaiwa_emulator::{Emulator, Ready, ReadyGuild, World};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{net::TcpListener, net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, protocol::CloseFrame},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Every intent.
pub(crate) const ALL: u64 = 0x331_ffff;

/// Nothing here waits by the clock; this only ends a test that hangs.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    match timeout(PATIENCE, future).await {
        Ok(value) => value,
        Err(_) => panic!("waited too long for {what}"),
    }
}

pub(crate) struct TestEmulator {
    pub(crate) emulator: Emulator,
    pub(crate) ready: Ready,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: TaskTracker,
    http: reqwest::Client,
}

/// What REST answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) json: Value,
}

impl TestEmulator {
    /// The Tea House without rate limits.
    pub(crate) async fn open() -> Self {
        Self::of(World::default().without_limits()).await
    }

    pub(crate) async fn of(world: World) -> Self {
        Self::serving(Emulator::new(world)).await
    }

    pub(crate) async fn serving(emulator: Emulator) -> Self {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        emulator.announce(listener.local_addr().unwrap());
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let serving = emulator
            .clone()
            .serve(listener, axum::Router::new(), stop.clone());
        tasks.spawn(async move { serving.await.unwrap() });
        Self {
            ready: emulator.ready(),
            emulator,
            stop,
            tasks,
            http: reqwest::Client::new(),
        }
    }

    pub(crate) fn channel(&self, name: &str) -> &str {
        &self.ready.channels[name]
    }

    /// A channel by the name of its guild and its own.
    pub(crate) fn channel_of(&self, guild: &str, name: &str) -> &str {
        &self.guild(guild).channels[name]
    }

    pub(crate) fn guild(&self, name: &str) -> &ReadyGuild {
        let mut guilds = self.ready.guilds.iter();
        guilds.find(|guild| guild.name == name).unwrap()
    }

    pub(crate) fn bot(&self) -> Caller<'_> {
        Caller {
            server: self,
            id: self.ready.bot.id.clone(),
            token: self.ready.bot.token.clone(),
            authorization: format!("Bot {}", self.ready.bot.token),
        }
    }

    /// One of several bots.
    pub(crate) fn bot_named(&self, name: &str) -> Caller<'_> {
        let mut bots = self.ready.bots.iter();
        let bot = bots.find(|bot| bot.name == name).unwrap();
        Caller {
            server: self,
            id: bot.id.clone(),
            token: bot.token.clone(),
            authorization: format!("Bot {}", bot.token),
        }
    }

    pub(crate) fn human(&self, name: &str) -> Caller<'_> {
        let user = self
            .ready
            .users
            .iter()
            .find(|user| user.name == name)
            .unwrap();
        Caller {
            server: self,
            id: user.id.clone(),
            token: user.token.clone(),
            authorization: user.token.clone(),
        }
    }

    pub(crate) async fn send(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<Reply, reqwest::Error> {
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await?;
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Ok(Reply {
            status,
            headers,
            json,
        })
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.ready.api_url))
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.http
    }
}

/// Somebody with a token.
pub(crate) struct Caller<'a> {
    pub(crate) server: &'a TestEmulator,
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) authorization: String,
}

impl Caller<'_> {
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.server
            .request(method, path)
            .header("authorization", &self.authorization)
    }

    pub(crate) async fn call(&self, method: Method, path: &str, body: Value) -> Reply {
        let mut request = self.request(method, path);
        if !body.is_null() {
            request = request.json(&body);
        }
        soon(path, self.server.send(request)).await.unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, Value::Null).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.call(Method::POST, path, body).await
    }

    /// Sends a message to a channel by its id and gives it back.
    pub(crate) async fn say(&self, channel: &str, content: &str) -> Value {
        let reply = self
            .post(
                &format!("/channels/{channel}/messages"),
                json!({ "content": content }),
            )
            .await;
        assert_eq!(reply.status, 200, "{:?}", reply.json);
        reply.json
    }

    /// Sends a message with one file.
    pub(crate) async fn upload(
        &self,
        channel: &str,
        content: &str,
        name: &str,
        file: &[u8],
    ) -> Reply {
        let payload = json!({ "content": content });
        let mut body = format!(
            "--b\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\r\n{payload}\r\n\
             --b\r\ncontent-disposition: form-data; name=\"files[0]\"; filename=\"{name}\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--b--\r\n");
        let request = self
            .request(Method::POST, &format!("/channels/{channel}/messages"))
            .header("content-type", "multipart/form-data; boundary=b")
            .body(body);
        soon("the upload", self.server.send(request)).await.unwrap()
    }

    pub(crate) async fn open_dm(&self, with: &str) -> String {
        let reply = self
            .post("/users/@me/channels", json!({ "recipient_id": with }))
            .await;
        assert_eq!(reply.status, 200, "{:?}", reply.json);
        reply.json["id"].as_str().unwrap().to_owned()
    }

    /// A gateway connection that has identified and seen its guilds.
    pub(crate) async fn join(&self, intents: u64) -> Gateway {
        let mut gateway = Gateway::connect(self.server, "").await;
        gateway.identify(&self.token, intents).await;
        let ready = gateway.event("READY").await;
        if intents & 1 == 1 {
            for _ in ready["guilds"].as_array().unwrap() {
                gateway.event("GUILD_CREATE").await;
            }
        }
        gateway
    }
}

enum Decoder {
    Plain,
    Zlib(flate2::Decompress),
    Zstd(zstd::stream::raw::Decoder<'static>),
}

/// A gateway client that reads frames one by one.
pub(crate) struct Gateway {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    decoder: Decoder,
    pub(crate) session: String,
    pub(crate) seq: u64,
}

impl Gateway {
    /// Connects as twilight does, with a slash before the query.
    pub(crate) async fn connect(server: &TestEmulator, compress: &str) -> Self {
        let mut query = "v=10&encoding=json".to_owned();
        if !compress.is_empty() {
            query += &format!("&compress={compress}");
        }
        let mut gateway = Self::connect_with(server, &query).await;
        gateway.decoder = match compress {
            "zlib-stream" => Decoder::Zlib(flate2::Decompress::new(true)),
            "zstd-stream" => Decoder::Zstd(zstd::stream::raw::Decoder::new().unwrap()),
            _ => Decoder::Plain,
        };
        let hello = gateway.frame().await;
        assert_eq!(hello["op"], 10);
        assert_eq!(hello["d"]["heartbeat_interval"], 41250);
        gateway
    }

    pub(crate) async fn connect_with(server: &TestEmulator, query: &str) -> Self {
        let url = format!("{}/?{query}", server.ready.gateway_url);
        let (socket, _) = soon("the websocket", connect_async(url)).await.unwrap();
        Self {
            socket,
            decoder: Decoder::Plain,
            session: String::new(),
            seq: 0,
        }
    }

    pub(crate) async fn send(&mut self, payload: &Value) {
        self.send_text(&payload.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, payload: &str) {
        self.socket
            .send(Message::text(payload.to_owned()))
            .await
            .unwrap();
    }

    /// Sends what may be nonsense; says whether the connection still stood.
    pub(crate) async fn try_send(&mut self, payload: Vec<u8>) -> bool {
        self.socket.send(Message::binary(payload)).await.is_ok()
    }

    pub(crate) async fn try_send_text(&mut self, payload: String) -> bool {
        self.socket.send(Message::text(payload)).await.is_ok()
    }

    /// Waits for the answer to a heartbeat, or the code that it closes with.
    pub(crate) async fn answered_or_closed(&mut self) -> Option<u16> {
        loop {
            match soon("an answer", self.socket.next()).await {
                Some(Ok(Message::Text(text))) if text.contains("\"op\":11,") => return None,
                Some(Ok(Message::Close(frame))) => return frame.map(|it| it.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => panic!("the connection broke"),
            }
        }
    }

    pub(crate) async fn identify(&mut self, token: &str, intents: u64) {
        let identify = json!({ "op": 2, "d": {
            "token": token, "intents": intents, "properties": { "os": "linux", "browser": "t", "device": "t" },
        }});
        self.send(&identify).await;
    }

    pub(crate) async fn resume(&mut self, token: &str, session: &str, seq: u64) {
        self.send(&json!({ "op": 6, "d": { "token": token, "session_id": session, "seq": seq } }))
            .await;
    }

    /// The next payload.
    pub(crate) async fn frame(&mut self) -> Value {
        match soon("a frame", self.socket.next()).await {
            Some(Ok(message)) => self.decode(message),
            other => panic!("the gateway ended: {other:?}"),
        }
    }

    fn decode(&mut self, message: Message) -> Value {
        let text = match (&mut self.decoder, message) {
            (Decoder::Plain, Message::Text(text)) => text.to_string(),
            (Decoder::Zlib(stream), Message::Binary(bytes)) => {
                assert!(bytes.ends_with(&[0, 0, 0xff, 0xff]), "no sync flush");
                let mut text = Vec::with_capacity(1 << 20);
                stream
                    .decompress_vec(&bytes, &mut text, flate2::FlushDecompress::Sync)
                    .unwrap();
                String::from_utf8(text).unwrap()
            }
            (Decoder::Zstd(stream), Message::Binary(bytes)) => {
                use zstd::stream::raw::{InBuffer, Operation, OutBuffer};
                let mut text = vec![0; 1 << 20];
                let mut input = InBuffer::around(&bytes);
                let mut output = OutBuffer::around(&mut text[..]);
                while input.pos() < bytes.len() {
                    stream.run(&mut input, &mut output).unwrap();
                }
                let written = output.pos();
                text.truncate(written);
                String::from_utf8(text).unwrap()
            }
            (_, other) => panic!("unexpected frame {other:?}"),
        };
        let payload: Value = serde_json::from_str(&text).unwrap();
        if let Some(seq) = payload["s"].as_u64() {
            assert_eq!(seq, self.seq + 1, "events are numbered without gaps");
            self.seq = seq;
        }
        if payload["t"] == "READY" {
            self.session = payload["d"]["session_id"].as_str().unwrap().to_owned();
        }
        payload
    }

    /// The payload of the next frame, which must be this event. Who comes and
    /// goes is passed over unless that is asked for.
    pub(crate) async fn event(&mut self, name: &str) -> Value {
        let frame = self.frame_but("PRESENCE_UPDATE", name).await;
        assert_eq!(frame["t"], name, "{frame}");
        frame["d"].clone()
    }

    /// The payload of the next event of this name, others passed over.
    pub(crate) async fn until(&mut self, name: &str) -> Value {
        loop {
            let frame = self.frame().await;
            if frame["t"] == name {
                return frame["d"].clone();
            }
        }
    }

    /// The next frame that is not of one kind, unless that is wanted.
    async fn frame_but(&mut self, other: &str, wanted: &str) -> Value {
        loop {
            let frame = self.frame().await;
            if frame["t"] != other || other == wanted {
                return frame;
            }
        }
    }

    /// The code that the gateway closes with, after any events.
    pub(crate) async fn close_code(&mut self) -> Option<u16> {
        let mut said = None;
        while let Some(Ok(message)) = soon("the close", self.socket.next()).await {
            if let Message::Close(Some(CloseFrame { code, .. })) = message {
                said = Some(code.into());
            }
        }
        said
    }

    /// Whether nothing comes for a moment. A moment is too short to prove it,
    /// but long enough to find most of what comes.
    pub(crate) async fn is_silent(&mut self) -> bool {
        timeout(Duration::from_millis(50), self.socket.next())
            .await
            .is_err()
    }

    /// Answered at once, so all that was sent before has been seen.
    pub(crate) async fn heartbeat(&mut self) {
        self.send(&json!({ "op": 1, "d": self.seq })).await;
        assert_eq!(
            self.frame_but("PRESENCE_UPDATE", "").await["op"],
            11,
            "an event came before the heartbeat's answer"
        );
    }

    pub(crate) async fn close(mut self, code: u16) {
        let frame = CloseFrame {
            code: code.into(),
            reason: "".into(),
        };
        self.socket.close(Some(frame)).await.unwrap();
        while let Some(Ok(_)) = self.socket.next().await {}
    }
}
