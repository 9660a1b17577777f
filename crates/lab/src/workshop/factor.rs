//! Factors of a screening design: what a level sets in the engine.

use std::str::FromStr;

/// What an engine has at one level of a factor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// Names and values of options that are set.
    pub set: Vec<(String, String)>,
    /// Names of options that hold a comma-separated list, each with an item that is added to it.
    pub added: Vec<(String, String)>,
}

/// A factor with two levels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// The name in results.
    pub name: String,
    /// The level whose effect is measured.
    pub high: Level,
    /// The level it is compared to.
    pub low: Level,
}

impl Factor {
    /// Reads `OPTION=NAME,...`: a factor for each name, which is in the list of the option at the high level.
    pub fn switches(text: &str) -> Result<Vec<Self>, String> {
        let bad = || format!("{text:?} is not a switch; write OPTION=NAME, such as Techniques=null-move");
        let (option, names) = text.split_once('=').ok_or_else(bad)?;
        let (option, names) = (option.trim(), names.split(',').map(str::trim));
        let switch = |name: &str| {
            let high = Level { added: vec![(option.to_owned(), name.to_owned())], ..Level::default() };
            Self { name: name.to_owned(), high, low: Level::default() }
        };
        match option.is_empty() || names.clone().any(str::is_empty) {
            true => Err(bad()),
            false => Ok(names.map(switch).collect()),
        }
    }

    /// Reads `OPTION=LOW:HIGH`: a factor with two values of an option.
    pub fn tunable(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('=').and_then(|(name, values)| Some((name.trim(), values.split_once(':')?)));
        match parts {
            Some((name, (low, high))) if !name.is_empty() => {
                let level = |value: &str| Level {
                    set: vec![(name.to_owned(), value.trim().to_owned())],
                    ..Level::default()
                };
                Self { name: name.to_owned(), high: level(high), low: level(low) }.checked()
            }
            _ => Err(format!("{text:?} is not a tunable; write OPTION=LOW:HIGH, such as lmr_base=60:100")),
        }
    }

    /// Both levels set the same options, and not to the same values.
    fn checked(self) -> Result<Self, String> {
        let Self { name, high, low } = &self;
        if high == low {
            return Err(format!("the levels of the factor {name:?} are the same"));
        }
        for (one, other) in [(high, low), (low, high)] {
            for (at, (option, _)) in one.set.iter().enumerate() {
                if one.set[..at].iter().any(|(before, _)| before.eq_ignore_ascii_case(option)) {
                    return Err(format!("the factor {name:?} sets {option:?} twice at one level"));
                }
                if !other.set.iter().any(|(known, _)| known.eq_ignore_ascii_case(option)) {
                    return Err(format!(
                        "the factor {name:?} sets {option:?} at one level only; give both values"
                    ));
                }
            }
        }
        Ok(self)
    }
}

impl FromStr for Factor {
    type Err = String;

    /// Reads `NAME=HIGH|LOW`. A level is a list of `OPTION=VALUE` and `OPTION+=ITEM` with commas between them; the low one may be
    /// empty. Commas in quotes belong to a value.
    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || {
            format!(
                "{text:?} is not a factor; write NAME=HIGH|LOW with levels of OPTION=VALUE and OPTION+=ITEM, such as \
                 keen=Contempt=20,Techniques+=probcut|Contempt=0"
            )
        };
        let (name, levels) = text.split_once('=').ok_or_else(bad)?;
        let (high, low) = levels.split_once('|').unwrap_or((levels, ""));
        let name = name.trim().to_owned();
        let level = |text: &str| read_level(text).ok_or_else(bad);
        let factor = Self { high: level(high)?, low: level(low)?, name };
        if factor.name.is_empty() { Err(bad()) } else { factor.checked() }
    }
}

/// Reads the options of a level.
fn read_level(text: &str) -> Option<Level> {
    let mut level = Level::default();
    for part in split(text) {
        let (option, value) = part.split_once('=')?;
        let (option, list) = match option.strip_suffix('+') {
            Some(option) => (option, &mut level.added),
            None => (option, &mut level.set),
        };
        (!option.trim().is_empty()).then_some(())?;
        list.push((option.trim().to_owned(), value.trim().to_owned()));
    }
    Some(level)
}

/// Splits at commas outside of quotes, and removes the quotes.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => parts.push(String::new()),
            letter => parts.last_mut().expect("there is at least one part").push(letter),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn factors_are_read() {
        let factor: Factor =
            "keen=Contempt=20, Techniques+=probcut,Debug Log File=\"a,b\"|Contempt=0,Debug Log File="
                .parse()
                .expect("valid");
        assert_eq!(factor.name, "keen");
        assert_eq!(factor.high.set, pairs(&[("Contempt", "20"), ("Debug Log File", "a,b")]));
        assert_eq!(factor.high.added, pairs(&[("Techniques", "probcut")]));
        assert_eq!(factor.low.set, pairs(&[("Contempt", "0"), ("Debug Log File", "")]));
        let switches = Factor::switches("Techniques=probcut, razoring").expect("valid");
        assert_eq!(switches.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["probcut", "razoring"]);
        assert_eq!(switches[1].high.added, pairs(&[("Techniques", "razoring")]));
        assert_eq!(switches[1].low, Level::default());
        let tunable = Factor::tunable("lmr_base=60:100").expect("valid");
        assert_eq!(
            (tunable.high.set, tunable.low.set),
            (pairs(&[("lmr_base", "100")]), pairs(&[("lmr_base", "60")]))
        );
    }

    #[test]
    fn malformed_factors_are_refused() {
        for (text, complaint) in [
            ("", "not a factor"),
            ("keen", "not a factor"),
            ("=A=1|A=2", "not a factor"),
            ("keen=A|B", "not a factor"),
            ("keen=+=1", "not a factor"),
            ("keen=A=1|A=1", "are the same"),
            ("keen=", "are the same"),
            ("keen=A=1", "sets \"A\" at one level only"),
            ("keen=|A=1", "sets \"A\" at one level only"),
            ("keen=A=1,A=2|A=3", "sets \"A\" twice"),
        ] {
            let error = text.parse::<Factor>().expect_err(text);
            assert!(error.contains(complaint), "{text:?}: {error}");
        }
        for text in ["", "probcut", "=probcut", "Techniques=", "Techniques=a,,b"] {
            assert!(Factor::switches(text).expect_err(text).contains("not a switch"), "{text:?}");
        }
        for text in ["", "a", "a=1", "=1:2"] {
            assert!(Factor::tunable(text).expect_err(text).contains("not a tunable"), "{text:?}");
        }
        assert!(Factor::tunable("a=3:3").expect_err("nothing changes").contains("are the same"));
    }
}
