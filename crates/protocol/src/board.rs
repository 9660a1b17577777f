//! Board diagrams, and positions with colours swapped.

use std::fmt::Write;

use rukh_chess::game::Game;
use rukh_chess::types::{File, Rank};
use rukh_chess::{Bitboard, Position, Setup, Square};

/// The board as text, with FEN, key, checkers, the number of legal moves and the end of the game.
pub(crate) fn draw(game: &Game) -> String {
    let position = game.position();
    let rule = " +---+---+---+---+---+---+---+---+\n";
    let mut text = rule.to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            text.push_str(" | ");
            text.push(letter_on(position, Square::new(file, rank)));
        }
        push(&mut text, format_args!(" | {}\n{rule}", rank.digit()));
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    push(&mut text, format_args!("Fen: {position}\n"));
    push(&mut text, format_args!("Key: {:016X}\n", position.key()));
    let checkers = position.checkers().into_iter().map(|square| format!(" {square}")).collect::<String>();
    push(&mut text, format_args!("Checkers:{checkers}\n"));
    push(&mut text, format_args!("Legal moves: {}", position.count_legal_moves()));
    if let Some(ending) = game.ending() {
        push(&mut text, format_args!("\nEnd: {ending}"));
    }
    text
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

fn letter_on(position: &Position, square: Square) -> char {
    match (position.color_on(square), position.piece_on(square)) {
        (Some(color), Some(piece)) => piece.letter_of(color),
        _ => ' ',
    }
}

/// The position with White and Black exchanged.
pub(crate) fn flip(position: &Position) -> Position {
    let setup = Setup::from(position);
    let mut flipped = setup.clone();
    for square in Square::ALL {
        flipped.board[square.flip_rank().index()] =
            setup.board[square.index()].map(|(color, piece)| (!color, piece));
    }
    flipped.side_to_move = !setup.side_to_move;
    flipped.castling_rooks = setup.castling_rooks.into_iter().map(Square::flip_rank).collect::<Bitboard>();
    flipped.en_passant = setup.en_passant.map(Square::flip_rank);
    flipped.validate().expect("the rules are the same for both colours")
}
