//! The manifest of a file of visit distributions: the settings that its games follow from, by name.

use serde_json::{Map, Value};

use super::error::VisitError;
use super::game::Resignation;

/// What the games of a file follow from.
#[derive(Clone, PartialEq, Debug)]
pub struct VisitManifest(Map<String, Value>);

impl VisitManifest {
    /// The manifest of these settings, which are a JSON object.
    pub(super) fn new(settings: Value) -> Self {
        match settings {
            Value::Object(settings) => Self(settings),
            _ => Self(Map::new()),
        }
    }

    /// The settings by name, as JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// A setting as people read it; nothing if it is not there.
    pub fn text(&self, name: &str) -> String {
        match self.0.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        }
    }

    /// When a side resigned.
    pub fn resignation(&self) -> Option<Resignation> {
        let below = self.0.get("resign below")?.as_f64()?;
        let moves = self.0.get("resign moves")?.as_u64()?;
        Some(Resignation { below, moves: u32::try_from(moves).ok()? })
    }

    /// The bytes of the manifest; the same settings always give the same bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.to_json().to_string().into_bytes()
    }

    /// Reads what [`Self::to_bytes`] wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, VisitError> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(settings)) => Ok(Self(settings)),
            _ => Err(VisitError::DamagedHeader),
        }
    }

    /// Whether games played as `wanted` says belong to a file with this manifest; else the first difference.
    pub(super) fn agrees(&self, wanted: &Self) -> Result<(), VisitError> {
        let differs = |name: &&String| self.0.get(*name) != wanted.0.get(*name);
        match self.0.keys().chain(wanted.0.keys()).find(differs) {
            None => Ok(()),
            Some(part) => Err(VisitError::Different {
                part: part.clone(),
                there: self.text(part),
                wanted: wanted.text(part),
            }),
        }
    }
}
