//! The evaluation as a function of its weights, and its slope.

use rukh_chess::Color;
use rukh_eval::hce::declare::{GroupInfo, Term};
use rukh_eval::hce::king::{DANGER_MAX, DANGER_SQUARED_PER_UNIT};
use rukh_eval::hce::tapered::Tapered;
use rukh_eval::hce::weights;

use super::sample::{Count, Sample};

/// A value for both phases.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Pair {
    pub(super) midgame: f64,
    pub(super) endgame: f64,
}

/// All weights, not yet rounded.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights(pub(super) Vec<Pair>);

impl Weights {
    /// Those of play.
    pub fn of_play() -> Self {
        let pair = |weight: &Tapered| Pair {
            midgame: f64::from(weight.midgame()),
            endgame: f64::from(weight.endgame()),
        };
        Self(weights::DEFAULT.iter().map(pair).collect())
    }

    /// None.
    pub(super) fn zero() -> Self {
        Self(vec![Pair::default(); weights::COUNT])
    }

    /// All numbers, each weight's middlegame before its endgame.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.0.iter().flat_map(|pair| [pair.midgame, pair.endgame])
    }

    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.0.iter_mut().flat_map(|pair| [&mut pair.midgame, &mut pair.endgame])
    }

    // ANCHOR: sum
    fn sum(&self, counts: &[Count]) -> Pair {
        counts.iter().fold(Pair::default(), |sum, count| {
            let (weight, times) = (self.0[usize::from(count.weight)], f64::from(count.times));
            Pair {
                midgame: sum.midgame + times * weight.midgame,
                endgame: sum.endgame + times * weight.endgame,
            }
        })
    }
    // ANCHOR_END: sum

    // ANCHOR: spread
    /// Adds `slope` for each time a weight counts.
    fn spread(&mut self, counts: &[Count], slope: Pair) {
        for count in counts {
            let (pair, times) = (&mut self.0[usize::from(count.weight)], f64::from(count.times));
            pair.midgame += times * slope.midgame;
            pair.endgame += times * slope.endgame;
        }
    }
    // ANCHOR_END: spread

    /// What White has in `sample`, in internal units. With a `gradient` the slope times `factor`, which depends on the value, is
    /// added to it.
    pub(super) fn value(&self, sample: &Sample, gradient: Option<(&mut Self, &dyn Fn(f64) -> f64)>) -> f64 {
        let mut sum = self.sum(&sample.linear);
        let dangers = [Color::White, Color::Black].map(|side| {
            let danger = Danger::of(self.sum(&sample.danger[side]));
            let sign = if side == Color::White { -1.0 } else { 1.0 };
            sum.midgame += sign * danger.value.midgame;
            sum.endgame += sign * danger.value.endgame;
            (side, sign, danger)
        });
        // The sign of the endgame score is kept.
        let before = sum.endgame;
        let initiative = sample.initiative.as_ref().map(|(side, counts)| {
            let sign = if *side == Color::White { 1.0 } else { -1.0 };
            let wanted = self.sum(counts).endgame;
            let floor = -(sign * before);
            let is_cut = wanted < floor;
            sum.endgame += sign * wanted.max(floor);
            (sign, is_cut, counts)
        });
        let value = sum.midgame * f64::from(sample.midgame) + sum.endgame * f64::from(sample.endgame);

        if let Some((gradient, factor)) = gradient {
            let factor = factor(value);
            let mut slope = Pair {
                midgame: factor * f64::from(sample.midgame),
                endgame: factor * f64::from(sample.endgame),
            };
            if let Some((sign, is_cut, counts)) = initiative {
                if is_cut {
                    // The endgame is level whatever the weights are.
                    slope.endgame = 0.0;
                } else {
                    gradient.spread(counts, Pair { midgame: 0.0, endgame: sign * slope.endgame });
                }
            }
            gradient.spread(&sample.linear, slope);
            for (side, sign, danger) in dangers {
                let slope = Pair {
                    midgame: sign * slope.midgame * danger.slope.midgame,
                    endgame: sign * slope.endgame * danger.slope.endgame,
                };
                gradient.spread(&sample.danger[side], slope);
            }
        }
        value
    }

    /// As they are written in the source, group by group: the body of the declaration.
    pub fn source(&self) -> String {
        weights::GROUPS.iter().map(|group| self.group_source(group)).collect()
    }

    fn group_source(&self, group: &GroupInfo) -> String {
        const WIDTH: usize = 110;
        const FILES: usize = 4;
        let pairs = self.0[group.start..group.start + group.len].iter();
        let pairs = pairs.map(|pair| format!("({:.0}, {:.0})", whole(pair.midgame), whole(pair.endgame)));
        let pairs: Vec<String> = pairs.collect();
        let (sentence, name, term) = (group.sentence.trim(), group.name, group.term);
        let on_one_line = format!("    {name} in {term:?} = [{}];\n", pairs.join(", "));
        let declaration = match on_one_line.len() <= WIDTH {
            true => on_one_line,
            false => {
                let in_a_row = if term == Term::Squares { FILES } else { WIDTH / "(-100, -100), ".len() };
                let rows = pairs.chunks(in_a_row).map(|row| format!("        {},\n", row.join(", ")));
                format!("    {name} in {term:?} = [\n{}    ];\n", rows.collect::<String>())
            }
        };
        format!("    /// {sentence}\n{declaration}")
    }

    /// Reads what [`Self::source`] wrote, or a declaration like it; what is not there is as in play.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut weights = Self::of_play();
        let mut found = 0;
        for group in &weights::GROUPS {
            let is_name =
                |(at, _): &(usize, &str)| text[..*at].chars().next_back().is_none_or(char::is_whitespace);
            let declaration = format!("{} in ", group.name);
            let Some((at, _)) = text.match_indices(&declaration).find(is_name) else { continue };
            found += 1;
            let numbers = text[at..].split_once('[').and_then(|(_, rest)| rest.split_once("];"));
            let numbers = numbers.map_or("", |(numbers, _)| numbers);
            let numbers = numbers.split(|c: char| !c.is_ascii_digit() && c != '-' && c != '.');
            let numbers: Option<Vec<f64>> =
                numbers.filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.len() == 2 * group.len);
            let numbers =
                numbers.ok_or_else(|| format!("{} is not {} pairs of numbers", group.name, group.len))?;
            let pairs = numbers.chunks(2).map(|pair| Pair { midgame: pair[0], endgame: pair[1] });
            weights.0[group.start..group.start + group.len]
                .iter_mut()
                .zip(pairs)
                .for_each(|(to, pair)| *to = pair);
        }
        if found == 0 {
            return Err("there are no weights in it".to_owned());
        }
        Ok(weights)
    }
}

/// Rounded, without a negative zero.
fn whole(value: f64) -> f64 {
    value.round() + 0.0
}

/// What danger to a king costs, and how that grows with it.
struct Danger {
    value: Pair,
    slope: Pair,
}

impl Danger {
    fn of(total: Pair) -> Self {
        let (most, square) = (f64::from(DANGER_MAX), f64::from(DANGER_SQUARED_PER_UNIT));
        let units = total.midgame.clamp(0.0, most);
        let grows = total.midgame > 0.0 && total.midgame < most;
        Self {
            value: Pair { midgame: units * units / square, endgame: total.endgame.max(0.0) },
            slope: Pair {
                midgame: if grows { 2.0 * units / square } else { 0.0 },
                endgame: f64::from(u8::from(total.endgame > 0.0)),
            },
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rukh_chess::Position;
    use rukh_eval::hce::evaluate;

    /// Positions in which everything that can count does so somewhere.
    pub(in super::super) const POSITIONS: [&str; 8] = [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2kr3r/ppp2ppp/2n5/4Pb2/8/2N2q2/PPP2P1P/R1BQ1RK1 w - - 0 14",
        "8/5pk1/3p2p1/2pPp2p/2P1P2P/3K2P1/8/8 w - - 12 40",
        "3r2k1/5pp1/1p2p2p/p2n4/P2P4/1P3NP1/5P1P/2R3K1 b - - 3 28",
        "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
        "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 3 17",
        "4rrk1/2p1b1p1/p1p3q1/4p3/2P2n1p/1P1NR2P/PB3PP1/3R1QK1 b - - 2 24",
    ];

    pub(in super::super) fn samples() -> Vec<Sample> {
        let sample = |(at, fen): (usize, &&str)| {
            let position: Position = fen.parse().expect("the positions are valid");
            Sample::new(&position, [0.0, 0.5, 1.0][at % 3]).expect("they are not known endings")
        };
        POSITIONS.iter().enumerate().map(sample).collect()
    }

    /// Up to integer rounding.
    #[test]
    fn the_value_is_that_of_the_evaluation() {
        let weights = Weights::of_play();
        for (fen, sample) in POSITIONS.iter().zip(samples()) {
            let position: Position = fen.parse().expect("the positions are valid");
            let expected = evaluate(&position, &mut ()).value;
            let value = weights.value(&sample, None);
            assert!((value - f64::from(expected)).abs() < 3.0, "{fen}: {value} is not {expected}");
        }
    }

    /// The slope against what a small step really changes, for every weight of every position.
    #[test]
    fn the_slope_is_what_small_steps_show() {
        const STEP: f64 = 1e-4;
        let weights = Weights::of_play();
        for (fen, sample) in POSITIONS.iter().zip(samples()) {
            let mut gradient = Weights::zero();
            weights.value(&sample, Some((&mut gradient, &|_| 1.0)));
            let slopes: Vec<f64> = gradient.numbers().collect();
            for (number, slope) in slopes.iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = weights.clone();
                    *moved.numbers_mut().nth(number).expect("there are as many") += step;
                    moved.value(&sample, None)
                };
                let seen = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                assert!((seen - slope).abs() < 1e-5, "{fen}, number {number}: {slope} is not {seen}");
            }
        }
    }

    #[test]
    fn the_source_has_every_group() {
        let source = Weights::of_play().source();
        assert!(weights::GROUPS.iter().all(|group| source.contains(&format!("{} in ", group.name))));
        assert!(source.lines().all(|line| line.len() <= 120 || line.contains("///")), "{source}");
    }

    #[test]
    fn weights_are_read_back() {
        let mut other = Weights::of_play();
        other.numbers_mut().enumerate().for_each(|(at, number)| *number += (at % 9) as f64 - 4.0);
        assert_eq!(Weights::read(&other.source()), Ok(other));
        assert!(Weights::read("nothing").is_err());
        let one = "PASSED_SUPPORTED in PassedPawns = [(1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)];";
        let read = Weights::read(one).expect("it has a group");
        let changed = read.0.iter().zip(&Weights::of_play().0).filter(|(now, before)| now != before).count();
        assert!((1..=8).contains(&changed), "SUPPORTED is another group");
        let error = Weights::read("MATERIAL in Material = [(1, 2)];").expect_err("there are too few");
        assert!(error.contains("MATERIAL is not 6 pairs"), "{error}");
    }
}
