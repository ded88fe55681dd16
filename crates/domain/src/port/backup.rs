//! Care for what is kept on disk.

use super::Pending;
use crate::{StoreError, Timestamp};

/// Copies of everything that is kept, made while it is in use.
pub trait Backups: Send + Sync {
    /// Reads everything through for damage. Nobody waits for it meanwhile.
    fn examine(&self) -> Pending<'_, Result<(), StoreError>>;

    /// Makes a backup, and deletes older ones beyond the newest `keep`. False
    /// if there is one of the last 24 hours. If it fails, or is dropped, those
    /// before it stay and nothing of it does. Nobody waits for it meanwhile.
    fn back_up(&self, keep: u16, now: Timestamp) -> Pending<'_, Result<bool, StoreError>>;
}
