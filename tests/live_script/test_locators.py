"""Locators: the toggle at the playhead, which is brought back."""

import unittest

from .fake import Linked, Refused, get, put


def cues(link):
    (found,) = link.do(get("live_set", "cue_points"))
    return [tuple(link.do(get({"id": number}, "time"), get({"id": number}, "name"))) for number in found["ids"]]


def playhead(link):
    return link.live("get", path="live_set", member="current_song_time")


class Locators(unittest.TestCase):
    def test_one_is_made_and_removed_and_the_playhead_is_back(self):
        for before in (0.0, 7.25, 16.0):
            with self.subTest(before), Linked() as link:
                link.do(put("live_set", "current_song_time", before))
                made = link.ask("locator", at=16, present=True, call=5)
                self.assertEqual(made["objects"][str(made["locator"])], ["CuePoint", "live_set cue_points 0"])
                self.assertEqual((cues(link), playhead(link)), ([(16.0, "1")], before))
                self.assertEqual((made["began_step"], link.live("steps")), (True, 1))
                link.ask("locator", at=16.0, present=False)
                self.assertEqual((cues(link), playhead(link)), ([], before))

    def test_what_is_there_or_not_is_said_and_nothing_is_moved(self):
        with Linked() as link:
            link.ask("locator", at=8, present=True)
            steps = link.live("steps")
            for at, present, code in ((8, True, "refused"), (9, False, "no_object"), (-1, True, "malformed"),
                                      ("8", True, "malformed"), (8, 1, "malformed")):
                with self.assertRaises(Refused) as refused:
                    link.ask("locator", at=at, present=present)
                self.assertEqual(refused.exception.error["code"], code, at)
            self.assertEqual((cues(link), playhead(link), link.live("steps")), ([(8.0, "1")], 0.0, steps))

    def test_never_while_playing(self):
        with Linked() as link:
            link.do(put("live_set", "is_playing", True))
            with self.assertRaises(Refused) as refused:
                link.ask("locator", at=8, present=True)
            self.assertIn("while Live plays", refused.exception.error["text"])
            self.assertEqual(cues(link), [])

    def test_what_hits_another_place_of_the_grid_is_taken_back(self):
        with Linked(cue_grid=4.0) as link:
            link.ask("locator", at=8, present=True)
            (found,) = link.do(get("live_set", "cue_points"))
            link.do(put({"id": found["ids"][0]}, "name", "Verse"))
            for at, is_anew in ((9.0, True), (13.0, False)):
                with self.assertRaises(Refused) as refused:
                    link.ask("locator", at=at, present=True)
                said = refused.exception.error["text"]
                self.assertEqual(("grid" in said, "another id" in said), (True, is_anew), said)
            self.assertEqual((cues(link), playhead(link)), ([(8.0, "Verse")], 0.0))

    def test_a_lost_link_leaves_the_playhead_where_it_was(self):
        with Linked() as link:
            link.do(put("live_set", "current_song_time", 3.0))
            link.send("locator", at=16, present=True)
            link.live("ticks", n=1)
            link.device.hang_up()
            link.live("ticks", n=6)
            self.assertEqual(playhead(link), 3.0)


if __name__ == "__main__":
    unittest.main()
