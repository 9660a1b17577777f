//! The study of one move: the claims about it, with the searches they need.
//!
//! Definitions: *as good as the best*: the move loses at most 2% of expected score. *Only move*: every other move loses
//! at least 30%, and leaves at most 60%. Claims about a pass are in `passing`. A comparison claims two fifths of the
//! difference that was found, in steps of 5%, so that a deeper search can confirm it.

use rukh_chess::{Color, Move, Position};
use rukh_eval::Score;

use super::analyst::Analyst;
use super::claim::{Claim, Evidence, NamedPiece};
use super::fact::{Fact, Point, Predicate, claimed_gap};
use super::kind::ClaimKind;
use super::motifs::board::{balance, value};
use super::positional;
use super::question::{Explanation, NOISE, Question};
use super::reasons::{Judged, Otherwise, Wanted, achievements, punishment, why_not};
use super::variations::other_defences;
use super::zugzwang::SLACK;
use crate::review::PositionAnalysis;

/// The least loss of expected score that is claimed.
const LEAST_LOSS: f64 = 0.2;
/// A comparison is not claimed if both points are below this expected score or both above its mirror image: how lost or
/// how won a position is depends on the engine.
const UNDECIDED: f64 = 0.4;
/// What every other move loses at least next to an only move.
const ONLY: f64 = 0.3;
/// How many times the nodes a second search of the other moves has next to an only move.
const DEEPER: f64 = 2.0;

/// The searches of one explanation.
pub(super) struct Study<'q, 'a, A> {
    pub(super) question: &'q Question<'a>,
    pub(super) analyst: &'q mut A,
    pub(super) root: PositionAnalysis,
    pub(super) own: PositionAnalysis,
    pub(super) mv: Move,
    pub(super) shares: [f64; 5],
    /// The share of each of two more searches that a comparison with the best move has to survive, if there are any.
    pub(super) deeper: Option<f64>,
}

impl<A: Analyst> Study<'_, '_, A> {
    pub(super) fn position(&self) -> &Position {
        self.question.position
    }

    pub(super) fn side(&self) -> Color {
        self.position().side_to_move()
    }

    pub(super) fn evidence(&self, share: usize) -> Evidence {
        Evidence::Search { nodes: self.analyst.nodes(self.shares[share]) }
    }

    pub(super) fn expected(&self) -> f64 {
        self.own.expected_score().value()
    }

    /// The line of the explained move.
    fn wanted<'w>(
        &'w self,
        analysis: &'w PositionAnalysis,
        other: &PositionAnalysis,
        share: usize,
    ) -> Wanted<'w> {
        let nodes = self.analyst.nodes(self.shares[share]);
        let start = self.question.position;
        let otherwise = Otherwise::line(start, other);
        Wanted { previous: self.question.previous, start, analysis, nodes, otherwise }
    }

    /// The claims about a bad move: how it is punished, and what the best move would have done.
    pub(super) fn bad_move(&mut self) -> Option<Vec<Claim>> {
        let (mv, position) = (self.mv, self.position().clone());
        let mut claims = self.refutation(mv, &self.own.clone())?;
        let missed = achievements(&self.wanted(&self.root, &self.own, 0));
        // A missed pawn is a detail; a missed piece or mate is a reason.
        if missed.first().is_some_and(|claim| claim.kind == ClaimKind::MateIn || claim.gains(2)) {
            claims.extend(missed.into_iter().take(2));
        }
        if claims.iter().all(|claim| claim.kind == ClaimKind::WhyNot) {
            let nodes = self.analyst.nodes(self.shares[0]);
            claims.extend(positional::changes(&position, &self.own.pv, !self.side(), nodes, &*self.analyst));
        }
        Some(claims)
    }

    /// Why a move is bad: the punishing line, and its score.
    fn refutation(&mut self, mv: Move, own: &PositionAnalysis) -> Option<Vec<Claim>> {
        let (position, root, after) = (self.position().clone(), self.root.clone(), reply(own));
        let nodes = self.analyst.nodes(self.shares[1]);
        let judged = Judged { position: &position, mv, before: &root, after: &after, nodes };
        let mut claims = punishment(&judged);
        // A small loss is named by the judgement; a claim must survive a deeper search.
        if is_clear_loss(&judged) {
            let [before, own] = self.compare(mv, own)?;
            let deeper =
                Judged { before: &before, after: &reply(&own), nodes: self.nodes_of_comparison(), ..judged };
            claims.extend(is_clear_loss(&deeper).then(|| why_not(&deeper)));
        }
        Some(claims)
    }

    /// The position and a move in it, searched with more nodes if there are any.
    fn compare(&mut self, mv: Move, own: &PositionAnalysis) -> Option<[PositionAnalysis; 2]> {
        let Some(share) = self.deeper else { return Some([self.root.clone(), own.clone()]) };
        let position = self.position().clone();
        let best = self.analyst.analyse(&position, &[], share)?;
        let own = self.analyst.analyse(&position, &[mv], share)?;
        Some([best, own])
    }

    fn nodes_of_comparison(&self) -> Option<u64> {
        self.analyst.nodes(self.deeper.unwrap_or(self.shares[1]))
    }

    /// The claims about a move that is no mistake.
    pub(super) fn good_move(&mut self, explanation: &Explanation) -> Option<Vec<Claim>> {
        let position = self.position().clone();
        let legal = position.legal_moves();
        if legal.len() == 1 {
            let forced = Claim::new(ClaimKind::Forced, self.side(), &position, &[self.mv], Evidence::Rules)
                .with_facts([Predicate::LegalMoves { count: 1 }.at(0)]);
            return Some(vec![forced]);
        }
        let others: Vec<_> = legal.iter().copied().filter(|&mv| mv != self.mv).collect();
        let second = self.analyst.analyse(&position, &others, self.shares[2])?;
        let mut claims = achievements(&self.wanted(&self.own, &second, 0));
        claims.extend(self.after_other_defences(&claims, &second)?);
        claims.extend(self.only_move(&second, &others)?);
        if !claims.iter().any(|claim| claim.kind == ClaimKind::MateIn) {
            claims.extend(self.threat()?);
            claims.extend(self.prevented()?);
            claims.extend(self.zugzwang()?);
            claims.extend(self.trade());
            claims.extend(self.fortress());
            if claims.is_empty() {
                claims.extend(self.plan(&second)?);
            }
            if claims.is_empty() {
                let nodes = self.analyst.nodes(self.shares[0]);
                claims.extend(positional::changes(
                    &position,
                    &self.own.pv,
                    self.side(),
                    nodes,
                    &*self.analyst,
                ));
            }
        }
        if explanation.is_as_good() && self.mv != explanation.best {
            claims.extend(self.as_good(self.mv, &self.own.clone())?);
        }
        Some(claims)
    }

    /// The motifs of the move that show after other defences than the best, if the move mates or wins material after
    /// the best one. Their lines begin with the move, and the motif with it.
    fn after_other_defences(&mut self, known: &[Claim], second: &PositionAnalysis) -> Option<Vec<Claim>> {
        const DEFENCES: usize = 1;
        if known.is_empty() {
            return Some(Vec::new());
        }
        let (start, own) = (self.question.position, self.own.clone());
        let lines = other_defences(start, &own, self.analyst, self.shares[3], DEFENCES)?;
        let mut found: Vec<Claim> = Vec::new();
        for line in &lines {
            let claims = achievements(&self.wanted(line, second, 3));
            let is_new = |claim: &Claim| {
                let has = |claims: &[Claim]| claims.iter().any(|other| other.kind == claim.kind);
                // A mate after this defence is not forced against every one.
                let is_forced_mate = |fact: &Fact| matches!(fact.predicate, Predicate::ForcedMate { .. });
                let is_true = !claim.facts.iter().any(is_forced_mate);
                is_shown_by_line(claim.kind) && claim.at == 0 && is_true && !has(known) && !has(&found)
            };
            let new: Vec<_> = claims.into_iter().filter(is_new).collect();
            found.extend(new);
        }
        Some(found)
    }

    /// A manoeuvre that the best line shares with that after another defence, or with the line of another move.
    fn plan(&mut self, second: &PositionAnalysis) -> Option<Option<Claim>> {
        let (start, own) = (self.question.position, self.own.clone());
        let mut lines = other_defences(start, &own, self.analyst, self.shares[3], 1)?;
        lines.push(second.clone());
        let nodes = self.analyst.nodes(self.shares[0]);
        let shared = |other: &PositionAnalysis| {
            positional::plan(start, [own.pv.as_slice(), other.pv.as_slice()], nodes, &*self.analyst)
        };
        Some(lines.iter().find_map(shared))
    }

    /// A comparison of two points from the point of view of the side that moves.
    pub(super) fn gap(&self, above: Point, below: Point, by: f64) -> Predicate {
        Predicate::Gap { side: self.side(), above, below, by }
    }

    /// The claim that a move is as good as the best, if a deeper search agrees.
    fn as_good(&mut self, mv: Move, own: &PositionAnalysis) -> Option<Option<Claim>> {
        let [best, own] = self.compare(mv, own)?;
        let fact = self.gap(Point::Here, Point::Before, -(NOISE + SLACK)).at(1);
        let evidence = Evidence::Search { nodes: self.nodes_of_comparison() };
        let claim = Claim::new(ClaimKind::AsGood, self.side(), self.position(), &[mv], evidence);
        let is_as_good = best.expected_score().loss_to(own.expected_score()) <= NOISE;
        Some(is_as_good.then(|| claim.with_facts([fact])))
    }

    /// Whether every other move is clearly worse, in the search of the others and in a deeper one: a search of many
    /// moves spends few nodes on each, and one quiet defence that it misses makes the claim false.
    fn only_move(&mut self, second: &PositionAnalysis, others: &[Move]) -> Option<Option<Claim>> {
        // A recapture needs no reason.
        if self.is_retake() || !self.is_alone(second) {
            return Some(None);
        }
        let share = DEEPER * self.shares[2];
        let position = self.position().clone();
        let deeper = self.analyst.analyse(&position, others, share)?;
        let margin = [second, &deeper].map(|other| self.margin_to(other)).into_iter().fold(1.0, f64::min);
        let evidence = Evidence::Search { nodes: self.analyst.nodes(share) };
        Some(self.is_alone(&deeper).then(|| {
            let fact = self.gap(Point::Here, Point::Others, claimed_gap(margin)).at(1);
            Claim::new(ClaimKind::OnlyMove, self.side(), &position, &[self.mv], evidence)
                .with_facts([fact])
                .with_margin(margin)
        }))
    }

    /// Whether the move holds a result that the others give away.
    fn is_alone(&self, others: &PositionAnalysis) -> bool {
        let is_clear = self.margin_to(others) >= ONLY;
        is_clear && is_decisive(self.expected(), others.expected_score().value())
    }

    /// The expected score of the move above that of other moves.
    fn margin_to(&self, others: &PositionAnalysis) -> f64 {
        self.expected() - others.expected_score().value()
    }

    /// Whether the move retakes on the square of the opponent's last capture.
    pub(super) fn is_retake(&self) -> bool {
        self.question.previous.is_some_and(|(_, last)| last.is_capture() && last.to() == self.mv.to())
    }

    /// An exchange of equal pieces by the side that is ahead.
    fn trade(&self) -> Option<Claim> {
        const AHEAD: f64 = 0.8;
        let position = self.position();
        let ahead = balance(position, self.side());
        let [first, second, ..] = self.own.pv.as_slice() else { return None };
        let after = position.after(*first);
        let (given, taken) = (after.captured_by(*second)?, position.captured_by(*first)?);
        let is_trade = second.to() == first.to() && value(given) == value(taken) && value(taken) >= 3;
        (is_trade && ahead >= 2 && self.expected() >= AHEAD).then(|| {
            let facts = [
                Predicate::Material { side: self.side(), pawns: 0 }.at(2),
                Predicate::AtLeast { side: self.side(), expected: self.expected() - SLACK }.at(2),
            ];
            let piece = NamedPiece::on(position, first.to());
            Claim::new(
                ClaimKind::TradesWhenAhead,
                self.side(),
                position,
                &[*first, *second],
                self.evidence(0),
            )
            .with_facts(facts)
            .with_pieces(piece)
        })
    }

    /// No progress: one side is ahead in material, the search sees a draw, and its line has no capture and no pawn move.
    /// With tablebases a draw is enough.
    fn fortress(&self) -> Option<Claim> {
        const LEAST_PLIES: usize = 8;
        let position = self.position();
        let ahead = balance(position, self.side());
        if ahead.abs() >= 2
            && let Some(result) = self.analyst.tablebase(position)
        {
            let side = if ahead > 0 { !self.side() } else { self.side() };
            let fact = Predicate::Tablebase { side, result: 0.5, distance: None }.at(0);
            let claim = Claim::new(ClaimKind::Fortress, side, position, &[self.mv], Evidence::Tablebase);
            return (result == 0.5).then(|| claim.with_facts([fact]));
        }
        let line = &self.own.pv;
        let is_level = (self.expected() - 0.5).abs() <= NOISE;
        let end =
            line.iter().try_fold(position.clone(), |here, &mv| (!mv.is_capture()).then(|| here.after(mv)));
        let stands_still = end.is_some_and(|end| usize::from(end.halfmove_clock()) >= line.len());
        let strong = if ahead > 0 { self.side() } else { !self.side() };
        (ahead.abs() >= 2 && is_level && line.len() >= LEAST_PLIES && stands_still).then(|| {
            let facts = [Predicate::AtMost { side: strong, expected: 0.5 + NOISE + SLACK }.at(0)];
            Claim::new(ClaimKind::Fortress, !strong, position, line, self.evidence(0)).with_facts(facts)
        })
    }

    /// Why not another move.
    pub(super) fn why_not(&mut self, against: Move, expected: f64) -> Option<Vec<Claim>> {
        let position = self.position().clone();
        let other = self.analyst.analyse(&position, &[against], self.shares[1])?;
        if expected - other.expected_score().value() <= NOISE {
            return Some(self.as_good(against, &other)?.into_iter().collect());
        }
        self.refutation(against, &other)
    }

    /// The tablebase results before and after the move.
    pub(super) fn tablebase(&self) -> Option<Claim> {
        let position = self.position();
        let before = self.analyst.tablebase(position)?;
        let next = position.after(self.mv);
        let after = 1.0 - self.analyst.tablebase(&next)?;
        let facts = [
            Predicate::Tablebase {
                side: self.side(),
                result: before,
                distance: self.analyst.distance(position),
            }
            .at(0),
            Predicate::Tablebase { side: self.side(), result: after, distance: self.analyst.distance(&next) }
                .at(1),
        ];
        let claim =
            Claim::new(ClaimKind::TablebaseFact, self.side(), position, &[self.mv], Evidence::Tablebase);
        Some(claim.with_facts(facts).with_margin(before - after))
    }
}

/// Whether a move loses so much that it can change the result.
fn is_clear_loss(judged: &Judged<'_>) -> bool {
    let before = judged.before.expected_score();
    judged.loss() >= LEAST_LOSS
        && is_decisive(before.value(), judged.after.expected_score().of_opponent().value())
}

/// Whether a difference between two expected scores can change the result: not both are lost, not both are won.
pub(super) fn is_decisive(high: f64, low: f64) -> bool {
    high >= UNDECIDED && low <= 1.0 - UNDECIDED
}

/// Whether the sentence of a motif shows its line, so that the reader sees which defence it is about.
fn is_shown_by_line(kind: ClaimKind) -> bool {
    matches!(
        kind,
        ClaimKind::Deflection
            | ClaimKind::Attraction
            | ClaimKind::Interference
            | ClaimKind::Overload
            | ClaimKind::CapturesDefender
            | ClaimKind::Sacrifice
            | ClaimKind::TrappedPiece
    )
}

/// The analysis after the first move of an analysis, for the opponent.
pub(super) fn reply(own: &PositionAnalysis) -> PositionAnalysis {
    let [win, draw, loss] = own.wdl;
    let pv = own.pv.get(1..).unwrap_or_default().to_vec();
    PositionAnalysis { score: after_move(own.score), wdl: [loss, draw, win], pv }
}

/// The score of the opponent after the first move of a line with this score.
fn after_move(score: Score) -> Score {
    match score.mate_plies() {
        Some(plies) if score.is_win() => Score::mated_at(plies.saturating_sub(1)),
        Some(plies) => Score::mate_at(plies.saturating_sub(1)),
        None => -score,
    }
}
