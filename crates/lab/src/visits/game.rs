//! A game with visit distributions, and what must be true of one.

use rukh_chess::game::{Game, Outcome};
use rukh_chess::{Color, Move, Position};

/// A distribution over moves, and WDL, is counted in so many parts.
pub const UNITS: u8 = u8::MAX;
/// No game is longer.
pub(super) const LONGEST: usize = 20_000;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules.
    Rules,
    /// A side resigned.
    Resignation,
    /// It had the greatest number of plies: a draw.
    Length,
}

/// One move of a game, with what its search has learnt about the position before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisitPly {
    /// The move that was played.
    pub mv: Move,
    /// The policy target: the moves that have a part of it, in the order of the legal moves, with their parts. The parts add up
    /// to [`UNITS`].
    pub policy: Vec<(Move, u8)>,
    /// The probability to win of the side to move, in parts of [`UNITS`].
    pub win: u8,
    /// The probability to lose, likewise.
    pub loss: u8,
    /// Whether the move was drawn from the distribution by temperature.
    pub is_sampled: bool,
    /// Whether the search proved the result.
    pub is_proven: bool,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisitGame {
    /// The start position.
    pub start: Position,
    /// The result.
    pub outcome: Outcome,
    /// Why it ended.
    pub end: End,
    /// Whether nobody could resign.
    pub plays_on: bool,
    /// The moves.
    pub plies: Vec<VisitPly>,
}

/// When a side resigns: its expected score stays below a threshold for a number of its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Resignation {
    /// The expected score, from 0 to 1.
    pub below: f64,
    /// Moves in a row.
    pub moves: u32,
}

impl VisitPly {
    /// The expected score of the side to move, from 0 to 1.
    pub fn expected_score(&self) -> f64 {
        let units = f64::from(UNITS);
        (units + f64::from(self.win) - f64::from(self.loss)) / (2.0 * units)
    }

    /// The move with the greatest part of the policy, the first of several.
    pub fn best(&self) -> Option<Move> {
        let greatest = self.policy.iter().map(|&(_, part)| part).max()?;
        self.policy.iter().find(|&&(_, part)| part == greatest).map(|&(mv, _)| mv)
    }
}

impl VisitGame {
    /// The positions before each move, with the move and what is known.
    pub fn positions(&self) -> impl Iterator<Item = (Position, &VisitPly)> {
        self.plies.iter().scan(self.start.clone(), |position, ply| {
            let before = position.clone();
            *position = before.after(ply.mv);
            Some((before, ply))
        })
    }

    /// The first side that would resign, and the number of plies played by then.
    pub(crate) fn resigner(&self, rule: Resignation) -> Option<(Color, usize)> {
        let first = self.start.side_to_move();
        let mut in_a_row = [0; 2];
        for (number, ply) in self.plies.iter().enumerate() {
            let count = &mut in_a_row[number % 2];
            *count = if ply.expected_score() < rule.below { *count + 1 } else { 0 };
            if *count >= rule.moves {
                return Some((if number % 2 == 0 { first } else { !first }, number + 1));
            }
        }
        None
    }

    /// Checks everything that the rules of chess and of the format ask for; else what is wrong.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut game = Game::new(self.start.clone());
        for (number, ply) in self.plies.iter().enumerate() {
            let fault = |what: &str| Err(format!("ply {}: {what}", number + 1));
            if game.ending().is_some() {
                return fault("the game is over before it");
            }
            let legal = game.position().legal_moves();
            let mut places = ply.policy.iter().map(|&(mv, _)| legal.iter().position(|&other| other == mv));
            let mut last = None;
            if !places.all(|place| std::mem::replace(&mut last, place) < place) {
                return fault("a move of the distribution is not legal or not in its place");
            }
            let parts = || ply.policy.iter().map(|&(_, part)| part);
            if parts().any(|part| part == 0) || parts().map(u32::from).sum::<u32>() != u32::from(UNITS) {
                return fault("the distribution does not add up");
            }
            if u32::from(ply.win) + u32::from(ply.loss) > u32::from(UNITS) {
                return fault("the probabilities to win and to lose add up to more than 1");
            }
            if game.play(ply.mv).is_err() {
                return fault("the move is not legal");
            }
        }
        self.check_end(&game)
    }

    fn check_end(&self, game: &Game) -> Result<(), String> {
        let is_right = match (self.end, game.ending()) {
            (End::Rules, Some(ending)) => ending.outcome() == self.outcome,
            (End::Resignation, None) => {
                !self.plays_on && self.outcome == Outcome::Win(game.position().side_to_move())
            }
            (End::Length, None) => self.outcome == Outcome::Draw,
            _ => false,
        };
        let has_moves = !self.plies.is_empty() && self.plies.len() <= LONGEST;
        if is_right && has_moves { Ok(()) } else { Err("its result is not that of its end".to_owned()) }
    }
}

/// A distribution in parts of [`UNITS`], which they add up to: the largest remainders are rounded up.
pub(super) fn in_parts(shares: &[f64]) -> Vec<u8> {
    let exact: Vec<f64> = shares.iter().map(|share| share * f64::from(UNITS)).collect();
    let mut parts: Vec<u8> = exact.iter().map(|exact| exact.floor() as u8).collect();
    let given: u32 = parts.iter().map(|&part| u32::from(part)).sum();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&one, &other| exact[other].fract().total_cmp(&exact[one].fract()).then(one.cmp(&other)));
    let missing = u32::from(UNITS).saturating_sub(given) as usize;
    order.into_iter().cycle().take(missing).for_each(|at| parts[at] += 1);
    parts
}
