//! The state of a session: options, searches, background work.
//!
//! The session thread does no long work. It waits only for a search that it has stopped, and for perft or a benchmark
//! before the next work starts.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::time::{SystemTime, UNIX_EPOCH};

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Listener, Request};

use crate::background::BackgroundTask;
use crate::codec::{Codec, OutputFormat, Reply};
use crate::command::Go;
use crate::engine_game::EngineGame;
use crate::engine_handle::EngineHandle;
use crate::hooks::{HookTask, Hooks};
use crate::input::InputLine;
use crate::limits;
use crate::options::{OptionChange, OptionTarget, Preferences};
use crate::output::Output;
use crate::perft::{MAX_PERFT_DEPTH, divide};
use crate::search_reporter::SearchReporter;

/// A protocol session with a GUI or a person.
pub struct Session {
    pub(super) codec: Arc<dyn Codec>,
    pub(super) output: Arc<Output>,
    pub(super) hooks: Hooks,
    pub(super) engine: Box<dyn EngineHandle>,
    pub(super) preferences: Preferences,
    /// Option changes that wait for the end of the search.
    postponed: Vec<OptionChange>,
    pub(super) game: Game,
    /// The engine's part in the game, if it conducts the game itself (XBoard).
    pub(super) engine_game: Option<EngineGame>,
    pub(super) search: Option<Search>,
    pub(super) background: Option<BackgroundTask>,
    pub(super) is_debug: bool,
    /// Wakes the session while it waits for lines.
    pub(super) events: Option<SyncSender<SessionEvent>>,
    /// Random numbers for the choice of book moves.
    random: SplitMix64,
}

/// What a waiting session receives.
pub(super) enum SessionEvent {
    /// A line of input.
    Line(InputLine),
    /// The end of the input, or why it cannot be read.
    End(io::Result<()>),
    /// The end of a search, or of the output.
    Wake,
}

/// Why a session ended that could have continued.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionError {
    /// The input cannot be read.
    Input(String),
    /// The output cannot be written. A reader that has gone is no error.
    Output(String),
    /// The system gives no thread.
    Thread(String),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(reason) => write!(f, "cannot read the input: {reason}"),
            Self::Output(reason) => write!(f, "cannot write the output: {reason}"),
            Self::Thread(reason) => write!(f, "cannot start a thread: {reason}"),
        }
    }
}

impl std::error::Error for SessionError {}

/// The latest search.
pub(super) struct Search {
    pub(super) reporter: Arc<SearchReporter>,
    /// Whether it ends without `stop`, once it is not pondering.
    pub(super) is_limited: bool,
    /// Whether it is pondering.
    pub(super) is_ponder: bool,
}

/// The number of clauses of an error message.
const MAX_CLAUSES: usize = 4;

impl Session {
    /// A session with its own engine, at the start position. Lines are written to `writer` without delay.
    pub fn new(codec: impl Codec + 'static, writer: impl Write + Send + 'static, hooks: Hooks) -> Self {
        Self::with_engine(codec, writer, hooks, Engine::new())
    }

    /// A session with the given engine.
    pub fn with_engine(
        codec: impl Codec + 'static,
        writer: impl Write + Send + 'static,
        hooks: Hooks,
        engine: impl EngineHandle + 'static,
    ) -> Self {
        Self {
            codec: Arc::new(codec),
            output: Arc::new(Output::new(writer)),
            hooks,
            engine: Box::new(engine),
            preferences: Preferences::default(),
            postponed: Vec::new(),
            game: Game::default(),
            engine_game: None,
            search: None,
            background: None,
            is_debug: false,
            events: None,
            random: SplitMix64::new(
                SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64),
            ),
        }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The output format for the current position.
    fn output_format(&self) -> OutputFormat {
        OutputFormat {
            root: self.game.position().clone(),
            castling: self.preferences.castling,
            shows_wdl: self.preferences.shows_wdl,
            shows_root: self.preferences.shows_root,
            shows_thinking: self.engine_game.as_ref().is_none_or(|engine_game| engine_game.shows_thinking),
            ponder_move: None,
        }
    }

    pub(super) fn reply(&self, reply: &Reply) {
        if let Some(text) = self.codec.encode(reply, &self.output_format()) {
            self.output.write(&text);
        }
    }

    pub(super) fn message(&self, sentence: &str) {
        self.reply(&Reply::Message(sentence.to_owned()));
    }

    /// Reports the errors of a line in one sentence.
    pub(super) fn report_errors(&self, clauses: &[String], line: &str) {
        if let Some(sentence) = sentence_of(clauses) {
            self.reply(&Reply::Error { sentence, line: line.to_owned() });
        }
    }

    pub(super) fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.reporter.is_running())
    }

    pub(super) fn stop_search(&mut self) {
        self.engine.stop();
        self.apply_postponed();
    }

    pub(super) fn wait_for_background(&mut self) {
        if let Some(task) = self.background.take() {
            task.wait(|| self.output.is_closed());
        }
    }

    /// Ends the running work before new work starts: stops a search, waits for a background task.
    pub(super) fn end_running_work(&mut self) {
        self.stop_search();
        self.wait_for_background();
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        match OptionChange::parse(name, value) {
            Ok(change) if change.declaration().needs_idle_engine && self.is_searching() => {
                self.message(&format!("{} is set when the search has ended", change.declaration().name));
                self.postponed.push(change);
            }
            Ok(change) => self.apply(&change),
            Err(sentence) => self.message(&sentence),
        }
    }

    fn apply(&mut self, change: &OptionChange) {
        let (codec, output) = (Arc::clone(&self.codec), Arc::clone(&self.output));
        let format = self.output_format();
        let message = move |sentence: &str| {
            if let Some(text) = codec.encode(&Reply::Message(sentence.to_owned()), &format) {
                output.write(&text);
            }
        };
        let mut target = OptionTarget {
            engine: &mut *self.engine,
            preferences: &mut self.preferences,
            output: &self.output,
            message: Arc::new(message),
            load_leaf_network: self.hooks.leaf_network,
        };
        if let Err(sentence) = change.apply(&mut target) {
            self.message(&sentence);
        }
    }

    pub(super) fn apply_postponed(&mut self) {
        if !self.is_searching() {
            for change in std::mem::take(&mut self.postponed) {
                self.apply(&change);
            }
        }
    }

    /// Clears the engine's state for a new game. Limited strength gets a new seed, so that its errors differ from game
    /// to game.
    pub(super) fn new_game(&mut self) {
        self.stop_search();
        self.preferences.seed = self.random.next();
        let mut settings = self.engine.settings();
        if settings.strength.is_some() {
            settings.strength = self.preferences.strength();
            self.engine.set(settings);
        }
        self.engine.clear();
    }

    /// Starts a search of `game`. If `go` ponders, the last move of `game` has not been played yet.
    pub(super) fn start_search(&mut self, game: Game, go: &Go) {
        let position = game.position();
        let (limits, errors) = limits::resolve(go, position);
        if let Some(sentence) = sentence_of(&errors) {
            self.message(&sentence);
        }
        if self.is_debug {
            self.message(&format!("searching {position} with {limits:?}"));
        }
        let before = game.positions().len().checked_sub(2).map(|at| &game.positions()[at]);
        let ponder_move = before.zip(game.moves().last()).filter(|_| limits.is_ponder);
        let format = OutputFormat {
            root: position.clone(),
            ponder_move: ponder_move.map(|(before, mv)| before.san(*mv)),
            ..self.output_format()
        };
        let events = self.events.clone();
        let on_end = move || {
            // A full channel means that the session is awake anyway.
            events.iter().for_each(|events| drop(events.try_send(SessionEvent::Wake)));
        };
        let reporter =
            Arc::new(SearchReporter::new(Arc::clone(&self.codec), Arc::clone(&self.output), format, on_end));
        let listener: Arc<dyn Listener> = reporter.clone();
        let is_limited = !limits.is_infinite && limits::has_limit(&limits, position.side_to_move());
        self.search = Some(Search { reporter, is_limited, is_ponder: limits.is_ponder });
        self.engine.start(Request { game, limits }, listener);
    }

    /// The ponder move was played.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.is_ponder) {
            search.is_ponder = false;
            self.engine.ponder_hit();
        }
    }

    /// A book move, where the book applies: not in analysis, and not with `infinite`, `ponder`, `mate` or `searchmoves`.
    pub(super) fn book_move(&mut self, go: &Go) -> Option<Move> {
        let Preferences { book, uses_book, book_depth, book_variety, is_analysis, .. } = &self.preferences;
        let position = self.game.position();
        let is_play = !go.is_infinite && !go.is_ponder && go.mate.is_none() && go.search_moves.is_empty();
        let may_use = *uses_book && !is_analysis && is_play && position.fullmove_number() <= *book_depth;
        may_use.then(|| book.choose(position, *book_variety, self.random.share())).flatten()
    }

    pub(super) fn perft(&mut self, depth: u32) {
        if depth > MAX_PERFT_DEPTH {
            self.message(&format!("the maximum depth of perft is {MAX_PERFT_DEPTH}"));
            return;
        }
        self.end_running_work();
        let (format, output) = (self.output_format(), Arc::clone(&self.output));
        self.spawn(move |is_stopped| divide(&format.root, depth, format.castling, &output, is_stopped));
    }

    pub(super) fn run_hook(&mut self, task: HookTask, arguments: Vec<String>) {
        let evaluation = self.engine.evaluation().clone();
        self.run_task(move |print| task(&evaluation, &arguments, print));
    }

    /// Explains a move of the present position.
    pub(super) fn explain(&mut self, arguments: Vec<String>) {
        let (task, game) = (self.hooks.explain, self.game.clone());
        let evaluation = self.engine.evaluation().clone();
        self.run_task(move |print| task(&evaluation, &game, &arguments, print));
    }

    /// Runs a task on a background thread and reports its error.
    fn run_task(&mut self, task: impl FnOnce(&mut dyn FnMut(&str)) -> Result<(), String> + Send + 'static) {
        self.end_running_work();
        let (codec, output) = (Arc::clone(&self.codec), Arc::clone(&self.output));
        let format = self.output_format();
        self.spawn(move |_| {
            if let Err(sentence) = task(&mut |line| output.write(line))
                && let Some(text) = codec.encode(&Reply::Message(sentence), &format)
            {
                output.write(&text);
            }
        });
    }

    fn spawn(&mut self, work: impl FnOnce(&AtomicBool) + Send + 'static) {
        match BackgroundTask::start(work) {
            Ok(task) => self.background = Some(task),
            Err(sentence) => self.message(&sentence),
        }
    }
}

/// The first clauses and the number of the others as one sentence; `None` without clauses.
fn sentence_of(clauses: &[String]) -> Option<String> {
    let shown = clauses.get(..clauses.len().min(MAX_CLAUSES)).filter(|shown| !shown.is_empty())?;
    let more = match clauses.len() - shown.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!("{}{more}", shown.join("; ")))
}
