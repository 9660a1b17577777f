//! `rukh explain --verify`: claims of a file, each confirmed, refuted or undecided.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use rukh_explain::claims::claim::{Claim, Evidence};
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::verify::{Outcome, verify};
use rukh_explain::variation;
use serde_json::{Value, json};

use super::args::{Args, NODES};
use crate::finish::Finish;
use crate::output::print_line;
use crate::progress::LateBar;
use crate::text::read_text;

/// How many times the nodes of a claim its check has.
const FACTOR: u64 = 10;

/// Checks the claims of a file. The exit status is 1 if one of them is refuted.
pub(super) fn run(file: &Path, args: &Args) -> Finish {
    let claims = read(file)?;
    let nodes = args.nodes.unwrap_or(NODES);
    let mut analyst = args.analyst(nodes)?;
    let mut counts: BTreeMap<ClaimKind, BTreeMap<Outcome, usize>> = BTreeMap::new();
    let bar = LateBar::new("claims");
    for (at, claim) in claims.iter().enumerate() {
        bar.set(at, claims.len());
        let own = match claim.evidence {
            Evidence::Search { nodes } | Evidence::Trace { nodes } => nodes,
            Evidence::Rules | Evidence::Tablebase => None,
        };
        analyst.set_nodes(FACTOR * own.unwrap_or(nodes));
        analyst.clear();
        let check = verify(claim, &mut analyst);
        *counts.entry(claim.kind).or_default().entry(check.outcome).or_default() += 1;
        let line = variation::to_san(&claim.start, &claim.line);
        let text = match args.json {
            true => {
                json!({ "kind": claim.kind, "fen": claim.start.to_string(), "line": line, "check": check })
                    .to_string()
            }
            false => {
                let reason = check.reason.map_or_else(String::new, |reason| format!("  ({reason})"));
                format!("{:<10} {:<24} {line}{reason}", check.outcome.to_string(), claim.kind.name())
            }
        };
        bar.print_line(&text)?;
    }
    bar.finish();
    if !args.json {
        print_line(&summary(&counts))?;
    }
    let is_refuted = counts.values().any(|outcomes| outcomes.contains_key(&Outcome::Refuted));
    Ok(if is_refuted { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A table: outcomes by kind.
fn summary(counts: &BTreeMap<ClaimKind, BTreeMap<Outcome, usize>>) -> String {
    let row = |name: &str, [confirmed, undecided, refuted]: [usize; 3]| {
        let decided = (confirmed + refuted).max(1);
        let share = 100.0 * confirmed as f64 / decided as f64;
        format!("{name:<24} {confirmed:>9} {undecided:>9} {refuted:>9} {share:>8.1}%")
    };
    let mut lines = vec![format!(
        "{:<24} {:>9} {:>9} {:>9} {:>9}",
        "claim", "confirmed", "undecided", "refuted", "of decided"
    )];
    let mut total = [0; 3];
    for (kind, outcomes) in counts {
        let own = [Outcome::Confirmed, Outcome::Undecided, Outcome::Refuted]
            .map(|outcome| outcomes.get(&outcome).copied().unwrap_or(0));
        total = [total[0] + own[0], total[1] + own[1], total[2] + own[2]];
        lines.push(row(kind.name(), own));
    }
    lines.push(row("all", total));
    lines.join("\n")
}

/// The claims of a file: explanations as --json writes them, one after the other or in a list, or claims themselves.
fn read(file: &Path) -> Result<Vec<Claim>, String> {
    let text = read_text(file)?;
    let mut claims = Vec::new();
    for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let value = value.map_err(|error| format!("{} is not JSON: {error}", file.display()))?;
        collect(value, &mut claims).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if claims.is_empty() {
        return Err(format!("there is no claim in {}", file.display()));
    }
    Ok(claims)
}

fn collect(value: Value, claims: &mut Vec<Claim>) -> Result<(), String> {
    match value {
        Value::Array(values) => values.into_iter().try_for_each(|value| collect(value, claims)),
        Value::Object(mut object) => match object.remove("claims") {
            Some(inner) => collect(inner, claims),
            None => {
                claims
                    .push(serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?);
                Ok(())
            }
        },
        _ => Err("an explanation or a claim is expected".to_owned()),
    }
}
