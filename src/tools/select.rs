//! `svc-select`: what the host shows. Neither the Set nor its undo history changes.

use crate::object_model::path::Root;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, child, class, flag};
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::address::targets::{self, class_with_article};
use crate::tools::aliases::clip_aliases::ARRANGED_CLIP;
use crate::tools::aliases::fold::SELECTED;
use crate::tools::arguments::action_params::sent;
use crate::tools::arguments::lists;
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::read::track_fields::track_type;
use crate::tools::report::target_result::add_detail;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-select",
    title: "Select",
    // It moves the view, but no client that must not change the Set has to do without it.
    read_only: true,
    destructive: false,
    description: |_| "Selects one thing and shows it, or without arguments tells what is selected.".to_owned(),
    params: &[
        Param::new("id", ParamKind::Text, "one id: track, scene, clip, device, chain or pad"),
        Param::new("path", ParamKind::Text, "one path: t0, rt0, mt, s0, t0/s0, t0[5|1], t0/d0, t0/d0/c0 or t0/d0/pC1"),
        Param::new("view", ParamKind::Choice(&["session", "arrangement"]), "main view"),
        Param::new("openPluginWindow", ParamKind::Boolean, "open or close the window of the plug-in named")
            .hidden_in_small_model(),
    ],
    aliases: &[ARRANGED_CLIP, SELECTED],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let plan = Plan::read(args)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    }),
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    view: Option<String>,
    #[serde(rename = "openPluginWindow")]
    open_plugin_window: Option<bool>,
}

struct Plan {
    id: Option<ObjectId>,
    path: Option<(String, Path)>,
    view: Option<MainView>,
    open_plugin_window: Option<bool>,
    warning: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MainView {
    Session,
    Arrangement,
}

impl MainView {
    /// As the tool says it, and as the host calls it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            MainView::Session => ("session", "Session"),
            MainView::Arrangement => ("arrangement", "Arranger"),
        }
    }
}

impl Plan {
    fn read(args: Args) -> Result<Plan, ToolError> {
        let one = |parameter: &str, text: Option<String>| -> Result<Option<String>, ToolError> {
            let Some(text) = text.filter(|text| sent(Some(text))) else { return Ok(None) };
            match lists::split_targets(parameter, &text)?.as_slice() {
                [one] => Ok(Some(one.clone())),
                _ => Err(ToolError::about(parameter, "one thing is selected at a time, so no list")),
            }
        };
        let id = one("id", args.id)?.map(|text| targets::id_of(&text));
        let mut warning = None;
        let path = one("path", args.path)?.map(|text| {
            let (path, old) = targets::path_or_old("path", &text, targets::is_slot)?;
            warning = old;
            Ok::<_, ToolError>((text, path))
        });
        let path = path.transpose()?;
        Ok(Plan {
            id: id.transpose()?,
            path,
            view: args.view.map(|view| if view == "session" { MainView::Session } else { MainView::Arrangement }),
            open_plugin_window: args.open_plugin_window,
            warning,
        })
    }

    fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        call.warnings.extend(self.warning.clone());
        let target = self.target(session, call)?;
        // A `false` without a device closes nothing: clients fill it in by themselves.
        let of_device = match target {
            Some(id) => is_device(session, id)?,
            None => false,
        };
        let window = self.open_plugin_window.filter(|open| *open || of_device);
        if target.is_none() && self.view.is_none() && window.is_none() {
            return state(session);
        }
        let mut desk = SelectionViews::open(session)?;
        match target {
            Some(target) => desk.select(session, target, self.view)?,
            None => {
                if let Some(view) = self.view {
                    desk.show(session, view)?;
                }
            }
        }
        if let Some(open) = window {
            desk.plugin_window(session, open)?;
        }
        Ok(Value::Object(desk.result))
    }

    /// The one thing that id and path name.
    fn target(&self, session: &dyn Session, call: &mut CallContext) -> Result<Option<ObjectId>, ToolError> {
        if let Some(id) = self.id
            && session.class_of(id)?.is_none()
        {
            return Err(ToolError::new(format!("no object has the id {id} (any more)")));
        }
        let Some((spelling, path)) = &self.path else { return Ok(self.id) };
        let by_path = match path {
            Path::Track(track) => model_read::track(session, *track)?,
            Path::Scene(at) => model_read::scene(session, *at)?,
            Path::Slot { track, scene } => model_read::slot(session, *track, *scene)?,
            Path::Arrangement { lane: Some(lane), at } => path_resolve::clip_covering(session, *lane, at)?,
            Path::Device(device) => {
                let (found, warning) = path_resolve::device(session, device)?;
                call.warnings.extend(warning);
                match found {
                    ResolvedPath::Object(id) => id,
                    // A pad inside another rack is no object; its first layer stands for it.
                    ResolvedPath::Pad(chains) => {
                        *chains.first().ok_or_else(|| ToolError::new(format!("{spelling} is empty")))?
                    }
                }
            }
            Path::NewTrack | Path::NewReturn | Path::NewScene | Path::NewLane { .. } | Path::NewLaneMoment { .. } => {
                return Err(ToolError::new(format!("{spelling} is for something new; select what is there")));
            }
            Path::Lane { .. } | Path::Arrangement { lane: None, .. } => {
                return Err(ToolError::new(format!(
                    "{spelling} names nothing that can be selected; name its track or a clip"
                )));
            }
        };
        match self.id {
            // A slot and the clip in it are one thing to look at.
            Some(id) if id != by_path && model_read::child_if_any(session, by_path, "clip")? != Some(id) => Err(
                ToolError::new(format!("id {id} and path {spelling} name different things; one is selected at a time")),
            ),
            _ => Ok(Some(by_path)),
        }
    }
}

/// The host's views, and what the call produced.
struct SelectionViews {
    song_view: ObjectId,
    app_view: ObjectId,
    result: Map<String, Value>,
    device: Option<ObjectId>,
}

impl SelectionViews {
    fn open(session: &dyn Session) -> Result<SelectionViews, ToolError> {
        let gone = || ToolError::new("the host has no view");
        let app = session.root(Root::LiveApp)?.ok_or_else(gone)?;
        Ok(SelectionViews {
            song_view: child(session, model_read::song(session)?, "view")?.ok_or_else(gone)?,
            app_view: child(session, app, "view")?.ok_or_else(gone)?,
            result: Map::new(),
            device: None,
        })
    }

    fn show(&mut self, session: &mut dyn Session, view: MainView) -> Result<(), ToolError> {
        let (name, host_name) = view.names();
        session.call(self.app_view, "focus_view", &[host_name.into()])?;
        self.result.insert("view".to_owned(), json!(name));
        Ok(())
    }

    /// Opens a page of the detail panel, and closes the browser, which would hide it on a small screen.
    fn show_detail(&self, session: &mut dyn Session, page: &str) -> Result<(), ToolError> {
        session.call(self.app_view, "show_view", &[page.into()])?;
        session.call(self.app_view, "hide_view", &["Browser".into()])?;
        Ok(())
    }

    fn set_selected(&self, session: &mut dyn Session, member: &str, at: ObjectId) -> Result<(), ToolError> {
        Ok(session.set(self.song_view, member, Model::Object(Some(at)))?)
    }

    fn add_result(&mut self, field: &str, entry: Value) {
        self.result.insert(field.to_owned(), entry);
    }

    /// Selects it; `view` is what the caller asked for, which gives way to what the object needs.
    fn select(&mut self, session: &mut dyn Session, target: ObjectId, view: Option<MainView>) -> Result<(), ToolError> {
        let kind = class(session, target)?.unwrap_or_default();
        let needs = match kind {
            "Scene" | "ClipSlot" => Some(MainView::Session),
            "Clip" if slot_of(session, target)?.is_some() => Some(MainView::Session),
            "Clip" => Some(MainView::Arrangement),
            _ => None,
        };
        if let Some(view) = needs.or(view) {
            self.show(session, view)?;
        }
        if let (Some(needs), Some(asked)) = (needs, view)
            && needs != asked
        {
            let (asked, needs) = (asked.names().0, needs.names().0);
            add_detail(&mut self.result, format!("view {asked} ignored: what is selected is shown in the {needs}"));
        }
        match kind {
            "Track" => {
                self.set_selected(session, "selected_track", target)?;
                self.add_result("selectedTrack", track_entry(session, target)?);
            }
            "Scene" => {
                self.set_selected(session, "selected_scene", target)?;
                self.add_result("selectedScene", plain_entry(session, target)?);
            }
            "ClipSlot" => self.select_slot(session, target)?,
            "Clip" => match slot_of(session, target)? {
                Some(slot) => self.select_slot(session, slot)?,
                None => {
                    self.select_track_of(session, target)?;
                    self.select_clip(session, target)?;
                }
            },
            "Chain" | "DrumChain" => {
                self.select_track_of(session, target)?;
                self.set_selected(session, "selected_chain", target)?;
                // A rack's own view knows its chains, but no return chains.
                if let Some(rack) = child(session, target, "canonical_parent")?
                    && model_read::children(session, rack, "chains")?.contains(&target)
                {
                    point_rack(session, rack, "selected_chain", target)?;
                }
                self.show_detail(session, "Detail/DeviceChain")?;
                self.add_result("selectedChain", plain_entry(session, target)?);
            }
            "DrumPad" => {
                self.select_track_of(session, target)?;
                if let Some(rack) = child(session, target, "canonical_parent")? {
                    point_rack(session, rack, "selected_drum_pad", target)?;
                }
                self.show_detail(session, "Detail/DeviceChain")?;
                self.add_result("selectedDrumPad", plain_entry(session, target)?);
            }
            _ if is_device(session, target)? => {
                self.select_track_of(session, target)?;
                session.call(self.song_view, "select_device", &[Model::Object(Some(target))])?;
                self.show_detail(session, "Detail/DeviceChain")?;
                self.device = Some(target);
                self.add_result("selectedDevice", plain_entry(session, target)?);
            }
            other => {
                return Err(ToolError::new(format!(
                    "id {target} is {}; tracks, scenes, clips, devices, chains and pads can be selected",
                    class_with_article(other)
                )));
            }
        }
        Ok(())
    }

    /// An empty slot is only highlighted.
    fn select_slot(&mut self, session: &mut dyn Session, slot: ObjectId) -> Result<(), ToolError> {
        self.set_selected(session, "highlighted_clip_slot", slot)?;
        if let Some(track) = child(session, slot, "canonical_parent")? {
            self.add_result("selectedTrack", track_entry(session, track)?);
        }
        match child(session, slot, "clip")? {
            Some(clip) => self.select_clip(session, clip)?,
            None => {
                if let Some(scene) = child(session, self.song_view, "selected_scene")? {
                    self.add_result("selectedScene", plain_entry(session, scene)?);
                }
            }
        }
        Ok(())
    }

    fn select_clip(&mut self, session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        self.set_selected(session, "detail_clip", clip)?;
        self.show_detail(session, "Detail/Clip")?;
        self.add_result("selectedClip", plain_entry(session, clip)?);
        Ok(())
    }

    /// The track that an object is on, at any depth.
    fn select_track_of(&mut self, session: &mut dyn Session, object: ObjectId) -> Result<(), ToolError> {
        let mut at = child(session, object, "canonical_parent")?;
        while let Some(id) = at
            && class(session, id)? != Some("Track")
        {
            at = child(session, id, "canonical_parent")?;
        }
        match at {
            Some(track) => {
                self.set_selected(session, "selected_track", track)?;
                self.add_result("selectedTrack", track_entry(session, track)?);
                Ok(())
            }
            None => Err(ToolError::new(format!("id {object} is on no track"))),
        }
    }

    fn plugin_window(&mut self, session: &mut dyn Session, open: bool) -> Result<(), ToolError> {
        let Some(device) = self.device else {
            return Err(ToolError::new("openPluginWindow needs a plug-in device, by id or path"));
        };
        let Some(entry) = self.result.get_mut("selectedDevice").and_then(Value::as_object_mut) else { return Ok(()) };
        if class(session, device)? != Some("PluginDevice") {
            add_detail(entry, "openPluginWindow ignored: the device is no plug-in and has no window of its own");
            return Ok(());
        }
        match session.set(device, "is_editor_open", open.into()) {
            Ok(()) => drop(entry.insert("pluginWindowOpen".to_owned(), json!(open))),
            Err(why) => add_detail(entry, format!("the plug-in's window was not moved: {why}")),
        }
        Ok(())
    }
}

fn point_rack(session: &mut dyn Session, rack: ObjectId, member: &str, at: ObjectId) -> Result<(), ToolError> {
    if let Some(view) = child(session, rack, "view")? {
        session.set(view, member, Model::Object(Some(at)))?;
    }
    Ok(())
}

fn is_device(session: &dyn Session, id: ObjectId) -> Result<bool, ModelError> {
    Ok(model_read::if_any(session.get(id, "class_display_name"))?.is_some())
}

/// The slot of a session clip.
fn slot_of(session: &dyn Session, clip: ObjectId) -> Result<Option<ObjectId>, ModelError> {
    let Some(parent) = child(session, clip, "canonical_parent")? else { return Ok(None) };
    Ok((class(session, parent)? == Some("ClipSlot")).then_some(parent))
}

fn plain_entry(session: &dyn Session, id: ObjectId) -> Result<Value, ModelError> {
    Ok(Value::Object(path_format::id_and_path(session, id)?))
}

fn track_entry(session: &dyn Session, track: ObjectId) -> Result<Value, ModelError> {
    let mut entry = plain_entry(session, track)?;
    entry["type"] = json!(track_type(session, track)?);
    Ok(entry)
}

/// What is selected now.
fn state(session: &dyn Session) -> Result<Value, ToolError> {
    let desk = SelectionViews::open(session)?;
    let mut result = Map::new();
    let main = model_read::text(session, desk.app_view, "focused_document_view")?;
    let view = if main == "Arranger" { MainView::Arrangement } else { MainView::Session };
    result.insert("view".to_owned(), json!(view.names().0));
    let selected = |member: &str| child(session, desk.song_view, member);
    let track = selected("selected_track")?;
    if let Some(track) = track {
        result.insert("selectedTrack".to_owned(), track_entry(session, track)?);
    }
    for (member, field) in [("selected_scene", "selectedScene"), ("detail_clip", "selectedClip")] {
        if let Some(id) = selected(member)? {
            result.insert(field.to_owned(), plain_entry(session, id)?);
        }
    }
    if let Some(track) = track
        && let Some(view) = child(session, track, "view")?
        && let Some(device) = child(session, view, "selected_device")?
    {
        let mut entry = plain_entry(session, device)?;
        if class(session, device)? == Some("PluginDevice") && flag(session, device, "is_editor_open")? {
            entry["pluginWindowOpen"] = json!(true);
        }
        result.insert("selectedDevice".to_owned(), entry);
    }
    Ok(Value::Object(result))
}
