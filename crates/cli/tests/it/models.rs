//! What operators are told of their models.

use crate::home::Home;
