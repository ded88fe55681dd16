//! Copies that are only counted.

use std::time::Duration;

use kaiwa_domain::port::{Backups, Pending};
use kaiwa_domain::{StoreError, Timestamp};

use super::MemoryStore;
use crate::lock;

const DAY: Duration = Duration::from_secs(24 * 3600);

impl MemoryStore {
    /// When the backups were made that are kept.
    pub fn backups(&self) -> Vec<Timestamp> {
        lock(&self.state).backups.clone()
    }

    /// Whoever reads everything through finds damage, or none any more.
    pub fn damage(&self, damaged: bool) {
        lock(&self.state).damaged = damaged;
    }
}

impl Backups for MemoryStore {
    fn examine(&self) -> Pending<'_, Result<(), StoreError>> {
        self.call(|state| match state.damaged {
            false => Ok(()),
            true => Err(StoreError::Damaged {
                reason: "torn".to_owned(),
            }),
        })
    }

    fn back_up(&self, keep: u16, now: Timestamp) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| {
            let last = state.backups.last();
            if last.is_some_and(|last| now.since(*last) < DAY) {
                return Ok(false);
            }
            state.backups.push(now);
            let old = state.backups.len().saturating_sub(keep.into());
            state.backups.drain(..old);
            Ok(true)
        })
    }
}
