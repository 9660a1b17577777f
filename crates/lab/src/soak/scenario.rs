//! Random scenarios: start position, options and limits of a game, from the seed and its number alone.

use rukh_chess::game::Game;
use rukh_chess::random::SplitMix64;
use rukh_chess::{Position, Setup};
use rukh_engine::api::Algorithm;
use rukh_engine::strength::Strength;

use super::settings::Soak;

/// Random draws for the tests.
pub(super) trait Draw {
    /// Whether an event of this many percent happens.
    fn happens(&mut self, percent: u64) -> bool;
    /// A number of the range, ends included.
    fn between(&mut self, least: u64, most: u64) -> u64;
    /// One of some things.
    fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T;
}

impl Draw for SplitMix64 {
    fn happens(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len() as u64) as usize]
    }
}

/// The scenario of a game.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    pub(super) is_xboard: bool,
    pub(super) start: Position,
    pub(super) is_chess960: bool,
    /// Plies after which the game is broken off.
    pub(super) plies: usize,
    pub(super) threads: u64,
    pub(super) hash: u64,
    pub(super) multipv: usize,
    pub(super) shows_wdl: bool,
    pub(super) ponders: bool,
    pub(super) uses_tables: bool,
    pub(super) search: Algorithm,
    /// Whether the leaves of a tree search are searched; otherwise they are evaluated statically or by playouts.
    pub(super) has_leaf_search: bool,
    /// Options of any session, by name.
    pub(super) options: Vec<(&'static str, String)>,
    pub(super) is_full_strength: bool,
}

impl Scenario {
    /// Whether the search is a tree search: its nodes are leaves.
    pub(super) fn is_tree_search(&self) -> bool {
        self.search != Algorithm::AlphaBeta
    }

    /// The most nodes of a search, as a power of two. A leaf may cost a search, or a game at random.
    pub(super) fn node_bits(&self) -> u64 {
        match (self.search, self.has_leaf_search) {
            (Algorithm::AlphaBeta, _) => 10,
            (Algorithm::Mcts, false) => 9,
            (Algorithm::Uct, _) => 7,
            (Algorithm::Mcts, true) => 5,
        }
    }

    /// The random numbers of a game.
    pub(super) fn random(seed: u64, number: u64) -> SplitMix64 {
        let mut mixed = SplitMix64::new(seed);
        SplitMix64::new(mixed.next() ^ SplitMix64::new(number).next())
    }

    /// Draws the scenario of a game.
    pub(super) fn draw(random: &mut SplitMix64, soak: &Soak) -> Self {
        let is_xboard = random.happens(40);
        let (start, is_chess960) = start(random);
        let level = random.happens(25).then(|| random.between(0, 19));
        let elo = random
            .happens(10)
            .then(|| random.between(u64::from(Strength::MIN_ELO), u64::from(Strength::MAX_ELO)));
        let mut options = Vec::new();
        if let Some(level) = level {
            options.push(("Skill Level", level.to_string()));
        }
        if let Some(elo) = elo {
            options.push(("UCI_Elo", elo.to_string()));
            options.push(("UCI_LimitStrength", "true".to_owned()));
        }
        let search = match random.below(100) {
            0..50 => Algorithm::AlphaBeta,
            50..80 => Algorithm::Mcts,
            _ => Algorithm::Uct,
        };
        if search != Algorithm::AlphaBeta {
            options.push(("Search", search.name().to_owned()));
        }
        // The tree of static leaves is greater, reused more often, and overwritten where there is little memory.
        let has_leaf_search = search == Algorithm::Mcts && random.happens(40);
        if search == Algorithm::Mcts && !has_leaf_search {
            options.push(("Techniques", "leaf-search".to_owned()));
        }
        if random.happens(20) {
            options.push(("Evaluation", "classical".to_owned()));
        }
        if random.happens(15) {
            options.push(("Contempt", (random.between(0, 200) as i64 - 100).to_string()));
        }
        if random.happens(15) {
            options.push(("OwnBook", "true".to_owned()));
        }
        if random.happens(10) {
            options.push(("Move Overhead", random.between(0, 5).to_string()));
        }
        Self {
            is_xboard,
            start,
            is_chess960,
            plies: random.between(1, soak.plies.max(1)) as usize,
            threads: *random.one_of(&[1, 1, 1, 2, 3, 4]),
            hash: *random.one_of(&[1, 1, 2, 3, 5, 8, 16, 33, 64]),
            multipv: *random.one_of(&[1, 1, 1, 1, 2, 3, 5, 64]),
            shows_wdl: !is_xboard && random.happens(25),
            ponders: random.happens(25),
            uses_tables: soak.tables.is_some() && random.happens(50),
            search,
            has_leaf_search,
            is_full_strength: level.is_none() && elo.is_none(),
            options,
        }
    }
}

/// A start position, and whether castling is that of Chess960.
fn start(random: &mut SplitMix64) -> (Position, bool) {
    match random.below(100) {
        0..35 => (after_random_moves(Position::default(), random), false),
        35..55 => {
            let white = random.below(960) as u16;
            let black = if random.happens(50) { white } else { random.below(960) as u16 };
            let setup = Setup::chess960(white, black).validate();
            (after_random_moves(setup.expect("start positions are valid"), random), true)
        }
        _ => (endgame(random), random.happens(20)),
    }
}

fn after_random_moves(position: Position, random: &mut SplitMix64) -> Position {
    let mut game = Game::new(position);
    for _ in 0..random.below(40) {
        if game.ending().is_some() {
            game.take_back();
            break;
        }
        let mv = *random.one_of(&game.position().legal_moves());
        game.play(mv).expect("a generated move is legal");
    }
    game.position().clone()
}

/// A random position of three to seven pieces. The game may be over.
fn endgame(random: &mut SplitMix64) -> Position {
    loop {
        let pieces = random.between(1, 5);
        let mut board = [b'1'; 64];
        for letter in [b'K', b'k'] {
            board[random.below(64) as usize] = letter;
        }
        for _ in 0..pieces {
            board[random.below(64) as usize] = *random.one_of(b"PNBRQpnbrqPp");
        }
        let rows: Vec<_> = board.chunks(8).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let side = random.one_of(&["w", "b"]);
        let clock = if random.happens(15) { random.below(100) } else { 0 };
        if let Ok(position) = format!("{} {side} - - {clock} 60", rows.join("/")).parse() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn soak() -> Soak {
        let tables = Some("tables".to_owned());
        Soak { seed: 1, plies: 24, tables, patience: Duration::ZERO, slack: Duration::ZERO }
    }

    #[test]
    fn a_scenario_depends_only_on_seed_and_number() {
        let draw =
            |seed, number| format!("{:?}", Scenario::draw(&mut Scenario::random(seed, number), &soak()));
        for number in 0..50 {
            assert_eq!(draw(1, number), draw(1, number));
            assert_ne!(draw(1, number), draw(2, number));
            assert_ne!(draw(1, number), draw(1, number + 1));
        }
    }

    #[test]
    fn all_kinds_of_scenarios_are_drawn() {
        let draw = |number| Scenario::draw(&mut Scenario::random(1, number), &soak());
        let all: Vec<_> = (0..400).map(draw).collect();
        let count = |is: &dyn Fn(&Scenario) -> bool| all.iter().filter(|scenario| is(scenario)).count();
        assert!((80..240).contains(&count(&|scenario| scenario.is_xboard)));
        assert!(count(&|scenario| scenario.is_chess960) > 40);
        assert!(count(&|scenario| scenario.uses_tables && scenario.start.occupied().count() <= 4) > 20);
        assert!(count(&|scenario| scenario.threads == 4) > 20 && count(&|scenario| scenario.hash == 64) > 10);
        assert!(count(&|scenario| !scenario.is_full_strength) > 40);
        for algorithm in Algorithm::ALL {
            assert!(count(&|scenario| scenario.search == algorithm) > 40);
        }
        for has_leaf_search in [false, true] {
            let is_mcts = |scenario: &Scenario| scenario.search == Algorithm::Mcts;
            let is = |scenario: &Scenario| is_mcts(scenario) && scenario.has_leaf_search == has_leaf_search;
            assert!(count(&is) > 20);
        }
        assert!(
            all.iter().all(|scenario| scenario.plies <= 24) && count(&|scenario| scenario.plies == 24) > 5
        );
        assert!(count(&|scenario| scenario.ponders) > 40 && count(&|scenario| scenario.multipv > 1) > 80);
    }
}
