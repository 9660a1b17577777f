//! FEN (Forsyth-Edwards Notation), with X-FEN and Shredder-FEN castling rights.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::str::FromStr;

use super::quote::Quoted;
use crate::position::Position;
use crate::setup::{InvalidSetup, Setup};
use crate::types::{Bitboard, Color, File, Piece, Rank, Square, Wing};

/// The style of castling rights in a FEN. All styles are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingStyle {
    /// `KQkq` for outermost rooks, the letter of the file for others. In standard chess it is plain FEN.
    #[default]
    XFen,
    /// The letter of the file, as in `HAha`.
    Shredder,
}

/// The fault of a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The text ends before this field.
    Missing(&'static str),
    /// There is text after the last field.
    TooLong(Quoted),
    /// The board does not have eight ranks.
    Ranks(usize),
    /// A rank does not have eight squares.
    Squares(Rank),
    /// A character that is neither a piece nor a number of empty squares.
    NotAPiece(Rank, char),
    /// A field that cannot be parsed: its name, its text, and what is expected.
    Field(&'static str, Quoted, &'static str),
    /// All fields can be parsed, but the position is not valid.
    Invalid(InvalidSetup),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "the FEN ends before {field}"),
            Self::TooLong(rest) => write!(f, "the FEN goes on after the move number with {rest}"),
            Self::Ranks(count) => write!(f, "the board of the FEN should have 8 ranks, but has {count}"),
            Self::Squares(rank) => write!(f, "rank {} of the FEN does not have 8 squares", rank.digit()),
            Self::NotAPiece(rank, letter) => {
                write!(
                    f,
                    "rank {} of the FEN has {letter:?}, which is neither a piece nor a number from 1 to 8",
                    rank.digit()
                )
            }
            Self::Field(field, text, expected) => write!(f, "{field} of the FEN is {text}, not {expected}"),
            Self::Invalid(faults) => faults.fmt(f),
        }
    }
}

impl core::error::Error for FenError {}

impl From<InvalidSetup> for FenError {
    fn from(faults: InvalidSetup) -> Self {
        Self::Invalid(faults)
    }
}

/// Parses a FEN of four to six fields. The two counters are optional.
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = read_four_fields(&mut fields)?;
        if let Some(clock) = fields.next() {
            setup.halfmove_clock = read_halfmove_clock(clock)?;
        }
        if let Some(number) = fields.next() {
            setup.fullmove_number = read_fullmove_number(number)?;
        }
        match fields.next() {
            Some(rest) => Err(FenError::TooLong(Quoted::new(rest))),
            None => Ok(setup),
        }
    }
}

/// Parses a FEN and validates the position.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Ok(text.parse::<Setup>()?.validate()?)
    }
}

/// Reads board, side to move, castling rights and en-passant square, the fields that FEN and EPD share.
pub(super) fn read_four_fields<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Setup, FenError> {
    let mut setup = Setup::EMPTY;
    let mut field = |name| fields.next().ok_or(FenError::Missing(name));
    read_board(field("the board")?, &mut setup)?;
    setup.side_to_move = match field("the side to move")? {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(FenError::Field("the side to move", Quoted::new(other), "w or b")),
    };
    setup.castling_rooks = read_castling(field("the castling rights")?, &setup)?;
    setup.en_passant = match field("the en-passant square")? {
        "-" => None,
        square => Some(square.parse().map_err(|_| {
            FenError::Field("the en-passant square", Quoted::new(square), "a square such as e3 or -")
        })?),
    };
    Ok(setup)
}

pub(super) fn read_halfmove_clock(text: &str) -> Result<u16, FenError> {
    let expected = "a number from 0 to 65535";
    read_number(text).ok_or_else(|| FenError::Field("the halfmove clock", Quoted::new(text), expected))
}

pub(super) fn read_fullmove_number(text: &str) -> Result<u32, FenError> {
    let expected = "a number from 0 to 4294967295";
    let number = read_number::<u32>(text);
    // Some programs count from 0.
    number
        .map(|number| number.max(1))
        .ok_or_else(|| FenError::Field("the move number", Quoted::new(text), expected))
}

/// Reads digits only: `str::parse` also accepts a sign.
fn read_number<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn read_board(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    let count = text.split('/').count();
    if count != Rank::COUNT {
        return Err(FenError::Ranks(count));
    }
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::NotAPiece(rank, letter))?;
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let on = File::from_index(file).ok_or(FenError::Squares(rank))?;
            setup.board[Square::new(on, rank).index()] = Some((color, piece));
            file += 1;
        }
        if file != File::COUNT {
            return Err(FenError::Squares(rank));
        }
    }
    Ok(())
}

fn read_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenError> {
    let expected = "- or letters such as KQkq or HAha";
    let error = || FenError::Field("the castling rights", Quoted::new(text), expected);
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(setup, color, Wing::King),
            'q' => outermost_rook(setup, color, Wing::Queen),
            letter => {
                Square::new(File::from_letter(letter).ok_or_else(error)?, Rank::First.relative_to(color))
            }
        };
        if rooks.contains(rook) {
            return Err(error());
        }
        rooks |= Bitboard::of(rook);
    }
    Ok(rooks)
}

/// The rook of `K` or `Q`: the outermost rook on that side of the king. If there is none it is the corner, and
/// [`Setup::validate`] reports that there is no rook.
fn outermost_rook(setup: &Setup, color: Color, wing: Wing) -> Square {
    let back_rank = Bitboard::back_rank(color);
    let rooks = setup.colored_pieces(color, Piece::Rook) & back_rank;
    let (outermost, corner) = match wing {
        Wing::King => (rooks.last(), File::H),
        Wing::Queen => (rooks.first(), File::A),
    };
    let king = (setup.colored_pieces(color, Piece::King) & back_rank).first();
    let on_wing = outermost.filter(|&rook| king.is_some_and(|king| Wing::of_rook(king, rook) == wing));
    on_wing.unwrap_or(Square::new(corner, Rank::First.relative_to(color)))
}

impl Setup {
    /// The FEN with six fields.
    pub fn fen(&self, style: CastlingStyle) -> String {
        format!("{} {} {}", self.four_fields(style), self.halfmove_clock, self.fullmove_number)
    }

    /// The fields that FEN and EPD share.
    pub(super) fn four_fields(&self, style: CastlingStyle) -> String {
        let mut text = String::with_capacity(80);
        self.write_board(&mut text);
        let en_passant = self.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        let side = self.side_to_move.letter();
        let castling = self.castling_field(style);
        write!(text, " {side} {castling} {en_passant}").expect("writing to a string does not fail");
        text
    }

    fn write_board(&self, text: &mut String) {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let Some((color, piece)) = self.board[Square::new(file, rank).index()] else {
                    empty += 1;
                    continue;
                };
                text.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
                text.push(piece.letter_of(color));
                empty = 0;
            }
            text.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
            text.extend((rank != Rank::First).then_some('/'));
        }
    }

    fn castling_field(&self, style: CastlingStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            // From the h-file to the a-file: king side first.
            let rooks = (self.castling_rooks & Bitboard::back_rank(color)).into_iter().collect::<Vec<_>>();
            for rook in rooks.into_iter().rev() {
                let plain = Wing::ALL.into_iter().find(|&wing| outermost_rook(self, color, wing) == rook);
                let letter = match plain.filter(|_| style == CastlingStyle::XFen) {
                    Some(Wing::King) => 'k',
                    Some(Wing::Queen) => 'q',
                    None => rook.file().letter(),
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

impl Position {
    /// The FEN with six fields.
    pub fn fen(&self, style: CastlingStyle) -> String {
        Setup::from(self).fen(style)
    }
}

/// Writes FEN, as X-FEN where plain FEN is not enough.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(CastlingStyle::XFen))
    }
}

/// Writes FEN, as X-FEN where plain FEN is not enough.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(CastlingStyle::XFen))
    }
}
