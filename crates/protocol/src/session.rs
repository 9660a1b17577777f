//! The state machine between a protocol and an engine: the game, the options, and what runs at the moment.
//!
//! It knows no spelling; a [`Codec`] does that. It does no long work on its own thread and waits only where
//! that is promised: for a search that was told to stop, and for a count or a benchmark before the next work
//! begins.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Event, Listener, Request};
use rukh_engine::params::{TUNABLES, Tunable};

use crate::backend::Backend;
use crate::board;
use crate::codec::{Codec, Reply, View};
use crate::command::{Command, Go, Start};
use crate::jobs::{Hooks, Job, MAX_PERFT_DEPTH, Task, divide};
use crate::limits;
use crate::lines::{Line, next_line};
use crate::options::{Change, Preferences, Target};
use crate::output::Output;
use crate::teller::Teller;

/// Whether a session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It hears the next command.
    GoOn,
    /// It has been told to quit, or nobody reads its answers.
    End,
}

/// A conversation with another program, or with a person.
pub struct Session {
    codec: Arc<dyn Codec>,
    output: Arc<Output>,
    hooks: Hooks,
    engine: Box<dyn Backend>,
    preferences: Preferences,
    /// Changes that wait for the search to end.
    postponed: Vec<Change>,
    game: Game,
    search: Option<Search>,
    job: Option<Job>,
    is_debug: bool,
    /// Chooses among moves of the book.
    lots: SplitMix64,
}

/// The last search that was begun.
struct Search {
    teller: Arc<Teller>,
    /// Whether it ends by itself, once it is not on a guess.
    has_end: bool,
    /// Whether the clock is not ours yet.
    is_ponder: bool,
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
            search: None,
            job: None,
            is_debug: false,
            lots: SplitMix64::new(
                SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64),
            ),
        }
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Obeys lines until one of them ends the session, or there are no more; then everything that runs comes
    /// to its end.
    ///
    /// The end of input is like `quit`, but a search with a limit of its own is awaited: whoever pipes
    /// commands in wants the answer.
    pub fn run(&mut self, mut input: impl BufRead) {
        let mut flow = Flow::GoOn;
        while flow == Flow::GoOn {
            flow = match next_line(&mut input) {
                Some(Line::Text(line)) => self.execute(&line),
                Some(Line::TooLong) => self.remark("the line is too long and was ignored"),
                None => {
                    self.settle();
                    Flow::End
                }
            };
        }
        self.finish();
    }

    /// Obeys lines one after the other, each when what the one before began has ended by itself: what a
    /// person means who gives commands as arguments, `go depth 5` and then `quit`. A search without an end
    /// goes on meanwhile.
    pub fn run_arguments<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Flow {
        for line in lines {
            if self.execute(line) == Flow::End {
                self.finish();
                return Flow::End;
            }
            self.settle();
        }
        Flow::GoOn
    }

    /// Obeys one line. It may hold anything.
    pub fn execute(&mut self, line: &str) -> Flow {
        self.output.note_input(line);
        self.apply_postponed();
        let reading = self.codec.read(line);
        self.complain(&reading.complaints);
        for command in reading.commands {
            if self.obey(command) == Flow::End {
                return Flow::End;
            }
        }
        if self.output.is_broken() { Flow::End } else { Flow::GoOn }
    }

    fn obey(&mut self, command: Command) -> Flow {
        match command {
            Command::Identify => self.say(&Reply::Identity),
            Command::Debug(is_on) => self.is_debug = is_on,
            Command::IsReady => self.say(&Reply::Ready),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.stop_search();
                self.engine.clear();
            }
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.count_lines(depth),
            Command::Stop => {
                self.stop_search();
                self.job.iter().for_each(Job::stop);
            }
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return Flow::End,
            Command::Display => self.say(&Reply::Text(board::draw(&self.game))),
            Command::Eval => {
                self.say(&Reply::Text((self.hooks.eval)(self.engine.evaluation(), self.game.position())));
            }
            Command::Flip => self.game = Game::new(board::flip(self.game.position())),
            Command::Bench { arguments } => self.run_task(self.hooks.bench, arguments),
            Command::Openings { arguments } => self.run_task(self.hooks.openings, arguments),
            Command::Tunables => {
                let lines = TUNABLES.iter().map(Tunable::to_string).collect::<Vec<_>>();
                self.say(&Reply::Text(lines.join("\n")));
            }
            Command::Help => self.say(&Reply::Help),
        }
        Flow::GoOn
    }

    /// How moves are to be shown now.
    fn view(&self) -> View {
        View {
            root: self.game.position().clone(),
            castling: self.preferences.castling,
            shows_wdl: self.preferences.shows_wdl,
        }
    }

    fn say(&self, reply: &Reply) {
        if let Some(text) = self.codec.write(reply, &self.view()) {
            self.output.write(&text);
        }
    }

    fn remark(&self, sentence: &str) -> Flow {
        self.say(&Reply::Remark(sentence.to_owned()));
        Flow::GoOn
    }

    /// All that was wrong with a line, in one remark.
    fn complain(&self, clauses: &[String]) {
        let Some(shown) = clauses.get(..clauses.len().min(MAX_CLAUSES)).filter(|shown| !shown.is_empty())
        else {
            return;
        };
        let more = match clauses.len() - shown.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        self.remark(&format!("{}{more}", shown.join("; ")));
    }

    fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.teller.is_running())
    }

    fn stop_search(&mut self) {
        self.engine.stop();
        self.apply_postponed();
    }

    /// Waits for what ends by itself.
    fn settle(&mut self) {
        if let Some(search) = self.search.as_ref().filter(|search| search.has_end && !search.is_ponder) {
            search.teller.wait();
            // The move has been found; now it is told as well.
            self.engine.stop();
        }
        self.wait_for_job();
    }

    /// Brings everything to its end. A count or benchmark that was asked for is not cut off by the `quit`
    /// that follows it in a script; `stop` does that.
    fn finish(&mut self) {
        self.engine.stop();
        self.wait_for_job();
    }

    fn wait_for_job(&mut self) {
        if let Some(job) = self.job.take() {
            job.wait();
        }
    }

    /// Before new work begins, what was begun before ends: a search by being stopped, other work by itself.
    fn make_room(&mut self) {
        self.stop_search();
        self.wait_for_job();
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match Change::read(name, value) {
            Ok(change) if change.declaration().needs_rest && self.is_searching() => {
                self.remark(&format!("{} is set when the search has ended", change.declaration().name));
                self.postponed.push(change);
            }
            Ok(change) => self.apply(&change),
            Err(sentence) => drop(self.remark(&sentence)),
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

    fn apply_postponed(&mut self) {
        if !self.is_searching() {
            for change in std::mem::take(&mut self.postponed) {
                self.apply(&change);
            }
        }
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        match read_game(start, moves) {
            Ok(game) => self.game = game,
            Err(sentence) => drop(self.remark(&sentence)),
        }
    }

    fn go(&mut self, go: &Go) {
        self.make_room();
        if let Some(mv) = self.book_move(go) {
            self.remark("this move is from the book");
            self.say(&Reply::Event(Event::Done { best: Some(mv), ponder: None }));
            return;
        }
        let position = self.game.position();
        let (limits, complaints) = limits::resolve(go, position);
        let has_end = !limits.is_infinite && limits::has_limit(&limits, position.side_to_move());
        self.complain(&complaints);
        if self.is_debug {
            self.remark(&format!("searching {position} with {limits:?}"));
        }
        let teller = Teller::new(Arc::clone(&self.codec), Arc::clone(&self.output), self.view());
        let teller = Arc::new(teller);
        let listener: Arc<dyn Listener> = teller.clone();
        self.search = Some(Search { teller, has_end, is_ponder: limits.is_ponder });
        self.engine.start(Request { game: self.game.clone(), limits }, listener);
    }

    /// A move from the book, where one may be played: not in analysis, and not for who asks for something certain.
    fn book_move(&mut self, go: &Go) -> Option<Move> {
        let Preferences { book, uses_book, book_depth, book_variety, is_analysis, .. } = &self.preferences;
        let position = self.game.position();
        let is_play = !go.is_infinite && !go.is_ponder && go.mate.is_none() && go.search_moves.is_empty();
        let may_use = *uses_book && !is_analysis && is_play && position.fullmove_number() <= *book_depth;
        book.as_ref().filter(|_| may_use)?.choose(position, *book_variety, self.lots.share())
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.is_ponder) {
            search.is_ponder = false;
            self.engine.ponder_hit();
        }
    }

    fn count_lines(&mut self, depth: u32) {
        if depth > MAX_PERFT_DEPTH {
            self.remark(&format!("lines are counted up to {MAX_PERFT_DEPTH} moves deep"));
            return;
        }
        self.make_room();
        let (view, output) = (self.view(), Arc::clone(&self.output));
        self.begin(move |is_stopped| divide(&view.root, depth, view.castling, &output, is_stopped));
    }

    fn run_task(&mut self, task: Task, arguments: Vec<String>) {
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
            Err(sentence) => drop(self.remark(&sentence)),
        }
    }
}

fn read_game(start: &Start, moves: &[String]) -> Result<Game, String> {
    let mut game = match start {
        Start::Standard => Game::default(),
        Start::Fen(fen) => {
            Game::new(fen.parse::<Position>().map_err(|error| format!("the position stays: {error}"))?)
        }
    };
    for (number, text) in moves.iter().enumerate() {
        let mv = game.position().parse_uci(text).map_err(|error| {
            format!("the position stays: move {} of {}: {error}", number + 1, moves.len())
        })?;
        game.play(mv).map_err(|error| format!("the position stays: {error}"))?;
    }
    Ok(game)
}
