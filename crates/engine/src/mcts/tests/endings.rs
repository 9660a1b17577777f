//! Endings with known results: convergence to minimax, and proofs that agree with the tables.

use std::sync::LazyLock;

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Color, Piece, Position, Square};
use rukh_eval::knowledge::kpk;

use super::super::proof::Outcome;
use super::super::wdl::WinDrawLoss;
use super::fixture::{Bench, walk};
use super::retrograde::Table;
use crate::api::Limits;

/// A random legal position of White's king and `piece` against a king.
fn random_ending(piece: Piece, random: &mut SplitMix64) -> Position {
    loop {
        let mut square = || Square::ALL[random.below(64) as usize];
        let (king, other, enemy) = (square(), square(), square());
        let side = if random.below(2) == 0 { 'w' } else { 'b' };
        let letter = |at: Square| match at {
            at if at == king => Some('K'),
            at if at == enemy => Some('k'),
            at if at == other => Some(piece.letter().to_ascii_uppercase()),
            _ => None,
        };
        let rows: Vec<String> = (0..8_usize)
            .rev()
            .map(|rank| (0..8).map(|file| letter(Square::ALL[8 * rank + file]).unwrap_or('1')).collect())
            .collect();
        if let Ok(position) = format!("{} {side} - - 0 1", rows.join("/")).parse::<Position>()
            && position.occupied().count() == 3
        {
            return position;
        }
    }
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| Tables { queen: Table::new(Piece::Queen), rook: Table::new(Piece::Rook) });

/// The tables of all endings that occur.
struct Tables {
    queen: Table,
    rook: Table,
}

impl Tables {
    /// The outcome for White and, for mates with a queen or rook, the plies to mate.
    fn white(&self, position: &Position) -> (Outcome, Option<u8>) {
        let side = position.side_to_move();
        let (king, enemy) = (position.king(Color::White), position.king(Color::Black));
        let single = |piece| position.colored_pieces(Color::White, piece).first();
        if let Some(pawn) = single(Piece::Pawn) {
            let is_won = kpk::is_won(Color::White, king, pawn, enemy, side);
            return (if is_won { Outcome::Win } else { Outcome::Draw }, None);
        }
        for (piece, table) in [(Piece::Queen, &self.queen), (Piece::Rook, &self.rook)] {
            if let Some(square) = single(piece) {
                let plies = table.probe(side, king, square, enemy);
                return (plies.map_or(Outcome::Draw, |_| Outcome::Win), plies);
            }
        }
        (Outcome::Draw, None)
    }
}

#[test]
fn everything_proven_agrees_with_the_tables() {
    let mut random = SplitMix64::new(1);
    let mut bench = Bench::new(16);
    let (mut decided, mut drawn) = (0, 0);
    for piece in [Piece::Queen, Piece::Rook, Piece::Pawn].repeat(12) {
        let root = random_ending(piece, &mut random);
        bench.search(&Game::new(root.clone()), Limits { nodes: Some(3_000), ..Limits::default() });
        walk(&bench.tree, &root, &mut |position, slot, _| {
            // The bounds are for the side that has moved.
            let bounds = slot.bounds();
            let Some(outcome) = bounds.proven() else { return };
            let for_white = if position.side_to_move() == Color::Black { outcome } else { outcome.flipped() };
            let (expected, plies) = TABLES.white(position);
            assert_eq!(for_white, expected, "{position}");
            match plies {
                Some(plies) => {
                    decided += 1;
                    assert!(bounds.plies >= u16::from(plies), "{position}: {} < {plies}", bounds.plies);
                    assert_eq!(bounds.plies % 2, u16::from(plies) % 2, "{position}");
                }
                None => drawn += u32::from(expected == Outcome::Draw),
            }
        });
    }
    assert!(decided > 300 && drawn > 100, "{decided} {drawn}");
}

/// Exact values of the endings.
fn exact(position: &Position) -> WinDrawLoss {
    let win = WinDrawLoss { win: 1.0, draw: 0.0, loss: 0.0 };
    match (TABLES.white(position).0, position.side_to_move()) {
        (Outcome::Win, Color::White) => win,
        (Outcome::Win, Color::Black) => win.flipped(),
        _ => WinDrawLoss::DRAW,
    }
}

/// With uniform priors and exact leaves the visits go to moves that keep the result.
#[test]
fn exact_leaves_converge_to_minimax() {
    let mut random = SplitMix64::new(9);
    let mut bench = Bench::with_values(16, exact);
    let mut wins = 0;
    for _ in 0..40 {
        let root = random_ending(Piece::Pawn, &mut random);
        let result = exact(&root);
        let found = bench
            .search(&Game::new(root.clone()), Limits { nodes: Some(2_000), ..Limits::default() })
            .expect("there are moves");
        let child = root.after(found.pv[0]);
        let is_over = child.ending().is_some();
        assert!(is_over || exact(&child) == result.flipped(), "{root}: {:?}", found.pv);
        wins += u32::from(result.value() != 0.0);
    }
    assert!((5..35).contains(&wins), "{wins}");
}
