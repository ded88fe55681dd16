//! What the load and its listener share.

pub mod stamp;
