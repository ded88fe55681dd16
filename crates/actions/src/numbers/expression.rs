//! Arithmetic as people write it: `(1 + 2) * 3 ^ 4`, `20% of 60`, `sqrt(2)`.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/" | "%" | nothing before a bracket) signed)*
//! signed  = ("+" | "-")* power
//! power   = atom ("^" signed)?
//! atom    = (number | name | name power | name "(" sum ("," sum)* ")" | "(" sum ")") ("!" | "%")*
//! ```
//!
//! Whole numbers and fractions stay exact while they fit; what does not fit, and
//! what is not rational, is near. Length and depth are bounded, so is the work.

mod tokens;
mod value;
#[cfg(test)]
mod tests;

use crate::phrase::Phrase;
use tokens::{CONSTANTS, ExpressionToken, FUNCTIONS, Placed, tokens};
use value::Reckoning;
pub(super) use value::Value;

/// The longest text that is read, in bytes.
pub(super) const MOST_BYTES: usize = 300;

/// How deep brackets, signs and powers may be nested.
const MOST_DEPTH: u32 = 40;

/// Why a text has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExpressionError {
    /// It is no arithmetic, from about this character on.
    NotUnderstood(usize),
    TooLong,
    TooDeep,
    DividedByZero,
    /// It is larger than can be told, or no number at all.
    NoNumber,
    /// It cannot be told exactly, and a near value would be a wrong one.
    TooLarge,
}

impl ExpressionError {
    /// What people read.
    pub(super) fn phrase(self) -> Phrase {
        match self {
            Self::NotUnderstood(at) => Phrase::new("expression-unknown").with("at", at),
            Self::TooLong => Phrase::new("expression-too-long").with("most", MOST_BYTES),
            Self::TooDeep => Phrase::new("expression-too-deep"),
            Self::DividedByZero => Phrase::new("expression-by-zero"),
            Self::NoNumber => Phrase::new("expression-no-number"),
            Self::TooLarge => Phrase::new("expression-too-large"),
        }
    }
}

/// The value of an expression.
pub(super) fn evaluate(text: &str) -> Result<Value, ExpressionError> {
    if text.len() > MOST_BYTES {
        return Err(ExpressionError::TooLong);
    }
    let tokens = tokens(text)?;
    let mut reader = ExpressionReader {
        tokens: &tokens,
        next: 0,
        depth: 0,
        percent: None,
        end: text.chars().count(),
    };
    let value = reader.sum()?;
    match reader.next == tokens.len() {
        true => value.finite(),
        false => Err(reader.lost()),
    }
}

struct ExpressionReader<'t> {
    tokens: &'t [Placed],
    next: usize,
    /// The tokens that were last read as so many per cent, and nothing else.
    percent: Option<(usize, usize)>,
    depth: u32,
    end: usize,
}

impl ExpressionReader<'_> {
    fn peek(&self) -> Option<ExpressionToken> {
        self.tokens.get(self.next).map(|it| it.token)
    }

    fn takes(&mut self, sign: char) -> bool {
        let fits = self.peek() == Some(ExpressionToken::Sign(sign));
        self.next += usize::from(fits);
        fits
    }

    fn lost(&self) -> ExpressionError {
        let at = self.tokens.get(self.next).map_or(self.end, |it| it.at);
        ExpressionError::NotUnderstood(at)
    }

    fn sum(&mut self) -> Reckoning {
        let (mut sum, mut is_percent) = self.term()?;
        loop {
            let minus = self.peek() == Some(ExpressionToken::Sign('-'));
            if !minus && self.peek() != Some(ExpressionToken::Sign('+')) {
                return Ok(sum);
            }
            self.next += 1;
            let (mut term, per_cent) = self.term()?;
            // 100 + 10% is 110, as calculators have it.
            if per_cent && !is_percent {
                term = sum.times(term)?;
            }
            is_percent &= per_cent;
            sum = sum.plus(if minus { term.negative()? } else { term })?;
        }
    }

    /// A product, and whether it is so many per cent and nothing else.
    fn term(&mut self) -> Result<(Value, bool), ExpressionError> {
        let begun = self.next;
        let value = self.product()?;
        Ok((value, self.percent == Some((begun, self.next))))
    }

    fn product(&mut self) -> Reckoning {
        let mut product = self.signed()?;
        loop {
            match self.peek() {
                Some(ExpressionToken::Sign('*')) => {
                    self.next += 1;
                    product = product.times(self.signed()?)?;
                }
                Some(ExpressionToken::Sign('/')) => {
                    self.next += 1;
                    product = product.over(self.signed()?)?;
                }
                Some(ExpressionToken::Sign('%' | 'm')) => {
                    self.next += 1;
                    product = product.modulo(self.signed()?)?;
                }
                // 2(3 + 4), 2 pi
                Some(ExpressionToken::Sign('(') | ExpressionToken::Name(_)) => {
                    product = product.times(self.power()?)?;
                }
                _ => return Ok(product),
            }
        }
    }

    fn signed(&mut self) -> Reckoning {
        let mut negative = false;
        loop {
            if self.takes('-') {
                negative = !negative;
            } else if !self.takes('+') {
                break;
            }
        }
        let value = self.power()?;
        match negative {
            true => value.negative(),
            false => Ok(value),
        }
    }

    fn power(&mut self) -> Reckoning {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(ExpressionError::TooDeep);
        }
        let base = self.atom()?;
        let power = match self.takes('^') {
            true => base.to_the(self.signed()?)?,
            false => base,
        };
        self.depth -= 1;
        Ok(power)
    }

    fn atom(&mut self) -> Reckoning {
        let begun = self.next;
        let mut value = match self.peek() {
            Some(ExpressionToken::Number(value)) => {
                self.next += 1;
                value
            }
            Some(ExpressionToken::Sign('(')) => {
                self.next += 1;
                let value = self.sum()?;
                if !self.takes(')') {
                    return Err(self.lost());
                }
                value
            }
            Some(ExpressionToken::Name(name)) => self.named(name)?,
            _ => return Err(self.lost()),
        };
        loop {
            if self.takes('!') {
                value = value.factorial()?;
            } else if self.peek() == Some(ExpressionToken::Sign('%')) && !self.is_modulo() {
                self.next += 1;
                value = value.over(Value::Exact(100, 1))?;
                self.percent = Some((begun, self.next));
            } else {
                return Ok(value);
            }
        }
    }

    /// Whether the sign of per cent has something behind it to divide by.
    fn is_modulo(&self) -> bool {
        let ahead = |by: usize| self.tokens.get(self.next + by);
        match ahead(1).map(|it| it.token) {
            Some(
                ExpressionToken::Number(_) | ExpressionToken::Sign('(') | ExpressionToken::Name(_),
            ) => true,
            // "10 % -3", and not "10% - 3".
            Some(ExpressionToken::Sign('-' | '+')) => {
                let spaced = |by: usize| ahead(by).is_some_and(|it| it.spaced);
                spaced(0) && spaced(1) && ahead(2).is_some() && !spaced(2)
            }
            _ => false,
        }
    }

    fn named(&mut self, name: &str) -> Reckoning {
        self.next += 1;
        if let Some((_, constant)) = CONSTANTS.iter().find(|(it, _)| *it == name) {
            return Ok(Value::Near(*constant));
        }
        let is_list = matches!(name, "min" | "max");
        if !FUNCTIONS.contains(&name) {
            return Err(self.lost());
        }
        if !self.takes('(') {
            // "sqrt 16"
            return match is_list {
                true => Err(self.lost()),
                false => self.power()?.through(name, &[]),
            };
        }
        let first = self.sum()?;
        let mut more = Vec::new();
        while self.takes(',') {
            more.push(self.sum()?);
        }
        if !self.takes(')') || !(more.is_empty() || is_list) {
            return Err(self.lost());
        }
        first.through(name, &more)
    }
}
