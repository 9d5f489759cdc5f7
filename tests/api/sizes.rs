//! How much a client is given to read before its first call: the catalogue, and what `svc-connect` teaches. Both are
//! printed for every notation, to strong and to small models, so that what a word costs is seen.

use crate::support::Api;
use serde_json::{Value, json};

const NOTATIONS: [&str; 3] = ["barbeat", "midi-json", "stark"];
/// In bytes, as the README and the pages say it: kB are thousands.
const LARGEST_CATALOGUE: usize = 33_000;
const LARGEST_TEACHING: usize = 24_000;

fn modes() -> impl Iterator<Item = (bool, String, String)> {
    NOTATIONS.into_iter().flat_map(|notation| {
        [false, true].map(|small| {
            let label = format!("{notation}{}", if small { ", small" } else { "" });
            (small, label, format!("x-svc-notation: {notation}\r\nx-svc-small-model-mode: {small}\r\n"))
        })
    })
}

#[test]
fn the_catalogue_is_short() {
    let api = Api::new();
    for (small, mode, headers) in modes() {
        // With the raw tool, which a client may switch on; without the one that only tests have.
        let body = api.request(
            "GET",
            "/api/tools",
            &format!("{headers}x-svc-live-api: true\r\nx-svc-disabled-tools: svc-test\r\n"),
            "",
        );
        let bytes = body.body.len();
        println!("catalogue, {mode}: {bytes} bytes");
        assert!(bytes < LARGEST_CATALOGUE, "{mode}: {bytes}");
        let full = api.request("GET", "/api/tools", &headers.replace("true", "false"), "").body.len();
        assert!(!small || bytes < full * 2 / 3, "{mode}: {bytes} of {full}");
    }
}

/// All of it: the overview of an empty Set, the skills and the next step.
#[test]
fn what_connecting_teaches_is_short() {
    let api = Api::new();
    for (small, mode, headers) in modes() {
        let envelope = api.envelope("svc-connect", &headers, &json!({}));
        let taught: usize = texts(&envelope["appended"]).map(str::len).sum();
        let bytes = taught + envelope["result"].to_string().len();
        println!("svc-connect, {mode}: {bytes} bytes");
        assert!(bytes < LARGEST_TEACHING, "{mode}: {bytes}");
        assert!(!small || bytes < LARGEST_TEACHING / 3, "{mode}: {bytes}");
    }
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text"))
}
