//! Themes: measures the detectors against puzzles with tags (the columns of the Lichess puzzle database).
//!
//! It reads rows and counts; files and output belong to the caller.

use std::collections::BTreeMap;

use rukh_chess::{Move, Position};

use super::analyst::Analyst;
use super::kind::ClaimKind;
use super::motifs::{Line, detect};
use super::zugzwang::{may_be_zugzwang, zugzwang};

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
    pub fn line(&self, moves: &[Move]) -> Line {
        Line::new(Some((self.before.clone(), self.first)), &self.start, moves)
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

/// Whether the opponent is in zugzwang after one of the solver's moves, by searches with this share of the analyst's nodes.
pub fn has_zugzwang(puzzle: &Puzzle, moves: &[Move], analyst: &mut impl Analyst, share: f64) -> bool {
    let line = puzzle.line(moves);
    (1..=line.plies()).step_by(2).any(|ply| {
        let position = line.position(ply);
        if !may_be_zugzwang(position) {
            return false;
        }
        let analysis = analyst.analyse(position, &[], share);
        analysis.and_then(|analysis| zugzwang(position, &analysis, analyst, share)).flatten().is_some()
    })
}

/// The kinds that the detectors find in a line of a puzzle.
pub fn kinds(puzzle: &Puzzle, moves: &[Move]) -> Vec<ClaimKind> {
    detect(&puzzle.line(moves)).into_iter().map(|finding| finding.kind).collect()
}
