//! Endings that are known to the end: the seam to tables, and what a search makes of them.

use std::fmt::Debug;
use std::sync::Arc;

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;

/// Tables of endings.
pub trait Tablebase: Send + Sync + Debug {
    /// The most pieces that a position in the tables has, kings included.
    fn max_pieces(&self) -> u32;

    /// Who wins for the side to move if no move has been counted towards the fifty yet; none if the tables do not know.
    fn wdl(&self, position: &Position) -> Option<Wdl>;

    /// Moves of either side until one captures or moves a pawn, both sides playing for the fifty moves: positive for the side
    /// that wins, more than a hundred if the rule saves the other; zero is drawn. It may be one too small.
    fn dtz(&self, position: &Position) -> Option<i32>;
}

/// Who wins, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// The other side wins.
    Loss,
    /// The other side would win but for the fifty moves.
    BlessedLoss,
    /// Nobody wins.
    Draw,
    /// The side to move would win but for the fifty moves.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// Tables and how they are used.
#[derive(Clone, Debug)]
pub(crate) struct Probing {
    pub(crate) tables: Arc<dyn Tablebase>,
    /// With the most pieces, positions are looked up from this depth on.
    pub(crate) depth: i32,
    /// No position with more pieces is looked up.
    pub(crate) pieces: u32,
    /// Whether the fifty moves count.
    pub(crate) counts_fifty: bool,
}

impl Probing {
    /// Whether a position may be looked up that is searched to `depth`.
    #[inline]
    pub(crate) fn covers(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.occupied().count();
        pieces <= self.pieces
            && (depth >= self.depth || pieces < self.pieces)
            && position.halfmove_clock() == 0
            && position.castling().rooks().is_empty()
    }

    /// What is known of a position at `ply`: a score and how it is meant. Of a win only that it is one.
    pub(crate) fn score(&self, position: &Position, ply: usize) -> Option<(Score, Bound)> {
        let wdl = self.tables.wdl(position)?;
        Some(match self.fair(wdl) {
            Wdl::Win => (Score::tablebase_win_at(ply), Bound::Lower),
            Wdl::Loss => (Score::tablebase_loss_at(ply), Bound::Upper),
            wdl => (drawn(wdl), Bound::Exact),
        })
    }

    /// Without the fifty moves nothing is cursed or blessed.
    fn fair(&self, wdl: Wdl) -> Wdl {
        match wdl {
            Wdl::CursedWin if !self.counts_fifty => Wdl::Win,
            Wdl::BlessedLoss if !self.counts_fifty => Wdl::Loss,
            wdl => wdl,
        }
    }

    /// The moves at the root that keep what can be had, and what that is; none if the tables do not know all of them.
    ///
    /// Among moves that win in time all are kept, so that the search may look for the nicest; but once a position has come
    /// back, or the fifty moves are near, only those that make progress soonest.
    pub(crate) fn rank_root(&self, game: &Game) -> Option<RootRanking> {
        let position = game.position();
        if position.occupied().count() > self.pieces || !position.castling().rooks().is_empty() {
            return None;
        }
        let has_come_back = self.has_come_back(game);
        let clock = i32::from(position.halfmove_clock());
        let legal = position.legal_moves();
        let ranked = legal.iter().map(|&mv| {
            let dtz = self.dtz_after(game, mv)?;
            Some((mv, self.rank(dtz, clock, has_come_back), dtz))
        });
        let ranked: Vec<(Move, i32, i32)> = ranked.collect::<Option<_>>()?;
        let best = ranked.iter().map(|&(_, rank, _)| rank).max()?;
        let kept = || ranked.iter().filter(|&&(_, rank, _)| rank == best);
        let soonest = kept().map(|&(.., dtz)| dtz).min_by_key(|dtz| dtz.abs()).unwrap_or(0);
        let plies = soonest.unsigned_abs() as usize;
        let verdict = self.fair(class(best));
        let score = match verdict {
            Wdl::Win => Score::tablebase_win_at(plies),
            Wdl::Loss => Score::tablebase_loss_at(plies),
            wdl => drawn(wdl),
        };
        Some(RootRanking {
            moves: kept().map(|&(mv, ..)| mv).collect(),
            score,
            verdict,
            probing: self.clone(),
        })
    }

    /// Whether a position since the last capture or pawn move was there twice.
    fn has_come_back(&self, game: &Game) -> bool {
        let positions = game.positions();
        let since = positions.len().saturating_sub(1 + usize::from(game.position().halfmove_clock()));
        let since = &positions[since..];
        since
            .iter()
            .enumerate()
            .any(|(at, position)| since[..at].iter().any(|other| other.key() == position.key()))
    }

    /// How soon a capture or pawn move comes if `mv` is played, this one counted, positive if it serves the side to move.
    fn dtz_after(&self, game: &Game, mv: Move) -> Option<i32> {
        let after = game.position().after(mv);
        if after.is_checkmate() {
            return Some(1);
        }
        /// With the one on the board it is the third.
        const TWICE: usize = 2;
        if after.ending().is_some() || game.history().occurrences(&after) >= TWICE {
            return Some(0);
        }
        if after.halfmove_clock() == 0 {
            return Some(match self.tables.wdl(&after)? {
                Wdl::Loss => 1,
                Wdl::BlessedLoss => 101,
                Wdl::Draw => 0,
                Wdl::CursedWin => -101,
                Wdl::Win => -1,
            });
        }
        let dtz = -self.tables.dtz(&after)?;
        Some(dtz + dtz.signum())
    }

    /// Greater is better. Wins in time are equal among themselves, and so are losses.
    fn rank(&self, dtz: i32, clock: i32, has_come_back: bool) -> i32 {
        match dtz {
            0 => 0,
            1.. if dtz + clock < FIFTY_PLIES && !has_come_back => SURE,
            1.. => SURE - (dtz + clock),
            // The longer a loss takes, the more can go wrong for the other side.
            _ if 2 * -dtz + clock < FIFTY_PLIES => -SURE,
            _ => -SURE + (-dtz + clock),
        }
    }
}

/// What the tables say of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootRanking {
    /// The moves that keep it.
    pub(crate) moves: Vec<Move>,
    /// What can be had.
    pub(crate) score: Score,
    verdict: Wdl,
    probing: Probing,
}

impl RootRanking {
    /// Cuts a line from `root` before the first move, but for the very first, that changes who wins.
    pub(crate) fn cut(&self, root: &Position, line: &mut Vec<Move>) {
        let mut position = root.clone();
        let changes = |&mv: &Move| {
            position = position.after(mv);
            let is_root_side = position.side_to_move() == root.side_to_move();
            let wdl = self.probing.tables.wdl(&position).map(|wdl| self.probing.fair(wdl));
            wdl.map(|wdl| if is_root_side { wdl } else { wdl.flipped() })
                .is_some_and(|wdl| wdl != self.verdict)
        };
        if let Some(at) = line.iter().position(changes) {
            line.truncate(at.max(1));
        }
    }
}

const FIFTY_PLIES: i32 = 100;
/// The rank of a sure win. Every win that takes no more than the fifty moves ranks above every one that does.
const SURE: i32 = 1_000;

/// What a rank is worth.
fn class(rank: i32) -> Wdl {
    match rank {
        rank if rank >= SURE - FIFTY_PLIES => Wdl::Win,
        1.. => Wdl::CursedWin,
        0 => Wdl::Draw,
        rank if rank <= -(SURE - FIFTY_PLIES) => Wdl::Loss,
        _ => Wdl::BlessedLoss,
    }
}

/// A draw, with a glance at who would win without the fifty moves.
fn drawn(wdl: Wdl) -> Score {
    Score::centipawns(match wdl {
        Wdl::CursedWin => 1,
        Wdl::BlessedLoss => -1,
        _ => 0,
    })
}
