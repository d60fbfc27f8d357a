//! Who may come in, how often, and what a browser is told to forbid.

use crate::hall::Hall;
use crate::rate::{Buckets, Pace};
use crate::rest::Refused;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use houserules_protocol::{Code, Refusal};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Where a request comes from, as far as limits go.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

/// How often each address came.
pub struct Door {
    hall: Arc<Hall>,
    requests: Buckets<IpAddr>,
    openings: Buckets<IpAddr>,
}

impl Door {
    pub fn new(hall: Arc<Hall>) -> Self {
        let limits = &hall.shared.config.limits;
        let requests = Pace { per_second: f64::from(limits.requests), at_once: f64::from(5 * limits.requests) };
        let openings = Pace { per_second: f64::from(limits.openings) / 3600.0, at_once: f64::from(limits.openings) };
        Door { requests: Buckets::new(requests), openings: Buckets::new(openings), hall }
    }
}

/// Counts a request, and tells browsers what pages from here may do.
pub async fn pass(State(door): State<Arc<Door>>, mut request: Request, next: Next) -> Response {
    let proxied = door.hall.shared.config.behind_proxy;
    let from = address(&request, proxied);
    if let Some(from) = from {
        request.extensions_mut().insert(Address(from));
    }
    let path = request.uri().path();
    let opens = request.method() == Method::POST && !path.ends_with("/check") && !path.ends_with("/seats");
    // A page asks for a dozen parts of itself at once, and several people may sit behind one address: whoever was let in to
    // the page gets the parts, which are as cheap as a refusal.
    let free = path == "/healthz" || path.starts_with("/assets/");
    let mut response = match from {
        Some(from) if !free && !(door.requests.take(from) && (!opens || door.openings.take(from))) => {
            Refused(Refusal::new(Code::RequestTooMany, Code::RequestTooMany.meaning())).into_response()
        }
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Scripts and connections from here alone. Styles may stand in the page: editors write them there.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Neighbours in one IPv6 network are one address: they have as many as they like.
fn address(request: &Request, proxied: bool) -> Option<IpAddr> {
    // A proxy that adds a line of its own instead of a word to the line it was sent writes it last.
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back();
    let forwarded = forwarded.and_then(|value| value.to_str().ok());
    let said = forwarded.filter(|_| proxied).and_then(|list| list.rsplit(',').next()?.trim().parse::<IpAddr>().ok());
    let peer = || request.extensions().get::<ConnectInfo<Peer>>().map(|info| info.0.0.ip());
    said.or_else(peer).map(|address| match address {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    })
}

/// Whether a browser's page is one of ours. Programs that are no browser say nothing.
pub fn is_own_origin(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let site = |url: &str| url.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_lowercase());
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).map(str::to_lowercase);
    let origin = site(origin);
    origin.is_some() && (origin == host || (public_url.is_some() && origin == public_url.and_then(site)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_peer_s_unless_a_proxy_says_otherwise() {
        let request = |peer: &str, forwarded: Option<&str>| {
            let mut request = Request::new(axum::body::Body::empty());
            request.extensions_mut().insert(ConnectInfo(Peer(peer.parse().unwrap())));
            if let Some(forwarded) = forwarded {
                request.headers_mut().insert("x-forwarded-for", forwarded.parse().unwrap());
            }
            request
        };
        for (peer, forwarded, proxied, from) in [
            ("192.0.2.1:5000", None, false, "192.0.2.1"),
            // Anybody can write that.
            ("192.0.2.1:5000", Some("198.51.100.7"), false, "192.0.2.1"),
            ("127.0.0.1:5000", Some("203.0.113.9, 198.51.100.7"), true, "198.51.100.7"),
            ("127.0.0.1:5000", Some("nonsense"), true, "127.0.0.1"),
            ("[2001:db8:1:2:3:4:5:6]:5000", None, false, "2001:db8:1:2::"),
        ] {
            let address = address(&request(peer, forwarded), proxied);
            assert_eq!(address, Some(from.parse().unwrap()), "{peer} {forwarded:?}");
        }
        // Some proxies leave alone what they were sent, and say what they know in a line of their own.
        let mut twice = request("127.0.0.1:5000", Some("203.0.113.9"));
        twice.headers_mut().append("x-forwarded-for", "198.51.100.7".parse().unwrap());
        assert_eq!(address(&twice, true), Some("198.51.100.7".parse().unwrap()));
    }

    /// [TB17]
    #[test]
    fn only_our_own_pages_open_sockets() {
        let headers = |origin: Option<&str>, host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            headers
        };
        let public = Some("https://play.example.org/");
        for (origin, host, public, own) in [
            (None, "localhost:4000", None, true),
            (Some("http://localhost:4000"), "localhost:4000", None, true),
            (Some("http://localhost:4001"), "localhost:4000", None, false),
            (Some("https://evil.example"), "localhost:4000", public, false),
            (Some("https://PLAY.example.org"), "10.0.0.1:4000", public, true),
            (Some("https://play.example.org.evil.example"), "10.0.0.1:4000", public, false),
            (Some("null"), "localhost:4000", None, false),
        ] {
            assert_eq!(is_own_origin(&headers(origin, host), public), own, "{origin:?} {host}");
        }
    }
}
