//! Dispatch: reads lines, decodes them, executes the commands.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_engine::api::Event;
use rukh_engine::params::{Tunable, settable};

use super::core::{Session, SessionError, SessionEvent};
use crate::background::BackgroundTask;
use crate::board;
use crate::codec::Reply;
use crate::command::{Command, Go, StartPosition};
use crate::engine_game::EngineGame;
use crate::input::{InputLine, read_line};
use crate::xboard::Xboard;

/// Whether a session continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It accepts the next command.
    Continue,
    /// It has received `quit`, or its output is closed.
    Quit,
}

/// Lines read ahead of their execution.
const LINES_AHEAD: usize = 64;

impl Session {
    /// Executes lines until `quit` or the end of the input, then ends all running work.
    ///
    /// The end of the input acts like `quit`, except that a search with a limit is awaited: piped commands get their
    /// answer. Lines are read on a separate thread, which nothing waits for: after `quit` it may block until the
    /// process ends.
    pub fn run(&mut self, mut input: impl BufRead + Send + 'static) -> Result<(), SessionError> {
        let (sender, receiver) = mpsc::sync_channel(LINES_AHEAD);
        self.events = Some(sender.clone());
        let wake = sender.clone();
        // A full channel means that the session is awake anyway.
        self.output.set_on_close(Some(Box::new(move || drop(wake.try_send(SessionEvent::Wake)))));
        let read_lines = move || {
            let end = loop {
                match read_line(&mut input).transpose() {
                    Some(Ok(line)) => {
                        if sender.send(SessionEvent::Line(line)).is_err() {
                            return;
                        }
                    }
                    Some(Err(error)) => break Err(error),
                    None => break Ok(()),
                }
            };
            // After `quit` there is no receiver any more.
            let _ = sender.send(SessionEvent::End(end));
        };
        let reader = thread::Builder::new().name("input".to_owned()).spawn(read_lines);
        reader.map_err(|error| SessionError::Thread(error.to_string()))?;
        let mut failure = None;
        for event in receiver {
            let flow = match event {
                _ if self.output.is_closed() => Flow::Quit,
                SessionEvent::Line(InputLine::Text(line)) => self.execute(&line),
                SessionEvent::Line(InputLine::TooLong) => {
                    self.message("the line is too long and was ignored");
                    Flow::Continue
                }
                SessionEvent::Wake => {
                    self.play_finished_search();
                    Flow::Continue
                }
                SessionEvent::End(end) => {
                    failure = end.err().map(|error| SessionError::Input(error.to_string()));
                    self.wait_for_completion();
                    Flow::Quit
                }
            };
            if flow == Flow::Quit {
                break;
            }
        }
        self.events = None;
        self.output.set_on_close(None);
        self.shut_down();
        failure.or_else(|| self.failure()).map_or(Ok(()), Err)
    }

    /// Why a line could not be written, if the session ended for that.
    pub fn failure(&self) -> Option<SessionError> {
        self.output.error().map(SessionError::Output)
    }

    /// Ends the session when `wait`, which runs on its own thread, returns true: the reader of the output has gone. Without
    /// this, or without a thread for it, only the next line that is written tells.
    pub fn watch_output(&self, wait: impl FnOnce() -> bool + Send + 'static) {
        let output = Arc::clone(&self.output);
        let watch = move || {
            if wait() {
                output.close();
            }
        };
        drop(thread::Builder::new().name("output".to_owned()).spawn(watch));
    }

    /// Executes lines one after the other and waits after each for limited work to end, as expected of commands given
    /// as arguments: `go depth 5` and then `quit`. An unlimited search continues meanwhile.
    pub fn run_arguments<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Flow {
        for line in lines {
            if self.execute(line) == Flow::Quit {
                self.shut_down();
                return Flow::Quit;
            }
            self.wait_for_completion();
        }
        Flow::Continue
    }

    /// Executes one line. Any text is allowed.
    pub fn execute(&mut self, line: &str) -> Flow {
        self.output.log_input(line);
        self.apply_postponed();
        self.play_finished_search();
        let decoded = self.codec.decode(line);
        self.report_errors(&decoded.errors, line);
        for command in decoded.commands {
            if self.dispatch(command) == Flow::Quit {
                return Flow::Quit;
            }
        }
        if self.output.is_closed() { Flow::Quit } else { Flow::Continue }
    }

    fn dispatch(&mut self, command: Command) -> Flow {
        match command {
            Command::Identify => self.reply(&Reply::Identity),
            Command::Debug(is_on) => self.is_debug = is_on,
            Command::IsReady => self.reply(&Reply::Ready),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => {
                self.stop_search();
                self.background.iter().for_each(BackgroundTask::stop);
            }
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return Flow::Quit,
            Command::Display => self.reply(&Reply::Text(board::draw(&self.game))),
            Command::Eval => {
                self.reply(&Reply::Text((self.hooks.eval)(self.engine.evaluation(), self.game.position())));
            }
            Command::Explain { arguments } => self.explain(arguments),
            Command::Flip => self.game = Game::new(board::flip(self.game.position())),
            Command::Bench { arguments } => self.run_hook(self.hooks.bench, arguments),
            Command::Openings { arguments } => self.run_hook(self.hooks.openings, arguments),
            Command::Tunables => self.list_tunables(),
            Command::Help => self.reply(&Reply::Help),
            Command::SwitchToXboard => {
                self.stop_search();
                self.codec = Arc::new(Xboard::default());
                self.engine_game = Some(EngineGame::default());
            }
            Command::Game(command) => self.game_command(command),
        }
        Flow::Continue
    }

    /// Lists the tunables that this build can set, in the format of SPSA tuners.
    fn list_tunables(&self) {
        let lines = settable().map(Tunable::to_string).collect::<Vec<_>>();
        if lines.is_empty() {
            self.message("the tunables are constants in this build; make TUNE=yes builds them as options");
        } else {
            self.reply(&Reply::Text(lines.join("\n")));
        }
    }

    /// Waits for limited work to end.
    fn wait_for_completion(&mut self) {
        if let Some(search) = self.search.as_ref().filter(|search| search.is_limited && !search.is_ponder) {
            search.reporter.wait();
            // The result is known; `stop` waits until it has been written.
            self.engine.stop();
            self.play_finished_search();
        }
        self.wait_for_background();
    }

    /// Ends all running work. Perft and benchmarks run to their end: in a script, `quit` follows them directly. `stop`
    /// ends them early.
    fn shut_down(&mut self) {
        self.engine.stop();
        self.wait_for_background();
    }

    fn set_position(&mut self, start: &StartPosition, moves: &[String]) {
        match parse_game(start, moves) {
            Ok(game) => self.game = game,
            Err(reason) => self.message(&format!("the position is unchanged: {reason}")),
        }
    }

    fn go(&mut self, go: &Go) {
        self.end_running_work();
        match self.book_move(go) {
            Some(mv) => {
                self.message("book move");
                self.reply(&Reply::Event(Event::Done { best: Some(mv), ponder: None }));
            }
            None => self.start_search(self.game.clone(), go),
        }
    }
}

fn parse_game(start: &StartPosition, moves: &[String]) -> Result<Game, String> {
    let mut game = match start {
        StartPosition::Standard => Game::default(),
        StartPosition::Fen(fen) => Game::new(fen.parse::<Position>().map_err(|error| error.to_string())?),
    };
    for (number, text) in moves.iter().enumerate() {
        let mv = game
            .position()
            .parse_uci(text)
            .map_err(|error| format!("move {} of {}: {error}", number + 1, moves.len()))?;
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(game)
}
