//! `kaiwa emulate`: Discord in a box, alone.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result};
use kaiwa_emulator::{Emulator, Recording, TlsIdentity, World};
use tokio_util::sync::CancellationToken;
use tracing::Level;

use crate::args::EmulateArgs;
use crate::config::{LogFormat, read_text};
use crate::console;
use crate::exit::needs_a_person;

/// A world is a page of text; what is longer is something else.
const MAX_WORLD_BYTES: u64 = 1024 * 1024;

/// A recording of a long day.
const MAX_RECORDING_BYTES: u64 = 1024 * 1024 * 1024;

pub(crate) async fn emulate(args: EmulateArgs) -> Result<()> {
    if args.example_world {
        console::print(World::EXAMPLE.trim_end());
        return Ok(());
    }
    console::log(Level::WARN, LogFormat::Text);
    let mut world = match &args.world {
        Some(path) => read_world(path)?,
        None => World::default(),
    };
    if let Some(seed) = args.seed {
        world = world.with_seed(seed);
    }
    if let Some(path) = &args.replay {
        return replay(world, path).await;
    }
    let emulator = match &args.snapshot {
        Some(path) => Emulator::open(world, path).map_err(needs_a_person)?,
        None => Emulator::new(world),
    };
    if let Some([certificate, key]) = args.tls.as_deref() {
        let identity = TlsIdentity::from_pem_files(certificate, key).map_err(needs_a_person)?;
        emulator.use_tls(identity);
    }
    if let Some(path) = &args.record {
        emulator.record(path).map_err(needs_a_person)?;
    }
    emulator.keep_traffic();
    let address = SocketAddr::from((args.listen, args.port));
    let listener = console::listen_at(address, "--listen and --port").await?;
    emulator.announce(listener.local_addr()?);
    let stop = console::asked_to_stop();
    console::print(serde_json::to_string(&emulator.ready())?);

    let shutdown = CancellationToken::new();
    let serving = emulator
        .clone()
        .serve(listener, kaiwa_web::page(), shutdown.clone());
    let keeping = async {
        match args.snapshot {
            Some(path) => emulator.keep_snapshot(path, shutdown.clone()).await,
            None => Ok(()),
        }
    };
    let working = async { tokio::join!(serving, keeping) };
    tokio::pin!(working);
    let (served, kept) = tokio::select! {
        done = &mut working => done,
        () = stop => {
            shutdown.cancel();
            console::unless_pressed(working).await?
        }
    };
    served.context("the emulator stopped badly")?;
    kept.context("the world was not kept")
}

fn read_world(path: &Path) -> Result<World> {
    let text = read_text(path, MAX_WORLD_BYTES)?;
    World::from_toml(&text).map_err(|error| needs_a_person(format!("{}: {error}", path.display())))
}

/// Prints each difference, and fails if there is one.
async fn replay(world: World, path: &Path) -> Result<()> {
    let text = read_text(path, MAX_RECORDING_BYTES)?;
    let recording = Recording::read(&text)
        .map_err(|error| needs_a_person(format!("{}: {error}", path.display())))?;
    let replayed = recording.replay(world).await;
    for difference in &replayed.differences {
        console::print(serde_json::to_string(difference)?);
    }
    let found = replayed.differences.len();
    console::say(format_args!(
        "{} requests made again, {} left out, {found} answers differ",
        replayed.requests, replayed.left_out
    ));
    match found {
        0 => Ok(()),
        _ => Err(anyhow::anyhow!(
            "the emulator answers otherwise than it did"
        )),
    }
}
