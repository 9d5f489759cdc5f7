//! Application and Application.View: versions, dialogs, which views show. No window stands behind the views: what is
//! shown is remembered, and scrolling and zooming have nothing to move.

use crate::object_model::{ModelError, Value};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use crate::set::runtime::window_views::{VIEW_NAMES, WindowView};

/// The version of Live whose object model is answered: major, minor, bug fix.
const LIVE_VERSION: (i64, i64, i64) = (12, 4, 0);
/// The same as text.
pub(in crate::set::model) const LIVE_VERSION_TEXT: &str = "12.4";

impl SetState {
    pub(in crate::set::model) fn read_application(&self, member: &str) -> MemberAnswer<Value> {
        Some(Ok(match member {
            // No feature of the object model is missing in an edition of this host: what it cannot do, it refuses.
            "unavailable_features" => Value::Texts(Vec::new()),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn call_application(&mut self, function: &str) -> MemberAnswer<Value> {
        Some(Ok(match function {
            "get_major_version" => LIVE_VERSION.0.into(),
            "get_minor_version" => LIVE_VERSION.1.into(),
            "get_bugfix_version" => LIVE_VERSION.2.into(),
            "get_version_string" => LIVE_VERSION_TEXT.into(),
            "get_document" => ObjectRef::Song.id().into(),
            "get_build_id" => format!("svc-device {}", crate::VERSION).into(),
            "get_variant" => "Suite".into(),
            "has_option" => false.into(),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn read_application_view(&self, member: &str) -> MemberAnswer<Value> {
        let views = self.runtime.views;
        Some(Ok(match member {
            "browse_mode" => views.hot_swap.into(),
            "focused_document_view" => views.main_view().into(),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn call_application_view(
        &mut self,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let named = |at: usize| {
            let name = args.get(at).and_then(Value::as_str).unwrap_or_default();
            let unknown =
                || ModelError::refused(format!("there is no view {name:?}; there are {}", VIEW_NAMES.join(", ")));
            WindowView::from_name(name).ok_or_else(unknown)
        };
        let views = &mut self.runtime.views;
        Some(match function {
            "available_main_views" => Ok(Value::Texts(VIEW_NAMES.map(str::to_owned).to_vec())),
            // The empty name is the main view that shows: focusing it changes nothing.
            "focus_view" if args.first().and_then(Value::as_str) == Some("") => Ok(Value::Nothing),
            "focus_view" | "show_view" => named(0).map(|view| {
                views.show(view);
                Value::Nothing
            }),
            "hide_view" => named(0).map(|view| {
                views.hide(view);
                Value::Nothing
            }),
            "is_view_visible" => named(0).map(|view| views.shows(view).into()),
            "scroll_view" | "zoom_view" => match args.first().and_then(Value::as_i64) {
                Some(0..=3) => named(1).map(|_| Value::Nothing),
                _ => Err(ModelError::refused("a direction is 0 (up), 1 (down), 2 (left) or 3 (right)")),
            },
            "toggle_browse" => {
                views.show(WindowView::Browser);
                views.show(WindowView::DetailDeviceChain);
                let track = match self.selected("selected_track") {
                    Some(ObjectRef::Track(track)) => Some(track),
                    _ => None,
                };
                // Without a selected device there is nothing to swap.
                let device = track.is_some_and(|track| self.selected_device(track).is_some());
                let views = &mut self.runtime.views;
                views.hot_swap = device && !views.hot_swap;
                Ok(Value::Nothing)
            }
            _ => return None,
        })
    }
}
