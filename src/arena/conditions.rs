//! Under which conditions games are played: how long engines think, where games begin, and when they end early.

use std::path::PathBuf;
use std::time::Duration;

use rukh_engine::draw_policy::DrawPolicy;
use rukh_lab::arena::{Adjudication, Book, ClockRule, Control, DrawRule, ResignRule};

use crate::books::read_book;

/// The conditions of games.
#[derive(clap::Args)]
pub(crate) struct Conditions {
    /// Time control: seconds+increment, moves/seconds
    #[arg(long, value_name = "CONTROL")]
    tc: Option<ClockRule>,

    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// Nodes for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Plies for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Milliseconds by which an answer may be late
    #[arg(long, value_name = "MS", default_value_t = 0)]
    margin: u64,

    /// Games at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Where games begin: positions (.epd, .fen) or games (.pgn), also packed (.xz)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Plies of the openings that are played; all if not said
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Take the openings in an order that depends on --seed
    #[arg(long)]
    random_order: bool,

    /// What the order depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Call a game drawn: from this move on, after so many moves, with scores no farther from zero in centipawns
    #[arg(long, value_name = "MOVE,MOVES,SCORE")]
    draw: Option<String>,

    /// Call a game lost: after so many moves of both sides with scores at least so far from zero
    #[arg(long, value_name = "MOVES,SCORE")]
    resign: Option<String>,

    /// Call a game drawn after this move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,

    /// Seconds after which an engine without a limit in time counts as hanging
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
}

impl Conditions {
    /// How long engines think that have no limits of their own.
    pub(crate) fn control(&self) -> Control {
        Control {
            clock: self.tc,
            move_time: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            margin: Duration::from_millis(self.margin),
        }
    }

    /// Where games begin.
    pub(crate) fn book(&self) -> Result<Book, String> {
        let book = match &self.openings {
            Some(path) => read_book(path, self.plies)?,
            None => Book::standard(),
        };
        Ok(if self.random_order { book.shuffled(self.seed) } else { book })
    }

    /// How long an engine without a limit in time may think.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience)
    }

    /// Games at once.
    pub(crate) fn concurrency(&self) -> usize {
        usize::from(self.concurrency)
    }

    /// What lots depend on.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// When games end early.
    pub(crate) fn adjudication(&self) -> Result<Adjudication, String> {
        let draw = self.draw.as_deref().map(|text| match numbers(text)?[..] {
            [from_move, moves, margin] if moves > 0 => {
                Some(DrawRule { policy: DrawPolicy { from_move, margin: margin as i32 }, moves })
            }
            _ => None,
        });
        let resign = self.resign.as_deref().map(|text| match numbers(text)?[..] {
            [moves, score] if moves > 0 => {
                Some(ResignRule { moves, score: score as i32, is_two_sided: true })
            }
            _ => None,
        });
        Ok(Adjudication {
            draw: match draw {
                Some(None) => return Err("--draw wants three numbers, such as 40,8,10".to_owned()),
                rule => rule.flatten(),
            },
            resign: match resign {
                Some(None) => return Err("--resign wants two numbers, such as 3,600".to_owned()),
                rule => rule.flatten(),
            },
            max_moves: self.max_moves,
        })
    }
}

/// Numbers with commas between them, none so great that a score could not hold it.
fn numbers(text: &str) -> Option<Vec<u32>> {
    const MOST: u32 = 1_000_000;
    text.split(',').map(|word| word.trim().parse().ok().filter(|&number| number <= MOST)).collect()
}
