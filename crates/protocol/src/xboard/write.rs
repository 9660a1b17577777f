//! Replies to lines.

use rukh_chess::game::{Ending, Outcome};
use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Bound, Event, LineInfo, Progress};

use super::features;
use crate::codec::{OutputFormat, Reply, Status};
use crate::scores::Shown;

/// Scores from here on count moves to mate.
const MATE: i32 = 100_000;

/// The lines for a reply; none for what the session makes something of itself, or nobody asked for.
pub(super) fn write(reply: &Reply, view: &OutputFormat) -> Option<String> {
    Some(match reply {
        Reply::Identity => features::all(),
        Reply::Remark(sentence) => format!("# {}", on_one_line(sentence)),
        Reply::Complaint { sentence, line } => {
            format!("Error ({}): {}", on_one_line(sentence), on_one_line(line))
        }
        Reply::Illegal { text, sentence } => {
            format!("Illegal move ({}): {}", on_one_line(sentence), on_one_line(text))
        }
        Reply::BadPosition(sentence) => format!("tellusererror Illegal position: {}", on_one_line(sentence)),
        Reply::Pong(number) => format!("pong {number}"),
        Reply::Move(mv) => format!("move {}", move_text(&view.root, *mv, view.castling)),
        Reply::End(ending) => end(*ending),
        Reply::Draw => "offer draw".to_owned(),
        Reply::Hint(mv) => format!("Hint: {}", view.root.san(*mv)),
        Reply::Book(moves) => book(moves, &view.root),
        Reply::Status(status) => status_line(status, &view.root),
        Reply::Text(text) => text.lines().map(|line| format!("# {line}")).collect::<Vec<_>>().join("\n"),
        Reply::Event(Event::Line(line, progress)) if view.shows_lines => thought(line, progress, view),
        Reply::Event(_) | Reply::Ready | Reply::Help => return None,
    })
}

fn on_one_line(sentence: &str) -> String {
    sentence.replace(char::is_control, " ")
}

/// In games of Chess960 castling has its own letters: the squares alone could mean a move of the king.
fn move_text(position: &Position, mv: Move, castling: CastlingNotation) -> String {
    let is_chess960 = castling == CastlingNotation::RookSquare;
    match mv.is_castling() && is_chess960 {
        true => position.san(mv).trim_end_matches(['+', '#']).to_owned(),
        false => position.uci(mv, CastlingNotation::KingTarget),
    }
}

/// Depth, score, hundredths of a second, nodes; then the greatest depth, nodes a second, tablebase hits; then the line.
fn thought(line: &LineInfo, progress: &Progress, view: &OutputFormat) -> String {
    let score = match line.score.into() {
        Shown::Centipawns(centipawns) => centipawns,
        Shown::Mate(moves) => moves + MATE * if line.score.is_loss() { -1 } else { 1 },
    };
    let Progress { nodes, tablebase_hits, time, .. } = progress;
    let speed = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    let hundredths = time.as_millis() / 10;
    let mut words: Vec<String> = view.guess.iter().map(|guess| format!("({guess})")).collect();
    let mut position = view.root.clone();
    for &mv in &line.pv {
        if !position.is_legal(mv) {
            break;
        }
        words.push(position.san(mv));
        position = position.after(mv);
    }
    let mark = match line.bound {
        Bound::Exact => "",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    format!(
        "{} {score} {hundredths} {nodes} {} {speed} {tablebase_hits}\t{}{mark}",
        line.depth,
        line.seldepth,
        words.join(" ")
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

/// Lines that begin with a tab, and an empty one at the end.
fn book(moves: &[(Move, u16)], position: &Position) -> String {
    let all: u32 = moves.iter().map(|(_, weight)| u32::from(*weight)).sum();
    let line = |(mv, weight): &(Move, u16)| {
        format!("\t{} {}%\n", position.san(*mv), 100 * u32::from(*weight) / all.max(1))
    };
    let lines: String = moves.iter().map(line).collect();
    if lines.is_empty() { "\tthe book knows nothing here\n".to_owned() } else { lines }
}

/// Hundredths of a second, nodes, depth, moves left, moves in all, and the move that is looked at.
fn status_line(status: &Status, position: &Position) -> String {
    let Status { depth, progress, current, moves } = status;
    let (left, name) = match current {
        Some((mv, number)) => (moves.saturating_sub(*number), position.san(*mv)),
        None => (0, "-".to_owned()),
    };
    let hundredths = progress.time.as_millis() / 10;
    format!("stat01: {hundredths} {} {depth} {left} {moves} {name}", progress.nodes)
}
