//! Journal: the ledger of a match. Its header defines the match; each line is a finished game.

use std::io;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::player::Entrant;
use super::record;
use super::schedule::Schedule;
use super::standings::Result as GameResult;
use super::tournament::{Finished, Match};
use crate::ledger::{self, Ledger, LedgerError};
use crate::stats::{Hypotheses, Sprt};

/// An open journal.
#[derive(Debug)]
pub struct Journal(Ledger);

impl Journal {
    /// Opens the journal of a match, or creates it. Returns the finished games.
    pub fn open(path: &Path, of: &Match) -> Result<(Self, Vec<(GameResult, String)>), LedgerError> {
        Self::read(Ledger::open(path, &header(of))?, of)
    }

    /// [`Self::open`] for a match that a test ends. The header holds the test, so that others can show it; a journal of the
    /// same match without a test is resumed too.
    pub fn open_test(
        path: &Path,
        of: &Match,
        sprt: &Sprt,
    ) -> Result<(Self, Vec<(GameResult, String)>), LedgerError> {
        let mut with_test = header(of);
        with_test["sprt"] = sprt_json(sprt);
        match Ledger::open(path, &with_test) {
            Err(LedgerError::Different(difference)) => {
                let plain = Ledger::open(path, &header(of));
                Self::read(plain.map_err(|_| LedgerError::Different(difference))?, of)
            }
            opened => Self::read(opened?, of),
        }
    }

    fn read(
        (ledger, lines): (Ledger, Vec<String>),
        of: &Match,
    ) -> Result<(Self, Vec<(GameResult, String)>), LedgerError> {
        // The header is the first line.
        let read = |(number, line): (usize, &String)| {
            record::from_line(line, &of.schedule).ok_or(LedgerError::Broken(number))
        };
        let games = (2..).zip(&lines).map(read).collect::<Result<_, _>>()?;
        Ok((Self(ledger), games))
    }

    /// Adds a game. When this returns, it is on the disk.
    pub fn add(&mut self, game: &Finished) -> io::Result<()> {
        self.0.add(&record::to_line(&game.result, &game.reason, &game.pgn))
    }
}

/// The finished games of a journal, in the order in which they ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalGames {
    /// The names of the engines.
    pub names: Vec<String>,
    /// Which games there are.
    pub schedule: Schedule,
    /// The games that are over.
    pub results: Vec<GameResult>,
}

/// Reads the journal of a match that may still be running. The file is left as it is.
pub fn read_journal(path: &Path) -> Result<JournalGames, LedgerError> {
    let (header, lines) = ledger::read(path)?;
    let (names, schedule) = players(&header).ok_or(LedgerError::Foreign)?;
    let read = |(number, line): (usize, &String)| {
        let game = record::from_line(line, &schedule);
        game.map(|(result, _)| result).ok_or(LedgerError::Broken(number))
    };
    // The header is the first line.
    let results = (2..).zip(&lines).map(read).collect::<Result<_, _>>()?;
    Ok(JournalGames { names, schedule, results })
}

/// The names of the engines and the schedule of the match with this header; `None` if it is not that of a match.
fn players(header: &Json) -> Option<(Vec<String>, Schedule)> {
    if header["kind"] != "match" {
        return None;
    }
    let name = |engine: &Json| engine["name"].as_str().map(str::to_owned);
    let names: Vec<String> = header["engines"].as_array()?.iter().map(name).collect::<Option<_>>()?;
    let player = |value: &Json| usize::try_from(value.as_u64()?).ok().filter(|&player| player < names.len());
    let encounter = |pair: &Json| Some((player(&pair[0])?, player(&pair[1])?));
    let encounters: Vec<_> = header["encounters"].as_array()?.iter().map(encounter).collect::<Option<_>>()?;
    let games = usize::try_from(header["games"].as_u64()?).ok()?;
    let each = games.checked_div(encounters.len())?;
    // The openings do not matter for the results.
    Some((names, Schedule::of_encounters(encounters, each, 0)))
}

/// What defines a match: with the same header the same games are played.
fn header(of: &Match) -> Json {
    json!({
        "kind": "match",
        "event": of.event,
        "engines": of.entrants.iter().map(Entrant::to_json).collect::<Vec<_>>(),
        "encounters": of.schedule.encounters(),
        "games": of.schedule.len(),
        "adjudication": of.adjudication.to_json(),
        "openings": of.book.fingerprint(),
    })
}

fn sprt_json(sprt: &Sprt) -> Json {
    let Sprt { hypotheses: Hypotheses { model, elo0, elo1 }, alpha, beta } = *sprt;
    json!({ "model": model.name(), "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta })
}

/// The test in the header of a journal, if it has one.
pub fn test_of_header(header: &Json) -> Option<Sprt> {
    let test = header.get("sprt")?;
    let number = |name: &str| test[name].as_f64();
    let model = test["model"].as_str()?.parse().ok()?;
    let hypotheses = Hypotheses { model, elo0: number("elo0")?, elo1: number("elo1")? };
    Some(Sprt { hypotheses, alpha: number("alpha")?, beta: number("beta")? })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::time::Duration;

    use rukh_chess::Color;
    use rukh_chess::game::Outcome;
    use rukh_engine::draw_policy::DrawPolicy;
    use rukh_eval::Centipawns;

    use super::super::adjudicate::{Adjudication, DrawRule, ResignRule};
    use super::super::control::Control;
    use super::super::openings::Book;
    use super::super::player::Protocol;
    use super::super::schedule::Format;
    use super::*;
    use crate::stats::Model;

    fn entrant(name: &str) -> Entrant {
        Entrant {
            name: name.to_owned(),
            command: PathBuf::from("engine"),
            args: Vec::new(),
            directory: None,
            protocol: Protocol::Uci,
            options: Vec::new(),
            control: Control { nodes: Some(100), ..Control::default() },
            ponders: false,
        }
    }

    fn a_match() -> Match {
        Match {
            event: "Test".to_owned(),
            entrants: vec![entrant("one"), entrant("two")],
            schedule: Schedule::new(Format::RoundRobin, 2, 10),
            book: Book::standard(),
            adjudication: Adjudication::default(),
            patience: Duration::from_secs(1),
            concurrency: 1,
        }
    }

    /// The sentence with which a match is refused that differs from [`a_match`] in what `change` does.
    fn refused(name: &str, change: impl FnOnce(&mut Match)) -> String {
        let path = std::env::temp_dir().join(format!("rukh-journal-{}-{name}", std::process::id()));
        drop(Journal::open(&path, &a_match()).expect("it is new"));
        let before = fs::read(&path).expect("it is there");
        let mut other = a_match();
        change(&mut other);
        let sentence = Journal::open(&path, &other).map(|_| ()).expect_err(name).to_string();
        assert_eq!(fs::read(&path).expect("it is there"), before, "{name}: the file is unchanged");
        Journal::open(&path, &a_match()).expect("the same match is resumed");
        fs::remove_file(&path).expect("it is there");
        sentence
    }

    #[test]
    fn the_games_of_a_journal_are_read_without_the_match() {
        let path = std::env::temp_dir().join(format!("rukh-journal-{}-read", std::process::id()));
        let (journal, _) = Journal::open(&path, &a_match()).expect("it is new");
        let schedule = &a_match().schedule;
        let results =
            [Outcome::Win(Color::White), Outcome::Draw].into_iter().enumerate().map(|(index, outcome)| {
                GameResult {
                    fixture: schedule.fixture(index),
                    outcome,
                    fault: None,
                    effort: Default::default(),
                }
            });
        let results: Vec<_> = results.collect();
        let mut ledger = journal.0;
        for result in &results {
            ledger.add(&record::to_line(result, "", "")).expect("there is space");
        }
        // The journal is still locked by its writer.
        let games = read_journal(&path).expect("it is a journal");
        assert_eq!((games.names, games.schedule.len()), (vec!["one".to_owned(), "two".to_owned()], 10));
        assert_eq!(games.results, results);
        fs::write(&path, "{\"kind\":\"levels\"}\n").expect("it can be written");
        assert!(matches!(read_journal(&path), Err(LedgerError::Foreign)));
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn a_match_with_another_engine_is_not_resumed() {
        type Change = fn(&mut Entrant);
        let changes: [(&str, Change, &str); 12] = [
            ("name", |it| it.name = "six".to_owned(), "name is \"two\" there and \"six\" here"),
            ("command", |it| it.command = "other".into(), "command is \"engine\" there and \"other\" here"),
            ("args", |it| it.args.push("-x".to_owned()), "args is [] there and [\"-x\"] here"),
            ("directory", |it| it.directory = Some("d".into()), "directory is none there and \"d\" here"),
            (
                "protocol",
                |it| it.protocol = Protocol::Xboard,
                "protocol is \"uci\" there and \"xboard\" here",
            ),
            (
                "options",
                |it| it.options.push(("Hash".to_owned(), "1".to_owned())),
                "options is [] there and [[\"Hash\",\"1\"]] here",
            ),
            ("ponder", |it| it.ponders = true, "ponder is false there and true here"),
            ("nodes", |it| it.control.nodes = Some(200), "control.nodes is 100 there and 200 here"),
            ("depth", |it| it.control.depth = Some(3), "control.depth is none there and 3 here"),
            (
                "move-time",
                |it| it.control.move_time = Some(Duration::from_millis(500)),
                "control.move_time is none there and 0.5 here",
            ),
            (
                "clock",
                |it| it.control.clock = "40/60+0.5".parse().ok(),
                "control.clock is none there and \"40/60+0.5\" here",
            ),
            (
                "margin",
                |it| it.control.margin = Duration::from_millis(5),
                "control.margin is 0.0 there and 0.005 here",
            ),
        ];
        for (name, change, difference) in changes {
            let sentence = refused(name, |of| change(&mut of.entrants[1]));
            assert_eq!(
                sentence,
                format!("it is the state of a different run: engines[1].{difference}; name another file")
            );
        }
    }

    #[test]
    fn the_header_holds_the_test_and_another_test_is_refused() {
        let path = std::env::temp_dir().join(format!("rukh-journal-{}-test", std::process::id()));
        let hypotheses = Hypotheses { model: Model::Logistic, elo0: -3.0, elo1: 1.5 };
        let sprt = Sprt { hypotheses, alpha: 0.05, beta: 0.1 };
        drop(Journal::open_test(&path, &a_match(), &sprt).expect("it is new"));
        assert_eq!(test_of_header(&header_of(&path)), Some(sprt));
        drop(Journal::open_test(&path, &a_match(), &sprt).expect("the same test is resumed"));
        let other = Sprt { alpha: 0.01, ..sprt };
        let sentence = Journal::open_test(&path, &a_match(), &other).expect_err("another test").to_string();
        assert!(sentence.contains("sprt.alpha is 0.05 there and 0.01 here"), "{sentence}");
        fs::remove_file(&path).expect("it is there");
        drop(Journal::open(&path, &a_match()).expect("it is new"));
        drop(Journal::open_test(&path, &a_match(), &sprt).expect("a match becomes a test"));
        assert_eq!(test_of_header(&header_of(&path)), None, "the file keeps its header");
        fs::remove_file(&path).expect("it is there");
    }

    fn header_of(path: &Path) -> Json {
        let text = fs::read_to_string(path).expect("it is there");
        serde_json::from_str(text.lines().next().expect("a header")).expect("JSON")
    }

    #[test]
    fn a_match_with_other_rules_is_not_resumed() {
        let draw = DrawRule { policy: DrawPolicy { from_move: 40, margin: Centipawns(5) }, moves: 3 };
        let resign = ResignRule { moves: 3, score: Centipawns(600), is_two_sided: true };
        assert!(refused("event", |of| of.event = "Other".to_owned()).contains("event is \"Test\" there"));
        assert!(
            refused("draw", |of| of.adjudication.draw = Some(draw)).contains("adjudication.draw is none")
        );
        assert!(
            refused("resign", |of| of.adjudication.resign = Some(resign)).contains("adjudication.resign is")
        );
        assert!(
            refused("length", |of| of.adjudication.max_moves = Some(9))
                .contains("max_moves is none there and 9")
        );
        let longer = refused("games", |of| of.schedule = Schedule::new(Format::RoundRobin, 2, 12));
        assert!(longer.contains("games is 10 there and 12 here"), "{longer}");
    }
}
