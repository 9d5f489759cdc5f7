//! A Set with something of everything, a sample folder and a user's folder: where taught calls are tried.

use crate::sample_tree::{put, sound, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use svc_device::device::{Persistence, state_file::StateFile};
use svc_device::library::Phase;
use svc_device::service::Settings;
use tempfile::TempDir;

/// What a text calls the sample folder.
const SAMPLES: &str = "/samples/";
const PATIENCE: Duration = Duration::from_secs(60);
const BARBEAT: &str = "x-svc-notation: barbeat\r\n";

/// A call as a text spells it.
#[derive(Clone, Debug)]
pub struct Call {
    pub tool: String,
    pub arguments: Value,
}

pub struct Stage {
    pub api: Api,
    samples: TempDir,
    data: TempDir,
}

impl Stage {
    /// A new Set.
    pub fn empty() -> Stage {
        let (samples, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (n, name) in
            ["Kick", "Snare", "Hihat Closed", "Hihat Open", "Loop 120bpm", "Kick 808"].into_iter().enumerate()
        {
            let seconds = if name.starts_with("Loop") { 2.0 } else { 0.2 + n as f64 * 0.01 };
            put(samples.path(), &format!("{name}.wav"), &wav(&sound(n as u64, seconds)));
        }
        let folder = samples.path().to_str().expect("a text").to_owned();
        let settings = Settings { sample_folder: folder, ..Settings::default() };
        let api = Api::keeping(settings, Persistence::File(StateFile::new(data.path(), None)));
        let progress = api.device.library().wait(PATIENCE, |progress| progress.phase == Phase::Complete);
        assert_eq!(progress.phase, Phase::Complete, "{progress:?}");
        Stage { api, samples, data }
    }

    /// Drums with a Drum Rack, a bass with an instrument and a compressor, audio, an empty track, clips in the session
    /// and on the timeline.
    pub fn set() -> Stage {
        let stage = Stage::empty();
        let insert = |track: &str, device: &str| {
            stage.api.raw(track, json!([{"type": "call", "method": "insert_device", "args": [device]}]));
        };
        insert("live_set tracks 0", "Drum Rack");
        insert("live_set tracks 1", "Operator");
        insert("live_set tracks 1", "Compressor");
        for (tool, arguments) in [
            ("svc-update-track", json!({"path": "t0,t1", "name": "Drums,Bass"})),
            ("svc-create-track", json!({"path": "t+", "name": "Keys", "type": "midi"})),
            (
                "svc-create-clip",
                json!({"path": "t0/s0,t0/s1", "length": "4bar",
                       "notes": "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8\n@2-4=1"}),
            ),
            (
                "svc-create-clip",
                json!({"path": "t1/s0,t1/s1,t1[1|1]", "length": "4bar", "notes": "v90 n/8 C1 1|1x32@n/8"}),
            ),
            ("svc-create-clip", json!({"path": "t2/s0", "sampleFile": "/samples/Loop 120bpm.wav"})),
        ] {
            stage.run(&Call { tool: tool.to_owned(), arguments }, BARBEAT).expect("the stage is set");
        }
        stage
    }

    /// A text with the sample folder that there is.
    fn placed(&self, arguments: &Value) -> Value {
        let folder = format!("{}/", self.samples.path().to_str().expect("a text"));
        match arguments {
            Value::String(text) => json!(text.replace(SAMPLES, &folder)),
            Value::Array(items) => items.iter().map(|item| self.placed(item)).collect(),
            Value::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), self.placed(value))).collect())
            }
            other => other.clone(),
        }
    }

    /// The result of a call that does all it was asked and has nothing to warn of; otherwise what it says.
    pub fn run(&self, call: &Call, headers: &str) -> Result<Value, String> {
        let (status, body) = self.api.answered(&call.tool, headers, &self.placed(&call.arguments));
        let undone = body["result"].as_array().into_iter().flatten().chain([&body["result"]]).any(|e| e["ok"] == false);
        let nested = body["result"].to_string().contains("\"ok\":false");
        // The mark of a dry run is no remark on the call, nor is a disk that is slow.
        let warnings = body["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let warns =
            warnings.filter(|text| !text.starts_with("dry run") && !text.starts_with("saved: false")).count() > 0;
        if status != 200 || body["isError"] != false || warns || undone || nested {
            return Err(body.to_string());
        }
        // A search that is shown finds something.
        let searches = body["result"]["results"].as_array().into_iter().flatten().chain([&body["result"]]);
        let empty =
            |found: &Value| ["items", "groups", "tags", "categories"].iter().any(|list| found[list] == json!([]));
        if call.tool == "svc-library" && searches.into_iter().any(empty) {
            return Err(body.to_string());
        }
        Ok(body["result"].clone())
    }

    /// Answers a call; the sample folder has the name that texts give it.
    pub fn answered(&self, tool: &str, headers: &str, arguments: &Value) -> (u16, Value) {
        let (status, body) = self.api.answered(tool, headers, &self.placed(arguments));
        (status, self.unplaced(body))
    }

    fn unplaced(&self, answer: Value) -> Value {
        let folder = self.samples.path().to_str().expect("a text");
        let data = self.data.path().to_str().expect("a text");
        let text = answer.to_string().replace(&format!("{folder}/"), SAMPLES).replace(folder, SAMPLES);
        serde_json::from_str(&text.replace(data, "/data")).expect("it stays JSON")
    }

    pub fn has_tool(&self, name: &str) -> bool {
        let tools = self.api.request("GET", "/api/tools", "x-svc-live-api: true\r\n", "").json();
        tools["tools"].as_array().expect("tools").iter().any(|tool| tool["name"] == name)
    }
}

/// The calls in a Markdown text: code that begins with a tool's name and goes on with a JSON object, in lines and in
/// blocks of `calls`.
pub fn calls(markdown: &str) -> Result<Vec<Call>, String> {
    let mut calls = Vec::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        match (&fence, line.trim().strip_prefix("```")) {
            (Some(_), Some(_)) => fence = None,
            (None, Some(tag)) => fence = Some(tag.to_owned()),
            (Some(tag), None) if tag == "calls" => calls.push(call(line)?.ok_or_else(|| format!("no call: {line}"))?),
            (Some(_), None) => {}
            (None, None) => {
                for code in line.split('`').skip(1).step_by(2) {
                    calls.extend(call(code)?);
                }
            }
        }
    }
    Ok(calls)
}

fn call(code: &str) -> Result<Option<Call>, String> {
    let Some((tool, arguments)) =
        code.split_once(' ').filter(|(tool, rest)| tool.starts_with("svc-") && rest.starts_with('{'))
    else {
        return Ok(None);
    };
    let arguments = serde_json::from_str(arguments).map_err(|e| format!("{code}: {e}"))?;
    Ok(Some(Call { tool: tool.to_owned(), arguments }))
}

/// The Markdown files of a folder of the project, by name.
pub fn pages(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut pages: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    pages.sort();
    pages
}
