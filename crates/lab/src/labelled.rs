//! Positions with the results of their games, from stored games or from lines of text.

use std::fmt;
use std::str::FromStr;

use rukh_chess::notation::Epd;
use rukh_chess::{Color, Position};
use rukh_eval::Score;

use crate::packed::PackedGame;

/// A position and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// The result for White: 0 is lost, 1 is won.
    pub result: f32,
    /// What a search thought of it, in centipawns as White sees them.
    pub score: Option<i32>,
}

/// A line that is no position with a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine(String);

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadLine {}

impl Labelled {
    /// The quiet positions of a game whose result is known and whose score proves nothing.
    pub fn quiet(game: &PackedGame) -> impl Iterator<Item = Self> + '_ {
        let open = game.quiet().filter(|quiet| !Score::from_value(i32::from(quiet.score)).is_decisive());
        open.filter_map(|quiet| {
            let half_points = quiet.outcome?.half_points(Color::White);
            let result = f32::from(half_points) / 2.0;
            Some(Self { position: quiet.position, result, score: Some(i32::from(quiet.score)) })
        })
    }
}

/// As EPD: `ce` is the score for the side to move, `c9` the result.
impl fmt::Display for Labelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_string();
        let board = fen.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ");
        write!(f, "{board}")?;
        if let Some(score) = self.score {
            let own = if self.position.side_to_move() == Color::White { score } else { -score };
            write!(f, " ce {own};")?;
        }
        let result = match self.result {
            result if result > 0.75 => "1-0",
            result if result < 0.25 => "0-1",
            _ => "1/2-1/2",
        };
        let (clock, number) = (self.position.halfmove_clock(), self.position.fullmove_number());
        write!(f, " c9 \"{result}\"; hmvc {clock}; fmvn {number};")
    }
}

/// EPD with a result as an operand (`c9 "1-0";`), or FEN followed by `[0.5]`, or FEN, score and result with `|` between
/// them, the score being White's.
impl FromStr for Labelled {
    type Err = BadLine;

    fn from_str(line: &str) -> Result<Self, BadLine> {
        let bad = |what: &dyn fmt::Display| BadLine(what.to_string());
        let no_result = || BadLine("it has no result, such as c9 \"1-0\"; or [0.5]".to_owned());
        let read = |fen: &str| fen.trim().parse::<Position>().map_err(|error| bad(&error));
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [fen, score, result] = fields[..] {
            let score: f64 = score.parse().map_err(|_| bad(&format!("{score:?} is no score")))?;
            let result = read_result(result).ok_or_else(no_result)?;
            return Ok(Self { position: read(fen)?, result, score: Some(score as i32) });
        }
        if let Some((fen, result)) = line.trim_end().strip_suffix(']').and_then(|line| line.rsplit_once('['))
        {
            let result = read_result(result).ok_or_else(no_result)?;
            return Ok(Self { position: read(fen)?, result, score: None });
        }
        let epd: Epd = line.parse().map_err(|error| bad(&error))?;
        let operands = epd.operations.iter().flat_map(|operation| &operation.operands);
        let result = operands.filter(|text| text.contains('-')).find_map(|text| read_result(text));
        let result = result.ok_or_else(no_result)?;
        let own: Option<i32> = epd.operand("ce").and_then(|score| score.parse().ok());
        let position = epd.setup.validate().map_err(|error| bad(&error))?;
        let is_white = position.side_to_move() == Color::White;
        let score = own.map(|own| if is_white { own } else { own.saturating_neg() });
        Ok(Self { position, result, score })
    }
}

fn read_result(text: &str) -> Option<f32> {
    match text.trim() {
        "1-0" => Some(1.0),
        "0-1" => Some(0.0),
        "1/2-1/2" => Some(0.5),
        number => number.parse().ok().filter(|result| (0.0..=1.0).contains(result)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rukh_chess::game::Outcome;

    const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";

    fn read(line: &str) -> Labelled {
        line.parse().unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    #[test]
    fn lines_of_all_kinds_are_read() {
        let position: Position = FEN.parse().expect("it is a position");
        let board = FEN.rsplitn(3, ' ').last().expect("it has a board");
        for (line, result, score) in [
            (format!("{board} c9 \"1-0\"; hmvc 2; fmvn 3;"), 1.0, None),
            (format!("{board} ce 35; c9 \"1/2-1/2\"; hmvc 2; fmvn 3;"), 0.5, Some(-35)),
            (format!("{FEN} [0.0]"), 0.0, None),
            (format!("{FEN} | -35 | 0.5"), 0.5, Some(-35)),
        ] {
            let expected = Labelled { position: position.clone(), result, score };
            assert_eq!(read(&line), expected, "{line}");
            assert_eq!(read(&expected.to_string()), expected, "it is read back");
        }
    }

    #[test]
    fn lines_without_a_result_or_a_position_are_refused() {
        for line in [
            "",
            "hello",
            FEN,
            "8/8/8/8/8/8/8/8 w - - 0 1 [1.0]",
            &format!("{FEN} [2.0]"),
            &format!("{FEN} | x | 1"),
        ] {
            assert!(line.parse::<Labelled>().is_err(), "{line:?}");
        }
    }

    #[test]
    fn only_quiet_positions_are_taken() {
        let start = Position::default();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (text, score) in [
            ("e2e4", 30),
            ("d7d5", -20),
            ("e4d5", 50),
            ("d8d5", 0),
            ("f1b5", 31_995),
            ("c7c6", -19),
            ("b5a4", 7),
        ] {
            let mv = position.parse_uci(text).expect("it is legal");
            moves.push((mv, score));
            position = position.after(mv);
        }
        let game = PackedGame { start, outcome: Outcome::Win(Color::Black), moves };
        let quiet: Vec<Labelled> = Labelled::quiet(&game).collect();
        let scores: Vec<_> = quiet.iter().filter_map(|labelled| labelled.score).collect();
        assert_eq!(scores, [30, -20, 7], "captures, a proven win and an answer to check are left out");
        assert!(quiet.iter().all(|labelled| labelled.result == 0.0));
    }
}
