//! Recording task: records a search on one thread, as `rukh debug tree` does. The same request gives the same tree.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_engine::api::{Limits, Request};
use rukh_engine::search_tree::{Iterations, SearchTree, TreeLimits, TreeNode, record_tree};
use rukh_engine::serialize::uci_text;
use rukh_engine::technique::TechniqueOverrides;
use rukh_eval::Evaluation;
use serde_json::{Value, json};

use crate::engine_slot::{EngineSlot, Failure};
use crate::lock::lock;
use crate::node_json::{moves_after, score_json};
use crate::rules::move_json;
use crate::topics::{Topic, Topics};
use crate::worker::{Cancel, Task, TaskKind};

/// How often the task looks for its cancellation.
const POLL: Duration = Duration::from_millis(15);
/// The transposition table of a recorded search, in MiB: that of `rukh debug tree`.
const HASH: usize = 16;

/// What is to be recorded.
#[derive(Clone)]
pub(crate) struct Spec {
    pub(crate) game: Game,
    pub(crate) depth: Option<u32>,
    /// The limit of the request, and the limit in use.
    pub(crate) nodes: (Option<u64>, u64),
    pub(crate) bounds: TreeLimits,
    pub(crate) switched: TechniqueOverrides,
    /// The names of the switched techniques.
    pub(crate) switched_names: Vec<String>,
    pub(crate) evaluation: Evaluation,
}

/// A recorded search.
pub(crate) struct Recorded {
    pub(crate) number: u64,
    pub(crate) game: Game,
    pub(crate) tree: SearchTree,
}

/// The last recorded search, and the turn of the threads that record: one at a time.
#[derive(Default)]
pub(crate) struct Recordings {
    pub(crate) last: Mutex<Option<Arc<Recorded>>>,
    turn: Mutex<()>,
}

/// A recording.
pub(crate) struct Recording {
    pub(crate) number: u64,
    pub(crate) spec: Spec,
    pub(crate) topics: Arc<Topics>,
    pub(crate) recordings: Arc<Recordings>,
}

/// The snapshot of a session without a recorded search.
pub(crate) fn none() -> Value {
    json!({ "state": "none", "tree": 0, "message": null })
}

impl Task for Recording {
    fn kind(&self) -> TaskKind {
        TaskKind::Recording
    }

    fn run(&mut self, _: &mut EngineSlot, cancel: &Cancel) -> Result<(), Failure> {
        self.publish("running", None);
        let start = Instant::now();
        let (sender, results) = channel();
        let (spec, recordings) = (self.spec.clone(), self.recordings.clone());
        // A recorded search cannot be stopped. A cancelled one is left to its node limit, and the next one waits for it.
        let work = move || {
            let _turn = lock(&recordings.turn);
            // Nobody receives the result of a cancelled search.
            let _ = sender.send(spec.record());
        };
        let spawned = thread::Builder::new().name("recording".to_owned()).spawn(work);
        spawned.map_err(|error| Failure::Refused(format!("the system gives no thread: {error}")))?;
        let tree = loop {
            if cancel.is_set() {
                self.publish("stopped", None);
                return Ok(());
            }
            match results.recv_timeout(POLL) {
                Ok(tree) => break tree.map_err(Failure::Refused)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::ThreadEnded),
            }
        };
        let json = self.done(&tree, start.elapsed());
        let recorded = Recorded { number: self.number, game: self.spec.game.clone(), tree };
        *lock(&self.recordings.last) = Some(Arc::new(recorded));
        self.topics.publish(Topic::Tree, &json);
        Ok(())
    }

    fn fail(&mut self, failure: &Failure) {
        self.publish("failed", Some(&failure.to_string()));
    }
}

impl Spec {
    fn record(self) -> Result<SearchTree, String> {
        let limits = Limits { depth: self.depth, nodes: Some(self.nodes.1), ..Limits::default() };
        let request = Request { game: self.game, limits };
        record_tree(self.switched, &self.evaluation, request, HASH, self.bounds)
            .map_err(|error| error.to_string())
    }
}

impl Recording {
    fn publish(&self, state: &str, message: Option<&str>) {
        self.topics.publish(Topic::Tree, &self.json(state, message));
    }

    /// The snapshot before the end.
    pub(crate) fn json(&self, state: &str, message: Option<&str>) -> Value {
        let Spec { game, depth, nodes, bounds, switched_names, .. } = &self.spec;
        json!({
            "state": state,
            "tree": self.number,
            "fen": game.position().to_string(),
            "depth": depth,
            "nodes_limit": nodes.0,
            "path": bounds.path.iter().map(|&mv| uci_text(mv)).collect::<Vec<_>>(),
            "path_san": moves_after(game.position(), &bounds.path),
            "iteration": match bounds.iterations {
                Iterations::Last => json!("last"),
                Iterations::All => json!("all"),
                Iterations::Only(number) => json!(number),
            },
            "switched": switched_names,
            "message": message,
        })
    }

    fn done(&self, tree: &SearchTree, time: Duration) -> Value {
        let position = self.spec.game.position();
        let mut json = self.json("done", None);
        json["nodes"] = json!(tree.nodes);
        json["recorded"] =
            json!(tree.roots.len() + tree.roots.iter().map(TreeNode::recorded_below).sum::<usize>());
        json["best"] = tree.best.map_or(Value::Null, |best: Move| move_json(position, best));
        json["score"] = score_json(tree.score);
        json["time_ms"] = json!(time.as_millis() as u64);
        json
    }
}
