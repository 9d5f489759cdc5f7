//! What happens, as those who follow it read it: over real sockets, by the bytes of the stream.

mod calls;
mod gestures;
mod in_live;
mod listening;
mod page;
mod readers;
mod stream;
mod told;
mod view;

pub use stream::Stream;
