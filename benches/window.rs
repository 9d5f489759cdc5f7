//! What the window costs. First a frame of it: the view and its tessellation, without the renderer, of a playing Set
//! of 16 tracks and 32 scenes with every slot full, and of one of 200 by 200; the median, and what part of a core that
//! is at the window's pace of 20 frames a second. Then a whole device that plays such a Set, with its window open, as
//! the window's framework drives it: how often it draws, and what each of its threads takes, beside the same device
//! with the window closed.

#[cfg(target_os = "linux")]
#[path = "support/client.rs"]
mod client;
#[path = "window/fixture.rs"]
mod fixture;
#[cfg(target_os = "linux")]
#[path = "window/open.rs"]
mod open;
#[cfg(target_os = "linux")]
mod support;

use egui::{Context, Pos2, RawInput, Rect, Vec2};
use fixture::{full_set, model_of, shown_of_new_set};
use std::sync::Arc;
use std::time::Instant;
use svc_device::object_model::ObjectId;
use svc_device::set_view::Id;
use svc_device::window::model::WindowModel;
use svc_device::window::shown::{Shown, ShownSet};
use svc_device::window::view::{WindowDrafts, draw};

const FRAMES: usize = 400;
/// Frames a second while the Set plays.
const PACE: f64 = 20.0;

fn main() {
    println!("view and tessellation of a playing Set, one frame at a time, {FRAMES} frames");
    for (tracks, scenes) in [(16, 32), (200, 200)] {
        for size in [Vec2::new(1_040.0, 700.0), Vec2::new(1_900.0, 1_100.0)] {
            let (median, vertices) = measured(tracks, scenes, size);
            let part = median * PACE * 100.0;
            let (width, height) = (size.x, size.y);
            println!(
                "{tracks:>3} x {scenes:<3}  {width} x {height}: {:>7.3} ms  {part:>5.2} % of a core  {vertices} vertices",
                median * 1_000.0
            );
        }
    }
    #[cfg(target_os = "linux")]
    open::run();
}

/// Seconds of a frame, and its vertices.
fn measured(tracks: usize, scenes: usize, size: Vec2) -> (f64, usize) {
    let context = Context::default();
    svc_device::window::prepare(&context);
    let mut drafts = WindowDrafts::default();
    let set = Arc::new(full_set(tracks, scenes, "Clip"));
    let mut times = Vec::new();
    let mut vertices = 0;
    for frame in 0..FRAMES {
        let model = playing(&set, tracks, frame as f64 / PACE * 2.0);
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size));
        let input = RawInput { screen_rect, time: Some(frame as f64 / PACE), ..RawInput::default() };
        let begun = Instant::now();
        let mut output = context.run_ui(input, |ui| drop(draw(ui, &model, &mut drafts)));
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        times.push(begun.elapsed().as_secs_f64());
        // Nothing is painted.
        output.textures_delta.clear();
        vertices = primitives
            .iter()
            .map(|primitive| match &primitive.primitive {
                egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
                egui::epaint::Primitive::Callback(_) => 0,
            })
            .sum();
    }
    times.sort_by(f64::total_cmp);
    (times.get(FRAMES / 2).copied().unwrap_or_default(), vertices)
}

/// The first scene plays at that beat, with sound on every track.
fn playing(set: &Arc<ShownSet>, tracks: usize, beat: f64) -> WindowModel {
    let base = shown_of_new_set();
    let mut playback = base.playback.as_deref().cloned().expect("of a Set");
    playback.is_playing = true;
    playback.beat = beat;
    playback.playing = (0..tracks).map(|track| (track, 0, beat % 4.0, 0.0, 4.0, Id(ObjectId(3_000_000)))).collect();
    let level = (beat * 0.7).sin().abs();
    playback.meters = vec![(level, level * 0.8); tracks + 1];
    model_of(Shown { set: Some(set.clone()), playback: Some(Arc::new(playback)), ..base })
}
