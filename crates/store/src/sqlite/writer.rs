//! The connection that writes.
//!
//! There is one, and whoever writes has it alone, in the order in which they
//! came. It is no pool's: a pool looks after each connection that comes back,
//! and meanwhile nobody could write.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::{Mutex, Notify, OwnedMappedMutexGuard, OwnedMutexGuard};
use tokio::time::timeout;

use super::fence::EpochFence;

/// How long somebody waits for those before them.
const TURN: Duration = Duration::from_secs(30);

/// After how many who wrote the log is worth folding.
const MUCH: u32 = 400;

/// Clones share the connection.
#[derive(Clone, Debug)]
pub(super) struct SoleWriter {
    options: Arc<SqliteConnectOptions>,
    fence: Arc<EpochFence>,
    slot: Arc<Mutex<WriterSlot>>,
    lent: Arc<LendingCount>,
}

/// How often the connection was lent, and who hears that it was often.
#[derive(Debug, Default)]
struct LendingCount {
    times: AtomicU32,
    often: Notify,
}

#[derive(Debug, Default)]
pub(super) struct WriterSlot {
    lent: Option<Lent>,
    closed: bool,
}

/// The connection, while somebody has it.
#[derive(Debug)]
pub(super) struct Lent {
    pub(super) connection: SqliteConnection,
    /// Nobody can say what state it is in: the next one gets another.
    pub(super) spoilt: bool,
}

impl SoleWriter {
    /// Connects when it is first needed.
    pub(super) fn new(options: SqliteConnectOptions, fence: Arc<EpochFence>) -> Self {
        Self {
            options: Arc::new(options),
            fence,
            slot: Arc::default(),
            lent: Arc::default(),
        }
    }

    /// Completes when much was written.
    pub(super) async fn wrote_much(&self) {
        self.lent.often.notified().await;
    }

    /// The connection, once those before have had it.
    pub(super) async fn lend(
        &self,
    ) -> Result<OwnedMappedMutexGuard<WriterSlot, Lent>, sqlx::Error> {
        let mut slot = self.turn().await?;
        if slot.closed {
            return Err(sqlx::Error::PoolClosed);
        }
        if (self.lent.times.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(MUCH) {
            self.lent.often.notify_one();
        }
        if let Some(spoilt) = slot.lent.take_if(|lent| lent.spoilt) {
            // Its thread may still be at work for somebody who has gone, and
            // nothing of that may be left.
            if let Err(error) = spoilt.connection.close().await {
                tracing::warn!(%error, "a spoilt connection to the database ended badly");
            }
        }
        if slot.lent.is_none() {
            let mut connection = self.options.connect().await?;
            self.fence.guard(&mut connection).await?;
            let spoilt = false;
            slot.lent = Some(Lent { connection, spoilt });
        }
        OwnedMutexGuard::try_map(slot, |slot| slot.lent.as_mut())
            .map_err(|_| sqlx::Error::WorkerCrashed)
    }

    /// Closes it once those before have had it. Nobody gets it again.
    pub(super) async fn close(&self) -> Result<(), sqlx::Error> {
        let mut slot = self.slot.clone().lock_owned().await;
        slot.closed = true;
        match slot.lent.take() {
            Some(lent) => lent.connection.close().await,
            None => Ok(()),
        }
    }

    async fn turn(&self) -> Result<OwnedMutexGuard<WriterSlot>, sqlx::Error> {
        if let Ok(slot) = self.slot.clone().try_lock_owned() {
            return Ok(slot);
        }
        let turn = timeout(TURN, self.slot.clone().lock_owned());
        turn.await.map_err(|_| sqlx::Error::PoolTimedOut)
    }
}
