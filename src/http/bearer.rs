//! The token of a request, where one is needed.

use super::errors::Refusal;
use super::page;
use crate::service::access::AccessCell;
use axum::http::Uri;
use axum::http::header::{AUTHORIZATION, HeaderMap};

/// Refuses a request that does not show what it has to. Pages are open, as they hold nothing and their scripts show the
/// token.
pub fn check(uri: &Uri, headers: &HeaderMap, access: &AccessCell) -> Result<(), Refusal> {
    let is_open = uri.path() == "/" || uri.path().starts_with(page::FILES);
    if is_open || access.allows(shown(headers)) { Ok(()) } else { Err(Refusal::NoToken) }
}

/// What stands behind `Bearer`, if the header is there once.
pub fn shown(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::access::Access;
    use axum::http::HeaderValue;

    #[test]
    fn what_is_shown_counts_once_and_in_full() {
        let access = AccessCell::default();
        let may = |target: &'static str, values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, HeaderValue::from_static(value));
            }
            check(&Uri::from_static(target), &headers, &access).is_ok()
        };
        assert!(may("/config", &[]), "off by default");
        access.set(Some(crate::service::access::Token::new("0123456789abcdef").expect("a token")));
        let cases: [(&str, &[&str], bool); 12] = [
            ("/assets/app.js", &[], true),
            ("/api/view", &[], false),
            ("/config", &["Bearer 0123456789abcdef"], true),
            ("/config", &["bearer  0123456789abcdef"], true),
            ("/", &[], true),
            ("/?a", &["Bearer no"], true),
            ("/config", &[], false),
            ("/config", &["0123456789abcdef"], false),
            ("/config", &["Basic 0123456789abcdef"], false),
            ("/config", &["Bearer 0123456789abcde"], false),
            ("/config", &["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"], false),
            ("//", &[], false),
        ];
        for (target, values, fine) in cases {
            assert_eq!(may(target, values), fine, "{target} {values:?}");
        }
        access.restore(Access::Closed);
        assert!(!may("/config", &["Bearer 0123456789abcdef"]), "a token that cannot be read opens nothing");
    }
}
