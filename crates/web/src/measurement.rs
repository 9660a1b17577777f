//! Measurement task: what each technique saved in a recorded search, technique by technique.

use std::sync::Arc;

use rukh_engine::technique::Technique;
use serde_json::{Value, json};

use crate::engine_slot::{EngineSlot, Failure};
use crate::lock::lock;
use crate::recording::Recorded;
use crate::topics::{Topic, Topics};
use crate::worker::{Cancel, Task, TaskKind};

/// A measurement of a recorded search.
pub(crate) struct Measurement {
    pub(crate) recorded: Arc<Recorded>,
    pub(crate) topics: Arc<Topics>,
}

impl Task for Measurement {
    fn kind(&self) -> TaskKind {
        TaskKind::Measurement
    }

    fn run(&mut self, _: &mut EngineSlot, cancel: &Cancel) -> Result<Value, Failure> {
        let Recorded { spec, tree, .. } = &*self.recorded;
        let techniques: Vec<Technique> = tree.uses().map(|(technique, _)| technique).collect();
        for (done, &technique) in techniques.iter().enumerate() {
            self.publish(&self.changed(|snapshot| snapshot["measured"] = json!([done, techniques.len()])));
            let stop = cancel.stop_handle();
            let savings = tree.measure_savings(technique, spec.switched, &spec.evaluation, &spec.game, stop);
            let Some(savings) = savings.map_err(|error| Failure::Refused(error.to_string()))? else { break };
            self.publish(&self.changed(|snapshot| snapshot["savings"][technique.name()] = json!(savings)));
        }
        Ok(self.changed(|snapshot| snapshot["measured"] = Value::Null))
    }

    fn failed(&mut self, failure: &Failure) -> Value {
        self.changed(|snapshot| {
            snapshot["measured"] = Value::Null;
            snapshot["message"] = json!(failure.to_string());
        })
    }

    fn publish(&self, snapshot: &Value) {
        self.topics.publish(Topic::Tree, snapshot);
    }
}

impl Measurement {
    /// The snapshot of the recorded search after a change.
    fn changed(&self, change: impl FnOnce(&mut Value)) -> Value {
        let mut snapshot = lock(&self.recorded.snapshot);
        change(&mut snapshot);
        snapshot.clone()
    }
}
