//! What several test files share.
#![allow(dead_code, reason = "each test file uses its own part")]

use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position, Setup};

/// One of the moves, or none if there is none.
pub(crate) fn choose(random: &mut SplitMix64, moves: &[Move]) -> Option<Move> {
    (!moves.is_empty()).then(|| moves[random.below(moves.len() as u64) as usize])
}

/// Calls `visit` with every position of games of random moves: standard chess, Chess960 and double Chess960 in turn.
pub(crate) fn random_games(seed: u64, games: u64, max_plies: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    for game in 0..games {
        let mut number = || random.below(960) as u16;
        let setup = match game % 3 {
            0 => Setup::standard(),
            1 => {
                let number = number();
                Setup::chess960(number, number)
            }
            _ => Setup::chess960(number(), number()),
        };
        let mut position = setup.validate().expect("starts of games are valid");
        for _ in 0..max_plies {
            visit(&position);
            let Some(mv) = choose(&mut random, &position.legal_moves()) else { break };
            position.make(mv, &mut ());
        }
    }
}

/// Reads a position that the test itself has written.
pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}
