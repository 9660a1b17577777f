//! Replies to UCI lines.
#![allow(clippy::unwrap_used, reason = "a test may fail by it, helpers included")]

use std::time::Duration;

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_engine::api::{Bound, Event, LineInfo, Progress};
use rukh_eval::Score;
use rukh_eval::score::PAWN;
use rukh_protocol::Uci;
use rukh_protocol::codec::{Codec, OutputFormat, Reply};

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn view(fen: &str) -> OutputFormat {
    OutputFormat {
        root: fen.parse().unwrap(),
        castling: CastlingNotation::KingTarget,
        shows_wdl: false,
        shows_lines: true,
        guess: None,
    }
}

fn start() -> OutputFormat {
    view(&Position::default().to_string())
}

fn write(event: Event, view: &OutputFormat) -> String {
    Uci.write(&Reply::Event(event), view).unwrap()
}

fn line(score: Score) -> (LineInfo, Progress) {
    let root = Position::default();
    let first = root.parse_uci("e2e4").unwrap();
    let second = root.after(first).parse_uci("e7e5").unwrap();
    let line = LineInfo {
        depth: 12,
        seldepth: 20,
        multipv: 1,
        score,
        bound: Bound::Exact,
        wdl: [300, 600, 100],
        pv: vec![first, second],
    };
    let progress =
        Progress { nodes: 5000, tablebase_hits: 3, hashfull: 42, time: Duration::from_micros(2500) };
    (line, progress)
}

fn score(score: Score) -> String {
    let (line, progress) = line(score);
    let text = write(Event::Line(line, progress), &start());
    let from = text.find("score").unwrap();
    text[from..text.find(" nodes").unwrap()].to_owned()
}

#[test]
fn a_line_of_information() {
    let (line, progress) = line(Score::centipawns(PAWN));
    let event = Event::Line(line, progress);
    assert_eq!(
        write(event.clone(), &start()),
        "info depth 12 seldepth 20 multipv 1 score cp 100 nodes 5000 nps 2000000 hashfull 42 tbhits 3 time 2 pv e2e4 e7e5"
    );
    let with_wdl = OutputFormat { shows_wdl: true, ..start() };
    assert!(write(event, &with_wdl).contains(" score cp 100 wdl 300 600 100 nodes "));
}

#[test]
fn bounds_stand_behind_the_score_and_before_the_chances() {
    for (bound, word) in [(Bound::Lower, "lowerbound"), (Bound::Upper, "upperbound")] {
        let (line, progress) = line(Score::centipawns(-PAWN));
        let event = Event::Line(LineInfo { bound, ..line }, progress);
        let view = OutputFormat { shows_wdl: true, ..start() };
        assert!(write(event, &view).contains(&format!(" score cp -100 {word} wdl 300 600 100 nodes ")));
    }
}

#[test]
fn scores() {
    assert_eq!(score(Score::DRAW), "score cp 0");
    assert_eq!(score(Score::mate_at(3)), "score mate 2");
    assert_eq!(score(Score::mated_at(4)), "score mate -2");
    assert_eq!(score(Score::mated_at(0)), "score mate 0");
    assert_eq!(score(Score::tablebase_win_at(0)), "score cp 20000");
    assert_eq!(score(Score::tablebase_win_at(7)), "score cp 19993");
    assert_eq!(score(Score::tablebase_loss_at(0)), "score cp -20000");
    assert_eq!(score(Score::tablebase_loss_at(7)), "score cp -19993");
    // No evaluation looks like a tablebase win.
    assert_eq!(score(Score::centipawns(30_000)), "score cp 19753");
    assert_eq!(score(Score::centipawns(-30_000)), "score cp -19753");
}

#[test]
fn a_search_that_took_no_time_divides_by_no_zero() {
    let (line, _) = line(Score::DRAW);
    let progress = Progress { nodes: u64::MAX, hashfull: 5000, ..Progress::default() };
    let text = write(Event::Line(LineInfo { pv: Vec::new(), ..line }, progress), &start());
    assert!(text.ends_with("hashfull 1000 tbhits 0 time 0"), "{text}");
}

#[test]
fn a_line_ends_before_an_illegal_move() {
    let (mut line, progress) = line(Score::DRAW);
    line.pv.push(line.pv[0]);
    assert!(write(Event::Line(line, progress), &start()).ends_with(" pv e2e4 e7e5"));
}

#[test]
fn castling_is_written_for_the_game() {
    let mut view = view(CASTLING);
    let best = view.root.parse_uci("e1g1").ok();
    let ponder = view.root.after(best.unwrap()).parse_uci("e8c8").ok();
    let done = Event::Done { best, ponder };
    assert_eq!(write(done.clone(), &view), "bestmove e1g1 ponder e8c8");
    view.castling = CastlingNotation::RookSquare;
    assert_eq!(write(done, &view), "bestmove e1h1 ponder e8a8");
    let current = Event::CurrentMove { depth: 9, mv: best.unwrap(), number: 2 };
    assert_eq!(write(current, &view), "info depth 9 currmove e1h1 currmovenumber 2");
}

#[test]
fn no_move_and_no_answer() {
    assert_eq!(write(Event::Done { best: None, ponder: None }, &start()), "bestmove (none)");
    let best = Position::default().parse_uci("g1f3").ok();
    assert_eq!(write(Event::Done { best, ponder: None }, &start()), "bestmove g1f3");
    // An answer that is not legal is not told.
    assert_eq!(write(Event::Done { best, ponder: best }, &start()), "bestmove g1f3");
}

#[test]
fn a_remark_is_one_line() {
    let remark = Reply::Remark("two\nlines\0".to_owned());
    assert_eq!(Uci.write(&remark, &start()).unwrap(), "info string two lines ");
    assert_eq!(Uci.write(&Reply::Ready, &start()).unwrap(), "readyok");
}

/// Moves that were written are read back as the same moves, in both spellings of castling.
#[test]
fn written_moves_are_read_back() {
    for fen in
        [CASTLING, "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"]
    {
        for castling in [CastlingNotation::KingTarget, CastlingNotation::RookSquare] {
            let view = OutputFormat { castling, ..view(fen) };
            for &mv in &*view.root.legal_moves() {
                let text = write(Event::Done { best: Some(mv), ponder: None }, &view);
                let word = text.strip_prefix("bestmove ").unwrap();
                let read = view.root.parse_uci(word).unwrap();
                // Where the king's target is a plain move as well, the word means that.
                assert!(read == mv || mv.is_castling() && castling == CastlingNotation::KingTarget, "{text}");
            }
        }
    }
}
