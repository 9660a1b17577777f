//! Reporting of principal variations: a line ends where the game ends, and a mate line is complete.
//!
//! An exact score comes with its whole line, since there are no transposition table cut-offs in PV nodes. A bound need not:
//! after a fail-high in a stopped search a mate is known, but not all of its moves. They are completed here from the
//! transposition table and, where it has no entry, by a small proof search. A mate without a complete line is not reported.

use rukh_chess::game::Game;
use rukh_chess::history::KeyHistory;
use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;
use crate::transposition::{Entry, TranspositionTable};

/// Node limit of the proof search: about three milliseconds, only for a mate without a complete line. The clock may be
/// running.
const PROOF_POSITIONS: u32 = 512;

/// A line in the form in which it is reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ReportedLine {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) pv: Vec<Move>,
}

/// The line to report for `pv`, a line from the current position of `game`, and its score.
///
/// A winning mate with a complete line is reported as exact, although a shorter one may exist. Without a complete line the
/// score is reported as a bound beyond every evaluation.
pub(super) fn report(
    game: &Game,
    table: &TranspositionTable,
    score: Score,
    bound: Bound,
    pv: &[Move],
) -> ReportedLine {
    let mut line = PvBuilder::new(game, table);
    line.follow(pv);
    let Some(plies) = score.mate_plies() else { return ReportedLine { score, bound, pv: line.moves } };
    let is_whole = line.complete(plies);
    let (score, bound) = match (is_whole, bound) {
        (true, Bound::Lower) if score.is_win() => (score, Bound::Exact),
        (false, Bound::Lower | Bound::Exact) if score.is_win() => (Score::new(i32::MAX), Bound::Lower),
        (false, Bound::Upper | Bound::Exact) if score.is_loss() => (Score::new(i32::MIN), Bound::Upper),
        _ => (score, bound),
    };
    ReportedLine { score, bound, pv: line.moves }
}

/// A line from the root and its last position.
struct PvBuilder<'t> {
    table: &'t TranspositionTable,
    position: Position,
    keys: KeyHistory,
    root_len: usize,
    moves: Vec<Move>,
    /// Nodes left for the proof search.
    budget: u32,
}

impl<'t> PvBuilder<'t> {
    fn new(game: &Game, table: &'t TranspositionTable) -> Self {
        Self {
            table,
            position: game.position().clone(),
            keys: game.history().clone(),
            root_len: game.history().len(),
            moves: Vec::new(),
            budget: PROOF_POSITIONS,
        }
    }

    /// Plays the moves of `pv` until one is illegal or the game is over. The first move is played even in a drawn game, since
    /// a move must be reported.
    fn follow(&mut self, pv: &[Move]) {
        for &mv in pv {
            let is_over = !self.moves.is_empty() && self.is_over(&self.position);
            if is_over || !self.position.is_legal(mv) {
                break;
            }
            self.keys.push(&self.position);
            self.position = self.position.after(mv);
            self.moves.push(mv);
        }
    }

    /// Whether the game is over in `position`, with the draw rules of the search.
    fn is_over(&self, position: &Position) -> bool {
        position.ending().is_some() || self.keys.is_draw_in_search(position, self.root_len)
    }

    /// Completes the line to a mate in exactly `plies` moves, if possible; otherwise it stays unchanged.
    fn complete(&mut self, plies: usize) -> bool {
        let position = self.position.clone();
        plies.checked_sub(self.moves.len()).is_some_and(|left| self.add_mate(&position, left))
    }

    /// Adds `plies` moves from `position` to mate. Each is proven: the winning side mates as fast against every other defence.
    fn add_mate(&mut self, position: &Position, plies: usize) -> bool {
        if plies == 0 {
            return position.is_checkmate();
        }
        self.in_order(position, plies).into_iter().any(|mv| {
            let after = position.after(mv);
            self.moves.push(mv);
            self.keys.push(position);
            let is_added = self.is_decided(&after, plies - 1) && self.add_mate(&after, plies - 1);
            self.keys.pop();
            if !is_added {
                self.moves.pop();
            }
            is_added
        })
    }

    /// Whether the side to move mates (odd `plies`) or is mated (even `plies`) within `plies`.
    fn is_decided(&mut self, position: &Position, plies: usize) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        if position.is_checkmate() {
            return plies.is_multiple_of(2);
        }
        if plies == 0 || self.is_over(position) {
            return false;
        }
        if self.distance(position).is_some_and(|distance| is_as_fast(distance, plies)) {
            return true;
        }
        let moves = self.in_order(position, plies);
        self.keys.push(position);
        let mut is_decided_by = |&mv: &Move| self.is_decided(&position.after(mv), plies - 1);
        let is_decided = match plies.is_multiple_of(2) {
            true => moves.iter().all(&mut is_decided_by),
            false => moves.iter().any(&mut is_decided_by),
        };
        self.keys.pop();
        is_decided
    }

    /// The moves of `position`, the most likely to lead to a mate in exactly `plies` first. With one ply left only checks.
    fn in_order(&self, position: &Position, plies: usize) -> Vec<Move> {
        let table_move = self.table.probe(position.key()).and_then(|entry| entry.mv);
        let likelihood = |&mv: &Move| {
            let is_known = self.distance(&position.after(mv)) == Some(plies - 1);
            std::cmp::Reverse((is_known, Some(mv) == table_move, position.gives_check(mv)))
        };
        let legal = position.legal_moves();
        let mut moves =
            Vec::from_iter(legal.iter().copied().filter(|&mv| plies > 1 || position.gives_check(mv)));
        moves.sort_by_cached_key(likelihood);
        moves
    }

    /// The distance in plies of a mate stored in the transposition table; the mate is at most this far.
    fn distance(&self, position: &Position) -> Option<usize> {
        let is_proven = |entry: &Entry| match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score(0).is_win(),
            Bound::Upper => entry.score(0).is_loss(),
        };
        let entry = self.table.probe(position.key()).filter(is_proven)?;
        entry.score(0).mate_plies().filter(|_| entry.is_within_fifty_moves(position))
    }
}

/// Whether a mate in `distance` plies is a mate in at most `plies` for the same side.
fn is_as_fast(distance: usize, plies: usize) -> bool {
    distance <= plies && (plies - distance).is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str) -> Game {
        Game::new(fen.parse().expect("the positions are valid"))
    }

    /// The moves of a line in algebraic notation.
    fn line(game: &Game, text: &str) -> Vec<Move> {
        let mut here = game.position().clone();
        let mut moves = Vec::new();
        for word in text.split_whitespace() {
            let mv = here.parse_san(word).unwrap_or_else(|error| panic!("{word}: {error}"));
            here = here.after(mv);
            moves.push(mv);
        }
        moves
    }

    /// The reported line with an empty transposition table.
    fn reported(game: &Game, score: Score, bound: Bound, pv: &[Move]) -> ReportedLine {
        report(game, &TranspositionTable::new(1, 1).expect("a mebibyte is available"), score, bound, pv)
    }

    const ROOKS: &str = "7k/8/R7/1R6/8/8/8/K7 w - - 0 1";

    #[test]
    fn a_line_ends_with_the_game() {
        let perpetual = game("5r1k/5p1p/8/6Q1/8/1q6/r7/7K w - - 0 1");
        let round = line(&perpetual, "Qf6+ Kg8 Qg5+ Kh8 Qf6+ Kg8");
        assert_eq!(reported(&perpetual, Score::DRAW, Bound::Exact, &round).pv, round[..4]);
        let stalemate = game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
        let end = line(&stalemate, "Qf7");
        assert_eq!(reported(&stalemate, Score::DRAW, Bound::Exact, &[end[0], end[0]]).pv, end);
        let bare = game("7k/8/8/8/8/8/1p6/K7 w - - 0 1");
        let capture = line(&bare, "Kxb2 Kg7");
        assert_eq!(reported(&bare, Score::DRAW, Bound::Exact, &capture).pv, capture[..1]);
    }

    #[test]
    fn a_drawn_game_still_gets_a_move() {
        let mut drawn = game("k7/8/8/8/8/8/8/K6R w - - 100 90");
        let mv = line(&drawn, "Rh7");
        assert_eq!(reported(&drawn, Score::DRAW, Bound::Exact, &mv).pv, mv);
        drawn.play(mv[0]).expect("legal");
        assert!(drawn.ending().is_some());
    }

    #[test]
    fn a_mate_is_completed_and_then_exact() {
        let rooks = game(ROOKS);
        let start = line(&rooks, "Rb7");
        for known in [&start[..0], &start[..]] {
            let reported = reported(&rooks, Score::mate_at(3), Bound::Lower, known);
            assert_eq!((reported.score, reported.bound), (Score::mate_at(3), Bound::Exact));
            assert_eq!(reported.pv, line(&rooks, "Rb7 Kg8 Ra8#"));
        }
        let mated = game("7k/1R6/R7/8/8/8/8/K7 b - - 0 1");
        let reported = reported(&mated, Score::mated_at(2), Bound::Exact, &[]);
        assert_eq!((reported.bound, reported.pv), (Bound::Exact, line(&mated, "Kg8 Ra8#")));
    }

    #[test]
    fn a_mate_without_a_complete_line_is_not_reported() {
        let rooks = game(ROOKS);
        let slow = line(&rooks, "Ka2");
        let reported = reported(&rooks, Score::mate_at(3), Bound::Exact, &slow);
        assert_eq!((reported.bound, reported.pv), (Bound::Lower, slow));
        assert!(!reported.score.is_decisive() && reported.score > Score::new(10_000));
    }

    #[test]
    fn a_mate_after_the_fifty_move_rule_is_not_completed() {
        for (clock, bound) in [(97, Bound::Exact), (98, Bound::Lower)] {
            let rooks = game(&format!("7k/8/R7/1R6/8/8/8/K7 w - - {clock} 90"));
            assert_eq!(reported(&rooks, Score::mate_at(3), Bound::Lower, &line(&rooks, "Rb7")).bound, bound);
        }
    }
}
