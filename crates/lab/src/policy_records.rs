//! Records for the trainer of the policy network: a position with its inputs, the outputs of its legal moves, and the move
//! that was best. The trainer needs no rules of chess and no numbering of inputs and outputs of its own.
//!
//! A record has [`RECORD_BYTES`] bytes, numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0..50 | as in a [raw label](crate::labels::raw_record); the kind is 3 for a position of a game, which has no score |
//! | 50 | number of legal moves |
//! | 51 | index of the best move among them, 255 if it is not known |
//! | 52 | index of the second best move, 255 for none |
//! | 53 | 1 if left and right are swapped in inputs and outputs, plus 2 in check |
//! | 54..64 | zero |
//! | 64..128 | 32 [`inputs`] (u16), 65535 for none |
//! | 128..320 | 96 [outputs](moves) (u16), one for each legal move, 65535 for none |
//!
//! It knows one position at a time, not files.

use rukh_chess::game::Outcome;
use rukh_chess::{Move, Position};
use rukh_eval::Score;
use rukh_eval::policy::{inputs, moves};

use crate::labelled::SampleKind;
use crate::labels::{LabelRecord, raw_record};
use crate::packed::NO_SCORE;

/// Bytes of a record.
pub const RECORD_BYTES: usize = 320;
/// Positions with more legal moves, about one in 30,000, have no record.
pub(crate) const MOVES_MAX: usize = 96;
/// The kind of a position of a game.
const GAME: u8 = 3;
/// Stands for no move.
const NO_MOVE: u8 = u8::MAX;
const INPUTS_START: usize = 64;
const OUTPUTS_START: usize = 128;

/// A position with what is known of its best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicySample {
    label: LabelRecord,
    kind: u8,
    has_best: bool,
}

impl PolicySample {
    /// A labelled position.
    pub fn of_label(label: LabelRecord) -> Self {
        Self { kind: label.kind.code(), label, has_best: true }
    }

    /// A position of a game with the move that was played and its score; without a score the move is not taken as the best.
    pub fn of_game(position: Position, played: Move, score: i16, outcome: Outcome) -> Self {
        let label = LabelRecord {
            position,
            score: Score::DRAW,
            win: 0,
            loss: 0,
            best: played,
            second: None,
            kind: SampleKind::Played,
            outcome: Some(outcome),
        };
        Self { label, kind: GAME, has_best: score != NO_SCORE }
    }

    /// A position of a game with the best move of a search and its probabilities to win and to lose, in 255ths.
    pub(crate) fn of_search(position: Position, best: Move, [win, loss]: [u8; 2], outcome: Outcome) -> Self {
        let sample = Self::of_game(position, best, 0, outcome);
        Self { label: LabelRecord { win, loss, ..sample.label }, ..sample }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.label.position
    }

    /// The best move, if it is known.
    pub fn best(&self) -> Option<Move> {
        self.has_best.then_some(self.label.best)
    }

    /// The record; `None` if there are too many legal moves or none.
    pub fn record(&self) -> Option<[u8; RECORD_BYTES]> {
        let position = &self.label.position;
        let legal = position.legal_moves();
        if legal.is_empty() || legal.len() > MOVES_MAX {
            return None;
        }
        let index = |mv: Option<Move>| {
            let found = mv.and_then(|mv| legal.iter().position(|&other| other == mv));
            found.map_or(NO_MOVE, |index| index as u8)
        };
        let perspective = inputs::perspective(position);
        let raw = raw_record(&self.label);
        let mut bytes = [0; RECORD_BYTES];
        bytes[..raw.len()].copy_from_slice(&raw);
        bytes[46] = self.kind;
        bytes[50] = legal.len() as u8;
        bytes[51] = index(self.best());
        bytes[52] = index(self.label.second.map(|(mv, _)| mv));
        bytes[53] = u8::from(perspective.is_mirrored()) | u8::from(position.is_check()) << 1;
        bytes[INPUTS_START..].fill(u8::MAX);
        let mut put = |at: usize, number: usize| {
            bytes[at..at + 2].copy_from_slice(&(number as u16).to_le_bytes());
        };
        for (at, input) in inputs::active(position, perspective).enumerate() {
            put(INPUTS_START + 2 * at, input);
        }
        for (at, &mv) in legal.iter().enumerate() {
            put(OUTPUTS_START + 2 * at, moves::output_of(position, perspective, mv));
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bytes: &[u8]) -> Vec<usize> {
        let words = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        words.filter(|&number| number != u16::MAX).map(usize::from).collect()
    }

    #[test]
    fn a_record_is_as_described() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("it is a position");
        let mv = |name: &str| position.parse_uci(name).expect("it is legal");
        let label = LabelRecord::new(
            position.clone(),
            (mv("e2e4"), Score::new(90)),
            Some((mv("e1d2"), Score::new(50))),
            SampleKind::Tree,
            None,
        );
        let bytes = PolicySample::of_label(label.clone()).record().expect("it has few moves");
        let legal = position.legal_moves();
        assert_eq!(bytes[..50], raw_record(&label)[..50]);
        assert_eq!(usize::from(bytes[50]), legal.len());
        assert_eq!(legal[usize::from(bytes[51])], mv("e2e4"));
        assert_eq!(legal[usize::from(bytes[52])], mv("e1d2"));
        assert_eq!(bytes[53], 1, "the king on e1 is seen on d1");
        let perspective = inputs::perspective(&position);
        let expected: Vec<usize> = inputs::active(&position, perspective).collect();
        assert_eq!((numbers(&bytes[64..128]), expected.len()), (expected, 3));
        let outputs: Vec<usize> =
            legal.iter().map(|&mv| moves::output_of(&position, perspective, mv)).collect();
        assert_eq!(numbers(&bytes[128..]), outputs);
    }

    #[test]
    fn moves_without_a_score_are_not_the_best() {
        let position: Position = "4k3/8/8/8/8/8/3qP3/3K4 w - - 0 1".parse().expect("it is a position");
        let mv = position.parse_uci("d1d2").expect("it is legal");
        let of = |score| PolicySample::of_game(position.clone(), mv, score, Outcome::Draw);
        let (known, unknown) = (of(3), of(NO_SCORE));
        assert_eq!((known.best(), unknown.best()), (Some(mv), None));
        let bytes = [known, unknown].map(|sample| sample.record().expect("it has few moves"));
        assert_eq!((bytes[0][46], bytes[0][51], bytes[1][51]), (3, 0, 255));
        assert_eq!(bytes[0][53], 2, "in check, the king on d1");
        let many = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1".parse().expect("it is a position");
        let over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().expect("it is a position");
        assert_eq!(
            [many, over].map(|position| PolicySample {
                label: LabelRecord { position, ..of(0).label },
                ..of(0)
            }
            .record()),
            [None, None]
        );
    }
}
