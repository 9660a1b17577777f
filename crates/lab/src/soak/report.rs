//! Reported lines of both protocols, parsed strictly: every field must be there, be known and be in its range.

use std::iter::Peekable;
use std::str::{FromStr, Split};

use rukh_chess::{Move, Position};
use rukh_eval::MAX_PLY;

use super::conversation::Complaint;

/// A score as a protocol shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShownScore {
    /// An evaluation or a tablebase score in centipawns.
    Centipawns(i32),
    /// Mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

/// The bound that a line shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShownBound {
    Exact,
    Lower,
    Upper,
}

/// A reported line.
#[derive(Clone, Debug)]
pub(super) struct InfoLine {
    pub(super) depth: u32,
    /// From 1; always 1 in XBoard, which does not tell.
    pub(super) multipv: usize,
    pub(super) score: ShownScore,
    pub(super) bound: ShownBound,
    pub(super) nodes: u64,
    /// Milliseconds.
    pub(super) time: u64,
    pub(super) pv: Vec<Move>,
}

/// The greatest number of centipawns: a tablebase win at the root.
const MAX_CENTIPAWNS: i32 = 20_000;

impl InfoLine {
    /// Parses an `info` line of UCI with a line of moves from `root`.
    pub(super) fn parse_uci(line: &str, root: &Position, shows_wdl: bool) -> Result<Self, Complaint> {
        let complain = |what: &str| format!("{what} in {line:?}");
        let (fields, pv) = line.split_once(" pv ").ok_or_else(|| complain("there are no moves"))?;
        let mut fields = Fields { words: fields.split(' ').peekable(), line };
        fields.expect("info")?;
        let (depth, seldepth) = (fields.value("depth")?, fields.value("seldepth")?);
        let multipv: usize = fields.value("multipv")?;
        fields.expect("score")?;
        let score = match fields.skips("mate") {
            true => ShownScore::Mate(fields.number()?),
            false => ShownScore::Centipawns(fields.value("cp")?),
        };
        let bound = match (fields.skips("lowerbound"), fields.skips("upperbound")) {
            (true, _) => ShownBound::Lower,
            (_, true) => ShownBound::Upper,
            _ => ShownBound::Exact,
        };
        if shows_wdl {
            let wdl: [u32; 3] = [fields.value("wdl")?, fields.number()?, fields.number()?];
            if wdl.iter().sum::<u32>() != 1_000 {
                return Err(complain("WDL does not sum to 1000"));
            }
        }
        let nodes = fields.value("nodes")?;
        let _nps: u64 = fields.value("nps")?;
        let hashfull: u32 = fields.value("hashfull")?;
        let _hits: u64 = fields.value("tbhits")?;
        let time = fields.value("time")?;
        if fields.words.next().is_some() || hashfull > 1_000 || multipv == 0 {
            return Err(complain("there is an unknown field or a value out of range"));
        }
        let pv = parse_moves(root, pv, |position, word| position.parse_uci(word).ok());
        let pv = pv.map_err(|word| complain(&format!("{word} is not legal")))?;
        let found = Self { depth, multipv, score, bound, nodes, time, pv };
        found.check_ranges(seldepth).map_err(complain)?;
        Ok(found)
    }

    /// Parses thinking output of XBoard with a line of moves from `root`. A ponder move in parentheses must be `pondered`.
    pub(super) fn parse_xboard(
        line: &str,
        root: &Position,
        pondered: Option<&str>,
    ) -> Result<Self, Complaint> {
        /// A mate in 0; a mate in n moves is n more.
        const MATE: i32 = 100_000;
        let complain = |what: &str| format!("{what} in {line:?}");
        let (fields, pv) = line.split_once('\t').ok_or_else(|| complain("there are no moves"))?;
        let numbers: Option<Vec<i64>> = fields.split(' ').map(|word| word.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == 7);
        let numbers = numbers.ok_or_else(|| complain("there are not seven numbers"))?;
        let (pv, bound) = match (pv.strip_suffix('!'), pv.strip_suffix('?')) {
            (Some(pv), _) => (pv, ShownBound::Lower),
            (_, Some(pv)) => (pv, ShownBound::Upper),
            _ => (pv, ShownBound::Exact),
        };
        let shown = pv.strip_prefix('(').and_then(|rest| rest.split_once(") "));
        if shown.map(|(ponder, _)| ponder) != pondered {
            return Err(complain("the ponder move is another"));
        }
        let pv = shown.map_or(pv, |(_, rest)| rest);
        let pv = parse_moves(root, pv, |position, word| position.parse_san(word).ok());
        let pv = pv.map_err(|word| complain(&format!("{word} is not legal")))?;
        let score = match numbers[1] as i32 {
            score if score.abs() > MATE => ShownScore::Mate(score - score.signum() * MATE),
            score => ShownScore::Centipawns(score),
        };
        let (depth, nodes, time) = (numbers[0] as u32, numbers[3] as u64, 10 * numbers[2] as u64);
        let found = Self { depth, multipv: 1, score, bound, nodes, time, pv };
        found.check_ranges(numbers[4] as u64).map_err(complain)?;
        Ok(found)
    }

    fn check_ranges(&self, seldepth: u64) -> Result<(), &'static str> {
        let is_score = match self.score {
            ShownScore::Centipawns(centipawns) => centipawns.abs() <= MAX_CENTIPAWNS,
            ShownScore::Mate(moves) => moves.unsigned_abs() as usize <= MAX_PLY / 2 + 1 && moves != 0,
        };
        match () {
            () if self.depth == 0 || self.depth as usize > MAX_PLY => Err("the depth is out of range"),
            () if seldepth as usize > MAX_PLY => Err("the selective depth is out of range"),
            () if !is_score => Err("the score is out of range"),
            () if self.pv.is_empty() => Err("there are no moves"),
            () => Ok(()),
        }
    }
}

/// The fields of a line of UCI, in their order.
struct Fields<'l> {
    words: Peekable<Split<'l, char>>,
    line: &'l str,
}

impl Fields<'_> {
    /// Skips the next word if it is this one.
    fn skips(&mut self, word: &str) -> bool {
        self.words.next_if_eq(&word).is_some()
    }

    /// Skips the next word, which must be this one.
    fn expect(&mut self, word: &str) -> Result<(), Complaint> {
        if self.skips(word) { Ok(()) } else { Err(format!("{word} is missing in {:?}", self.line)) }
    }

    fn number<N: FromStr>(&mut self) -> Result<N, Complaint> {
        let number = self.words.next().and_then(|word| word.parse().ok());
        number.ok_or_else(|| format!("a number is missing in {:?}", self.line))
    }

    /// The number after the word `name`, which must come next.
    fn value<N: FromStr>(&mut self, name: &str) -> Result<N, Complaint> {
        self.expect(name)?;
        self.number()
    }
}

/// The moves of a text; an error is the first word that is not a legal move.
fn parse_moves(
    root: &Position,
    text: &str,
    parse: impl Fn(&Position, &str) -> Option<Move>,
) -> Result<Vec<Move>, String> {
    let mut position = root.clone();
    let mut moves = Vec::new();
    for word in text.split(' ') {
        let mv = parse(&position, word).ok_or_else(|| word.to_owned())?;
        position = position.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "info depth 3 seldepth 4 multipv 1 score cp 31 nodes 90 nps 9000 hashfull 0 tbhits 0 time 10 pv e2e4";

    #[test]
    fn a_line_is_parsed() {
        let root = Position::default();
        let line = InfoLine::parse_uci(LINE, &root, false).expect("it is right");
        assert_eq!((line.depth, line.multipv, line.nodes, line.time), (3, 1, 90, 10));
        assert_eq!((line.score, line.bound), (ShownScore::Centipawns(31), ShownBound::Exact));
        let bound = LINE.replace("cp 31", "mate -2 lowerbound wdl 0 0 1000");
        let line = InfoLine::parse_uci(&bound, &root, true).expect("it is right");
        assert_eq!((line.score, line.bound), (ShownScore::Mate(-2), ShownBound::Lower));
        let line = InfoLine::parse_xboard("5 100003 2 800 9 40000 0\t(e4) e5 Nf3!", &after_e4(), Some("e4"));
        let line = line.expect("it is right");
        assert_eq!((line.score, line.bound, line.pv.len()), (ShownScore::Mate(3), ShownBound::Lower, 2));
    }

    fn after_e4() -> Position {
        let root = Position::default();
        root.after(root.parse_uci("e2e4").expect("legal"))
    }

    #[test]
    fn a_wrong_line_is_refused() {
        let root = Position::default();
        for (right, wrong) in [
            ("depth 3", "depth 0"),
            ("depth 3", "depth 999"),
            ("multipv 1", "multipv 0"),
            ("cp 31", "cp 20001"),
            ("cp 31", "mate 0"),
            ("cp 31", "cp 31 wdl 300 400 300"),
            ("hashfull 0", "hashfull 1001"),
            ("nodes 90", "nodes -1"),
            ("time 10", "time 10 else 3"),
            ("e2e4", "e2e5"),
            ("e2e4", "e2e4 e2e4"),
            (" pv e2e4", ""),
        ] {
            let line = LINE.replace(right, wrong);
            assert_ne!(line, LINE);
            assert!(InfoLine::parse_uci(&line, &root, false).is_err(), "{line}");
        }
        let right = "5 20 2 800 9 40000 0\te4 e5";
        assert!(InfoLine::parse_xboard(right, &root, None).is_ok());
        for wrong in
            ["5 20 2 800 9 40000\te4 e5", "5 20 2 800 9 40000 0\te5", "5 20 2 800 9 40000 0\t(a6) e4"]
        {
            assert!(InfoLine::parse_xboard(wrong, &root, None).is_err(), "{wrong}");
        }
    }
}
