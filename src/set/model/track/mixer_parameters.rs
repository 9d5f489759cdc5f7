//! The parameters of a track's mixer and of a chain's: volume, panning, switches, sends.

use crate::set::document::ids::Serial;
use crate::set::model::device::parameter_scale::{Parameter, ParameterScale};
use crate::set::model::object_ref::{CHAIN_PARAMETERS, MIXER_PARAMETERS, ObjectRef};
use crate::set::model::set_state::SetState;
use std::sync::Arc;

fn made(name: impl Into<String>, scale: ParameterScale, value: f64, default: f64) -> Parameter {
    let (min, max) = match scale {
        ParameterScale::Pan => (-1.0, 1.0),
        ParameterScale::Tempo => (20.0, 999.0),
        _ => (0.0, 1.0),
    };
    let name = name.into();
    Parameter { original_name: name.clone(), name, min, max, value, default: Some(default), scale, owned: false }
}

fn on(is_on: bool) -> f64 {
    f64::from(u8::from(is_on))
}

impl SetState {
    pub(in crate::set::model) fn mixer_parameter(&self, track: Serial, index: u16) -> Option<Parameter> {
        let track = self.document.track(track)?;
        let mixer = &track.mixer;
        Some(match *MIXER_PARAMETERS.get(usize::from(index))? {
            "volume" => made("Track Volume", ParameterScale::Volume, mixer.volume, 0.85),
            "cue_volume" => made("Cue Volume", ParameterScale::Volume, mixer.cue_volume, 0.85),
            "panning" => made("Track Panning", ParameterScale::Pan, mixer.panning, 0.0),
            "left_split_stereo" => made("Split Stereo Pan L", ParameterScale::Pan, mixer.left_split, -1.0),
            "right_split_stereo" => made("Split Stereo Pan R", ParameterScale::Pan, mixer.right_split, 1.0),
            "crossfader" => made("Crossfader", ParameterScale::Pan, mixer.crossfader, 0.0),
            "song_tempo" => made("Song Tempo", ParameterScale::Tempo, self.document.song.tempo_bpm, 120.0),
            "track_activator" => made("Speaker On", ParameterScale::Switch, on(!track.mute), 1.0),
            _ => return None,
        })
    }

    pub(in crate::set::model) fn put_mixer_parameter(&mut self, track: Serial, index: u16, number: f64) -> Option<()> {
        match *MIXER_PARAMETERS.get(usize::from(index))? {
            "song_tempo" => {
                Arc::make_mut(&mut self.document.song).tempo_bpm = number;
                Some(())
            }
            "track_activator" => self.document.edit_track(track, |t| t.mute = number < 0.5),
            which => self.document.edit_track(track, |t| {
                let mixer = &mut t.mixer;
                *match which {
                    "volume" => &mut mixer.volume,
                    "panning" => &mut mixer.panning,
                    "left_split_stereo" => &mut mixer.left_split,
                    "right_split_stereo" => &mut mixer.right_split,
                    "cue_volume" => &mut mixer.cue_volume,
                    _ => &mut mixer.crossfader,
                } = number;
            }),
        }
    }

    pub(in crate::set::model) fn send_parameter(&self, track: Serial, return_track: Serial) -> Option<Parameter> {
        let at = self.document.return_position(return_track)?;
        let value = *self.document.track(track)?.mixer.sends.get(at)?;
        let name = self.document.track_name(self.document.returns.get(at)?);
        Some(made(name, ParameterScale::Send, value, 0.0))
    }

    pub(in crate::set::model) fn put_send(&mut self, track: Serial, return_track: Serial, number: f64) -> Option<()> {
        let at = self.document.return_position(return_track)?;
        self.document.edit_track(track, |t| t.mixer.sends.get_mut(at).map(|slot| *slot = number))?
    }

    pub(in crate::set::model) fn chain_parameter(&self, chain: Serial, index: u16) -> Option<Parameter> {
        let strip = self.document.chain(chain)?;
        let parameter = match *CHAIN_PARAMETERS.get(usize::from(index))? {
            "volume" => made("Chain Volume", ParameterScale::Volume, strip.volume, 0.85),
            "panning" => made("Chain Panning", ParameterScale::Pan, strip.panning, 0.0),
            _ => made("Chain Activator", ParameterScale::Switch, on(!strip.mute), 1.0),
        };
        let owned = self.is_owned(ObjectRef::ChainMixerParameter { chain, index });
        Some(Parameter { owned, ..parameter })
    }

    pub(in crate::set::model) fn put_chain_parameter(&mut self, chain: Serial, index: u16, number: f64) -> Option<()> {
        let which = *CHAIN_PARAMETERS.get(usize::from(index))?;
        self.document.edit_chain(chain, |strip| match which {
            "volume" => strip.volume = number,
            "panning" => strip.panning = number,
            _ => strip.mute = number < 0.5,
        })
    }

    /// Where a return chain stands among its rack's, and the rack itself.
    fn return_chain_position(&self, return_chain: Serial) -> Option<usize> {
        let rack = self.rack_of(return_chain)?.rack.as_ref()?;
        rack.return_chains.iter().position(|c| c.serial == return_chain)
    }

    pub(in crate::set::model) fn chain_send_parameter(&self, chain: Serial, return_chain: Serial) -> Option<Parameter> {
        let at = self.return_chain_position(return_chain)?;
        let value = *self.document.chain(chain)?.sends.get(at)?;
        let parameter = made(self.document.chain(return_chain)?.name.clone(), ParameterScale::Send, value, 0.0);
        let owned = self.is_owned(ObjectRef::ChainSend { chain, return_chain });
        Some(Parameter { owned, ..parameter })
    }

    pub(in crate::set::model) fn put_chain_send(
        &mut self,
        chain: Serial,
        return_chain: Serial,
        number: f64,
    ) -> Option<()> {
        let at = self.return_chain_position(return_chain)?;
        self.document.edit_chain(chain, |strip| strip.sends.get_mut(at).map(|slot| *slot = number))?
    }
}
