//! `rukh data policy`: records for the trainer of the policy network, and the moves that a policy network finds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use rukh_eval::PolicyNetwork;
use rukh_lab::labels::LabelReader;
use rukh_lab::packed::{self, PackedGame};
use rukh_lab::policy_records::PolicySample;

use super::labels::is_labels;
use crate::finish::{Failure, Finish};
use crate::output::{NewFile, print_line};
use crate::processors::processors;

/// Write records for the trainer of the policy network, or measure a policy network
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Labels (.rkl) or games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The output file
    #[arg(long, value_name = "FILE", required_unless_present = "network")]
    out: Option<PathBuf>,

    /// A policy network: print how many best moves it finds
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// Use every Nth position of a game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

const EXAMPLES: &str = "\
A record has 320 bytes, numbers little-endian:
   0..50  as in a raw label (`rukh data labels --help`); the kind is 3 for a position of a game, which has no score
      50  number of legal moves
      51  index of the best move among them, 255 if it is not known
      52  index of the second best move, 255 for none
      53  1 if left and right are swapped in inputs and outputs, plus 2 in check
 64..128  32 inputs (u16), 65535 for none
128..320  96 outputs (u16), one for each legal move, 65535 for none

All positions of games are used, but those after which no score stands have no best move. Positions with more than 96 legal moves
are left out. scripts/policy trains the network.

Examples:
  rukh data policy labels.rkl games.vf --out policy.bin
  rukh data policy games.vf --out policy.bin --every 4
  rukh data policy labels.rkl --network policy.net";

/// Games or labels that one thread takes at once.
const BATCH: usize = 512;

/// What a thread makes of a batch.
#[derive(Default)]
struct Made {
    records: Vec<u8>,
    positions: u64,
    /// Positions whose best move is known, and those where the network finds it.
    known: u64,
    found: u64,
    /// The sum of all logits of the network, in its integers.
    logits: i64,
}

/// What is made of every sample.
#[derive(Clone, Copy)]
struct Task<'t> {
    has_records: bool,
    network: Option<&'t PolicyNetwork>,
    every: usize,
}

impl Task<'_> {
    fn add(&self, sample: &PolicySample, made: &mut Made) {
        let Some(record) = sample.record() else { return };
        made.positions += 1;
        if self.has_records {
            made.records.extend(record);
        }
        let Some(network) = self.network else { return };
        let moves = sample.position().legal_moves();
        let mut logits = Vec::with_capacity(moves.len());
        network.for_each_logit(sample.position(), &moves, |logit| logits.push(logit));
        made.logits += logits.iter().map(|&logit| i64::from(logit)).sum::<i64>();
        // Of equal logits the first counts, as in the trainer.
        let best = (0..moves.len()).rev().max_by_key(|&index| logits[index]);
        if let Some(known) = sample.best() {
            made.known += 1;
            made.found += u64::from(best.is_some_and(|index| moves[index] == known));
        }
    }

    fn games(&self, games: &[&[u8]]) -> Result<Made, String> {
        let mut made = Made::default();
        for bytes in games {
            let game = PackedGame::read(&mut &bytes[..]).map_err(|error| error.to_string())?;
            let Some(game) = game else { continue };
            for (position, mv, score) in game.positions().step_by(self.every) {
                self.add(&PolicySample::of_game(position, mv, score, game.outcome), &mut made);
            }
        }
        Ok(made)
    }

    fn labels(&self, samples: &[PolicySample]) -> Result<Made, String> {
        let mut made = Made::default();
        samples.iter().for_each(|sample| self.add(sample, &mut made));
        Ok(made)
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Finish {
    let network = args.network.as_deref().map(PolicyNetwork::load).transpose()?;
    let threads = args.threads.map_or_else(processors, usize::from);
    let mut out = args.out.as_deref().map(NewFile::create).transpose()?;
    let task = Task { has_records: out.is_some(), network: network.as_ref(), every: args.every as usize };
    for path in &args.files {
        let start = Instant::now();
        let mut sum = Made::default();
        let mut take = |made: Made| -> Result<(), String> {
            sum.positions += made.positions;
            sum.known += made.known;
            sum.found += made.found;
            sum.logits += made.logits;
            out.as_mut().map_or(Ok(()), |out| out.write_bytes(&made.records))
        };
        match is_labels(path) {
            true => all_labels(path, task, threads, &mut take)?,
            false => all_games(path, task, threads, &mut take)?,
        }
        report(path, &sum, network.is_some(), start)?;
    }
    if let Some(out) = out {
        out.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn report(path: &Path, sum: &Made, has_network: bool, start: Instant) -> Result<(), Failure> {
    let seconds = start.elapsed().as_secs_f64();
    let speed = sum.positions as f64 / seconds.max(1e-3) / 1e3;
    let mut line = format!("{}: {} positions, {speed:.0} thousand a second", path.display(), sum.positions);
    if has_network {
        let percent = 100.0 * sum.found as f64 / sum.known.max(1) as f64;
        line += &format!("; {percent:.2}% of {} best moves found, sum of logits {}", sum.known, sum.logits);
    }
    print_line(&line)
}

fn all_games(
    path: &Path,
    task: Task<'_>,
    threads: usize,
    take: &mut impl FnMut(Made) -> Result<(), String>,
) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let games: Vec<&[u8]> = packed::split(&bytes).collect();
    if games.is_empty() {
        return Err(format!("{} has no whole game", path.display()));
    }
    for round in games.chunks(BATCH * threads) {
        in_threads(path, round, |games| task.games(games), take)?;
    }
    Ok(())
}

fn all_labels(
    path: &Path,
    task: Task<'_>,
    threads: usize,
    take: &mut impl FnMut(Made) -> Result<(), String>,
) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut labels = LabelReader::open(path).map_err(|error| failed(&error))?;
    loop {
        let round = labels.by_ref().take(BATCH * threads).map(|label| label.map(PolicySample::of_label));
        let round: Vec<PolicySample> = round.collect::<Result<_, _>>().map_err(|error| failed(&error))?;
        if round.is_empty() {
            return Ok(());
        }
        in_threads(path, &round, |samples| task.labels(samples), take)?;
    }
}

/// Makes records of batches, a thread for each, and takes them in their order.
fn in_threads<T: Sync>(
    path: &Path,
    all: &[T],
    make: impl Fn(&[T]) -> Result<Made, String> + Sync,
    take: &mut impl FnMut(Made) -> Result<(), String>,
) -> Result<(), String> {
    let made: Vec<Result<Made, String>> = thread::scope(|scope| {
        let threads: Vec<_> = all.chunks(BATCH).map(|batch| scope.spawn(|| make(batch))).collect();
        let join =
            |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("making records does not panic");
        threads.into_iter().map(join).collect()
    });
    for made in made {
        take(made.map_err(|error| format!("{}: {error}", path.display()))?)?;
    }
    Ok(())
}
