//! The view without a screen: what is drawn is looked at, and what a user does is sent as events.

use super::model::{Action, HostLine, LiveCard, Mood, ServerLine, WindowModel};
use super::view::{WindowDrafts, draw};
use crate::device::file_desk::{FileTask, FileTaskView};
use crate::service::Settings;
use crate::service::hosts::HostChoice;
use egui::{Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Shape};

fn shown(sample_folder: &str, samples: Option<&str>) -> WindowModel {
    WindowModel {
        server: ServerLine::Listening { address: "http://127.0.0.1:3350".to_owned() },
        calls_answered: 0,
        instance: "Test".to_owned(),
        in_plugin_host: true,
        tempo_bpm: 120.0,
        level: None,
        tracks: 2,
        scenes: 8,
        clips: 0,
        samples: samples.map(str::to_owned),
        samples_closed: samples.is_some_and(|samples| samples.starts_with("cannot")),
        save_failure: None,
        unreadable: None,
        newer_changes: None,
        permission_request: None,
        live: LiveCard::default(),
        file: FileTaskView::default(),
        host: HostLine { text: "On the Set inside this device.".to_owned(), is_live: false, needs_attention: false },
        settings: Settings { sample_folder: sample_folder.to_owned(), ..Settings::default() },
    }
}

/// A user before the window.
struct User {
    context: Context,
    drafts: WindowDrafts,
    /// Texts on screen, and where.
    texts: Vec<(String, Rect)>,
}

impl User {
    fn new() -> User {
        let context = Context::default();
        super::prepare(&context);
        User { context, drafts: WindowDrafts::default(), texts: Vec::new() }
    }

    /// One frame with these events.
    fn frame(&mut self, shown: &WindowModel, events: Vec<Event>) -> Vec<Action> {
        let (width, height) = super::SIZE;
        let size = egui::vec2(width as f32, height as f32);
        let input =
            RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)), events, ..RawInput::default() };
        let mut actions = Vec::new();
        let mut output = self.context.run_ui(input, |ui| actions.extend(draw(ui, shown, &mut self.drafts)));
        // Nothing is painted.
        output.textures_delta.clear();
        self.texts.clear();
        for clipped in output.shapes {
            read(&clipped.shape, &mut self.texts);
        }
        actions
    }

    fn place(&self, text: &str) -> Rect {
        let found = self.texts.iter().find(|(drawn, _)| drawn == text);
        found.unwrap_or_else(|| panic!("{text:?} is not among {:?}", self.texts)).1
    }

    fn sees(&self, text: &str) -> bool {
        self.texts.iter().any(|(drawn, _)| drawn == text)
    }

    fn click(&mut self, shown: &WindowModel, at: Pos2) -> Vec<Action> {
        let button = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let mut actions = self.frame(shown, vec![Event::PointerMoved(at)]);
        actions.extend(self.frame(shown, vec![button(true)]));
        actions.extend(self.frame(shown, vec![button(false)]));
        actions.extend(self.frame(shown, Vec::new()));
        actions
    }

    /// Writes a text into the field beside a name, in place of what is there, and presses Enter.
    fn write(&mut self, shown: &WindowModel, beside: &str, text: &str) -> Vec<Action> {
        let name = self.place(beside);
        let field = Pos2::new(name.left() + 140.0, name.center().y);
        let mut actions = self.click(shown, field);
        let key = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        actions.extend(self.frame(shown, vec![key(Key::A, Modifiers::COMMAND), key(Key::Backspace, Modifiers::NONE)]));
        actions.extend(self.frame(shown, vec![Event::Text(text.to_owned())]));
        actions.extend(self.frame(shown, vec![key(Key::Enter, Modifiers::NONE)]));
        actions.extend(self.frame(shown, Vec::new()));
        actions
    }
}

fn read(shape: &Shape, texts: &mut Vec<(String, Rect)>) {
    match shape {
        // A blank has no place on the screen.
        Shape::Text(text) if text.galley.text().is_empty() => {}
        Shape::Text(text) => texts.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| read(shape, texts)),
        _ => {}
    }
}

fn at_setup(shown: &WindowModel) -> User {
    let mut user = User::new();
    user.frame(shown, Vec::new());
    let tab = user.place("Setup").center();
    user.click(shown, tab);
    user
}

#[test]
fn the_status_names_the_host() {
    let own = "On the Set inside this device.";
    let mut auto = shown("", None);
    let mut user = User::new();
    user.frame(&auto, Vec::new());
    assert!(user.sees(own) && user.sees("Tempo"), "{:?}", user.texts);
    auto.settings.host_choice = HostChoice::Embedded;
    user.frame(&auto, Vec::new());
    assert!(!user.sees(own) && user.sees("Tempo"), "who chose it knows: {:?}", user.texts);
    let text = "On Ableton Live, and calls fail: Live closed the link.";
    let live = WindowModel {
        host: HostLine { text: text.to_owned(), is_live: true, needs_attention: true },
        settings: Settings { host_choice: HostChoice::Live, ..Settings::default() },
        ..auto
    };
    user.frame(&live, Vec::new());
    assert!(user.sees(text) && !user.sees("Tempo") && !user.sees("Set"), "{:?}", user.texts);
}

#[test]
fn sets_are_opened_and_saved_by_buttons() {
    let idle = shown("", None);
    let mut user = User::new();
    user.frame(&idle, Vec::new());
    for (name, task) in [
        ("Open…", FileTask::Open),
        ("Import…", FileTask::Import),
        ("Save as…", FileTask::Save),
        ("Export…", FileTask::Export),
    ] {
        let button = user.place(name).center();
        assert_eq!(user.click(&idle, button), [Action::File(task)], "{name}");
    }
    let button = user.place("Open…").center();
    let busy = WindowModel { file: FileTaskView { at_work: true, ..FileTaskView::default() }, ..idle.clone() };
    assert_eq!(user.click(&busy, button), [], "one at a time");
    assert!(user.sees("Waiting for the file…"), "{:?}", user.texts);
    let told = "Opened song.als: 4 tracks, 8 scenes.";
    let done = WindowModel { file: FileTaskView { told: told.to_owned(), ..FileTaskView::default() }, ..idle.clone() };
    user.frame(&done, Vec::new());
    assert!(user.sees(told), "{:?}", user.texts);
    let live = WindowModel { host: HostLine { is_live: true, ..idle.host.clone() }, ..idle };
    user.frame(&live, Vec::new());
    assert!(!user.sees("Open…"), "Live opens and saves its own Sets");
}

#[test]
fn the_sample_folder_is_set_and_cleared() {
    let none = shown("", None);
    let mut user = at_setup(&none);
    assert!(user.sees("none; the absolute path of a folder"), "{:?}", user.texts);
    for (text, folder) in [("/music/samples", "/music/samples"), (" /a b/c \n", "/a b/c")] {
        assert_eq!(user.write(&none, "Sample folder", text), [Action::SampleFolder(folder.to_owned())], "{text:?}");
    }
    let some = shown("/music/samples", Some("1203 files and folders"));
    let mut user = at_setup(&some);
    assert!(user.sees("/music/samples") && user.sees("1203 files and folders"), "{:?}", user.texts);
    let beside = (user.place("Sample folder").center().y - user.place("/music/samples").center().y).abs();
    assert!(beside < 3.0, "the name stands {beside} off its field");
    assert_eq!(user.write(&some, "Sample folder", "/music/samples"), [], "nothing new");
    assert_eq!(user.write(&some, "Sample folder", ""), [Action::SampleFolder(String::new())]);
}

#[test]
fn what_the_settings_refuse_is_told_and_can_be_mended() {
    let none = shown("", None);
    for (name, text, why) in [
        ("Sample folder", "samples", "The sample folder must be an absolute folder path."),
        ("Sample folder", "/", "The sample folder must be a folder on the disk, not the root of it."),
        ("Port", "80", "A port is a number from 1024 to 65535."),
        ("Time-out", "56", "A time-out is a number of seconds up to 55."),
    ] {
        let mut user = at_setup(&none);
        assert_eq!(user.write(&none, name, text), [], "{text}");
        assert!(user.sees(why), "{text}: {:?}", user.texts);
        if name == "Sample folder" {
            assert!(user.sees(text), "it can be mended where it stands: {:?}", user.texts);
        }
        let mended = match name {
            "Port" => ("4000", Action::Port(4000)),
            "Time-out" => ("5", Action::TimeoutMs(5000)),
            _ => ("/samples", Action::SampleFolder("/samples".to_owned())),
        };
        assert_eq!(user.write(&none, name, mended.0), [mended.1]);
        assert!(!user.sees(why), "{:?}", user.texts);
    }
}

#[test]
fn what_is_not_saved_is_shown() {
    let why = "The Set could not be written to the disk: No space left on device";
    let mut user = User::new();
    let mut model = shown("", None);
    user.frame(&model, vec![]);
    assert!(!user.sees("Not saved"), "{:?}", user.texts);
    model.save_failure = Some(why.to_owned());
    user.frame(&model, vec![]);
    assert!(user.sees("Not saved") && user.sees(why), "{:?}", user.texts);
}

#[test]
fn everything_is_inside_the_window() {
    let long = format!("/{}", "a-very-long-folder-name/".repeat(12));
    let told = format!("cannot be listed: {long}");
    let card = LiveCard {
        state: "running another version".to_owned(),
        install: Some("Update script for Ableton Live"),
        library: long.clone(),
        told: format!("The script in {} is another one. {}", &long[..150], "What the user does next. ".repeat(3)),
        ..LiveCard::default()
    };
    let model = WindowModel { live: card, ..shown(&long, Some(&told)) };
    let mut user = at_setup(&model);
    let before = user.texts.clone();
    user.write(&model, "Sample folder", "relative");
    user.texts.extend(before);
    let (width, height) = super::SIZE;
    for (text, place) in &user.texts {
        let inside = place.top() >= 0.0 && place.bottom() <= height as f32 && place.left() >= 0.0;
        let fits = place.right() <= width as f32 || text == &long;
        assert!(inside && fits, "{text:?} at {place:?}");
    }
}

#[test]
fn what_a_project_asks_for_is_shown_and_answered() {
    let text = "this project asks to read the samples in \"/samples\"";
    let asking = WindowModel { permission_request: Some(text.to_owned()), ..shown("", None) };
    for (button, permit) in [("Allow", true), ("Refuse", false)] {
        let mut user = User::new();
        user.frame(&asking, Vec::new());
        assert!(user.sees(text), "{:?}", user.texts);
        let at = user.place(button).center();
        assert_eq!(user.click(&asking, at), [Action::Permit(permit)]);
    }
    let mut user = User::new();
    user.frame(&shown("", None), Vec::new());
    assert!(!user.sees("Allow"), "{:?}", user.texts);
}

fn live(card: LiveCard) -> WindowModel {
    WindowModel { live: card, ..shown("", None) }
}

#[test]
fn the_script_for_live_is_installed_by_a_button() {
    let (install, remove) = ("Install script for Ableton Live", "Remove");
    let absent = live(LiveCard { state: "not installed".to_owned(), install: Some(install), ..LiveCard::default() });
    let mut user = at_setup(&absent);
    assert!(user.sees("not installed") && !user.sees(remove), "{:?}", user.texts);
    let at = user.place(install).center();
    assert_eq!(user.click(&absent, at), [Action::InstallLiveScript]);
    let there = LiveCard {
        state: "installed".to_owned(),
        mood: Mood::Good,
        can_remove: true,
        library: "/music/User Library".to_owned(),
        ..LiveCard::default()
    };
    let there = live(there);
    let mut user = at_setup(&there);
    assert!(user.sees("/music/User Library") && !user.sees(install), "{:?}", user.texts);
    let at = user.place(remove).center();
    assert_eq!(user.click(&there, at), [Action::RemoveLiveScript]);
    assert_eq!(
        user.write(&there, "User Library", " /b/User Library "),
        [Action::LiveLibrary("/b/User Library".to_owned())]
    );
    assert_eq!(user.write(&there, "User Library", ""), [Action::LiveLibrary(String::new())]);
}

#[test]
fn the_script_is_looked_at_when_setup_is_opened() {
    let model = shown("", None);
    let mut user = User::new();
    assert_eq!(user.frame(&model, Vec::new()), []);
    for (tab, asked) in
        [("Setup", vec![Action::LookAtLiveScript]), ("Status", vec![]), ("Setup", vec![Action::LookAtLiveScript])]
    {
        let at = user.place(tab).center();
        assert_eq!(user.click(&model, at), asked, "{tab}");
    }
}
