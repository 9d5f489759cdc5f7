"""Spoiled scripts: each breaks one rule of Live's, and the fake's police see it. The script as it is breaks none."""

import os
import shutil
import tempfile
import unittest

from .fake import SCRIPT, Linked, Refused, call, get, put


def numbers_without_a_point(link):
    link.program(put("live_set", "tempo", 99))


def a_watched_value_changes(link):
    link.ask("watch", members=[{"of": {"path": "live_set"}, "member": "tempo"}])
    link.live("user_set", path="live_set", member="tempo", value=90.0)
    link.live("ticks", n=2)


def nothing(link):
    link.live("ticks", n=20)


def a_track_is_inserted_before(link):
    (track,) = link.do({"do": "resolve", "path": "live_set tracks 1"})
    name = link.live("label", path="live_set tracks 1")
    link.live("user_call", path="live_set", function="create_midi_track", args=[0])
    link.live("declare", writes=[["name", name]])
    link.program(put(track, "name", "mine"))


def the_link_is_lost_in_a_program(link):
    song = link.live("label", path="live_set")
    link.live("declare", writes=[["create_scene", song], ["is_playing", song]])
    link.send("program", steps=[call("live_set", "create_scene", -1), put("live_set", "is_playing", True)])
    link.live("ticks", n=1)
    link.device.hang_up()
    link.link()
    link.live("ticks", n=10)


def a_step_is_undone(link):
    link.program(call("live_set", "create_scene", -1), undo=True)


def two_requests(link):
    link.program(get("live_set", "tempo"))
    link.program(get("live_set", "tempo"))


def the_script_is_switched_off(link):
    link.program(get("live_set", "tracks"))
    link.live("disconnect")


def a_beat_fails(link):
    link.live("ticks", n=100)


def a_request_comes_too_late(link):
    link.live("declare", writes=[])
    number = link.send("program", steps=[call("live_set", "create_scene", -1)],
                       expires_at_ms=link.live("now_ms") - 1.0)
    link.answer(number)


def a_track_is_deleted_in_the_program(link):
    link.program({"do": "resolve", "path": "live_set tracks 1"}, call("live_set", "delete_track", 1),
                 get({"step": 0}, "name"))


def what_is_only_read_is_written(link):
    link.program(put("live_set", "can_undo", True))


def notes_are_added(link):
    link.program(call("live_set tracks 0 clip_slots 0", "create_clip", 4),
                 call({"step": 0}, "add_new_notes", {"notes": [{"pitch": 60, "start_time": 0, "duration": 1}]}))


def a_device_is_loaded(link):
    link.ask("load", onto={"path": "live_set tracks 0"}, name="Raum", at=-1, under="vst3")


# Name, rule, what happens, and the lines that are spoiled: file, as it is, as it becomes.
SPOILED = [
    ("no cast", "signature", numbers_without_a_point, {},
     [("classes.py", "return float(value)", "return value")]),
    ("no cast of notes", "signature", notes_are_added, {},
     [("notes.py", "given = {key: cast_plain(KINDS[key], value, key)", "given = {key: value")]),
    ("a write in a listener", "notification", a_watched_value_changes, {},
     [("watch.py", "        self.mark(self.number, self.member)\n",
       "        self.mark(self.number, self.member)\n"
       "        if self.member == \"tempo\":\n            self.obj.metronome = True\n")]),
    ("a listener added twice", "listener", a_watched_value_changes, {},
     [("watch.py", "        add(hear)\n", "        add(hear)\n        add(hear)\n")]),
    ("a thread", "thread", nothing, {},
     [("control_surface.py", "        self._start_timer()\n",
       "        self._start_timer()\n        import threading\n"
       "        def touch():\n            try:\n                Live.Application.get_application().view\n"
       "            except RuntimeError:\n                pass\n"
       "        threading.Thread(target=touch).start()\n")]),
    ("a stale index", "undeclared", a_track_is_inserted_before, {},
     [("visit.py", "if entry.index < len(found) and self._is(found[entry.index], entry):",
       "if entry.index < len(found):")]),
    ("a write repeated", "undeclared", the_link_is_lost_in_a_program, {},
     [("requests.py", "        self._waiting = deque(one for one in self._waiting if one.started and isinstance("
       "one.work, TIDYING))\n", "        for waiting in self._waiting:\n            waiting.work = None\n")]),
    ("an open undo step", "undo", a_step_is_undone, {},
     [("undo_step.py", "            song.end_undo_step()", "            pass")]),
    ("objects kept", "held", two_requests, {},
     [("pump.py", "visit = Visit(self._song(),",
       "visit = self._kept = getattr(self, \"_kept\", None) or Visit(self._song(),")]),
    ("a deleted object used", "dead", a_track_is_deleted_in_the_program, {},
     [("visit.py", "        if found is None or found == None:  # noqa: E711\n            raise no_object()",
       "        if found is None:\n            raise no_object()")]),
    ("a socket that blocks", "blocking", nothing, {},
     [("link.py", "self._socket.setblocking(False)", "self._socket.settimeout(0.2)")]),
    ("listeners left behind", "left behind", the_script_is_switched_off, {},
     [("control_surface.py", "        self._watch.disconnect()\n", "")]),
    ("a socket left behind", "left behind", the_script_is_switched_off, {},
     [("control_surface.py", "            self._link.close()\n", "            pass\n")]),
    ("a timer left behind", "left behind", the_script_is_switched_off, {},
     [("control_surface.py", "            self._timer.stop()\n", "")]),
    ("an exception let go", "escaped", a_beat_fails, {"without": ["Application.Application.open_dialog_count"]},
     [("pump.py", "            self._log.fault(what, error)", "            raise")]),
    ("waiting while idle", "waits", nothing, {},
     [("pump.py", "while self._more and self._link.state == OPEN", "while self._link.state == OPEN"),
      ("pump.py", "            if not self._is_idle():\n", "            if True:\n")]),
    ("a sleep", "waits", nothing, {},
     [("pump.py", "            self._began = now\n", "            self._began = now\n            time.sleep(0.02)\n")]),
    ("a folder that ends Live", "ends Live", a_device_is_loaded, {},
     [("browser.py", '"user_library")', '"user_library", "sounds")')]),
    ("a late request run", "undeclared", a_request_comes_too_late, {},
     [("requests.py", "return self.expires_at_ms is not None and time.time() * 1000.0 > self.expires_at_ms",
       "return False")]),
    ("a member that cannot be written", "invented", what_is_only_read_is_written, {},
     [("classes.py", "        if not about.settable:\n", "        if False:\n")]),
]


def spoil(folder, changes):
    """A copy of the script with those lines changed."""
    script = os.path.join(folder, "SvcDevice")
    shutil.copytree(SCRIPT, script, ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in changes:
        file = os.path.join(script, name)
        with open(file, encoding="utf-8") as source:
            text = source.read()
        if text.count(old) != 1:
            raise AssertionError("%s has %d times %r" % (name, text.count(old), old))
        with open(file, "w", encoding="utf-8") as source:
            source.write(text.replace(old, new))
    return script


class SpoiledScripts(unittest.TestCase):
    def test_each_is_seen(self):
        for name, rule, happens, options, changes in SPOILED:
            with self.subTest(name):
                folder = tempfile.mkdtemp()
                self.addCleanup(shutil.rmtree, folder, True)
                broken = self.broken_by(happens, options, spoil(folder, changes))
                self.assertIn(rule, broken)

    def test_the_script_as_it_is_breaks_no_rule(self):
        for name, _, happens, options, _ in SPOILED:
            with self.subTest(name):
                self.assertEqual(self.broken_by(happens, options, SCRIPT), [])

    def broken_by(self, happens, options, script):
        """The rules that are broken while that happens. A spoiled script may not get far."""
        from fake_live.police import RULES

        broken = []
        try:
            with Linked(script=script, may_break=RULES, **options) as link:
                try:
                    happens(link)
                except (AssertionError, Refused):
                    if script == SCRIPT:
                        raise
                broken = link.live.rules_broken()
        except AssertionError:
            if script == SCRIPT or not broken:
                raise
        return broken


if __name__ == "__main__":
    unittest.main()
