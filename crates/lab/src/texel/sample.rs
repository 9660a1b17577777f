//! What the evaluation counts in one position.

use rukh_chess::types::ByColor;
use rukh_chess::{Color, Position};
use rukh_eval::hce::declare::{Term, WeightIndex};
use rukh_eval::hce::evaluate::{MIDGAME_FULL, Summary, evaluate};
use rukh_eval::hce::trace::Trace;
use rukh_eval::knowledge::fifty_moves::damp;
use rukh_eval::knowledge::scale::SCALE_NORMAL;

/// The target for White, from 0 (lost) to 1 (won).
pub type Label = f32;

/// A weight and how often it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) weight: u16,
    pub(super) times: i16,
}

/// A row of the tuner: how often each weight counts in a position, and its label. The position itself is not kept, since millions
/// of rows must fit in memory; a [`crate::labelled::LabelledPosition`] is what it is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Weights that are simply added, White's less Black's.
    pub(super) linear: Box<[Count]>,
    /// Parts of the danger to each side's king.
    pub(super) danger: ByColor<Box<[Count]>>,
    /// Parts of the initiative, and the side that has it.
    pub(super) initiative: Option<(Color, Box<[Count]>)>,
    /// What the middlegame is multiplied with: its share, and what the fifty-move rule leaves.
    pub(super) midgame: f32,
    /// What the endgame is multiplied with.
    pub(super) endgame: f32,
    /// How the game ended.
    pub(super) label: Label,
}

impl Sample {
    /// What is counted in `position`; none if it is an ending that is known by itself.
    pub fn new(position: &Position, label: Label) -> Option<Self> {
        let mut listener = SampleTrace::default();
        let summary = evaluate(position, &mut listener);
        if summary.endgame.is_some() {
            return None;
        }
        let (midgame, endgame) = factors(&summary, position.halfmove_clock());
        let initiative = Color::ALL.into_iter().find(|&side| !listener.initiative[side].is_empty());
        let parts = |counts: &mut Vec<Count>| merged(std::mem::take(counts));
        Some(Self {
            linear: parts(&mut listener.linear),
            danger: ByColor([Color::White, Color::Black].map(|side| parts(&mut listener.danger[side]))),
            initiative: initiative.map(|side| (side, parts(&mut listener.initiative[side]))),
            midgame,
            endgame,
            label,
        })
    }
}

impl Sample {
    /// Blends the label with a share of `probability`, the win probability of a search for White.
    pub(super) fn blend(&mut self, probability: f64, share: f64) {
        self.label = (f64::from(self.label) * (1.0 - share) + probability * share) as f32;
    }
}

/// What both phases are multiplied with.
fn factors(summary: &Summary, halfmove_clock: u16) -> (f32, f32) {
    // Damping is linear: what it leaves of a great number is the factor.
    const GREAT: i32 = 1_000_000;
    let damped = damp(GREAT, halfmove_clock) as f32 / GREAT as f32;
    let share = summary.midgame_share as f32 / MIDGAME_FULL as f32;
    (share * damped, (1.0 - share) * damped * summary.scale as f32 / SCALE_NORMAL as f32)
}

/// Counts of the same weight put together, those that cancel out left out.
fn merged(mut counts: Vec<Count>) -> Box<[Count]> {
    counts.sort_unstable_by_key(|count| count.weight);
    counts.dedup_by(|next, kept| {
        let is_same = next.weight == kept.weight;
        if is_same {
            kept.times += next.times;
        }
        is_same
    });
    counts.retain(|count| count.times != 0);
    counts.into_boxed_slice()
}

/// Collects the counts.
#[derive(Default)]
struct SampleTrace {
    linear: Vec<Count>,
    danger: ByColor<Vec<Count>>,
    initiative: ByColor<Vec<Count>>,
}

impl Trace for SampleTrace {
    fn weight(&mut self, side: Color, weight: WeightIndex, count: i32) {
        let times = if side == Color::White { count } else { -count };
        self.linear.push(Count { weight: weight.get() as u16, times: times as i16 });
    }

    fn part(&mut self, term: Term, side: Color, weight: WeightIndex, count: i32) {
        let count = Count { weight: weight.get() as u16, times: count as i16 };
        match term {
            Term::KingDanger => self.danger[side].push(count),
            _ => self.initiative[side].push(count),
        }
    }
}
