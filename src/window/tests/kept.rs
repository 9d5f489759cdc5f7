//! What the Session keeps from frame to frame, and what it leaves out of frames without input: neither is seen.

use super::fixture::{full_set, model_of, shown_of_new_set};
use super::{SIZE, User};
use crate::object_model::ObjectId;
use crate::set_view::{Id, PlaybackView};
use crate::window::acts;
use crate::window::model::{Action, ServerLine, WindowModel};
use crate::window::shown::{Shown, ShownCall, ShownSet};
use crate::window::tab::Tab;
use crate::window::view::{WindowDrafts, draw};
use egui::epaint::{ClippedPrimitive, Primitive, Vertex};
use egui::{
    Color32, Context, Event, FontDefinitions, FontFamily, Key, Modifiers, MouseWheelSource, MouseWheelUnit,
    PointerButton, Pos2, RawInput, Rect, TouchPhase, Vec2,
};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Seconds from frame to frame.
const STEP: f64 = 0.05;

/// A window whose drawing is looked at, vertex by vertex.
struct Glass {
    context: Context,
    drafts: WindowDrafts,
    size: Vec2,
    time: f64,
    actions: Vec<Action>,
    /// It wants to be drawn again at once.
    is_urgent: bool,
}

impl Glass {
    /// `is_whole`: a screen reader is there, so that nothing is left out.
    fn new(is_whole: bool) -> Glass {
        let context = Context::default();
        crate::window::prepare(&context);
        if is_whole {
            context.enable_accesskit();
        }
        let drafts = WindowDrafts::at(Tab::Session);
        Glass { context, drafts, size: SIZE, time: 0.0, actions: Vec::new(), is_urgent: false }
    }

    fn frame(&mut self, model: &WindowModel, events: Vec<Event>) -> Vec<(Rect, Vec<Vertex>)> {
        self.time += STEP;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let input = RawInput { screen_rect, events, time: Some(self.time), ..RawInput::default() };
        let Glass { context, drafts, actions, .. } = self;
        let mut output = context.run_ui(input, |ui| actions.extend(draw(ui, model, drafts)));
        output.textures_delta.clear();
        self.is_urgent = output.viewport_output.values().any(|view| view.repaint_delay == Duration::ZERO);
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        let vertices = |ClippedPrimitive { clip_rect, primitive }| match primitive {
            Primitive::Mesh(mesh) => (clip_rect, mesh.vertices),
            Primitive::Callback(_) => (clip_rect, Vec::new()),
        };
        primitives.into_iter().map(vertices).collect()
    }

    /// What is seen once all has settled.
    fn settled(&mut self, model: &WindowModel) -> Vec<(Rect, Vec<Vertex>)> {
        // Longer than it takes until more is told of what the pointer is on.
        (0..13).for_each(|_| drop(self.frame(model, Vec::new())));
        self.frame(model, Vec::new())
    }

    /// The calls so far, without the numbers of gestures, of which no two are the same.
    fn calls(&self) -> Vec<String> {
        let told = |action: &Action| match action {
            Action::Call(call) => format!("{} {}", call.tool, call.arguments),
            other => format!("{other:?}"),
        };
        self.actions.iter().map(told).collect()
    }
}

fn of(set: ShownSet) -> WindowModel {
    model_of(Shown { set: Some(Arc::new(set)), ..shown_of_new_set() })
}

/// Where nothing of the Set is another, it is the very same one.
static FULL: LazyLock<Arc<ShownSet>> = LazyLock::new(|| Arc::new(clickable_set()));

/// Whose buttons can all be pressed.
fn clickable_set() -> ShownSet {
    let mut set = full_set(16, 32, "Clip");
    (set.song.can_undo, set.song.can_redo) = (true, true);
    set
}

fn full() -> WindowModel {
    model_of(Shown { set: Some(FULL.clone()), ..shown_of_new_set() })
}

/// With another Set.
fn changed(change: impl FnOnce(&mut ShownSet)) -> WindowModel {
    let mut set = clickable_set();
    change(&mut set);
    of(set)
}

/// With something else that plays, or is selected.
fn played(beat: f64, level: f64, selected: Option<u64>) -> WindowModel {
    let base = shown_of_new_set();
    let mut playback = base.playback.as_deref().cloned().unwrap();
    (playback.is_playing, playback.beat) = (true, beat);
    playback.playing = (0..8).map(|track| (track, 0, beat % 4.0, 0.0, 4.0, Id(ObjectId(3_000_000)))).collect();
    playback.waiting = vec![(1, 2), (2, -1)];
    playback.meters = vec![(level, level / 2.0); 17];
    playback.selection.clip_id = selected.map(|id| Id(ObjectId(id)));
    model_of(Shown { set: Some(FULL.clone()), playback: Some(Arc::new(playback)), ..base })
}

/// The full Set, with something else about it.
fn shown(change: impl FnOnce(&mut Shown)) -> WindowModel {
    let model = full();
    let mut shown = Shown::clone(&model.shown);
    change(&mut shown);
    model_of(shown)
}

fn listening(address: &str) -> ServerLine {
    ServerLine::Listening { address: address.to_owned() }
}

fn called(line: &str) -> Arc<Vec<Arc<ShownCall>>> {
    Arc::new(vec![Arc::new(ShownCall { line: line.to_owned(), ..ShownCall::default() })])
}

fn played_with(change: impl FnOnce(&mut PlaybackView)) -> WindowModel {
    shown(|shown| {
        let mut playback = shown.playback.as_deref().cloned().unwrap();
        change(&mut playback);
        shown.playback = Some(Arc::new(playback));
    })
}

#[test]
fn what_is_kept_shows_each_change_in_the_next_frame() {
    let second = |set: &mut ShownSet, change: &dyn Fn(&mut crate::window::shown::ShownSlot)| {
        set.slots.get_mut(1).into_iter().for_each(change);
    };
    let changes: Vec<(&str, WindowModel)> = vec![
        ("a clip's name", changed(|set| second(set, &|slot| slot.name = "Other".to_owned()))),
        ("a clip's colour", changed(|set| second(set, &|slot| slot.color = Color32::from_rgb(0, 0, 0x80)))),
        ("a clip that is off", changed(|set| second(set, &|slot| slot.is_muted = true))),
        ("a clip that plays once", changed(|set| second(set, &|slot| slot.is_looped = false))),
        ("no clip", changed(|set| drop(set.slots.remove(1)))),
        ("a track's name", changed(|set| set.tracks[0].view.name = "Other".to_owned())),
        ("a track's colour", changed(|set| set.tracks[0].color = Color32::RED)),
        ("a track that is off", changed(|set| set.tracks[0].view.is_muted = true)),
        ("a fader", changed(|set| set.tracks[0].view.volume_db = Some(-9.0))),
        ("a pan", changed(|set| set.tracks[0].view.pan = -0.5)),
        ("a scene's name", changed(|set| set.scenes[0].name = "Other".to_owned())),
        ("a scene's colour", changed(|set| set.scenes[0].color = Some(Color32::RED))),
        ("a loop", changed(|set| set.song.loop_brace.is_on = true)),
        ("the metronome", changed(|set| set.song.metronome = true)),
        ("a tempo of the Set", changed(|set| set.song.tempo_bpm = 99.0)),
        ("what could not be done", shown(|shown| shown.message = Some("It could not be done.".to_owned()))),
        ("a call", shown(|shown| shown.calls = called("made a clip"))),
        ("another call", shown(|shown| shown.calls = called("deleted a clip"))),
        ("that calls are not read", shown(|shown| shown.are_calls_read = false)),
        ("another tempo that plays", played_with(|playback| playback.tempo_bpm = 133.0)),
        ("another meter that plays", played_with(|playback| playback.meter = "7/8".to_owned())),
        ("a track that was stopped", played_with(|playback| playback.stopped = vec![3])),
        ("where the song is", played_with(|playback| playback.beat = 64.0)),
        ("what plays", played(0.25, 0.0, None)),
        ("how far it is", played(1.25, 0.0, None)),
        ("what blinks", played(1.75, 0.0, None)),
        ("levels", played(1.75, 0.4, None)),
        ("other levels", played(1.75, 1.1, None)),
        ("what is selected", played(1.75, 1.1, Some(3_000_001))),
        ("another address", WindowModel { server: listening("http://127.0.0.1:4000"), ..full() }),
        ("that it listens nowhere", WindowModel { server: ServerLine::Off, ..full() }),
    ];
    let mut glass = Glass::new(false);
    let mut before = glass.settled(&full());
    for (what, model) in changes {
        let now = glass.frame(&model, Vec::new());
        assert!(now != before, "{what} is seen");
        assert!(now == anew(&mut glass, &model), "{what} is drawn as if nothing had been kept");
        before = now;
    }
}

#[test]
fn what_lies_still_is_made_once() {
    let mut glass = Glass::new(false);
    glass.settled(&played(0.0, 0.1, None));
    let settled = glass.drafts.meshes_made();
    // Positions and levels move, what blinks is lit all the while.
    let frame = |glass: &mut Glass, step: u32| {
        let part = f64::from(step) / 100.0;
        glass.frame(&played(part, 0.1 + part, None), Vec::new());
    };
    (1..49).for_each(|step| frame(&mut glass, step));
    assert_eq!(glass.drafts.meshes_made(), settled, "nothing else is other than before");
    frame(&mut glass, 51);
    assert_eq!(glass.drafts.meshes_made(), settled + 2, "of the grid and the strips, where something blinks");
}

/// A frame that asks for another one costs twice.
#[test]
fn the_music_asks_for_one_frame_at_a_time() {
    let mut glass = Glass::new(false);
    glass.settled(&played(0.0, 0.1, None));
    for step in 1..100 {
        let beat = f64::from(step) / 10.0;
        glass.frame(&played(beat, 0.1 + beat / 10.0, None), Vec::new());
        assert!(!glass.is_urgent, "at {beat}");
    }
}

/// What a window shows that has kept nothing.
fn anew(glass: &mut Glass, model: &WindowModel) -> Vec<(Rect, Vec<Vertex>)> {
    let kept = std::mem::replace(&mut glass.drafts, WindowDrafts::at(Tab::Session));
    let seen = glass.frame(model, Vec::new());
    glass.drafts = kept;
    seen
}

/// Where letters are is told as a part of the picture of all letters.
#[test]
fn letters_are_found_while_their_picture_grows() {
    let mut glass = Glass::new(false);
    glass.settled(&full());
    let size = |glass: &Glass| glass.context.fonts(|fonts| fonts.font_image_size());
    let before = size(&glass);
    let letters: Vec<char> = ('\u{a1}'..'\u{1ff}').chain('\u{391}'..'\u{4ff}').collect();
    let named = changed(|set| {
        for (slot, letters) in set.slots.iter_mut().zip(letters.chunks(6).cycle()) {
            slot.name = letters.iter().collect();
        }
    });
    let mut now = glass.frame(&named, Vec::new());
    for scale in [1.5, 2.0] {
        assert!(now == anew(&mut glass, &named), "at {scale}");
        glass.context.set_zoom_factor(scale);
        glass.frame(&named, Vec::new());
        now = glass.frame(&named, Vec::new());
    }
    assert!(size(&glass) != before, "it has grown: {before:?}");
}

#[test]
fn what_is_kept_is_dropped_with_scale_fonts_and_place() {
    let model = full();
    let mut glass = Glass::new(false);
    glass.settled(&model);
    let mut step = |what: &str, change: &dyn Fn(&mut Glass)| {
        change(&mut glass);
        glass.frame(&model, Vec::new());
        let now = glass.frame(&model, Vec::new());
        assert!(now == anew(&mut glass, &model), "{what}");
        glass.frame(&model, Vec::new());
    };
    step("a scale", &|glass| glass.context.set_zoom_factor(1.25));
    step("another one", &|glass| glass.context.set_zoom_factor(1.0));
    step("another font", &|glass| {
        let mut fonts = FontDefinitions::default();
        let other = fonts.families.get(&FontFamily::Monospace).cloned().unwrap();
        fonts.families.insert(FontFamily::Proportional, other);
        glass.context.set_fonts(fonts);
    });
    step("the font of before", &|glass| glass.context.set_fonts(FontDefinitions::default()));
    step("hard edges", &|glass| glass.context.tessellation_options_mut(|options| options.feathering = false));
    step("a size", &|glass| glass.size = Vec2::new(1_333.0, 811.0));
    step("a place", &|glass| {
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: Vec2::new(-33.5, -77.25),
            phase: TouchPhase::Move,
            modifiers: Modifiers::NONE,
            source: MouseWheelSource::Wheel,
        };
        glass.frame(&full(), vec![Event::PointerMoved(Pos2::new(300.0, 300.0))]);
        glass.frame(&full(), vec![wheel]);
        glass.settled(&full());
    });
}

fn key(key: Key) -> Vec<Event> {
    let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    vec![event(true), event(false)]
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Where something is.
fn place_of(model: &WindowModel, name: &str) -> Pos2 {
    let mut user = User::at(Tab::Session);
    user.frame(model, Vec::new());
    user.frame(model, Vec::new());
    user.find(name).place.center()
}

#[test]
fn the_first_input_after_a_rest_finds_all_places() {
    let model = full();
    let at = place_of(&model, "Launch Clip 33, 1 Clip");
    let mut glass = Glass::new(false);
    glass.settled(&model);
    assert!(!glass.is_urgent);
    // All within one frame, out of nowhere.
    glass.frame(&model, vec![Event::PointerMoved(at), button(at, true), button(at, false)]);
    assert_eq!(glass.actions, [], "it waits for a frame with all places");
    assert!(glass.is_urgent, "which comes at once");
    glass.frame(&model, Vec::new());
    assert_eq!(glass.actions, [Action::Call(acts::launch_clip(1, 1))]);
}

#[test]
fn what_is_left_out_of_frames_without_input_is_missed_by_nobody() {
    let model = played(1.25, 0.4, Some(3_000_001));
    let (clip, mute) = (place_of(&model, "Launch Clip 33, 1 Clip"), place_of(&model, "Mute 2 Clip"));
    let (name, fader) = (place_of(&model, "0 Clip, scene 3: Clip 2"), place_of(&model, "Volume of 1 Clip"));
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: Vec2::new(0.0, -64.0),
        phase: TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: MouseWheelSource::Wheel,
    };
    let mut steps: Vec<(String, Vec<Vec<Event>>)> = vec![
        ("hovers".to_owned(), vec![vec![Event::PointerMoved(clip)]]),
        ("launches".to_owned(), vec![vec![button(clip, true)], vec![button(clip, false)]]),
        ("mutes".to_owned(), vec![vec![Event::PointerMoved(mute), button(mute, true)], vec![button(mute, false)]]),
        ("points".to_owned(), vec![vec![Event::PointerMoved(name)]]),
        (
            "opens".to_owned(),
            vec![vec![button(name, true), button(name, false), button(name, true), button(name, false)]],
        ),
        (
            "drags".to_owned(),
            vec![
                vec![Event::PointerMoved(fader)],
                vec![button(fader, true)],
                vec![Event::PointerMoved(fader - Vec2::new(0.0, 20.0))],
                Vec::new(),
                Vec::new(),
                Vec::new(),
                vec![Event::PointerMoved(fader - Vec2::new(0.0, 30.0))],
                vec![button(fader - Vec2::new(0.0, 30.0), false)],
            ],
        ),
        ("turns by key".to_owned(), vec![key(Key::ArrowDown)]),
        ("scrolls".to_owned(), vec![vec![Event::PointerMoved(name)], vec![wheel]]),
        ("leaves".to_owned(), vec![vec![Event::PointerGone]]),
    ];
    for at in 0..30 {
        steps.push((format!("Tab {at}"), vec![key(Key::Tab)]));
        steps.push((format!("Enter {at}"), vec![key(Key::Enter)]));
        let arrow = [Key::ArrowDown, Key::ArrowRight][at % 2];
        if at % 5 == 0 {
            steps.push((format!("arrow {at}"), vec![key(arrow)]));
        }
    }
    let (mut whole, mut sparse) = (Glass::new(true), Glass::new(false));
    assert!(whole.settled(&model) == sparse.settled(&model));
    for (what, frames) in steps {
        for glass in [&mut whole, &mut sparse] {
            // As a window's framework does: what is urgent is drawn before the next input.
            for events in frames.clone() {
                glass.frame(&model, events);
                if std::mem::take(&mut glass.is_urgent) {
                    glass.frame(&model, Vec::new());
                }
            }
        }
        assert!(whole.settled(&model) == sparse.settled(&model), "{what}: the same is seen");
        assert_eq!(whole.calls(), sparse.calls(), "{what}: the same is done");
        for glass in [&mut whole, &mut sparse] {
            // A click on a name may have opened another tab.
            glass.drafts = WindowDrafts::at(Tab::Session);
        }
    }
    let calls = whole.calls();
    assert!(calls.iter().any(|call| call.contains("gainDb")) && calls.len() > 10, "{calls:?}");
}
