//! PGN games: tags, moves, comments, NAGs and variations.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use crate::game::{Ending, Game, Outcome};
use crate::position::Position;
use crate::types::Move;

/// A game with its tags, comments, NAGs and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The start position: that of the tag `FEN`, or that of standard chess.
    pub start: Position,
    /// The main line.
    pub main_line: Variation,
    /// The result; `None` for `*`, an unfinished game.
    pub outcome: Option<Outcome>,
}

/// A sequence of moves: the main line or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

/// A move with its NAGs, comments and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move; `None` for a null move, written `--`.
    pub mv: Option<Move>,
    /// Numeric annotation glyphs (NAGs): 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// Comments after the move, with white space normalised to single spaces.
    pub comments: Vec<String>,
    /// Variations that replace this move.
    pub variations: Vec<Variation>,
}

impl PgnMove {
    /// A move, or a null move for `None`, without annotations.
    pub fn new(mv: impl Into<Option<Move>>) -> Self {
        Self { mv: mv.into(), nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// The value of a command such as `[%clk 0:01:30]` in the comments.
    pub fn command(&self, name: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| {
            comment.split("[%").skip(1).find_map(|command| {
                let (content, _) = command.split_once(']')?;
                let (found, value) = content.split_once(' ')?;
                (found == name).then(|| value.trim())
            })
        })
    }

    /// The time left on the clock after the move: `[%clk h:mm:ss]`.
    pub fn clock(&self) -> Option<Duration> {
        read_duration(self.command("clk")?)
    }

    /// The time the move took: `[%emt h:mm:ss]`.
    pub fn elapsed(&self) -> Option<Duration> {
        read_duration(self.command("emt")?)
    }
}

/// Parses hours, minutes and seconds; the seconds may have a fraction.
fn read_duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut seconds = 0_u64;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let is_number = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = is_number.then(|| format!("0.{fraction}").parse::<f64>().ok())??;
    Duration::from_secs(seconds).checked_add(Duration::from_secs_f64(fraction))
}

impl PgnGame {
    /// The value of a tag. The case of the name does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// The moves of the main line, up to the first null move.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line.moves.iter().map_while(|played| played.mv)
    }

    /// The game without annotations.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for mv in self.moves() {
            game.play(mv).expect("the moves of a PGN game are legal");
        }
        game
    }
}

/// The value of the tag `name`.
pub(super) fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// A game without tags.
impl From<&Game> for PgnGame {
    fn from(game: &Game) -> Self {
        let moves = game.moves().iter().copied().map(PgnMove::new).collect();
        Self {
            tags: Vec::new(),
            start: game.start().clone(),
            main_line: Variation { comments: Vec::new(), moves },
            outcome: game.ending().map(Ending::outcome),
        }
    }
}
