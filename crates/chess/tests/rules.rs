//! Positions, Zobrist keys, legality, draws and games.

use crate::common::{position, random_games};
use rukh_chess::game::{Ending, Game, Outcome};
use rukh_chess::history::KeyHistory;
use rukh_chess::movegen::{All, Checking, MoveList, MoveStore, Noisy, Quiet};
use rukh_chess::position::ChangeObserver;
use rukh_chess::{Color, Move, MoveKind, Piece, Position, Setup, Square};

fn sorted(moves: &MoveList) -> Vec<u16> {
    let mut bits = moves.iter().map(|mv| mv.bits()).collect::<Vec<_>>();
    bits.sort_unstable();
    bits
}

#[test]
fn generator_stages_and_legality_test_agree() {
    let mut positions = 0;
    random_games(11, 60, 120, |position| {
        positions += 1;
        let mut all = MoveList::new();
        position.generate::<All>(&mut all);
        let (mut noisy, mut staged) = (MoveList::new(), MoveList::new());
        position.generate::<Noisy>(&mut noisy);
        position.generate::<Noisy>(&mut staged);
        position.generate::<Quiet>(&mut staged);
        assert_eq!(sorted(&all), sorted(&staged), "{position}");
        assert!(noisy.iter().all(|mv| mv.is_noisy()), "{position}");
        assert!(staged[noisy.len()..].iter().all(|mv| !mv.is_noisy()), "{position}");
        assert_eq!(position.count_legal_moves(), all.len() as u64, "{position}");
        if positions % 10 == 0 {
            let tested =
                (0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_some_and(|mv| position.is_legal(mv)));
            assert_eq!(sorted(&all), tested.collect::<Vec<_>>(), "{position}");
        }
    });
    assert!(positions > 3_000, "only {positions} positions were seen");
}

#[test]
fn incremental_state_equals_recomputation() {
    random_games(12, 150, 200, |position| {
        let recomputed = Setup::from(position).validate().expect("a position is valid");
        assert_eq!(&recomputed, position);
    });
}

#[test]
fn each_key_changes_exactly_with_its_pieces() {
    let mut captures = 0;
    random_games(13, 60, 150, |before| {
        let us = before.side_to_move();
        for &mv in &before.legal_moves() {
            let after = before.after(mv);
            let (old, new) = (before.keys(), after.keys());
            let moved = before.piece_on(mv.from()).expect("a legal move starts on a piece");
            let captured = before.captured_by(mv);
            captures += usize::from(captured.is_some());
            let touches = |kinds: &[Piece]| {
                kinds.contains(&moved)
                    || captured.is_some_and(|piece| kinds.contains(&piece))
                    || mv.promotion().is_some_and(|piece| kinds.contains(&piece))
                    || mv.is_castling() && kinds.contains(&Piece::Rook)
            };
            assert_ne!(old.whole(), new.whole());
            assert_eq!(old.pawns() != new.pawns(), touches(&[Piece::Pawn]));
            assert_eq!(old.minors() != new.minors(), touches(&[Piece::Knight, Piece::Bishop]));
            // In Chess960 castling may swap king and rook; the key still changes.
            assert_eq!(old.majors() != new.majors(), touches(&[Piece::Rook, Piece::Queen, Piece::King]));
            assert_eq!(old.non_pawns(us) != new.non_pawns(us), moved != Piece::Pawn || mv.is_promotion());
            let loses_piece = captured.is_some_and(|piece| piece != Piece::Pawn);
            assert_eq!(old.non_pawns(!us) != new.non_pawns(!us), loses_piece);
            assert_eq!(old.material() != new.material(), mv.is_noisy());
        }
    });
    assert!(captures > 1_000);
}

#[test]
fn the_key_depends_on_side_castling_rights_and_en_passant() {
    let keys = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
    ]
    .map(|fen| position(fen).key());
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "key {i} equals an earlier one");
    }
    // Without a legal en-passant capture the positions are equal.
    let pushed = position("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1");
    assert_eq!(pushed, position("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"));
    // The only pawn that could capture is pinned.
    assert_eq!(position("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1").en_passant(), None);
    assert_eq!(position("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1").en_passant(), None);
}

#[test]
fn gives_check_equals_making_the_move() {
    let mut checks = 0;
    random_games(16, 300, 150, |position| {
        for &mv in &position.legal_moves() {
            let is_check = position.after(mv).is_check();
            assert_eq!(position.gives_check(mv), is_check, "{position} {mv:?}");
            checks += usize::from(is_check);
        }
        let mut checking = MoveList::new();
        position.generate::<All>(&mut Checking::new(position, &mut checking));
        let mut expected = MoveList::new();
        for &mv in position.legal_moves().iter().filter(|&&mv| position.gives_check(mv)) {
            expected.push(mv);
        }
        assert_eq!(sorted(&checking), sorted(&expected), "{position}");
    });
    assert!(checks > 10_000, "only {checks}");
}

/// Rebuilds the board from the reported changes.
#[derive(Clone)]
struct Mirror([Option<(Color, Piece)>; 64]);

impl ChangeObserver for Mirror {
    fn placed(&mut self, color: Color, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace((color, piece)), None);
    }

    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some((color, piece)));
    }
}

#[test]
fn an_observer_receives_every_change() {
    random_games(14, 60, 150, |position| {
        let before = Mirror(Setup::from(position).board);
        for &mv in &position.legal_moves() {
            let (mut after, mut mirror) = (position.clone(), before.clone());
            after.make(mv, &mut mirror);
            assert!(mirror.0 == Setup::from(&after).board, "{position} {mv:?}");
        }
    });
}

#[test]
fn a_null_move_changes_only_the_side_to_move_and_the_counters() {
    random_games(15, 30, 120, |position| {
        if position.is_check() {
            return;
        }
        let mut after = position.clone();
        after.make_null();
        let mut setup = Setup::from(position);
        setup.side_to_move = !setup.side_to_move;
        setup.en_passant = None;
        setup.halfmove_clock += 1;
        setup.fullmove_number += u32::from(position.side_to_move() == Color::Black);
        assert_eq!(after, setup.validate().expect("the side that moved is not in check"));
    });
}

#[test]
fn move_bits_round_trip_and_invalid_bits_are_rejected() {
    let mut moves = 0;
    for bits in 0..=u16::MAX {
        let Some(mv) = Move::from_bits(bits) else { continue };
        moves += 1;
        assert_eq!(mv.bits(), bits);
        if mv.from() != mv.to() {
            assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
        }
        assert_eq!(mv.is_promotion(), mv.promotion().is_some());
        let noisy_kind = !matches!(
            mv.kind(),
            MoveKind::Quiet | MoveKind::DoublePush | MoveKind::CastleKingSide | MoveKind::CastleQueenSide
        );
        assert_eq!(mv.is_noisy(), noisy_kind);
    }
    assert_eq!(moves, 14 * 4096 - 1);
    assert_eq!(size_of::<Option<Move>>(), 2);
}

#[test]
fn endings_by_the_rules_are_found() {
    let cases = [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Checkmate { winner: Color::White })),
        ("k7/8/8/8/8/1q6/8/K7 w - - 0 1", Some(Ending::Stalemate)),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", Some(Ending::InsufficientMaterial)),
        ("k7/8/8/8/8/8/8/KN6 w - - 0 1", Some(Ending::InsufficientMaterial)),
        ("kb6/8/8/8/8/8/8/KB6 w - - 0 1", None),
        ("k1b5/8/8/8/8/8/8/KB6 w - - 0 1", Some(Ending::InsufficientMaterial)),
        ("k7/8/8/8/8/8/8/KNN5 w - - 0 1", None),
        ("kn6/8/8/8/8/8/8/KN6 w - - 0 1", None),
        ("k7/8/8/8/8/8/P7/K7 w - - 0 1", None),
        ("k7/8/8/8/8/8/1R6/K7 w - - 99 80", None),
        ("k7/8/8/8/8/8/1R6/K7 b - - 100 80", Some(Ending::FiftyMoves)),
        // Checkmate on the hundredth ply wins.
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", Some(Ending::Checkmate { winner: Color::White })),
    ];
    for (fen, ending) in cases {
        assert_eq!(position(fen).ending(), ending, "{fen}");
    }
    let mate = Ending::Checkmate { winner: Color::Black };
    assert_eq!(
        (mate.outcome(), mate.to_string().as_str()),
        (Outcome::Win(Color::Black), "Black wins by checkmate")
    );
    assert_eq!(Ending::Stalemate.outcome(), Outcome::Draw);
}

fn play(game: &mut Game, moves: &[&str]) {
    for text in moves {
        let mv = game.position().parse_san(text).expect("the test plays legal moves");
        game.play(mv).expect("the test plays legal moves");
    }
}

#[test]
fn the_third_occurrence_ends_a_game_and_taking_back_reopens_it() {
    let mut game = Game::default();
    let there_and_back = ["Nf3", "Nf6", "Ng1", "Ng8"];
    play(&mut game, &there_and_back);
    assert_eq!((game.occurrences(), game.ending()), (2, None));
    play(&mut game, &there_and_back);
    assert_eq!((game.occurrences(), game.ending()), (3, Some(Ending::ThreefoldRepetition)));
    assert!(game.take_back().is_some());
    assert_eq!(game.ending(), None);
    // Without castling rights it is another position.
    let mut game = Game::default();
    play(&mut game, &["e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8", "Ke2", "Ke7", "Ke1", "Ke8"]);
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = Game::default();
    let illegal = Move::new(Square::E2, Square::E5, MoveKind::Quiet);
    assert!(game.play(illegal).is_err());
    assert_eq!((game.position(), game.moves()), (&Position::default(), &[][..]));
    assert_eq!(game.take_back(), None);
}

#[test]
fn in_a_search_one_repetition_since_the_root_or_two_in_all_are_a_draw() {
    let mut game = Game::default();
    play(&mut game, &["Nf3", "Nf6", "Ng1", "Ng8"]);
    let start = Position::default();
    // The start position occurred once, before the root of a search that starts now.
    let now = game.history().len();
    assert!(!game.history().is_draw_in_search(game.position(), now));
    assert!(game.history().is_draw_in_search(game.position(), 0));
    play(&mut game, &["Nf3", "Nf6", "Ng1", "Ng8"]);
    assert!(game.history().is_draw_in_search(game.position(), game.history().len()));
    assert_eq!(KeyHistory::new().occurrences(&start), 0);
}

#[test]
fn a_setup_reports_all_its_faults() {
    let faults = |fen: &str| {
        let setup: Setup = fen.parse().expect("the FEN can be parsed");
        setup.validate().expect_err("there are faults").to_string()
    };
    let all = faults("P3k3/8/8/8/8/8/8/4K2R b KQ e3 0 1");
    for part in ["pawn on a8", "rook on a1", "can have passed e3"] {
        assert!(all.contains(part), "{part} is missing in: {all}");
    }
    assert!(faults("4k3/8/8/8/8/8/8/4K1KK w - - 0 1").contains("White has 3 kings"));
    assert!(faults("4k3/8/8/8/8/8/8/8 w - - 0 1").contains("White has no king"));
    assert!(faults("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").contains("Black is in check from e2"));
    assert!(faults("8/8/8/3kK3/8/8/8/8 w - - 0 1").contains("Black is in check from e5"));
    assert!(faults("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1").contains("king is not on its first rank"));
    assert!(faults("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1").contains("two rooks to the right"));
    assert!(faults("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1").contains("path was not free"));
    assert!(
        faults("4k3/8/8/8/8/8/8/4K3 w - e3 0 1").contains("White is to move and cannot capture en passant")
    );
    assert!(faults("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1").contains("Black has 9 pawns"));
    let crowd = faults("4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1");
    assert!(crowd.contains("White has 17 pieces"), "{crowd}");
    let mut misplaced = Setup::standard();
    misplaced.castling_rooks |= Square::E4.into();
    assert!(misplaced.validate().expect_err("no rook castles from e4").to_string().contains("rook on e4"));
}

#[test]
fn the_likely_key_is_right_for_plain_moves() {
    let (mut plain, mut all) = (0, 0);
    random_games(17, 50, 150, |position| {
        for &mv in &position.legal_moves() {
            let after = position.after(mv);
            let is_plain = matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture)
                && position.en_passant().is_none()
                && position.castling() == after.castling();
            let is_right = position.likely_key_after(mv) == after.key();
            assert!(is_right || !is_plain, "{position} {mv:?}");
            plain += usize::from(is_right);
            all += 1;
        }
    });
    assert!(plain * 10 > all * 8, "{plain} of {all}");
}
