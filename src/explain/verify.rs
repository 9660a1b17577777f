//! `rukh explain --verify`: claims of a file, each confirmed, refuted or undecided.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use rukh_chess::Position;
use rukh_explain::claims::claim::{Claim, Evidence};
use rukh_explain::claims::engine_analyst::EngineAnalyst;
use rukh_explain::claims::kind::ClaimKind;
use rukh_explain::claims::verify::{Check, Outcome, verify};
use rukh_explain::variation;
use serde_json::{Value, json};

use super::args::{Args, NODES};
use super::referee::Referee;
use crate::finish::Finish;
use crate::output::print_line;
use crate::progress::LateBar;
use crate::text::read_text;

/// How many times the nodes of a claim its check has.
const FACTOR: u64 = 10;

/// Checks the claims of a file. The exit status is 1 if one of them is refuted.
pub(super) fn run(file: &Path, args: &Args) -> Finish {
    let told = read(file)?;
    let nodes = args.nodes.unwrap_or(NODES);
    let mut checker = Checker::new(args, nodes)?;
    let mut counts = Counts::default();
    let bar = LateBar::new("claims");
    for (at, ToldClaim { claim, is_about_quiet_move }) in told.claims.iter().enumerate() {
        bar.set(at, told.claims.len());
        if !checker.is_responsible(claim) {
            counts.skipped += 1;
            continue;
        }
        let own = match claim.evidence {
            Evidence::Search { nodes } | Evidence::Trace { nodes } => nodes,
            Evidence::Rules | Evidence::Tablebase => None,
        };
        let check = checker.check(claim, FACTOR * own.unwrap_or(nodes))?;
        counts.add(claim.kind, check.outcome, *is_about_quiet_move);
        bar.print_line(&result_line(claim, check, args.json))?;
    }
    bar.finish();
    if !args.json {
        print_line(&counts.table())?;
        print_line(&counts.summary(&told))?;
    }
    let is_refuted = counts.total()[2] > 0;
    Ok(if is_refuted { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Who searches.
enum Checker {
    /// This engine.
    Own(Box<EngineAnalyst>),
    /// Another engine: only claims about scores are checked.
    Other(Referee),
}

impl Checker {
    fn new(args: &Args, nodes: u64) -> Result<Self, String> {
        match &args.engine {
            Some(text) => Referee::start(text).map(Self::Other),
            None => args.analyst(nodes).map(|analyst| Self::Own(Box::new(analyst))),
        }
    }

    /// Whether the claim is checked at all.
    fn is_responsible(&self, claim: &Claim) -> bool {
        let passed = claim.pass.iter().flat_map(|pass| &pass.facts);
        match self {
            Self::Own(_) => true,
            Self::Other(_) => claim.facts.iter().chain(passed).any(|fact| fact.predicate.needs_search()),
        }
    }

    fn check(&mut self, claim: &Claim, nodes: u64) -> Result<Check, String> {
        match self {
            Self::Own(analyst) => {
                analyst.set_nodes(nodes);
                analyst.clear();
                Ok(verify(claim, &mut **analyst))
            }
            Self::Other(referee) => {
                referee.prepare(nodes)?;
                let check = verify(claim, referee);
                referee.take_fault().map_or(Ok(check), Err)
            }
        }
    }
}

fn result_line(claim: &Claim, check: Check, is_json: bool) -> String {
    let line = variation::to_san(&claim.start, &claim.line);
    if is_json {
        return json!({ "kind": claim.kind, "fen": claim.start.to_string(), "line": line, "check": check })
            .to_string();
    }
    let reason =
        check.reason.map_or_else(String::new, |reason| format!("  ({reason}, from {})", claim.start));
    format!("{:<10} {:<24} {line}{reason}", check.outcome.to_string(), claim.kind.name())
}

/// Outcomes by kind.
#[derive(Default)]
struct Counts {
    by_kind: BTreeMap<ClaimKind, [usize; 3]>,
    /// Outcomes of the claims about quiet moves.
    quiet: [usize; 3],
    /// Claims that are not about a score, where another engine checks.
    skipped: usize,
}

impl Counts {
    fn add(&mut self, kind: ClaimKind, outcome: Outcome, is_about_quiet_move: bool) {
        let at = match outcome {
            Outcome::Confirmed => 0,
            Outcome::Undecided => 1,
            Outcome::Refuted => 2,
        };
        self.by_kind.entry(kind).or_default()[at] += 1;
        self.quiet[at] += usize::from(is_about_quiet_move);
    }

    fn total(&self) -> [usize; 3] {
        let mut total = [0; 3];
        for counts in self.by_kind.values() {
            total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        total
    }

    /// A table: outcomes by kind, and the share of all that is confirmed.
    fn table(&self) -> String {
        let row = |name: &str, [confirmed, undecided, refuted]: [usize; 3]| {
            let share = percent(confirmed, confirmed + undecided + refuted);
            format!("{name:<24} {confirmed:>9} {undecided:>9} {refuted:>9} {share:>9}")
        };
        let heading = ["claim", "confirmed", "undecided", "refuted", "confirmed"];
        let [claim, confirmed, undecided, refuted, share] = heading;
        let mut lines = vec![format!("{claim:<24} {confirmed:>9} {undecided:>9} {refuted:>9} {share:>9}")];
        lines.extend(self.by_kind.iter().map(|(kind, counts)| row(kind.name(), *counts)));
        lines.push(row("all", self.total()));
        lines.join("\n")
    }

    /// What was explained, and false claims for 100 quiet moves.
    fn summary(&self, told: &Told) -> String {
        let mut text = String::new();
        if self.skipped > 0 {
            text = format!("{} claims are not about a score\n", self.skipped);
        }
        let [_, _, refuted] = self.quiet;
        let rate = 100.0 * refuted as f64 / told.quiet_moves.max(1) as f64;
        text + &format!(
            "{} explanations, {} of quiet moves; refuted claims about quiet moves: {refuted}, {rate:.2} for 100 quiet moves",
            told.explanations, told.quiet_moves
        )
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// A claim, and whether it is about a move that is no capture, check or promotion.
struct ToldClaim {
    claim: Claim,
    is_about_quiet_move: bool,
}

/// The claims of a file, and the explanations they come from.
#[derive(Default)]
struct Told {
    claims: Vec<ToldClaim>,
    explanations: usize,
    quiet_moves: usize,
}

/// The claims of a file: explanations as --json writes them, one after the other or in a list, or claims themselves.
fn read(file: &Path) -> Result<Told, String> {
    let text = read_text(file)?;
    let mut told = Told::default();
    for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let value = value.map_err(|error| format!("{} is not JSON: {error}", file.display()))?;
        collect(value, false, &mut told).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if told.claims.is_empty() {
        return Err(format!("there is no claim in {}", file.display()));
    }
    Ok(told)
}

fn collect(value: Value, is_about_quiet_move: bool, told: &mut Told) -> Result<(), String> {
    match value {
        Value::Array(values) => {
            values.into_iter().try_for_each(|value| collect(value, is_about_quiet_move, told))
        }
        Value::Object(mut object) => match object.remove("claims") {
            Some(inner) => {
                let is_quiet = is_quiet_move(&object).unwrap_or(false);
                told.explanations += 1;
                told.quiet_moves += usize::from(is_quiet);
                collect(inner, is_quiet, told)
            }
            None => {
                let claim =
                    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?;
                told.claims.push(ToldClaim { claim, is_about_quiet_move });
                Ok(())
            }
        },
        _ => Err("an explanation or a claim is expected".to_owned()),
    }
}

/// Whether the move of an explanation is no capture, check or promotion; `None` if it has no legal move.
fn is_quiet_move(explanation: &serde_json::Map<String, Value>) -> Option<bool> {
    let position: Position = explanation.get("fen")?.as_str()?.parse().ok()?;
    let mv = position.parse_uci(explanation.get("uci")?.as_str()?).ok()?;
    Some(!mv.is_noisy() && !position.gives_check(mv))
}
