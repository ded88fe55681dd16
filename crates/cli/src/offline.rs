//! The database while no bot uses it: only one process may have it open.

use std::sync::Arc;

use anyhow::Result;
use kaiwa_domain::Scope;
use kaiwa_domain::port::Database;
use kaiwa_store::OpenError;

use crate::args::DataHome;
use crate::assembly::open;
use crate::config::Config;

/// The configuration and the database. `what` says what is done with it here.
pub(crate) async fn enter(
    home: &DataHome,
    what: &'static str,
) -> Result<(Config, Arc<dyn Database>)> {
    let config = Config::find(home.config.as_deref())?;
    let data = home.data.as_ref().unwrap_or(&config.storage.data);
    let store = open(data).await.map_err(|error| {
        let running = matches!(error.downcast_ref(), Some(OpenError::InUse { .. }));
        match running {
            true => error.context(format!("{what} here only while the bot is not running")),
            false => error,
        }
    })?;
    Ok((config, store))
}

/// Names a scope to people.
pub(crate) fn shown(scope: Scope) -> String {
    match scope {
        Scope::Guild(id) => format!("server {id}"),
        Scope::Dm(id) => format!("the direct messages of {id}"),
    }
}
