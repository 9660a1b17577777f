//! Sessions: create, read, stream, close.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::body::{JsonBody, JsonReply};
use crate::error::{ApiError, ApiResult};
use crate::stream;

/// A command without arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) async fn create(State(app): State<Arc<App>>, _: JsonBody<Nothing>) -> ApiResult<Response> {
    let id = app.sessions.create()?;
    Ok((StatusCode::CREATED, JsonReply(json!({ "session": id }))).into_response())
}

pub(super) async fn snapshots(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<JsonReply<Value>> {
    let mut all = app.sessions.get(&id)?.topics.all();
    all.insert("session".to_owned(), json!(id));
    Ok(JsonReply(Value::Object(all)))
}

pub(super) async fn close(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    _: JsonBody<Nothing>,
) -> ApiResult<JsonReply<Value>> {
    app.sessions.close(&id)?;
    Ok(JsonReply(json!({})))
}

pub(super) async fn events(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    let session = app.sessions.get(&id)?;
    let sentence = "the session has too many streams; close a page that you do not need";
    let (listener, end) = session.listen().ok_or_else(|| ApiError::too_many(sentence))?;
    Ok(stream::stream(&session.topics, end, listener))
}
