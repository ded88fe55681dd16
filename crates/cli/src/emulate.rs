//! `kaiwa emulate`: Discord in a box, alone.

use std::path::Path;

use anyhow::{Context, Result};
use kaiwa_emulator::{Emulator, World};
use tokio_util::sync::CancellationToken;
use tracing::Level;

use crate::args::EmulateArgs;
use crate::config::{LogFormat, read_text};
use crate::console;
use crate::exit::needs_a_person;

/// A world is a page of text; what is longer is something else.
const MAX_WORLD_BYTES: u64 = 1024 * 1024;

pub(crate) async fn emulate(args: EmulateArgs) -> Result<()> {
    console::log(Level::WARN, LogFormat::Text);
    let world = match &args.world {
        Some(path) => read_world(path)?,
        None => World::default(),
    };
    let listener = console::listen(args.port).await?;
    let address = listener.local_addr()?;
    let emulator = Emulator::new(world);
    emulator.announce(address);
    let stop = console::asked_to_stop();
    console::print(serde_json::to_string(&emulator.ready())?);

    let shutdown = CancellationToken::new();
    let serving = emulator.serve(listener, kaiwa_web::page(), shutdown.clone());
    tokio::pin!(serving);
    tokio::select! {
        done = &mut serving => return done.context("the emulator stopped"),
        () = stop => shutdown.cancel(),
    }
    console::unless_pressed(serving)
        .await?
        .context("the emulator stopped badly")
}

fn read_world(path: &Path) -> Result<World> {
    let text = read_text(path, MAX_WORLD_BYTES)?;
    World::from_toml(&text).map_err(|error| needs_a_person(format!("{}: {error}", path.display())))
}
