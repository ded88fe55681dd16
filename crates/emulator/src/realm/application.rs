//! What an application says of itself, in the words of the wire.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ApplicationProfile {
    pub(crate) description: String,
    pub(crate) icon: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) custom_install_url: Option<String>,
    pub(crate) role_connections_verification_url: Option<String>,
    pub(crate) install_params: Option<Value>,
    /// Role connection metadata records.
    pub(crate) role_connections: Vec<Value>,
}
