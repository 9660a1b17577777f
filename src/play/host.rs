//! Who leads a game from its first move to its summary: asks, shows, keeps.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rukh_chess::{Color, Move};
use rukh_explain::variation::to_san;
use rukh_knowledge::openings::Openings;

use super::advisor::Advisor;
use super::archive::Archive;
use super::commands::{self, PlayCommand};
use super::input::{Input, ReadLine};
use super::opponent::Opponent;
use super::panel::Page;
use super::record::Record;
use super::screen::Screen;
use super::summary;
use super::table::{GameTable, Player};
use crate::finish::{Failure, Finish};
use crate::output::print_line;
use crate::progress::LateBar;

/// A game with everything around it.
pub(super) struct Host {
    pub(super) table: GameTable,
    pub(super) record: Record,
    /// Where the game is kept; none if that cannot be.
    pub(super) archive: Option<Archive>,
    /// What to type to go on with the game later.
    pub(super) how_to_resume: String,
    pub(super) input: Input,
    pub(super) opponent: Opponent,
    pub(super) advisor: Advisor,
    pub(super) openings: Openings,
    pub(super) screen: Screen,
    pub(super) is_interrupted: Arc<AtomicBool>,
}

/// What comes after a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    Leave,
}

impl Host {
    /// Plays until the game is over or the person leaves.
    pub(super) fn run(mut self) -> Finish {
        while self.table.conclusion().is_none() {
            let flow = match self.table.mover() {
                Player::Person => self.turn_of_person()?,
                Player::Engine => self.turn_of_engine()?,
            };
            if flow == Flow::Leave {
                self.say_goodbye()?;
                return Ok(ExitCode::SUCCESS);
            }
        }
        self.conclude()?;
        Ok(ExitCode::SUCCESS)
    }

    fn turn_of_person(&mut self) -> Result<Flow, Failure> {
        let began = Instant::now();
        self.show()?;
        loop {
            let side = self.table.side_to_move();
            let prompt = match self.table.lone_person() {
                Some(_) => "Your move: ".to_owned(),
                None => format!("{side} to move: "),
            };
            let deadline = self.table.remaining(side).map(|left| began + left);
            let line = match self.input.ask(&prompt, self.words(), deadline, &self.is_interrupted) {
                ReadLine::Line(line) => line,
                ReadLine::Interrupted | ReadLine::End => return Ok(Flow::Leave),
                ReadLine::TooLate => {
                    self.table.run_out_of_time();
                    return Ok(Flow::GoOn);
                }
            };
            match commands::read(&line, self.table.position()) {
                Ok(PlayCommand::Move(mv)) => {
                    self.make(mv, began)?;
                    return Ok(Flow::GoOn);
                }
                Ok(PlayCommand::Quit) => return Ok(Flow::Leave),
                Ok(command) if self.obey(&command)? => return Ok(Flow::GoOn),
                Ok(_) => {}
                Err(sentence) => print_line(&sentence)?,
            }
        }
    }

    /// What can be completed: legal moves and commands.
    fn words(&self) -> Vec<String> {
        let position = self.table.position();
        let moves = position.legal_moves();
        moves.iter().map(|&mv| position.san(mv)).chain(commands::names().map(str::to_owned)).collect()
    }

    fn turn_of_engine(&mut self) -> Result<Flow, Failure> {
        let began = Instant::now();
        let is_watched = self.table.lone_person().is_none();
        // Who watches leaves between two moves too; who plays has interrupted something that is over, such as a hint.
        if self.is_interrupted.swap(false, Ordering::Relaxed) && is_watched {
            return Ok(Flow::Leave);
        }
        let status = if is_watched { "" } else { "Rukh thinks; Ctrl-C makes it move at once." };
        self.screen.status(status)?;
        let mut was_interrupted = false;
        let is_interrupted = &self.is_interrupted;
        let mv = self.opponent.choose(&self.table, self.record.skill, || {
            was_interrupted |= is_interrupted.swap(false, Ordering::Relaxed);
            was_interrupted
        });
        self.screen.clear_status()?;
        if is_watched && was_interrupted {
            return Ok(Flow::Leave);
        }
        let mv = mv.ok_or_else(|| "the engine found no move in a position that has some".to_owned())?;
        let name = to_san(self.table.position(), &[mv]);
        let side = self.table.side_to_move();
        self.make(mv, began)?;
        let was_late = self.table.side_to_move() == side;
        if is_watched && self.screen.is_live {
            self.show()?;
        } else if !was_late {
            let who = if is_watched { format!("{side}") } else { "Rukh".to_owned() };
            print_line(&format!("{who} plays {name}"))?;
        }
        Ok(Flow::GoOn)
    }

    fn make(&mut self, mv: Move, began: Instant) -> Result<(), Failure> {
        self.table.play(mv, began.elapsed()).map_err(|error| error.to_string())?;
        self.save()
    }

    /// Keeps the game as it stands; where that fails, says so and goes on without.
    pub(super) fn save(&mut self) -> Result<(), Failure> {
        let game = self.record.write(&self.table, self.openings.of_game(self.table.game()));
        if let Some(archive) = &mut self.archive
            && let Err(sentence) = archive.save(&game)
        {
            self.archive = None;
            print_line(&format!("The game is no longer saved: {sentence}"))?;
        }
        Ok(())
    }

    /// Draws the board with what stands beside it.
    pub(super) fn show(&self) -> Result<(), Failure> {
        let page = Page {
            table: &self.table,
            names: &self.names(),
            opening: self.openings.of_game(self.table.game()).map(|opening| opening.name),
            bottom: self.screen.bottom,
            style: self.screen.style(),
            columns: self.screen.columns(),
        };
        print_line(&format!("\n{}\n", page.lines().join("\n")))
    }

    /// What the sides are called: where both are people, or both engines, by their colours.
    fn names(&self) -> [String; Color::COUNT] {
        match self.table.lone_person() {
            Some(_) => self.record.names(self.table.players, "You"),
            None => Color::ALL.map(|side| side.to_string()),
        }
    }

    fn say_goodbye(&self) -> Result<(), Failure> {
        match self.archive.as_ref().filter(|_| !self.table.game().moves().is_empty()) {
            Some(archive) => print_line(&format!(
                "The game is saved in {}; {} goes on with it.",
                archive.path().display(),
                self.how_to_resume
            )),
            None => print_line("Goodbye."),
        }
    }

    /// The end: the last position, the result, how well it was played.
    fn conclude(&mut self) -> Result<(), Failure> {
        self.save()?;
        self.show()?;
        let Some(conclusion) = self.table.conclusion() else { return Ok(()) };
        print_line(&format!("{}. {}", large_first(&conclusion.to_string()), conclusion.outcome()))?;
        if let Some(opening) = self.openings.of_game(self.table.game()) {
            print_line(&format!("Opening: {} ({}).", opening.name, opening.code))?;
        }
        let bar = LateBar::new("positions");
        let is_interrupted = &self.is_interrupted;
        let goes_on = |done, all| {
            bar.set(done, all);
            !is_interrupted.load(Ordering::Relaxed)
        };
        let judged = summary::judge(self.table.game(), &mut self.advisor, goes_on);
        bar.finish();
        let names = self.names();
        for line in judged.iter().flat_map(|judged| summary::lines(self.table.game(), &names, judged)) {
            print_line(&line)?;
        }
        let kept = self.archive.as_ref().map(Archive::path);
        match kept.filter(|_| !self.table.game().moves().is_empty()).map(Path::display) {
            Some(path) => print_line(&format!("The game is saved in {path}.")),
            None => Ok(()),
        }
    }
}

/// A sentence begins with a large letter.
pub(super) fn large_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}
