//! A session: its options, its searches and its other work.
//!
//! It does no long work on its own thread and waits only where that is promised: for a search that was told to stop, and for
//! a count or a benchmark before the next work begins.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{SystemTime, UNIX_EPOCH};

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Listener, Request};

use crate::backend::Backend;
use crate::codec::{Codec, OutputFormat, Reply};
use crate::command::Go;
use crate::jobs::{Hooks, Job, MAX_PERFT_DEPTH, Task, divide};
use crate::limits;
use crate::lines::InputLine;
use crate::options::{Change, Preferences, Target};
use crate::output::Output;
use crate::seat::Seat;
use crate::teller::Teller;

/// A conversation with another program, or with a person.
pub struct Session {
    pub(super) codec: Arc<dyn Codec>,
    pub(super) output: Arc<Output>,
    pub(super) hooks: Hooks,
    pub(super) engine: Box<dyn Backend>,
    pub(super) preferences: Preferences,
    /// Changes that wait for the search to end.
    postponed: Vec<Change>,
    pub(super) game: Game,
    /// Where the engine sits, if it conducts its game itself.
    pub(super) seat: Option<Seat>,
    pub(super) search: Option<Search>,
    pub(super) job: Option<Job>,
    pub(super) is_debug: bool,
    /// Wakes the session while it waits for lines.
    pub(super) events: Option<SyncSender<SessionEvent>>,
    /// Chooses among moves of the book.
    lots: SplitMix64,
}

/// What a session hears while it waits.
pub(super) enum SessionEvent {
    /// A line.
    Line(InputLine),
    /// There are no more lines.
    End,
    /// A search has ended.
    Wake,
}

/// The last search that was begun.
pub(super) struct Search {
    pub(super) teller: Arc<Teller>,
    /// Whether it ends by itself, once it is not on a guess.
    pub(super) has_end: bool,
    /// Whether the clock is not ours yet.
    pub(super) is_ponder: bool,
}

/// More clauses than these say nothing new.
const MAX_CLAUSES: usize = 4;

impl Session {
    /// A session with an engine of its own, at the start of a game. Lines go to `writer`, each at once.
    pub fn new(codec: impl Codec + 'static, writer: impl Write + Send + 'static, hooks: Hooks) -> Self {
        Self::with_engine(codec, writer, hooks, Engine::new())
    }

    /// A session with an engine from elsewhere.
    pub fn with_engine(
        codec: impl Codec + 'static,
        writer: impl Write + Send + 'static,
        hooks: Hooks,
        engine: impl Backend + 'static,
    ) -> Self {
        Self {
            codec: Arc::new(codec),
            output: Arc::new(Output::new(writer)),
            hooks,
            engine: Box::new(engine),
            preferences: Preferences::default(),
            postponed: Vec::new(),
            game: Game::default(),
            seat: None,
            search: None,
            job: None,
            is_debug: false,
            events: None,
            lots: SplitMix64::new(
                SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64),
            ),
        }
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// How moves are to be shown now.
    fn view(&self) -> OutputFormat {
        OutputFormat {
            root: self.game.position().clone(),
            castling: self.preferences.castling,
            shows_wdl: self.preferences.shows_wdl,
            shows_lines: self.seat.as_ref().is_none_or(|seat| seat.posts),
            guess: None,
        }
    }

    pub(super) fn say(&self, reply: &Reply) {
        if let Some(text) = self.codec.write(reply, &self.view()) {
            self.output.write(&text);
        }
    }

    pub(super) fn remark(&self, sentence: &str) {
        self.say(&Reply::Remark(sentence.to_owned()));
    }

    /// All that was wrong with a line, in one sentence.
    pub(super) fn complain(&self, clauses: &[String], line: &str) {
        if let Some(sentence) = sentence_of(clauses) {
            self.say(&Reply::Complaint { sentence, line: line.to_owned() });
        }
    }

    pub(super) fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.teller.is_running())
    }

    pub(super) fn stop_search(&mut self) {
        self.engine.stop();
        self.apply_postponed();
    }

    pub(super) fn wait_for_job(&mut self) {
        if let Some(job) = self.job.take() {
            job.wait();
        }
    }

    /// Before new work begins, what was begun before ends: a search by being stopped, other work by itself.
    pub(super) fn make_room(&mut self) {
        self.stop_search();
        self.wait_for_job();
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        match Change::read(name, value) {
            Ok(change) if change.declaration().needs_rest && self.is_searching() => {
                self.remark(&format!("{} is set when the search has ended", change.declaration().name));
                self.postponed.push(change);
            }
            Ok(change) => self.apply(&change),
            Err(sentence) => self.remark(&sentence),
        }
    }

    fn apply(&mut self, change: &Change) {
        let (codec, output, view) = (Arc::clone(&self.codec), Arc::clone(&self.output), self.view());
        let remark = move |sentence: &str| {
            if let Some(text) = codec.write(&Reply::Remark(sentence.to_owned()), &view) {
                output.write(&text);
            }
        };
        let mut target = Target {
            engine: &mut *self.engine,
            preferences: &mut self.preferences,
            output: &self.output,
            remark: Arc::new(remark),
        };
        if let Err(sentence) = change.apply(&mut target) {
            self.remark(&sentence);
        }
    }

    pub(super) fn apply_postponed(&mut self) {
        if !self.is_searching() {
            for change in std::mem::take(&mut self.postponed) {
                self.apply(&change);
            }
        }
    }

    /// What comes is another game: nothing is known of it, and weak play errs elsewhere.
    pub(super) fn forget(&mut self) {
        self.stop_search();
        self.preferences.seed = self.lots.next();
        let mut settings = self.engine.settings();
        if settings.strength.is_some() {
            settings.strength = self.preferences.strength();
            self.engine.set(settings);
        }
        self.engine.clear();
    }

    /// Begins a search of `game`, whose last move is only a guess if `go` says so.
    pub(super) fn start_search(&mut self, game: Game, go: &Go) {
        let position = game.position();
        let (limits, complaints) = limits::resolve(go, position);
        if let Some(sentence) = sentence_of(&complaints) {
            self.remark(&sentence);
        }
        if self.is_debug {
            self.remark(&format!("searching {position} with {limits:?}"));
        }
        let before = game.positions().len().checked_sub(2).map(|at| &game.positions()[at]);
        let guess = before.zip(game.moves().last()).filter(|_| limits.is_ponder);
        let view = OutputFormat {
            root: position.clone(),
            guess: guess.map(|(before, mv)| before.san(*mv)),
            ..self.view()
        };
        let events = self.events.clone();
        let on_end = move || {
            // Where lines wait to be read, the session is awake.
            events.iter().for_each(|events| drop(events.try_send(SessionEvent::Wake)));
        };
        let teller = Arc::new(Teller::new(Arc::clone(&self.codec), Arc::clone(&self.output), view, on_end));
        let listener: Arc<dyn Listener> = teller.clone();
        let has_end = !limits.is_infinite && limits::has_limit(&limits, position.side_to_move());
        self.search = Some(Search { teller, has_end, is_ponder: limits.is_ponder });
        self.engine.start(Request { game, limits }, listener);
    }

    /// The guessed move was played.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.is_ponder) {
            search.is_ponder = false;
            self.engine.ponder_hit();
        }
    }

    /// A move from the book, where one may be played: not in analysis, and not for who asks for something certain.
    pub(super) fn book_move(&mut self, go: &Go) -> Option<Move> {
        let Preferences { book, uses_book, book_depth, book_variety, is_analysis, .. } = &self.preferences;
        let position = self.game.position();
        let is_play = !go.is_infinite && !go.is_ponder && go.mate.is_none() && go.search_moves.is_empty();
        let may_use = *uses_book && !is_analysis && is_play && position.fullmove_number() <= *book_depth;
        may_use.then(|| book.choose(position, *book_variety, self.lots.share())).flatten()
    }

    pub(super) fn count_lines(&mut self, depth: u32) {
        if depth > MAX_PERFT_DEPTH {
            self.remark(&format!("lines are counted up to {MAX_PERFT_DEPTH} moves deep"));
            return;
        }
        self.make_room();
        let (view, output) = (self.view(), Arc::clone(&self.output));
        self.begin(move |is_stopped| divide(&view.root, depth, view.castling, &output, is_stopped));
    }

    pub(super) fn run_task(&mut self, task: Task, arguments: Vec<String>) {
        self.make_room();
        let (view, output, codec) = (self.view(), Arc::clone(&self.output), Arc::clone(&self.codec));
        let evaluation = self.engine.evaluation().clone();
        self.begin(move |_| {
            if let Err(sentence) = task(&evaluation, &arguments, &mut |line| output.write(line))
                && let Some(text) = codec.write(&Reply::Remark(sentence), &view)
            {
                output.write(&text);
            }
        });
    }

    fn begin(&mut self, work: impl FnOnce(&std::sync::atomic::AtomicBool) + Send + 'static) {
        match Job::start(work) {
            Ok(job) => self.job = Some(job),
            Err(sentence) => self.remark(&sentence),
        }
    }
}

/// Some clauses as one sentence; none if there are none.
fn sentence_of(clauses: &[String]) -> Option<String> {
    let shown = clauses.get(..clauses.len().min(MAX_CLAUSES)).filter(|shown| !shown.is_empty())?;
    let more = match clauses.len() - shown.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!("{}{more}", shown.join("; ")))
}
