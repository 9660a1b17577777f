//! The game tree of a session.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use rukh_chess::notation::pgn::{Games, PgnGame};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::body::{self, JsonBody, JsonReply, PGN_BYTES};
use crate::error::{ApiError, ApiResult};
use crate::game_tree::GameIn;

/// The most bytes of a view.
const VIEW_BYTES: usize = 4 << 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplaceIn {
    revision: u64,
    game: Option<GameIn>,
    pgn: Option<String>,
    view: Option<Value>,
}

impl ReplaceIn {
    /// The game of the request, if there is one.
    fn read(game: Option<GameIn>, pgn: Option<&str>) -> Result<Option<PgnGame>, String> {
        match (game, pgn) {
            (Some(_), Some(_)) => Err("a request has a game or a PGN, not both".to_owned()),
            (Some(game), None) => game.read().map(Some),
            (None, Some(pgn)) => match Games::new(pgn).next() {
                Some(game) => game.map(Some).map_err(|error| error.to_string()),
                None => Err("there is no game in this text".to_owned()),
            },
            (None, None) => Ok(None),
        }
    }
}

pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    JsonBody(input): JsonBody<ReplaceIn, PGN_BYTES>,
) -> ApiResult<JsonReply<Value>> {
    let session = app.sessions.get(&id)?;
    if input.view.as_ref().is_some_and(|view| view.to_string().len() > VIEW_BYTES) {
        return Err(ApiError::bad_input(format!("a view has at most {VIEW_BYTES} bytes")));
    }
    let work = move || {
        let game = ReplaceIn::read(input.game, input.pgn.as_deref()).map_err(ApiError::bad_input)?;
        session.set_game(input.revision, game, input.view)
    };
    let done = spawn_blocking(work).await;
    done.map_err(|_| ApiError::engine_failed("the work ended unexpectedly"))?.map(JsonReply)
}

pub(super) async fn download(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    let pgn = app.sessions.get(&id)?.pgn();
    Ok(body::download("game.pgn", "application/x-chess-pgn", pgn))
}
