//! EPD (Extended Position Description): four fields of FEN, and operations.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::fen::{CastlingStyle, FenError, read_four_fields, read_fullmove_number, read_halfmove_clock};
use super::quote::Quoted;
use super::san::SanError;
use crate::position::Position;
use crate::setup::Setup;
use crate::types::Move;

/// An EPD: a position with operations such as `bm Nf3; id "test 1";` in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position. Its counters come from the operations `hmvc` and `fmvn`, or from the fifth and sixth field of a FEN if
    /// the line has them.
    pub setup: Setup,
    /// The other operations.
    pub operations: Vec<Operation>,
}

/// An operation of an EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The opcode, such as `bm`.
    pub opcode: String,
    /// The operands, without quotes.
    pub operands: Vec<String>,
}

/// The fault of an EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdError {
    /// The position cannot be parsed.
    Position(FenError),
    /// A quote is not closed.
    OpenQuote(Quoted),
    /// An opcode does not begin with a letter.
    Opcode(Quoted),
    /// An operand is not a legal move.
    Move {
        /// The opcode, such as `bm`.
        opcode: Quoted,
        /// The fault of the move.
        error: SanError,
    },
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(error) => error.fmt(f),
            Self::OpenQuote(text) => write!(f, "the quote that begins with {text} has no end"),
            Self::Opcode(text) => write!(f, "{text} is not the name of an operation"),
            Self::Move { opcode, error } => write!(f, "in the operation {opcode}, {error}"),
        }
    }
}

impl core::error::Error for EpdError {}

impl From<FenError> for EpdError {
    fn from(error: FenError) -> Self {
        Self::Position(error)
    }
}

/// The opcodes of the two counters of FEN.
const HALFMOVE_CLOCK: &str = "hmvc";
const FULLMOVE_NUMBER: &str = "fmvn";

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(text: &str) -> Result<Self, EpdError> {
        let mut rest = text;
        let mut setup = read_four_fields(&mut core::iter::from_fn(|| next_word(&mut rest)))?;
        // Many test suites have FENs of six fields before the operations.
        for opcode in [HALFMOVE_CLOCK, FULLMOVE_NUMBER] {
            if let Some(number) = next_number(&mut rest) {
                read_counter(opcode, Some(number), &mut setup)?;
            }
        }
        let mut all = Vec::new();
        read_operations(rest, &mut all)?;
        let mut operations = Vec::with_capacity(all.len());
        for operation in all {
            let operand = operation.operands.first().map(String::as_str);
            if !read_counter(&operation.opcode, operand, &mut setup)? {
                operations.push(operation);
            }
        }
        Ok(Self { setup, operations })
    }
}

/// Reads a counter into `setup` and returns whether `opcode` is one. Without an operand nothing changes.
fn read_counter(opcode: &str, operand: Option<&str>, setup: &mut Setup) -> Result<bool, FenError> {
    match (opcode, operand) {
        (HALFMOVE_CLOCK, Some(clock)) => setup.halfmove_clock = read_halfmove_clock(clock)?,
        (FULLMOVE_NUMBER, Some(number)) => setup.fullmove_number = read_fullmove_number(number)?,
        (HALFMOVE_CLOCK | FULLMOVE_NUMBER, None) => {}
        _ => return Ok(false),
    }
    Ok(true)
}

/// Splits the next word off `rest`.
fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_ascii_start();
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// Splits the next word off `rest` if it begins with a digit.
fn next_number<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let mut after = *rest;
    let word = next_word(&mut after).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    *rest = after;
    Some(word)
}

fn read_operations(text: &str, operations: &mut Vec<Operation>) -> Result<(), EpdError> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.trim_ascii_start();
    loop {
        if rest.is_empty() || rest.starts_with(';') {
            let mut all = core::mem::take(&mut words).into_iter();
            if let Some(opcode) = all.next() {
                operations.push(Operation { opcode, operands: all.collect() });
            }
            match rest.strip_prefix(';') {
                Some(after) => rest = after,
                None => return Ok(()),
            }
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let (operand, after) =
                quoted.split_once('"').ok_or_else(|| EpdError::OpenQuote(Quoted::new(quoted)))?;
            if words.is_empty() {
                return Err(EpdError::Opcode(Quoted::new(operand)));
            }
            words.push(operand.to_owned());
            rest = after;
        } else if let Some(word) = next_word(&mut rest) {
            if words.is_empty() && !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(EpdError::Opcode(Quoted::new(word)));
            }
            words.push(word.to_owned());
        }
        rest = rest.trim_ascii_start();
    }
}

impl Epd {
    /// The operands of the operation `opcode`; `None` if there is no such operation.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&operation.operands)
    }

    /// The first operand of the operation `opcode`.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// The operands of the operation `opcode` as moves in `position`; empty if there is no such operation.
    pub fn moves(&self, position: &Position, opcode: &str) -> Result<Vec<Move>, EpdError> {
        let read = |text: &String| {
            position.parse_san(text).map_err(|error| EpdError::Move { opcode: Quoted::new(opcode), error })
        };
        self.operands(opcode).unwrap_or_default().iter().map(read).collect()
    }

    /// The EPD as text. Counters other than 0 and 1 are the first operations.
    pub fn to_text(&self, style: CastlingStyle) -> String {
        let mut text = self.setup.four_fields(style);
        if self.setup.halfmove_clock != Setup::EMPTY.halfmove_clock {
            text.push_str(&format!(" {HALFMOVE_CLOCK} {};", self.setup.halfmove_clock));
        }
        if self.setup.fullmove_number != Setup::EMPTY.fullmove_number {
            text.push_str(&format!(" {FULLMOVE_NUMBER} {};", self.setup.fullmove_number));
        }
        for operation in &self.operations {
            text.push(' ');
            text.push_str(&operation.opcode);
            for operand in &operation.operands {
                text.push(' ');
                if needs_quotes(operand) {
                    text.push('"');
                    text.push_str(operand);
                    text.push('"');
                } else {
                    text.push_str(operand);
                }
            }
            text.push(';');
        }
        text
    }
}

fn needs_quotes(operand: &str) -> bool {
    operand.is_empty() || operand.contains(|c: char| c.is_ascii_whitespace() || c == ';')
}

/// Writes the EPD with X-FEN castling rights.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(CastlingStyle::XFen))
    }
}
