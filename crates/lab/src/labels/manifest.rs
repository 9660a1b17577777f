//! The manifest of a file of labels: everything that its labels follow from.

use serde_json::{Value, json};

use super::error::LabelError;

/// What the labels of a file follow from.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// The version of the program.
    pub program: String,
    /// The fingerprint of the evaluation.
    pub network: String,
    /// Nodes of each search, after which no other iteration starts.
    pub nodes: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// Played positions of each game, in the mean.
    pub played: f64,
    /// Perturbed positions of each game, in the mean.
    pub perturbed: f64,
    /// Positions from the search tree of each game, in the mean.
    pub tree: f64,
    /// Files of games.
    pub sources: Vec<Source>,
}

/// A file of games that positions were taken from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its name without the folder.
    pub name: String,
    /// The checksum of its first game.
    pub first_game: u64,
}

impl Manifest {
    /// The manifest as JSON; the same manifest always gives the same text.
    pub(super) fn to_json(&self) -> String {
        let sources = self
            .sources
            .iter()
            .map(|source| json!({ "name": source.name, "first_game": hexadecimal(source.first_game) }));
        let sources: Vec<Value> = sources.collect();
        json!({
            "program": self.program, "network": self.network, "nodes": self.nodes, "seed": self.seed,
            "played": self.played, "perturbed": self.perturbed, "tree": self.tree, "sources": sources,
        })
        .to_string()
    }

    /// Reads what [`Self::to_json`] wrote.
    pub(super) fn from_json(text: &[u8]) -> Result<Self, LabelError> {
        let object: Value = serde_json::from_slice(text).map_err(|_| LabelError::DamagedHeader)?;
        let text = |name| object[name].as_str().map(str::to_owned).ok_or(LabelError::BadManifest(name));
        let number = |name| object[name].as_u64().ok_or(LabelError::BadManifest(name));
        let share = |name| object[name].as_f64().ok_or(LabelError::BadManifest(name));
        let source = |value: &Value| {
            let first_game = u64::from_str_radix(value["first_game"].as_str()?, 16).ok()?;
            Some(Source { name: value["name"].as_str()?.to_owned(), first_game })
        };
        let sources = object["sources"].as_array().and_then(|sources| sources.iter().map(source).collect());
        Ok(Self {
            program: text("program")?,
            network: text("network")?,
            nodes: number("nodes")?,
            seed: number("seed")?,
            played: share("played")?,
            perturbed: share("perturbed")?,
            tree: share("tree")?,
            sources: sources.ok_or(LabelError::BadManifest("sources"))?,
        })
    }

    /// Whether labels made as `wanted` says belong to a file with this manifest; else the first difference.
    pub(super) fn agrees(&self, wanted: &Self) -> Result<(), LabelError> {
        let names = |manifest: &Self| {
            let of = |source: &Source| format!("{} {}", source.name, hexadecimal(source.first_game));
            manifest.sources.iter().map(of).collect::<Vec<_>>().join(", ")
        };
        let parts = |manifest: &Self| {
            [
                ("program", manifest.program.clone()),
                ("network", manifest.network.clone()),
                ("number of nodes", manifest.nodes.to_string()),
                ("seed", manifest.seed.to_string()),
                ("number of played positions", manifest.played.to_string()),
                ("number of perturbed positions", manifest.perturbed.to_string()),
                ("number of tree positions", manifest.tree.to_string()),
                ("list of sources", names(manifest)),
            ]
        };
        for ((part, there), (_, wanted)) in parts(self).into_iter().zip(parts(wanted)) {
            if there != wanted {
                return Err(LabelError::Different { part, there, wanted });
            }
        }
        Ok(())
    }
}

fn hexadecimal(number: u64) -> String {
    format!("{number:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            program: "0.1.0".to_owned(),
            network: "0123456789abcdef".to_owned(),
            nodes: 5_000,
            seed: u64::MAX,
            played: 2.0,
            perturbed: 0.5,
            tree: 1.0,
            sources: vec![Source { name: "a \"b\".vf".to_owned(), first_game: 7 }],
        }
    }

    #[test]
    fn a_manifest_is_read_back() {
        let manifest = manifest();
        assert_eq!(Manifest::from_json(manifest.to_json().as_bytes()).expect("it is one"), manifest);
        for name in ["program", "network", "nodes", "seed", "played", "perturbed", "tree", "sources"] {
            let text = manifest.to_json().replace(&format!("\"{name}\":"), "\"other\":");
            assert!(
                matches!(Manifest::from_json(text.as_bytes()), Err(LabelError::BadManifest(part)) if part == name)
            );
        }
        assert!(matches!(Manifest::from_json(b"{"), Err(LabelError::DamagedHeader)));
    }

    #[test]
    fn every_difference_is_named() {
        let manifest = manifest();
        manifest.agrees(&manifest.clone()).expect("it is the same");
        let differs = |change: &dyn Fn(&mut Manifest)| {
            let mut other = manifest.clone();
            change(&mut other);
            manifest.agrees(&other).expect_err("it is another one").to_string()
        };
        assert!(differs(&|other| other.nodes = 6).contains("nodes (5000, not 6)"));
        assert!(differs(&|other| other.network = "classical".to_owned()).contains("network"));
        assert!(differs(&|other| other.seed = 6).contains("seed"));
        assert!(differs(&|other| other.tree = 0.0).contains("tree"));
        assert!(differs(&|other| other.played = 0.0).contains("played"));
        assert!(differs(&|other| other.perturbed = 1.0).contains("perturbed"));
        assert!(differs(&|other| other.program = "2".to_owned()).contains("program"));
        assert!(differs(&|other| other.sources[0].first_game = 8).contains("sources"));
        assert!(differs(&|other| other.sources[0].name = "b.vf".to_owned()).contains("sources"));
    }
}
