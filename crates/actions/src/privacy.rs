//! What people decide about their own data.

mod erase;
mod export;
mod opt_out;

pub use erase::EraseMe;
pub use export::ExportMe;
pub use opt_out::{OptIn, OptOut};
