//! `rukh selfplay --visits`: self-play of the tree search that keeps the policy target and WDL of every root.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rukh_engine::api::Algorithm;
use rukh_engine::{Dirichlet, RootPolicy};
use rukh_eval::PolicyNetwork;
use rukh_lab::selfplay::{SelfPlay, Stored};
use rukh_lab::visits::{Resignation, VisitPlay, VisitWriter, Written};
use serde_json::json;

use super::amount::Amount;
use crate::finish::{Failure, Finish};
use crate::interrupt;
use crate::leaf_network::LeafNetworkArgs;
use crate::output::{eprint_line, print_line};
use crate::progress::Long;
use crate::text::share;

/// Self-play that keeps visit distributions.
#[derive(clap::Args)]
pub(super) struct VisitArgs {
    /// The output file of games with visit distributions, for --search mcts; an existing file is resumed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tree_samples", "random_move_rate", "resign_score"])]
    visits: Option<PathBuf>,

    /// The policy network (.net); none for the built-in one
    #[arg(long, value_name = "FILE", requires = "visits")]
    policy_file: Option<PathBuf>,

    #[command(flatten)]
    leaf_network: LeafNetworkArgs,

    /// How roots are searched: gumbel (sequential halving, the target is the improved policy) or puct (visit counts)
    #[arg(long, value_name = "KIND", default_value = "gumbel", requires = "visits", value_parser = ["gumbel", "puct"])]
    root: String,

    /// Factor on the Gumbel noise
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "visits", value_parser = factor)]
    gumbel_scale: f64,

    /// Concentration of the Dirichlet noise on the priors of a PUCT root
    #[arg(long, value_name = "ALPHA", default_value_t = 0.3, requires = "visits", value_parser = alpha)]
    dirichlet_alpha: f64,

    /// Share of the Dirichlet noise in a prior, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, requires = "visits", value_parser = share)]
    dirichlet_share: f64,

    /// Temperature by which the first moves of a game are drawn from the target; 0 plays the best
    #[arg(long, value_name = "T", default_value_t = 1.0, requires = "visits", value_parser = factor)]
    temperature: f64,

    /// Plies after the opening that are drawn by temperature
    #[arg(long, value_name = "PLIES", default_value_t = 12, requires = "visits")]
    temperature_plies: u32,

    /// A side resigns when its expected score, from 0 to 1, stays below this; 0 for never
    #[arg(long, value_name = "SCORE", default_value_t = 0.03, requires = "visits", value_parser = share)]
    resign_below: f64,

    /// Moves of a side in a row after which it resigns
    #[arg(long, value_name = "N", default_value_t = 3, requires = "visits", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    resign_moves: u32,

    /// Share of games in which nobody resigns, so that false resignations are counted, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, requires = "visits", value_parser = share)]
    play_on: f64,

    /// Plies after which a game is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 400, requires = "visits", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_plies: u32,
}

/// The arguments that all self-play has.
pub(super) struct Common<'a> {
    pub(super) nodes: Option<u64>,
    pub(super) threads: u16,
    pub(super) is_json: bool,
    pub(super) amount: &'a Amount,
    pub(super) search: Algorithm,
}

fn factor(text: &str) -> Result<f64, String> {
    const MOST: f64 = 100.0;
    let factor = text.parse().ok().filter(|factor| (0.0..=MOST).contains(factor));
    factor.ok_or_else(|| format!("{text:?} is no number from 0 to {MOST}"))
}

fn alpha(text: &str) -> Result<f64, String> {
    factor(text)?;
    text.parse()
        .ok()
        .filter(|alpha| *alpha >= 0.01)
        .ok_or_else(|| format!("{text:?} is no number from 0.01 to 100"))
}

impl VisitArgs {
    /// Whether a leaf network was named.
    pub(super) fn has_leaf_network(&self) -> Result<bool, String> {
        Ok(self.leaf_network.fingerprint()?.is_some())
    }

    fn settings(&self, games: SelfPlay, nodes: Option<u64>) -> Result<VisitPlay, String> {
        let default = VisitPlay::default();
        let policy = match &self.policy_file {
            Some(path) => Some(Arc::new(PolicyNetwork::load(path)?)),
            None => PolicyNetwork::built_in(),
        };
        let adjudication = default.games.adjudication;
        let nodes = nodes.unwrap_or(default.games.nodes);
        let rule = Resignation { below: self.resign_below, moves: self.resign_moves };
        Ok(VisitPlay {
            games: SelfPlay { nodes, adjudication, ..games },
            policy,
            leaf_network: self.leaf_network.network(Algorithm::Mcts)?.zip(self.leaf_network.fingerprint()?),
            root: if self.root == "puct" { RootPolicy::Visits } else { RootPolicy::Improved },
            gumbel_scale: self.gumbel_scale,
            dirichlet: Dirichlet { alpha: self.dirichlet_alpha, share: self.dirichlet_share },
            temperature: self.temperature,
            temperature_plies: self.temperature_plies,
            resignation: (self.resign_below > 0.0).then_some(rule),
            play_on_share: self.play_on,
            max_plies: self.max_plies,
        })
    }
}

/// Runs self-play with visit distributions.
pub(super) fn run(args: &VisitArgs, common: &Common<'_>, games: SelfPlay) -> Finish {
    let path = args.visits.as_deref().expect("clap demands one of both files");
    if common.search != Algorithm::Mcts {
        return Err("visit distributions come from --search mcts".to_owned().into());
    }
    let settings = args.settings(games, common.nodes)?;
    if !settings.has_openings().map_err(String::from)? {
        return Err("no game can begin: one side is lost everywhere, by --max-opening-score"
            .to_owned()
            .into());
    }
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let (mut writer, mut written) =
        VisitWriter::open(path, &settings.manifest()).map_err(|error| failed(&error))?;
    let before = written;
    let is_over = interrupt::flag();
    let start = Instant::now();
    let mut bar = Long::new(10_000, "{elapsed_precise} [{bar:30}] {percent}%, {eta} left, {msg}");
    let mut failure = None;
    let part = |written: Written, elapsed| {
        common.amount.part(&Stored { games: written.games, positions: written.positions }, elapsed)
    };
    if part(written, Duration::ZERO) < 1.0 {
        let numbers = written.games..common.amount.games.unwrap_or(u64::MAX);
        let take = |game: rukh_lab::visits::VisitGame| {
            written.add(&game);
            if let Err(error) = writer.add(game) {
                failure = Some(failed(&error));
                return ControlFlow::Break(());
            }
            let part = part(written, start.elapsed());
            let speed = (written.positions - before.positions) as f64 / start.elapsed().as_secs_f64();
            let Written { games, positions } = written;
            bar.set((part * 1e4) as u64, || {
                format!("{games} games, {positions} positions, {speed:.0} a second")
            });
            if part >= 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        settings.run(numbers, usize::from(common.threads), &is_over, take).map_err(String::from)?;
    }
    drop(bar);
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    writer.flush().map_err(|error| failed(&error))?;
    report(common.is_json, path, before, written, start.elapsed())?;
    if part(written, start.elapsed()) < 1.0 {
        eprint_line("interrupted; the same command resumes from here");
    }
    Ok(ExitCode::SUCCESS)
}

fn report(
    is_json: bool,
    path: &Path,
    before: Written,
    written: Written,
    elapsed: Duration,
) -> Result<(), Failure> {
    let seconds = elapsed.as_secs_f64();
    let Written { games, positions } = written;
    let here = positions - before.positions;
    let speed = here as f64 / seconds.max(1e-9);
    if is_json {
        return print_line(
            &json!({
                "games": games, "positions": positions, "new_positions": here, "seconds": seconds,
                "positions_per_second": speed,
            })
            .to_string(),
        );
    }
    print_line(&format!("{games} games with {positions} positions in {}", path.display()))?;
    print_line(&format!("{here} of them in {seconds:.1} s: {speed:.1} positions a second"))
}
