//! The legal move generator, with check and pin masks: its moves need no legality test.
//!
//! The generator is compiled for each colour, stage and sink, in check and not in check. It works on sets: all pawns move
//! at once, and a sink can count a set without listing it.

use super::sink::{MoveCount, MoveList, MoveSink};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Black, Color, Move, MoveKind, Piece, Rank, Side, Square, White, Wing};

/// A stage: which moves are generated.
pub trait Stage {
    /// Whether captures and promotions are generated.
    const NOISY: bool;
    /// Whether all other moves are generated.
    const QUIET: bool;
}

/// All legal moves.
#[derive(Clone, Copy, Debug)]
pub enum All {}

/// Captures and promotions.
#[derive(Clone, Copy, Debug)]
pub enum Noisy {}

/// Moves that are neither captures nor promotions.
#[derive(Clone, Copy, Debug)]
pub enum Quiet {}

impl Stage for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

// ANCHOR: generate
/// Sends the legal moves of the side to move, which must be `Us`, to `sink`.
#[inline]
pub(crate) fn generate<Us: Side, S: Stage>(position: &Position, sink: &mut impl MoveSink) {
    let masks = Masks::new::<Us>(position);
    let checkers = position.checkers();
    if checkers.is_empty() {
        masks.piece_moves::<Us, S, false>(Bitboard::FULL, sink);
        masks.king::<Us, S, false>(sink);
    } else {
        if !checkers.has_many() {
            let checker = Square::from_low_bits(checkers.0.trailing_zeros() as u8);
            masks.piece_moves::<Us, S, true>(checkers | attacks::between(masks.king, checker), sink);
        }
        masks.king::<Us, S, true>(sink);
    }
}
// ANCHOR_END: generate

/// The bitboards that all parts of the generator share.
pub(super) struct Masks<'a> {
    position: &'a Position,
    king: Square,
    own: Bitboard,
    enemies: Bitboard,
    occupied: Bitboard,
}

/// The pawn steps of one colour, in the numbering of squares.
struct PawnSteps {
    up: i8,
    west: i8,
    east: i8,
}

const fn pawn_steps(color: Color) -> PawnSteps {
    match color {
        Color::White => PawnSteps { up: 8, west: 7, east: 9 },
        Color::Black => PawnSteps { up: -8, west: -9, east: -7 },
    }
}

impl<'a> Masks<'a> {
    #[inline]
    pub(super) fn new<Us: Side>(position: &'a Position) -> Self {
        let own = position.color(Us::COLOR);
        let enemies = position.color(Us::Them::COLOR);
        Self { position, king: position.king(Us::COLOR), own, enemies, occupied: own | enemies }
    }

    /// The target squares of the stage, for all pieces except pawns.
    #[inline]
    fn stage_targets<S: Stage>(&self) -> Bitboard {
        match (S::NOISY, S::QUIET) {
            (true, true) => !self.own,
            (true, false) => self.enemies,
            (false, true) => !self.occupied,
            (false, false) => Bitboard::EMPTY,
        }
    }

    /// The moves of all pieces except the king. In check, `mask` has the squares that end the check: the checker and the
    /// squares between it and the king.
    #[inline]
    fn piece_moves<Us: Side, S: Stage, const CHECK: bool>(&self, mask: Bitboard, sink: &mut impl MoveSink) {
        self.pawns::<Us, S, CHECK>(mask, sink);
        let pins = self.position.pins();
        let targets = self.stage_targets::<S>() & mask;

        for from in self.position.colored_pieces(Us::COLOR, Piece::Knight) & !pins.all() {
            sink.piece_moves(from, attacks::knight(from) & targets, self.enemies);
        }

        let diagonal = self.position.diagonal_sliders(Us::COLOR) & !pins.orthogonal;
        for from in diagonal & !pins.diagonal {
            sink.piece_moves(from, attacks::bishop(from, self.occupied) & targets, self.enemies);
        }
        let orthogonal = self.position.orthogonal_sliders(Us::COLOR) & !pins.diagonal;
        for from in orthogonal & !pins.orthogonal {
            sink.piece_moves(from, attacks::rook(from, self.occupied) & targets, self.enemies);
        }

        // A pinned piece cannot end a check: its pin line and the line of the check meet only at the king.
        if !CHECK {
            for from in diagonal & pins.diagonal {
                let line = targets & pins.diagonal;
                sink.piece_moves(from, attacks::bishop(from, self.occupied) & line, self.enemies);
            }
            for from in orthogonal & pins.orthogonal {
                let line = targets & pins.orthogonal;
                sink.piece_moves(from, attacks::rook(from, self.occupied) & line, self.enemies);
            }
        }
    }

    #[inline]
    fn pawns<Us: Side, S: Stage, const CHECK: bool>(&self, mask: Bitboard, sink: &mut impl MoveSink) {
        let steps = const { pawn_steps(Us::COLOR) };
        let last_rank = Bitboard::back_rank(Us::Them::COLOR);
        let third_rank = Bitboard::rank(Rank::Third.relative_to(Us::COLOR));
        let pins = self.position.pins();
        let pawns = self.position.colored_pieces(Us::COLOR, Piece::Pawn);
        let free = pawns & !pins.all();
        // The targets of pawns with `step`: anywhere if not pinned, along the pin line otherwise.
        let arrivals = |step: i8, pin_lines: Bitboard| {
            let pinned = if CHECK { Bitboard::EMPTY } else { (pawns & pin_lines).shifted(step) & pin_lines };
            free.shifted(step) | pinned
        };

        let pushes = arrivals(steps.up, pins.orthogonal) & !self.occupied;
        if S::QUIET {
            let double_pushes = (pushes & third_rank).shifted(steps.up) & !self.occupied & mask;
            sink.pawn_moves(pushes & mask & !last_rank, steps.up, MoveKind::Quiet);
            sink.pawn_moves(double_pushes, 2 * steps.up, MoveKind::DoublePush);
        }
        if S::NOISY {
            sink.promotions(pushes & mask & last_rank, steps.up, false);
            for step in [steps.west, steps.east] {
                let captures = arrivals(step, pins.diagonal) & self.enemies & mask;
                sink.pawn_moves(captures & !last_rank, step, MoveKind::Capture);
                sink.promotions(captures & last_rank, step, true);
            }
            if let Some(target) = self.position.en_passant() {
                for from in self.position.en_passant_capturers(target) {
                    sink.single(Move::new(from, target, MoveKind::EnPassant));
                }
            }
        }
    }

    #[inline]
    fn king<Us: Side, S: Stage, const CHECK: bool>(&self, sink: &mut impl MoveSink) {
        let danger = self.danger::<Us>();
        let targets = attacks::king(self.king) & self.stage_targets::<S>() & !danger;
        sink.piece_moves(self.king, targets, self.enemies);
        if S::QUIET && !CHECK {
            for rook in self.position.castling().rooks_of(Us::COLOR) {
                if self.is_castling_free_and_safe::<Us>(rook, danger) {
                    let kind = match Wing::of_rook(self.king, rook) {
                        Wing::King => MoveKind::CastleKingSide,
                        Wing::Queen => MoveKind::CastleQueenSide,
                    };
                    sink.single(Move::new(self.king, rook, kind));
                }
            }
        }
    }

    /// The squares attacked by the opponent, with the king removed from the occupancy.
    #[inline]
    fn danger<Us: Side>(&self) -> Bitboard {
        let them = Us::Them::COLOR;
        let occupied = self.occupied ^ Bitboard::of(self.king);
        let mut danger = self.position.colored_pieces(them, Piece::Pawn).pawn_attacks(them)
            | self.position.colored_pieces(them, Piece::Knight).knight_attacks()
            | attacks::king(self.position.king(them));
        for from in self.position.diagonal_sliders(them) {
            danger |= attacks::bishop(from, occupied);
        }
        for from in self.position.orthogonal_sliders(them) {
            danger |= attacks::rook(from, occupied);
        }
        danger
    }

    /// Whether the king, which is not in check, can castle with `rook`, which has the right.
    pub(super) fn can_castle<Us: Side>(&self, rook: Square) -> bool {
        self.is_castling_free_and_safe::<Us>(rook, self.danger::<Us>())
    }

    /// Whether the paths of king and rook are free and the path of the king is not attacked.
    ///
    /// A pinned rook cannot castle: in Chess960 it may block an attack on the target square of the king.
    #[inline]
    fn is_castling_free_and_safe<Us: Side>(&self, rook: Square, danger: Bitboard) -> bool {
        let wing = Wing::of_rook(self.king, rook);
        let (king_target, rook_target) = (wing.king_target(Us::COLOR), wing.rook_target(Us::COLOR));
        let king_path = attacks::between(self.king, king_target) | Bitboard::of(king_target);
        let rook_path = attacks::between(rook, rook_target) | Bitboard::of(rook_target);
        let others = self.occupied ^ Bitboard::of(self.king) ^ Bitboard::of(rook);

        let is_free = !others.intersects(king_path | rook_path);
        let is_safe = !danger.intersects(king_path) && !self.position.pins().orthogonal.contains(rook);
        is_free && is_safe
    }
}

impl Position {
    /// Sends the legal moves of stage `S` to `sink`.
    #[inline]
    pub fn generate<S: Stage>(&self, sink: &mut impl MoveSink) {
        match self.side_to_move() {
            Color::White => generate::<White, S>(self, sink),
            Color::Black => generate::<Black, S>(self, sink),
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<All>(&mut moves);
        moves
    }

    /// The number of legal moves.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = MoveCount(0);
        self.generate::<All>(&mut count);
        count.0
    }
}
