//! Polyglot opening books: reading, writing, and the embedded book.
//!
//! A book is a list of entries of 16 bytes, sorted by key: the key of a position, a move, a weight, and four bytes for learning that
//! nobody uses. All numbers have their high byte first.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use rukh_chess::game::Outcome;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::types::Wing;
use rukh_chess::{Color, Move, Position};
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, File, Piece, Role, Square};

/// The key by which books know a position.
///
/// An en-passant square counts only where the capture is legal; by the letter of the format it would where a pawn stands beside, be
/// it pinned or not.
pub fn key(position: &Position) -> u64 {
    let color =
        |color: Color| if color == Color::White { shakmaty::Color::White } else { shakmaty::Color::Black };
    let mut key = Zobrist64::default();
    for square in position.occupied() {
        let (Some(of), Some(piece)) = (position.color_on(square), position.piece_on(square)) else {
            continue;
        };
        let role = Role::ALL[piece.index()];
        key ^= Zobrist64::zobrist_for_piece(
            Square::new(square.index() as u32),
            Piece { color: color(of), role },
        );
    }
    for of in Color::ALL {
        for (wing, side) in [(Wing::King, CastlingSide::KingSide), (Wing::Queen, CastlingSide::QueenSide)] {
            if position.castling().rook(of, wing, position.king(of)).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(color(of), side);
            }
        }
    }
    if let Some(square) = position.en_passant() {
        key ^= Zobrist64::zobrist_for_en_passant_file(File::new(square.index() as u32 % 8));
    }
    if position.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// One move in one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    key: u64,
    /// Squares and promotion, as the format packs them.
    mv: u16,
    weight: u16,
}

const ENTRY_BYTES: usize = 16;
const PROMOTIONS: [&str; 5] = ["", "n", "b", "r", "q"];

/// The move as the format packs it: castling is the king taking its rook.
fn pack(position: &Position, mv: Move) -> u16 {
    let text = position.uci(mv, CastlingNotation::RookSquare);
    let bytes = text.as_bytes();
    let number = |at: usize, first: u8| u16::from(bytes[at] - first);
    let promotion = PROMOTIONS.iter().position(|&letter| letter == &text[4..]).unwrap_or(0) as u16;
    number(2, b'a') | number(3, b'1') << 3 | number(0, b'a') << 6 | number(1, b'1') << 9 | promotion << 12
}

/// The legal move that is meant.
fn unpack(position: &Position, mv: u16) -> Option<Move> {
    let number = |shift: u32| (mv >> shift & 7) as u8;
    let square = |file: u32, rank: u32| [(b'a' + number(file)) as char, (b'1' + number(rank)) as char];
    let mut text = String::new();
    text.extend(square(6, 9));
    text.extend(square(0, 3));
    text.push_str(PROMOTIONS.get(usize::from(number(12)))?);
    position.parse_uci(&text).ok()
}

/// A file that is no book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadBook {
    length: usize,
}

impl fmt::Display for BadBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is no book: its {} bytes are not entries of {ENTRY_BYTES}", self.length)
    }
}

impl std::error::Error for BadBook {}

/// A book of openings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    entries: Vec<Entry>,
}

impl Book {
    /// The small book that is built in, made from games that the engine played against itself: docs/books.md tells how.
    pub fn built_in() -> Arc<Self> {
        const BYTES: &[u8] = include_bytes!("own.bin");
        static BOOK: LazyLock<Arc<Book>> =
            LazyLock::new(|| Arc::new(Book::read(BYTES).expect("what is built in was written as a book")));
        BOOK.clone()
    }

    /// Reads a book.
    pub fn read(bytes: &[u8]) -> Result<Self, BadBook> {
        if !bytes.len().is_multiple_of(ENTRY_BYTES) || bytes.is_empty() {
            return Err(BadBook { length: bytes.len() });
        }
        let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        let entry = |bytes: &[u8]| Entry {
            key: number(&bytes[..8]),
            mv: number(&bytes[8..10]) as u16,
            weight: number(&bytes[10..12]) as u16,
        };
        let mut entries: Vec<_> = bytes.chunks(ENTRY_BYTES).map(entry).collect();
        // Some books are not in order.
        entries.sort_by_key(|entry| entry.key);
        Ok(Self { entries })
    }

    /// Writes it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.entries.len() * ENTRY_BYTES);
        for Entry { key, mv, weight } in &self.entries {
            bytes.extend(key.to_be_bytes());
            bytes.extend(mv.to_be_bytes());
            bytes.extend(weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    /// How many moves there are in all positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves in a position with their weights, the heaviest first. What is not legal is left out.
    pub fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        let key = key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
        let mut moves: Vec<_> =
            here.filter_map(|entry| Some((unpack(position, entry.mv)?, entry.weight))).collect();
        moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        moves
    }

    /// The move that `lot`, from 0 to 1, falls on. With a variety of 100 moves are chosen as often as they weigh, with less
    /// the heavier ones more often, with none only the heaviest.
    pub fn choose(&self, position: &Position, variety: u32, lot: f64) -> Option<Move> {
        let moves = self.moves(position);
        let &(first, heaviest) = moves.first()?;
        if variety == 0 {
            return Some(first);
        }
        let power = 100.0 / f64::from(variety);
        let share = |weight: u16| (f64::from(weight) / f64::from(heaviest.max(1))).powf(power);
        let mut left = lot * moves.iter().map(|&(_, weight)| share(weight)).sum::<f64>();
        let chosen = moves.iter().find(|&&(_, weight)| {
            left -= share(weight);
            left < 0.0
        });
        Some(chosen.map_or(first, |&(mv, _)| mv))
    }
}

/// Makes a book from games.
#[derive(Clone, Debug, Default)]
pub struct Maker {
    /// Games and half points of each move for the side that made it.
    counts: HashMap<(u64, u16), (u32, u32)>,
}

impl Maker {
    /// Counts the first `plies` moves of a game.
    pub fn add(&mut self, start: &Position, moves: &[Move], plies: usize, outcome: Outcome) {
        let mut position = start.clone();
        for &mv in moves.iter().take(plies) {
            let half_points = outcome.half_points(position.side_to_move());
            let count = self.counts.entry((key(&position), pack(&position, mv))).or_default();
            count.0 += 1;
            count.1 += u32::from(half_points);
            position = position.after(mv);
        }
    }

    /// The book of all moves that were made in at least `games` games and did not lose them all, weighted by their points.
    pub fn finish(&self, games: u32) -> Book {
        let kept = || self.counts.iter().filter(|(_, (count, points))| *count >= games && *points > 0);
        let mut heaviest: HashMap<u64, u32> = HashMap::new();
        for ((key, _), (_, points)) in kept() {
            let most = heaviest.entry(*key).or_default();
            *most = (*most).max(*points);
        }
        let mut entries: Vec<_> = kept()
            .map(|(&(key, mv), &(_, points))| {
                // Weights have sixteen bits; those of one position keep their proportions.
                let most = heaviest[&key].max(u32::from(u16::MAX));
                let weight = u64::from(points) * u64::from(u16::MAX) / u64::from(most);
                Entry { key, mv, weight: weight.max(1) as u16 }
            })
            .collect();
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
        Book { entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::game::Game;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    /// The vectors of the description of the format.
    #[test]
    fn keys_are_those_that_were_published() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&position(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn moves_of_all_kinds_are_packed_and_found_again() {
        for fen in [
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
            "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1",
            "1n2k3/P7/8/8/8/8/7p/4K1N1 b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = position(fen);
            for &mv in &position.legal_moves() {
                assert_eq!(unpack(&position, pack(&position, mv)), Some(mv), "{}", position.san(mv));
            }
        }
    }

    #[test]
    fn a_book_is_made_written_and_read() {
        let mut maker = Maker::default();
        for (line, outcome) in [
            (["e4", "e5", "Nf3", "Nc6"], Outcome::Win(Color::White)),
            (["e4", "c5", "Nf3", "d6"], Outcome::Draw),
            (["d4", "d5", "c4", "e6"], Outcome::Draw),
            (["f3", "e5", "g4", "Qh4#"], Outcome::Win(Color::Black)),
        ] {
            let mut game = Game::default();
            for text in line {
                let mv = game.position().parse_san(text).expect("it is a move");
                game.play(mv).expect("it is legal");
            }
            maker.add(game.start(), game.moves(), 3, outcome);
        }
        let book = maker.finish(1);
        let start = Position::default();
        let moves = |book: &Book| -> Vec<_> {
            book.moves(&start).into_iter().map(|(mv, weight)| (start.san(mv).to_string(), weight)).collect()
        };
        assert_eq!(moves(&book), [("e4".to_owned(), 3), ("d4".to_owned(), 1)], "f3 has lost every game");
        assert_eq!(Book::read(&book.to_bytes()).as_ref(), Ok(&book));
        // Three parts in four are e4; with less variety more, with none all.
        let chosen = |variety, lot| book.choose(&start, variety, lot).map(|mv| start.san(mv).to_string());
        assert_eq!((chosen(100, 0.74), chosen(100, 0.76)), (Some("e4".to_owned()), Some("d4".to_owned())));
        assert_eq!((chosen(50, 0.89), chosen(50, 0.91)), (Some("e4".to_owned()), Some("d4".to_owned())));
        assert_eq!(chosen(0, 0.99).as_deref(), Some("e4"));
        assert_eq!(moves(&maker.finish(2)), [("e4".to_owned(), 3)]);
        assert!(book.moves(&position("8/8/8/3k4/8/8/2K5/7R w - - 0 1")).is_empty());
        assert_eq!(Book::read(b"seventeen bytes.."), Err(BadBook { length: 17 }));
        assert!(Book::read(b"").is_err());
    }
}
