//! Board representation, move generation, perft.

use std::collections::HashMap;
use std::hash::Hash;

use rukh_chess::attacks::{self, Slider};
use rukh_chess::perft::perft;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Bitboard, Color, Position, Square};
use rukh_engine::teaching::mailbox::Mailbox;

use super::common::{KIWIPETE, position};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[test]
fn board_1_pawn_attacks_without_a_loop() {
    let all_at_once = |pawns: u64| ((pawns & !FILE_A) << 7) | ((pawns & !FILE_H) << 9);
    let one_by_one = |pawns: u64| {
        Bitboard(pawns).into_iter().fold(0, |all, square| all | attacks::pawn(Color::White, square).0)
    };
    let mut random = SplitMix64::new(1);
    // Pawns stand on the second to the seventh rank.
    let sets = (0..1_000).map(|_| random.next() & 0x00FF_FFFF_FFFF_FF00);
    for pawns in sets.chain([FILE_A & 0xFF00, FILE_H & 0xFF00]) {
        assert_eq!(all_at_once(pawns), one_by_one(pawns), "{pawns:016X}");
    }
    // Without the mask a pawn on a2 attacks h2.
    let a2 = 1_u64 << 8;
    assert_eq!((a2 << 7) & (1 << 15), 1 << 15);
}

#[test]
fn board_2_two_border_rows_and_one_border_column() {
    const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    // A board with one border column on either side and `rows` border rows above and below.
    let leaves_the_array = |rows: i32| {
        let index = |file: i32, rank: i32| 1 + file + 10 * (rows + rank);
        let size = 10 * (8 + 2 * rows);
        let mut squares = (0..64).flat_map(|square| JUMPS.map(|jump| (square % 8, square / 8, jump)));
        squares.any(|(file, rank, (right, up))| !(0..size).contains(&(index(file, rank) + right + 10 * up)))
    };
    assert!(leaves_the_array(1), "one border row is not enough for a knight");
    assert!(!leaves_the_array(2));
    // With one column on either side no jump lands on a square of the board by wrapping around.
    let on_board = |index: i32| (2..10).contains(&(index / 10)) && (1..9).contains(&(index % 10));
    for square in 0..64 {
        let (file, rank) = (square % 8, square / 8);
        for (right, up) in JUMPS {
            let is_right = (0..8).contains(&(file + right)) && (0..8).contains(&(rank + up));
            assert_eq!(
                on_board(21 + file + 10 * rank + right + 10 * up),
                is_right,
                "{file} {rank} {right} {up}"
            );
        }
    }
}

#[test]
fn move_generation_1_relevant_squares_and_tables() {
    let entries = |slider: Slider| -> u32 {
        Square::ALL.iter().map(|&square| 1 << slider.relevant_squares(square).0.count_ones()).sum()
    };
    let relevant = |slider: Slider, square: &str| {
        slider.relevant_squares(square.parse().expect("it is a square")).0.count_ones()
    };
    assert_eq!((relevant(Slider::Rook, "a1"), relevant(Slider::Bishop, "e4")), (12, 9));
    assert_eq!((entries(Slider::Rook), entries(Slider::Bishop)), (102_400, 5_248));
}

/// Attempts until a factor of `make` has no destructive collision for a rook on `square`; none within the limit.
fn attempts(square: Square, limit: u32, mut make: impl FnMut() -> u64) -> Option<u32> {
    let mask = Slider::Rook.relevant_squares(square).0;
    let bits = mask.count_ones();
    let mut subset = 0_u64;
    let mut occupancies = Vec::new();
    loop {
        occupancies.push((subset, Slider::Rook.walk(square, Bitboard(subset))));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    // A slot has the number of the attempt that filled it.
    let mut slots = vec![(0, Bitboard::EMPTY); 1 << bits];
    (1..=limit).find(|&attempt| {
        let factor = make();
        occupancies.iter().all(|&(occupancy, attacks)| {
            let slot = &mut slots[(occupancy.wrapping_mul(factor) >> (64 - bits)) as usize];
            if slot.0 != attempt {
                *slot = (attempt, attacks);
            }
            slot.1 == attacks
        })
    })
}

#[test]
fn move_generation_2_sparse_factors_are_found_sooner() {
    const LIMIT: u32 = 500_000;
    let mut random = SplitMix64::new(1);
    let squares = ["d4", "e3", "f6"].map(|name| name.parse().expect("it is a square"));
    let (mut sparse, mut dense) = (0, 0);
    for square in squares {
        let found = attempts(square, LIMIT, || random.next() & random.next() & random.next());
        sparse += found.expect("a sparse factor is found soon");
        dense += attempts(square, LIMIT, || random.next()).unwrap_or(LIMIT);
    }
    assert!(dense > 10 * sparse, "{dense} attempts with one random word, {sparse} with three");
}

#[test]
fn perft_1_checks_that_are_not_noticed() {
    let start = Position::default();
    assert_eq!(Mailbox::new(&start).perft(4), 197_281);
    // The moves of the last ply are counted without asking whether the king is attacked.
    assert_eq!(Mailbox::new(&start).perft_in_bulk(4), 197_742);
    let checks = three_plies(&start).into_iter().filter(Position::is_check).count();
    assert_eq!(checks, 12, "three plies from the start so many positions are check");
}

fn three_plies(start: &Position) -> Vec<Position> {
    let after = |positions: Vec<Position>| -> Vec<Position> {
        positions
            .iter()
            .flat_map(|from| from.legal_moves().to_vec().into_iter().map(|mv| from.after(mv)))
            .collect()
    };
    after(after(after(vec![start.clone()])))
}

/// Perft with a table of counts by a part of the key.
fn hashed<K: Hash + Eq>(
    position: &Position,
    depth: u32,
    part: fn(u64) -> K,
    known: &mut HashMap<(K, u32), u64>,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    if let Some(&count) = known.get(&(part(position.key()), depth)) {
        return count;
    }
    let moves = position.legal_moves();
    let count = moves.iter().map(|&mv| hashed(&position.after(mv), depth - 1, part, known)).sum();
    known.insert((part(position.key()), depth), count);
    count
}

#[test]
fn perft_2_short_keys_give_wrong_counts() {
    let kiwipete = position(KIWIPETE);
    let right = perft(&kiwipete, 4);
    assert_eq!(right, 4_085_603);
    assert_eq!(hashed(&kiwipete, 4, |key| key, &mut HashMap::new()), right);
    assert_ne!(hashed(&kiwipete, 4, |key| key as u16, &mut HashMap::new()), right, "16 bits collide");
    // A billion lookups in a table of ten million positions with 64-bit keys.
    let expected_faults = 1e9 * 1e7 / 2_f64.powi(64);
    assert!(expected_faults < 1e-3, "{expected_faults}");
}
