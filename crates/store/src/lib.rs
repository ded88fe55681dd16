//! The journals on disk: what came in, what is being answered, what went out.
//!
//! [`Sqlite`] keeps the ports [`Store`](kaiwa_domain::port::Store),
//! [`Sessions`](kaiwa_domain::port::Sessions),
//! [`Ledger`](kaiwa_domain::port::Ledger) and
//! [`SettingsStore`](kaiwa_domain::port::SettingsStore) in one file, and with
//! them what is remembered ([`Memories`](kaiwa_domain::port::Memories) and its
//! like), which makes it a [`Database`](kaiwa_domain::port::Database). It promises:
//!
//! - A call that returned `Ok` survives a crash of the process. It survives a power
//!   cut too, but for the last of what nobody has seen yet (a question that will come
//!   again, an attempt, queued effects), of what can be found out again (that an
//!   effect is done) and of what only tells about answers (decisions, prompts,
//!   bills). From the next effect that is started on, all of that does as well.
//! - A call that failed changed nothing, and so did an [`open`](Sqlite::open)
//!   that failed. Only when the disk fails to sync, what an effect has become may
//!   stay; that may be said again.
//! - A turn that has ended stays as it ended, and an effect that is done stays done.
//! - After a failure the next call works, once the cause is gone.
//! - No row of one scope is read or changed through another.
//! - What is remembered is sealed, and readable nowhere on disk. Where the key
//!   is missing or wrong, nothing is opened and no key is made.
//! - What is erased is gone from every table and from the file.
//! - A backup has everything that was there at one moment, or is not there.
//! - One that is [brought back](restore) is the database or is not, and what was
//!   there before is kept.
//! - One instance at a time: a second one is refused, not queued. Where the file
//!   system keeps no locks, only the last one that opened the file begins anything.
//!
//! `tests/suite.rs` states these for every engine.

mod failure;
mod sqlite;

pub use failure::OpenError;
pub use sqlite::Sqlite;
pub use sqlite::backups::newest as last_backup;
pub use sqlite::restore::{BackupFile, list as backups, restore};
