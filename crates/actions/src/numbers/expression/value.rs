//! Numbers: exact while they fit, near otherwise.

use std::fmt;

use super::ExpressionError;

pub(super) type Reckoning = Result<Value, ExpressionError>;

/// From here on not every whole number has a near value of its own: 2^53.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// What a sum of rounded numbers may come to, as a part of the largest, before
/// the digits that are shown are those of the rounding.
const LEFT_OVER: f64 = 1e-3;

/// A value: exact, or near.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::numbers) enum Value {
    /// A fraction in lowest terms; the denominator is positive.
    Exact(i128, i128),
    Near(f64),
}

impl Value {
    /// The fraction in lowest terms.
    pub(super) fn fraction(above: i128, below: i128) -> Reckoning {
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

    pub(super) fn finite(self) -> Reckoning {
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
    ) -> Reckoning {
        if let (Self::Exact(a, b), Self::Exact(c, d)) = (self, other)
            && let Some((above, below)) = exact((a, b), (c, d))
        {
            return Self::fraction(above, below);
        }
        Self::Near(near(self.near(), other.near())).finite()
    }

    /// A product that is too small to be told from nothing has no value.
    fn unless_lost(self, is_zero: bool) -> Reckoning {
        match self {
            Self::Near(0.0) if !is_zero => Err(ExpressionError::NoNumber),
            value => Ok(value),
        }
    }

    /// Whether it is so large that whole numbers next to it look the same.
    fn is_blurred(self) -> bool {
        matches!(self, Self::Near(value) if value.abs() >= EXACT_BELOW)
    }

    pub(super) fn plus(self, other: Self) -> Reckoning {
        self.exactly(
            other,
            |(a, b), (c, d)| {
                let above = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
                Some((above, b.checked_mul(d)?))
            },
            |a, b| a + b,
        )?
        .unless_cancelled(self, other)
    }

    /// What is left of two large numbers that were rounded is no result.
    fn unless_cancelled(self, one: Self, other: Self) -> Reckoning {
        let largest = one.near().abs().max(other.near().abs());
        match self {
            Self::Near(left) if largest >= EXACT_BELOW && left.abs() < largest * LEFT_OVER => {
                Err(ExpressionError::TooLarge)
            }
            value => Ok(value),
        }
    }

    pub(super) fn negative(self) -> Reckoning {
        self.times(Self::Exact(-1, 1))
    }

    pub(super) fn times(self, other: Self) -> Reckoning {
        self.exactly(
            other,
            |(a, b), (c, d)| Some((a.checked_mul(c)?, b.checked_mul(d)?)),
            |a, b| a * b,
        )?
        .unless_lost(self.near() == 0.0 || other.near() == 0.0)
    }

    pub(super) fn over(self, other: Self) -> Reckoning {
        if other.near() == 0.0 {
            return Err(ExpressionError::DividedByZero);
        }
        self.exactly(
            other,
            |(a, b), (c, d)| Some((a.checked_mul(d)?, b.checked_mul(c)?)),
            |a, b| a / b,
        )?
        .unless_lost(self.near() == 0.0)
    }

    /// What is left after a division, with the sign of the divisor.
    pub(super) fn modulo(self, other: Self) -> Reckoning {
        if other.near() == 0.0 {
            return Err(ExpressionError::DividedByZero);
        }
        let times = self.over(other)?;
        if self.is_blurred() || times.is_blurred() {
            return Err(ExpressionError::TooLarge);
        }
        let times = times.through("floor", &[])?;
        self.plus(other.times(times)?.negative()?)
    }

    pub(super) fn to_the(self, power: Self) -> Reckoning {
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

    pub(super) fn factorial(self) -> Reckoning {
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
    pub(super) fn through(self, function: &str, more: &[Self]) -> Reckoning {
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
            ("log2", Self::Exact(a, 1)) if a > 0 && a & (a - 1) == 0 => {
                Ok(Self::Exact(i128::from(a.trailing_zeros()), 1))
            }
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
                    "log" | "log10" => value.log10(),
                    "log2" => value.log2(),
                    "exp" => value.exp(),
                    "cbrt" => value.cbrt(),
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
