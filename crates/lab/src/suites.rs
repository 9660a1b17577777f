//! Test suites: positions with known answers, in EPD.
//!
//! Understood are `bm` (best moves), `am` (moves to avoid), `dm` (mate in so many moves, negative for the side that is mated)
//! and points for moves, as `c0 "f5=100, Bf2=46"` gives them.

use std::collections::BTreeMap;
use std::fmt;

use rukh_chess::notation::{Epd, EpdError};
use rukh_chess::setup::InvalidSetup;
use rukh_chess::{Move, Position};

/// A position with its answer.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// Its name.
    pub id: String,
    /// The position.
    pub position: Position,
    answer: Expected,
}

/// What is known about the solution.
#[derive(Clone, Debug)]
enum Expected {
    /// One of these moves.
    Best(Vec<Move>),
    /// None of these.
    Avoid(Vec<Move>),
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i32),
    /// So many points for each move, of a hundred.
    Points(Vec<(Move, u32)>),
}

/// Points for a fully right answer.
pub const FULL_POINTS: u32 = 100;

/// Why a line of a suite is no problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProblemError {
    /// It is not EPD.
    Epd(EpdError),
    /// The position is not one.
    Position(InvalidSetup),
    /// There is no answer in it.
    NoAnswer,
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epd(error) => error.fmt(f),
            Self::Position(error) => error.fmt(f),
            Self::NoAnswer => f.write_str("there is no bm, am or dm with an answer"),
        }
    }
}

impl std::error::Error for ProblemError {}

impl Problem {
    /// Reads a line of a suite.
    pub fn read(line: usize, text: &str) -> Result<Self, ProblemError> {
        let epd: Epd = text.parse().map_err(ProblemError::Epd)?;
        let position = epd.setup.validate().map_err(ProblemError::Position)?;
        let moves = |opcode| epd.moves(&position, opcode).map_err(ProblemError::Epd);
        let points = epd.operand("c0").map_or_else(Vec::new, |text| read_points(&position, text));
        let mate = epd.operand("dm").and_then(|text| text.parse().ok());
        let answer = match (mate, moves("bm")?, moves("am")?) {
            _ if !points.is_empty() => Expected::Points(points),
            (Some(mate), _, _) => Expected::Mate(mate),
            (None, best, _) if !best.is_empty() => Expected::Best(best),
            (None, _, avoid) if !avoid.is_empty() => Expected::Avoid(avoid),
            _ => return Err(ProblemError::NoAnswer),
        };
        let id = epd.operand("id").map_or_else(|| format!("line {line}"), str::to_owned);
        Ok(Self { line, id, position, answer })
    }

    /// The theme: the name without the number at its end.
    pub fn theme(&self) -> &str {
        let bare = self.id.trim_end_matches(|sign: char| {
            sign.is_ascii_digit() || matches!(sign, '.' | ' ' | '_' | '-' | '#')
        });
        if bare.is_empty() || self.id.starts_with("line ") { "all" } else { bare }
    }

    /// Points for an answer: a move, and the mate that was claimed with it.
    pub fn grade(&self, best: Option<Move>, mate_in: Option<i32>) -> u32 {
        let is_right = match &self.answer {
            Expected::Best(moves) => best.is_some_and(|best| moves.contains(&best)),
            Expected::Avoid(moves) => best.is_some_and(|best| !moves.contains(&best)),
            Expected::Mate(moves) => {
                let is_it = |found: i32| found.signum() == moves.signum() && found.abs() <= moves.abs();
                mate_in.is_some_and(is_it)
            }
            Expected::Points(points) => {
                let found = points.iter().find(|(mv, _)| Some(*mv) == best);
                return found.map_or(0, |&(_, points)| points);
            }
        };
        if is_right { FULL_POINTS } else { 0 }
    }

    /// The right answer in words.
    pub fn solution(&self) -> String {
        let names =
            |moves: &[Move]| moves.iter().map(|&mv| self.position.san(mv)).collect::<Vec<_>>().join(" or ");
        match &self.answer {
            Expected::Best(moves) => names(moves),
            Expected::Avoid(moves) => format!("not {}", names(moves)),
            Expected::Mate(moves @ 0..) => format!("mate in {moves}"),
            Expected::Mate(moves) => format!("mated in {}", moves.unsigned_abs()),
            Expected::Points(points) => {
                let best = points.iter().max_by_key(|(_, points)| *points);
                best.map_or_else(String::new, |&(mv, _)| self.position.san(mv))
            }
        }
    }

    /// The mate that is asked for; negative if the side to move is mated.
    pub fn mate(&self) -> Option<i32> {
        match self.answer {
            Expected::Mate(moves) => Some(moves),
            _ => None,
        }
    }
}

/// Reads `f5=100, Bf2=46`; comments in the same place are no points.
fn read_points(position: &Position, text: &str) -> Vec<(Move, u32)> {
    let read = |part: &str| {
        let (mv, points) = part.trim().rsplit_once('=')?;
        Some((position.parse_san(mv).ok()?, points.parse().ok()?))
    };
    text.split(',').map(read).collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// Results by theme.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    themes: BTreeMap<String, ThemeTally>,
}

/// Results of one theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThemeTally {
    /// Problems.
    pub problems: u32,
    /// Those answered with full points.
    pub solved: u32,
    /// Points, of [`FULL_POINTS`] for each problem.
    pub points: u32,
}

impl Tally {
    /// Adds the points of one problem.
    pub fn add(&mut self, theme: &str, points: u32) {
        let tally = self.themes.entry(theme.to_owned()).or_default();
        tally.problems += 1;
        tally.solved += u32::from(points >= FULL_POINTS);
        tally.points += points;
    }

    /// The themes by name.
    pub fn themes(&self) -> impl Iterator<Item = (&str, ThemeTally)> {
        self.themes.iter().map(|(name, &tally)| (name.as_str(), tally))
    }

    /// All themes together.
    pub fn total(&self) -> ThemeTally {
        self.themes.values().fold(ThemeTally::default(), |sum, tally| ThemeTally {
            problems: sum.problems + tally.problems,
            solved: sum.solved + tally.solved,
            points: sum.points + tally.points,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Problem {
        Problem::read(1, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn points(problem: &Problem, mv: &str) -> u32 {
        problem.grade(Some(problem.position.parse_san(mv).expect("legal")), None)
    }

    const ROOK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";

    #[test]
    fn answers_of_all_kinds_are_graded() {
        let best = problem(&format!("{ROOK} bm Ra8; id \"back rank.001\";"));
        assert_eq!((points(&best, "Ra8#"), points(&best, "Ra7")), (100, 0));
        assert_eq!((best.theme(), best.solution().as_str()), ("back rank", "Ra8#"));
        let avoid = problem(&format!("{ROOK} am Ra7;"));
        assert_eq!((points(&avoid, "Ra8"), points(&avoid, "Ra7"), avoid.theme()), (100, 0, "all"));
        let mate = problem(&format!("{ROOK} dm 1;"));
        assert_eq!(
            (mate.grade(None, Some(1)), mate.grade(None, Some(2)), mate.grade(None, None)),
            (100, 0, 0)
        );
        let mated = problem("7k/1R6/R7/8/8/8/8/K7 b - - dm -1;");
        assert_eq!(
            (mated.grade(None, Some(-1)), mated.grade(None, Some(1)), mated.solution().as_str()),
            (100, 0, "mated in 1")
        );
        let scored = problem(&format!("{ROOK} bm Ra8; c0 \"Ra8=100, O-O-O=20\"; id \"x\";"));
        assert_eq!((points(&scored, "Ra8"), points(&scored, "O-O-O"), points(&scored, "Ra7")), (100, 20, 0));
    }

    #[test]
    fn a_line_without_an_answer_is_refused() {
        assert_eq!(Problem::read(1, &format!("{ROOK} id \"x\";")).err(), Some(ProblemError::NoAnswer));
        let error = Problem::read(1, &format!("{ROOK} bm Qh5;")).expect_err("there is no queen");
        assert!(error.to_string().contains("is not a legal move"));
    }

    #[test]
    fn points_are_added_by_theme() {
        let mut tally = Tally::default();
        for (theme, points) in [("a", 100), ("b", 40), ("a", 0)] {
            tally.add(theme, points);
        }
        assert_eq!(tally.total(), ThemeTally { problems: 3, solved: 1, points: 140 });
        assert_eq!(tally.themes().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b"]);
    }
}
