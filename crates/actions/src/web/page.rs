//! `fetch_page`: what stands on a page of the web.

use std::time::Duration;

use kaiwa_domain::port::{Pending, SentAbroad};
use kaiwa_domain::{RateClass, ToolError, Turn};
use kaiwa_egress::{Egress, EgressError, WebRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use url::Url;

use super::clean;
use super::document::{self, DocumentKind};
use super::pdf::{PdfError, PdfReader};
use super::readable::ReadableText;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant};

/// How much of a page is given at a time, in characters. The model is shown
/// 8000 of any result.
const PART_CHARS: usize = 6000;

/// How much of a page a person is shown, in characters.
const SHOWN_CHARS: usize = 1500;

/// The longest address, in characters.
const URL_CHARS: usize = 2000;

/// What kinds of answer are asked for.
const ACCEPTED: &str = "text/html, application/xhtml+xml, application/pdf, text/*;q=0.8, \
                        application/json;q=0.8, */*;q=0.1";

/// Reads pages.
pub struct FetchPage {
    egress: Egress,
    pdf: PdfReader,
}

impl FetchPage {
    /// With `pdf` for what is a PDF.
    pub const fn new(egress: Egress, pdf: PdfReader) -> Self {
        Self { egress, pdf }
    }

    async fn read(&self, url: Url) -> Result<(Url, ReadableText), PageError> {
        let request = WebRequest::get(url).accepting(ACCEPTED);
        let response = self.egress.fetch(request).await?;
        if !(200..300).contains(&response.status) {
            return Err(PageError::Status(response.status));
        }
        let kind = DocumentKind::of(&response).ok_or(PageError::NoText)?;
        let read = match kind {
            DocumentKind::Html => document::html(&response),
            DocumentKind::Text => document::text(&response),
            DocumentKind::Pdf => ReadableText {
                title: String::new(),
                text: self.pdf.read(&response.body).await?,
            },
        };
        match read.text.is_empty() {
            true => Err(PageError::NoText),
            false => Ok((response.url, read)),
        }
    }
}

/// Which page.
#[derive(Deserialize, JsonSchema)]
pub struct FetchPageArguments {
    /// The address of the page.
    #[schemars(with = "String", length(min = 1, max = URL_CHARS))]
    url: PageAddress,
    /// Which part of a long page; the first if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    part: Option<u8>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct PageAddress(Url);

impl TryFrom<String> for PageAddress {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim().trim_matches(['<', '>']);
        if text.chars().count() > URL_CHARS {
            return Err("the address is too long");
        }
        let parsed = match Url::parse(text) {
            Ok(url) => Ok(url),
            // People leave out what begins every address.
            Err(url::ParseError::RelativeUrlWithoutBase) if text.contains('.') => {
                Url::parse(&format!("https://{text}"))
            }
            Err(error) => Err(error),
        };
        parsed
            .map(Self)
            .map_err(|_| "that is no address of a page, as in https://example.com/tea")
    }
}

/// Why a page was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PageError {
    Egress(EgressError),
    Status(u16),
    NoText,
    UnreadablePdf,
}

impl From<EgressError> for PageError {
    fn from(error: EgressError) -> Self {
        Self::Egress(error)
    }
}

impl From<PdfError> for PageError {
    fn from(error: PdfError) -> Self {
        match error {
            PdfError::Unreadable => Self::UnreadablePdf,
            PdfError::Empty => Self::NoText,
        }
    }
}

impl PageError {
    /// What the model is told, and people in their language.
    fn done(&self) -> Done {
        let (why, phrase) = match self {
            Self::Egress(error @ EgressError::Forbidden(_)) => {
                (error.to_string(), Phrase::new("page-forbidden"))
            }
            Self::Egress(error @ EgressError::NoSuchHost) => {
                (error.to_string(), Phrase::new("page-no-host"))
            }
            Self::Egress(error) => {
                tracing::info!(?error, "a page was not fetched");
                (error.to_string(), Phrase::new("page-unreachable"))
            }
            Self::Status(404 | 410) => (
                "there is no such page".to_owned(),
                Phrase::new("page-missing"),
            ),
            Self::Status(status) => (
                format!("the server answers with the status {status}"),
                Phrase::new("page-unreachable"),
            ),
            Self::NoText => (
                "there is no text on it".to_owned(),
                Phrase::new("page-without-text"),
            ),
            Self::UnreadablePdf => (
                "the PDF cannot be read".to_owned(),
                Phrase::new("page-without-text"),
            ),
        };
        Done::new(format!("The page was not opened: {why}.")).showing(phrase)
    }
}

impl Action for FetchPage {
    type Arguments = FetchPageArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("fetch")),
            rate: Some(RateClass::Web),
            taints: true,
            timeout: Duration::from_secs(25),
            ..Declaration::reading(
                "fetch_page",
                "Reads a page of the web or a PDF, by its address. Use it for a link that you \
                 are given, or for a result of a search that you want to know more about.",
            )
        }
    }

    fn sends(&self, arguments: &FetchPageArguments) -> Option<SentAbroad> {
        Some(SentAbroad::Address(arguments.url.0.to_string()))
    }

    fn progress(&self, arguments: &FetchPageArguments) -> Phrase {
        let host = arguments.url.0.host_str().unwrap_or_default();
        Phrase::new("progress-page").with("host", super::clean::escaped(host))
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a FetchPageArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            // As code, which nobody fetches to show what is there.
            let url = arguments.url.0.as_str().replace('`', "%60");
            let phrase = Phrase::new("describe-page").with("url", format!("`{url}`"));
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        FetchPageArguments { url, part }: FetchPageArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let (url, page) = match self.read(url.0).await {
                Ok(read) => read,
                Err(error) => return Ok(error.done()),
            };
            let part = usize::from(part.unwrap_or(1)).max(1);
            Ok(told(&url, &page, part))
        })
    }
}

fn told(url: &Url, page: &ReadableText, part: usize) -> Done {
    let chars = page.text.chars().count();
    let parts = chars.div_ceil(PART_CHARS).max(1);
    let part = part.min(parts);
    let begin = (part - 1) * PART_CHARS;
    let text: String = page.text.chars().skip(begin).take(PART_CHARS).collect();
    let title = match page.title.as_str() {
        "" => String::new(),
        title => format!("{title}\n"),
    };
    let told = format!("{title}{url} (part {part} of {parts})\n\n{text}");
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    if text.chars().nth(SHOWN_CHARS).is_some() || part < parts {
        shown.push('…');
    }
    let title = match page.title.as_str() {
        "" => url.host_str().unwrap_or_default(),
        title => title,
    };
    let phrase = Phrase::new("page-done")
        .with("title", clean::escaped(title))
        .with("url", url.as_str())
        .with("part", part)
        .with("parts", parts)
        .with("text", quoted(&shown));
    Done::new(told).showing(phrase)
}

/// Text of strangers behind bars, as Discord shows what others said.
fn quoted(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<String> = lines
        .map(|line| format!("> {}", clean::escaped(line)))
        .collect();
    lines.join("\n")
}
