//! A part of the window that looks the same in most frames while the Set plays, as the tabs do. Where nobody is near
//! it and what it shows is what it showed last, the shapes of then are drawn again, without egui working them out
//! anew. See D243 in `docs/decisions.md`.

use super::reach::Reach;
use super::sheet::probe;
use egui::epaint::{ClippedPrimitive, ClippedShape, Mesh, Primitive, TessellationOptions};
use egui::layers::ShapeIdx;
use egui::{Context, Galley, Painter, Rect, Shape, Ui};
use std::sync::{Arc, Weak};

/// See the [module](self). `K` is all that the part shows.
#[derive(Clone)]
pub struct KeptPart<K> {
    kept: Option<Kept<K>>,
    /// Where its meshes are to be put in this frame.
    places: Vec<(Painter, ShapeIdx)>,
}

impl<K> Default for KeptPart<K> {
    fn default() -> Self {
        KeptPart { kept: None, places: Vec::new() }
    }
}

impl<K> std::fmt::Debug for KeptPart<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptPart").finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Kept<K> {
    key: K,
    look: Look,
    shapes: Vec<ClippedShape>,
    /// Made when they are drawn again.
    meshes: Option<Meshes>,
}

/// What a part looks like depends on, beside what it shows.
#[derive(Clone)]
struct Look {
    place: Rect,
    pixels_per_point: f32,
    zoom: f32,
    options: TessellationOptions,
    probe: Arc<Galley>,
}

impl Look {
    fn of(ui: &Ui) -> Look {
        let ctx = ui.ctx();
        Look {
            place: ui.max_rect(),
            pixels_per_point: ui.pixels_per_point(),
            zoom: ctx.zoom_factor(),
            options: ctx.tessellation_options(|options| *options),
            probe: probe(ui.painter()),
        }
    }

    fn is(&self, other: &Look) -> bool {
        let own = |look: &Look| (look.place, look.pixels_per_point, look.zoom, look.options);
        own(self) == own(other) && Arc::ptr_eq(&self.probe, &other.probe)
    }
}

#[derive(Clone)]
struct Meshes {
    /// Of the picture of all letters, which tells where a letter is in it as a part of it.
    letters_size: [usize; 2],
    list: Vec<(Rect, Arc<Mesh>)>,
}

impl<K: PartialEq> KeptPart<K> {
    /// Has `draw` draw the part, unless what it drew last is drawn again. Fills `ui` either way.
    pub fn show(&mut self, ui: &mut Ui, reach: &Reach, key: K, draw: impl FnOnce(&mut Ui)) {
        if !reach.is_far(ui.max_rect()) {
            self.kept = None;
            draw(ui);
            return;
        }
        let look = Look::of(ui);
        if let Some(kept) = self.kept.as_mut().filter(|kept| kept.key == key && kept.look.is(&look)) {
            let put = |(clip, _): &(Rect, Arc<Mesh>)| {
                let painter = ui.painter().with_clip_rect(*clip);
                let at = painter.add(Shape::Noop);
                (painter, at)
            };
            self.places = kept.meshes(ui.ctx()).iter().map(put).collect();
            ui.advance_cursor_after_rect(look.place);
            return;
        }
        let layer = ui.layer_id();
        let count = |ctx: &Context| ctx.graphics(|graphics| graphics.get(layer).map_or(0, |list| list.next_idx().0));
        let first = count(ui.ctx());
        draw(ui);
        let drawn = |list: &egui::layers::PaintList| list.all_entries().skip(first).cloned().collect();
        let shapes = ui.ctx().graphics(|graphics| graphics.get(layer).map(drawn)).unwrap_or_default();
        self.kept = Some(Kept { key, look, shapes, meshes: None });
    }

    /// At the end of a frame, when no more text comes and the picture of all letters does not grow any more.
    pub fn finish(&mut self, ctx: &Context) {
        // With the painters goes the context, which would not end while something had it.
        let places = std::mem::take(&mut self.places);
        if let Some(kept) = self.kept.as_mut().filter(|_| !places.is_empty()) {
            for ((painter, at), (_, mesh)) in places.into_iter().zip(kept.meshes(ctx)) {
                painter.set(at, Shape::Mesh(mesh.clone()));
            }
        }
    }
}

impl<K> Kept<K> {
    fn meshes(&mut self, ctx: &Context) -> &[(Rect, Arc<Mesh>)] {
        let letters_size = ctx.fonts(|fonts| fonts.font_image_size());
        let made = self.meshes.take().filter(|meshes| meshes.letters_size == letters_size);
        let meshes = made.unwrap_or_else(|| {
            let primitives = ctx.tessellate(self.shapes.clone(), self.look.pixels_per_point);
            let mesh = |ClippedPrimitive { clip_rect, primitive }| match primitive {
                Primitive::Mesh(mesh) => Some((clip_rect, Arc::new(mesh))),
                Primitive::Callback(_) => None,
            };
            Meshes { letters_size, list: primitives.into_iter().filter_map(mesh).collect() }
        });
        &self.meshes.insert(meshes).list
    }
}

/// A value that is the same where it is the same in memory. It is not kept for this: a closed window holds no Set.
pub struct OneOf<T>(Weak<T>);

impl<T> OneOf<T> {
    pub fn of(value: &Arc<T>) -> OneOf<T> {
        OneOf(Arc::downgrade(value))
    }
}

impl<T> Clone for OneOf<T> {
    fn clone(&self) -> Self {
        OneOf(self.0.clone())
    }
}

impl<T> PartialEq for OneOf<T> {
    fn eq(&self, other: &OneOf<T>) -> bool {
        // Nothing else can come to that place before both are gone.
        Weak::ptr_eq(&self.0, &other.0)
    }
}
