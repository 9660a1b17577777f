//! Files of positions with the expected score by a much deeper search.

use std::path::Path;
use std::{fmt, fs, io};

use rukh_chess::Position;

use crate::labelled::LabelledPosition;
use crate::labels::{LabelError, LabelReader};

/// Why a file is no yardstick.
#[derive(Debug)]
pub enum BadYardstick {
    /// It cannot be read.
    Io(io::Error),
    /// It is a file of labels with a fault.
    Labels(LabelError),
    /// The first line does not name the columns that are needed: the one that is missing.
    Column(&'static str),
    /// A line is wrong: its number from 1, and why.
    Line(usize, String),
    /// There are no positions in it.
    Empty,
}

impl fmt::Display for BadYardstick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Labels(error) => error.fmt(f),
            Self::Column(name) => {
                write!(
                    f,
                    "the first line must name the columns fen, win, draw and loss, with tabs between; {name:?} is missing"
                )
            }
            Self::Line(number, why) => write!(f, "line {number}: {why}"),
            Self::Empty => f.write_str("there are no positions in it"),
        }
    }
}

impl std::error::Error for BadYardstick {}

impl From<io::Error> for BadYardstick {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<LabelError> for BadYardstick {
    fn from(error: LabelError) -> Self {
        Self::Labels(error)
    }
}

/// Reads a file of labels (its name ends in `.rkl`), or a table with tabs whose first line names the columns: `fen`, and `win`,
/// `draw` and `loss` of the side to move in thousandths. Other columns are ignored. Each position has an expected score.
pub fn read(path: &Path) -> Result<Vec<LabelledPosition>, BadYardstick> {
    let targets = if path.extension().is_some_and(|extension| extension == "rkl") {
        let labels = LabelReader::open(path)?;
        labels.map(|label| label.map(LabelledPosition::from)).collect::<Result<Vec<_>, LabelError>>()?
    } else {
        let bytes = fs::read(path)?;
        let text = String::from_utf8(bytes).map_err(|_| BadYardstick::Line(1, "it is no text".to_owned()))?;
        read_table(&text)?
    };
    if targets.is_empty() { Err(BadYardstick::Empty) } else { Ok(targets) }
}

fn read_table(text: &str) -> Result<Vec<LabelledPosition>, BadYardstick> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').map(str::trim).collect();
    let column =
        |name: &'static str| names.iter().position(|&other| other == name).ok_or(BadYardstick::Column(name));
    let (fen, probabilities) = (column("fen")?, [column("win")?, column("draw")?, column("loss")?]);
    let mut targets = Vec::new();
    for (at, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let target = read_line(line, fen, probabilities);
        targets.push(target.map_err(|why| BadYardstick::Line(at + 2, why))?);
    }
    Ok(targets)
}

fn read_line(line: &str, fen: usize, probabilities: [usize; 3]) -> Result<LabelledPosition, String> {
    const WHOLE: u32 = 1_000;
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let field =
        |at: usize| fields.get(at).copied().ok_or_else(|| format!("it has {} columns only", fields.len()));
    let position: Position = field(fen)?.parse().map_err(|error| format!("{error}"))?;
    let mut thousandths = [0_u32; 3];
    for (number, at) in thousandths.iter_mut().zip(probabilities) {
        let text = field(at)?;
        let read = text.parse().ok().filter(|&number| number <= WHOLE);
        *number = read.ok_or_else(|| format!("{text:?} is no probability in thousandths"))?;
    }
    let [win, draw, loss] = thousandths;
    if win + draw + loss != WHOLE {
        return Err(format!("win, draw and loss add up to {}, not to {WHOLE}", win + draw + loss));
    }
    let expected = f64::from(2 * win + draw) / f64::from(2 * WHOLE);
    Ok(LabelledPosition { expected: Some(expected), ..position.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn columns_are_found_by_their_names() {
        let text = format!("best\tloss\tdraw\twin\tfen\ne2e4\t100\t500\t400\t{START}\n\n");
        let targets = read_table(&text).expect("it is a yardstick");
        assert_eq!(targets, [LabelledPosition { expected: Some(0.65), ..Position::default().into() }]);
    }

    #[test]
    fn faults_are_named() {
        let refused = |text: &str| read_table(text).expect_err("it is wrong").to_string();
        assert!(refused("").contains("\"fen\" is missing"));
        assert!(refused("fen\twin\tloss\n").contains("\"draw\" is missing"));
        let with = |line: &str| refused(&format!("fen\twin\tdraw\tloss\n{START}\t0\t1000\t0\n{line}\n"));
        assert!(with("8/8/8/8/8/8/8/8 w - - 0 1\t0\t1000\t0").starts_with("line 3: "));
        assert!(with(&format!("{START}\t0\t1000")).contains("3 columns"));
        assert!(with(&format!("{START}\t0\t1000\tx")).contains("\"x\" is no probability"));
        assert!(with(&format!("{START}\t0\t1000\t1")).contains("add up to 1001"));
        let path = std::env::temp_dir().join(format!("rukh-yardstick-{}.tsv", std::process::id()));
        fs::write(&path, "fen\twin\tdraw\tloss\n").expect("it can be written");
        assert!(matches!(read(&path), Err(BadYardstick::Empty)));
        fs::write(&path, [0xff, 0xfe]).expect("it can be written");
        assert!(matches!(read(&path), Err(BadYardstick::Line(1, _))));
        fs::remove_file(&path).expect("it exists");
        assert!(matches!(read(&path), Err(BadYardstick::Io(_))));
    }
}
