//! Lines, as far as they have arrived.

use super::{BYTE_ORDER_MARK, MAX_BYTES, TooLong};

/// A line whose end has not arrived.
#[derive(Debug, Default)]
pub(super) struct PartialLine {
    held: Vec<u8>,
    /// A line has ended, so no byte order mark can come any more.
    begun: bool,
}

impl PartialLine {
    /// More of the line.
    pub(super) fn hold(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.held.len() + bytes.len() > MAX_BYTES {
            return Err(TooLong);
        }
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// The last of the line. It is copied only if it came in pieces.
    pub(super) fn end<T>(
        &mut self,
        bytes: &[u8],
        take: impl FnOnce(&[u8]) -> Result<T, TooLong>,
    ) -> Result<T, TooLong> {
        let line = match self.held.is_empty() {
            true if bytes.len() > MAX_BYTES => return Err(TooLong),
            true => bytes,
            false => {
                self.hold(bytes)?;
                &self.held
            }
        };
        let line = match std::mem::replace(&mut self.begun, true) {
            false => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            true => line,
        };
        let taken = take(line);
        self.held.clear();
        taken
    }
}
