//! Replies to UCI lines.

use std::fmt::Write;

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Bound, Event, LineInfo, Progress, TreeMoveInfo};
use rukh_eval::Score;

use crate::codec::{OutputFormat, Reply};
use crate::identity::{AUTHOR, NAME, VERSION};
use crate::options::{Declaration, OptionKind};
use crate::protocol_score::ProtocolScore;

/// The text of `help`.
const HELP: &str = "\
uci                                    prints the engine's name and the options
xboard                                 switches to the XBoard protocol
isready                                replies readyok, also during a search
setoption name NAME value VALUE        sets an option
ucinewgame                             clears the hash table and the histories
position startpos|fen FEN [moves ...]  sets up a position
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
   [mate N] [searchmoves ...] [ponder] [infinite]
                                       starts a search; without a limit it runs until stop
stop                                   stops the search or perft
ponderhit                              the ponder move was played
go perft N                             counts the leaf nodes at depth N; also: perft N
d                                      shows the position
eval                                   shows the static evaluation
explain [MOVE] [against MOVE]          explains a move, or the best one
flip                                   swaps the colours of the position
bench [DEPTH] [THREADS] [HASH]         runs the benchmark
genfens N seed S [book FILE]           generates N opening positions
spsa                                   lists the tunables
debug on|off                           turns debug messages on or off
quit                                   ends the session";

/// The lines of a reply; `None` for replies of a game that the engine conducts, which UCI does not have.
pub(super) fn encode(reply: &Reply, format: &OutputFormat) -> Option<String> {
    Some(match reply {
        Reply::Identity => identity(),
        Reply::Ready => "readyok".to_owned(),
        Reply::Message(sentence) | Reply::Error { sentence, .. } => {
            format!("info string {}", on_one_line(sentence))
        }
        Reply::Text(text) => text.clone(),
        Reply::Help => HELP.to_owned(),
        Reply::Event(Event::Line(line, progress)) => info(line, progress, format),
        Reply::Event(Event::CurrentMove { depth, mv, number }) => {
            let mv = format.root.uci(*mv, format.castling);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Reply::Event(Event::Root(moves)) => root_table(moves, format)?,
        Reply::Event(Event::Done { best, ponder }) => best_move(*best, *ponder, format),
        Reply::Illegal { .. }
        | Reply::BadPosition(_)
        | Reply::Pong(_)
        | Reply::Move(_)
        | Reply::End(_)
        | Reply::Draw
        | Reply::Hint(_)
        | Reply::Book(_)
        | Reply::Status(_) => return None,
    })
}

fn on_one_line(sentence: &str) -> String {
    sentence.replace(char::is_control, " ")
}

fn identity() -> String {
    let options = Declaration::all().map(option_line).collect::<String>();
    format!("id name {NAME} {VERSION}\nid author {AUTHOR}\n{options}uciok")
}

fn option_line(option: &Declaration) -> String {
    let kind = match option.kind {
        OptionKind::Spin { default, min, max, .. } => format!("spin default {default} min {min} max {max}"),
        OptionKind::Check { default, .. } => format!("check default {default}"),
        OptionKind::Combo { values, .. } => {
            let all = values.iter().map(|value| format!(" var {value}")).collect::<String>();
            format!("combo default {}{all}", values[0])
        }
        OptionKind::String { .. } => "string default <empty>".to_owned(),
        OptionKind::Button { .. } => "button".to_owned(),
    };
    format!("option name {} type {kind}\n", option.name)
}

fn best_move(best: Option<Move>, ponder: Option<Move>, format: &OutputFormat) -> String {
    let Some(best) = best else { return "bestmove (none)".to_owned() };
    let mut text = format!("bestmove {}", format.root.uci(best, format.castling));
    let after = format.root.after(best);
    if let Some(ponder) = ponder.filter(|&ponder| after.is_legal(ponder)) {
        push(&mut text, format_args!(" ponder {}", after.uci(ponder, format.castling)));
    }
    text
}

fn info(line: &LineInfo, progress: &Progress, format: &OutputFormat) -> String {
    let LineInfo { depth, seldepth, multipv, .. } = line;
    let mut text = format!("info depth {depth} seldepth {seldepth} multipv {multipv} ");
    push_score(&mut text, line.score);
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if format.shows_wdl {
        let [wins, draws, losses] = line.wdl;
        push(&mut text, format_args!(" wdl {wins} {draws} {losses}"));
    }
    let Progress { nodes, tablebase_hits, time, .. } = progress;
    let nps = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    let (hashfull, time) = (progress.hashfull.min(1000), time.as_millis());
    push(
        &mut text,
        format_args!(" nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tablebase_hits} time {time}"),
    );
    push_pv(&mut text, &line.pv, format.root.clone(), format.castling);
    text
}

/// A line for each root move, the best last, so that it stands next to the best move; `None` if the table is not wanted.
fn root_table(moves: &[TreeMoveInfo], format: &OutputFormat) -> Option<String> {
    let line = |info: &TreeMoveInfo| {
        let [wins, draws, losses] = info.wdl;
        let [lower, upper] = info.bounds;
        let value =
            info.value.map_or_else(|| "-".to_owned(), |value| format!("{:.4}", f64::from(value) / 1e4));
        format!(
            "info string root {} visits {} prior {:.2}% value {value} wdl {wins} {draws} {losses} bounds {lower} {upper}",
            format.root.uci(info.mv, format.castling),
            info.visits,
            f64::from(info.prior) / 100.0,
        )
    };
    let is_wanted = format.shows_root && !moves.is_empty();
    is_wanted.then(|| moves.iter().rev().map(line).collect::<Vec<_>>().join("\n"))
}

fn push_score(text: &mut String, score: Score) {
    match score.into() {
        ProtocolScore::Mate(moves) => push(text, format_args!("score mate {moves}")),
        ProtocolScore::Centipawns(centipawns) => push(text, format_args!("score cp {}", centipawns.value())),
    }
}

/// The principal variation up to the first illegal move, which a GUI might reject.
fn push_pv(text: &mut String, pv: &[Move], mut position: Position, castling: CastlingNotation) {
    for (i, &mv) in pv.iter().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        let before = if i == 0 { " pv " } else { " " };
        push(text, format_args!("{before}{}", position.uci(mv, castling)));
        position = position.after(mv);
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}
