//! King and pawn against king, exactly: one bit for each position, found by retrograde analysis at first use.
//!
//! It knows the moves of kings and pawns by itself and nothing of evaluation.

use std::sync::LazyLock;

use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Square, attacks};

/// Pawns stand on the files a to d, the other wing being the mirror image, and on the ranks two to seven.
const PAWN_FILES: usize = File::COUNT / 2;
const PAWN_SQUARES: usize = PAWN_FILES * (Rank::COUNT - 2);
const POSITIONS: usize = Color::COUNT * PAWN_SQUARES * Square::COUNT * Square::COUNT;

/// The positions that the side with the pawn wins.
struct Bitbase {
    wins: Box<[u64]>,
}

static BITBASE: LazyLock<Bitbase> = LazyLock::new(Bitbase::solve);

/// A position as White with the pawn sees it, the pawn on the files a to d.
#[derive(Clone, Copy)]
struct Trio {
    king: Square,
    pawn: Square,
    enemy: Square,
    to_move: Color,
}

/// What is known of a position while it is being solved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Illegal,
    Unknown,
    Draw,
    Win,
}

impl Trio {
    /// The position as the table numbers it, mirrored if need be.
    const fn index(self) -> usize {
        let Self { king, pawn, enemy, to_move } =
            if self.pawn.file().index() >= PAWN_FILES { self.mirrored() } else { self };
        let pawn = (pawn.rank().index() - 1) * PAWN_FILES + pawn.file().index();
        ((to_move.index() * PAWN_SQUARES + pawn) * Square::COUNT + king.index()) * Square::COUNT
            + enemy.index()
    }

    const fn mirrored(self) -> Self {
        Self {
            king: self.king.flip_file(),
            pawn: self.pawn.flip_file(),
            enemy: self.enemy.flip_file(),
            to_move: self.to_move,
        }
    }

    fn from_index(index: usize) -> Self {
        let square = |number: usize| Square::ALL[number % Square::COUNT];
        let pawn = index / (Square::COUNT * Square::COUNT) % PAWN_SQUARES;
        let file = File::ALL[pawn % PAWN_FILES];
        let is_white = index < POSITIONS / Color::COUNT;
        Self {
            king: square(index / Square::COUNT),
            pawn: Square::new(file, Rank::ALL[pawn / PAWN_FILES + 1]),
            enemy: square(index),
            to_move: if is_white { Color::White } else { Color::Black },
        }
    }

    fn stop(self) -> Square {
        self.pawn.offset(0, 1).expect("a pawn stands below the last rank")
    }

    /// The squares the lone king may not enter, the pawn aside.
    fn forbidden(self) -> Bitboard {
        attacks::king(self.king) | attacks::pawn(Color::White, self.pawn)
    }

    /// What is clear without looking at any move but the next.
    fn at_once(self) -> Known {
        let men = Bitboard::of(self.king) | Bitboard::of(self.pawn) | Bitboard::of(self.enemy);
        let can_take_king =
            self.to_move == Color::White && attacks::pawn(Color::White, self.pawn).contains(self.enemy);
        if men.count() < 3 || attacks::king(self.king).contains(self.enemy) || can_take_king {
            return Known::Illegal;
        }
        match self.to_move {
            Color::White if self.queens_safely() => Known::Win,
            Color::Black if self.takes_or_is_stalemated() => Known::Draw,
            _ => Known::Unknown,
        }
    }

    /// Whether the pawn becomes a queen or rook that the lone king cannot take.
    fn queens_safely(self) -> bool {
        let stop = self.stop();
        stop.rank() == Rank::Eighth
            && stop != self.king
            && stop != self.enemy
            && (!attacks::king(self.enemy).contains(stop) || attacks::king(self.king).contains(stop))
    }

    fn takes_or_is_stalemated(self) -> bool {
        let steps = attacks::king(self.enemy);
        let takes = steps.contains(self.pawn) && !attacks::king(self.king).contains(self.pawn);
        let is_check = attacks::pawn(Color::White, self.pawn).contains(self.enemy);
        let has_move = !steps.is_subset_of(self.forbidden() | Bitboard::of(self.pawn));
        takes || !has_move && !is_check
    }

    /// The positions after every move that leaves king, pawn and king.
    fn successors(self) -> impl Iterator<Item = Self> {
        let is_white = self.to_move == Color::White;
        let to_move = !self.to_move;
        let pawn = Bitboard::of(self.pawn);
        let king_steps = if is_white {
            attacks::king(self.king) & !pawn & !attacks::king(self.enemy)
        } else {
            Bitboard::EMPTY
        };
        let enemy_steps =
            if is_white { Bitboard::EMPTY } else { attacks::king(self.enemy) & !pawn & !self.forbidden() };
        let kings = king_steps.into_iter().map(move |king| Self { king, to_move, ..self });
        let enemies = enemy_steps.into_iter().map(move |enemy| Self { enemy, to_move, ..self });
        let pushes = if is_white { self.pushes() } else { [None, None] };
        let pushes = pushes.into_iter().flatten().map(move |pawn| Self { pawn, to_move, ..self });
        kings.chain(enemies).chain(pushes)
    }

    /// Where the pawn can advance to short of the last rank.
    fn pushes(self) -> [Option<Square>; 2] {
        let is_free = |square: &Square| *square != self.king && *square != self.enemy;
        let once = Some(self.stop()).filter(is_free).filter(|square| square.rank() != Rank::Eighth);
        let twice = once
            .filter(|_| self.pawn.rank() == Rank::Second)
            .and_then(|square| square.offset(0, 1))
            .filter(is_free);
        [once, twice]
    }

    /// The verdict from those of the positions that follow.
    fn judged(self, known: &[Known]) -> Known {
        let (good, other) = match self.to_move {
            Color::White => (Known::Win, Known::Draw),
            Color::Black => (Known::Draw, Known::Win),
        };
        let mut result = other;
        for next in self.successors() {
            match known[next.index()] {
                verdict if verdict == good => return good,
                Known::Unknown => result = Known::Unknown,
                _ => {}
            }
        }
        result
    }
}

impl Bitbase {
    /// Goes over all positions until none changes any more; what is then still unknown is no win.
    fn solve() -> Self {
        let mut known: Vec<_> = (0..POSITIONS).map(|index| Trio::from_index(index).at_once()).collect();
        loop {
            let mut has_changed = false;
            for index in 0..POSITIONS {
                if known[index] == Known::Unknown {
                    known[index] = Trio::from_index(index).judged(&known);
                    has_changed |= known[index] != Known::Unknown;
                }
            }
            if !has_changed {
                break;
            }
        }
        let word = |chunk: &[Known]| {
            chunk
                .iter()
                .enumerate()
                .fold(0, |word, (bit, &known)| word | u64::from(known == Known::Win) << bit)
        };
        Self { wins: known.chunks(u64::BITS as usize).map(word).collect() }
    }
}

/// Solves the ending now if that has not been done, so that no search waits for it.
pub fn prepare() {
    LazyLock::force(&BITBASE);
}

/// Whether `strong`, with king and pawn against the king on `enemy`, wins; the position must be legal.
pub fn is_won(strong: Color, king: Square, pawn: Square, enemy: Square, side_to_move: Color) -> bool {
    let trio = match strong {
        Color::White => Trio { king, pawn, enemy, to_move: side_to_move },
        Color::Black => Trio {
            king: king.flip_rank(),
            pawn: pawn.flip_rank(),
            enemy: enemy.flip_rank(),
            to_move: !side_to_move,
        },
    };
    let index = trio.index();
    let bits = u64::BITS as usize;
    BITBASE.wins[index / bits] >> (index % bits) & 1 != 0
}
