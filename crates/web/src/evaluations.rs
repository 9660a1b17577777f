//! Evaluations that a page can choose by name: a network, the classical evaluation, and networks that were named at start-up.
//! A name is compared and never used as a path.

use std::sync::Arc;

use rukh_eval::{Evaluation, Network};

/// The name of the first network.
const NETWORK: &str = "network";
/// The name of the classical evaluation.
const CLASSICAL: &str = "classical";

/// The evaluations of a server. The first one is that of a new session.
#[derive(Clone, Debug)]
pub struct Evaluations(Vec<(String, Evaluation)>);

impl Default for Evaluations {
    fn default() -> Self {
        Self::new(Evaluation::default())
    }
}

impl Evaluations {
    /// This evaluation first, and the other kind: the built-in network, or the classical evaluation.
    pub fn new(first: Evaluation) -> Self {
        let classical = (CLASSICAL.to_owned(), Evaluation::Classical);
        match first {
            Evaluation::Classical => Self(vec![classical, (NETWORK.to_owned(), Evaluation::default())]),
            network => Self(vec![(NETWORK.to_owned(), network), classical]),
        }
    }

    /// Adds a network. A name that is taken gets a number.
    pub fn add(&mut self, name: &str, network: Arc<Network>) {
        let is_taken = |name: &str| self.0.iter().any(|(taken, _)| taken == name);
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let name = std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name));
        self.0.extend(name.map(|name| (name, Evaluation::Network(network))));
    }

    /// The name of the first one.
    pub(crate) fn first_name(&self) -> &str {
        self.0.first().map_or(NETWORK, |(name, _)| name)
    }

    /// The evaluation of this name.
    pub(crate) fn get(&self, name: &str) -> Result<Evaluation, String> {
        let found = self.0.iter().find(|(other, _)| other == name);
        found.map(|(_, evaluation)| evaluation.clone()).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
            format!("there is no evaluation {name:?}; there are {}", names.join(", "))
        })
    }

    /// All of them: name and description.
    pub(crate) fn described(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, evaluation)| match evaluation {
            Evaluation::Network(network) => (name.as_str(), network.description()),
            Evaluation::Classical => (name.as_str(), "terms written by hand, no network"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_evaluation_has_a_name_of_its_own() {
        let mut all = Evaluations::default();
        for name in ["small", "network", "small", "small"] {
            all.add(name, Network::built_in());
        }
        let names: Vec<&str> = all.described().map(|(name, _)| name).collect();
        assert_eq!(names, ["network", "classical", "small", "network 2", "small 2", "small 3"]);
        assert!(names.iter().all(|name| all.get(name).is_ok()));
        let error = all.get("../small").expect_err("there is none");
        assert!(error.contains("there are network, classical, small"), "{error}");
        assert_eq!(Evaluations::new(Evaluation::Classical).first_name(), "classical");
    }
}
