//! Whom the bot trusts beside the public web.
//!
//! REST is told by [`kaiwa_discord::Access`]. The gateway's library takes what
//! it trusts from `SSL_CERT_FILE` alone, and a process cannot safely change its
//! own environment: so it starts itself anew, in its own place, with that set.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::config::{Config, environment};
use crate::exit::needs_a_person;

const VARIABLE: &str = "SSL_CERT_FILE";

impl Config {
    /// The file with more certificate authorities, if there is one.
    pub(crate) fn extra_ca(&self) -> Option<PathBuf> {
        let configured = self.discord.extra_ca.clone();
        configured.or_else(|| environment(VARIABLE).map(PathBuf::from))
    }
}

/// Makes the gateway trust `discord.extra_ca`. Returns when it does; otherwise
/// the process begins again.
pub(crate) fn extend(config: &Config) -> Result<()> {
    let Some(wanted) = &config.discord.extra_ca else {
        return Ok(());
    };
    let wanted = std::path::absolute(wanted)?;
    if environment(VARIABLE).map(PathBuf::from).as_ref() == Some(&wanted) {
        return Ok(());
    }
    let mut again = Command::new(std::env::current_exe()?);
    again
        .args(std::env::args_os().skip(1))
        .env(VARIABLE, &wanted);
    Err(replaced_by(again).unwrap_or_else(|| {
        needs_a_person(format!(
            "discord.extra_ca: on this system, set {VARIABLE} to {} yourself",
            wanted.display()
        ))
    }))
}

/// Puts another program in this one's place; returns only if that fails.
#[cfg(unix)]
fn replaced_by(mut program: Command) -> Option<anyhow::Error> {
    use std::os::unix::process::CommandExt;
    Some(program.exec().into())
}

#[cfg(not(unix))]
fn replaced_by(_: Command) -> Option<anyhow::Error> {
    None
}
