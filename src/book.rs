//! `rukh book`: makes opening books in Polyglot format and shows their moves.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rukh_chess::Position;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_knowledge::polyglot::{Book, Maker};
use serde_json::json;

use crate::finish::Finish;
use crate::output::{NewFile, eprint_line, print_line};
use crate::progress::LateBar;
use crate::text::read_bytes;

/// Make an opening book from games, or show the moves of one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: BookCommand,
}

const EXAMPLES: &str = "\
Books are in Polyglot format (.bin), which most GUIs read.

Examples:
  rukh book make --pgn games.pgn --out my.bin --plies 24 --min-games 3
  rukh book show my.bin
  rukh book show my.bin --fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"";

const MAKE_EXAMPLES: &str = "\
Examples:
  rukh book make --pgn games.pgn --out my.bin
  rukh book make --pgn one.pgn --pgn two.pgn --out my.bin --plies 24 --min-games 3";

const SHOW_EXAMPLES: &str = "\
Examples:
  rukh book show my.bin
  rukh book show my.bin --json --fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"";

#[derive(clap::Subcommand)]
enum BookCommand {
    /// Make a book from PGN files; moves are weighted by the points they scored
    #[command(after_help = MAKE_EXAMPLES)]
    Make {
        /// PGN file with games; may be given several times
        #[arg(long, value_name = "FILE", required = true)]
        pgn: Vec<PathBuf>,
        /// The book to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Number of plies of each game that enter the book
        #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..))]
        plies: u16,
        /// Minimum number of games in which a move was played
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
        min_games: u32,
    },
    /// Show the book moves of a position with their weights
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// The book
        book: PathBuf,
        /// The position as FEN, X-FEN or Shredder-FEN
        #[arg(long, default_value = "startpos")]
        fen: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    match &args.task {
        BookCommand::Make { pgn, out, plies, min_games } => make(pgn, out, usize::from(*plies), *min_games),
        BookCommand::Show { book, fen, json } => show(book, fen, *json),
    }
}

fn make(files: &[PathBuf], out: &Path, plies: usize, min_games: u32) -> Finish {
    // A path that cannot be written is refused before the work.
    let mut file = NewFile::create(out)?;
    let mut maker = Maker::default();
    let (mut good, mut bad) = (0_u64, 0_u64);
    for path in files {
        let bytes = read_bytes(path)?;
        let text = decode(&bytes);
        let bar = LateBar::new("bytes");
        let mut games = Games::new(&text);
        while let Some(game) = games.next() {
            bar.set(games.bytes_read(), text.len());
            let Some((game, outcome)) =
                game.ok().and_then(|game| game.outcome.map(|outcome| (game, outcome)))
            else {
                bad += 1;
                continue;
            };
            good += 1;
            // Moves after a null move do not belong to a game of chess.
            let moves: Vec<_> = game.main_line.moves.iter().map_while(|played| played.mv).collect();
            maker.add(&game.start, &moves, plies, outcome);
        }
        bar.finish();
    }
    let book = maker.finish(min_games);
    if book.is_empty() {
        return Err(
            format!("no move was played in {min_games} of {good} games: there is no book to write").into()
        );
    }
    file.write_bytes(&book.to_bytes())?;
    file.finish()?;
    if bad > 0 {
        eprint_line(&format!(
            "{bad} games are malformed or have no result and are left out; rukh pgn reports malformed games"
        ));
    }
    print_line(&format!("{} moves from {good} games in {}", book.len(), out.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn show(path: &Path, fen: &str, as_json: bool) -> Finish {
    let book = Book::read(&read_bytes(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    let position: Position = match fen {
        "startpos" => Position::default(),
        fen => fen.parse().map_err(|error| format!("{error}"))?,
    };
    let moves = book.moves(&position);
    let all: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
    if as_json {
        let moves: Vec<_> = moves
            .iter()
            .map(|&(mv, weight)| json!({ "move": position.san(mv).to_string(), "weight": weight }))
            .collect();
        print_line(&json!({ "moves": moves }).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    if moves.is_empty() {
        print_line("the position is not in the book")?;
    }
    for (mv, weight) in moves {
        let share = 100.0 * f64::from(weight) / f64::from(all.max(1));
        print_line(&format!("{:<8} {weight:>6} {share:>5.1}%", position.san(mv).to_string()))?;
    }
    Ok(ExitCode::SUCCESS)
}
