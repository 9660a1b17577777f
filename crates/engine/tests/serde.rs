//! The JSON of the engine's types (feature `serde`).

use std::time::Duration;

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Color, Move, Position};
use rukh_engine::api::{Algorithm, Bound, Clock, Event, Limits, LineInfo, Progress, Settings, TablebaseUse};
use rukh_engine::serialize::uci_text;
use rukh_engine::strength::Strength;
use rukh_engine::technique::{Technique, TechniqueOverrides};
use rukh_eval::Score;
use rukh_eval::score::PAWN;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn moves(texts: &[&str]) -> Vec<Move> {
    let mut position = Position::default();
    let parse = |text: &&str| {
        let mv = position.parse_uci(text).unwrap();
        position = position.after(mv);
        mv
    };
    texts.iter().map(parse).collect()
}

fn line(score: Score) -> LineInfo {
    LineInfo {
        depth: 12,
        seldepth: 20,
        multipv: 1,
        score,
        bound: Bound::Lower,
        wdl: [300, 600, 100],
        pv: moves(&["e2e4", "e7e5"]),
    }
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn events_are_flat_maps() {
    let progress = Progress { nodes: 5000, tablebase_hits: 3, hashfull: 42, time: Duration::from_millis(25) };
    assert_eq!(
        to_json(&Event::Line(line(Score::new(PAWN)), progress)),
        json!({
            "event": "line", "depth": 12, "seldepth": 20, "multipv": 1, "score": { "cp": 100 }, "bound": "lower",
            "wdl": [300, 600, 100], "pv": ["e2e4", "e7e5"],
            "nodes": 5000, "tablebase_hits": 3, "hashfull": 42, "time_ms": 25,
        })
    );
    let [first, reply] = moves(&["g1f3", "d7d5"])[..] else { unreachable!("two moves") };
    assert_eq!(
        to_json(&Event::CurrentMove { depth: 9, mv: first, number: 2 }),
        json!({ "event": "current_move", "depth": 9, "move": "g1f3", "number": 2 })
    );
    assert_eq!(
        to_json(&Event::Done { best: Some(first), ponder: Some(reply) }),
        json!({ "event": "done", "best": "g1f3", "ponder": "d7d5" })
    );
    assert_eq!(
        to_json(&Event::Done { best: None, ponder: None }),
        json!({ "event": "done", "best": null, "ponder": null })
    );
}

#[test]
fn scores_say_their_kind() {
    let score = |score| to_json(&line(score))["score"].clone();
    assert_eq!(score(Score::new(-PAWN)), json!({ "cp": -100 }));
    assert_eq!(score(Score::mate_at(3)), json!({ "mate": 2 }));
    assert_eq!(score(Score::mated_at(4)), json!({ "mate": -2 }));
    assert_eq!(score(Score::tablebase_win_at(12)), json!({ "tablebase_win": 12 }));
    assert_eq!(score(Score::tablebase_loss_at(12)), json!({ "tablebase_loss": 12 }));
    // Without plies a sign could not tell win from loss.
    assert_eq!(score(Score::tablebase_loss_at(0)), json!({ "tablebase_loss": 0 }));
}

#[test]
fn move_texts_are_read_back_in_their_position() {
    for fen in [
        "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "1k6/8/8/8/8/8/8/RK5R w HA - 0 1",
        "8/8/8/4k3/8/8/8/3R1KR1 w GD - 0 1",
        "8/8/8/4k3/8/8/8/4KR2 w F - 0 1",
    ] {
        let position: Position = fen.parse().unwrap();
        for &mv in &*position.legal_moves() {
            assert_eq!(position.parse_uci(&uci_text(mv)), Ok(mv), "{fen}: {}", uci_text(mv));
        }
    }
    let standard: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    for text in ["e1g1", "e1c1"] {
        let mv = standard.parse_uci(text).unwrap();
        assert!(mv.is_castling());
        assert_eq!(uci_text(mv), standard.uci(mv, CastlingNotation::KingTarget));
    }
}

#[test]
fn limits_are_written_in_milliseconds() {
    let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::from_millis(500) };
    let mut limits = Limits {
        depth: Some(20),
        movetime: Some(Duration::from_secs(2)),
        search_moves: moves(&["e2e4"]),
        ..Limits::default()
    };
    limits.clocks[Color::Black] = Some(clock);
    assert_eq!(
        to_json(&limits),
        json!({
            "depth": 20, "nodes": null, "soft_nodes": null, "mate": null, "movetime_ms": 2000,
            "clocks": { "white": null, "black": { "remaining_ms": 60_000, "increment_ms": 500 } },
            "moves_to_go": null, "is_infinite": false, "is_ponder": false, "search_moves": ["e2e4"],
        })
    );
    assert_round_trip(&clock);
}

#[test]
fn settings_are_read_back() {
    assert_round_trip(&Settings::default());
    let settings = Settings {
        algorithm: Algorithm::Mcts,
        threads: 4,
        multipv: 3,
        move_overhead: Duration::from_millis(30),
        contempt: -15,
        overrides: TechniqueOverrides::these([Technique::NullMove, Technique::Countermove]),
        tablebase: TablebaseUse { depth: 3, pieces: 5, counts_fifty: false },
        strength: Some(Strength::of_elo(1500).seeded(7)),
    };
    assert_round_trip(&settings);
    let json = to_json(&settings);
    assert_eq!(json["overrides"], json!(["null-move", "countermove"]));
    assert_eq!(json["strength"], json!({ "elo": 1500, "seed": 7 }));
    assert_eq!(json["move_overhead_ms"], 30);
    let partial: Settings = serde_json::from_value(json!({ "threads": 2 })).unwrap();
    assert_eq!(partial, Settings { threads: 2, ..Settings::default() });
    let error = serde_json::from_value::<Settings>(json!({ "overrides": ["hope"] })).unwrap_err();
    assert!(error.to_string().contains("hope"), "{error}");
}

#[test]
fn progress_and_bounds_are_read_back() {
    assert_round_trip(&Progress {
        nodes: u64::MAX,
        tablebase_hits: 1,
        hashfull: 1000,
        time: Duration::from_millis(7),
    });
    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
        assert_round_trip(&bound);
    }
}
