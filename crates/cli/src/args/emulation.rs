//! What `kaiwa emulate` takes.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct EmulateArgs {
    /// The address to listen at. Its tokens are no secret: whoever reaches it can do anything
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// The port; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// The guilds, their channels and people; a tea house and a reading room if absent
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) world: Option<PathBuf>,
    /// Print a world file that has everything a world can have, and end
    #[arg(long, exclusive = true)]
    pub(crate) example_world: bool,
    /// Make ids and times the same in every run that does the same; time then
    /// stands still but for what POST /emulator/clock adds
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Begin with the guilds, people and messages in this file, if it is there,
    /// and keep them in it
    #[arg(long, value_name = "FILE.json")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Serve https and wss with this certificate and its key, both PEM
    #[arg(long, num_args = 2, value_names = ["CERT", "KEY"])]
    pub(crate) tls: Option<Vec<PathBuf>>,
    /// Write every request, answer and gateway frame to this file, as JSON
    /// lines; tokens are left out
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Make the requests of a recording again, in a world of its own, and say
    /// which answers differ; use the same --world and --seed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "snapshot", "tls"])]
    pub(crate) replay: Option<PathBuf>,
}
