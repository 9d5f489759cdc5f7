//! The audio ports: the stereo output, alone or with an output for each of the first tracks.

use crate::sound::mix::TRACK_OUTPUTS;
use crate::sound::track_outputs::OutputChannels;
use nice_plug::prelude::*;

const STEREO: NonZeroU32 = new_nonzero_u32(2);

const TRACK_NAMES: [&str; TRACK_OUTPUTS] = [
    "Track 1", "Track 2", "Track 3", "Track 4", "Track 5", "Track 6", "Track 7", "Track 8", "Track 9", "Track 10",
    "Track 11", "Track 12", "Track 13", "Track 14", "Track 15", "Track 16",
];

const MAIN: AudioIOLayout = AudioIOLayout {
    main_input_channels: Some(STEREO),
    main_output_channels: Some(STEREO),
    ..AudioIOLayout::const_default()
};

const WITH_TRACKS: AudioIOLayout = AudioIOLayout {
    aux_output_ports: &[STEREO; TRACK_OUTPUTS],
    names: PortNames { layout: Some("Stereo and 16 tracks"), aux_outputs: &TRACK_NAMES, ..PortNames::const_default() },
    ..MAIN
};

/// A host that chooses none has the first. The first two are those of version 0.1.0; VST3 hosts choose one by how many
/// outputs they ask for.
pub const LAYOUTS: &[AudioIOLayout] = &[
    MAIN,
    AudioIOLayout { main_input_channels: None, ..MAIN },
    WITH_TRACKS,
    AudioIOLayout {
        main_input_channels: None,
        names: PortNames { layout: Some("Stereo and 16 tracks, no input"), ..WITH_TRACKS.names },
        ..WITH_TRACKS
    },
];

/// The host's buffers of the tracks, which the framework has silenced.
pub struct TrackBuffers<'a, 'b>(pub &'a mut [Buffer<'b>]);

impl OutputChannels for TrackBuffers<'_, '_> {
    fn channel(&mut self, output: usize, channel: usize) -> Option<&mut [f32]> {
        self.0.get_mut(output)?.as_slice().get_mut(channel).map(|channel| &mut **channel)
    }
}
