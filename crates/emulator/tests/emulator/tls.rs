//! The whole trip over TLS. The certificate is for `localhost` and `127.0.0.1`,
//! signed by an authority whose key was thrown away.

use std::{path::Path, sync::Arc};

use futures_util::{SinkExt, StreamExt};
use kaiwa_emulator::{Emulator, TlsIdentity, World};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject},
};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::test_emulator::{TestEmulator, soon};

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/emulator/tls")
        .join(name)
}

fn trusting() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(file("ca.pem")).unwrap())
        .unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}

#[tokio::test]
async fn a_message_goes_over_https_and_a_compressed_wss() {
    let emulator = Emulator::new(World::default());
    emulator.use_tls(TlsIdentity::from_pem_files(&file("cert.pem"), &file("key.pem")).unwrap());
    let server = TestEmulator::serving(emulator).await;
    assert!(
        server.ready.api_url.starts_with("https://127.0.0.1:"),
        "{}",
        server.ready.api_url
    );
    let plain = server.ready.api_url.replace("https", "http");
    assert!(
        server.http().get(plain).send().await.is_err(),
        "only TLS is spoken"
    );

    let http = reqwest::Client::builder()
        .tls_backend_preconfigured(trusting())
        .build()
        .unwrap();
    let bot = server.bot();
    let url = format!(
        "{}/?v=10&encoding=json&compress=zstd-stream",
        server.ready.gateway_url
    );
    assert!(url.starts_with("wss://"));
    let address = url.split('/').nth(2).unwrap();
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(trusting()));
    let stream = connector.connect("127.0.0.1".try_into().unwrap(), stream);
    let stream = soon("the handshake", stream).await.unwrap();
    let connecting = tokio_tungstenite::client_async(&url, stream);
    let (mut socket, _) = soon("the websocket", connecting).await.unwrap();
    let mut stream = zstd::stream::raw::Decoder::new().unwrap();
    let identify = json!({ "op": 2, "d": { "token": bot.token, "intents": 1 << 9 | 1 << 15, "properties": {} } });
    socket
        .send(Message::text(identify.to_string()))
        .await
        .unwrap();
    let mut said = false;
    soon("the message", async {
        while let Some(Ok(message)) = socket.next().await {
            let Message::Binary(bytes) = message else {
                continue;
            };
            let payload = unpack(&mut stream, &bytes);
            if payload["t"] == "READY" && !said {
                said = true;
                let path = format!("/channels/{}/messages", server.channel("general"));
                let request = http
                    .post(format!("{}{path}", server.ready.api_url))
                    .header("authorization", server.human("Ada").authorization)
                    .json(&json!({ "content": "safe" }));
                assert_eq!(server.send(request).await.unwrap().status, 200);
            }
            if payload["t"] == "MESSAGE_CREATE" {
                assert_eq!(payload["d"]["content"], "safe");
                return;
            }
        }
        panic!("the gateway ended");
    })
    .await;
}

fn unpack(stream: &mut zstd::stream::raw::Decoder<'_>, bytes: &[u8]) -> Value {
    use zstd::stream::raw::{InBuffer, Operation, OutBuffer};
    let mut text = vec![0; 1 << 20];
    let mut input = InBuffer::around(bytes);
    let mut output = OutBuffer::around(&mut text[..]);
    while input.pos() < bytes.len() {
        stream.run(&mut input, &mut output).unwrap();
    }
    let written = output.pos();
    serde_json::from_slice(&text[..written]).unwrap()
}

#[test]
fn files_that_do_not_fit_are_refused() {
    for (certificate, key) in [
        ("cert.pem", "cert.pem"),
        ("key.pem", "key.pem"),
        ("none.pem", "key.pem"),
    ] {
        let refused = TlsIdentity::from_pem_files(&file(certificate), &file(key)).unwrap_err();
        assert!(refused.to_string().contains(".pem"), "{refused}");
    }
}
