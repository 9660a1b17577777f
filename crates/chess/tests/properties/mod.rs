//! Properties of parsers and writers that hold for any input.
//!
//! Each property is a function that panics if the property does not hold. The property tests call it with random input,
//! the fuzz targets with the input of a fuzzer.

#![allow(dead_code, reason = "each fuzz target uses one property only")]

use std::fmt::Display;
use std::sync::LazyLock;

use rukh_chess::movegen::{All, MoveList, Noisy, Quiet};
use rukh_chess::notation::pgn::{Games, PgnGame, Variation, decode};
use rukh_chess::notation::{CastlingNotation, CastlingStyle, Epd};
use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Setup, Square};

const STYLES: [CastlingStyle; 2] = [CastlingStyle::XFen, CastlingStyle::Shredder];

/// The maximum length of an error message with one fault.
const ONE_FAULT: usize = 1_000;
/// The maximum length of an error message of a setup: it has all faults, and there can be one for each square.
const ALL_FAULTS: usize = 6_000;

/// The operations of an EPD whose operands are moves.
const MOVE_OPERATIONS: [&str; 3] = ["bm", "am", "pv"];

/// Positions in which texts are parsed as moves: the start position, checks, pins, pieces that need disambiguation,
/// promotions, en-passant captures, and castling in Chess960.
pub(crate) const POSITIONS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pb1nqppp/1pp1pn2/3p4/2PP4/1PN1PN2/PB2QPPP/R3K2R b KQkq - 4 11",
    "4k3/8/8/8/7b/8/3P1N2/R3K2R w KQ - 0 1",
    "4k3/8/8/1b6/8/8/5n2/R2QK2R w KQ - 0 1",
    "3nk2n/P1P3P1/8/8/8/8/p1p3p1/1N2K1N1 w - - 0 40",
    "3nk2n/P1P3P1/8/8/8/8/p1p3p1/1N2K1N1 b - - 0 40",
    "4k3/8/8/2pPpP2/8/8/8/4K3 w - e6 0 30",
    "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 30",
    "7k/8/2N1N3/1N3N2/8/1N3N2/2N1N3/K7 w - - 0 1",
    "7k/2Q5/Q3Q3/8/2Q1Q3/8/1K6/8 w - - 0 1",
    "7k/6pp/8/8/8/8/8/R3R2K w - - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "rk5r/pppppppp/8/8/8/8/PPPPPPPP/5RKR w HFha - 0 1",
    "rk5r/pppppppp/8/8/8/8/PPPPPPPP/5RKR b HFha - 0 1",
    "4k3/8/8/8/8/8/8/R1K4R w HA - 0 1",
    "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
];

static PARSED: LazyLock<Vec<Position>> = LazyLock::new(|| {
    POSITIONS.into_iter().map(|fen| fen.parse().expect("the positions of the tests are valid")).collect()
});

/// An error message is one line that can be shown to a user.
fn assert_clean(error: &impl Display, limit: usize) {
    let text = error.to_string();
    assert!(!text.trim().is_empty(), "an error message is empty");
    assert!(text.chars().count() < limit, "an error message is too long: {text}");
    let is_break = |sign: char| sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}');
    assert!(!text.contains(is_break), "an error message is not one line: {text:?}");
}

/// A parsed setup round-trips in both castling styles, and so does its position.
pub(crate) fn fen(text: &str) {
    match text.parse::<Setup>() {
        Ok(setup) => {
            assert_setup_round_trips(&setup);
            assert_validation_is_sound(&setup);
        }
        Err(error) => assert_clean(&error, ONE_FAULT),
    }
    if let Err(error) = text.parse::<Position>() {
        assert_clean(&error, ALL_FAULTS);
    }
}

/// A parsed setup round-trips, valid or not: its castling rooks are on back ranks and its move number is not 0, and FEN
/// can express all else.
fn assert_setup_round_trips(setup: &Setup) {
    for style in STYLES {
        let written = setup.fen(style);
        assert_eq!(written.parse().as_ref(), Ok(setup), "written as {written}");
    }
}

fn assert_validation_is_sound(setup: &Setup) -> Option<Position> {
    let position = match setup.validate() {
        Ok(position) => position,
        Err(error) => {
            assert!(!error.faults.is_empty(), "a setup is rejected without a fault");
            assert_clean(&error, ALL_FAULTS);
            return None;
        }
    };
    for style in STYLES {
        let written = position.fen(style);
        assert_eq!(written.parse().as_ref(), Ok(&position), "written as {written}");
    }
    let again = Setup::from(&position).validate();
    assert_eq!(again.as_ref(), Ok(&position));
    assert_eq!(again.map(|again| again.key()), Ok(position.key()));
    Some(position)
}

/// A parsed EPD round-trips in both castling styles, and its moves are legal.
pub(crate) fn epd(text: &str) {
    let epd = match text.parse::<Epd>() {
        Ok(epd) => epd,
        Err(error) => return assert_clean(&error, ONE_FAULT),
    };
    for style in STYLES {
        let written = epd.to_text(style);
        assert_eq!(written.parse().as_ref(), Ok(&epd), "written as {written}");
    }
    let Some(position) = assert_validation_is_sound(&epd.setup) else { return };
    for opcode in MOVE_OPERATIONS {
        match epd.moves(&position, opcode) {
            Ok(moves) => assert!(moves.into_iter().all(|mv| position.is_legal(mv))),
            Err(error) => assert_clean(&error, ONE_FAULT),
        }
    }
}

/// A parsed SAN move is legal and round-trips.
pub(crate) fn san(text: &str) {
    for position in PARSED.iter() {
        match position.parse_san(text) {
            Ok(mv) => assert_san_round_trips(position, mv),
            Err(error) => assert_clean(&error, ONE_FAULT),
        }
    }
}

fn assert_san_round_trips(position: &Position, mv: Move) {
    assert!(position.is_legal(mv), "{mv:?} is not legal in {position}");
    let written = position.san(mv);
    assert_eq!(position.parse_san(&written), Ok(mv), "{written} in {position}");
    let marked = format!("{written}!?");
    assert_eq!(position.parse_san(&marked), Ok(mv), "{marked} in {position}");
}

/// A parsed UCI move is legal, was written in one of the two castling notations, and round-trips.
pub(crate) fn uci(text: &str) {
    for position in PARSED.iter() {
        match position.parse_uci(text) {
            Ok(mv) => {
                let spellings = [CastlingNotation::KingTarget, CastlingNotation::RookSquare]
                    .map(|castling| position.uci(mv, castling));
                // The letter of a promotion may be upper case.
                assert!(spellings.contains(&text.to_ascii_lowercase()), "{text} was read as {mv:?}");
                assert_uci_round_trips(position, mv);
            }
            Err(error) => assert_clean(&error, ONE_FAULT),
        }
    }
}

/// A UCI move round-trips. The exception is castling written with the target of the king, which is parsed as a king move
/// to that square if that is legal, as it can be in Chess960.
fn assert_uci_round_trips(position: &Position, mv: Move) {
    assert!(position.is_legal(mv), "{mv:?} is not legal in {position}");
    let by_rook = position.uci(mv, CastlingNotation::RookSquare);
    assert_eq!(position.parse_uci(&by_rook), Ok(mv), "{by_rook} in {position}");

    let by_target = position.uci(mv, CastlingNotation::KingTarget);
    let target = by_target[2..4].parse::<Square>().expect("two squares were written");
    let plain = [MoveKind::Quiet, MoveKind::Capture]
        .into_iter()
        .filter(|_| mv.is_castling() && target != mv.from())
        .map(|kind| Move::new(mv.from(), target, kind))
        .find(|&plain| position.is_legal(plain));
    assert_eq!(position.parse_uci(&by_target), Ok(plain.unwrap_or(mv)), "{by_target} in {position}");
}

/// Reading any bytes as PGN ends. Faulty games report their place, good games round-trip.
pub(crate) fn pgn(bytes: &[u8]) {
    let text = decode(bytes);
    let line_count = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
    for (i, game) in Games::new(&text).enumerate() {
        // A game has at least one character of the text.
        assert!(i < text.len(), "the games do not end");
        match game {
            Ok(game) => pgn_game(&game),
            Err(error) => {
                assert_clean(&error, ALL_FAULTS);
                assert_eq!(error.game, i + 1);
                assert!((1..=line_count).contains(&error.line), "there is no line {}", error.line);
            }
        }
    }
}

/// A written game is read as one game, the same except for [`as_written`], and is written the same way again.
pub(crate) fn pgn_game(game: &PgnGame) {
    let written = game.to_string();
    let mut games = Games::new(&written);
    let again =
        games.next().expect("a game was written").unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(again, as_written(game), "written as {written}");
    assert!(games.next().is_none(), "more than one game is in {written}");
    assert_eq!(again.to_string(), written);
    assert_eq!(again.game().moves(), again.moves().collect::<Vec<_>>());
}

/// The changes that writing makes: closing braces in comments become parentheses, line breaks in tag values become spaces,
/// a second tag with the name of the first one is omitted, and a start position without tags gets its tags.
fn as_written(game: &PgnGame) -> PgnGame {
    let mut game = game.clone();
    let first = game.tags.first().map(|(name, _)| name.to_ascii_lowercase());
    let mut is_first = true;
    game.tags.retain(|(name, _)| std::mem::take(&mut is_first) || first != Some(name.to_ascii_lowercase()));
    for (_, value) in &mut game.tags {
        *value = value.replace(['\n', '\r'], " ");
    }
    if game.tag("FEN").is_none() && game.start != Position::default() {
        if game.tag("SetUp").is_none() {
            game.tags.push(("SetUp".to_owned(), "1".to_owned()));
        }
        game.tags.push(("FEN".to_owned(), game.start.to_string()));
    }
    replace_braces(&mut game.main_line);
    game
}

fn replace_braces(variation: &mut Variation) {
    let replace = |comments: &mut Vec<String>| {
        for comment in comments {
            *comment = comment.replace('}', ")");
        }
    };
    replace(&mut variation.comments);
    for played in &mut variation.moves {
        replace(&mut played.comments);
        for variation in &mut played.variations {
            replace_braces(variation);
        }
    }
}

/// Any setup is either rejected with one line, or gives a position in which all ways of generating legal moves agree and
/// in which making a move equals setting up the new position.
pub(crate) fn setup(bytes: &[u8]) {
    let setup = setup_of(bytes);
    let Some(position) = assert_validation_is_sound(&setup) else { return };
    let moves = assert_generators_agree(&position);
    for mv in moves {
        assert_san_round_trips(&position, mv);
        assert_uci_round_trips(&position, mv);
        let after = position.after(mv);
        let mover = position.side_to_move();
        assert_eq!(after.side_to_move(), !mover);
        let attackers = after.attackers_to(after.king(mover), after.occupied()) & after.color(!mover);
        assert!(attackers.is_empty(), "{mv:?} leaves the king in check in {position}");
        // Positions are equal only if their keys, checkers and pins are.
        assert_eq!(Setup::from(&after).validate().as_ref(), Ok(&after), "after {mv:?} in {position}");
    }
}

/// The legal moves. Stages, count and legality test must agree on them.
fn assert_generators_agree(position: &Position) -> Vec<Move> {
    let sorted = |moves: &[Move]| {
        let mut bits = moves.iter().map(|mv| mv.bits()).collect::<Vec<_>>();
        bits.sort_unstable();
        bits
    };
    let mut all = MoveList::new();
    position.generate::<All>(&mut all);
    let expected = sorted(&all);
    assert!(expected.is_sorted_by(|a, b| a < b), "a move is generated twice in {position}");
    assert_eq!(position.count_legal_moves(), expected.len() as u64, "the count is wrong in {position}");

    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.generate::<Noisy>(&mut noisy);
    position.generate::<Quiet>(&mut quiet);
    assert!(noisy.iter().all(|mv| mv.is_noisy()) && !quiet.iter().any(|mv| mv.is_noisy()));
    assert_eq!(sorted(&[&noisy[..], &quiet[..]].concat()), expected, "the stages differ in {position}");

    let legal = (0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_some_and(|mv| position.is_legal(mv)));
    assert_eq!(legal.collect::<Vec<_>>(), expected, "the legality test differs in {position}");
    all.to_vec()
}

/// Flags of the first byte that [`setup_of`] reads: which parts of the setup are plausible.
pub(crate) mod shape {
    /// Black is to move.
    pub(crate) const BLACK: u8 = 1;
    /// Each side has a king.
    pub(crate) const KINGS: u8 = 2;
    /// Castling rights only for rooks on their back rank.
    pub(crate) const CASTLING: u8 = 4;
    /// The kings are on their back ranks.
    pub(crate) const KINGS_AT_HOME: u8 = 8;
    /// The last move was a double push.
    pub(crate) const DOUBLE_PUSH: u8 = 16;
    /// The en-passant square is any square.
    pub(crate) const EN_PASSANT: u8 = 32;
    /// No pawns on the outer ranks.
    pub(crate) const PAWNS_INSIDE: u8 = 64;
    /// The clocks are small.
    pub(crate) const SMALL_CLOCKS: u8 = 128;
}

/// Reads a setup from any bytes; missing bytes are 0. The pieces come last, two bytes each, so that more bytes are more
/// pieces.
fn setup_of(bytes: &[u8]) -> Setup {
    let mut bytes = bytes.iter().copied();
    let flags = bytes.next().unwrap_or_default();
    let has = |flag: u8| flags & flag != 0;
    let mut take = || bytes.next().unwrap_or_default();
    let mut setup = Setup::EMPTY;
    setup.side_to_move = if has(shape::BLACK) { Color::Black } else { Color::White };
    let [king_squares, castling] = [[take(), take()], [take(), take()]];
    let (passed, clock, number) = (take(), take(), take());
    let pieces = std::iter::from_fn(|| Some((bytes.next()?, bytes.next()?))).collect::<Vec<_>>();

    for (square, code) in pieces {
        let square = Square::from_low_bits(square);
        let color = if code & 1 == 0 { Color::White } else { Color::Black };
        let piece = Piece::from_index(usize::from(code >> 1 & 7));
        let is_outer = matches!(square.rank(), Rank::First | Rank::Eighth);
        let is_kept = match piece {
            Some(Piece::Pawn) => !(is_outer && has(shape::PAWNS_INSIDE)),
            Some(Piece::King) => !has(shape::KINGS),
            _ => true,
        };
        if is_kept {
            setup.board[square.index()] = piece.map(|piece| (color, piece));
        }
    }
    if has(shape::KINGS) {
        for (color, square) in Color::ALL.into_iter().zip(king_squares) {
            let anywhere = Square::from_low_bits(square);
            let home = Square::new(anywhere.file(), Rank::First.relative_to(color));
            let square = if has(shape::KINGS_AT_HOME) { home } else { anywhere };
            setup.board[square.index()] = Some((color, Piece::King));
        }
    }
    setup.castling_rooks = match castling {
        [white, black] if has(shape::CASTLING) => {
            let wanted = Bitboard(u64::from(white) | u64::from(black) << 56);
            let rooks = |color| setup.colored_pieces(color, Piece::Rook) & Bitboard::back_rank(color);
            wanted & (rooks(Color::White) | rooks(Color::Black))
        }
        [first, second] => Bitboard(u64::from(first) << (second & 63)),
    };
    if has(shape::EN_PASSANT) {
        setup.en_passant = Some(Square::from_low_bits(passed));
    } else if has(shape::DOUBLE_PUSH) {
        let them = !setup.side_to_move;
        let on = |rank: Rank| Square::new(File::from_low_bits(passed), rank.relative_to(them));
        setup.board[on(Rank::Second).index()] = None;
        setup.board[on(Rank::Third).index()] = None;
        setup.board[on(Rank::Fourth).index()] = Some((them, Piece::Pawn));
        setup.en_passant = Some(on(Rank::Third));
    }
    if has(shape::SMALL_CLOCKS) {
        setup.halfmove_clock = clock.into();
        setup.fullmove_number = number.into();
    } else {
        setup.halfmove_clock = u16::MAX - u16::from(clock);
        setup.fullmove_number = u32::MAX - u32::from(number);
    }
    setup
}
