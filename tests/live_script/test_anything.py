"""Anything at all: every request is answered once, no rule of Live's is broken, and the script makes no mistake."""

import os
import random
import unittest

from .fake import SCRIPT, Linked

REQUESTS = 400

NAMESPACE = {}
with open(os.path.join(SCRIPT, "members.py"), encoding="utf-8") as file:
    exec(compile(file.read(), "members.py", "exec"), NAMESPACE)
MEMBERS = NAMESPACE["MEMBERS"]

PATHS = [
    "live_set", "live_app", "live_set view", "live_app view", "live_set tracks 0", "live_set tracks 2",
    "live_set tracks 1",
    "live_set master_track", "live_set return_tracks 0", "live_set scenes 0", "live_set scenes 1",
    "live_set tracks 0 clip_slots 0", "live_set tracks 0 clip_slots 0 clip", "live_set tracks 0 clip_slots 1",
    "live_set tracks 2 clip_slots 0", "live_set tracks 0 mixer_device", "live_set tracks 0 mixer_device volume",
    "live_set return_tracks 0 devices 0", "live_set return_tracks 0 devices 0 parameters 1", "live_set groove_pool",
    "live_set tracks 0 devices 0", "live_set tracks 0 devices 0 chains 0", "live_set tuning_system",
    "live_set tracks 9",
    "live_set cue_points 0", "live_set tracks 0 clip_slots 0 clip view", "", "nonsense",
]


class Anything(unittest.TestCase):
    def test_requests_of_every_kind(self):
        chance = random.Random(7)
        with Linked() as link:
            link.do({"do": "call", "of": {"path": "live_set tracks 0 clip_slots 0"}, "function": "create_clip",
                     "args": [4]})
            codes, done = {}, 0
            for _ in range(REQUESTS):
                request = self.request(chance)
                answer = link.answer(link.send(**request))
                failures = [answer["error"]] if not answer["ok"] else [
                    result["error"] for result in answer.get("results", []) if "error" in result]
                done += len([result for result in answer.get("results", []) if "ok" in result])
                for failure in failures:
                    codes[failure["code"]] = codes.get(failure["code"], 0) + 1
                    self.assertNotEqual(failure["code"], "internal", "%s: %s" % (request, failure))
            self.assertGreater(done, REQUESTS // 2, codes)
            for code in ("no_object", "unknown_member", "read_only", "wrong_type", "bad_arguments", "refused",
                         "malformed"):
                self.assertIn(code, codes)
            self.assertEqual([line for line in link.live("log") if "Traceback" in line], [])

    def request(self, chance):
        kind = chance.choice(["program"] * 8 + ["read", "watch", "sing"])
        if kind == "program":
            steps = [self.step(chance) for _ in range(chance.randint(1, 6))]
            return {"kind": kind, "steps": steps, "go_on": True, "undo": chance.random() < 0.5,
                    "read": self.read(chance) if chance.random() < 0.2 else None}
        if kind == "read":
            return dict(self.read(chance), kind=kind)
        members = [{"of": self.reference(chance), "member": self.name(chance)} for _ in range(chance.randint(0, 2))]
        return {"kind": kind, "members": members}

    def read(self, chance):
        shapes = [{"properties": [self.name(chance)], "counts": [self.name(chance)], "notes": True, "display": True,
                   "children": [[self.name(chance), chance.choice([0, 0, 0, 1])]]} for _ in range(chance.randint(1, 2))]
        shapes.append({"properties": ["name"]})
        parts = [{"of": self.reference(chance), "shape": 0}]
        return {"shapes": shapes, "parts": parts}

    def step(self, chance):
        do = chance.choice(["get"] * 4 + ["set"] * 5 + ["call"] * 6 + [
            "resolve", "exists", "child", "count", "members", "labels", "notes", "replace_notes", "routed"])
        step = {"do": do, "of": self.reference(chance)}
        if do == "resolve":
            return {"do": do, "path": chance.choice(PATHS)}
        if do in ("get", "set", "child", "count", "routed"):
            step["member"] = self.name(chance, step["of"], "=" if do == "set" and chance.random() < 0.7 else "")
        if do == "set":
            kind = self.kind_of(step)
            step["value"] = self.fitting(chance, kind) if kind and chance.random() < 0.7 else self.value(chance)
        if do == "child":
            step["index"] = chance.choice([0, 1, -1, 99, "x"])
        if do == "call":
            step["function"], step["args"] = self.called(chance, step["of"])
        if do in ("members", "labels"):
            step["names"] = step["values"] = [self.value(chance)]
        if do == "replace_notes":
            step["rows"] = [self.value(chance), [0, 60, 0, 1, 100, False, 1, 0, 64]][chance.randint(0, 1):]
        return step

    def reference(self, chance):
        return chance.choice([
            {"path": chance.choice(PATHS)}, {"path": chance.choice(PATHS)}, {"path": chance.choice(PATHS)},
            {"path": chance.choice(PATHS)}, {"path": chance.choice(PATHS)}, {"path": chance.choice(PATHS)},
            {"path": chance.choice(PATHS)}, {"id": chance.randint(0, 80)},
            chance.choice([{"step": chance.randint(0, 4)}, {"step": 0, "at": chance.randint(-1, 5)}, {}])])

    def likely(self, reference):
        """The classes that a path leads to, by its last word."""
        words = str(reference.get("path", "")).split()
        known = {"live_set": "Song", "view": "Song.View", "clip": "Clip", "mixer_device": "MixerDevice",
                 "volume": "DeviceParameter", "master_track": "Track", "live_app": "Application"}
        lists = {"tracks": "Track", "scenes": "Scene", "clip_slots": "ClipSlot", "devices": "Device",
                 "parameters": "DeviceParameter", "return_tracks": "Track", "chains": "Chain"}
        if len(words) > 1 and words[-1].isdigit():
            return lists.get(words[-2], "Song")
        return known.get(words[-1] if words else "", "Song")

    def name(self, chance, reference=None, mark=""):
        if chance.random() < 0.1:
            return chance.choice(["nonsense", "__class__", "", 5, "add_tempo_listener"])
        properties = MEMBERS[self.likely(reference or {})]["properties"]
        return chance.choice(sorted(name for name in properties if mark in properties[name]) or ["nonsense"])

    def kind_of(self, step):
        about = MEMBERS[self.likely(step["of"])]["properties"].get(step["member"], "")
        return about.rstrip("=*").split(":")[0] if "=" in about else None

    def called(self, chance, reference):
        functions = MEMBERS[self.likely(reference)]["functions"]
        # Undoing all that went before would leave little to do.
        names = sorted(set(functions) - {"undo"}) or ["nonsense"]
        name = chance.choice(names)
        kinds = functions.get(name, "").split()
        args = [self.fitting(chance, kind) if chance.random() < 0.8 else self.value(chance) for kind in kinds]
        return name, args[:chance.randint(0, len(args))] if chance.random() < 0.3 else args

    def fitting(self, chance, kind):
        kind = kind.rstrip("?").split(":")[0]
        return {"int": chance.randint(-1, 3), "float": chance.choice([0, 1.5, 4]), "bool": chance.choice([True, 0, 1]),
                "str": chance.choice(["Session", "Reverb", "Instrument Rack", "Name"]), "ints": [1, 2],
                "object": {"path": chance.choice(PATHS)},
                "new_notes": {"notes": [{"pitch": chance.randint(0, 127), "start_time": 1, "duration": 0.5}]},
                }.get(kind, self.value(chance))

    def value(self, chance):
        return chance.choice([
            None, True, False, 0, 1, -1, 3, 120, 1e9, 0.5, -2.5, 1e308, "", "Name", "live_set", "id 5", [], [1, 2],
            ["a"], [[1]], {}, {"id": 0}, {"id": 3}, {"step": 0}, {"path": "live_set tracks 0"}, {"struct": {}},
            {"struct": {"output_routing_type": {"display_name": "Main"}}}, {"display_name": "No Input"}, {"notes": []},
            {"notes": [5]}, {"note_ids": [1]}, {"from_pitch": 0}])


if __name__ == "__main__":
    unittest.main()
