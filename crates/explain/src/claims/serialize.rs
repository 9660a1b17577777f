//! Text forms for serde: squares as `e4`, pieces as `knight`, colours as `white`, moves in UCI.

use rukh_chess::{Color, Move, Piece, Position};
use rukh_engine::serialize::uci_text;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::claim::{Claim, Evidence, NamedPiece, Pass};
use super::fact::Fact;
use super::kind::ClaimKind;

/// The name of a piece in lower case.
fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

pub(crate) mod square {
    //! A square as text.
    use super::{Deserialize, Deserializer, Error, Serializer};
    use rukh_chess::Square;

    pub(crate) fn serialize<S: Serializer>(square: &Square, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(square)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Square, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not a square")))
    }
}

pub(crate) mod squares {
    //! Squares as a list of text.
    use super::{Deserialize, Deserializer, Error, Serializer};
    use rukh_chess::Square;

    pub(crate) fn serialize<S: Serializer>(squares: &[Square], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(squares.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Square>, D::Error> {
        let words = Vec::<String>::deserialize(from)?;
        let read =
            |text: &String| text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not a square")));
        words.iter().map(read).collect()
    }
}

pub(crate) mod piece {
    //! A kind of piece as text.
    use super::{Deserialize, Deserializer, Error, Serializer, piece_name};
    use rukh_chess::Piece;

    pub(crate) fn serialize<S: Serializer>(piece: &Piece, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(piece_name(*piece))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Piece, D::Error> {
        let text = String::deserialize(from)?;
        let found = Piece::ALL.into_iter().find(|piece| piece_name(*piece) == text);
        found.ok_or_else(|| D::Error::custom(format!("{text:?} is not a piece")))
    }
}

pub(crate) mod color {
    //! A colour as text.
    use super::{Deserialize, Deserializer, Error, Serializer};
    use rukh_chess::Color;

    pub(crate) fn serialize<S: Serializer>(color: &Color, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&color.to_string().to_lowercase())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Color, D::Error> {
        let text = String::deserialize(from)?;
        let found = Color::ALL.into_iter().find(|color| color.to_string().to_lowercase() == text);
        found.ok_or_else(|| D::Error::custom(format!("{text:?} is not a colour")))
    }
}

/// A claim as it is written: the line in UCI, its start as FEN.
#[derive(Serialize, Deserialize)]
struct WrittenClaim {
    kind: ClaimKind,
    #[serde(with = "color")]
    side: Color,
    fen: String,
    line: Vec<String>,
    at: usize,
    pieces: Vec<NamedPiece>,
    facts: Vec<Fact>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pass: Option<WrittenPass>,
    margin: Option<f64>,
    evidence: Evidence,
}

/// A pass as it is written.
#[derive(Serialize, Deserialize)]
struct WrittenPass {
    at: usize,
    line: Vec<String>,
    facts: Vec<Fact>,
}

impl WrittenPass {
    fn new(pass: &Pass) -> Self {
        Self {
            at: pass.at,
            line: pass.line.iter().copied().map(uci_text).collect(),
            facts: pass.facts.clone(),
        }
    }

    /// The pass in a line, if a side that is not in check passes there.
    fn read(self, start: &Position, line: &[Move]) -> Result<Pass, String> {
        let before = line.get(..self.at).ok_or("the pass is beyond the end of the line")?;
        let mut here = start.clone();
        before.iter().for_each(|&mv| here.make(mv, &mut ()));
        if here.is_check() {
            return Err("a side in check cannot pass".to_owned());
        }
        here.make_null();
        Ok(Pass { at: self.at, line: read_line(&here, &self.line)?, facts: self.facts })
    }
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = WrittenClaim {
            kind: self.kind,
            side: self.side,
            fen: self.start.to_string(),
            line: self.line.iter().copied().map(uci_text).collect(),
            at: self.at,
            pieces: self.pieces.clone(),
            facts: self.facts.clone(),
            pass: self.pass.as_ref().map(WrittenPass::new),
            margin: self.margin,
            evidence: self.evidence,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = WrittenClaim::deserialize(deserializer)?;
        let start: Position = written.fen.parse().map_err(D::Error::custom)?;
        let line = read_line(&start, &written.line).map_err(D::Error::custom)?;
        let pass = written.pass.map(|pass| pass.read(&start, &line)).transpose().map_err(D::Error::custom)?;
        Ok(Self {
            kind: written.kind,
            side: written.side,
            start,
            line,
            at: written.at,
            pieces: written.pieces,
            facts: written.facts,
            pass,
            margin: written.margin,
            evidence: written.evidence,
        })
    }
}

/// The moves of a line in UCI, checked by the rules.
fn read_line(start: &Position, words: &[String]) -> Result<Vec<Move>, String> {
    let mut here = start.clone();
    let mut line = Vec::new();
    for word in words {
        let mv = here.parse_uci(word).map_err(|error| error.to_string())?;
        here.make(mv, &mut ());
        line.push(mv);
    }
    Ok(line)
}
