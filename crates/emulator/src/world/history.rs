//! What was said before the emulator began.

use serde::Deserialize;
use toml::{Spanned, value::Datetime};

/// One message of `[[messages]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessagePlan {
    pub(crate) channel: Spanned<String>,
    pub(crate) author: Spanned<String>,
    pub(crate) content: Spanned<String>,
    pub(crate) at: Option<Spanned<Datetime>>,
}

impl MessagePlan {
    /// When it was sent, if the file says so.
    pub(crate) fn sent_at(&self) -> Option<Result<jiff::Timestamp, jiff::Error>> {
        Some(self.at.as_ref()?.get_ref().to_string().parse())
    }
}
