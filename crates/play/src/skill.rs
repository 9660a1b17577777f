//! Skill: the playing strength of the engine as a person chooses it, by level or by rating.

use std::fmt;
use std::str::FromStr;

use rukh_engine::strength::Strength;

/// The chosen strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Skill {
    /// Full strength.
    #[default]
    Full,
    /// A level from 0 to [`Strength::MAX_LEVEL`].
    Level(u32),
    /// A rating from [`Strength::MIN_ELO`] to [`Strength::MAX_ELO`].
    Elo(u32),
}

impl Skill {
    /// The strength to set in the engine; `None` for full strength.
    pub(crate) fn strength(self) -> Option<Strength> {
        let strength = match self {
            Self::Full => return None,
            Self::Level(level) => Strength::of_level(level),
            Self::Elo(elo) => Strength::of_elo(elo),
        };
        Some(strength).filter(|strength| !strength.is_full())
    }
}

/// Parses a level.
pub fn read_level(text: &str) -> Result<Skill, String> {
    let level = text.parse().ok().filter(|level| (0..=Strength::MAX_LEVEL).contains(level));
    level
        .map(Skill::Level)
        .ok_or_else(|| format!("{text:?} is not a level from 0 to {}", Strength::MAX_LEVEL))
}

/// Parses a rating.
pub fn read_elo(text: &str) -> Result<Skill, String> {
    let (least, most) = (Strength::MIN_ELO, Strength::MAX_ELO);
    let elo = text.parse().ok().filter(|elo| (least..=most).contains(elo));
    elo.map(Skill::Elo).ok_or_else(|| format!("{text:?} is not a rating from {least} to {most}"))
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("full strength"),
            Self::Level(level) => write!(f, "level {level}"),
            Self::Elo(elo) => write!(f, "{elo} Elo"),
        }
    }
}

impl FromStr for Skill {
    type Err = String;

    /// Parses what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == Self::Full.to_string() {
            return Ok(Self::Full);
        }
        match (text.strip_prefix("level "), text.strip_suffix(" Elo")) {
            (Some(level), _) => read_level(level),
            (None, Some(elo)) => read_elo(elo),
            (None, None) => Err(format!("{text:?} is not a strength")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_are_written_and_read() {
        for skill in [Skill::Full, Skill::Level(0), Skill::Level(20), Skill::Elo(800), Skill::Elo(3_200)] {
            assert_eq!(skill.to_string().parse(), Ok(skill));
        }
        assert_eq!(read_level("21").expect_err("it is too high"), "\"21\" is not a level from 0 to 20");
        assert_eq!(read_elo("100").expect_err("it is too low"), "\"100\" is not a rating from 800 to 3200");
        assert!("strong".parse::<Skill>().is_err());
    }

    #[test]
    fn less_skill_is_less_strength() {
        assert_eq!((Skill::Full.strength(), Skill::Level(20).strength()), (None, None));
        assert_eq!(Skill::Elo(1_234).strength(), Some(Strength::of_elo(1_234)));
        let elo = |level: u32| Skill::Level(level).strength().map(Strength::elo);
        assert!(elo(0) < elo(1) && elo(1) < elo(19));
    }
}
