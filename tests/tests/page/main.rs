//! The page in a real browser.

mod apps;
mod browser;
mod buttons;
mod client;
mod content;
mod families;
mod inspect;
mod personas;
mod surface;
mod threads;
