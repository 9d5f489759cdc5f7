"""Makes or takes away one locator. Live has a single function for both: a toggle where the playhead stands. So the
playhead is moved there, and back: all of it here, so that it is moved back whatever becomes of the device.
"""

from .errors import Failure, is_refusal, malformed, no_object, refused

# Ticks that the playhead is waited for.
MAX_TICKS = 6
# Two places that are one, in beats.
SAME_BEATS = 0.001

ANEW = ". The locator that stands there was made anew, so it has another id"

PLAYING = "locators are made and removed where the playhead stands, and it cannot be moved while Live plays; stop first"


class LocatorToggle:
    """One tick begins, the playhead lands in a later one, where the toggle is, and a last one sees it back."""

    def __init__(self, request):
        at, present = request.get("at"), request.get("present")
        is_number = isinstance(at, (int, float)) and not isinstance(at, bool)
        if not is_number or not 0 <= at < 1e9 or not isinstance(present, bool):
            raise malformed("locator has at, beats from 0, and present, true to make one and false to remove it")
        self._at = float(at)
        self._present = present
        self._call = request.get("call")
        self._before = None
        self._ticks = 0
        self._answer = None
        self._failure = None

    def tick(self, visit, time_left):
        self._ticks += 1
        song = visit.song
        if self._before is None:
            return self._begin(visit)
        if self._answer is None and self._failure is None:
            return self._go_on(visit)
        # Back already, or not in time: the toggle is what was asked for.
        if not self._stands_at(song, self._before) and self._ticks <= 2 * MAX_TICKS and not song.is_playing:
            return None
        return self._tell()

    def _begin(self, visit):
        song = visit.song
        if song.is_playing:
            raise Failure("refused", PLAYING)
        there = _at(song, self._at)
        if self._present and there is not None:
            raise Failure("refused", "a locator stands there already")
        if not self._present and there is None:
            raise no_object()
        self._before = song.current_song_time
        if self._stands_at(song, self._at):
            return self._go_on(visit)
        song.current_song_time = self._at
        return None

    def _go_on(self, visit):
        song = visit.song
        if song.is_playing:
            # Wherever it plays, it is the user's: nothing is moved any more.
            raise Failure("refused", "Live began to play before the locator could be %s; nothing was changed" % (
                "made" if self._present else "removed"))
        if not self._stands_at(song, self._at):
            if self._ticks <= MAX_TICKS:
                return None
            self._failure = Failure("refused", "the playhead did not come to the place; nothing was changed")
        else:
            self._toggle(visit)
        if self._stands_at(song, self._before):
            return self._tell()
        song.current_song_time = self._before
        return None

    def _toggle(self, visit):
        song = visit.song
        began = visit.undo.begin(song, self._call) if hasattr(song, "begin_undo_step") else False
        try:
            places = _places(song)
            song.set_or_delete_cue()
            visit.moved()
            now = _places(song)
            made, gone = _beyond(now, places), _beyond(places, now)
            wanted = (made, gone) if self._present else (gone, made)
            if len(wanted[0]) == 1 and not wanted[1] and abs(wanted[0][0][0] - self._at) <= SAME_BEATS:
                self._answer = {"ok": True, "began_step": began, "locator": 0}
                if self._present:
                    self._answer["locator"] = visit.id_of(_at(song, self._at))
                self._answer["objects"] = visit.told()
                return
            self._turn_back(visit, made, gone)
        except Exception as error:
            if not is_refusal(error):
                raise
            self._failure = refused(error)
        finally:
            if self._call is None:
                visit.undo.end()

    def _turn_back(self, visit, made, gone):
        """It hit another place, as Live puts locators on the lines of its grid: the same again undoes it."""
        song = visit.song
        if made or gone:
            song.set_or_delete_cue()
            visit.moved()
            for at, name in gone:
                again = _at(song, at)
                if again is not None and again.name != name:
                    again.name = name
        hit = "%.10g" % (made + gone)[0][0] if made or gone else "no place"
        self._failure = Failure(
            "refused", "Live put the locator on its grid, at beat %s instead of %.10g, and it was taken back; choose a "
            "place on the grid, or a finer grid in Live%s" % (hit, self._at, ANEW if gone else ""))

    def _tell(self):
        if self._failure is not None:
            raise self._failure
        return self._answer

    @staticmethod
    def _stands_at(song, at):
        return abs(song.current_song_time - at) <= 1e-6 * max(1.0, abs(at))


def _at(song, at):
    """The locator at that place."""
    return next((cue for cue in song.cue_points if abs(cue.time - at) <= SAME_BEATS), None)


def _places(song):
    return [(cue.time, cue.name) for cue in song.cue_points]


def _beyond(some, others):
    """Those of `some` whose times are none of the others'."""
    times = {at for at, _ in others}
    return [one for one in some if one[0] not in times]
