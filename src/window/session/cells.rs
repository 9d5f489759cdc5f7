//! The clip slots: the triangle launches, the name selects, a double-click or the Enter key on it opens.

use super::scene_state::{SceneState, TrackPlay, Waiting, scene_states};
use super::sight::Sight;
use crate::set::document::TrackKind;
use crate::window::acts;
use crate::window::model::Action;
use crate::window::reach::Reach;
use crate::window::sheet::{Sheet, Supplies};
use crate::window::shown::{Shown, ShownSet, ShownSlot, ShownTrack};
use crate::window::style::{CARD, CLIP_ROUND, GROUND, NORMAL, PLAY, QUIET, SLOT, SMALL, TEXT, WELL, text_on};
use crate::window::tab::Tab;
use crate::window::widgets::{Icon, flash, icon};
use egui::{CornerRadius, Pos2, Rect, Role, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};
use std::collections::{HashMap, HashSet};

/// Width of the part that launches, and its corners.
pub const LAUNCH: f32 = 28.0;
pub const LAUNCH_CORNERS: CornerRadius = CornerRadius { nw: CLIP_ROUND, sw: CLIP_ROUND, ne: 0, se: 0 };
const PROGRESS: f32 = 4.0;
/// A name that has less room than this is smaller.
const ROOMY_NAME: f32 = 100.0;
/// Width of the mark of a clip that is not looped.
const ONCE: f32 = 20.0;

#[derive(Clone, Copy, PartialEq)]
enum SlotState {
    Still,
    Playing(f32),
    Waiting,
    Stopping(f32),
}

impl SlotState {
    fn words(self, is_running: bool) -> &'static str {
        match self {
            SlotState::Still => "",
            SlotState::Playing(_) if !is_running => ", launched",
            SlotState::Playing(_) => ", playing",
            SlotState::Waiting => ", waits to start",
            SlotState::Stopping(_) => ", about to stop",
        }
    }
}

/// The grid, and what plays in it.
pub struct Cells<'a> {
    pub shown: &'a Shown,
    pub set: &'a ShownSet,
    /// Places among the Set's tracks.
    pub columns: Vec<usize>,
    tracks: Vec<TrackPlay>,
    /// Track and scene of the slots of groups below which something plays.
    playing_groups: HashSet<(usize, usize)>,
    /// Of the scenes that are not still.
    scenes: HashMap<usize, SceneState>,
    /// Whether what blinks is lit: the first half of each beat.
    pub is_lit: bool,
    /// The clock runs; while it stands, what is launched does not play.
    pub is_running: bool,
    /// What of it egui is asked about.
    pub reach: Reach,
}

impl<'a> Cells<'a> {
    pub fn of(shown: &'a Shown, set: &'a ShownSet, columns: Vec<usize>, reach: Reach) -> Cells<'a> {
        let mut tracks = vec![TrackPlay::default(); set.tracks.len()];
        let mut playing_groups = HashSet::new();
        let mut is_lit = true;
        let is_running = shown.is_playing();
        if let Some(playback) = &shown.playback {
            is_lit = !playback.is_playing || playback.beat.rem_euclid(1.0) < 0.5;
            for (track, scene, position, start, length, _) in &playback.playing {
                playing_groups.extend(set.groups_of(*track).map(|group| (group, *scene)));
                let part = if *length > 0.0 { ((position - start) / length).clamp(0.0, 1.0) } else { 0.0 };
                if let Some(track) = tracks.get_mut(*track) {
                    track.playing = Some((*scene, part as f32));
                }
            }
            for (track, scene) in &playback.waiting {
                if let Some(track) = tracks.get_mut(*track) {
                    track.waiting = Some(usize::try_from(*scene).map_or(Waiting::Stop, Waiting::Scene));
                }
            }
        }
        let scenes = scene_states(set, &tracks);
        Cells { shown, set, columns, tracks, playing_groups, scenes, is_lit, is_running, reach }
    }

    pub fn scene(&self, scene: usize) -> Option<SceneState> {
        self.scenes.get(&scene).copied()
    }

    pub fn is_playing(&self, track: usize) -> bool {
        let is_group_playing = || self.playing_groups.iter().any(|(group, _)| *group == track);
        self.tracks.get(track).is_some_and(|track| track.playing.is_some()) || is_group_playing()
    }

    pub fn is_stopping(&self, track: usize) -> bool {
        self.tracks.get(track).is_some_and(|track| track.waiting == Some(Waiting::Stop))
    }

    fn state(&self, slot: &ShownSlot) -> SlotState {
        let track = self.tracks.get(slot.track).copied().unwrap_or_default();
        match (track.waiting, track.playing) {
            (Some(Waiting::Scene(scene)), _) if scene == slot.scene => SlotState::Waiting,
            (Some(Waiting::Stop), Some((scene, part))) if scene == slot.scene => SlotState::Stopping(part),
            (_, Some((scene, part))) if scene == slot.scene => SlotState::Playing(part),
            _ => SlotState::Still,
        }
    }

    /// The columns in sight: which one it is, the track's place among all, the track.
    pub fn in_sight<'s>(&'s self, sight: &Sight) -> impl Iterator<Item = (usize, usize, &'a ShownTrack)> + use<'s, 'a> {
        sight.columns.clone().filter_map(|column| {
            let at = *self.columns.get(column)?;
            Some((column, at, self.set.tracks.get(at)?))
        })
    }

    /// Draws what is in sight; what the user asked for is among `actions` then.
    pub fn draw(&self, ui: &mut Ui, sight: &Sight, supplies: &mut Supplies, actions: &mut Vec<Action>) {
        let mut sheet = Sheet::begin(ui, supplies);
        for row in sight.rows.clone() {
            for (column, at, track) in self.in_sight(sight) {
                let place = sight.cell(column, row);
                if self.reach.skips(ui, place) {
                    continue;
                }
                match self.set.slot(at, row) {
                    Some(slot) => self.draw_slot(ui, &mut sheet, (place, slot), actions),
                    None if track.view.kind == TrackKind::Return => {}
                    None => {
                        sheet.fill(place, CLIP_ROUND, SLOT);
                        if self.set.group_slots.contains(&(at, row)) {
                            self.draw_group_slot(ui, &mut sheet, (place, (at, row)), track, actions);
                        }
                    }
                }
            }
        }
        sheet.end();
    }

    /// Of a group below which there are clips: that they are there, and whether one plays. Its triangle launches them.
    fn draw_group_slot(
        &self,
        ui: &Ui,
        sheet: &mut Sheet<'_>,
        (place, slot): (Rect, (usize, usize)),
        group: &ShownTrack,
        actions: &mut Vec<Action>,
    ) {
        let is_playing = self.playing_groups.contains(&slot);
        let id = ui.scope_id().with((group.id, slot.1));
        let touch = self.reach.hover(ui, place, id);
        let shown = if is_playing { SlotState::Playing(0.0) } else { SlotState::Still };
        let state = shown.words(self.is_running);
        let spoken = || format!("{}, scene {}: clips in the group{state}", group.view.name, slot.1 + 1);
        if let Some(response) = touch.response() {
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken()));
        }
        let launch = Rect::from_min_size(place.min, Vec2::new(LAUNCH, place.height()));
        let launcher = self
            .reach
            .press(ui, launch, id.with("launch"), || format!("Launch scene {} of {}", slot.1 + 1, group.view.name));
        self.paint_launch(sheet, launch, shown, launcher.hovered());
        launcher.ring(ui, launch);
        if launcher.clicked() {
            actions.push(Action::Call(acts::launch_clip(slot.0, slot.1)));
        }
        let band = Rect::from_min_max(place.min + Vec2::new(LAUNCH, 10.0), place.max - Vec2::new(8.0, 10.0));
        sheet.fill(band, 3, group.color.gamma_multiply(0.7));
    }

    fn draw_slot(
        &self,
        ui: &mut Ui,
        sheet: &mut Sheet<'_>,
        (place, slot): (Rect, &ShownSlot),
        actions: &mut Vec<Action>,
    ) {
        let state = self.state(slot);
        let launch = Rect::from_min_size(place.min, Vec2::new(LAUNCH, place.height()));
        let name = Rect::from_min_max(Pos2::new(launch.right(), place.top()), place.max);
        let track = self.set.tracks.get(slot.track).map_or("", |track| track.view.name.as_str());
        let id = ui.scope_id().with(slot.id);
        let launcher = self.reach.press(ui, launch, id.with("launch"), || format!("Launch {}, {track}", slot.name));
        let namer = self.reach.press(ui, name, id, || {
            let off = if slot.is_muted { ", switched off" } else { "" };
            let once = if slot.is_looped { "" } else { ", plays once" };
            format!("{track}, scene {}: {}{}{off}{once}", slot.scene + 1, slot.name, state.words(self.is_running))
        });
        // Beyond the edge there are cells for the keyboard alone.
        if ui.is_rect_visible(place) {
            self.paint_launch(sheet, launch, state, launcher.hovered());
            self.paint_name(ui, sheet, name, (slot, state));
        }
        flash(ui.painter(), place, self.shown.flash(slot.id));
        launcher.ring(ui, launch);
        namer.ring(ui, name);
        if launcher.clicked() {
            actions.push(Action::Call(acts::launch_clip(slot.track, slot.scene)));
        }
        if namer.clicked() {
            actions.push(Action::Call(acts::select(&slot.id.to_string())));
            if namer.is_opened() {
                actions.push(Action::Open(Tab::Clip));
            }
        }
        namer.tip(|ui| {
            let holds = if slot.is_audio { "audio".to_owned() } else { format!("{} notes", slot.notes) };
            let length = self.set.meter.span(slot.length_beats);
            let looped = if slot.is_looped { "looped" } else { "plays once" };
            ui.label(format!("{}: {length}, {holds}, {looped}. Double-click opens it.", slot.name));
        });
    }

    fn paint_launch(&self, sheet: &mut Sheet<'_>, place: Rect, state: SlotState, is_hovered: bool) {
        let is_playing = matches!(state, SlotState::Playing(_)) && self.is_running;
        sheet.fill(place, LAUNCH_CORNERS, if is_playing { PLAY } else { WELL });
        let blinks = matches!(state, SlotState::Waiting | SlotState::Stopping(_));
        let color = match state {
            SlotState::Still if is_hovered => TEXT,
            SlotState::Still => QUIET,
            SlotState::Playing(_) if is_playing => GROUND,
            _ if blinks && !self.is_lit => PLAY.gamma_multiply(0.2),
            _ => PLAY,
        };
        let shape = if matches!(state, SlotState::Stopping(_)) { Icon::Stop } else { Icon::Play };
        sheet.icon(place, shape, color);
    }

    fn paint_name(&self, ui: &Ui, sheet: &mut Sheet<'_>, place: Rect, (slot, state): (&ShownSlot, SlotState)) {
        let painter = ui.painter();
        let corners = CornerRadius { nw: 0, sw: 0, ne: CLIP_ROUND, se: CLIP_ROUND };
        let (fill, on_fill) = if slot.is_muted { (CARD, QUIET) } else { (slot.color, text_on(slot.color)) };
        sheet.fill(place, corners, fill);
        let (margin, size) = if place.width() < ROOMY_NAME { (6.0, SMALL) } else { (8.0, NORMAL) };
        let mut text = place.shrink2(Vec2::new(margin, 0.0));
        if !slot.is_looped {
            let mark = Rect::from_min_max(Pos2::new(place.right() - ONCE, place.top()), place.max);
            icon(painter, mark, Icon::Once, on_fill);
            text.max.x = mark.left();
        }
        sheet.line(text, &slot.name, (size, on_fill));
        if let SlotState::Playing(part) | SlotState::Stopping(part) = state {
            let min = Pos2::new(place.left(), place.bottom() - PROGRESS);
            // How long the clip is, and how much of it was played.
            sheet.fill(Rect::from_min_max(min, place.max), 0, on_fill.gamma_multiply(0.25));
            sheet.fill_moving(Rect::from_min_size(min, Vec2::new(place.width() * part, PROGRESS)), on_fill);
        }
        if self.shown.selected_clip() == Some(slot.id) {
            painter.rect_stroke(place, corners, Stroke::new(2.0, on_fill), StrokeKind::Inside);
        }
    }
}
