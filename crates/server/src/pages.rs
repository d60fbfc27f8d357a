//! The pages of the browser, inside the program.

use crate::packed;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use houserules_protocol::{Code, Refusal};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist/"]
#[allow_missing = true]
struct Bundle;

/// Where there are no pages yet, what there is.
const PLAIN: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Houserules</title>\
    <h1>Houserules</h1><p>This server plays tables. It was built without pages for the browser.</p>\
    <ul><li><a href=\"/api/games\">/api/games</a> the games</li>\
    <li><a href=\"/api/openapi.json\">/api/openapi.json</a> everything that can be asked</li></ul></html>";

/// A file of the bundle; every other address that is not part of the API is a page that finds its own way.
pub async fn serve(uri: Uri, asked: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return crate::rest::Refused(Refusal::new(Code::RequestUnknown, Code::RequestUnknown.meaning()))
            .into_response();
    }
    let kind = |path: &str| match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json" | "webmanifest" | "map") => "application/json",
        Some("ico") => "image/x-icon",
        _ => "application/octet-stream",
    };
    if let Some(file) = Bundle::get(path).filter(|_| !path.is_empty()) {
        // Names of assets change with what is in them.
        let kept = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        return packed::answer(&asked, kind(path), kept, path, file.data);
    }
    // The id of a game written in another language ends as its file does: `g/othello.cep`.
    if path.contains('.') && (path.starts_with("assets/") || !path.contains('/')) {
        return (StatusCode::NOT_FOUND, "There is nothing at this address.\n").into_response();
    }
    let page = Bundle::get("index.html").map_or(PLAIN.as_bytes().into(), |file| file.data);
    packed::answer(&asked, "text/html; charset=utf-8", "no-cache", "index.html", page)
}
