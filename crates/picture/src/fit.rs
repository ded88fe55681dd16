//! Makes a picture from outside fit for a model: small, upright, a JPEG.
//!
//! Nothing is decoded before it is known what that may cost, so that a process
//! which decodes one picture never has more than [`PEAK_BYTES`]. It takes a
//! processor for a while: call it where that holds up nothing else.

mod cost;

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage};
use kaiwa_domain::port::{ImageFitter, PortraitFitter, Unfit};
use kaiwa_domain::{Image, PICTURE_BYTES};

use cost::cost;

/// The largest file, in bytes.
pub const MAX_BYTES: usize = 10_000_000;

/// The most memory that a process which decodes one picture has at its peak,
/// the file included.
pub const PEAK_BYTES: u64 = 160_000_000;

/// The longest side that is decoded, in pixels.
const MAX_SIDE: u32 = 8192;

/// The most memory that decoding may take. The rest of [`PEAK_BYTES`] is for
/// the file, which is there twice, and the process.
const MAX_COST: u64 = 120 << 20;

/// What a PNG may keep beside its pixels, such as a colour profile.
const PNG_EXTRAS: u64 = 4 << 20;

/// The longest side that a model gets, in pixels.
const FITTED_SIDE: u32 = 1024;

/// The longest sides that a persona's picture may have, in pixels; the next is
/// taken if there are too many bytes.
const PORTRAIT_SIDES: [u32; 5] = [512, 384, 256, 192, 128];

const JPEG_QUALITY: u8 = 85;

/// Fits a PNG, JPEG, WebP or GIF (its first frame) into 1024 by 1024 pixels.
/// What is transparent becomes white.
///
/// # Errors
/// If it is none of these, broken, or too large to be looked at safely.
pub fn fit(file: &[u8]) -> Result<Image, Unfit> {
    if file.len() > MAX_BYTES {
        return Err(Unfit::TooLarge);
    }
    let (picture, orientation) = decode(file, &mut { u64::MAX })?;
    let mut picture = match picture.width().max(picture.height()) > FITTED_SIDE {
        true => picture.thumbnail(FITTED_SIDE, FITTED_SIDE),
        false => picture,
    };
    // Turning takes a second picture: turn the small one.
    picture.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)
        .encode_image(&on_white(&picture))
        .map_err(|error| unfit(&error))?;
    Ok(Image {
        media_type: "image/jpeg",
        bytes: jpeg.into(),
    })
}

/// Fits a PNG, JPEG, WebP or GIF (its first frame) for a persona: a PNG of at
/// most 512 by 512 pixels and [`PICTURE_BYTES`] bytes, without anything that
/// stood beside the pixels. Those that are looked at are taken off `pixels`.
///
/// # Errors
/// If it is none of these, broken, or too large to be looked at safely or with
/// so many pixels.
pub fn portrait(file: &[u8], pixels: &mut u64) -> Result<Vec<u8>, Unfit> {
    if file.len() > MAX_BYTES {
        return Err(Unfit::TooLarge);
    }
    let (picture, orientation) = decode(file, pixels)?;
    for side in PORTRAIT_SIDES {
        let mut small = match picture.width().max(picture.height()) > side {
            true => picture.thumbnail(side, side),
            false => picture.clone(),
        };
        small.apply_orientation(orientation);
        let mut png = Cursor::new(Vec::new());
        let small = DynamicImage::from(small.to_rgba8());
        small
            .write_to(&mut png, ImageFormat::Png)
            .map_err(|error| unfit(&error))?;
        let png = png.into_inner();
        if png.len() <= PICTURE_BYTES {
            return Ok(png);
        }
    }
    Err(Unfit::TooLarge)
}

impl PortraitFitter for Fitter {
    fn portrait(&self, file: &[u8], pixels: &mut u64) -> Result<Vec<u8>, Unfit> {
        portrait(file, pixels)
    }
}

/// [`fit`] and [`portrait`], behind their ports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fitter;

impl ImageFitter for Fitter {
    fn fit(&self, file: &[u8]) -> Result<Image, Unfit> {
        fit(file)
    }
}

fn decode(file: &[u8], pixels: &mut u64) -> Result<(DynamicImage, Orientation), Unfit> {
    let mut reader = ImageReader::new(Cursor::new(file))
        .with_guessed_format()
        .map_err(|_| Unfit::Unreadable)?;
    let format = reader.format().ok_or(Unfit::Unreadable)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(match format {
        ImageFormat::Png => PNG_EXTRAS,
        _ => MAX_COST,
    });
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| unfit(&error))?;
    let (width, height) = decoder.dimensions();
    let cost = cost(format, file, (width, height), decoder.total_bytes());
    let size = u64::from(width) * u64::from(height);
    if width > MAX_SIDE || height > MAX_SIDE || cost > MAX_COST || size > *pixels {
        return Err(Unfit::TooLarge);
    }
    *pixels -= size;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| unfit(&error))?;
    Ok((picture, orientation))
}

/// The picture without transparency, which JPEG does not know.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let picture = picture.to_rgba8();
    let mut flat = RgbImage::new(picture.width(), picture.height());
    for (target, source) in flat.pixels_mut().zip(picture.pixels()) {
        let [red, green, blue, alpha] = source.0;
        let over = |channel: u8| {
            let mixed = u16::from(channel) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        target.0 = [over(red), over(green), over(blue)];
    }
    flat
}

fn unfit(error: &ImageError) -> Unfit {
    match error {
        ImageError::Limits(_) => Unfit::TooLarge,
        _ => Unfit::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};
    use proptest::prelude::*;

    fn file(format: ImageFormat, width: u32, height: u32, pixel: Rgba<u8>) -> Vec<u8> {
        let picture = RgbaImage::from_pixel(width, height, pixel);
        let mut picture = DynamicImage::from(picture);
        if format == ImageFormat::Jpeg {
            picture = picture.to_rgb8().into();
        }
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    fn seen(image: &Image) -> DynamicImage {
        assert_eq!(image.media_type, "image/jpeg");
        image::load_from_memory_with_format(&image.bytes, ImageFormat::Jpeg).unwrap()
    }

    #[test]
    fn every_format_is_fitted() {
        use ImageFormat::{Gif, Jpeg, Png, WebP};
        let check = |format, from: (u32, u32), to: (u32, u32)| {
            let red = file(format, from.0, from.1, Rgba([200, 0, 0, 255]));
            let seen = seen(&fit(&red).unwrap()).to_rgb8();
            assert_eq!(seen.dimensions(), to, "{format:?}");
            let [red, green, blue] = seen.get_pixel(0, 0).0;
            assert!(red > 180 && green < 20 && blue < 20, "{format:?}");
        };
        for format in [Png, Jpeg, WebP, Gif] {
            check(format, (10, 20), (10, 20));
            check(format, (2048, 512), (1024, 256));
        }
        check(Png, (3000, 3), (1024, 1));
    }

    fn whole(file: &[u8]) -> Result<Vec<u8>, Unfit> {
        portrait(file, &mut { u64::MAX })
    }

    #[test]
    fn a_portrait_is_a_small_png() {
        use ImageFormat::{Gif, Jpeg, Png, WebP};
        for format in [Png, Jpeg, WebP, Gif] {
            let large = file(format, 2048, 1024, Rgba([200, 0, 0, 255]));
            let png = whole(&large).unwrap();
            let seen = image::load_from_memory_with_format(&png, Png).unwrap();
            assert_eq!((seen.width(), seen.height()), (512, 256), "{format:?}");
            assert!(png.len() <= PICTURE_BYTES);
        }
        let clear = file(Png, 8, 8, Rgba([9, 9, 9, 0]));
        let seen = image::load_from_memory(&whole(&clear).unwrap()).unwrap();
        assert_eq!(seen.to_rgba8().get_pixel(3, 3).0[3], 0, "it stays clear");
        assert_eq!(whole(&bomb(60_000, 60_000)), Err(Unfit::TooLarge));
        assert_eq!(whole(b"no picture"), Err(Unfit::Unreadable));
    }

    #[test]
    fn portraits_are_looked_at_up_to_so_many_pixels() {
        let picture = file(ImageFormat::Png, 100, 50, Rgba([1, 2, 3, 255]));
        let mut pixels = 12_000;
        let mut is_made = || portrait(&picture, &mut pixels).is_ok();
        assert_eq!([is_made(), is_made(), is_made()], [true, true, false]);
        assert_eq!(pixels, 2_000);
    }

    #[test]
    fn what_is_transparent_is_white() {
        let check = |alpha, expect: u8| {
            let black = file(ImageFormat::Png, 8, 8, Rgba([0, 0, 0, alpha]));
            let pixel = seen(&fit(&black).unwrap()).to_rgb8().get_pixel(4, 4).0;
            for channel in pixel {
                assert!(channel.abs_diff(expect) < 4, "{pixel:?}");
            }
        };
        check(0, 255);
        check(255, 0);
        check(128, 127);
    }

    /// A PNG that promises `width` by `height` pixels and has none.
    fn bomb(width: u32, height: u32) -> Vec<u8> {
        let mut png = file(ImageFormat::Png, 1, 1, Rgba([0; 4]));
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let crc = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&crc.to_be_bytes());
        png
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, byte: &u8| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xEDB8_8320 * (crc & 1))
            })
        };
        !bytes.iter().fold(!0, step)
    }

    #[test]
    fn bombs_and_nonsense_are_refused() {
        fn check(file: &[u8], expect: &Unfit) {
            assert_eq!(fit(file).as_ref(), Err(expect));
        }
        check(&bomb(60_000, 60_000), &Unfit::TooLarge);
        check(&bomb(9000, 1), &Unfit::TooLarge);
        check(&bomb(8000, 8000), &Unfit::TooLarge);
        check(&bomb(100, 100), &Unfit::Unreadable);
        check(&vec![0; MAX_BYTES + 1], &Unfit::TooLarge);
        check(b"", &Unfit::Unreadable);
        check(
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            &Unfit::Unreadable,
        );
        check(b"GIF89a", &Unfit::Unreadable);
    }

    proptest! {
        #[test]
        fn broken_files_never_panic(
            format in prop::sample::select(vec![
                ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif,
            ]),
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut file = file(format, 33, 17, Rgba([9, 99, 199, 99]));
            for (place, byte) in damage {
                let place = place.index(file.len());
                file[place] = byte;
            }
            file.truncate(1 + cut.index(file.len()));
            let _ = fit(&file);
        }
    }
}
