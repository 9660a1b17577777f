//! A score as White sees it, which is how games are annotated.

use std::fmt;

use rukh_chess::Color;
use rukh_eval::{Score, Verdict};

/// What a score says, as White sees it: more than nothing is good for White, whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhiteVerdict {
    /// An evaluation in centipawns.
    Centipawns(i32),
    /// Tables of endings say that this side wins, this many moves of either side from here.
    Tablebase(Color, i32),
    /// This side mates in so many full moves; in none if the other is mated already.
    Mate(Color, i32),
}

impl WhiteVerdict {
    /// What the score of `side` says.
    ///
    /// The verdict is turned round and not the score: a mate in one and being mated in one are an odd and an even number of
    /// moves of either side.
    pub fn new(score: Score, side: Color) -> Self {
        let winner = if score.is_win() { side } else { !side };
        match score.verdict() {
            Verdict::Centipawns(value) => Self::Centipawns(match side {
                Color::White => value,
                Color::Black => -value,
            }),
            Verdict::Tablebase(plies) => Self::Tablebase(winner, plies.abs()),
            Verdict::Mate(moves) => Self::Mate(winner, moves.abs()),
        }
    }

    /// The value of the command `%eval` in a comment of PGN, in pawns or moves to mate; none where the mate is on the
    /// board, since `#0` would not say whose it is.
    pub fn in_pgn(self) -> Option<String> {
        /// What stands for a win by tables, in centipawns: less the moves to it, as in UCI.
        const TABLEBASE: i32 = 20_000;
        match self {
            Self::Centipawns(value) => Some(pawns(value)),
            Self::Tablebase(winner, plies) => Some(pawns(signed(winner, TABLEBASE - plies))),
            Self::Mate(_, 0) => None,
            Self::Mate(winner, moves) => Some(format!("#{}", signed(winner, moves))),
        }
    }
}

/// Shows the verdict for people: `+0.25`, `#3`, `#-2`, `TB -12`; a mate on the board is `#`.
impl fmt::Display for WhiteVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(value) if value >= 0 => write!(f, "+{}", pawns(value)),
            Self::Centipawns(value) => f.write_str(&pawns(value)),
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

fn pawns(centipawns: i32) -> String {
    let sign = if centipawns < 0 { "-" } else { "" };
    let [whole, part] = [centipawns.abs() / 100, centipawns.abs() % 100];
    format!("{sign}{whole}.{part:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_eval::score::PAWN;

    fn texts(score: Score) -> [String; 2] {
        [Color::White, Color::Black].map(|side| WhiteVerdict::new(score, side).to_string())
    }

    /// A quarter of a pawn as whole units have it.
    fn quarter() -> String {
        format!("{:.2}", f64::from(PAWN / 4) / f64::from(PAWN))
    }

    #[test]
    fn white_sees_what_black_sees_with_the_other_sign() {
        assert_eq!(texts(Score::centipawns(PAWN)), ["+1.00", "-1.00"]);
        let part = quarter();
        assert_eq!(texts(Score::centipawns(-PAWN / 4)), [format!("-{part}"), format!("+{part}")]);
        assert_eq!(texts(Score::DRAW), ["+0.00", "+0.00"]);
        assert_eq!(texts(Score::mate_at(1)), ["#1", "#-1"]);
        assert_eq!(texts(Score::mated_at(2)), ["#-1", "#1"]);
        assert_eq!(texts(Score::mated_at(0)), ["#", "#"]);
        assert_eq!(texts(Score::tablebase_loss_at(12)), ["TB -12", "TB 12"]);
    }

    #[test]
    fn commands_are_written_as_other_programs_read_them() {
        let in_pgn = |score, side| WhiteVerdict::new(score, side).in_pgn();
        let quarter = quarter();
        assert_eq!(in_pgn(Score::centipawns(PAWN / 4), Color::White), Some(quarter.clone()));
        assert_eq!(in_pgn(Score::centipawns(PAWN / 4), Color::Black), Some(format!("-{quarter}")));
        assert_eq!(in_pgn(Score::mate_at(5), Color::Black).as_deref(), Some("#-3"));
        assert_eq!(in_pgn(Score::tablebase_win_at(12), Color::White).as_deref(), Some("199.88"));
        assert_eq!(in_pgn(Score::mated_at(0), Color::White), None);
    }
}
