//! The declarations, one for each setting.

pub(super) mod actions;
pub(super) mod activation;
pub(super) mod buttons;
pub(super) mod context;
pub(super) mod joins;
pub(super) mod personas;
pub(super) mod speech;

use std::time::Duration;

use super::Layer;

const MANAGE_SERVER: &str = "Manage Server";

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);

const GUILD: &[Layer] = &[Layer::Instance, Layer::Guild];
const GUILD_AND_CHANNEL: &[Layer] = &[Layer::Instance, Layer::Guild, Layer::Channel];
const EVERYWHERE: &[Layer] = &[
    Layer::Instance,
    Layer::Guild,
    Layer::Channel,
    Layer::Persona,
];
