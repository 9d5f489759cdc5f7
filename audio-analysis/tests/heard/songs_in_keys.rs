//! Twenty songs by their keys: all twelve tonics, major and minor, and how their chords go.

use svc_analysis::key::Key;

const MAJOR: [u8; 7] = [0, 2, 4, 5, 7, 9, 11];
const MINOR: [u8; 7] = [0, 2, 3, 5, 7, 8, 10];

#[derive(Clone, Copy, Debug)]
pub struct SongInKey {
    /// From 0 (C).
    pub tonic: u8,
    pub is_minor: bool,
    /// Semitones from the tonic.
    pub scale: &'static [u8; 7],
    /// The degrees that four chords stand on.
    pub roots: [usize; 4],
    pub has_drums: bool,
}

impl SongInKey {
    pub fn is_heard_as(&self, heard: Option<Key>) -> bool {
        heard.is_some_and(|heard| (heard.tonic, heard.is_minor) == (self.tonic, self.is_minor))
    }
}

pub fn twenty() -> impl Iterator<Item = SongInKey> {
    (0..20_u8).map(|n| {
        let (tonic, is_minor) = (n * 7 % 12, n % 2 == 1);
        // I-V-vi-IV, I-IV-V-I, I-vi-IV-V; i-VI-III-VII, i-iv-v-i, i-VII-VI-v.
        let roots = match (is_minor, (n / 2 + n / 12) % 3) {
            (false, 0) => [0, 4, 5, 3],
            (false, 1) => [0, 3, 4, 0],
            (false, _) => [0, 5, 3, 4],
            (true, 0) => [0, 5, 2, 6],
            (true, 1) => [0, 3, 4, 0],
            (true, _) => [0, 6, 5, 4],
        };
        let scale = if is_minor { &MINOR } else { &MAJOR };
        SongInKey { tonic, is_minor, scale, roots, has_drums: n % 3 == 0 }
    })
}
