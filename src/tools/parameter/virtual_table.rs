//! What is no parameter in the object model but is read and written like one: members of single classes of device, by
//! name.
//!
//! The table names each by class; what a member takes, its range and its labels come from the class table of the object
//! model, so a row is little more than two names. [`virtual_param`](crate::tools::parameter::virtual_params) reads and
//! writes them.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::class;
use crate::tools::parameter::pad_sample;

/// One of them.
#[derive(Debug)]
pub struct VirtualParam {
    pub name: &'static str,
    pub(super) source: Source,
    /// Why some of its values are not to be had where there is no running Live.
    pub(super) only_live: Option<&'static str>,
}

impl VirtualParam {
    /// Whether it shows a member of the device or of its sample.
    pub fn shows(&self, member: &str) -> bool {
        match &self.source {
            Source::Member(own) | Source::Called(own, _) | Source::Listed { index: own, .. } | Source::Seconds(own) => {
                *own == member
            }
            Source::SampleGain => member == "gain",
            Source::SideChainTrack | Source::SideChainChannel => member.contains("routing"),
            Source::SampleFile | Source::PlaybackLength => false,
        }
    }
}

impl PartialEq for VirtualParam {
    fn eq(&self, other: &VirtualParam) -> bool {
        std::ptr::eq(self, other)
    }
}

#[derive(Debug)]
pub(super) enum Source {
    /// A member as the class table has it.
    Member(&'static str),
    /// The same, its positions called by these names instead of the table's.
    Called(&'static str, &'static [&'static str]),
    /// A position in a list that another member gives.
    Listed {
        index: &'static str,
        list: &'static str,
    },
    /// Seconds, shown in milliseconds.
    Seconds(&'static str),
    /// The sample of a Simpler.
    SampleFile,
    /// Its level.
    SampleGain,
    /// What a function gives.
    PlaybackLength,
    SideChainTrack,
    SideChainChannel,
}

const fn row(name: &'static str, source: Source) -> VirtualParam {
    VirtualParam { name, source, only_live: None }
}

const fn member(name: &'static str, member: &'static str) -> VirtualParam {
    row(name, Source::Member(member))
}

const fn listed(name: &'static str, index: &'static str, list: &'static str, why: &'static str) -> VirtualParam {
    VirtualParam { name, source: Source::Listed { index, list }, only_live: Some(why) }
}

const WAVETABLES: &str = "the other wavetables are files of a running Live";
const IMPULSES: &str = "impulse responses are files of a running Live";

/// By class of the object model.
static TABLE: [(&str, &[VirtualParam]); 11] = [
    (
        "DriftDevice",
        &[
            member("filterMod1Source", "mod_matrix_filter_source_1_index"),
            member("filterMod2Source", "mod_matrix_filter_source_2_index"),
            member("lfoSource", "mod_matrix_lfo_source_index"),
            member("pitchMod1Source", "mod_matrix_pitch_source_1_index"),
            member("pitchMod2Source", "mod_matrix_pitch_source_2_index"),
            member("shapeSource", "mod_matrix_shape_source_index"),
            member("mod1Source", "mod_matrix_source_1_index"),
            member("mod1Target", "mod_matrix_target_1_index"),
            member("mod2Source", "mod_matrix_source_2_index"),
            member("mod2Target", "mod_matrix_target_2_index"),
            member("mod3Source", "mod_matrix_source_3_index"),
            member("mod3Target", "mod_matrix_target_3_index"),
            member("voiceMode", "voice_mode_index"),
            member("voiceCount", "voice_count_index"),
            member("pitchBendRange", "pitch_bend_range"),
        ],
    ),
    (
        "WavetableDevice",
        &[
            member("filterRouting", "filter_routing"),
            member("monoPoly", "mono_poly"),
            member("polyVoices", "poly_voices"),
            member("unisonMode", "unison_mode"),
            member("unisonVoiceCount", "unison_voice_count"),
            member("osc1Engine", "oscillator_1_effect_mode"),
            member("osc2Engine", "oscillator_2_effect_mode"),
            listed("osc1Category", "oscillator_1_wavetable_category", "oscillator_wavetable_categories", WAVETABLES),
            listed("osc1Wavetable", "oscillator_1_wavetable_index", "oscillator_1_wavetables", WAVETABLES),
            listed("osc2Category", "oscillator_2_wavetable_category", "oscillator_wavetable_categories", WAVETABLES),
            listed("osc2Wavetable", "oscillator_2_wavetable_index", "oscillator_2_wavetables", WAVETABLES),
        ],
    ),
    (
        "MeldDevice",
        &[
            member("monoPoly", "mono_poly"),
            member("polyVoices", "poly_voices"),
            member("unisonVoices", "unison_voices"),
        ],
    ),
    (
        "SimplerDevice",
        &[
            row(pad_sample::SAMPLE, Source::SampleFile),
            row("gainDb", Source::SampleGain),
            member("playbackMode", "playback_mode"),
            member("slicingPlaybackMode", "slicing_playback_mode"),
            member("retrigger", "retrigger"),
            member("voices", "voices"),
            member("pitchBendRange", "pitch_bend_range"),
            member("notePitchBendRange", "note_pitch_bend_range"),
            member("multiSampleMode", "multi_sample_mode"),
            row("estimatedPlaybackLength", Source::PlaybackLength),
        ],
    ),
    (
        "CompressorDevice",
        &[row("sidechainSourceTrackId", Source::SideChainTrack), row("sidechainChannel", Source::SideChainChannel)],
    ),
    (
        "Eq8Device",
        &[
            row("globalMode", Source::Called("global_mode", &["stereo", "L/R", "M/S"])),
            member("oversample", "oversample"),
        ],
    ),
    (
        "HybridReverbDevice",
        &[
            listed("irCategory", "ir_category_index", "ir_category_list", IMPULSES),
            listed("irFile", "ir_file_index", "ir_file_list", IMPULSES),
            row("irAttackTime", Source::Seconds("ir_attack_time")),
            row("irDecayTime", Source::Seconds("ir_decay_time")),
            member("irSizeFactor", "ir_size_factor"),
            member("irTimeShapingOn", "ir_time_shaping_on"),
        ],
    ),
    ("RoarDevice", &[member("routingMode", "routing_mode_index"), member("envListen", "env_listen")]),
    ("ShifterDevice", &[member("pitchBendRange", "pitch_bend_range"), member("pitchMode", "pitch_mode_index")]),
    (
        "LooperDevice",
        &[
            row("recordLength", Source::Listed { index: "record_length_index", list: "record_length_list" }),
            member("overdubAfterRecord", "overdub_after_record"),
        ],
    ),
    (
        "SpectralResonatorDevice",
        &[
            member("midiGate", "midi_gate"),
            member("monoPoly", "mono_poly"),
            member("pitchBendRange", "pitch_bend_range"),
            member("modMode", "mod_mode"),
            member("pitchMode", "pitch_mode"),
            member("polyphony", "polyphony"),
        ],
    ),
];

/// The virtual parameters of a device.
pub fn virtual_params_of(session: &dyn Session, device: ObjectId) -> Result<Vec<&'static VirtualParam>, ModelError> {
    let class = class(session, device)?.unwrap_or_default();
    Ok(TABLE.iter().filter(|(of, _)| *of == class).flat_map(|(_, rows)| rows.iter()).collect())
}

/// Why a name that is well known in a running Live means nothing here.
pub fn only_in_live(session: &dyn Session, device: ObjectId, name: &str) -> Result<Option<String>, ModelError> {
    let outside = matches!(class(session, device)?, Some("PluginDevice"));
    Ok(outside.then(|| {
        format!(
            "\"{name}\" is not on the device: of a plug-in only those parameters are reached that were mapped onto it"
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::class::class;

    #[test]
    fn every_row_names_members_of_its_class() {
        for (name, rows) in &TABLE {
            let properties = &class(name).expect(name).properties;
            for row in *rows {
                let members: Vec<&str> = match row.source {
                    Source::Member(member) | Source::Called(member, _) | Source::Seconds(member) => vec![member],
                    Source::Listed { index, list } => vec![index, list],
                    _ => vec![],
                };
                for member in members {
                    assert!(properties.get(member).is_some(), "{name} {}: {member}", row.name);
                }
            }
        }
    }
}
