//! The protocol session on standard input and output, for GUIs.

use std::io::{BufReader, IsTerminal, stdin, stdout};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use rukh_chess::Position;
use rukh_chess::game::Game;
use rukh_engine::api::Algorithm;
use rukh_engine::technique::TechniqueOverrides;
use rukh_engine::{Engine, bench};
use rukh_eval::{Evaluation, hce, nnue};
use rukh_lab::selfplay::SelfPlay;
use rukh_protocol::identity::greeting;
use rukh_protocol::uci::is_command;
use rukh_protocol::{Flow, Hooks, Session, Uci};

use crate::books::read_book;
use crate::explain;
use crate::finish::Finish;
use crate::leaf_network;
use crate::output::print_line;

/// Runs a session. `lines` are executed first, as if they were read from standard input.
pub(crate) fn run(lines: &[String]) -> Finish {
    let first_word = lines.first().and_then(|line| line.split_whitespace().next());
    if let Some(word) = first_word.filter(|word| !is_command(word)) {
        return Err(format!(
            "{word:?} is neither a subcommand of rukh nor a command of a session; see rukh --help"
        )
        .into());
    }
    let engine = Engine::try_new().map_err(String::from)?;
    let hooks = Hooks { eval, explain, bench, openings, leaf_network: leaf_network::LOAD };
    let mut session = Session::with_engine(Uci, stdout(), hooks, engine);
    session.watch_output(reader_is_gone);
    if stdin().is_terminal() && lines.is_empty() {
        print_line(&greeting())?;
    }
    if session.run_arguments(lines.iter().map(String::as_str)) == Flow::Continue {
        session.run(BufReader::new(stdin())).map_err(|error| error.to_string())?;
    }
    match session.failure() {
        Some(error) => Err(error.to_string().into()),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Waits until the reader of standard output has gone; false if that cannot be known.
#[cfg(unix)]
fn reader_is_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let gone = PollFlags::ERR | PollFlags::HUP;
    loop {
        let output = stdout();
        // No event is requested: errors are always reported.
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) if watched[0].revents().intersects(gone) => return true,
            Err(rustix::io::Errno::INTR) => {}
            _ => return false,
        }
    }
}

/// Elsewhere only a line that cannot be written tells.
#[cfg(not(unix))]
fn reader_is_gone() -> bool {
    false
}

fn eval(evaluation: &Evaluation, position: &Position) -> String {
    if position.is_check() {
        return "the side to move is in check: there is no static evaluation".to_owned();
    }
    match evaluation {
        Evaluation::Classical => hce::trace(position).to_string(),
        Evaluation::Network(network) => nnue::trace(network, position).to_string(),
    }
}

/// The session command `explain [MOVE] [against MOVE] [nodes N]`.
fn explain(
    evaluation: &Evaluation,
    game: &Game,
    arguments: &[String],
    print: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let lines = explain::answer(evaluation, game, arguments)?;
    lines.iter().for_each(|line| print(line));
    Ok(())
}

/// The greatest number of threads, as of the option `Threads`.
const MAX_THREADS: usize = 1024;

/// The session command `bench [DEPTH] [THREADS] [HASH]`.
fn bench(evaluation: &Evaluation, arguments: &[String], print: &mut dyn FnMut(&str)) -> Result<(), String> {
    let number = |place: usize, default: usize| match arguments.get(place) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("bench takes numbers: {text:?} is not a number")),
    };
    let algorithm = Algorithm::AlphaBeta;
    let depth = number(0, bench::default_depth(algorithm) as usize)?.clamp(1, 200) as u32;
    let threads = NonZeroUsize::new(number(1, 1)?).ok_or("bench needs a thread")?;
    if threads.get() > MAX_THREADS {
        return Err(format!("bench takes at most {MAX_THREADS} threads, not {threads}"));
    }
    let hash = number(2, 16)?;
    let overrides = TechniqueOverrides::default();
    let report = bench::run(algorithm, overrides, depth, threads, hash, evaluation, |number, fen, nodes| {
        print(&format!("position {number}: {nodes} nodes, {fen}"));
    });
    let report = report.map_err(|error| error.to_string())?;
    if report.threads < threads.get() {
        print(&format!("info string {} of {threads} threads were used", report.threads));
    }
    print(&format!("{} nodes {} nps", report.nodes, report.nodes_per_second()));
    Ok(())
}

/// The session command `genfens N seed S book FILE|None` of OpenBench: start positions for games. Further words are ignored.
fn openings(
    evaluation: &Evaluation,
    arguments: &[String],
    print: &mut dyn FnMut(&str),
) -> Result<(), String> {
    const USAGE: &str = "genfens takes a number, then seed and a number, then book and a file or None";
    /// Enough to see that a side has lost a piece.
    const NODES: u64 = 1_000;
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse::<u64>().ok());
    let after = |name: &str| arguments.iter().position(|word| word == name).map(|place| place + 1);
    let count = number(0).filter(|&count| count > 0).ok_or(USAGE)?;
    let seed = after("seed").map_or(Some(1), number).ok_or(USAGE)?;
    let book = after("book").and_then(|place| arguments.get(place)).filter(|&book| book != "None");
    let book = book.map(|path| read_book(Path::new(path), None)).transpose()?;
    let settings =
        SelfPlay { seed, book, nodes: NODES, evaluation: evaluation.clone(), ..SelfPlay::default() };
    if !settings.has_openings()? {
        return Err("this book has no usable position: one side is lost in all of them".to_owned());
    }
    let mut left = count;
    settings.openings(&AtomicBool::new(false), |position| {
        print(&format!("info string genfens {position}"));
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(())
}
