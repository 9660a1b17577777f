//! Helpers shared by several test files.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position, Setup};

/// A random move; `None` if there is none.
pub(crate) fn choose(random: &mut SplitMix64, moves: &[Move]) -> Option<Move> {
    (!moves.is_empty()).then(|| moves[random.below(moves.len() as u64) as usize])
}

/// Calls `visit` with every position of random games: standard chess, Chess960 and double Chess960 in turn.
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
        let mut position = setup.validate().expect("start positions are valid");
        for _ in 0..max_plies {
            visit(&position);
            let Some(mv) = choose(&mut random, &position.legal_moves()) else { break };
            position.make(mv, &mut ());
        }
    }
}

/// The position of a FEN in the test.
pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}
