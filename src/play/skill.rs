//! How strongly the engine plays against a person.

use std::fmt;
use std::str::FromStr;

use rukh_engine::api::{Limits, Settings};

/// What a person asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Skill {
    /// As strongly as it can.
    #[default]
    Full,
    /// A level from 0 to [`Skill::MAX_LEVEL`].
    Level(u32),
    /// As a player with this rating.
    Elo(u32),
}

impl Skill {
    /// The level at which it plays as strongly as it can.
    pub(super) const MAX_LEVEL: u32 = 20;
    /// The weakest rating it can pretend to.
    pub(super) const MIN_ELO: u32 = 800;
    /// The strongest rating it can pretend to.
    pub(super) const MAX_ELO: u32 = 3_200;

    /// Makes a search as weak as it is asked to be.
    ///
    /// This stands in for a strength of the search itself: it only looks at fewer positions. Once there is one, it is
    /// set here and nowhere else.
    pub(super) fn weaken(self, _settings: &mut Settings, limits: &mut Limits) {
        const FEWEST: f64 = 16.0;
        const MOST: f64 = 200_000.0;
        let share = match self {
            Self::Full => return,
            Self::Level(level) if level >= Self::MAX_LEVEL => return,
            Self::Level(level) => f64::from(level) / f64::from(Self::MAX_LEVEL),
            Self::Elo(elo) => {
                f64::from(elo.saturating_sub(Self::MIN_ELO)) / f64::from(Self::MAX_ELO - Self::MIN_ELO)
            }
        };
        limits.nodes = Some((FEWEST * (MOST / FEWEST).powf(share.min(1.0))) as u64);
    }
}

/// A level, as an argument.
pub(super) fn read_level(text: &str) -> Result<Skill, String> {
    let level = text.parse().ok().filter(|level| (0..=Skill::MAX_LEVEL).contains(level));
    level.map(Skill::Level).ok_or_else(|| format!("{text:?} is no level from 0 to {}", Skill::MAX_LEVEL))
}

/// A rating, as an argument.
pub(super) fn read_elo(text: &str) -> Result<Skill, String> {
    let (least, most) = (Skill::MIN_ELO, Skill::MAX_ELO);
    let elo = text.parse().ok().filter(|elo| (least..=most).contains(elo));
    elo.map(Skill::Elo).ok_or_else(|| format!("{text:?} is no rating from {least} to {most}"))
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

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == Self::Full.to_string() {
            return Ok(Self::Full);
        }
        match (text.strip_prefix("level "), text.strip_suffix(" Elo")) {
            (Some(level), _) => read_level(level),
            (None, Some(elo)) => read_elo(elo),
            (None, None) => Err(format!("{text:?} is no strength")),
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
        assert_eq!(read_level("21").expect_err("it is too high"), "\"21\" is no level from 0 to 20");
        assert_eq!(read_elo("100").expect_err("it is too low"), "\"100\" is no rating from 800 to 3200");
        assert!("strong".parse::<Skill>().is_err());
    }

    #[test]
    fn less_skill_sees_less() {
        let nodes = |skill: Skill| {
            let mut limits = Limits::default();
            skill.weaken(&mut Settings::default(), &mut limits);
            limits.nodes
        };
        assert_eq!((nodes(Skill::Full), nodes(Skill::Level(20))), (None, None));
        assert!(
            nodes(Skill::Level(0)) < nodes(Skill::Level(1))
                && nodes(Skill::Level(1)) < nodes(Skill::Level(19))
        );
        assert!(nodes(Skill::Elo(900)) < nodes(Skill::Elo(2_000)));
    }
}
