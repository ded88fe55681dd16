//! Paint on the picture.

use cosmic_text::{LayoutGlyph, LayoutRun, SwashCache, SwashContent};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use crate::layout::{IS_CODE, IS_STRUCK, RowLayout, Sheet};
use crate::look::{
    BASELINE, BORDER, CARD, CHIP, CHIP_RADIUS, EDGE, HEADER, LINES, PAD_X, PAD_Y, RADIUS, Rgb,
    ZEBRA,
};

/// Draws the sheet; `None` if it has no size.
pub(crate) fn draw(sheet: &mut Sheet) -> Option<Pixmap> {
    let mut picture = Pixmap::new(sheet.width, sheet.height)?;
    grounds(&mut picture, sheet);
    let mut glyphs = SwashCache::new();
    let Sheet {
        system,
        rows,
        columns,
        ..
    } = sheet;
    for row in rows.iter() {
        let mut left = BORDER;
        for (cell, width) in row.cells.iter().zip(columns.iter()) {
            let origin = (left + PAD_X, row.top + PAD_Y);
            let clip = Clip::new(&picture, left, row.top, *width, row.height);
            for run in cell.text.layout_runs() {
                for (from, to) in stretches(&run, IS_CODE) {
                    chip(&mut picture, &run, origin, from, to);
                }
                for glyph in run.glyphs {
                    let at = glyph.physical((origin.0, origin.1 + run.line_top + BASELINE), 1.0);
                    if let Some(image) = glyphs.get_image(system, at.cache_key) {
                        let place = (at.x + image.placement.left, at.y - image.placement.top);
                        let size = (image.placement.width, image.placement.height);
                        let ink = ink(glyph);
                        match image.content {
                            SwashContent::Mask => {
                                stamp(
                                    &mut picture,
                                    clip,
                                    place,
                                    size,
                                    image.data.iter().map(|alpha| (ink, *alpha)),
                                );
                            }
                            SwashContent::Color => {
                                let pixels = image.data.chunks_exact(4);
                                stamp(
                                    &mut picture,
                                    clip,
                                    place,
                                    size,
                                    pixels.map(|p| (Rgb(p[0], p[1], p[2]), p[3])),
                                );
                            }
                            SwashContent::SubpixelMask => {}
                        }
                    }
                }
                for (from, to) in stretches(&run, IS_STRUCK) {
                    strike(&mut picture, &run, origin, from, to);
                }
            }
            left += width;
        }
    }
    Some(picture)
}

/// The card, the stripes and the lines.
fn grounds(picture: &mut Pixmap, sheet: &Sheet) {
    let (width, height) = (sheet.width as f32, sheet.height as f32);
    let inside = RADIUS - BORDER;
    fill(
        picture,
        rounded(0.0, 0.0, width, height, RADIUS, RADIUS),
        EDGE,
    );
    let inner = (width - 2.0 * BORDER, height - 2.0 * BORDER);
    fill(
        picture,
        rounded(BORDER, BORDER, inner.0, inner.1, inside, inside),
        CARD,
    );
    let last = sheet.rows.len().saturating_sub(1);
    for (index, RowLayout { top, height, .. }) in sheet.rows.iter().enumerate() {
        let bottom = if index == last { inside } else { 0.0 };
        if index == 0 {
            fill(
                picture,
                rounded(BORDER, *top, inner.0, *height, inside, bottom),
                HEADER,
            );
        } else if index % 2 == 0 {
            fill(
                picture,
                rounded(BORDER, *top, inner.0, *height, 0.0, bottom),
                ZEBRA,
            );
        }
        if index > 0 {
            let (ground, thick) = if index == 1 {
                (EDGE, BORDER)
            } else {
                (LINES, BORDER / 2.0)
            };
            fill(
                picture,
                rounded(BORDER, *top, inner.0, thick, 0.0, 0.0),
                ground,
            );
        }
    }
    let mut left = BORDER;
    for column in sheet
        .columns
        .iter()
        .take(sheet.columns.len().saturating_sub(1))
    {
        left += column;
        let line = rounded(left.floor(), BORDER, BORDER / 2.0, inner.1, 0.0, 0.0);
        fill(picture, line, LINES);
    }
}

/// The ground behind code.
fn chip(picture: &mut Pixmap, run: &LayoutRun<'_>, origin: (f32, f32), from: f32, to: f32) {
    let top = origin.1 + run.line_top + 2.0;
    let path = rounded(
        origin.0 + from,
        top,
        to - from,
        run.line_height - 4.0,
        CHIP_RADIUS,
        CHIP_RADIUS,
    );
    fill(picture, path, CHIP);
}

fn strike(picture: &mut Pixmap, run: &LayoutRun<'_>, origin: (f32, f32), from: f32, to: f32) {
    let ink = run
        .glyphs
        .iter()
        .find(|glyph| glyph.metadata & IS_STRUCK != 0)
        .map(ink);
    let size = run.glyphs.first().map_or(0.0, |glyph| glyph.font_size);
    let mut line = PathBuilder::new();
    let y = (origin.1 + run.line_top + BASELINE - size * 0.3).round();
    line.move_to(origin.0 + from, y);
    line.line_to(origin.0 + to, y);
    if let (Some(path), Some(ink)) = (line.finish(), ink) {
        let stroke = Stroke {
            width: 2.0,
            ..Stroke::default()
        };
        picture.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
    }
}

/// Where the glyphs with the bit `about` begin and end, from left to right.
fn stretches(run: &LayoutRun<'_>, about: usize) -> Vec<(f32, f32)> {
    let mut stretches: Vec<(f32, f32)> = Vec::new();
    let mut going = false;
    for glyph in run.glyphs {
        let is = glyph.metadata & about != 0;
        let (from, to) = (glyph.x, glyph.x + glyph.w);
        match stretches.last_mut() {
            Some(last) if going && is => *last = (last.0.min(from), last.1.max(to)),
            _ if is => stretches.push((from, to)),
            _ => {}
        }
        going = is;
    }
    stretches
}

fn ink(glyph: &LayoutGlyph) -> Rgb {
    glyph
        .color_opt
        .map_or(crate::look::TEXT, |ink| Rgb(ink.r(), ink.g(), ink.b()))
}

/// The part of the picture that a cell may paint on.
#[derive(Clone, Copy)]
struct Clip {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Clip {
    fn new(picture: &Pixmap, left: f32, top: f32, width: f32, height: f32) -> Self {
        let within = |at: f32, end: u32| (at.round() as i32).clamp(0, end.cast_signed());
        Self {
            left: within(left, picture.width()),
            top: within(top, picture.height()),
            right: within(left + width, picture.width()),
            bottom: within(top + height, picture.height()),
        }
    }
}

/// Lays the pixels of a glyph over the picture, row by row.
fn stamp(
    picture: &mut Pixmap,
    clip: Clip,
    place: (i32, i32),
    size: (u32, u32),
    mut pixels: impl Iterator<Item = (Rgb, u8)>,
) {
    let stride = picture.width() as usize;
    let data = picture.data_mut();
    for y in (place.1..).take(size.1 as usize) {
        for x in (place.0..).take(size.0 as usize) {
            let Some((Rgb(red, green, blue), alpha)) = pixels.next() else {
                return;
            };
            let inside =
                (clip.left..clip.right).contains(&x) && (clip.top..clip.bottom).contains(&y);
            if !inside || alpha == 0 {
                continue;
            }
            let at = 4 * (y as usize * stride + x as usize);
            let Some(below) = data.get_mut(at..at + 3) else {
                continue;
            };
            for (below, above) in below.iter_mut().zip([red, green, blue]) {
                let mixed = u32::from(above) * u32::from(alpha)
                    + u32::from(*below) * u32::from(255 - alpha);
                *below = ((mixed + 127) / 255) as u8;
            }
        }
    }
}

fn fill(picture: &mut Pixmap, path: Option<Path>, ground: Rgb) {
    if let Some(path) = path {
        picture.fill_path(
            &path,
            &paint(ground),
            FillRule::Winding,
            Transform::identity(),
            None,
        );
    }
}

fn paint(ground: Rgb) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(ground.into());
    paint
}

/// A rectangle with rounded corners above and below.
fn rounded(left: f32, top: f32, width: f32, height: f32, above: f32, below: f32) -> Option<Path> {
    let rect = Rect::from_xywh(left, top, width, height)?;
    let most = width.min(height) / 2.0;
    let (above, below) = (above.min(most), below.min(most));
    let (right, bottom) = (rect.right(), rect.bottom());
    // How far the handles of a quarter circle stand off, of its radius.
    let bend = 0.447_715;
    let mut path = PathBuilder::new();
    path.move_to(left + above, top);
    path.line_to(right - above, top);
    path.cubic_to(
        right - above * bend,
        top,
        right,
        top + above * bend,
        right,
        top + above,
    );
    path.line_to(right, bottom - below);
    path.cubic_to(
        right,
        bottom - below * bend,
        right - below * bend,
        bottom,
        right - below,
        bottom,
    );
    path.line_to(left + below, bottom);
    path.cubic_to(
        left + below * bend,
        bottom,
        left,
        bottom - below * bend,
        left,
        bottom - below,
    );
    path.line_to(left, top + above);
    path.cubic_to(
        left,
        top + above * bend,
        left + above * bend,
        top,
        left + above,
        top,
    );
    path.close();
    path.finish()
}
