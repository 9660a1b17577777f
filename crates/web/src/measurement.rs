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

    fn run(&mut self, _: &mut EngineSlot, cancel: &Cancel) -> Result<(), Failure> {
        let Recorded { spec, tree, .. } = &*self.recorded;
        let techniques: Vec<Technique> = tree.uses().map(|(technique, _)| technique).collect();
        for (done, &technique) in techniques.iter().enumerate() {
            self.publish(|snapshot| snapshot["measured"] = json!([done, techniques.len()]));
            let stop = cancel.stop_handle();
            let savings = tree.measure_savings(technique, spec.switched, &spec.evaluation, &spec.game, stop);
            let Some(savings) = savings.map_err(|error| Failure::Refused(error.to_string()))? else { break };
            self.publish(|snapshot| snapshot["savings"][technique.name()] = json!(savings));
        }
        self.publish(|snapshot| snapshot["measured"] = Value::Null);
        Ok(())
    }

    fn fail(&mut self, failure: &Failure) {
        self.publish(|snapshot| {
            snapshot["measured"] = Value::Null;
            snapshot["message"] = json!(failure.to_string());
        });
    }
}

impl Measurement {
    /// Changes the snapshot of the recorded search and publishes it.
    fn publish(&self, change: impl FnOnce(&mut Value)) {
        let mut snapshot = lock(&self.recorded.snapshot);
        change(&mut snapshot);
        self.topics.publish(Topic::Tree, &snapshot);
    }
}
