//! The pages of the techniques: a section for each, its code, its worth; and the table of all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rukh_engine::technique::Technique;
use serde_json::Value;

use super::ablation::{self, Figures, Run, grouped};
use super::{generated, tree};

const FOLDER: &str = "docs/techniques";

/// The page that has a section of this name, and the section.
pub(crate) fn section<'a>(pages: &'a [(PathBuf, String)], name: &str) -> Option<(&'a Path, &'a str)> {
    let heading = format!("\n## {name}\n");
    pages.iter().find_map(|(page, text)| {
        let (_, rest) = text.split_once(&heading)?;
        Some((page.as_path(), rest.split("\n## ").next().unwrap_or_default()))
    })
}

/// Files and the identifiers in them that the paragraph after "Code:" names: a link, then identifiers in backticks.
pub(crate) fn named_code(section: &str) -> Vec<(String, String)> {
    let (_, rest) = section.split_once("Code:").unwrap_or_default();
    let paragraph = rest.split("\n\n").next().unwrap_or_default();
    let code = paragraph.split("Tests:").next().unwrap_or_default();
    let mut named = Vec::new();
    for link in code.split("](").skip(1) {
        let (target, names) = link.split_once(')').unwrap_or((link, ""));
        let names = names.split('[').next().unwrap_or_default();
        let identifiers = names.split('`').skip(1).step_by(2);
        named.extend(identifiers.map(|name| (target.to_owned(), name.to_owned())));
    }
    named
}

/// What is wrong with the pages. `has_identifier` says whether the file of a link has a name.
fn faults(
    pages: &[(PathBuf, String)],
    contents: &str,
    has_identifier: impl Fn(&str, &str) -> bool,
) -> Vec<String> {
    let mut faults = Vec::new();
    for &technique in Technique::ALL {
        let name = technique.name();
        if technique.candidate().is_some() {
            if section(pages, name).is_some() {
                faults.push(format!("{name} is a candidate but has a section"));
            }
            continue;
        }
        let Some((page, section)) = section(pages, name) else {
            faults.push(format!("{name} has no section"));
            continue;
        };
        let page = page.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let code = named_code(section);
        if code.is_empty() {
            faults.push(format!("{name} does not name its code"));
        }
        for (file, identifier) in code {
            if !has_identifier(&file, &identifier) {
                faults.push(format!("{name}: there is no `{identifier}` in {file}"));
            }
        }
        if !section.contains("\nWorth: ") {
            faults.push(format!("{name} has no line \"Worth: \""));
        }
        if section.contains("Not in play.") == technique.is_in_play() {
            faults.push(format!("{name}: \"Not in play.\" is wrong or missing"));
        }
        if !contents.contains(&format!("[{name}]({page}#{name})")) {
            faults.push(format!("the list in README.md has no link to {name}"));
        }
    }
    faults
}

pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    tree::pages().into_iter().filter(|(page, _)| page.starts_with(FOLDER)).collect()
}

#[test]
fn every_technique_has_its_section() {
    let pages = pages();
    let contents = &pages.iter().find(|(page, _)| page.ends_with("README.md")).expect("there is a list").1;
    let has_identifier = |file: &str, identifier: &str| {
        let text = tree::text_of(Path::new(file.trim_start_matches("../")));
        text.is_some_and(|text| text.contains(identifier))
    };
    let faults = faults(&pages, contents, has_identifier);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_technique_without_its_section_is_found() {
    let kept = || Technique::ALL.iter().filter(|technique| technique.candidate().is_none());
    let whole: String = kept()
        .map(|technique| {
            let state = if technique.is_in_play() { "" } else { "Not in play. " };
            format!("\n## {technique}\n\n{state}Text.\n\nCode:\n[x.rs](x.rs), `x`. Tests: [y.rs](y.rs), `y`.\n\nWorth: nothing.\n")
        })
        .collect();
    let contents: String = kept().map(|name| format!("- [{name}](a.md#{name})\n")).collect();
    let has_identifier = |file: &str, identifier: &str| (file, identifier) == ("x.rs", "x");
    let page = |text: &str| [(PathBuf::from("docs/techniques/a.md"), text.to_owned())];
    let of = |text: &str| faults(&page(text), &contents, has_identifier);
    assert_eq!(of(&whole), Vec::<String>::new());
    assert_eq!(of(&whole.replace("## killer", "## a killer")), ["killer has no section"]);
    assert_eq!(of(&whole.replacen("Code:", "Code", 1)), ["aspiration does not name its code"]);
    assert_eq!(of(&whole.replacen("`x`", "`z`", 1)), ["aspiration: there is no `z` in x.rs"]);
    assert_eq!(of(&whole.replacen("\nWorth: ", "\nworth: ", 1)).len(), 1);
    assert_eq!(of(&whole.replacen("Not in play. ", "", 1)).len(), 1);
    assert_eq!(faults(&page(&whole), "", has_identifier).len(), kept().count());
    let candidate = format!("{whole}\n## root-node-order\n\nText.\n");
    assert_eq!(of(&candidate), ["root-node-order is a candidate but has a section"]);
}

/// The page with the "Worth" line of each section replaced.
fn with_worth(text: &str, figures: &[(Technique, Figures)]) -> String {
    let mut name = String::new();
    let mut new = String::new();
    for line in text.split_inclusive('\n') {
        name = line.strip_prefix("## ").map_or(name, |heading| heading.trim().to_owned());
        let known = figures.iter().find(|(technique, _)| technique.name() == name);
        match known.filter(|_| line.starts_with("Worth: ")) {
            Some((_, figures)) => new += &format!("{}\n", figures.worth_line()),
            None => new += line,
        }
    }
    new
}

fn table(runs: &[Run], figures: &[(Technique, Figures)]) -> String {
    let mut text = String::new();
    for Run(run) in runs {
        let number = |key: &str| run[key].as_u64().map_or_else(String::new, grouped);
        let without = run["without"].as_str().filter(|without| !without.is_empty());
        text += &format!(
            "- {}{} nodes to depth {} with the default techniques{}",
            run["search"].as_str().filter(|&search| search != "alphabeta").map_or("", |_| "Monte Carlo: "),
            number("nodes_to_depth"),
            number("depth"),
            without.map_or_else(String::new, |without| format!(" without {without}"))
        );
        if run["games"].as_u64().is_some_and(|games| games > 0) {
            text += &format!("; {} games of each at {} nodes a move", number("games"), number("nodes"));
            if let (Some(elo0), Some(elo1)) = (run["sprt"][0].as_f64(), run["sprt"][1].as_f64()) {
                text += &format!(", fewer once a test of [{elo0}, {elo1}] normalised Elo is decided");
            }
        }
        text += ".\n";
    }
    text += "\n| technique | in play | nodes without it | games with against without | nodes a move | Elo | test |\n|---|---|---|---|---|---|---|\n";
    let kept = figures.iter().filter(|(technique, _)| technique.candidate().is_none());
    for (technique, Figures { nodes_change, games }) in kept {
        let state = if technique.is_in_play() { "yes" } else { "no" };
        let change = nodes_change.map_or_else(String::new, |change| format!("{change:+.1}%"));
        text += &format!("| {technique} | {state} | {change} | ");
        text += &games.as_ref().map_or_else(
            || "| | | |\n".to_owned(),
            |games| {
                let (results, nodes, elo) = (games.results_text(), grouped(games.nodes), games.elo_text());
                format!("{results} | {nodes} | {elo} | {} |\n", games.test.as_deref().unwrap_or_default())
            },
        );
    }
    text
}

/// The screens of the candidates, the outputs of `rukh workshop screen --json`.
const SCREENS: [&str; 2] = ["docs/techniques/screen.json", "docs/techniques/screen-2.json"];

/// The estimates of the screens: factor, Elo, error.
fn screened() -> Vec<(String, f64, f64)> {
    let estimates = SCREENS.iter().flat_map(|file| {
        let text = fs::read_to_string(tree::root().join(file)).expect("the screens are in the repository");
        let screen: Value = serde_json::from_str(&text).expect("a screen is JSON");
        let number = |factor: &Value, key: &str| factor[key].as_f64().expect("an estimate has Elo and error");
        let estimate = |factor: &Value| {
            let name = factor["name"].as_str().expect("a factor has a name");
            (name.to_owned(), number(factor, "elo"), number(factor, "error"))
        };
        screen["factors"].as_array().expect("a screen has factors").iter().map(estimate).collect::<Vec<_>>()
    });
    means(estimates)
}

/// The mean of the estimates of each factor, weighted by their precision.
fn means(estimates: impl Iterator<Item = (String, f64, f64)>) -> Vec<(String, f64, f64)> {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (name, elo, error) in estimates {
        let precision = error.powi(-2);
        let (sum, total) = sums.entry(name).or_default();
        *sum += elo * precision;
        *total += precision;
    }
    sums.into_iter().map(|(name, (sum, total))| (name, sum / total, total.powf(-0.5))).collect()
}

/// The table of the candidates: name, sentence, what it gave others, result here.
fn candidates(figures: &[(Technique, Figures)], screened: &[(String, f64, f64)]) -> String {
    let mut text = "| candidate | what it does | gave others | result here |\n|---|---|---|---|\n".to_owned();
    for (technique, Figures { games, .. }) in figures {
        let Some(gain) = technique.candidate() else { continue };
        let sentence = technique.sentence().trim().split_once(": ").map_or("", |(_, sentence)| sentence);
        let result = match (games, screened.iter().find(|(name, ..)| name == technique.name())) {
            (Some(games), _) => format!("{} Elo ({})", games.elo_text(), games.results_text()),
            (None, Some((_, elo, error))) => format!("{elo:+.1} ± {error:.1}"),
            (None, None) => "open".to_owned(),
        };
        text += &format!("| `{technique}` | {sentence} | {gain} | {result} |\n");
    }
    text
}

#[test]
fn the_worth_of_techniques_is_what_was_measured() {
    let (runs, figures) = ablation::stored();
    for (page, text) in pages() {
        let mut new = with_worth(&text, &figures);
        if page.ends_with("README.md") {
            new =
                generated::with_part(&new, "ablation", &table(&runs, &figures)).expect("there is the table");
        }
        if page.ends_with("candidates.md") {
            new = generated::with_part(&new, "candidates", &candidates(&figures, &screened()))
                .expect("there is the table");
        }
        generated::settle(&page, &text, &new);
    }
}

#[test]
fn candidates_are_open_until_games_decide_them() {
    let (_, figures) = ablation::read(
        "{\"ablate\":{\"nodes\":5000}}\n{\"technique\":\"fifty-move-key\",\"games\":[2,1,0],\"elo\":5.0,\"error\":1.0}\n",
    );
    let table = candidates(
        &figures,
        &[("null-reduction".to_owned(), -3.38, 5.89), ("fifty-move-key".to_owned(), 0.0, 1.0)],
    );
    assert!(table.contains("| `root-node-order` |") && table.contains("| +10.4 | open |"), "{table}");
    assert!(table.contains("| +6.7 | -3.4 ± 5.9 |"), "{table}");
    assert!(table.contains("| +5 ± 1 Elo (+2 =1 -0) |") && !table.contains("null-move`"), "{table}");
}

#[test]
fn estimates_of_one_factor_are_averaged_by_their_precision() {
    let estimates = [("a", 4.0, 3.0), ("b", 1.0, 2.0), ("a", 9.0, 6.0)]
        .map(|(name, elo, error)| (name.to_owned(), elo, error));
    let [(a, elo, error), (b, ..)] = &means(estimates.into_iter())[..] else {
        panic!("there are two factors")
    };
    assert_eq!((a.as_str(), b.as_str()), ("a", "b"));
    // Weights of four to one.
    assert!((elo - 5.0).abs() < 1e-9 && (error - 7.2_f64.sqrt()).abs() < 1e-9, "{elo} {error}");
}

#[test]
fn a_wrong_worth_is_put_right() {
    let (_, figures) = ablation::read(
        "{\"ablate\":{\"nodes\":5000}}\n{\"technique\":\"killer\",\"nodes_with\":10,\"nodes_without\":11,\"games\":[2,0,0],\"elo\":5.0,\"error\":1.0}\n",
    );
    let page = "# P\n\n## killer\n\nWorth: a guess.\n\nText. Worth: stays.\n\n## other\n\nWorth: stays.\n";
    let right =
        "Worth: +5 ± 1 Elo (+2 =0 -0 with against without, 5,000 nodes a move); nodes without it +10.0%.";
    assert_eq!(with_worth(page, &figures), page.replace("Worth: a guess.", right));
}
