//! Embedded files of the page. No path of a request reaches the file system.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// Name and content of every file of `page/`.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What stands for the token in the index page.
const PLACEHOLDER: &str = "{{token}}";

/// The index page with the token of this run.
pub(crate) fn index(token: &str) -> Response {
    let page =
        find("index.html").map_or_else(String::new, |bytes| String::from_utf8_lossy(bytes).into_owned());
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page.replace(PLACEHOLDER, token)).into_response()
}

/// The file of this name; `None` if there is none.
pub(crate) fn file(name: &str) -> Option<Response> {
    if name == "index.html" {
        return None;
    }
    Some(([(header::CONTENT_TYPE, content_type(name))], find(name)?).into_response())
}

fn find(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(found, _)| *found == name).map(|&(_, bytes)| bytes)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json") => "application/json",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
