//! Tablebases: the trait that tablebase readers implement, probing inside the search, and ranking of the root moves.
//!
//! File formats and files are unknown here.

use std::fmt::Debug;
use std::sync::Arc;

use rukh_chess::game::Game;
use rukh_chess::{Move, Position};
use rukh_eval::Score;

use crate::api::Bound;

/// A set of tablebases (Syzygy).
pub trait Tablebase: Send + Sync + Debug {
    /// The greatest number of pieces of the tablebases, kings included.
    fn max_pieces(&self) -> u32;

    /// The result for the side to move with a halfmove clock of zero; `None` if the position is not in the tablebases.
    fn wdl(&self, position: &Position) -> Option<Wdl>;

    /// Distance to zeroing (DTZ): plies until a capture or pawn move with best play under the fifty-move rule. Positive if the
    /// side to move wins, negative if it loses, beyond 100 if the rule makes it a draw, zero for a draw. It may be one too
    /// small.
    fn dtz(&self, position: &Position) -> Option<i32>;
}

/// Win, draw or loss for the side to move, with the two results that the fifty-move rule turns into draws.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule makes a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule makes a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    /// The result for the other side.
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

/// Tablebases with the settings of their use.
#[derive(Clone, Debug)]
pub(crate) struct Probing {
    pub(crate) tables: Arc<dyn Tablebase>,
    /// Least depth to probe positions with the greatest number of pieces.
    pub(crate) depth: i32,
    /// Greatest number of pieces to probe.
    pub(crate) pieces: u32,
    /// Whether the fifty-move rule counts.
    pub(crate) counts_fifty: bool,
}

impl Probing {
    /// Whether a position searched to `depth` may be probed.
    #[inline]
    pub(crate) fn may_probe(&self, position: &Position, depth: i32) -> bool {
        let pieces = position.occupied().count();
        pieces <= self.pieces
            && (depth >= self.depth || pieces < self.pieces)
            && position.halfmove_clock() == 0
            && position.castling().rooks().is_empty()
    }

    /// The score of a position at `ply`, with its bound. Wins and losses are bounds: the search may still find a mate.
    pub(crate) fn score(&self, position: &Position, ply: usize) -> Option<(Score, Bound)> {
        let wdl = self.tables.wdl(position)?;
        Some(match self.effective_wdl(wdl) {
            Wdl::Win => (Score::tablebase_win_at(ply), Bound::Lower),
            Wdl::Loss => (Score::tablebase_loss_at(ply), Bound::Upper),
            wdl => (draw_score(wdl), Bound::Exact),
        })
    }

    /// The result under the settings: without the fifty-move rule cursed wins are wins and blessed losses are losses.
    fn effective_wdl(&self, wdl: Wdl) -> Wdl {
        match wdl {
            Wdl::CursedWin if !self.counts_fifty => Wdl::Win,
            Wdl::BlessedLoss if !self.counts_fifty => Wdl::Loss,
            wdl => wdl,
        }
    }

    /// Ranks the root moves by DTZ and keeps the best; `None` unless the tablebases contain the result of every move.
    ///
    /// All moves that win before the fifty-move rule are kept, and the search chooses among them. After a repetition, or when
    /// the fifty-move rule is near, only the moves with the least DTZ are kept, so that progress is made.
    pub(crate) fn rank_root(&self, game: &Game) -> Option<RootRanking> {
        let position = game.position();
        if position.occupied().count() > self.pieces || !position.castling().rooks().is_empty() {
            return None;
        }
        let has_repetition = self.has_repetition(game);
        let clock = i32::from(position.halfmove_clock());
        let legal = position.legal_moves();
        let ranked = legal.iter().map(|&mv| {
            let dtz = self.dtz_after(game, mv)?;
            Some((mv, self.rank(dtz, clock, has_repetition), dtz))
        });
        let ranked: Vec<(Move, i32, i32)> = ranked.collect::<Option<_>>()?;
        let best = ranked.iter().map(|&(_, rank, _)| rank).max()?;
        let kept = || ranked.iter().filter(|&&(_, rank, _)| rank == best);
        let soonest = kept().map(|&(.., dtz)| dtz).min_by_key(|dtz| dtz.abs()).unwrap_or(0);
        let plies = soonest.unsigned_abs() as usize;
        let verdict = self.effective_wdl(wdl_of_rank(best));
        let score = match verdict {
            Wdl::Win => Score::tablebase_win_at(plies),
            Wdl::Loss => Score::tablebase_loss_at(plies),
            wdl => draw_score(wdl),
        };
        Some(RootRanking {
            moves: kept().map(|&(mv, ..)| mv).collect(),
            score,
            verdict,
            probing: self.clone(),
        })
    }

    /// Whether a position has occurred twice since the last capture or pawn move.
    fn has_repetition(&self, game: &Game) -> bool {
        let positions = game.positions();
        let since = positions.len().saturating_sub(1 + usize::from(game.position().halfmove_clock()));
        let since = &positions[since..];
        since
            .iter()
            .enumerate()
            .any(|(at, position)| since[..at].iter().any(|other| other.key() == position.key()))
    }

    /// The DTZ of the root if `mv` is played, `mv` included; positive if the side to move wins.
    fn dtz_after(&self, game: &Game, mv: Move) -> Option<i32> {
        let after = game.position().after(mv);
        if after.is_checkmate() {
            return Some(1);
        }
        /// With the occurrence on the board it is the third.
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

    /// The rank of a root move: greater is better. All wins before the fifty-move rule have the same rank, and so do all
    /// losses before it.
    fn rank(&self, dtz: i32, clock: i32, has_repetition: bool) -> i32 {
        match dtz {
            0 => 0,
            1.. if dtz + clock < FIFTY_MOVE_PLIES && !has_repetition => CERTAIN,
            1.. => CERTAIN - (dtz + clock),
            // A loss near the fifty-move rule: the longest resistance may reach a draw.
            _ if 2 * -dtz + clock < FIFTY_MOVE_PLIES => -CERTAIN,
            _ => -CERTAIN + (-dtz + clock),
        }
    }
}

/// The root moves as the tablebases rank them.
#[derive(Clone, Debug)]
pub(crate) struct RootRanking {
    /// The best moves.
    pub(crate) moves: Vec<Move>,
    /// The score of the root.
    pub(crate) score: Score,
    verdict: Wdl,
    probing: Probing,
}

impl RootRanking {
    /// Truncates a line from `root` before the first move that changes the result; the first move always stays.
    pub(crate) fn truncate_pv(&self, root: &Position, line: &mut Vec<Move>) {
        let mut position = root.clone();
        let changes = |&mv: &Move| {
            position = position.after(mv);
            let is_root_side = position.side_to_move() == root.side_to_move();
            let wdl = self.probing.tables.wdl(&position).map(|wdl| self.probing.effective_wdl(wdl));
            wdl.map(|wdl| if is_root_side { wdl } else { wdl.flipped() })
                .is_some_and(|wdl| wdl != self.verdict)
        };
        if let Some(at) = line.iter().position(changes) {
            line.truncate(at.max(1));
        }
    }
}

const FIFTY_MOVE_PLIES: i32 = 100;
/// The rank of a certain win. Every win before the fifty-move rule ranks above every cursed win.
const CERTAIN: i32 = 1_000;

/// The result that a rank stands for.
fn wdl_of_rank(rank: i32) -> Wdl {
    match rank {
        rank if rank >= CERTAIN - FIFTY_MOVE_PLIES => Wdl::Win,
        1.. => Wdl::CursedWin,
        0 => Wdl::Draw,
        rank if rank <= -(CERTAIN - FIFTY_MOVE_PLIES) => Wdl::Loss,
        _ => Wdl::BlessedLoss,
    }
}

/// A draw score; cursed wins and blessed losses differ from it by an internal unit.
fn draw_score(wdl: Wdl) -> Score {
    Score::new(match wdl {
        Wdl::CursedWin => 1,
        Wdl::BlessedLoss => -1,
        _ => 0,
    })
}
