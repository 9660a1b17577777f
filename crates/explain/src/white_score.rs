//! Scores from White's point of view, as used in annotations.

use std::fmt;

use rukh_chess::Color;
use rukh_eval::{Centipawns, Score, ScoreKind};

/// A score from White's point of view: positive is good for White, whichever side is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhiteScore {
    /// An evaluation.
    Centipawns(Centipawns),
    /// A tablebase win of this side, this many plies from here.
    Tablebase(Color, i32),
    /// This side mates in this many full moves; 0 if the opponent is already mated.
    Mate(Color, i32),
}

impl WhiteScore {
    /// Converts a score from the point of view of `side`.
    ///
    /// The moves to mate are negated, not the score: a mate in one and being mated in one are an odd and an even number
    /// of plies.
    pub fn new(score: Score, side: Color) -> Self {
        let winner = if score.is_win() { side } else { !side };
        match score.kind() {
            ScoreKind::Centipawns(centipawns) => Self::Centipawns(match side {
                Color::White => centipawns,
                Color::Black => -centipawns,
            }),
            ScoreKind::Tablebase(plies) => Self::Tablebase(winner, plies.abs()),
            ScoreKind::Mate(moves) => Self::Mate(winner, moves.abs()),
        }
    }

    /// The value of an `[%eval]` command in a PGN comment, in pawns or moves to mate; `None` after checkmate, since `#0`
    /// does not say which side is mated.
    pub(crate) fn pgn_eval(self) -> Option<String> {
        /// A tablebase win at the root, in centipawns; each ply to it costs one centipawn, as in UCI.
        const TABLEBASE: i32 = 20_000;
        match self {
            Self::Centipawns(centipawns) => Some(pawns(centipawns)),
            Self::Tablebase(winner, plies) => Some(pawns(Centipawns(signed(winner, TABLEBASE - plies)))),
            Self::Mate(_, 0) => None,
            Self::Mate(winner, moves) => Some(format!("#{}", signed(winner, moves))),
        }
    }
}

/// `+0.25`, `#3`, `#-2`, `TB -12`; `#` after checkmate.
impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(centipawns) => centipawns.fmt(f),
            Self::Tablebase(winner, plies) => write!(f, "TB {}", signed(winner, plies)),
            Self::Mate(_, 0) => f.write_str("#"),
            Self::Mate(winner, moves) => write!(f, "#{}", signed(winner, moves)),
        }
    }
}

fn signed(winner: Color, value: i32) -> i32 {
    match winner {
        Color::White => value,
        Color::Black => -value,
    }
}

/// Pawns with two decimals, without a plus sign.
fn pawns(centipawns: Centipawns) -> String {
    centipawns.to_string().trim_start_matches('+').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::score::PAWN;

    fn texts(score: Score) -> [String; 2] {
        [Color::White, Color::Black].map(|side| WhiteScore::new(score, side).to_string())
    }

    /// A quarter of a pawn, rounded to internal units.
    fn quarter() -> String {
        format!("{:.2}", f64::from(PAWN / 4) / f64::from(PAWN))
    }

    #[test]
    fn scores_of_black_have_the_opposite_sign() {
        assert_eq!(texts(Score::new(PAWN)), ["+1.00", "-1.00"]);
        let part = quarter();
        assert_eq!(texts(Score::new(-PAWN / 4)), [format!("-{part}"), format!("+{part}")]);
        assert_eq!(texts(Score::DRAW), ["+0.00", "+0.00"]);
        assert_eq!(texts(Score::mate_at(1)), ["#1", "#-1"]);
        assert_eq!(texts(Score::mated_at(2)), ["#-1", "#1"]);
        assert_eq!(texts(Score::mated_at(0)), ["#", "#"]);
        assert_eq!(texts(Score::tablebase_loss_at(12)), ["TB -12", "TB 12"]);
    }

    #[test]
    fn pgn_commands_have_the_usual_form() {
        let eval = |score, side| WhiteScore::new(score, side).pgn_eval();
        let quarter = quarter();
        assert_eq!(eval(Score::new(PAWN / 4), Color::White), Some(quarter.clone()));
        assert_eq!(eval(Score::new(PAWN / 4), Color::Black), Some(format!("-{quarter}")));
        assert_eq!(eval(Score::mate_at(5), Color::Black).as_deref(), Some("#-3"));
        assert_eq!(eval(Score::tablebase_win_at(12), Color::White).as_deref(), Some("199.88"));
        assert_eq!(eval(Score::mated_at(0), Color::White), None);
    }
}
