//! The tables of `docs/uci-options.md`: options of a session and tunables, from their declarations.

use std::path::Path;

use rukh_engine::params::{TUNABLES, Tunable};
use rukh_protocol::options::{Declaration, Kind};

use crate::{generated, tree};

const PAGE: &str = "docs/uci-options.md";

/// Type, default and range of an option.
fn values(option: &Declaration) -> [String; 3] {
    let none = String::new;
    match option.kind {
        Kind::Spin { default, min, max, .. } => {
            ["spin".into(), default.to_string(), format!("{min} to {max}")]
        }
        Kind::Check { default, .. } => ["check".into(), default.to_string(), "true, false".into()],
        Kind::Choice { words, .. } => ["combo".into(), words[0].into(), words.join(", ")],
        Kind::Text { .. } => ["string".into(), "empty".into(), none()],
        Kind::Button { .. } => ["button".into(), none(), none()],
    }
}

fn option_row(option: &Declaration) -> String {
    let alias = option.alias.map_or_else(String::new, |alias| format!(" (also `{alias}`)"));
    let [kind, default, range] = values(option);
    let rest = if option.needs_rest { "yes" } else { "no" };
    format!("| `{}`{alias} | {} | {kind} | {default} | {range} | {rest} |\n", option.name, option.meaning())
}

fn tunable_row(tunable: &Tunable) -> String {
    let Tunable { name, sentence, value, min, max, step, .. } = tunable;
    format!("| `{name}` | {} | {value} | {min} to {max} | {step} |\n", sentence.trim())
}

fn table(heading: &str, rows: impl Iterator<Item = String>) -> String {
    let columns = heading.matches('|').count() - 1;
    format!("{heading}\n|{}\n{}", "---|".repeat(columns), rows.collect::<String>())
}

/// Options of play: a build for tuning has the tunables too, which have a table of their own.
fn options() -> impl Iterator<Item = &'static Declaration> {
    Declaration::all().filter(|option| TUNABLES.iter().all(|tunable| tunable.name != option.name))
}

#[test]
fn the_tables_are_those_of_the_declarations() {
    let text = tree::text_of(Path::new(PAGE)).expect("there is the page");
    let of_options = table(
        "| option | meaning | type | default | range | waits for the end of a search |",
        options().map(option_row),
    );
    let of_tunables =
        table("| tunable | meaning | default | range | step |", TUNABLES.iter().map(tunable_row));
    let new = generated::with_part(&text, "options", &of_options).expect("there is a table of options");
    let new = generated::with_part(&new, "tunables", &of_tunables).expect("there is a table of tunables");
    generated::settle(Path::new(PAGE), &text, &new);
}

#[test]
fn every_option_has_a_sentence_of_its_own() {
    let mut sentences: Vec<_> = options().map(Declaration::meaning).collect();
    assert!(sentences.len() > 20);
    for sentence in &sentences {
        assert!(sentence.len() > 20 && sentence.ends_with('.') && !sentence.contains('|'), "{sentence:?}");
    }
    sentences.sort_unstable();
    sentences.dedup();
    assert_eq!(sentences.len(), options().count());
}
