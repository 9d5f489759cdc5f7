//! A part of a tab while it is drawn: what lies at its ground becomes one mesh, the lines of text lie on it, and what
//! the painter draws meanwhile lies on both.

use super::stencils::Stencils;
use super::style::font;
use super::widgets::{Icon, PLAY_CORNERS, STOP, icon, line_of};
use egui::epaint::Mesh;
use egui::layers::ShapeIdx;
use egui::{Align2, Color32, CornerRadius, Galley, Id, IdMap, Painter, Pos2, Rect, Shape, Ui, Vec2};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// Lines of text that are kept at a time: more than a screen shows.
const MOST_LINES: usize = 2_048;

/// What is made once and drawn in many frames.
#[derive(Clone, Default)]
pub struct Supplies {
    stencils: Stencils,
    lines: Lines,
    /// How many indices, vertices and lines the parts of the tab had when they were drawn last.
    sizes: IdMap<(usize, usize, usize)>,
}

impl std::fmt::Debug for Supplies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Supplies").finish_non_exhaustive()
    }
}

impl Supplies {
    /// Before a frame is drawn with them.
    pub fn prepare(&mut self, painter: &Painter) {
        let options = painter.ctx().tessellation_options(|options| *options);
        self.stencils.prepare(painter.pixels_per_point(), options);
        self.lines.prepare(painter);
    }
}

/// A line of text, laid out: all that it depends on but the text and the fonts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Look {
    size_bits: u32,
    width_bits: u32,
    color: Color32,
}

#[derive(Clone, Default)]
struct Lines {
    laid_out: HashMap<Look, HashMap<String, Arc<Galley>, RandomState>, RandomState>,
    count: usize,
    /// Laid out by egui in each frame. It is another one once egui has forgotten what it laid out, as it does when
    /// fonts, scale or the pictures of letters are others: then all that is kept here is out of date, too.
    probe: Option<Arc<Galley>>,
}

impl Lines {
    fn prepare(&mut self, painter: &Painter) {
        let probe = painter.layout_no_wrap("svc".to_owned(), font(super::style::NORMAL), Color32::WHITE);
        let is_same = self.probe.as_ref().is_some_and(|before| Arc::ptr_eq(before, &probe));
        if !is_same || self.count > MOST_LINES {
            *self = Lines { probe: Some(probe), ..Lines::default() };
        }
    }

    fn get(&mut self, painter: &Painter, width: f32, text: &str, (size, color): (f32, Color32)) -> Arc<Galley> {
        let look = Look { size_bits: size.to_bits(), width_bits: width.to_bits(), color };
        let lines = self.laid_out.entry(look).or_default();
        if let Some(galley) = lines.get(text) {
            return galley.clone();
        }
        let galley = line_of(painter, width, text, (size, color));
        lines.insert(text.to_owned(), galley.clone());
        self.count += 1;
        galley
    }
}

/// See the [module](self).
pub struct Sheet<'a> {
    supplies: &'a mut Supplies,
    painter: Painter,
    /// Of the part.
    id: Id,
    /// Keeps the place of what lies lowest.
    ground: ShapeIdx,
    mesh: Mesh,
    shapes: Vec<Shape>,
}

impl<'a> Sheet<'a> {
    /// What is drawn from now on lies on it.
    pub fn begin(ui: &Ui, supplies: &'a mut Supplies) -> Sheet<'a> {
        let (painter, id) = (ui.painter().clone(), ui.scope_id());
        let ground = painter.add(Shape::Noop);
        let (indices, vertices, lines) = supplies.sizes.get(&id).copied().unwrap_or_default();
        let mut mesh = Mesh::default();
        mesh.indices.reserve(indices);
        mesh.vertices.reserve(vertices);
        // The first is the ground's.
        let mut shapes = Vec::with_capacity(lines);
        shapes.push(Shape::Noop);
        Sheet { supplies, painter, id, ground, mesh, shapes }
    }

    /// What is out of sight is not drawn.
    fn sees(&self, place: Rect) -> bool {
        self.painter.clip_rect().intersects(place)
    }

    pub fn fill(&mut self, place: Rect, corners: impl Into<CornerRadius>, color: Color32) {
        if self.sees(place) {
            self.shapes.extend(self.supplies.stencils.fill(&mut self.mesh, place, corners.into(), color));
        }
    }

    /// With an edge of one point inside.
    pub fn framed(&mut self, place: Rect, corners: impl Into<CornerRadius>, (edge, fill): (Color32, Color32)) {
        if self.sees(place) {
            self.shapes.extend(self.supplies.stencils.framed(&mut self.mesh, place, corners.into(), (edge, fill)));
        }
    }

    /// In the middle of a place.
    pub fn icon(&mut self, place: Rect, shown: Icon, color: Color32) {
        match shown {
            _ if !self.sees(place) => {}
            Icon::Play => self.supplies.stencils.triangle(&mut self.mesh, PLAY_CORNERS, place.center(), color),
            Icon::Stop => self.fill(Rect::from_center_size(place.center(), Vec2::splat(STOP)), 0, color),
            other => icon(&self.painter, place, other, color),
        }
    }

    /// Left, and in the middle between top and bottom.
    pub fn line(&mut self, place: Rect, text: &str, look: (f32, Color32)) {
        self.text(place, text, look, Align2::LEFT_CENTER);
    }

    /// One line, cut with an ellipsis where it is longer.
    pub fn text(&mut self, place: Rect, text: &str, look: (f32, Color32), align: Align2) {
        if !self.sees(place) {
            return;
        }
        let galley = self.supplies.lines.get(&self.painter, place.width().max(1.0), text, look);
        let at = align.align_size_within_rect(galley.size(), place).min;
        // On whole points, so that letters of neighbours stand on one line.
        self.shapes.push(Shape::galley(Pos2::new(at.x, at.y.round()), galley, look.1));
    }

    /// How wide a line is that is not cut.
    pub fn width(&mut self, text: &str, size: f32) -> f32 {
        self.supplies.lines.get(&self.painter, f32::INFINITY, text, (size, Color32::WHITE)).size().x
    }

    /// Nothing more comes.
    pub fn end(mut self) {
        let sizes = (self.mesh.indices.len(), self.mesh.vertices.len(), self.shapes.len());
        self.supplies.sizes.insert(self.id, sizes);
        if let Some(first) = self.shapes.first_mut() {
            *first = Shape::mesh(self.mesh);
        }
        self.painter.set(self.ground, Shape::Vec(self.shapes));
    }
}
