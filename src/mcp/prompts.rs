//! Prompts: ways to begin that clients offer to their users as commands. A request sees a prompt when it sees all the
//! tools that the prompt names.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

/// The longest text of an argument, in characters.
const MAX_ARGUMENT_CHARS: usize = 500;

/// Finds the value of an argument.
type ArgumentLookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A prompt, with places for its arguments.
pub struct PromptTemplate {
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name and description; all may be left out.
    arguments: &'static [(&'static str, &'static str)],
    tools: &'static [&'static str],
    text: fn(ArgumentLookup) -> String,
}

pub static PROMPT_TEMPLATES: [PromptTemplate; 3] = [
    PromptTemplate {
        name: "start-session",
        title: "Start a session",
        description: "Connects and says what is there.",
        arguments: &[],
        tools: &["svc-connect"],
        text: |_| {
            "Call svc-connect and read all that it says. Then tell me in two or three sentences what is in the session, and \
             wait for what I want to do."
                .to_owned()
        },
    },
    PromptTemplate {
        name: "build-a-beat",
        title: "Build a beat",
        description: "Writes a drum beat into an empty slot and plays it.",
        arguments: &[("style", "such as house, boom bap or bossa nova"), ("length", "such as 4bar")],
        tools: &["svc-connect", "svc-read-live-set", "svc-create-clip", "svc-playback"],
        text: |given| {
            let style = given("style").unwrap_or_else(|| "a style that suits the session's tempo".to_owned());
            let length = given("length").unwrap_or_else(|| "2bar".to_owned());
            format!(
                "Build a drum beat. Style: {style}. Length: {length}.\n\n\
                 Call svc-connect if you have not, and svc-read-live-set to find a track for drums and an empty slot. Write \
                 the beat with svc-create-clip: kick, snare or clap, hi-hats, with velocities that breathe. Play it with \
                 svc-playback, then say in one sentence what you wrote and offer one variation."
            )
        },
    },
    PromptTemplate {
        name: "review-arrangement",
        title: "Review the arrangement",
        description: "Reads every track and says what works and what to try next. Changes nothing.",
        arguments: &[("focus", "such as harmony, groove, form or density")],
        tools: &["svc-connect", "svc-read-live-set", "svc-read-track"],
        text: |given| {
            let focus = given("focus").map(|focus| format!(" Look above all at: {focus}.")).unwrap_or_default();
            format!(
                "Review this session without changing anything.{focus}\n\n\
                 Call svc-connect if you have not, svc-read-live-set for tracks and scenes, and svc-read-track for the clips \
                 and notes of each track. Say what each scene does, how the parts fit together, and the three changes that \
                 would help most, each with the clip it concerns."
            )
        },
    },
];

impl PromptTemplate {
    /// Whether these tools are all that it needs.
    pub fn is_available(&self, tools: &[String]) -> bool {
        self.tools.iter().all(|needed| tools.iter().any(|tool| tool == needed))
    }

    /// The prompt as `prompts/list` shows it.
    pub fn listing(&self) -> Prompt {
        let arguments = self
            .arguments
            .iter()
            .map(|(name, about)| PromptArgument::new(*name).with_description(*about).with_required(false));
        let arguments: Vec<PromptArgument> = arguments.collect();
        let prompt = Prompt::new(self.name, Some(self.description), (!arguments.is_empty()).then_some(arguments));
        prompt.with_title(self.title)
    }

    /// The prompt filled in, or what is wrong with an argument. Arguments that it does not have are ignored.
    pub fn fill(&self, arguments: &JsonObject) -> Result<GetPromptResult, String> {
        for (name, _) in self.arguments {
            match arguments.get(*name) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) if text.chars().count() <= MAX_ARGUMENT_CHARS => {}
                Some(_) => return Err(format!("`{name}` must be a text of at most {MAX_ARGUMENT_CHARS} characters.")),
            }
        }
        let given = |name: &str| {
            let text = arguments.get(name).and_then(Value::as_str).map(str::trim)?;
            (!text.is_empty()).then(|| text.to_owned())
        };
        let message = PromptMessage::new_text(Role::User, (self.text)(&given));
        Ok(GetPromptResult::new(vec![message]).with_description(self.description))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_prompt_names_no_tool_that_it_does_not_need() {
        for template in &PROMPT_TEMPLATES {
            let text = (template.text)(&|_| None);
            let named =
                text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| word.starts_with("svc-"));
            for tool in named {
                assert!(template.tools.contains(&tool), "{} names {tool}", template.name);
            }
            for (name, _) in template.arguments {
                let with = (template.text)(&|asked| (asked == *name).then(|| "XYZZY".to_owned()));
                assert!(with.contains("XYZZY"), "{} uses {name}", template.name);
            }
        }
    }

    #[test]
    fn arguments() {
        let template = &PROMPT_TEMPLATES[1];
        let cases = [
            (json!({}), true),
            (json!({"style": "house", "length": null, "other": 5}), true),
            (json!({"style": 5}), false),
            (json!({"style": "x".repeat(MAX_ARGUMENT_CHARS)}), true),
            (json!({"style": "x".repeat(MAX_ARGUMENT_CHARS + 1)}), false),
        ];
        for (arguments, fine) in cases {
            assert_eq!(template.fill(arguments.as_object().expect("an object")).is_ok(), fine, "{arguments}");
        }
    }
}
