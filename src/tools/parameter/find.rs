//! What a name or id of a parameter means on a device.

use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, children_if_any, class, flag_if_any, if_any, text};
use crate::tools::address::path_format;
use crate::tools::arguments::nearest;
use crate::tools::error::ToolError;
use crate::tools::parameter::ParamWrite;
use crate::tools::parameter::display;
use crate::tools::parameter::pad_sample;
use crate::tools::parameter::virtual_table::{self, VirtualParam};

/// A parameter as it can be named.
pub struct NamedParam {
    pub id: ObjectId,
    /// As answers show it.
    pub name: String,
    /// What else it answers to.
    also: Vec<String>,
}

/// What can be named on one device, in order.
pub struct ParamNames {
    pub device: ObjectId,
    pub parameters: Vec<NamedParam>,
    pub virtual_params: Vec<&'static VirtualParam>,
}

/// What an item of `params` means.
#[derive(Clone, Debug, PartialEq)]
pub enum ResolvedParam {
    Parameter {
        id: ObjectId,
        name: String,
    },
    Virtual(&'static VirtualParam),
    /// A sample, for the device itself or for what the prefix names.
    Sample {
        prefix: Option<String>,
    },
    /// What a chain, pad or device inside has, by the path inside the device.
    Inner {
        prefix: String,
        name: String,
    },
}

impl ParamNames {
    pub fn of_device(session: &dyn Session, device: ObjectId) -> Result<ParamNames, ModelError> {
        let parameters = || Shape::of(&["name", "original_name"]);
        let shape = || Shape::of(&["can_have_chains"]).below("parameters", parameters());
        let parts = || Ok(vec![Part::of_id(device, shape())]);
        model_read::through_snapshot(session, &parts, |session| ParamNames::read(session, device))
    }

    fn read(session: &dyn Session, device: ObjectId) -> Result<ParamNames, ModelError> {
        let of_rack = flag_if_any(session, device, "can_have_chains")?;
        let mut parameters = Vec::new();
        for id in children_if_any(session, device, "parameters")? {
            let own = text(session, id, "name")?;
            let name = display::name(session, id, of_rack)?;
            let original = if_any(text(session, id, "original_name"))?.unwrap_or_default();
            parameters.push(NamedParam { id, name, also: vec![own, original] });
        }
        Ok(ParamNames { device, parameters, virtual_params: virtual_table::virtual_params_of(session, device)? })
    }

    /// What the item means, or why it means nothing: a sentence for a `detail`.
    pub fn find(&self, session: &dyn Session, item: &ParamWrite) -> Result<ResolvedParam, ToolError> {
        let by_id = item.id.as_deref().map(|id| self.by_id(session, id)).transpose()?;
        let Some(name) = item.name.as_deref() else {
            return by_id.ok_or_else(|| ToolError::new("it has neither name nor id"));
        };
        // An id says which of two parameters of one name is meant.
        if let Some(ResolvedParam::Parameter { id, .. }) = &by_id
            && let Some(own) = self.parameters.iter().find(|p| p.id == *id && p.answers_to(name, true))
        {
            return Ok(own.resolved());
        }
        let named = self.by_name(session, name)?;
        match by_id {
            Some(other) if other != named => {
                Err(ToolError::new("name and id are those of two parameters; send one of them"))
            }
            _ => Ok(named),
        }
    }

    fn by_id(&self, session: &dyn Session, id: &str) -> Result<ResolvedParam, ToolError> {
        let found = id.parse().ok().and_then(|id| self.parameters.iter().find(|p| p.id == ObjectId(id)));
        if let Some(found) = found {
            return Ok(found.resolved());
        }
        let owner = match id.parse().ok().map(ObjectId) {
            Some(id) if class(session, id)? == Some("DeviceParameter") => {
                model_read::child(session, id, "canonical_parent")?
            }
            _ => None,
        };
        Err(ToolError::new(match owner {
            Some(owner) => {
                format!("that is a parameter of {}, not of this device", path_format::path_and_id(session, owner)?)
            }
            None => format!("no parameter of this device has the id {id}; svc-read-device with params lists them"),
        }))
    }

    fn by_name(&self, session: &dyn Session, name: &str) -> Result<ResolvedParam, ToolError> {
        for any_case in [false, true] {
            let mut fits: Vec<&NamedParam> = self.parameters.iter().filter(|p| p.shown_as(name, any_case)).collect();
            if fits.is_empty() {
                fits = self.parameters.iter().filter(|p| p.answers_to(name, any_case)).collect();
            }
            match fits.as_slice() {
                [] => {}
                [one] => return Ok(one.resolved()),
                several => {
                    let ids = several.iter().map(|p| p.id.to_string()).collect::<Vec<_>>().join(", ");
                    return Err(ToolError::new(format!(
                        "{} parameters are called that; send one by id: {ids}",
                        several.len()
                    )));
                }
            }
            let same = |known: &str| if any_case { known.eq_ignore_ascii_case(name) } else { known == name };
            if let Some(virtual_param) = self.virtual_params.iter().find(|virtual_param| same(virtual_param.name)) {
                return Ok(if virtual_param.name == pad_sample::SAMPLE {
                    ResolvedParam::Sample { prefix: None }
                } else {
                    ResolvedParam::Virtual(virtual_param)
                });
            }
        }
        if name.eq_ignore_ascii_case(pad_sample::SAMPLE) {
            return Err(ToolError::new(pad_sample::why_none(session, self.device)?));
        }
        if let Some((prefix, last)) = name.rsplit_once('/')
            && last.eq_ignore_ascii_case(pad_sample::SAMPLE)
        {
            return Ok(ResolvedParam::Sample { prefix: Some(prefix.to_owned()) });
        }
        if let Some((prefix, last)) = pad_sample::split(session, self.device, name)? {
            return Ok(ResolvedParam::Inner { prefix: prefix.to_owned(), name: last.to_owned() });
        }
        if name.bytes().all(|b| b.is_ascii_digit())
            && let Some(found) = name.parse().ok().and_then(|id| self.parameters.iter().find(|p| p.id == ObjectId(id)))
        {
            return Ok(found.resolved());
        }
        if let Some(why) = virtual_table::only_in_live(session, self.device, name)? {
            return Err(ToolError::new(why));
        }
        let known = self.parameters.iter().map(|p| p.name.as_str()).chain(self.virtual_params.iter().map(|p| p.name));
        let hint = match nearest::hint(name, known) {
            none if none.is_empty() => "; svc-read-device with params lists them".to_owned(),
            hint => hint,
        };
        Err(ToolError::new(format!("this device has no parameter of that name{hint}")))
    }
}

impl NamedParam {
    /// Whether one of its names holds the text, which is in lower case.
    pub fn holds(&self, search: &str) -> bool {
        std::iter::once(&self.name).chain(&self.also).any(|name| name.to_lowercase().contains(search))
    }

    fn shown_as(&self, name: &str, any_case: bool) -> bool {
        if any_case { self.name.to_lowercase() == name.to_lowercase() } else { self.name == name }
    }

    fn answers_to(&self, name: &str, any_case: bool) -> bool {
        let fits = |known: &String| if any_case { known.to_lowercase() == name.to_lowercase() } else { known == name };
        // Some names end in a blank, which callers leave out.
        self.shown_as(name, any_case) || self.also.iter().any(fits) || any_case && self.name.trim() == name.trim()
    }

    fn resolved(&self) -> ResolvedParam {
        ResolvedParam::Parameter { id: self.id, name: self.name.clone() }
    }
}
