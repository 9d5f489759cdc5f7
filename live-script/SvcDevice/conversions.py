"""Makes a track of an audio clip by Live's own conversions. They hold Live while they work; the track may come with a
later tick."""

import time

import Live

from .errors import Failure, is_refusal, malformed, refused
from .undo_step import StepOfTick

SPARE_MS = 300.0
TO_MIDI = {"drums": "drums_to_midi", "melody": "melody_to_midi", "harmony": "harmony_to_midi"}
TO_TRACK = {"simpler": "create_midi_track_with_simpler", "drum-rack": "create_drum_rack_from_audio_clip"}


class Convert:
    def __init__(self, request):
        self._of = request.get("of")
        self._to = request.get("to")
        if not isinstance(self._of, dict) or self._to not in list(TO_MIDI) + list(TO_TRACK):
            raise malformed("convert has of, an audio clip, and to, one of %s" % ", ".join(sorted(TO_MIDI) +
                                                                                            sorted(TO_TRACK)))
        self._until_ms = request.get("expires_at_ms")
        self._call = request.get("call")
        self._before = None
        self._steps = 0
        self._ticks = 0

    def tick(self, visit, time_left):
        self._ticks += 1
        if self._before is None:
            self._begin(visit)
        made = [track for track in visit.song.tracks if track._live_ptr not in self._before]
        if made:
            number = visit.id_of(made[0])
            return {"ok": True, "track": number, "objects": visit.told(), "undo_steps": self._steps,
                    "ticks": self._ticks}
        if self._until_ms is not None and time.time() * 1000.0 > self._until_ms - SPARE_MS:
            raise Failure("refused", "Live made no track of the clip in time; it may come yet")
        return None

    def _begin(self, visit):
        clip = visit.find(self._of)
        if visit.class_of(clip).name != "Clip" or not clip.is_audio_clip:
            raise Failure("refused", "only audio clips are converted")
        conversions = getattr(Live, "Conversions", None)
        name = TO_TRACK.get(self._to, "audio_to_midi_clip")
        if not hasattr(conversions, name):
            raise Failure("unable", "this Live has no %s" % name)
        before = {track._live_ptr for track in visit.song.tracks}
        with StepOfTick(visit, self._call) as began:
            self._steps += began
            try:
                if self._to in TO_MIDI:
                    if not conversions.is_convertible_to_midi(visit.song, clip):
                        raise Failure("refused", "Live says that the clip cannot be converted to MIDI")
                    kind = getattr(conversions.AudioToMidiType, TO_MIDI[self._to])
                    conversions.audio_to_midi_clip(visit.song, clip, kind)
                else:
                    getattr(conversions, name)(visit.song, clip)
            except Exception as error:
                if isinstance(error, Failure) or not is_refusal(error):
                    raise
                raise refused(error)
        self._before = before
        visit.moved()
