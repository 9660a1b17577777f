//! What happens when a person asks for something else than a move.

use std::path::Path;
use std::time::{Duration, SystemTime};

use rukh_chess::Square;
use rukh_explain::accuracy::ExpectedScore;
use rukh_explain::variation::to_san;
use rukh_lab::calendar::date;

use super::archive;
use super::commands::{self, PlayCommand};
use super::host::{Host, large_first};
use super::record::Record;
use super::skill::Skill;
use super::table::{GameTable, Player};
use super::verdict;
use crate::finish::Failure;
use crate::output::{NewFile, print_line};

/// How long it thinks for who asks.
const THOUGHT: Duration = Duration::from_secs(1);
/// What is said if that was too short for anything.
const NO_ANSWER: &str = "The engine has no answer yet; ask again.";
/// Moves of a line that are shown.
const MOVES_OF_LINE: usize = 6;

impl Host {
    /// Does what a person wants; tells whether the turn is over with it.
    pub(super) fn obey(&mut self, command: &PlayCommand) -> Result<bool, Failure> {
        match command {
            PlayCommand::Board => self.show()?,
            PlayCommand::Flip => {
                self.screen.bottom = !self.screen.bottom;
                self.show()?;
            }
            PlayCommand::Help => print_line(&commands::help())?,
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Eval => self.evaluate()?,
            PlayCommand::Moves(from) => print_line(&self.list_moves(*from))?,
            PlayCommand::Fen => print_line(&self.table.position().to_string())?,
            PlayCommand::Pgn => {
                let game = self.record.write(&self.table, self.openings.of_game(self.table.game()));
                print_line(game.to_string().trim_end())?;
            }
            PlayCommand::Save(path) => self.save_to(path)?,
            PlayCommand::Strength(skill) => self.set_strength(*skill)?,
            PlayCommand::TakeBack => return self.take_back(),
            PlayCommand::Draw => return self.answer_offer(),
            PlayCommand::Resign => {
                let side = self.table.side_to_move();
                self.table.resign(side);
                return Ok(true);
            }
            PlayCommand::Load(path) => return self.load(path),
            PlayCommand::New => {
                self.record.date = date(SystemTime::now());
                self.begin_again(GameTable::new(
                    self.table.game().start().clone(),
                    self.table.players,
                    self.table.control(),
                ));
                return Ok(true);
            }
            // They end the turn elsewhere.
            PlayCommand::Move(_) | PlayCommand::Quit => {}
        }
        Ok(false)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let Some(opinion) = self.advisor.judge(self.table.game(), THOUGHT) else {
            return print_line(NO_ANSWER);
        };
        let position = self.table.position();
        let shown = opinion.line.len().min(MOVES_OF_LINE);
        let line = to_san(position, &opinion.line[..shown]);
        print_line(&format!("{} is a good move: {line}", position.san(opinion.line[0])))
    }

    fn evaluate(&mut self) -> Result<(), Failure> {
        let Some(opinion) = self.advisor.judge(self.table.game(), THOUGHT) else {
            return print_line(NO_ANSWER);
        };
        let side = self.table.side_to_move();
        let viewer = self.table.lone_person().unwrap_or(side);
        print_line(&format!("{}.", large_first(&verdict::describe(&opinion, side, viewer))))
    }

    fn list_moves(&self, from: Option<Square>) -> String {
        let position = self.table.position();
        let moves = position.legal_moves();
        let wanted = moves.iter().filter(|mv| from.is_none_or(|from| mv.from() == from));
        let mut names: Vec<_> = wanted.map(|&mv| position.san(mv)).collect();
        names.sort();
        match from {
            Some(square) if names.is_empty() => format!("there is no legal move from {square}"),
            _ => names.join(" "),
        }
    }

    fn save_to(&self, path: &Path) -> Result<(), Failure> {
        let game = self.record.write(&self.table, self.openings.of_game(self.table.game()));
        // An older file of that name may hold something else.
        let saved = match path.exists() {
            true => Err(format!("{} is there already; choose another name", path.display())),
            false => NewFile::replace(path, &game.to_string()),
        };
        let told = saved.map_or_else(|sentence| sentence, |()| format!("Saved in {}.", path.display()));
        print_line(&told)
    }

    fn set_strength(&mut self, skill: Option<Skill>) -> Result<(), Failure> {
        if let Some(skill) = skill {
            self.record.skill = skill;
            self.save()?;
        }
        match self.table.players.0.contains(&Player::Engine) {
            true => print_line(&format!("Rukh plays at {}.", self.record.skill)),
            false => print_line("No engine plays here."),
        }
    }

    fn take_back(&mut self) -> Result<bool, Failure> {
        if self.table.take_back() == 0 {
            print_line("There is no move of yours to take back.")?;
            return Ok(false);
        }
        self.save()?;
        Ok(true)
    }

    /// A draw against the engine is judged by the engine; two people agree between them.
    fn answer_offer(&mut self) -> Result<bool, Failure> {
        /// Before this move nobody knows what the game is worth.
        const EARLIEST: u32 = 20;
        let Some(person) = self.table.lone_person() else {
            let is_drawn = self.table.offer_draw();
            if !is_drawn {
                let other = !self.table.side_to_move();
                print_line(&format!(
                    "A draw is offered. Make your move; {other} may then answer draw, or decline by moving."
                ))?;
            }
            return Ok(is_drawn);
        };
        if self.table.position().fullmove_number() <= EARLIEST {
            print_line(&format!("Rukh plays on: it is too early, ask again after move {EARLIEST}."))?;
            return Ok(false);
        }
        let opinion = self.advisor.judge(self.table.game(), THOUGHT);
        let ours = opinion.map_or(ExpectedScore::DRAW, |opinion| {
            let of_mover = ExpectedScore::from_wdl(opinion.wdl);
            if self.table.side_to_move() == person { of_mover.of_opponent() } else { of_mover }
        });
        let is_accepted = ours <= ExpectedScore::DRAW;
        match is_accepted {
            true => self.table.agree_to_draw(),
            false => print_line("Rukh plays on: it thinks it stands better.")?,
        }
        Ok(is_accepted)
    }

    fn load(&mut self, path: &Path) -> Result<bool, Failure> {
        let game = match archive::load(path) {
            Ok(game) => game,
            Err(sentence) => {
                print_line(&sentence)?;
                return Ok(false);
            }
        };
        let (record, table) = Record::read(&game, self.table.players, self.record.skill);
        if let Some(conclusion) = table.conclusion() {
            print_line(&format!("The game in {} is over: {conclusion}.", path.display()))?;
            return Ok(false);
        }
        self.record = record;
        self.begin_again(table);
        Ok(true)
    }

    /// Another game at the same table; the one before stays where it is kept.
    fn begin_again(&mut self, table: GameTable) {
        if let Some(archive) = &mut self.archive {
            archive.begin_another();
        }
        self.screen.bottom = table.lone_person().unwrap_or(self.screen.bottom);
        self.table = table;
    }
}
