//! Replies to lines.

use std::fmt::Write;

use rukh_chess::notation::CastlingNotation;
use rukh_chess::{Move, Position};
use rukh_engine::api::{Bound, Event, LineInfo, Progress};
use rukh_eval::Score;

use crate::about::{AUTHOR, NAME, VERSION};
use crate::codec::{OutputFormat, Reply};
use crate::options::{Declaration, Kind};
use crate::scores::Shown;

/// What `help` shows.
const HELP: &str = "\
uci                                    who is here, and the options
xboard                                 speak as XBoard does from now on
isready                                answers readyok, also during a search
setoption name NAME value VALUE        sets an option
ucinewgame                             forgets what was learnt
position startpos|fen FEN [moves ...]  sets up a position
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
   [mate N] [searchmoves ...] [ponder] [infinite]
                                       searches; without a limit until stop
stop                                   ends the search or the count
ponderhit                              the guessed move was played
go perft N                             counts the lines of N moves; also: perft N
d                                      shows the position
eval                                   shows what the position is worth without a search
flip                                   swaps the colours of the position
bench [...]                            measures the speed
genfens N seed S [book FILE]           draws N positions to begin games from
spsa                                   lists what a tuner may change
debug on|off                           tells more about what is searched
quit                                   ends the session";

/// The lines for a reply; none for what only an engine says that conducts its game itself.
pub(super) fn write(reply: &Reply, view: &OutputFormat) -> Option<String> {
    Some(match reply {
        Reply::Identity => identity(),
        Reply::Ready => "readyok".to_owned(),
        Reply::Remark(sentence) | Reply::Complaint { sentence, .. } => {
            format!("info string {}", on_one_line(sentence))
        }
        Reply::Text(text) => text.clone(),
        Reply::Help => HELP.to_owned(),
        Reply::Event(Event::Line(line, progress)) => info(line, progress, view),
        Reply::Event(Event::CurrentMove { depth, mv, number }) => {
            let mv = view.root.uci(*mv, view.castling);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Reply::Event(Event::Done { best, ponder }) => best_move(*best, *ponder, view),
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
        Kind::Spin { default, min, max, .. } => format!("spin default {default} min {min} max {max}"),
        Kind::Check { default, .. } => format!("check default {default}"),
        Kind::Choice { words, .. } => {
            let all = words.iter().map(|word| format!(" var {word}")).collect::<String>();
            format!("combo default {}{all}", words[0])
        }
        Kind::Text { .. } => "string default <empty>".to_owned(),
        Kind::Button { .. } => "button".to_owned(),
    };
    format!("option name {} type {kind}\n", option.name)
}

fn best_move(best: Option<Move>, ponder: Option<Move>, view: &OutputFormat) -> String {
    let Some(best) = best else { return "bestmove (none)".to_owned() };
    let mut text = format!("bestmove {}", view.root.uci(best, view.castling));
    let after = view.root.after(best);
    if let Some(ponder) = ponder.filter(|&ponder| after.is_legal(ponder)) {
        push(&mut text, format_args!(" ponder {}", after.uci(ponder, view.castling)));
    }
    text
}

fn info(line: &LineInfo, progress: &Progress, view: &OutputFormat) -> String {
    let LineInfo { depth, seldepth, multipv, .. } = line;
    let mut text = format!("info depth {depth} seldepth {seldepth} multipv {multipv} ");
    push_score(&mut text, line.score);
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if view.shows_wdl {
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
    push_pv(&mut text, &line.pv, view.root.clone(), view.castling);
    text
}

fn push_score(text: &mut String, score: Score) {
    match score.into() {
        Shown::Mate(moves) => push(text, format_args!("score mate {moves}")),
        Shown::Centipawns(centipawns) => push(text, format_args!("score cp {centipawns}")),
    }
}

/// The moves, up to the first that is not legal: a program that plays them along must not random move.
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

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes all text");
}
