//! Encoding of replies as UCI lines.

use std::time::Duration;

use rukh_chess::Position;
use rukh_chess::notation::CastlingNotation;
use rukh_engine::api::{Bound, Event, LineInfo, Progress, TreeMoveInfo};
use rukh_eval::Score;
use rukh_eval::score::PAWN;
use rukh_protocol::Uci;
use rukh_protocol::codec::{Codec, OutputFormat, Reply};

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn format_for(fen: &str) -> OutputFormat {
    OutputFormat {
        root: fen.parse().unwrap(),
        castling: CastlingNotation::KingTarget,
        shows_wdl: false,
        shows_root: false,
        shows_thinking: true,
        ponder_move: None,
    }
}

fn start() -> OutputFormat {
    format_for(&Position::default().to_string())
}

fn encode(event: Event, format: &OutputFormat) -> String {
    Uci.encode(&Reply::Event(event), format).unwrap()
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
    let text = encode(Event::Line(line, progress), &start());
    let from = text.find("score").unwrap();
    text[from..text.find(" nodes").unwrap()].to_owned()
}

#[test]
fn lines_are_encoded_as_info() {
    let (line, progress) = line(Score::new(PAWN));
    let event = Event::Line(line, progress);
    assert_eq!(
        encode(event.clone(), &start()),
        "info depth 12 seldepth 20 multipv 1 score cp 100 nodes 5000 nps 2000000 hashfull 42 tbhits 3 time 2 pv e2e4 e7e5"
    );
    let with_wdl = OutputFormat { shows_wdl: true, ..start() };
    assert!(encode(event, &with_wdl).contains(" score cp 100 wdl 300 600 100 nodes "));
}

#[test]
fn bounds_come_between_score_and_wdl() {
    for (bound, word) in [(Bound::Lower, "lowerbound"), (Bound::Upper, "upperbound")] {
        let (line, progress) = line(Score::new(-PAWN));
        let event = Event::Line(LineInfo { bound, ..line }, progress);
        let format = OutputFormat { shows_wdl: true, ..start() };
        assert!(encode(event, &format).contains(&format!(" score cp -100 {word} wdl 300 600 100 nodes ")));
    }
}

#[test]
fn scores_are_centipawns_or_moves_to_mate() {
    assert_eq!(score(Score::DRAW), "score cp 0");
    assert_eq!(score(Score::mate_at(3)), "score mate 2");
    assert_eq!(score(Score::mated_at(4)), "score mate -2");
    assert_eq!(score(Score::mated_at(0)), "score mate 0");
    assert_eq!(score(Score::tablebase_win_at(0)), "score cp 20000");
    assert_eq!(score(Score::tablebase_win_at(7)), "score cp 19993");
    assert_eq!(score(Score::tablebase_loss_at(0)), "score cp -20000");
    assert_eq!(score(Score::tablebase_loss_at(7)), "score cp -19993");
    // Evaluations stay below every tablebase win.
    assert_eq!(score(Score::new(30_000)), "score cp 19753");
    assert_eq!(score(Score::new(-30_000)), "score cp -19753");
}

#[test]
fn a_search_of_no_time_does_not_divide_by_zero() {
    let (line, _) = line(Score::DRAW);
    let progress = Progress { nodes: u64::MAX, hashfull: 5000, ..Progress::default() };
    let text = encode(Event::Line(LineInfo { pv: Vec::new(), ..line }, progress), &start());
    assert!(text.ends_with("hashfull 1000 tbhits 0 time 0"), "{text}");
}

#[test]
fn the_pv_ends_before_an_illegal_move() {
    let (mut line, progress) = line(Score::DRAW);
    line.pv.push(line.pv[0]);
    assert!(encode(Event::Line(line, progress), &start()).ends_with(" pv e2e4 e7e5"));
}

#[test]
fn castling_follows_the_format() {
    let mut format = format_for(CASTLING);
    let best = format.root.parse_uci("e1g1").ok();
    let ponder = format.root.after(best.unwrap()).parse_uci("e8c8").ok();
    let done = Event::Done { best, ponder };
    assert_eq!(encode(done.clone(), &format), "bestmove e1g1 ponder e8c8");
    format.castling = CastlingNotation::RookSquare;
    assert_eq!(encode(done, &format), "bestmove e1h1 ponder e8a8");
    let current = Event::CurrentMove { depth: 9, mv: best.unwrap(), number: 2 };
    assert_eq!(encode(current, &format), "info depth 9 currmove e1h1 currmovenumber 2");
}

#[test]
fn best_move_and_ponder_move_may_be_missing() {
    assert_eq!(encode(Event::Done { best: None, ponder: None }, &start()), "bestmove (none)");
    let best = Position::default().parse_uci("g1f3").ok();
    assert_eq!(encode(Event::Done { best, ponder: None }, &start()), "bestmove g1f3");
    // An illegal ponder move is left out.
    assert_eq!(encode(Event::Done { best, ponder: best }, &start()), "bestmove g1f3");
}

#[test]
fn a_message_is_one_line() {
    let message = Reply::Message("two\nlines\0".to_owned());
    assert_eq!(Uci.encode(&message, &start()).unwrap(), "info string two lines ");
    assert_eq!(Uci.encode(&Reply::Ready, &start()).unwrap(), "readyok");
}

/// For both spellings of castling.
#[test]
fn encoded_moves_parse_to_the_same_moves() {
    for fen in
        [CASTLING, "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"]
    {
        for castling in [CastlingNotation::KingTarget, CastlingNotation::RookSquare] {
            let format = OutputFormat { castling, ..format_for(fen) };
            for &mv in &*format.root.legal_moves() {
                let text = encode(Event::Done { best: Some(mv), ponder: None }, &format);
                let word = text.strip_prefix("bestmove ").unwrap();
                let read = format.root.parse_uci(word).unwrap();
                // Where the king's target square is also a plain king move, the text means that move.
                assert!(read == mv || mv.is_castling() && castling == CastlingNotation::KingTarget, "{text}");
            }
        }
    }
}

#[test]
fn the_table_of_the_root_is_written_on_demand() {
    let format = start();
    let mv = format.root.parse_uci("e2e4").unwrap();
    let row = TreeMoveInfo {
        mv,
        visits: 80,
        prior: 1234,
        value: Some(-250),
        wdl: [200, 550, 250],
        bounds: [-1, 1],
    };
    let unvisited = TreeMoveInfo { visits: 0, value: None, ..row.clone() };
    let reply = Reply::Event(Event::Root(vec![row, unvisited]));
    assert_eq!(Uci.encode(&reply, &format), None);
    let wanted = OutputFormat { shows_root: true, ..format };
    assert_eq!(
        Uci.encode(&reply, &wanted).as_deref(),
        Some(
            "info string root e2e4 visits 0 prior 12.34% value - wdl 200 550 250 bounds -1 1\n\
             info string root e2e4 visits 80 prior 12.34% value -0.0250 wdl 200 550 250 bounds -1 1"
        )
    );
}
