//! `rukh ablate`: ablation study, the effect of each search technique on nodes and Elo.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use rukh_engine::api::Algorithm;
use rukh_engine::bench::default_depth;
use rukh_engine::draw_policy::DrawPolicy;
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_eval::Centipawns;
use rukh_lab::ablate::{Trial, nodes, with_and_without};
use rukh_lab::arena::{Adjudication, Book, DrawRule, Encounter, ResignRule};
use rukh_lab::stats::{Hypotheses, Model, Sprt};
use serde_json::{Value as Json, json};

use crate::books::{draw_book, read_book};
use crate::encounters::{self, Rows, interrupted};
use crate::finish::Finish;
use crate::interrupt;
use crate::output::print_line;
use crate::progress::Long;

/// Measure each search technique: nodes to a fixed depth, and games with against without it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The search whose techniques are measured: alphabeta or mcts
    #[arg(long, default_value_t)]
    search: Algorithm,

    /// Depth to which the bench positions are searched [default: that of the bench]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: Option<u32>,

    /// Games with against without each technique; 0 for none
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    games: u32,

    /// End the games of a technique once an SPRT with these hypotheses is decided, in normalised Elo
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = test)]
    sprt: Option<Sprt>,

    /// Nodes per move of these games [default: 5000, with --search mcts 300]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Measure only these techniques
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<Technique>,

    /// Techniques that are off on both sides
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    without: Vec<Technique>,

    /// Openings: positions (.epd) or games (.pgn), also compressed (.xz) [default: random positions]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Number of searches and games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Save finished rows in this state file and resume from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Print JSON: an object with the conditions, then one for each technique
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The output is a Markdown table. The nodes column compares the nodes to the same depth without the technique to those with it.
A technique that saves nodes may cost strength and the other way round: only games measure Elo.

Examples:
  rukh ablate --depth 10
  rukh ablate --games 400 --nodes 5000 --concurrency 2 --state ablate.state
  rukh ablate --search mcts --games 100
  rukh ablate --search mcts --without leaf-search --games 200 --nodes 400
  rukh ablate --only null-move,razoring --games 2000 --openings book.epd";

fn test(text: &str) -> Result<Sprt, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[elo0, elo1]) if elo0.is_finite() && elo1.is_finite() && elo0 < elo1 => {
            let hypotheses = Hypotheses { model: Model::Normalised, elo0, elo1 };
            Ok(Sprt { hypotheses, alpha: 0.05, beta: 0.05 })
        }
        _ => Err(format!("{text:?} is not a pair of Elo hypotheses, the smaller first, such as 0,10")),
    }
}

impl Args {
    fn depth(&self) -> u32 {
        self.depth.unwrap_or(default_depth(self.search))
    }

    /// A node of a tree search is a leaf, which costs far more.
    fn nodes(&self) -> u64 {
        self.nodes.unwrap_or(if self.search == Algorithm::AlphaBeta { 5_000 } else { 300 })
    }

    /// The techniques of both sides, but for the one that is measured.
    fn base(&self) -> TechniqueOverrides {
        TechniqueOverrides::these(self.without.iter().copied())
    }

    /// The base in words.
    fn base_text(&self) -> String {
        if self.without.is_empty() {
            return "the default techniques".to_owned();
        }
        format!("the default techniques without {}", self.base())
    }

    /// Refuses techniques of another search, and those that are off anyway.
    fn check_techniques(&self) -> Result<(), String> {
        if let Some(other) =
            self.only.iter().chain(&self.without).find(|technique| technique.algorithm() != self.search)
        {
            return Err(format!("{other} is no technique of the search {}", self.search));
        }
        match self.without.iter().find(|technique| !technique.is_in_play()) {
            Some(off) => Err(format!("{off} is off by default")),
            None => Ok(()),
        }
    }
}

/// The measurement of a technique.
struct Row {
    technique: Technique,
    with: u64,
    without: u64,
    encounter: Encounter,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    if args.sprt.is_some() && args.games == 0 {
        return Err("--sprt needs games: give --games".to_owned().into());
    }
    args.check_techniques()?;
    let is_over = interrupt::flag();
    let mut bar = Long::new(0, "{elapsed_precise} {msg}");
    let Some(trial) = trial(args, &mut bar, &is_over)? else { return interrupted() };
    bar.set(0, || format!("searching to depth {} with {}", args.depth(), args.base_text()));
    let base_nodes =
        nodes(args.search, args.base(), args.depth(), trial.concurrency, &is_over).map_err(String::from)?;
    let Some(base_nodes) = base_nodes else { return interrupted() };
    let (mut rows, done) = open_rows(args, &trial, base_nodes)?;
    let first = if args.json { header(args, base_nodes).to_string() } else { heading(args, base_nodes) };
    bar.suspend(|| print_line(&first))?;
    for &technique in Technique::ALL.iter().filter(|technique| technique.algorithm() == args.search) {
        if !args.only.is_empty() && !args.only.contains(&technique) {
            continue;
        }
        let known = done.iter().find(|row| row.technique == technique);
        let measured = match known {
            Some(_) => None,
            None => {
                let Some(row) = measure(technique, base_nodes, args, &trial, &mut bar, &is_over)? else {
                    return interrupted();
                };
                rows.add(&row.json(&trial))?;
                Some(row)
            }
        };
        let row = known.or(measured.as_ref()).expect("the row is saved or has just been measured");
        let line = if args.json { row.json(&trial).to_string() } else { row.markdown(&trial) };
        bar.suspend(|| print_line(&line))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The conditions of the games; `None` if interrupted.
fn trial(args: &Args, bar: &mut Long, is_over: &AtomicBool) -> Result<Option<Trial>, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("cannot find the path of this program: {error}"))?;
    let book = match &args.openings {
        Some(path) => read_book(path, None)?.shuffled(args.seed),
        None if args.games == 0 => Book::standard(),
        None => draw_book(args.seed, args.games.div_ceil(2) as usize, bar, is_over)?,
    };
    Ok((!is_over.load(Ordering::Relaxed)).then(|| Trial {
        program,
        algorithm: args.search,
        base: args.base(),
        games: args.games as usize,
        nodes: args.nodes(),
        book,
        adjudication: Adjudication {
            draw: Some(DrawRule { policy: DrawPolicy { from_move: 40, margin: Centipawns(10) }, moves: 6 }),
            resign: Some(ResignRule { moves: 3, score: Centipawns(600), is_two_sided: true }),
            max_moves: None,
        },
        concurrency: usize::from(args.concurrency),
        sprt: args.sprt,
    }))
}

/// Opens the state file and reads its rows. The node count in the header identifies the search.
fn open_rows(args: &Args, trial: &Trial, base_nodes: u64) -> Result<(Rows, Vec<Row>), String> {
    let header = json!({
        "kind": "ablate",
        "engine": trial.engine().to_json(),
        "depth": args.depth(),
        "nodes_to_depth": base_nodes,
        "games": args.games,
        "sprt": args.sprt.map(|sprt| [sprt.hypotheses.elo0, sprt.hypotheses.elo1]),
        "adjudication": trial.adjudication.to_json(),
        "openings": trial.book.fingerprint(),
    });
    Rows::open(args.state.as_deref(), &header, Row::read)
}

/// Measures a technique; `None` if interrupted.
fn measure(
    technique: Technique,
    base_nodes: u64,
    args: &Args,
    trial: &Trial,
    bar: &mut Long,
    is_over: &AtomicBool,
) -> Result<Option<Row>, String> {
    bar.set(0, || format!("{technique}: searching to depth {}", args.depth()));
    let count = |overrides: TechniqueOverrides| match overrides == args.base() {
        true => Ok(Some(base_nodes)),
        false => nodes(args.search, overrides, args.depth(), trial.concurrency, is_over),
    };
    let [with, without] = with_and_without(technique, args.base()).map(count);
    let Some((with, without)) = with?.zip(without?) else { return Ok(None) };
    let encounter = match args.games {
        0 => Some(Encounter::default()),
        games => trial.run(technique, is_over, |over| {
            bar.set(0, || format!("{technique}: game {over} of {games}"));
        })?,
    };
    Ok(encounter.map(|encounter| Row { technique, with, without, encounter }))
}

/// The first object of `--json`: the conditions of the run. `docs/techniques/ablation.json` is such output.
fn header(args: &Args, base_nodes: u64) -> Json {
    json!({ "ablate": {
        "version": env!("CARGO_PKG_VERSION"),
        "search": args.search.name(),
        "without": args.base().to_string(),
        "depth": args.depth(),
        "nodes_to_depth": base_nodes,
        "games": args.games,
        "nodes": args.nodes(),
        "sprt": args.sprt.map(|sprt| [sprt.hypotheses.elo0, sprt.hypotheses.elo1]),
        "openings": args.openings.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy()),
        "seed": args.seed,
    }})
}

fn heading(args: &Args, base_nodes: u64) -> String {
    let mut text = format!(
        "To depth {} the bench positions take {base_nodes} nodes with {}.",
        args.depth(),
        args.base_text()
    );
    if args.games > 0 {
        text += &format!(
            " Games: {} for each technique, {} nodes per move",
            args.games.next_multiple_of(2),
            args.nodes()
        );
        text += &args.sprt.map_or_else(String::new, |sprt| {
            let Hypotheses { elo0, elo1, .. } = sprt.hypotheses;
            format!(", fewer if an SPRT [{elo0}, {elo1}] in normalised Elo ends before")
        });
        text.push('.');
    }
    text += "\n\n| technique | default | nodes without it |";
    let mut columns = 3;
    if args.games > 0 {
        text += " with against without | Elo |";
        columns += 2;
        if args.sprt.is_some() {
            text += " SPRT |";
            columns += 1;
        }
    }
    format!("{text}\n|{}", "---|".repeat(columns))
}

impl Row {
    fn markdown(&self, trial: &Trial) -> String {
        let Self { technique, with, without, encounter } = self;
        let change = 100.0 * (*without as f64 / (*with).max(1) as f64 - 1.0);
        let state = if technique.is_in_play() { "yes" } else { "no" };
        let mut text = format!("| {technique} | {state} | {change:+.1}% |");
        if encounter.pairs.count() > 0 {
            text += &format!(" {} | {} |", encounters::games(encounter), encounters::elo(encounter));
            if trial.sprt.is_some() {
                text += &format!(" {} |", trial.verdict(encounter));
            }
        }
        text
    }

    fn json(&self, trial: &Trial) -> Json {
        let mut json = encounters::to_json(&self.encounter);
        json["test"] = trial.sprt.map(|_| trial.verdict(&self.encounter).to_string()).into();
        json["technique"] = self.technique.name().into();
        json["in_play"] = self.technique.is_in_play().into();
        json["nodes_with"] = self.with.into();
        json["nodes_without"] = self.without.into();
        json
    }

    /// Reads what [`Self::json`] wrote.
    fn read(json: &Json) -> Option<Self> {
        Some(Self {
            technique: json["technique"].as_str()?.parse().ok()?,
            with: json["nodes_with"].as_u64()?,
            without: json["nodes_without"].as_u64()?,
            encounter: encounters::from_json(json)?,
        })
    }
}
