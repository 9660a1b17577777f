//! Host: the loop of a game at the terminal. It reads what the person types, sends commands to the session and shows events.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rukh_chess::Color;
use rukh_play::archive::Archive;
use rukh_play::message::{PlayCommand, PlayEvent};
use rukh_play::session::PlaySession;
use rukh_play::summary::Summary;
use rukh_play::table::Player;

use super::commands::{self, TypedCommand};
use super::input::{Input, ReadLine};
use super::panel::Page;
use super::report::{self, capitalised, summary_lines};
use super::screen::Screen;
use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::progress::LateBar;

/// How long the host waits before it looks for Ctrl-C.
const POLL: Duration = Duration::from_millis(20);

/// A session at the terminal.
pub(super) struct Host {
    pub(super) session: PlaySession,
    /// The command that resumes the game later.
    pub(super) resume_command: String,
    pub(super) input: Input,
    pub(super) screen: Screen,
    pub(super) is_interrupted: Arc<AtomicBool>,
}

/// What comes after a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Leave,
}

impl Host {
    /// Plays until the game is over or the person leaves.
    pub(super) fn run(mut self) -> Finish {
        while self.session.table().conclusion().is_none() {
            let flow = match self.session.table().mover() {
                Player::Person => self.person_turn()?,
                Player::Engine => self.engine_turn()?,
            };
            if flow == Flow::Leave {
                self.say_goodbye()?;
                return Ok(ExitCode::SUCCESS);
            }
        }
        self.conclude()?;
        Ok(ExitCode::SUCCESS)
    }

    fn person_turn(&mut self) -> Result<Flow, Failure> {
        self.show()?;
        loop {
            let side = self.session.table().side_to_move();
            let prompt = match self.session.table().lone_person() {
                Some(_) => "Your move: ".to_owned(),
                None => format!("{side} to move: "),
            };
            let deadline = self.session.time_left(side).map(|left| Instant::now() + left);
            let line = match self.input.ask(&prompt, self.completions(), deadline, &self.is_interrupted) {
                ReadLine::Line(line) => line,
                ReadLine::Interrupted | ReadLine::End => return Ok(Flow::Leave),
                ReadLine::TooLate => {
                    let events = self.session.advance(Duration::ZERO);
                    self.report(&events)?;
                    return Ok(Flow::Continue);
                }
            };
            match commands::read(&line, self.session.table().position()) {
                Ok(TypedCommand::Quit) => return Ok(Flow::Leave),
                Ok(command) if self.obey(&command)? => return Ok(Flow::Continue),
                Ok(_) => {}
                Err(sentence) => print_line(&sentence)?,
            }
        }
    }

    /// Legal moves and commands, for completion.
    fn completions(&self) -> Vec<String> {
        let position = self.session.table().position();
        let moves = position.legal_moves();
        moves.iter().map(|&mv| position.san(mv)).chain(commands::names().map(str::to_owned)).collect()
    }

    fn engine_turn(&mut self) -> Result<Flow, Failure> {
        let is_watched = self.session.table().lone_person().is_none();
        // A spectator leaves with Ctrl-C. A player's Ctrl-C before this turn interrupted a hint that is over.
        if self.is_interrupted.swap(false, Ordering::Relaxed) && is_watched {
            return Ok(Flow::Leave);
        }
        self.screen.status(if is_watched { "" } else { "Rukh thinks; Ctrl-C makes it move at once." })?;
        let events = loop {
            let events = self.session.advance(POLL);
            if !events.is_empty() {
                break events;
            }
            if self.is_interrupted.swap(false, Ordering::Relaxed) {
                if is_watched {
                    self.screen.clear_status()?;
                    return Ok(Flow::Leave);
                }
                self.command(PlayCommand::MoveNow)?;
            }
        };
        self.screen.clear_status()?;
        self.report(&events)?;
        if is_watched && self.screen.is_live {
            self.show()?;
        }
        Ok(Flow::Continue)
    }

    /// Sends a command to the session and waits for its answer, if one is due. Returns whether the turn is over.
    pub(super) fn command(&mut self, command: PlayCommand) -> Result<bool, Failure> {
        let ends_turn = matches!(
            command,
            PlayCommand::Move(_)
                | PlayCommand::TakeBack
                | PlayCommand::NewGame { .. }
                | PlayCommand::Resume(_)
        );
        let mut events = match self.session.command(command) {
            Ok(events) => events,
            Err(refusal) => {
                print_line(&format!("{}.", capitalised(&refusal.to_string())))?;
                return Ok(false);
            }
        };
        while events.is_empty() && self.session.is_busy() && self.session.table().mover() == Player::Person {
            events = self.session.advance(POLL);
        }
        self.report(&events)?;
        Ok(ends_turn || self.session.table().conclusion().is_some())
    }

    /// Prints what a person should know of these events.
    fn report(&mut self, events: &[PlayEvent]) -> Result<(), Failure> {
        for event in events {
            let table = self.session.table();
            if *event == PlayEvent::GameStarted {
                self.screen.bottom = table.lone_person().unwrap_or(self.screen.bottom);
                continue;
            }
            let sentence = report::sentence(event, table);
            if *event == PlayEvent::OpponentFailed {
                return Err(sentence.unwrap_or_default().into());
            }
            // A spectator sees the moves of the engines on the board.
            let is_drawn = table.lone_person().is_none() && self.screen.is_live;
            match sentence {
                Some(_) if is_drawn && matches!(event, PlayEvent::Moved { .. }) => {}
                Some(sentence) => print_line(&sentence)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Draws the board with the panel beside it.
    pub(super) fn show(&self) -> Result<(), Failure> {
        let page = Page {
            table: self.session.table(),
            clocks: Color::ALL.map(|side| self.session.time_left(side)),
            names: &self.names(),
            opening: self.session.opening().map(|opening| opening.name),
            bottom: self.screen.bottom,
            style: self.screen.style(),
            columns: self.screen.columns(),
        };
        print_line(&format!("\n{}\n", page.lines().join("\n")))
    }

    /// The names of the sides: their colours where two people or two engines play.
    fn names(&self) -> [String; Color::COUNT] {
        match self.session.table().lone_person() {
            Some(_) => self.session.record().names(self.session.table().players(), "You"),
            None => Color::ALL.map(|side| side.to_string()),
        }
    }

    /// The file in which the game is saved, once there is something to save.
    fn saved_path(&self) -> Option<&Path> {
        let has_moves = !self.session.table().game().moves().is_empty();
        self.session.archive().map(Archive::path).filter(|_| has_moves)
    }

    fn say_goodbye(&self) -> Result<(), Failure> {
        match self.saved_path() {
            Some(path) => print_line(&format!(
                "The game is saved in {}; {} resumes it.",
                path.display(),
                self.resume_command
            )),
            None => print_line("Goodbye."),
        }
    }

    /// The end: the last position, the result and the summary.
    fn conclude(&mut self) -> Result<(), Failure> {
        self.show()?;
        let Some(conclusion) = self.session.table().conclusion() else { return Ok(()) };
        print_line(&format!("{}. {}", capitalised(&conclusion.to_string()), conclusion.outcome()))?;
        if let Some(opening) = self.session.opening() {
            print_line(&format!("Opening: {} ({}).", opening.name, opening.code))?;
        }
        let bar = LateBar::new("positions");
        let is_interrupted = self.is_interrupted.clone();
        let review = self.session.review(|done, all| {
            bar.set(done, all);
            !is_interrupted.load(Ordering::Relaxed)
        });
        bar.finish();
        if let Some(review) = review {
            for line in summary_lines(&Summary::of(&review), review.game(), &self.names()) {
                print_line(&line)?;
            }
        }
        match self.saved_path() {
            Some(path) => print_line(&format!("The game is saved in {}.", path.display())),
            None => Ok(()),
        }
    }
}
