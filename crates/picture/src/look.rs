//! Measures and colours. All lengths are pixels of the picture, which has
//! twice the resolution of the text around it.

use tiny_skia::Color;

/// The widest picture.
pub const MAX_WIDTH: u32 = 1400;

/// The tallest picture.
pub const MAX_HEIGHT: u32 = 5000;

/// The width that tables are folded to if they can be: wider ones are shown
/// scaled down, with smaller letters.
pub(crate) const GOOD_WIDTH: f32 = 1080.0;

/// No column is folded to more than this, whatever its text.
pub(crate) const MAX_COLUMN: f32 = 620.0;

/// No column is made narrower than this, even where words break.
pub(crate) const MIN_COLUMN: f32 = 56.0;

/// Words up to this width are not broken as long as the table can be widened.
pub(crate) const MAX_WORD: f32 = 300.0;

/// The longest cell, in bytes: more is an essay and no table.
pub(crate) const MAX_CELL: usize = 2000;

pub(crate) const FONT_SIZE: f32 = 26.0;
pub(crate) const CODE_SIZE: f32 = 24.0;
pub(crate) const LINE_HEIGHT: f32 = 36.0;
/// From the top of a line to the feet of its letters. It is the same in every
/// line, whatever fonts are in it, so that rows are level.
pub(crate) const BASELINE: f32 = 27.0;
pub(crate) const PAD_X: f32 = 24.0;
pub(crate) const PAD_Y: f32 = 14.0;
pub(crate) const RADIUS: f32 = 18.0;
pub(crate) const BORDER: f32 = 2.0;

/// Stands on both sides of code, on the same ground; no line breaks at it.
pub(crate) const CHIP_PAD: &str = "\u{202f}";
pub(crate) const CHIP_RADIUS: f32 = 7.0;

/// An opaque colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl From<Rgb> for Color {
    fn from(Rgb(red, green, blue): Rgb) -> Self {
        Self::from_rgba8(red, green, blue, 255)
    }
}

// A dark card, which reads well in Discord's dark and light themes alike.
pub(crate) const CARD: Rgb = Rgb(0x1e, 0x1f, 0x22);
pub(crate) const ZEBRA: Rgb = Rgb(0x25, 0x26, 0x2a);
pub(crate) const HEADER: Rgb = Rgb(0x2f, 0x31, 0x37);
pub(crate) const LINES: Rgb = Rgb(0x3a, 0x3c, 0x43);
pub(crate) const EDGE: Rgb = Rgb(0x4a, 0x4d, 0x55);
pub(crate) const CHIP: Rgb = Rgb(0x38, 0x3a, 0x42);
pub(crate) const TEXT: Rgb = Rgb(0xdb, 0xde, 0xe1);
pub(crate) const HEADING: Rgb = Rgb(0xf6, 0xf7, 0xf9);
pub(crate) const LINK: Rgb = Rgb(0x4d, 0xb8, 0xff);
pub(crate) const CODE: Rgb = Rgb(0xf0, 0xc6, 0xa8);
