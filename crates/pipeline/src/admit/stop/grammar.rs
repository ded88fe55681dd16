//! Decides whether phrases amount to a wish to stop.
//!
//! Clause by clause: one must be the wish, the others may be courtesies, a
//! short reason, a name, or, before a plain wish that is said to us, a short
//! remark. Within the wish every word must be known, but for a verb that is told
//! to cease and for a reason that is seen to begin or to end.

use super::read::ClauseEnd;
use super::tree::StopPiece;
use super::words::{Strength, WordRole};
use super::{NoStop, StopReason};

/// The most words, or characters of a script without spaces, of a reason.
const LONGEST_REASON: usize = 9;

/// The same of a reason that ends where its language says so, and of a remark.
const LONGEST_REMARK: usize = 12;

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
    /// A few words that are not known: "my phone is dying".
    Remark,
}

/// What there is in an utterance beside the wish.
#[derive(Default)]
struct Around {
    reason: bool,
    remark: bool,
    /// Whether a remark comes first: "Confirm or / cancel" is no wish.
    remark_first: bool,
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
    let says_it = |piece: &StopPiece| matches!(piece, StopPiece::Phrase(role) if role.is_final());
    let is_final = pieces.iter().any(says_it);
    for (words, end) in clauses(pieces) {
        match clause(words, end, addressed)? {
            Clause::Courtesy => {}
            Clause::Wish(reason, strength, with_reason) => {
                around.reason |= with_reason;
                wish = Some(wish.map_or((reason, strength), |first| match first.1 {
                    Strength::Plain => first,
                    Strength::Said | Strength::Soft => (reason, strength),
                }));
            }
            // "stop, hammer time" goes on.
            Clause::Remark if wish.is_some() && !is_final => return Err(NoStop::OtherWords),
            Clause::Remark => {
                around.remark = true;
                around.remark_first |= wish.is_none();
            }
            Clause::Reason => around.reason = true,
            Clause::Vocative => around.vocatives += 1,
        }
    }
    let (reason, strength) = wish.ok_or(NoStop::OtherWords)?;
    if around.vocatives > 1 {
        return Err(NoStop::OtherWords);
    }
    if around.remark_first && strength != Strength::Plain
        || around.remark && strength == Strength::Soft
    {
        return Err(NoStop::OtherWords);
    }
    let bare = !around.reason && !around.remark && around.vocatives == 0;
    if strength == Strength::Soft && !bare {
        // "wait, I meant Paris" is about the question.
        return Err(NoStop::Continues);
    }
    let to_somebody =
        |piece: &StopPiece| matches!(piece, StopPiece::Phrase(WordRole::Pal | WordRole::Laugh));
    let for_anybody =
        mentions || !bare || reason == StopReason::Enough || pieces.iter().any(to_somebody);
    if !addressed && (strength != Strength::Plain || for_anybody) {
        return Err(NoStop::NotAddressed);
    }
    Ok(reason)
}

/// What the languages say together, each with the number of words it does not
/// know. A wish counts unless a language that understands more of it says what
/// else it is: "stop me if you know it" is English, though "me" begins reasons
/// in Spanish.
#[derive(Default)]
pub(super) struct Verdicts {
    wish: Option<(usize, StopReason)>,
    refusal: Option<NoStop>,
    /// The fewest unknown words of a language that says what else it is.
    certain: Option<usize>,
}

impl Verdicts {
    pub(super) fn add(&mut self, pieces: &[StopPiece], judged: Result<StopReason, NoStop>) {
        let unknown = |piece: &&StopPiece| matches!(piece, StopPiece::Unknown { .. });
        let unknown = pieces.iter().filter(unknown).count();
        match judged {
            Ok(reason) => {
                if self.wish.is_none_or(|(least, _)| unknown < least) {
                    self.wish = Some((unknown, reason));
                }
            }
            Err(why) => {
                let tells = |piece: &StopPiece| {
                    matches!(piece, StopPiece::Phrase(WordRole::Noun | WordRole::Report))
                };
                let other_thing = pieces.iter().any(tells);
                if other_thing || weight(why) > weight(NoStop::NotAddressed) {
                    self.certain = Some(self.certain.map_or(unknown, |least| least.min(unknown)));
                }
                if self
                    .refusal
                    .is_none_or(|before| weight(why) > weight(before))
                {
                    self.refusal = Some(why);
                }
            }
        }
    }

    pub(super) fn decide(self) -> Result<StopReason, NoStop> {
        let refusal = self.refusal.unwrap_or(NoStop::NoStopWord);
        match self.wish {
            Some((unknown, reason)) if self.certain.is_none_or(|least| least >= unknown) => {
                Ok(reason)
            }
            _ => Err(refusal),
        }
    }
}

/// How much a refusal tells.
fn weight(why: NoStop) -> u8 {
    match why {
        NoStop::NoStopWord | NoStop::TooLong => 0,
        NoStop::OtherWords => 1,
        NoStop::NotAddressed => 2,
        NoStop::Quoted => 3,
        NoStop::Question => 4,
        NoStop::Continues => 5,
        NoStop::Negated => 6,
    }
}

fn means(piece: StopPiece) -> Option<(StopReason, Strength)> {
    match piece {
        StopPiece::Phrase(role) => role.means(),
        _ => None,
    }
}

/// The clauses that are not empty, and how each ends.
fn clauses(pieces: &[StopPiece]) -> impl Iterator<Item = (&[StopPiece], ClauseEnd)> {
    let ends = |piece: &StopPiece| matches!(piece, StopPiece::Break(_));
    let parts = pieces.split_inclusive(move |piece| ends(piece));
    parts.filter_map(|part| match part {
        [] | [StopPiece::Break(_)] => None,
        [words @ .., StopPiece::Break(end)] => Some((words, *end)),
        words => Some((words, ClauseEnd::default())),
    })
}

fn clause(pieces: &[StopPiece], end: ClauseEnd, addressed: bool) -> Result<Clause, NoStop> {
    let (pieces, titled) = without_titled_name(pieces);
    let last_wish = pieces.iter().rposition(|piece| means(*piece).is_some());
    match last_wish {
        Some(last) => match wish(pieces, last, end.asks, addressed) {
            Ok(Clause::Wish(reason, strength, with_reason)) => {
                Ok(Clause::Wish(reason, strength, with_reason || titled))
            }
            // Another clause may be the wish: "too much talk, stop". If this one
            // is not fit to stand beside it, that tells no more than before: what
            // is a wish said to nobody is one said to us.
            Err(NoStop::OtherWords) if addressed && !end.asks && !end.introduces => {
                let beside = match pieces.first() {
                    Some(StopPiece::Phrase(WordRole::Since | WordRole::Topic)) => {
                        reason(pieces).map(|()| Clause::Reason)
                    }
                    _ => remark(pieces).map(|()| Clause::Remark),
                };
                beside.map_err(|_| NoStop::OtherWords)
            }
            other => other,
        },
        None if titled && pieces.is_empty() => Ok(Clause::Vocative),
        None => other(pieces, end, addressed),
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
    let mut wonders = false;
    let mut queries = false;
    let mut unknown = false;
    let mut with_reason = false;
    let (pieces, last, hence) = after_reason(pieces, last, addressed)?;
    with_reason |= hence;
    for (index, piece) in pieces.iter().enumerate() {
        match *piece {
            StopPiece::Break(_) | StopPiece::Name => {}
            StopPiece::Unknown { verb: true, .. }
                if index > 0 && pieces[index - 1] == StopPiece::Phrase(WordRole::Cease) =>
            {
                with_reason = true;
            }
            // "enough with the bullet points"
            StopPiece::Unknown { .. }
                if pieces[index.saturating_sub(2)..index]
                    .contains(&StopPiece::Phrase(WordRole::Spare)) => {}
            StopPiece::Unknown { .. } => unknown = true,
            StopPiece::Phrase(role) => match role {
                WordRole::Filler
                | WordRole::Pal
                | WordRole::Bot
                | WordRole::Laugh
                | WordRole::Hence
                | WordRole::Title => {}
                WordRole::Ask => {
                    requests = true;
                    wonders = true;
                }
                WordRole::Please | WordRole::Tag => requests = true,
                WordRole::Query => queries = true,
                WordRole::Noun | WordRole::Topic | WordRole::Report => {
                    return Err(NoStop::OtherWords);
                }
                WordRole::Not => return Err(NoStop::Negated),
                WordRole::Next | WordRole::Order | WordRole::Wh => return Err(NoStop::Continues),
                WordRole::And if index > last => return Err(NoStop::Continues),
                WordRole::And => {}
                // 安静不下来 negates, "stop, no" and "stop no" do not.
                WordRole::No if index < last || index + 1 < pieces.len() => {
                    return Err(NoStop::Negated);
                }
                WordRole::No => {}
                WordRole::Lead if index > last => return Err(NoStop::OtherWords),
                WordRole::Lead => {}
                WordRole::States => unknown = true,
                WordRole::Tail if found.is_none_or(|(_, strength)| strength == Strength::Soft) => {
                    return Err(NoStop::OtherWords);
                }
                WordRole::Tail => {}
                WordRole::Since if found.is_some() => {
                    reason(&pieces[index..])?;
                    with_reason = true;
                    break;
                }
                WordRole::Since => return Err(NoStop::OtherWords),
                _ => {
                    requests |= role == WordRole::Urge;
                    if let Some(new) = role.means() {
                        found = Some(found.filter(|(_, s)| *s == Strength::Plain).unwrap_or(new));
                    }
                }
            },
        }
    }
    let (reason, strength) = found.ok_or(NoStop::NoStopWord)?;
    if unknown {
        return Err(NoStop::OtherWords);
    }
    // "is that enough?" asks, "can you stop?" does not.
    let orders = matches!(
        reason,
        StopReason::Stop | StopReason::Hush | StopReason::Wait
    );
    let requests = requests || queries && orders;
    if wonders && reason == StopReason::Enough {
        return Err(NoStop::Question);
    }
    if asks && !(requests && addressed) || queries && !(orders && addressed) {
        return Err(NoStop::Question);
    }
    Ok(Clause::Wish(reason, strength, with_reason))
}

/// The pieces behind a reason that its last word makes known, as in
/// "長いから止めて", where the last wish is in them, and whether there is one.
fn after_reason(
    pieces: &[StopPiece],
    last: usize,
    addressed: bool,
) -> Result<(&[StopPiece], usize, bool), NoStop> {
    let ends = |piece: &StopPiece| *piece == StopPiece::Phrase(WordRole::Hence);
    let Some(at) = pieces[..last].iter().rposition(ends) else {
        return Ok((pieces, last, false));
    };
    let known = |piece: &StopPiece| !matches!(piece, StopPiece::Unknown { .. });
    if pieces[..at].iter().all(known) || !addressed {
        return Ok((pieces, last, false));
    }
    remark(&pieces[..at]).map_err(|_| NoStop::OtherWords)?;
    Ok((&pieces[at + 1..], last - at - 1, true))
}

/// A clause without such a phrase.
fn other(pieces: &[StopPiece], end: ClauseEnd, addressed: bool) -> Result<Clause, NoStop> {
    let courteous = |piece: &StopPiece| match piece {
        StopPiece::Name | StopPiece::Break(_) => true,
        StopPiece::Unknown { .. } => false,
        StopPiece::Phrase(role) => role.is_courtesy(),
    };
    let Some(from) = pieces.iter().position(|piece| !courteous(piece)) else {
        let requests = |piece: &StopPiece| !matches!(piece, StopPiece::Phrase(WordRole::Filler));
        return match end.asks && !pieces.iter().any(requests) {
            true => Err(NoStop::Question),
            false => Ok(Clause::Courtesy),
        };
    };
    if end.asks {
        return Err(NoStop::Question);
    }
    if end.introduces {
        return Err(NoStop::Quoted);
    }
    match pieces[from] {
        StopPiece::Phrase(WordRole::Since | WordRole::Topic | WordRole::Lead) => {
            reason(&pieces[from..]).map(|()| Clause::Reason)
        }
        StopPiece::Phrase(WordRole::Not | WordRole::No) => Err(NoStop::Negated),
        StopPiece::Phrase(WordRole::Next | WordRole::And | WordRole::Order | WordRole::Wh) => {
            Err(NoStop::Continues)
        }
        StopPiece::Unknown { wide: false, .. }
            if addressed && pieces[from + 1..].iter().all(courteous) =>
        {
            Ok(Clause::Vocative)
        }
        // "chat is unreadable" is why, "hammer time" is not.
        _ if addressed => {
            let pieces = &pieces[from..];
            let states = pieces.contains(&StopPiece::Phrase(WordRole::States));
            let beside = match states {
                true => Clause::Reason,
                false => Clause::Remark,
            };
            let fits = remark(pieces).map(|()| beside);
            fits.map_err(|_| NoStop::OtherWords)
        }
        _ => Err(NoStop::OtherWords),
    }
}

/// A remark may say anything of its own, but be short.
fn remark(pieces: &[StopPiece]) -> Result<(), NoStop> {
    for piece in pieces {
        match piece {
            StopPiece::Phrase(WordRole::Next) => return Err(NoStop::Continues),
            StopPiece::Phrase(WordRole::Report | WordRole::Noun) => return Err(NoStop::OtherWords),
            _ => {}
        }
    }
    if pieces.len() > LONGEST_REMARK {
        return Err(NoStop::OtherWords);
    }
    Ok(())
}

/// A reason may say anything, but be short and ask for nothing.
fn reason(pieces: &[StopPiece]) -> Result<(), NoStop> {
    if pieces.iter().any(|piece| {
        matches!(
            piece,
            StopPiece::Phrase(WordRole::Next | WordRole::And | WordRole::Ask)
        )
    }) {
        return Err(NoStop::Continues);
    }
    let tells =
        |piece: &StopPiece| matches!(piece, StopPiece::Phrase(WordRole::Report | WordRole::Noun));
    if pieces.iter().any(tells) {
        return Err(NoStop::OtherWords);
    }
    if pieces.len() > LONGEST_REASON {
        return Err(NoStop::OtherWords);
    }
    Ok(())
}
