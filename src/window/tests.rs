//! The view without a screen: what is drawn is found by its name in the accessibility tree, as a screen reader finds
//! it, and what a user does is sent as events.

mod activity;
mod clip;
mod files_and_settings;
#[path = "../../benches/window/fixture.rs"]
mod fixture;
mod groups;
mod kept;
mod keyboard;
mod on_a_device;
mod playing;
mod scenes;
mod sizes;
mod tabs;

use super::model::{Action, WindowModel};
use super::shown::Shown;
use super::tab::Tab;
use super::view::{WindowDrafts, draw};
use crate::device::{Config, Device, Persistence};
use crate::object_model::ObjectId;
use crate::paths::AllowedFolders;
use crate::service::pump::SliceThread;
use crate::service::{CallRequest, Caller, ProfileHeaders, Settings, Via};
use crate::set::Document;
use crate::set_view::{ClipView, Waveforms};
use crate::sound::player::Player;
use crossbeam_channel::Receiver;
use egui::accesskit::{self, ActionRequest, Node, NodeId, Role};
use egui::epaint::ClippedShape;
use egui::{Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use fixture::{model_of, shown_of, shown_of_new_set};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The size that most tests look at.
const SIZE: Vec2 = Vec2::new(1_040.0, 700.0);

/// A Set without a clip.
fn plain() -> WindowModel {
    model_of(shown_of_new_set())
}

fn with_settings(settings: Settings) -> WindowModel {
    WindowModel { settings: Arc::new(settings), ..plain() }
}

/// Something in the accessibility tree.
#[derive(Clone, Debug)]
struct Found {
    id: NodeId,
    role: Role,
    /// Its name, or the text itself.
    name: String,
    place: Rect,
    is_on: bool,
}

/// A user before the window.
struct User {
    context: Context,
    drafts: WindowDrafts,
    size: Vec2,
    time: f64,
    tree: Vec<Found>,
    /// What was painted, with what of it is in sight.
    painted: Vec<ClippedShape>,
    /// The name of what has the keyboard.
    focused: String,
}

impl User {
    fn at(tab: Tab) -> User {
        let context = Context::default();
        super::prepare(&context);
        context.enable_accesskit();
        // All of it, so that nothing has to be scrolled to.
        let size = if tab == Tab::Setup { Vec2::new(SIZE.x, 1_600.0) } else { SIZE };
        let (tree, painted, focused) = (Vec::new(), Vec::new(), String::new());
        User { context, drafts: WindowDrafts::at(tab), size, time: 0.0, tree, painted, focused }
    }

    /// One frame with these events, half a second after the last.
    fn frame(&mut self, model: &WindowModel, events: Vec<Event>) -> Vec<Action> {
        let mut drafts = std::mem::take(&mut self.drafts);
        let mut actions = Vec::new();
        self.run(events, |ui| actions.extend(draw(ui, model, &mut drafts)));
        self.drafts = drafts;
        actions
    }

    /// One frame of anything.
    fn run(&mut self, events: Vec<Event>, mut draw: impl FnMut(&mut egui::Ui)) {
        self.time += 0.5;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let input = RawInput { screen_rect, events, time: Some(self.time), ..RawInput::default() };
        let mut output = self.context.run_ui(input, |ui| draw(ui));
        // Nobody paints it.
        output.textures_delta.clear();
        self.painted = output.shapes;
        let update = output.platform_output.accesskit_update;
        let focus = update.as_ref().map(|update| update.focus);
        let nodes = update.map(|update| update.nodes).unwrap_or_default();
        let named = |node: &Node| node.label().or(node.value()).unwrap_or_default().to_owned();
        self.tree = nodes
            .iter()
            .filter_map(|(id, node)| {
                let bounds = node.bounds()?;
                let (min, max) = ((bounds.x0, bounds.y0), (bounds.x1, bounds.y1));
                let place =
                    Rect::from_min_max(Pos2::new(min.0 as f32, min.1 as f32), Pos2::new(max.0 as f32, max.1 as f32));
                // A field is named by the label beside it.
                let labels = node.labelled_by().first();
                let label = labels.and_then(|id| nodes.iter().find(|(other, _)| other == id));
                let name = label.map_or_else(|| named(node), |(_, label)| named(label));
                let is_on = node.toggled() == Some(egui::accesskit::Toggled::True);
                Some(Found { id: *id, role: node.role(), name, place, is_on })
            })
            .collect();
        let focused = self.tree.iter().find(|found| Some(found.id) == focus);
        self.focused = focused.map_or_else(String::new, |found| found.name.clone());
        // From the top, as one reads.
        let place = |found: &Found| (found.place.top(), found.place.left());
        self.tree.sort_by(|a, b| place(a).partial_cmp(&place(b)).unwrap_or(std::cmp::Ordering::Equal));
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Found> {
        self.tree.iter().filter(move |found| found.name == name)
    }

    fn names(&self) -> Vec<&str> {
        self.tree.iter().map(|found| found.name.as_str()).filter(|name| !name.is_empty()).collect()
    }

    /// What has that name and takes clicks or text, else what shows it.
    fn find(&self, name: &str) -> &Found {
        let named = || self.tree.iter().filter(|found| found.name == name);
        let found = named().find(|found| !matches!(found.role, Role::Label | Role::TextRun)).or_else(|| named().next());
        found.unwrap_or_else(|| panic!("{name:?} is not among {:?}", self.names()))
    }

    /// Puts the keyboard on what has that name, as a screen reader does.
    fn focus(&mut self, model: &WindowModel, name: &str) {
        let request = ActionRequest {
            action: accesskit::Action::Focus,
            target_tree: accesskit::TreeId::ROOT,
            target_node: self.find(name).id,
            data: None,
        };
        self.frame(model, vec![Event::AccessKitActionRequest(request)]);
        self.frame(model, Vec::new());
    }

    fn sees(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    fn press(&mut self, model: &WindowModel, at: Pos2) -> Vec<Action> {
        let button = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let mut actions = self.frame(model, vec![Event::PointerMoved(at)]);
        actions.extend(self.frame(model, vec![button(true)]));
        actions.extend(self.frame(model, vec![button(false)]));
        actions.extend(self.frame(model, Vec::new()));
        actions
    }

    /// Clicks what has that name.
    fn click(&mut self, model: &WindowModel, name: &str) -> Vec<Action> {
        self.frame(model, Vec::new());
        let at = self.find(name).place.center();
        self.press(model, at)
    }

    /// Clicks the one of that name that stands furthest down or right.
    fn press_last(&mut self, model: &WindowModel, name: &str) -> Vec<Action> {
        self.frame(model, Vec::new());
        let last = self.all(name).last().unwrap_or_else(|| panic!("{name:?} is not among {:?}", self.names()));
        let at = last.place.center();
        self.press(model, at)
    }

    fn key(&mut self, model: &WindowModel, key: Key, modifiers: Modifiers) -> Vec<Action> {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        let mut actions = self.frame(model, vec![event(true)]);
        actions.extend(self.frame(model, vec![event(false)]));
        actions
    }

    /// Writes a text into the field of that name, in place of what is there, and presses Enter.
    fn write(&mut self, model: &WindowModel, name: &str, text: &str) -> Vec<Action> {
        let mut actions = self.click(model, name);
        actions.extend(self.key(model, Key::A, Modifiers::COMMAND));
        actions.extend(self.key(model, Key::Backspace, Modifiers::NONE));
        actions.extend(self.frame(model, vec![Event::Text(text.to_owned())]));
        actions.extend(self.key(model, Key::Enter, Modifiers::NONE));
        actions
    }
}

/// A device without a player, and what it tells whoever shows it.
struct Rig {
    device: Arc<Device>,
    news: Receiver<()>,
    _player: Player,
}

impl Rig {
    fn new() -> Rig {
        Rig::of(Document::new_set())
    }

    fn of(document: Document) -> Rig {
        let (told, news) = crossbeam_channel::unbounded();
        let (device, player) = Device::new(Config {
            instance: "test".to_owned(),
            settings: Settings::default(),
            document,
            own_clock: true,
            port_override: Some(0),
            host_override: None,
            persistence: Persistence::Nowhere,
            // The test has seen enough when nobody listens.
            on_change: Box::new(move || {
                let _ = told.send(());
            }),
        });
        device.start(SliceThread::Model).unwrap();
        Rig { device, news, _player: player }
    }

    /// As a script calls; refusals fail the test.
    fn call(&self, tool: &str, arguments: Value) {
        let request = CallRequest {
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap(),
            headers: ProfileHeaders::default(),
            timeout: None,
            json: true,
            as_text: false,
            published_only: false,
            who: Caller::new(Via::Rest, "test"),
            chosen_file: None,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let answer = runtime.block_on(self.device.service.call(request));
        let answer = answer.unwrap_or_else(|why| panic!("{tool} {arguments}: {why:?}"));
        assert!(!answer.is_error, "{tool} {arguments}: {:?}", answer.result.into_value());
    }

    fn shown(&self) -> Shown {
        shown_of(&self.device.set.snapshot().0)
    }

    fn clip(&self, id: ObjectId) -> Option<Arc<ClipView>> {
        let (set, revision) = self.device.set.snapshot();
        ClipView::of(&set, revision, id, &Waveforms::default(), &AllowedFolders::default()).map(Arc::new)
    }

    /// Until the device has something to show.
    fn wait(&self, what: &str) {
        self.news.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("no news of {what}"));
    }
}
