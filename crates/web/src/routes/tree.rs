//! The recorded search of a session.

use std::sync::Arc;

use axum::extract::{Path, State};
use rukh_chess::{Move, Position};
use rukh_engine::search_tree::{Iterations, TreeLimits};
use rukh_engine::technique::TechniqueOverrides;
use serde::Deserialize;
use serde_json::Value;

use super::rules::{blocking, game};
use crate::app::App;
use crate::body::{JsonBody, JsonReply, Params};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::node_json::{children_json, flame_json, summary_json};
use crate::recording::{Recorded, Spec};
use crate::rules::parse_move;
use crate::session::Session;

/// The depth without a limit.
const DEFAULT_DEPTH: u32 = 8;
/// The recorded nodes without a wish.
const DEFAULT_NODES: usize = 1_000;
/// The most plies of a flame graph.
const FLAME_PLIES: usize = 12;

#[derive(Deserialize)]
#[serde(untagged)]
enum IterationIn {
    Number(u32),
    Name(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeIn {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
    iteration: Option<IterationIn>,
    max_nodes: Option<usize>,
    near_plies: Option<usize>,
    #[serde(default)]
    path: Vec<String>,
    #[serde(default)]
    switch: Vec<String>,
    evaluation: Option<String>,
}

impl TreeIn {
    fn iterations(&self) -> Result<Iterations, String> {
        match &self.iteration {
            None => Ok(Iterations::Last),
            Some(IterationIn::Number(number)) if *number > 0 => Ok(Iterations::Only(*number)),
            Some(IterationIn::Name(name)) if name == "last" => Ok(Iterations::Last),
            Some(IterationIn::Name(name)) if name == "all" => Ok(Iterations::All),
            Some(_) => Err("an iteration is a number from 1, \"last\" or \"all\"".to_owned()),
        }
    }

    fn spec(&self, config: &Config) -> ApiResult<Spec> {
        let game = game(self.fen.as_deref(), &self.moves)?;
        let position = game.position();
        if position.count_legal_moves() == 0 {
            return Err(ApiError::bad_input("there is no legal move to search"));
        }
        let bounds = TreeLimits {
            max_nodes: self.max_nodes.unwrap_or(DEFAULT_NODES).min(Config::RECORDED_NODES),
            near_plies: self.near_plies.unwrap_or(1),
            path: line(position, &self.path).map_err(ApiError::bad_input)?,
            iterations: self.iterations().map_err(ApiError::bad_input)?,
        };
        let switched: TechniqueOverrides =
            self.switch.join(",").parse().map_err(|error| ApiError::bad_input(format!("{error}")))?;
        let evaluation = self.evaluation.as_deref().unwrap_or(config.evaluations.first_name());
        let is_limited = self.depth.is_some() || self.nodes.is_some();
        Ok(Spec {
            depth: self.depth.map(|depth| depth.max(1)).or((!is_limited).then_some(DEFAULT_DEPTH)),
            nodes: (self.nodes, self.nodes.unwrap_or(Config::TREE_NODES).clamp(1, Config::TREE_NODES)),
            bounds,
            switched,
            switched_names: self.switch.clone(),
            evaluation: config.evaluations.get(evaluation).map_err(ApiError::bad_input)?,
            game,
        })
    }
}

/// The moves of a line.
fn line(start: &Position, texts: &[String]) -> Result<Vec<Move>, String> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in texts {
        let mv = parse_move(&position, text)?;
        position = position.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

pub(super) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(input): JsonBody<TreeIn>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    let spec = input.spec(&app.config)?;
    session.record(spec).map(JsonReply)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureIn {
    tree: u64,
}

pub(super) async fn measure(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(MeasureIn { tree }): JsonBody<MeasureIn>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    let recorded = find(&session, Some(tree))?;
    session.measure(recorded).map(JsonReply)
}

#[derive(Deserialize)]
pub(super) struct TreeQuery {
    tree: Option<u64>,
    at: Option<String>,
    plies: Option<usize>,
}

fn recorded(app: &App, id: &str, query: &TreeQuery) -> ApiResult<Arc<Recorded>> {
    find(&*app.sessions.get(id)?, query.tree)
}

/// The recorded search of this number; the last one without a number.
fn find(session: &Session, number: Option<u64>) -> ApiResult<Arc<Recorded>> {
    let recorded = session.recorded();
    let recorded = recorded.filter(|recorded| number.is_none_or(|number| number == recorded.number));
    recorded.ok_or_else(|| ApiError::not_found("there is no such search tree; record the search again"))
}

pub(super) async fn summary(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(query): Params<TreeQuery>,
) -> ApiResult<JsonReply<Value>> {
    let recorded = recorded(&app, &id, &query)?;
    blocking(move || Ok(summary_json(recorded.number, recorded.spec.game.position(), &recorded.tree))).await
}

pub(super) async fn node(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(query): Params<TreeQuery>,
) -> ApiResult<JsonReply<Value>> {
    let recorded = recorded(&app, &id, &query)?;
    let at = query.at.unwrap_or_default();
    let found = children_json(recorded.spec.game.position(), &recorded.tree, &at);
    found.map(JsonReply).ok_or_else(|| ApiError::not_found("the search tree has no such node"))
}

pub(super) async fn flame(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(query): Params<TreeQuery>,
) -> ApiResult<JsonReply<Value>> {
    let recorded = recorded(&app, &id, &query)?;
    let at = query.at.unwrap_or_default();
    let plies = query.plies.unwrap_or(FLAME_PLIES / 2).min(FLAME_PLIES);
    let found = flame_json(recorded.spec.game.position(), &recorded.tree, &at, plies);
    found.map(JsonReply).ok_or_else(|| ApiError::not_found("the search tree has no such node"))
}
