//! The window of a real device: what a user does there reaches the Set, and what others do is seen.

use super::{Rig, User};
use crate::events::{MAX_READERS, Reader};
use crate::set_view::TrackView;
use crate::window::WindowApp;
use crate::window::tab::Tab;
use egui::{Event, Modifiers, PointerButton, Pos2, Vec2};
use serde_json::json;

/// A user before a device's own window.
struct Window {
    rig: Rig,
    app: WindowApp,
    user: User,
}

impl Window {
    fn open(rig: Rig) -> Window {
        Window { app: WindowApp::new(rig.device.clone()), user: User::at(Tab::Session), rig }
    }

    fn frame(&mut self, events: Vec<Event>) {
        let Window { app, user, .. } = self;
        user.run(events, |ui| app.ui(ui));
    }

    /// Draws until that is seen.
    fn until(&mut self, what: &str, seen: impl Fn(&User, &Rig) -> bool) {
        loop {
            self.frame(Vec::new());
            if seen(&self.user, &self.rig) {
                return;
            }
            self.rig.wait(&format!("{what}: {:?}", self.user.names()));
        }
    }

    fn button(&mut self, pos: Pos2, pressed: bool) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        self.frame(vec![Event::PointerButton { pos, button, pressed, modifiers }]);
    }

    /// Drags what has that name by so much, four points in each frame.
    fn drag(&mut self, name: &str, by: Vec2) {
        let from = self.user.find(name).place.center();
        self.frame(vec![Event::PointerMoved(from)]);
        self.button(from, true);
        let steps = (by.length() / 4.0).ceil() as u32;
        for step in 1..=steps {
            self.frame(vec![Event::PointerMoved(from + by * (step as f32 / steps as f32))]);
        }
        self.button(from + by, false);
        self.frame(Vec::new());
    }

    /// Draws until the Set and the window have another value than that there; gives it.
    fn until_other(&mut self, of: Level, than: Option<f64>) -> Option<f64> {
        self.until_level(of, &|level| level != than)
    }

    /// Draws until the calls that wait are answered, by a call that is made behind them, and the window shows the Set.
    fn settle(&mut self, of: Level) -> Option<f64> {
        for track in ["Select 2-MIDI", "Select 1-MIDI"] {
            let selected = |rig: &Rig| rig.shown().selected_track();
            let before = selected(&self.rig);
            self.click(track);
            self.until(track, |_, rig| selected(rig) != before);
        }
        let now = level(&self.rig, of);
        self.until_level(of, &|level| level == now)
    }

    fn until_level(&mut self, of: Level, is_it: &dyn Fn(Option<f64>) -> bool) -> Option<f64> {
        loop {
            self.frame(Vec::new());
            let set = self.app.feed.upgrade().and_then(|feed| feed.shown().set.clone());
            let shown = set.and_then(|set| of(&set.tracks.first()?.view));
            let now = level(&self.rig, of);
            if is_it(now) && shown == now {
                // It is drawn.
                self.frame(Vec::new());
                return now;
            }
            self.rig.wait("a level");
        }
    }

    fn click(&mut self, name: &str) {
        let at = self.user.find(name).place.center();
        self.frame(vec![Event::PointerMoved(at)]);
        self.button(at, true);
        self.button(at, false);
    }
}

fn begins(user: &User, text: &str) -> bool {
    user.tree.iter().any(|found| found.name.starts_with(text))
}

#[test]
fn a_click_on_a_clip_launches_it() {
    let rig = Rig::new();
    rig.call("svc-create-clip", json!({ "path": "t0/s0", "name": "Bass", "notes": "C1 1|1" }));
    let mut window = Window::open(rig);
    let launch = "Launch Bass, 1-MIDI";
    window.until("the clip", |user, _| user.sees(launch));
    window.click(launch);
    window.until("that it was launched", |user, _| {
        begins(user, "1-MIDI, scene 1: Bass, playing") || begins(user, "1-MIDI, scene 1: Bass, waits")
    });
    // Others' edits are seen without a click.
    window.rig.call("svc-create-clip", json!({ "path": "t1/s3", "name": "Lead", "notes": "C3 1|1" }));
    window.until("the other clip", |user, _| user.sees("Launch Lead, 2-MIDI"));
    window.click("Activity");
    window.until("both calls", |user, _| {
        let lines = || user.tree.iter().filter(|found| found.role == egui::Role::ListItem);
        lines().any(|found| found.name.contains(" window svc-playback: ")) && lines().count() >= 3
    });
}

#[test]
fn a_drag_of_a_fader_is_one_undo_step() {
    let rig = Rig::new();
    let mut window = Window::open(rig);
    window.until("the fader", |user, _| user.sees("Volume of 1-MIDI"));
    let volume = |rig: &Rig| rig.device.set.committed().document.tracks.iter().next().map(|track| track.mixer.volume);
    let before = volume(&window.rig);
    let from = window.user.find("Volume of 1-MIDI").place.center();
    window.frame(vec![Event::PointerMoved(from)]);
    window.button(from, true);
    for by in 1..=20 {
        window.frame(vec![Event::PointerMoved(from + egui::vec2(0.0, by as f32))]);
    }
    window.button(from + egui::vec2(0.0, 20.0), false);
    // A call behind them is answered when they all are.
    window.frame(Vec::new());
    window.click("Mute 1-MIDI");
    window.until("the mute", |user, _| user.all("Mute 1-MIDI").any(|found| found.is_on));
    assert!(volume(&window.rig) < before, "{:?}", volume(&window.rig));
    window.rig.call("svc-manage", json!({ "action": "undo" }));
    assert!(volume(&window.rig) < before, "the mute is a step of its own");
    window.rig.call("svc-manage", json!({ "action": "undo" }));
    assert_eq!(volume(&window.rig), before);
}

/// Of a track: what its fader, its pan or a send stands at.
type Level = fn(&TrackView) -> Option<f64>;

/// Of the first track.
fn level(rig: &Rig, of: Level) -> Option<f64> {
    of(&rig.shown().set.unwrap().tracks.first().unwrap().view)
}

/// After an undo or somebody's edit, the next drag begins where the handle is.
#[test]
fn a_drag_begins_at_what_is_shown() {
    let volume: Level = |view| view.volume_db;
    let pan: Level = |view| Some(view.pan);
    let send: Level = |view| view.sends.first().and_then(|send| send.gain_db);
    let edit = json!({ "path": "t0", "gainDb": -1, "pan": 0.2, "sends": [{ "return": "rt0", "gainDb": -20 }] });
    let (down, far) = (Vec2::new(0.0, 40.0), Vec2::new(0.0, 240.0));
    for (name, of, by, is_undo) in [
        ("Volume of 1-MIDI", volume, down, true),
        ("Volume of 1-MIDI", volume, far, true),
        ("Volume of 1-MIDI", volume, down, false),
        ("Pan of 1-MIDI", pan, Vec2::new(12.0, 0.0), true),
        ("Send of 1-MIDI to A-Reverb", send, Vec2::new(30.0, 0.0), false),
    ] {
        let rig = Rig::new();
        rig.call("svc-update-track", edit.clone());
        let mut window = Window::open(rig);
        window.until("the slider", |user, _| user.sees(name));
        let begun = level(&window.rig, of);
        window.drag(name, by);
        let first = window.settle(of);
        assert_ne!(first, begun, "{name}");
        match is_undo {
            true => window.rig.call("svc-manage", json!({ "action": "undo" })),
            false => window.rig.call("svc-update-track", edit.clone()),
        }
        assert_eq!(window.until_other(of, first), begun, "{name}");
        window.drag(name, by);
        assert_eq!(window.settle(of), first, "{name} by {by:?}");
    }
}

#[test]
fn a_closed_window_follows_nothing() {
    let mut window = Window::open(Rig::new());
    window.until("the Set", |user, _| user.sees("Mute 1-MIDI"));
    assert!(window.rig.device.events().has_readers() && window.rig.device.playback().is_followed());
    let Window { rig, mut app, user } = window;
    // As a plugin's window goes: nobody tells its app.
    drop(user);
    for thread in app.threads.drain(..) {
        thread.join().unwrap();
    }
    assert!(!rig.device.events().has_readers() && !rig.device.playback().is_followed());
    // It opens again with what it showed.
    rig.device.service.edit_settings(|settings| settings.window.tab = "Context".to_owned());
    let mut again = Window { rig, app, user: User::at(Tab::Session) };
    again.until("the context", |user, _| user.sees("All projects"));
}

#[test]
fn a_window_without_a_place_among_the_readers_says_so_and_misses_nothing() {
    let rig = Rig::new();
    let mut readers: Vec<Reader> =
        (0..MAX_READERS).map(|_| Reader::begin(rig.device.events(), None).expect("a place").0).collect();
    let mut window = Window::open(rig);
    window.until("why it does not follow", |user, _| {
        user.sees("Mute 1-MIDI")
            && user.tree.iter().any(|found| found.name.contains("readers follow the events already"))
    });
    window.rig.call("svc-update-track", json!({ "path": "t0", "name": "Missed" }));
    readers.pop();
    window.until("what it missed", |user, _| user.sees("Mute Missed") && !user.sees("Dismiss"));
}

#[test]
fn what_could_not_be_done_is_told() {
    let mut window = Window::open(Rig::new());
    window.until("the Set", |user, _| user.sees("Tempo"));
    window.click("Tempo");
    let key = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    window.frame(vec![key(egui::Key::A, Modifiers::COMMAND)]);
    window.frame(vec![Event::Text("5000".to_owned())]);
    window.frame(vec![key(egui::Key::Enter, Modifiers::NONE)]);
    window.until("why not", |user, _| user.sees("Dismiss"));
    assert!(begins(&window.user, "Tempo"), "{:?}", window.user.names());
    window.click("Dismiss");
    window.until("nothing", |user, _| !user.sees("Dismiss"));
}

#[test]
fn the_start_of_the_song_is_shown_whoever_sets_it() {
    let rig = Rig::new();
    rig.device.service.edit_settings(|settings| settings.window.tab = "Arrangement".to_owned());
    let mut window = Window::open(rig);
    window.until("the start", |user, _| begins(user, "Start of the song, bar 1:"));
    window.rig.call("svc-playback", json!({ "action": "update-arrangement", "startTime": "9|1" }));
    window.until("the other start", |user, _| begins(user, "Start of the song, bar 9:"));
}

/// Quicker than frames are: all of it comes at once.
#[test]
fn a_drag_within_a_frame_ends_where_it_was_let_go() {
    let volume: Level = |track| track.volume_db;
    let mut levels = Vec::new();
    for is_quick in [false, true] {
        let mut window = Window::open(Rig::new());
        window.until("the fader", |user, _| user.sees("Volume of 1-MIDI"));
        let (at, by) = (window.user.find("Volume of 1-MIDI").place.center(), Vec2::new(0.0, 40.0));
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        let press = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers };
        let events = [
            Event::PointerMoved(at),
            press(at, true),
            Event::PointerMoved(at + by * 0.3),
            Event::PointerMoved(at + by),
            press(at + by, false),
        ];
        match is_quick {
            true => window.frame(events.to_vec()),
            false => events.into_iter().for_each(|event| window.frame(vec![event])),
        }
        (0..4).for_each(|_| window.frame(Vec::new()));
        levels.push(window.settle(volume));
    }
    assert!(levels.first() == levels.last() && levels.first() != Some(&Some(0.0)), "{levels:?}");
}

#[test]
fn each_tab_is_where_it_was_left() {
    let mut window = Window::open(Rig::new());
    window.user.size = Vec2::new(1_040.0, 500.0);
    window.until("the tabs", |user, _| user.sees("Setup"));
    window.click("Setup");
    window.until("the settings", |user, _| user.sees("Port"));
    let top = window.user.find("Port").place.top();
    for step in 0..30 {
        window.rig.call("svc-update-track", json!({ "path": "t0", "name": format!("Name {step}") }));
    }
    window.click("Activity");
    window.until("the calls", |user, _| begins(user, "Copy call "));
    window.frame(vec![Event::PointerMoved(Pos2::new(400.0, 300.0))]);
    window.frame(vec![Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: Vec2::new(0.0, -400.0),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    }]);
    (0..6).for_each(|_| window.frame(Vec::new()));
    window.click("Setup");
    window.until("the settings", |user, _| user.sees("Port"));
    assert_eq!(window.user.find("Port").place.top(), top);
}
