//! Squared error and rank correlation of scores against targets, with their standard errors. Nothing is searched here.

use rukh_chess::Position;

use crate::census::phase;
use crate::labelled::{LabelledPosition, SampleKind};
use crate::logistic::{best_scale, expected_score};

/// A part of the game, by the pieces beside pawns: 24 with all of them (knight and bishop 1, rook 2, queen 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// At least 20.
    Opening,
    /// From 10 to 19.
    Middlegame,
    /// Below 10.
    Endgame,
}

impl Phase {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        match phase(position) {
            20.. => Self::Opening,
            10.. => Self::Middlegame,
            _ => Self::Endgame,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// How well scores agree with targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// Positions.
    pub count: usize,
    /// The mean squared error of the expected score.
    pub error: f64,
    /// The standard error of it.
    pub error_deviation: f64,
    /// Spearman's rank correlation; not a number where all are equal.
    pub correlation: f64,
    /// The standard error of it.
    pub correlation_deviation: f64,
}

/// What was measured on one file.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The scale of the logistic curve with the least error of all positions together, in the unit of the scores.
    pub scale: f64,
    /// Positions without a score, which are left out.
    pub without_score: usize,
    /// All positions.
    pub total: Measure,
    /// Those of each phase, by the same scale: their errors add up.
    pub phases: [Measure; Phase::ALL.len()],
    /// Those of each kind of sample that there is, likewise.
    pub kinds: Vec<(SampleKind, Measure)>,
}

impl Report {
    /// Measures scores, in any unit for the side to move, against the expected scores of the same positions.
    pub fn new(targets: &[LabelledPosition], scores: &[Option<f64>]) -> Self {
        let pair = |(target, score): (_, &Option<f64>)| {
            let target: &LabelledPosition = target;
            Some((target, ((*score)?, target.expected?)))
        };
        let scored = || targets.iter().zip(scores).filter_map(pair);
        let all: Vec<(f64, f64)> = scored().map(|(_, pair)| pair).collect();
        let scale = best_scale(&all);
        let part = |is_in: &dyn Fn(&LabelledPosition) -> bool| {
            let part = scored().filter(|(target, _)| is_in(target));
            Measure::new(&part.map(|(_, pair)| pair).collect::<Vec<_>>(), scale)
        };
        let of_phase = |phase| part(&|target| Phase::of(&target.position) == phase);
        let of_kind = |kind| (kind, part(&|target| target.kind == Some(kind)));
        let kinds = SampleKind::ALL.map(of_kind).into_iter().filter(|(_, measure)| measure.count > 0);
        Self {
            scale,
            without_score: targets.len() - all.len(),
            total: Measure::new(&all, scale),
            phases: Phase::ALL.map(of_phase),
            kinds: kinds.collect(),
        }
    }

    /// The expected scores that were measured: the scores through the logistic curve of the best scale.
    pub fn expected(&self, scores: &[Option<f64>]) -> Vec<Option<f64>> {
        scores.iter().map(|score| score.map(|score| expected_score(score, self.scale))).collect()
    }
}

impl Measure {
    fn new(scores: &[(f64, f64)], scale: f64) -> Self {
        let count = scores.len();
        let errors = scores.iter().map(|&(score, target)| (expected_score(score, scale) - target).powi(2));
        let errors: Vec<f64> = errors.collect();
        let error = mean(&errors);
        let squares: Vec<f64> = errors.iter().map(|value| (value - error).powi(2)).collect();
        let error_deviation = (squares.iter().sum::<f64>() / (count as f64 - 1.0) / count as f64).sqrt();
        let [ours, theirs]: [Vec<f64>; 2] =
            [scores.iter().map(|pair| pair.0).collect(), scores.iter().map(|pair| pair.1).collect()];
        let correlation = pearson(&ranks(&ours), &ranks(&theirs));
        // By Bonett and Wright (2000), back from Fisher's z.
        let of_z = ((1.0 + correlation.powi(2) / 2.0) / (count as f64 - 3.0)).sqrt();
        Self {
            count,
            error,
            error_deviation,
            correlation,
            correlation_deviation: (1.0 - correlation.powi(2)) * of_z,
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The rank of each value; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + (equal.len() as f64 - 1.0) / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank);
        below += equal.len();
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        a.iter().zip(b).map(|(&a, &b)| of(a - mean_a, b - mean_b)).sum::<f64>()
    };
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[cfg(test)]
mod tests {
    use rukh_chess::random::SplitMix64;

    use super::*;

    const FENS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R3K2R w KQkq - 0 1",
        "8/5pk1/6p1/1p2P3/2p2P2/2P3K1/1P6/8 w - - 0 40",
    ];

    #[test]
    fn equal_values_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, -2.0]), [2.5, 1.0, 2.5, 0.0]);
    }

    /// Ranks 0 to 4 against 1, 0, 3, 2, 4: differences of 1 four times.
    #[test]
    fn the_correlation_is_spearmans() {
        let scores = [(10.0, 0.2), (20.0, 0.1), (30.0, 0.6), (40.0, 0.5), (900.0, 0.7)];
        let measure = Measure::new(&scores, 100.0);
        assert!((measure.correlation - (1.0 - 6.0 * 4.0 / (5.0 * 24.0))).abs() < 1e-12, "{measure:?}");
    }

    #[test]
    fn phases_are_measured_by_one_scale_and_add_up() {
        let mut random = SplitMix64::new(3);
        let (mut targets, mut scores) = (Vec::new(), Vec::new());
        for at in 0..3_000 {
            let score = random.below(1_000) as f64 - 500.0;
            let noise = 0.3 * (random.share() - 0.5);
            let expected = (expected_score(score, 120.0) + noise).clamp(0.0, 1.0);
            let position: Position = FENS[at % 3].parse().expect("it is a position");
            let kind = (at % 2 == 0).then_some(SampleKind::Tree);
            targets.push(LabelledPosition { expected: Some(expected), kind, ..position.into() });
            scores.push((at % 10 != 0).then_some(score));
        }
        let report = Report::new(&targets, &scores);
        assert_eq!((report.total.count, report.without_score), (2_700, 300));
        assert!((100.0..145.0).contains(&report.scale), "{}", report.scale);
        let sum: f64 = report.phases.iter().map(|phase| phase.error * phase.count as f64).sum();
        assert!((sum / 2_700.0 - report.total.error).abs() < 1e-12);
        assert!(report.phases.iter().all(|phase| phase.count == 900));
        let kinds: Vec<_> = report.kinds.iter().map(|(kind, measure)| (*kind, measure.count)).collect();
        assert_eq!(kinds, [(SampleKind::Tree, 1_200)]);
        assert!(report.total.error < 0.0075 && report.total.correlation > 0.9, "{report:?}");
        let of_parts = report.phases[0].error_deviation / report.total.error_deviation;
        assert!((1.5..2.0).contains(&of_parts), "three times the positions, {of_parts} times the accuracy");
        assert!(report.total.correlation_deviation < 0.01);
        let blind: Vec<Option<f64>> = scores.iter().map(|score| score.map(f64::abs)).collect();
        assert!(Report::new(&targets, &blind).total.error > 10.0 * report.total.error);
    }

    #[test]
    fn phases_follow_from_the_pieces() {
        let of = |fen: &str| Phase::of(&fen.parse().expect("it is a position"));
        assert_eq!(FENS.map(of), Phase::ALL);
    }
}
