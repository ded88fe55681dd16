//! What lets us speak by a webhook.

use std::fmt;

use crate::WebhookId;

/// A webhook of ours. Whoever has its token can write in the channel, so it is
/// told to nobody but Discord, and sealed where it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookHandle {
    id: WebhookId,
    token: String,
}

impl WebhookHandle {
    /// What Discord gave us.
    pub const fn new(id: WebhookId, token: String) -> Self {
        Self { id, token }
    }

    /// Which webhook.
    pub const fn id(&self) -> WebhookId {
        self.id
    }

    /// The secret.
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl fmt::Debug for WebhookHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookHandle")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_not_written_out() {
        let handle = WebhookHandle::new(WebhookId::new(1), "canary".to_owned());
        assert!(!format!("{handle:?}").contains("canary"));
    }
}
