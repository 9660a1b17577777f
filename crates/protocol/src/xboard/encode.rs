//! Replies to XBoard lines.

use rukh_chess::game::{Ending, Outcome};
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Bound, Event, LineInfo, Progress};

use super::features;
use crate::codec::{AnalysisStatus, OutputFormat, Reply};
use crate::protocol_score::ProtocolScore;

/// The score of a mate in 0; a mate in n moves is n more.
const MATE: i32 = 100_000;

/// The lines of a reply; `None` for replies that XBoard does not have, and for thinking output that is turned off.
pub(super) fn encode(reply: &Reply, format: &OutputFormat) -> Option<String> {
    Some(match reply {
        Reply::Identity => features::all(),
        Reply::Message(sentence) => format!("# {}", on_one_line(sentence)),
        Reply::Error { sentence, line } => {
            format!("Error ({}): {}", on_one_line(sentence), on_one_line(line))
        }
        Reply::Illegal { text, sentence } => {
            format!("Illegal move ({}): {}", on_one_line(sentence), on_one_line(text))
        }
        Reply::BadPosition(sentence) => format!("tellusererror Illegal position: {}", on_one_line(sentence)),
        Reply::Pong(number) => format!("pong {number}"),
        Reply::Move(mv) => format!("move {}", move_text(&format.root, *mv, format.castling)),
        Reply::End(ending) => end(*ending),
        Reply::Draw => "offer draw".to_owned(),
        Reply::Hint(mv) => format!("Hint: {}", format.root.san(*mv)),
        Reply::Book(moves) => book(moves, &format.root),
        Reply::Status(status) => status_line(status, &format.root),
        Reply::Text(text) => text.lines().map(|line| format!("# {line}")).collect::<Vec<_>>().join("\n"),
        Reply::Event(Event::Line(line, progress)) if format.shows_thinking => {
            thinking(line, progress, format)
        }
        Reply::Event(_) | Reply::Ready | Reply::Help => return None,
    })
}

fn on_one_line(sentence: &str) -> String {
    sentence.replace(char::is_control, " ")
}

/// In Chess960 castling is written as O-O or O-O-O: the squares alone could mean a king move.
fn move_text(position: &Position, mv: Move, castling: CastlingNotation) -> String {
    let is_chess960 = castling == CastlingNotation::RookSquare;
    match mv.is_castling() && is_chess960 {
        true => position.san(mv).trim_end_matches(['+', '#']).to_owned(),
        false => position.uci(mv, CastlingNotation::KingTarget),
    }
}

/// Thinking output: depth, score, centiseconds, nodes, selective depth, nodes per second, tablebase hits, then the line.
fn thinking(line: &LineInfo, progress: &Progress, format: &OutputFormat) -> String {
    let score = match line.score.into() {
        ProtocolScore::Centipawns(centipawns) => centipawns.value(),
        ProtocolScore::Mate(moves) => moves + MATE * if line.score.is_loss() { -1 } else { 1 },
    };
    let Progress { nodes, tablebase_hits, time, .. } = progress;
    let nps = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    let centiseconds = time.as_millis() / 10;
    let mut moves: Vec<String> =
        format.ponder_move.iter().map(|ponder_move| format!("({ponder_move})")).collect();
    let mut position = format.root.clone();
    for &mv in &line.pv {
        if !position.is_legal(mv) {
            break;
        }
        moves.push(position.san(mv));
        position = position.after(mv);
    }
    let mark = match line.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    format!(
        "{} {score} {centiseconds} {nodes} {} {nps} {tablebase_hits}\t{}{mark}",
        line.depth,
        line.seldepth,
        moves.join(" ")
    )
}

fn end(ending: Ending) -> String {
    let outcome = match ending.outcome() {
        Outcome::Draw => "1/2-1/2",
        Outcome::Win(rukh_chess::Color::White) => "1-0",
        Outcome::Win(rukh_chess::Color::Black) => "0-1",
    };
    format!("{outcome} {{{ending}}}")
}

/// The book moves with their shares, in lines that start with a tab and end with an empty line.
fn book(moves: &[(Move, u16)], position: &Position) -> String {
    let total: u32 = moves.iter().map(|(_, weight)| u32::from(*weight)).sum();
    let line = |(mv, weight): &(Move, u16)| {
        format!("\t{} {}%\n", position.san(*mv), 100 * u32::from(*weight) / total.max(1))
    };
    let lines: String = moves.iter().map(line).collect();
    if lines.is_empty() { "\tno book move\n".to_owned() } else { lines }
}

/// `stat01`: centiseconds, nodes, depth, moves left, legal moves, current move.
fn status_line(status: &AnalysisStatus, position: &Position) -> String {
    let AnalysisStatus { depth, progress, current, moves } = status;
    let (left, name) = match current {
        Some((mv, number)) => (moves.saturating_sub(*number), position.san(*mv)),
        None => (0, "-".to_owned()),
    };
    let centiseconds = progress.time.as_millis() / 10;
    format!("stat01: {centiseconds} {} {depth} {left} {moves} {name}", progress.nodes)
}
