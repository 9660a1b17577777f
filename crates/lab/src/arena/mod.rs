//! The arena: matches between engine processes.
//!
//! From below: `process` (an engine as lines), `uci` and `xboard` (players over it), `control` (time), `adjudicate`, `game`
//! (one game), `openings`, `schedule`, `standings`, `record` (games as text), `tournament` (many games at once), `journal`
//! (a match that can be interrupted), `duel` (one program against itself with other options), `evaluator` (the static
//! evaluation of an engine), `analysis` (searches of an engine with fixed nodes).

mod adjudicate;
mod analysis;
mod control;
mod duel;
mod evaluator;
mod game;
mod journal;
mod openings;
mod player;
mod process;
mod record;
mod schedule;
mod standings;
mod tournament;
mod uci;
mod xboard;

pub(crate) use adjudicate::Record;
pub use adjudicate::{Adjudication, DrawRule, ResignRule};
pub use analysis::{EngineAnalyser, EngineAnalysis};
pub use control::{BadControl, ClockRule, Control};
pub use duel::Duels;
pub(crate) use evaluator::EngineEvaluator;
pub use evaluator::NoEvaluation;
pub use game::{Fault, FaultKind, Reason};
pub use journal::{Journal, JournalGames, read_journal, test_of_header};
pub use openings::{BadBook, Book, Opening};
pub use player::{Entrant, Protocol, Value};
pub use schedule::{Fixture, Format, Schedule};
pub use standings::{Conduct, Effort, Encounter, Result as GameResult, Standings};
pub use tournament::{Finished, Match, Unfit};
