//! Uploads that nobody wants.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::test_emulator::{TestEmulator, soon};

/// The status of the next answer, whose body is read as well.
async fn answer(stream: &mut TcpStream) -> u16 {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("an answer"));
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |it| it.parse().unwrap())];
    stream.read_exact(&mut body).await.unwrap();
    assert!(!head.contains("connection: close"), "{head}");
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Clients write a whole upload before they read, and keep the connection.
#[tokio::test]
async fn a_refused_upload_is_answered_and_the_connection_stays() {
    let server = TestEmulator::open().await;
    let host = server.ready.api_url.strip_prefix("http://").unwrap();
    let host = host.strip_suffix("/api/v10").unwrap();
    let body = vec![b'x'; 9 * 1024 * 1024];
    let bot = server.bot().authorization;
    let messages = format!("/channels/{}/messages", server.channel("general"));
    for (path, authorization, status) in [
        ("/nowhere/at/all", bot.as_str(), 404),
        ("/users/@me", &bot, 405),
        (&messages, "Bot wrong", 401),
    ] {
        let head = format!(
            "POST /api/v10{path} HTTP/1.1\r\nhost: {host}\r\nauthorization: {authorization}\r\n\
             content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = TcpStream::connect(host).await.unwrap();
        let talk = async {
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&body).await.expect("it is taken in");
            assert_eq!(answer(&mut stream).await, status, "{path}");
            let next = format!("GET /api/v10/gateway HTTP/1.1\r\nhost: {host}\r\n\r\n");
            stream.write_all(next.as_bytes()).await.unwrap();
            assert_eq!(answer(&mut stream).await, 200);
        };
        soon(path, talk).await;
    }
}

/// What a request says that has nothing to say is read all the same, even if it
/// comes later than the head.
#[tokio::test]
async fn a_body_that_nobody_reads_does_not_end_the_connection() {
    let server = TestEmulator::open().await;
    let host = server.ready.api_url.strip_prefix("http://").unwrap();
    let host = host.strip_suffix("/api/v10").unwrap();
    let bot = server.bot().authorization;
    for method in ["DELETE", "GET"] {
        let head = format!(
            "{method} /api/v10/channels/{}/pins/1 HTTP/1.1\r\nhost: {host}\r\nauthorization: {bot}\r\n\
             content-type: application/json\r\ncontent-length: 2\r\n\r\n",
            server.channel("general")
        );
        let mut stream = TcpStream::connect(host).await.unwrap();
        let talk = async {
            for _ in 0..3 {
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
                tokio::task::yield_now().await;
                stream.write_all(b"{}").await.unwrap();
                let status = answer(&mut stream).await;
                assert!((400..500).contains(&status), "{status}");
            }
        };
        soon(method, talk).await;
    }
}
