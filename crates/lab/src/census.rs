//! What is in stored games: results, scores, phases, pieces, and what is there more than once.

use rukh_chess::game::Outcome;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Piece, Position};
use rukh_eval::Score;

use crate::packed::{NO_SCORE, PackedGame};
use crate::plot::{Chart, Shape};

/// What was counted.
#[derive(Clone, Debug)]
pub struct Census {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Games won by White, drawn, and won by Black.
    pub outcomes: [u64; 3],
    /// Games that begin where standard castling does not fit.
    pub chess960: u64,
    /// Positions in which the side to move is in check.
    pub in_check: u64,
    /// Moves that capture or promote.
    pub noisy: u64,
    /// Random moves, which have no score.
    pub random_moves: u64,
    /// Scores that prove a win.
    pub decisive: u64,
    /// Scores for White by steps of [`Self::SCORE_STEP`], from minus to plus [`Self::SCORE_MAX`], all beyond in the ends.
    pub scores: Vec<u64>,
    /// Positions by phase, from bare kings and pawns to all pieces.
    pub phases: [u64; 25],
    /// Positions by the number of pieces.
    pub pieces: [u64; 33],
    /// Games by length, in steps of [`Self::LENGTH_STEP`] moves of either side.
    pub lengths: Vec<u64>,
    keys: Vec<u64>,
}

impl Default for Census {
    fn default() -> Self {
        Self {
            games: 0,
            positions: 0,
            outcomes: [0; 3],
            chess960: 0,
            in_check: 0,
            noisy: 0,
            random_moves: 0,
            decisive: 0,
            scores: vec![0; (2 * Self::SCORE_MAX / Self::SCORE_STEP) as usize + 1],
            phases: [0; 25],
            pieces: [0; 33],
            lengths: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl Census {
    /// Scores are counted up to this, in internal units.
    pub const SCORE_MAX: i32 = 1_000;
    /// Scores this near each other are counted together.
    pub const SCORE_STEP: i32 = 40;
    /// Games this near in length are counted together.
    pub const LENGTH_STEP: usize = 10;

    /// Counts a game.
    pub fn add(&mut self, game: &PackedGame) {
        self.games += 1;
        self.outcomes[match game.outcome {
            Outcome::Win(Color::White) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Color::Black) => 2,
        }] += 1;
        self.chess960 += u64::from(CastlingNotation::of(&game.start) == CastlingNotation::RookSquare);
        let length = game.moves.len() / Self::LENGTH_STEP;
        self.lengths.resize(self.lengths.len().max(length + 1), 0);
        self.lengths[length] += 1;
        for (position, mv, score) in game.positions() {
            self.positions += 1;
            self.in_check += u64::from(position.is_check());
            self.noisy += u64::from(mv.is_noisy());
            if score == NO_SCORE {
                self.random_moves += 1;
            } else {
                self.decisive += u64::from(Score::from_value(i32::from(score)).is_decisive());
                let cut = i32::from(score).clamp(-Self::SCORE_MAX, Self::SCORE_MAX);
                let step = f64::from(cut + Self::SCORE_MAX) / f64::from(Self::SCORE_STEP);
                self.scores[step.round() as usize] += 1;
            }
            self.phases[phase(&position)] += 1;
            self.pieces[position.occupied().count() as usize] += 1;
            self.keys.push(position.key());
        }
    }

    /// Positions that were there before.
    pub fn duplicates(&mut self) -> u64 {
        self.keys.sort_unstable();
        self.keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
    }

    /// Pictures of it.
    pub fn charts(&self) -> Vec<Chart> {
        let bars = |title: &str, points: Vec<(f64, f64)>| Chart::of(title, Shape::Bars, points);
        let scores =
            self.scores.iter().enumerate().map(|(at, &count)| {
                (f64::from(at as i32 * Self::SCORE_STEP - Self::SCORE_MAX), count as f64)
            });
        let counts = |counts: &[u64], step: usize| {
            counts.iter().enumerate().map(|(at, &count)| ((at * step) as f64, count as f64)).collect()
        };
        vec![
            bars("positions by score for White, internal units", scores.collect()),
            bars("positions by phase, 24 is all pieces", counts(&self.phases, 1)),
            bars("positions by pieces on the board", counts(&self.pieces, 1)),
            bars("games by length, moves of either side", counts(&self.lengths, Self::LENGTH_STEP)),
        ]
    }
}

/// How much is left beside pawns: 24 with all pieces.
pub(crate) fn phase(position: &Position) -> usize {
    let count = |piece: Piece| position.pieces(piece).count() as usize;
    let phase =
        count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    phase.min(24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::Move;

    #[test]
    fn everything_is_counted() {
        let start = Position::default();
        let mut position = start.clone();
        let mut moves: Vec<(Move, i16)> = Vec::new();
        for (text, score) in
            [("e2e4", 30), ("d7d5", -20), ("e4d5", 1_500), ("d8d5", 0), ("f1b5", 31_995), ("c7c6", -19)]
        {
            let mv = position.parse_uci(text).expect("it is legal");
            moves.push((mv, score));
            position = position.after(mv);
        }
        let mut census = Census::default();
        let game = PackedGame { start, outcome: Outcome::Draw, moves };
        census.add(&game);
        census.add(&game);
        assert_eq!((census.games, census.positions, census.outcomes), (2, 12, [0, 2, 0]));
        assert_eq!((census.in_check, census.noisy, census.decisive, census.chess960), (2, 4, 2, 0));
        assert_eq!(census.duplicates(), 6);
        // 25 is the middle of 51 bins: 0, -19 and -20 belong to it.
        assert_eq!((census.scores[26], census.scores[25], census.scores[50]), (2, 6, 4));
        assert_eq!((census.pieces[32], census.pieces[31], census.pieces[30]), (6, 2, 4));
        assert_eq!((census.phases[24], census.lengths[0]), (12, 2));
        assert_eq!(census.charts().len(), 4);
    }
}
