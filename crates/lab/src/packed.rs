//! Games with scores in four bytes a move: the format of the crate viriformat, which several trainers read.
//!
//! A game is a board of 32 bytes, then pairs of a move and a score for White, two bytes each, then four zero bytes. All
//! numbers have their low byte first. A rook that may castle is written as a kind of piece of its own, and castling as the
//! king taking the rook, so that Chess960 needs nothing special.

use std::io::{self, Read, Write};
use std::{fmt, iter};

use rukh_chess::game::Outcome;
use rukh_chess::setup::Setup;
use rukh_chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Square};

/// A game as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedGame {
    /// The start position.
    pub start: Position,
    /// The result.
    pub outcome: Outcome,
    /// The moves, each with the score of its search for White, in internal units.
    pub moves: Vec<(Move, i16)>,
}

/// An error in stored games.
#[derive(Debug)]
pub enum PackedError {
    /// They cannot be read.
    Io(io::Error),
    /// They end within a game.
    CutShort,
    /// A board is none; what is wrong with it.
    BadBoard(String),
    /// A result is none.
    BadResult(u8),
    /// A move, counted from 1, is not legal; its bits.
    IllegalMove(usize, u16),
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::CutShort => f.write_str("it ends within a game"),
            Self::BadBoard(why) => write!(f, "the board is no position: {why}"),
            Self::BadResult(byte) => write!(f, "{byte} is no result"),
            Self::IllegalMove(number, bits) => write!(f, "move {number} ({bits:#06x}) is not legal"),
        }
    }
}

impl std::error::Error for PackedError {}

impl From<io::Error> for PackedError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutShort,
            _ => Self::Io(error),
        }
    }
}

/// The score of a random move, which was not searched. A bound on scores excludes it.
pub const NO_SCORE: i16 = i16::MAX;

/// How many bytes a game of one move takes.
pub(crate) const ONE_MOVE_BYTES: u64 = BOARD_BYTES as u64 + 8;

pub(crate) const BOARD_BYTES: usize = 32;
/// A rook that may castle.
const UNMOVED_ROOK: u8 = 6;
const BLACK_BIT: u8 = 8;
/// Stands for no square in the field for en passant.
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

impl PackedGame {
    /// Writes the game.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.bytes() as usize);
        bytes.extend_from_slice(&pack_board(&self.start, self.outcome));
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&pack_move(mv).to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.extend_from_slice(&[0; 4]);
        out.write_all(&bytes)
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        (BOARD_BYTES + 4 * self.moves.len() + 4) as u64
    }

    /// Reads the next game; none at the end.
    pub fn read(from: &mut impl Read) -> Result<Option<Self>, PackedError> {
        let mut board = [0; BOARD_BYTES];
        if !fill_or_nothing(from, &mut board)? {
            return Ok(None);
        }
        let (start, outcome) = unpack_board(&board)?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        loop {
            let mut pair = [0; 4];
            from.read_exact(&mut pair)?;
            let [a, b, c, d] = pair;
            let bits = u16::from_le_bytes([a, b]);
            if bits == 0 {
                return Ok(Some(Self { start, outcome, moves }));
            }
            let mv = position.legal_moves().iter().copied().find(|&mv| pack_move(mv) == bits);
            let mv = mv.ok_or(PackedError::IllegalMove(moves.len() + 1, bits))?;
            moves.push((mv, i16::from_le_bytes([c, d])));
            position = position.after(mv);
        }
    }

    /// The positions before each move, with the move and its score.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move, i16)> + '_ {
        self.moves.iter().scan(self.start.clone(), |position, &(mv, score)| {
            let before = position.clone();
            *position = before.after(mv);
            Some((before, mv, score))
        })
    }
}

/// The bytes of each complete game. Their content is not checked.
pub fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    iter::from_fn(move || {
        let mut pairs = rest.get(BOARD_BYTES..)?.chunks_exact(4);
        let moves = pairs.position(|pair| pair[..2] == [0, 0])?;
        let (game, after) = rest.split_at(BOARD_BYTES + 4 * moves + 4);
        rest = after;
        Some(game)
    })
}

/// Fills `bytes`; false if there is nothing at all.
fn fill_or_nothing(from: &mut impl Read, bytes: &mut [u8]) -> Result<bool, PackedError> {
    let mut filled = 0;
    while filled < bytes.len() {
        match from.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(PackedError::CutShort),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}

pub(crate) fn pack_board(position: &Position, outcome: Outcome) -> [u8; BOARD_BYTES] {
    let mut bytes = [0; BOARD_BYTES];
    let occupied = position.occupied();
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    for (at, square) in occupied.into_iter().enumerate() {
        let kind = match position.piece_on(square) {
            _ if position.castling().rooks().contains(square) => UNMOVED_ROOK,
            piece => piece.map_or(0, |piece| piece.index() as u8),
        };
        let color = if position.color(Color::Black).contains(square) { BLACK_BIT } else { 0 };
        bytes[8 + at / 2] |= (kind | color) << (4 * (at % 2));
    }
    let side = if position.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[24] = side | position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[25] = position.halfmove_clock().min(u16::from(u8::MAX)) as u8;
    let number = position.fullmove_number().clamp(1, u32::from(u16::MAX)) as u16;
    bytes[26..28].copy_from_slice(&number.to_le_bytes());
    bytes[30] = match outcome {
        Outcome::Win(Color::Black) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Color::White) => 2,
    };
    bytes
}

pub(crate) fn unpack_board(bytes: &[u8; BOARD_BYTES]) -> Result<(Position, Outcome), PackedError> {
    let bad = |why: &str| PackedError::BadBoard(why.to_owned());
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("it is eight bytes"));
    let occupied = Bitboard(word(0));
    if occupied.count() > 32 {
        return Err(bad("more than 32 pieces"));
    }
    let mut setup = Setup::EMPTY;
    for (at, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + at / 2] >> (4 * (at % 2));
        let color = if code & BLACK_BIT == 0 { Color::White } else { Color::Black };
        let piece = match code & (BLACK_BIT - 1) {
            UNMOVED_ROOK => {
                setup.castling_rooks |= Bitboard::of(square);
                Piece::Rook
            }
            kind => *Piece::ALL.get(usize::from(kind)).ok_or_else(|| bad("a piece of no kind"))?,
        };
        setup.board[square.index()] = Some((color, piece));
    }
    setup.side_to_move = if bytes[24] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    setup.en_passant = match bytes[24] & !BLACK_TO_MOVE {
        NO_SQUARE => None,
        square => Some(*Square::ALL.get(usize::from(square)).ok_or_else(|| bad("en passant on no square"))?),
    };
    setup.halfmove_clock = u16::from(bytes[25]);
    setup.fullmove_number = u32::from(u16::from_le_bytes([bytes[26], bytes[27]])).max(1);
    let outcome = match bytes[30] {
        0 => Outcome::Win(Color::Black),
        1 => Outcome::Draw,
        2 => Outcome::Win(Color::White),
        other => return Err(PackedError::BadResult(other)),
    };
    let position = setup.validate().map_err(|error| bad(&error.to_string()))?;
    Ok((position, outcome))
}

fn pack_move(mv: Move) -> u16 {
    let kind = match mv.kind() {
        MoveKind::EnPassant => EN_PASSANT,
        MoveKind::CastleKingSide | MoveKind::CastleQueenSide => CASTLING,
        _ => mv.promotion().map_or(0, |piece| {
            PROMOTION | (piece.index() as u16).saturating_sub(Piece::Knight.index() as u16) << 12
        }),
    };
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::random::SplitMix64;

    /// A game of random moves.
    fn random_game(seed: u64, start: Position) -> PackedGame {
        let mut random = SplitMix64::new(seed);
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..200 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.next() as usize % legal.len()];
            moves.push((mv, random.next() as i16));
            position = position.after(mv);
        }
        let outcome =
            [Outcome::Draw, Outcome::Win(Color::White), Outcome::Win(Color::Black)][seed as usize % 3];
        PackedGame { start, outcome, moves }
    }

    fn games() -> Vec<PackedGame> {
        let start = |seed: u64| match seed % 3 {
            0 => Position::default(),
            1 => Setup::chess960(seed as u16 * 7, seed as u16 * 7).validate().expect("it is a start"),
            _ => Setup::chess960(seed as u16 * 5, seed as u16 * 11).validate().expect("it is a start"),
        };
        (0..60).map(|seed| random_game(seed, start(seed))).collect()
    }

    #[test]
    fn games_are_read_back() {
        let games = games();
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write(&mut bytes).expect("a vector takes everything"));
        let mut from = bytes.as_slice();
        for game in &games {
            assert_eq!(PackedGame::read(&mut from).expect("it was written so").as_ref(), Some(game));
        }
        assert!(matches!(PackedGame::read(&mut from), Ok(None)));
        let whole: Vec<_> =
            split(&bytes).map(|mut bytes| PackedGame::read(&mut bytes).ok().flatten()).collect();
        assert!(whole.iter().map(Option::as_ref).eq(games.iter().map(Some)));
        let last = games.last().map_or(0, |game| game.bytes() as usize);
        for cut in 1..=last {
            assert_eq!(
                split(&bytes[..bytes.len() - cut]).count(),
                games.len() - 1,
                "{cut} bytes are missing"
            );
        }
        assert_eq!(games[0].positions().count(), games[0].moves.len());
    }

    /// The crate whose format it is reads the same positions, moves, scores and results.
    #[test]
    fn the_crate_of_the_format_agrees() {
        use viriformat::dataformat::Game as Theirs;
        for game in games().into_iter().step_by(3) {
            let mut bytes = Vec::new();
            game.write(&mut bytes).expect("a vector takes everything");
            let theirs = Theirs::deserialise_from(&mut bytes.as_slice(), Vec::new()).expect("it reads it");
            let mut written = Vec::new();
            theirs.serialise_into(&mut written).expect("a vector takes everything");
            assert_eq!(written, bytes);
            let mut expected = game.positions();
            theirs.visit_positions(|board, seen| {
                let Some((position, _, score)) = expected.next() else { return };
                assert_eq!(seen, i32::from(score));
                let fens = [board.to_string(), position.to_string()];
                let pieces = fens.map(|fen| fen.split(' ').take(2).collect::<Vec<_>>().join(" "));
                assert_eq!(pieces[0], pieces[1]);
            });
            assert!(expected.next().is_none(), "they saw as many positions");
        }
    }

    /// Whatever stands in a file, reading it ends, and says what is wrong.
    #[test]
    fn broken_files_are_refused() {
        let mut bytes = Vec::new();
        random_game(4, Position::default()).write(&mut bytes).expect("a vector takes everything");
        for cut in [1, BOARD_BYTES, BOARD_BYTES + 5, bytes.len() - 1] {
            assert!(matches!(PackedGame::read(&mut &bytes[..cut]), Err(PackedError::CutShort)), "{cut}");
        }
        let with = |at: usize, byte: u8| {
            let mut broken = bytes.clone();
            broken[at] = byte;
            PackedGame::read(&mut broken.as_slice()).expect_err("it is broken")
        };
        assert!(matches!(with(30, 3), PackedError::BadResult(3)));
        assert!(matches!(with(8, 0x77), PackedError::BadBoard(_)));
        assert!(matches!(with(3, 0xff), PackedError::BadBoard(_)));
        assert!(matches!(with(24, 100), PackedError::BadBoard(_)));
        assert!(matches!(with(BOARD_BYTES + 1, 0xee), PackedError::IllegalMove(1, _)));
        let mut random = SplitMix64::new(9);
        for _ in 0..2_000 {
            let mut broken = bytes.clone();
            let at = random.next() as usize % broken.len();
            broken[at] = random.next() as u8;
            let mut from = broken.as_slice();
            while let Ok(Some(_)) = PackedGame::read(&mut from) {}
        }
    }
}
