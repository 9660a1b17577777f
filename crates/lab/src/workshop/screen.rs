//! A screen: the engines of a screening design, each row against its opposite.

use crate::arena::Entrant;
use crate::stats::{Design, MAX_FACTORS};

use super::factor::{Factor, Level};

/// Factors, their design and the engine that has them.
#[derive(Clone, Debug)]
pub struct Screen {
    base: Entrant,
    factors: Vec<Factor>,
    design: Design,
}

impl Screen {
    /// A screen of these factors. Refused are none, too many, two of one name, and two that set the same option.
    pub fn new(base: Entrant, factors: Vec<Factor>, seed: u64) -> Result<Self, String> {
        if factors.is_empty() {
            return Err("a screen needs a factor: give --switch, --tunable or --factor".to_owned());
        }
        let design = Design::new(factors.len(), seed).ok_or_else(|| {
            format!("{} factors are too many; a screen has at most {MAX_FACTORS}", factors.len())
        })?;
        for (at, factor) in factors.iter().enumerate() {
            for other in &factors[..at] {
                check(other, factor)?;
            }
            for (option, item) in factor.high.added.iter().chain(&factor.low.added) {
                if items(&base, option).any(|known| known == item) {
                    return Err(format!(
                        "the engine has {item:?} in {option:?} already, so the factor {:?} has no effect",
                        factor.name
                    ));
                }
            }
        }
        Ok(Self { base, factors, design })
    }

    /// The factors.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The engines: for each row that of its levels, then its opposite. All have the same options with other values.
    pub fn entrants(&self) -> Vec<Entrant> {
        let rows = self.design.rows().iter().zip(1..);
        rows.flat_map(|(row, number)| {
            let opposite: Vec<bool> = row.iter().map(|is_high| !is_high).collect();
            [
                self.entrant(format!("row {number}"), row),
                self.entrant(format!("opposite {number}"), &opposite),
            ]
        })
        .collect()
    }

    /// Each row against its opposite.
    pub fn encounters(&self) -> Vec<(usize, usize)> {
        (0..self.design.rows().len()).map(|row| (2 * row, 2 * row + 1)).collect()
    }

    /// The engine with these levels.
    fn entrant(&self, name: String, is_high: &[bool]) -> Entrant {
        let mut entrant = Entrant { name, ..self.base.clone() };
        for (factor, &is_high) in self.factors.iter().zip(is_high) {
            let level = if is_high { &factor.high } else { &factor.low };
            for (option, value) in &level.set {
                *value_of(&mut entrant, option) = value.clone();
            }
            // A list that is empty at this level is set all the same: the engine may have played another level before.
            for (option, _) in factor.high.added.iter().chain(&factor.low.added) {
                value_of(&mut entrant, option);
            }
            for (option, item) in &level.added {
                let list = value_of(&mut entrant, option);
                if !list.is_empty() {
                    list.push(',');
                }
                list.push_str(item);
            }
        }
        entrant
    }
}

/// The value of an option, empty if it has none yet.
fn value_of<'e>(entrant: &'e mut Entrant, option: &str) -> &'e mut String {
    let place =
        entrant.options.iter().rposition(|(name, _)| name.eq_ignore_ascii_case(option)).unwrap_or_else(
            || {
                entrant.options.push((option.to_owned(), String::new()));
                entrant.options.len() - 1
            },
        );
    &mut entrant.options[place].1
}

/// The items that an engine has in an option by itself.
fn items<'e>(base: &'e Entrant, option: &str) -> impl Iterator<Item = &'e str> {
    let of = base.options.iter().rfind(|(name, _)| name.eq_ignore_ascii_case(option));
    of.into_iter().flat_map(|(_, value)| value.split(',').map(str::trim))
}

/// Refuses two factors that cannot be told apart.
fn check(one: &Factor, other: &Factor) -> Result<(), String> {
    if one.name == other.name {
        return Err(format!("two factors are called {:?}", one.name));
    }
    let sets =
        |level: &Level, option: &str| level.set.iter().any(|(known, _)| known.eq_ignore_ascii_case(option));
    let adds = |level: &Level, option: &str, item: Option<&str>| {
        let is_it = |(known, its): &(String, String)| {
            known.eq_ignore_ascii_case(option) && item.is_none_or(|item| its == item)
        };
        level.added.iter().any(is_it)
    };
    for (one, other) in [(one, other), (other, one)] {
        for level in [&one.high, &one.low] {
            for (option, _) in &level.set {
                if [&other.high, &other.low].iter().any(|it| sets(it, option) || adds(it, option, None)) {
                    return Err(format!(
                        "the factors {:?} and {:?} both set {option:?}",
                        one.name, other.name
                    ));
                }
            }
            for (option, item) in &level.added {
                if [&other.high, &other.low].iter().any(|it| adds(it, option, Some(item))) {
                    return Err(format!(
                        "the factors {:?} and {:?} both add {item:?} to {option:?}",
                        one.name, other.name
                    ));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::arena::{Control, Protocol};

    fn base(options: &[(&str, &str)]) -> Entrant {
        Entrant {
            name: "base".to_owned(),
            command: PathBuf::from("engine"),
            args: Vec::new(),
            directory: None,
            protocol: Protocol::Uci,
            options: options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
            control: Control { nodes: Some(100), ..Control::default() },
            ponders: false,
        }
    }

    fn factors(texts: &[&str]) -> Vec<Factor> {
        texts.iter().map(|text| text.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
    }

    /// Every engine has every option of every factor, lists are merged, and the opposite of a row has the other levels.
    #[test]
    fn levels_are_merged_into_the_options() {
        let texts = ["a=Techniques+=one", "b=Techniques+=two|Techniques+=three", "c=Contempt=20|Contempt=0"];
        let screen =
            Screen::new(base(&[("Hash", "8"), ("Techniques", "zero")]), factors(&texts), 1).expect("valid");
        let entrants = screen.entrants();
        assert_eq!((entrants.len(), screen.encounters()), (8, vec![(0, 1), (2, 3), (4, 5), (6, 7)]));
        for (row, pair) in screen.design().rows().iter().zip(entrants.chunks(2)) {
            for (entrant, is_opposite) in [(&pair[0], false), (&pair[1], true)] {
                let is_high = |place: usize| row[place] != is_opposite;
                let one = if is_high(0) { ",one" } else { "" };
                let two = if is_high(1) { "two" } else { "three" };
                let contempt = if is_high(2) { "20" } else { "0" };
                let expected = [
                    ("Hash", "8".to_owned()),
                    ("Techniques", format!("zero{one},{two}")),
                    ("Contempt", contempt.to_owned()),
                ];
                let found: Vec<_> =
                    entrant.options.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
                assert_eq!(found, expected, "{}", entrant.name);
            }
        }
        let alone = Screen::new(base(&[]), factors(&["a=Techniques+=one"]), 1).expect("valid").entrants();
        let mut values: Vec<_> = alone.iter().map(|entrant| entrant.options[0].1.as_str()).collect();
        values.sort_unstable();
        assert_eq!(values, ["", "", "one", "one"], "an empty list is set too");
    }

    #[test]
    fn factors_that_cannot_be_told_apart_are_refused() {
        for (texts, complaint) in [
            (&[][..], "needs a factor"),
            (&["a=T+=one", "a=T+=two"], "two factors are called \"a\""),
            (&["a=T+=one", "b=t+=one"], "both add \"one\" to"),
            (&["a=A=1|A=2", "b=a=3|a=4"], "both set"),
            (&["a=A=1|A=2", "b=A+=3"], "both set"),
            (&["a=Base+=zero"], "has \"zero\" in \"Base\" already"),
        ] {
            let error =
                Screen::new(base(&[("Base", "x, zero")]), factors(texts), 1).expect_err("it is refused");
            assert!(error.contains(complaint), "{texts:?}: {error}");
        }
        let many: Vec<String> = (0..=MAX_FACTORS).map(|number| format!("f{number}=T+=t{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let error = Screen::new(base(&[]), factors(&many), 1).expect_err("too many");
        assert_eq!(error, "128 factors are too many; a screen has at most 127");
    }
}
