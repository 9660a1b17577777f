//! `rukh data tree`: positions that searches visit, for a teacher to label.

use std::path::PathBuf;
use std::process::ExitCode;

use rukh_chess::random::SplitMix64;
use rukh_engine::SyncSearcher;
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::threads::share_searches;
use rukh_eval::{AnyEvaluator, Evaluation};
use rukh_lab::packed::PackedGame;
use rukh_lab::singles::{Visited, evaluate, visited};

use crate::evaluation::EvaluationArgs;
use crate::finish::Finish;
use crate::games::Games;
use crate::output::{NewFile, print_line};

/// Write quiet positions that searches visit, each as a game of one move
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Positions of each game that are searched
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    searches: u16,

    /// Nodes of each search, after which no other iteration starts
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    nodes: u64,

    /// Maximum number of positions from each search
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    each: u16,

    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads that search, each another game
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Give each position its static evaluation as the score
    #[arg(long)]
    evaluate: bool,

    #[command(flatten)]
    evaluation: EvaluationArgs,
}

const EXAMPLES: &str = "\
The positions are drawn at random from all that a search visits, those of quiescence and below null moves included: they are
where the engine uses its evaluation. Positions with a check or a winning capture are left out. They have no score until a teacher
(scripts/teacher) evaluates them, or the static evaluation with --evaluate. The number of threads changes nothing in the file.

Examples:
  rukh data tree games.vf --out tree.vf
  rukh data tree games.vf --out tree.vf --searches 20 --each 40 --nodes 1000 --threads 16";

/// Games that a thread searches before the results are written.
const GAMES_PER_THREAD: usize = 32;

/// The settings of the threads.
struct Work {
    settings: Visited,
    evaluation: Evaluation,
    is_evaluated: bool,
    seed: u64,
}

impl Work {
    /// The positions of some games, the first of which has this number.
    fn positions_of(&self, games: &[PackedGame], first: u64) -> Vec<PackedGame> {
        /// Enough for searches of a few thousand nodes; a larger table takes longer to clear.
        const MEBIBYTES: usize = 2;
        let searcher = SyncSearcher::new(TechniqueOverrides::default(), &self.evaluation, MEBIBYTES);
        let mut searcher = searcher.expect("a machine that plays chess has a few mebibytes");
        let of_game = |(number, game): (u64, &PackedGame)| {
            let mut random = SplitMix64::new(SplitMix64::new(self.seed ^ number).next());
            visited(game, &self.settings, &mut searcher, &mut random)
        };
        let mut found: Vec<PackedGame> = (first..).zip(games).flat_map(of_game).collect();
        if self.is_evaluated {
            evaluate(&mut found, &mut AnyEvaluator::new(&self.evaluation));
        }
        found
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Finish {
    let settings =
        Visited { searches: args.searches.into(), nodes: args.nodes, each: usize::from(args.each) };
    let evaluation = args.evaluation.evaluation()?;
    let work = &Work { settings, evaluation, is_evaluated: args.evaluate, seed: args.seed };
    let mut to = NewFile::create(&args.out)?;
    let (mut count, mut first) = (0, 0);
    for path in &args.files {
        let mut games = Games::open(path)?;
        loop {
            let mut part = Vec::new();
            while part.len() < GAMES_PER_THREAD * usize::from(args.threads)
                && let Some(found) = games.next()?
            {
                part.push(found.game);
            }
            if part.is_empty() {
                break;
            }
            let parts = (first..).step_by(GAMES_PER_THREAD).zip(part.chunks(GAMES_PER_THREAD));
            let positions = |(first, games): (u64, &[PackedGame])| work.positions_of(games, first);
            let found = share_searches(usize::from(args.threads), parts, positions).map_err(String::from)?;
            first += part.len() as u64;
            for single in found.iter().flatten() {
                let mut bytes = Vec::new();
                single.write(&mut bytes).expect("memory takes what is written");
                to.write_bytes(&bytes)?;
                count += 1;
            }
        }
    }
    to.finish()?;
    print_line(&format!("{count} positions in {}", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
