//! From a table to a PNG.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use kaiwa_domain::Table;
use kaiwa_domain::port::{Picture, TablePainter, Unpaintable};

use crate::fonts::{FontSource, Fonts};
use crate::ink;
use crate::layout::Sheet;

/// Draws tables. Share one: it lists the system's fonts when it first needs
/// them.
#[derive(Debug)]
pub struct Painter {
    fonts: Fonts,
}

impl Painter {
    /// A painter that finds the fonts of the system.
    pub const fn new() -> Self {
        Self {
            fonts: Fonts::new(FontSource::System),
        }
    }

    /// A painter that, beside its own fonts, knows those in `folders` only.
    pub const fn with_fonts_in(folders: Vec<PathBuf>) -> Self {
        Self {
            fonts: Fonts::new(FontSource::Folders(folders)),
        }
    }

    fn try_paint(&self, table: &Table) -> Result<Picture, Unpaintable> {
        let mut sheet = Sheet::new(table, &self.fonts)?;
        let failed = |reason: &str| Unpaintable::Failed {
            reason: reason.to_owned(),
        };
        let picture = ink::draw(&mut sheet).ok_or_else(|| failed("the picture has no size"))?;
        let png = picture
            .encode_png()
            .map_err(|error| failed(&error.to_string()))?;
        Ok(Picture {
            png,
            width: picture.width(),
            height: picture.height(),
            alt: table.alt(),
        })
    }
}

impl Default for Painter {
    fn default() -> Self {
        Self::new()
    }
}

impl TablePainter for Painter {
    fn paint(&self, table: &Table) -> Result<Picture, Unpaintable> {
        // Fonts are found on the system and text comes from anywhere: whatever
        // the shaper makes of the two must not end the answer. What a panic
        // leaves behind is dropped with it.
        catch_unwind(AssertUnwindSafe(|| self.try_paint(table))).unwrap_or_else(|_| {
            Err(Unpaintable::Failed {
                reason: "a panic, which is in the log".to_owned(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::{
        CARD, CHIP, EDGE, HEADER, HEADING, LINK, MAX_HEIGHT, MAX_WIDTH, Rgb, TEXT, ZEBRA,
    };
    use proptest::prelude::*;
    use tiny_skia::Pixmap;

    /// A painter with its own fonts only, so that tests do not depend on the
    /// machine.
    fn painter() -> Painter {
        Painter::with_fonts_in(Vec::new())
    }

    fn table(source: &str) -> Table {
        Table::parse(source).expect(source)
    }

    fn painted(source: &str) -> (Picture, Pixmap) {
        let picture = painter().paint(&table(source)).expect(source);
        let pixels = Pixmap::decode_png(&picture.png).unwrap();
        assert_eq!(
            (pixels.width(), pixels.height()),
            (picture.width, picture.height)
        );
        assert!(picture.width <= MAX_WIDTH && picture.height <= MAX_HEIGHT);
        (picture, pixels)
    }

    fn pixel(pixels: &Pixmap, x: u32, y: u32) -> Rgb {
        let pixel = pixels.pixel(x, y).unwrap().demultiply();
        Rgb(pixel.red(), pixel.green(), pixel.blue())
    }

    /// The columns of pixels in which something has exactly this colour.
    fn columns_with(pixels: &Pixmap, wanted: Rgb) -> Vec<u32> {
        let has = |x: &u32| (0..pixels.height()).any(|y| pixel(pixels, *x, y) == wanted);
        (0..pixels.width()).filter(has).collect()
    }

    fn count(pixels: &Pixmap, wanted: Rgb) -> usize {
        let all = (0..pixels.height()).flat_map(|y| (0..pixels.width()).map(move |x| (x, y)));
        all.filter(|(x, y)| pixel(pixels, *x, *y) == wanted).count()
    }

    #[test]
    fn a_card_with_a_header_and_stripes() {
        let (picture, pixels) = painted("a|b\n-|-\n1|2\n3|4\n5|6");
        let row = (picture.height - 4) / 4;
        let middle = |index: u32| pixel(&pixels, 10, 2 + row * index + row / 2);
        assert_eq!(
            pixels.pixel(0, 0).unwrap().alpha(),
            0,
            "the corners are round"
        );
        assert_eq!(pixel(&pixels, 0, picture.height / 2), EDGE);
        assert_eq!(pixel(&pixels, picture.width - 1, picture.height / 2), EDGE);
        assert_eq!(
            [middle(0), middle(1), middle(2), middle(3)],
            [HEADER, CARD, ZEBRA, CARD]
        );
        assert_eq!(picture.alt, "Table with 3 rows. Columns: a, b.");
    }

    #[test]
    fn columns_are_aligned() {
        fn ink(separator: &str) -> (u32, u32) {
            let (picture, pixels) = painted(&format!("a long heading|b\n{separator}|-\nI|\nI|"));
            let columns = columns_with(&pixels, TEXT);
            (*columns.first().unwrap(), picture.width)
        }
        let (left, width) = ink(":-");
        let (center, _) = ink(":-:");
        let (right, _) = ink("-:");
        assert_eq!(ink("-").0, left);
        assert!(left + 40 < center && center + 40 < right && right < width);
    }

    #[test]
    fn spans_look_different() {
        let of = |cell: &str| painted(&format!("x|y\n-|-\n{cell}|z")).1;
        let plain = of("word");
        assert!(
            count(&of("**word**"), TEXT) > count(&plain, TEXT),
            "bold is heavier"
        );
        assert_ne!(of("*word*").data(), plain.data(), "italic leans");
        assert!(
            columns_with(&of("~~i i i~~"), TEXT).len()
                > columns_with(&of("i i i"), TEXT).len() + 10
        );
        assert_eq!(count(&plain, CHIP), 0);
        assert!(count(&of("`word`"), CHIP) > 500);
        assert_eq!(count(&plain, LINK), 0);
        assert!(count(&of("[word](https://a.b)"), LINK) > 50);
        assert!(count(&plain, HEADING) > 0);
    }

    #[test]
    fn long_text_is_folded() {
        let short = painted("a|b\n-|-\nx|y").0;
        let long = painted(&format!("a|b\n-|-\n{}|y", "some words ".repeat(30))).0;
        assert!(long.height > short.height + 36 * 3, "{}", long.height);
        let token = painted(&format!("a|b\n-|-\n{}|y", "x".repeat(900))).0;
        assert!(token.height > short.height + 36 * 10, "{}", token.height);
        // A folded column is no wider than its longest line.
        let words = "many words that have to be folded ".repeat(9);
        let spared = painted(&format!("a|b\n-|-\nsome {}|{words}", "x".repeat(30))).0;
        assert!(spared.width < 1050, "{}", spared.width);
    }

    #[test]
    fn the_same_table_gives_the_same_picture() {
        let source = "a|`b`\n-|-\n**x** → y|~~z~~";
        assert_eq!(painted(source).0, painted(source).0);
    }

    #[test]
    fn what_cannot_be_painted_says_why() {
        fn check(source: &str, expected: &Unpaintable) {
            assert_eq!(
                painter().paint(&table(source)).as_ref(),
                Err(expected),
                "{source:?}"
            );
        }
        check("a|b\n-|-\n日本|y", &Unpaintable::MissingGlyph('日'));
        check("a|b\n-|-\n✅|y", &Unpaintable::MissingGlyph('✅'));
        check(
            "`\u{10fffd}`|b\n-|-\nx|y",
            &Unpaintable::MissingGlyph('\u{10fffd}'),
        );
        check(
            &format!("a|b\n-|-\n{}", "x|y\n".repeat(100)),
            &Unpaintable::TooLarge,
        );
        check(
            &format!("a|b\n-|-\n{}", "x<br>x<br>x|y\n".repeat(60)),
            &Unpaintable::TooLarge,
        );
        check(
            &format!("a|b\n-|-\n{}|y", "x".repeat(3000)),
            &Unpaintable::TooLarge,
        );
        let wide = |cell: &str| vec![cell; 20].join("|");
        check(
            &format!("{}\n{}\n{}", wide("a"), wide("-"), wide("b")),
            &Unpaintable::TooLarge,
        );
    }

    #[test]
    fn hostile_text_is_painted_or_not_but_does_no_harm() {
        let cells = [
            "\u{202e}drow\u{202c}",
            "\u{0}\u{1b}[31m\u{7f}",
            "\u{200b}\u{200d}\u{feff}\u{2060}",
            "\u{301}",
            "\u{fe0f}",
            "\u{2028}\u{2029}\u{85}",
            "<br><br>",
            "```",
        ];
        for cell in cells {
            painted(&format!("a|b\n-|-\n{cell}|y\nx|{cell}{cell}"));
        }
        painted(&format!("a|b\n-|-\na{}|y", "\u{301}".repeat(900)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn any_text_is_painted_or_refused(
            cells in prop::collection::vec("[a-z*_~`\\[\\]() <>:\\\\é\u{5d0}\u{300}\u{200d}\u{202e}\u{1f600}\t]{0,24}", 2..12),
            columns in 2usize..5,
        ) {
            let row = |cells: &[String]| cells.join("|");
            let header = vec!["h"; columns].join("|");
            let dashes = vec!["-"; columns].join("|");
            let rows: Vec<String> = cells.chunks(columns).map(row).collect();
            if let Some(table) = Table::parse(&format!("{header}\n{dashes}\n{}", rows.join("\n"))) {
                match painter().paint(&table) {
                    Ok(picture) => prop_assert!(picture.width <= MAX_WIDTH && picture.height <= MAX_HEIGHT),
                    Err(Unpaintable::Failed { reason }) => prop_assert!(false, "{}", reason),
                    Err(_) => {}
                }
            }
        }
    }
}
