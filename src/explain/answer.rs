//! Short explanations for a session and for a game at the terminal.

use rukh_chess::Move;
use rukh_chess::game::Game;
use rukh_engine::Engine;
use rukh_eval::Evaluation;
use rukh_explain::claims::engine_analyst::EngineAnalyst;
use rukh_explain::claims::explain::explain;
use rukh_explain::claims::level::Level;
use rukh_explain::claims::question::Question;
use rukh_explain::claims::words;

use super::args::NODES;
use super::print::heading;
use super::question::{previous, read_move};

/// The most sentences of an answer.
const SENTENCES: usize = 3;

/// The answer to `explain [MOVE] [against MOVE] [nodes N]` in the present position of a game.
pub(crate) fn answer(evaluation: &Evaluation, game: &Game, words: &[String]) -> Result<Vec<String>, String> {
    let (mut mv, mut against, mut nodes) = (None, None, NODES);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "against" => {
                let other = words.next().ok_or("against is followed by a move")?;
                against = Some(read_move(game.position(), other)?);
            }
            "nodes" => {
                let number = words.next().and_then(|number| number.parse().ok()).filter(|&number| number > 0);
                nodes = number.ok_or("nodes is followed by a number")?;
            }
            text if mv.is_none() => mv = Some(read_move(game.position(), text)?),
            _ => return Err("explain takes one move, then against and another".to_owned()),
        }
    }
    why(evaluation, game, mv, against, nodes)
}

/// Why a move of the present position, and why not another.
pub(crate) fn why(
    evaluation: &Evaluation,
    game: &Game,
    mv: Option<Move>,
    against: Option<Move>,
    nodes: u64,
) -> Result<Vec<String>, String> {
    let position = game.position();
    if position.legal_moves().is_empty() {
        return Err("there is no legal move in this position".to_owned());
    }
    let mut engine = Engine::try_new().map_err(String::from)?;
    engine.set_evaluation(evaluation.clone());
    let mut analyst = EngineAnalyst::new(engine, nodes);
    let question = Question { position, previous: previous(game), mv, against };
    let found = explain(&question, &mut analyst).ok_or("the search found no line")?;
    let sentences = words::sentences(&found, Level::Club, SENTENCES);
    Ok([heading(&found)].into_iter().chain(sentences).collect())
}
