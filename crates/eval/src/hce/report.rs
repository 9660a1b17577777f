//! The trace of the classical evaluation for people: every term by side and phase, and the steps to the score.
//!
//! It evaluates through [`Trace`] and knows nothing of the terms themselves.

use std::fmt;

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};

use super::declare::{Term, WeightIndex};
use super::evaluate::{MIDGAME_FULL, Summary, evaluate, interpolate};
use super::tapered::Tapered;
use super::trace::Trace;
use crate::knowledge::KnownEndgame;
use crate::knowledge::scale::SCALE_NORMAL;
use crate::score::Score;

/// The evaluation of one position, term by term.
#[derive(Clone, Debug)]
pub struct EvalTrace {
    /// The value of each term for each side, in the order of [`Term::ALL`].
    pub terms: [ByColor<Tapered>; Term::COUNT],
    /// The steps from the sum of terms to the value.
    pub summary: Summary,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The score for the side to move.
    pub score: Score,
    side_to_move: Color,
}

/// Sums of terms by side.
struct TermTable([ByColor<Tapered>; Term::COUNT]);

impl Trace for TermTable {
    fn weight(&mut self, side: Color, weight: WeightIndex, count: i32) {
        self.0[weight.term().index()][side] += weight.value() * count;
    }

    fn value(&mut self, term: Term, side: Color, value: Tapered) {
        self.0[term.index()][side] += value;
    }
}

/// Evaluates a position and keeps every term.
pub fn trace(position: &Position) -> EvalTrace {
    let mut table = TermTable([ByColor::default(); Term::COUNT]);
    let summary = evaluate(position, &mut table);
    let side_to_move = position.side_to_move();
    EvalTrace {
        terms: table.0,
        summary,
        halfmove_clock: position.halfmove_clock(),
        score: Score::new(summary.value_for(side_to_move)),
        side_to_move,
    }
}

impl EvalTrace {
    /// The value of one term for White less that for Black.
    pub fn difference(&self, term: Term) -> Tapered {
        let sides = &self.terms[term.index()];
        sides[Color::White] - sides[Color::Black]
    }
}

fn endgame_name(endgame: KnownEndgame) -> &'static str {
    match endgame {
        KnownEndgame::PawnAgainstKing => "king and pawn against king, exact",
        KnownEndgame::BishopAndKnight => "bishop and knight against king",
        KnownEndgame::LoneKing => "mating a lone king",
    }
}

/// Writes one row: the term, both sides, and the difference at the phase of the position.
fn row(f: &mut fmt::Formatter<'_>, name: &dyn fmt::Display, sides: [Tapered; 2], total: i32) -> fmt::Result {
    write!(f, "{name:<14}")?;
    for side in sides {
        write!(f, " {:>6} {:>6}  ", side.midgame(), side.endgame())?;
    }
    writeln!(f, " {total:>7}")
}

/// A table in internal units: a row for each term, then sum, phase, scale, fifty-move damping and score. Totals are for White.
impl fmt::Display for EvalTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { sum, midgame_share, scale, endgame, undamped, value } = self.summary;
        if let Some(endgame) = endgame {
            writeln!(f, "{:<14} {}", "Endgame", endgame_name(endgame))?;
        } else {
            writeln!(f, "{:<14} {:>6} {:>6}   {:>6} {:>6}    {:>7}", "", "White", "", "Black", "", "Total")?;
            writeln!(f, "{:<14} {:>6} {:>6}   {:>6} {:>6}", "Term", "mg", "eg", "mg", "eg")?;
            let mut totals = [Tapered::ZERO; 2];
            for term in Term::ALL {
                let sides = self.terms[term.index()].0;
                totals = [totals[0] + sides[0], totals[1] + sides[1]];
                row(f, &term, sides, interpolate(self.difference(term), midgame_share, SCALE_NORMAL))?;
            }
            row(f, &"Sum", totals, interpolate(sum, midgame_share, SCALE_NORMAL))?;
            writeln!(f, "{:<14} {midgame_share} of {MIDGAME_FULL} midgame", "Phase")?;
            writeln!(
                f,
                "{:<14} {:<30} {undamped:>7}",
                "Scale",
                format!("{scale} of {SCALE_NORMAL} in the endgame")
            )?;
        }
        let clock = format!("{} moves without progress", self.halfmove_clock);
        writeln!(f, "{:<14} {clock:<30} {value:>7}", "Fifty moves")?;
        writeln!(f, "{:<14} {} for {}", "Score", self.score, self.side_to_move)
    }
}
