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
fn it_takes_what_people_type() {
    for (text, value) in [
        ("1,000 * 3", "3000"),
        ("1,234.5 + 1", "1235.5"),
        ("1,234,567 - 1", "1234566"),
        ("max(1,200)", "200"),
        ("max((1,200), 3)", "1200"),
        ("√16", "4"),
        ("sqrt 16", "4"),
        ("sqrt 16 + 9", "13"),
        ("sin 0", "≈ 0"),
        ("3x4", "12"),
        ("3 X 4", "12"),
        ("2x(3+4)", "14"),
        ("20% x 60", "12"),
        ("50% OF 80", "40"),
        ("10 MOD 3", "1"),
        ("10 mod -3", "-2"),
        ("１＋２", "3"),
        ("（１＋２）×３", "9"),
        ("2+2=", "4"),
        ("2 + 2 = ?", "4"),
        ("5²", "25"),
        ("2¹⁰", "1024"),
        ("-5²", "-25"),
        ("log2(8)", "3"),
        ("log10(100)", "≈ 2"),
        ("log2 8 + 1", "4"),
        ("cbrt(27)", "≈ 3"),
        ("3 plus 4 times 2", "11"),
        ("10 divided by 4", "2.5"),
        ("100 + 10%", "110"),
        ("100 - 20%", "80"),
        ("100 + 10% + 5", "115"),
        ("200 * 2 + 10%", "440"),
        ("10% + 10%", "0.2"),
        ("50% + 1", "1.5"),
        ("5 + 50% of 20", "15"),
        ("10 % -3", "-2"),
        ("10% - 3", "-2.9"),
        ("10%-3", "-2.9"),
    ] {
        check(text, Ok(value));
    }
}

#[test]
fn what_cannot_be_exact_is_not_given_as_if_it_were() {
    use ExpressionError::{NoNumber, TooLarge};
    for (text, error) in [
        ("10^40 % 7", TooLarge),
        ("2^130 % 10", TooLarge),
        ("2^200 % 7", TooLarge),
        ("1e30 mod 0.1", TooLarge),
        (
            "340282366920938463463374607431768211456 - 340282366920938463463374607431768211455",
            TooLarge,
        ),
        ("2^200 - 2^200", TooLarge),
        ("1e400", NoNumber),
        ("1/1e400", NoNumber),
        ("1e-400", NoNumber),
        ("1e-300 * 1e-300", NoNumber),
        ("1e-300 / 1e300", NoNumber),
    ] {
        check(text, Err(error));
        assert_ne!(error.phrase().text("en-US"), error.phrase().text("ja"));
    }
    for (text, value) in [
        ("10^38 % 7", "2"),
        ("2^100 % 10", "6"),
        ("2^200 + 1", "≈ 1.60693804426e60"),
        ("pi % 1", "≈ 0.14159265359"),
        ("sqrt(2)^2 - 2", "≈ 4.4408920985e-16"),
        ("0 * 1e-300", "≈ 0"),
        ("0e5", "≈ 0"),
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
        ("1 + x y", NotUnderstood(7)),
        ("(1", NotUnderstood(2)),
        ("1)", NotUnderstood(2)),
        ("1.2.3", NotUnderstood(1)),
        ("sin", NotUnderstood(3)),
        ("max 3", NotUnderstood(5)),
        ("0x10", NotUnderstood(1)),
        ("1,00 + 1", NotUnderstood(2)),
        ("1,0000", NotUnderstood(2)),
        ("3x", NotUnderstood(2)),
        ("=", NotUnderstood(1)),
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
    fn nor_is_any_arithmetic(text in "[-+*/^%!(),.0-9a-z ²x=]{0,300}") {
        let _ = evaluate(&text).map(|value| value.to_string());
    }

    #[test]
    fn fractions_are_exact(a in -10_000i128..10_000, b in 1i128..10_000, c in 1i128..10_000) {
        let value = evaluate(&format!("({a}/{b} + {a}/{c}) * {b} * {c}"));
        prop_assert_eq!(value, Ok(Value::Exact(a * (b + c), 1)));
    }
}
