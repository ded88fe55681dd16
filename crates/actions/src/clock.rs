//! Time.

mod current_time;

pub use current_time::CurrentTime;
