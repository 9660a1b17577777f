//! The tables of `docs/uci-options.md`: options as the program lists them and tunables as they are declared.

use std::path::Path;
use std::process::Command;

use rukh_engine::params::{Tunable, tunables};
use rukh_protocol::options::Declaration;

use super::{generated, tree};

const PAGE: &str = "docs/uci-options.md";

/// The lines that list the options of play: a build for tuning has the tunables too, which have a table of their own.
fn listing() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_rukh")).args(["uci", "quit"]).output();
    let text = String::from_utf8(output.expect("the program runs").stdout).expect("it writes text");
    let lines = text.lines().filter_map(|line| line.strip_prefix("option name "));
    let is_of_play = |line: &&str| tunables().all(|tunable| !line.starts_with(&format!("{} ", tunable.name)));
    lines.filter(is_of_play).map(str::to_owned).collect()
}

/// A row of the table from a line of the listing, its alias, its meaning, and whether it waits for the end of a search.
fn option_row(line: &str, alias: Option<&str>, meaning: &str, waits: bool) -> String {
    let (name, rest) = line.split_once(" type ").expect("an option has a type");
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let word_after = |key: &str| {
        let mut words = rest.split_whitespace().skip_while(|word| *word != key);
        words.nth(1).map(|word| if word == "<empty>" { "empty" } else { word })
    };
    let words = rest.split_whitespace();
    let values: Vec<_> =
        words.clone().zip(words.skip(1)).filter(|(key, _)| *key == "var").map(|(_, word)| word).collect();
    let range = match (kind, word_after("min"), word_after("max")) {
        (_, Some(min), Some(max)) => format!("{min} to {max}"),
        ("check", ..) => "true, false".to_owned(),
        _ => values.join(", "),
    };
    let alias = alias.map_or_else(String::new, |alias| format!(" (also `{alias}`)"));
    let (default, waits) = (word_after("default").unwrap_or_default(), if waits { "yes" } else { "no" });
    format!("| `{name}`{alias} | {meaning} | {kind} | {default} | {range} | {waits} |\n")
}

/// The same with what the declaration of the option adds.
fn declared_row(line: &str) -> String {
    let name = line.split(" type ").next().unwrap_or_default();
    let option = Declaration::find(name).unwrap_or_else(|| panic!("{name} is declared"));
    option_row(line, option.alias, option.meaning, option.needs_idle_engine)
}

fn tunable_row(tunable: &Tunable) -> String {
    let Tunable { name, sentence, value, min, max, step, .. } = tunable;
    format!("| `{name}` | {} | {value} | {min} to {max} | {step} |\n", sentence.trim())
}

fn table(heading: &str, rows: impl Iterator<Item = String>) -> String {
    let columns = heading.matches('|').count() - 1;
    format!("{heading}\n|{}\n{}", "---|".repeat(columns), rows.collect::<String>())
}

#[test]
fn the_tables_are_those_of_the_declarations() {
    let listing = listing();
    assert!(listing.len() > 20, "{listing:?}");
    let text = tree::text_of(Path::new(PAGE)).expect("there is the page");
    let heading = "| option | meaning | type | default | range | waits for the end of a search |";
    let of_options = table(heading, listing.iter().map(|line| declared_row(line)));
    let of_tunables = table("| tunable | meaning | default | range | step |", tunables().map(tunable_row));
    let new = generated::with_part(&text, "options", &of_options).expect("there is a table of options");
    let new = generated::with_part(&new, "tunables", &of_tunables).expect("there is a table of tunables");
    generated::settle(Path::new(PAGE), &text, &new);
}

#[test]
fn every_kind_of_option_has_its_row() {
    let row = |line| option_row(line, None, "M.", false);
    assert_eq!(
        row("Two Words type spin default 1 min -2 max 3"),
        "| `Two Words` | M. | spin | 1 | -2 to 3 | no |\n"
    );
    assert_eq!(row("C type check default true"), "| `C` | M. | check | true | true, false | no |\n");
    assert_eq!(row("E type combo default a var a var b"), "| `E` | M. | combo | a | a, b | no |\n");
    assert_eq!(row("F type string default <empty>"), "| `F` | M. | string | empty |  | no |\n");
    assert_eq!(
        option_row("B type button", Some("B2"), "M.", true),
        "| `B` (also `B2`) | M. | button |  |  | yes |\n"
    );
}

#[test]
fn every_option_has_a_sentence_of_its_own() {
    let meaning = |line: &String| {
        let name = line.split(" type ").next().unwrap_or_default();
        Declaration::find(name).map_or("", |option| option.meaning)
    };
    let mut sentences: Vec<_> = listing().iter().map(meaning).collect();
    let count = sentences.len();
    for sentence in &sentences {
        assert!(sentence.len() > 20 && sentence.ends_with('.') && !sentence.contains('|'), "{sentence:?}");
    }
    sentences.sort_unstable();
    sentences.dedup();
    assert_eq!(sentences.len(), count);
}
