//! The model of moves: the legal moves in the order of their likelihood, and for each whether it is the one.
//!
//! The order follows from the rules, from fixed piece values and from the moves coded before. It is a part of the format: a
//! change needs another version.

use rukh_chess::types::ByPiece;
use rukh_chess::{Color, Move, Piece, Position, Square};

use super::coder::{Bit, BitCoder};

/// Values of the pieces for static exchange evaluation, from pawn to king.
const VALUES: ByPiece<i32> = ByPiece([100, 320, 330, 500, 950, 0]);
/// Moves later in the order share the probabilities of this place.
const PLACES: usize = 24;
/// The bound of a history score.
const HISTORY_MAX: i32 = 4_096;

/// What kind of move it is; kinds have probabilities of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Recapture,
    GoodCapture,
    Promotion,
    Check,
    Castling,
    Quiet,
    QuietPawn,
    LosingQuiet,
    BadCapture,
    Underpromotion,
}

const KINDS: usize = Kind::Underpromotion as usize + 1;

impl Kind {
    fn of(position: &Position, mv: Move, last_to: Option<Square>) -> Self {
        let is_safe = || position.see_at_least(mv, 0, &VALUES);
        match mv.promotion() {
            Some(Piece::Queen) => return Self::Promotion,
            Some(_) => return Self::Underpromotion,
            None => {}
        }
        if mv.is_castling() {
            Self::Castling
        } else if mv.is_capture() {
            match is_safe() {
                true if last_to == Some(mv.to()) => Self::Recapture,
                true => Self::GoodCapture,
                false => Self::BadCapture,
            }
        } else if !is_safe() {
            Self::LosingQuiet
        } else if position.gives_check(mv) {
            Self::Check
        } else if position.piece_on(mv.from()) == Some(Piece::Pawn) {
            Self::QuietPawn
        } else {
            Self::Quiet
        }
    }

    /// Its score in the order before anything is learnt.
    fn score(self) -> i32 {
        match self {
            Self::Recapture => 9_000,
            Self::GoodCapture => 6_000,
            Self::Promotion => 5_000,
            Self::Castling => 1_500,
            Self::Check => 800,
            Self::Quiet | Self::QuietPawn => 0,
            Self::LosingQuiet | Self::BadCapture => -6_000,
            Self::Underpromotion => -12_000,
        }
    }
}

/// Scores of moves by side, piece and target: how often such a move was the one.
type History = [[[i16; Square::COUNT]; Piece::COUNT]; 2];

/// The model of moves.
pub(crate) struct MoveModel {
    places: Box<[[[Bit; KINDS]; PLACES]; 2]>,
    history: Box<History>,
    /// The same by the move before.
    continuation: Vec<History>,
}

/// A legal move in the order.
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    kind: Kind,
    piece: Piece,
    score: i32,
}

impl Default for MoveModel {
    fn default() -> Self {
        Self {
            places: Box::new([[[Bit::default(); KINDS]; PLACES]; 2]),
            history: Box::new([[[0; Square::COUNT]; Piece::COUNT]; 2]),
            continuation: vec![[[[0; Square::COUNT]; Piece::COUNT]; 2]; Piece::COUNT * Square::COUNT],
        }
    }
}

/// The move before: its piece and target.
pub(crate) type Last = Option<(Piece, Square)>;

impl MoveModel {
    /// Codes a move of a position; none where there is no legal one.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        position: &Position,
        last: Last,
        mv: Option<Move>,
    ) -> Option<Move> {
        let candidates = self.candidates(position, last);
        let (final_one, others) = candidates.split_last()?;
        let in_check = usize::from(position.is_check());
        let at = others.iter().enumerate().position(|(place, candidate)| {
            let model = &mut self.places[in_check][place.min(PLACES - 1)][candidate.kind as usize];
            coder.bit(model, mv == Some(candidate.mv))
        });
        let at = at.unwrap_or(others.len());
        let chosen = candidates.get(at).unwrap_or(final_one).mv;
        self.learn(position.side_to_move(), &candidates, at, last);
        Some(chosen)
    }

    /// The legal moves, the most likely first.
    pub(crate) fn candidates(&self, position: &Position, last: Last) -> Vec<Candidate> {
        let side = position.side_to_move();
        let last_to = last.map(|(_, to)| to);
        let candidate = |&mv: &Move| {
            let piece = position.piece_on(mv.from()).expect("a legal move moves a piece");
            let kind = Kind::of(position, mv, last_to);
            let taken = position.captured_by(mv).map_or(0, |taken| VALUES[taken]);
            let learnt = |history: &History| i32::from(history[side.index()][piece.index()][mv.to().index()]);
            let continued = last.map_or(0, |last| learnt(&self.continuation[index_of(last)]));
            let is_attacked = |square: Square, by: Color| attacked_by_less(position, square, piece, by);
            let flees = if is_attacked(mv.from(), !side) { 2_500 } else { 0 };
            let score =
                kind.score() + 4 * taken - VALUES[piece] / 16 + flees + learnt(&self.history) + 2 * continued;
            Candidate { mv, kind, piece, score }
        };
        let mut candidates: Vec<Candidate> = position.legal_moves().iter().map(candidate).collect();
        candidates.sort_by_key(|candidate| (-candidate.score, candidate.mv.bits()));
        candidates
    }

    /// The chosen move gains, those before it lose.
    pub(crate) fn learn(&mut self, side: Color, candidates: &[Candidate], chosen: usize, last: Last) {
        for (place, candidate) in candidates[..=chosen].iter().enumerate() {
            let goal = if place == chosen { HISTORY_MAX } else { -HISTORY_MAX };
            let part = if place == chosen { 16 } else { 64 };
            let update = |history: &mut History| {
                let score = &mut history[side.index()][candidate.piece.index()][candidate.mv.to().index()];
                *score += ((goal - i32::from(*score)) / part) as i16;
            };
            update(&mut self.history);
            if let Some(last) = last {
                update(&mut self.continuation[index_of(last)]);
            }
        }
    }
}

fn index_of((piece, square): (Piece, Square)) -> usize {
    piece.index() * Square::COUNT + square.index()
}

/// Whether a piece on `square` is attacked by one of less value.
fn attacked_by_less(position: &Position, square: Square, piece: Piece, by: Color) -> bool {
    let attackers = position.attackers_to(square, position.occupied()) & position.color(by);
    attackers
        .into_iter()
        .any(|from| position.piece_on(from).is_some_and(|other| VALUES[other] + 50 < VALUES[piece]))
}
