//! Tablebases: the trait that tablebase readers implement, probing inside the search, and ranking of the root moves.
//!
//! File formats and files are unknown here.

use std::fmt::Debug;
use std::sync::Arc;

use rukh_chess::game::{Ending, Game};
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
    /// The result that a proven score stands for; `None` for an evaluation.
    pub(crate) fn of_score(score: Score) -> Option<Self> {
        match score {
            score if score.is_win() => Some(Self::Win),
            score if score.is_loss() => Some(Self::Loss),
            _ => None,
        }
    }

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

    /// Ranks the root moves, or those of `wanted` if it is not empty, by DTZ or, where a DTZ table is missing, by WDL. `None`
    /// unless the tablebases contain the result of every move.
    ///
    /// By DTZ, all moves that win before the fifty-move rule have the same rank, and the search chooses among them. After a
    /// repetition, or when the fifty-move rule is near, a lower DTZ is a better rank, so that progress is made.
    pub(crate) fn rank_root(&self, game: &Game, wanted: &[Move]) -> Option<RootRanking> {
        let position = game.position();
        if position.occupied().count() > self.pieces || !position.castling().rooks().is_empty() {
            return None;
        }
        let legal = position.legal_moves();
        let moves = legal.iter().copied().filter(|mv| wanted.is_empty() || wanted.contains(mv));
        let moves = Vec::from_iter(moves);
        let by_dtz = self.rank_by_dtz(game, &moves);
        let has_dtz = by_dtz.is_some();
        let moves = by_dtz.or_else(|| self.rank_by_wdl(game, &moves))?;
        Some(RootRanking { moves, has_dtz, probing: self.clone() })
    }

    fn rank_by_dtz(&self, game: &Game, moves: &[Move]) -> Option<Vec<RankedMove>> {
        let has_repetition = self.has_repetition(game);
        let clock = i32::from(game.position().halfmove_clock());
        let ranked = moves.iter().map(|&mv| {
            let dtz = self.dtz_after(game, mv)?;
            Some((mv, self.rank(dtz, clock, has_repetition), dtz.unsigned_abs() as usize))
        });
        let ranked: Vec<(Move, i32, usize)> = ranked.collect::<Option<_>>()?;
        let of_rank = |rank: i32| ranked.iter().filter(move |(_, other, _)| *other == rank);
        let ranked_move = |&(mv, rank, plies): &(Move, i32, usize)| {
            // Moves of one rank have one score, so that lines of that rank are in the order of the search.
            let soonest = of_rank(rank).map(|&(.., plies)| plies).min().unwrap_or(plies);
            self.ranked_move(mv, rank, wdl_of_rank(rank), soonest)
        };
        Some(ranked.iter().map(ranked_move).collect())
    }

    /// The result says nothing of the distance: it is taken to be the longest that the fifty-move rule allows.
    fn rank_by_wdl(&self, game: &Game, moves: &[Move]) -> Option<Vec<RankedMove>> {
        let ranked = moves.iter().map(|&mv| {
            let wdl = self.effective_wdl(self.wdl_after(game, mv)?);
            Some(self.ranked_move(mv, wdl as i32, wdl, FIFTY_MOVE_PLIES as usize))
        });
        ranked.collect()
    }

    fn ranked_move(&self, mv: Move, rank: i32, wdl: Wdl, plies: usize) -> RankedMove {
        let wdl = self.effective_wdl(wdl);
        let score = match wdl {
            Wdl::Win => Score::tablebase_win_at(plies),
            Wdl::Loss => Score::tablebase_loss_at(plies),
            wdl => draw_score(wdl),
        };
        RankedMove { mv, rank, score, wdl }
    }

    /// The result of the root if `mv` is played.
    fn wdl_after(&self, game: &Game, mv: Move) -> Option<Wdl> {
        let after = game.position().after(mv);
        if after.is_checkmate() {
            return Some(Wdl::Win);
        }
        if self.is_drawn(game, &after) {
            return Some(Wdl::Draw);
        }
        self.tables.wdl(&after).map(Wdl::flipped)
    }

    /// Whether `after`, which is one move from the current position and no checkmate, ends the game as a draw.
    fn is_drawn(&self, game: &Game, after: &Position) -> bool {
        /// With the occurrence on the board it is the third.
        const TWICE: usize = 2;
        after.ending().is_some() || game.history().occurrences(after) >= TWICE
    }

    /// Cuts `line` from `root` before the first move into another result; the first move always stays. The result is `wdl`
    /// for the side to move at the root or, without it, that of the first position of the line in the tablebases.
    pub(crate) fn cut_line(&self, root: &Position, mut wdl: Option<Wdl>, line: &mut Vec<Move>) {
        let mut position = root.clone();
        let changes_result = |&mv: &Move| {
            position = position.after(mv);
            let found = self.wdl_on_line(&position, root);
            found.is_some_and(|found| found != *wdl.get_or_insert(found))
        };
        if let Some(at) = line.iter().position(changes_result) {
            line.truncate(at.max(1));
        }
    }

    /// The result of a position of a line for the side to move at the root; `None` if the tablebases do not contain it.
    fn wdl_on_line(&self, position: &Position, root: &Position) -> Option<Wdl> {
        let is_covered = position.occupied().count() <= self.pieces && position.castling().rooks().is_empty();
        let wdl = match position.ending() {
            // The line ends here by the rules, whatever the tablebases say.
            Some(Ending::Checkmate { .. }) => Some(Wdl::Loss),
            Some(_) => Some(Wdl::Draw),
            None => self.tables.wdl(position).map(|wdl| self.effective_wdl(wdl)),
        };
        let is_root_side = position.side_to_move() == root.side_to_move();
        wdl.filter(|_| is_covered).map(|wdl| if is_root_side { wdl } else { wdl.flipped() })
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
        if self.is_drawn(game, &after) {
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

/// A root move as the tablebases rank it.
#[derive(Clone, Copy, Debug)]
struct RankedMove {
    mv: Move,
    /// Greater is better.
    rank: i32,
    /// The score of the root if it is played.
    score: Score,
    /// The result for the side to move.
    wdl: Wdl,
}

/// The root moves as the tablebases rank them.
#[derive(Clone, Debug)]
pub(crate) struct RootRanking {
    moves: Vec<RankedMove>,
    /// Whether they are ranked by DTZ, so that every win of the best rank makes progress.
    has_dtz: bool,
    probing: Probing,
}

impl RootRanking {
    /// The number of ranked moves.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The rank of a root move: greater is better.
    pub(crate) fn rank(&self, mv: Move) -> i32 {
        self.find(mv).map_or(i32::MIN, |ranked| ranked.rank)
    }

    /// The moves of the best ranks: at least `count`, if there are so many, and all of the same rank as the last.
    pub(crate) fn best(&self, count: usize) -> Vec<Move> {
        let mut ranks: Vec<i32> = self.moves.iter().map(|ranked| ranked.rank).collect();
        ranks.sort_unstable_by_key(|&rank| std::cmp::Reverse(rank));
        let last = ranks.get(count.max(1) - 1).or(ranks.last()).copied().unwrap_or(0);
        self.moves.iter().filter(|ranked| ranked.rank >= last).map(|ranked| ranked.mv).collect()
    }

    /// Whether the search below the root probes the tablebases too. With DTZ it does not, so that it can find a mate; with WDL
    /// alone it must, so that a win makes progress.
    pub(crate) fn needs_probing(&self) -> bool {
        let best = self.moves.iter().max_by_key(|ranked| ranked.rank);
        !self.has_dtz && best.is_some_and(|best| best.wdl == Wdl::Win)
    }

    /// The score of the root if `mv` is played. A score that the search has proven for the same result is more precise.
    pub(crate) fn score(&self, mv: Move, searched: Score) -> Score {
        let Some(ranked) = self.find(mv) else { return searched };
        let is_agreed = match ranked.wdl {
            Wdl::Win => searched.is_win(),
            Wdl::Loss => searched.is_loss(),
            _ => false,
        };
        if is_agreed { searched } else { ranked.score }
    }

    /// Cuts a line from `root` before the first move that changes the result of its first move, which always stays.
    pub(crate) fn cut_line(&self, root: &Position, line: &mut Vec<Move>) {
        let wdl = line.first().and_then(|&mv| self.find(mv)).map(|ranked| ranked.wdl);
        self.probing.cut_line(root, wdl, line);
    }

    fn find(&self, mv: Move) -> Option<&RankedMove> {
        self.moves.iter().find(|ranked| ranked.mv == mv)
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

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::Color;

    /// With three pieces the side with two of them wins.
    #[derive(Debug)]
    struct ThreePieces;

    impl Tablebase for ThreePieces {
        fn max_pieces(&self) -> u32 {
            3
        }

        fn wdl(&self, position: &Position) -> Option<Wdl> {
            let pieces = |color: Color| position.color(color).count();
            let side = position.side_to_move();
            Some(match pieces(side).cmp(&pieces(!side)) {
                std::cmp::Ordering::Greater => Wdl::Win,
                std::cmp::Ordering::Equal => Wdl::Draw,
                std::cmp::Ordering::Less => Wdl::Loss,
            })
        }

        fn dtz(&self, _: &Position) -> Option<i32> {
            None
        }
    }

    /// The line from `fen`, cut under the expected result, in UCI notation.
    fn cut(fen: &str, expected: Option<Wdl>, line: &str) -> String {
        let probing = Probing { tables: Arc::new(ThreePieces), depth: 1, pieces: 3, counts_fifty: true };
        let root: Position = fen.parse().expect("valid FEN");
        let mut position = root.clone();
        let mut moves = Vec::new();
        for text in line.split(' ') {
            moves.push(position.parse_uci(text).expect("legal"));
            position = position.after(moves[moves.len() - 1]);
        }
        probing.cut_line(&root, expected, &mut moves);
        line.split(' ').take(moves.len()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_keeps_the_result_with_which_it_enters_the_tablebases() {
        const ROOKS: &str = "8/8/8/3k4/8/1r6/2K5/7R w - - 0 1";
        let lost = "c2b3 d5e6 h1h5 e6f6 h5h6 f6g5 b3b4 g5h6";
        for expected in [None, Some(Wdl::Win)] {
            assert_eq!(cut(ROOKS, expected, lost), lost.strip_suffix(" g5h6").expect("the last move"));
            assert_eq!(cut(ROOKS, expected, "c2b3 d5e6 h1h5"), "c2b3 d5e6 h1h5");
        }
        // The first move stays, whatever it does.
        assert_eq!(cut(ROOKS, Some(Wdl::Loss), lost), "c2b3");
        let stalemate = "b1c1 a8b8 c1b1 b8a8 b1b6";
        let without = cut("k7/8/1pK5/8/8/8/8/1Q6 w - - 0 1", Some(Wdl::Win), stalemate);
        assert_eq!(without, "b1c1 a8b8 c1b1 b8a8", "the rules count more than the tablebases");
    }
}
