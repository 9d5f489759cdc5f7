"""Envelopes of Session clips, through the script: in Lives that draw events, in those that only draw steps, and older
ones."""

import unittest

from .fake import Linked, Refused, call, path, put

CLIP = "live_set tracks 0 clip_slots 0 clip"
VOLUME = "live_set tracks 0 mixer_device volume"
NEWEST = {"version": [12, 4, 6]}
EVENTS = ["Envelope.Envelope.events_in_range", "Envelope.Envelope.delete_events_in_range"]


def draw(points, of=CLIP, parameter=VOLUME):
    return {"do": "draw_envelope", "of": path(of), "parameter": path(parameter), "points": points}


def read(of=CLIP):
    return {"do": "envelopes", "of": path(of)}


def points_of(results):
    return [[round(time, 6), round(value, 6), curve] for time, value, curve in results]


class Envelopes(unittest.TestCase):
    def linked(self, **options):
        link = self.enterContext(Linked(**options))
        link.do(call("live_set tracks 0 clip_slots 0", "create_clip", 16.0))
        return link

    def test_events_are_drawn_and_read_back(self):
        link = self.linked(**NEWEST)
        for points in (
                [[0.0, 0.0, 0.0], [8.0, 0.85, 0.0]],
                [[0.0, 0.2, 0.0], [4.0, 0.2, 0.0], [4.0, 0.9, 0.0], [8.0, 0.5, 0.0]],
                [[0.0, 0.2, 0.5], [8.0, 0.9, 0.0]],
                [[2.0, 0.4, 0.0]],
                [[0.0, 0.1, 0.0], [0.001, 0.9, 0.0], [0.002, 0.3, 0.0], [16.0, 0.3, 0.0]],
        ):
            with self.subTest(points):
                (drawn,) = link.do(draw(points))
                self.assertEqual(points_of(drawn), points)
                (found,) = link.do(read())
                self.assertEqual([points_of(one["points"]) for one in found], [points])
        (drawn,) = link.do(draw([]))
        self.assertEqual((drawn, link.do(read())), ([], [[]]))

    def test_a_bend_that_live_straightens_reads_straight(self):
        link = self.linked(bends=False, **NEWEST)
        (drawn,) = link.do(draw([[0.0, 0.2, 0.5], [8.0, 0.9, 0.0]]))
        self.assertEqual(points_of(drawn), [[0.0, 0.2, 0.0], [8.0, 0.9, 0.0]])

    def test_an_older_live_draws_what_is_held(self):
        link = self.linked()
        link.do(draw([[0.0, 0.2, 0.0], [4.0, 0.2, 0.0], [4.0, 0.9, 0.0]]))
        link.live("ticks", n=1)
        probe = "e = song().tracks[0].clip_slots[0].clip.automation_envelope(song().tracks[0].mixer_device.volume)\n"
        self.assertEqual(link.live("probe", code=probe + "result = [e.value_at_time(t) for t in (2.0, 6.0, 15.0)]"),
                         [0.2, 0.9, 0.9])
        with self.assertRaises(Refused) as raised:
            link.do(draw([[0.0, 0.2, 0.0], [4.0, 0.9, 0.0]]))
        self.assertEqual((raised.exception.error["code"], raised.exception.error["needs"]), ("unable", "12.4"))
        self.assertEqual(link.live("probe", code=probe + "result = e.value_at_time(2.0)"), 0.2, "it stays as it was")

    def test_what_an_old_live_draws_is_not_read(self):
        link = self.linked(without=EVENTS)
        (drawn,) = link.do(draw([[0.0, 0.5, 0.0]]))
        self.assertEqual(drawn, [[0.0, 0.5, 0.0]])
        with self.assertRaises(Refused) as raised:
            link.do(read())
        self.assertEqual(raised.exception.error["needs"], "12.2")

    def test_what_live_makes_no_envelope_for_is_refused(self):
        link = self.linked(**NEWEST)
        link.do(call("live_set tracks 0", "create_midi_clip", 0.0, 4.0))
        other = "live_set tracks 1 mixer_device volume"
        for step in (draw([[0.0, 0.5, 0.0]], of="live_set tracks 0 arrangement_clips 0"),
                     draw([[0.0, 0.5, 0.0]], parameter=other)):
            with self.subTest(step), self.assertRaises(Refused) as raised:
                link.do(step)
            self.assertEqual(raised.exception.error["code"], "refused")
        for points in ("x", [[0.0, 0.5]], [[0.0, "a", 0.0]], None):
            with self.subTest(points), self.assertRaises(Refused) as raised:
                link.do(draw(points))
            self.assertIn(raised.exception.error["code"], ("malformed", "wrong_type"))

    def test_envelopes_of_devices_in_racks_are_found(self):
        link = self.linked(**NEWEST)
        link.live("add_device", path="live_set tracks 0", name="Audio Effect Rack")
        rack = "live_set tracks 0 devices 0"
        link.do(call(rack, "insert_chain"), call(rack + " chains 0", "insert_device", "Reverb"))
        parameter = rack + " chains 0 devices 0 parameters 1"
        link.do(draw([[0.0, 0.5, 0.0]], parameter=parameter))
        (number,) = [one["id"] for one in link.do({"do": "resolve", "path": parameter})]
        self.assertEqual([one["parameter"] for one in link.do(read())[0]], [number])

    def test_drawing_is_one_step_of_undo(self):
        link = self.linked(**NEWEST)
        link.live("ticks", n=2)
        before = link.live("steps")
        link.program(draw([[0.0, 0.2, 0.0], [8.0, 0.9, 0.0]]), put(CLIP, "name", "x"), undo=True)
        self.assertEqual(link.live("steps") - before, 1)


if __name__ == "__main__":
    unittest.main()
