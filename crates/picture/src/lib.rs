//! Pictures for people and pictures for models: draws tables, and fits images
//! from outside.
//!
//! [`fit()`] makes an image small and safe enough for a model. [`Painter`] lays a table out with [`cosmic_text`] and paints it with
//! [`tiny_skia`]. It promises:
//!
//! - a picture holds every character of the table, or there is none: what no
//!   font has makes the table [`Unpaintable`](kaiwa_domain::port::Unpaintable);
//! - no picture is larger than [`MAX_WIDTH`] by [`MAX_HEIGHT`];
//! - the same table and fonts give the same bytes;
//! - it does not panic, and between two pictures it holds no fonts but a list
//!   of those on the system.
//!
//! Latin, Greek and Cyrillic, arrows and a few symbols come with the binary;
//! other scripts and emoji come from the fonts of the system.

mod look;
mod fonts;
mod layout;
mod ink;
mod painter;
mod fit;

pub use fit::{Fitter, MAX_BYTES, PEAK_BYTES, fit, portrait};
pub use look::{MAX_HEIGHT, MAX_WIDTH};
pub use painter::Painter;
