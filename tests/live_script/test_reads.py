"""Bulk reads: what they hold, how they are cut, and what they say when something moved meanwhile."""

import unittest

from .fake import Linked, Refused, call
from .read_answer import Read

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
            read = Read(answer)
            of = {path: (number, read.of(number)) for path, number in read.by_path().items()}
            self.assertEqual(of["live_set"][1]["get"], {"tempo": 120.0})
            self.assertEqual(of["live_set"][1]["count"], {"cue_points": 0})
            self.assertEqual(len(of["live_set"][1]["children"]["tracks"]), 4)
            self.assertEqual(sorted(of["live_set tracks 0"][1]["get"]), ["arm", "color", "name"])
            self.assertEqual(of["live_set master_track"][1]["refused"],
                             {"arm": "Main and Return Tracks have no 'Arm' state!"})
            clip = of["live_set tracks 0 clip_slots 1 clip"]
            self.assertEqual(clip[1]["notes"][0][1:4], [60, 0.0, 1.0])
            self.assertEqual(of["live_set tracks 0 clip_slots 1"][1]["children"]["clip"], [clip[0]])
            self.assertEqual(of["live_set tracks 0 clip_slots 0"][1]["children"]["clip"], [])
            reverb = of["live_set return_tracks 0 devices 0"][1]
            self.assertEqual(reverb["get"], {"name": "Reverb", "class_name": "Reverb", "type": 2})
            switch, predelay = [of["live_set return_tracks 0 devices 0 parameters %d" % at][1] for at in (0, 1)]
            self.assertEqual(switch["display"], {"items": ["Off", "On"]})
            self.assertEqual(predelay["display"], {"at_min": "0.50 ms", "at_max": "250 ms", "label": "2.50 ms"})
            self.assertEqual(answer["facts"]["tempo"], 120.0)
            self.assertEqual(answer["roots"]["live_set"], of["live_set"][0])
            self.assertEqual((answer["reads"], answer["moved"]), (1, False))

    def test_parts_that_are_not_there(self):
        with Linked() as link:
            parts = [{"of": {"path": "live_set tracks 9"}, "shape": 0}, {"of": {"id": 99}, "shape": 0},
                     {"of": {"path": "live_set scenes 1"}, "shape": 2}]
            answer = link.ask("read", parts=parts, shapes=SHAPES)
            self.assertEqual([bool(part) for part in answer["parts"]], [False, False, True])
            self.assertEqual([table["of"] for table in answer["tables"]], [[answer["parts"][2]]])

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
            self.assertEqual(Read(whole).everything(), Read(answer).everything())

    def test_what_moves_meanwhile_is_read_anew(self):
        with Linked(access_us=100.0) as link:
            link.ask("read", **WHOLE)
            number = link.send("read", **WHOLE)
            link.live("ticks", n=2)
            link.live("user_call", path="live_set", function="create_midi_track", args=[0])
            answer = link.answer(number)
            self.assertEqual((answer["reads"], answer["moved"]), (2, False))
            self.assertEqual(len([path for path in Read(answer).by_path() if len(path.split()) == 3 and
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
            clips = [name for name, _ in Read(answer).objects.values() if name == "Clip"]
            self.assertEqual(len(clips), 2000)
            self.assertEqual(answer["reads"], 1)

    def test_it_holds_live_for_eight_milliseconds_at_most(self):
        # By a clock that only accesses move: 50 µs each.
        with Linked(set={"midi": 20, "audio": 0, "scenes": 30}, access_us=50.0) as link:
            link.live("fill", scenes=20)
            for times in ("first", "again"):
                number = link.send("read", **WHOLE)
                holds, answer = [], None
                while answer is None:
                    began = link.live("now_ms")
                    link.live("ticks", n=1)
                    holds.append(link.live("now_ms") - began - 17.0)
                    answer = next((frame for frame in link.device.frames() if frame.get("id") == number), None)
                with self.subTest(times):
                    self.assertGreater(len(holds), 5)
                    self.assertLess(max(holds), 8.0)

    def test_what_was_read_before_is_read_as_anew(self):
        """What listeners tell spares looking at lists and slots again. Whatever a user does, the answer is that of a
        script that has seen nothing yet."""
        slot = "live_set tracks 0 clip_slots %d"
        edits = [
            [],
            [(slot % 1, "create_clip", [4.0]), (slot % 2, "create_clip", [4.0])],
            [(slot % 2, "delete_clip", [])],
            [("live_set", "duplicate_track", [0])],
            [("live_set", "create_scene", [1])],
            [("live_set", "delete_scene", [0])],
            [("live_set", "delete_track", [0]), ("live_set", "create_midi_track", [0])],
            [("live_set tracks 1", "insert_device", [name]) for name in ("Utility", "Reverb", "Utility", "Reverb")],
            # The ends of the list stay what they are.
            [("live_set", "move_device", [{"path": "live_set tracks 1 devices 1"}, {"path": "live_set tracks 1"}, 3])],
            [("live_set", "undo", [])],
        ]
        with Linked() as link:
            slots = {"children": [["clip_slots", len(SHAPES)]]}
            shapes = SHAPES + [{"properties": ["is_playing"], "children": [["clip", len(SHAPES) + 1]]}, {}]
            shapes[2] = dict(slots, properties=["name", "color"])
            for at, steps in enumerate(edits):
                for path, function, args in steps:
                    link.live("user_call", path=path, function=function, args=args)
                warm = link.ask("read", **dict(WHOLE, shapes=shapes))
                link.first_id += 1000
                link.device.hang_up()
                link.link()
                cold = link.ask("read", **dict(WHOLE, shapes=shapes))
                with self.subTest("%d: %s" % (at, steps)):
                    self.assertEqual(without_ids(warm), without_ids(cold))
                again = link.ask("read", **dict(WHOLE, shapes=shapes))
                self.assertEqual(Read(again).everything(), Read(cold).everything())
                self.assertTrue(any("rows" in table for table in again["tables"]))


def without_ids(answer):
    """What was read by paths alone."""
    read = Read(answer)
    path = {number: path for number, (_, path) in read.objects.items()}

    def of(number):
        about = dict(read.of(number))
        about["children"] = {name: [path[one] for one in ids] for name, ids in about.get("children", {}).items()}
        about.pop("notes", None)
        return about
    return {where: (read.objects[number][0], of(number)) for number, where in path.items()}


if __name__ == "__main__":
    unittest.main()
