//! TeX's signs in Unicode.

use crate::deliver::{lookup, paired};

/// Commands that only arrange.
const SILENT: &str = "Big Bigg Bigl Bigr big bigg bigl bigr displaystyle hline hspace label left limits middle \
    nonumber right scriptstyle tag textstyle";

/// Commands that are blanks.
const BLANKS: &str = "qquad quad";

/// Commands, each with its sign.
const SYMBOLS: &str = "Delta Δ Gamma Γ Lambda Λ Leftarrow ⇐ Leftrightarrow ⇔ Omega Ω Phi Φ Pi Π Psi Ψ Rightarrow ⇒ \
    Sigma Σ Theta Θ Xi Ξ aleph ℵ alpha α approx ≈ arccos arccos arcsin arcsin arctan arctan ast ∗ \
    beta β bullet • cap ∩ cdot · cdots ⋯ chi χ circ ° cong ≅ cos cos cot cot cup ∪ deg deg \
    degree ° delta δ det det div ÷ dots … ell ℓ emptyset ∅ epsilon ε equiv ≡ eta η exists ∃ \
    exp exp forall ∀ gamma γ gcd gcd ge ≥ geq ≥ gg ≫ gt > hbar ħ iff ⇔ implies ⇒ in ∈ inf inf \
    infty ∞ int ∫ iota ι kappa κ lambda λ land ∧ langle ⟨ lceil ⌈ ldots … le ≤ leftarrow ← \
    leftrightarrow ↔ leq ≤ lfloor ⌊ lim lim ll ≪ ln ln log log lor ∨ lt < mapsto ↦ max max mid | \
    min min mp ∓ mu μ nabla ∇ ne ≠ neg ¬ neq ≠ notin ∉ nu ν omega ω parallel ∥ partial ∂ perp ⊥ \
    phi φ pi π pm ± prime ′ prod ∏ propto ∝ psi ψ rangle ⟩ rceil ⌉ rfloor ⌋ rho ρ rightarrow → \
    setminus ∖ sigma σ sim ~ sin sin subset ⊂ subseteq ⊆ sum ∑ tan tan tau τ theta θ times × to → \
    upsilon υ varepsilon ε varphi φ vartheta ϑ vdots ⋮ vee ∨ vert | wedge ∧ xi ξ xrightarrow → \
    zeta ζ | ‖";

const UPPER: &str = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻=⁼(⁽)⁾nⁿiⁱaᵃbᵇcᶜdᵈeᵉkᵏmᵐpᵖtᵗxˣyʸTᵀ′′";
const LOWER: &str = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ";

/// Whether the command leaves no trace.
pub(super) fn is_silent(name: &str) -> bool {
    SILENT.split(' ').any(|silent| silent == name)
}

/// What the command stands for.
pub(super) fn symbol(name: &str) -> Option<&'static str> {
    match BLANKS.split(' ').any(|blank| blank == name) {
        true => Some(" "),
        false => lookup(SYMBOLS, name),
    }
}

/// The raised form of a character.
pub(super) fn superscript(c: char) -> Option<char> {
    paired(UPPER, c)
}

/// The lowered form of a character.
pub(super) fn subscript(c: char) -> Option<char> {
    paired(LOWER, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_is_found() {
        for (name, shown) in [("Delta", "Δ"), ("quad", " "), ("|", "‖"), ("sim", "~")] {
            assert_eq!(symbol(name), Some(shown), "{name}");
        }
        assert!(["Big", "left", "textstyle"].into_iter().all(is_silent));
        assert_eq!(symbol("nothing"), None);
        assert_eq!(superscript('2'), Some('²'));
        assert_eq!(subscript('q'), None);
    }
}
