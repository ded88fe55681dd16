//! What people decide about their own data.

mod erase;
mod opt_out;

pub use erase::EraseMe;
pub use opt_out::{OptIn, OptOut};
