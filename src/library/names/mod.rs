//! What names tell: the vocabulary of tags, musical keys, and the parser of a file's name and folders.

pub mod musical_key;
pub mod parser;
pub mod vocabulary;

#[cfg(test)]
mod tests;
