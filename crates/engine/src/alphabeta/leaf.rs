//! Leaf search: a short alpha-beta search of one position, for a tree search that evaluates its leaves with it.
//!
//! It shares the transposition table with its caller and keeps its histories from leaf to leaf. Who calls it is unknown.

use std::sync::Arc;

use rukh_chess::Position;
use rukh_chess::history::KeyHistory;
use rukh_eval::{AnyEvaluator, Evaluation, MAX_PLY, Score};

use super::node::Window;
use super::worker::{PvNode, Stopped, Worker};
use crate::api::Limits;
use crate::clock::TimePlan;
use crate::search::SharedState;
use crate::technique::DefaultTechniques;

/// A short alpha-beta search.
pub(crate) struct LeafSearch {
    worker: Worker<AnyEvaluator, DefaultTechniques>,
    shared: Arc<SharedState>,
}

impl LeafSearch {
    /// A leaf search for the searches of `shared`.
    pub(crate) fn new(evaluation: &Evaluation, shared: &SharedState) -> Self {
        let own = own_state(shared, None);
        Self {
            worker: Worker::new(own.clone(), AnyEvaluator::new(evaluation), DefaultTechniques),
            shared: own,
        }
    }

    /// Prepares the leaves of a search. They end at the hard limit of `plan`.
    pub(crate) fn begin(&mut self, shared: &SharedState, plan: Option<TimePlan>) {
        self.shared = own_state(shared, plan);
    }

    /// The score of `position` for the side to move, searched to `depth`; with depth 0 by the quiescence search. `None` if
    /// the search is stopped before it has any score.
    pub(crate) fn score(&mut self, position: &Position, depth: i32) -> Option<Score> {
        /// Plies from one iteration to the next. The earlier ones order the moves of the last.
        const STEP: i32 = 2;
        let depths = (depth % STEP..=depth).step_by(STEP as usize);
        self.search(position, depths).map(|(score, _)| score)
    }

    /// The score of `position` for the side to move and the depth of its search: the greatest for which, and for all before it,
    /// `goes_on` is true. `None` if the search is stopped before it has any score.
    pub(crate) fn deepen(
        &mut self,
        position: &Position,
        goes_on: &dyn Fn(i32) -> bool,
    ) -> Option<(Score, i32)> {
        self.search(position, (1..MAX_PLY as i32).take_while(|depth| *depth == 1 || goes_on(*depth)))
    }

    /// Searches to one depth after the other.
    fn search(&mut self, position: &Position, depths: impl Iterator<Item = i32>) -> Option<(Score, i32)> {
        /// A leaf is not the root: draws by rule count.
        const PLY: usize = 1;
        // A worker looks at the clock after a thousand nodes only.
        if self.shared.is_out_of_time() {
            self.shared.signals.finish();
        }
        if self.shared.signals.must_end() {
            return None;
        }
        self.worker.begin(self.shared.clone(), 0, position, &KeyHistory::new());
        // A leaf search can be stopped at any time.
        self.worker.root.complete_iteration();
        let window = Window::new(Score::MIN, Score::MAX);
        let mut found = None;
        for depth in depths {
            match self.worker.search::<PvNode>(position, PLY, window, depth, false) {
                Ok(score) => found = Some((score, depth)),
                Err(Stopped) => break,
            }
        }
        found
    }

    /// Clears the histories.
    pub(crate) fn clear(&mut self) {
        self.worker.clear();
    }
}

/// A state with the transposition table, the signals, the start and the handicap of `shared`, but its own node counter, so
/// that the nodes of leaf searches are not counted as leaves, and its own time limits.
fn own_state(shared: &SharedState, plan: Option<TimePlan>) -> Arc<SharedState> {
    let mut own = SharedState::single_threaded(shared.table.clone(), Limits::default());
    own.signals = shared.signals.clone();
    own.start = shared.start;
    own.plan = plan;
    own.handicap = shared.handicap;
    Arc::new(own)
}
