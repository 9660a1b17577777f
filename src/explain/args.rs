//! The arguments of `rukh explain`, and the engine with them.

use std::path::PathBuf;
use std::sync::Arc;

use rukh_engine::Engine;
use rukh_explain::claims::engine_analyst::EngineAnalyst;
use rukh_explain::claims::level::Level;
use rukh_knowledge::Syzygy;

use crate::evaluation::EvaluationArgs;
use crate::output::eprint_line;

/// Explain a move: why it is good or bad, with lines that prove it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position [default: the start position]
    #[arg(long, value_name = "FEN", conflicts_with_all = ["pgn", "themes", "verify"])]
    pub(super) fen: Option<String>,

    /// The game of this PGN file; --move then takes the number of a move, such as 12 or 12... for Black
    #[arg(long, value_name = "FILE", conflicts_with_all = ["themes", "verify"])]
    pub(super) pgn: Option<PathBuf>,

    /// With --pgn: the number of the game in the file
    #[arg(long, value_name = "N", requires = "pgn", default_value = "1")]
    pub(super) game: usize,

    /// With --pgn: explain every N-th move of all games; with --themes: measure every N-th puzzle
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "verify", "moves", "against"])]
    pub(super) every: Option<usize>,

    /// The move to explain in SAN or UCI [default: the best move]; with --pgn also the number of the move
    #[arg(long = "move", value_name = "MOVE", conflicts_with_all = ["themes", "verify"])]
    pub(super) moves: Vec<String>,

    /// Explain why not this move
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["themes", "verify"])]
    pub(super) against: Option<String>,

    /// The nodes of one explanation; with --verify the nodes of a claim whose own are not known. With --themes: measure
    /// on Rukh's line too, found with this many nodes
    #[arg(long)]
    pub(super) nodes: Option<u64>,

    /// The reader: beginner, club or expert
    #[arg(long, value_name = "LEVEL", default_value = "club", value_parser = level)]
    pub(super) level: Level,

    /// The most sentences that are printed
    #[arg(long, value_name = "N", default_value = "3")]
    pub(super) sentences: usize,

    /// Folders of Syzygy tablebases, for tablebase facts
    #[arg(long, value_name = "PATH")]
    pub(super) syzygy: Option<String>,

    /// Check the claims of a file that --json has written: replay them, and search with ten times the nodes
    #[arg(long, value_name = "FILE")]
    pub(super) verify: Option<PathBuf>,

    /// With --verify: check the claims about scores with another UCI engine: a program, or cmd=PROGRAM,option.NAME=VALUE
    #[arg(long, value_name = "ENGINE", requires = "verify")]
    pub(super) engine: Option<String>,

    /// Measure the detectors on puzzles with themes: id, FEN, moves, rating, themes (.tsv or .tsv.xz)
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    pub(super) themes: Option<PathBuf>,

    /// With --themes: list the rows on which this theme and its claim differ; with --nodes on the engine's main line
    #[arg(long, value_name = "THEME", requires = "themes")]
    pub(super) differences: Option<String>,

    /// With --themes and --nodes: leave the engine's lines out; the nodes are for zugzwang on the puzzles' own lines
    #[arg(long, requires = "themes", requires = "nodes")]
    pub(super) own_lines: bool,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Print JSON: one object for each explanation
    #[arg(long)]
    pub(super) json: bool,
}

/// The nodes of one explanation without --nodes.
pub(super) const NODES: u64 = 100_000;

const EXAMPLES: &str = "\
A claim is a line and facts that hold along it. What cannot be proven is not said; where the difference between two moves is noise, \
the answer says so.

Examples:
  rukh explain --fen \"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"
  rukh explain --fen \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3\" --move Nd4 --against Nf6
  rukh explain --pgn games.pgn --move 12... --level beginner
  rukh explain --pgn games.pgn --every 10 --json
  rukh explain --verify claims.json
  rukh explain --verify claims.json --engine stockfish
  rukh explain --themes puzzles.tsv.xz
  rukh explain --themes puzzles.tsv.xz --every 40 --nodes 10000
  rukh explain --themes puzzles.tsv.xz --differences fork";

fn level(text: &str) -> Result<Level, String> {
    match text {
        "beginner" => Ok(Level::Beginner),
        "club" => Ok(Level::Club),
        "expert" => Ok(Level::Expert),
        _ => Err("levels are beginner, club and expert".to_owned()),
    }
}

impl Args {
    /// The engine with the nodes of one explanation.
    pub(super) fn analyst(&self, nodes: u64) -> Result<EngineAnalyst, String> {
        const HASH: usize = 16;
        let mut engine = Engine::try_new().map_err(String::from)?;
        engine.resize_hash(HASH).map_err(|error| error.to_string())?;
        engine.set_evaluation(self.evaluation.evaluation()?);
        let mut analyst = EngineAnalyst::new(engine, nodes);
        if let Some(path) = &self.syzygy {
            analyst.set_tablebase(Arc::new(Syzygy::open(path, eprint_line)?));
        }
        Ok(analyst)
    }
}
