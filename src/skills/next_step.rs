//! The last block of what `svc-connect` teaches: what to do now.

use super::request::SkillRequest;

/// Which stored contexts are empty. A context that cannot be stored here is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmptyContexts {
    pub project: bool,
    pub global: bool,
    pub memory: bool,
}

/// The last block: which contexts are empty, and what to do now.
pub fn next_step(request: &SkillRequest, empty: EmptyContexts) -> String {
    let mut text = String::from("# Next step\n\n");
    let has_context = request.tools.contains(&"svc-context");
    if has_context {
        let layers = [
            ("project", empty.project),
            ("global", empty.global),
            ("memory", empty.memory && !request.small_model_mode),
        ];
        let layers: Vec<&str> = layers.iter().filter(|(_, empty)| *empty).map(|(name, _)| *name).collect();
        if let Some((last, rest)) = layers.split_last() {
            let and = if rest.is_empty() { String::new() } else { format!("{} and ", rest.join(", ")) };
            text.push_str(&format!("Nothing is stored in {and}{last} context.\n\n"));
        }
    }
    text.push_str(
        "If the user has given a task already, begin with it now. Else tell them that you are connected, give the overview \
         in a sentence or two, and wait for what they want.",
    );
    if has_context && empty.global && empty.memory && !request.small_model_mode {
        text.push_str(
            "\n\nYou do not know this user yet. With the overview, or when the task is done, ask one question that can be \
             answered with yes or no: whether they would like to tell you about their style and goals. Store what they tell \
             in the global context without asking again. Should they not want to, store that as a memory entry (name: no \
             questions) and never ask again.",
        );
    }
    text
}
