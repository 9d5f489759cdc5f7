//! What a name behind a path means: `pC1/name`, `pC1/playbackMode`, `c0/gainDb`, `c0/d0/Drive`. A chain or pad has a
//! name, a choke group, a fader and a pan; all else is a parameter of the device there.

use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets::is_return_chain;
use crate::tools::address::model_read::{child, child_if_any, children, class, int, text};
use crate::tools::address::path::Path;
use crate::tools::address::path_format::{drum_note, path_and_id};
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::error::ToolError;
use crate::tools::parameter::ParamWrite;
use crate::tools::parameter::find::{ParamNames, ResolvedParam};
use crate::tools::parameter::pad_sample::{instruments, only_layer, path_inside};
use crate::tools::parameter::virtual_table::VirtualParam;
use serde_json::{Value, json};

/// What a name behind a path means.
#[derive(Clone, Copy, Debug)]
pub enum InnerParam {
    /// Of a device.
    Parameter(ObjectId),
    /// The fader or pan of a chain.
    Strip(ObjectId),
    /// Of the device.
    Virtual(ObjectId, &'static VirtualParam),
    /// Of a chain.
    Chain(ObjectId, ChainMember),
}

/// What a chain has that is no parameter.
#[derive(Clone, Copy, Debug)]
pub enum ChainMember {
    Name,
    ChokeGroup,
}

impl ChainMember {
    pub fn name(self) -> &'static str {
        match self {
            ChainMember::Name => "name",
            ChainMember::ChokeGroup => "chokeGroup",
        }
    }

    /// Writes it, and gives what it is then.
    pub fn write(self, session: &mut dyn Session, chain: ObjectId, value: &str) -> Result<Value, ToolError> {
        Ok(match self {
            ChainMember::Name => {
                session.set(chain, "name", value.into())?;
                json!(text(session, chain, "name")?)
            }
            ChainMember::ChokeGroup => {
                let group = value.trim().parse::<i64>().ok().filter(|group| (0..=16).contains(group));
                let group = group
                    .ok_or_else(|| ToolError::new(format!("\"{value}\" is no choke group; send 0 (none) to 16")))?;
                if is_return_chain(session, chain)? || drum_note(session, chain)?.is_none() {
                    let named = path_and_id(session, chain)?;
                    return Err(ToolError::new(format!("{named} is no chain of a drum pad, which has a choke group")));
                }
                session.set(chain, "choke_group", Model::Int(group))?;
                json!(int(session, chain, "choke_group")?)
            }
        })
    }
}

/// What `name` behind the path `prefix` inside a device means now, or why it means nothing.
pub fn find(session: &dyn Session, device: ObjectId, prefix: &str, name: &str) -> Result<InnerParam, ToolError> {
    let inside = path_inside(session, device, prefix)?;
    let Some(Ok(Path::Device(way))) = inside.map(|inside| path_parse::parse(&inside)) else {
        return Err(ToolError::new(format!("\"{prefix}\" is no path inside the device")));
    };
    let chain = match path_resolve::device(session, &way)?.0 {
        ResolvedPath::Pad(layers) => only_layer(session, prefix, &layers)?,
        ResolvedPath::Object(id) => match class(session, id)? {
            Some("DrumPad") => only_layer(session, prefix, &children(session, id, "chains")?)?,
            Some("Chain" | "DrumChain") => Some(id),
            _ => return of_device(session, id, name),
        },
    };
    let chain = chain.ok_or_else(|| {
        ToolError::not_found(format!("the pad is empty; \"{prefix}/sample\" in the same call fills it"))
    })?;
    let strip = |member: &str| -> Result<InnerParam, ToolError> {
        let mixer = child(session, chain, "mixer_device")?;
        let fader = mixer.map(|mixer| child_if_any(session, mixer, member)).transpose()?.flatten();
        fader.map(InnerParam::Strip).ok_or_else(|| {
            ToolError::new(format!("{name}: the chain's mixer has none; a chain of MIDI effects has only its switch"))
        })
    };
    match name {
        "name" => Ok(InnerParam::Chain(chain, ChainMember::Name)),
        "chokeGroup" => Ok(InnerParam::Chain(chain, ChainMember::ChokeGroup)),
        "gainDb" => strip("volume"),
        "pan" => strip("panning"),
        _ => of_device(session, only_device(session, chain, prefix, name)?, name),
    }
}

fn of_device(session: &dyn Session, device: ObjectId, name: &str) -> Result<InnerParam, ToolError> {
    let item = ParamWrite { name: Some(name.to_owned()), id: None, value: None };
    match ParamNames::of_device(session, device)?.find(session, &item)? {
        ResolvedParam::Parameter { id, .. } => Ok(InnerParam::Parameter(id)),
        ResolvedParam::Virtual(of) => Ok(InnerParam::Virtual(device, of)),
        ResolvedParam::Sample { .. } | ResolvedParam::Inner { .. } => {
            Err(ToolError::new(format!("\"{name}\" is no parameter of {}", path_and_id(session, device)?)))
        }
    }
}

/// The instrument of a chain, or else its only device.
fn only_device(session: &dyn Session, chain: ObjectId, prefix: &str, name: &str) -> Result<ObjectId, ToolError> {
    let mut found = Vec::new();
    instruments(session, chain, &mut found)?;
    let devices = children(session, chain, "devices")?;
    match (found.as_slice(), devices.as_slice()) {
        ([one], _) | ([], [one]) => Ok(*one),
        (_, []) => Err(ToolError::new("the chain holds no device that could have it")),
        (_, several) => {
            let named = several
                .iter()
                .enumerate()
                .map(|(at, device)| Ok(format!("{prefix}/d{at}/{name} ({})", text(session, *device, "name")?)));
            let named = named.collect::<Result<Vec<_>, ModelError>>()?.join(", ");
            Err(ToolError::new(format!("name the device that is meant: {named}")))
        }
    }
}
