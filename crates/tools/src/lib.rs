//! What the model may ask for.
//!
//! A [`Device`] is one tool: what the model is told of it, and what it does.
//! A [`Toolbox`] holds the devices of a bot and is the
//! [`ToolHost`](kaiwa_domain::port::ToolHost) of its turns.
//!
//! | tool | when | does |
//! |---|---|---|
//! | [`CurrentTime`] | in the loop | tells date and time, anywhere |
//! | [`React`] | after the reply | puts an emoji on the asker's message |
//!
//! The model is no authority: a device looks up whatever it acts on in the
//! [`Turn`](kaiwa_domain::Turn), never in the arguments. A tool that does what
//! not everybody may do is allowed what the asker, the bot and the guild's
//! rules all allow, and [`Toolbox::run`](kaiwa_domain::port::ToolHost::run) is
//! the one door where that is checked, before the device is reached. The tools
//! above need nothing of the asker.

mod toolbox;
mod current_time;
mod react;

pub use current_time::CurrentTime;
pub use react::React;
pub use toolbox::{Device, Toolbox};
