//! The looks that a speaker puts on, and for how long.

use crate::deliver::pack::Packer;
use crate::deliver::settings::SpeechLook;

/// The looks that can be put on, and the one that is.
#[derive(Clone, Debug)]
pub(super) struct Wardrobe {
    /// By their names in lower case.
    looks: Vec<SpeechLook>,
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
        let looks = looks.iter().map(|look| SpeechLook {
            name: look.name.trim().to_lowercase(),
            ..*look
        });
        Self {
            looks: looks.collect(),
            passing: Passing::Not,
        }
    }

    /// What follows is said in the look that a label names; in the usual one
    /// if there is no such look.
    pub(super) fn put_on(&mut self, label: &str, out: &mut Packer<'_>) {
        let name = remark(label).map(str::to_lowercase);
        let mut looks = self.looks.iter();
        let look = name.and_then(|name| looks.position(|look| look.name == name));
        self.wear(look, out);
    }

    pub(super) fn wear(&mut self, look: Option<usize>, out: &mut Packer<'_>) {
        let worn = look.and_then(|look| self.looks.get(look));
        self.passing = match worn {
            Some(look) if !look.lasting => Passing::Line,
            _ => Passing::Not,
        };
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

/// What stands between a name and its colon, as in `Mia (smiling):`.
fn remark(label: &str) -> Option<&str> {
    let (_, rest) = label.split_once('(')?;
    Some(rest.rsplit_once(')')?.0.trim())
}
