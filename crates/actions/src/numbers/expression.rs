//! Arithmetic as people write it: `(1 + 2) * 3 ^ 4`, `20% of 60`, `sqrt(2)`.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/" | "%" | "of" | nothing before a bracket) signed)*
//! signed  = ("+" | "-")* power
//! power   = atom ("^" signed)?
//! atom    = (number | name | name "(" sum ("," sum)* ")" | "(" sum ")") ("!" | "%")*
//! ```
//!
//! Whole numbers and fractions stay exact while they fit; what does not fit, and
//! what is not rational, is near. Length and depth are bounded, so is the work.

use std::fmt;

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
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUnderstood(at) => {
                write!(
                    f,
                    "that is no arithmetic from character {at} on; use + - * / ^ % ! ( ), \
                           numbers, pi, e, and sqrt, abs, round, floor, ceil, min, max, ln, log, \
                           sin, cos, tan, asin, acos, atan"
                )
            }
            Self::TooLong => f.write_str("that is too long"),
            Self::TooDeep => f.write_str("that is nested too deeply"),
            Self::DividedByZero => f.write_str("nothing can be divided by zero"),
            Self::NoNumber => f.write_str("that has no value, or one too large to tell"),
        }
    }
}

/// A value: exact, or near.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value {
    /// A fraction in lowest terms; the denominator is positive.
    Exact(i128, i128),
    Near(f64),
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
        end: text.chars().count(),
    };
    let value = reader.sum()?;
    match reader.next == tokens.len() {
        true => value.finite(),
        false => Err(reader.lost()),
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'a> {
    Number(Value),
    Name(&'a str),
    Sign(char),
}

/// The tokens, each with the number of its first character, from 1.
fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut at = 1;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit() || first == '.';
        let length = if is_number {
            number_length(rest)
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
            end.unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        let sign = match first {
            '×' | '·' | '⋅' => '*',
            '÷' | '∕' => '/',
            '−' | '–' => '-',
            other => other,
        };
        match sign {
            _ if is_number => {
                let number = number(token).ok_or(ExpressionError::NotUnderstood(at))?;
                tokens.push((at, Token::Number(number)));
            }
            _ if first.is_ascii_alphabetic() => tokens.push((at, Token::Name(token))),
            '√' => tokens.push((at, Token::Name("sqrt"))),
            'π' => tokens.push((at, Token::Name("pi"))),
            '+' | '-' | '/' | '^' | '%' | '!' | '(' | ')' | ',' => {
                tokens.push((at, Token::Sign(sign)));
            }
            // Many write powers with two stars.
            '*' if after.starts_with('*') => {
                tokens.push((at, Token::Sign('^')));
                rest = &after[1..];
                at += 2;
                continue;
            }
            '*' => tokens.push((at, Token::Sign('*'))),
            _ if first.is_whitespace() => {}
            _ => return Err(ExpressionError::NotUnderstood(at)),
        }
        at += token.chars().count();
        rest = after;
    }
    Ok(tokens)
}

/// How long the number at the start is: digits with thousands apart by `_`, a
/// fraction, and an exponent.
fn number_length(text: &str) -> usize {
    let plain = |text: &str| {
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'));
        end.unwrap_or(text.len())
    };
    let length = plain(text);
    let exponent = text[length..].strip_prefix(['e', 'E']);
    let Some(exponent) = exponent else {
        return length;
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let end = digits.find(|c: char| !c.is_ascii_digit());
    match end.unwrap_or(digits.len()) {
        0 => length,
        many => length + 1 + (exponent.len() - digits.len()) + many,
    }
}

fn number(text: &str) -> Option<Value> {
    let text = text.replace('_', "");
    let near = || text.parse().ok().map(Value::Near);
    if text.contains(['e', 'E']) {
        return near();
    }
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    if part.contains('.') || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let exact = || {
        let scale = 10i128.checked_pow(u32::try_from(part.len()).ok()?)?;
        Value::fraction(format!("{whole}{part}").parse().ok()?, scale).ok()
    };
    exact().or_else(near)
}

struct ExpressionReader<'t> {
    tokens: &'t [(usize, Token<'t>)],
    next: usize,
    depth: u32,
    end: usize,
}

type Read = Result<Value, ExpressionError>;

impl ExpressionReader<'_> {
    fn peek(&self) -> Option<Token<'_>> {
        self.tokens.get(self.next).map(|(_, token)| *token)
    }

    fn takes(&mut self, sign: char) -> bool {
        let fits = self.peek() == Some(Token::Sign(sign));
        self.next += usize::from(fits);
        fits
    }

    fn lost(&self) -> ExpressionError {
        let at = self.tokens.get(self.next).map_or(self.end, |(at, _)| *at);
        ExpressionError::NotUnderstood(at)
    }

    fn sum(&mut self) -> Read {
        let mut sum = self.product()?;
        loop {
            if self.takes('+') {
                sum = sum.plus(self.product()?)?;
            } else if self.takes('-') {
                sum = sum.plus(self.product()?.negative()?)?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Read {
        let mut product = self.signed()?;
        loop {
            match self.peek() {
                Some(Token::Sign('*') | Token::Name("of" | "x")) => {
                    self.next += 1;
                    product = product.times(self.signed()?)?;
                }
                Some(Token::Sign('/')) => {
                    self.next += 1;
                    product = product.over(self.signed()?)?;
                }
                Some(Token::Sign('%') | Token::Name("mod")) => {
                    self.next += 1;
                    product = product.modulo(self.signed()?)?;
                }
                // 2(3 + 4), 2 pi
                Some(Token::Sign('(') | Token::Name(_)) => {
                    product = product.times(self.power()?)?;
                }
                _ => return Ok(product),
            }
        }
    }

    fn signed(&mut self) -> Read {
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

    fn power(&mut self) -> Read {
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

    fn atom(&mut self) -> Read {
        let mut value = match self.peek() {
            Some(Token::Number(value)) => {
                self.next += 1;
                value
            }
            Some(Token::Sign('(')) => {
                self.next += 1;
                let value = self.sum()?;
                if !self.takes(')') {
                    return Err(self.lost());
                }
                value
            }
            Some(Token::Name(name)) => self.named(&name.to_ascii_lowercase())?,
            _ => return Err(self.lost()),
        };
        loop {
            if self.takes('!') {
                value = value.factorial()?;
            } else if self.peek() == Some(Token::Sign('%')) && !self.is_modulo() {
                self.next += 1;
                value = value.over(Value::Exact(100, 1))?;
            } else {
                return Ok(value);
            }
        }
    }

    /// Whether the sign of per cent has something behind it to divide by.
    fn is_modulo(&self) -> bool {
        let after = self.tokens.get(self.next + 1);
        after.is_some_and(|(_, token)| match token {
            Token::Number(_) | Token::Sign('(') => true,
            Token::Name(name) => *name != "of",
            Token::Sign(_) => false,
        })
    }

    fn named(&mut self, name: &str) -> Read {
        let constant = match name {
            "pi" => Some(std::f64::consts::PI),
            "e" => Some(std::f64::consts::E),
            "tau" => Some(std::f64::consts::TAU),
            _ => None,
        };
        if let Some(constant) = constant {
            self.next += 1;
            return Ok(Value::Near(constant));
        }
        if !FUNCTIONS.contains(&name) {
            return Err(self.lost());
        }
        self.next += 1;
        if !self.takes('(') {
            return Err(self.lost());
        }
        let first = self.sum()?;
        let mut more = Vec::new();
        while self.takes(',') {
            more.push(self.sum()?);
        }
        if !self.takes(')') || !(more.is_empty() || matches!(name, "min" | "max")) {
            return Err(self.lost());
        }
        first.through(name, &more)
    }
}

const FUNCTIONS: [&str; 15] = [
    "sqrt", "abs", "round", "floor", "ceil", "min", "max", "ln", "log", "sin", "cos", "tan",
    "asin", "acos", "atan",
];

impl Value {
    /// The fraction in lowest terms.
    fn fraction(above: i128, below: i128) -> Read {
        if below == 0 {
            return Err(ExpressionError::DividedByZero);
        }
        let divisor = gcd(above.unsigned_abs(), below.unsigned_abs());
        let reduced = i128::try_from(divisor).ok().and_then(|divisor| {
            let (above, below) = (above / divisor, below / divisor);
            match below < 0 {
                true => Some((above.checked_neg()?, below.checked_neg()?)),
                false => Some((above, below)),
            }
        });
        reduced
            .map(|(above, below)| Self::Exact(above, below))
            .ok_or(ExpressionError::NoNumber)
    }

    #[expect(clippy::cast_precision_loss, reason = "it is the nearest")]
    fn near(self) -> f64 {
        match self {
            Self::Exact(above, below) => above as f64 / below as f64,
            Self::Near(value) => value,
        }
    }

    fn finite(self) -> Read {
        match self {
            Self::Near(value) if !value.is_finite() => Err(ExpressionError::NoNumber),
            value => Ok(value),
        }
    }

    /// What is exact while it fits, and near otherwise.
    fn exactly(
        self,
        other: Self,
        exact: impl Fn((i128, i128), (i128, i128)) -> Option<(i128, i128)>,
        near: impl Fn(f64, f64) -> f64,
    ) -> Read {
        if let (Self::Exact(a, b), Self::Exact(c, d)) = (self, other)
            && let Some((above, below)) = exact((a, b), (c, d))
        {
            return Self::fraction(above, below);
        }
        Self::Near(near(self.near(), other.near())).finite()
    }

    fn plus(self, other: Self) -> Read {
        self.exactly(
            other,
            |(a, b), (c, d)| {
                let above = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
                Some((above, b.checked_mul(d)?))
            },
            |a, b| a + b,
        )
    }

    fn negative(self) -> Read {
        self.times(Self::Exact(-1, 1))
    }

    fn times(self, other: Self) -> Read {
        self.exactly(
            other,
            |(a, b), (c, d)| Some((a.checked_mul(c)?, b.checked_mul(d)?)),
            |a, b| a * b,
        )
    }

    fn over(self, other: Self) -> Read {
        if other.near() == 0.0 {
            return Err(ExpressionError::DividedByZero);
        }
        self.exactly(
            other,
            |(a, b), (c, d)| Some((a.checked_mul(d)?, b.checked_mul(c)?)),
            |a, b| a / b,
        )
    }

    /// What is left after a division, with the sign of the divisor.
    fn modulo(self, other: Self) -> Read {
        if other.near() == 0.0 {
            return Err(ExpressionError::DividedByZero);
        }
        let times = self.over(other)?.through("floor", &[])?;
        self.plus(other.times(times)?.negative()?)
    }

    fn to_the(self, power: Self) -> Read {
        if let (Self::Exact(a, b), Self::Exact(power, 1)) = (self, power)
            && let Ok(power) = i32::try_from(power)
        {
            if a == 0 && power < 0 {
                return Err(ExpressionError::DividedByZero);
            }
            let steps = power.unsigned_abs();
            if let (Some(above), Some(below)) = (a.checked_pow(steps), b.checked_pow(steps)) {
                return match power < 0 {
                    true => Self::fraction(below, above),
                    false => Self::fraction(above, below),
                };
            }
        }
        Self::Near(self.near().powf(power.near())).finite()
    }

    fn factorial(self) -> Read {
        let Self::Exact(of, 1) = self else {
            return Err(ExpressionError::NoNumber);
        };
        // 171! is larger than any number that is near.
        let of = u8::try_from(of).ok().filter(|of| *of <= 170);
        let of = of.ok_or(ExpressionError::NoNumber)?;
        (1..=of).try_fold(Self::Exact(1, 1), |product, next| {
            product.times(Self::Exact(next.into(), 1))
        })
    }

    /// What a function makes of it.
    fn through(self, function: &str, more: &[Self]) -> Read {
        let less = |a: &Self, b: &Self| a.near().total_cmp(&b.near());
        let all = || std::iter::once(self).chain(more.iter().copied());
        let near = |value: f64| Self::Near(value).finite();
        match (function, self) {
            ("min", _) => all().min_by(less).ok_or(ExpressionError::NoNumber),
            ("max", _) => all().max_by(less).ok_or(ExpressionError::NoNumber),
            ("abs", value) if value.near() < 0.0 => value.negative(),
            ("abs", value) => Ok(value),
            ("floor", Self::Exact(a, b)) => Ok(Self::Exact(a.div_euclid(b), 1)),
            ("ceil", Self::Exact(..)) => self.negative()?.through("floor", &[])?.negative(),
            ("round", Self::Exact(..)) if self.near() < 0.0 => {
                self.negative()?.through("round", &[])?.negative()
            }
            ("round", Self::Exact(..)) => self.plus(Self::Exact(1, 2))?.through("floor", &[]),
            ("sqrt", Self::Exact(a, b)) => match (root(a), root(b)) {
                (Some(a), Some(b)) => Ok(Self::Exact(a, b)),
                _ => near(self.near().sqrt()),
            },
            _ => {
                let value = self.near();
                near(match function {
                    "floor" => value.floor(),
                    "ceil" => value.ceil(),
                    "round" => value.round(),
                    "sqrt" => value.sqrt(),
                    "ln" => value.ln(),
                    "log" => value.log10(),
                    "sin" => value.sin(),
                    "cos" => value.cos(),
                    "tan" => value.tan(),
                    "asin" => value.asin(),
                    "acos" => value.acos(),
                    "atan" => value.atan(),
                    _ => f64::NAN,
                })
            }
        }
    }
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The root of a square.
fn root(square: i128) -> Option<i128> {
    let square = u128::try_from(square).ok()?;
    let root = i128::try_from(square.isqrt()).ok()?;
    (root.unsigned_abs().checked_mul(root.unsigned_abs()) == Some(square)).then_some(root)
}

/// Decimals that end are written out; other fractions are near.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact(above, 1) => write!(f, "{above}"),
            Self::Exact(above, below) => match decimal(above, below) {
                Some(text) => f.write_str(&text),
                None => write!(f, "{above}/{below} ≈ {}", rounded(self.near())),
            },
            Self::Near(value) => write!(f, "≈ {}", rounded(value)),
        }
    }
}

/// The most digits behind the point of a decimal that ends.
const DIGITS: u32 = 20;

/// The decimal of a fraction, if it ends soon.
fn decimal(above: i128, below: i128) -> Option<String> {
    let (digits, scale) = (1..=DIGITS)
        .map(|digits| (digits as usize, 10i128.pow(digits)))
        .find(|(_, scale)| scale % below == 0)?;
    let scaled = above
        .unsigned_abs()
        .checked_mul((scale / below).unsigned_abs())?;
    let scale = scale.unsigned_abs();
    let sign = if above < 0 { "-" } else { "" };
    Some(format!(
        "{sign}{}.{:0digits$}",
        scaled / scale,
        scaled % scale
    ))
}

/// Twelve digits that count, as calculators show.
fn rounded(value: f64) -> String {
    let shown = format!("{value:.11e}");
    let (digits, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-5..15).contains(&exponent) {
        let places = usize::try_from(11 - exponent).unwrap_or_default();
        let plain = format!("{value:.places$}");
        return match plain.contains('.') {
            true => plain.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => plain,
        };
    }
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

    fn check(text: &str, expected: Result<&str, ExpressionError>) {
        let value = evaluate(text).map(|value| value.to_string());
        let expected = expected.map(str::to_owned);
        assert_eq!(value, expected, "{text:?}");
    }

    #[test]
    fn it_reckons_as_people_do() {
        for (text, value) in [
            ("1 + 2 * 3", "7"),
            ("(1+2)*3", "9"),
            ("2^3^2", "512"),
            ("2**10", "1024"),
            ("-2^2", "-4"),
            ("(-2)^2", "4"),
            ("2^-2", "0.25"),
            ("--3", "3"),
            ("5 - -3", "8"),
            ("0.1 + 0.2", "0.3"),
            ("1/3 + 1/6", "0.5"),
            ("1/3", "1/3 ≈ 0.333333333333"),
            ("-7/2", "-3.5"),
            ("10 % 3", "1"),
            ("-1 mod 3", "2"),
            ("20%", "0.2"),
            ("20% of 60", "12"),
            ("50% + 1", "1.5"),
            ("2(3+4)", "14"),
            ("3 × 4 ÷ 2 − 1", "5"),
            ("5!", "120"),
            ("30!", "265252859812191058636308480000000"),
            ("2^100", "1267650600228229401496703205376"),
            ("2^200", "≈ 1.60693804426e60"),
            ("sqrt(16)", "4"),
            ("√(2)", "≈ 1.41421356237"),
            ("sqrt(1/4)", "0.5"),
            ("abs(-3.5)", "3.5"),
            ("round(2.5)", "3"),
            ("round(-2.5)", "-3"),
            ("floor(-0.5)", "-1"),
            ("ceil(-0.5)", "0"),
            ("max(1, 5, 3) - min(4, 2)", "3"),
            ("2 pi", "≈ 6.28318530718"),
            ("LN(e)", "≈ 1"),
            ("1_000_000 * 3", "3000000"),
            ("1e3", "≈ 1000"),
            ("1.5e-7", "≈ 1.5e-7"),
        ] {
            check(text, Ok(value));
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        use ExpressionError::{DividedByZero, NoNumber, NotUnderstood, TooDeep, TooLong};
        for (text, error) in [
            ("", NotUnderstood(0)),
            ("1 +", NotUnderstood(3)),
            ("1 + x y", NotUnderstood(5)),
            ("(1", NotUnderstood(2)),
            ("1)", NotUnderstood(2)),
            ("1.2.3", NotUnderstood(1)),
            ("sin 3", NotUnderstood(5)),
            ("sin(1, 2)", NotUnderstood(9)),
            ("rm -rf", NotUnderstood(1)),
            ("2; 3", NotUnderstood(2)),
            ("1/0", DividedByZero),
            ("0^-1", DividedByZero),
            ("1 % 0", DividedByZero),
            ("sqrt(-1)", NoNumber),
            ("171!", NoNumber),
            ("0.5!", NoNumber),
            ("9^9^9", NoNumber),
        ] {
            check(text, Err(error));
        }
        check(&"(".repeat(200), Err(TooDeep));
        check(&"2^".repeat(140), Err(TooDeep));
        check(&"1+".repeat(200), Err(TooLong));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let _ = evaluate(&text);
        }

        #[test]
        fn nor_is_any_arithmetic(text in "[-+*/^%!(),.0-9a-z ]{0,300}") {
            let _ = evaluate(&text).map(|value| value.to_string());
        }

        #[test]
        fn fractions_are_exact(a in -10_000i128..10_000, b in 1i128..10_000, c in 1i128..10_000) {
            let value = evaluate(&format!("({a}/{b} + {a}/{c}) * {b} * {c}"));
            prop_assert_eq!(value, Ok(Value::Exact(a * (b + c), 1)));
        }
    }
}
