//! Search job: the request as one thread receives it, and the reporting of its lines.

use std::sync::Arc;
use std::time::Duration;

use rukh_chess::Move;
use rukh_eval::wdl;

use super::pv::{self, ReportedLine};
use super::result::ThreadResult;
use super::shared::SharedState;
use crate::api::{Event, LineInfo, Listener, Request};
use crate::noise::RootNoise;
use crate::tablebase::Wdl;
use crate::technique::TechniqueOverrides;

/// The job of one search thread.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) shared: Arc<SharedState>,
    pub(crate) request: Arc<Request>,
    pub(crate) multipv: usize,
    /// Techniques that are switched against their default.
    pub(crate) overrides: TechniqueOverrides,
    /// Noise at the root of a tree search; `None` in play.
    pub(crate) noise: Option<RootNoise>,
    /// Receives events; only thread 0 has one.
    pub(crate) listener: Option<Arc<dyn Listener>>,
    /// Bounds and the current root move are reported only after this time.
    pub(crate) report_delay: Duration,
}

impl Job {
    /// The [`Self::report_delay`] of a normal search.
    pub(crate) const REPORT_DELAY: Duration = Duration::from_secs(3);

    /// A job without a listener.
    pub(crate) fn silent(shared: Arc<SharedState>, request: Request, overrides: TechniqueOverrides) -> Self {
        Self {
            shared,
            request: Arc::new(request),
            multipv: 1,
            overrides,
            noise: None,
            listener: None,
            report_delay: Self::REPORT_DELAY,
        }
    }

    /// Reports the line of this rank, counted from 0, and returns its moves as they were reported.
    pub(crate) fn report(&self, rank: usize, result: &ThreadResult) -> Vec<Move> {
        self.report_with(rank, result, None)
    }

    /// Like [`Self::report`], with the WDL that the search itself has found; `None` for that of the score.
    pub(crate) fn report_with(
        &self,
        rank: usize,
        result: &ThreadResult,
        found: Option<[u32; 3]>,
    ) -> Vec<Move> {
        let mut line = self.line(rank, result);
        if let Some(wdl) = found.filter(|_| !line.score.is_decisive() && line.score == result.score) {
            line.wdl = wdl;
        }
        let pv = line.pv.clone();
        if let Some(listener) = &self.listener {
            listener.on_event(Event::Line(line, self.shared.progress()));
        }
        pv
    }

    /// The line of this rank as it is reported. Where the tablebases contain the root, they give the score; a line that
    /// enters them ends before the first move that changes the result. A mate is complete already.
    pub(crate) fn line(&self, rank: usize, result: &ThreadResult) -> LineInfo {
        let root = self.request.game.position();
        let ReportedLine { mut score, bound, mut pv } =
            pv::report(&self.request.game, &self.shared.table, result.score, result.bound, &result.pv);
        if let Some((ranking, &first)) = self.shared.root_ranking.as_ref().zip(pv.first()) {
            score = ranking.score(first, score);
            if !score.is_mate() {
                ranking.cut_line(root, &mut pv);
            }
        } else if let Some(probing) = self.shared.probing.as_ref().filter(|_| !score.is_mate()) {
            probing.cut_line(root, Wdl::of_score(score), &mut pv);
        }
        LineInfo {
            depth: result.depth as u32,
            seldepth: result.seldepth as u32,
            multipv: rank + 1,
            score,
            bound,
            wdl: wdl(score, root.fullmove_number()),
            pv,
        }
    }
}
