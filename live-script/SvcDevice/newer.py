"""What a Live newer than the stubs has, and since when Live has what not every version has.

Nothing here is taken for granted: each name is looked up in the running Live.
"""

# Beside members.py, in its spelling.
NEWER = {
    "Song": {"functions": {"sync_parameter_changes": ""}},
    "PluginDevice": {"properties": {"is_editor_open": "bool=*"}},
    "SimplerDevice": {"functions": {"replace_sample": "str"}},
}

# The first version of Live with a member, where 11.0 lacks it.
SINCE = {
    "Application.get_build_id": "12.0",
    "Application.get_variant": "12.0",
    "Application.get_version_string": "11.3.2",
    "Chain.duplicate_device": "12.3",
    "Chain.insert_device": "12.3",
    "Clip.automation_envelopes": "12.2",
    "Clip.duplicate_notes_by_id": "11.2",
    "Clip.get_all_notes_extended": "11.1",
    "Clip.is_session_clip": "12.2",
    "Clip.note_number_to_name": "12.0.5",
    "Clip.select_notes_by_id": "11.1",
    "ClipSlot.create_audio_clip": "11.3.25",
    "Device.latency_in_ms": "11.3.2",
    "DeviceParameter.display_value": "12.2",
    "DrumChain.in_note": "12.3",
    "PluginDevice.is_editor_open": "12.4",
    "RackDevice.insert_chain": "12.3",
    "RackDevice.visible_macro_count": "11.3.2",
    "Scene.tempo_enabled": "11.1",
    "Scene.time_signature_enabled": "11.1",
    "SimplerDevice.replace_sample": "12.4",
    "Song.file_path": "11.3.25",
    "Song.is_ableton_link_enabled": "11.1",
    "Song.name": "11.3.25",
    "Song.scale_mode": "12.0.5",
    "Song.start_time": "11.2",
    "Song.sync_parameter_changes": "12.4",
    "Song.tuning_system": "12.0",
    "TakeLane.create_audio_clip": "12.2",
    "TakeLane.create_midi_clip": "12.2",
    "Track.back_to_arranger": "12.0.5",
    "Track.create_audio_clip": "11.3.25",
    "Track.create_midi_clip": "12.2",
    "Track.create_take_lane": "12.2",
    "Track.duplicate_device": "12.3",
    "Track.insert_device": "12.3",
    "Track.take_lanes": "12.2",
}

# What Live has and this protocol does not carry.
NOT_CARRIED = {
    "Application.browser": "the browser",
    "Application.control_surfaces": "control surfaces",
    "Clip.automation_envelope": "envelopes as objects",
    "Clip.automation_envelopes": "envelopes as objects",
    "Clip.create_automation_envelope": "envelopes as objects",
}
