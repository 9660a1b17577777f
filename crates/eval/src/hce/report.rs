//! The evaluation for people: every term by side and phase, and how the score comes from them.

use std::fmt;

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};

use super::declare::{Term, WeightIndex};
use super::endgame::{Ending, SCALE_NORMAL};
use super::tapered::Tapered;
use super::trace::Trace;
use super::whole::{MIDGAME_FULL, Summary, interpolate, judge};
use crate::score::Score;

/// The evaluation of one position, term by term.
#[derive(Clone, Debug)]
pub struct EvalTrace {
    /// What each term gives each side, in the order of [`Term::ALL`].
    pub terms: [ByColor<Tapered>; Term::COUNT],
    /// How the worth came about.
    pub summary: Summary,
    /// Moves of either side since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The score for the side to move.
    pub score: Score,
    side_to_move: Color,
}

/// Adds up terms by side.
struct TermTable([ByColor<Tapered>; Term::COUNT]);

impl Trace for TermTable {
    fn weight(&mut self, side: Color, weight: WeightIndex, count: i32) {
        self.0[weight.term().index()][side] += weight.value() * count;
    }

    fn value(&mut self, term: Term, side: Color, value: Tapered) {
        self.0[term.index()][side] += value;
    }
}

/// Judges a position and keeps every term.
pub fn trace(position: &Position) -> EvalTrace {
    let mut table = TermTable([ByColor::default(); Term::COUNT]);
    let summary = judge(position, &mut table);
    let side_to_move = position.side_to_move();
    EvalTrace {
        terms: table.0,
        summary,
        halfmove_clock: position.halfmove_clock(),
        score: Score::centipawns(summary.worth_for(side_to_move)),
        side_to_move,
    }
}

impl EvalTrace {
    /// What one term gives White more than Black.
    pub fn difference(&self, term: Term) -> Tapered {
        let sides = &self.terms[term.index()];
        sides[Color::White] - sides[Color::Black]
    }
}

fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::PawnAgainstKing => "king and pawn against king, known exactly",
        Ending::BishopAndKnight => "bishop and knight against king",
        Ending::LoneKing => "mating a lone king",
    }
}

/// Writes one row: the term, both sides, and the difference at the present phase.
fn row(f: &mut fmt::Formatter<'_>, name: &dyn fmt::Display, sides: [Tapered; 2], total: i32) -> fmt::Result {
    write!(f, "{name:<14}")?;
    for side in sides {
        write!(f, " {:>6} {:>6}  ", side.midgame(), side.endgame())?;
    }
    writeln!(f, " {total:>7}")
}

/// A table in centipawns: rows are terms, then come sum, scale, fifty-move rule and score. Totals are White's gain.
impl fmt::Display for EvalTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { sum, midgame_share, scale, ending, undamped, worth } = self.summary;
        if let Some(ending) = ending {
            writeln!(f, "{:<14} {}", "Ending", ending_name(ending))?;
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
        writeln!(f, "{:<14} {clock:<30} {worth:>7}", "Fifty moves")?;
        writeln!(f, "{:<14} {} for {}", "Score", self.score, self.side_to_move)
    }
}
