//! Games as PGN, and results as lines of the state file from which a match is resumed.

use std::time::{Duration, SystemTime};

use rukh_chess::Color;
use rukh_chess::game::Outcome;
use rukh_chess::notation::pgn::{PgnGame, PgnMove, Variation};
use serde_json::{Value as Json, json};

use super::game::{FaultKind, Played, Remark};
use super::openings::Opening;
use super::player::{Entrant, Value};
use super::schedule::{Fixture, Schedule};
use super::standings::{Effort, Result as GameResult};
use crate::calendar::date;

/// A game as PGN.
pub(super) fn to_pgn(
    event: &str,
    entrants: &[Entrant],
    fixture: &Fixture,
    opening: &Opening,
    played: &Played,
) -> String {
    let [white, black] = [Color::White, Color::Black].map(|side| &entrants[fixture.players[side]]);
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date(SystemTime::now())),
        ("Round", format!("{}.{}", fixture.pair + 1, fixture.index % 2 + 1)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("Result", played.outcome.to_string()),
    ];
    tags.extend(opening.name.clone().map(|name| ("Opening", name)));
    match white.control == black.control {
        true => tags.push(("TimeControl", white.control.to_string())),
        false => {
            tags.push(("WhiteTimeControl", white.control.to_string()));
            tags.push(("BlackTimeControl", black.control.to_string()));
        }
    }
    tags.push(("Termination", played.reason.to_string()));
    tags.push(("PlyCount", played.game.moves().len().to_string()));
    let moves = played.game.moves().iter().enumerate().map(|(at, &mv)| {
        let comment = match at.checked_sub(played.book_moves).and_then(|at| played.remarks.get(at)) {
            Some(remark) => comment(remark),
            None => "book".to_owned(),
        };
        PgnMove { comments: vec![comment], ..PgnMove::new(mv) }
    });
    let game = PgnGame {
        tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        start: played.game.start().clone(),
        main_line: Variation { comments: Vec::new(), moves: moves.collect() },
        outcome: Some(played.outcome),
    };
    game.to_string()
}

/// Score, depth and time of a move, as testing tools write them: `+0.35/12 0.120s`. They count the plies to a mate.
fn comment(remark: &Remark) -> String {
    let mut text = String::new();
    if let Some(score) = remark.info.score {
        let depth = remark.info.depth.unwrap_or(0);
        text = match score {
            Value::Mate(moves) if moves > 0 => format!("+M{}/{depth} ", 2 * i64::from(moves) - 1),
            Value::Mate(moves) => format!("-M{}/{depth} ", -2 * i64::from(moves)),
            Value::Centipawns(_) => format!("{score}/{depth} "),
        };
    }
    text + &format!("{:.3}s", remark.taken.as_secs_f64())
}

/// A result with its game as one line.
pub(super) fn to_line(result: &GameResult, reason: &str, pgn: &str) -> String {
    let effort = result
        .effort
        .map(|effort| json!([effort.moves, effort.depths, effort.nodes, effort.time.as_micros() as u64]));
    let fault = result.fault.map(|(side, kind)| json!([side.index(), kind.name()]));
    json!({
        "game": result.fixture.index,
        "result": result.outcome.to_string(),
        "reason": reason,
        "fault": fault,
        "effort": effort,
        "pgn": pgn,
    })
    .to_string()
}

/// What [`to_line`] wrote: the result and the game; none if it is something else, or only a part of it.
pub(super) fn from_line(line: &str, schedule: &Schedule) -> Option<(GameResult, String)> {
    let json: Json = serde_json::from_str(line).ok()?;
    let index = usize::try_from(json["game"].as_u64()?).ok().filter(|&index| index < schedule.len())?;
    let outcome = [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw]
        .into_iter()
        .find(|outcome| json["result"] == outcome.to_string())?;
    let fault = match &json["fault"] {
        Json::Null => None,
        fault => {
            let side = [Color::White, Color::Black].into_iter().find(|side| fault[0] == side.index())?;
            let kind = FaultKind::ALL.into_iter().find(|kind| fault[1] == kind.name())?;
            Some((side, kind))
        }
    };
    let effort = |side: usize| {
        let of = |at: usize| json["effort"][side][at].as_u64();
        Some(Effort { moves: of(0)?, depths: of(1)?, nodes: of(2)?, time: Duration::from_micros(of(3)?) })
    };
    let effort = [effort(0)?, effort(1)?];
    let pgn = json["pgn"].as_str()?.to_owned();
    Some((GameResult { fixture: schedule.fixture(index), outcome, fault, effort }, pgn))
}

#[cfg(test)]
mod tests {
    use rukh_eval::Centipawns;

    use super::super::player::SearchInfo;
    use super::super::schedule::Format;
    use super::*;

    #[test]
    fn comments_are_those_of_testing_tools() {
        let comment = |score, depth| {
            let info = SearchInfo { score, depth, ..SearchInfo::default() };
            comment(&Remark { info, taken: Duration::from_millis(120) })
        };
        assert_eq!(comment(Some(Value::Centipawns(Centipawns(35))), Some(12)), "+0.35/12 0.120s");
        assert_eq!(comment(Some(Value::Centipawns(Centipawns(-7))), None), "-0.07/0 0.120s");
        assert_eq!(comment(Some(Value::Mate(3)), Some(9)), "+M5/9 0.120s");
        assert_eq!(comment(Some(Value::Mate(-1)), Some(9)), "-M2/9 0.120s");
        assert_eq!(comment(None, Some(9)), "0.120s");
    }

    #[test]
    fn results_are_read_back() {
        let schedule = Schedule::new(Format::RoundRobin, 3, 4);
        for (index, outcome, fault) in [
            (0, Outcome::Draw, None),
            (5, Outcome::Win(Color::White), Some((Color::Black, FaultKind::Crash))),
            (11, Outcome::Win(Color::Black), Some((Color::White, FaultKind::Illegal))),
        ] {
            let effort = [1, 2].map(|factor| Effort {
                moves: 30 * factor,
                depths: 400 * factor,
                nodes: 123_456_789 * factor,
                time: Duration::from_micros(7_654_321 * factor),
            });
            let result = GameResult { fixture: schedule.fixture(index), outcome, fault, effort };
            let line = to_line(&result, "a \"reason\"", "[Event \"x\"]\n\n1. e4 *\n");
            assert!(!line.contains('\n'));
            assert_eq!(from_line(&line, &schedule), Some((result, "[Event \"x\"]\n\n1. e4 *\n".to_owned())));
            for cut in [0, 1, line.len() / 2, line.len() - 1] {
                assert_eq!(from_line(&line[..cut], &schedule), None);
            }
        }
        assert_eq!(
            from_line("{\"game\": 12, \"result\": \"1-0\"}", &schedule),
            None,
            "there is no such game"
        );
    }
}
