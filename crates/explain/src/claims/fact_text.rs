//! Text of facts: each as a sentence, for the reason of a check that did not confirm it.

use std::fmt;

use super::fact::{Fact, Point, Predicate};
use crate::piece_text::name;

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            0 => write!(f, "at the start of the line {}", self.predicate),
            1 => write!(f, "after 1 move of the line {}", self.predicate),
            plies => write!(f, "after {plies} moves of the line {}", self.predicate),
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |expected: f64| 100.0 * expected;
        match self {
            Self::Piece { color, piece, square } => {
                write!(f, "{color} has a {} on {square}", name(*piece))
            }
            Self::Attacks { from, to } => write!(f, "the piece on {from} attacks {to}"),
            Self::AttacksNot { from, to } => write!(f, "the piece on {from} does not attack {to}"),
            Self::Checkers { squares } if squares.is_empty() => f.write_str("nothing gives check"),
            Self::Checkers { squares } => {
                let squares: Vec<_> = squares.iter().map(ToString::to_string).collect();
                write!(f, "check is given from {} alone", squares.join(" and "))
            }
            Self::Checkmate => f.write_str("the side to move is checkmated"),
            Self::Pin { pinned, by, target } => {
                write!(f, "the piece on {pinned} is pinned to {target} by the piece on {by}")
            }
            Self::Captures { piece, square } => {
                write!(f, "the last move has captured a {} on {square}", name(*piece))
            }
            Self::Promotes { piece } => write!(f, "the last move has promoted to a {}", name(*piece)),
            Self::Unprotected { square } => write!(f, "the piece on {square} is unprotected"),
            Self::EnPrise { square } => write!(f, "the piece on {square} is en prise"),
            Self::Trapped { square } => write!(f, "the piece on {square} is trapped"),
            Self::Unstoppable { square } => write!(f, "the pawn on {square} cannot be stopped"),
            Self::Material { side, pawns } => {
                write!(f, "the material balance of {side} has changed by {pawns:+} pawns")
            }
            Self::LegalMoves { count } => write!(f, "the side to move has {count} legal moves"),
            Self::ForcedMate { side, moves } => write!(f, "{side} mates in {moves}"),
            Self::AtLeast { side, expected } => {
                write!(f, "{side} scores at least {:.0}%", percent(*expected))
            }
            Self::AtMost { side, expected } => write!(f, "{side} scores at most {:.0}%", percent(*expected)),
            Self::Gap { side, above, below, by } if *by < 0.0 => {
                write!(f, "{side} scores at most {:.0}% less {above} than {below}", percent(-by))
            }
            Self::Gap { side, above, below, by } => {
                write!(f, "{side} scores at least {:.0}% more {above} than {below}", percent(*by))
            }
            Self::Tablebase { side, result, distance } => {
                write!(f, "the tablebases give {side} {result}")?;
                distance
                    .map_or(Ok(()), |plies| write!(f, " with {plies} plies to the next capture or pawn move"))
            }
            Self::TermChange { side, term, by } => {
                write!(f, "{term} of {side} has changed by {by:+} hundredths of a pawn")
            }
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Here => "there",
            Self::Before => "before that move",
            Self::Others => "with any other move",
            Self::Passed => "after a pass",
            Self::PassedBefore => "with a pass in place of that move",
        })
    }
}

#[cfg(test)]
mod tests {
    use rukh_chess::{Color, Square};

    use super::*;

    #[test]
    fn facts_are_sentences() {
        let gap = |by| Predicate::Gap { side: Color::Black, above: Point::Here, below: Point::Others, by };
        assert_eq!(
            gap(0.15).at(1).to_string(),
            "after 1 move of the line Black scores at least 15% more there than with any other move"
        );
        assert_eq!(gap(-0.05).to_string(), "Black scores at most 5% less there than with any other move");
        let checkers = Predicate::Checkers { squares: vec![Square::E5, Square::B4] };
        assert_eq!(
            checkers.at(3).to_string(),
            "after 3 moves of the line check is given from e5 and b4 alone"
        );
        let lost = Predicate::Material { side: Color::White, pawns: -3 };
        assert_eq!(
            lost.at(0).to_string(),
            "at the start of the line the material balance of White has changed by -3 pawns"
        );
    }
}
