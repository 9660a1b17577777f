//! Material, pawns, mobility, king safety.

use rukh_chess::position::ChangeObserver;
use rukh_chess::random::SplitMix64;
use rukh_chess::types::File;
use rukh_chess::{Bitboard, Color, Piece, Position, Square, attacks};
use rukh_engine::teaching::games::opening;
use rukh_engine::teaching::terms::{best_move, play};
use rukh_eval::hce::king::{DANGER_MAX, DANGER_SQUARED_PER_UNIT};
use rukh_eval::hce::{self, Term};
use rukh_eval::{Evaluator, Material, Score};

use super::common::position;

/// An evaluator that is a function of the position.
#[derive(Clone, Copy)]
struct Function(fn(&Position) -> i32);

struct NoObserver;

impl ChangeObserver for NoObserver {}

impl Evaluator for Function {
    fn reset(&mut self, _position: &Position) {}

    fn push(&mut self) -> impl ChangeObserver + '_ {
        NoObserver
    }

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Score {
        Score::new(self.0(position))
    }
}

#[test]
fn material_1_a_rook_and_a_pawn_against_two_minor_pieces() {
    let start = position("1nb1k3/8/8/8/8/8/P7/R3K3 w - - 0 1");
    assert_eq!(Material.evaluate(&start), Score::DRAW, "six pawns each");
    let material = hce::trace(&start).difference(Term::Material);
    assert!(material.midgame() < -100, "the tuned weights prefer the two pieces: {material:?}");
    assert!(material.endgame() < 0 && material.endgame() > material.midgame(), "less so in the endgame");
}

/// Steps from the edge of the board, 0 to 3, by file and by rank.
fn steps_from_the_edge(square: Square) -> i32 {
    let from_edge = |at: usize| at.min(7 - at) as i32;
    from_edge(square.file().index()) + from_edge(square.rank().index())
}

/// Material and ten points for each step of a knight towards the centre.
fn centralised(position: &Position) -> i32 {
    let knights = |color: Color| -> i32 {
        position
            .colored_pieces(color, Piece::Knight)
            .into_iter()
            .map(|square| 10 * steps_from_the_edge(square))
            .sum()
    };
    let us = position.side_to_move();
    Material.evaluate(position).value() + knights(us) - knights(!us)
}

#[test]
fn material_2_knights_towards_the_centre() {
    let mut random = SplitMix64::new(4);
    let mut half_points = 0;
    for _ in 0..6 {
        let from = opening(&mut random);
        let white = play(from.clone(), 2, Function(centralised), Material);
        let black = play(from, 2, Material, Function(centralised));
        half_points += white.half_points(Color::White) + black.half_points(Color::Black);
    }
    assert!(half_points > 12, "{half_points} of 24 half points");
}

#[test]
fn pawns_1_the_key_of_the_pawns() {
    let start = position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let after = |text: &str| start.after(start.parse_san(text).expect("the move is legal"));
    let developed = after("Bb5");
    assert_ne!(developed.key(), start.key());
    assert_eq!(developed.keys().pawns(), start.keys().pawns(), "the pawns are the same");
    assert_ne!(after("d3").keys().pawns(), start.keys().pawns());
}

/// Whether the white pawn is backward: all neighbours are ahead, the square before it is held, and it cannot capture.
fn is_backward(position: &Position, square: Square) -> bool {
    let (own, enemy) = (
        position.colored_pieces(Color::White, Piece::Pawn).0,
        position.colored_pieces(Color::Black, Piece::Pawn).0,
    );
    let (file, rank) = (square.file().index(), square.rank().index());
    let column = |file: usize| Bitboard::file(File::ALL[file]).0;
    let left = if file > 0 { column(file - 1) } else { 0 };
    let right = if file < 7 { column(file + 1) } else { 0 };
    let neighbours = own & (left | right);
    let level_or_behind = neighbours & ((1_u64 << (8 * (rank + 1))) - 1);
    let stop = 1_u64 << (square.index() + 8);
    let enemy_attacks =
        Bitboard(enemy).into_iter().fold(0, |all, square| all | attacks::pawn(Color::Black, square).0);
    let levers = attacks::pawn(Color::White, square).0 & enemy;
    neighbours != 0 && level_or_behind == 0 && (enemy | enemy_attacks) & stop != 0 && levers == 0
}

#[test]
fn pawns_2_backward_pawns() {
    let backward = |fen: &str| {
        let start = position(fen);
        let pawns = start.colored_pieces(Color::White, Piece::Pawn);
        let names =
            pawns.into_iter().filter(|&square| is_backward(&start, square)).map(|square| square.to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    // The pawn on d3 cannot advance safely, and the pawn on c4 has gone ahead.
    assert_eq!(backward("4k3/8/8/2p1p3/2P5/3P4/8/4K3 w - - 0 1"), "d3");
    assert_eq!(backward("4k3/8/8/2p5/2P5/3P4/8/4K3 w - - 0 1"), "d3", "the pawn on c5 holds d4");
    assert_eq!(backward("4k3/8/8/8/2P5/3P4/8/4K3 w - - 0 1"), "", "it can advance");
    assert_eq!(backward("4k3/8/8/4p3/8/2PP4/8/4K3 w - - 0 1"), "", "it has a neighbour beside it");
}

#[test]
fn mobility_1_rooks_look_through_each_other() {
    let start = position("4k3/8/8/8/8/3R4/3R4/4K3 w - - 0 1");
    let rook = "d2".parse().expect("it is a square");
    let plain = attacks::rook(rook, start.occupied()).0.count_ones();
    let own_rooks = start.colored_pieces(Color::White, Piece::Rook);
    let through = attacks::rook(rook, Bitboard(start.occupied().0 & !own_rooks.0)).0.count_ones();
    assert_eq!((plain, through), (9, 14));
}

/// Material and a tenth of a pawn for each legal move more than the other side has.
fn counting_moves(position: &Position) -> i32 {
    let mut other = position.clone();
    if !position.is_check() {
        other.make_null();
    }
    let (ours, theirs) = (position.count_legal_moves() as i32, other.count_legal_moves() as i32);
    Material.evaluate(position).value() + 10 * (ours - theirs)
}

#[test]
fn mobility_2_who_counts_moves_brings_the_queen_out() {
    let mut game = Position::default();
    let mut played = Vec::new();
    for _ in 0..3 {
        let (mv, _) = best_move(&game, 1, &mut Function(counting_moves)).expect("there are moves");
        played.push(game.san(mv));
        game = game.after(mv);
        // Any reply will do: the first one of the generator.
        game = game.after(game.legal_moves()[0]);
    }
    assert!(played[1..].iter().any(|name| name.starts_with('Q')), "{played:?}");
}

#[test]
fn king_safety_1_danger_grows_with_its_square() {
    let value = |units: i32| f64::from(units * units) / f64::from(DANGER_SQUARED_PER_UNIT);
    let step = |units: i32| value(units + 1) - value(units);
    assert_eq!(DANGER_SQUARED_PER_UNIT, 2048);
    assert!((step(20) - 41.0 / 2048.0).abs() < 1e-9 && (step(200) - 401.0 / 2048.0).abs() < 1e-9);
}

#[test]
fn king_safety_2_danger_is_limited() {
    let danger =
        |fen: &str| -hce::trace(&position(fen)).terms[Term::KingDanger.index()][Color::Black].midgame();
    let few = danger("6k1/5ppp/8/8/6Q1/3B4/5PPP/6K1 w - - 0 1");
    let many = danger("6k1/pp6/2n1QQQ1/4QQQ1/3BB3/8/5PPP/6K1 b - - 0 1");
    let limit = DANGER_MAX * DANGER_MAX / DANGER_SQUARED_PER_UNIT;
    assert!(few >= 0 && few < many, "{few} and {many}");
    assert!(many <= limit, "{many} is beyond {limit}");
}
