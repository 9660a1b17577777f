//! Recording task: records a search on one thread, as `rukh debug tree` does. The same request gives the same tree.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_engine::api::{Limits, Request};
use rukh_engine::search_tree::{Iterations, SearchTree, StopHandle, TreeLimits, TreeNode, record_tree};
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
    pub(crate) spec: Spec,
    pub(crate) tree: SearchTree,
    /// What is published about it.
    pub(crate) snapshot: Mutex<Value>,
}

/// The last recorded search of a session.
pub(crate) type LastRecorded = Arc<Mutex<Option<Arc<Recorded>>>>;

/// A recording.
pub(crate) struct Recording {
    pub(crate) number: u64,
    pub(crate) spec: Spec,
    pub(crate) topics: Arc<Topics>,
    pub(crate) last: LastRecorded,
}

/// The snapshot of a session without a recorded search.
pub(crate) fn none() -> Value {
    json!({ "state": "none", "tree": 0, "message": null })
}

impl Task for Recording {
    fn kind(&self) -> TaskKind {
        TaskKind::Recording
    }

    fn run(&mut self, _: &mut EngineSlot, cancel: &Cancel) -> Result<Value, Failure> {
        self.publish(&self.json("running", None));
        let start = Instant::now();
        let tree = self.spec.record(cancel.stop_handle()).map_err(Failure::Refused)?;
        // What a stopped search has recorded can be read too.
        let state = if cancel.is_set() { "stopped" } else { "done" };
        let json = self.finished(state, &tree, start.elapsed());
        let (number, spec, snapshot) = (self.number, self.spec.clone(), Mutex::new(json.clone()));
        *lock(&self.last) = Some(Arc::new(Recorded { number, spec, tree, snapshot }));
        Ok(json)
    }

    fn failed(&mut self, failure: &Failure) -> Value {
        self.json("failed", Some(&failure.to_string()))
    }

    fn publish(&self, snapshot: &Value) {
        self.topics.publish(Topic::Tree, snapshot);
    }
}

impl Spec {
    fn record(&self, stop: &StopHandle) -> Result<SearchTree, String> {
        let limits = Limits { depth: self.depth, nodes: Some(self.nodes.1), ..Limits::default() };
        let request = Request { game: self.game.clone(), limits };
        record_tree(self.switched, &self.evaluation, request, HASH, self.bounds.clone(), stop)
            .map_err(|error| error.to_string())
    }
}

impl Recording {
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

    /// The snapshot at the end.
    fn finished(&self, state: &str, tree: &SearchTree, time: Duration) -> Value {
        let position = self.spec.game.position();
        let mut json = self.json(state, None);
        json["nodes"] = json!(tree.nodes);
        json["recorded"] =
            json!(tree.roots.len() + tree.roots.iter().map(TreeNode::recorded_below).sum::<usize>());
        json["best"] = tree.best.map_or(Value::Null, |best: Move| move_json(position, best));
        json["score"] = score_json(tree.score);
        json["time_ms"] = json!(time.as_millis() as u64);
        json["savings"] = json!({});
        json["measured"] = Value::Null;
        json
    }
}
