//! The schedule of a match: round robin or gauntlet, with openings and colours.

use rukh_chess::types::ByColor;

/// How entrants meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Each meets each.
    RoundRobin,
    /// The first meets each of the others.
    Gauntlet,
}

/// One game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its place among all.
    pub index: usize,
    /// The encounter: which two.
    pub encounter: usize,
    /// Which pair of games.
    pub pair: usize,
    /// Whose opening.
    pub round: usize,
    /// The entrants by colour.
    pub players: ByColor<usize>,
}

/// All games of a match, each opening twice with colours swapped, encounters taking turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    rounds: usize,
    /// How many openings later than the encounter before it an encounter begins.
    stride: usize,
}

impl Schedule {
    /// For so many entrants and `games` games of each encounter, which are made even.
    pub fn new(format: Format, entrants: usize, games: usize) -> Self {
        let encounters = match format {
            Format::RoundRobin => (0..entrants)
                .flat_map(|first| (first + 1..entrants).map(move |second| (first, second)))
                .collect(),
            Format::Gauntlet => (1..entrants).map(|second| (0, second)).collect(),
        };
        Self::of_encounters(encounters, games, 0)
    }

    /// These encounters, with `games` games of each, which are made even. Each begins `stride` openings later in the book than
    /// the one before it, so that all together use more of the book.
    pub fn of_encounters(encounters: Vec<(usize, usize)>, games: usize, stride: usize) -> Self {
        Self { encounters, rounds: games.div_ceil(2), stride }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        2 * self.encounters.len() * self.rounds
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The two entrants of each encounter.
    pub fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    /// The game of that place.
    pub fn fixture(&self, index: usize) -> Fixture {
        let pair = index / 2;
        let encounter = pair % self.encounters.len();
        let (first, second) = self.encounters[encounter];
        let is_swapped = index % 2 == 1;
        let players = ByColor(if is_swapped { [second, first] } else { [first, second] });
        let round = pair / self.encounters.len() + encounter * self.stride;
        Fixture { index, encounter, pair, round, players }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::Color;

    #[test]
    fn everyone_meets_everyone_with_both_colours_from_every_opening() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 6);
        assert_eq!(schedule.len(), 6 * 6);
        let mut rounds_of = std::collections::HashMap::new();
        for index in 0..schedule.len() {
            let Fixture { round, players, .. } = schedule.fixture(index);
            let meetings =
                rounds_of.entry((players[Color::White], players[Color::Black])).or_insert_with(Vec::new);
            meetings.push(round);
        }
        assert_eq!(rounds_of.len(), 12);
        assert!(rounds_of.values().all(|rounds| rounds == &[0, 1, 2]));
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let schedule = Schedule::new(Format::Gauntlet, 3, 3);
        assert_eq!(schedule.encounters(), [(0, 1), (0, 2)]);
        assert_eq!(schedule.len(), 8, "games are made even");
        assert!(Schedule::new(Format::Gauntlet, 1, 10).is_empty());
        assert!(Schedule::new(Format::RoundRobin, 2, 0).is_empty());
    }

    #[test]
    fn encounters_can_begin_at_different_openings() {
        let schedule = Schedule::of_encounters(vec![(1, 0), (2, 0)], 3, 10);
        let rounds: Vec<_> = (0..schedule.len()).map(|index| schedule.fixture(index).round).collect();
        assert_eq!(rounds, [0, 0, 10, 10, 1, 1, 11, 11]);
        assert_eq!(schedule.fixture(2).players, ByColor([2, 0]));
    }

    #[test]
    fn the_games_of_a_pair_differ_in_colours_alone() {
        let schedule = Schedule::new(Format::RoundRobin, 3, 10);
        for pair in 0..schedule.len() / 2 {
            let (first, second) = (schedule.fixture(2 * pair), schedule.fixture(2 * pair + 1));
            assert_eq!(
                (first.pair, first.round, first.encounter),
                (second.pair, second.round, second.encounter)
            );
            assert_eq!(first.players[Color::White], second.players[Color::Black]);
        }
    }
}
