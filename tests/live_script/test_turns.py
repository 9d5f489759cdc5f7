"""The pump: ticks, lingering, dialogs, beats, marks, and the end."""

import unittest

from .fake import Linked, Refused, get, put


class Turns(unittest.TestCase):
    def test_ticks_of_every_length(self):
        for tick_ms in (17, 34, 100):
            with self.subTest(tick_ms):
                with Linked(tick_ms=tick_ms) as link:
                    self.assertEqual(link.do(get("live_set", "tempo")), [120.0])
                    self.assertEqual(link.program(put("live_set", "loop", True))["ticks"], 2)

    def test_when_the_timer_stops_the_display_goes_on(self):
        with Linked() as link:
            link.live("stop_timers")
            number = link.send("program", steps=[get("live_set", "tempo")])
            self.assertTrue(link.answer(number, ticks=30)["ok"])

    def test_requests_that_wait_are_served_in_one_tick(self):
        with Linked() as link:
            numbers = [link.send("program", steps=[get("live_set", "tempo")]) for _ in range(20)]
            link.live("ticks", n=1)
            answers = [frame["id"] for frame in link.device.frames() if frame["kind"] == "answer"]
            self.assertEqual(answers, numbers)

    def test_more_requests_than_can_wait(self):
        with Linked() as link:
            # The first needs a second tick, so the others wait.
            link.send("program", steps=[put("live_set", "loop", True)])
            numbers = [link.send("program", steps=[get("live_set", "tempo")]) for _ in range(70)]
            link.live("ticks", n=4)
            answers = {frame["id"]: frame for frame in link.device.frames() if frame["kind"] == "answer"}
            busy = [number for number in numbers if not answers[number]["ok"]]
            self.assertEqual(len(answers), 71)
            self.assertEqual({answers[number]["error"]["code"] for number in busy}, {"busy"})
            self.assertEqual(busy, numbers[-len(busy):])

    def test_it_lingers_only_in_a_call(self):
        with Linked() as link:
            for more, waited in ((True, 3), (False, 0)):
                took = []
                link.send("program", steps=[get("live_set", "tempo")], more=more)
                for _ in range(3):
                    began = link.live("now_ms")
                    link.live("ticks", n=1)
                    took.append(round(link.live("now_ms") - began - 17))
                self.assertEqual(took, [waited, 0, 0])

    def test_a_dialog_is_told_when_ticks_go_on(self):
        with Linked() as link:
            link.device.frames()
            link.live("dialog", text="Save changes?")
            link.live("ticks", n=100)
            self.assertEqual(link.device.frames(), [])
            link.live("close_dialog")
            link.live("ticks", n=1)
            beat = [frame for frame in link.device.frames() if frame["kind"] == "beat"][-1]
            self.assertGreater(beat["tick_gap_ms"], 1000)
            self.assertEqual(beat["dialogs"], 0)
            self.assertEqual(len([line for line in link.live("log") if "no turn" in line]), 1)

    def test_beats_come_each_second(self):
        with Linked() as link:
            link.live("ticks", n=300)
            beats = [frame for frame in link.device.frames() if frame["kind"] == "beat"]
            self.assertIn(len(beats), (5, 6))

    def test_failures_are_logged_once_a_minute(self):
        with Linked(without=["Application.Application.open_dialog_count"]) as link:
            for _ in range(5):
                link.device.send({"kind": "beat"})
                link.live("ticks", n=100)
            self.assertEqual(len([line for line in link.live("log") if "a beat" in line]), 1)
            self.assertEqual(link.do(get("live_set", "tempo")), [120.0])


class Marks(unittest.TestCase):
    def marks(self, link):
        found = link.other + link.device.frames()
        link.other = []
        return [frame for frame in found if frame["kind"] == "marks"]

    def test_values_are_told_once_a_tick_and_the_latest_only(self):
        with Linked() as link:
            (song,) = link.ask("watch", members=[{"of": {"path": "live_set"}, "member": "tempo"}])["watched"]
            for tempo in (90.0, 91.0, 92.0):
                link.live("user_set", path="live_set", member="tempo", value=tempo)
            link.live("ticks", n=3)
            self.assertEqual([frame["values"] for frame in self.marks(link)], [[[song, "tempo", 92.0]]])
            link.ask("watch", members=[])
            link.live("user_set", path="live_set", member="tempo", value=100.0)
            link.live("ticks", n=3)
            self.assertEqual(self.marks(link), [])

    def test_lists_that_were_read_are_marked(self):
        with Linked() as link:
            link.do(get("live_set", "tracks"), get("live_set tracks 0 clip_slots 0", "clip"))
            song, slot = [link.do({"do": "resolve", "path": words})[0]["id"]
                          for words in ("live_set", "live_set tracks 0 clip_slots 0")]
            link.live("user_call", path="live_set", function="create_midi_track", args=[0])
            link.live("user_call", path="live_set tracks 1 clip_slots 0", function="create_clip", args=[4.0])
            link.live("ticks", n=2)
            self.assertEqual([frame["lists"] for frame in self.marks(link)], [[[song, "tracks"], [slot, "clip"]]])

    def test_what_cannot_be_watched(self):
        with Linked() as link:
            for one, code in (({"of": {"path": "live_set"}, "member": "can_undo"}, "refused"),
                              ({"of": {"path": "live_set"}, "member": "nonsense"}, "unknown_member"),
                              ({"of": {"path": "live_set tracks 9"}, "member": "name"}, "no_object"),
                              ({"of": 5, "member": "name"}, "malformed")):
                with self.subTest(code):
                    with self.assertRaises(Refused) as caught:
                        link.ask("watch", members=[one])
                    self.assertEqual(caught.exception.error["code"], code)

    def test_switching_off_leaves_nothing(self):
        with Linked() as link:
            link.do(get("live_set", "tracks"), get("live_set tracks 0", "clip_slots"))
            link.ask("watch", members=[{"of": {"path": "live_set"}, "member": "tempo"}])
            self.assertGreater(link.live("listeners"), 2)
            link.live("disconnect")
            self.assertEqual(link.live("listeners"), 0)
            self.assertEqual([frame and frame["kind"] for frame in link.device.frames()][-2:], ["bye", None])


if __name__ == "__main__":
    unittest.main()
