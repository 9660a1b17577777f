//! Conditions of games: limits, openings, adjudication.

use std::path::PathBuf;
use std::time::Duration;

use rukh_engine::draw_policy::DrawPolicy;
use rukh_eval::Centipawns;
use rukh_lab::arena::{Adjudication, Book, ClockRule, Control, DrawRule, ResignRule};

use crate::books::read_book;
use crate::processors::processors;

/// The conditions of games between engines.
#[derive(clap::Args)]
pub(crate) struct Conditions {
    /// Time control in seconds: 10+0.1 (time and increment), 60, 1:30+1, 40/60 (moves in seconds)
    #[arg(long, value_name = "CONTROL")]
    tc: Option<ClockRule>,

    /// Time per move in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// Nodes per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search depth per move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Tolerance for moves that come too late, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    margin: u64,

    /// Number of games played at the same time [default: 1, in a workshop one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// Openings: positions (.epd, .fen) or games (.pgn), also compressed (.xz)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Number of plies of PGN openings that are played [default: all]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Play the openings in random order
    #[arg(long)]
    random_order: bool,

    /// Seed of the random order
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Adjudicate a draw from move MOVE on, after MOVES moves of both engines within SCORE reported
    /// centipawns of zero
    #[arg(long, value_name = "MOVE,MOVES,SCORE")]
    draw: Option<String>,

    /// Adjudicate a loss after MOVES moves of both engines with at least SCORE reported centipawns for the
    /// winner
    #[arg(long, value_name = "MOVES,SCORE")]
    resign: Option<String>,

    /// Adjudicate a draw after this move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,

    /// Seconds after which an engine without a time limit is considered hanging
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
}

impl Conditions {
    /// The limits of engines that have none of their own.
    pub(crate) fn control(&self) -> Control {
        Control {
            clock: self.tc,
            move_time: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            margin: Duration::from_millis(self.margin),
        }
    }

    /// The openings.
    pub(crate) fn book(&self) -> Result<Book, String> {
        let book = match &self.openings {
            Some(path) => read_book(path, self.plies)?,
            None => Book::standard(),
        };
        Ok(if self.random_order { book.shuffled(self.seed) } else { book })
    }

    /// The time after which an engine without a time limit is considered hanging.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.patience)
    }

    /// Number of games played at the same time.
    pub(crate) fn concurrency(&self) -> usize {
        self.concurrency.map_or(1, usize::from)
    }

    /// Number of games played at the same time, by default one for each core.
    pub(crate) fn concurrency_or_cores(&self) -> usize {
        self.concurrency.map_or_else(processors, usize::from)
    }

    /// Whether the openings come from a file.
    pub(crate) fn has_openings(&self) -> bool {
        self.openings.is_some()
    }

    /// The seed of random choices.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// The adjudication rules.
    pub(crate) fn adjudication(&self) -> Result<Adjudication, String> {
        let draw = self.draw.as_deref().map(|text| match numbers(text)?[..] {
            [from_move, moves, margin] if moves > 0 => {
                Some(DrawRule { policy: DrawPolicy { from_move, margin: Centipawns(margin as i32) }, moves })
            }
            _ => None,
        });
        let resign = self.resign.as_deref().map(|text| match numbers(text)?[..] {
            [moves, score] if moves > 0 => {
                Some(ResignRule { moves, score: Centipawns(score as i32), is_two_sided: true })
            }
            _ => None,
        });
        Ok(Adjudication {
            draw: match draw {
                Some(None) => return Err("--draw takes three numbers, such as 40,8,10".to_owned()),
                rule => rule.flatten(),
            },
            resign: match resign {
                Some(None) => return Err("--resign takes two numbers, such as 3,600".to_owned()),
                rule => rule.flatten(),
            },
            max_moves: self.max_moves,
        })
    }
}

/// Comma-separated numbers, at most a million each.
fn numbers(text: &str) -> Option<Vec<u32>> {
    const MOST: u32 = 1_000_000;
    text.split(',').map(|word| word.trim().parse().ok().filter(|&number| number <= MOST)).collect()
}
