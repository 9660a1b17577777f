//! Mates by checks: a proof search in which the attacker gives check on every move and every defence is tried.
//!
//! A search with few nodes prunes the queen sacrifices of short mates. [`MateFinder`] adds them to the analyses of another
//! analyst. It knows no claim.

use rukh_chess::{Move, Position};
use rukh_eval::Score;

use super::analyst::Analyst;
use crate::review::PositionAnalysis;

/// The longest mate that is looked for, in moves of the attacker.
const LONGEST: usize = 5;
/// The positions of one proof search.
const LIMIT: u32 = 10_000;
/// A principal variation with fewer plies is extended by a search of its end.
const SHORTEST_LINE: usize = 6;
/// The share of the nodes of a search that each extension of its line has.
const EXTENSION: f64 = 0.25;

/// The shortest mate of the side to move by checks alone, with the longest defence; `None` if there is none within the
/// limits.
pub fn mate_by_checks(position: &Position) -> Option<Vec<Move>> {
    shortest(position, LONGEST, &mut LIMIT.clone())
}

fn shortest(position: &Position, most: usize, limit: &mut u32) -> Option<Vec<Move>> {
    (1..=most).find_map(|moves| attack(position, moves, limit))
}

/// A mate in at most `moves` moves.
fn attack(position: &Position, moves: usize, limit: &mut u32) -> Option<Vec<Move>> {
    let checks = position.legal_moves();
    checks.iter().filter(|&&mv| position.gives_check(mv)).find_map(|&mv| {
        let rest = defend(&position.after(mv), moves - 1, limit)?;
        Some([&[mv], rest.as_slice()].concat())
    })
}

/// The longest defence of a side in check that is mated in at most `moves` further moves whatever it plays; empty if it is
/// mated already.
fn defend(position: &Position, moves: usize, limit: &mut u32) -> Option<Vec<Move>> {
    *limit = limit.checked_sub(1)?;
    let mut longest = Vec::new();
    let replies = position.legal_moves();
    if moves == 0 && !replies.is_empty() {
        return None;
    }
    for &reply in &replies {
        let line = shortest(&position.after(reply), moves, limit)?;
        if line.len() >= longest.len() {
            longest = [&[reply], line.as_slice()].concat();
        }
    }
    Some(longest)
}

/// An analyst that also finds mates by checks and extends short lines.
pub struct MateFinder<'a, A> {
    analyst: &'a mut A,
}

impl<'a, A: Analyst> MateFinder<'a, A> {
    /// An analyst on top of another one.
    pub fn new(analyst: &'a mut A) -> Self {
        Self { analyst }
    }

    /// Extends a line that ends before the mate that its score announces, or after few plies, by searches of its end.
    fn extend(&mut self, position: &Position, analysis: &mut PositionAnalysis, share: f64) {
        const SEARCHES: usize = 2;
        let length = analysis.score.mate_plies().unwrap_or(SHORTEST_LINE);
        for _ in 0..SEARCHES {
            let end = analysis.pv.iter().fold(position.clone(), |here, &mv| here.after(mv));
            if analysis.pv.len() >= length || end.ending().is_some() {
                return;
            }
            let Some(more) = self.analyst.analyse(&end, &[], EXTENSION * share) else { return };
            analysis.pv.extend(more.pv.into_iter().take(length.max(SHORTEST_LINE) - analysis.pv.len()));
        }
    }
}

/// The analysis of a position in which the side to move mates with this line.
fn mating(line: Vec<Move>) -> PositionAnalysis {
    PositionAnalysis { score: Score::mate_at(line.len()), wdl: [1000, 0, 0], pv: line }
}

impl<A: Analyst> Analyst for MateFinder<'_, A> {
    fn analyse(&mut self, position: &Position, moves: &[Move], share: f64) -> Option<PositionAnalysis> {
        let mut analysis = self.analyst.analyse(position, moves, share)?;
        let is_shorter = |line: &Vec<Move>| match analysis.score.mate_plies() {
            Some(plies) if analysis.score.is_win() => line.len() < plies,
            _ => true,
        };
        match *moves {
            [] => {
                if let Some(line) = mate_by_checks(position).filter(is_shorter) {
                    return Some(mating(line));
                }
            }
            // The opponent's mate after a single move.
            [mv] if analysis.score.mate_plies().is_none() => {
                if let Some(line) = mate_by_checks(&position.after(mv)) {
                    let pv = [&[mv], line.as_slice()].concat();
                    return Some(PositionAnalysis {
                        score: Score::mated_at(pv.len()),
                        wdl: [0, 0, 1000],
                        pv,
                    });
                }
            }
            _ => {}
        }
        self.extend(position, &mut analysis, share);
        Some(analysis)
    }

    fn nodes(&self, share: f64) -> Option<u64> {
        self.analyst.nodes(share)
    }

    fn tablebase(&self, position: &Position) -> Option<f64> {
        self.analyst.tablebase(position)
    }

    fn distance(&self, position: &Position) -> Option<u32> {
        self.analyst.distance(position)
    }

    fn network_value(&self, position: &Position) -> Option<i32> {
        self.analyst.network_value(position)
    }
}
