//! SVG to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// A picture that could not be made; no input should cause it.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PictureError(String);

/// The picture at its own size.
pub fn of_svg(svg: &str) -> Result<Vec<u8>, PictureError> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|e| PictureError(e.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| PictureError("it has no size".to_owned()))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| PictureError(e.to_string()))
}
