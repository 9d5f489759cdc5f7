//! Who may talk to a server on the user's own machine: programs, and browser pages that were served by this machine.
//!
//! `Host` guards against DNS rebinding (a foreign name that resolves to 127.0.0.1), `Origin` against pages of other
//! sites. Neither is authentication; a program may claim what it likes.

use super::errors::Refusal;
use crate::service::excerpt;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use axum::http::uri::{Authority, Scheme, Uri};

const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
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
    let _: Authority = host.parse().map_err(|_| Refusal::HostMalformed)?;
    if !is_own_authority(host, port) {
        return Err(Refusal::HostForeign(excerpt(host)));
    }
    let has_own_scheme = uri.scheme().is_none_or(|scheme| *scheme == Scheme::HTTP);
    if !has_own_scheme || !uri.authority().is_none_or(|named| is_own_authority(named.as_str(), port)) {
        return Err(Refusal::HostForeign(excerpt(&uri.to_string())));
    }
    if remote_cors {
        return Ok(CorsPolicy::AllowAll);
    }
    match headers.get(ORIGIN) {
        None if is_of_another_site(headers) && !opens_page(uri, headers) => Err(Refusal::CrossSite),
        None => Ok(CorsPolicy::NoHeaders),
        Some(value) => match single_value(headers, ORIGIN).flatten() {
            Some(origin) if is_local_origin(origin) => Ok(CorsPolicy::AllowOrigin(value.clone())),
            _ => Err(Refusal::OriginForeign(excerpt(&String::from_utf8_lossy(value.as_bytes())))),
        },
    }
}

/// Whether settings may be written and files be sent: by what is no page, or by a page of this very host and port.
pub fn is_own_page(headers: &HeaderMap) -> bool {
    match single_value(headers, ORIGIN) {
        None => !is_of_another_site(headers),
        Some(origin) => {
            let page = origin.and_then(|origin| origin.strip_prefix("http://"));
            let host = single_value(headers, HOST).flatten();
            matches!((page, host), (Some(page), Some(host)) if without_default_port(page).eq_ignore_ascii_case(without_default_port(host)))
        }
    }
}

/// Whether the browser says that a page of another site asks. It names no origin for pictures, scripts and the like.
fn is_of_another_site(headers: &HeaderMap) -> bool {
    headers.get_all(&FETCH_SITE).iter().any(|site| site == "cross-site")
}

/// Whether the user follows a link to a page of ours, which the linking page cannot read.
fn opens_page(uri: &Uri, headers: &HeaderMap) -> bool {
    uri.path() == "/" && single_value(headers, FETCH_MODE).flatten() == Some("navigate")
}

impl CorsPolicy {
    pub fn write_headers(&self, headers: &mut HeaderMap) {
        match self {
            CorsPolicy::NoHeaders => {}
            CorsPolicy::AllowOrigin(origin) => {
                headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
                headers.append(VARY, HeaderValue::from_static("Origin"));
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
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*, Authorization"));
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

/// What follows a local host's name in an authority; `None` where another host is named.
fn after_local_host(authority: &str) -> Option<&str> {
    LOCAL_HOSTS.iter().find_map(|local| {
        let (name, rest) = authority.split_at_checked(local.len())?;
        name.eq_ignore_ascii_case(local).then_some(rest)
    })
}

/// The port of `:4401`, written as browsers and clients write it: no sign, no leading zero.
fn port_of(after_host: &str) -> Option<u16> {
    let digits = after_host.strip_prefix(':')?;
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if is_plain { digits.parse().ok() } else { None }
}

fn is_own_authority(authority: &str, port: u16) -> bool {
    match after_local_host(authority) {
        Some("") => port == 80,
        Some(rest) => port_of(rest) == Some(port),
        None => false,
    }
}

/// A page of this machine, on any port.
fn is_local_origin(origin: &str) -> bool {
    let page = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    page.and_then(after_local_host).is_some_and(|rest| rest.is_empty() || port_of(rest).is_some())
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
            "[::1].evil.example:3350",
            "localhost:+3350",
            "localhost:03350",
            "localhost:68886",
            "[0:0:0:0:0:0:0:1]:3350",
        ];
        let malformed = [
            "",
            "local host:3350",
            "localhost:3350/",
            "http://localhost:3350",
            "[::1:3350",
            "[::1]evil.example:3350",
            "[::1]:",
            "localhost:3350:3350",
        ];
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
        for target in [
            "http://evil.example:3350/",
            "http://[::1].evil.example:3350/",
            "http://localhost:03350/",
            "https://localhost:3350/",
            "ftp://localhost:3350/",
        ] {
            let refused = check(&Uri::from_static(target), &host, 3350, true);
            assert!(matches!(refused, Err(Refusal::HostForeign(_))), "{target}: {refused:?}");
        }
    }

    #[test]
    fn what_another_site_embeds_is_refused_and_a_link_to_the_page_is_not() {
        // Sec-Fetch-Site, Sec-Fetch-Mode, Origin, target, whether it is served.
        let cases = [
            (None, None, None, "/api/tools", true),
            (Some("none"), Some("navigate"), None, "/api/tools", true),
            (Some("same-origin"), Some("cors"), None, "/api/tools", true),
            (Some("same-site"), Some("no-cors"), None, "/api/tools", true),
            (Some("cross-site"), Some("no-cors"), None, "/api/tools", false),
            (Some("cross-site"), Some("navigate"), None, "/api/tools", false),
            (Some("cross-site"), Some("navigate"), None, "/openapi.json", false),
            (Some("cross-site"), Some("no-cors"), None, "/", false),
            (Some("cross-site"), None, None, "/", false),
            (Some("cross-site"), Some("navigate"), None, "/", true),
            (Some("cross-site"), Some("navigate"), None, "/?a=b", true),
            (Some("cross-site"), Some("cors"), Some("http://localhost:5173"), "/api/tools", true),
            (Some("cross-site"), Some("navigate"), Some("null"), "/", false),
        ];
        for (site, mode, origin, target, served) in cases {
            let mut pairs = vec![(HOST, "127.0.0.1:3350")];
            pairs.extend(site.map(|site| (FETCH_SITE, site)));
            pairs.extend(mode.map(|mode| (FETCH_MODE, mode)));
            pairs.extend(origin.map(|origin| (ORIGIN, origin)));
            let uri: Uri = target.parse().expect("a target");
            let case = format!("{site:?} {mode:?} {origin:?} {target}");
            assert_eq!(check(&uri, &headers(&pairs), 3350, false).is_ok(), served, "{case}");
            assert!(check(&uri, &headers(&pairs), 3350, true).is_ok(), "{case}: remote pages are allowed");
        }
        let embedded = headers(&[(HOST, "localhost:3350"), (FETCH_SITE, "cross-site")]);
        assert!(!is_own_page(&embedded));
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
            "http://[::1].evil.example",
            "http://[::1].evil.example:3350",
            "http://localhost:+4401",
            "http://localhost:04401",
            "http://localhost:0",
            "http://localhost:",
            "http://localhost:65536",
            "HTTP://localhost:3350",
            "ws://localhost:3350",
            "http:localhost:3350",
            "http:///localhost:3350",
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
            is_own_page(&headers(&pairs))
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
