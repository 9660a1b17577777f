//! What a search makes of tables of endings. The tables here are small and easily checked: with three pieces the side that has
//! a third one wins, unless the fifty moves save the other.

mod common;

use std::sync::Arc;

use common::{search, to_depth};
use rukh_chess::{Color, Position};
use rukh_engine::Engine;
use rukh_engine::api::{Limits, Request, Settings, TablebaseUse};
use rukh_engine::tablebase::{Tablebase, Wdl};
use rukh_eval::{Score, Verdict};

#[derive(Debug)]
struct Three {
    win: Wdl,
    loss: Wdl,
}

const FAIR: Three = Three { win: Wdl::Win, loss: Wdl::Loss };
const CURSED: Three = Three { win: Wdl::CursedWin, loss: Wdl::BlessedLoss };

impl Tablebase for Three {
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

    /// Progress is nearer the nearer the strong king is to the first file, of which only this fable knows.
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

fn engine(tables: Three) -> Engine {
    let mut engine = Engine::new();
    engine.set_tablebase(Some(Arc::new(tables)));
    engine
}

/// A capture leads into the tables: nobody needs to look further.
#[test]
fn the_search_asks_the_tables() {
    let told = search(&mut engine(FAIR), to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert_eq!(told.last().score.verdict(), Verdict::Tablebase(1), "{:?}", told.last());
    assert!(told.lines.last().is_some_and(|(_, progress)| progress.tablebase_hits > 0));
    let without = search(&mut Engine::new(), to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert!(!matches!(without.last().score.verdict(), Verdict::Tablebase(_)));
    let mut capture = to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5);
    capture.limits.search_moves = vec![capture.game.position().parse_uci("c2b3").expect("it is a move")];
    let cursed = search(&mut engine(CURSED), capture);
    assert_eq!(cursed.last().score, Score::centipawns(1), "the fifty moves save Black");
    let mut lenient = engine(CURSED);
    let tablebase = TablebaseUse { counts_fifty: false, ..TablebaseUse::default() };
    lenient.set(Settings { tablebase, ..Settings::default() });
    let told = search(&mut lenient, to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert!(matches!(told.last().score.verdict(), Verdict::Tablebase(_)), "{:?}", told.last());
}

#[test]
fn a_limit_on_pieces_is_kept() {
    let mut engine = engine(FAIR);
    let tablebase = TablebaseUse { pieces: 2, ..TablebaseUse::default() };
    engine.set(Settings { tablebase, ..Settings::default() });
    let told = search(&mut engine, to_depth("8/8/8/3k4/8/1r6/2K5/7R w - - 0 1", 5));
    assert!(!matches!(told.last().score.verdict(), Verdict::Tablebase(_)), "{:?}", told.last());
}

/// At the root any move that wins in time will do, unless positions come back; then only the one that makes progress soonest.
#[test]
fn moves_at_the_root_keep_the_win() {
    let fen = "8/8/8/8/3k4/8/6P1/3K4 w - - 0 1";
    let told = search(&mut engine(FAIR), to_depth(fen, 6));
    assert!(told.last().score.is_win(), "{:?}", told.last());
    assert_eq!(
        told.lines.last().map(|(_, progress)| progress.tablebase_hits),
        Some(7),
        "all seven moves are known"
    );
    // White has gone to and fro: now it must go towards the first file.
    let mut game = to_depth("8/8/8/8/3k4/8/6R1/3K4 w - - 0 1", 1).game;
    for mv in ["g2g3", "d4d5", "g3g2", "d5d4", "g2g3", "d4d5", "g3g2", "d5d4"] {
        let mv = game.position().parse_uci(mv).expect("it is a move");
        game.play(mv).expect("it is legal");
    }
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let told = search(&mut engine(FAIR), Request { game, limits });
    let best = told.best.expect("there are moves");
    assert_eq!(best.to().index() % 8, 2, "the king goes to the c-file");
    assert!(told.last().score.is_win(), "{:?}", told.last());
}

/// The side that loses keeps the longest way, and knows that it loses; several lines are shown whatever the tables say.
#[test]
fn a_loss_is_told_and_all_lines_are_shown() {
    let told = search(&mut engine(FAIR), to_depth("8/8/8/8/3k4/8/6R1/3K4 b - - 0 1", 4));
    assert!(told.last().score.is_loss(), "{:?}", told.last());
    let mut several = engine(FAIR);
    several.set(Settings { multipv: 4, ..Settings::default() });
    let told = search(&mut several, to_depth("8/8/8/8/3k4/8/6R1/3K4 w - - 0 1", 4));
    assert!(told.lines.iter().any(|(line, _)| line.multipv == 4));
}
