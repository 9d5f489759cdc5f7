//! SVG to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// A picture that was not made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// No input should cause it.
    #[error("the picture cannot be drawn: {0}")]
    Failed(String),
    #[error("the picture was not drawn before the time ran out; ask for it alone, or with a longer timeoutMs")]
    Stopped,
}

/// What is drawn so far, as large as the first SVG.
#[derive(Default)]
pub struct Canvas(Option<Pixmap>);

impl Canvas {
    /// A canvas with pixels on it: red, green, blue and 255 for each, row by row.
    pub fn of_pixels(width: u32, height: u32, pixels: &[u8]) -> Result<Canvas, PictureError> {
        let mut canvas = Pixmap::new(width, height).ok_or_else(no_size)?;
        if canvas.data().len() != pixels.len() {
            return Err(no_size());
        }
        canvas.data_mut().copy_from_slice(pixels);
        Ok(Canvas(Some(canvas)))
    }

    /// Draws an SVG over what is there.
    pub fn draw(&mut self, svg: &str) -> Result<(), PictureError> {
        let tree = Tree::from_str(svg, &Options::default()).map_err(|e| PictureError::Failed(e.to_string()))?;
        if self.0.is_none() {
            let size = tree.size().to_int_size();
            self.0 = Pixmap::new(size.width(), size.height());
        }
        let pixels = self.0.as_mut().ok_or_else(no_size)?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        Ok(())
    }

    pub fn into_png(self) -> Result<Vec<u8>, PictureError> {
        self.0.ok_or_else(no_size)?.encode_png().map_err(|e| PictureError::Failed(e.to_string()))
    }
}

fn no_size() -> PictureError {
    PictureError::Failed("it has no size".to_owned())
}
