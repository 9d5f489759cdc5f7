//! Files of every kind, made of bytes, and the sound that is read from them.

mod any_bytes;
mod built;
mod damage;
mod flac_streams;
mod wav_and_aiff;
