//! One game of self-play.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Move, Position};
use rukh_engine::api::{Limits, Request};
use rukh_engine::draw_policy::DrawPolicy;
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::{SyncSearcher, TreeSample};
use rukh_eval::{Evaluation, Score, Verdict};

use super::tree_sample_set::TreeSampleSet;
use crate::arena::{Adjudication, Book, DrawRule, Record, ResignRule, Value};
use crate::packed::{NO_SCORE, PackedGame};

/// How the engine plays itself.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlay {
    /// What all lots depend on.
    pub seed: u64,
    /// What positions are judged by.
    pub evaluation: Evaluation,
    /// Positions visited for a move, after which no other iteration is begun.
    pub nodes: u64,
    /// Random moves at the beginning of a game.
    pub random_plies: RangeInclusive<u32>,
    /// Where the random moves begin; the start if there is no book.
    pub book: Option<Book>,
    /// The share of games that begin as Chess960, from 0 to 1.
    pub chess960: f64,
    /// The share of moves that are drawn at random and not thought about, from 0 to 1: games then come to positions where one side
    /// is much better, as a search sees them all the time and good games never do.
    pub random_move_rate: f64,
    /// The most that a side may be better at the beginning, in centipawns.
    pub max_opening_score: i32,
    /// When games end early.
    pub adjudication: Adjudication,
    /// Positions inside the searches are kept, too, if they were searched at least so deep; none if it is not said.
    pub tree_sample_depth: Option<i32>,
    /// Random positions from inside each search that are searched like one of the game, so many for each in the mean: they are
    /// what a network is asked about, good moves and bad ones.
    pub searched_tree_samples: f64,
}

/// A game, and what was met on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: PackedGame,
    /// Quiet positions inside its searches, each a game of one move with the result of this one; none was thought about in the
    /// game itself.
    pub tree_samples: Vec<PackedGame>,
}

impl Default for SelfPlay {
    fn default() -> Self {
        Self {
            seed: 1,
            evaluation: Evaluation::default(),
            nodes: 5_000,
            random_plies: 8..=9,
            book: None,
            chess960: 0.0,
            random_move_rate: 0.0,
            max_opening_score: 250,
            adjudication: Adjudication {
                draw: Some(DrawRule { policy: DrawPolicy { from_move: 40, margin: 8 }, moves: 5 }),
                resign: Some(ResignRule { moves: 3, score: 1_000, is_two_sided: true }),
                max_moves: Some(300),
            },
            tree_sample_depth: None,
            searched_tree_samples: 0.0,
        }
    }
}

/// The table of a searcher, in mebibytes: small, since it is emptied before every game.
const HASH: usize = 4;
/// A search may go on for this many times its nodes before it is cut short.
const HARD_FACTOR: u64 = 8;

/// An aside is searched better than anything on the way of another search.
const SEARCHED_DEPTH: i32 = i32::MAX;

/// Who plays.
pub(super) type Searcher = SyncSearcher;

impl SelfPlay {
    pub(super) fn searcher(&self) -> Searcher {
        let searcher = SyncSearcher::new(TechniqueOverrides::default(), &self.evaluation, HASH);
        searcher.expect("a machine that plays chess has a few mebibytes")
    }

    /// The game of this number; none if it was broken off by `is_over`.
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
            record.note(side, score.map(as_told));
            let for_white = score.map(|score| if side == Color::White { score } else { -score });
            moves.push((mv, for_white.map_or(NO_SCORE, |score| score.value() as i16)));
            game.play(mv).expect("searches and lots find legal moves");
        };
        let game = PackedGame { start, outcome, moves };
        let tree_samples = samples.into_games(&game);
        Some(Played { game, tree_samples })
    }

    /// Searches positions from inside the last search, which began from `root`.
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
        // All are drawn first: each search after that makes the one before an old one.
        let drawn: Vec<_> = (0..count).filter_map(|_| searcher.random_tree_position(root, random)).collect();
        for position in drawn {
            let game = Game::new(position.clone());
            if position.is_check() || game.ending().is_some() {
                continue;
            }
            let (best, score) = self.think(searcher, &game, 1);
            if !best.is_noisy() && !score.is_decisive() {
                samples.add(TreeSample { position, best, score, depth: SEARCHED_DEPTH });
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

/// A score as players tell it.
fn as_told(score: Score) -> Value {
    match score.verdict() {
        Verdict::Mate(moves) => Value::Mate(moves),
        _ => Value::Centipawns(score.value()),
    }
}
