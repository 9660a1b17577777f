//! Mailbox move generation: a board of 10 by 12 squares, as engines of the 1970s and 1980s had it.
//!
//! It has no bitboards and no tables. Moves are pseudo-legal; a move that leaves the king attacked is taken back. Only
//! standard chess is supported, not Chess960.

use rukh_chess::types::Wing;
use rukh_chess::{Color, Piece, Position, Square};

// ANCHOR: board
/// A square outside the board: the border that stops every ray.
const BORDER: i8 = i8::MAX;

/// The board: 0 for an empty square, 1 to 6 for white pawn to king, negative for Black.
#[derive(Clone, Copy, Debug)]
pub struct Mailbox {
    squares: [i8; 120],
    /// 1 for White, -1 for Black.
    side: i8,
    kings: [usize; 2],
    /// Rights to castle: White king's and queen's wing, Black king's and queen's wing.
    castling: [bool; 4],
    en_passant: usize,
}

/// The index of a square: ten columns, two border rows below, one border column on either side.
fn index(square: Square) -> usize {
    21 + square.file().index() + 10 * square.rank().index()
}
// ANCHOR_END: board

const PAWN: i8 = 1;
const KING: i8 = 6;
const ROOK: i8 = 4;
const KNIGHT_STEPS: &[isize] = &[-21, -19, -12, -8, 8, 12, 19, 21];
const BISHOP_STEPS: &[isize] = &[-11, -9, 9, 11];
const ROOK_STEPS: &[isize] = &[-10, -1, 1, 10];
const QUEEN_STEPS: &[isize] = &[-11, -10, -9, -1, 1, 9, 10, 11];

/// A pseudo-legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    from: usize,
    to: usize,
    /// The piece that a pawn becomes; 0 for none.
    promotion: i8,
}

fn moved(square: usize, step: isize) -> usize {
    square.wrapping_add_signed(step)
}

impl Mailbox {
    /// The board of a position of standard chess.
    pub fn new(position: &Position) -> Self {
        let mut board = Self {
            squares: [BORDER; 120],
            side: if position.side_to_move() == Color::White { 1 } else { -1 },
            kings: [Color::White, Color::Black].map(|color| index(position.king(color))),
            castling: [false; 4],
            en_passant: position.en_passant().map_or(0, index),
        };
        for square in Square::ALL {
            let kind = position.piece_on(square).map_or(0, |piece| piece as i8 + 1);
            let is_black = position.color_on(square) == Some(Color::Black);
            board.squares[index(square)] = if is_black { -kind } else { kind };
        }
        let rights = [Color::White, Color::Black].into_iter().flat_map(|color| {
            [Wing::King, Wing::Queen]
                .map(|wing| position.castling().rook(color, wing, position.king(color)).is_some())
        });
        for (right, has) in board.castling.iter_mut().zip(rights) {
            *right = has;
        }
        board
    }

    /// The number of leaf nodes at a depth.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::with_capacity(64);
        self.generate(&mut moves);
        let children = moves.into_iter().filter_map(|step| self.after(step));
        children.map(|child| child.perft(depth - 1)).sum()
    }

    // ANCHOR: bulk
    /// Counts the pseudo-legal moves of the last ply in bulk. That is an error: moves that leave the king attacked are counted
    /// too. It shows what [perft](Self::perft) finds.
    pub fn perft_in_bulk(&self, depth: u32) -> u64 {
        let mut moves = Vec::with_capacity(64);
        self.generate(&mut moves);
        if depth <= 1 {
            return moves.len() as u64;
        }
        let children = moves.into_iter().filter_map(|step| self.after(step));
        children.map(|child| child.perft_in_bulk(depth - 1)).sum()
    }
    // ANCHOR_END: bulk

    // ANCHOR: generate
    /// Adds the pseudo-legal moves.
    fn generate(&self, moves: &mut Vec<Step>) {
        for from in 21..99 {
            let piece = self.squares[from];
            if piece == BORDER || piece.signum() != self.side {
                continue;
            }
            match piece.abs() {
                PAWN => self.pawn(from, moves),
                2 => self.leap(from, KNIGHT_STEPS, moves),
                3 => self.slide(from, BISHOP_STEPS, moves),
                ROOK => self.slide(from, ROOK_STEPS, moves),
                5 => self.slide(from, QUEEN_STEPS, moves),
                _ => {
                    self.leap(from, QUEEN_STEPS, moves);
                    self.castle(from, moves);
                }
            }
        }
    }

    fn slide(&self, from: usize, steps: &[isize], moves: &mut Vec<Step>) {
        for &step in steps {
            let mut to = moved(from, step);
            while self.squares[to] == 0 {
                moves.push(Step { from, to, promotion: 0 });
                to = moved(to, step);
            }
            if self.is_enemy(to) {
                moves.push(Step { from, to, promotion: 0 });
            }
        }
    }
    // ANCHOR_END: generate

    fn leap(&self, from: usize, steps: &[isize], moves: &mut Vec<Step>) {
        let targets = steps.iter().map(|&step| moved(from, step));
        let free = targets.filter(|&to| self.squares[to] == 0 || self.is_enemy(to));
        moves.extend(free.map(|to| Step { from, to, promotion: 0 }));
    }

    fn pawn(&self, from: usize, moves: &mut Vec<Step>) {
        let ahead = 10 * isize::from(self.side);
        let mut add = |to: usize| {
            let is_last = !(29..=90).contains(&to);
            let promotions: &[i8] = if is_last { &[2, 3, 4, 5] } else { &[0] };
            moves.extend(promotions.iter().map(|&promotion| Step { from, to, promotion }));
        };
        for to in [moved(from, ahead - 1), moved(from, ahead + 1)] {
            if self.is_enemy(to) || (to == self.en_passant && self.squares[to] == 0) {
                add(to);
            }
        }
        let one = moved(from, ahead);
        if self.squares[one] == 0 {
            add(one);
            let is_home = if self.side > 0 { from < 39 } else { from > 80 };
            let two = moved(one, ahead);
            if is_home && self.squares[two] == 0 {
                add(two);
            }
        }
    }

    fn castle(&self, from: usize, moves: &mut Vec<Step>) {
        let rights = if self.side > 0 { &self.castling[..2] } else { &self.castling[2..] };
        let is_empty = |squares: &[usize]| squares.iter().all(|&square| self.squares[square] == 0);
        let is_safe = |squares: &[usize]| squares.iter().all(|&square| !self.is_attacked(square, -self.side));
        if rights[0] && is_empty(&[from + 1, from + 2]) && is_safe(&[from, from + 1]) {
            moves.push(Step { from, to: from + 2, promotion: 0 });
        }
        if rights[1] && is_empty(&[from - 1, from - 2, from - 3]) && is_safe(&[from, from - 1]) {
            moves.push(Step { from, to: from - 2, promotion: 0 });
        }
    }

    fn is_enemy(&self, square: usize) -> bool {
        let piece = self.squares[square];
        piece != BORDER && piece.signum() == -self.side
    }

    // ANCHOR: is_attacked
    /// Whether `side` attacks a square: looks from the square as each kind of piece would.
    fn is_attacked(&self, square: usize, side: i8) -> bool {
        let has = |step: isize, kind: i8| self.squares[moved(square, step)] == kind * side;
        let behind = -10 * isize::from(side);
        if has(behind - 1, PAWN) || has(behind + 1, PAWN) {
            return true;
        }
        if KNIGHT_STEPS.iter().any(|&step| has(step, 2)) || QUEEN_STEPS.iter().any(|&step| has(step, KING)) {
            return true;
        }
        let slides = |steps: &[isize], kind: i8| {
            steps.iter().any(|&step| {
                let mut to = moved(square, step);
                while self.squares[to] == 0 {
                    to = moved(to, step);
                }
                self.squares[to] == kind * side || self.squares[to] == 5 * side
            })
        };
        slides(BISHOP_STEPS, 3) || slides(ROOK_STEPS, ROOK)
    }
    // ANCHOR_END: is_attacked

    /// The board after a move; `None` if the king is left attacked.
    fn after(&self, step: Step) -> Option<Self> {
        let mut board = *self;
        let Step { from, to, promotion } = step;
        let piece = board.squares[from];
        board.squares[from] = 0;
        board.squares[to] = if promotion > 0 { promotion * self.side } else { piece };
        board.en_passant = 0;
        match piece.abs() {
            PAWN if to == self.en_passant => board.squares[moved(to, -10 * isize::from(self.side))] = 0,
            PAWN if from.abs_diff(to) == 20 => board.en_passant = usize::midpoint(from, to),
            KING => {
                board.kings[usize::from(self.side < 0)] = to;
                if from.abs_diff(to) == 2 {
                    let (rook, target) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
                    board.squares[target] = board.squares[rook];
                    board.squares[rook] = 0;
                }
            }
            _ => {}
        }
        for square in [from, to] {
            let lost: &[usize] = match square {
                25 => &[0, 1],
                28 => &[0],
                21 => &[1],
                95 => &[2, 3],
                98 => &[2],
                91 => &[3],
                _ => &[],
            };
            lost.iter().for_each(|&right| board.castling[right] = false);
        }
        let king = board.kings[usize::from(self.side < 0)];
        if board.is_attacked(king, -self.side) {
            return None;
        }
        board.side = -self.side;
        Some(board)
    }
}

const _: () = assert!(Piece::Pawn as i8 + 1 == PAWN && Piece::King as i8 + 1 == KING);

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::perft;

    #[test]
    fn counts_equal_those_of_the_bitboards() {
        for (fen, depth) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", 4),
        ] {
            let position: Position = fen.parse().expect("the positions are valid");
            assert_eq!(Mailbox::new(&position).perft(depth), perft::perft(&position, depth), "{fen}");
        }
    }
}
