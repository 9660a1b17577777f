//! Labelled positions as lines of text.

use std::fmt;
use std::str::FromStr;

use rukh_chess::game::Outcome;
use rukh_chess::notation::Epd;
use rukh_chess::{Color, Position};
use rukh_eval::Score;

use super::position::LabelledPosition;

/// A line that is no position with a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine(String);

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadLine {}

/// Board, side to move, castling rights and en-passant square: the first four fields of FEN, with which EPD starts.
pub(crate) fn board_of(position: &Position) -> String {
    position.to_string().splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A result as PGN writes it.
pub(crate) fn result_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::White) => "1-0",
        Outcome::Draw => "1/2-1/2",
        Outcome::Win(Color::Black) => "0-1",
    }
}

/// As EPD: `ce` is the score for the side to move, `c9` the result of the game. The rest of the label is left out.
impl fmt::Display for LabelledPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        write!(f, "{}", board_of(position))?;
        if let Some(score) = self.score {
            write!(f, " ce {};", score.value())?;
        }
        if let Some(outcome) = self.outcome {
            write!(f, " c9 \"{}\";", result_name(outcome))?;
        }
        write!(f, " hmvc {}; fmvn {};", position.halfmove_clock(), position.fullmove_number())
    }
}

/// EPD with a result as an operand (`c9 "1-0";`), or FEN followed by `[0.5]`, or FEN, score and result with `|` between
/// them, the score being White's.
impl FromStr for LabelledPosition {
    type Err = BadLine;

    fn from_str(line: &str) -> Result<Self, BadLine> {
        let bad = |what: &dyn fmt::Display| BadLine(what.to_string());
        let no_result = || BadLine("it has no result, such as c9 \"1-0\"; or [0.5]".to_owned());
        let read = |fen: &str| fen.trim().parse::<Position>().map_err(|error| bad(&error));
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [fen, score, result] = fields[..] {
            let score: f64 = score.parse().map_err(|_| bad(&format!("{score:?} is no score")))?;
            let result = read_result(result).ok_or_else(no_result)?;
            let labelled = with_result(read(fen)?, result);
            let sign = if labelled.position.side_to_move() == Color::White { 1.0 } else { -1.0 };
            return Ok(Self { score: Some(Score::from_value((sign * score) as i32)), ..labelled });
        }
        if let Some((fen, result)) = line.trim_end().strip_suffix(']').and_then(|line| line.rsplit_once('['))
        {
            let result = read_result(result).ok_or_else(no_result)?;
            return Ok(with_result(read(fen)?, result));
        }
        let epd: Epd = line.parse().map_err(|error| bad(&error))?;
        let operands = epd.operations.iter().flat_map(|operation| &operation.operands);
        let result = operands.filter(|text| text.contains('-')).find_map(|text| read_result(text));
        let result = result.ok_or_else(no_result)?;
        let score: Option<i32> = epd.operand("ce").and_then(|score| score.parse().ok());
        let position = epd.setup.validate().map_err(|error| bad(&error))?;
        Ok(Self { score: score.map(Score::from_value), ..with_result(position, result) })
    }
}

/// A position with a result for White. One that no single game has, such as a mean of many, is an expected score.
fn with_result(position: Position, result: f64) -> LabelledPosition {
    let outcome = match result {
        1.0 => Some(Outcome::Win(Color::White)),
        0.5 => Some(Outcome::Draw),
        0.0 => Some(Outcome::Win(Color::Black)),
        _ => None,
    };
    let is_white = position.side_to_move() == Color::White;
    let expected = outcome.is_none().then_some(if is_white { result } else { 1.0 - result });
    LabelledPosition { outcome, expected, ..position.into() }
}

fn read_result(text: &str) -> Option<f64> {
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

    const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";

    fn read(line: &str) -> LabelledPosition {
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
            let expected = read(&line);
            assert_eq!(expected.position, position, "{line}");
            assert_eq!(expected.result_for(Color::White), Some(result), "{line}");
            assert_eq!((expected.white_score(), expected.expected), (score, None), "{line}");
            assert_eq!(read(&expected.to_string()), expected, "it is read back");
        }
    }

    /// A result between those of a game is an expected score: 0.25 for White is 0.75 for Black, who is to move.
    #[test]
    fn a_fractional_result_is_an_expected_score() {
        let labelled = read(&format!("{FEN} [0.25]"));
        assert_eq!((labelled.outcome, labelled.expected), (None, Some(0.75)));
        assert_eq!(labelled.result_for(Color::White), Some(0.25));
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
            assert!(line.parse::<LabelledPosition>().is_err(), "{line:?}");
        }
    }
}
