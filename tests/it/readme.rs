//! The README's commands, run as they are printed, against a fresh device.
//!
//! Between `<!-- test: device -->` and `<!-- /test -->` every block tagged `sh` or `python` is run, in order, on one device
//! for each such pair; only the port is another one. What a shell block prints has to be answers of the device.

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

fn run(block: &Block, port: u16) {
    let place = format!("README.md:{}", block.line);
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

#[test]
fn the_commands_work_as_printed() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(readme).expect("README.md is there");
    let regions = regions(&readme).expect("README.md is well marked");
    for language in ["sh", "python"] {
        let has = regions.iter().flatten().any(|block| block.language == language);
        assert!(has, "README.md has no ```{language} block between {BEGIN} and {END}");
    }
    for region in &regions {
        assert!(!region.is_empty(), "README.md has a {BEGIN} with nothing to run behind it");
        let device = Device::start();
        region.iter().for_each(|block| run(block, device.addr().port()));
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
