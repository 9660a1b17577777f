//! `rukh data`: looks at stored games, checks, shuffles, takes apart and converts them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use rukh_chess::random::SplitMix64;
use rukh_eval::{Evaluation, Network};
use rukh_lab::census::Census;
use rukh_lab::chances::Chances;
use rukh_lab::foretold::{Fit, Foretold};
use rukh_lab::labelled::Labelled;
use rukh_lab::packed::PackedGame;
use rukh_lab::plot::svg;
use rukh_lab::singles;
use serde_json::json;

use crate::finish::{Failure, Finish};
use crate::games::Games;
use crate::output::{NewFile, print, print_line};
use crate::progress::LateBar;

/// Look at games of self-play, check, shuffle, take apart or convert them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Games come from `rukh selfplay`; the format is that of the crate viriformat.

Examples:
  rukh data stats games.vf --svg games.svg
  rukh data check games.vf
  rukh data foretell games.vf --network new.net
  rukh data shuffle one.vf two.vf --out games.vf
  rukh data quiet games.vf --out quiet.vf
  rukh data to-epd games.vf --out quiet.epd --every 8";

const STATS_EXAMPLES: &str = "\
Examples:
  rukh data stats games.vf
  rukh data stats one.vf two.vf --svg games.svg --json";

const CHANCES_EXAMPLES: &str = "\
Examples:
  rukh data chances games.vf
  rukh data chances games.vf --svg chances.svg --json";

const FORETELL_EXAMPLES: &str = "\
Of each evaluation the mean squared error of the chances that follow from it, with the scale of the logistic curve that suits
it best: the less, the more it knows of how games end. Use games that no network has learnt from, without stumbles.

Examples:
  rukh data foretell games.vf
  rukh data foretell games.vf --network one.net --network two.net --max-score 3000";

const CHECK_EXAMPLES: &str = "\
Examples:
  rukh data check games.vf
  rukh data check one.vf two.vf --json";

const SHUFFLE_EXAMPLES: &str = "\
Examples:
  rukh data shuffle one.vf two.vf --out games.vf
  rukh data shuffle games.vf --out shuffled.vf --seed 7";

const QUIET_EXAMPLES: &str = "\
Nobody is in check, and the move that was found best neither captures nor promotes. A tutor (scripts/tutor) learns from them.

Examples:
  rukh data quiet games.vf --out quiet.vf";

const STRAYS_EXAMPLES: &str = "\
A stray is a move or two by lot away from what was played, nobody is in check, and no capture wins anything. It has no score
before a tutor (scripts/tutor) judges it: until then nothing is learnt from it.

Examples:
  rukh data strays games.vf --out strays.vf
  rukh data strays games.vf --out strays.vf --each 4 --seed 7";

const TO_EPD_EXAMPLES: &str = "\
Examples:
  rukh data to-epd games.vf --positions 1000
  rukh data to-epd games.vf --out quiet.epd --every 8";

/// Games to count, and how the counts are told.
#[derive(clap::Args)]
struct Counted {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw what was counted
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Count games, results, scores, phases, men and duplicates
    #[command(after_help = STATS_EXAMPLES)]
    Stats(Counted),
    /// Fit the chances to win, draw and lose to scores and results
    #[command(after_help = CHANCES_EXAMPLES)]
    Chances(Counted),
    /// Say how well scores, the evaluations and networks foretell the results of quiet positions
    #[command(after_help = FORETELL_EXAMPLES)]
    Foretell {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// A network to ask beside the one that is built in
        #[arg(long = "network", value_name = "FILE")]
        networks: Vec<PathBuf>,
        /// Positions with greater scores are left out, in centipawns
        #[arg(long, value_name = "CP", default_value_t = 300, value_parser = clap::value_parser!(i16).range(1..))]
        max_score: i16,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Read every game: the exit status is 1 if something is wrong
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print a JSON object for each file
        #[arg(long)]
        json: bool,
    },
    /// Put the games of all files into one, in an order by lot
    #[command(after_help = SHUFFLE_EXAMPLES)]
    Shuffle {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// What the order hangs on
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write the quiet positions with known results, each as a game of one move
    #[command(after_help = QUIET_EXAMPLES)]
    Quiet {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Write quiet positions near those that were played, each as a game of one move
    #[command(after_help = STRAYS_EXAMPLES)]
    Strays {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where they go
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// How many are tried for each position that was played
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
        each: u64,
        /// What the lots hang on
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write positions as lines of EPD with score (ce) and result (c9)
    #[command(after_help = TO_EPD_EXAMPLES)]
    ToEpd {
        /// The games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where the lines go; to the standard output if not said
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// At most so many positions
        #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
        positions: usize,
        /// Take one in so many of the quiet positions of a game
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        every: u32,
    },
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.task {
        Task::Stats(Counted { files, svg, json }) => stats(files, svg.as_deref(), *json),
        Task::Chances(Counted { files, svg, json }) => chances(files, svg.as_deref(), *json),
        Task::Foretell { files, networks, max_score, json } => foretell(files, networks, *max_score, *json),
        Task::Check { files, json } => check(files, *json),
        Task::Shuffle { files, out, seed } => shuffle(files, out, *seed),
        Task::Quiet { files, out } => write_singles(files, out, |game| singles::quiet(game).collect()),
        Task::Strays { files, out, each, seed } => {
            let mut random = SplitMix64::new(*seed);
            write_singles(files, out, |game| singles::strays(game, *each, &mut random))
        }
        Task::ToEpd { files, out, positions, every } => {
            to_epd(files, out.as_deref(), *positions, *every as usize)
        }
    }
}

fn chances(files: &[PathBuf], picture: Option<&Path>, as_json: bool) -> Finish {
    let picture = picture.map(NewFile::create).transpose()?;
    let mut chances = Chances::default();
    for path in files {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            chances.add(&found.game);
        }
    }
    let model = chances.fit().ok_or_else(|| "there are too few games to fit chances to".to_owned())?;
    if let Some(mut file) = picture {
        file.write(&svg(&chances.charts(&model), 2))?;
        file.finish()?;
    }
    let [half, spread] = model.polynomials;
    if as_json {
        let fitted = model.fitted.iter().map(|(number, curve, positions)| {
            json!({ "move": number, "half": curve.half, "spread": curve.spread, "positions": positions })
        });
        let fitted: Vec<_> = fitted.collect();
        print_line(&json!({ "half": half, "spread": spread, "fitted": fitted }).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&format!("{} positions", chances.positions()))?;
    print_line(&format!("{:>6} {:>14} {:>8}", "move", "half won at", "spread"))?;
    for number in [8, 16, 24, 32, 40, 48, 56, 64] {
        let curve = model.at(number);
        print_line(&format!("{number:>6} {:>14.1} {:>8.1}", curve.half, curve.spread))?;
    }
    for (name, polynomial) in [("half", half), ("spread", spread)] {
        let numbers = polynomial.map(|number| format!("{number:.3}")).join(", ");
        print_line(&format!("{name}: [{numbers}]"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn foretell(files: &[PathBuf], networks: &[PathBuf], max_score: i16, as_json: bool) -> Finish {
    let mut evaluations = vec![
        ("classical".to_owned(), Evaluation::Classical),
        ("built in".to_owned(), Evaluation::Network(Network::built_in())),
    ];
    for path in networks {
        let network = Arc::new(Network::load(path)?);
        evaluations.push((path.display().to_string(), Evaluation::Network(network)));
    }
    let mut positions = Vec::new();
    for path in files {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            positions.extend(Foretold::all_of(&found.game, max_score));
        }
    }
    if positions.is_empty() {
        return Err("there are no quiet positions to foretell results of".to_owned().into());
    }
    let mut fits = vec![("scores".to_owned(), Fit::of_searches(&positions))];
    for (name, evaluation) in evaluations {
        fits.push((name, Fit::of_evaluation(&evaluation, &positions)));
    }
    if as_json {
        let fits =
            fits.iter().map(|(name, fit)| json!({ "by": name, "error": fit.error, "scale": fit.scale }));
        let fits: Vec<_> = fits.collect();
        print_line(&json!({ "positions": positions.len(), "foretold": fits }).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&format!("{} quiet positions with scores within {max_score}", positions.len()))?;
    print_line(&format!("{:>10} {:>7}", "error", "scale"))?;
    for (name, fit) in fits {
        print_line(&format!("{:>10.6} {:>7.1}  {name}", fit.error, fit.scale))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn stats(files: &[PathBuf], picture: Option<&Path>, as_json: bool) -> Finish {
    // What cannot be written is better known now.
    let picture = picture.map(NewFile::create).transpose()?;
    let mut census = Census::default();
    for path in files {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            census.add(&found.game);
        }
    }
    let duplicates = census.duplicates();
    if let Some(mut file) = picture {
        file.write(&svg(&census.charts(), 2))?;
        file.finish()?;
    }
    let Census { games, positions, outcomes: [white, draws, black], .. } = census;
    if as_json {
        print_line(
            &json!({
                "games": games, "positions": positions, "white": white, "draws": draws, "black": black,
                "chess960": census.chess960, "in_check": census.in_check, "noisy": census.noisy,
                "stumbles": census.stumbles, "decisive": census.decisive, "duplicates": duplicates, "scores": census.scores,
                "score_step": Census::SCORE_STEP, "phases": census.phases, "men": census.men.as_slice(),
                "lengths": census.lengths, "length_step": Census::LENGTH_STEP,
            })
            .to_string(),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let of = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    for line in [
        format!(
            "games        {games:>12}   White wins {:.1}%, draws {:.1}%, Black wins {:.1}%",
            of(white, games),
            of(draws, games),
            of(black, games)
        ),
        format!("  Chess960   {:>12}", census.chess960),
        format!("positions    {positions:>12}   {:.1} for each game", positions as f64 / games.max(1) as f64),
        format!("  in check   {:>12}   {:.1}%", census.in_check, of(census.in_check, positions)),
        format!("  captures   {:>12}   {:.1}% with promotions", census.noisy, of(census.noisy, positions)),
        format!("  by lot     {:>12}   {:.1}%", census.stumbles, of(census.stumbles, positions)),
        format!("  proven     {:>12}   {:.1}%", census.decisive, of(census.decisive, positions)),
        format!("  duplicates {duplicates:>12}   {:.1}%", of(duplicates, positions)),
    ] {
        print_line(&line)?;
    }
    print_line("\nscores for White, in pawns")?;
    print_bars(&census.scores, |at| f64::from(at as i32 * Census::SCORE_STEP - Census::SCORE_MAX) / 100.0)?;
    print_line("\nphase, 24 is all pieces")?;
    print_bars(&census.phases, |at| at as f64)?;
    print_line("\nmen on the board")?;
    print_bars(&census.men, |at| at as f64)?;
    Ok(ExitCode::SUCCESS)
}

/// Counts as bars of text; empty ends are left out.
fn print_bars(counts: &[u64], place: impl Fn(usize) -> f64) -> Result<(), Failure> {
    const WIDTH: u64 = 60;
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let Some(first) = counts.iter().position(|&count| count > 0) else { return Ok(()) };
    let last = counts.iter().rposition(|&count| count > 0).unwrap_or(first);
    for (at, &count) in counts.iter().enumerate().take(last + 1).skip(first) {
        let bar = "#".repeat((count * WIDTH / most) as usize);
        print_line(&format!("{:>7} {count:>10} {bar}", place(at)))?;
    }
    Ok(())
}

fn check(files: &[PathBuf], as_json: bool) -> Finish {
    // A file that cannot be read is no finding.
    let all = files.iter().map(|path| Games::open(path)).collect::<Result<Vec<_>, _>>()?;
    let mut is_sound = true;
    for (mut of, path) in all.into_iter().zip(files) {
        let (mut games, mut positions) = (0_u64, 0_u64);
        let fault = loop {
            match of.next() {
                Ok(Some(found)) => {
                    games += 1;
                    positions += found.game.moves.len() as u64;
                }
                Ok(None) => break None,
                Err(fault) => break Some(fault),
            }
        };
        drop(of);
        is_sound &= fault.is_none();
        if as_json {
            let file = path.to_string_lossy();
            print_line(
                &json!({ "file": file, "games": games, "positions": positions, "fault": fault }).to_string(),
            )?;
            continue;
        }
        print_line(&format!("{}: {games} games with {positions} positions are sound", path.display()))?;
        if let Some(fault) = fault {
            print_line(&fault)?;
        }
    }
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The games stay in their files until they are written; only their places are shuffled.
fn shuffle(files: &[PathBuf], out: &Path, seed: u64) -> Finish {
    let mut to = NewFile::create(out)?;
    let mut places = Vec::new();
    for (file, path) in files.iter().enumerate() {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            places.push((file, found.start, found.length));
        }
    }
    SplitMix64::new(seed).shuffle(&mut places);
    let cannot_read = |path: &Path, error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut open: Vec<File> = files
        .iter()
        .map(|path| File::open(path).map_err(|error| cannot_read(path, error)))
        .collect::<Result<_, _>>()?;
    let bar = LateBar::new("games");
    let mut bytes = Vec::new();
    for (done, &(file, start, length)) in places.iter().enumerate() {
        bytes.resize(length as usize, 0);
        let from = &mut open[file];
        let read = from.seek(SeekFrom::Start(start)).and_then(|_| from.read_exact(&mut bytes));
        read.map_err(|error| cannot_read(&files[file], error))?;
        to.write_bytes(&bytes)?;
        bar.set(done + 1, places.len());
    }
    to.finish()?;
    drop(bar);
    print_line(&format!("{} games in {}", places.len(), out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes what `take` makes of each game.
fn write_singles(
    files: &[PathBuf],
    out: &Path,
    mut take: impl FnMut(&PackedGame) -> Vec<PackedGame>,
) -> Finish {
    let mut to = NewFile::create(out)?;
    let mut count = 0_u64;
    let mut bytes = Vec::new();
    for path in files {
        let mut games = Games::open(path)?;
        while let Some(found) = games.next()? {
            for single in take(&found.game) {
                single.write(&mut bytes).expect("memory takes what is written");
                count += 1;
            }
            to.write_bytes(&bytes)?;
            bytes.clear();
        }
    }
    to.finish()?;
    print_line(&format!("{count} positions in {}", out.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn to_epd(files: &[PathBuf], out: Option<&Path>, positions: usize, every: usize) -> Finish {
    let mut to = out.map(NewFile::create).transpose()?;
    let mut left = positions;
    for path in files {
        let mut games = Games::open(path)?;
        while left > 0
            && let Some(found) = games.next()?
        {
            let lines = Labelled::quiet(&found.game)
                .step_by(every)
                .take(left)
                .map(|labelled| format!("{labelled}\n"));
            let lines: Vec<String> = lines.collect();
            left -= lines.len();
            match &mut to {
                Some(file) => file.write(&lines.concat())?,
                None => print(&lines.concat())?,
            }
        }
    }
    if let Some(file) = to {
        file.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}
