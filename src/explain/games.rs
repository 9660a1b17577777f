//! Explanations of every n-th move of many games, for measures.

use std::path::Path;
use std::process::ExitCode;

use rukh_chess::game::Game;
use rukh_chess::notation::pgn::{Games, decode};
use rukh_explain::claims::explain::explain;
use rukh_explain::claims::question::Question;

use super::args::{Args, NODES};
use super::print;
use super::question::previous;
use crate::finish::Finish;
use crate::output::print_line;
use crate::progress::LateBar;
use crate::unpack::for_each_file;

/// Explains every `every`-th move of all games.
pub(super) fn run(file: &Path, every: usize, args: &Args) -> Finish {
    let mut games = Vec::new();
    for_each_file(file, |_, bytes| {
        games.extend(Games::new(&decode(bytes)).flatten().map(|game| game.game()));
        Ok(())
    })?;
    let mut analyst = args.analyst(args.nodes.unwrap_or(NODES))?;
    let bar = LateBar::new("games");
    let total = games.len();
    let mut count = 0_usize;
    for (number, game) in games.iter().enumerate() {
        bar.set(number, total);
        let mut here = Game::new(game.start().clone());
        for &mv in game.moves() {
            count += 1;
            if count.is_multiple_of(every) {
                let position = here.position();
                let question = Question { position, previous: previous(&here), mv: Some(mv), against: None };
                analyst.clear();
                if let Some(answer) = explain(&question, &mut analyst) {
                    let text = if args.json {
                        print::as_json(&answer, args).to_string()
                    } else {
                        print::as_text(&answer, args)
                    };
                    print_line(&text)?;
                }
            }
            here.play(mv).map_err(|error| error.to_string())?;
        }
    }
    bar.finish();
    Ok(ExitCode::SUCCESS)
}
