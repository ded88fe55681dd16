//! Where everything in a table goes.

use cosmic_text::fontdb::{Style, Weight};
use cosmic_text::{
    Align as TextAlign, Attrs, Buffer, Color, Family, FontSystem, Metrics, Shaping, Wrap,
};
use kaiwa_domain::Table;
use kaiwa_domain::port::Unpaintable;
use kaiwa_domain::table::{Align, Span, spans};
use unicode_segmentation::UnicodeSegmentation;

use crate::fonts::{FontSelection, Fonts, MONO, SANS, is_emoji, is_visible};
use crate::look::{
    BORDER, CHIP_PAD, CODE, CODE_SIZE, FONT_SIZE, GOOD_WIDTH, HEADING, LINE_HEIGHT, LINK, MAX_CELL,
    MAX_COLUMN, MAX_HEIGHT, MAX_WIDTH, MAX_WORD, MIN_COLUMN, PAD_X, PAD_Y, Rgb, TEXT,
};

/// What a glyph's metadata says about it, as bits.
pub(crate) const IS_CODE: usize = 1;
pub(crate) const IS_STRUCK: usize = 2;

/// A table with a place for everything.
pub(crate) struct Sheet {
    pub(crate) system: FontSystem,
    /// The header and the rows.
    pub(crate) rows: Vec<RowLayout>,
    /// The columns, padding included.
    pub(crate) columns: Vec<f32>,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

pub(crate) struct RowLayout {
    pub(crate) top: f32,
    pub(crate) height: f32,
    pub(crate) cells: Vec<Cell>,
}

/// A cell with its text laid out.
pub(crate) struct Cell {
    pub(crate) text: Buffer,
    /// How wide its text is unfolded.
    natural: f32,
    /// How wide its longest word is.
    word: f32,
}

impl Sheet {
    /// Lays `table` out, on as little space as it can be read on.
    pub(crate) fn new(table: &Table, fonts: &Fonts) -> Result<Self, Unpaintable> {
        let columns = table.header().len();
        let rows = table.rows().len() + 1;
        let smallest_row = LINE_HEIGHT + 2.0 * PAD_Y;
        if smallest_row * rows as f32 > MAX_HEIGHT as f32
            || (MIN_COLUMN + 2.0 * PAD_X) * columns as f32 > MAX_WIDTH as f32
        {
            return Err(Unpaintable::TooLarge);
        }
        let all = || std::iter::once(table.header()).chain(table.rows().iter().map(Vec::as_slice));
        if all().flatten().any(|cell| cell.len() > MAX_CELL) {
            return Err(Unpaintable::TooLarge);
        }
        let cells: Vec<Vec<Vec<Span>>> = all()
            .map(|row| row.iter().map(|cell| drawable(cell)).collect())
            .collect();
        let text: String = cells
            .iter()
            .flatten()
            .flatten()
            .flat_map(|span| [span.text.as_str(), "\n"])
            .collect();
        let FontSelection { mut system, emoji } = fonts.choose(&text)?;

        let mut sheet_rows = Vec::with_capacity(rows);
        for (index, row) in cells.iter().enumerate() {
            let mut laid = Vec::with_capacity(columns);
            for (column, cell) in row.iter().enumerate() {
                let align = table.align().get(column).copied().unwrap_or_default();
                let ground = if index == 0 {
                    Ground::Header
                } else {
                    Ground::Row
                };
                laid.push(Cell::new(
                    cell,
                    ground,
                    align,
                    emoji.as_deref(),
                    &mut system,
                )?);
            }
            sheet_rows.push(RowLayout {
                top: 0.0,
                height: 0.0,
                cells: laid,
            });
        }
        let mut sheet = Self {
            system,
            rows: sheet_rows,
            columns: Vec::new(),
            width: 0,
            height: 0,
        };
        for width in [GOOD_WIDTH, MAX_WIDTH as f32] {
            sheet.fold(width)?;
            if sheet.height <= MAX_HEIGHT {
                return Ok(sheet);
            }
        }
        Err(Unpaintable::TooLarge)
    }

    /// Folds the cells so that the sheet is no wider than `good`, or a little
    /// wider than its longest words need.
    fn fold(&mut self, good: f32) -> Result<(), Unpaintable> {
        let count = self.rows.first().map_or(0, |row| row.cells.len());
        let most = |column: usize, measure: fn(&Cell) -> f32| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(column));
            cells.map(measure).fold(MIN_COLUMN, f32::max)
        };
        let wanted: Vec<f32> = (0..count)
            .map(|column| most(column, |cell| cell.natural).min(MAX_COLUMN))
            .collect();
        let words: Vec<f32> = (0..count)
            .map(|column| {
                most(column, |cell| cell.word)
                    .min(wanted[column])
                    .min(MAX_WORD)
            })
            .collect();
        let frame = 2.0 * BORDER + 2.0 * PAD_X * count as f32;
        let unbroken = frame + words.iter().sum::<f32>();
        let room = good.max(unbroken * 1.2).min(MAX_WIDTH as f32) - frame;
        let floors = if unbroken <= MAX_WIDTH as f32 {
            words
        } else {
            vec![MIN_COLUMN; count]
        };
        let mut widths = shrink(wanted.clone(), &floors, room);
        let mut used = self.lay(&widths);
        if widths != wanted {
            // What a folded column does not use is given to the others.
            widths = shrink(spared(&wanted, &widths, &used), &floors, room);
            used = self.lay(&widths);
            widths = spared(&widths, &used, &used);
            self.lay(&widths);
        }
        self.columns = widths.iter().map(|width| width + 2.0 * PAD_X).collect();
        self.width = (frame + widths.iter().sum::<f32>()).ceil() as u32;
        if self.width > MAX_WIDTH {
            return Err(Unpaintable::TooLarge);
        }
        Ok(())
    }

    /// Lays the cells out in columns of these widths; returns how much of
    /// these is used.
    fn lay(&mut self, widths: &[f32]) -> Vec<f32> {
        let mut used = vec![MIN_COLUMN; widths.len()];
        let mut top = BORDER;
        for row in &mut self.rows {
            row.top = top;
            row.height = LINE_HEIGHT;
            for ((cell, width), used) in row.cells.iter_mut().zip(widths).zip(&mut used) {
                cell.text.set_wrap(Wrap::WordOrGlyph);
                cell.text.set_size(Some(*width), None);
                cell.text.shape_until_scroll(&mut self.system, false);
                row.height = row.height.max(height(&cell.text));
                let lines = cell.text.layout_runs().map(|run| run.line_w);
                *used = lines.fold(*used, |used, line| used.max(line.ceil() + 1.0));
            }
            row.height += 2.0 * PAD_Y;
            top += row.height;
        }
        self.height = (top + BORDER).ceil() as u32;
        used
    }
}

/// What the columns want once those that were folded spare what they do not
/// use.
fn spared(wanted: &[f32], widths: &[f32], used: &[f32]) -> Vec<f32> {
    let columns = wanted.iter().zip(widths).zip(used);
    columns
        .map(|((&wanted, &width), &used)| {
            if width < wanted {
                used.min(wanted)
            } else {
                wanted
            }
        })
        .collect()
}

/// Takes from the widest columns until all fit `room`, but from none below its
/// floor.
fn shrink(mut widths: Vec<f32>, floors: &[f32], room: f32) -> Vec<f32> {
    let total = |cap: f32| -> f32 {
        let capped = widths.iter().zip(floors);
        capped
            .map(|(width, floor)| width.min(cap.max(*floor)))
            .sum()
    };
    let widest = widths.iter().copied().fold(0.0, f32::max);
    let (mut low, mut high) = (0.0, widest);
    if total(high) <= room {
        return widths;
    }
    for _ in 0..24 {
        let middle = f32::midpoint(low, high);
        if total(middle) <= room {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (width, floor) in widths.iter_mut().zip(floors) {
        *width = width.min(low.max(*floor)).floor();
    }
    widths
}

fn height(text: &Buffer) -> f32 {
    let runs = text.layout_runs();
    runs.map(|run| run.line_top + run.line_height)
        .fold(0.0, f32::max)
}

/// The spans of a cell without what cannot or must not be drawn: control
/// characters, and marks that turn the text around.
fn drawable(cell: &str) -> Vec<Span> {
    let mut spans = spans(cell);
    for span in &mut spans {
        span.text = span
            .text
            .chars()
            .filter(|c| !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
            .map(|c| match c {
                '\n' => '\n',
                '\u{2028}' | '\u{2029}' => ' ',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
    }
    spans
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    Header,
    Row,
}

impl Cell {
    fn new(
        spans: &[Span],
        ground: Ground,
        align: Align,
        emoji: Option<&str>,
        system: &mut FontSystem,
    ) -> Result<Self, Unpaintable> {
        let plain = Attrs::new().family(Family::Name(SANS));
        let mut pieces: Vec<(&str, Attrs<'_>)> = Vec::new();
        for span in spans {
            let attrs = attrs(span, ground);
            let pad = span
                .code
                .then(|| (CHIP_PAD, attrs.clone().family(Family::Name(SANS))));
            pieces.extend(pad.clone());
            for (text, colourful) in by_colour(&span.text, emoji.is_some()) {
                let attrs = match emoji {
                    Some(family) if colourful => {
                        let attrs = attrs.clone().weight(Weight::NORMAL).style(Style::Normal);
                        attrs.family(Family::Name(family))
                    }
                    _ => attrs.clone(),
                };
                pieces.push((text, attrs));
            }
            pieces.extend(pad);
        }
        let align = match align {
            Align::Start => None,
            Align::Left => Some(TextAlign::Left),
            Align::Center => Some(TextAlign::Center),
            Align::Right => Some(TextAlign::Right),
        };
        let mut text = Buffer::new(system, Metrics::new(FONT_SIZE, LINE_HEIGHT));
        text.set_rich_text(pieces, &plain, Shaping::Advanced, align);
        let mut widest = |wrap, width| {
            text.set_wrap(wrap);
            text.set_size(width, None);
            text.shape_until_scroll(system, false);
            let runs = text.layout_runs();
            runs.map(|run| run.line_w).fold(0.0, f32::max).ceil() + 1.0
        };
        let word = widest(Wrap::Word, Some(1.0));
        let natural = widest(Wrap::None, None);
        if let Some(c) = missing(&text) {
            return Err(Unpaintable::MissingGlyph(c));
        }
        Ok(Self {
            text,
            natural,
            word,
        })
    }
}

fn attrs(span: &Span, ground: Ground) -> Attrs<'static> {
    let ink = match (span.code, span.link, ground) {
        (true, _, _) => CODE,
        (_, true, _) => LINK,
        (_, _, Ground::Header) => HEADING,
        (_, _, Ground::Row) => TEXT,
    };
    let Rgb(red, green, blue) = ink;
    let bold = (span.bold || ground == Ground::Header) && !span.code;
    let mut about = 0;
    if span.code {
        about |= IS_CODE;
    }
    if span.strike {
        about |= IS_STRUCK;
    }
    let attrs = Attrs::new()
        .family(Family::Name(if span.code { MONO } else { SANS }))
        .weight(if bold { Weight::BOLD } else { Weight::NORMAL })
        .style(if span.italic {
            Style::Italic
        } else {
            Style::Normal
        })
        .color(Color::rgb(red, green, blue))
        .metadata(about);
    if span.code {
        attrs.metrics(Metrics::new(CODE_SIZE, LINE_HEIGHT))
    } else {
        attrs
    }
}

/// Cuts text into runs of emoji and of everything else.
fn by_colour(text: &str, emoji: bool) -> Vec<(&str, bool)> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, cluster) in text.grapheme_indices(true) {
        let colourful = emoji && is_emoji(cluster);
        if let Some(last) = last
            && last != colourful
        {
            runs.push((&text[start..at], last));
            start = at;
        }
        last = Some(colourful);
    }
    runs.extend(last.map(|last| (&text[start..], last)));
    runs
}

/// The first character that was left without a glyph.
fn missing(text: &Buffer) -> Option<char> {
    text.layout_runs().find_map(|run| {
        let lost = run.glyphs.iter().filter(|glyph| glyph.glyph_id == 0);
        lost.filter_map(|glyph| run.text.get(glyph.start..glyph.end))
            .find_map(|cluster| cluster.chars().find(|c| is_visible(*c)))
    })
}
