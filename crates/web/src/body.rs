//! Bodies and queries of requests: JSON of limited size, read into a type that refuses unknown fields.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::app::App;
use crate::error::{ApiError, ApiResult};

/// The limit of a body.
pub(crate) const COMMAND_BYTES: usize = 1 << 20;
/// The limit of a body with a PGN text or a game tree.
pub(crate) const PGN_BYTES: usize = 4 << 20;

/// The body of a command, of at most `LIMIT` bytes.
pub(crate) struct JsonBody<T, const LIMIT: usize = COMMAND_BYTES>(pub(crate) T);

impl<T: DeserializeOwned, const LIMIT: usize> FromRequest<Arc<App>> for JsonBody<T, LIMIT> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> ApiResult<Self> {
        let headers = request.headers();
        let is_json =
            headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).is_some_and(|kind| {
                kind.split(';')
                    .next()
                    .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
            });
        if !is_json {
            return Err(ApiError::bad_type());
        }
        let length =
            headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > LIMIT) {
            return Err(ApiError::too_large(LIMIT));
        }
        let body = timeout(app.config.patience, to_bytes(request.into_body(), LIMIT)).await;
        let bytes = body.map_err(|_| ApiError::too_slow())?.map_err(|_| ApiError::too_large(LIMIT))?;
        let value = serde_json::from_slice(&bytes);
        value.map(Self).map_err(|error| ApiError::bad_input(format!("the body cannot be read: {error}")))
    }
}

/// The query of a request.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let query = Query::<T>::try_from_uri(&parts.uri);
        query.map(|Query(value)| Self(value)).map_err(|error| {
            let cause =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            ApiError::bad_input(format!("the query cannot be read: {cause}"))
        })
    }
}

/// A JSON answer.
pub(crate) struct JsonReply<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for JsonReply<T> {
    fn into_response(self) -> Response {
        match serde_json::to_string(&self.0) {
            Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
            Err(error) => {
                ApiError::engine_failed(format!("the answer cannot be written: {error}")).into_response()
            }
        }
    }
}

/// A file to save.
pub(crate) fn download(name: &str, kind: &'static str, content: String) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], content)
        .into_response()
}
