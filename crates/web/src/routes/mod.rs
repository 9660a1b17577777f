//! Routes: which handler answers which path. `API.md` describes them.

mod analysis;
mod game;
mod info;
mod lab;
mod play;
mod review;
mod rules;
mod session;
mod tree;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::app::App;
use crate::assets;
use crate::error::ApiError;

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/api/info", get(info::info))
        .route("/api/position", post(rules::position))
        .route("/api/evaluate", post(rules::evaluate))
        .route("/api/pgn/read", post(rules::read_pgn))
        .route("/api/pgn/write", post(rules::write_pgn))
        .route("/api/sessions", post(session::create))
        .route("/api/sessions/{id}", get(session::snapshots))
        .route("/api/sessions/{id}/close", post(session::close))
        .route("/api/sessions/{id}/events", get(session::events))
        .route("/api/sessions/{id}/game", post(game::replace))
        .route("/api/sessions/{id}/game.pgn", get(game::download))
        .route("/api/sessions/{id}/settings", post(analysis::settings))
        .route("/api/sessions/{id}/analysis", post(analysis::start))
        .route("/api/sessions/{id}/stop", post(analysis::stop))
        .route("/api/sessions/{id}/play", post(play::play))
        .route("/api/sessions/{id}/play.pgn", get(play::pgn))
        .route("/api/sessions/{id}/review", get(review::result).post(review::start))
        .route("/api/sessions/{id}/review.pgn", get(review::pgn))
        .route("/api/sessions/{id}/review.html", get(review::html))
        .route("/api/sessions/{id}/tree", get(tree::summary).post(tree::record))
        .route("/api/sessions/{id}/tree/savings", post(tree::measure))
        .route("/api/sessions/{id}/tree/node", get(tree::node))
        .route("/api/sessions/{id}/tree/flame", get(tree::flame))
        .route("/api/sessions/{id}/mcts", get(analysis::mcts))
        .route("/api/lab", get(lab::list))
        .route("/api/lab/run", get(lab::run))
        .route("/api/lab/games", get(lab::games))
        .route("/{*name}", get(file))
        .method_not_allowed_fallback(async || ApiError::bad_method())
        .fallback(async || ApiError::not_found("there is no such page"))
        .with_state(app)
}

async fn index(State(app): State<Arc<App>>) -> Response {
    assets::index(&app.token)
}

async fn file(Path(name): Path<String>) -> Response {
    let missing = || ApiError::not_found("there is no such page").into_response();
    assets::file(&name).unwrap_or_else(missing)
}
