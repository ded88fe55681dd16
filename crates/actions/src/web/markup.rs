//! HTML, taken apart in one pass.
//!
//! Pages are large and written by strangers, so every byte is looked at a
//! bounded number of times, whatever it says. (A parser that builds the tree a
//! browser builds compares each attribute of a tag with all before it.) What is
//! wanted here is text in its order, for which tags need not be nested well.

use std::borrow::Cow;

/// Elements whose content is no markup.
const RAW: [&str; 7] = [
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed",
];

/// The longest name of a tag that means anything.
const NAME_BYTES: usize = 16;

/// A piece of a page.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum HtmlPiece<'a> {
    /// Text, with entities.
    Text(&'a str),
    /// A tag that begins an element.
    Open {
        name: TagName,
        /// Everything between the name and the end of the tag.
        attributes: &'a str,
    },
    /// A tag that ends an element.
    Close { name: TagName },
    /// All that stands in an element that holds no markup.
    Raw { name: TagName, text: &'a str },
}

/// The name of a tag, in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TagName {
    bytes: [u8; NAME_BYTES],
    length: usize,
}

impl TagName {
    /// A name that is too long is the name of nothing.
    fn new(name: &str) -> Self {
        let mut bytes = [0; NAME_BYTES];
        let fits = name.len() <= NAME_BYTES;
        let length = if fits { name.len() } else { 0 };
        for (to, from) in bytes.iter_mut().zip(name.bytes()).take(length) {
            *to = from.to_ascii_lowercase();
        }
        Self { bytes, length }
    }

    pub(super) fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// The pieces of a page, in order.
pub(super) struct HtmlPieces<'a> {
    rest: &'a str,
    /// The element whose content comes next and is no markup.
    raw: Option<TagName>,
}

impl<'a> HtmlPieces<'a> {
    pub(super) const fn new(html: &'a str) -> Self {
        Self {
            rest: html,
            raw: None,
        }
    }

    /// Takes the tag at the start of the rest, or what else begins with `<`.
    fn tag(&mut self) -> Option<HtmlPiece<'a>> {
        let inside = &self.rest[1..];
        if let Some(comment) = inside.strip_prefix("!--") {
            let end = comment.find("-->").map(|at| at + 3);
            self.rest = end.map_or("", |end| &comment[end..]);
            return None;
        }
        if inside.starts_with(['!', '?']) {
            let end = inside.find('>').map(|at| at + 1);
            self.rest = end.map_or("", |end| &inside[end..]);
            return None;
        }
        let (closing, named) = match inside.strip_prefix('/') {
            Some(named) => (true, named),
            None => (false, inside),
        };
        if !named.starts_with(|c: char| c.is_ascii_alphabetic()) {
            // Somebody means "less than".
            self.rest = inside;
            return Some(HtmlPiece::Text("<"));
        }
        let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let end = named.find(ends).unwrap_or(named.len());
        let name = TagName::new(&named[..end]);
        let attributes = &named[end..];
        let end = end_of_tag(attributes);
        self.rest = attributes.get(end + 1..).unwrap_or_default();
        if closing {
            return Some(HtmlPiece::Close { name });
        }
        self.raw = RAW.contains(&name.as_str()).then_some(name);
        Some(HtmlPiece::Open {
            name,
            attributes: &attributes[..end],
        })
    }

    /// Takes everything up to the tag that ends `name`.
    fn raw(&mut self, name: TagName) -> HtmlPiece<'a> {
        let mut from = 0;
        let end = loop {
            let Some(at) = self.rest[from..].find("</").map(|at| from + at) else {
                break self.rest.len();
            };
            let after = self.rest.as_bytes()[at + 2..].get(..name.length);
            if after.is_some_and(|it| it.eq_ignore_ascii_case(name.as_str().as_bytes())) {
                break at;
            }
            from = at + 2;
        };
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        HtmlPiece::Raw { name, text }
    }
}

impl<'a> Iterator for HtmlPieces<'a> {
    type Item = HtmlPiece<'a>;

    fn next(&mut self) -> Option<HtmlPiece<'a>> {
        if let Some(name) = self.raw.take() {
            return Some(self.raw(name));
        }
        loop {
            match self.rest.find('<') {
                _ if self.rest.is_empty() => return None,
                Some(0) => {
                    if let Some(piece) = self.tag() {
                        return Some(piece);
                    }
                }
                at => {
                    let (text, rest) = self.rest.split_at(at.unwrap_or(self.rest.len()));
                    self.rest = rest;
                    return Some(HtmlPiece::Text(text));
                }
            }
        }
    }
}

/// Where the tag with these attributes ends. A `>` in quotes ends nothing.
fn end_of_tag(attributes: &str) -> usize {
    let mut quote = None;
    let mut after_equals = false;
    for (at, byte) in attributes.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return at,
            (None, b'"' | b'\'') if after_equals => quote = Some(byte),
            (None, _) => {}
        }
        after_equals = byte == b'=' || after_equals && byte.is_ascii_whitespace();
    }
    attributes.len()
}

/// The value of an attribute, without entities.
pub(super) fn attribute<'a>(attributes: &'a str, wanted: &str) -> Option<Cow<'a, str>> {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        let ends = |c: char| c.is_ascii_whitespace() || c == '=';
        // A name may begin with anything, even with an equals sign.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(ends).map_or(rest.len(), |at| at + first);
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.trim_ascii_start().strip_prefix('=') {
            None => ("", after),
            Some(value) => value_of(value.trim_ascii_start()),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(html_escape::decode_html_entities(value));
        }
        rest = after;
    }
}

fn value_of(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.split_once(quote).unwrap_or((inside, ""));
        }
    }
    let end = text.find(|c: char| c.is_ascii_whitespace());
    text.split_at(end.unwrap_or(text.len()))
}

/// The text of a short piece of HTML: no tags, no entities.
pub(super) fn plain(html: &str) -> Cow<'_, str> {
    if !html.contains(['<', '&']) {
        return Cow::Borrowed(html);
    }
    let mut text = String::new();
    for piece in HtmlPieces::new(html) {
        match piece {
            HtmlPiece::Text(part) => text.push_str(part),
            HtmlPiece::Open { name, .. } if matches!(name.as_str(), "br" | "p" | "div" | "li") => {
                text.push(' ');
            }
            _ => {}
        }
    }
    Cow::Owned(html_escape::decode_html_entities(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces in short: `+a` opens, `-a` closes, `=a:…` is raw.
    fn shown(html: &str) -> String {
        let pieces = HtmlPieces::new(html).map(|piece| match piece {
            HtmlPiece::Text(text) => text.to_owned(),
            HtmlPiece::Open { name, attributes } => format!("{{+{}{attributes}}}", name.as_str()),
            HtmlPiece::Close { name } => format!("{{-{}}}", name.as_str()),
            HtmlPiece::Raw { name, text } => format!("{{={}:{text}}}", name.as_str()),
        });
        pieces.collect()
    }

    #[test]
    fn pages_are_taken_apart() {
        for (html, expected) in [
            ("tea", "tea"),
            ("<p>tea</p>", "{+p}tea{-p}"),
            ("<P CLASS=x>tea</P >", "{+p CLASS=x}tea{-p}"),
            ("<a href='x>y'>z", "{+a href='x>y'}z"),
            ("<a b = \">\" c>z", "{+a b = \">\" c}z"),
            ("<a b=it's>z</a>", "{+a b=it's}z{-a}"),
            ("1 < 2 <3 </ >", "1 < 2 <3 </ >"),
            ("a<!-- <p> -->b<!doctype html>c<?php d ?>e", "abce"),
            ("a<!-- never ends", "a"),
            ("a<p never ends", "a{+p never ends}"),
            (
                "<script>if (a < b) '</p>'</script>c",
                "{+script}{=script:if (a < b) '</p>'}{-script}c",
            ),
            ("<TITLE>A</titLE>b", "{+title}{=title:A}{-title}b"),
            ("<style>a", "{+style}{=style:a}"),
            ("<averyveryverylongname>a", "{+}a"),
            ("<br/>a<", "{+br/}a<"),
            ("<é>", "<é>"),
            ("", ""),
        ] {
            assert_eq!(shown(html), expected, "{html}");
        }
    }

    #[test]
    fn attributes_are_found() {
        for (attributes, expected) in [
            (" href=\"a&amp;b\" class=x", Some("a&b")),
            (" class='href=no' HREF = 'y'", Some("y")),
            (" href=x/y>", Some("x/y>")),
            (" href", Some("")),
            (" data-href=x", None),
            (" = href=x", Some("x")),
            ("", None),
        ] {
            assert_eq!(
                attribute(attributes, "href").as_deref(),
                expected,
                "{attributes}"
            );
        }
    }

    #[test]
    fn it_takes_no_longer_than_the_page_is_long() {
        // Each of these is quadratic if anything is looked at again and again.
        let many = 200_000;
        let pages = [
            "<".repeat(many),
            "</".repeat(many),
            "<!--".repeat(many),
            format!("<script>{}", "</".repeat(many)),
            format!("<a {}>", "b='c' ".repeat(many / 6)),
            "<a b='".repeat(many / 6),
            "<p>".repeat(many / 3),
            "&".repeat(many),
        ];
        for page in pages {
            let pieces = HtmlPieces::new(&page).count();
            assert!(pieces <= page.len(), "{}", &page[..20]);
            assert!(plain(&page).len() <= page.len() * 4);
        }
    }
}
