//! Records: the games that were played in a session, as PGN, by number.

use std::collections::BTreeMap;

/// The records that are kept.
const MAX_RECORDS: usize = 100;

/// The newest game, and the records of all games.
#[derive(Default)]
pub(crate) struct Records {
    newest: u64,
    games: BTreeMap<u64, String>,
}

impl Records {
    /// The number of the next game.
    pub(crate) fn begin(&mut self) -> u64 {
        self.newest += 1;
        self.newest
    }

    /// The game of this number, or all games, as PGN.
    pub(crate) fn pgn(&self, number: Option<u64>) -> String {
        let wanted = self.games.iter().filter(|(other, _)| number.is_none_or(|number| number == **other));
        wanted.map(|(_, game)| format!("{game}\n")).collect()
    }

    /// Whether no later game has begun.
    pub(crate) fn is_newest(&self, number: u64) -> bool {
        self.newest == number
    }

    /// Replaces the record of a game. The oldest record goes where there are too many.
    pub(crate) fn save(&mut self, number: u64, pgn: String) {
        self.games.insert(number, pgn);
        while self.games.len() > MAX_RECORDS {
            self.games.pop_first();
        }
    }
}
