//! The card of the setup tab about the script for Ableton Live: how it stands, where, and what the user does next.

use super::fields::{FieldStyle, field};
use super::model::{Action, LiveCard, Mood};
use super::style::{ACCENT, QUIET, WARN};
use super::widgets::{card, status_dot};
use crate::device::live_desk::LiveScriptView;
use crate::device::live_setup::WHERE_LIVE_SHOWS_IT;
use crate::live_script::{SWITCH_ON, ScriptState};
use egui::{Align, Color32, Label, Layout, RichText, Ui};

impl LiveCard {
    pub fn of(view: &LiveScriptView) -> LiveCard {
        let mut card = match (&view.problem, &view.found) {
            (Some(problem), _) => LiveCard {
                state: if problem.is_without_live { "not on this system" } else { "folder not known" }.to_owned(),
                mood: if problem.is_without_live { Mood::Quiet } else { Mood::Attention },
                told: match problem.asks_for_library {
                    true => format!("{}. Write the folder above: {WHERE_LIVE_SHOWS_IT}.", problem.why),
                    false => format!("{}.", problem.why),
                },
                ..LiveCard::default()
            },
            (None, None) => LiveCard { state: "looking…".to_owned(), ..LiveCard::default() },
            (None, Some((library, status))) => {
                let (mood, install, can_remove) = match &status.state {
                    ScriptState::NotInstalled => (Mood::Quiet, Some("Install script for Ableton Live"), false),
                    ScriptState::Installed => (Mood::Good, None, true),
                    ScriptState::Outdated { .. } => (Mood::Attention, Some("Update script for Ableton Live"), false),
                    ScriptState::RunningAnother { .. } => (Mood::Attention, None, true),
                    ScriptState::Foreign => (Mood::Attention, Some("Install script for Ableton Live"), false),
                    ScriptState::Unknown(_) => (Mood::Attention, None, false),
                };
                // A link was made by hand, and is nothing that a button writes through.
                let by_hand = status.link.is_some();
                LiveCard {
                    state: status.word().to_owned(),
                    mood,
                    install: install.filter(|_| !by_hand),
                    can_remove: can_remove && !by_hand,
                    library: library.folder.display().to_string(),
                    told: match &status.state {
                        ScriptState::NotInstalled => {
                            "A small script in Live lets the tools work on Live's own Set.".to_owned()
                        }
                        ScriptState::Installed => SWITCH_ON.to_owned(),
                        _ => format!("{} {}", status.sentence(), status.next_step("use the button")),
                    },
                    is_refusal: false,
                }
            }
        };
        if view.at_work && view.found.is_some() {
            card.state = "working…".to_owned();
        }
        if let Some(done) = &view.done {
            card.told = match card.mood {
                Mood::Good => format!("{done} {}", card.told),
                _ => done.clone(),
            };
        }
        if let Some(failed) = &view.failed {
            (card.told, card.is_refusal) = (failed.clone(), true);
        }
        card
    }
}

/// Draws the card; what the user asked for is among `actions` then.
pub fn draw_live_card(
    ui: &mut Ui,
    live: &LiveCard,
    library_draft: &mut Option<String>,
    refused: &mut Option<String>,
    actions: &mut Vec<Action>,
) {
    card(ui, |ui| {
        ui.horizontal(|ui| {
            status_dot(ui, color(live.mood), "Ableton Live");
            ui.label(RichText::new(&live.state).color(QUIET));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(install) = live.install
                    && ui.button(install).clicked()
                {
                    actions.push(Action::InstallLiveScript);
                }
                if live.can_remove
                    && ui.button("Remove").on_hover_text("Removes the script from Live's folder").clicked()
                {
                    actions.push(Action::RemoveLiveScript);
                }
            });
        });
        ui.horizontal(|ui| {
            let name = ui.label(RichText::new("User Library").color(QUIET));
            let style = FieldStyle { width: f32::INFINITY, hint: "the folder under Live's Settings > Library" };
            if let Some(text) = field(ui, style, library_draft, &live.library, refused, name.id) {
                actions.push(Action::LiveLibrary(text.trim().to_owned()));
            }
        });
        let told = RichText::new(&live.told).small().color(if live.is_refusal { WARN } else { QUIET });
        ui.add(Label::new(told).wrap());
    });
}

fn color(mood: Mood) -> Color32 {
    match mood {
        Mood::Good => ACCENT,
        Mood::Quiet => QUIET,
        Mood::Attention => WARN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::live_setup::SetupProblem;
    use crate::live_script::{Difference, LibrarySource, ScriptFolder, ScriptStatus, UserLibrary};
    use std::path::PathBuf;

    fn found(state: ScriptState, link: Option<&str>) -> LiveScriptView {
        let folder = PathBuf::from("/music/User Library");
        let status =
            ScriptStatus { folder: ScriptFolder::of(&folder), state, link: link.map(PathBuf::from), has_backup: false };
        LiveScriptView {
            found: Some((UserLibrary { folder, source: LibrarySource::Default }, status)),
            ..Default::default()
        }
    }

    #[test]
    fn each_state_says_what_comes_next() {
        let outdated = |difference| ScriptState::Outdated { version: "0.0.9".to_owned(), difference };
        let (install, update) = (Some("Install script for Ableton Live"), Some("Update script for Ableton Live"));
        for (state, word, mood, button, can_remove, told) in [
            (ScriptState::NotInstalled, "not installed", Mood::Quiet, install, false, "A small script"),
            (ScriptState::Installed, "installed", Mood::Good, None, true, "Restart Live, then choose SvcDevice"),
            (outdated(Difference::AnotherVersion), "outdated", Mood::Attention, update, false, "is version 0.0.9"),
            (outdated(Difference::EditedByHand), "outdated", Mood::Attention, update, false, "edited by hand"),
            (
                ScriptState::RunningAnother { version: "0.0.9".to_owned() },
                "running another version",
                Mood::Attention,
                None,
                true,
                "still runs 0.0.9. Restart Live.",
            ),
            (ScriptState::Foreign, "not ours", Mood::Attention, install, false, "SvcDevice-not-ours"),
            (
                ScriptState::Unknown("leads nowhere".to_owned()),
                "unknown",
                Mood::Attention,
                None,
                false,
                "leads nowhere",
            ),
        ] {
            let card = LiveCard::of(&found(state.clone(), None));
            assert_eq!(
                (card.state.as_str(), card.mood, card.install, card.can_remove),
                (word, mood, button, can_remove)
            );
            assert!(card.told.contains(told) && !card.is_refusal, "{state:?}: {}", card.told);
            assert_eq!(card.library, "/music/User Library");
            let linked = LiveCard::of(&found(state, Some("/checkout/SvcDevice")));
            assert_eq!((linked.install, linked.can_remove), (None, false), "a link is left alone");
        }
        assert_eq!(LiveCard::of(&LiveScriptView::default()).state, "looking…");
        let problem =
            SetupProblem { why: "there are several".to_owned(), asks_for_library: true, is_without_live: false };
        let asking = LiveCard::of(&LiveScriptView { problem: Some(problem.clone()), ..Default::default() });
        assert!(asking.told.contains("Settings > Library") && asking.install.is_none() && asking.library.is_empty());
        assert_eq!(asking.mood, Mood::Attention);
        let linux = SetupProblem { is_without_live: true, ..problem };
        let card = LiveCard::of(&LiveScriptView { problem: Some(linux), ..Default::default() });
        assert_eq!((card.state.as_str(), card.mood), ("not on this system", Mood::Quiet));
    }

    #[test]
    fn what_was_done_or_refused_is_told() {
        let view = LiveScriptView { done: Some("Installed.".to_owned()), ..found(ScriptState::Installed, None) };
        assert!(LiveCard::of(&view).told.starts_with("Installed. Restart Live"));
        let view = LiveScriptView { failed: Some("No.".to_owned()), at_work: true, ..view };
        let card = LiveCard::of(&view);
        assert_eq!((card.told.as_str(), card.is_refusal, card.state.as_str()), ("No.", true, "working…"));
    }
}
