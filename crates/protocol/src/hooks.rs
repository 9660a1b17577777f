//! Hooks: commands of a session whose work lives in crates below this one.

use std::path::Path;
use std::sync::Arc;

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_engine::api::LeafNetwork;
use rukh_eval::Evaluation;

/// A command that runs on a background thread. It receives the evaluation, the words after the command and a function
/// that prints a line. An error is one sentence.
pub type HookTask =
    fn(evaluation: &Evaluation, arguments: &[String], print: &mut dyn FnMut(&str)) -> Result<(), String>;

/// A command about the game of the session that runs on a background thread, like [`HookTask`].
pub type GameTask = fn(
    evaluation: &Evaluation,
    game: &Game,
    arguments: &[String],
    print: &mut dyn FnMut(&str),
) -> Result<(), String>;

/// A leaf network, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct LoadedLeafNetwork {
    /// The network.
    pub network: Arc<dyn LeafNetwork>,
    /// One sentence if it does not run on the backend that was asked for.
    pub notice: Option<String>,
}

/// Loads a leaf network from a file, for the backend of this name. An error is one sentence.
pub type LoadLeafNetwork = fn(path: &Path, backend: &str) -> Result<LoadedLeafNetwork, String>;

/// The implementations of `eval`, `explain`, `bench`, `genfens` and of the option `LeafNetwork`.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// The static evaluation of a position with its terms, in several lines.
    pub eval: fn(&Evaluation, &Position) -> String,
    /// Explains a move in the present position.
    pub explain: GameTask,
    /// Runs the benchmark.
    pub bench: HookTask,
    /// Generates opening positions.
    pub openings: HookTask,
    /// Loads a leaf network.
    pub leaf_network: LoadLeafNetwork,
}

/// No implementations: each command reports that it is not available.
impl Default for Hooks {
    fn default() -> Self {
        Self {
            eval: |_, _| "no evaluation is available".to_owned(),
            explain: |_, _, _, _| Err("no explanation is available".to_owned()),
            bench: |_, _, _| Err("no benchmark is available".to_owned()),
            openings: |_, _, _| Err("no opening generator is available".to_owned()),
            leaf_network: |_, _| Err("this program was built without leaf networks".to_owned()),
        }
    }
}
