//! Everything there is, as one JSON document, and back.
//!
//! Gateway sessions, rate limits and faults are left out: clients connect anew.

use std::{
    fs, io,
    io::{Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{
    Emulator, World, limits,
    realm::Realm,
    rest::{content_type, sound_type},
    snowflake::{Snowflake, hash},
    state::{EmulatorState, PictureKind, StoredFile, StoredPicture},
};

const VERSION: u32 = 1;

#[derive(Serialize)]
struct SnapshotView<'a> {
    version: u32,
    cdn_url: String,
    advanced_ms: u64,
    ticks: u64,
    files: Vec<SavedFile>,
    pictures: Vec<SavedPicture>,
    realm: &'a Realm,
}

#[derive(Deserialize)]
struct Snapshot {
    version: u32,
    cdn_url: String,
    advanced_ms: u64,
    ticks: u64,
    files: Vec<SavedFile>,
    #[serde(default)]
    pictures: Vec<SavedPicture>,
    realm: Realm,
}

#[derive(Serialize, Deserialize)]
struct SavedFile {
    id: Snowflake,
    channel: Snowflake,
    name: String,
    content_type: String,
    base64: String,
}

#[derive(Serialize, Deserialize)]
struct SavedPicture {
    kind: PictureKind,
    of: Snowflake,
    base64: String,
}

/// Why a snapshot was not taken, kept or read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The text is no snapshot.
    #[error("this is no snapshot of this version of the emulator: {0}")]
    Format(String),
    /// The file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Emulator {
    /// Everything there is, as JSON: guilds, people, channels, messages, files,
    /// pictures and the clock.
    ///
    /// # Errors
    ///
    /// When something cannot be written as JSON, which would be a mistake here.
    pub fn snapshot(&self) -> Result<Vec<u8>, SnapshotError> {
        let mut state = self.state();
        state.touched = false;
        let files = state.files.all().map(|(id, file)| SavedFile {
            id,
            channel: file.channel,
            name: file.name.clone(),
            content_type: file.content_type.clone(),
            base64: BASE64_STANDARD.encode(&file.bytes),
        });
        let pictures = state
            .pictures
            .all()
            .map(|(kind, of, picture)| SavedPicture {
                kind,
                of,
                base64: BASE64_STANDARD.encode(&picture.bytes),
            });
        let clock = self.clock();
        let view = SnapshotView {
            version: VERSION,
            cdn_url: self.cdn_url(),
            advanced_ms: u64::try_from(clock.advanced().as_millis()).unwrap_or(u64::MAX),
            ticks: clock.ticks(),
            files: files.collect(),
            pictures: pictures.collect(),
            realm: &state.realm,
        };
        let written = serde_json::to_vec(&view);
        drop(state);
        written.map_err(|error| SnapshotError::Format(error.to_string()))
    }

    /// A realm as it was when the snapshot was taken. Of the world, only the
    /// rate limits and the seed are looked at.
    ///
    /// # Errors
    ///
    /// When the text is no snapshot.
    pub fn restore(world: World, snapshot: &[u8]) -> Result<Self, SnapshotError> {
        let failed = |problem: String| SnapshotError::Format(problem);
        let snapshot: Snapshot =
            serde_json::from_slice(snapshot).map_err(|error| failed(error.to_string()))?;
        if snapshot.version != VERSION {
            let problem = format!("it has version {}, not {VERSION}", snapshot.version);
            return Err(failed(problem));
        }
        if snapshot.realm.guilds.is_empty() || snapshot.realm.people.is_empty() {
            return Err(failed("it has no guild or nobody in it".into()));
        }
        let emulator = Self::new(world);
        let advanced = Duration::from_millis(snapshot.advanced_ms);
        emulator.clock().restore(advanced, snapshot.ticks);
        let mut state = emulator.state();
        state.realm = snapshot.realm;
        for saved in snapshot.files {
            let bytes = BASE64_STANDARD.decode(&saved.base64);
            let bytes = bytes.map_err(|error| failed(error.to_string()))?;
            let file = StoredFile {
                channel: saved.channel,
                name: saved.name,
                content_type: saved.content_type,
                bytes: bytes.into(),
            };
            state.files.put(saved.id, file);
        }
        for saved in snapshot.pictures {
            let bytes = BASE64_STANDARD.decode(&saved.base64);
            let bytes = bytes.map_err(|error| failed(error.to_string()))?;
            let known = match saved.kind {
                PictureKind::Sound => sound_type(&bytes),
                _ => content_type(&bytes),
            };
            let Some(content_type) = known else {
                return Err(failed(format!("the picture of {} is none", saved.of)));
            };
            let bytes = bytes.into();
            let picture = StoredPicture {
                content_type,
                bytes,
            };
            state.pictures.put(saved.kind, saved.of, picture);
        }
        state.find_polls();
        state.moved_from = Some(snapshot.cdn_url);
        state.touched = false;
        drop(state);
        Ok(emulator)
    }

    /// Restores the snapshot in a file, or begins with the world when there is
    /// no such file yet.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no snapshot.
    pub fn open(world: World, path: &Path) -> Result<Self, SnapshotError> {
        let mut text = Vec::new();
        let read = fs::File::open(path).and_then(|file| {
            let most = limits::SNAPSHOT_BYTES;
            let read = file.take(most + 1).read_to_end(&mut text)?;
            if read as u64 > most {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            Ok(())
        });
        match read {
            Ok(()) => Self::restore(world, &text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::new(world)),
            Err(source) => Err(SnapshotError::File {
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// Keeps a file up to date: every few seconds when something has changed,
    /// and once more at the end. Whoever kills the process loses at most those
    /// few seconds, and never the file.
    ///
    /// # Errors
    ///
    /// When the last one could not be written. Earlier failures are logged.
    pub async fn keep_snapshot(
        self,
        path: PathBuf,
        shutdown: CancellationToken,
    ) -> Result<(), SnapshotError> {
        let mut kept = None;
        loop {
            let pause = tokio::time::sleep(limits::SNAPSHOT_PAUSE);
            let ending = shutdown.run_until_cancelled(pause).await.is_none();
            let touched = self.state().touched;
            if touched || kept.is_none() {
                let (emulator, path) = (self.clone(), path.clone());
                let saving = tokio::task::spawn_blocking(move || emulator.save(&path, kept));
                let saved = saving.await;
                let saved =
                    saved.unwrap_or_else(|error| Err(SnapshotError::Format(error.to_string())));
                kept = saved.as_ref().ok().copied();
                match saved {
                    Err(error) if ending => return Err(error),
                    Err(error) => tracing::warn!("the world was not kept: {error}"),
                    Ok(_) => {}
                }
            }
            if ending {
                return Ok(());
            }
        }
    }

    /// Writes the snapshot unless it is the one that was kept last.
    fn save(&self, path: &Path, kept: Option<u64>) -> Result<u64, SnapshotError> {
        let snapshot = self.snapshot()?;
        let now = hash(&[&String::from_utf8_lossy(&snapshot)]);
        if kept != Some(now) {
            replace(path, &snapshot).map_err(|source| SnapshotError::File {
                path: path.to_owned(),
                source,
            })?;
        }
        Ok(now)
    }
}

/// Either the former content or the new one is there, whenever the power fails.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let mut file = fs::File::create(&new)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    fs::rename(new, path)
}

impl EmulatorState {
    /// Attachments are served from here now.
    pub(crate) fn move_attachments(&mut self, cdn_url: &str) {
        let Some(from) = self.moved_from.take() else {
            return;
        };
        let channels = self.realm.channels.values_mut();
        for message in channels.flat_map(|channel| &mut channel.messages) {
            for attachment in &mut message.attachments {
                for url in [&mut attachment.url, &mut attachment.proxy_url] {
                    if let Some(rest) = url.strip_prefix(&from) {
                        *url = format!("{cdn_url}{rest}");
                    }
                }
            }
        }
    }
}
