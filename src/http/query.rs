//! The query parameters of a call.

use super::errors::Refusal;
use crate::service::envelope::Format;
use crate::service::settings::MAX_TIMEOUT_MS;
use crate::service::{excerpt, is_dry_run};
use std::borrow::Cow;
use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallQuery {
    pub format: Format,
    /// `None`: the device's own time-out.
    pub timeout: Option<Duration>,
    pub dry_run: bool,
}

impl CallQuery {
    /// Other parameters are ignored. `format` is checked first, then `timeoutMs`.
    pub fn parse(query: &str) -> Result<CallQuery, Refusal> {
        if query.is_empty() {
            return Ok(CallQuery::default());
        }
        let format = match single(query, "format")? {
            None => Format::default(),
            Some(name) => Format::from_name(&name).ok_or_else(|| Refusal::BadFormat(excerpt(&name)))?,
        };
        let timeout = match single(query, "timeoutMs")? {
            None => None,
            Some(text) => Some(parse_timeout(&text).ok_or_else(|| Refusal::BadTimeout(excerpt(&text)))?),
        };
        let dry_run = match single_of(query, "dryRun", is_dry_run)?.as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => return Err(Refusal::BadDryRun(excerpt(other))),
        };
        Ok(CallQuery { format, timeout, dry_run })
    }
}

fn parse_timeout(text: &str) -> Option<Duration> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let ms: u32 = if is_plain { text.parse().ok()? } else { return None };
    (1..=MAX_TIMEOUT_MS).contains(&ms).then(|| Duration::from_millis(ms.into()))
}

/// The one parameter of that name.
pub fn one_value(query: &str, name: &'static str) -> Result<Option<String>, Refusal> {
    Ok(single(query, name)?.map(Cow::into_owned))
}

fn single<'q>(query: &'q str, wanted: &'static str) -> Result<Option<Cow<'q, str>>, Refusal> {
    single_of(query, wanted, |name| name == wanted)
}

/// The one parameter whose name `is` that one.
fn single_of<'q>(
    query: &'q str,
    wanted: &'static str,
    is: impl Fn(&str) -> bool,
) -> Result<Option<Cow<'q, str>>, Refusal> {
    let mut found = None;
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if is(&percent_decoded(name)) && found.replace(percent_decoded(value)).is_some() {
            return Err(Refusal::ParameterTwice(wanted));
        }
    }
    Ok(found)
}

/// Undoes `%41` and `+`. A broken escape stays as it is; it will be refused for what it then says.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let escape = (byte == b'%').then(|| tail.get(..2).and_then(hex_byte)).flatten();
        match escape {
            Some(value) => {
                bytes.push(value);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(if byte == b'+' { b' ' } else { byte });
                rest = tail;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(digits).ok()?;
    if text.starts_with('+') { None } else { u8::from_str_radix(text, 16).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries() {
        let query =
            |format, ms: Option<u64>| CallQuery { format, timeout: ms.map(Duration::from_millis), dry_run: false };
        let ok = |format, ms| Ok(query(format, ms));
        let dry = || Ok(CallQuery { dry_run: true, ..query(Format::Json, None) });
        let bad = |what: &str| Err(what.to_owned());
        let cases = [
            ("", ok(Format::Json, None)),
            ("x=1&&=", ok(Format::Json, None)),
            ("format=json", ok(Format::Json, None)),
            ("format=compact&timeoutMs=1", ok(Format::Compact, Some(1))),
            ("timeoutMs=55000&format=%63ompact", ok(Format::Compact, Some(55_000))),
            ("format=", bad("`format` must")),
            ("format", bad("`format` must")),
            ("format=JSON", bad("`format` must")),
            ("format=json&format=json", bad("`format` is given twice")),
            ("timeoutMs=0&format=xml", bad("`format` must")),
            ("timeoutMs=0", bad("`timeoutMs` must")),
            ("timeoutMs=55001", bad("`timeoutMs` must")),
            ("timeoutMs=99999999999999999999", bad("`timeoutMs` must")),
            ("timeoutMs=-1", bad("`timeoutMs` must")),
            ("timeoutMs=%2B5", bad("`timeoutMs` must")),
            ("timeoutMs=+5", bad("`timeoutMs` must")),
            ("timeoutMs=1.5", bad("`timeoutMs` must")),
            ("timeoutMs=1e3", bad("`timeoutMs` must")),
            ("timeoutMs=%ff%zz%", bad("`timeoutMs` must")),
            ("timeoutMs=", bad("`timeoutMs` must")),
            ("dryRun=true", dry()),
            ("dryRun=false", ok(Format::Json, None)),
            ("dryRun=1", bad("`dryRun` must be `true` or `false`, not `1`")),
            ("dryRun=True", bad("`dryRun` must")),
            ("dryRun", bad("`dryRun` must")),
            ("dryRun=true&dryRun=true", bad("`dryRun` is given twice")),
            ("dryRun=x&timeoutMs=0", bad("`timeoutMs` must")),
            ("timeoutMs=5&timeoutMs=5", bad("`timeoutMs` is given twice")),
        ];
        for (query, expected) in cases {
            match (CallQuery::parse(query).map_err(|refusal| refusal.to_string()), expected) {
                (Err(text), Err(start)) => assert!(text.starts_with(&start), "{query}: {text}"),
                (parsed, expected) => assert_eq!(parsed, expected, "{query}"),
            }
        }
    }
}
