//! Themes: measures the detectors against puzzles with tags (the columns of the Lichess puzzle database).
//!
//! It reads rows and counts; files and output belong to the caller.

use std::collections::BTreeMap;

use rukh_chess::{Move, Position};

use super::analyst::Analyst;
use super::kind::ClaimKind;
use super::mating::MateFinder;
use super::motifs::{MotifLine, calm_moves, detect};
use super::variations::other_defences;
use super::zugzwang::{Passing, may_be_zugzwang, passing};
use crate::review::PositionAnalysis;

/// The theme that stands for each claim. Themes that are no claims (phases, lengths, ratings) are left out.
pub const THEMES: &[(&str, ClaimKind)] = &[
    ("mate", ClaimKind::MateIn),
    ("backRankMate", ClaimKind::BackRankMate),
    ("smotheredMate", ClaimKind::SmotheredMate),
    ("arabianMate", ClaimKind::ArabianMate),
    ("anastasiaMate", ClaimKind::AnastasiaMate),
    ("hookMate", ClaimKind::HookMate),
    ("dovetailMate", ClaimKind::DovetailMate),
    ("bodenMate", ClaimKind::BodenMate),
    ("doubleBishopMate", ClaimKind::DoubleBishopMate),
    ("operaMate", ClaimKind::OperaMate),
    ("pillsburysMate", ClaimKind::PillsburyMate),
    ("morphysMate", ClaimKind::MorphyMate),
    ("cornerMate", ClaimKind::CornerMate),
    ("triangleMate", ClaimKind::TriangleMate),
    ("killBoxMate", ClaimKind::KillBoxMate),
    ("vukovicMate", ClaimKind::VukovicMate),
    ("blindSwineMate", ClaimKind::BlindSwineMate),
    ("balestraMate", ClaimKind::BalestraMate),
    ("fork", ClaimKind::Fork),
    ("pin", ClaimKind::Pin),
    ("skewer", ClaimKind::Skewer),
    ("discoveredAttack", ClaimKind::DiscoveredAttack),
    ("discoveredCheck", ClaimKind::DiscoveredCheck),
    ("doubleCheck", ClaimKind::DoubleCheck),
    ("deflection", ClaimKind::Deflection),
    ("attraction", ClaimKind::Attraction),
    ("interference", ClaimKind::Interference),
    ("clearance", ClaimKind::Clearance),
    ("intermezzo", ClaimKind::Intermezzo),
    ("xRayAttack", ClaimKind::XRay),
    ("trappedPiece", ClaimKind::TrappedPiece),
    ("hangingPiece", ClaimKind::HangingPiece),
    ("capturingDefender", ClaimKind::CapturesDefender),
    ("sacrifice", ClaimKind::Sacrifice),
    ("promotion", ClaimKind::Promotion),
    ("underPromotion", ClaimKind::Underpromotion),
    ("advancedPawn", ClaimKind::AdvancedPawn),
    ("enPassant", ClaimKind::EnPassant),
    ("quietMove", ClaimKind::QuietMove),
    ("defensiveMove", ClaimKind::DefensiveMove),
    ("zugzwang", ClaimKind::Zugzwang),
];

/// A puzzle: the position before the opponent's move, that move, the solution, and the tags.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The identifier.
    pub id: String,
    /// The position before the opponent's move.
    pub before: Position,
    /// The opponent's move.
    pub first: Move,
    /// The position that the solver sees.
    pub start: Position,
    /// The solution.
    pub solution: Vec<Move>,
    /// The tags.
    pub themes: Vec<String>,
}

impl Puzzle {
    /// Parses a row: id, FEN, moves in UCI, rating, themes, separated by tabs. An error is one sentence.
    pub fn parse(row: &str) -> Result<Self, String> {
        let columns: Vec<_> = row.trim_end_matches(['\r', '\n']).split('\t').collect();
        let [id, fen, moves, _, themes] = columns[..] else {
            return Err(format!("a row has five columns separated by tabs, this one {}", columns.len()));
        };
        let before: Position = fen.parse().map_err(|error| format!("{id}: {error}"))?;
        let mut here = before.clone();
        let mut line = Vec::new();
        for word in moves.split_whitespace() {
            let mv = here.parse_uci(word).map_err(|error| format!("{id}: {error}"))?;
            here.make(mv, &mut ());
            line.push(mv);
        }
        let Some((&first, solution)) = line.split_first().filter(|(_, solution)| !solution.is_empty()) else {
            return Err(format!("{id}: a puzzle has the opponent's move and a solution"));
        };
        let themes = themes.split_whitespace().map(str::to_owned).collect();
        let start = before.after(first);
        Ok(Self { id: id.to_owned(), before, first, start, solution: solution.to_vec(), themes })
    }

    /// The solution, or another line from the same position, for the detectors.
    pub fn line(&self, moves: &[Move]) -> MotifLine {
        MotifLine::new(Some((self.before.clone(), self.first)), &self.start, moves)
    }

    /// Whether the puzzle has this tag.
    pub fn has(&self, theme: &str) -> bool {
        self.themes.iter().any(|own| own == theme)
    }
}

/// Agreement with one theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Agreement {
    /// Rows with the tag.
    pub rows: usize,
    /// Rows with the claim.
    pub claims: usize,
    /// Rows with both.
    pub both: usize,
}

impl Agreement {
    /// The share of claims whose row has the tag; `None` without claims.
    pub fn precision(&self) -> Option<f64> {
        (self.claims > 0).then(|| self.both as f64 / self.claims as f64)
    }

    /// The share of tagged rows with the claim; `None` without rows.
    pub fn recall(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.both as f64 / self.rows as f64)
    }
}

/// Agreement theme by theme.
#[derive(Clone, Debug, Default)]
pub struct Measure {
    by_theme: BTreeMap<&'static str, Agreement>,
}

impl Measure {
    /// Counts a row with the kinds that were claimed.
    pub fn add(&mut self, puzzle: &Puzzle, claimed: &[ClaimKind]) {
        for &(theme, kind) in THEMES {
            let agreement = self.by_theme.entry(theme).or_default();
            let (has_tag, has_claim) = (puzzle.has(theme), claimed.contains(&kind));
            agreement.rows += usize::from(has_tag);
            agreement.claims += usize::from(has_claim);
            agreement.both += usize::from(has_tag && has_claim);
        }
    }

    /// Adds the counts of another measure.
    pub fn merge(&mut self, other: &Self) {
        for (theme, counts) in &other.by_theme {
            let own = self.by_theme.entry(theme).or_default();
            own.rows += counts.rows;
            own.claims += counts.claims;
            own.both += counts.both;
        }
    }

    /// The agreement with each theme, in the order of [`THEMES`].
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, ClaimKind, Agreement)> {
        THEMES
            .iter()
            .map(|&(theme, kind)| (theme, kind, self.by_theme.get(theme).copied().unwrap_or_default()))
    }
}

/// The share of the nodes of each of the two searches of a zugzwang.
const ZUGZWANG_SHARE: f64 = 1.0;
/// The share of a second look where the first is doubtful.
const DEEPER_SHARE: f64 = 8.0;
/// The share of the nodes of the search of another defence, and of the alternatives to a move of the solver.
const OTHERS_SHARE: f64 = 0.5;
/// The other defences that are searched at each of the opponent's first two turns.
const DEFENCES: usize = 2;
/// The longest line in which motifs are looked for, unless it mates.
const LONGEST: usize = 16;
/// The plies of a line in which zugzwang is looked for.
const LONGEST_ZUGZWANG: usize = 11;
/// What every other move loses next to a forced one, in expected score.
const ONLY: f64 = 0.15;

/// Whether the opponent is in zugzwang after one of the solver's moves of the lines.
pub fn has_zugzwang(puzzle: &Puzzle, lines: &[Vec<Move>], analyst: &mut impl Analyst) -> bool {
    let mut seen: Vec<Position> = Vec::new();
    for line in lines {
        let line = puzzle.line(line);
        for ply in (1..=line.plies().min(LONGEST_ZUGZWANG)).step_by(2) {
            let position = line.position(ply);
            if may_be_zugzwang(position) && !seen.contains(position) {
                seen.push(position.clone());
            }
        }
    }
    let mut look = |position: &Position, share: f64| {
        let analysis = analyst.analyse(position, &[], share)?;
        passing(position, &analysis, analyst, share)?
    };
    seen.iter().any(|position| {
        let first = look(position, ZUGZWANG_SHARE);
        let deeper = first.filter(|found| found.is_doubtful()).and_then(|_| look(position, DEEPER_SHARE));
        deeper.or(first).is_some_and(Passing::is_zugzwang)
    })
}

/// The kinds that the detectors find in a line of a puzzle.
pub fn kinds(puzzle: &Puzzle, moves: &[Move]) -> Vec<ClaimKind> {
    detect(&puzzle.line(moves)).into_iter().map(|finding| finding.kind).collect()
}

/// The part of a principal variation in which motifs are looked for.
fn shown(analysis: &PositionAnalysis) -> &[Move] {
    let length = analysis.score.mate_plies().unwrap_or(LONGEST);
    &analysis.pv[..analysis.pv.len().min(length)]
}

/// The part of a line that the solver has to find: it ends with the last move before a calm one that has a good
/// alternative, as a puzzle does. Captures gather what was won. A line that mates is whole.
///
/// The first moves, up to `known`, are not searched again.
fn forced_part(
    puzzle: &Puzzle,
    moves: &[Move],
    known: usize,
    expected: f64,
    analyst: &mut impl Analyst,
) -> Option<Vec<Move>> {
    let line = puzzle.line(moves);
    if line.end().is_checkmate() {
        return Some(moves.to_vec());
    }
    for at in (known..moves.len()).step_by(2) {
        let position = line.position(at);
        let others: Vec<_> = position.legal_moves().iter().copied().filter(|&mv| mv != moves[at]).collect();
        if others.is_empty() || moves[at].is_capture() {
            continue;
        }
        let other = analyst.analyse(position, &others, OTHERS_SHARE)?.expected_score().value();
        if expected - other < ONLY {
            return Some(moves[..at.saturating_sub(1).max(1)].to_vec());
        }
    }
    Some(moves.to_vec())
}

/// The lines of the engine, the main line first.
#[derive(Clone, Debug, Default)]
pub struct EngineLines {
    /// The principal variation, as far as it is forced.
    pub main: Vec<Move>,
    /// The lines after other defences at the opponent's first two turns, as far as they are forced.
    pub others: Vec<Vec<Move>>,
    /// The same lines in full length, the principal variation first.
    pub whole: Vec<Vec<Move>>,
}

impl EngineLines {
    /// The lines as far as they are forced, the main line first.
    pub fn forced(&self) -> Vec<Vec<Move>> {
        [std::slice::from_ref(&self.main), self.others.as_slice()].concat()
    }
}

/// The lines of the engine.
pub fn engine_lines(puzzle: &Puzzle, analyst: &mut impl Analyst) -> Option<EngineLines> {
    let mut analyst = MateFinder::new(analyst);
    let best = analyst.analyse(&puzzle.start, &[], 1.0)?;
    let value = |analysis: &PositionAnalysis| analysis.expected_score().value();
    let main = forced_part(puzzle, shown(&best), 0, value(&best), &mut analyst)?;
    let (mut others, mut whole) = (Vec::new(), vec![shown(&best).to_vec()]);
    for other in other_defences(&puzzle.start, &best, &mut analyst, OTHERS_SHARE, DEFENCES)? {
        others.push(forced_part(puzzle, shown(&other), 2, value(&other), &mut analyst)?);
        whole.push(shown(&other).to_vec());
    }
    if let [own, reply, rest @ ..] = best.pv.as_slice()
        && !rest.is_empty()
    {
        let here = puzzle.start.after(*own).after(*reply);
        let later = PositionAnalysis { pv: rest.to_vec(), ..best.clone() };
        for other in other_defences(&here, &later, &mut analyst, OTHERS_SHARE, DEFENCES)? {
            let line = [&[*own, *reply], shown(&other)].concat();
            others.push(forced_part(puzzle, &line, 4, value(&other), &mut analyst)?);
            whole.push(line);
        }
    }
    Some(EngineLines { main, others, whole })
}

/// The kinds in the engine's lines: in the main line, in all lines as far as they are forced, in all whole lines. The first
/// are the themes of the puzzle.
pub fn engine_kinds(puzzle: &Puzzle, analyst: &mut impl Analyst) -> Option<[Vec<ClaimKind>; 3]> {
    let lines = engine_lines(puzzle, analyst)?;
    let mut of = |lines: &[Vec<Move>]| lines_kinds(puzzle, lines, analyst);
    Some([of(std::slice::from_ref(&lines.main)), of(&lines.forced()), of(&lines.whole)])
}

/// The kinds in some lines, the main line first.
fn lines_kinds(puzzle: &Puzzle, lines: &[Vec<Move>], analyst: &mut impl Analyst) -> Vec<ClaimKind> {
    let mut found: Vec<_> = lines.iter().flat_map(|line| kinds(puzzle, line)).collect();
    // A mate after a weak defence is no forced mate.
    let is_forced = lines.first().is_some_and(|line| kinds(puzzle, line).contains(&ClaimKind::MateIn));
    found.retain(|&kind| is_forced || kind != ClaimKind::MateIn && !kind.is_named_mate());
    // The engine's line may go on after the puzzle's last move: there every calm move that is forced defends.
    found.retain(|&kind| kind != ClaimKind::DefensiveMove);
    if lines.iter().any(|line| has_defence(puzzle, line)) {
        found.push(ClaimKind::DefensiveMove);
    }
    if has_zugzwang(puzzle, lines, analyst) {
        found.push(ClaimKind::Zugzwang);
    }
    found
}

/// Whether one of the solver's moves in a forced line is calm and was a choice.
fn has_defence(puzzle: &Puzzle, moves: &[Move]) -> bool {
    const CHOICE: usize = 3;
    let line = puzzle.line(moves);
    calm_moves(&line).into_iter().any(|at| line.position(at).legal_moves().len() >= CHOICE)
}
