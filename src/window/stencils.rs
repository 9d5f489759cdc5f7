//! Shapes that a tab draws hundreds of times in each frame, cut once for each size: rectangles with round corners and
//! the triangle that launches. To cut one anew each time costs epaint more than all else of such a frame.
//!
//! A stencil is a pure function of its key, size, corners and edge in whole pixels; colour and place come with each
//! use. So none can be out of date, and a scale or a screen with other pixels drops all.

use egui::emath::GuiRounding;
use egui::epaint::{Mesh, RectShape, TessellationOptions, Tessellator};
use egui::{Color32, CornerRadius, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Kept at a time. A meter has one for each height in pixels.
const MOST: usize = 1_024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Outline {
    /// Its size in pixels.
    Rect(i32, i32, CornerRadius),
    /// The same with an edge of one point inside, in these colours: the edge, then the rest.
    Framed(i32, i32, CornerRadius, Color32, Color32),
    Triangle,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Stencils {
    /// What all of them are cut for.
    pixels_per_point: f32,
    options: TessellationOptions,
    /// Counts how often they were for something else.
    generation: u64,
    cut: HashMap<Outline, Mesh, RandomState>,
}

impl Stencils {
    /// Drops what was cut for others.
    pub fn prepare(&mut self, pixels_per_point: f32, options: TessellationOptions) {
        if (self.pixels_per_point, self.options) != (pixels_per_point, options) || self.cut.len() > MOST {
            let generation = self.generation + 1;
            *self = Stencils { pixels_per_point, options, generation, cut: HashMap::default() };
        }
    }

    /// Another one where what they are cut for is another.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Pixels per point, and how edges are drawn.
    pub fn made_for(&self) -> (f32, TessellationOptions) {
        (self.pixels_per_point, self.options)
    }

    /// Adds a filled rectangle. A thin one, which epaint draws as a line between pixels, comes back as it is.
    pub fn fill(&mut self, out: &mut Mesh, place: Rect, corners: CornerRadius, color: Color32) -> Option<Shape> {
        let Some((at, width, height)) = self.pixels(place) else {
            return Some(Shape::rect_filled(place, corners, color));
        };
        let size = self.points(width, height);
        let cut = || Shape::rect_filled(Rect::from_min_size(Pos2::ZERO, size), corners, Color32::WHITE);
        self.stamp(out, Outline::Rect(width, height, corners), cut, at, Some(color));
        None
    }

    /// The same with an edge of one point inside.
    pub fn framed(
        &mut self,
        out: &mut Mesh,
        place: Rect,
        corners: CornerRadius,
        (edge, fill): (Color32, Color32),
    ) -> Option<Shape> {
        let whole =
            |place| Shape::Rect(RectShape::new(place, corners, fill, Stroke::new(1.0, edge), StrokeKind::Inside));
        let Some((at, width, height)) = self.pixels(place) else { return Some(whole(place)) };
        let size = self.points(width, height);
        let cut = || whole(Rect::from_min_size(Pos2::ZERO, size));
        self.stamp(out, Outline::Framed(width, height, corners, edge, fill), cut, at, None);
        None
    }

    /// Adds the triangle of a button that launches.
    pub fn triangle(&mut self, out: &mut Mesh, corners: [Vec2; 3], center: Pos2, color: Color32) {
        let cut = || {
            let corners = corners.iter().map(|corner| corner.to_pos2()).collect();
            Shape::convex_polygon(corners, Color32::WHITE, Stroke::NONE)
        };
        self.stamp(out, Outline::Triangle, cut, center, Some(color));
    }

    /// Where it begins once it lies on pixels, as epaint lays it, and its size in pixels.
    fn pixels(&self, place: Rect) -> Option<(Pos2, i32, i32)> {
        let scale = self.pixels_per_point;
        if place.width().min(place.height()) * scale <= 2.0 {
            return None;
        }
        let place = place.round_to_pixels(scale);
        let pixels = |points: f32| (points * scale).round() as i32;
        Some((place.min, pixels(place.width()), pixels(place.height())))
    }

    fn points(&self, width: i32, height: i32) -> Vec2 {
        Vec2::new(width as f32, height as f32) / self.pixels_per_point
    }

    /// In that colour, if the stencil has none of its own.
    fn stamp(
        &mut self,
        out: &mut Mesh,
        outline: Outline,
        cut: impl FnOnce() -> Shape,
        at: Pos2,
        color: Option<Color32>,
    ) {
        let (pixels_per_point, options) = (self.pixels_per_point, self.options);
        let stencil = self.cut.entry(outline).or_insert_with(|| {
            let mut mesh = Mesh::default();
            // There is no text in it, so no font either.
            Tessellator::new(pixels_per_point, options, [1, 1], Vec::new()).tessellate_shape(cut(), &mut mesh);
            mesh
        });
        let first = out.vertices.len() as u32;
        out.indices.extend(stencil.indices.iter().map(|index| first + index));
        out.vertices.extend(stencil.vertices.iter().map(|vertex| {
            let mut vertex = *vertex;
            vertex.pos += at.to_vec2();
            // The outer side of a soft edge stays clear.
            if let Some(color) = color.filter(|_| vertex.color == Color32::WHITE) {
                vertex.color = color;
            }
            vertex
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::style::{LINE, WELL};

    const CORNERS: CornerRadius = CornerRadius { nw: 4, sw: 4, ne: 0, se: 0 };
    const TRIANGLE: [Vec2; 3] = [Vec2::new(-3.5, -4.5), Vec2::new(4.5, 0.0), Vec2::new(-3.5, 4.5)];

    /// As epaint would have drawn it.
    fn plain(shape: Shape, scale: f32) -> Mesh {
        let mut mesh = Mesh::default();
        let mut tessellator = Tessellator::new(scale, TessellationOptions::default(), [1, 1], Vec::new());
        tessellator.tessellate_shape(shape, &mut mesh);
        mesh
    }

    fn assert_same(stamped: &Mesh, plain: &Mesh, what: &str) {
        assert_eq!(stamped.indices, plain.indices, "{what}");
        assert_eq!(stamped.vertices.len(), plain.vertices.len(), "{what}");
        for (one, other) in stamped.vertices.iter().zip(&plain.vertices) {
            assert!(one.pos.distance(other.pos) < 0.001, "{what}: {:?} {:?}", one.pos, other.pos);
            assert_eq!((one.color, one.uv), (other.color, other.uv), "{what}");
        }
    }

    #[test]
    fn what_is_stamped_is_what_epaint_draws() {
        let mut stencils = Stencils::default();
        for scale in [1.0, 1.25, 1.5, 2.0, 1.0] {
            stencils.prepare(scale, TessellationOptions::default());
            for at in [Pos2::new(8.0, 120.0), Pos2::new(143.3, 20.6), Pos2::new(-7.7, 3.49)] {
                for (size, color) in [(Vec2::new(28.0, 28.0), WELL), (Vec2::new(104.5, 28.0), Color32::RED)] {
                    let place = Rect::from_min_size(at, size);
                    let what = format!("{place} at {scale}");
                    let mut mesh = Mesh::default();
                    assert!(stencils.fill(&mut mesh, place, CORNERS, color).is_none());
                    assert_same(&mesh, &plain(Shape::rect_filled(place, CORNERS, color), scale), &what);
                    let mut mesh = Mesh::default();
                    let corners = CornerRadius::same(2);
                    assert!(stencils.framed(&mut mesh, place, corners, (LINE, color)).is_none());
                    let shape = RectShape::new(place, corners, color, Stroke::new(1.0, LINE), StrokeKind::Inside);
                    assert_same(&mesh, &plain(Shape::Rect(shape), scale), &what);
                }
                let mut mesh = Mesh::default();
                stencils.triangle(&mut mesh, TRIANGLE, at, Color32::RED);
                let corners = TRIANGLE.iter().map(|corner| at + *corner).collect();
                let shape = Shape::convex_polygon(corners, Color32::RED, Stroke::NONE);
                assert_same(&mesh, &plain(shape, scale), "the triangle");
            }
        }
    }

    #[test]
    fn a_thin_one_is_left_to_epaint() {
        let mut stencils = Stencils::default();
        stencils.prepare(1.0, TessellationOptions::default());
        let place = Rect::from_min_size(Pos2::new(3.0, 4.4), Vec2::new(5.0, 1.3));
        let mut mesh = Mesh::default();
        let shape = stencils.fill(&mut mesh, place, CORNERS, WELL);
        assert_eq!((shape, mesh.is_empty()), (Some(Shape::rect_filled(place, CORNERS, WELL)), true));
    }
}
