"""Bulk reads: what they hold, how they are cut, and what they say when something moved meanwhile."""

import unittest

from .fake import Linked, Refused, call

SHAPES = [
    {"properties": ["tempo"], "counts": ["cue_points"],
     "children": [["tracks", 1], ["return_tracks", 1], ["master_track", 1], ["scenes", 2]]},
    {"properties": ["name", "color", "arm", "nonsense"], "children": [["clip_slots", 3], ["devices", 5]]},
    {"properties": ["name", "tempo"]},
    {"properties": ["has_stop_button"], "children": [["clip", 4]]},
    {"properties": ["name"], "notes": True},
    {"properties": ["name"], "all": True, "children": [["parameters", 6]]},
    {"display": True},
]
MEMBERS = {"Device": ["class_name", "type"]}
WHOLE = {"parts": [{"of": {"path": "live_set"}, "shape": 0}], "shapes": SHAPES, "members": MEMBERS}


class Reads(unittest.TestCase):
    def test_what_an_answer_holds(self):
        with Linked() as link:
            link.do(call("live_set tracks 0 clip_slots 1", "create_clip", 4),
                    call({"step": 0}, "add_new_notes", {"notes": [{"pitch": 60, "start_time": 0, "duration": 1}]}))
            answer = link.ask("read", **WHOLE)
            of = {path: (number, answer["data"].get(number))
                  for number, (_, path) in answer["objects"].items()}
            self.assertEqual(of["live_set"][1]["get"], {"tempo": 120.0})
            self.assertEqual(of["live_set"][1]["count"], {"cue_points": 0})
            self.assertEqual(len(of["live_set"][1]["children"]["tracks"]), 4)
            self.assertEqual(sorted(of["live_set tracks 0"][1]["get"]), ["arm", "color", "name"])
            self.assertEqual(of["live_set master_track"][1]["refused"],
                             {"arm": "Main and Return Tracks have no 'Arm' state!"})
            clip = of["live_set tracks 0 clip_slots 1 clip"]
            self.assertEqual(clip[1]["notes"][0][1:4], [60, 0.0, 1.0])
            self.assertEqual(of["live_set tracks 0 clip_slots 1"][1]["children"]["clip"], [int(clip[0])])
            self.assertEqual(of["live_set tracks 0 clip_slots 0"][1]["children"]["clip"], [])
            reverb = of["live_set return_tracks 0 devices 0"][1]
            self.assertEqual(reverb["get"], {"name": "Reverb", "class_name": "Reverb", "type": 2})
            switch, predelay = [of["live_set return_tracks 0 devices 0 parameters %d" % at][1] for at in (0, 1)]
            self.assertEqual(switch["display"], {"items": ["Off", "On"]})
            self.assertEqual(predelay["display"], {"at_min": "0.50 ms", "at_max": "250 ms", "label": "2.50 ms"})
            self.assertEqual(answer["facts"]["tempo"], 120.0)
            self.assertEqual(answer["roots"]["live_set"], int(of["live_set"][0]))
            self.assertEqual((answer["reads"], answer["moved"]), (1, False))

    def test_parts_that_are_not_there(self):
        with Linked() as link:
            parts = [{"of": {"path": "live_set tracks 9"}, "shape": 0}, {"of": {"id": 99}, "shape": 0},
                     {"of": {"path": "live_set scenes 1"}, "shape": 2}]
            answer = link.ask("read", parts=parts, shapes=SHAPES)
            self.assertEqual([bool(part) for part in answer["parts"]], [False, False, True])
            self.assertEqual(len(answer["data"]), 1)

    def test_shapes_that_are_none(self):
        with Linked() as link:
            for told in ({"parts": [], "shapes": 5}, {"parts": [{"of": {}, "shape": 1}], "shapes": [{}]},
                         {"parts": [{"of": 5, "shape": 0}], "shapes": [{}]},
                         {"parts": [], "shapes": [{"children": [["tracks", 1]]}]}, {"parts": [], "shapes": [[]]},
                         {"parts": [], "shapes": [{"children": [["tracks"]]}]}):
                with self.subTest("%s" % told):
                    with self.assertRaises(Refused) as caught:
                        link.ask("read", **told)
                    self.assertEqual(caught.exception.error["code"], "malformed")

    def test_a_long_one_is_cut_and_nothing_is_held_over(self):
        # Each access costs 100 µs of virtual time, so a tick is full after eighty.
        with Linked(access_us=100.0) as link:
            answer = link.ask("read", **WHOLE)
            self.assertGreater(answer["ticks"], 3)
            self.assertEqual((answer["reads"], answer["moved"]), (1, False))
            whole = link.ask("read", **WHOLE)
            self.assertEqual(whole["data"], answer["data"])

    def test_what_moves_meanwhile_is_read_anew(self):
        with Linked(access_us=100.0) as link:
            link.ask("read", **WHOLE)
            number = link.send("read", **WHOLE)
            link.live("ticks", n=2)
            link.live("user_call", path="live_set", function="create_midi_track", args=[0])
            answer = link.answer(number)
            self.assertEqual((answer["reads"], answer["moved"]), (2, False))
            self.assertEqual(len([path for _, path in answer["objects"].values() if len(path.split()) == 3 and
                                  path.startswith("live_set tracks")]), 5)

    def test_what_never_rests_is_said(self):
        with Linked(access_us=100.0) as link:
            link.ask("read", **WHOLE)
            number = link.send("read", **WHOLE)
            answer = None
            while answer is None:
                link.live("ticks", n=1)
                link.live("user_call", path="live_set tracks 0", function="insert_device", args=["Utility"])
                found = [frame for frame in link.device.frames() if frame.get("id") == number]
                answer = found[0] if found else None
            self.assertEqual((answer["reads"], answer["moved"]), (3, True))

    def test_a_set_of_two_thousand_clips_is_one_exchange(self):
        with Linked(set={"midi": 100, "audio": 0, "scenes": 100}, access_us=0.0) as link:
            link.live("fill", scenes=20)
            answer = link.ask("read", **WHOLE)
            clips = [about for about in answer["objects"].values() if about[0] == "Clip"]
            self.assertEqual(len(clips), 2000)
            self.assertEqual(answer["reads"], 1)


if __name__ == "__main__":
    unittest.main()
