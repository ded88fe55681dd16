//! What came back from the web, as text.

use encoding_rs::{Encoding, UTF_8};
use kaiwa_egress::WebResponse;

use super::clean;
use super::markup::{HtmlPiece, HtmlPieces, attribute};
use super::readable::{self, ReadableText};

/// How far into a page its encoding is looked for, in bytes. HTML says 1024.
const HEAD_BYTES: usize = 1024;

/// What a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DocumentKind {
    Html,
    Pdf,
    Text,
}

impl DocumentKind {
    /// By what the server says, and by how it begins where the server says
    /// nothing. `None` if it has no text.
    pub(super) fn of(response: &WebResponse) -> Option<Self> {
        let begins = |with: &[u8]| response.body.starts_with(with);
        match response.content_type.as_str() {
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "application/pdf" | "application/x-pdf" => Some(Self::Pdf),
            "application/json"
            | "application/xml"
            | "application/javascript"
            | "application/yaml"
            | "application/toml" => Some(Self::Text),
            it if it.starts_with("text/") || it.ends_with("+json") || it.ends_with("+xml") => {
                Some(Self::Text)
            }
            "" | "application/octet-stream" if begins(b"%PDF-") => Some(Self::Pdf),
            "" if begins(b"<") => Some(Self::Html),
            _ => None,
        }
    }
}

/// The text of a page.
pub(super) fn html(response: &WebResponse) -> ReadableText {
    let head = &response.body[..response.body.len().min(HEAD_BYTES)];
    let declared = declared_encoding(&String::from_utf8_lossy(head));
    let named = response.charset.clone().or(declared);
    readable::read(&decoded(&response.body, named.as_deref()))
}

/// Text as it is.
pub(super) fn text(response: &WebResponse) -> ReadableText {
    let text = decoded(&response.body, response.charset.as_deref());
    ReadableText {
        title: String::new(),
        text: clean::text(text.trim()),
    }
}

/// Text in the encoding of that name, or in UTF-8 if there is none.
fn decoded(bytes: &[u8], name: Option<&str>) -> String {
    let encoding = name.and_then(|name| Encoding::for_label(name.as_bytes()));
    let (text, _, _) = encoding.unwrap_or(UTF_8).decode(bytes);
    text.into_owned()
}

/// The encoding that a page names in its head.
fn declared_encoding(head: &str) -> Option<String> {
    HtmlPieces::new(head).find_map(|piece| {
        let HtmlPiece::Open { name, attributes } = piece else {
            return None;
        };
        if name.as_str() != "meta" {
            return None;
        }
        if let Some(charset) = attribute(attributes, "charset") {
            return Some(charset.into_owned());
        }
        let content = attribute(attributes, "content")?;
        let (_, charset) = content.split_once("charset=")?;
        Some(charset.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(content_type: &str, charset: Option<&str>, body: &[u8]) -> WebResponse {
        WebResponse {
            url: "https://tea.example/".parse().unwrap(),
            status: 200,
            content_type: content_type.to_owned(),
            charset: charset.map(str::to_owned),
            body: body.to_vec(),
        }
    }

    #[test]
    fn what_has_text_is_known() {
        for (content_type, body, expected) in [
            ("text/html", "", Some(DocumentKind::Html)),
            ("application/xhtml+xml", "", Some(DocumentKind::Html)),
            ("application/pdf", "", Some(DocumentKind::Pdf)),
            (
                "application/octet-stream",
                "%PDF-1.7",
                Some(DocumentKind::Pdf),
            ),
            ("application/octet-stream", "MZ", None),
            ("text/plain", "", Some(DocumentKind::Text)),
            ("application/ld+json", "", Some(DocumentKind::Text)),
            ("image/svg+xml", "", Some(DocumentKind::Text)),
            ("image/png", "", None),
            ("application/zip", "", None),
            ("", "<p>", Some(DocumentKind::Html)),
            ("", "x", None),
        ] {
            let response = response(content_type, None, body.as_bytes());
            assert_eq!(DocumentKind::of(&response), expected, "{content_type}");
        }
    }

    #[test]
    fn pages_are_read_in_their_encoding() {
        let tea = [0x82, 0xa8, 0x92, 0x83];
        let page = |head: &str| [head.as_bytes(), &tea[..]].concat();
        for (charset, body) in [
            (Some("shift_jis"), page("<p>")),
            (None, page("<meta charset=Shift_JIS><p>")),
            (
                None,
                page("<meta http-equiv=content-type content='text/html; charset=sjis'>"),
            ),
            (None, "<p>お茶".as_bytes().to_vec()),
            (Some("no-such-thing"), "<p>お茶".as_bytes().to_vec()),
        ] {
            let read = html(&response("text/html", charset, &body));
            assert_eq!(read.text, "お茶", "{charset:?}");
        }
    }
}
