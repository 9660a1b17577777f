//! Tablebase probing in the search and root ranking, with a made-up tablebase: with three pieces the side with two of them
//! wins, or has a cursed win.

use std::sync::Arc;

use crate::common::{position, search, to_depth};
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Move, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Algorithm, Limits, Request, Settings, TablebaseUse};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_eval::{Score, ScoreKind};

#[derive(Debug)]
struct ThreePieces {
    win: Wdl,
    loss: Wdl,
}

const WINS: ThreePieces = ThreePieces { win: Wdl::Win, loss: Wdl::Loss };
const CURSED: ThreePieces = ThreePieces { win: Wdl::CursedWin, loss: Wdl::BlessedLoss };

impl Tablebase for ThreePieces {
    fn max_pieces(&self) -> u32 {
        3
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        let pieces = |color: Color| position.color(color).count();
        let side = position.side_to_move();
        Some(match pieces(side).cmp(&pieces(!side)) {
            std::cmp::Ordering::Greater => self.win,
            std::cmp::Ordering::Equal => Wdl::Draw,
            std::cmp::Ordering::Less => self.loss,
        })
    }

    /// A made-up DTZ: it falls as the king of the strong side approaches the a-file.
    fn dtz(&self, position: &Position) -> Option<i32> {
        let side = position.side_to_move();
        let strong = if position.color(Color::White).count() > 1 { Color::White } else { Color::Black };
        let file = position.king(strong).index() as i32 % 8;
        let plies = 2 + 2 * file + i32::from(strong != side);
        Some(match self.wdl(position)? {
            Wdl::Win => plies,
            Wdl::CursedWin => 100 + plies,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -100 - plies,
            Wdl::Loss => -plies,
        })
    }
}

fn engine(tables: ThreePieces) -> Engine {
    let mut engine = Engine::new();
    engine.set_tablebase(Some(Arc::new(tables)));
    engine
}

/// A capture leads into the tablebases.
#[test]
fn the_search_probes_the_tablebases() {
    let reported = search(&mut engine(WINS), to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert_eq!(reported.last().score.kind(), ScoreKind::Tablebase(1), "{:?}", reported.last());
    assert!(reported.lines.last().is_some_and(|(_, progress)| progress.tablebase_hits > 0));
    let without = search(&mut Engine::new(), to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert!(!matches!(without.last().score.kind(), ScoreKind::Tablebase(_)));
    let mut capture = to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5);
    capture.limits.search_moves = vec![capture.game.position().parse_uci("c2b3").expect("valid move")];
    let cursed = search(&mut engine(CURSED), capture);
    assert_eq!(cursed.last().score, Score::new(1), "the fifty-move rule saves Black");
    let mut lenient = engine(CURSED);
    let tablebase = TablebaseUse { counts_fifty: false, ..TablebaseUse::default() };
    lenient.set(Settings { tablebase, ..Settings::default() });
    let reported = search(&mut lenient, to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert!(matches!(reported.last().score.kind(), ScoreKind::Tablebase(_)), "{:?}", reported.last());
}

/// A tree search probes them below the root, and proves the root by them.
#[test]
fn the_tree_search_probes_the_tablebases() {
    for (tables, score) in [(Some(WINS), Some(true)), (Some(CURSED), Some(false)), (None, None)] {
        let is_cursed = score == Some(false);
        let mut engine = tables.map_or_else(Engine::new, engine);
        let overrides = "leaf-search".parse().expect("it is a technique");
        engine.set(Settings { algorithm: Algorithm::Mcts, overrides, ..Settings::default() });
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        // A capture leads into the tablebases.
        let reported =
            search(&mut engine, Request::from_position(position("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1"), limits));
        let found = reported.last().score.kind();
        let hits = reported.lines.last().map_or(0, |(_, progress)| progress.tablebase_hits);
        assert_eq!(hits > 0, score.is_some(), "{hits} hits");
        assert_eq!(matches!(found, ScoreKind::Tablebase(_)), score.is_some() && !is_cursed, "{found:?}");
    }
}

#[test]
fn positions_above_the_piece_limit_are_not_probed() {
    let mut engine = engine(WINS);
    let tablebase = TablebaseUse { pieces: 2, ..TablebaseUse::default() };
    engine.set(Settings { tablebase, ..Settings::default() });
    let reported = search(&mut engine, to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert!(!matches!(reported.last().score.kind(), ScoreKind::Tablebase(_)), "{:?}", reported.last());
}

/// All moves that win are kept at the root; after a repetition only the one with the least DTZ.
#[test]
fn root_ranking_keeps_the_win() {
    let fen = "8/8/8/8/3k4/8/6P1/3K4 w - - 0 1";
    let reported = search(&mut engine(WINS), to_depth(fen, 6));
    assert!(reported.last().score.is_win(), "{:?}", reported.last());
    assert_eq!(
        reported.lines.last().map(|(_, progress)| progress.tablebase_hits),
        Some(7),
        "all seven root moves are probed"
    );
    // After repetitions White must make progress: towards the a-file.
    let mut game = to_depth("8/8/8/8/3k4/8/6R1/3K4 w - - 0 1", 1).game;
    for mv in ["g2g3", "d4d5", "g3g2", "d5d4", "g2g3", "d4d5", "g3g2", "d5d4"] {
        let mv = game.position().parse_uci(mv).expect("valid move");
        game.play(mv).expect("legal move");
    }
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let reported = search(&mut engine(WINS), Request { game, limits });
    let best = reported.best.expect("there are moves");
    assert_eq!(best.to().index() % 8, 2, "the king goes to the c-file");
    assert!(reported.last().score.is_win(), "{:?}", reported.last());
}

/// A loss is reported as a loss; with MultiPV all lines are reported.
#[test]
fn a_loss_is_reported_and_multipv_shows_all_lines() {
    let reported = search(&mut engine(WINS), to_depth("8/8/8/8/3k4/8/6R1/3K4 b - - 0 1", 4));
    assert!(reported.last().score.is_loss(), "{:?}", reported.last());
    let mut several = engine(WINS);
    several.set(Settings { multipv: 4, ..Settings::default() });
    let reported = search(&mut several, to_depth("8/8/8/8/3k4/8/6R1/3K4 w - - 0 1", 4));
    assert!(reported.lines.iter().any(|(line, _)| line.multipv == 4));
}

/// King and rook against king: a win, unless the rook can be taken at once. DTZ can be missing.
#[derive(Debug)]
struct RookEnding {
    has_dtz: bool,
}

impl Tablebase for RookEnding {
    fn max_pieces(&self) -> u32 {
        3
    }

    fn wdl(&self, position: &Position) -> Option<Wdl> {
        let side = position.side_to_move();
        let may_take = position.legal_moves().iter().any(|mv| mv.is_capture());
        Some(match position.color(side).count() {
            2.. => Wdl::Win,
            _ if may_take || position.occupied().count() == 2 => Wdl::Draw,
            _ => Wdl::Loss,
        })
    }

    fn dtz(&self, position: &Position) -> Option<i32> {
        let plies = match self.wdl(position)? {
            Wdl::Win => 21,
            Wdl::Loss => -20,
            _ => 0,
        };
        self.has_dtz.then_some(plies)
    }
}

/// The rook can be lost on three squares. Every root move has the score of the tablebases, with and without DTZ, and so it
/// has with `searchmoves`.
#[test]
fn all_root_moves_are_ranked_with_multipv_and_by_wdl() {
    const FEN: &str = "8/8/8/3k4/8/4R3/8/K7 w - - 0 1";
    let uci = |mv: Move| position(FEN).uci(mv, CastlingNotation::KingTarget).to_string();
    for has_dtz in [true, false] {
        for multipv in [1, 2, 64] {
            let mut engine = Engine::new();
            engine.set_tablebase(Some(Arc::new(RookEnding { has_dtz })));
            engine.set(Settings { multipv, ..Settings::default() });
            let reported = search(&mut engine, to_depth(FEN, 3));
            let lines = reported.lines.iter().filter(|(line, _)| line.depth == 3);
            let mut count = 0;
            for (line, _) in lines {
                let is_lost = ["e3e4", "e3e5", "e3e6"].iter().any(|text| uci(line.pv[0]) == *text);
                assert_eq!(line.score.is_win(), !is_lost, "DTZ {has_dtz}: {line:?}");
                assert!(line.score.is_win() || line.score == Score::DRAW, "DTZ {has_dtz}: {line:?}");
                count += 1;
            }
            assert_eq!(count, multipv.min(17));
        }
        let mut engine = Engine::new();
        engine.set_tablebase(Some(Arc::new(RookEnding { has_dtz })));
        let mut only = to_depth(FEN, 3);
        only.limits.search_moves = vec![only.game.position().parse_uci("e3e5").expect("legal")];
        assert_eq!(search(&mut engine, only).last().score, Score::DRAW);
    }
}
