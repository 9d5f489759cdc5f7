"""Lists the devices of Live Sets from their XML, by a reading of its own: what the reader of the product is held
against (src/live_files/tests/saved_by_live.rs).

    python3 tests/live_files/list_devices.py SET.als > tests/live_files/devices.txt
"""

import gzip
import math
import sys
import xml.etree.ElementTree as ElementTree

RACKS = ("InstrumentGroupDevice", "DrumGroupDevice", "AudioEffectGroupDevice", "MidiEffectGroupDevice")
FILTER = "Filter/Slot/Value/SimplerFilter"

# Settings that stand for all: the parameter, and how often Live's number is what the parameter shows ("dB": its gain).
SHOWN = {
    "ChannelEq": [("MidFrequency", "Mid Freq", 1), ("LowShelfGain", "Low Gain", "dB")],
    "Compressor2": [("Threshold", "Threshold", "dB"), ("Ratio", "Ratio", 1), ("Attack", "Attack", 1)],
    "DrumBuss": [("DampingFrequency", "Damping Freq", 1), ("DriveAmount", "Drive", 100), ("OutputGain", "Output", "dB")],
    "Echo": [("DryWet", "Dry Wet", 100), ("Filter_LowPassFrequency", "LP Freq", 1)],
    "Eq8": [("Bands.0/ParameterA/Freq", "1 Frequency A", 1), ("Bands.1/ParameterA/Gain", "2 Gain A", 1)],
    "FilterEQ3": [("GainLo", "GainLo", "dB"), ("FreqHi", "FreqHi", 1)],
    "Hybrid": [("Algorithm_Decay", "Decay", 1000), ("PreDelay_Time", "Predelay", 1000)],
    "Limiter": [("Gain", "Input Gain", 1), ("Release", "Release", 1)],
    "MidiNoteLength": [("TimeLength", "Time Length", 1)],
    "MidiPitcher": [("Pitch", "Pitch", 1)],
    "MidiVelocity": [("MaxOut", "Out Hi", 1), ("Random", "Random", 1)],
    "OriginalSimpler": [("VolumeAndPan/Volume", "Volume", 1), (f"{FILTER}/Freq", "Filter Freq", 1)],
    "Reverb": [("DecayTime", "Decay Time", 1), ("MixDirect", "Dry/Wet", 100), ("MixDiffuse", "Diffuse Level", "dB")],
    "StereoGain": [("Gain", "Output", "dB"), ("BassMonoFrequency", "Bass Freq", 1)],
}


def value(element, path, otherwise=""):
    found = element.find(path)
    return otherwise if found is None else found.get("Value", otherwise)


def name_of(device):
    # Max devices are called after a file, which may be anybody's.
    return "-" if device.tag.startswith("MxDevice") else value(device, "UserName") or "-"


def decibels(gain):
    return "-inf" if gain <= 0.000317 else f"{20 * math.log10(gain):+.1f}"


def shown(number, unit):
    number = 20 * math.log10(number) if unit == "dB" else number * unit
    digits, power = f"{number:.2e}".split("e")
    return f"{digits}e{int(power)}"


def list_devices(devices, depth, lines):
    indent = "  " * depth
    for device in devices:
        on = "on" if value(device, "On/Manual", "true") == "true" else "off"
        lines.append(f"{indent}device {device.tag} {name_of(device)} {on}")
        for path, parameter, unit in SHOWN.get(device.tag, ()):
            found = value(device, f"{path}/Manual")
            if found:
                lines.append(f"{indent}{parameter}: {shown(float(found), unit)}")
        if device.tag in RACKS:
            macros = [float(value(device, f"MacroControls.{index}/Manual", "0")) for index in range(16)]
            lines.append(f"{indent}macros {' '.join(f'{macro:.1f}' for macro in macros)}")
            for branch in device.find("Branches"):
                list_chain(branch, depth + 1, lines)
            for branch in device.find("ReturnBranches"):
                list_chain(branch, depth + 1, lines)
        if device.tag == "OriginalSimpler":
            for part in device.iter("MultiSamplePart"):
                path = value(part, "SampleRef/FileRef/Path").rsplit("/", 1)[-1]
                length = value(part, "SampleRef/DefaultDuration")
                bounds = f"{value(part, 'SampleStart')}..{value(part, 'SampleEnd')} of {length}"
                lines.append(f"{indent}sample {path} {bounds}")


def list_chain(branch, depth, lines):
    indent = "  " * depth
    name = value(branch, "Name/UserName") or value(branch, "Name/EffectiveName")
    pad = branch.find("BranchInfo")
    note = "" if pad is None else (
        f" note {128 - int(value(pad, 'ReceivingNote'))} plays {value(pad, 'SendingNote')}"
        f" choke {value(pad, 'ChokeGroup')}"
    )
    level = decibels(float(value(branch, "MixerDevice/Volume/Manual")))
    pan = float(value(branch, "MixerDevice/Panorama/Manual"))
    lines.append(f"{indent}chain {name}{note} {level} dB pan {pan:.2f}")
    for devices in branch.findall("DeviceChain/*/Devices"):
        list_devices(devices, depth + 1, lines)


def main():
    with gzip.open(sys.argv[1]) as file:
        live_set = ElementTree.parse(file).getroot().find("LiveSet")
    lines = []
    for track in [*live_set.find("Tracks"), live_set.find("MainTrack")]:
        lines.append(f"track {value(track, 'Name/EffectiveName')}")
        list_devices(track.find("DeviceChain/DeviceChain/Devices"), 1, lines)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
