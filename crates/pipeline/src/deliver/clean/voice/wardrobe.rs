//! The looks that a speaker puts on, and for how long.

use crate::deliver::pack::Packer;
use crate::deliver::settings::SpeechLook;

/// The looks that can be put on, and how long the one that is on lasts.
#[derive(Clone, Debug)]
pub(super) struct Wardrobe {
    /// Whether each lasts.
    lasting: Vec<bool>,
    passing: Passing,
}

/// Whether the look that is on ends with the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    /// It lasts.
    Not,
    /// It does, in which we are.
    Line,
    /// It did: what follows is said in the usual one, unless it is code.
    Over,
}

impl Wardrobe {
    pub(super) fn new(looks: &[SpeechLook]) -> Self {
        Self {
            lasting: looks.iter().map(|look| look.lasting).collect(),
            passing: Passing::Not,
        }
    }

    /// What follows is said in this look, or in the usual one.
    pub(super) fn wear(&mut self, look: Option<usize>, out: &mut Packer<'_>) {
        let passes = look.and_then(|look| self.lasting.get(look)) == Some(&false);
        self.passing = if passes { Passing::Line } else { Passing::Not };
        out.turn(look);
    }

    /// The line is over.
    pub(super) const fn end_line(&mut self) {
        if matches!(self.passing, Passing::Line) {
            self.passing = Passing::Over;
        }
    }

    /// Whether the look that is on is to be taken off.
    pub(super) const fn is_over(&self) -> bool {
        matches!(self.passing, Passing::Over)
    }

    /// A look that ends with the line ends here.
    pub(super) fn take_off(&mut self, out: &mut Packer<'_>) {
        if self.passing != Passing::Not {
            self.wear(None, out);
        }
    }

    /// Nothing was put on yet.
    pub(super) const fn restart(&mut self) {
        self.passing = Passing::Not;
    }
}
