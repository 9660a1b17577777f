//! Claims in JSON with serde (feature `serde`): the line in UCI, its start as FEN. A line that is not legal is refused.

use rukh_chess::{Color, Move, Position};
use rukh_engine::serialize::uci_text;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::claim::{Claim, Evidence, NamedPiece, Pass};
use super::fact::Fact;
use super::kind::ClaimKind;

/// A claim as it is written: the line in UCI, its start as FEN.
#[derive(Serialize, Deserialize)]
struct WrittenClaim {
    kind: ClaimKind,
    #[serde(with = "super::text_form::color")]
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
