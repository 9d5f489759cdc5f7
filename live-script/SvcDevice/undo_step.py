"""The step of Live's undo that the programs of one tool call share, as far as they run in one tick."""


class UndoStep:
    """Open or not. Whoever has the tick ends it with the tick: one left open would take in what the user does."""

    def __init__(self):
        self._song = None
        self._call = None
        # How often something was about to be changed.
        self.asked = 0

    def begin(self, song, call):
        """Whether it is a new step: programs of the same call go on in the one that is open."""
        self.asked += 1
        if self._song is not None and call is not None and call == self._call:
            return False
        self.end()
        song.begin_undo_step()
        self._song = song
        self._call = call
        return True

    def end(self):
        song = self._song
        self._song = None
        if song is not None:
            song.end_undo_step()


class StepOfTick:
    """`with` a step that is open for what is written in this tick; gives 1 where it is a new one, else 0."""

    def __init__(self, visit, call):
        self._visit = visit
        self._call = call

    def __enter__(self):
        song = self._visit.song
        return int(self._visit.undo.begin(song, self._call)) if hasattr(song, "begin_undo_step") else 0

    def __exit__(self, kind, error, trace):
        if self._call is None:
            self._visit.undo.end()
