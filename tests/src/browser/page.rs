//! The playground as a person at the keyboard knows it.

use serde_json::{Value, json};

use super::Browser;

/// The Enter key.
pub const ENTER: &str = "\u{e007}";
/// The Tab key.
pub const TAB: &str = "\u{e004}";
/// The Escape key.
pub const ESCAPE: &str = "\u{e00c}";
/// The key with the arrow downwards.
pub const DOWN: &str = "\u{e015}";
/// The key with the arrow upwards.
pub const UP: &str = "\u{e013}";

/// Where one writes.
pub const COMPOSER: &str = "[data-testid=composer]";
/// "Somebody is typing…"
pub const TYPING: &str = "[data-testid=typing]";
/// The banner of a lost connection.
pub const RECONNECTING: &str = "[data-testid=reconnecting]:not([hidden])";

/// What a screen reader must be able to call by a name.
const NAMED: &str = "button, summary, select, textarea, nav, aside, form, article, \
    [role=log], [role=button], [role=toolbar], [role=listbox]";

/// The page in a browser.
pub struct Page {
    /// The browser that shows it.
    pub browser: Browser,
}

impl Page {
    /// Opens the playground and waits until one can write. Gives nothing where
    /// there is no browser.
    pub async fn open(address: &str) -> Option<Self> {
        let browser = Browser::start().await?;
        browser.screen(1280, 800, false).await;
        browser.open(address).await;
        let page = Self { browser };
        page.is_in("#general").await;
        Some(page)
    }

    /// Waits until a place is open and its messages are there.
    pub async fn is_in(&self, place: &str) {
        self.shows("[role=log][aria-busy=false]").await;
        let label = format!("Message {place}");
        self.shows(&format!("{COMPOSER}[aria-label={}]", json!(label)))
            .await;
        self.shows(":is(.welcome, article)").await;
    }

    /// Waits until something can be seen.
    pub async fn shows(&self, css: &str) {
        self.until(&format!("{css} to be seen"), &visible(css))
            .await;
    }

    /// Waits until nothing of a kind can be seen.
    pub async fn hides(&self, css: &str) {
        self.until(&format!("{css} to be gone"), &format!("!{}", visible(css)))
            .await;
    }

    /// Waits until something says these words, among others.
    pub async fn says_in(&self, css: &str, words: &str) {
        let condition = format!(
            "{}.some((it) => it.innerText.includes({}))",
            visible_ones(css),
            json!(words)
        );
        self.until(&format!("{words:?} in {css}"), &condition).await;
    }

    /// Waits until an expression is true.
    pub async fn until(&self, what: &str, condition: &str) {
        self.browser.until(what, condition).await;
    }

    /// Types a message and sends it.
    pub async fn writes(&self, text: &str) {
        self.focuses(COMPOSER).await;
        self.browser.press(text).await;
        self.browser.press(ENTER).await;
    }

    /// Puts a text into the composer at once, in place of what is there.
    pub async fn pastes(&self, text: &str) {
        self.focuses(COMPOSER).await;
        let script = format!(
            "document.activeElement.select(); document.execCommand('insertText', false, {})",
            json!(text)
        );
        self.browser.run(&script).await;
    }

    /// Puts the focus onto something.
    pub async fn focuses(&self, css: &str) {
        let script = format!("document.querySelector({}).focus()", json!(css));
        self.browser.run(&script).await;
    }

    /// Clicks something once it can be seen.
    pub async fn clicks(&self, css: &str) {
        self.shows(css).await;
        self.browser.click(css).await;
    }

    /// Presses keys.
    pub async fn presses(&self, keys: &str) {
        self.browser.press(keys).await;
    }

    /// Waits for a message of somebody with exactly this text, and gives a
    /// selector for it.
    pub async fn sees(&self, author: &str, text: &str) -> String {
        let what = format!("{author} to say {text:?}");
        self.until(&what, &format!("{}.length > 0", said(author, text)))
            .await;
        let script = format!("return {}.at(-1).dataset.id", said(author, text));
        let id = self.browser.run(&script).await;
        message(id.as_str().unwrap_or_default())
    }

    /// How many messages of somebody have exactly this text.
    pub async fn count(&self, author: &str, text: &str) -> Value {
        let script = format!("return {}.length", said(author, text));
        self.browser.run(&script).await
    }

    /// Keeps an eye on something that may be seen for a moment only.
    pub async fn watches_for(&self, css: &str) {
        let script = format!(
            "window.seen = false;
            const look = () => {{ window.seen ||= {visible}; }};
            const changes = {{ subtree: true, childList: true, attributes: true }};
            new MutationObserver(look).observe(document.body, changes);",
            visible = visible(css)
        );
        self.browser.run(&script).await;
    }

    /// Waits until what is watched for was seen; it may be gone since.
    pub async fn saw_it(&self) {
        self.until("what is watched for", "window.seen").await;
    }

    /// Chooses, pastes or drops a file that holds these bytes: `event` is
    /// `change`, `paste` or `drop`, and `css` what it happens to.
    pub async fn gives_file(&self, css: &str, event: &str, name: &str, kind: &str, bytes: &[u8]) {
        let script = format!(
            "const [css, event, name, kind, bytes] = {};
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(bytes)], name, {{ type: kind }}));
            const target = document.querySelector(css);
            const usual = {{ bubbles: true, cancelable: true }};
            if (event === 'change') target.files = carried.files;
            const made = event === 'paste' ? new ClipboardEvent(event, {{ ...usual, clipboardData: carried }})
                : event === 'drop' ? new DragEvent(event, {{ ...usual, dataTransfer: carried }})
                : new Event(event, usual);
            target.dispatchEvent(made);",
            json!([css, event, name, kind, bytes])
        );
        self.browser.run(&script).await;
    }

    /// Keeps a picture of the page for whoever wants to look.
    pub async fn keeps_picture(&self, folder: &str, name: &str) {
        let png = self.browser.screenshot().await;
        let kept = std::fs::write(std::path::Path::new(folder).join(name), &png);
        assert!(kept.is_ok() && png.starts_with(b"\x89PNG"), "{kept:?}");
    }

    /// A screen reader can say what everything is.
    pub async fn has_a_name_for_everything(&self) {
        assert_eq!(self.browser.nameless(NAMED).await, Vec::<String>::new());
    }

    /// The browser found no fault with the page: no error, no refused script,
    /// no missing file.
    pub async fn has_no_complaints(&self) {
        assert_eq!(self.browser.complaints().await, Vec::<String>::new());
    }
}

/// A selector for a message.
fn message(id: &str) -> String {
    format!("article[data-id=\"{id}\"]")
}

/// An expression: what can be seen of a kind.
fn visible_ones(css: &str) -> String {
    format!(
        "[...document.querySelectorAll({})].filter((it) => it.checkVisibility({{ visibilityProperty: true }}) && it.offsetHeight > 0)",
        json!(css)
    )
}

/// An expression: can anything of a kind be seen?
fn visible(css: &str) -> String {
    format!("({}.length > 0)", visible_ones(css))
}

/// An expression: the messages of an author with a text.
fn said(author: &str, text: &str) -> String {
    format!(
        "[...document.querySelectorAll('article[data-testid=message]')].filter((it) => it.dataset.author === {} && it.querySelector('.message-body').innerText.replace(/\\s*\\(edited\\)$/, '').trim() === {})",
        json!(author),
        json!(text)
    )
}
