//! A part of a tab while it is drawn: what lies at its ground with the lines of text on it becomes one mesh, and what
//! the painter draws meanwhile lies on both. In most frames only little moves: the mesh is made anew where something in
//! it is other than in the frame before.

use super::marks::{Letters, Mark, Marks};
use super::stencils::Stencils;
use super::style::font;
use super::widgets::{Icon, STOP, icon, line_of};
use egui::layers::ShapeIdx;
use egui::{Align2, Color32, Context, CornerRadius, Galley, Id, IdMap, Painter, Pos2, Rect, Shape, Ui, Vec2};
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
    /// The parts of the tab as they were drawn last.
    parts: IdMap<Marks>,
    /// Those that were drawn in this frame so far.
    ended: Vec<Ended>,
    /// Counts the meshes that were made.
    #[cfg(test)]
    made: usize,
}

/// A part of which nothing more comes in this frame.
#[derive(Clone)]
struct Ended {
    id: Id,
    painter: Painter,
    ground: ShapeIdx,
    marks: Marks,
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

    #[cfg(test)]
    pub fn made(&self) -> usize {
        self.made
    }

    /// Puts the sheets of a frame in their places, when no more text comes: where a letter is in the picture of all
    /// letters is told as a part of that picture, which grows with each new one.
    pub fn finish(&mut self, ctx: &Context) {
        let size = ctx.fonts(|fonts| fonts.font_image_size());
        for Ended { id, painter, ground, mut marks } in std::mem::take(&mut self.ended) {
            let letters = Letters { size, clip: painter.clip_rect() };
            #[cfg(test)]
            {
                self.made += usize::from(!marks.is_made(&self.stencils, letters));
            }
            painter.set(ground, Shape::Mesh(marks.mesh(&mut self.stencils, letters)));
            self.parts.insert(id, marks);
        }
    }
}

/// A line of text, laid out: all that it depends on but the text and the fonts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Look {
    size_bits: u32,
    width_bits: u32,
    color: Color32,
}

/// A text that egui lays out in each frame. It is another one once egui has forgotten what it laid out, as it does when
/// fonts, scale or the pictures of letters are others: then all letters that are kept elsewhere are out of date, too.
pub fn probe(painter: &Painter) -> Arc<Galley> {
    painter.layout_no_wrap("svc".to_owned(), font(super::style::NORMAL), Color32::WHITE)
}

#[derive(Clone, Default)]
struct Lines {
    laid_out: HashMap<Look, HashMap<String, Arc<Galley>, RandomState>, RandomState>,
    count: usize,
    probe: Option<Arc<Galley>>,
}

impl Lines {
    fn prepare(&mut self, painter: &Painter) {
        let probe = probe(painter);
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
    marks: Marks,
}

impl<'a> Sheet<'a> {
    /// What is drawn from now on lies on it.
    pub fn begin(ui: &Ui, supplies: &'a mut Supplies) -> Sheet<'a> {
        let (painter, id) = (ui.painter().clone(), ui.scope_id());
        let ground = painter.add(Shape::Noop);
        let mut marks = supplies.parts.remove(&id).unwrap_or_default();
        marks.begin();
        Sheet { supplies, painter, id, ground, marks }
    }

    /// What is out of sight is not drawn.
    fn sees(&self, place: Rect) -> bool {
        self.painter.clip_rect().intersects(place)
    }

    pub fn fill(&mut self, place: Rect, corners: impl Into<CornerRadius>, color: Color32) {
        if self.sees(place) {
            self.marks.put(Mark::Fill(place, corners.into(), color));
        }
    }

    /// What moves with the music; it lies on all that does not.
    pub fn fill_moving(&mut self, place: Rect, color: Color32) {
        if self.sees(place) {
            self.marks.put_moving(place, color);
        }
    }

    /// With an edge of one point inside.
    pub fn framed(&mut self, place: Rect, corners: impl Into<CornerRadius>, (edge, fill): (Color32, Color32)) {
        if self.sees(place) {
            self.marks.put(Mark::Framed(place, corners.into(), (edge, fill)));
        }
    }

    /// In the middle of a place.
    pub fn icon(&mut self, place: Rect, shown: Icon, color: Color32) {
        match shown {
            _ if !self.sees(place) => {}
            Icon::Play => self.marks.put(Mark::Triangle(place.center(), color)),
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
        self.marks.put(Mark::Text(Pos2::new(at.x, at.y.round()), galley, look.1));
    }

    /// How wide a line is that is not cut.
    pub fn width(&mut self, text: &str, size: f32) -> f32 {
        self.supplies.lines.get(&self.painter, f32::INFINITY, text, (size, Color32::WHITE)).size().x
    }

    /// Nothing more comes.
    pub fn end(mut self) {
        self.marks.end();
        let Sheet { supplies, painter, id, ground, marks } = self;
        supplies.ended.push(Ended { id, painter, ground, marks });
    }
}
