//! A claim: kind, pieces, line, facts, margin, evidence.
//!
//! It knows neither detectors nor words.

use rukh_chess::{Color, Move, Piece, Position, Square};

use super::fact::{Fact, Predicate};
use super::kind::ClaimKind;

/// A piece that a claim names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NamedPiece {
    /// Its colour.
    #[cfg_attr(feature = "serde", serde(with = "super::text_form::color"))]
    pub color: Color,
    /// Its kind.
    #[cfg_attr(feature = "serde", serde(with = "super::text_form::piece"))]
    pub piece: Piece,
    /// Where it stands when the claim becomes visible.
    #[cfg_attr(feature = "serde", serde(with = "super::text_form::square"))]
    pub square: Square,
}

impl NamedPiece {
    /// The piece on a square of a position.
    pub fn on(position: &Position, square: Square) -> Option<Self> {
        Some(Self { color: position.color_on(square)?, piece: position.piece_on(square)?, square })
    }
}

/// By what a claim is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "by", rename_all = "snake_case"))]
pub enum Evidence {
    /// The rules alone.
    Rules,
    /// A search with this many nodes.
    Search {
        /// The nodes of the search; `None` if they were not counted.
        nodes: Option<u64>,
    },
    /// Tablebases.
    Tablebase,
    /// The terms of the classical evaluation at the end of a line that a search found.
    Trace {
        /// The nodes of the search that found the line.
        nodes: Option<u64>,
    },
}

/// What a detector found in a line: a claim without its line.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: ClaimKind,
    /// The index of the move that shows it.
    pub at: usize,
    /// The moves of the line that are needed to show it.
    pub plies: usize,
    /// The pieces it is about: the acting piece first.
    pub pieces: Vec<NamedPiece>,
    /// What holds along the line.
    pub facts: Vec<Fact>,
}

/// What follows if the side to move passes: a threat.
#[derive(Clone, PartialEq, Debug)]
pub struct Pass {
    /// The ply of the claim's line at which the side to move passes.
    pub at: usize,
    /// The line after the pass.
    pub line: Vec<Move>,
    /// What holds along that line; its plies count from the pass.
    pub facts: Vec<Fact>,
}

/// A claim about a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// What it says.
    pub kind: ClaimKind,
    /// The side that profits.
    pub side: Color,
    /// The position at the start of the line.
    pub start: Position,
    /// The line, playable from the start.
    pub line: Vec<Move>,
    /// The index in the line of the move that shows it.
    pub at: usize,
    /// The pieces it is about: the acting piece first.
    pub pieces: Vec<NamedPiece>,
    /// What holds along the line.
    pub facts: Vec<Fact>,
    /// A line after a pass, for threats.
    pub pass: Option<Pass>,
    /// The difference in expected score, from 0 to 1, where there is one.
    pub margin: Option<f64>,
    /// By what it is known.
    pub evidence: Evidence,
}

impl Claim {
    /// A claim from a finding in a line.
    pub fn from_finding(finding: Finding, start: &Position, line: &[Move], evidence: Evidence) -> Self {
        let plies = finding.plies.min(line.len());
        Self {
            kind: finding.kind,
            side: start.side_to_move(),
            start: start.clone(),
            line: line[..plies].to_vec(),
            at: finding.at,
            pieces: finding.pieces,
            facts: finding.facts,
            pass: None,
            margin: None,
            evidence,
        }
    }

    /// A claim that starts with nothing but a kind, a side, a line and its evidence.
    pub fn new(kind: ClaimKind, side: Color, start: &Position, line: &[Move], evidence: Evidence) -> Self {
        Self {
            kind,
            side,
            start: start.clone(),
            line: line.to_vec(),
            at: 0,
            pieces: Vec::new(),
            facts: Vec::new(),
            pass: None,
            margin: None,
            evidence,
        }
    }

    /// The claim with these facts.
    #[must_use]
    pub fn with_facts(mut self, facts: impl IntoIterator<Item = Fact>) -> Self {
        self.facts.extend(facts);
        self
    }

    /// The claim about these pieces.
    #[must_use]
    pub fn with_pieces(mut self, pieces: impl IntoIterator<Item = NamedPiece>) -> Self {
        self.pieces.extend(pieces);
        self
    }

    /// The claim with a margin in expected score.
    #[must_use]
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = Some(margin);
        self
    }

    /// Whether the claim has a gain of at least this many pawns among its facts.
    pub fn gains(&self, least: i32) -> bool {
        self.facts
            .iter()
            .any(|fact| matches!(fact.predicate, Predicate::Material { pawns, .. } if pawns >= least))
    }

    /// The position after `plies` moves of the line.
    pub fn position_at(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.line[..plies.min(self.line.len())] {
            position.make(mv, &mut ());
        }
        position
    }
}
