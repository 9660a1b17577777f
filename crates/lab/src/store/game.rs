//! The model of a game: start position, result, moves and scores. How the bits are stored is not known here.

use rukh_chess::Square;

use super::coder::{Bit, BitCoder};
use super::moves::{Last, MoveModel};
use super::numbers::{Number, Signed, Symbol};
use crate::packed::{BOARD_BYTES, NO_SCORE, PackedError, PackedGame, pack_board, unpack_board};

/// The code of an empty square; the others are those of the packed board.
const EMPTY: u8 = 7;
/// Where a packed board has its other fields: side to move and en-passant square, halfmove clock, fullmove number (two bytes), and
/// the result.
const FIELDS: [usize; 5] = [24, 25, 26, 27, 30];
/// No game is longer: the rules end it before.
const LONGEST: u32 = 20_000;
/// Classes of the size of a change of the score.
const CLASSES: usize = 6;

/// All that is learnt from games. It starts anew with every block of a file.
pub(super) struct GameModel {
    squares: Vec<Symbol<4>>,
    fields: [Symbol<8>; FIELDS.len()],
    length: Number,
    moves: MoveModel,
    has_score: [Bit; 2],
    /// By the class of the last change and by that of the expected score.
    changes: Vec<Signed>,
}

impl Default for GameModel {
    fn default() -> Self {
        Self {
            squares: vec![Symbol::default(); Square::COUNT],
            fields: Default::default(),
            length: Number::default(),
            moves: MoveModel::default(),
            has_score: Default::default(),
            changes: vec![Signed::default(); CLASSES * CLASSES],
        }
    }
}

impl GameModel {
    /// Codes a game: an encoder is given the game, a decoder finds it.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        game: Option<&PackedGame>,
    ) -> Result<PackedGame, PackedError> {
        let board = game.map(|game| pack_board(&game.start, game.outcome));
        let (start, outcome) = unpack_board(&self.code_board(coder, &board.unwrap_or_default()))?;
        let length = self.length.code(coder, game.map_or(0, |game| game.moves.len() as u32));
        if length > LONGEST {
            return Err(PackedError::CutShort);
        }
        let mut found = PackedGame { start: start.clone(), outcome, moves: Vec::new() };
        let (mut position, mut last, mut scores) = (start, Last::None, Scores::default());
        for ply in 0..length as usize {
            let (mv, score) = game.map_or((None, 0), |game| (Some(game.moves[ply].0), game.moves[ply].1));
            let mv = self.moves.code(coder, &position, last, mv);
            let mv = mv.ok_or(PackedError::IllegalMove(ply + 1, 0))?;
            let score = self.code_score(coder, &mut scores, score);
            found.moves.push((mv, score));
            last = position.piece_on(mv.from()).map(|piece| (piece, mv.to()));
            position = position.after(mv);
        }
        Ok(found)
    }

    fn code_board(&mut self, coder: &mut impl BitCoder, board: &[u8; BOARD_BYTES]) -> [u8; BOARD_BYTES] {
        let mut found = [0; BOARD_BYTES];
        let (mut known_pieces, mut found_pieces) = (0, 0);
        for (square, model) in self.squares.iter_mut().enumerate() {
            let is_occupied = board[square / 8] >> (square % 8) & 1 == 1;
            let mut code = EMPTY;
            if is_occupied {
                code = board[8 + known_pieces / 2] >> (4 * (known_pieces % 2)) & 15;
                known_pieces += 1;
            }
            let code = model.code(coder, u32::from(code)) as u8;
            // A board has at most 32 pieces; more are nonsense that the position refuses.
            if code != EMPTY && found_pieces < 32 {
                found[square / 8] |= 1 << (square % 8);
                found[8 + found_pieces / 2] |= code << (4 * (found_pieces % 2));
                found_pieces += 1;
            }
        }
        for (place, model) in FIELDS.into_iter().zip(&mut self.fields) {
            found[place] = model.code(coder, u32::from(board[place])) as u8;
        }
        found
    }

    fn code_score(&mut self, coder: &mut impl BitCoder, scores: &mut Scores, score: i16) -> i16 {
        let model = &mut self.has_score[usize::from(scores.was_scored)];
        scores.was_scored = coder.bit(model, score != NO_SCORE);
        if !scores.was_scored {
            return NO_SCORE;
        }
        let expected = scores.expected();
        let class = CLASSES * class_of(scores.change / 4) + class_of(expected / 64);
        let change = self.changes[class].code(coder, i32::from(score) - expected);
        // Only a damaged file leaves the range.
        let score = (expected + change).clamp(i16::MIN.into(), i32::from(NO_SCORE) - 1);
        *scores = Scores { was_scored: true, change, last: [score, scores.last[0]] };
        score as i16
    }
}

/// The scores of a game so far, for White.
#[derive(Default)]
struct Scores {
    /// The last two, the last one first.
    last: [i32; 2],
    /// The last difference from what was expected.
    change: i32,
    was_scored: bool,
}

impl Scores {
    /// Between the last two: the side to move is a little too optimistic in each.
    fn expected(&self) -> i32 {
        (self.last[0] + self.last[1]) / 2
    }
}

/// The class of a number by its size: 0, 1, 2 to 3, 4 to 7, and so on.
fn class_of(number: i32) -> usize {
    ((u32::BITS - number.unsigned_abs().leading_zeros()) as usize).min(CLASSES - 1)
}
