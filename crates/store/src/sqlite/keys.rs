//! The keys of what is sealed, and the file that they are kept in.
//!
//! - Bodies are sealed with XChaCha20-Poly1305 under the newest key, with a
//!   nonce by chance, and bound to where they stand: a body that is moved to
//!   another table, scope or row does not open.
//! - The file is made when the database is opened and holds nothing sealed.
//!   Where something is sealed that the file does not open, the database is not
//!   opened, and no key is made.
//! - The file holds more than one key only while bodies are being sealed anew,
//!   so both what is done and what is not can be read at any moment.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Row};

use super::files;
use super::rotation::SEALED_TABLES;
use crate::OpenError;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// What is sealed as proof that a key is the one.
const PROOF: &[u8] = b"kaiwa memory key";

const PREAMBLE: &str = "\
# What opens Kaiwa's memories. Whoever has this file and the database can read
# them; without it nobody can. Keep it secret, and in your backups.
";

/// One key.
#[derive(Clone)]
struct MemoryKey {
    version: u32,
    bytes: [u8; KEY_BYTES],
}

/// The keys, the newest last.
#[derive(Clone)]
pub(super) struct MemoryKeys {
    path: PathBuf,
    keys: Vec<MemoryKey>,
}

impl std::fmt::Debug for MemoryKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryKeys")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// A row whose body is sealed.
#[derive(Clone, Copy)]
pub(super) struct SealedRow<'a> {
    pub(super) table: &'static str,
    pub(super) scope: &'a str,
    /// What tells it from others of the scope, and what else must not change.
    pub(super) name: &'a str,
}

/// A body as it stands in a row.
pub(super) struct Sealed {
    pub(super) key: u32,
    pub(super) body: Vec<u8>,
}

/// Why a body was not sealed or opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SealError {
    #[error("the system gives no random numbers")]
    NoRandomness,
    #[error("a sealed row does not open: it was changed, or its key is gone")]
    DoesNotOpen,
}

impl MemoryKeys {
    /// Where the keys of a database are.
    pub(super) fn path(database: &Path) -> PathBuf {
        database.with_file_name("memory.key")
    }

    /// The keys in the file of a database, if there is one.
    pub(super) fn load(database: &Path) -> Result<Option<Self>, OpenError> {
        let path = Self::path(database);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(OpenError::KeyUnreadable {
                    path,
                    reason: error.to_string(),
                });
            }
        };
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Option<Vec<MemoryKey>> = lines.map(read_key).collect();
        match keys {
            Some(keys) if !keys.is_empty() && keys.is_sorted_by(|a, b| a.version < b.version) => {
                files::restrict(&path);
                Ok(Some(Self { path, keys }))
            }
            _ => Err(OpenError::KeyUnreadable {
                path,
                reason: "it is not as Kaiwa wrote it".to_owned(),
            }),
        }
    }

    /// A first key of this version, in a file that was not there.
    pub(super) fn create(database: &Path, version: u32) -> Result<Self, OpenError> {
        let path = Self::path(database);
        let keys = Self {
            keys: vec![
                MemoryKey::random(version).map_err(|error| OpenError::Failed {
                    path: path.clone(),
                    reason: error.to_string(),
                })?,
            ],
            path,
        };
        keys.save()
            .map_err(|error| OpenError::from_io(&keys.path, &error))?;
        Ok(keys)
    }

    /// The same keys and a new one, which seals from here on.
    pub(super) fn with_new(&self) -> Result<Self, SealError> {
        let mut with = self.clone();
        with.keys.push(MemoryKey::random(self.newest() + 1)?);
        Ok(with)
    }

    /// The newest key alone.
    pub(super) fn newest_only(&self) -> Self {
        let newest = self.keys.last().cloned();
        Self {
            path: self.path.clone(),
            keys: newest.into_iter().collect(),
        }
    }

    /// Writes the file: the whole of it, or not at all.
    pub(super) fn save(&self) -> io::Result<()> {
        let mut text = PREAMBLE.to_owned();
        for key in &self.keys {
            text.push_str(&format!("{} ", key.version));
            text.extend(key.bytes.iter().map(|byte| format!("{byte:02x}")));
            text.push('\n');
        }
        let new = files::beside(&self.path, ".new");
        // One that an earlier crash left behind may be anybody's to read.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = files::private().create_new(true).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        files::sync_folder(&self.path)
    }

    /// The version that seals.
    pub(super) fn newest(&self) -> u32 {
        self.keys.last().map_or(0, |key| key.version)
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The versions that open something.
    pub(super) fn versions(&self) -> impl Iterator<Item = u32> {
        self.keys.iter().map(|key| key.version)
    }

    /// Seals a body with the newest key.
    pub(super) fn seal(&self, row: SealedRow<'_>, body: &[u8]) -> Result<Sealed, SealError> {
        self.seal_with(self.newest(), row, body)
    }

    /// Opens what stands in a row.
    pub(super) fn open(&self, row: SealedRow<'_>, sealed: &Sealed) -> Result<Vec<u8>, SealError> {
        let key = self.keys.iter().find(|key| key.version == sealed.key);
        let cipher = key.ok_or(SealError::DoesNotOpen)?.cipher();
        let (nonce, body) = sealed
            .body
            .split_first_chunk::<NONCE_BYTES>()
            .ok_or(SealError::DoesNotOpen)?;
        let aad = bound_to(row, sealed.key);
        let payload = Payload {
            msg: body,
            aad: aad.as_bytes(),
        };
        cipher
            .decrypt(&XNonce::from(*nonce), payload)
            .map_err(|_| SealError::DoesNotOpen)
    }

    /// Proof that a version of ours is the key it claims to be.
    pub(super) fn prove(&self, version: u32) -> Result<Vec<u8>, SealError> {
        let proof = self.seal_with(version, PROOF_ROW, PROOF)?;
        Ok(proof.body)
    }

    /// Whether a proof was made with our key of that version.
    pub(super) fn proves(&self, version: u32, proof: Vec<u8>) -> bool {
        let sealed = Sealed {
            key: version,
            body: proof,
        };
        self.open(PROOF_ROW, &sealed)
            .is_ok_and(|text| text == PROOF)
    }

    fn seal_with(
        &self,
        version: u32,
        row: SealedRow<'_>,
        body: &[u8],
    ) -> Result<Sealed, SealError> {
        let key = self.keys.iter().find(|key| key.version == version);
        let cipher = key.ok_or(SealError::DoesNotOpen)?.cipher();
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|_| SealError::NoRandomness)?;
        let aad = bound_to(row, version);
        let payload = Payload {
            msg: body,
            aad: aad.as_bytes(),
        };
        let text = cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| SealError::DoesNotOpen)?;
        let mut body = nonce.to_vec();
        body.extend_from_slice(&text);
        Ok(Sealed { key: version, body })
    }
}

const PROOF_ROW: SealedRow<'_> = SealedRow {
    table: "memory_key",
    scope: "",
    name: "",
};

/// What a body is bound to. None of the parts but the last may hold a newline.
fn bound_to(row: SealedRow<'_>, version: u32) -> String {
    format!(
        "kaiwa 1\n{}\n{version}\n{}\n{}",
        row.table, row.scope, row.name
    )
}

impl MemoryKey {
    fn random(version: u32) -> Result<Self, SealError> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(|_| SealError::NoRandomness)?;
        Ok(Self { version, bytes })
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.bytes.into())
    }
}

/// A line of the file: a version and 64 hexadecimal digits.
fn read_key(line: &str) -> Option<MemoryKey> {
    let (version, digits) = line.split_once(' ')?;
    if digits.len() != 2 * KEY_BYTES || !digits.is_ascii() {
        return None;
    }
    let mut bytes = [0; KEY_BYTES];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(MemoryKey {
        version: version.parse().ok().filter(|version| *version > 0)?,
        bytes,
    })
}

/// Fails if something in the database is sealed that the file does not open.
/// Nothing is written.
pub(super) async fn check(
    database: &Path,
    connection: &mut SqliteConnection,
) -> Result<(), OpenError> {
    let engine = |error: sqlx::Error| OpenError::from_engine(database, &error);
    let known: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'memory_key'",
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(engine)?;
    if known == 0 {
        return Ok(());
    }
    let used = versions_in_use(connection).await.map_err(engine)?;
    let keys = MemoryKeys::load(database)?;
    if used.is_empty() {
        return Ok(());
    }
    let path = MemoryKeys::path(database);
    let Some(keys) = keys else {
        return Err(OpenError::KeyMissing {
            path,
            database: database.to_owned(),
        });
    };
    let proofs = proofs(connection).await.map_err(engine)?;
    for version in used {
        let proof = proofs.iter().find(|(of, _)| *of == version);
        if !proof.is_some_and(|(_, proof)| keys.proves(version, proof.clone())) {
            return Err(OpenError::KeyWrong {
                path,
                database: database.to_owned(),
            });
        }
    }
    Ok(())
}

/// The keys of a database that [`check`] found nothing wrong with; the first
/// one is made here.
pub(super) async fn take(
    database: &Path,
    connection: &mut SqliteConnection,
) -> Result<MemoryKeys, OpenError> {
    let engine = |error: sqlx::Error| OpenError::from_engine(database, &error);
    // Whoever put the database here since may have sealed rows in it.
    check(database, connection).await?;
    let before = proofs(connection).await.map_err(engine)?;
    let keys = match MemoryKeys::load(database)? {
        Some(keys) => keys,
        None => {
            let last = before.iter().map(|(version, _)| *version).max();
            MemoryKeys::create(database, last.unwrap_or(0) + 1)?
        }
    };
    let same = before.len() == keys.len()
        && before
            .into_iter()
            .all(|(version, proof)| keys.proves(version, proof));
    if !same {
        write_proofs(&keys, connection)
            .await
            .map_err(|error| match error {
                ProofError::Engine(error) => engine(error),
                ProofError::Seal(error) => OpenError::Failed {
                    path: MemoryKeys::path(database),
                    reason: error.to_string(),
                },
            })?;
    }
    Ok(keys)
}

/// Why proofs were not written.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProofError {
    #[error(transparent)]
    Engine(#[from] sqlx::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
}

/// Writes a proof for each key, and takes those of others away.
pub(super) async fn write_proofs(
    keys: &MemoryKeys,
    connection: &mut SqliteConnection,
) -> Result<(), ProofError> {
    for version in keys.versions() {
        sqlx::query("INSERT OR REPLACE INTO memory_key (version, proof) VALUES (?1, ?2)")
            .bind(version)
            .bind(keys.prove(version)?)
            .execute(&mut *connection)
            .await?;
    }
    let versions: Vec<u32> = keys.versions().collect();
    let versions = serde_json::to_string(&versions).unwrap_or_default();
    sqlx::query("DELETE FROM memory_key WHERE version NOT IN (SELECT value FROM json_each(?1))")
        .bind(versions)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

async fn proofs(connection: &mut SqliteConnection) -> Result<Vec<(u32, Vec<u8>)>, sqlx::Error> {
    let rows = sqlx::query("SELECT version, proof FROM memory_key")
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((row.try_get("version")?, row.try_get("proof")?)))
        .collect()
}

/// The versions of the keys that rows are sealed with. An earlier version of
/// Kaiwa had fewer tables.
async fn versions_in_use(connection: &mut SqliteConnection) -> Result<Vec<u32>, sqlx::Error> {
    let there: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&mut *connection)
            .await?;
    let sealed = SEALED_TABLES.iter().map(|(table, _)| *table);
    let sealed = sealed.filter(|table| there.iter().any(|name| name == table));
    let keys: Vec<String> = sealed
        .map(|table| format!("SELECT key FROM {table}"))
        .collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::query_scalar(AssertSqlSafe(keys.join(" UNION ")))
        .fetch_all(connection)
        .await
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn keys() -> MemoryKeys {
        MemoryKeys {
            path: PathBuf::from("memory.key"),
            keys: vec![MemoryKey::random(1).unwrap()],
        }
    }

    const ROW: SealedRow<'_> = SealedRow {
        table: "fact",
        scope: "guild:7",
        name: "1/-",
    };

    #[test]
    fn a_body_opens_where_it_was_sealed_and_nowhere_else() {
        let keys = keys();
        let sealed = keys.seal(ROW, b"likes tea").unwrap();
        assert_eq!(keys.open(ROW, &sealed).unwrap(), b"likes tea");
        let elsewhere = [
            SealedRow {
                table: "note",
                ..ROW
            },
            SealedRow {
                scope: "dm:7",
                ..ROW
            },
            SealedRow { name: "2/-", ..ROW },
            SealedRow {
                name: "1/20",
                ..ROW
            },
        ];
        for row in elsewhere {
            assert_eq!(keys.open(row, &sealed), Err(SealError::DoesNotOpen));
        }
        assert_eq!(self::keys().open(ROW, &sealed), Err(SealError::DoesNotOpen));
        let mut changed = sealed;
        for place in 0..changed.body.len() {
            changed.body[place] ^= 1;
            assert_eq!(keys.open(ROW, &changed), Err(SealError::DoesNotOpen));
            changed.body[place] ^= 1;
        }
        changed.body.truncate(NONCE_BYTES - 1);
        assert_eq!(keys.open(ROW, &changed), Err(SealError::DoesNotOpen));
    }

    #[test]
    fn the_same_body_never_looks_the_same() {
        let keys = keys();
        let (a, b) = (keys.seal(ROW, b"tea"), keys.seal(ROW, b"tea"));
        assert_ne!(a.unwrap().body, b.unwrap().body);
    }

    #[test]
    fn a_line_of_the_file_is_a_version_and_a_key() {
        let key = "0f".repeat(32);
        assert_eq!(read_key(&format!("3 {key}")).unwrap().bytes, [15; 32]);
        for bad in ["", "3", "0 ", "x 00", "3 zz", &key] {
            assert!(read_key(bad).is_none(), "{bad:?}");
        }
        assert!(read_key(&format!("0 {key}")).is_none());
        assert!(read_key(&format!("3 {key}00")).is_none());
    }
}
