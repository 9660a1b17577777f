//! FEN, EPD, SAN and UCI moves: what is accepted, what is rejected, and the messages.

use crate::common::position;
use rukh_chess::notation::{CastlingNotation, CastlingStyle, Epd};
use rukh_chess::{Position, Setup, Square};

/// The message for a FEN that is not a valid position.
fn complaint(fen: &str) -> String {
    let error = fen.parse::<Position>().expect_err(fen).to_string();
    assert!(!error.is_empty() && error.len() < 1_000 && !error.contains('\n'), "{error}");
    error
}

#[test]
fn a_faulty_fen_is_rejected_with_the_place_of_the_fault() {
    let cases = [
        ("", "ends before the board"),
        ("   ", "ends before the board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "ends before the side to move"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "ends before the castling rights"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "ends before the en-passant square"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "should have 8 ranks, but has 7"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "should have 8 ranks, but has 9"),
        (
            "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rank 8 of the FEN does not have 8 squares",
        ),
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "rank 5 of the FEN does not have 8 squares"),
        ("4k3/8/8/44p/8/8/8/4K3 w - - 0 1", "rank 5 of the FEN does not have 8 squares"),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", "rank 3 of the FEN has '9'"),
        ("4k3/8/8/8/8/0p7/8/4K3 w - - 0 1", "rank 3 of the FEN has '0'"),
        ("4k3/8/8/8/8/8/8/4K2♜ w - - 0 1", "rank 1 of the FEN has '♜'"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move of the FEN is \"x\""),
        ("4k3/8/8/8/8/8/8/4K3 w z - 0 1", "the castling rights of the FEN is \"z\""),
        ("4k3/8/8/8/8/8/8/R3K2R w KK - 0 1", "the castling rights of the FEN is \"KK\""),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "the en-passant square of the FEN is \"e9\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "the halfmove clock of the FEN is \"-1\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "the halfmove clock of the FEN is \"65536\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "the move number of the FEN"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 0", "goes on after the move number with \"0\""),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("kkk5/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 3 kings"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "White has a pawn on h1"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "rook on h1, but there is none"),
        ("4k3/8/8/8/8/8/8/4K3 w A - 0 1", "rook on a1, but there is none"),
        ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "no pawn of Black can have passed d6"),
        ("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "Black is in check from e4"),
        // All faults are reported, also that the king can be captured.
        ("4k3/8/8/8/4R3/8/8/4K2P w - - 0 1", "White has a pawn on h1; Black is in check from e4"),
        ("4k3/8/5N2/8/8/8/8/4K3 w K - 0 1", "there is none; Black is in check from f6"),
        ("4k3/3P4/8/8/8/8/8/4K2P w - - 0 1", "White has a pawn on h1; Black is in check from d7"),
    ];
    for (fen, expected) in cases {
        let error = complaint(fen);
        assert!(error.contains(expected), "{fen}: {error}");
    }
}

#[test]
fn a_megabyte_of_noise_gets_a_short_message() {
    let noise = "x".repeat(1 << 20);
    let slashes = "/".repeat(1 << 20);
    for text in
        [noise.as_str(), slashes.as_str(), &"8".repeat(1 << 20), &"k/".repeat(1 << 19), &" w".repeat(1 << 19)]
    {
        complaint(text);
        assert!(text.parse::<Epd>().expect_err("noise").to_string().len() < 1_000);
        assert!(Position::default().parse_san(text).expect_err("noise").to_string().len() < 1_000);
        assert!(Position::default().parse_uci(text).expect_err("noise").to_string().len() < 1_000);
    }
    let operations = format!("4k3/8/8/8/8/8/8/4K3 w - - id \"{noise}");
    assert!(operations.parse::<Epd>().expect_err("the quote has no end").to_string().contains("has no end"));
}

#[test]
fn every_prefix_and_suffix_of_a_fen_is_parsed_without_a_panic() {
    let fen = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 12";
    for end in 0..fen.len() {
        let _ = fen[..end].parse::<Position>();
        let _ = fen[end..].parse::<Position>();
    }
    assert_eq!(position(fen).to_string(), fen);
}

#[test]
fn counters_are_optional_and_extra_white_space_is_ignored() {
    let plain = position("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 b - -"), plain);
    assert_eq!(position("  4k3/8/8/8/8/8/8/4K3   b  -\t- 0   1  "), plain);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 b - - 0 0"), plain);
}

#[test]
fn castling_rights_are_parsed_in_all_styles() {
    // Two rooks to the right of the king: K is the outer one, a letter the one on its file.
    let outer = position("k7/8/8/8/8/8/8/1K2R1R1 w K - 0 1");
    assert_eq!(outer.castling().rooks(), Square::G1.into());
    assert_eq!(outer.to_string(), "k7/8/8/8/8/8/8/1K2R1R1 w K - 0 1");
    assert_eq!(outer.fen(CastlingStyle::Shredder), "k7/8/8/8/8/8/8/1K2R1R1 w G - 0 1");
    let inner = position("k7/8/8/8/8/8/8/1K2R1R1 w E - 0 1");
    assert_eq!(inner.castling().rooks(), Square::E1.into());
    assert_eq!(inner.to_string(), "k7/8/8/8/8/8/8/1K2R1R1 w E - 0 1");
    assert_ne!(inner.key(), outer.key());
    // The rooks of White and Black may be on different files.
    let double = "1r2k1r1/8/8/8/8/8/8/R2K3R w AHbg - 0 1";
    assert_eq!(position(double).fen(CastlingStyle::Shredder), "1r2k1r1/8/8/8/8/8/8/R2K3R w HAgb - 0 1");
    assert_eq!(position(double).to_string(), "1r2k1r1/8/8/8/8/8/8/R2K3R w KQkq - 0 1");
    // Any order is accepted.
    assert_eq!(
        position("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"),
        position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    );
}

#[test]
fn epd_keeps_all_operations_in_order() {
    let text = r#"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5 Bc4; id "two moves; one id"; c0 ""; D3 8902; ce +25;"#;
    let epd: Epd = text.parse().expect("this is an EPD");
    let position = epd.setup.validate().expect("the position is valid");
    let names = epd.operations.iter().map(|operation| operation.opcode.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["bm", "id", "c0", "D3", "ce"]);
    assert_eq!(epd.operand("id"), Some("two moves; one id"));
    assert_eq!(epd.operand("c0"), Some(""));
    assert_eq!(epd.operand("am"), None);
    let moves = epd.moves(&position, "bm").expect("both moves are legal");
    assert_eq!(moves.iter().map(|&mv| position.san(mv)).collect::<Vec<_>>(), ["Bb5", "Bc4"]);
    assert_eq!(epd.moves(&position, "am"), Ok(Vec::new()));
    assert_eq!(epd.to_string(), text);
    assert_eq!(epd.to_string().parse(), Ok(epd));
}

#[test]
fn epd_counters_come_from_a_fen_or_from_operations() {
    let fen: Epd = "4k3/8/8/8/8/8/8/4K3 w - - 7 40 ;D1 5 ;D2 25".parse().expect("six fields are accepted");
    assert_eq!((fen.setup.halfmove_clock, fen.setup.fullmove_number), (7, 40));
    assert_eq!((fen.operand("D1"), fen.operand("D2")), (Some("5"), Some("25")));
    let named: Epd =
        "4k3/8/8/8/8/8/8/4K3 w - - hmvc 7; fmvn 40;".parse().expect("counters may be operations");
    assert_eq!(named.setup, fen.setup);
    // The counters are not among the operations; they are written as such.
    assert_eq!((named.operations.len(), fen.operations.len()), (0, 2));
    assert_eq!(named.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - hmvc 7; fmvn 40;");
    assert_eq!(fen.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - hmvc 7; fmvn 40; D1 5; D2 25;");
    let mut changed = fen;
    changed.setup.halfmove_clock = 9;
    assert_eq!(changed.to_string().parse(), Ok(changed));
    let bare: Epd = "4k3/8/8/8/8/8/8/4K3 w - -".parse().expect("operations may be missing");
    assert_eq!((bare.operations.len(), bare.setup.fullmove_number), (0, 1));
}

#[test]
fn a_faulty_epd_is_rejected_with_a_message() {
    let start = "4k3/8/8/8/8/8/8/4K3 w - -";
    let complaint = |rest: &str| format!("{start} {rest}").parse::<Epd>().expect_err(rest).to_string();
    assert!(complaint("id \"never closed").contains("never closed"));
    assert!(complaint("\"quoted\" bm;").contains("\"quoted\" is not the name of an operation"));
    assert!(complaint("; ?? x;").contains("\"??\" is not the name of an operation"));
    assert!(complaint("hmvc x;").contains("halfmove clock"));
    assert!(
        "4k3/8/8 w - - bm e4;"
            .parse::<Epd>()
            .expect_err("the board is short")
            .to_string()
            .contains("8 ranks")
    );
    let epd: Epd = format!("{start} bm Ke3;").parse().expect("the syntax is right");
    let error = epd.moves(&position(start), "bm").expect_err("the king cannot reach e3").to_string();
    assert_eq!(error, "in the operation \"bm\", \"Ke3\" is not a legal move here");
}

#[test]
fn san_has_minimal_disambiguation() {
    let cases = [
        // Several knights reach d5: disambiguation by file, by rank, by both.
        ("4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1", "c3d5", "Ncd5"),
        ("7k/2N5/8/8/8/2N5/8/4K3 w - - 0 1", "c3d5", "N3d5"),
        ("7k/2N5/8/8/8/2N1N3/8/4K3 w - - 0 1", "c3d5", "Nc3d5"),
        ("7k/2N5/8/8/8/2N1N3/8/4K3 w - - 0 1", "e3d5", "Ned5"),
        // The other knight is pinned: no disambiguation.
        ("4k3/8/8/8/1b6/2N5/4N3/4K3 w - - 0 1", "e2d4", "Nd4"),
        ("4k3/8/8/8/1b6/2N5/4N3/4K3 w - - 0 1", "e1f1", "Kf1"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", "b8=Q+"),
        ("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7c8n", "bxc8=N"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ];
    for (fen, uci, san) in cases {
        let position = position(fen);
        let mv = position.parse_uci(uci).expect("the test has legal moves");
        assert_eq!(position.san(mv), san, "{fen}");
        assert_eq!(position.parse_san(san), Ok(mv), "{fen}");
    }
}

#[test]
fn san_variants_with_the_same_meaning_are_accepted() {
    let cases = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "g1f3",
            ["Nf3!?", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3+"],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
            ["e4!!", "e2e4", "e2-e4", "Pe4", "e4#"],
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", ["O-O", "0-0", "o-o", "OO", "O-O+?"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", ["O-O-O", "0-0-0", "o-o-o", "OOO", "0-0-0!"]),
        ("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7c8q", ["bxc8=Q", "bxc8Q+", "bc8=Q", "b7xc8=Q+", "bxc8(Q)"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", ["exd6", "ed6", "exd6e.p.", "e5xd6 e.p.", "e5:d6"]),
    ];
    for (fen, uci, spellings) in cases {
        let position = position(fen);
        for spelling in spellings {
            assert_eq!(position.parse_san(spelling), Ok(position.parse_uci(uci).expect(uci)), "{spelling}");
        }
    }
}

#[test]
fn an_illegal_move_is_rejected_with_the_reason() {
    let start = Position::default();
    let san = |position: &Position, text: &str| position.parse_san(text).expect_err(text).to_string();
    assert_eq!(san(&start, "e5"), "\"e5\" is not a legal move here");
    assert!(san(&start, "").contains("is not a move such as"));
    assert!(san(&start, "Nf9").contains("is not a move such as"));
    assert!(san(&start, "é4").contains("is not a move such as"));
    let knights = position("4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1");
    assert_eq!(san(&knights, "Nd5"), "\"Nd5\" may mean Ncd5 or Ned5");

    let uci = |fen: &str, text: &str| position(fen).parse_uci(text).expect_err(text).to_string();
    let cases = [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2", "is not a move such as e2e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "0000", "is not a move such as e2e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4x", "is not a move such as e2e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2é4", "is not a move such as e2e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "d2d4", "there is no piece on d2"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e8e7", "White is to move, and the piece on e8 is not its own"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1e2", "a piece of the same side stands on e2"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", "the pawn on e2 cannot go to e5"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2d3", "the pawn on e2 cannot go to d3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1g1", "castling is not possible there now"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4q", "the pawn that goes from e2 to e4 cannot become that"),
        ("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", "the king would be in check on d1"),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "the king would be in check after the knight goes"),
        // Not castling: king moves of two squares off the back rank, and rooks of the opponent.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e1g5", "the king on e1 cannot go to g5"),
        ("4k3/8/8/8/4K3/8/8/8 w - - 0 1", "e4g4", "the king on e4 cannot go to g4"),
        ("4k2r/6K1/5b2/8/8/8/8/8 w k - 0 1", "g7h8", "the king would be in check on h8"),
        // En passant: the pawn is pinned, alone or together with the captured pawn; or the double push was earlier.
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "the king would be in check after the pawn goes"),
        ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "e5d6", "the king would be in check after the pawn goes"),
        ("8/8/8/3pP2r/8/8/8/K6k w - - 0 1", "e5d6", "the pawn on e5 cannot go to d6"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8", "must become a queen, rook, bishop or knight"),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8k", "cannot become that"),
    ];
    for (fen, text, expected) in cases {
        let error = uci(fen, text);
        assert!(error.contains(expected), "{fen} {text}: {error}");
    }
}

#[test]
fn castling_is_parsed_as_king_target_and_as_rook_square() {
    for (fen, rook, target) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", "e8c8"),
        ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "e1b1", "e1c1"),
        ("1r2k1r1/8/8/8/8/8/8/4K3 b gb - 0 1", "e8g8", "e8g8"),
    ] {
        let position = position(fen);
        let mv = position.parse_uci(rook).expect(rook);
        assert!(mv.is_castling());
        assert_eq!(position.parse_uci(target), Ok(mv));
        assert_eq!(position.uci(mv, CastlingNotation::RookSquare), rook);
        assert_eq!(position.uci(mv, CastlingNotation::KingTarget), target);
    }
    for (fen, castling) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingNotation::KingTarget),
        ("4k3/8/8/8/8/8/8/5KR1 w - - 0 1", CastlingNotation::KingTarget),
        ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", CastlingNotation::RookSquare),
        ("r3k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1", CastlingNotation::KingTarget),
        ("r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingNotation::RookSquare),
    ] {
        assert_eq!(CastlingNotation::of(&position(fen)), castling, "{fen}");
    }
    // From f1 to g1 is a king move; castling is written with the square of the rook.
    let next_to_target = position("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    assert!(!next_to_target.parse_uci("f1g1").expect("a king move").is_castling());
    assert!(next_to_target.parse_uci("f1h1").expect("castling").is_castling());
}

#[test]
fn a_setup_can_be_filled_square_by_square() {
    let mut setup = Setup::EMPTY;
    assert!(setup.validate().is_err());
    for (square, fen_letter) in [(Square::E1, 'K'), (Square::E8, 'k'), (Square::A2, 'P')] {
        let piece = rukh_chess::Piece::from_letter(fen_letter).expect("these are pieces");
        let color =
            if fen_letter.is_ascii_uppercase() { rukh_chess::Color::White } else { rukh_chess::Color::Black };
        setup.board[square.index()] = Some((color, piece));
    }
    assert_eq!(setup.validate().expect("two kings and a pawn").to_string(), "4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
}
