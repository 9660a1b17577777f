//! Mate claims: whether each line is complete, and whether it agrees with the suite.

use rukh_chess::{Move, Position};

use crate::suites::Problem;

/// A mate that was claimed, and the line given for it.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'l> {
    /// In how many moves; negative if the side to move is mated.
    pub moves: i32,
    /// The line.
    pub line: &'l [Move],
}

impl Claim<'_> {
    /// Whether the line is legal from `position`, as long as was claimed, and ends in mate.
    pub(crate) fn is_shown(&self, position: &Position) -> bool {
        let moves = self.moves.unsigned_abs() as usize;
        let plies = if self.moves > 0 { 2 * moves - 1 } else { 2 * moves };
        let mut here = position.clone();
        let is_legal = self.line.iter().all(|&mv| {
            let is_legal = here.is_legal(mv);
            if is_legal {
                here.make(mv, &mut ());
            }
            is_legal
        });
        is_legal && self.line.len() == plies && here.is_checkmate()
    }
}

/// What became of the claims of mate in a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MateTally {
    /// Problems that ask for a mate.
    pub problems: u32,
    /// Those for which a mate by the right side was claimed in the end, however long.
    pub found: u32,
    /// All claims, those made on the way included.
    pub claims: u32,
    /// Claims whose line does not show the mate.
    pub not_shown: u32,
    /// Claims that the suite contradicts: the wrong side mates, or sooner than is possible.
    pub contradicted: u32,
}

impl MateTally {
    /// Adds the claims made for a problem, the last of them being what was said in the end if `is_final`.
    pub fn add(&mut self, problem: &Problem, claims: &[Claim<'_>], is_final: bool) {
        self.claims += claims.len() as u32;
        self.not_shown += count(claims, |claim| !claim.is_shown(&problem.position));
        let Some(mate) = problem.mate() else { return };
        let is_right_side = |claim: &Claim<'_>| claim.moves.signum() == mate.signum();
        let is_too_soon = |claim: &Claim<'_>| claim.moves.abs() < mate.abs();
        self.problems += 1;
        self.found += u32::from(is_final && claims.last().is_some_and(is_right_side));
        self.contradicted += count(claims, |claim| !is_right_side(claim) || is_too_soon(claim));
    }
}

fn count(claims: &[Claim<'_>], is_counted: impl Fn(&Claim<'_>) -> bool) -> u32 {
    claims.iter().filter(|claim| is_counted(claim)).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOKS: &str = "7k/8/R7/1R6/8/8/8/K7 w - - dm 2;";

    fn line(position: &Position, moves: &[&str]) -> Vec<Move> {
        let mut here = position.clone();
        let mut line = Vec::new();
        for text in moves {
            let mv = here.parse_san(text).expect("legal");
            here = here.after(mv);
            line.push(mv);
        }
        line
    }

    #[test]
    fn only_a_whole_line_shows_a_mate() {
        let problem = Problem::read(1, ROOKS).expect("a problem");
        let whole = line(&problem.position, &["Rb7", "Kg8", "Ra8"]);
        let is_shown = |moves, line: &[Move]| Claim { moves, line }.is_shown(&problem.position);
        assert!(is_shown(2, &whole));
        assert!(!is_shown(3, &whole) && !is_shown(-2, &whole) && !is_shown(2, &whole[..2]));
        assert!(!is_shown(1, &whole[..1]) && !is_shown(1, &[]) && !is_shown(2, &[whole[0]; 3]));
        let mated = problem.position.after(whole[0]);
        assert!(Claim { moves: -1, line: &whole[1..] }.is_shown(&mated));
    }

    #[test]
    fn claims_are_held_against_the_suite() {
        let problem = Problem::read(1, ROOKS).expect("a problem");
        let whole = line(&problem.position, &["Rb7", "Kg8", "Ra8"]);
        let claim = |moves| Claim { moves, line: &whole };
        let mut tally = MateTally::default();
        tally.add(&problem, &[claim(5), claim(2)], true);
        assert_eq!(tally, MateTally { problems: 1, found: 1, claims: 2, not_shown: 1, contradicted: 0 });
        tally.add(&problem, &[claim(-3), claim(1)], true);
        assert_eq!(tally, MateTally { problems: 2, found: 2, claims: 4, not_shown: 3, contradicted: 2 });
        tally.add(&problem, &[], false);
        assert_eq!((tally.problems, tally.found), (3, 2));
    }
}
