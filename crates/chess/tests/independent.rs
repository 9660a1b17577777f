//! Random games compared move for move with shakmaty, an independent library.

use crate::common;
use rukh_chess::game::Game;
use rukh_chess::notation::{CastlingNotation, CastlingStyle};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Position, Setup};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

/// The same position in shakmaty.
fn theirs(position: &Position) -> Chess {
    let fen = position.fen(CastlingStyle::Shredder);
    let parsed = Fen::from_ascii(fen.as_bytes()).expect("our FEN is well formed");
    parsed.into_position(CastlingMode::Chess960).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Compares FEN, moves, checkers and draws of one position.
fn compare(ours: &Position, theirs: &Chess, castling: (CastlingNotation, CastlingMode)) {
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours.to_string(), fen);
    assert_eq!(&common::position(&fen), ours, "{fen}");

    let name_moves = |moves: Vec<(String, String)>| {
        let mut moves = moves;
        moves.sort();
        moves
    };
    let (our_notation, their_mode) = castling;
    let our_moves = ours.legal_moves();
    let our_names = our_moves.iter().map(|&mv| (ours.uci(mv, our_notation), ours.san(mv))).collect();
    let their_names = theirs
        .legal_moves()
        .into_iter()
        .map(|mv| (mv.to_uci(their_mode).to_string(), SanPlus::from_move(theirs.clone(), mv).to_string()));
    assert_eq!(name_moves(our_names), name_moves(their_names.collect()), "{fen}");
    for &mv in &our_moves {
        assert_eq!(ours.parse_san(&ours.san(mv)), Ok(mv), "{fen}");
        assert_eq!(ours.parse_uci(&ours.uci(mv, our_notation)), Ok(mv), "{fen}");
    }

    assert_eq!(ours.is_check(), theirs.is_check(), "{fen}");
    assert_eq!(ours.checkers().0, theirs.checkers().0, "{fen}");
    assert_eq!(ours.has_insufficient_material(), theirs.is_insufficient_material(), "{fen}");
}

/// Plays a random game in both libraries.
fn compare_game(start: &Setup, random: &mut SplitMix64, castling: (CastlingNotation, CastlingMode)) -> usize {
    let mut game = Game::new(start.validate().expect("start positions are valid"));
    let mut other = theirs(game.position());
    for ply in 0..300 {
        compare(game.position(), &other, castling);
        let Some(mv) = common::choose(random, &game.position().legal_moves()) else {
            let is_mate = game
                .ending()
                .expect("a game without legal moves has ended")
                .to_string()
                .contains("checkmate");
            assert_eq!(is_mate, other.is_checkmate());
            assert_eq!(!is_mate, other.is_stalemate());
            return ply;
        };
        let name = game.position().uci(mv, CastlingNotation::RookSquare);
        let their_move =
            other.legal_moves().into_iter().find(|mv| mv.to_uci(CastlingMode::Chess960).to_string() == name);
        other.play_unchecked(their_move.expect("both generate the same moves"));
        game.play(mv).expect("a generated move is legal");
    }
    300
}

#[test]
fn random_games_of_standard_chess_agree() {
    let mut random = SplitMix64::new(2);
    let castling = (CastlingNotation::KingTarget, CastlingMode::Standard);
    let plies: usize = (0..150).map(|_| compare_game(&Setup::standard(), &mut random, castling)).sum();
    assert!(plies > 10_000, "only {plies} positions were compared");
}

#[test]
fn random_games_of_chess960_agree() {
    let mut random = SplitMix64::new(3);
    let castling = (CastlingNotation::RookSquare, CastlingMode::Chess960);
    for number in (0..960).step_by(8) {
        compare_game(&Setup::chess960(number, number), &mut random, castling);
        compare_game(&Setup::chess960(number, random.below(960) as u16), &mut random, castling);
    }
}

#[test]
fn chess960_start_positions_are_distinct_and_legal() {
    use rukh_chess::{Bitboard, Color, Piece};
    let mut seen = std::collections::HashSet::new();
    for number in 0..960 {
        let position = Setup::chess960(number, number).validate().expect("start positions are valid");
        let (rooks, king) = (position.colored_pieces(Color::White, Piece::Rook), position.king(Color::White));
        let bishops = position.colored_pieces(Color::White, Piece::Bishop);
        assert!(rooks.first() < Some(king) && Some(king) < rooks.last());
        assert_eq!((bishops & Bitboard::DARK_SQUARES).count(), 1);
        assert!(seen.insert(position.to_string()));
    }
    assert_eq!(
        Setup::chess960(518, 518).to_string(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    // The first and the last Scharnagl number.
    assert!(Setup::chess960(0, 0).to_string().starts_with("bbqnnrkr/"));
    assert!(Setup::chess960(959, 959).to_string().starts_with("rkrnnqbb/"));
}
