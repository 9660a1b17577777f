//! Labels for other programs: records of a fixed width that need no rules of chess to be read.

use rukh_chess::types::Wing;
use rukh_chess::{Color, Move, Piece, Square};

use super::position::LabelRecord;
use super::record::outcome_code;

/// Bytes of a record.
pub(crate) const RAW_BYTES: usize = 64;

/// Stands for no square.
const NO_SQUARE: u8 = 64;

/// A label in 64 bytes, numbers little-endian:
///
/// | bytes | what |
/// |---|---|
/// | 0..32 | the board, four bits a square from a1, b1 on, the low half of a byte first: 0 empty, 1 to 6 white pawn, knight, bishop, rook, queen, king, 7 to 12 black |
/// | 32 | side to move: 0 White, 1 Black |
/// | 33 | castling rights: 1 White kingside, 2 White queenside, 4 Black kingside, 8 Black queenside; the rook's file in Chess960 is not stored |
/// | 34 | en-passant square, 64 for none |
/// | 35 | halfmove clock |
/// | 36..38 | score (i16) for the side to move, internal units; 30754 and more is a proven win |
/// | 38, 39 | probabilities to win and to lose for the side to move, in 255ths |
/// | 40..42 | best move |
/// | 42..44 | second best move, 0 for none |
/// | 44..46 | score (i16) of the second best move, 0 if there is none |
/// | 46 | kind: 0 played, 1 perturbed, 2 tree |
/// | 47 | result: 0 Black won, 1 draw, 2 White won, 3 not known; only kind 0 is of that game |
/// | 48..50 | fullmove number (u16) |
/// | 50..64 | zero |
///
/// A move is `from | to << 6 | promotion << 12`, promotion being 0 for none, 1 to 4 for knight, bishop, rook and queen.
/// Castling goes from the king's square to the rook's square.
pub fn raw_record(label: &LabelRecord) -> [u8; RAW_BYTES] {
    let position = &label.position;
    let mut bytes = [0; RAW_BYTES];
    for square in Square::ALL {
        let piece = position.piece_on(square).map_or(0, |piece| 1 + piece.index() as u8);
        let is_black = position.color(Color::Black).contains(square);
        let code = if is_black { piece + Piece::COUNT as u8 } else { piece };
        bytes[square.index() / 2] |= code << (4 * (square.index() % 2));
    }
    bytes[32] = position.side_to_move().index() as u8;
    let rights = Color::ALL.into_iter().flat_map(|color| Wing::ALL.map(|wing| (color, wing)));
    for (bit, (color, wing)) in rights.enumerate() {
        let has_right = position.castling().rook(color, wing, position.king(color)).is_some();
        bytes[33] |= u8::from(has_right) << bit;
    }
    bytes[34] = position.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[35] = position.halfmove_clock().min(u16::from(u8::MAX)) as u8;
    let mut put = |at: usize, number: [u8; 2]| bytes[at..at + 2].copy_from_slice(&number);
    put(36, (label.score.value() as i16).to_le_bytes());
    put(40, move_code(label.best).to_le_bytes());
    if let Some((mv, score)) = label.second {
        put(42, move_code(mv).to_le_bytes());
        put(44, (score.value() as i16).to_le_bytes());
    }
    put(48, (position.fullmove_number().min(u32::from(u16::MAX)) as u16).to_le_bytes());
    bytes[38] = label.win;
    bytes[39] = label.loss;
    bytes[46] = label.kind.code();
    bytes[47] = outcome_code(label.outcome);
    bytes
}

fn move_code(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |piece| piece.index() as u16);
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use rukh_chess::Position;
    use rukh_chess::game::Outcome;
    use rukh_eval::Score;

    use super::*;
    use crate::labels::SampleKind;

    #[test]
    fn a_record_is_as_described() {
        let position: Position =
            "rn2k2r/P6p/8/3pP3/8/8/7P/R3K3 w Qkq d6 0 300".parse().expect("it is a position");
        let mv = |name: &str| position.parse_uci(name).expect("it is legal");
        let label = LabelRecord {
            score: Score::new(-2),
            win: 3,
            loss: 200,
            best: mv("e1c1"),
            second: Some((mv("a7b8q"), Score::new(300))),
            kind: SampleKind::Tree,
            outcome: Some(Outcome::Win(Color::White)),
            position: position.clone(),
        };
        let bytes = raw_record(&label);
        let square = |name: &str| {
            let at = name.parse::<Square>().expect("it is a square").index();
            bytes[at / 2] >> (4 * (at % 2)) & 15
        };
        let names = ["a1", "e1", "b1", "a7", "e5", "d5", "a8", "e8", "h8", "h7"];
        assert_eq!(names.map(square), [4, 6, 0, 1, 1, 7, 10, 12, 10, 7]);
        assert_eq!(bytes[32..36], [0, 0b1110, 43, 0]);
        assert_eq!(bytes[36..42], [0xfe, 0xff, 3, 200, 4, 0]);
        // From a7 (48) to b8 (57), a queen (4).
        assert_eq!(bytes[42..44], (48_u16 | 57 << 6 | 4 << 12).to_le_bytes());
        assert_eq!(bytes[44..50], [44, 1, 2, 2, 44, 1]);
        let single = raw_record(&LabelRecord { second: None, outcome: None, ..label });
        assert_eq!(single[42..48], [0, 0, 0, 0, 2, 3]);
        assert!(bytes[50..].iter().all(|&byte| byte == 0));
    }
}
