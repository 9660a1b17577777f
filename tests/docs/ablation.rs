//! The figures of `docs/techniques/ablation.json`: the output of `rukh ablate --json`, of one run or of several after each other.

use std::path::Path;

use rukh_engine::technique::Technique;
use serde_json::Value;

use super::tree;

/// The games of a technique: with it against without it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Games {
    /// Won, drawn, lost.
    pub(crate) results: [u64; 3],
    pub(crate) elo: Option<f64>,
    pub(crate) error: Option<f64>,
    /// Nodes for each move.
    pub(crate) nodes: u64,
    /// The techniques that were off on both sides.
    pub(crate) without: String,
    /// The verdict of the sequential test.
    pub(crate) test: Option<String>,
}

/// What is known of a technique.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Figures {
    /// Change of the nodes to a fixed depth without it, in percent.
    pub(crate) nodes_change: Option<f64>,
    pub(crate) games: Option<Games>,
}

/// The conditions of a run, as its first object has them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Run(pub(crate) Value);

/// The runs of the text, and for each technique the last figures of each kind.
pub(crate) fn read(text: &str) -> (Vec<Run>, Vec<(Technique, Figures)>) {
    let mut runs: Vec<Run> = Vec::new();
    let mut all: Vec<_> = Technique::ALL.iter().map(|&technique| (technique, Figures::default())).collect();
    for (number, line) in text.lines().enumerate() {
        let object: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("ablation.json, line {}: {error}", number + 1));
        if object["ablate"].is_object() {
            runs.push(Run(object["ablate"].clone()));
            continue;
        }
        let run = runs.last().expect("the first object has the conditions of the run");
        let name = object["technique"].as_str().expect("an object names its technique");
        // A technique that is gone is no fault: the figures are older than the code.
        if let Some((_, figures)) = all.iter_mut().find(|(technique, _)| technique.name() == name) {
            figures.nodes_change = nodes_change(&object).or(figures.nodes_change);
            figures.games = games(&object, run).or(figures.games.take());
        }
    }
    (runs, all)
}

fn nodes_change(object: &Value) -> Option<f64> {
    let nodes = |key: &str| object[key].as_f64().filter(|&nodes| nodes > 0.0);
    Some(100.0 * (nodes("nodes_without")? / nodes("nodes_with")? - 1.0))
}

fn games(object: &Value, run: &Run) -> Option<Games> {
    let results: Option<Vec<u64>> = object["games"].as_array()?.iter().map(Value::as_u64).collect();
    let results: [u64; 3] = results?.try_into().ok()?;
    (results.iter().sum::<u64>() > 0).then(|| Games {
        results,
        elo: object["elo"].as_f64(),
        error: object["error"].as_f64(),
        nodes: run.0["nodes"].as_u64().expect("a run with games has nodes for a move"),
        without: run.0["without"].as_str().unwrap_or_default().to_owned(),
        test: object["test"].as_str().map(str::to_owned),
    })
}

/// The file.
pub(crate) fn stored() -> (Vec<Run>, Vec<(Technique, Figures)>) {
    read(&tree::text_of(Path::new("docs/techniques/ablation.json")).expect("the figures are stored"))
}

/// A number with commas between the thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

impl Games {
    pub(crate) fn elo_text(&self) -> String {
        match (self.elo, self.error) {
            // A zero has no sign.
            (Some(elo), Some(error)) => format!("{:+.0} ± {error:.0}", elo.round() + 0.0),
            (Some(elo), None) => format!("{:+.0}", elo.round() + 0.0),
            _ => "beyond measure".to_owned(),
        }
    }

    pub(crate) fn results_text(&self) -> String {
        let [wins, draws, losses] = self.results;
        format!("+{wins} ={draws} -{losses}")
    }
}

impl Figures {
    /// The "Worth" line of a technique's section.
    pub(crate) fn worth_line(&self) -> String {
        let games = self.games.as_ref().map_or_else(
            || "no games of its own yet".to_owned(),
            |games| {
                let test = games.test.as_ref().map_or_else(String::new, |test| format!(", test {test}"));
                let (elo, results, nodes) = (games.elo_text(), games.results_text(), grouped(games.nodes));
                let base = match games.without.as_str() {
                    "" => String::new(),
                    without => format!(", both without {without}"),
                };
                format!("{elo} Elo ({results} with against without, {nodes} nodes a move{base}{test})")
            },
        );
        let nodes =
            self.nodes_change.map_or_else(String::new, |change| format!("; nodes without it {change:+.1}%"));
        format!("Worth: {games}{nodes}.")
    }
}

#[test]
fn the_last_figures_of_each_kind_count() {
    let text = r#"{"ablate":{"nodes":5000}}
{"technique":"killer","games":[3,2,1],"elo":12.4,"error":7.6,"test":"passed"}
{"technique":"null-move","nodes_with":100,"nodes_without":150,"games":[0,0,0]}
{"ablate":{"nodes":6000}}
{"technique":"killer","nodes_with":200,"nodes_without":199,"games":[0,0,0],"elo":null}
{"technique":"gone","games":[1,1,1]}
{"ablate":{"nodes":400,"without":"leaf-search"}}
{"technique":"solver","games":[2,1,0],"elo":120.0,"error":80.0}
"#;
    let (runs, all) = read(text);
    let of =
        |wanted: Technique| &all.iter().find(|(technique, _)| *technique == wanted).expect("it is there").1;
    assert_eq!(runs.len(), 3);
    let worth = "Worth: +12 ± 8 Elo (+3 =2 -1 with against without, 5,000 nodes a move, test passed); nodes without it -0.5%.";
    assert_eq!(of(Technique::Killer).worth_line(), worth);
    assert_eq!(
        of(Technique::NullMove).worth_line(),
        "Worth: no games of its own yet; nodes without it +50.0%."
    );
    assert_eq!(of(Technique::Singular).worth_line(), "Worth: no games of its own yet.");
    let worth =
        "Worth: +120 ± 80 Elo (+2 =1 -0 with against without, 400 nodes a move, both without leaf-search).";
    assert_eq!(of(Technique::Solver).worth_line(), worth);
    assert_eq!(
        (grouped(7), grouped(1_234), grouped(1_234_567)),
        ("7".into(), "1,234".into(), "1,234,567".into())
    );
}
