//! What is done in the channel itself.

mod react;

pub use react::React;
