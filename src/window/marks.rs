//! What lies still on a sheet, as a list that is held against the one of the frame before, as it comes: where both are
//! the same, so is the mesh that was made of it.

use super::stencils::Stencils;
use super::widgets::PLAY_CORNERS;
use egui::epaint::{Mesh, Tessellator};
use egui::{Color32, CornerRadius, Galley, Pos2, Rect, Shape};
use std::sync::Arc;

/// One thing on a sheet. Two are the same where they look the same, and a text where it is the very one that was laid
/// out.
#[derive(Clone, Debug)]
pub enum Mark {
    Fill(Rect, CornerRadius, Color32),
    /// With an edge of one point inside: its colour, then that of the rest.
    Framed(Rect, CornerRadius, (Color32, Color32)),
    /// The one that launches, about its middle.
    Triangle(Pos2, Color32),
    Text(Pos2, Arc<Galley>, Color32),
}

impl PartialEq for Mark {
    fn eq(&self, other: &Mark) -> bool {
        match (self, other) {
            (Mark::Fill(place, corners, color), Mark::Fill(place2, corners2, color2)) => {
                (place, corners, color) == (place2, corners2, color2)
            }
            (Mark::Framed(place, corners, colors), Mark::Framed(place2, corners2, colors2)) => {
                (place, corners, colors) == (place2, corners2, colors2)
            }
            (Mark::Triangle(at, color), Mark::Triangle(at2, color2)) => (at, color) == (at2, color2),
            (Mark::Text(at, galley, color), Mark::Text(at2, galley2, color2)) => {
                (at, color) == (at2, color2) && Arc::ptr_eq(galley, galley2)
            }
            _ => false,
        }
    }
}

/// What the letters of a mesh depend on, beside their texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letters {
    /// Of the picture of all letters, in pixels.
    pub size: [usize; 2],
    /// Rows of text beyond it are left out.
    pub clip: Rect,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Marks {
    list: Vec<Mark>,
    /// How many of them this frame has so far.
    count: usize,
    /// Rectangles that are others in each frame.
    moving: Vec<(Rect, Color32)>,
    made: Option<Made>,
}

/// The mesh of a frame, with all that it was made with but the marks.
#[derive(Clone, Debug)]
struct Made {
    /// What lies still, then what moves: as one mesh, of which epaint makes one copy that need not grow.
    mesh: Arc<Mesh>,
    /// Vertices and indices of what lies still.
    still: (usize, usize),
    letters: Letters,
    /// Of the stencils.
    generation: u64,
}

impl Marks {
    pub fn begin(&mut self) {
        self.count = 0;
        self.moving.clear();
    }

    pub fn put(&mut self, mark: Mark) {
        match self.list.get_mut(self.count) {
            Some(before) if *before == mark => {}
            Some(before) => {
                *before = mark;
                self.made = None;
            }
            None => {
                self.list.push(mark);
                self.made = None;
            }
        }
        self.count += 1;
    }

    /// Lies on all that does not move.
    pub fn put_moving(&mut self, place: Rect, color: Color32) {
        self.moving.push((place, color));
    }

    /// Nothing more comes.
    pub fn end(&mut self) {
        if self.count < self.list.len() {
            self.list.truncate(self.count);
            self.made = None;
        }
    }

    /// Nothing that lies still is other than when the mesh was made.
    pub fn is_made(&self, stencils: &Stencils, letters: Letters) -> bool {
        let is_same = |made: &Made| made.letters == letters && made.generation == stencils.generation();
        self.made.as_ref().is_some_and(is_same)
    }

    /// Rectangles and triangles, then what lies on them, then what moves.
    pub fn mesh(&mut self, stencils: &mut Stencils, letters: Letters) -> Arc<Mesh> {
        let is_made = self.is_made(stencils, letters);
        let mut made = self.made.take().filter(|_| is_made).unwrap_or_else(|| {
            let mesh = self.drawn(stencils, letters);
            let still = (mesh.vertices.len(), mesh.indices.len());
            Made { mesh: Arc::new(mesh), still, letters, generation: stencils.generation() }
        });
        // Nobody else has it, once the frame before was drawn.
        let mesh = Arc::make_mut(&mut made.mesh);
        mesh.vertices.truncate(made.still.0);
        mesh.indices.truncate(made.still.1);
        let fill = |(place, color): &(Rect, Color32)| stencils.fill(mesh, *place, CornerRadius::ZERO, *color);
        let thin: Vec<Shape> = self.moving.iter().filter_map(fill).collect();
        tessellate(thin, (stencils, letters), mesh);
        self.made.insert(made).mesh.clone()
    }

    fn drawn(&self, stencils: &mut Stencils, letters: Letters) -> Mesh {
        let mut mesh = Mesh::default();
        let mut above = Vec::new();
        for mark in &self.list {
            match mark {
                Mark::Fill(place, corners, color) => {
                    above.extend(stencils.fill(&mut mesh, *place, *corners, *color));
                }
                Mark::Framed(place, corners, colors) => {
                    above.extend(stencils.framed(&mut mesh, *place, *corners, *colors));
                }
                Mark::Triangle(at, color) => stencils.triangle(&mut mesh, PLAY_CORNERS, *at, *color),
                Mark::Text(at, galley, color) => above.push(Shape::galley(*at, galley.clone(), *color)),
            }
        }
        tessellate(above, (stencils, letters), &mut mesh);
        mesh
    }
}

/// Adds what no stencil is cut for.
fn tessellate(shapes: Vec<Shape>, (stencils, letters): (&Stencils, Letters), out: &mut Mesh) {
    if shapes.is_empty() {
        return;
    }
    let (pixels_per_point, options) = stencils.made_for();
    // Nothing in it is a disc.
    let mut tessellator = Tessellator::new(pixels_per_point, options, letters.size, Vec::new());
    tessellator.set_clip_rect(letters.clip);
    shapes.into_iter().for_each(|shape| tessellator.tessellate_shape(shape, out));
}
