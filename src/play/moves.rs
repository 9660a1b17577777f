//! Parsing of typed moves, with an explanation of illegal ones.

use rukh_chess::notation::{SanError, UciMoveError};
use rukh_chess::{Move, Piece, Position, Square};

/// Parses a move in algebraic notation or as two squares, or explains what is wrong with it.
///
/// Lower-case pieces are accepted where no pawn is meant: `nf3`, `e8=q`.
pub(super) fn read(position: &Position, text: &str) -> Result<Move, String> {
    match position.parse_uci(&text.to_lowercase()) {
        Ok(mv) => return Ok(mv),
        // Two squares have no other meaning.
        Err(error @ UciMoveError::Illegal(..)) => return Err(error.to_string()),
        Err(UciMoveError::Malformed(_)) => {}
    }
    let error = match position.parse_san(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let with_piece = with_upper_case_piece(text);
    let spellings = [&with_piece, &with_upper_case_promotion(text)];
    if let Some(mv) = spellings.into_iter().find_map(|text| position.parse_san(text).ok()) {
        return Ok(mv);
    }
    // The error of a lower-case piece is that of the piece.
    let (meant, error) = match (error, position.parse_san(&with_piece)) {
        (SanError::Malformed(_), Err(better)) => (with_piece.as_str(), better),
        (error, _) => (text, error),
    };
    Err(match (&error, reason(position, meant)) {
        (SanError::Illegal(_), Some(reason)) => format!("{error}: {reason}"),
        _ => error.to_string(),
    })
}

/// Whether a text has the form of a move, legal or not.
pub(super) fn is_like_a_move(position: &Position, text: &str) -> bool {
    let is_known = |text: &str| !matches!(position.parse_san(text), Err(SanError::Malformed(_)));
    !matches!(position.parse_uci(&text.to_lowercase()), Err(UciMoveError::Malformed(_)))
        || is_known(text)
        || is_known(&with_upper_case_piece(text))
}

fn with_upper_case_piece(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

fn with_upper_case_promotion(text: &str) -> String {
    let last = text.chars().last().filter(char::is_ascii);
    last.map_or_else(String::new, |last| {
        text[..text.len() - 1].to_owned() + &last.to_ascii_uppercase().to_string()
    })
}

/// Why no piece of the kind can move there, from the piece that comes nearest to it.
fn reason(position: &Position, text: &str) -> Option<String> {
    let us = position.side_to_move();
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    if bare.to_ascii_uppercase().replace('0', "O").starts_with("O-O") {
        return Some("castling is not possible now".to_owned());
    }
    let piece = bare.chars().next().and_then(|letter| match letter {
        'a'..='h' => Some(Piece::Pawn),
        letter if letter.is_ascii_uppercase() => Piece::from_letter(letter),
        _ => None,
    })?;
    let to: Square = bare.get(bare.len().checked_sub(2)?..)?.parse().ok()?;
    let pieces = position.colored_pieces(us, piece);
    if pieces.is_empty() {
        return Some(format!("{us} has no {piece}"));
    }
    let reasons = pieces.into_iter().filter_map(|from| match position.parse_uci(&format!("{from}{to}")) {
        Err(UciMoveError::Illegal(_, reason)) => Some(reason.to_string()),
        _ => None,
    });
    let reasons: Vec<_> = reasons.collect();
    // A pinned piece is a better explanation than one that cannot reach the square.
    let telling = reasons.iter().find(|reason| !reason.contains("cannot go"));
    match (telling, reasons.as_slice()) {
        (Some(telling), _) => Some(telling.clone()),
        (None, [only]) => Some(only.clone()),
        _ => Some(format!("no {piece} of {us} can go to {to}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fen: &str, text: &str) -> String {
        let position: Position = fen.parse().expect("the position is valid");
        match read(&position, text) {
            Ok(mv) => position.san(mv),
            Err(sentence) => sentence,
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_are_parsed_in_every_notation() {
        for (text, meant) in [("e4", "e4"), ("e2e4", "e4"), ("E2E4", "e4"), ("nf3", "Nf3"), ("Ng1f3", "Nf3")]
        {
            assert_eq!(told(START, text), meant, "{text}");
        }
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a8=Q", "a8=q", "a8q", "a7a8q"] {
            assert_eq!(told(promotion, text), "a8=Q", "{text}");
        }
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for text in ["O-O", "0-0", "o-o", "e1g1", "e1h1"] {
            assert_eq!(told(castling, text), "O-O", "{text}");
        }
    }

    #[test]
    fn a_small_b_is_a_pawn_if_a_pawn_can_go_there() {
        let both = "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1";
        assert_eq!(told(both, "bc4"), "bxc4");
        let bishop_alone = "4k3/8/8/8/2p5/8/8/4KB2 w - - 0 1";
        assert_eq!(told(bishop_alone, "bc4"), "Bxc4");
    }

    #[test]
    fn illegal_moves_are_explained() {
        let pinned = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
        for (fen, text, sentence) in [
            (START, "e5", "\"e5\" is not a legal move here: no pawn of White can go to e5"),
            (START, "Qd3", "\"Qd3\" is not a legal move here: the queen on d1 cannot go to d3"),
            (START, "qd3", "\"Qd3\" is not a legal move here: the queen on d1 cannot go to d3"),
            (START, "e2e5", "\"e2e5\" is not legal: the pawn on e2 cannot go to e5"),
            (START, "O-O", "\"O-O\" is not a legal move here: castling is not possible now"),
            (pinned, "Qe4", "\"Qe4\" is not a legal move here: White has no queen"),
            (
                pinned,
                "Nc3",
                "\"Nc3\" is not a legal move here: the king would be in check after the knight goes from e2 to c3",
            ),
        ] {
            assert_eq!(told(fen, text), sentence);
        }
        let ambiguous = told("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2");
        assert_eq!(ambiguous, "\"Nd2\" may mean Nbd2 or Nfd2");
        let promotion = told("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8");
        assert!(promotion.contains("must become a queen, rook, bishop or knight"), "{promotion}");
    }

    #[test]
    fn words_are_not_moves() {
        let start = Position::default();
        assert!(["e4", "e5", "Nf3", "nf3", "e2e5"].iter().all(|text| is_like_a_move(&start, text)));
        assert!(["hint", "x", "", "e9", "quit", "é"].iter().all(|text| !is_like_a_move(&start, text)));
    }
}
