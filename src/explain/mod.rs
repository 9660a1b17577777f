//! `rukh explain`: why a move is good or bad, as claims that can be replayed.

mod answer;
mod args;
mod games;
mod print;
mod question;
mod referee;
mod themes;
mod verify;

pub(crate) use answer::{answer, why};
pub(crate) use args::Args;

use crate::finish::Finish;

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Finish {
    if args.nodes == Some(0) {
        return Err("--nodes takes a number from 1".to_owned().into());
    }
    if args.every == Some(0) {
        return Err("--every takes a number from 1".to_owned().into());
    }
    if let Some(file) = &args.themes {
        return themes::run(file, args);
    }
    if let Some(file) = &args.verify {
        return verify::run(file, args);
    }
    match (args.every, &args.pgn) {
        (Some(every), Some(file)) => games::run(file, every, args),
        (Some(_), None) => {
            Err("--every needs the games of --pgn or the puzzles of --themes".to_owned().into())
        }
        (None, _) => question::run(args),
    }
}
