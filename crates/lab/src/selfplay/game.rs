//! One game of self-play.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Position};
use rukh_engine::api::{Algorithm, Limits, Request};
use rukh_engine::draw_policy::DrawPolicy;
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::{SyncSearcher, TreeSample};
use rukh_eval::{Centipawns, Evaluation, Score, ScoreKind};

use super::tree_sample_set::TreeSampleSet;
use crate::arena::{Adjudication, Book, DrawRule, Record, ResignRule, Value};
use crate::packed::{NO_SCORE, PackedGame};

/// The settings of self-play.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlay {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The search of both sides.
    pub algorithm: Algorithm,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The soft node limit of a move.
    pub nodes: u64,
    /// The number of random moves at the start of a game.
    pub random_plies: RangeInclusive<u32>,
    /// The opening book before the random moves; none for the start position.
    pub book: Option<Book>,
    /// The share of games from Chess960 start positions, from 0 to 1.
    pub chess960: f64,
    /// The random-move rate, from 0 to 1: games then reach positions where one side is much better, which are common in search
    /// trees and rare in good games.
    pub random_move_rate: f64,
    /// The maximum absolute score of an opening.
    pub max_opening_score: Centipawns,
    /// The adjudication rules.
    pub adjudication: Adjudication,
    /// The minimum depth of tree samples; none to take no samples.
    pub tree_sample_depth: Option<i32>,
    /// The mean number of random tree positions per search that are searched like one of the game: they are what a network
    /// evaluates in a search, after good moves and bad ones.
    pub searched_tree_samples: f64,
}

/// A game and its tree samples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: PackedGame,
    /// Quiet positions of its search trees, each a game of one move with the result of this one; none was searched as a root in
    /// the game itself.
    pub tree_samples: Vec<PackedGame>,
}

impl Default for SelfPlay {
    fn default() -> Self {
        Self {
            seed: 1,
            algorithm: Algorithm::default(),
            evaluation: Evaluation::default(),
            nodes: 5_000,
            random_plies: 8..=9,
            book: None,
            chess960: 0.0,
            random_move_rate: 0.0,
            max_opening_score: Centipawns(250),
            adjudication: Adjudication {
                draw: Some(DrawRule {
                    policy: DrawPolicy { from_move: 40, margin: Centipawns(8) },
                    moves: 5,
                }),
                resign: Some(ResignRule { moves: 3, score: Centipawns(1_000), is_two_sided: true }),
                max_moves: Some(300),
            },
            tree_sample_depth: None,
            searched_tree_samples: 0.0,
        }
    }
}

/// The size of the transposition table in mebibytes: small, since it is cleared before every game.
pub(crate) const HASH: usize = 4;
/// The hard node limit of a search, as a multiple of the soft one.
const HARD_FACTOR: u64 = 8;

/// A tree sample with a search of its own counts as deeper than any entry of another search.
const SEARCHED_DEPTH: i32 = i32::MAX;

/// The player of both sides.
pub(super) type Searcher = SyncSearcher;

impl SelfPlay {
    pub(super) fn searcher(&self) -> Searcher {
        let searcher = SyncSearcher::with_algorithm(
            self.algorithm,
            TechniqueOverrides::default(),
            &self.evaluation,
            HASH,
        );
        searcher.expect("a machine that plays chess has a few mebibytes")
    }

    /// The game of this number; none if `is_over` was set.
    pub(super) fn play(&self, number: u64, searcher: &mut Searcher, is_over: &AtomicBool) -> Option<Played> {
        let mut random = SplitMix64::new(SplitMix64::new(self.seed).next() ^ number);
        let mut game = self.find_opening(&mut random, searcher, is_over)?;
        searcher.clear();
        let (start, first_mover) = (game.position().clone(), game.position().side_to_move());
        let mut record = Record::default();
        let mut moves = Vec::new();
        let mut samples = TreeSampleSet::default();
        let outcome = loop {
            if is_over.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(ending) = game.ending() {
                break ending.outcome();
            }
            let number = game.position().fullmove_number();
            if let Some((outcome, _)) = record.agree(&self.adjudication, first_mover, number) {
                break outcome;
            }
            let side = game.position().side_to_move();
            let (mv, score) = if self.random_move_rate > 0.0 && random.share() < self.random_move_rate {
                let legal = game.position().legal_moves();
                (legal[random.below(legal.len() as u64) as usize], None)
            } else {
                let (mv, score) = self.think(searcher, &game, 1);
                if let Some(depth) = self.tree_sample_depth {
                    searcher
                        .tree_samples(game.position(), depth)
                        .into_iter()
                        .for_each(|sample| samples.add(sample));
                }
                self.search_tree_samples(searcher, game.position(), &mut random, &mut samples);
                (mv, Some(score))
            };
            record.note(side, score.map(reported));
            let for_white = score.map(|score| if side == Color::White { score } else { -score });
            moves.push((mv, for_white.map_or(NO_SCORE, |score| score.value() as i16)));
            game.play(mv).expect("searched and random moves are legal");
        };
        let game = PackedGame { start, outcome, moves };
        let tree_samples = samples.into_games(&game);
        Some(Played { game, tree_samples })
    }

    /// Searches random positions from the tree of the last search, which started from `root`.
    fn search_tree_samples(
        &self,
        searcher: &mut Searcher,
        root: &Position,
        random: &mut SplitMix64,
        samples: &mut TreeSampleSet,
    ) {
        if self.searched_tree_samples <= 0.0 {
            return;
        }
        let count = self.searched_tree_samples as u64
            + u64::from(random.share() < self.searched_tree_samples.fract());
        // All are drawn first: each further search ages the entries of the one before.
        let mut visited = searcher.visited_positions(root);
        for position in random.partial_shuffle(&mut visited, count as usize) {
            let game = Game::new(position.clone());
            if position.is_check() || game.ending().is_some() {
                continue;
            }
            let (best, score) = self.think(searcher, &game, 1);
            if !best.is_noisy() && !score.is_decisive() {
                samples.add(TreeSample { position: position.clone(), best, score, depth: SEARCHED_DEPTH });
            }
        }
    }

    /// The best move and its score.
    pub(super) fn think(&self, searcher: &mut Searcher, game: &Game, factor: u64) -> (Move, Score) {
        let soft = factor * self.nodes;
        let limits = Limits { soft_nodes: Some(soft), nodes: Some(HARD_FACTOR * soft), ..Limits::default() };
        let found = searcher.search(Request { game: game.clone(), limits });
        found.best.zip(found.score).expect("where the game is not over there is a move")
    }
}

/// The score as an engine reports it.
fn reported(score: Score) -> Value {
    match score.kind() {
        ScoreKind::Mate(moves) => Value::Mate(moves),
        _ => Value::Centipawns(score.to_centipawns()),
    }
}
