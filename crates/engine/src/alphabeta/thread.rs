//! Alpha-beta as a [`Searcher`]: compiled once for the default techniques and once for techniques chosen at run time.

use rukh_eval::{AnyEvaluator, Evaluation};

use super::worker::Worker;
use crate::search::{Job, Searcher, ThreadResult};
use crate::technique::{DefaultTechniques, TechniqueOverrides};
use crate::witness::Witness;

/// The alpha-beta search of one thread.
pub(crate) struct AlphaBeta {
    evaluation: Evaluation,
    /// Built before the first search, so that its cost is not part of the search time.
    evaluator: Option<AnyEvaluator>,
    /// The search with the default techniques, known at compile time.
    default: Option<Worker<AnyEvaluator, DefaultTechniques>>,
    /// The search with techniques chosen at run time.
    overridden: Option<Worker<AnyEvaluator, TechniqueOverrides>>,
}

impl AlphaBeta {
    pub(crate) fn new(evaluation: &Evaluation) -> Self {
        let evaluator = Some(AnyEvaluator::new(evaluation));
        Self { evaluation: evaluation.clone(), evaluator, default: None, overridden: None }
    }
}

impl Searcher for AlphaBeta {
    fn search(&mut self, job: &Job, index: usize) -> Option<ThreadResult> {
        let mut evaluator = || self.evaluator.take().unwrap_or_else(|| AnyEvaluator::new(&self.evaluation));
        let shared = || job.shared.clone();
        if job.overrides.is_none() {
            let worker =
                self.default.get_or_insert_with(|| Worker::new(shared(), evaluator(), DefaultTechniques));
            return worker.run(job, index);
        }
        let worker = self.overridden.get_or_insert_with(|| Worker::new(shared(), evaluator(), job.overrides));
        worker.set_techniques(job.overrides);
        worker.run(job, index)
    }

    fn clear(&mut self) {
        self.default.iter_mut().for_each(Worker::clear);
        self.overridden.iter_mut().for_each(Worker::clear);
    }
}

/// Searches on the calling thread while `witness` observes. Returns the result and the witness.
pub(crate) fn search_observed<W: Witness>(
    evaluation: &Evaluation,
    job: &Job,
    witness: W,
) -> (Option<ThreadResult>, W) {
    let evaluator = AnyEvaluator::new(evaluation);
    let mut worker = Worker::observed(job.shared.clone(), evaluator, job.overrides, witness);
    let result = worker.run(job, 0);
    (result, worker.into_witness())
}
