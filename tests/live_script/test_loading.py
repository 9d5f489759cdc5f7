"""What Live's browser has and its conversions make, through the script."""

import unittest

from .fake import Linked, Refused, call, get, path


class Loading(unittest.TestCase):
    def linked(self, **options):
        return self.enterContext(Linked(**options))

    def load(self, link, name, onto="live_set tracks 0", at=-1, **told):
        return link.ask("load", onto=path(onto), name=name, at=at, **told)

    def refused(self, link, name, onto="live_set tracks 0", **told):
        before = self.tracks(link)
        with self.assertRaises(Refused) as raised:
            self.load(link, name, onto, **told)
        self.assertEqual(self.tracks(link), before, "the track for loading is gone")
        return raised.exception.error["text"]

    def tracks(self, link):
        return link.live("get", path="live_set", member="tracks")

    def names(self, link, of):
        (devices,) = link.do(get(of, "devices"))
        return [link.do(get({"id": number}, "name"))[0] for number in devices["ids"]]

    def test_a_plug_in_comes_late_and_is_waited_for(self):
        link = self.linked()
        link.live("user_set", path="live_set view", member="selected_parameter", value=None)
        before = self.tracks(link)
        selected = link.live("get", path="live_set view", member="selected_track")
        made = self.load(link, "massive synth")
        self.assertGreater(made["ticks"], 5)
        self.assertEqual(made["objects"][str(made["device"])], ["PluginDevice", "live_set tracks 0 devices 0"])
        count, = link.do({"do": "count", "of": {"id": made["device"]}, "member": "parameters"})
        self.assertEqual(count, 2, "with what the user configured")
        self.assertEqual(self.tracks(link), before)
        self.assertEqual(link.live("get", path="live_set view", member="selected_track"), selected)

    def test_what_is_several_is_told(self):
        link = self.linked()
        text = self.refused(link, "Raum")
        for folder in ("VST3/Maker", "Audio Units"):
            self.assertIn('"plugins/%s/Raum"' % folder, text)
        self.load(link, "Audio Units/Raum")
        self.assertIn("several", self.refused(link, "Hall"))
        self.load(link, "Hall", under="Reverb")
        self.load(link, "audio_effects/Delay/hall.adv", at=0)
        self.assertEqual(self.names(link, "live_set tracks 0"), ["Hall", "Raum", "Hall"])
        self.assertIn("nothing called", self.refused(link, "Nope"))
        opened = link.live("opened")
        self.assertNotIn("sounds", opened)
        self.assertNotIn("drums", opened)

    def test_what_does_not_fit_is_refused_and_changes_nothing(self):
        link = self.linked()
        self.load(link, "Operator/Warm Pad")
        self.assertEqual(self.names(link, "live_set tracks 0"), ["Warm Pad"])
        self.assertIn("instrument", self.refused(link, "My Bass"))
        self.assertIn("MIDI", self.refused(link, "My Bass", onto="live_set tracks 2"))
        self.assertEqual(self.names(link, "live_set tracks 0"), ["Warm Pad"])

    def test_in_place_of_another(self):
        link = self.linked()
        self.load(link, "Operator/Warm Pad")
        self.load(link, "Reverb/Hall")
        self.load(link, "My Bass", onto="live_set tracks 0 devices 0", instead=True)
        self.assertEqual(self.names(link, "live_set tracks 0"), ["My Bass", "Hall"])
        self.assertIn("another kind", self.refused(link, "My Bass", onto="live_set tracks 0 devices 1", instead=True))
        self.assertEqual(self.names(link, "live_set tracks 0"), ["My Bass", "Hall"])

    def test_into_a_chain(self):
        link = self.linked()
        link.live("add_device", path="live_set tracks 2", name="Audio Effect Rack")
        link.do(call("live_set tracks 2 devices 0", "insert_chain"))
        self.load(link, "Shaper", onto="live_set tracks 2 devices 0 chains 0")
        self.assertEqual(self.names(link, "live_set tracks 2 devices 0 chains 0"), ["Shaper"])

    def test_what_does_not_come_is_given_up_in_time(self):
        link = self.linked(loads_nothing=True)
        text = self.refused(link, "Shaper", expires_at_ms=link.live("now_ms") + 1500.0)
        self.assertIn("in time", text)

    def test_a_slow_browser_does_not_hold_live(self):
        link = self.linked(browser_us=5000.0)
        made = self.load(link, "Massive Synth")
        self.assertGreater(made["ticks"], 10, "a little in each tick")

    def test_the_track_goes_when_the_link_is_lost(self):
        link = self.linked()
        before = self.tracks(link)
        link.send("load", onto=path("live_set tracks 0"), name="Massive Synth", at=-1)
        for _ in range(20):
            link.live("ticks", n=1)
            if self.tracks(link) != before:
                break
        self.assertNotEqual(self.tracks(link), before)
        link.device.hang_up()
        link.live("ticks", n=20)
        self.assertEqual(self.tracks(link), before)

    def test_conversions(self):
        file = __file__.rsplit("live_script", 1)[0] + "fixtures/audio/half.wav"
        link = self.linked()
        link.do(call("live_set tracks 2 clip_slots 0", "create_audio_clip", file))
        clip = path("live_set tracks 2 clip_slots 0 clip")
        for to, device in (("drums", "Operator"), ("melody", "Operator"), ("harmony", "Operator"),
                           ("simpler", "Simpler"), ("drum-rack", "Drum Rack")):
            with self.subTest(to):
                made = link.ask("convert", of=clip, to=to)
                self.assertEqual(made["objects"][str(made["track"])], ["Track", "live_set tracks 3"])
                self.assertEqual(self.names(link, "live_set tracks 3"), [device])
                link.do(call("live_set", "delete_track", 3))
        with self.assertRaises(Refused):
            link.ask("convert", of=clip, to="song")
        link.do(call("live_set tracks 0 clip_slots 0", "create_clip", 4.0))
        with self.assertRaises(Refused):
            link.ask("convert", of=path("live_set tracks 0 clip_slots 0 clip"), to="drums")
        other = self.linked(converts=False)
        other.do(call("live_set tracks 2 clip_slots 0", "create_audio_clip", file))
        with self.assertRaises(Refused) as raised:
            other.ask("convert", of=clip, to="melody")
        self.assertIn("cannot be converted", raised.exception.error["text"])


if __name__ == "__main__":
    unittest.main()
