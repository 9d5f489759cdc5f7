//! Notes as text.

/// Notes as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NotesText {
    pub text: String,
    /// What the text cannot say of the notes, a sentence for whoever reads it.
    pub approximations: Option<String>,
}
