//! What a reader is about to read, so that a host whose objects are in another program can fetch all of it in one
//! exchange ([`HostFacts::snapshot`](super::HostFacts::snapshot)).
//!
//! A scope is a plan and no limit: a snapshot that is asked for something else reads on. What it leaves out costs an
//! exchange each time it is read, and nothing else.

use super::error::ModelError;
use super::id::ObjectId;
use std::sync::Arc;

/// What is about to be read. It is worked out only where a host asks for its [parts](Scope::parts).
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    parts: &'a dyn Fn() -> Result<Vec<Part>, ModelError>,
}

/// An object, and what is read of it and below it.
///
/// With every object of a scope come its id, its class and its path, and for each step of that path which object stands
/// there and of what class. So it is for the facts of the host: its clock, its roots, the name of the Set.
#[derive(Clone, Debug)]
pub struct Part {
    pub of: Origin,
    pub shape: Arc<Shape>,
}

/// Where a part begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Id(ObjectId),
    /// An object path, such as `live_set tracks 0`. There may be nothing.
    Path(String),
}

/// What is read of one kind of object. What an object of the kind does not have is left out.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub properties: Vec<&'static str>,
    /// Every property that the class has, for what is read by its class.
    pub all_properties: bool,
    /// Child lists of which only the length is read.
    pub counts: Vec<&'static str>,
    /// Single children and child lists, with what is read of each object in them.
    pub children: Vec<(&'static str, Arc<Shape>)>,
    /// The notes of a MIDI clip.
    pub notes: bool,
    /// How a parameter shows its values, and the labels at the ends of its range.
    pub display: bool,
}

impl<'a> Scope<'a> {
    pub fn new(parts: &'a dyn Fn() -> Result<Vec<Part>, ModelError>) -> Scope<'a> {
        Scope { parts }
    }

    /// The parts. Finding them may read through the host that asks.
    pub fn parts(&self) -> Result<Vec<Part>, ModelError> {
        (self.parts)()
    }
}

impl Part {
    pub fn of_path(path: impl Into<String>, shape: impl Into<Arc<Shape>>) -> Part {
        Part { of: Origin::Path(path.into()), shape: shape.into() }
    }

    pub fn of_id(id: ObjectId, shape: impl Into<Arc<Shape>>) -> Part {
        Part { of: Origin::Id(id), shape: shape.into() }
    }
}

impl Shape {
    pub fn of(properties: &[&'static str]) -> Shape {
        Shape { properties: properties.to_vec(), ..Shape::default() }
    }

    /// Adds properties.
    pub fn with(mut self, properties: &[&'static str]) -> Shape {
        self.properties.extend_from_slice(properties);
        self
    }

    /// Adds them where `on`.
    pub fn with_if(self, on: bool, properties: &[&'static str]) -> Shape {
        if on { self.with(properties) } else { self }
    }

    pub fn counting(mut self, lists: &[&'static str]) -> Shape {
        self.counts.extend_from_slice(lists);
        self
    }

    /// Adds a child or child list.
    pub fn below(mut self, child: &'static str, shape: impl Into<Arc<Shape>>) -> Shape {
        self.children.push((child, shape.into()));
        self
    }

    pub fn below_if(self, on: bool, child: &'static str, shape: impl FnOnce() -> Shape) -> Shape {
        if on { self.below(child, shape()) } else { self }
    }
}
