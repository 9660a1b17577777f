//! Trials: encounters that are played in turn until each is decided.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use rukh_engine::threads::NoThread;

use crate::arena::{Finished, Fixture, GameResult, Match, Standings};
use crate::stats::{Sprt, Verdict};

/// Each of `candidates` candidates against the base. The base is the first entrant.
pub fn challenge(candidates: usize) -> Vec<(usize, usize)> {
    (1..=candidates).map(|candidate| (candidate, 0)).collect()
}

/// The standings of several encounters, with a verdict for each. A verdict stays: games of a decided encounter no longer count.
#[derive(Clone, Debug)]
pub struct Trials {
    sprt: Option<Sprt>,
    standings: Standings,
    verdicts: Vec<Verdict>,
}

impl Trials {
    /// Before the first game. Without a test all encounters stay open.
    pub fn new(of: &Match, sprt: Option<Sprt>) -> Self {
        let standings = Standings::new(&of.schedule, of.entrants.len());
        Self { sprt, standings, verdicts: vec![Verdict::Open; of.schedule.encounters().len()] }
    }

    /// The test.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// The standings of the games that count.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// The verdict of each encounter.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// Whether every encounter is decided.
    pub fn is_decided(&self) -> bool {
        self.verdicts.iter().all(|&verdict| verdict != Verdict::Open)
    }

    /// Adds a game. Returns whether it counts.
    pub fn add(&mut self, result: &GameResult) -> bool {
        let Fixture { encounter, .. } = result.fixture;
        if self.verdicts[encounter] != Verdict::Open {
            return false;
        }
        self.standings.add(result);
        if let Some(sprt) = &self.sprt {
            self.verdicts[encounter] = sprt.verdict(&self.standings.encounters()[encounter].pairs);
        }
        true
    }

    /// Plays the games of open encounters that are not `done`, in turn, and reports each one that counts, until all are decided,
    /// all games are played, `is_over` is set or `on_game` breaks.
    pub fn play(
        &mut self,
        of: &Match,
        done: &HashSet<usize>,
        is_over: &AtomicBool,
        mut on_game: impl FnMut(&Self, &Finished) -> ControlFlow<()>,
    ) -> Result<(), NoThread> {
        if self.is_decided() {
            return Ok(());
        }
        let is_open: Vec<AtomicBool> =
            self.verdicts.iter().map(|&verdict| AtomicBool::new(verdict == Verdict::Open)).collect();
        let is_wanted = |fixture: &Fixture| {
            is_open[fixture.encounter].load(Ordering::Relaxed) && !done.contains(&fixture.index)
        };
        of.run_wanted(&is_wanted, is_over, |game| {
            if !self.add(&game.result) {
                return ControlFlow::Continue(());
            }
            let encounter = game.result.fixture.encounter;
            is_open[encounter].store(self.verdicts[encounter] == Verdict::Open, Ordering::Relaxed);
            match on_game(self, &game) {
                ControlFlow::Continue(()) if !self.is_decided() => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use rukh_chess::Color;
    use rukh_chess::game::Outcome;
    use rukh_chess::random::SplitMix64;

    use super::super::factor::Factor;
    use super::super::screen::Screen;
    use super::*;
    use crate::arena::{Adjudication, Book, Control, Effort, Entrant, Protocol, Schedule};
    use crate::stats::{Effects, Elo, Hypotheses, Model};

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

    fn a_match(entrants: Vec<Entrant>, encounters: Vec<(usize, usize)>, games: usize) -> Match {
        Match {
            event: "Test".to_owned(),
            entrants,
            schedule: Schedule::of_encounters(encounters, games, 1),
            book: Book::standard(),
            adjudication: Adjudication::default(),
            patience: Duration::from_secs(1),
            concurrency: 1,
        }
    }

    /// A synthetic game source: draws the result of a fixture by the difference of the first entrant of its encounter to the
    /// second. The opening of a pair favours one colour by up to 60 Elo, and about half of the level games are drawn.
    struct Source {
        random: SplitMix64,
        opening: f64,
    }

    impl Source {
        fn new(seed: u64) -> Self {
            Self { random: SplitMix64::new(seed), opening: 0.0 }
        }

        fn play(&mut self, fixture: Fixture, difference: f64) -> GameResult {
            let is_swapped = fixture.index % 2 == 1;
            if !is_swapped {
                self.opening = 120.0 * (self.random.share() - 0.5);
            }
            let first = if is_swapped { Color::Black } else { Color::White };
            let white = if is_swapped { -difference } else { difference } + self.opening;
            let score = Elo(white).score();
            let draw = 2.0 * score.min(1.0 - score) * 0.5;
            let number = self.random.share();
            let outcome = match () {
                () if number < draw => Outcome::Draw,
                () if number < draw / 2.0 + score => Outcome::Win(Color::White),
                () => Outcome::Win(Color::Black),
            };
            debug_assert!(fixture.players[first] != fixture.players[!first]);
            GameResult { fixture, outcome, fault: None, effort: [Effort::default(); 2] }
        }
    }

    /// The effects of a screen whose games come from a synthetic source, with the effects `planted`.
    fn simulate(planted: &[f64], games: usize, seed: u64, distort: impl Fn(&[bool]) -> f64) -> Effects {
        let factors = (0..planted.len()).map(|number| format!("f{number}=T+=t{number}").parse::<Factor>());
        let factors = factors.collect::<Result<Vec<_>, _>>().expect("they are well formed");
        let screen = Screen::new(entrant("base"), factors, seed).expect("it is a screen");
        let of = a_match(screen.entrants(), screen.encounters(), games);
        // The strength of an engine by the options it has, as a program would see them.
        let strength = |entrant: &Entrant| {
            let list = &entrant.options[0].1;
            let has = |number: usize| list.split(',').any(|item| item == format!("t{number}"));
            let levels: Vec<bool> = (0..planted.len()).map(has).collect();
            let sum: f64 = levels.iter().zip(planted).filter(|(is_on, _)| **is_on).map(|(_, elo)| elo).sum();
            sum + distort(&levels)
        };
        let strengths: Vec<f64> = of.entrants.iter().map(strength).collect();
        let mut trials = Trials::new(&of, None);
        let mut source = Source::new(seed ^ 0x5eed);
        for index in 0..of.schedule.len() {
            let fixture = of.schedule.fixture(index);
            let (first, second) = of.schedule.encounters()[fixture.encounter];
            assert!(trials.add(&source.play(fixture, strengths[first] - strengths[second])));
        }
        let pairs: Vec<_> = trials.standings().encounters().iter().map(|encounter| encounter.pairs).collect();
        Effects::of(screen.design(), &pairs).expect("there are pairs")
    }

    #[test]
    fn planted_effects_are_recovered_within_their_errors() {
        let planted = [8.0, -15.0, 0.0, 3.0, 25.0, -4.0, 0.0, 12.0, -40.0, 6.0];
        // Any two of the first five factors together gain or lose: an interaction of two factors cancels in a fold-over.
        let distort = |levels: &[bool]| {
            let on = levels[..5].iter().filter(|&&is_on| is_on).count() as f64;
            3.0 * on * (on - 1.0) / 2.0
        };
        let effects = simulate(&planted, 4_000, 11, distort);
        // In the mean over the levels of the others each of the five meets two of the others.
        let expected = |place: usize| planted[place] + if place < 5 { 3.0 * 2.0 } else { 0.0 };
        for (place, effect) in effects.factors.iter().enumerate() {
            assert!(effect.deviation > 0.5 && effect.deviation < 2.5, "{effect:?}");
            let z = (effect.elo - expected(place)) / effect.deviation;
            assert!(z.abs() < 3.5, "factor {place}: {effect:?} for {}", expected(place));
        }
        assert!(effects.constant.z().abs() < 3.5, "{:?}", effects.constant);
        assert!(effects.factors[8].z() < -10.0 && effects.factors[4].z() > 10.0, "{effects:?}");
    }

    /// Over many screens the errors in units of their stated deviation have the deviation 1 and exceed 1.96 once in twenty.
    #[test]
    fn stated_errors_are_those_that_are_made() {
        const SCREENS: u64 = 150;
        let planted = [10.0, -20.0, 0.0, 5.0, 0.0, -8.0];
        let (mut squares, mut outside, mut misfit, mut sum) = (0.0, 0, 0.0, 0.0);
        for seed in 0..SCREENS {
            let effects = simulate(&planted, 60, 100 + seed, |_| 0.0);
            for (effect, elo) in effects.factors.iter().zip(planted).chain([(&effects.constant, 0.0)]) {
                let z = (effect.elo - elo) / effect.deviation;
                squares += z * z;
                sum += z;
                outside += u32::from(z.abs() > 1.96);
            }
            assert_eq!(effects.freedom, 1);
            misfit += effects.misfit;
        }
        let count = SCREENS as f64 * 7.0;
        let (deviation, mean, share) = ((squares / count).sqrt(), sum / count, f64::from(outside) / count);
        assert!((deviation - 1.0).abs() < 0.08, "deviation {deviation}");
        assert!(mean.abs() < 0.1, "mean {mean}");
        assert!((share - 0.05).abs() < 0.025, "outside {share}");
        let misfit = misfit / SCREENS as f64;
        assert!((misfit - 1.0).abs() < 0.4, "misfit {misfit}");
    }

    /// Candidates of known strength: the good pass, the bad fail, and a verdict stays.
    #[test]
    fn decided_candidates_stop_and_the_others_play_on() {
        let differences = [40.0, -40.0, 0.0];
        let of = a_match(["base", "good", "bad", "equal"].map(entrant).into(), challenge(3), 4_000);
        let hypotheses = Hypotheses { model: Model::Normalised, elo0: 0.0, elo1: 20.0 };
        let mut trials = Trials::new(&of, Some(Sprt { hypotheses, alpha: 0.05, beta: 0.05 }));
        let mut source = Source::new(4);
        let mut counted = [0_u64; 3];
        for index in 0..of.schedule.len() {
            let fixture = of.schedule.fixture(index);
            let was_open = trials.verdicts()[fixture.encounter] == Verdict::Open;
            let counts = trials.add(&source.play(fixture, differences[fixture.encounter]));
            assert_eq!(counts, was_open);
            counted[fixture.encounter] += u64::from(counts);
        }
        assert_eq!(trials.verdicts()[..2], [Verdict::Passed, Verdict::Failed]);
        let games: Vec<u64> = trials.standings().encounters().iter().map(|it| it.tally.games()).collect();
        assert_eq!(games, counted);
        assert!(games[0] < 4_000 && games[1] < 4_000, "{games:?}");
    }

    /// Games that come from a state file in the order in which they were saved lead to the same standings and verdicts.
    #[test]
    fn a_resumed_workshop_equals_a_whole_one() {
        let of = a_match(["base", "one", "two"].map(entrant).into(), challenge(2), 600);
        let hypotheses = Hypotheses { model: Model::Normalised, elo0: 0.0, elo1: 30.0 };
        let sprt = Some(Sprt { hypotheses, alpha: 0.05, beta: 0.05 });
        let mut source = Source::new(9);
        let all = (0..of.schedule.len()).map(|index| of.schedule.fixture(index));
        let results: Vec<_> =
            all.map(|fixture| source.play(fixture, [25.0, -25.0][fixture.encounter])).collect();
        let mut whole = Trials::new(&of, sprt);
        let saved: Vec<_> = results.iter().filter(|result| whole.add(result)).collect();
        assert!(whole.is_decided() && saved.len() < results.len(), "{:?}", whole.verdicts());
        for cut in [0, 1, 77, saved.len()] {
            let mut resumed = Trials::new(&of, sprt);
            assert!(saved[..cut].iter().all(|result| resumed.add(result)));
            let done: HashSet<usize> = saved[..cut].iter().map(|result| result.fixture.index).collect();
            let rest = results.iter().filter(|result| !done.contains(&result.fixture.index));
            rest.for_each(|result| {
                resumed.add(result);
            });
            assert_eq!(resumed.verdicts(), whole.verdicts());
            assert_eq!(resumed.standings().encounters(), whole.standings().encounters());
        }
    }
}
