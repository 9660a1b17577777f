//! SAN (Standard Algebraic Notation): `Nbd7`, `exd8=Q+`, `O-O-O#`.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::quote::Quoted;
use crate::movegen::MoveList;
use crate::position::Position;
use crate::types::{File, Move, MoveKind, Piece, Rank, Square, Wing};

/// The fault of a SAN move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanError {
    /// The text does not have the form of a move.
    Malformed(Quoted),
    /// No legal move matches.
    Illegal(Quoted),
    /// Several legal moves match; each is given in full.
    Ambiguous(Quoted, Vec<String>),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(text) => write!(f, "{text} is not a move such as e4, Nf3, exd5, O-O or e8=Q"),
            Self::Illegal(text) => write!(f, "{text} is not a legal move here"),
            Self::Ambiguous(text, moves) => write!(f, "{text} may mean {}", moves.join(" or ")),
        }
    }
}

impl core::error::Error for SanError {}

/// The parts of a SAN move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Words {
    Castle(Wing),
    Plain { piece: Piece, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Piece> },
}

impl Position {
    /// Parses a legal SAN move. It tolerates missing or superfluous `+`, `#`, `x` and `=`, zeros for castling, superfluous
    /// disambiguation, hyphens, `e.p.`, and annotation marks such as `!?`.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let words = read(text).ok_or_else(|| SanError::Malformed(Quoted::new(text)))?;
        let moves = self.legal_moves();
        let mut meant = moves.iter().copied().filter(|&mv| self.is_meant(words, mv));
        let mv = meant.next().ok_or_else(|| SanError::Illegal(Quoted::new(text)))?;
        if meant.next().is_none() {
            return Ok(mv);
        }
        let all = moves.iter().filter(|&&mv| self.is_meant(words, mv)).map(|&mv| self.san(mv)).collect();
        Err(SanError::Ambiguous(Quoted::new(text), all))
    }

    fn is_meant(&self, words: Words, mv: Move) -> bool {
        match words {
            Words::Castle(Wing::King) => mv.kind() == MoveKind::CastleKingSide,
            Words::Castle(Wing::Queen) => mv.kind() == MoveKind::CastleQueenSide,
            Words::Plain { piece, file, rank, to, promotion } => {
                !mv.is_castling()
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && self.piece_on(mv.from()) == Some(piece)
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
            }
        }
    }

    /// The SAN of a legal move, with minimal disambiguation and with `+` or `#`.
    pub fn san(&self, mv: Move) -> String {
        let mut text = self.san_without_suffix(mv);
        let after = self.after(mv);
        if after.is_check() {
            text.push(if after.count_legal_moves() == 0 { '#' } else { '+' });
        }
        text
    }

    fn san_without_suffix(&self, mv: Move) -> String {
        match mv.kind() {
            MoveKind::CastleKingSide => return "O-O".to_owned(),
            MoveKind::CastleQueenSide => return "O-O-O".to_owned(),
            _ => {}
        }
        let (from, to) = (mv.from(), mv.to());
        let piece = self.piece_on(from).expect("a legal move starts on a piece");
        let mut text = String::with_capacity(8);
        if piece == Piece::Pawn {
            if mv.is_capture() {
                text.push(from.file().letter());
            }
        } else {
            text.push(piece.letter().to_ascii_uppercase());
            let (file, rank) = self.disambiguation(&self.legal_moves(), piece, mv);
            text.extend(file.map(File::letter));
            text.extend(rank.map(Rank::digit));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&to.to_string());
        if let Some(promotion) = mv.promotion() {
            text.push('=');
            text.push(promotion.letter().to_ascii_uppercase());
        }
        text
    }

    /// The disambiguation: none, the file, the rank, or both, in this order of preference.
    fn disambiguation(&self, legal: &MoveList, piece: Piece, mv: Move) -> (Option<File>, Option<Rank>) {
        let from = mv.from();
        let is_rival = |other: &&Move| {
            other.to() == mv.to()
                && other.from() != from
                && !other.is_castling()
                && self.piece_on(other.from()) == Some(piece)
        };
        let (mut is_alone, mut same_file, mut same_rank) = (true, false, false);
        for rival in legal.iter().filter(is_rival) {
            is_alone = false;
            same_file |= rival.from().file() == from.file();
            same_rank |= rival.from().rank() == from.rank();
        }
        let needs_file = !is_alone && (!same_file || same_rank);
        (needs_file.then(|| from.file()), same_file.then(|| from.rank()))
    }
}

/// Splits a SAN move into its parts, from both ends towards the middle.
fn read(text: &str) -> Option<Words> {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let text = ["e.p.", "ep"].iter().find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(text).trim_end();
    match text {
        "O-O" | "0-0" | "o-o" | "OO" => return Some(Words::Castle(Wing::King)),
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => return Some(Words::Castle(Wing::Queen)),
        _ => {}
    }
    let (text, promotion) = split_promotion(text);
    let mut letters = text.chars().filter(|letter| !matches!(letter, 'x' | ':' | '-')).peekable();
    let piece = match letters.peek()? {
        'a'..='h' => Piece::Pawn,
        letter @ ('A'..='Z') => {
            let piece = Piece::from_letter(*letter)?;
            letters.next();
            piece
        }
        _ => return None,
    };
    // The rest is at most file and rank of the origin, then the target square.
    let rest = letters.take(5).collect::<String>();
    let (origin, target) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = target.parse().ok()?;
    let (file, rank) = match origin.as_bytes() {
        [] => (None, None),
        &[letter] if letter.is_ascii_digit() => (None, Some(Rank::from_digit(letter.into())?)),
        &[letter @ b'a'..=b'h'] => (File::from_letter(letter.into()), None),
        [_, _] => origin.parse::<Square>().map(|from| (Some(from.file()), Some(from.rank()))).ok()?,
        _ => return None,
    };
    Some(Words::Plain { piece, file, rank, to, promotion })
}

/// Splits `e8=Q`, `e8Q` or `e8(Q)` into the move and the promotion.
fn split_promotion(text: &str) -> (&str, Option<Piece>) {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let promotion = bare
        .chars()
        .last()
        .filter(|letter| matches!(letter, 'N' | 'B' | 'R' | 'Q'))
        .and_then(Piece::from_letter);
    match promotion {
        Some(_) => (bare[..bare.len() - 1].trim_end_matches(['=', '(', '/']), promotion),
        None => (text, None),
    }
}
