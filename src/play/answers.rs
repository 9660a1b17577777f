//! Answers: what the terminal does for each typed command.

use std::path::Path;
use std::time::SystemTime;

use rukh_chess::{Move, Square};
use rukh_eval::Evaluation;
use rukh_lab::calendar::date;
use rukh_play::archive;
use rukh_play::message::PlayCommand;

use super::commands::{self, TypedCommand};
use super::host::Host;
use super::report::skill_sentence;
use crate::explain;
use crate::finish::Failure;
use crate::output::{NewFile, print_line};

impl Host {
    /// Obeys a command of the person who is to move. Returns whether the turn is over.
    pub(super) fn obey(&mut self, command: &TypedCommand) -> Result<bool, Failure> {
        match command {
            TypedCommand::Move(mv) => return self.command(PlayCommand::Move(*mv)),
            TypedCommand::TakeBack => return self.command(PlayCommand::TakeBack),
            TypedCommand::Draw => return self.command(PlayCommand::OfferDraw),
            TypedCommand::Hint => return self.command(PlayCommand::Hint),
            TypedCommand::Eval => return self.command(PlayCommand::Evaluate),
            TypedCommand::Explain(mv) => self.explain(*mv)?,
            TypedCommand::Resign => {
                let side = self.session.table().side_to_move();
                return self.command(PlayCommand::Resign(side));
            }
            TypedCommand::New => {
                return self.command(PlayCommand::NewGame { date: date(SystemTime::now()) });
            }
            TypedCommand::Load(path) => match archive::load(path) {
                Ok(game) => return self.command(PlayCommand::Resume(Box::new(game))),
                Err(sentence) => print_line(&sentence)?,
            },
            TypedCommand::Strength(Some(skill)) => return self.command(PlayCommand::SetSkill(*skill)),
            TypedCommand::Strength(None) => {
                print_line(&skill_sentence(self.session.table(), self.session.record().skill))?;
            }
            TypedCommand::Board => self.show()?,
            TypedCommand::Flip => {
                self.screen.bottom = !self.screen.bottom;
                self.show()?;
            }
            TypedCommand::Help => print_line(&commands::help())?,
            TypedCommand::Moves(from) => print_line(&self.list_moves(*from))?,
            TypedCommand::Fen => print_line(&self.session.table().position().to_string())?,
            TypedCommand::Pgn => print_line(self.session.pgn().to_string().trim_end())?,
            TypedCommand::Save(path) => self.save_to(path)?,
            // The host leaves by itself.
            TypedCommand::Quit => {}
        }
        Ok(false)
    }

    /// Explains a move of the present position, or the last move of the game.
    fn explain(&self, mv: Option<Move>) -> Result<(), Failure> {
        const NODES: u64 = 100_000;
        let mut game = self.session.table().game().clone();
        let mv = mv.or_else(|| game.take_back());
        let Some(mv) = mv else {
            return print_line("There is no move to explain yet; explain MOVE explains one of yours.");
        };
        let lines = explain::why(&Evaluation::default(), &game, Some(mv), None, NODES);
        for line in lines.unwrap_or_else(|sentence| vec![sentence]) {
            print_line(&line)?;
        }
        Ok(())
    }

    fn list_moves(&self, from: Option<Square>) -> String {
        let position = self.session.table().position();
        let moves = position.legal_moves();
        let listed = moves.iter().filter(|mv| from.is_none_or(|from| mv.from() == from));
        let mut names: Vec<_> = listed.map(|&mv| position.san(mv)).collect();
        names.sort();
        match from {
            Some(square) if names.is_empty() => format!("there is no legal move from {square}"),
            _ => names.join(" "),
        }
    }

    fn save_to(&self, path: &Path) -> Result<(), Failure> {
        // An existing file may hold other games.
        let saved = match path.exists() {
            true => Err(format!("{} exists; choose another name", path.display())),
            false => NewFile::replace(path, &self.session.pgn().to_string()),
        };
        print_line(&saved.map_or_else(|sentence| sentence, |()| format!("Saved in {}.", path.display())))
    }
}
