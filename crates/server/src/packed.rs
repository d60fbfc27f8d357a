//! Text goes over the line compressed: a page is a third of itself then.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Less than this fits into one packet as it is.
const SMALL: usize = 1_000;

/// An answer of this kind, compressed for whoever can read that. What lies in `assets/` has another name as soon as it is
/// another, so that it is compressed only once.
pub fn answer(
    asked: &HeaderMap,
    kind: &'static str,
    kept: &'static str,
    path: &str,
    bytes: Cow<'static, [u8]>,
) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept), (header::VARY, "accept-encoding")];
    if bytes.len() < SMALL || !is_text(kind) || !reads_gzip(asked) {
        return (headers, bytes.into_owned()).into_response();
    }
    let packed = if path.starts_with("assets/") { remembered(path, &bytes) } else { Arc::new(gzip(&bytes, 6)) };
    (headers, [(header::CONTENT_ENCODING, "gzip")], packed.to_vec()).into_response()
}

/// Pictures of points and fonts are compressed already.
fn is_text(kind: &str) -> bool {
    kind.starts_with("text/") || kind.starts_with("application/json") || kind == "image/svg+xml"
}

fn reads_gzip(asked: &HeaderMap) -> bool {
    let said = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    said.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        is_gzip && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn remembered(path: &str, bytes: &[u8]) -> Arc<Vec<u8>> {
    static KNOWN: OnceLock<Mutex<BTreeMap<String, Arc<Vec<u8>>>>> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(path.to_owned()).or_insert_with(|| Arc::new(gzip(bytes, 9))).clone()
}

/// Writing into memory cannot fail.
fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use flate2::read::GzDecoder;
    use std::io::Read;

    fn asked(encodings: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(encodings))])
    }

    async fn sent(encodings: &'static str, kind: &'static str, text: &'static str) -> (bool, Vec<u8>) {
        let response = answer(&asked(encodings), kind, "no-cache", "", text.as_bytes().into());
        let is_packed = response.headers().contains_key(header::CONTENT_ENCODING);
        (is_packed, axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn text_is_compressed_for_whoever_reads_that_and_comes_back_the_same() {
        let text: &'static str = String::leak("houserules ".repeat(500));
        let (is_packed, bytes) = sent("br, gzip;q=0.8", "text/javascript; charset=utf-8", text).await;
        assert!(is_packed && bytes.len() * 20 < text.len());
        let mut read = String::new();
        GzDecoder::new(&*bytes).read_to_string(&mut read).unwrap();
        assert_eq!(read, text);
        assert_eq!(sent("gzip;q=0, identity", "text/html", text).await, (false, text.as_bytes().to_vec()));
        assert_eq!(sent("gzip", "font/woff2", text).await, (false, text.as_bytes().to_vec()));
        assert_eq!(sent("gzip", "text/html", "short").await, (false, b"short".to_vec()));
    }
}
