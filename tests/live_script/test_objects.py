"""Ids and paths: an id follows its object, is never another's, and dies with it."""

import unittest

from .fake import Linked, call, get, put


def resolve(words):
    return {"do": "resolve", "path": words}


class Ids(unittest.TestCase):
    def setUp(self):
        self.link = Linked()
        self.addCleanup(self.link.__exit__, None, None, None)

    def id_at(self, words):
        return self.link.do(resolve(words))[0]["id"]

    def user(self, function, *args, path="live_set"):
        return self.link.live("user_call", path=path, function=function, args=list(args))

    def path_of(self, number):
        answer = self.link.program({"do": "exists", "of": {"id": number}})
        return answer["objects"].get(str(number), [None, ""])[1]

    def test_the_same_object_has_the_same_id(self):
        for words in ("live_set", "live_app", "live_set tracks 1", "live_set tracks 1 clip_slots 2", "live_set view",
                      "live_set return_tracks 0 devices 0 parameters 1", "live_set tracks 0 mixer_device sends 1",
                      "live_set master_track mixer_device cue_volume", "live_set groove_pool", "live_app view"):
            with self.subTest(words):
                number = self.id_at(words)
                self.assertGreater(number, 0)
                self.assertEqual((self.id_at(words), self.id_at("id %d" % number)), (number, number))
                self.assertEqual(self.path_of(number), words)

    def test_other_routes_lead_to_the_same_object(self):
        self.user("create_clip", 4.0, path="live_set tracks 1 clip_slots 2")
        for route, words in (
                ("live_set visible_tracks 1", "live_set tracks 1"),
                ("live_set scenes 2 clip_slots 1", "live_set tracks 1 clip_slots 2"),
                ("live_set scenes 2 clip_slots 1 clip", "live_set tracks 1 clip_slots 2 clip"),
                ("live_set view selected_track", "live_set tracks 0"),
                ("live_set view selected_scene", "live_set scenes 0"),
                ("live_set tracks 0 canonical_parent", "live_set"),
                ("live_set tracks 1 clip_slots 2 clip canonical_parent", "live_set tracks 1 clip_slots 2"),
                ("live_set tracks 0 mixer_device volume canonical_parent", "live_set tracks 0 mixer_device")):
            with self.subTest(route):
                number = self.id_at(route)
                self.assertEqual((self.path_of(number), self.id_at(words)), (words, number))

    def test_paths_that_lead_nowhere(self):
        for words in ("", "live_set tracks", "live_set tracks 9", "live_set tracks -1", "live_set tracks x", "id 0",
                      "id 99", "id x", "live_set tempo", "nonsense", "live_set tracks 0 clip_slots 0 clip",
                      "live_set tracks 0 clip_slots 0 clip view", "this_device", "control_surfaces 0", 5, None):
            with self.subTest(words):
                self.assertEqual(self.id_at(words), 0)

    def test_an_id_follows_its_object(self):
        tracks = self.link.do(get("live_set", "tracks"))[0]["ids"]
        self.user("create_midi_track", 0)
        self.assertEqual([self.path_of(number) for number in tracks],
                         ["live_set tracks %d" % at for at in range(1, 5)])
        self.user("delete_track", 2)
        self.assertEqual([self.path_of(number) for number in tracks],
                         ["live_set tracks 1", "", "live_set tracks 2", "live_set tracks 3"])
        self.assertEqual(self.id_at("id %d" % tracks[1]), 0)

    def test_what_it_held_is_gone_with_it(self):
        self.user("create_clip", 4.0, path="live_set tracks 1 clip_slots 2")
        held = [self.id_at("live_set tracks 1 " + words) for words in (
            "clip_slots 2 clip", "clip_slots 2", "mixer_device volume", "view")]
        self.user("delete_track", 1)
        for number in held:
            self.assertEqual(self.id_at("id %d" % number), 0)

    def test_devices_that_move_keep_their_ids(self):
        made = self.link.do(
            call("live_set tracks 0", "insert_device", "Instrument Rack"), call({"step": 0}, "insert_chain"),
            call({"step": 1}, "insert_device", "Utility"), get({"step": 2}, "parameters"))
        rack, chain, device = [one["id"] for one in made[:3]]
        gain = made[3]["ids"][1]
        words = "live_set tracks 0 devices 0 chains 0"
        self.assertEqual([self.path_of(number) for number in (rack, chain, device, gain)], [
            "live_set tracks 0 devices 0", words, words + " devices 0", words + " devices 0 parameters 1"])
        self.assertEqual(self.id_at(words + " devices 0 canonical_parent"), chain)
        self.assertEqual(self.path_of(self.id_at(words + " mixer_device volume")), words + " mixer_device volume")
        for target, path in (("live_set tracks 1", "live_set tracks 1 devices 0"),
                             ("live_set return_tracks 0", "live_set return_tracks 0 devices 1"),
                             (words, words + " devices 0")):
            with self.subTest(target):
                self.link.do(call("live_set", "move_device", {"id": device}, {"path": target}, 9))
                self.assertEqual((self.path_of(device), self.path_of(gain)), (path, path + " parameters 1"))
        self.user("move_device", {"path": words + " devices 0"}, {"path": "live_set tracks 3"}, 0)
        self.user("delete_track", 0)
        self.assertEqual((self.path_of(device), self.path_of(rack)), ("live_set tracks 2 devices 0", ""))

    def test_clips_of_the_arrangement(self):
        track = "live_set tracks 0"
        first = self.link.do(call(track, "create_midi_clip", 0, 16))[0]["id"]
        given = self.link.do(call(track, "create_midi_clip", 4, 4), get(track, "arrangement_clips"), call(
            track, "create_take_lane"), call({"step": 2}, "create_midi_clip", 0, 4))
        second, clips, lane, take = given[0]["id"], given[1]["ids"], given[2]["id"], given[3]["id"]
        # The one that was cut in the middle is two now; the head is the old one.
        self.assertEqual((len(clips), clips[0], clips[1]), (3, first, second))
        self.assertEqual([self.path_of(number) for number in clips + [lane, take]], [
            track + " arrangement_clips 0", track + " arrangement_clips 1", track + " arrangement_clips 2",
            track + " take_lanes 0", track + " take_lanes 0 arrangement_clips 0"])
        self.assertEqual(self.link.do(*[get({"id": number}, "start_time") for number in clips]), [0.0, 4.0, 8.0])
        self.link.do(call(track, "create_midi_clip", 0, 5))
        self.assertEqual([self.path_of(number) for number in clips], [
            "", track + " arrangement_clips 1", track + " arrangement_clips 2"])
        self.link.do(call(track, "delete_clip", {"id": second}),
                     call(track, "duplicate_clip_to_arrangement", {"id": clips[2]}, 100))
        self.assertEqual(self.path_of(clips[2]), track + " arrangement_clips 1")

    def test_memory_that_is_used_again_is_another_object(self):
        """A pointer comes back with the next object; its id does not."""
        seen = set()
        for _ in range(5):
            self.user("create_midi_track", -1)
            number = self.id_at("live_set tracks 4")
            clip = self.id_at("live_set tracks 4 mixer_device volume")
            self.assertFalse({number, clip} & seen)
            seen |= {number, clip}
            self.user("delete_track", 4)
            self.assertEqual(self.id_at("id %d" % number), 0)

    def test_memory_that_is_used_again_in_one_program(self):
        (first,) = self.link.do(call("live_set tracks 0 clip_slots 0", "create_clip", 4))
        second = self.link.do(call("live_set tracks 0 clip_slots 0", "delete_clip"),
                              call("live_set tracks 0 clip_slots 0", "create_clip", 4))[1]
        self.assertNotEqual(first, second)
        self.assertEqual(self.id_at("id %d" % first["id"]), 0)

    def test_undo_of_a_deletion_brings_another_object(self):
        number = self.id_at("live_set tracks 1")
        self.user("delete_track", 1)
        self.user("undo")
        again = self.id_at("live_set tracks 1")
        self.assertNotEqual(again, number)
        self.assertEqual(self.id_at("id %d" % number), 0)

    def test_paths_are_told_as_they_are_after_the_program(self):
        (number,) = [self.id_at("live_set tracks 1")]
        answer = self.link.program(get({"id": number}, "name"), call("live_set", "create_midi_track", 0))
        self.assertEqual(answer["objects"][str(number)], ["Track", "live_set tracks 2"])

    def test_a_name_with_a_running_number_reads_back_with_it(self):
        self.assertEqual(self.link.do(put("live_set tracks 1", "name", "Pad #")), ["Pad 2"])


if __name__ == "__main__":
    unittest.main()
