//! The laboratory: state files of a directory that was named at start-up.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::body::{JsonReply, Params};
use crate::error::{ApiError, ApiResult};
use crate::lab::{self, TestWish};

/// Reads the directory away from the threads of the streams.
async fn reading(
    app: &App,
    read: impl FnOnce(Option<PathBuf>) -> ApiResult<Value> + Send + 'static,
) -> ApiResult<JsonReply<Value>> {
    let directory = app.config.lab.clone();
    match spawn_blocking(move || read(directory)).await {
        Ok(result) => result.map(JsonReply),
        Err(_) => Err(ApiError::panicked()),
    }
}

pub(super) async fn list(State(app): State<Arc<App>>) -> ApiResult<JsonReply<Value>> {
    reading(&app, |directory| Ok(lab::list(directory.as_deref()))).await
}

#[derive(Deserialize)]
pub(super) struct RunQuery {
    name: String,
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<String>,
}

pub(super) async fn run(
    State(app): State<Arc<App>>,
    Params(query): Params<RunQuery>,
) -> ApiResult<JsonReply<Value>> {
    let RunQuery { name, elo0, elo1, alpha, beta, model } = query;
    let model = model.map(|model| model.parse()).transpose().map_err(ApiError::bad_input)?;
    let wish = TestWish { elo0, elo1, alpha, beta, model };
    reading(&app, move |directory| lab::run(directory.as_deref(), &name, wish)).await
}

#[derive(Deserialize)]
pub(super) struct GamesQuery {
    name: String,
    /// A game of a match by its number; all games of a PGN file without it.
    game: Option<usize>,
}

pub(super) async fn games(
    State(app): State<Arc<App>>,
    Params(query): Params<GamesQuery>,
) -> ApiResult<JsonReply<Value>> {
    let GamesQuery { name, game } = query;
    let read = move |directory: Option<PathBuf>| lab::games(directory.as_deref(), &name, game);
    reading(&app, move |directory| read(directory).map_err(ApiError::not_found)).await
}
