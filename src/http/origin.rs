//! Who may talk to a server on the user's own machine: programs, and browser pages that were served by this machine.
//!
//! `Host` guards against DNS rebinding (a foreign name that resolves to 127.0.0.1), `Origin` against pages of other
//! sites. Neither is authentication; a program may claim what it likes.

use super::errors::{Refusal, excerpt};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use axum::http::uri::{Authority, Uri};

const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const ASKS_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOWS_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// What an answer tells the browser about the pages that may read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorsPolicy {
    /// No page asked: the request has no `Origin`.
    NoHeaders,
    /// The local page that asked.
    AllowOrigin(HeaderValue),
    /// Every page: remote pages were allowed.
    AllowAll,
}

/// Checks `Host`, then `Origin`; gives which pages may read the answer.
///
/// `port` is the one the server listens on. With `remote_cors` every origin may call; `Host` is checked all the same.
pub fn check(uri: &Uri, headers: &HeaderMap, port: u16, remote_cors: bool) -> Result<CorsPolicy, Refusal> {
    let host = single_value(headers, HOST).flatten().ok_or(Refusal::HostMalformed)?;
    let named: Authority = host.parse().map_err(|_| Refusal::HostMalformed)?;
    for authority in [Some(&named), uri.authority()].into_iter().flatten() {
        if !is_own_authority(authority, port) {
            return Err(Refusal::HostForeign(excerpt(authority.as_str())));
        }
    }
    if remote_cors {
        return Ok(CorsPolicy::AllowAll);
    }
    match headers.get(ORIGIN) {
        None => Ok(CorsPolicy::NoHeaders),
        Some(value) => match single_value(headers, ORIGIN).flatten() {
            Some(origin) if is_local_origin(origin) => Ok(CorsPolicy::AllowOrigin(value.clone())),
            _ => Err(Refusal::OriginForeign(excerpt(&String::from_utf8_lossy(value.as_bytes())))),
        },
    }
}

/// Whether settings may be written: by what is no page, or by a page of this very host and port.
pub fn may_write_settings(headers: &HeaderMap) -> bool {
    match single_value(headers, ORIGIN) {
        None => true,
        Some(origin) => {
            let page = origin.and_then(|origin| origin.strip_prefix("http://"));
            let host = single_value(headers, HOST).flatten();
            matches!((page, host), (Some(page), Some(host)) if without_default_port(page).eq_ignore_ascii_case(without_default_port(host)))
        }
    }
}

impl CorsPolicy {
    pub fn write_headers(&self, headers: &mut HeaderMap) {
        match self {
            CorsPolicy::NoHeaders => {}
            CorsPolicy::AllowOrigin(origin) => {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
                headers.insert(VARY, HeaderValue::from_static("Origin"));
            }
            CorsPolicy::AllowAll => {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            }
        }
    }

    /// What a preflight is answered in addition.
    pub fn write_preflight_headers(&self, request: &HeaderMap, headers: &mut HeaderMap) {
        if *self == CorsPolicy::NoHeaders {
            return;
        }
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS, DELETE"));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        if request.get(&ASKS_PRIVATE_NETWORK).is_some_and(|value| value == "true") {
            headers.insert(ALLOWS_PRIVATE_NETWORK, HeaderValue::from_static("true"));
        }
    }
}

/// `None`: absent. `Some(None)`: given more than once, or not text.
fn single_value(headers: &HeaderMap, name: HeaderName) -> Option<Option<&str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() {
        return Some(None);
    }
    Some(first.to_str().ok())
}

fn is_local_host(host: &str) -> bool {
    LOCAL_HOSTS.iter().any(|local| host.eq_ignore_ascii_case(local))
}

fn is_own_authority(authority: &Authority, port: u16) -> bool {
    let port_fits = match authority.port() {
        Some(named) => named.as_u16() == port,
        // "localhost:" and "localhost:99999" have a colon but no port that could be read.
        None => port == 80 && authority.as_str().len() == authority.host().len(),
    };
    port_fits && is_local_host(authority.host()) && !authority.as_str().contains('@')
}

/// A page of this machine, on any port.
fn is_local_origin(origin: &str) -> bool {
    let Some(rest) = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) else {
        return false;
    };
    rest.parse::<Authority>().is_ok_and(|authority| {
        let tail = rest.get(authority.host().len()..).unwrap_or_default();
        is_local_host(authority.host()) && (tail.is_empty() || authority.port_u16().is_some()) && !rest.contains('@')
    })
}

fn without_default_port(authority: &str) -> &str {
    authority.strip_suffix(":80").unwrap_or(authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(name, HeaderValue::from_bytes(value.as_bytes()).expect("a header value"));
        }
        map
    }

    #[test]
    fn host_is_a_literal_loopback_name_with_our_port() {
        let fine = ["localhost:3350", "LOCALHOST:3350", "127.0.0.1:3350", "[::1]:3350"];
        let foreign = [
            "evil.example:3350",
            "localhost.evil.example:3350",
            "127.0.0.1.nip.io:3350",
            "localhost:3351",
            "localhost",
            "localhost:",
            "127.0.0.2:3350",
            "0.0.0.0:3350",
            "[::]:3350",
            "localhost.:3350",
            "user@localhost:3350",
        ];
        let malformed = ["", "local host:3350", "localhost:3350/", "http://localhost:3350", "[::1:3350"];
        let check_host = |host: &str| {
            check(&Uri::from_static("/"), &headers(&[(HOST, host)]), 3350, false).map_err(|r| r.status().as_u16())
        };
        for host in fine {
            assert_eq!(check_host(host), Ok(CorsPolicy::NoHeaders), "{host}");
        }
        for host in foreign {
            assert_eq!(check_host(host), Err(403), "{host}");
        }
        for host in malformed {
            assert!(matches!(check_host(host), Err(400 | 403)), "{host}: {:?}", check_host(host));
        }
        let twice = headers(&[(HOST, "localhost:3350"), (HOST, "localhost:3350")]);
        assert!(matches!(check(&Uri::from_static("/"), &twice, 3350, true), Err(Refusal::HostMalformed)));
        assert!(matches!(check(&Uri::from_static("/"), &HeaderMap::new(), 3350, true), Err(Refusal::HostMalformed)));
        assert!(check(&Uri::from_static("/"), &headers(&[(HOST, "localhost")]), 80, false).is_ok());
    }

    #[test]
    fn a_target_with_a_host_of_its_own_is_checked_too() {
        let host = headers(&[(HOST, "localhost:3350")]);
        assert!(check(&Uri::from_static("http://localhost:3350/"), &host, 3350, false).is_ok());
        assert!(check(&Uri::from_static("http://evil.example:3350/"), &host, 3350, false).is_err());
    }

    #[test]
    fn pages_of_this_machine_may_read_and_others_may_not() {
        let ask = |origin: &str, remote| {
            check(&Uri::from_static("/"), &headers(&[(HOST, "localhost:3350"), (ORIGIN, origin)]), 3350, remote)
        };
        for origin in ["http://localhost", "http://localhost:5173", "https://127.0.0.1:8443", "http://[::1]:3350"] {
            assert_eq!(
                ask(origin, false).ok(),
                Some(CorsPolicy::AllowOrigin(HeaderValue::from_static(origin))),
                "{origin}"
            );
        }
        for origin in [
            "null",
            "",
            "https://evil.example",
            "http://localhost.evil.example",
            "http://localhost:1@evil.example",
            "http://localhost:x",
            "file://",
            "localhost:3350",
            "http://localhost:3350/",
            "caf\u{e9}",
        ] {
            assert!(matches!(ask(origin, false), Err(Refusal::OriginForeign(_))), "{origin}");
            assert_eq!(ask(origin, true).ok(), Some(CorsPolicy::AllowAll), "{origin}");
        }
    }

    #[test]
    fn only_our_own_page_writes_settings() {
        let may = |host: &str, origins: &[&str]| {
            let mut pairs = vec![(HOST, host)];
            pairs.extend(origins.iter().map(|origin| (ORIGIN, *origin)));
            may_write_settings(&headers(&pairs))
        };
        let cases: [(&str, &[&str], bool); 8] = [
            ("localhost:3350", &[], true),
            ("localhost:3350", &["http://localhost:3350"], true),
            ("localhost", &["http://localhost:80"], true),
            ("localhost:3350", &["http://127.0.0.1:3350"], false),
            ("localhost:3350", &["http://localhost:5173"], false),
            ("localhost:3350", &["https://localhost:3350"], false),
            ("localhost:3350", &["null"], false),
            ("localhost:3350", &["http://localhost:3350", "http://localhost:3350"], false),
        ];
        for (host, origins, allowed) in cases {
            assert_eq!(may(host, origins), allowed, "{host} {origins:?}");
        }
    }
}
