//! The laboratory: state files of a directory that was named at start-up.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::body::{Answer, Params};
use crate::error::{ApiError, ApiResult};
use crate::lab::{self, Hypothesis};

/// Reads the directory away from the threads of the streams.
async fn reading(
    app: &App,
    read: impl FnOnce(Option<PathBuf>) -> Result<Value, String> + Send + 'static,
) -> ApiResult<Answer<Value>> {
    let directory = app.config.lab.clone();
    match spawn_blocking(move || read(directory)).await {
        Ok(result) => result.map(Answer).map_err(ApiError::not_found),
        Err(_) => Err(ApiError::engine_failed("the work ended unexpectedly")),
    }
}

pub(super) async fn list(State(app): State<Arc<App>>) -> ApiResult<Answer<Value>> {
    reading(&app, |directory| Ok(lab::list(directory.as_deref()))).await
}

#[derive(Deserialize)]
pub(super) struct RunQuery {
    name: String,
    elo0: Option<f64>,
    elo1: Option<f64>,
    model: Option<String>,
}

pub(super) async fn run(
    State(app): State<Arc<App>>,
    Params(query): Params<RunQuery>,
) -> ApiResult<Answer<Value>> {
    let hypothesis =
        Hypothesis::new(query.elo0, query.elo1, query.model.as_deref()).map_err(ApiError::bad_input)?;
    reading(&app, move |directory| lab::run(directory.as_deref(), &query.name, hypothesis)).await
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
) -> ApiResult<Answer<Value>> {
    reading(&app, move |directory| lab::games(directory.as_deref(), &query.name, query.game)).await
}
