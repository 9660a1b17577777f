//! Lines and commands.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_engine::api::Event;
use rukh_engine::params::{Tunable, settable};

use super::core::{Session, SessionEvent};
use crate::board;
use crate::codec::Reply;
use crate::command::{Command, Go, Start};
use crate::jobs::Job;
use crate::lines::{InputLine, next_line};
use crate::seat::Seat;
use crate::xboard::Xboard;

/// Whether a session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It hears the next command.
    GoOn,
    /// It has been told to quit, or nobody reads its answers.
    End,
}

/// Lines that are read before they are obeyed.
const LINES_AHEAD: usize = 64;

impl Session {
    /// Obeys lines until one of them ends the session, or there are no more; then everything that runs comes
    /// to its end.
    ///
    /// The end of input is like `quit`, but a search with a limit of its own is awaited: whoever pipes
    /// commands in wants the answer. Lines are read on a thread of their own, which nobody waits for: after a `quit` it may
    /// sleep until the process ends.
    pub fn run(&mut self, mut input: impl BufRead + Send + 'static) {
        let (events, heard) = mpsc::sync_channel(LINES_AHEAD);
        self.events = Some(events.clone());
        thread::spawn(move || {
            while let Some(line) = next_line(&mut input) {
                if events.send(SessionEvent::Line(line)).is_err() {
                    return;
                }
            }
            // Whoever has quit does not miss it.
            let _ = events.send(SessionEvent::End);
        });
        for heard in heard {
            let flow = match heard {
                SessionEvent::Line(InputLine::Text(line)) => self.execute(&line),
                SessionEvent::Line(InputLine::TooLong) => {
                    self.remark("the line is too long and was ignored");
                    Flow::GoOn
                }
                SessionEvent::Wake => {
                    self.attend();
                    Flow::GoOn
                }
                SessionEvent::End => {
                    self.settle();
                    Flow::End
                }
            };
            if flow == Flow::End {
                break;
            }
        }
        self.events = None;
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
        self.attend();
        let reading = self.codec.read(line);
        self.complain(&reading.complaints, line);
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
            Command::NewGame => self.forget(),
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
            Command::Tunables => self.list_tunables(),
            Command::Help => self.say(&Reply::Help),
            Command::SpeakXboard => {
                self.stop_search();
                self.codec = Arc::new(Xboard::default());
                self.seat = Some(Seat::default());
            }
            Command::Game(conduct) => self.conduct(conduct),
        }
        Flow::GoOn
    }

    /// Lists what this build can set, as tuners read it.
    fn list_tunables(&mut self) {
        let lines = settable().map(Tunable::to_string).collect::<Vec<_>>();
        if lines.is_empty() {
            self.remark("the tunables are constants in this build; make TUNE=yes builds them as options");
        } else {
            self.say(&Reply::Text(lines.join("\n")));
        }
    }

    /// Waits for what ends by itself.
    fn settle(&mut self) {
        if let Some(search) = self.search.as_ref().filter(|search| search.has_end && !search.is_ponder) {
            search.teller.wait();
            // The move has been found; now it is told as well.
            self.engine.stop();
            self.attend();
        }
        self.wait_for_job();
    }

    /// Brings everything to its end. A count or benchmark that was asked for is not cut off by the `quit`
    /// that follows it in a script; `stop` does that.
    fn finish(&mut self) {
        self.engine.stop();
        self.wait_for_job();
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        match read_game(start, moves) {
            Ok(game) => self.game = game,
            Err(sentence) => self.remark(&sentence),
        }
    }

    fn go(&mut self, go: &Go) {
        self.make_room();
        match self.book_move(go) {
            Some(mv) => {
                self.remark("this move is from the book");
                self.say(&Reply::Event(Event::Done { best: Some(mv), ponder: None }));
            }
            None => self.start_search(self.game.clone(), go),
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
