//! The commands of the README and of the page about clients, run as they are printed, against a fresh device.
//!
//! Between `<!-- test: device -->` and `<!-- /test -->` every block tagged `sh` or `python` is run, in order, on one
//! device for each such pair; only the port is another one. What a shell block prints has to be answers of the device.

use crate::support::child::Device;
use crate::support::script;
use serde_json::{Deserializer, Value};
use std::process::Command;

const BEGIN: &str = "<!-- test: device -->";
const END: &str = "<!-- /test -->";
/// The port that the README prints.
const PORT: &str = "3350";

#[derive(Debug, PartialEq)]
struct Block {
    language: String,
    text: String,
    /// Where its first line stands.
    line: usize,
}

/// The runnable blocks of each marked region.
fn regions(markdown: &str) -> Result<Vec<Vec<Block>>, String> {
    let mut regions: Vec<Vec<Block>> = Vec::new();
    let mut inside = false;
    let mut fence: Option<Block> = None;
    for (number, line) in (1..).zip(markdown.lines()) {
        let mark = line.trim();
        match (&mut fence, mark) {
            (Some(_), "```") => {
                let block = fence.take().filter(|block| inside && matches!(block.language.as_str(), "sh" | "python"));
                if let Some(region) = regions.last_mut() {
                    region.extend(block);
                }
            }
            (Some(block), _) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, BEGIN) if inside => return Err(format!("line {number}: {BEGIN} inside another")),
            (None, BEGIN) => {
                inside = true;
                regions.push(Vec::new());
            }
            (None, END) if !inside => return Err(format!("line {number}: {END} without its beginning")),
            (None, END) => inside = false,
            (None, _) => {
                if let Some(language) = mark.strip_prefix("```") {
                    fence = Some(Block { language: language.to_owned(), text: String::new(), line: number + 1 });
                }
            }
        }
    }
    if inside || fence.is_some() {
        return Err("a block or a region is not closed".to_owned());
    }
    Ok(regions)
}

fn run(file: &str, block: &Block, port: u16) {
    let place = format!("{file}:{}", block.line);
    // Without it the block would talk to another device, or to none.
    assert!(block.text.contains(PORT), "{place} does not name port {PORT}");
    let text = block.text.replace(PORT, &port.to_string());
    let is_shell = block.language == "sh";
    let mut command = if is_shell { Command::new("sh") } else { script::python() };
    command.args(if is_shell { &["-eu"][..] } else { &["-"] }).env("NO_PROXY", "127.0.0.1");
    let ran = script::run(command, &text);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{place}: {}", ran.stdout);
    assert!(!ran.stdout.trim().is_empty(), "{place} printed nothing");
    if is_shell {
        for answer in Deserializer::from_str(&ran.stdout).into_iter::<Value>() {
            let answer = answer.unwrap_or_else(|error| panic!("{place}: {error}: {}", ran.stdout));
            assert!(answer.get("error").is_none() && answer["isError"] != true, "{place}: {answer}");
        }
    }
}

fn page(file: &str) -> String {
    std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).expect("the page is there")
}

#[test]
fn the_commands_work_as_printed() {
    for (file, languages) in [("README.md", &["sh", "python"][..]), ("docs/clients.md", &["sh"])] {
        let regions = regions(&page(file)).expect("it is well marked");
        for language in languages {
            let has = regions.iter().flatten().any(|block| block.language == *language);
            assert!(has, "{file} has no ```{language} block between {BEGIN} and {END}");
        }
        for region in &regions {
            assert!(!region.is_empty(), "{file} has a {BEGIN} with nothing to run behind it");
            let device = Device::start();
            region.iter().for_each(|block| run(file, block, device.addr().port()));
        }
    }
}

/// What is to be copied into a client's settings is JSON, and leads to the device.
#[test]
fn client_settings_lead_to_the_device() {
    let page = page("docs/clients.md");
    let blocks: Vec<&str> = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 6, "{}", blocks.len());
    for block in blocks {
        let settings: Value = serde_json::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"));
        let servers = settings.get("mcpServers").or(settings.get("servers")).expect(block);
        let server = &servers["svc"];
        let address = server.get("url").or(server.get("httpUrl"));
        match address {
            Some(address) => assert_eq!(address, "http://127.0.0.1:3350/mcp", "{block}"),
            None => {
                let arguments = server["args"].as_array().expect(block).iter().map(|a| a.as_str().expect(block));
                // The program itself judges them; it has no wish to stay.
                let ran = Command::new(env!("CARGO_BIN_EXE_svc-device")).args(arguments).arg("--help").output();
                assert_eq!(ran.expect("it runs").status.code(), Some(0), "{block}");
            }
        }
    }
}

#[test]
fn only_marked_blocks_are_run() {
    let block = |language: &str, text: &str, line| Block { language: language.to_owned(), text: text.to_owned(), line };
    let fenced = |language: &str, text: &str| format!("```{language}\n{text}\n```\n");
    let cases = [
        (String::new(), Ok(vec![])),
        (fenced("sh", "outside"), Ok(vec![])),
        (format!("{BEGIN}\n{}{END}\n", fenced("text", "a")), Ok(vec![vec![]])),
        (
            format!("{BEGIN}\n{}{}{END}\n{}", fenced("sh", "a\n  b"), fenced("python", "c"), fenced("sh", "d")),
            Ok(vec![vec![block("sh", "a\n  b\n", 3), block("python", "c\n", 7)]]),
        ),
        (
            format!("{BEGIN}\n{}{END}\n{BEGIN}\n{}{END}", fenced("sh", END), fenced("sh", "b")),
            Ok(vec![vec![block("sh", &format!("{END}\n"), 3)], vec![block("sh", "b\n", 8)]]),
        ),
        (format!("{BEGIN}\n{}", fenced("sh", "a")), Err(())),
        (format!("{BEGIN}\n```sh\na\n{END}\n"), Err(())),
        (format!("{BEGIN}\n{BEGIN}\n{END}\n"), Err(())),
        (format!("{END}\n"), Err(())),
    ];
    for (markdown, expected) in cases {
        assert_eq!(regions(&markdown).map_err(drop), expected, "{markdown}");
    }
}
