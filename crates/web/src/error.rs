//! Errors of the interface: a status, a code for the page and one sentence for people.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// An answer that refuses a request. The request has changed nothing.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    sentence: String,
    /// What the server has instead, after a conflict.
    snapshot: Option<Value>,
}

/// The result of a handler.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    fn new(status: StatusCode, code: &'static str, sentence: impl Into<String>) -> Self {
        Self { status, code, sentence: sentence.into(), snapshot: None }
    }

    /// Input that cannot be used.
    pub(crate) fn bad_input(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-input", sentence)
    }

    /// A missing or wrong token.
    pub(crate) fn bad_token() -> Self {
        let sentence = "the token of this run is missing or wrong; reload the page";
        Self::new(StatusCode::UNAUTHORIZED, "bad-token", sentence)
    }

    /// A request from another site.
    pub(crate) fn foreign_origin() -> Self {
        let sentence = "another site sent this request; the server answers its own page only";
        Self::new(StatusCode::FORBIDDEN, "foreign-origin", sentence)
    }

    /// A request to a host that is not this server.
    pub(crate) fn foreign_host() -> Self {
        let sentence = "the request names another host; use the address that the server printed";
        Self::new(StatusCode::MISDIRECTED_REQUEST, "foreign-host", sentence)
    }

    /// Something that is not there.
    pub(crate) fn not_found(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", sentence)
    }

    /// A session that is not there.
    pub(crate) fn no_session() -> Self {
        let sentence = "there is no such session: it has ended, or the server was started again";
        Self::new(StatusCode::NOT_FOUND, "no-session", sentence)
    }

    /// A method that the route does not have.
    pub(crate) fn bad_method() -> Self {
        let sentence = "the route does not have this method";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "bad-method", sentence)
    }

    /// A command that is out of order.
    pub(crate) fn conflict(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", sentence)
    }

    /// A body beyond the limit.
    pub(crate) fn too_large(limit: usize) -> Self {
        let sentence = format!("the request is larger than {} KiB", limit / 1024);
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// A body that is not JSON by its type.
    pub(crate) fn bad_type() -> Self {
        let sentence = "the body of a command is application/json";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad-type", sentence)
    }

    /// More sessions or streams than the server holds.
    pub(crate) fn too_many(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", sentence)
    }

    /// An engine that ended.
    pub(crate) fn engine_failed(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "engine-failed", sentence)
    }

    /// A request whose work panicked.
    pub(crate) fn panicked() -> Self {
        Self::engine_failed("the work for this request ended unexpectedly; everything else goes on")
    }

    /// A request whose body did not come in time.
    pub(crate) fn too_slow() -> Self {
        let sentence = "the rest of the request did not come in time";
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", sentence)
    }

    /// The error with what the server has instead.
    pub(crate) fn with_snapshot(self, snapshot: Value) -> Self {
        Self { snapshot: Some(snapshot), ..self }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.sentence, "code": self.code });
        if let Some(snapshot) = self.snapshot {
            body["snapshot"] = snapshot;
        }
        (self.status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
    }
}
