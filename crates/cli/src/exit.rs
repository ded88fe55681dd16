//! How a command ends: what its exit code tells a supervisor.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | it did what it was asked to |
//! | 1 | it failed, and trying again later may help: network, server, disk, a port or a database in use, too much memory |
//! | 2 | it will fail again until a person changes something: arguments, configuration, token, key, data |
//! | 130 | Ctrl-C ended it |

use std::fmt::Display;

use kaiwa_discord::GatewayError;
use kaiwa_domain::{ChatError, Disposition, ModelError};
use kaiwa_runtime::Halt;
use kaiwa_store::OpenError;

use crate::assembly::Fatal;
use crate::config::{ConfigErrors, SecretError, Unreadable};

/// It may work later.
const MAY_PASS: u8 = 1;

/// It works once somebody has changed something. The command line's own
/// errors end so too.
pub(crate) const NEEDS_A_PERSON: u8 = 2;

/// What a shell calls a command that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// A failure that comes again until a person changes something.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NeedsAPerson(String);

/// Tells of a failure that comes again until a person changes something.
pub(crate) fn needs_a_person(told: impl Display) -> anyhow::Error {
    NeedsAPerson(told.to_string()).into()
}

/// What the exit code says of a failure.
pub(crate) fn code(error: &anyhow::Error) -> u8 {
    match may_pass(error) {
        true => MAY_PASS,
        false => NEEDS_A_PERSON,
    }
}

/// Whether trying again later may help. What is not known to be hopeless may.
pub(crate) fn may_pass(error: &anyhow::Error) -> bool {
    if error.is::<NeedsAPerson>()
        || error.is::<ConfigErrors>()
        || error.is::<SecretError>()
        || error.is::<Unreadable>()
    {
        return false;
    }
    if let Some(error) = error.downcast_ref::<OpenError>() {
        return database_may_pass(error);
    }
    if let Some(error) = error.downcast_ref::<ChatError>() {
        return error.disposition() != Disposition::Halt;
    }
    if let Some(error) = error.downcast_ref::<GatewayError>() {
        return gateway_may_pass(error);
    }
    match error.downcast_ref::<Fatal>() {
        Some(Fatal::Gateway(error)) => gateway_may_pass(error),
        Some(Fatal::Halt(Halt::Token { .. } | Halt::Superseded)) => false,
        Some(Fatal::Halt(Halt::Memory { .. }) | Fatal::Crashed(_)) | None => true,
    }
}

const fn database_may_pass(error: &OpenError) -> bool {
    match error {
        OpenError::InUse { .. }
        | OpenError::Locked { .. }
        | OpenError::DiskFull { .. }
        | OpenError::Failed { .. } => true,
        OpenError::NotWritable { .. }
        | OpenError::NewerSchema { .. }
        | OpenError::ChangedSchema { .. }
        | OpenError::NotOurs { .. }
        | OpenError::Corrupt { .. }
        | OpenError::KeyMissing { .. }
        | OpenError::KeyWrong { .. }
        | OpenError::KeyUnreadable { .. } => false,
    }
}

const fn gateway_may_pass(error: &GatewayError) -> bool {
    match error {
        // A restart asks Discord for the number of shards again.
        GatewayError::ShardingRequired { .. } => true,
        GatewayError::TokenRefused
        | GatewayError::IntentsRefused { .. }
        | GatewayError::Closed { .. }
        | GatewayError::Address { .. } => false,
    }
}

/// Whether a model that failed so may answer later.
pub(crate) const fn model_may_pass(error: &ModelError) -> bool {
    match error {
        ModelError::Unreachable { .. }
        | ModelError::Busy { .. }
        | ModelError::Failed { .. }
        | ModelError::Silent { .. }
        | ModelError::Cut { .. }
        | ModelError::Excessive { .. }
        | ModelError::Garbled { .. } => true,
        ModelError::Unauthorized { .. }
        | ModelError::OutOfCredit
        | ModelError::Rejected { .. }
        | ModelError::TooLong { .. }
        | ModelError::Censored { .. }
        | ModelError::OverBudget { .. }
        | ModelError::LargerThanBudget { .. }
        | ModelError::Unpriced { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_supervisor_starts_again_what_another_start_helps() {
        let reason = "401".to_owned();
        for (halt, expected) in [
            (Halt::Token { reason }, NEEDS_A_PERSON),
            (Halt::Superseded, NEEDS_A_PERSON),
            (Halt::Memory { megabytes: 900 }, MAY_PASS),
        ] {
            let error = anyhow::Error::from(Fatal::from(halt));
            assert_eq!(code(&error), expected, "{error}");
        }
    }
}
