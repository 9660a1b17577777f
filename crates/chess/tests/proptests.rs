//! Property tests of parsers and writers: noise, valid input with a few faults, valid tokens in any order, and random games
//! and positions.
//!
//! The seed is fixed, so every run has the same result. The fuzz targets search further.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use rukh_chess::game::Outcome;
use rukh_chess::notation::CastlingNotation;
use rukh_chess::notation::pgn::{PgnGame, PgnMove, Variation};
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Position, Setup};

use crate::properties;
use crate::properties::{POSITIONS, shape};

fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0x0052_756B_6821);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

const EPDS: [&str; 4] = [
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 3 40 am e3; c0 \"a; b\";",
    "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 7; fmvn 0; pv Kd7 Kf2 ; noop;",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - c1 \"\"; c2 a\"b; bm O-O O-O-O",
];

const PGNS: [&str; 5] = [
    "[White \"A\"]\n[Black \"B\\\"C\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    "1. e4 {good} (1. d4 d5 (1... Nf6 $5) 2. c4) e5!? ; open } game\n2. -- Nc6 *\n",
    "[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 b - - 0 9\"]\n\n{before} 9... Kd7 10. a8=Q 1-0\n",
    "[Event \"x\"]\n1. e4 e5 1/2-1/2\n\n[Event \"y\"]\n% aside\n1. Zz9 *\n[Event \"z\"]\n1e4 *",
    "[Variant \"Chess960\"]\n[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1\"]\n1. O-O O-O-O *",
];

const SANS: [&str; 14] = [
    "e4",
    "Nf3",
    "Nbd7",
    "N3xe5+",
    "Qc4d5",
    "axb8=Q#",
    "c8N",
    "g1(R)",
    "fxe6 e.p.",
    "O-O",
    "0-0-0",
    "Kd1",
    "R1e2",
    "Rae1!?",
];

const UCIS: [&str; 8] = ["e2e4", "a7a8q", "c2b1N", "e1g1", "g1h1", "f5e6", "b8c8", "0000"];

const PGN_WORDS: [&str; 40] = [
    "[Event \"x\"]\n",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    "[FEN \"\"]",
    "[Result \"1-0\"]",
    "[",
    "]",
    "\"",
    "\\",
    "{",
    "}",
    "{c}",
    ";",
    "; c\n",
    "%",
    "\n% x\n",
    "(",
    ")",
    "1.",
    "1...",
    ".",
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "Bb5",
    "d4",
    "O-O",
    "--",
    "Z0",
    "$1",
    "$256",
    "!",
    "?!",
    "!!!",
    "*",
    "1-0",
    "½-½",
    "\n",
    "\r\n",
    "\n\n[Event ",
];

/// A fault in a text.
#[derive(Clone, Debug)]
enum Edit {
    Delete(Index),
    Duplicate(Index),
    Swap(Index, Index),
    Insert(Index, char),
    Truncate(Index),
}

impl Edit {
    fn apply(&self, text: &mut Vec<char>) {
        if text.is_empty() {
            return;
        }
        let length = text.len();
        let place = |index: &Index| index.index(length);
        match self {
            Self::Delete(at) => drop(text.remove(place(at))),
            Self::Duplicate(at) => text.insert(place(at), text[place(at)]),
            Self::Swap(a, b) => text.swap(place(a), place(b)),
            Self::Insert(at, sign) => text.insert(place(at), *sign),
            Self::Truncate(at) => text.truncate(place(at)),
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let sign = || {
        prop_oneof![
            4 => select("12345678/-wbKQkqRrNnBPpaehHA \";{}()[]\\$%!.*x=+#0\n\t".chars().collect::<Vec<_>>()),
            1 => any::<char>(),
        ]
    };
    prop_oneof![
        4 => any::<Index>().prop_map(Edit::Delete),
        4 => any::<Index>().prop_map(Edit::Duplicate),
        4 => any::<(Index, Index)>().prop_map(|(a, b)| Edit::Swap(a, b)),
        4 => (any::<Index>(), sign()).prop_map(|(at, sign)| Edit::Insert(at, sign)),
        1 => any::<Index>().prop_map(Edit::Truncate),
    ]
}

/// A text of `texts` with up to four faults.
fn mutated(texts: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (texts, vec(edit(), 0..5)).prop_map(|(text, edits)| {
        let mut text = text.chars().collect::<Vec<_>>();
        for edit in edits {
            edit.apply(&mut text);
        }
        text.into_iter().collect()
    })
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(texts).prop_map(str::to_owned)
}

/// Noise: printable text, any characters, or any bytes.
fn noise() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC*",
        any::<String>(),
        vec(any::<u8>(), 0..100).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

/// FEN fields with valid characters, mostly of valid length.
fn fen_words() -> impl Strategy<Value = String> {
    let squares = vec(select("111111PNBRQKpnbrqk".chars().collect::<Vec<_>>()), 8);
    let rank = prop_oneof![
        6 => Just("8".to_owned()),
        6 => squares.prop_map(String::from_iter),
        1 => "[1-9a-zA-Z]{0,9}",
    ];
    let board =
        prop_oneof![6 => vec(rank.clone(), 8), 1 => vec(rank, 0..12)].prop_map(|ranks| ranks.join("/"));
    let castling = prop_oneof![3 => "-", 3 => "K?Q?k?q", 3 => "[A-Ha-h]{1,3}", 1 => "[A-Za-z-]{0,6}"];
    let en_passant = prop_oneof![4 => "-", 4 => "[a-h][36]", 1 => "[a-z][0-9]"];
    let counters = prop_oneof![4 => "( [0-9]{1,3}){0,2}", 1 => "( [+-]?[0-9]{1,12}){0,3}"];
    (board, prop_oneof![9 => "[wb]", 1 => "[ -~]"], castling, en_passant, counters).prop_map(
        |(board, side, castling, passed, counters)| format!("{board} {side} {castling} {passed}{counters}"),
    )
}

/// EPD operations, mostly well formed.
fn operations() -> impl Strategy<Value = String> {
    let opcode = prop_oneof![
        select(&["bm", "am", "pv", "hmvc", "fmvn", "id"][..]).prop_map(str::to_owned),
        "[ -~]{1,4}"
    ];
    let operand =
        prop_oneof!["[0-9]{1,6}", one_of(&SANS), "\"[ -~&&[^\"]]{0,9}\"", "[ -~]{0,5}", "\"\\PC{0,5}\""];
    let end = select(&[";", " ; ", "", ";;", "\n"][..]);
    let operation = (opcode, vec(operand, 0..3), end)
        .prop_map(|(opcode, operands, end)| format!(" {opcode} {}{end}", operands.join(" ")));
    vec(operation, 0..5).prop_map(|operations| operations.concat())
}

/// A position of a random game.
fn played_position() -> impl Strategy<Value = Position> {
    (select(&POSITIONS[..]), vec(any::<Index>(), 0..60)).prop_map(|(fen, choices)| {
        let mut position: Position = fen.parse().expect("the positions of the tests are valid");
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[choice.index(moves.len())]);
        }
        position
    })
}

/// The start position of standard chess, of double Chess960, or a position of a random game.
fn any_start() -> impl Strategy<Value = Position> {
    let chess960 = any::<(u16, u16)>()
        .prop_map(|(white, black)| Setup::chess960(white, black).validate().expect("a start is valid"));
    prop_oneof![2 => Just(Position::default()), 1 => played_position(), 1 => chess960]
}

/// Makes random variations with NAGs, comments and nested variations.
struct Annotator {
    random: SplitMix64,
    comments: Vec<String>,
}

impl Annotator {
    fn chance(&mut self, of: u64) -> bool {
        self.random.below(of) == 0
    }

    fn some_comments(&mut self) -> Vec<String> {
        let count = self.random.below(12).saturating_sub(9).min(self.comments.len() as u64);
        (0..count)
            .map(|_| self.comments[self.random.below(self.comments.len() as u64) as usize].clone())
            .collect()
    }

    fn variation(&mut self, start: &Position, depth: u64) -> Variation {
        let mut variation = Variation { comments: self.some_comments(), moves: Vec::new() };
        let mut position = start.clone();
        for _ in 0..self.random.below(30 >> depth) {
            let moves = position.legal_moves();
            let is_null = !position.is_check() && self.chance(20);
            if moves.is_empty() && !is_null {
                break;
            }
            let before = position.clone();
            let mv = (!is_null).then(|| moves[self.random.below(moves.len() as u64) as usize]);
            match mv {
                Some(mv) => position = position.after(mv),
                None => position.make_null(),
            }
            let nags =
                (0..self.random.below(8).saturating_sub(5)).map(|_| self.random.next() as u8).collect();
            let variations = match depth < 4 && self.chance(5) {
                true => (0..=self.random.below(2)).map(|_| self.variation(&before, depth + 1)).collect(),
                false => Vec::new(),
            };
            variation.moves.push(PgnMove { mv, nags, comments: self.some_comments(), variations });
        }
        variation
    }
}

/// A random game with everything that PGN can express.
fn pgn_game() -> impl Strategy<Value = PgnGame> {
    // Comments are stored with single spaces between their words.
    let comment = prop_oneof!["[!-~]{1,9}( [!-~]{1,9}){0,30}", "\\PC{1,40}"]
        .prop_map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .prop_filter("empty comments are not stored", |text| !text.is_empty());
    let name = "[A-Za-z_]{1,12}".prop_filter("these tags have a meaning", |name| {
        !["fen", "variant", "result"].contains(&name.to_ascii_lowercase().as_str())
    });
    let tags = vec((name, prop_oneof!["[ -~]{0,20}", "\\PC{0,20}"]), 0..6);
    let outcome = select(vec![
        None,
        Some(Outcome::Draw),
        Some(Outcome::Win(Color::White)),
        Some(Outcome::Win(Color::Black)),
    ]);
    (any_start(), tags, outcome, vec(comment, 0..6), any::<u64>()).prop_map(
        |(start, tags, outcome, comments, seed)| {
            let mut annotator = Annotator { random: SplitMix64::new(seed), comments };
            let main_line = annotator.variation(&start, 0);
            PgnGame { tags, start, main_line, outcome }
        },
    )
}

/// The bytes of random setups: some arbitrary, most of them likely to be valid.
fn setup_bytes() -> impl Strategy<Value = Vec<u8>> {
    let plausible = shape::KINGS | shape::CASTLING | shape::PAWNS_INSIDE;
    let others = shape::BLACK | shape::KINGS_AT_HOME | shape::DOUBLE_PUSH | shape::SMALL_CLOCKS;
    let flags = prop_oneof![
        1 => any::<u8>(),
        6 => any::<u8>().prop_map(move |chance| plausible | chance & others),
    ];
    // The codes of the pieces of both sides: pawn, knight, bishop, rook, queen.
    let code = prop_oneof![3 => 0_u8..2, 1 => 2_u8..10, 1 => 6_u8..8];
    let back_rank_rook = (select(&[0_u8, 7][..]), 0_u8..8)
        .prop_map(|(rank, file)| [rank * 8 + file, if rank == 0 { 6 } else { 7 }]);
    let codes = vec((0_u8..64, code).prop_map(|(square, code)| [square, code]), 0..24);
    (flags, any::<[u8; 7]>(), codes, vec(back_rank_rook, 0..5)).prop_map(
        |(flags, mut fields, codes, rooks)| {
            if flags & shape::KINGS_AT_HOME == 0 {
                // Kings off their back rank have no castling rights.
                fields[2..4].fill(0);
            }
            let mut bytes = vec![flags];
            bytes.extend(fields);
            bytes.extend(codes.concat());
            bytes.extend(rooks.concat());
            bytes
        },
    )
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn fens_round_trip(text in prop_oneof![noise(), mutated(one_of(&POSITIONS)), mutated(fen_words())]) {
        properties::fen(&text);
    }

    #[test]
    fn epds_round_trip(
        text in prop_oneof![
            noise(),
            mutated(one_of(&EPDS)),
            (one_of(&EPDS), operations()).prop_map(|(epd, operations)| epd + &operations),
            (one_of(&POSITIONS), operations()).prop_map(|(fen, operations)| fen + &operations),
        ]
    ) {
        properties::epd(&text);
    }

    #[test]
    fn san_moves_round_trip(
        text in prop_oneof![
            noise(),
            mutated(one_of(&SANS)),
            "[PNBRQK]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[NBRQK])?[+#]?",
            "[a-hxO0NBRQK1-8=()+#!?:-]{0,8}",
        ]
    ) {
        properties::san(&text);
    }

    #[test]
    fn uci_moves_round_trip(
        text in prop_oneof![
            1 => noise(),
            1 => mutated(one_of(&UCIS)),
            4 => "[a-h][1-8][a-h][1-8][nbrqkNQ]?",
        ]
    ) {
        properties::uci(&text);
    }

    #[test]
    fn games_of_noise_round_trip(
        text in prop_oneof![
            1 => noise(),
            3 => mutated(vec(select(&PGNS[..]), 1..3).prop_map(|games| games.concat())),
            3 => vec(select(&PGN_WORDS[..]), 0..30).prop_map(|words| words.join(" ")),
            1 => vec(select(&PGN_WORDS[..]), 0..30).prop_map(|words| words.concat()),
        ]
    ) {
        properties::pgn(text.as_bytes());
    }

    #[test]
    fn games_of_random_bytes_round_trip(bytes in vec(any::<u8>(), 0..200)) {
        properties::pgn(&bytes);
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn random_games_round_trip(game in pgn_game()) {
        properties::pgn_game(&game);
    }

    #[test]
    fn random_games_with_faults_round_trip(text in mutated(pgn_game().prop_map(|game| game.to_string()))) {
        properties::pgn(text.as_bytes());
    }

    #[test]
    fn setups_are_sound(bytes in setup_bytes()) {
        properties::setup(&bytes);
    }

    #[test]
    fn every_move_of_a_random_game_round_trips(position in played_position()) {
        properties::fen(&position.to_string());
        for &mv in &position.legal_moves() {
            let texts = [position.san(mv), position.uci(mv, CastlingNotation::RookSquare)];
            prop_assert_eq!(position.parse_san(&texts[0]), Ok(mv));
            prop_assert_eq!(position.parse_uci(&texts[1]), Ok(mv));
        }
    }
}
