//! A picture file for the model.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use kaiwa_domain::Image;
use kaiwa_domain::port::Unfit;
use kaiwa_picture::{MAX_BYTES, fit};

use crate::exit::needs_a_person;

/// Reads a picture, which is what its bytes say, whatever its name.
pub(crate) fn load(path: &Path) -> Result<Image> {
    read(path).map_err(|error| needs_a_person(format!("{error:#}")))
}

fn read(path: &Path) -> Result<Image> {
    let shown = path.display();
    let unreadable = || format!("cannot read the image {shown}");
    // Looked at before it is opened: opening a pipe would wait for a writer.
    if !std::fs::metadata(path).with_context(unreadable)?.is_file() {
        bail!("the image {shown} is not a file");
    }
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(unreadable)?;
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(unreadable)?;
    if bytes.len() > MAX_BYTES {
        bail!("the image {shown} is larger than 10 MB: make it smaller first");
    }
    fit(&bytes).map_err(|unfit| match unfit {
        Unfit::TooLarge => anyhow!("the image {shown} has too many pixels: make it smaller first"),
        Unfit::Unreadable => {
            anyhow!("the image {shown} is no PNG, JPEG, WEBP or GIF: convert it first")
        }
    })
}
