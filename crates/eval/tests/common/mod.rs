//! Positions for several test files.

use rukh_chess::random::SplitMix64;
use rukh_chess::{Position, Setup, Square};

/// Calls `visit` with every position of random games, of standard chess and Chess960 in turn.
pub(crate) fn random_games(seed: u64, games: u64, max_plies: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    for game in 0..games {
        let setup = match game % 2 {
            0 => Setup::standard(),
            _ => {
                let number = random.below(960) as u16;
                Setup::chess960(number, number)
            }
        };
        let mut position = setup.validate().expect("start positions are valid");
        for _ in 0..max_plies {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len() as u64) as usize], &mut ());
        }
    }
}

/// The position with colours swapped and the board flipped vertically.
pub(crate) fn flipped(position: &Position) -> Position {
    let mut setup = Setup::EMPTY;
    for square in Square::ALL {
        if let (Some(color), Some(piece)) = (position.color_on(square), position.piece_on(square)) {
            setup.board[square.flip_rank().index()] = Some((!color, piece));
        }
    }
    setup.side_to_move = !position.side_to_move();
    setup.castling_rooks = position.castling().rooks().flip_ranks();
    setup.en_passant = position.en_passant().map(Square::flip_rank);
    setup.halfmove_clock = position.halfmove_clock();
    setup.fullmove_number = position.fullmove_number();
    setup.validate().expect("the mirror image of a valid position is valid")
}

/// Parses a position of the test itself.
pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}
