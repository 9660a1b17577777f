//! Analysis task: searches a position and publishes its lines, at most fifteen times a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rukh_chess::Color;
use rukh_chess::game::Game;
use rukh_engine::api::{Bound, Event, Limits, LineInfo, Progress, Request, TreeMoveInfo};
use rukh_explain::white_score::WhiteScore;
use serde_json::{Value, json};

use crate::audience::Audience;
use crate::engine_slot::{End, EngineSettings, EngineSlot, Failure, Report, search};
use crate::lock::lock;
use crate::mcts::{LastTree, tree_move_json};
use crate::rules::{line_json, move_json};
use crate::topics::{Topic, Topics};
use crate::worker::{Cancel, Task, TaskKind};

/// The least time between two snapshots.
const INTERVAL: Duration = Duration::from_millis(67);
/// An analysis that nobody watches stops after this time.
const UNWATCHED: Duration = Duration::from_secs(60);

/// What is to be analysed.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The game up to the position. For a threat the null move has been made.
    pub(crate) game: Game,
    pub(crate) is_threat: bool,
    pub(crate) limits: Limits,
    /// The position that the page asked for.
    pub(crate) fen: String,
}

/// An analysis.
pub(crate) struct Analysis {
    pub(crate) number: u64,
    pub(crate) question: Question,
    pub(crate) settings: EngineSettings,
    pub(crate) topics: Arc<Topics>,
    pub(crate) audience: Arc<Audience>,
    pub(crate) mcts: LastTree,
    pub(crate) found: Found,
}

/// What has been found so far.
#[derive(Default)]
pub(crate) struct Found {
    lines: Vec<LineInfo>,
    progress: Progress,
    root: Option<Vec<TreeMoveInfo>>,
    best: Option<rukh_chess::Move>,
}

/// The snapshot of a session without an analysis.
pub(crate) fn none() -> Value {
    json!({ "search": 0, "state": "idle", "lines": [], "root": null, "best": null, "message": null })
}

impl Task for Analysis {
    fn kind(&self) -> TaskKind {
        TaskKind::Analysis
    }

    fn run(&mut self, slot: &mut EngineSlot, cancel: &Cancel) -> Result<Value, Failure> {
        if let Some(ending) = self.question.game.position().ending().filter(|_| self.has_no_move()) {
            return Ok(self.json("done", Some(&ending.to_string())));
        }
        self.publish(&self.json("running", None));
        let engine = slot.ready(&self.settings)?;
        let request = Request { game: self.question.game.clone(), limits: self.question.limits.clone() };
        let mut tree = engine.mcts_tree().map(|tree| (self.number, tree));
        let audience = self.audience.clone();
        let is_cancelled = || cancel.is_set() || audience.absence() > UNWATCHED;
        let (mut is_changed, mut last) = (false, Instant::now());
        let end = search(engine, request, is_cancelled, |report| {
            // The search has begun: the root of its tree is this position.
            if let Some(tree) = tree.take() {
                *lock(&self.mcts) = Some(tree);
            }
            if let Report::Event(event) = report {
                is_changed |= self.found.add(event);
            }
            if is_changed && last.elapsed() >= INTERVAL {
                self.publish(&self.json("running", None));
                (is_changed, last) = (false, Instant::now());
            }
        })?;
        Ok(self.json(if end == End::Done { "done" } else { "stopped" }, None))
    }

    fn failed(&mut self, failure: &Failure) -> Value {
        self.json("failed", Some(&failure.to_string()))
    }

    fn publish(&self, snapshot: &Value) {
        self.topics.publish(Topic::Analysis, snapshot);
    }
}

impl Found {
    /// Adds an event; whether it changes what is shown.
    fn add(&mut self, event: Event) -> bool {
        match event {
            Event::Line(line, progress) => {
                let place = line.multipv.saturating_sub(1).min(self.lines.len());
                match self.lines.get_mut(place) {
                    Some(old) => *old = line,
                    None => self.lines.push(line),
                }
                self.progress = progress;
            }
            Event::CurrentMove { .. } => return false,
            Event::Root(moves) => self.root = Some(moves),
            Event::Done { best, .. } => self.best = best,
        }
        true
    }
}

impl Analysis {
    fn has_no_move(&self) -> bool {
        self.question.game.position().count_legal_moves() == 0
    }

    /// The snapshot.
    pub(crate) fn json(&self, state: &str, message: Option<&str>) -> Value {
        let position = self.question.game.position();
        let Found { lines, progress, root, best } = &self.found;
        let milliseconds = u64::try_from(progress.time.as_millis()).unwrap_or(u64::MAX);
        json!({
            "search": self.number,
            "state": state,
            "fen": self.question.fen,
            "is_threat": self.question.is_threat,
            "depth": lines.iter().map(|line| line.depth).max(),
            "seldepth": lines.iter().map(|line| line.seldepth).max(),
            "nodes": progress.nodes,
            "nps": progress.nodes * 1_000 / milliseconds.max(1),
            "time_ms": milliseconds,
            "hashfull": progress.hashfull,
            "tablebase_hits": progress.tablebase_hits,
            "lines": lines.iter().map(|line| self.line(line)).collect::<Vec<_>>(),
            "root": root.as_ref().map(|moves| moves.iter().map(|info| tree_move_json(position, info)).collect::<Vec<_>>()),
            "best": best.map(|best| move_json(position, best)),
            "message": message,
        })
    }

    fn line(&self, line: &LineInfo) -> Value {
        let position = self.question.game.position();
        let side = position.side_to_move();
        let score = WhiteScore::new(line.score, side);
        let (bound, wdl) = match (side, line.wdl) {
            (Color::White, wdl) => (line.bound, wdl),
            (Color::Black, [win, draw, loss]) => (flipped(line.bound), [loss, draw, win]),
        };
        json!({
            "multipv": line.multipv,
            "depth": line.depth,
            "seldepth": line.seldepth,
            "score": score,
            "text": score.to_string(),
            "bound": bound,
            "wdl": wdl,
            "pv": line_json(position, &line.pv),
        })
    }
}

fn flipped(bound: Bound) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    }
}
