//! The review of a session.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use rukh_chess::notation::pgn::{Games, PgnGame};
use rukh_engine::api::Limits;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::rules::blocking;
use crate::app::App;
use crate::body::{JsonBody, JsonReply, PGN_BYTES, download};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::lock::lock;
use crate::review::Reviewed;

/// The time for a position without a limit.
const DEFAULT_TIME: Duration = Duration::from_millis(200);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewIn {
    pgn: String,
    movetime_ms: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// Games with their places in a PGN, and the faults of the others.
type Read = (Vec<(usize, PgnGame)>, Vec<Value>);

impl ReviewIn {
    fn limits(&self) -> Limits {
        let movetime = self.movetime_ms.map(|time| Duration::from_millis(time.max(1)));
        let is_limited = movetime.is_some() || self.depth.is_some() || self.nodes.is_some();
        Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            movetime: movetime.or((!is_limited).then_some(DEFAULT_TIME)),
            ..Limits::default()
        }
    }

    /// The games with their places, and the faults of the others.
    fn games(&self) -> Result<Read, String> {
        let (mut games, mut faults) = (Vec::new(), Vec::new());
        for (place, game) in (1..).zip(Games::new(&self.pgn)) {
            match game {
                Ok(game) => games.push((place, game)),
                Err(error) => faults.push(
                    json!({ "game": error.game, "line": error.line, "fault": error.fault.to_string() }),
                ),
            }
            if games.len() > Config::REVIEW_GAMES {
                return Err(format!("a review has at most {} games", Config::REVIEW_GAMES));
            }
        }
        match (games.is_empty(), faults.first()) {
            (false, _) => Ok((games, faults)),
            (true, Some(fault)) => {
                Err(format!("there is no readable game: line {}: {}", fault["line"], fault["fault"]))
            }
            (true, None) => Err("there is no game in this text".to_owned()),
        }
    }
}

pub(super) async fn start(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(input): JsonBody<ReviewIn, PGN_BYTES>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    let work = move || {
        let (games, faults) = input.games().map_err(ApiError::bad_input)?;
        session.review(games, faults, input.limits())
    };
    let done = spawn_blocking(work).await;
    done.map_err(|_| ApiError::engine_failed("the work ended unexpectedly"))?.map(JsonReply)
}

pub(super) async fn result(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<JsonReply<Value>> {
    let reviewed = app.sessions.get(&id)?.reviewed();
    blocking(move || Ok(lock(&reviewed).json())).await
}

/// A file of the reviewed games.
async fn file(
    app: &App,
    id: &str,
    (name, kind): (&'static str, &'static str),
    write: impl FnOnce(&Reviewed) -> String + Send + 'static,
) -> ApiResult<Response> {
    let reviewed = app.sessions.get(id)?.reviewed();
    if lock(&reviewed).is_empty() {
        return Err(ApiError::not_found("no game has been reviewed yet"));
    }
    let content = spawn_blocking(move || write(&lock(&reviewed))).await;
    let content = content.map_err(|_| ApiError::engine_failed("the work ended unexpectedly"))?;
    Ok(download(name, kind, content))
}

pub(super) async fn pgn(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    let annotator = app.config.name.clone();
    file(&app, &id, ("review.pgn", "application/x-chess-pgn"), move |reviewed| reviewed.pgn(&annotator)).await
}

pub(super) async fn html(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    file(&app, &id, ("review.html", "text/html; charset=utf-8"), Reviewed::html).await
}
