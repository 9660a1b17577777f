//! The engine of a session: settings, analysis, stop.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use rukh_chess::game::Game;
use rukh_engine::api::{Algorithm, Limits};
use serde::Deserialize;
use serde_json::{Value, json};

use super::rules::game;
use super::session::Nothing;
use crate::analysis::Question;
use crate::app::App;
use crate::body::{JsonBody, JsonReply, Params};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::mcts::{Missing, mcts_json};
use crate::rules::parse_move;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsIn {
    threads: Option<usize>,
    hash: Option<usize>,
    multipv: Option<usize>,
    search: Option<String>,
    evaluation: Option<String>,
}

pub(super) async fn settings(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(input): JsonBody<SettingsIn>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    let search = input.search.map(|name| name.parse::<Algorithm>()).transpose();
    let search = search.map_err(|error| ApiError::bad_input(error.to_string()))?;
    if let Some(name) = &input.evaluation {
        app.config.evaluations.get(name).map_err(ApiError::bad_input)?;
    }
    let json = session.set_settings(|settings| {
        settings.threads = input.threads.unwrap_or(settings.threads).clamp(1, app.config.threads.max(1));
        settings.hash = input.hash.unwrap_or(settings.hash).clamp(1, app.config.hash.max(1));
        settings.multipv = input.multipv.unwrap_or(settings.multipv).clamp(1, Config::MULTIPV);
        settings.search = search.unwrap_or(settings.search);
        if let Some(name) = input.evaluation {
            settings.evaluation = name;
        }
    })?;
    Ok(JsonReply(json))
}

/// Limits of a search in a request.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsIn {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime_ms: Option<u64>,
}

impl LimitsIn {
    /// The limits; without any the search runs until it is stopped.
    pub(super) fn read(&self) -> Limits {
        let movetime = self.movetime_ms.map(Duration::from_millis);
        let is_infinite = self.depth.is_none() && self.nodes.is_none() && movetime.is_none();
        Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes,
            movetime,
            is_infinite,
            ..Limits::default()
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisIn {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    is_threat: bool,
    #[serde(default)]
    limits: LimitsIn,
    #[serde(default)]
    search_moves: Vec<String>,
}

pub(super) async fn start(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(input): JsonBody<AnalysisIn>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    let mut game = game(input.fen.as_deref(), &input.moves)?;
    let fen = game.position().to_string();
    if input.is_threat {
        let mut position = game.position().clone();
        if position.is_check() {
            return Err(ApiError::bad_input("the side to move is in check: there is no threat to show"));
        }
        position.make_null();
        game = Game::new(position);
    }
    let search_moves = input.search_moves.iter().map(|text| parse_move(game.position(), text));
    let search_moves = search_moves.collect::<Result<_, _>>().map_err(ApiError::bad_input)?;
    let limits = Limits { search_moves, ..input.limits.read() };
    session.analyse(Question { game, is_threat: input.is_threat, limits, fen }).map(JsonReply)
}

pub(super) async fn stop(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    _: JsonBody<Nothing>,
) -> ApiResult<JsonReply<Value>> {
    app.sessions.get(&id)?.stop();
    Ok(JsonReply(json!({})))
}

#[derive(Deserialize)]
pub(super) struct MctsQuery {
    /// The number of the search.
    search: u64,
    /// The moves from the root, separated by dots.
    #[serde(default)]
    line: String,
}

pub(super) async fn mcts(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(MctsQuery { search, line }): Params<MctsQuery>,
) -> ApiResult<JsonReply<Value>> {
    let gone = || ApiError::not_found("the tree of this search is gone; search again");
    let tree = app.sessions.get(&id)?.mcts_tree(search).ok_or_else(gone)?;
    mcts_json(&tree, &line).map(JsonReply).map_err(|missing| match missing {
        Missing::BadLine(sentence) => ApiError::bad_input(sentence),
        Missing::Node => ApiError::not_found("the tree does not contain this node"),
    })
}
