//! Facts that a reported line must agree with: the rules, its own mate, tablebases, a mate in one.

use std::collections::HashSet;
use std::ops::AddAssign;

use rukh_chess::game::{Ending, Game};
use rukh_chess::{Color, Move, Position};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_knowledge::Syzygy;

use super::conversation::Complaint;
use super::report::{InfoLine, ShownBound, ShownScore};

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Games of a tree search.
    pub tree_games: u64,
    /// Searches that reported a move.
    pub searches: u64,
    /// Reported lines.
    pub lines: u64,
    /// Scores that were compared with tablebases.
    pub tablebase_scores: u64,
    /// Mates that were announced with their line.
    pub mates: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.tree_games += other.tree_games;
        self.searches += other.searches;
        self.lines += other.lines;
        self.tablebase_scores += other.tablebase_scores;
        self.mates += other.mates;
    }
}

/// The conditions under which a line was searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// Limited strength makes errors: its scores are no claims.
    pub(super) is_full_strength: bool,
    /// Whether the engine has the tablebases.
    pub(super) has_tables: bool,
    /// Whether an iteration visits every root move. A tree search may never visit the one that mates.
    pub(super) has_full_width: bool,
    /// Whether all legal moves were searched.
    pub(super) has_all_moves: bool,
}

/// Centipawns from which a score is a tablebase win; evaluations are below.
const TABLEBASE_CENTIPAWNS: i32 = 19_754;
/// From this depth on a mate in one must have been found.
const MATE_IN_ONE_DEPTH: u32 = 3;

/// What lines are checked against.
#[derive(Clone, Copy)]
pub(super) struct Facts<'t> {
    /// Tablebases of the test, whether or not the engine has them.
    pub(super) tables: Option<&'t Syzygy>,
}

impl Facts<'_> {
    /// Checks a line from the current position of `game`.
    pub(super) fn check(
        &self,
        game: &Game,
        line: &InfoLine,
        conditions: Conditions,
        counts: &mut Counts,
    ) -> Result<(), Complaint> {
        counts.lines += 1;
        let last = follow(game, &line.pv)?;
        if let ShownScore::Mate(moves) = line.score {
            counts.mates += 1;
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            if line.pv.len() != plies as usize || !last.is_checkmate() {
                return Err(format!("mate in {moves} comes with {} moves", line.pv.len()));
            }
        }
        if !conditions.is_full_strength || line.multipv > 1 {
            return Ok(());
        }
        self.check_tables(game, line, conditions, counts)?;
        let is_known = line.depth >= MATE_IN_ONE_DEPTH && line.bound == ShownBound::Exact;
        let can_know = conditions.has_all_moves && conditions.has_full_width;
        let is_due = is_known && can_know && has_mate_in_one(game.position());
        if is_due && line.score != ShownScore::Mate(1) {
            return Err(format!("there is a mate in one, and the score is {:?}", line.score));
        }
        Ok(())
    }

    /// A proven win or loss must be one in the tablebases. With tablebases of its own the engine must know it.
    fn check_tables(
        &self,
        game: &Game,
        line: &InfoLine,
        conditions: Conditions,
        counts: &mut Counts,
    ) -> Result<(), Complaint> {
        let root = game.position();
        let tables = self.tables.filter(|tables| {
            root.occupied().count() <= tables.max_pieces() && root.castling().rooks().is_empty()
        });
        let Some(wdl) = tables.and_then(|tables| tables.wdl(root)) else { return Ok(()) };
        counts.tablebase_scores += 1;
        let claim = claim_of(line);
        let is_wrong = match claim {
            Some(Wdl::Win) => wdl != Wdl::Win,
            Some(Wdl::Loss) => wdl != Wdl::Loss && conditions.has_all_moves,
            // With a halfmove clock of zero the tablebases tell the whole truth.
            _ => {
                let must_know = conditions.has_tables && conditions.has_all_moves;
                let is_decided = matches!(wdl, Wdl::Win | Wdl::Loss);
                must_know && root.halfmove_clock() == 0 && is_decided && line.bound == ShownBound::Exact
            }
        };
        if is_wrong {
            Err(format!("the tablebases say {wdl:?}, and the score is {:?}", line.score))
        } else {
            Ok(())
        }
    }
}

/// The proven result that a line claims.
fn claim_of(line: &InfoLine) -> Option<Wdl> {
    let is_win = match line.score {
        ShownScore::Mate(moves) => moves > 0,
        ShownScore::Centipawns(centipawns) if centipawns.abs() >= TABLEBASE_CENTIPAWNS => centipawns > 0,
        ShownScore::Centipawns(_) => return None,
    };
    match (is_win, line.bound) {
        (true, ShownBound::Exact | ShownBound::Lower) => Some(Wdl::Win),
        (false, ShownBound::Exact | ShownBound::Upper) => Some(Wdl::Loss),
        _ => None,
    }
}

/// Plays a line and returns its last position. It must not continue after the end of the game or after a repetition.
fn follow(game: &Game, pv: &[Move]) -> Result<Position, Complaint> {
    let mut game = game.clone();
    let mut seen = HashSet::new();
    for (ply, &mv) in pv.iter().enumerate() {
        if ply > 0 && game.ending().is_some() {
            return Err(format!("the line continues after the end of the game, at move {}", ply + 1));
        }
        if !seen.insert(game.position().key()) {
            return Err(format!("the line continues after a repetition, at move {}", ply + 1));
        }
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(game.position().clone())
}

fn has_mate_in_one(position: &Position) -> bool {
    position.legal_moves().iter().any(|&mv| position.gives_check(mv) && position.after(mv).is_checkmate())
}

/// Whether a game that the engine declares as ended has ended so.
pub(super) fn is_result(game: &Game, text: &str) -> bool {
    let result = match game.ending() {
        Some(Ending::Checkmate { winner: Color::White }) => "1-0",
        Some(Ending::Checkmate { .. }) => "0-1",
        Some(_) => "1/2-1/2",
        None => return false,
    };
    text.split(' ').next() == Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Conditions =
        Conditions { is_full_strength: true, has_tables: false, has_full_width: true, has_all_moves: true };

    fn game(fen: &str) -> Game {
        Game::new(fen.parse().expect("valid FEN"))
    }

    /// Checks a line of UCI without tablebases.
    fn check(fen: &str, line: &str, conditions: Conditions) -> Result<(), Complaint> {
        let game = game(fen);
        let end = "nodes 9 nps 9 hashfull 0 tbhits 0 time 1";
        let (score, pv) = line.split_once(" pv ").expect("there are moves");
        let text = format!("info depth 5 seldepth 5 multipv 1 score {score} {end} pv {pv}");
        let line = InfoLine::parse_uci(&text, game.position(), false).expect("it is well formed");
        Facts { tables: None }.check(&game, &line, conditions, &mut Counts::default())
    }

    #[test]
    fn wrong_lines_are_found() {
        const ROOKS: &str = "7k/8/R7/1R6/8/8/8/K7 w - - 0 1";
        assert_eq!(check(ROOKS, "mate 2 pv b5b7 h8g8 a6a8", FULL), Ok(()));
        assert!(check(ROOKS, "mate 2 pv b5b7 h8g8", FULL).is_err(), "too short");
        assert!(check(ROOKS, "mate 2 pv b5b8 h8g7 a6a7", FULL).is_err(), "no mate");
        assert!(check(ROOKS, "cp 0 pv a1a2 h8g8 a2a1 g8h8 a1a2", FULL).is_err(), "a repetition");
        assert!(check("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "cp 0 pv a1b2 h8g8", FULL).is_err(), "a draw");
        const ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(check(ONE, "mate 1 pv a1a8", FULL), Ok(()));
        assert!(check(ONE, "cp 500 pv a1a7", FULL).is_err(), "a mate in one");
        assert_eq!(check(ONE, "cp 500 pv a1a7", Conditions { is_full_strength: false, ..FULL }), Ok(()));
        assert_eq!(check(ONE, "cp 500 pv a1a7", Conditions { has_full_width: false, ..FULL }), Ok(()));
        assert_eq!(check(ONE, "cp 500 pv a1a7", Conditions { has_all_moves: false, ..FULL }), Ok(()));
    }

    #[test]
    fn results_are_compared_with_the_game() {
        let mated = game("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(is_result(&mated, "1-0 {White mates}") && !is_result(&mated, "1/2-1/2 {Stalemate}"));
        assert!(!is_result(&Game::default(), "1-0 {White mates}"));
    }
}
