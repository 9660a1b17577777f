//! Guard: which requests are answered. Host and Origin are compared exactly (DNS rebinding, foreign pages), and every route of
//! the interface needs the token of this run.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;

use axum::Extension;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::connections::LocalAddress;
use crate::error::{ApiError, ApiResult};
use crate::token;

/// The header of the token.
const TOKEN_HEADER: &str = "x-rukh-token";

/// What the page may load: its own files and nothing else.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                              base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the guard knows.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) token: String,
    /// Whether the index page hands the token out. It does on loopback, where the token has not been chosen by a person.
    pub(crate) hands_out_token: bool,
}

/// The names of a server in a `Host` header.
fn host_names(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut names = vec![address.to_string()];
    // A socket for both protocols shows an IPv4 address as IPv6.
    let ip = address.ip().to_canonical();
    if let IpAddr::V4(ip) = ip {
        names.push(format!("{ip}:{port}"));
    }
    if ip.is_loopback() {
        names.push(format!("localhost:{port}"));
    }
    // Browsers leave the standard port out.
    if port == 80 {
        let plain = names.iter().filter_map(|name| name.strip_suffix(":80").map(str::to_owned));
        names.extend(plain.collect::<Vec<_>>());
    }
    names
}

/// Answers a request that passes, and adds the headers that keep the page to itself. A panic ends its own request only.
pub(crate) async fn check(
    State(guard): State<std::sync::Arc<Guard>>,
    Extension(LocalAddress(address)): Extension<LocalAddress>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.admit(address, &request) {
        Ok(()) => {
            let answer = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            answer.unwrap_or_else(|_| ApiError::panicked().into_response())
        }
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Guard {
    fn admit(&self, address: Option<SocketAddr>, request: &Request) -> ApiResult<()> {
        let names = address.map(host_names).unwrap_or_default();
        let headers = request.headers();
        let host = only(headers, &header::HOST).filter(|host| names.iter().any(|name| name == host));
        let host = host.ok_or_else(ApiError::foreign_host)?;
        let is_foreign = headers.contains_key(header::ORIGIN)
            && only(headers, &header::ORIGIN) != Some(&*format!("http://{host}"));
        let fetch_site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_command = request.method() == Method::POST;
        if is_foreign || is_command && !matches!(fetch_site, None | Some(b"same-origin" | b"none")) {
            return Err(ApiError::foreign_origin());
        }
        let path = request.uri().path();
        let needs_token = path.starts_with("/api/") || path == "/" && !self.hands_out_token;
        if needs_token && !self.has_token(request, is_command) {
            return Err(ApiError::bad_token());
        }
        Ok(())
    }

    /// Whether the request has the token: in the header or, if it is no command, in the query.
    fn has_token(&self, request: &Request, is_command: bool) -> bool {
        let is_right = |text: &str| token::is_equal(text, &self.token);
        let header = request.headers().get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        if let Some(value) = header {
            return is_right(value);
        }
        let query = || Query::<HashMap<String, String>>::try_from_uri(request.uri()).ok();
        !is_command && query().is_some_and(|query| query.get("token").is_some_and(|text| is_right(text)))
    }
}

/// The value of a header that stands there once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_the_names_of_its_address() {
        let names = |text: &str| host_names(text.parse().expect("an address"));
        assert_eq!(names("127.0.0.1:8000"), ["127.0.0.1:8000", "127.0.0.1:8000", "localhost:8000"]);
        assert_eq!(names("[::1]:8000"), ["[::1]:8000", "localhost:8000"]);
        assert!(!names("192.168.1.5:8000").contains(&"localhost:8000".to_owned()));
        assert!(names("192.168.1.5:80").contains(&"192.168.1.5".to_owned()));
        assert!(names("[::ffff:192.168.1.5]:8000").contains(&"192.168.1.5:8000".to_owned()));
    }
}
