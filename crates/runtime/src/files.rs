//! Reads the text files of a question, and of the message it replies to.

use std::time::Duration;

use futures_util::future::join_all;
use kaiwa_domain::port::{Chat, Clock};
use kaiwa_domain::{Attachment, Message};
use kaiwa_pipeline::brief::{FILE_CHARS, FileText};

/// How many files are read for one question.
const FILES: usize = 4;

/// The largest file that is read.
const BYTES: usize = 256 << 10;

/// How long a question waits for its files.
const PATIENCE: Duration = Duration::from_secs(10);

/// How files end that are text whatever Discord takes them for.
const EXTENSIONS: [&str; 60] = [
    "txt", "text", "md", "markdown", "rst", "log", "csv", "tsv", "json", "jsonl", "json5", "yaml",
    "yml", "toml", "ini", "cfg", "conf", "env", "xml", "html", "htm", "css", "scss", "svg", "tex",
    "srt", "vtt", "diff", "patch", "sql", "sh", "bash", "zsh", "fish", "ps1", "bat", "py", "rs",
    "js", "mjs", "ts", "tsx", "jsx", "c", "h", "cc", "cpp", "hpp", "cs", "java", "kt", "go", "rb",
    "php", "pl", "lua", "swift", "r", "scala", "hs",
];

/// What the text files of a question say; what cannot be read is left out.
pub(crate) async fn read(chat: &dyn Chat, clock: &dyn Clock, question: &Message) -> Vec<FileText> {
    let target = question.reply.iter().filter_map(|it| it.target.as_deref());
    let files = std::iter::once(question).chain(target).flat_map(|message| {
        let files = message.attachments.iter().enumerate();
        files.map(move |(place, file)| (message.id, place, file))
    });
    let files = files.filter(|(_, _, file)| is_text(file) && file.bytes <= BYTES as u64);
    let reading = files.take(FILES).map(|(message, place, file)| async move {
        let bytes = match chat.download(file, BYTES).await {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::info!(%error, "a file cannot be fetched");
                return None;
            }
        };
        let text = text(&bytes)?;
        Some(FileText {
            message,
            place,
            text,
        })
    });
    let reading: Vec<_> = reading.collect();
    if reading.is_empty() {
        return Vec::new();
    }
    tokio::select! {
        files = join_all(reading) => files.into_iter().flatten().collect(),
        () = clock.sleep(PATIENCE) => {
            tracing::info!("files are not waited for any longer");
            Vec::new()
        }
    }
}

fn is_text(file: &Attachment) -> bool {
    let kind = file.media_type.as_deref().unwrap_or_default();
    if kind.starts_with("text/") || kind.starts_with("application/json") {
        return true;
    }
    let extension = file.name.rsplit_once('.').map(|(_, extension)| extension);
    let is_known = extension.is_some_and(|it| {
        let it = it.to_ascii_lowercase();
        EXTENSIONS.contains(&&*it)
    });
    // Discord takes some sources for films.
    is_known && !kind.starts_with("image/") && !kind.starts_with("audio/")
}

/// The beginning of a file that is text, a little more than is shown of it.
fn text(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(bytes);
    let text: String = text.chars().take(FILE_CHARS + 1).collect();
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_known_by_its_kind_or_its_name() {
        for (name, kind, expected) in [
            ("a", Some("text/plain; charset=utf-8"), true),
            ("a.JSON", None, true),
            ("a.ts", Some("video/mp2t"), true),
            ("a.svg", Some("image/svg+xml"), false),
            ("a.png", Some("image/png"), false),
            ("a.zip", Some("application/zip"), false),
            ("txt", None, false),
        ] {
            let file = Attachment {
                name: name.into(),
                media_type: kind.map(str::to_owned),
                ..Attachment::default()
            };
            assert_eq!(is_text(&file), expected, "{name}");
        }
    }

    #[test]
    fn what_is_no_text_is_left_out() {
        assert_eq!(text(b"\xef\xbb\xbfhi").as_deref(), Some("hi"));
        assert_eq!(text(b"caf\xe9").as_deref(), Some("caf\u{fffd}"));
        assert_eq!(text(b"a\0b"), None);
        assert_eq!(text(b" \n"), None);
        let long = text(&[b'x'; 9000]).unwrap();
        assert_eq!(long.len(), FILE_CHARS + 1);
    }
}
