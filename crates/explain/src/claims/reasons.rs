//! Reasons: the claims that follow from a line with its score, without a further search.
//!
//! Two questions are answered: what does a good line achieve, and how does the opponent punish a bad move. A tactical
//! claim is made only if the line mates or wins material where the exchanges are over; otherwise a position has no
//! tactics.

use rukh_chess::{Color, Move, Piece, Position, Square};
use rukh_eval::ScoreKind;

use super::claim::{Claim, Evidence, Finding, NamedPiece};
use super::exchange::{first_settled, settled};
use super::fact::{Point, Predicate, claimed_gap};
use super::kind::ClaimKind;
use super::motifs::board::value;
use super::motifs::{MotifLine, detect};
use crate::review::PositionAnalysis;

/// The longest line that is looked at for motifs: what a small search sees later is not reliable.
pub(super) const MAX_PLIES: usize = 8;
/// The least win of material that is claimed, in pawns.
const LEAST_GAIN: i32 = 1;
/// The win of material that needs no difference in expected score, in pawns.
const CLEAR_GAIN: i32 = 3;
/// The least difference in expected score to the alternative.
const LEAST_MARGIN: f64 = 0.05;
/// The least win of material that is called a threat, in pawns.
const LEAST_THREAT: i32 = 2;
/// The plies within which a threat must win it.
const AT_ONCE: usize = 3;
/// What a sacrifice must win at the end, in pawns, to be called one.
const LEAST_REWARD: i32 = 2;
/// How much lower than found a claimed expected score is, so that a deeper search can still confirm it.
const SLACK: f64 = 0.20;
/// The least expected score of a side that is said to win material.
const LEAST_EXPECTED: f64 = 0.5;

/// A line that the side to move at its start wants to play, with its score for that side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// The opponent's move before the line, with the position before it.
    pub previous: Option<(&'a Position, Move)>,
    /// The position at the start of the line.
    pub start: &'a Position,
    /// The analysis of that position; its principal variation is the line.
    pub analysis: &'a PositionAnalysis,
    /// The nodes of the analysis.
    pub nodes: Option<u64>,
    /// What the side has otherwise.
    pub otherwise: Otherwise,
}

/// What a side has if it does not get its line: the comparison without which nothing is won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Otherwise {
    /// The material that it wins otherwise, in pawns, and its expected score otherwise.
    Line {
        /// Pawns won by the end of the other line.
        pawns: i32,
        /// The expected score of the other line.
        expected: f64,
    },
    /// The line follows a pass: the gain must come at once.
    Pass,
}

impl Otherwise {
    /// The comparison with another line from the same position, for its side to move.
    pub(super) fn line(start: &Position, analysis: &PositionAnalysis) -> Self {
        let pawns = settled(start, far(&analysis.pv), start.side_to_move()).map_or(0, |(_, pawns)| pawns);
        Self::Line { pawns, expected: analysis.expected_score().value() }
    }

    /// The same for the opponent.
    fn flipped(self) -> Self {
        match self {
            Self::Line { pawns, expected } => Self::Line { pawns: -pawns, expected: 1.0 - expected },
            Self::Pass => Self::Pass,
        }
    }
}

/// The part of a variation in which won material must stay won.
fn far(pv: &[Move]) -> &[Move] {
    &pv[..pv.len().min(2 * MAX_PLIES)]
}

impl Wanted<'_> {
    /// The material that the line wins for good, with the ply at which it is won; `None` if it wins nothing.
    fn gain(&self, line: &[Move]) -> Option<(usize, i32)> {
        let side = self.side();
        // After a pass the gain must come at once, so that the line shows no more than that.
        let line = match self.otherwise {
            Otherwise::Line { .. } => line,
            Otherwise::Pass => &line[..line.len().min(AT_ONCE)],
        };
        let (plies, pawns) = first_settled(self.start, line, side)?;
        let (_, kept) = settled(self.start, far(&self.analysis.pv), side)?;
        let is_clear = match self.otherwise {
            Otherwise::Line { pawns: other, expected } => {
                let gain = (pawns - other).min(kept - other);
                let margin = self.expected() - expected;
                // In a won position a piece more changes the expected score little.
                gain >= LEAST_GAIN && margin >= LEAST_MARGIN || gain >= CLEAR_GAIN && margin >= 0.0
            }
            Otherwise::Pass => kept >= LEAST_THREAT && pawns >= LEAST_THREAT,
        };
        (is_clear && pawns >= LEAST_GAIN && self.expected() >= LEAST_EXPECTED).then_some((plies, pawns))
    }

    fn side(&self) -> Color {
        self.start.side_to_move()
    }

    fn evidence(&self) -> Evidence {
        Evidence::Search { nodes: self.nodes }
    }

    fn expected(&self) -> f64 {
        self.analysis.expected_score().value()
    }

    /// The moves of a forced mate; `None` if there is none or its line is incomplete.
    fn mate(&self) -> Option<u32> {
        match self.analysis.score.kind() {
            ScoreKind::Mate(moves) if moves > 0 => u32::try_from(moves).ok(),
            _ => None,
        }
    }

    /// The claim that the side forces mate.
    fn mate_claim(&self, moves: u32) -> Claim {
        let plies = 2 * moves as usize - 1;
        let line = &self.analysis.pv[..self.analysis.pv.len().min(plies)];
        let forced = Predicate::ForcedMate { side: self.side(), moves }.at(0);
        let mut claim = Claim::new(ClaimKind::MateIn, self.side(), self.start, line, self.evidence())
            .with_facts([forced]);
        let end = claim.position_at(plies);
        if end.is_checkmate() && line.len() == plies {
            claim.facts.push(Predicate::Checkmate.at(plies));
            claim.pieces = end.checkers().into_iter().filter_map(|by| NamedPiece::on(&end, by)).collect();
        }
        claim
    }

    /// The claim that the line wins material.
    fn material_claim(&self, plies: usize, pawns: i32) -> Claim {
        let line = &self.analysis.pv[..plies];
        let facts = [
            Predicate::Material { side: self.side(), pawns }.at(plies),
            Predicate::AtLeast { side: self.side(), expected: (self.expected() - SLACK).max(0.0) }.at(0),
        ];
        let mut claim = Claim::new(ClaimKind::WinsMaterial, self.side(), self.start, line, self.evidence())
            .with_facts(facts);
        claim.pieces = taken(self.start, line, self.side());
        claim
    }
}

/// The pieces that a side takes in a line, the most valuable first.
fn taken(start: &Position, line: &[Move], side: Color) -> Vec<NamedPiece> {
    let mut here = start.clone();
    let mut found = Vec::new();
    for &mv in line {
        if here.side_to_move() == side
            && let Some(piece) = here.captured_by(mv)
        {
            found.push(NamedPiece { color: !side, piece, square: mv.to() });
        }
        here.make(mv, &mut ());
    }
    found.sort_by_key(|taken| -value(taken.piece));
    found
}

/// What a line achieves: mate, or material, and the motifs by which it does. Empty if it achieves neither.
pub(super) fn achievements(wanted: &Wanted<'_>) -> Vec<Claim> {
    let pv = &wanted.analysis.pv;
    let mate = wanted.mate();
    let shown = match mate {
        Some(moves) => pv.len().min(2 * moves as usize - 1),
        None => pv.len().min(MAX_PLIES),
    };
    let line = &pv[..shown];
    let previous = wanted.previous.map(|(before, mv)| (before.clone(), mv));
    let mut claims = Vec::new();
    if let Some(moves) = mate {
        claims.push(wanted.mate_claim(moves));
    } else if let Some((plies, pawns)) = wanted.gain(line)
        && !is_even_retake(wanted, pawns)
    {
        claims.push(wanted.material_claim(plies, pawns));
    } else {
        return claims;
    }
    let shown = if mate.is_some() { shown } else { claims[0].line.len() };
    let found = detect(&MotifLine::new(previous, wanted.start, &line[..shown]));
    let wins_much = mate.is_some() || claims[0].gains(LEAST_REWARD);
    let evidence = wanted.evidence();
    for finding in found.into_iter().filter(is_told) {
        let mut claim = Claim::from_finding(finding, wanted.start, line, evidence);
        let matters = match claim.kind {
            ClaimKind::Pin | ClaimKind::RelativePin => pin_matters(&claim, line),
            ClaimKind::Sacrifice => wins_much,
            _ => true,
        };
        if claim.kind == ClaimKind::Sacrifice {
            claim.line = claims[0].line.clone();
            claim.facts.extend(claims[0].facts.clone());
        }
        if matters {
            claims.push(claim);
        }
    }
    claims
}

/// Whether the line only takes back what the opponent has just taken.
fn is_even_retake(wanted: &Wanted<'_>, pawns: i32) -> bool {
    let lost = wanted.previous.and_then(|(before, mv)| before.captured_by(mv));
    lost.is_some_and(|lost| pawns <= value(lost))
}

/// Whether a motif is worth a sentence: it says why, not only what, and comes soon. The name of a mate and a promotion
/// are the aim of the line and may come at its end.
fn is_told(finding: &Finding) -> bool {
    const LATEST: usize = 2;
    match finding.kind {
        ClaimKind::MateIn
        | ClaimKind::QuietMove
        | ClaimKind::DefensiveMove
        | ClaimKind::AdvancedPawn
        | ClaimKind::EnPassant => false,
        ClaimKind::Promotion | ClaimKind::Underpromotion | ClaimKind::UnstoppablePawn => true,
        kind => kind.is_named_mate() || finding.at <= LATEST,
    }
}

/// Whether the pinned piece is taken in the line, or the piece it cannot take moves in it.
fn pin_matters(claim: &Claim, line: &[Move]) -> bool {
    let [_, pinned, rest @ ..] = claim.pieces.as_slice() else { return false };
    let is_taken =
        |square: Square| line.iter().skip(claim.line.len()).any(|mv| mv.to() == square && mv.is_capture());
    let protects = |target: &NamedPiece| line[..claim.line.len()].iter().any(|mv| mv.to() == target.square);
    is_taken(pinned.square) || rest.iter().any(protects)
}

/// A move with the analyses before and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged<'a> {
    /// The position before the move.
    pub position: &'a Position,
    /// The move.
    pub mv: Move,
    /// The analysis before the move, for the side that moves.
    pub before: &'a PositionAnalysis,
    /// The analysis after the move, for the opponent.
    pub after: &'a PositionAnalysis,
    /// The nodes of each analysis.
    pub nodes: Option<u64>,
}

impl Judged<'_> {
    /// The expected score that the move loses.
    pub(super) fn loss(&self) -> f64 {
        self.before.expected_score().loss_to(self.after.expected_score().of_opponent())
    }
}

/// How the opponent punishes a bad move: what the punishing line achieves.
pub(super) fn punishment(judged: &Judged<'_>) -> Vec<Claim> {
    let Judged { position, mv, after, nodes, .. } = *judged;
    let next = position.after(mv);
    let otherwise = Otherwise::line(position, judged.before).flipped();
    let wanted = Wanted { previous: Some((position, mv)), start: &next, analysis: after, nodes, otherwise };
    let mut claims: Vec<_> =
        achievements(&wanted).into_iter().map(|claim| after_move(claim, position, mv)).collect();
    claims.retain(|claim| claim.kind != ClaimKind::HangingPiece || !is_retake_of(mv, claim));
    for claim in &mut claims {
        match claim.kind {
            ClaimKind::MateIn => claim.kind = ClaimKind::AllowsMate,
            ClaimKind::HangingPiece => claim.kind = ClaimKind::LeavesEnPrise,
            _ => {}
        }
        claim.margin = Some(judged.loss());
    }
    claims
}

/// The claim that a move loses expected score, with the answer to it.
pub(super) fn why_not(judged: &Judged<'_>) -> Claim {
    let Judged { position, mv, after, nodes, .. } = *judged;
    let side = position.side_to_move();
    let line: Vec<_> = [mv].into_iter().chain(after.pv.iter().copied()).take(MAX_PLIES).collect();
    let by = claimed_gap(judged.loss());
    let fact = Predicate::Gap { side, above: Point::Before, below: Point::Here, by }.at(1);
    Claim::new(ClaimKind::WhyNot, !side, position, &line, Evidence::Search { nodes })
        .with_facts([fact])
        .with_margin(judged.loss())
}

/// Whether the taken piece is the one that has just moved there and captured.
fn is_retake_of(mv: Move, claim: &Claim) -> bool {
    mv.is_capture() && claim.line.get(1).is_some_and(|reply| reply.to() == mv.to())
}

/// The same claim with the move before it at the start of its line.
fn after_move(mut claim: Claim, position: &Position, mv: Move) -> Claim {
    claim.line.insert(0, mv);
    claim.at += 1;
    claim.start = position.clone();
    // Material counts from the start of the line, which the move may have changed.
    let won = position.captured_by(mv).map_or(0, value)
        + mv.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn));
    for fact in &mut claim.facts {
        fact.ply += 1;
        if let Predicate::Material { pawns, .. } = &mut fact.predicate {
            *pawns -= won;
        }
    }
    claim
}
