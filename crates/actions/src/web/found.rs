//! What a search found.

use url::Url;

use super::clean;

/// How many results are kept.
pub(super) const RESULTS: usize = 8;

/// How many pictures are shown.
pub(super) const PICTURES: usize = 4;

/// The longest parts of a result, in characters; an address that is longer is
/// of no use to anybody.
const TITLE_CHARS: usize = 120;
const SNIPPET_CHARS: usize = 300;
const URL_CHARS: usize = 500;

/// How much of the results a person is shown, in characters.
const SHOWN_CHARS: usize = 1700;

/// One result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundItem {
    pub(super) title: String,
    /// The page.
    pub(super) url: Url,
    pub(super) snippet: String,
    /// When it was published, as the engine has it.
    pub(super) date: String,
    /// Where the picture is, if pictures were looked for.
    pub(super) picture: Option<Url>,
}

impl FoundItem {
    /// A result, cut to size; `None` if it leads nowhere.
    pub(super) fn new(url: &str, title: &str, snippet: &str) -> Option<Self> {
        let url = address(url)?;
        let title = clean::line(title, TITLE_CHARS);
        Some(Self {
            title: match title.is_empty() {
                true => url.host_str().unwrap_or_default().to_owned(),
                false => title,
            },
            url,
            snippet: clean::line(snippet, SNIPPET_CHARS),
            date: String::new(),
            picture: None,
        })
    }

    /// With the day it was published.
    pub(super) fn dated(mut self, date: Option<&str>) -> Self {
        self.date = clean::line(date.unwrap_or_default(), 40);
        self
    }

    /// With its picture; `None` if that leads nowhere.
    pub(super) fn pictured(mut self, picture: &str) -> Option<Self> {
        self.picture = Some(address(picture)?);
        Some(self)
    }
}

/// An address of the web that is fit to be shown.
fn address(text: &str) -> Option<Url> {
    let text = text.trim();
    // What says which host is left out by some.
    let url = match text.strip_prefix("//") {
        Some(rest) => Url::parse(&format!("https://{rest}")),
        None => Url::parse(text),
    };
    url.ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.host().is_some()
            && url.username().is_empty()
            && url.password().is_none()
            && url.as_str().chars().count() <= URL_CHARS
    })
}

/// What the model is told.
pub(super) fn told(found: &[FoundItem], pictures: bool) -> String {
    let mut told = match pictures {
        true => "These pictures were found. They are posted after your text, so do not repeat \
                 their links."
            .to_owned(),
        false => "Name the link of whatever you use.".to_owned(),
    };
    for (at, item) in found.iter().enumerate() {
        told.push_str(&format!("\n\n{}. {}\n{}", at + 1, item.title, item.url));
        for line in [&item.date, &item.snippet] {
            if !line.is_empty() {
                told.push('\n');
                told.push_str(line);
            }
        }
    }
    told
}

/// What a person is shown, in Discord's markdown.
pub(super) fn shown(found: &[FoundItem]) -> String {
    let mut shown = String::new();
    for (at, item) in found.iter().enumerate() {
        let title = clean::escaped(&item.title);
        let number = at + 1;
        let entry = match &item.picture {
            Some(picture) => format!("{number}. {title}\n{picture}"),
            None => {
                let snippet: String = item.snippet.chars().take(140).collect();
                let more = if snippet.len() < item.snippet.len() {
                    "…"
                } else {
                    ""
                };
                let snippet = clean::escaped(&snippet);
                format!("{number}. **{title}**\n<{}>\n{snippet}{more}", item.url)
            }
        };
        if shown.chars().count() + entry.chars().count() > SHOWN_CHARS {
            break;
        }
        if !shown.is_empty() {
            shown.push('\n');
        }
        shown.push_str(entry.trim_end());
    }
    shown
}

/// The message with pictures that follows an answer. Discord shows them, and
/// fetches them by itself.
pub(super) fn pictures(found: &[FoundItem]) -> Option<String> {
    let links = found.iter().filter_map(|item| item.picture.as_ref());
    let links: Vec<&str> = links.take(PICTURES).map(Url::as_str).collect();
    (!links.is_empty()).then(|| links.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_cut_to_size() {
        let item = FoundItem::new("https://a.example/", &"t".repeat(200), &"s".repeat(999));
        let item = item.unwrap();
        assert_eq!(item.title.chars().count(), TITLE_CHARS + 1);
        assert_eq!(item.snippet.chars().count(), SNIPPET_CHARS + 1);
        let long = format!("https://a.example/{}", "p".repeat(URL_CHARS));
        for bad in [
            "",
            "tea",
            "/relative",
            "javascript:alert(1)",
            "ftp://a.example/",
            "https://user:pw@a.example/",
            "data:text/html,x",
            &long,
        ] {
            assert_eq!(FoundItem::new(bad, "t", "s"), None, "{bad}");
        }
        let untitled = FoundItem::new("//a.example/x", " ", "").unwrap();
        assert_eq!(untitled.title, "a.example");
    }

    #[test]
    fn what_people_see_fits_a_message() {
        let item = FoundItem::new("https://a.example/", &"t".repeat(200), &"s".repeat(999));
        let many = vec![item.unwrap(); 50];
        let shown = shown(&many);
        assert!(shown.chars().count() <= SHOWN_CHARS + 50);
        assert!(shown.starts_with("1. **ttt"), "{shown}");
    }
}
