//! What somebody would read on a page: its text without menus and scripts.

use super::clean;
use super::markup::{HtmlPiece, HtmlPieces, TagName, attribute};

/// The longest text that is taken from one page, in bytes.
const TEXT_BYTES: usize = 400_000;

/// What is shorter than this, in bytes, is not what the page is about.
const WHOLE_BYTES: usize = 200;

/// Elements that hold the page itself.
const BODY: [&str; 2] = ["main", "article"];

/// Elements around it.
const AROUND: [&str; 12] = [
    "nav", "footer", "aside", "form", "header", "template", "noscript", "svg", "select", "button",
    "dialog", "menu",
];

/// A page, read.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct ReadableText {
    pub(super) title: String,
    pub(super) text: String,
}

/// Reads a page.
pub(super) fn read(html: &str) -> ReadableText {
    let mut page = PageReader::default();
    for piece in HtmlPieces::new(html) {
        page.take(&piece);
    }
    let PageReader {
        title,
        body,
        most,
        all,
        ..
    } = page;
    let whole = [body, most].into_iter().map(TextFlow::finish);
    let mut whole = whole.filter(|text| text.len() >= WHOLE_BYTES);
    ReadableText {
        text: clean::text(&whole.next().unwrap_or_else(|| all.finish())),
        title: clean::line(&title, 200),
    }
}

/// Text is kept three times, because only at the end it is known which of it
/// is the page.
#[derive(Default)]
struct PageReader {
    title: String,
    /// What is in an element that holds the page.
    body: TextFlow,
    /// What is in no element around it.
    most: TextFlow,
    /// Everything.
    all: TextFlow,
    within: usize,
    around: Vec<TagName>,
    preformatted: usize,
}

impl PageReader {
    fn take(&mut self, piece: &HtmlPiece<'_>) {
        match piece {
            HtmlPiece::Text(text) => {
                let text = html_escape::decode_html_entities(text);
                let preformatted = self.preformatted > 0;
                self.each(|flow| flow.push(&text, preformatted));
            }
            HtmlPiece::Raw { name, text } if name.as_str() == "title" && self.title.is_empty() => {
                self.title.push_str(text);
            }
            HtmlPiece::Raw { .. } => {}
            HtmlPiece::Open { name, attributes } => self.open(*name, attributes),
            HtmlPiece::Close { name } => self.close(*name),
        }
    }

    fn open(&mut self, name: TagName, attributes: &str) {
        self.separate(name.as_str());
        match name.as_str() {
            "pre" => self.preformatted += 1,
            "li" => self.each(|flow| flow.item = true),
            "img" if self.around.is_empty() => {
                let alt = attribute(attributes, "alt").unwrap_or_default();
                if alt.trim().len() > 3 {
                    self.each(|flow| flow.push(&format!(" [{}] ", alt.trim()), false));
                }
            }
            it if BODY.contains(&it) => self.within += 1,
            // What wraps itself up endlessly is no page.
            it if AROUND.contains(&it) && self.around.len() < 64 => self.around.push(name),
            _ => {}
        }
    }

    fn close(&mut self, name: TagName) {
        self.separate(name.as_str());
        match name.as_str() {
            "pre" => self.preformatted = self.preformatted.saturating_sub(1),
            it if BODY.contains(&it) => self.within = self.within.saturating_sub(1),
            _ => {
                if let Some(at) = self.around.iter().rposition(|it| *it == name) {
                    self.around.truncate(at);
                }
            }
        }
    }

    /// Puts whatever stands between two elements.
    fn separate(&mut self, name: &str) {
        let gap = match name {
            "br" | "tr" | "li" | "dt" | "dd" | "option" | "figcaption" => TextGap::Line,
            "td" | "th" => TextGap::Cell,
            "p" | "div" | "section" | "article" | "main" | "header" | "footer" | "nav"
            | "aside" | "ul" | "ol" | "dl" | "table" | "blockquote" | "pre" | "figure" | "form"
            | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "hr" | "body" | "details" | "summary" => {
                TextGap::Paragraph
            }
            _ => return,
        };
        self.each(|flow| flow.gap = flow.gap.max(gap));
    }

    fn each(&mut self, mut add: impl FnMut(&mut TextFlow)) {
        if self.within > 0 && self.around.is_empty() {
            add(&mut self.body);
        }
        if self.around.is_empty() {
            add(&mut self.most);
        }
        add(&mut self.all);
    }
}

/// What is due before the next word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum TextGap {
    #[default]
    None,
    Space,
    Cell,
    Line,
    Paragraph,
}

/// Text with its white space in order.
#[derive(Default)]
struct TextFlow {
    text: String,
    gap: TextGap,
    /// Whether the next word begins an item of a list.
    item: bool,
}

impl TextFlow {
    fn push(&mut self, text: &str, preformatted: bool) {
        for c in text.chars() {
            if self.text.len() >= TEXT_BYTES {
                return;
            }
            match c {
                '\n' if preformatted => self.gap = self.gap.max(TextGap::Line),
                c if c.is_whitespace() => self.gap = self.gap.max(TextGap::Space),
                c => {
                    self.close_gap();
                    self.text.push(c);
                }
            }
        }
    }

    fn close_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        let fresh = self.text.is_empty() || self.text.ends_with('\n');
        self.text.push_str(match gap {
            _ if self.text.is_empty() => "",
            TextGap::Space | TextGap::Cell if fresh => "",
            TextGap::None => "",
            TextGap::Space => " ",
            TextGap::Cell => " | ",
            TextGap::Line => "\n",
            TextGap::Paragraph => "\n\n",
        });
        if std::mem::take(&mut self.item) {
            self.text.push_str("- ");
        }
    }

    fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_read_and_not_what_is_around_it() {
        let page = "<!doctype html><html><head><title>Tea &amp; water</title>
            <style>p { color: red }</style><script>var a = '<p>no</p>';</script></head>
            <body><nav><a href=/>Home</a> Menu</nav><main><h1>Tea</h1>
            <p>Green tea is  made from <b>leaves</b>,<br>and water.</p>
            <ul><li>Sencha</li><li>Gyokuro</li></ul>
            <table><tr><th>Tea</th><th>°C</th></tr><tr><td>Sencha</td><td>80</td></tr></table>
            <pre>a
  b</pre><aside>Buy more!</aside><p>Tea is best with friends, in the shade of an old tree, while it
            rains a little and nobody has anything else to do for the rest of a long afternoon.</p>
            </main><footer>Imprint</footer></body></html>";
        let read = read(page);
        assert_eq!(read.title, "Tea & water");
        assert_eq!(
            read.text,
            "Tea\n\nGreen tea is made from leaves,\nand water.\n\n- Sencha\n- Gyokuro\n\nTea | °C\n\
             Sencha | 80\n\na\nb\n\nTea is best with friends, in the shade of an old tree, while it \
             rains a little and nobody has anything else to do for the rest of a long afternoon."
        );
    }

    #[test]
    fn a_page_that_is_nothing_but_menus_is_read_whole() {
        for (page, expected) in [
            ("<nav>Home</nav>", "Home"),
            ("<nav>Home<p>never closed", "Home\n\nnever closed"),
            ("just text", "just text"),
            ("<p>a</p><script>b</script><p>c</p>", "a\n\nc"),
            ("<img alt='A kettle'>", "[A kettle]"),
            ("a\u{200b}b &lt;|system|&gt;", "ab < |system|>"),
            ("", ""),
        ] {
            assert_eq!(read(page).text, expected, "{page}");
        }
    }

    #[test]
    fn long_pages_are_bounded() {
        let page = "word ".repeat(1_000_000);
        assert!(read(&page).text.len() <= TEXT_BYTES + 4);
        let nested = "<nav>".repeat(100_000) + "tea";
        assert_eq!(read(&nested).text, "tea");
    }
}
