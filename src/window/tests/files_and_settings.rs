//! Setup, files, what needs attention, and the script for Live.

use super::{User, model_of, plain, with_settings};
use crate::device::file_desk::{FileTask, FileTaskView};
use crate::service::Settings;
use crate::service::hosts::HostChoice;
use crate::sound::output_status::SoundStatus;
use crate::window::model::{Action, HostLine, LiveCard, Mood, ServerLine, WindowModel};
use crate::window::shown::Shown;
use crate::window::tab::Tab;
use std::sync::Arc;

fn folder(sample_folder: &str, samples: Option<&str>) -> WindowModel {
    let settings = Settings { sample_folder: sample_folder.to_owned(), ..Settings::default() };
    WindowModel { samples: samples.map(str::to_owned), ..with_settings(settings) }
}

#[test]
fn sets_are_opened_and_saved_by_buttons() {
    let idle = plain();
    let mut user = User::at(Tab::Setup);
    for (name, task) in [
        ("Open…", FileTask::Open),
        ("Import…", FileTask::Import),
        ("Save as…", FileTask::Save),
        ("Export…", FileTask::Export),
    ] {
        assert_eq!(user.click(&idle, name), [Action::File(task)], "{name}");
    }
    let busy = WindowModel { file: FileTaskView { at_work: true, ..FileTaskView::default() }, ..idle.clone() };
    assert_eq!(user.click(&busy, "Open…"), [], "one at a time");
    assert!(user.sees("Waiting for the file…"), "{:?}", user.names());
    let told = "Opened song.als: 4 tracks, 8 scenes.";
    let done = WindowModel { file: FileTaskView { told: told.to_owned(), ..FileTaskView::default() }, ..idle.clone() };
    user.frame(&done, Vec::new());
    assert!(user.sees(told), "{:?}", user.names());
    let live = WindowModel { host: HostLine { is_live: true, ..idle.host.clone() }, ..idle };
    user.frame(&live, Vec::new());
    assert!(!user.sees("Open…"), "Live opens and saves its own Sets");
}

#[test]
fn the_sample_folder_is_set_and_cleared() {
    let none = folder("", None);
    let mut user = User::at(Tab::Setup);
    for (text, folder) in [("/music/samples", "/music/samples"), (" /a b/c \n", "/a b/c")] {
        assert_eq!(user.write(&none, "Sample folder", text), [Action::SampleFolder(folder.to_owned())], "{text:?}");
    }
    let some = folder("/music/samples", Some("1203 files and folders"));
    let mut user = User::at(Tab::Setup);
    assert_eq!(user.write(&some, "Sample folder", "/music/samples"), [], "nothing new");
    assert!(user.sees("1203 files and folders"), "{:?}", user.names());
    assert_eq!(user.write(&some, "Sample folder", ""), [Action::SampleFolder(String::new())]);
}

#[test]
fn what_the_settings_refuse_is_told_and_can_be_mended() {
    let none = plain();
    for (name, text, why, mended) in [
        (
            "Sample folder",
            "samples",
            "The sample folder must be an absolute folder path.",
            ("/samples", Action::SampleFolder("/samples".to_owned())),
        ),
        (
            "Sample folder",
            "/",
            "The sample folder must be a folder on the disk, not the root of it.",
            ("/samples", Action::SampleFolder("/samples".to_owned())),
        ),
        ("Port", "80", "A port is a number from 1024 to 65535.", ("4000", Action::Port(4000))),
        ("Time-out", "56", "A time-out is a number of seconds up to 55.", ("5", Action::TimeoutMs(5000))),
    ] {
        let mut user = User::at(Tab::Setup);
        assert_eq!(user.write(&none, name, text), [], "{text}");
        assert!(user.sees(why), "{text}: {:?}", user.names());
        assert_eq!(user.write(&none, name, mended.0), [mended.1]);
        assert!(!user.sees(why), "{:?}", user.names());
    }
}

#[test]
fn settings_are_switched() {
    let model = plain();
    let mut user = User::at(Tab::Setup);
    for (name, action) in [
        ("JSON output", Action::JsonOutput(true)),
        ("Small-model mode", Action::SmallModelMode(true)),
        ("Sound", Action::Sound(false)),
        ("MIDI out", Action::MidiOut(false)),
        ("Own clock", Action::OwnClock(true)),
        ("stark", Action::Notation(crate::notation::Notation::Stark)),
        ("Embedded Set", Action::HostChoice(HostChoice::Embedded)),
    ] {
        assert_eq!(user.click(&model, name), [action], "{name}");
    }
    user.size.y = 1_600.0;
    assert_eq!(user.click(&model, "Playback"), [Action::ShowTool("svc-playback", false)]);
    assert_eq!(user.click(&model, "Raw tool"), [Action::LiveApi(true)]);
    let text = "/a\n/b c";
    let folders = Action::AllowedFolders(vec!["/a".to_owned(), "/b c".to_owned()]);
    user.click(&model, "Allowed folders");
    let mut actions = user.frame(&model, vec![egui::Event::Text(text.to_owned())]);
    actions.extend(user.click(&model, "Server"));
    assert_eq!(actions, [folders]);
}

/// With neither a sound card nor JACK nothing claims that the Set is heard.
#[test]
fn how_the_set_is_heard_is_said() {
    let text = "Nobody hears it (no JACK server, no sound card); clips run all the same.";
    let unheard = WindowModel { sound: SoundStatus { text: text.to_owned(), is_unheard: true }, ..plain() };
    let mut user = User::at(Tab::Setup);
    for (model, said) in [(plain(), "It leaves by the plugin's output."), (unheard, text)] {
        user.frame(&model, Vec::new());
        assert!(user.sees(said), "{:?}", user.names());
        assert!(user.names().iter().all(|name| !name.contains("is heard")), "{:?}", user.names());
    }
}

/// What is to be told, how it begins, and the buttons that answer it.
type Case = (WindowModel, &'static str, &'static [(&'static str, Action)]);

#[test]
fn what_needs_attention_is_shown_and_answered() {
    let text = "this project asks to read the samples in \"/samples\"";
    let calm = plain();
    let cases: [Case; 5] = [
        (WindowModel { save_failure: Some("No space left on device".to_owned()), ..calm.clone() }, "Not saved", &[]),
        (
            WindowModel { unreadable: Some("damaged".to_owned()), ..calm.clone() },
            "The saved Set could not be read",
            &[("Start fresh", Action::StartFresh)],
        ),
        (
            WindowModel { newer_changes: Some(1), ..calm.clone() },
            "1 change newer than this project",
            &[("Restore", Action::Recover(true)), ("Dismiss", Action::Recover(false))],
        ),
        (
            WindowModel { permission_request: Some(text.to_owned()), ..calm.clone() },
            text,
            &[("Allow", Action::Permit(true)), ("Refuse", Action::Permit(false))],
        ),
        (
            WindowModel { server: ServerLine::Waiting { why: "port 3350 is taken".to_owned() }, ..calm.clone() },
            "port 3350 is taken",
            &[],
        ),
    ];
    for (model, shown, answers) in cases {
        let mut user = User::at(Tab::Session);
        user.frame(&calm, Vec::new());
        assert!(!user.sees(shown), "{shown}");
        user.frame(&model, Vec::new());
        assert!(user.sees(shown), "{shown}: {:?}", user.names());
        for (button, action) in answers {
            assert_eq!(user.click(&model, button), std::slice::from_ref(action), "{button}");
        }
    }
}

#[test]
fn the_script_for_live_is_installed_by_a_button() {
    let (install, remove) = ("Install script for Ableton Live", "Remove");
    let absent = LiveCard { state: "not installed".to_owned(), install: Some(install), ..LiveCard::default() };
    let absent = WindowModel { live: absent, ..plain() };
    let mut user = User::at(Tab::Setup);
    assert_eq!(user.click(&absent, install), [Action::InstallLiveScript]);
    assert!(user.sees("not installed") && !user.sees(remove), "{:?}", user.names());
    let there = LiveCard {
        state: "installed".to_owned(),
        mood: Mood::Good,
        can_remove: true,
        library: "/music/User Library".to_owned(),
        ..LiveCard::default()
    };
    let there = WindowModel { live: there, ..plain() };
    let mut user = User::at(Tab::Setup);
    assert_eq!(user.click(&there, remove), [Action::RemoveLiveScript]);
    assert!(!user.sees(install), "{:?}", user.names());
    let named = |folder: &str| [Action::LiveLibrary(folder.to_owned())];
    assert_eq!(user.write(&there, "User Library", " /b/User Library "), named("/b/User Library"));
    assert_eq!(user.write(&there, "User Library", ""), named(""));
}

#[test]
fn the_set_of_live_is_not_shown_and_why() {
    let text = "Tools work on the Set that is open in Live.";
    let host = HostLine { text: text.to_owned(), is_live: true, needs_attention: false };
    let settings = Arc::new(Settings { host_choice: HostChoice::Live, ..Settings::default() });
    let model = WindowModel { host, settings, ..model_of(Shown::default()) };
    for tab in Tab::ALL {
        let mut user = User::at(tab);
        user.frame(&model, Vec::new());
        assert_eq!(user.sees("The Set is open in Ableton Live"), tab.is_of_set(), "{tab:?}");
        assert_eq!(user.click(&model, "Play"), [Action::Call(crate::window::acts::start_transport())], "{tab:?}");
    }
}

#[test]
fn the_groups_of_tools_are_those_of_the_page() {
    let model = plain();
    let mut user = User::at(Tab::Setup);
    user.frame(&model, Vec::new());
    for group in ["Session", "Read", "Make", "Change", "Play"] {
        let is_label = |found: &super::Found| found.role == egui::Role::Label;
        assert!(user.all(group).any(is_label), "{group}: {:?}", user.names());
    }
}
