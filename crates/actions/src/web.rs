//! The open web: searching it, and reading pages of it.
//!
//! Everything goes out through [`kaiwa_egress`], and whatever comes back was
//! written by strangers: it is cut to size, freed of what is not seen, and
//! given to the model as data.

mod clean;
mod document;
mod engine;
mod found;
mod markup;
mod page;
mod pdf;
mod readable;
mod search;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use clean::is_unseen;
pub use engine::SearchEngine;
pub use page::FetchPage;
pub use pdf::{PdfReader, read_pdf_and_exit};
pub use search::WebSearch;

/// HTML as the text that people would read, and the results of a search in it.
/// Both are for the fuzzer.
#[doc(hidden)]
pub fn read_html(html: &str) -> (String, usize) {
    let read = readable::read(html);
    let results = engine::duckduckgo::read(html.as_bytes());
    (read.text, results.map_or(0, |found| found.len()))
}
