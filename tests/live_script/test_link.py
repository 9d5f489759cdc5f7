"""Finding the device, the first two frames, losing it, and coming back."""

import json
import os
import shutil
import struct
import tempfile
import time
import unittest

from .fake import TOKEN, Device, FakeLive, Linked, call, get, put, write_private


class Greeting(unittest.TestCase):
    def test_what_the_first_frame_says(self):
        with Linked() as link:
            hello = link.hello
            self.assertEqual((hello["kind"], hello["protocol"], hello["token"]), ("hello", 1, TOKEN))
            self.assertEqual((hello["live_version"], hello["live_variant"]), ("12.3.6", "Suite"))
            self.assertEqual((hello["pid"], hello["tick"]), (link.live.pid, "timer"))
            self.assertEqual(len(hello["source_hash"]), 64)
            self.assertIn("Song.tuning_system", hello["capabilities"])
            self.assertEqual(hello["needs"]["Song.sync_parameter_changes"], "12.4")

    def test_an_older_live_says_what_it_lacks(self):
        without = ["Track.Track.insert_device", "Clip.Clip.get_all_notes_extended", "Song.Song.begin_undo_step"]
        with Linked(without=without, version=[11, 0, 0]) as link:
            self.assertEqual(link.hello["needs"]["Track.insert_device"], "12.3")
            results = link.program(call("live_set tracks 0", "insert_device", "Reverb"),
                                   call("live_set tracks 0 clip_slots 0", "create_clip", 4),
                                   {"do": "notes", "of": {"step": 1}}, go_on=True, undo=True)["results"]
            self.assertEqual(results[0]["error"]["code"], "unable")
            self.assertEqual(results[0]["error"]["text"], "Track.insert_device needs Live 12.3")
            self.assertEqual(results[2], {"ok": []})

    def test_without_a_timer_the_display_turns_it(self):
        with Linked(timer=False, tick_ms=100) as link:
            self.assertEqual(link.hello["tick"], "display")
            self.assertEqual(link.do(get("live_set", "tempo")), [120.0])


class Files(unittest.TestCase):
    """Which bridge file is taken, in a home of its own."""

    def setUp(self):
        self.home = tempfile.mkdtemp()
        self.folder = os.path.join(self.home, ".svc", "bridge")
        os.makedirs(self.folder)
        self.devices = []

    def tearDown(self):
        for device in self.devices:
            device.end()
        shutil.rmtree(self.home)

    def device(self, name, kind="standalone", age=0):
        device = Device(self.folder, name, kind)
        os.utime(device.file, (time.time() - age, time.time() - age))
        self.devices.append(device)
        return device

    def asked(self, live, ticks=1):
        live("ticks", n=ticks)
        return [device.is_asked() for device in self.devices]

    def run_live(self, **options):
        live = FakeLive({"HOME": self.home, "USERPROFILE": self.home}, load=False, **options)
        self.addCleanup(live.end)
        return live

    def test_the_own_process_comes_first(self):
        self.device("1.json", age=0)
        live = self.run_live()
        self.device("%d.json" % live.pid, kind="plugin", age=60)
        live("load")
        self.assertEqual(self.asked(live), [False, True])

    def test_then_the_newest_standalone_that_takes_the_token(self):
        for name, kind, age in (("1.json", "standalone", 60), ("2.json", "standalone", 10), ("3.json", "plugin", 0)):
            self.device(name, kind, age)
        live = self.run_live()
        live("load")
        self.assertEqual(self.asked(live), [False, True, False])
        self.devices[1].send({"kind": "refuse", "text": "another token"})
        live("ticks", n=1)
        self.assertEqual(self.asked(live, 2), [True, False, False])

    def test_a_plugin_of_another_process_is_none_of_ours(self):
        self.device("3.json", kind="plugin")
        live = self.run_live()
        live("load")
        self.assertEqual(self.asked(live, 100), [False])

    @unittest.skipUnless(os.name == "posix", "Windows keeps homes apart itself")
    def test_a_file_that_others_may_write_is_left_alone(self):
        device = self.device("1.json")
        os.chmod(device.file, 0o644)
        live = self.run_live()
        live("load")
        self.assertEqual(self.asked(live, 100), [False])
        self.assertIn("is left alone", live("log")[-1])

    def test_what_is_no_bridge_file_is_left_alone(self):
        for at, text in enumerate(("", "[]", "{}", '{"port": true, "token": "a"}', '{"port": 70000, "token": "a"}',
                                   '{"port": 1, "token": ""}', '{"port": 1')):
            write_private(os.path.join(self.folder, "%d.json" % at), text)
        live = self.run_live()
        live("load")
        live("ticks", n=100)
        self.assertEqual(live("incidents"), [])
        self.assertEqual(len(live("log")), 1)


class Losing(unittest.TestCase):
    def test_it_comes_back_within_a_second_and_ids_stay(self):
        with Linked() as link:
            (before,) = link.do(get("live_set", "tracks"))
            link.device.hang_up()
            link.link(keep_ids=True)
            self.assertEqual(link.do(get("live_set", "tracks")), [before])
            listeners = link.live("listeners")
            link.device.hang_up()
            # As another device, which does not know them.
            link.first_id = 500
            link.link()
            (after,) = link.do(get("live_set", "tracks"))
            self.assertEqual((len(after["ids"]), min(after["ids"])), (4, 501))
            self.assertEqual(link.live("listeners"), listeners)
            self.assertIn("SvcDevice: the link is lost: the device closed it", link.live("log"))

    def test_what_was_sent_with_the_hanging_up_is_not_run(self):
        with Linked() as link:
            link.live("declare", writes=[])
            link.send("program", steps=[call("live_set", "create_scene", -1)])
            link.device.hang_up()
            link.live("ticks", n=5)
            self.assertEqual(link.live("get", path="live_set", member="tempo"), 120.0)

    def test_a_program_is_not_run_again(self):
        with Linked() as link:
            song = link.live("label", path="live_set")
            link.live("declare", writes=[["create_scene", song], ["loop", song]])
            link.send("program", steps=[call("live_set", "create_scene", -1), put("live_set", "loop", True)])
            link.live("ticks", n=1)
            link.device.hang_up()
            link.link()
            link.live("ticks", n=10)
            self.assertEqual(link.live("missing"), [])

    def test_another_set_is_another_connection(self):
        with Linked() as link:
            (ids,) = link.do(get("live_set", "tracks"))
            link.live("reload", midi=1, audio=0, scenes=2)
            self.assertIn("bye", [frame and frame["kind"] for frame in link.device.frames()])
            last, link.first_id = max(ids["ids"]), 1000
            link.link()
            (again,) = link.do(get("live_set", "tracks"))
            self.assertEqual(len(again["ids"]), 1)
            self.assertGreater(min(again["ids"]), 999)
            gone = link.program(get({"id": last}, "name"))["results"][0]
            self.assertEqual(gone["error"]["code"], "no_object")

    def test_a_silent_device_is_left(self):
        with Linked() as link:
            link.live("ticks", n=700)
            self.assertIn("SvcDevice: the link is lost: the device is silent", link.live("log"))

    def test_beats_that_waited_in_a_dialog_are_no_silence(self):
        with Linked() as link:
            link.device.send({"kind": "beat"})
            link.live("stall", ms=60000)
            self.assertEqual(link.do(get("live_set", "tempo")), [120.0])

    def test_nobody_there_costs_no_wait_and_one_line(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        device = Device(folder)
        device.end()
        live = FakeLive({"SVC_BRIDGE_FILE": device.file})
        self.addCleanup(live.end)
        live("ticks", n=300)
        self.assertEqual(live("incidents"), [])
        self.assertEqual(len(live("log")), 1)


class Frames(unittest.TestCase):
    def test_a_frame_may_come_byte_by_byte(self):
        with Linked() as link:
            steps = [put("live_set tracks 0", "name", "Schlagzeug ü€𝄞")]
            body = json.dumps({"kind": "program", "id": 7, "steps": steps}, ensure_ascii=False).encode("utf-8")
            for byte in struct.pack(">I", len(body)) + body:
                link.device.send_bytes(bytes([byte]))
                link.live("ticks", n=1)
            frames = [frame for frame in link.device.frames() if frame["kind"] == "answer"]
            self.assertEqual(frames[0]["results"], [{"ok": "Schlagzeug ü€𝄞"}])

    def test_what_is_no_frame_ends_the_link(self):
        for data in (struct.pack(">I", 9 * 1024 * 1024), struct.pack(">I", 2) + b"[]", struct.pack(">I", 1) + b"{",
                     struct.pack(">I", 2) + b"\xff\xff", struct.pack(">I", 200000) + b"[" * 200000):
            with self.subTest(data[:8]):
                with Linked() as link:
                    link.device.send_bytes(data)
                    link.live("ticks", n=1)
                    self.assertIsNone(link.device.frames()[-1])

    def test_an_answer_that_is_too_long_says_so(self):
        with Linked(may_break=["waits"]) as link:
            name = "x" * 60000
            steps = [get("live_set tracks 0", "name")] * 200
            link.do(put("live_set tracks 0", "name", name))
            with self.assertRaises(Exception) as caught:
                link.ask("program", steps=steps)
            self.assertEqual(caught.exception.error["code"], "too_large")

    def test_kinds_that_are_none_are_answered(self):
        with Linked() as link:
            for kind, code in (("sing", "malformed"), ("program", "malformed"), ("read", "malformed"),
                               ("watch", "malformed")):
                with self.subTest(kind):
                    answer = link.answer(link.send(kind))
                    self.assertEqual((answer["ok"], answer["error"]["code"]), (False, code))
                    self.assertFalse(answer["error"]["started"])


if __name__ == "__main__":
    unittest.main()
