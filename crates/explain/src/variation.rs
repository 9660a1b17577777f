//! Variations in standard algebraic notation (SAN).

use rukh_chess::{Color, Move, Position};

/// The move number before a move at the start of a variation: `12.` or `12...`
pub fn move_number(position: &Position) -> String {
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.fullmove_number())
}

/// The moves of a variation, each with the position before it.
pub fn positions(start: &Position, moves: &[Move]) -> impl Iterator<Item = (Position, Move)> {
    let mut here = start.clone();
    moves.iter().map(move |&mv| {
        let after = here.after(mv);
        (std::mem::replace(&mut here, after), mv)
    })
}

/// A variation with move numbers: `12... Nf6 13. Bg5`.
pub fn to_san(start: &Position, moves: &[Move]) -> String {
    let mut words = Vec::new();
    for (at, (position, mv)) in positions(start, moves).enumerate() {
        if at == 0 || position.side_to_move() == Color::White {
            words.push(move_number(&position));
        }
        words.push(position.san(mv));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_have_move_numbers() {
        let mut moves = Vec::new();
        let mut here = Position::default();
        for text in ["e4", "c5", "Nf3"] {
            let mv = here.parse_san(text).expect("the move is legal");
            here.make(mv, &mut ());
            moves.push(mv);
        }
        let start = Position::default();
        assert_eq!(to_san(&start, &moves), "1. e4 c5 2. Nf3");
        assert_eq!(to_san(&start.after(moves[0]), &moves[1..]), "1... c5 2. Nf3");
        assert_eq!(to_san(&start, &[]), "");
    }
}
