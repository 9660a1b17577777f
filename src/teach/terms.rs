//! What the terms of the classical evaluation are worth: games with each against games without it.

use std::process::ExitCode;

use rukh_chess::random::SplitMix64;
use rukh_engine::teaching::games::opening;
use rukh_engine::teaching::terms::pair;
use rukh_eval::hce::Term;
use rukh_lab::stats::{Estimate, Pairs};
use serde_json::json;

use crate::finish::Finish;
use crate::output::print_line;

/// Measure what each term of the classical evaluation is worth, by games with it against games without it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only these terms, by name, separated by commas
    #[arg(long, value_name = "TERM,...", value_delimiter = ',', value_parser = term)]
    only: Vec<Term>,

    /// Games for each term, made even
    #[arg(long, default_value = "20", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    games: u32,

    /// Depth of the searches in plies, before quiescence search
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(1..=6))]
    depth: u32,

    /// Seed of the openings; the same seed gives the same games
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Print a JSON object for each row
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Both sides search with the textbook alpha-beta and quiescence search. Openings are eight random plies, each played twice with
colours swapped. The terms are those of the output of eval.

Examples:
  rukh teach terms --only mobility
  rukh teach terms --games 400 --depth 2";

fn term(text: &str) -> Result<Term, String> {
    let plain = |text: &str| text.to_lowercase().replace([' ', '-'], "");
    let found = Term::ALL.into_iter().find(|term| plain(&term.to_string()) == plain(text));
    found.ok_or_else(|| {
        let names = Term::ALL.map(|term| term.to_string().to_lowercase().replace(' ', "-"));
        format!("{text:?} is no term; there are {}", names.join(", "))
    })
}

pub(super) fn run(args: &Args) -> Finish {
    let terms = if args.only.is_empty() { Term::ALL.to_vec() } else { args.only.clone() };
    if !args.json {
        print_line("term            games   score          Elo")?;
    }
    for term in terms {
        // Every term is measured from the same openings.
        let mut random = SplitMix64::new(args.seed);
        let mut pairs = Pairs::default();
        for _ in 0..args.games.div_ceil(2) {
            pairs.add(pair(&opening(&mut random), args.depth, term));
        }
        print_line(&row(args, term, &pairs))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(args: &Args, term: Term, pairs: &Pairs) -> String {
    let half_points: u64 = (0..).zip(pairs.0).map(|(points, count)| points * count).sum();
    let score = half_points as f64 / (4 * pairs.count()) as f64;
    let estimate = Estimate::of(pairs);
    let elo = estimate.map(|estimate| estimate.elo.0).filter(|elo| elo.is_finite());
    let error = estimate.and_then(|estimate| estimate.error());
    if args.json {
        let (term, games) = (term.to_string(), 2 * pairs.count());
        return json!({ "term": term, "games": games, "score": score, "elo": elo, "error": error })
            .to_string();
    }
    let text = match (elo, error) {
        (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
        (Some(elo), None) => format!("{elo:+.0}"),
        _ => "beyond measure".to_owned(),
    };
    format!("{:<15} {:>5}   {:>4.1}%   {text:>10}", term.to_string(), 2 * pairs.count(), 100.0 * score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_have_the_names_of_the_trace() {
        assert_eq!(term("mobility"), Ok(Term::Mobility));
        assert_eq!(term("king-danger"), Ok(Term::KingDanger));
        assert_eq!(term("King danger"), Ok(Term::KingDanger));
        let error = term("luck").expect_err("there is none");
        assert!(error.contains("\"luck\" is no term") && error.contains("passed-pawns"), "{error}");
    }
}
