//! `rukh levels`: whether the levels are as strong as they are called.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use rukh_engine::strength::Strength;
use rukh_lab::arena::{Encounter, Entrant, Format, Match, Schedule};
use rukh_lab::ledger::Ledger;
use rukh_lab::plot::{Chart, Series, Shape, svg};
use rukh_lab::stats::{Estimate, Pairs, Tally};
use serde_json::{Value as Json, json};

use crate::arena::conditions::Conditions;
use crate::arena::entrants;
use crate::finish::Finish;
use crate::interrupt;
use crate::output::{eprint_line, print_line};
use crate::progress::Long;

/// Measure the levels by games: against those of another engine, and each against the next
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Ratings to measure
    #[arg(long, value_name = "ELO,...", value_delimiter = ',', required = true,
          value_parser = clap::value_parser!(u32).range(i64::from(Strength::MIN_ELO)..=i64::from(Strength::MAX_ELO)))]
    elo: Vec<u32>,

    /// Another engine with the options UCI_LimitStrength and UCI_Elo, which plays at the same ratings
    #[arg(long, value_name = "KEY=VALUE,...")]
    against: Option<String>,

    /// Measure each rating against the next as well
    #[arg(long)]
    neighbours: bool,

    /// Games of each encounter
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    #[command(flatten)]
    conditions: Conditions,

    /// Keep the encounters that are over here, and go on from them
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Draw what was found
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print a JSON object for each encounter
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A level is right if it scores half against another engine's level of the same name, and if it loses to the next one by about
the difference of their names. Elo are those of the first. A limit on nodes holds for our levels too, and keeps a high one from
what it may look at: give the other engine its own.

Examples:
  rukh levels --elo 1350,1700,2000,2400,2800 --against cmd=stockfish --tc 1+0.01 --openings book.epd --games 200
  rukh levels --elo 2400,2800 --against cmd=stockfish,nodes=20000 --nodes 1000000 --openings book.epd --games 200
  rukh levels --elo 800,1000,1200,1400 --neighbours --tc 1+0.01 --openings book.epd --svg levels.svg";

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pairing {
    elo: u32,
    /// The rating of our own that it meets; none where it meets the other engine at the same.
    own: Option<u32>,
}

impl Pairing {
    /// By how much the first should be better.
    fn expected(self) -> f64 {
        self.own.map_or(0.0, |own| f64::from(self.elo) - f64::from(own))
    }
}

/// What games gave.
type Found = (Pairing, Encounter);

pub(crate) fn run(args: &Args) -> Finish {
    if args.against.is_none() && !args.neighbours {
        return Err("there is nobody to play: give --against, --neighbours, or both".to_owned().into());
    }
    let is_over = interrupt::flag();
    let (mut ledger, known) = open_ledger(args)?;
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
                    eprint_line("broken off; with --state FILE the same command goes on from here");
                    return Ok(ExitCode::SUCCESS);
                };
                if let Some(ledger) = &mut ledger {
                    let added = ledger.add(&as_json(pairing, &encounter).to_string());
                    added.map_err(|error| format!("the state cannot be written: {error}"))?;
                }
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

/// Plays the games of a pairing; none if it was broken off.
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
    of.rehearse().map_err(|unfit| unfit.to_string())?;
    Ok(of.encounter(is_over, |encounter, _| {
        bar.set(0, || format!("level {elo}: game {} of {}", encounter.tally.games(), args.games));
        ControlFlow::Continue(())
    }))
}

/// The file that encounters are kept in, if one is wanted, and those that are there.
fn open_ledger(args: &Args) -> Result<(Option<Ledger>, Vec<Found>), String> {
    let Some(path) = &args.state else { return Ok((None, Vec::new())) };
    let header = json!({
        "levels": args.games, "against": args.against, "control": args.conditions.control().to_string(),
        "openings": args.conditions.book()?.fingerprint(),
    });
    let (ledger, done) =
        Ledger::open(path, &header.to_string()).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((Some(ledger), done.iter().filter_map(|line| read(line)).collect()))
}

fn row(pairing: Pairing, encounter: &Encounter) -> String {
    let Tally { wins, draws, losses } = encounter.tally;
    let other = pairing.own.map_or_else(|| "the other engine's".to_owned(), |own| own.to_string());
    let elo = Estimate::of(&encounter.pairs).map_or_else(String::new, |estimate| {
        let error = estimate.error().map_or_else(String::new, |error| format!(" ± {error:.0}"));
        format!("{:+.0}{error}", estimate.elo.0)
    });
    format!("| {} | {other} | +{wins} ={draws} -{losses} | {elo} | {:+.0} |", pairing.elo, pairing.expected())
}

fn as_json(pairing: Pairing, encounter: &Encounter) -> Json {
    let Tally { wins, draws, losses } = encounter.tally;
    let estimate = Estimate::of(&encounter.pairs);
    json!({
        "elo": pairing.elo, "own": pairing.own, "expected": pairing.expected(), "games": [wins, draws, losses],
        "pairs": encounter.pairs.0, "found": estimate.map(|estimate| estimate.elo.0).filter(|elo| elo.is_finite()),
        "error": estimate.and_then(|estimate| estimate.error()),
    })
}

/// Reads what [`as_json`] gave.
fn read(line: &str) -> Option<Found> {
    let json: Json = serde_json::from_str(line).ok()?;
    let games = |place: usize| json["games"][place].as_u64();
    let mut pairs = Pairs::default();
    for (place, count) in pairs.0.iter_mut().enumerate() {
        *count = json["pairs"][place].as_u64()?;
    }
    let elo = |value: &Json| value.as_u64().and_then(|elo| u32::try_from(elo).ok());
    let pairing = Pairing { elo: elo(&json["elo"])?, own: elo(&json["own"]) };
    let tally = Tally { wins: games(0)?, draws: games(1)?, losses: games(2)? };
    Some((pairing, Encounter { tally, pairs }))
}

/// The rating that games gave over the one that was asked for.
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
        named("as named", asked.collect()),
        named("against the other engine", measured.collect()),
        named("step by step", own),
    ];
    let series = series.into_iter().filter(|series| !series.points.is_empty()).collect();
    Chart { title: "rating found over rating asked for".to_owned(), shape: Shape::Line, series }
}
