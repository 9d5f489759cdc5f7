//! The device's page: its files, and that nothing else is a page.

use crate::http::{Client, Reply};
use crate::support::Api;

fn get(api: &Api, target: &str, headers: &str) -> Reply {
    Client::connect(api.addr).request("GET", target, headers, "")
}

#[test]
fn its_files_are_served_and_kept_until_they_change() {
    let api = Api::new();
    let html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    for (target, headers, kind) in [
        ("/", html, "text/html; charset=utf-8"),
        ("/assets/app.js", "", "text/javascript; charset=utf-8"),
        ("/assets/app.css", "", "text/css; charset=utf-8"),
    ] {
        let reply = get(&api, target, headers);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{target}");
        assert!(!reply.body.is_empty());
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(
            (reply.header("cache-control"), reply.header("x-content-type-options")),
            (Some("no-cache"), Some("nosniff"))
        );
        let tag = reply.header("etag").expect("a tag");
        let known = get(&api, target, &format!("{headers}If-None-Match: {tag}\r\n"));
        assert_eq!((known.status, known.body.len()), (304, 0), "{target}");
        assert_eq!(get(&api, target, &format!("{headers}If-None-Match: \"other\"\r\n")).status, 200);
    }
    assert_eq!(get(&api, "/assets/other.js", "").status, 404);
    assert_eq!(get(&api, "/assets/../config", "").status, 404);
}

#[test]
fn a_program_reads_json_at_the_same_place() {
    let api = Api::new();
    for headers in ["", "Accept: */*\r\n", "Accept: application/json\r\n", "Accept: text/html;q=0, */*\r\n"] {
        let reply = api.request("GET", "/", headers, "");
        assert_eq!((reply.status, &reply.json()["view"]), (200, &"/api/view".into()), "{headers}");
    }
}

#[test]
fn a_foreign_page_may_open_it_and_not_read_it() {
    let api = Api::new();
    let opened = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nAccept: text/html\r\n";
    assert_eq!(get(&api, "/", opened).status, 200);
    for (target, headers) in [
        ("/", "Origin: http://evil.example\r\nAccept: text/html\r\n"),
        ("/assets/app.js", "Sec-Fetch-Site: cross-site\r\n"),
    ] {
        assert_eq!(get(&api, target, headers).status, 403, "{target}");
    }
}
