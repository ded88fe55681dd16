//! Decides whether phrases amount to a wish to stop.
//!
//! Clause by clause: one must be the wish, the others may be courtesies, a
//! short reason, or a name. Within the wish every word must be known.

use super::lexicon::StopPiece;
use super::words::{Strength, WordRole};
use super::{NoStop, StopReason};

/// The most words, or characters of a script without spaces, of a reason.
const LONGEST_REASON: usize = 9;

/// The most characters of a name before a title.
const LONGEST_NAME: usize = 6;

/// What a clause is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Clause {
    /// "please", "ok thanks", "lol".
    Courtesy,
    /// The wish, perhaps with a reason behind it.
    Wish(StopReason, Strength, bool),
    /// "I get it", "it's too long".
    Reason,
    /// A word of its own, such as somebody's name.
    Vocative,
}

/// What there is in an utterance beside the wish.
#[derive(Default)]
struct Around {
    reason: bool,
    vocatives: usize,
}

pub(super) fn judge(
    pieces: &[StopPiece],
    addressed: bool,
    mentions: bool,
) -> Result<StopReason, NoStop> {
    if !pieces.iter().any(|piece| means(*piece).is_some()) {
        return Err(NoStop::NoStopWord);
    }
    let named =
        |piece: &StopPiece| matches!(piece, StopPiece::Name | StopPiece::Phrase(WordRole::Bot));
    let addressed = addressed || pieces.iter().any(named);
    let mut around = Around::default();
    let mut wish: Option<(StopReason, Strength)> = None;
    for (words, asks) in clauses(pieces) {
        match clause(words, asks, addressed)? {
            Clause::Courtesy => {}
            Clause::Wish(reason, strength, with_reason) => {
                around.reason |= with_reason;
                wish = Some(wish.map_or((reason, strength), |first| match first.1 {
                    Strength::Plain => first,
                    Strength::Soft => (reason, strength),
                }));
            }
            Clause::Reason => around.reason = true,
            Clause::Vocative => around.vocatives += 1,
        }
    }
    let (reason, strength) = wish.ok_or(NoStop::NoStopWord)?;
    if around.vocatives > 1 {
        return Err(NoStop::OtherWords);
    }
    let bare = !around.reason && around.vocatives == 0;
    if strength == Strength::Soft && !bare {
        // "wait, I meant Paris" is about the question.
        return Err(NoStop::Continues);
    }
    let to_somebody =
        |piece: &StopPiece| matches!(piece, StopPiece::Phrase(WordRole::Pal | WordRole::Laugh));
    let for_anybody = mentions || !bare || pieces.iter().any(to_somebody);
    if !addressed && (strength == Strength::Soft || for_anybody) {
        return Err(NoStop::NotAddressed);
    }
    Ok(reason)
}

/// Of two reasons against, the one that tells more.
pub(super) fn more_telling(one: NoStop, other: NoStop) -> NoStop {
    let weight = |why| match why {
        NoStop::NoStopWord | NoStop::TooLong => 0,
        NoStop::OtherWords => 1,
        NoStop::NotAddressed => 2,
        NoStop::Quoted => 3,
        NoStop::Question => 4,
        NoStop::Continues => 5,
        NoStop::Negated => 6,
    };
    if weight(other) > weight(one) {
        other
    } else {
        one
    }
}

fn means(piece: StopPiece) -> Option<(StopReason, Strength)> {
    match piece {
        StopPiece::Phrase(role) => role.means(),
        _ => None,
    }
}

/// The clauses that are not empty, and whether each asks.
fn clauses(pieces: &[StopPiece]) -> impl Iterator<Item = (&[StopPiece], bool)> {
    let ends = |piece: &StopPiece| matches!(piece, StopPiece::Break { .. });
    let parts = pieces.split_inclusive(move |piece| ends(piece));
    parts.filter_map(|part| match part {
        [] | [StopPiece::Break { .. }] => None,
        [words @ .., StopPiece::Break { asks }] => Some((words, *asks)),
        words => Some((words, false)),
    })
}

fn clause(pieces: &[StopPiece], asks: bool, addressed: bool) -> Result<Clause, NoStop> {
    let (pieces, titled) = without_titled_name(pieces);
    let last_wish = pieces.iter().rposition(|piece| means(*piece).is_some());
    match last_wish {
        Some(last) => match wish(pieces, last, asks, addressed)? {
            Clause::Wish(reason, strength, with_reason) => {
                Ok(Clause::Wish(reason, strength, with_reason || titled))
            }
            clause => Ok(clause),
        },
        None if titled && pieces.is_empty() => Ok(Clause::Vocative),
        None => other(pieces, asks, addressed),
    }
}

/// The clause behind a name that a title makes known, as in "ミミちゃん、", and
/// whether there is one.
fn without_titled_name(pieces: &[StopPiece]) -> (&[StopPiece], bool) {
    let title = pieces
        .iter()
        .position(|piece| *piece == StopPiece::Phrase(WordRole::Title));
    match title {
        Some(at @ 1..=LONGEST_NAME) if matches!(pieces[0], StopPiece::Unknown { .. }) => {
            (&pieces[at + 1..], true)
        }
        _ => (pieces, false),
    }
}

/// A clause with a phrase that means stop; the last ends at `last`.
fn wish(pieces: &[StopPiece], last: usize, asks: bool, addressed: bool) -> Result<Clause, NoStop> {
    let mut found: Option<(StopReason, Strength)> = None;
    let mut requests = false;
    let mut unknown = 0;
    let mut with_reason = false;
    let mut hushes = false;
    for (index, piece) in pieces.iter().enumerate() {
        match *piece {
            StopPiece::Break { .. } | StopPiece::Name => {}
            StopPiece::Unknown { wide } => unknown += if wide { 2 } else { 1 },
            StopPiece::Phrase(role) => match role {
                WordRole::Filler
                | WordRole::Pal
                | WordRole::Bot
                | WordRole::Laugh
                | WordRole::Title => {}
                WordRole::Please | WordRole::Ask => requests = true,
                WordRole::Noun => return Err(NoStop::OtherWords),
                WordRole::Not => return Err(NoStop::Negated),
                WordRole::Next => return Err(NoStop::Continues),
                WordRole::And if index > last => return Err(NoStop::Continues),
                WordRole::And => {}
                WordRole::No if index < last => return Err(NoStop::Negated),
                WordRole::No => {}
                WordRole::Lead if index > last => return Err(NoStop::OtherWords),
                WordRole::Lead => {}
                WordRole::Tail if found.is_none() => return Err(NoStop::OtherWords),
                WordRole::Tail => {}
                WordRole::Since if found.is_some() => {
                    reason(&pieces[index..])?;
                    with_reason = true;
                    break;
                }
                WordRole::Since => return Err(NoStop::OtherWords),
                _ => {
                    hushes |= role == WordRole::Hush;
                    if let Some(new) = role.means() {
                        found = Some(found.filter(|(_, s)| *s == Strength::Plain).unwrap_or(new));
                    }
                }
            },
        }
    }
    let (reason, strength) = found.ok_or(NoStop::NoStopWord)?;
    // "shut up Luna" has no other sense, "stop Luna" and "silence fell" have.
    let tolerated = usize::from(hushes && addressed);
    if unknown > tolerated {
        return Err(NoStop::OtherWords);
    }
    if asks && !(requests && addressed) {
        return Err(NoStop::Question);
    }
    Ok(Clause::Wish(reason, strength, with_reason || unknown > 0))
}

/// A clause without such a phrase.
fn other(pieces: &[StopPiece], asks: bool, addressed: bool) -> Result<Clause, NoStop> {
    let courteous = |piece: &StopPiece| match piece {
        StopPiece::Name | StopPiece::Break { .. } => true,
        StopPiece::Unknown { .. } => false,
        StopPiece::Phrase(role) => role.is_courtesy(),
    };
    let Some(from) = pieces.iter().position(|piece| !courteous(piece)) else {
        return Ok(Clause::Courtesy);
    };
    if asks {
        return Err(NoStop::Question);
    }
    match pieces[from] {
        StopPiece::Phrase(WordRole::Since) => reason(&pieces[from..]).map(|()| Clause::Reason),
        StopPiece::Phrase(WordRole::Not | WordRole::No) => Err(NoStop::Negated),
        StopPiece::Phrase(WordRole::Next | WordRole::And) => Err(NoStop::Continues),
        StopPiece::Unknown { wide: false } if addressed => {
            let alone = pieces[from + 1..].iter().all(courteous);
            alone.then_some(Clause::Vocative).ok_or(NoStop::OtherWords)
        }
        _ => Err(NoStop::OtherWords),
    }
}

/// A reason may say anything, but be short and ask for nothing.
fn reason(pieces: &[StopPiece]) -> Result<(), NoStop> {
    if pieces
        .iter()
        .any(|piece| matches!(piece, StopPiece::Phrase(WordRole::Next | WordRole::And)))
    {
        return Err(NoStop::Continues);
    }
    if pieces.len() > LONGEST_REASON {
        return Err(NoStop::OtherWords);
    }
    Ok(())
}
