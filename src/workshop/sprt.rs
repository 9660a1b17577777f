//! `rukh workshop sprt`: an SPRT for each candidate against the base.

use rukh_lab::arena::{Encounter, Entrant, Match};
use rukh_lab::stats::{Estimate, Verdict};
use rukh_lab::workshop::{Trials, challenge};
use serde_json::{Value as Json, json};

use super::contestants::contestants;
use super::report::Report;
use super::session::{Contest, SessionArgs};
use crate::arena::TestArgs;
use crate::arena::board::{conduct_line, test_text};
use crate::encounters::{self, interrupted};
use crate::finish::Finish;
use crate::interrupt;
use crate::output::eprint_line;

/// Test each candidate against the base by an SPRT; decided candidates stop, the others share the cores
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The engine that all candidates play, with the same keys as in `rukh match`
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "cmd=self,name=base")]
    base: String,

    /// A candidate, see below; give it once for each candidate
    #[arg(long = "candidate", value_name = "KEY=VALUE,...")]
    candidates: Vec<String>,

    #[command(flatten)]
    test: TestArgs,

    #[command(flatten)]
    session: SessionArgs,
}

const EXAMPLES: &str = "\
A candidate takes the keys of `rukh match`. Without cmd= it is the program of the base; options and limits that it does not name
are those of the base. So name=NAME,cmd=PATH is another build and name=NAME,option.N=VALUE another setting.

All undecided candidates take turns, a pair of games each. At the end of the budget those left are undecided. Without --openings
2,000 random openings follow from --seed. At fixed nodes or depth no opening is played twice by a candidate: games would repeat.

Examples:
  rukh workshop sprt --candidate name=new,cmd=./new --candidate name=newer,cmd=./newer --base cmd=./old --nodes 8000 --minutes 10
  rukh workshop sprt --candidate name=no-probcut,option.Techniques=probcut --candidate name=keen,option.Contempt=20 \
--tc 2+0.02 --elo0 -3 --elo1 3 --openings book.epd --random-order --minutes 60 --state test.state --page test.md";

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> Finish {
    let sprt = args.test.sprt()?;
    let entrants = contestants(&args.base, &args.candidates, &args.session.conditions.control())?;
    let contest = Contest {
        event: "Rukh workshop sprt",
        encounters: challenge(entrants.len() - 1),
        entrants,
        games: args.session.games.map(|games| games as usize),
        stride: 0,
    };
    let is_over = interrupt::flag();
    let Some(of) = args.session.prepare(contest, &is_over)? else { return interrupted() };
    let said = of.replies_to_options().map_err(|unfit| unfit.to_string())?;
    for (candidate, texts) in of.entrants.iter().zip(&said).skip(1) {
        let own = texts.iter().filter(|text| !said[0].contains(text));
        own.for_each(|text| eprint_line(&format!("{}: the engine says: {text}", candidate.name)));
    }
    args.session.run(&of, Some(sprt), &is_over, |trials| report(&of, trials))
}

/// The standings of all candidates.
fn report(of: &Match, trials: &Trials) -> Report {
    let sprt = trials.sprt().expect("the trials have a test");
    let test = test_text(sprt);
    let encounters = trials.standings().encounters();
    let candidates = || encounters.iter().zip(&of.entrants[1..]).zip(trials.verdicts());
    let ratio = |encounter: &Encounter| sprt.hypotheses.log_likelihood_ratio(&encounter.pairs);
    let row = |((encounter, entrant), &verdict): ((&Encounter, &Entrant), &Verdict)| {
        let [a, b, c, d, e] = encounter.pairs.0;
        vec![
            entrant.name.clone(),
            encounter.tally.games().to_string(),
            encounters::games(encounter),
            format!("{a}, {b}, {c}, {d}, {e}"),
            Estimate::of(&encounter.pairs).map_or_else(String::new, |estimate| elo(&estimate)),
            format!("{:.2}", ratio(encounter)),
            word(verdict).to_owned(),
        ]
    };
    let json = |((encounter, entrant), &verdict): ((&Encounter, &Entrant), &Verdict)| {
        let mut json = encounters::to_json(encounter);
        json["name"] = entrant.name.clone().into();
        json["llr"] = ratio(encounter).into();
        json["verdict"] = word(verdict).into();
        json
    };
    let conducts = of.entrants.iter().zip(trials.standings().conducts());
    let conducts = conducts.map(|(entrant, conduct)| conduct_line(&entrant.name, conduct).trim().to_owned());
    let conducts = conducts.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    let note = format!("LLR {test}. Elo with its 95% interval; pairs with 0, ½, 1, 1½ and 2 points.");
    Report {
        title: "Workshop: a test of each candidate",
        conditions: conditions(of),
        head: vec!["candidate", "games", "W D L", "pairs", "Elo", "LLR", "verdict"],
        rows: candidates().map(row).collect(),
        notes: [note, conducts].into_iter().filter(|line| !line.is_empty()).collect(),
        json: json!({
            "workshop": "sprt",
            "base": of.entrants[0].name,
            "control": of.entrants[0].control.to_string(),
            "openings": of.book.count(),
            "test": test,
            "games": trials.standings().games(),
            "candidates": candidates().map(json).collect::<Vec<Json>>(),
        }),
    }
}

/// Opponents, limits and openings of the games.
fn conditions(of: &Match) -> String {
    let base = &of.entrants[0];
    format!("Against {}, {}, {} openings, each with both colours.", base.name, base.control, of.book.count())
}

/// The difference with its error, or its interval where that has no end.
fn elo(estimate: &Estimate) -> String {
    match estimate.error() {
        Some(error) => format!("{} ± {error:.1}", estimate.elo),
        None => format!("{} [{}, {}]", estimate.elo, estimate.low, estimate.high),
    }
}

/// A verdict in a table.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Open => "undecided",
    }
}
