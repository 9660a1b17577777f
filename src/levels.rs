//! `rukh levels`: measures the Elo of the strength levels.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use rukh_engine::strength::Strength;
use rukh_lab::arena::{Encounter, Entrant, Format, Match, Schedule};
use rukh_lab::plot::{Chart, Series, Shape, svg};
use rukh_lab::stats::Estimate;
use serde_json::{Value as Json, json};

use crate::arena::conditions::Conditions;
use crate::arena::entrants;
use crate::encounters::{self, Rows, interrupted};
use crate::finish::Finish;
use crate::interrupt;
use crate::output::print_line;
use crate::progress::Long;

/// Measure strength levels by games: against another engine's levels, and each against the next
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Ratings to measure
    #[arg(long, value_name = "ELO,...", value_delimiter = ',', required = true,
          value_parser = clap::value_parser!(u32).range(i64::from(Strength::MIN_ELO)..=i64::from(Strength::MAX_ELO)))]
    elo: Vec<u32>,

    /// Another engine with the options UCI_LimitStrength and UCI_Elo, with the same keys as in `rukh match`
    #[arg(long, value_name = "KEY=VALUE,...")]
    against: Option<String>,

    /// Also play each rating against the next
    #[arg(long)]
    neighbours: bool,

    /// Games of each pairing
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    #[command(flatten)]
    conditions: Conditions,

    /// Save finished pairings in this state file and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Write a plot of the result (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print a JSON object for each pairing
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A level is right if it scores half against another engine's level of the same rating, and if it loses to the next level by about
the difference of their ratings. The Elo column is that of the first engine. --nodes also limits our levels, and may weaken a high
one: give the other engine a limit of its own instead.

Examples:
  rukh levels --elo 1350,1700,2000,2400,2800 --against cmd=stockfish --tc 1+0.01 --openings book.epd --games 200
  rukh levels --elo 2400,2800 --against cmd=stockfish,nodes=20000 --nodes 1000000 --openings book.epd --games 200
  rukh levels --elo 800,1000,1200,1400 --neighbours --tc 1+0.01 --openings book.epd --svg levels.svg";

/// Two levels that play each other.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pairing {
    elo: u32,
    /// The rating of our own level as opponent; `None` against the other engine at the same rating.
    own: Option<u32>,
}

impl Pairing {
    /// The nominal Elo difference.
    fn expected(self) -> f64 {
        self.own.map_or(0.0, |own| f64::from(self.elo) - f64::from(own))
    }
}

/// A measured pairing.
type Found = (Pairing, Encounter);

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    if args.against.is_none() && !args.neighbours {
        return Err("there is no opponent: give --against, --neighbours, or both".to_owned().into());
    }
    let is_over = interrupt::flag();
    let (mut rows, known) = open_rows(args)?;
    let mut bar = Long::new(0, "{elapsed_precise} {msg}");
    if !args.json {
        bar.suspend(|| print_line("| level | against | games | Elo | expected |\n|---|---|---|---|---|"))?;
    }
    let mut found = Vec::new();
    for pairing in pairings(args) {
        let before = known.iter().find(|(other, _)| *other == pairing);
        let encounter = match before {
            Some((_, encounter)) => *encounter,
            None => {
                let Some(encounter) = measure(args, pairing, &mut bar, &is_over)? else {
                    return interrupted();
                };
                rows.add(&as_json(pairing, &encounter))?;
                encounter
            }
        };
        let line =
            if args.json { as_json(pairing, &encounter).to_string() } else { row(pairing, &encounter) };
        bar.suspend(|| print_line(&line))?;
        found.push((pairing, encounter));
    }
    if let Some(path) = &args.svg {
        fs::write(path, svg(&[chart(&found)], 1))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn pairings(args: &Args) -> Vec<Pairing> {
    let others = args.against.iter().flat_map(|_| args.elo.iter().map(|&elo| Pairing { elo, own: None }));
    let pairs = args.elo.windows(2).filter(|_| args.neighbours);
    others.chain(pairs.map(|pair| Pairing { elo: pair[0], own: Some(pair[1]) })).collect()
}

/// Plays the games of a pairing; `None` if interrupted.
fn measure(
    args: &Args,
    pairing: Pairing,
    bar: &mut Long,
    is_over: &AtomicBool,
) -> Result<Option<Encounter>, String> {
    let of_level = |text: &str, elo: u32, name: String| -> Result<Entrant, String> {
        let mut entrant = entrants::read(text, &args.conditions.control())?;
        entrant.name = name;
        let options = [("UCI_LimitStrength", "true".to_owned()), ("UCI_Elo", elo.to_string())];
        entrant.options.extend(options.map(|(name, value)| (name.to_owned(), value)));
        Ok(entrant)
    };
    let Pairing { elo, own } = pairing;
    let other = match (own, &args.against) {
        (None, Some(text)) => of_level(text, elo, format!("other at {elo}"))?,
        (own, _) => {
            let own = own.unwrap_or(elo);
            of_level("cmd=self", own, format!("level {own}"))?
        }
    };
    let of = Match {
        event: "Levels".to_owned(),
        entrants: vec![of_level("cmd=self", elo, format!("level {elo}"))?, other],
        schedule: Schedule::new(Format::RoundRobin, 2, args.games as usize),
        book: args.conditions.book()?,
        adjudication: args.conditions.adjudication()?,
        patience: args.conditions.patience(),
        concurrency: args.conditions.concurrency(),
    };
    of.check_engines().map_err(|unfit| unfit.to_string())?;
    Ok(of.encounter(is_over, |encounter, _| {
        bar.set(0, || format!("level {elo}: game {} of {}", encounter.tally.games(), args.games));
        ControlFlow::Continue(())
    })?)
}

/// Opens the state file and reads the finished pairings.
fn open_rows(args: &Args) -> Result<(Rows, Vec<Found>), String> {
    let engine = |text: &str| Ok::<_, String>(entrants::read(text, &args.conditions.control())?.to_json());
    let header = json!({
        "kind": "levels",
        "engine": engine("cmd=self")?,
        "against": args.against.as_deref().map(engine).transpose()?,
        "games": args.games,
        "adjudication": args.conditions.adjudication()?.to_json(),
        "openings": args.conditions.book()?.fingerprint(),
    });
    Rows::open(args.state.as_deref(), &header, read)
}

fn row(pairing: Pairing, encounter: &Encounter) -> String {
    let other = pairing.own.map_or_else(|| "the other engine's".to_owned(), |own| own.to_string());
    let (games, elo) = (encounters::games(encounter), encounters::elo(encounter));
    format!("| {} | {other} | {games} | {elo} | {:+.0} |", pairing.elo, pairing.expected())
}

fn as_json(pairing: Pairing, encounter: &Encounter) -> Json {
    let mut json = encounters::to_json(encounter);
    json["level"] = pairing.elo.into();
    json["own"] = pairing.own.into();
    json["expected"] = pairing.expected().into();
    json
}

/// Reads what [`as_json`] wrote.
fn read(json: &Json) -> Option<Found> {
    let level = |value: &Json| value.as_u64().and_then(|elo| u32::try_from(elo).ok());
    let pairing = Pairing { elo: level(&json["level"])?, own: level(&json["own"]) };
    Some((pairing, encounters::from_json(json)?))
}

/// The measured rating against the nominal one.
fn chart(found: &[Found]) -> Chart {
    let against_others = found.iter().filter(|(pairing, _)| pairing.own.is_none());
    let measured = against_others.filter_map(|(pairing, encounter)| {
        let elo = f64::from(pairing.elo);
        Estimate::of(&encounter.pairs).map(|estimate| (elo, elo + estimate.elo.0))
    });
    let mut own = Vec::new();
    for (pairing, encounter) in found {
        let (Some(next), Some(estimate)) = (pairing.own, Estimate::of(&encounter.pairs)) else { continue };
        if own.is_empty() {
            own.push((f64::from(pairing.elo), f64::from(pairing.elo)));
        }
        let before = own.last().map_or(0.0, |(_, height)| *height);
        own.push((f64::from(next), before - estimate.elo.0));
    }
    let named = |name: &str, points: Vec<(f64, f64)>| Series { name: name.to_owned(), points };
    let asked = found.iter().map(|(pairing, _)| (f64::from(pairing.elo), f64::from(pairing.elo)));
    let series = vec![
        named("nominal", asked.collect()),
        named("against the other engine", measured.collect()),
        named("step by step", own),
    ];
    let series = series.into_iter().filter(|series| !series.points.is_empty()).collect();
    Chart { title: "measured rating by nominal rating".to_owned(), shape: Shape::Line, series }
}
