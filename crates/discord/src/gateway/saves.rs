//! A shard's session is saved beside the listening: a database that is locked
//! takes seconds to say so, and meanwhile events and heartbeats flow.

use std::future;
use std::sync::Arc;

use kaiwa_domain::StoreError;
use kaiwa_domain::port::{Pending, Session, Sessions};

pub(super) struct SessionSaves {
    shard: u32,
    sessions: Arc<dyn Sessions>,
    saved: Option<Session>,
    under_way: Option<Save>,
    /// What came while another one was under way; the newest is enough.
    next: Option<Option<Session>>,
}

struct Save {
    session: Option<Session>,
    saving: Pending<'static, Result<(), StoreError>>,
}

impl SessionSaves {
    /// The saves of a shard whose row holds `saved`.
    pub(super) fn new(shard: u32, sessions: Arc<dyn Sessions>, saved: Option<Session>) -> Self {
        Self {
            shard,
            sessions,
            saved,
            under_way: None,
            next: None,
        }
    }

    /// Saves a session, if it has changed, while [`done`](Self::done) is waited for.
    pub(super) fn begin(&mut self, session: Option<Session>) {
        if self.under_way.is_some() {
            self.next = Some(session);
            return;
        }
        if session == self.saved {
            return;
        }
        let (sessions, shard, row) = (self.sessions.clone(), self.shard, session.clone());
        self.under_way = Some(Save {
            session,
            saving: Box::pin(async move { sessions.save(shard, row).await }),
        });
    }

    /// Completes with the save that is under way, and never if there is none.
    pub(super) async fn done(&mut self) {
        let Some(save) = &mut self.under_way else {
            return future::pending().await;
        };
        let outcome = (&mut save.saving).await;
        let session = self.under_way.take().and_then(|save| save.session);
        match outcome {
            Ok(()) => self.saved = session,
            Err(error) => {
                tracing::warn!(shard = self.shard, %error, "the session was not saved");
            }
        }
        if let Some(next) = self.next.take() {
            self.begin(next);
        }
    }

    /// Saves the last one, and waits for it.
    pub(super) async fn end(&mut self, session: Option<Session>) {
        self.begin(session);
        while self.under_way.is_some() {
            self.done().await;
        }
    }
}
