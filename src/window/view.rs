//! Draws the window: transport, tabs, what needs attention, the open tab, the last call.

use super::activity::{ActivityDrafts, draw_activity};
use super::arrangement::{ArrangementDrafts, draw_arrangement};
use super::attention::{draw_attention, is_needed};
use super::clip::draw_clip;
use super::context::{ContextDrafts, draw_context};
use super::header::{HeaderDrafts, TabsKey, TransportKey, draw_position, draw_tabs, draw_transport, take_keys};
use super::kept_part::KeptPart;
use super::model::{Action, WindowModel};
use super::reach::Reach;
use super::session::{SessionDrafts, draw_session};
use super::setup::{SetupDrafts, draw_setup};
use super::status::{StatusKey, draw_status};
use super::style::{CARD, GROUND};
use super::tab::Tab;
use super::widgets::{card, heading};
use egui::{CentralPanel, Context, Frame, Label, Margin, Panel, ScrollArea, Ui};

/// What the user is in the middle of: the open tab, and texts that were typed and not taken.
#[derive(Clone, Debug, Default)]
pub struct WindowDrafts {
    pub tab: Tab,
    header: HeaderDrafts,
    kept: KeptParts,
    session: SessionDrafts,
    arrangement: ArrangementDrafts,
    activity: ActivityDrafts,
    setup: SetupDrafts,
    context: ContextDrafts,
}

/// What was drawn around the tab in the last frame.
#[derive(Clone, Debug, Default)]
struct KeptParts {
    transport: KeptPart<TransportKey>,
    tabs: KeptPart<TabsKey>,
    status: KeptPart<StatusKey>,
}

impl KeptParts {
    fn finish(&mut self, ctx: &Context) {
        self.transport.finish(ctx);
        self.tabs.finish(ctx);
        self.status.finish(ctx);
    }
}

impl WindowDrafts {
    /// Of a window that shows that tab.
    pub fn at(tab: Tab) -> WindowDrafts {
        WindowDrafts { tab, ..WindowDrafts::default() }
    }
}

#[cfg(test)]
impl WindowDrafts {
    /// How many meshes the Session has made so far.
    pub fn meshes_made(&self) -> usize {
        self.session.made()
    }
}

const TRANSPORT: f32 = 44.0;
const TABS: f32 = 36.0;
const STATUS: f32 = 32.0;
/// What needs attention takes at most this part of the window.
const MOST_ATTENTION: f32 = 0.4;

/// Draws the window and gives what the user asked for in this frame.
pub fn draw(ui: &mut Ui, model: &WindowModel, drafts: &mut WindowDrafts) -> Vec<Action> {
    let mut actions = Vec::new();
    let shown = &*model.shown;
    take_keys(ui, shown, &mut drafts.tab, &mut actions);
    // The Session leaves out what is out of sight by itself. To go through all that it draws once more, and look
    // whether it is in sight, is a tenth of a frame.
    ui.ctx().tessellation_options_mut(|options| options.coarse_tessellation_culling = drafts.tab != Tab::Session);
    let reach = Reach::of(ui);
    let bar = |height: f32| {
        move |panel: Panel| {
            let frame = Frame::new().fill(CARD).inner_margin(Margin::symmetric(16, 0));
            panel.exact_size(height).resizable(false).frame(frame)
        }
    };
    bar(TRANSPORT)(Panel::top("transport")).show_separator_line(false).show(ui, |ui| {
        let draw = |ui: &mut Ui| draw_transport(ui, shown, &mut drafts.header, &mut actions);
        drafts.kept.transport.show(ui, &reach, TransportKey::of(shown), draw);
        draw_position(ui, shown, &drafts.header);
    });
    let tabs = Frame::new().fill(CARD).inner_margin(Margin { left: 4, right: 16, top: 0, bottom: 0 });
    bar(TABS)(Panel::top("tabs")).frame(tabs).show(ui, |ui| {
        let key = TabsKey::of(model, drafts.tab);
        let draw = |ui: &mut Ui| draw_tabs(ui, model, &mut drafts.tab, &mut actions);
        drafts.kept.tabs.show(ui, &reach, key, draw);
    });
    bar(STATUS)(Panel::bottom("status")).show(ui, |ui| {
        let draw = |ui: &mut Ui| draw_status(ui, shown, &mut drafts.tab, &mut actions);
        drafts.kept.status.show(ui, &reach, StatusKey::of(shown), draw);
    });
    if is_needed(model) {
        let most = ui.available_height() * MOST_ATTENTION;
        let frame = Frame::new().fill(GROUND).inner_margin(Margin { left: 16, right: 16, top: 12, bottom: 4 });
        Panel::top("attention").resizable(false).frame(frame).show(ui, |ui| {
            ScrollArea::vertical()
                .max_height(most)
                .min_scrolled_height(most)
                .auto_shrink([false, true])
                .show(ui, |ui| draw_attention(ui, model, &mut actions));
        });
    }
    CentralPanel::default().frame(Frame::new().fill(GROUND)).show(ui, |ui| match drafts.tab {
        tab if tab.is_of_set() && model.host.is_live => draw_unshown(ui, model),
        Tab::Session => draw_session(ui, model, reach, &mut drafts.session, &mut actions),
        Tab::Arrangement => draw_arrangement(ui, model, &mut drafts.arrangement, &mut actions),
        Tab::Clip => draw_clip(ui, model, &mut actions),
        Tab::Activity => draw_activity(ui, model, &mut drafts.activity, &mut actions),
        Tab::Setup => draw_setup(ui, model, &mut drafts.setup, &mut actions),
        Tab::Context => draw_context(ui, model, &mut drafts.context, &mut actions),
    });
    drafts.kept.finish(ui.ctx());
    if let Some(tab) = actions.iter().rev().find_map(|action| match action {
        Action::Open(tab) => Some(*tab),
        _ => None,
    }) {
        drafts.tab = tab;
    }
    actions
}

/// In place of a tab that shows the Set, while the tools work on Live's.
fn draw_unshown(ui: &mut Ui, model: &WindowModel) {
    Frame::new().inner_margin(16).show(ui, |ui| {
        ui.set_max_width(ui.available_width().min(640.0));
        card(ui, |ui| {
            heading(ui, "The Set is open in Ableton Live");
            ui.add(Label::new(&model.host.text).wrap());
            ui.label("Live shows it. Transport, Activity, Setup and Context work here as ever.");
        });
    });
}
