//! Reports of a tree search: lines by visits, scores from values, and the table of the root moves.

use rukh_eval::{MAX_PLY, Score};

use super::control::Counters;
use super::proof::{Bounds, Outcome};
use super::slot::Slot;
use super::target;
use super::tree::{Tree, ranked};
use super::value::ValueModel;
use crate::api::{Bound, Event, TreeMoveInfo};
use crate::search::{Job, ThreadResult};

/// Values and priors in the table of the root moves are counted in these parts.
const PARTS: f64 = 10_000.0;

/// Reports on one search.
pub(super) struct Reporter<'s> {
    pub(super) job: &'s Job,
    pub(super) tree: &'s Tree,
    pub(super) model: ValueModel,
}

impl Reporter<'_> {
    /// The root moves from the best to the worst; `first` comes before all others unless a win is proven.
    pub(super) fn order(&self, first: Option<usize>) -> Vec<usize> {
        let children = self.tree.root_children();
        let mut order = ranked(children);
        if let Some(ranking) = &self.job.shared.root_ranking {
            order.sort_by_key(|&index| std::cmp::Reverse(children[index].mv().map(|mv| ranking.rank(mv))));
        }
        let is_won = order.first().is_some_and(|&best| children[best].bounds().is(Outcome::Win));
        if let Some(at) =
            first.filter(|_| !is_won).and_then(|first| order.iter().position(|&index| index == first))
        {
            order[..=at].rotate_right(1);
        }
        order
    }

    /// Reports the best lines and returns the first.
    pub(super) fn report_lines(&self, counters: &Counters, first: Option<usize>) -> Option<ThreadResult> {
        let children = self.tree.root_children();
        let mut best = None;
        for (rank, &index) in self.order(first).iter().take(self.job.multipv.max(1)).enumerate() {
            let child = children.get(index)?;
            if rank > 0 && child.visits() == 0 {
                break;
            }
            let mut result = ThreadResult {
                depth: counters.depth() as i32,
                seldepth: counters.seldepth.max(1),
                score: self.score(child),
                bound: Bound::Exact,
                pv: self.tree.principal_variation(self.job.request.game.position(), index),
                is_reported: self.job.listener.is_some(),
            };
            if self.job.listener.is_some() {
                let pv = self.job.report_with(rank, &result, Some(permille(child)));
                if rank == 0 {
                    result.pv = pv;
                }
            }
            best.get_or_insert(result);
        }
        best
    }

    /// The score of a root move for the side to move.
    fn score(&self, child: &Slot) -> Score {
        let bounds = child.bounds();
        let plies = usize::from(bounds.plies + 1).min(MAX_PLY - 1);
        match (bounds.proven(), bounds.is_tablebase) {
            (Some(Outcome::Win), false) => Score::mate_at(plies),
            (Some(Outcome::Loss), false) => Score::mated_at(plies),
            (Some(Outcome::Win), true) => Score::tablebase_win_at(plies),
            (Some(Outcome::Loss), true) => Score::tablebase_loss_at(plies),
            (Some(Outcome::Draw), _) => Score::DRAW,
            (None, _) => self.model.score(child.mean().unwrap_or(0.0)),
        }
    }

    /// Reports the table of the root moves.
    pub(super) fn report_root(&self, first: Option<usize>) {
        let Some(listener) = &self.job.listener else { return };
        let children = self.tree.root_children();
        let table = self.order(first).into_iter().filter_map(|index| move_info(children.get(index)?));
        listener.on_event(Event::Root(table.collect()));
    }
}

/// The statistics of a child; `None` if it has no move.
pub(super) fn move_info(child: &Slot) -> Option<TreeMoveInfo> {
    let parts = |share: f64| (share * PARTS).round();
    Some(TreeMoveInfo {
        mv: child.mv()?,
        visits: child.visits(),
        prior: parts(f64::from(child.prior())) as u32,
        value: child.mean().map(|mean| parts(mean) as i32),
        wdl: permille(child),
        bounds: in_half_points(child.bounds()),
    })
}

/// Lower and upper bound: -1 for a loss, 0 for a draw, 1 for a win.
fn in_half_points(bounds: Bounds) -> [i8; 2] {
    [bounds.lower, bounds.upper].map(|outcome| outcome as i8 - Outcome::Draw as i8)
}

/// WDL of a child in permille, for the side that moves.
fn permille(child: &Slot) -> [u32; 3] {
    let [win, _, loss] = target::wdl(child);
    let win = (1000.0 * win).round() as u32;
    let loss = ((1000.0 * loss).round() as u32).min(1000 - win);
    [win, 1000 - win - loss, loss]
}
