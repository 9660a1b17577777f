//! The record of a labelled position. It knows nothing of blocks and files.

use rukh_chess::game::Outcome;
use rukh_chess::{Bitboard, Color, Move, Position};
use rukh_eval::Score;

use super::position::{CERTAIN, LabelRecord};
use crate::labelled::SampleKind;
use crate::packed::{BOARD_BYTES, pack_board, unpack_board};

/// Where the parts of a board are in the 32 bytes of viriformat.
const PIECES: usize = 8;
const SIDE_AND_EN_PASSANT: usize = 24;
const HALFMOVE_CLOCK: usize = 25;
const FULLMOVE_NUMBER: usize = 26;

/// The bits of a record that say what kind of sample it is, how the game ended, and whether there is a second move.
const KIND_BITS: u8 = 0b11;
const OUTCOME_SHIFT: u32 = 2;
const OUTCOME_BITS: u8 = 0b11;
const NO_OUTCOME: u8 = 3;
const HAS_SECOND: u8 = 1 << 4;

/// Appends a record.
pub(super) fn encode(label: &LabelRecord, out: &mut Vec<u8>) {
    let board = pack_board(&label.position, label.outcome.unwrap_or(Outcome::Draw));
    out.extend(&board[..PIECES + piece_bytes(label.position.occupied())]);
    out.extend(&board[SIDE_AND_EN_PASSANT..=HALFMOVE_CLOCK]);
    write_leb128(u16::from_le_bytes([board[FULLMOVE_NUMBER], board[FULLMOVE_NUMBER + 1]]), out);
    let second_bit = if label.second.is_some() { HAS_SECOND } else { 0 };
    out.push(label.kind.code() | outcome_code(label.outcome) << OUTCOME_SHIFT | second_bit);
    out.extend((label.score.value() as i16).to_le_bytes());
    out.extend([label.win, label.loss]);
    out.extend(label.best.bits().to_le_bytes());
    if let Some((mv, score)) = label.second {
        out.extend(mv.bits().to_le_bytes());
        out.extend((score.value() as i16).to_le_bytes());
    }
}

/// Takes a record off the front of `bytes`, or says what is wrong with it.
pub(super) fn decode(bytes: &mut &[u8]) -> Result<LabelRecord, String> {
    let whole = *bytes;
    let mut board = [0; BOARD_BYTES];
    board[..PIECES].copy_from_slice(take(bytes, PIECES)?);
    let occupied = Bitboard(u64::from_le_bytes(take_array(&mut &board[..PIECES])?));
    if occupied.count() > 32 {
        return Err("a position has more than 32 pieces".to_owned());
    }
    let length = piece_bytes(occupied);
    board[PIECES..PIECES + length].copy_from_slice(take(bytes, length)?);
    board[SIDE_AND_EN_PASSANT..=HALFMOVE_CLOCK].copy_from_slice(take(bytes, 2)?);
    let number = read_leb128(bytes)?;
    board[FULLMOVE_NUMBER..FULLMOVE_NUMBER + 2].copy_from_slice(&number.to_le_bytes());
    let [flags] = take_array(bytes)?;
    let kind = SampleKind::ALL.get(usize::from(flags & KIND_BITS)).ok_or("a sample is of no known kind")?;
    let score = read_score(bytes)?;
    let [win, loss] = take_array(bytes)?;
    if win > CERTAIN - loss {
        return Err("the probabilities of a position exceed 1".to_owned());
    }
    let (position, _) = unpack_board(&board).map_err(|error| error.to_string())?;
    let best = read_move(bytes, &position)?;
    let second = match flags & HAS_SECOND {
        0 => None,
        _ => Some((read_move(bytes, &position)?, read_score(bytes)?)),
    };
    if second.is_some_and(|(mv, _)| mv == best) {
        return Err("the best and the second best move are the same".to_owned());
    }
    let outcome = outcome_of(flags >> OUTCOME_SHIFT & OUTCOME_BITS);
    let label = LabelRecord { position, score, win, loss, best, second, kind: *kind, outcome };
    // There is one way to write a label: bits without a meaning are zero, an en-passant square can be used.
    let mut again = Vec::with_capacity(whole.len() - bytes.len());
    encode(&label, &mut again);
    if again != whole[..whole.len() - bytes.len()] {
        return Err("a record is not written as it should be".to_owned());
    }
    Ok(label)
}

/// How many bytes the pieces on so many squares take.
fn piece_bytes(occupied: Bitboard) -> usize {
    occupied.count().div_ceil(2) as usize
}

/// The number that stands for an outcome: 0 Black won, 1 draw, 2 White won, 3 not known.
pub(super) fn outcome_code(outcome: Option<Outcome>) -> u8 {
    match outcome {
        Some(Outcome::Win(Color::Black)) => 0,
        Some(Outcome::Draw) => 1,
        Some(Outcome::Win(Color::White)) => 2,
        None => NO_OUTCOME,
    }
}

fn outcome_of(code: u8) -> Option<Outcome> {
    match code {
        0 => Some(Outcome::Win(Color::Black)),
        1 => Some(Outcome::Draw),
        2 => Some(Outcome::Win(Color::White)),
        _ => None,
    }
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], String> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or("it ends within a record")?;
    *bytes = rest;
    Ok(taken)
}

fn take_array<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], String> {
    Ok(take(bytes, N)?.try_into().expect("so many bytes were taken"))
}

fn read_score(bytes: &mut &[u8]) -> Result<Score, String> {
    let value = i32::from(i16::from_le_bytes(take_array(bytes)?));
    let score = Score::from_value(value);
    if score.value() == value { Ok(score) } else { Err(format!("{value} is no score")) }
}

fn read_move(bytes: &mut &[u8], position: &Position) -> Result<Move, String> {
    let bits = u16::from_le_bytes(take_array(bytes)?);
    let mv = Move::from_bits(bits).filter(|&mv| position.is_legal(mv));
    mv.ok_or_else(|| format!("the move {bits:#06x} is not legal in {position}"))
}

const LEB128_BITS: u32 = 7;
const LEB128_MORE: u8 = 1 << LEB128_BITS;

fn write_leb128(mut number: u16, out: &mut Vec<u8>) {
    while number >= u16::from(LEB128_MORE) {
        out.push(number as u8 | LEB128_MORE);
        number >>= LEB128_BITS;
    }
    out.push(number as u8);
}

fn read_leb128(bytes: &mut &[u8]) -> Result<u16, String> {
    let mut number = 0_u32;
    for shift in [0, LEB128_BITS, 2 * LEB128_BITS] {
        let [byte] = take_array(bytes)?;
        number |= u32::from(byte & !LEB128_MORE) << shift;
        if byte & LEB128_MORE == 0 {
            return number.try_into().map_err(|_| "a move number is too great".to_owned());
        }
    }
    Err("a move number is too great".to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use rukh_chess::random::SplitMix64;
    use rukh_chess::setup::Setup;

    use super::*;

    /// Labels of random positions with random contents: games of standard chess and Chess960, every kind of move.
    pub(in crate::labels) fn random_labels(seed: u64, count: usize) -> Vec<LabelRecord> {
        let mut random = SplitMix64::new(seed);
        let mut labels = Vec::new();
        while labels.len() < count {
            let number = if random.below(2) == 0 { 518 } else { random.below(960) as u16 };
            let mut position = Setup::chess960(number, number).validate().expect("a start is a position");
            for _ in 0..random.below(300) {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                if random.below(4) == 0 && !position.is_check() {
                    labels.push(random_label(&position, &mut random));
                }
                // Captures would leave nothing of the board soon.
                let quiet: Vec<Move> = legal.iter().copied().filter(|mv| !mv.is_capture()).collect();
                let rare = random.below(8) == 0 || quiet.is_empty();
                let moves = if rare { legal.to_vec() } else { quiet };
                position = position.after(moves[random.below(moves.len() as u64) as usize]);
            }
        }
        labels.truncate(count);
        labels
    }

    fn random_label(position: &Position, random: &mut SplitMix64) -> LabelRecord {
        let legal = position.legal_moves();
        let draw = |random: &mut SplitMix64| legal[random.below(legal.len() as u64) as usize];
        let score = |random: &mut SplitMix64| match random.below(10) {
            0 => Score::mate_at(random.below(20) as usize),
            1 => Score::mated_at(random.below(20) as usize),
            _ => Score::new(random.below(4_001) as i32 - 2_000),
        };
        let best = draw(random);
        let second = Some(draw(random)).filter(|&mv| mv != best).map(|mv| (mv, score(random)));
        let win = random.below(256) as u8;
        LabelRecord {
            position: position.clone(),
            score: score(random),
            win,
            loss: random.below(u64::from(CERTAIN - win) + 1) as u8,
            best,
            second,
            kind: SampleKind::ALL[random.below(3) as usize],
            outcome: outcome_of(random.below(4) as u8),
        }
    }

    #[test]
    fn records_are_read_back() {
        let labels = random_labels(1, 4_000);
        let mut bytes = Vec::new();
        labels.iter().for_each(|label| encode(label, &mut bytes));
        let mut rest = bytes.as_slice();
        for label in &labels {
            assert_eq!(&decode(&mut rest).expect("it was written"), label);
        }
        assert!(rest.is_empty());
        let moves = || {
            labels.iter().flat_map(|label| [Some(label.best), label.second.map(|second| second.0)]).flatten()
        };
        assert!(moves().any(|mv| mv.kind() == rukh_chess::MoveKind::EnPassant));
        assert!(moves().any(Move::is_castling) && moves().any(Move::is_promotion));
        assert!(labels.iter().any(|label| label.position.en_passant().is_some()));
        assert!(labels.iter().any(|label| label.position.fullmove_number() >= 128), "two bytes of LEB128");
        let mean = bytes.len() as f64 / labels.len() as f64;
        assert!((20.0..40.0).contains(&mean), "{mean}");
    }

    /// Whatever stands in a record, reading it ends, and what is read could have been written.
    #[test]
    fn nonsense_is_refused_or_read_as_it_stands() {
        let mut random = SplitMix64::new(2);
        let mut refused = 0;
        for label in random_labels(3, 2_000) {
            let mut bytes = Vec::new();
            encode(&label, &mut bytes);
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << random.below(8);
            let mut rest = bytes.as_slice();
            match decode(&mut rest) {
                Ok(other) => assert_ne!(other, label),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 500, "{refused}");
    }

    #[test]
    fn faults_are_named() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("it is a position");
        let mv = |name: &str| position.parse_uci(name).expect("it is legal");
        let (best, other) = (mv("e2e4"), mv("e2e3"));
        let score = Score::new(90);
        let label = LabelRecord::new(position, (best, score), Some((other, score)), SampleKind::Tree, None);
        let mut bytes = Vec::new();
        encode(&label, &mut bytes);
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            decode(&mut bytes.as_slice()).expect_err("it is wrong")
        };
        // 8 bytes of squares, 2 of pieces, side, clock, number, then the flags.
        assert_eq!((bytes.len(), bytes[13]), (24, 0b1_1110));
        assert!(with(9, 0x55).contains("no position"));
        assert!(with(13, 0b1_1111).contains("kind"));
        assert!(with(13, 0b11_1110).contains("written"));
        assert!(with(15, 0x7f).contains("no score"));
        assert!(with(17, 255).contains("exceed"));
        assert!(with(18, 0).contains("not legal"));
        let short = decode(&mut &bytes[..23]).expect_err("it is cut");
        assert!(short.contains("ends"));
        let twice = LabelRecord { second: Some((best, score)), ..label };
        let mut bytes = Vec::new();
        encode(&twice, &mut bytes);
        assert!(decode(&mut bytes.as_slice()).expect_err("it is wrong").contains("same"));
    }
}
