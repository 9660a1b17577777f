//! Serialisation with serde (feature `serde`): moves as UCI text, scores by kind, durations in milliseconds.
//!
//! The modules here are for `#[serde(with)]`, the functions for `#[serde(serialize_with)]`; other crates use them for their
//! own types. Types with moves or scores can be serialised but not deserialised: the text of a move has a meaning only in
//! its position ([`rukh_chess::Position::parse_uci`] reads it), and centipawns are rounded.

use rukh_chess::types::{ByColor, File};
use rukh_chess::{Color, Move, MoveKind, Square};
use rukh_eval::{Score, ScoreKind};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The UCI text of a move, without its position.
///
/// Castling is the king's target square where king and rook stand as in standard chess (`e1g1`), and the rook's square
/// otherwise (`b1a1`). [`rukh_chess::Position::parse_uci`] reads both, and neither has a second meaning.
pub fn uci_text(mv: Move) -> String {
    let promotion = mv.promotion().map_or_else(String::new, |piece| piece.letter().to_string());
    format!("{}{}{promotion}", mv.from(), uci_target(mv))
}

fn uci_target(mv: Move) -> Square {
    let (rook_file, king_file) = match mv.kind() {
        MoveKind::CastleKingSide => (File::H, File::G),
        MoveKind::CastleQueenSide => (File::A, File::C),
        _ => return mv.to(),
    };
    let is_standard = mv.from().file() == File::E && mv.to().file() == rook_file;
    if is_standard { Square::new(king_file, mv.from().rank()) } else { mv.to() }
}

/// Serialises a move as [`uci_text`].
pub fn uci<S: Serializer>(mv: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&uci_text(*mv))
}

/// Serialises an optional move as [`uci_text`] or null.
pub fn optional_uci<S: Serializer>(mv: &Option<Move>, serializer: S) -> Result<S::Ok, S::Error> {
    mv.map(uci_text).serialize(serializer)
}

/// Serialises moves as a list of [`uci_text`].
pub fn uci_list<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(moves.iter().copied().map(uci_text))
}

/// Serialises a score as a map of one entry: `{"cp": 31}` in centipawns as shown to people, `{"mate": -2}` in full moves,
/// `{"tablebase_win": 12}` or `{"tablebase_loss": 12}` in plies from the root.
pub fn score<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    let (kind, value) = match score.kind() {
        ScoreKind::Centipawns(centipawns) => ("cp", centipawns.value()),
        ScoreKind::Mate(moves) => ("mate", moves),
        ScoreKind::Tablebase(plies) if score.is_loss() => ("tablebase_loss", plies.abs()),
        ScoreKind::Tablebase(plies) => ("tablebase_win", plies),
    };
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(kind, &value)?;
    map.end()
}

/// Serialises an optional score as [`score`] or null.
pub fn optional_score<S: Serializer>(value: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
    struct Known(Score);
    impl Serialize for Known {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            score(&self.0, serializer)
        }
    }
    value.map(Known).serialize(serializer)
}

/// Serialises a technique as its name.
impl Serialize for crate::technique::Technique {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Serialises the clocks as `{"white": .., "black": ..}`.
pub(crate) fn clocks<S: Serializer, C: Serialize>(
    clocks: &ByColor<Option<C>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(Color::COUNT))?;
    map.serialize_entry("white", &clocks[Color::White])?;
    map.serialize_entry("black", &clocks[Color::Black])?;
    map.end()
}

/// Durations as whole milliseconds, the unit of UCI.
pub mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    /// Serialises a duration.
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    /// Deserialises a duration.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

/// Serialises an optional duration as whole milliseconds or null.
pub(crate) fn optional_milliseconds<S: Serializer>(
    time: &Option<std::time::Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => milliseconds::serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}

/// Technique overrides as a list of names.
pub(crate) mod techniques {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::technique::{Technique, TechniqueOverrides, TechniqueSet};

    pub(crate) fn serialize<S: Serializer>(
        overrides: &TechniqueOverrides,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let is_overridden = |technique: &&Technique| overrides.has(**technique) != technique.is_in_play();
        serializer.collect_seq(Technique::ALL.iter().filter(is_overridden).map(|technique| technique.name()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<TechniqueOverrides, D::Error> {
        Vec::<String>::deserialize(deserializer)?.join(",").parse().map_err(D::Error::custom)
    }
}

/// Limited strength as `{"elo": 1500, "seed": 7}`, or null for full strength.
pub(crate) mod strength {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::strength::Strength;

    #[derive(Serialize, Deserialize)]
    struct Fields {
        elo: u32,
        #[serde(default)]
        seed: u64,
    }

    pub(crate) fn serialize<S: Serializer>(
        strength: &Option<Strength>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let fields = strength.map(|strength| Fields { elo: strength.elo(), seed: strength.seed() });
        fields.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Strength>, D::Error> {
        let fields = Option::<Fields>::deserialize(deserializer)?;
        Ok(fields.map(|Fields { elo, seed }| Strength::of_elo(elo).seeded(seed)))
    }
}
