"""Loads what the browser has: a plug-in, a Max device, a preset.

Live loads onto the selected track, in place of what may stand there, or makes another track where it does not fit. So
it is loaded onto a track of its own, which is there for as long as it takes, and the device is moved from there, by a
function that refuses what does not fit. Plug-ins come late: they are waited for, tick by tick.
"""

import time

from .browser import Search
from .errors import Failure, is_refusal, malformed, refused
from .undo_step import StepOfTick

# Ticks for which a device's parameters have to stay as many, before it counts as loaded.
SETTLED_TICKS = 4
# Before the request's time is up, it is given up and tidied.
SPARE_MS = 300.0


class Load:
    def __init__(self, request):
        self._onto = request.get("onto")
        self._place = request.get("at", -1)
        self._name = request.get("name")
        # Whether `onto` is a device that it takes the place of.
        self._instead = request.get("instead", False)
        if not isinstance(self._onto, dict) or not isinstance(self._name, str) or not isinstance(self._place, int):
            raise malformed("load has onto, a track or chain, name, and at, a place or -1; with instead, onto is the "
                            "device that gives its place")
        self._search = Search(self._name, request.get("under"))
        self._until_ms = request.get("expires_at_ms")
        self._call = request.get("call")
        self._item = None
        self._track = None
        self._selected = None
        self._count = None
        self._settled = 0
        self._steps = 0
        self._ticks = 0
        self._onto_id = None

    def tick(self, visit, time_left):
        self._ticks += 1
        if self._onto_id is None:
            self._onto_id = visit.id_of(visit.find(self._onto))
        if self._track is None:
            if self._is_late():
                raise Failure("expired", "the browser was not searched through in time; nothing was changed")
            if self._search.go_on(visit.app.browser, time_left):
                self._begin(visit)
            return None
        try:
            device = self._device(visit)
            if device is None and not self._is_late():
                return None
            if device is None:
                raise Failure("refused", "Live did not load \"%s\" in time" % self._name)
            return self._put(visit, device)
        except Failure:
            self._tidy(visit)
            raise

    def _is_late(self):
        return self._until_ms is not None and time.time() * 1000.0 > self._until_ms - SPARE_MS

    def _begin(self, visit):
        item, _ = self._search.item()
        song, browser = visit.song, visit.app.browser
        selected = song.view.selected_track
        self._selected = visit.id_of(selected) if selected is not None and selected != None else 0  # noqa: E711
        with StepOfTick(visit, self._call) as began:
            self._steps += began
            track = song.create_midi_track(-1)
            visit.moved()
            self._track = visit.id_of(track)
            try:
                song.view.selected_track = track
                if browser.hotswap_target is not None:
                    browser.hotswap_target = None
                browser.load_item(item)
                visit.moved()
            except Exception as error:
                if not is_refusal(error):
                    raise
                self._tidy(visit)
                raise refused(error)

    def _device(self, visit):
        """What was loaded, once it is as it stays."""
        track = visit.object(self._track)
        if track is None:
            raise Failure("refused", "the track that it was loaded onto was deleted meanwhile")
        devices = list(track.devices)
        if not devices:
            return None
        count = len(devices[0].parameters)
        self._settled = self._settled + 1 if count == self._count else 0
        self._count = count
        return devices[0] if self._settled >= SETTLED_TICKS else None

    def _put(self, visit, device):
        """Where it belongs; its own track goes."""
        target = visit.object(self._onto_id)
        if target is None:
            raise Failure("no_object", "the track or chain is gone")
        number = visit.id_of(device)
        place = self._place
        old = target if self._instead else None
        if old is not None:
            target = old.canonical_parent
            place = [one._live_ptr for one in target.devices].index(old._live_ptr)
            if old.type != device.type:
                raise Failure("refused", "\"%s\" is another kind of device and cannot stand in its place" % self._name)
        elif place < 0:
            place = len(target.devices)
        with StepOfTick(visit, self._call) as began:
            self._steps += began
            try:
                if old is not None:
                    target.delete_device(place)
                visit.song.move_device(device, target, place)
            except Exception as error:
                if not is_refusal(error):
                    raise
                raise refused(error)
            visit.moved()
            self._clear(visit)
        visit.tell(number)
        return {"ok": True, "device": number, "objects": visit.told(), "undo_steps": self._steps, "ticks": self._ticks}

    def _tidy(self, visit):
        with StepOfTick(visit, self._call) as began:
            self._steps += began
            self._clear(visit)

    def _clear(self, visit):
        song = visit.song
        track = visit.object(self._track) if self._track else None
        if track is not None:
            song.delete_track(list(song.tracks).index(track))
            visit.moved()
        selected = visit.object(self._selected) if self._selected else None
        if selected is not None:
            song.view.selected_track = selected
