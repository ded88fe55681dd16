//! Numbers: reckoned, and by chance.

mod calculate;
mod choices;
mod expression;
mod random;

pub use calculate::Calculate;
pub use random::Random;
