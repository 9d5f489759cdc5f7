//! Devices of several versions, written by hand: values by their ranges, side chains, plug-ins, switches, samples.

use super::super::{PresetFile, read_preset};
use super::*;
use crate::object_model::parameter_curves::number_or_end;
use crate::set::document::Track;
use crate::set::document::ids::IdParts;

fn preset(inside: &str) -> Result<PresetFile, ReadError> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/kit.adg"));
    let xml = format!("<Ableton MajorVersion=\"5\" MinorVersion=\"11.0_11300\">{inside}</Ableton>");
    read_preset(compressed(xml.as_bytes()).as_slice(), SampleSearch::around(&beside, &AllowedFolders::default()))
}

/// A Set of MIDI tracks, each with a number and devices.
fn tracks_of(tracks: &[(i64, &str)]) -> LiveSetFile {
    let track = |(id, devices): &(i64, &str)| {
        format!(
            "<MidiTrack Id=\"{id}\"><Name><UserName Value=\"Track {id}\"/></Name><DeviceChain><DeviceChain><Devices>\
             {devices}</Devices></DeviceChain></DeviceChain></MidiTrack>"
        )
    };
    let tracks: String = tracks.iter().map(track).collect();
    let main = "<MainTrack><DeviceChain><Mixer><Tempo><Manual Value=\"120\"/></Tempo><TimeSignature><Manual \
                Value=\"201\"/></TimeSignature></Mixer></DeviceChain></MainTrack>";
    let scenes = "<Scenes><Scene Id=\"0\"/></Scenes>";
    read(&format!("<Ableton><LiveSet><Tracks>{tracks}</Tracks>{main}{scenes}</LiveSet></Ableton>")).unwrap()
}

fn first_track(read: &LiveSetFile) -> &Track {
    &read.document.tracks[0]
}

/// What a parameter shows; of steps its raw value.
fn shown(device: &Device, name: &str) -> f64 {
    let at = device.specs().iter().position(|spec| spec.name == name).unwrap();
    let (spec, raw) = (&device.specs()[at], device.values[at]);
    assert!(!device.unread.contains(&u16::try_from(at).unwrap()), "{name} was read");
    let number = if spec.has_steps() { raw } else { number_or_end(spec, raw).unwrap() };
    (number * 100.0).round() / 100.0
}

fn setting(name: &str, value: &str, (low, high): (&str, &str)) -> String {
    format!(
        "<{name}><Manual Value=\"{value}\"/><MidiControllerRange><Min Value=\"{low}\"/><Max Value=\"{high}\"/>\
         </MidiControllerRange></{name}>"
    )
}

fn plain(name: &str, value: &str) -> String {
    format!("<{name}><Manual Value=\"{value}\"/></{name}>")
}

/// A mapping to a macro, in what it moves.
fn mapping(macro_index: u8) -> String {
    format!("<KeyMidi><Channel Value=\"16\"/><NoteOrController Value=\"{macro_index}\"/></KeyMidi>")
}

#[test]
fn an_older_utility_is_in_decibels() {
    let old = format!(
        "<StereoGain>{}{}{}{}{}</StereoGain>",
        setting("Gain", "6", ("-35", "35")),
        setting("Panorama", "-0.5", ("-1", "1")),
        setting("StereoSeparation", "1.5", ("0", "2")),
        plain("Source", "2"),
        plain("BlockDc", "true"),
    );
    let device = preset(&old).unwrap().device;
    for (name, want) in
        [("Output", 6.0), ("Balance", -25.0), ("Stereo Width", 150.0), ("Channel Mode", 2.0), ("DC Filter", 1.0)]
    {
        assert_eq!(shown(&device, name), want, "{name}");
    }
    // A macro narrows the range, and leaves the unit.
    let mapped =
        format!("<StereoGain>{}{}</StereoGain>", setting("Gain", "3", ("0", "20")), plain("StereoSeparation", "1"));
    assert_eq!(shown(&preset(&mapped).unwrap().device, "Output"), 3.0);
    let now = format!("<StereoGain>{}</StereoGain>", setting("Gain", "2", ("0", "56.2341309")));
    assert_eq!(shown(&preset(&now).unwrap().device, "Output"), 6.02);
    let alone = format!("<StereoGain>{}</StereoGain>", setting("Gain", "-12", ("-35", "35")));
    assert_eq!(shown(&preset(&alone).unwrap().device, "Output"), -12.0);
}

#[test]
fn values_of_many_classes_are_read() {
    let delay = format!(
        "<Delay>{}{}{}</Delay>",
        setting("DelayLine_TimeL", "0.25", ("0.001", "5")),
        setting("Feedback", "0.3", ("0", "0.95")),
        setting("Filter_Frequency", "700", ("50", "18000")),
    );
    let glue = format!(
        "<GlueCompressor>{}{}<SideChainEq>{}</SideChainEq></GlueCompressor>",
        setting("Threshold", "-12.5", ("-40", "0")),
        plain("Ratio", "2"),
        plain("On", "true"),
    );
    let operator = format!(
        "<Operator><Operator.1>{}<Tune>{}</Tune></Operator.1><Globals>{}</Globals></Operator>",
        setting("Volume", "0.5", ("0.0003162277571", "1")),
        setting("Coarse", "3", ("0", "48")),
        setting("Tone", "0.4", ("0", "1")),
    );
    let saturator = format!(
        "<Saturator>{}{}<WaveShaper>{}</WaveShaper></Saturator>",
        plain("Type", "5"),
        plain("PostClip", "true"),
        setting("Drive", "0.25", ("0", "1")),
    );
    for (xml, name, want) in [
        (&delay, "L Time", 250.0),
        (&delay, "Feedback", 30.0),
        (&delay, "Filter Freq", 700.0),
        (&glue, "Threshold", -12.5),
        (&glue, "Ratio", 2.0),
        (&glue, "S/C EQ On", 1.0),
        (&operator, "Osc-B Level", -6.02),
        (&operator, "B Coarse", 3.0),
        (&operator, "Tone", 40.0),
        // Digital Clip stood in front of Bass Shaper's place, which was added to the list.
        (&saturator, "Type", 6.0),
        (&saturator, "Post Clip Mode", 1.0),
        (&saturator, "WS Drive", 25.0),
    ] {
        let read = preset(xml).unwrap();
        assert_eq!(shown(&read.device, name), want, "{name}");
        assert!(read.report.left_out.keys().all(|kind| !kind.starts_with("settings of")), "{:?}", read.report);
    }
}

#[test]
fn live_8_values_are_first_events() {
    let value = |name: &str, kind: &str, value: &str| {
        format!(
            "<{name}><ArrangerAutomation><Events><{kind}Event Time=\"-63072000\" Value=\"{value}\"/><{kind}Event \
             Time=\"8\" Value=\"9\"/></Events></ArrangerAutomation></{name}>"
        )
    };
    let pitch = format!("<MidiPitcher>{}{}</MidiPitcher>", value("On", "Bool", "false"), value("Pitch", "Float", "-7"));
    let device = preset(&pitch).unwrap().device;
    assert_eq!((device.values[0], shown(&device, "Pitch")), (0.0, -7.0));
    let mixer = format!("{}{}", value("Speaker", "Bool", "false"), value("Volume", "Float", "0.5"));
    let rack = format!(
        "<GroupDevicePreset><Device><AudioEffectGroupDevice/></Device><BranchPresets><AudioEffectBranchPreset>\
         <MixerPreset><AbletonDevicePreset><Device><AudioBranchMixerDevice>{mixer}</AudioBranchMixerDevice></Device>\
         </AbletonDevicePreset></MixerPreset></AudioEffectBranchPreset></BranchPresets></GroupDevicePreset>"
    );
    let device = preset(&rack).unwrap().device;
    let chain = &device.rack.as_ref().unwrap().chains[0];
    assert!(chain.mute && (chain.volume - 0.6995).abs() < 1e-3, "{}", chain.volume);
}

#[test]
fn side_chains_name_their_track() {
    let listener = |class: &str, target: &str| {
        format!(
            "<{class}><SideChain><RoutedInput><Routable><Target Value=\"{target}\"/></Routable></RoutedInput>\
             </SideChain></{class}>"
        )
    };
    let post = listener("Compressor2", "AudioIn/Track.7/PostFxOut");
    let inside = listener("Gate", "AudioIn/Track.7/DeviceOut.0.B1,ChainOut");
    let rack = format!(
        "<AudioEffectGroupDevice><Branches><AudioEffectBranch><DeviceChain><AudioToAudioDeviceChain><Devices>{inside}\
         </Devices></AudioToAudioDeviceChain></DeviceChain></AudioEffectBranch></Branches></AudioEffectGroupDevice>"
    );
    let others = [
        listener("MultibandDynamics", "AudioIn/Track.7/PostFxOut"),
        listener("Compressor2", "AudioIn/None"),
        listener("Compressor2", "AudioIn/External/S0"),
    ];
    let devices = format!("{post}{rack}{}", others.concat());
    let read = tracks_of(&[(3, &devices), (7, "")]);
    let kick = serde_json::json!(1000 + read.document.tracks[1].serial);
    let stored = |device: &Device, member: &str| device.stored.get(member).cloned().unwrap_or_default();
    let devices = &first_track(&read).devices;
    assert_eq!(stored(&devices[0], "input_routing_type"), kick);
    assert_eq!(stored(&devices[0], "input_routing_channel"), 1);
    let gate = &devices[1].rack.as_ref().unwrap().chains[0].devices[0];
    assert_eq!((stored(gate, "input_routing_type"), stored(gate, "input_routing_channel")), (kick, 1.into()));
    assert!(devices[2..].iter().all(|device| stored(device, "input_routing_type").is_null()));
    let left = |kind: &str| read.report.left_out.get(kind).copied().unwrap_or_default();
    assert_eq!(left("sources of the side chain of MultibandDynamics"), 1);
    assert_eq!(left("sources of the side chain of Compressor2"), 1);
    assert_eq!(left("side chains from inside a track's devices, read as behind them"), 1);
    assert_eq!(read.report.read.get("sources of side chains"), Some(&2));
    // The tracks of a preset are elsewhere.
    let alone = preset(&post).unwrap();
    assert_eq!(alone.report.left_out.get("sources of the side chain of Compressor2"), Some(&1));
}

#[test]
fn plug_ins_of_presets_are_devices() {
    let plug_in = |kind: &str, name: &str, on: bool| {
        format!(
            "<{kind} Id=\"0\"><ParameterSettings><PluginParameterSettings Id=\"0\"><MacroControlIndex Value=\"2\"/>\
             </PluginParameterSettings></ParameterSettings><IsOn Value=\"{on}\"/><PowerMacroControlIndex Value=\"-1\"/>\
             <Name Value=\"{name}\"/><Buffer>00FF</Buffer></{kind}>"
        )
    };
    let rack = format!(
        "<GroupDevicePreset><Device><AudioEffectGroupDevice/></Device><BranchPresets><AudioEffectBranchPreset>\
         <DevicePresets>{}{}{}<AbletonDevicePreset><Device><Limiter/></Device></AbletonDevicePreset></DevicePresets>\
         </AudioEffectBranchPreset></BranchPresets></GroupDevicePreset>",
        plug_in("VstPreset", "One", true),
        plug_in("AuPreset", "Two", false),
        plug_in("Vst3Preset", "Three", true),
    );
    let read = preset(&rack).unwrap();
    let devices = &read.device.rack.as_ref().unwrap().chains[0].devices;
    let names: Vec<String> = devices.iter().map(|device| device.shown_name()).collect();
    assert_eq!(names, ["One", "Two", "Three", "Limiter"]);
    let on: Vec<bool> = devices.iter().map(|device| device.is_on()).collect();
    assert_eq!(on, [true, false, true, true]);
    assert!(read.report.unknown.is_empty(), "{:?}", read.report);
    assert_eq!(read.report.left_out.get("macro mappings of settings that are not read"), Some(&3));
    // Alone it is a device, too.
    let alone = preset(&plug_in("Vst3Preset", "Some Synth", false)).unwrap().device;
    assert_eq!((alone.class_name.as_str(), alone.shown_name().as_str()), ("PluginDevice", "Some Synth"));
    assert!(!alone.is_on());
}

#[test]
fn switches_without_parameters_are_kept() {
    for class in ["PluginDevice", "MxDeviceAudioEffect", "AutoFilter"] {
        for on in [true, false] {
            let read = preset(&format!("<{class}>{}</{class}>", plain("On", &on.to_string()))).unwrap();
            assert_eq!(read.device.is_on(), on, "{class}");
        }
    }
}

#[test]
fn max_devices_have_their_patchs_name() {
    let device = |file: &str| {
        format!(
            "<MxDeviceMidiEffect><PatchSlot><Value><MxDPatchRef><FileRef>{file}</FileRef></MxDPatchRef></Value>\
             </PatchSlot></MxDeviceMidiEffect>"
        )
    };
    for (file, name) in [
        ("<Path Value=\"/Users/me/Wobble.amxd\"/>", "Wobble"),
        (
            "<RelativePath><RelativePathElement Dir=\"Presets\"/></RelativePath><Name Value=\"Old One.amxd\"/>",
            "Old One",
        ),
        ("<Path Value=\"\"/><Name Value=\"Plain.amxd\"/>", "Plain"),
    ] {
        assert_eq!(preset(&device(file)).unwrap().device.shown_name(), name);
    }
}

#[test]
fn macros_and_automation_know_chain_mixers() {
    let moved = |name: &str, macro_index: u8, range: (&str, &str), target: i64| {
        let body = setting(name, "0.5", range);
        let inside = format!("{}<AutomationTarget Id=\"{target}\"/>", mapping(macro_index));
        body.replace("<Manual", &format!("{inside}<Manual"))
    };
    let mixer = format!(
        "<MixerDevice>{}{}<Speaker>{}<Manual Value=\"true\"/></Speaker><SendInfos><AudioBranchSendInfo>{}\
         </AudioBranchSendInfo></SendInfos></MixerDevice>",
        moved("Volume", 0, ("0.0003162277571", "1"), 901),
        moved("Panorama", 1, ("-1", "1"), 902),
        mapping(2),
        moved("Send", 3, ("0.0003162277571", "1"), 903),
    );
    let rack = format!(
        "<DrumGroupDevice><Branches><DrumBranch Id=\"0\">{mixer}</DrumBranch></Branches><ReturnBranches><ReturnBranch \
         Id=\"0\"/></ReturnBranches></DrumGroupDevice>"
    );
    let read = tracks_of(&[(1, &rack)]);
    let rack = first_track(&read).devices[0].rack.as_ref().unwrap();
    let (chain, return_chain) = (rack.chains[0].serial, rack.return_chains[0].serial);
    let strip = |index| IdParts::ChainMixerParameter { chain, index };
    let found: Vec<(u8, IdParts)> = rack.mappings.iter().map(|m| (m.macro_index, m.target())).collect();
    let send = IdParts::ChainSend { chain, return_chain };
    assert_eq!(found, [(0, strip(0)), (1, strip(1)), (2, strip(2)), (3, send)]);
    let ends: Vec<(f64, f64)> = rack.mappings.iter().map(|m| (m.at_0, m.at_127)).collect();
    assert_eq!(ends, [(0.0, 0.85), (-1.0, 1.0), (0.0, 1.0), (0.0, 1.0)]);
    assert!(read.report.left_out.keys().all(|kind| !kind.contains("mappings")), "{:?}", read.report);
    // What the Arrangement draws for them is theirs.
    let drawn = |target: i64| {
        format!(
            "<AutomationEnvelope><EnvelopeTarget><PointeeId Value=\"{target}\"/></EnvelopeTarget><Automation><Events>\
             <FloatEvent Time=\"0\" Value=\"0.5\"/></Events></Automation></AutomationEnvelope>"
        )
    };
    let all: String = [901, 902, 903].map(drawn).concat();
    let xml = format!(
        "<Ableton><LiveSet><Tracks><MidiTrack Id=\"1\"><AutomationEnvelopes><Envelopes>{all}</Envelopes>\
         </AutomationEnvelopes><DeviceChain><DeviceChain><Devices><DrumGroupDevice><Branches><DrumBranch>{mixer}\
         </DrumBranch></Branches><ReturnBranches><ReturnBranch/></ReturnBranches></DrumGroupDevice></Devices>\
         </DeviceChain></DeviceChain></MidiTrack></Tracks><MainTrack/><Scenes><Scene/></Scenes></LiveSet></Ableton>"
    );
    let read = super::read(&xml).unwrap();
    let moved: Vec<u64> = first_track(&read).automation.iter().map(|envelope| envelope.parameter).collect();
    let rack = first_track(&read).devices[0].rack.as_ref().unwrap();
    let (chain, return_chain) = (rack.chains[0].serial, rack.return_chains[0].serial);
    let strip = |index| IdParts::ChainMixerParameter { chain, index }.id().0;
    assert_eq!(moved, [strip(0), strip(1), IdParts::ChainSend { chain, return_chain }.id().0]);
}

#[test]
fn samples_of_a_simpler_are_zones() {
    let part = |low: u8, high: u8, root: u8| {
        format!(
            "<MultiSamplePart><KeyRange><Min Value=\"{low}\"/><Max Value=\"{high}\"/></KeyRange><RootKey \
             Value=\"{root}\"/><SampleRef><FileRef><RelativePath Value=\"half.wav\"/></FileRef></SampleRef>\
             </MultiSamplePart>"
        )
    };
    let simpler = |parts: &str| {
        format!(
            "<OriginalSimpler><Player><MultiSampleMap><SampleParts>{parts}</SampleParts></MultiSampleMap></Player>\
                 </OriginalSimpler>"
        )
    };
    let several = preset(&simpler(&format!("{}{}", part(0, 59, 48), part(60, 127, 72)))).unwrap();
    let zones = &several.device.sample_zones;
    let keys: Vec<(u8, u8, u8)> =
        zones.iter().map(|zone| (zone.zones.keys.low, zone.zones.keys.high, zone.root_key)).collect();
    assert_eq!(keys, [(0, 59, 48), (60, 127, 72)]);
    assert_eq!(several.device.sample.as_deref(), Some(&zones[0].sample));
    assert_eq!(several.report.read.get("samples of devices"), Some(&2));
    assert!(several.report.left_out.keys().all(|kind| !kind.contains("samples")), "{:?}", several.report);
    let drum = "<DrumCell><UserSample><Value><SampleRef><FileRef><RelativePath Value=\"half.wav\"/></FileRef></SampleRef>\
                </Value></UserSample></DrumCell>";
    let drum = preset(drum).unwrap();
    assert_eq!((drum.device.sample_zones.len(), drum.report.left_out.len()), (1, 0), "{:?}", drum.report);
    let one = preset(&simpler(&part(0, 127, 60))).unwrap().device;
    assert!(one.sample.is_some() && one.sample_zones.is_empty());
}

#[test]
fn a_preset_is_called_a_preset() {
    for (inside, why) in [
        ("<MidiPitcher><Pitch><Manual Value=", "the preset is damaged at "),
        ("<Groove/>", "it is a groove (.agr), and no preset of a device"),
        ("<SkinManager/>", "it is a theme (.ask), and no preset of a device"),
        ("<LiveSet/>", "it is a Live Set, and no preset of a device: svc-manage opens it"),
    ] {
        let got = preset(inside).unwrap_err().to_string();
        assert!(got.contains(why) && !got.starts_with("the Live Set"), "{got}");
    }
}
