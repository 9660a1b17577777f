//! Hooks: commands of a session whose work lives in crates below this one.

use rukh_chess::Position;
use rukh_chess::game::Game;
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

/// The implementations of `eval`, `explain`, `bench` and `genfens`.
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
}

/// No implementations: each command reports that it is not available.
impl Default for Hooks {
    fn default() -> Self {
        Self {
            eval: |_, _| "no evaluation is available".to_owned(),
            explain: |_, _, _, _| Err("no explanation is available".to_owned()),
            bench: |_, _, _| Err("no benchmark is available".to_owned()),
            openings: |_, _, _| Err("no opening generator is available".to_owned()),
        }
    }
}
