"""The fake itself: what Live is known to do, and that its police see what they are for."""

import unittest

from fake_live import stubs
from fake_live.behaviours import MADE

from .fake import FakeLive


class Fake(unittest.TestCase):
    def setUp(self):
        self.live = FakeLive(load=False)
        self.addCleanup(self.live.end)

    def probe(self, code):
        return self.live("probe", code=code)

    def test_what_live_does(self):
        for code, result in (
                ("result = song().tracks[0] is song().tracks[0]", False),
                ("result = song().tracks[0] == song().tracks[0]", True),
                ("result = song().tracks[0]._live_ptr == song().tracks[0]._live_ptr", True),
                ("result = isinstance(song().tracks, list)", False),
                ("song().tracks[0] = 1", "TypeError: 'Vector' object does not support item assignment"),
                ("song().tracks.append(1)", "AttributeError: 'Vector' object has no attribute 'append'"),
                ("result = len(song().tracks)", 4),
                ("result = song().nonsense", "AttributeError: 'Song' object has no attribute 'nonsense'"),
                ("result = isinstance(song().clip_trigger_quantization, int)", True),
                ("result = song().clip_trigger_quantization == Live.Song.Quantization.q_bar", True),
                ("result = Live.Song.Quantization.q_bar", 4),
                ("song().clip_trigger_quantization = 0\nresult = song().clip_trigger_quantization", 0),
                ("result = song().tracks[0].clip_slots[0].clip", None),
                ("t = song().tracks[0].mixer_device.volume\nt.value = 2.0",
                 "RuntimeError: Invalid value. Check the parameters range with min/max"),
                ("song().tempo = 1.0", "RuntimeError: Invalid value. Check the parameters range with min/max"),
                ("song().create_midi_track(99)", "LimitationError: Invalid track index"),
                ("song().tracks[0].name = 'Pad #'\nresult = song().tracks[0].name", "Pad 1"),
                ("t = song().tracks[1]\nt.name = 'Bass'\nt.name = ''\nresult = t.name", "2-MIDI"),
                ("c = song().tracks[0].clip_slots[0].create_clip(4.0)\n"
                 "N = Live.Clip.MidiNoteSpecification\n"
                 "c.add_new_notes((N(pitch=60, start_time=0.3, duration=1.0),"
                 " N(pitch=62, start_time=1.1, duration=1.0)))\n"
                 "c.quantize(1, 1.0)\nresult = [n.start_time for n in c.get_all_notes_extended()]", [0.0, 1.0]),
                ("c = song().tracks[0].clip_slots[0].clip\nc.quantize_pitch(60, 1, 2.0)",
                 "RuntimeError: Invalid value. Check the parameters range with min/max"),
                ("c = song().tracks[0].clip_slots[0].clip\nc.duplicate_loop()\n"
                 "result = [c.loop_end] + [n.start_time for n in c.get_all_notes_extended()]",
                 [8.0, 0.0, 1.0, 4.0, 5.0]),
                ("s = song()\ns.view.selected_scene = s.scenes[1]\ns.capture_and_insert_scene()\n"
                 "result = [len(s.scenes), list(s.scenes).index(s.view.selected_scene)]", [9, 2]),
                ("song().tracks[0].color = 0xFF0000\nresult = song().tracks[0].color", 16725558),
                ("song().view.selected_track = song().tracks[2]\nresult = song().view.selected_track.name", "3-Audio"),
                ("song().tracks[2].clip_slots[0].create_clip(4.0)",
                 "RuntimeError: Clips can only be created on MIDI tracks"),
                ("Live.Song.Song()", "RuntimeError: This class cannot be instantiated from Python"),
                ("song().set_data('a', 5)\nresult = song().get_data('a', 0)", 5),
        ):
            with self.subTest(code):
                self.assertEqual(self.probe(code), result)
        self.assertEqual(self.live("incidents"), [])

    def test_its_classes_have_what_the_stubs_say_and_no_more(self):
        code = "import fake_live.stubs as stubs\nresult = {}\n" \
            "for name in stubs.surface()['classes']:\n" \
            "    at = Live\n" \
            "    for word in name.split('.'):\n        at = getattr(at, word)\n" \
            "    own = vars(at)\n" \
            "    result[name] = sorted(w for w in own if w[0] != '_' and not isinstance(own[w], type))"
        have = self.probe(code)
        for name, about in stubs.surface()["classes"].items():
            if name not in MADE:
                continue
            wanted = set(about["properties"]) | set(about["functions"])
            for member in about["listen"]:
                wanted |= {"add_%s_listener" % member, "remove_%s_listener" % member, member + "_has_listener"}
            with self.subTest(name):
                self.assertEqual(have[name], sorted(word for word in wanted if not word.startswith("_")))

    def test_values_land_late(self):
        code = "s = song()\ns.is_playing = True\ns.loop = True\ns.current_song_time = 8.0\ns.loop_start = 4.0\n" \
            "result = [s.is_playing, s.loop, s.current_song_time, s.loop_start]"
        self.assertEqual(self.probe(code), [False, False, 0.0, 4.0])

    def test_what_waits_lands_with_the_tick(self):
        live = FakeLive()
        self.addCleanup(live.end)
        live("probe", code="song().loop = True")
        self.assertEqual(live("probe", code="result = song().loop"), False)
        live("ticks", n=1)
        self.assertEqual(live("probe", code="result = song().loop"), True)

    def test_undo_takes_back_steps(self):
        self.probe("s = song()\ns.begin_undo_step()\ns.create_midi_track(-1)\ns.create_scene(-1)\ns.end_undo_step()")
        self.assertEqual(self.probe("s = song()\ns.undo()\nresult = [len(s.tracks), len(s.scenes), s.can_redo]"),
                         [4, 8, True])
        self.assertEqual(self.probe("s = song()\ns.redo()\nresult = [len(s.tracks), len(s.scenes)]"), [5, 9])

    def test_undo_of_a_deletion_makes_another_object(self):
        self.probe("kept['t'] = song().tracks[0]\nkept['p'] = kept['t']._live_ptr\nsong().delete_track(0)")
        self.assertEqual(self.probe("song().undo()\nresult = [len(song().tracks), kept['t'] == None]"), [4, True])

    def test_notes(self):
        code = "c = song().tracks[0].clip_slots[0].create_clip(4.0)\n" \
            "N = Live.Clip.MidiNoteSpecification\n" \
            "a, b = [N(pitch=60, start_time=at, duration=2.0 - at) for at in (0.0, 1.0)]\n" \
            "c.add_new_notes((a, b))\n" \
            "v = c.get_all_notes_extended()\n" \
            "result = [type(v).__name__, [(n.start_time, n.duration) for n in v]]"
        self.assertEqual(self.probe(code), ["MidiNoteVector", [[0.0, 1.0], [1.0, 1.0]]])

    def test_police(self):
        for rule, code in (
                ("signature", "song().tempo = 120"),
                ("signature", "song().create_scene(1.0)"),
                ("signature", "song().create_scene(index=1)"),
                ("signature", "song().loop = 1"),
                ("signature", "song().tracks[0].clip_slots[0].create_clip(4)"),
                ("signature", "Live.Clip.MidiNoteSpecification(pitch=60, start_time=0, duration=1.0)"),
                ("signature", "song().move_device(1, 2, 3)"),
                ("invented", "song().can_undo = True"),
                ("invented", "song().nonsense = 1"),
                ("notification", "s = song()\nf = lambda: setattr(song(), 'metronome', True)\n"
                                 "s.add_tempo_listener(f)\ns.tempo = 90.0"),
                ("listener", "s = song()\nf = print\ns.add_loop_listener(f)\ns.add_loop_listener(f)"),
                ("listener", "song().remove_loop_listener(len)"),
                ("dead", "t = song().tracks[0]\nsong().delete_track(0)\nt.name"),
                ("held", "kept['s'] = song()"),
                ("undo", "song().begin_undo_step()"),
                ("undo", "s = song()\ns.begin_undo_step()\ns.begin_undo_step()\ns.end_undo_step()\ns.end_undo_step()"),
                ("thread", "import threading\nt = threading.Thread(target=len, args=('',))\nt.start()\nt.join()"),
                ("blocking", "import socket\ns = socket.socket()\ns.connect_ex(('127.0.0.1', 1))\ns.close()"),
                ("blocking", "import selectors\nselectors.DefaultSelector().select()"),
                ("waits", "import time\ntime.sleep(0.02)"),
                ("waits", "import selectors\nselectors.DefaultSelector().select(0.002)"),
        ):
            with self.subTest("%s: %s" % (rule, code)):
                live = FakeLive(load=False)
                try:
                    live("probe", code=code)
                    if rule == "held":
                        live("probe", code="kept['s'].tempo")
                    self.assertIn(rule, live.rules_broken())
                finally:
                    live.end()


if __name__ == "__main__":
    unittest.main()
