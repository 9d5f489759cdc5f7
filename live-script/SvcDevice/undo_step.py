"""The step of Live's undo that the programs of one tool call share, as far as they run in one tick."""


class UndoStep:
    """Open or not. Whoever has the tick ends it with the tick: one left open would take in what the user does."""

    def __init__(self):
        self._song = None
        self._call = None

    def begin(self, song, call):
        """Whether it is a new step: programs of the same call go on in the one that is open."""
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
