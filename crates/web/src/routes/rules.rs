//! Rules, static evaluation and PGN, without a session.

use std::sync::Arc;

use axum::extract::State;
use rukh_chess::game::Game;
use rukh_chess::notation::pgn::{Games, PgnGame};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::body::{JsonBody, JsonReply, PGN_BYTES};
use crate::error::{ApiError, ApiResult};
use crate::evaluate::evaluation_json;
use crate::game_tree::{GameIn, game_json};
use crate::rules;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionIn {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    chess960: Option<u16>,
}

pub(super) async fn position(
    State(app): State<Arc<App>>,
    JsonBody(input): JsonBody<PositionIn>,
) -> ApiResult<JsonReply<Value>> {
    let start = input.chess960.map(rules::chess960).transpose().map_err(ApiError::bad_input)?;
    let fen = start.map(|start| start.to_string()).or(input.fen);
    let work = move || {
        let game = rules::game(fen.as_deref(), &input.moves)?;
        Ok(rules::position_json(&game, &app.openings, app.config.tablebase.as_deref()))
    };
    blocking(work).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateIn {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    evaluation: Option<String>,
}

pub(super) async fn evaluate(
    State(app): State<Arc<App>>,
    JsonBody(input): JsonBody<EvaluateIn>,
) -> ApiResult<JsonReply<Value>> {
    let work = move || {
        let evaluations = &app.config.evaluations;
        let name = input.evaluation.as_deref().unwrap_or(evaluations.first_name());
        let evaluation = evaluations.get(name)?;
        evaluation_json(&evaluation, rules::game(input.fen.as_deref(), &input.moves)?.position())
    };
    blocking(work).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadIn {
    pgn: String,
    #[serde(default)]
    game: usize,
}

pub(super) async fn read_pgn(JsonBody(input): JsonBody<ReadIn, PGN_BYTES>) -> ApiResult<JsonReply<Value>> {
    blocking(move || read(&input)).await
}

fn read(input: &ReadIn) -> Result<Value, String> {
    let (mut games, mut faults, mut chosen) = (Vec::new(), Vec::new(), None);
    for result in Games::new(input.pgn.trim_start_matches('\u{feff}')) {
        match result {
            Ok(game) => {
                games.push(head(games.len(), &game));
                if games.len() == input.game + 1 {
                    chosen = Some(game_json(&game));
                }
            }
            Err(error) => faults.push(error),
        }
    }
    if games.is_empty() {
        return Err(match faults.first() {
            Some(fault) => format!("there is no readable game: {fault}"),
            None => "there is no game in this text".to_owned(),
        });
    }
    let fault = |error: &rukh_chess::notation::pgn::PgnError| json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() });
    let faults: Vec<Value> = faults.iter().map(fault).collect();
    Ok(json!({ "games": games, "faults": faults, "game": chosen }))
}

/// A game of a list.
fn head(index: usize, game: &PgnGame) -> Value {
    let tag = |name: &str| game.tag(name).unwrap_or("?");
    json!({
        "index": index,
        "white": tag("White"),
        "black": tag("Black"),
        "event": tag("Event"),
        "date": tag("Date"),
        "result": game.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
        "plies": game.main_line.moves.len(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteIn {
    game: GameIn,
}

pub(super) async fn write_pgn(JsonBody(input): JsonBody<WriteIn, PGN_BYTES>) -> ApiResult<JsonReply<Value>> {
    blocking(move || Ok(json!({ "pgn": input.game.read()?.to_string() }))).await
}

/// Does work that may take a while, away from the threads of the streams. An error is bad input.
pub(super) async fn blocking(
    work: impl FnOnce() -> Result<Value, String> + Send + 'static,
) -> ApiResult<JsonReply<Value>> {
    match spawn_blocking(work).await {
        Ok(result) => result.map(JsonReply).map_err(ApiError::bad_input),
        Err(_) => Err(ApiError::panicked()),
    }
}

/// The game of a position in a request.
pub(super) fn game(fen: Option<&str>, moves: &[String]) -> ApiResult<Game> {
    rules::game(fen, moves).map_err(ApiError::bad_input)
}
