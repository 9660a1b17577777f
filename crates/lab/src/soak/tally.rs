//! Tally: what all games of a soak test have shown, with a state file from which the test is resumed.
//!
//! The games are counted in parts of consecutive numbers. A part is written when all of its games have ended; those of a part
//! that was interrupted are played again. How a game is played is unknown here.

use std::io;
use std::ops::Range;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::facts::Counts;
use super::runner::Played;
use super::settings::Soak;
use crate::ledger::{Ledger, LedgerError};

/// Games of a part.
const PART: u64 = 100;

/// The games of a soak test: those that have ended, and those that are left.
#[derive(Debug)]
pub struct Tally {
    ledger: Option<Ledger>,
    parts: Vec<Part>,
    /// What was checked in all games that have ended, earlier runs included.
    pub counts: Counts,
    /// The numbers of the games with a fault, likewise.
    pub faulty: Vec<u64>,
}

/// Games of consecutive numbers that are left.
#[derive(Debug)]
struct Part {
    numbers: Range<u64>,
    counts: Counts,
    faulty: Vec<u64>,
}

impl Tally {
    /// The tally of the games of these numbers, without a state file.
    pub fn new(numbers: Range<u64>) -> Self {
        Self { ledger: None, parts: parts(numbers, &[]), counts: Counts::default(), faulty: Vec::new() }
    }

    /// The tally of the games of these numbers that are not in the state file. The file is created if there is none.
    pub fn resume(path: &Path, soak: &Soak, numbers: Range<u64>) -> Result<Self, LedgerError> {
        let header = json!({
            "work": "soak", "seed": soak.seed, "plies": soak.plies, "has_tablebases": soak.tables.is_some(),
        });
        let (ledger, lines) = Ledger::open(path, &header)?;
        let mut tally = Self::new(0..0);
        let mut done = Vec::new();
        for (line, text) in (2..).zip(&lines) {
            let (numbers, counts, faulty) = parse(text).ok_or(LedgerError::Broken(line))?;
            done.push(numbers);
            tally.counts += counts;
            tally.faulty.extend(faulty);
        }
        tally.parts = parts(numbers, &done);
        tally.ledger = Some(ledger);
        Ok(tally)
    }

    /// The numbers of the games that are left.
    pub fn left(&self) -> Vec<Range<u64>> {
        self.parts.iter().map(|part| part.numbers.clone()).collect()
    }

    /// Counts a game that has ended, once. When it is the last one of its part, the part is on the disk when this returns.
    pub fn add(&mut self, played: &Played) -> io::Result<()> {
        self.counts += played.counts;
        let is_faulty = played.fault.is_some();
        self.faulty.extend(is_faulty.then_some(played.number));
        let at = self.parts.iter().position(|part| part.numbers.contains(&played.number));
        let Some((at, ledger)) = at.zip(self.ledger.as_mut()) else { return Ok(()) };
        let part = &mut self.parts[at];
        part.counts += played.counts;
        part.faulty.extend(is_faulty.then_some(played.number));
        if part.counts.games == part.numbers.end - part.numbers.start {
            ledger.add(&self.parts.swap_remove(at).line())?;
        }
        Ok(())
    }
}

impl Part {
    fn line(&self) -> String {
        let Counts { games: _, tree_games, searches, lines, tablebase_scores, mates } = self.counts;
        json!({
            "first": self.numbers.start, "end": self.numbers.end, "tree_games": tree_games, "searches": searches,
            "lines": lines, "tablebase_scores": tablebase_scores, "mates": mates, "faulty": self.faulty,
        })
        .to_string()
    }
}

/// A part from its line: its numbers, what was checked, and the games with a fault.
fn parse(line: &str) -> Option<(Range<u64>, Counts, Vec<u64>)> {
    let json: Json = serde_json::from_str(line).ok()?;
    let number = |name: &str| json.get(name)?.as_u64();
    let numbers = number("first")?..number("end")?;
    let counts = Counts {
        games: numbers.end.checked_sub(numbers.start)?,
        tree_games: number("tree_games")?,
        searches: number("searches")?,
        lines: number("lines")?,
        tablebase_scores: number("tablebase_scores")?,
        mates: number("mates")?,
    };
    let faulty = json.get("faulty")?.as_array()?.iter().map(Json::as_u64).collect::<Option<_>>()?;
    Some((numbers, counts, faulty))
}

/// The parts of `numbers` without those that are done.
fn parts(numbers: Range<u64>, done: &[Range<u64>]) -> Vec<Part> {
    let mut done = done.to_vec();
    done.sort_by_key(|range| range.start);
    let mut left = Vec::new();
    let (mut at, mut done) = (numbers.start, done.iter().peekable());
    while at < numbers.end {
        if let Some(range) = done.next_if(|range| range.start <= at) {
            at = at.max(range.end);
            continue;
        }
        let next_done = done.peek().map_or(u64::MAX, |range| range.start);
        let end = ((at / PART).saturating_add(1)).saturating_mul(PART).min(numbers.end).min(next_done);
        left.push(Part { numbers: at..end, counts: Counts::default(), faulty: Vec::new() });
        at = end;
    }
    left
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::super::runner::Fault;
    use super::*;

    fn soak(seed: u64) -> Soak {
        Soak { seed, plies: 3, tables: None, patience: Duration::ZERO, slack: Duration::ZERO }
    }

    fn played(number: u64) -> Played {
        let counts = Counts { games: 1, searches: number, ..Counts::default() };
        let fault = (number == 150).then(|| Fault { complaint: String::new(), transcript: Vec::new() });
        Played { number, counts, fault }
    }

    #[test]
    fn a_test_is_resumed_after_its_whole_parts() {
        let path = std::env::temp_dir().join(format!("rukh-tally-{}", std::process::id()));
        let open = |numbers| Tally::resume(&path, &soak(1), numbers).expect("it is resumed");
        let mut tally = open(50..350);
        assert_eq!(tally.left(), [50..100, 100..200, 200..300, 300..350]);
        // The part from 300 and that from 100 end; one game of the first is missing.
        for number in (51..200).chain(300..350).rev() {
            tally.add(&played(number)).expect("it can be written");
        }
        assert_eq!((tally.counts.games, &tally.faulty[..]), (199, &[150][..]));
        drop(tally);
        let tally = open(0..420);
        assert_eq!(tally.left(), [0..100, 200..300, 350..400, 400..420]);
        assert_eq!((tally.counts.games, &tally.faulty[..]), (150, &[150][..]));
        assert_eq!(tally.counts.searches, (100..200).chain(300..350).sum::<u64>());
        drop(tally);
        let other = Tally::resume(&path, &soak(2), 0..1).expect_err("the seed is another");
        assert!(other.to_string().contains("seed is 1 there and 2 here"), "{other}");
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn games_are_counted_without_a_file() {
        let mut tally = Tally::new(140..210);
        assert_eq!(tally.left(), [140..200, 200..210]);
        (140..210).for_each(|number| tally.add(&played(number)).expect("nothing is written"));
        assert_eq!((tally.counts.games, &tally.faulty[..]), (70, &[150][..]));
        assert!(Tally::new(5..5).left().is_empty());
        let last = u64::MAX - 3..u64::MAX;
        assert_eq!(Tally::new(last.clone()).left(), vec![last]);
    }
}
