"""Programs: steps, values, refusals, undo, what lands late."""

import unittest

from .read_answer import Read
from .fake import Linked, Refused, call, get, put


class Programs(unittest.TestCase):
    def test_values_go_over_as_they_are(self):
        with Linked() as link:
            for of, member, value in (
                    ("live_set", "tempo", 120.0), ("live_set", "loop", False), ("live_set", "signature_numerator", 4),
                    ("live_set", "clip_trigger_quantization", 4),
                    ("live_set", "scale_intervals", [0, 2, 4, 5, 7, 9, 11]),
                    ("live_set tracks 0", "name", "1-MIDI"), ("live_set tracks 0 clip_slots 0", "clip", {"id": 0}),
                    ("live_set tracks 0 clip_slots 0", "color", None), ("live_set", "cue_points", {"ids": []}),
                    ("live_set tracks 0 mixer_device track_activator", "value_items", ["Off", "On"]),
                    ("live_set tracks 2", "output_routing_type",
                     {"struct": {"output_routing_type": {"display_name": "Main", "identifier": 1}}}),
                    ("live_set tracks 2", "available_output_routing_types",
                     {"struct": {"available_output_routing_types": [
                         {"display_name": name, "identifier": at} for at, name in enumerate(
                             ("Main", "Sends Only", "1-MIDI", "2-MIDI", "4-Audio", "Ext. Out"),
                             1)]}}),
            ):
                with self.subTest(member):
                    self.assertEqual(link.do(get(of, member)), [value])

    def test_steps_refer_to_what_earlier_ones_made(self):
        with Linked() as link:
            given = link.program(
                call("live_set", "create_midi_track", -1), put({"step": 0}, "name", "Bass"),
                get({"step": 0}, "clip_slots"), call({"step": 2, "at": 3}, "create_clip", 8),
                put({"step": 3}, "name", "Verse"), {"do": "resolve", "path": "live_set tracks 4 clip_slots 3 clip"},
                undo=True)
            results = [result["ok"] for result in given["results"]]
            self.assertEqual(results[5], results[3])
            clip = str(results[3]["id"])
            self.assertEqual(given["objects"][clip], ["Clip", "live_set tracks 4 clip_slots 3 clip"])
            self.assertEqual(link.live("get", path="live_set tracks 4 clip_slots 3 clip", member="name"), "Verse")

    def test_programs_of_one_call_share_an_undo_step_in_a_tick(self):
        for calls, pause, steps in (
                ((7, 7), False, 1), ((7, 8), False, 2), ((None, None), False, 2), ((7, 7), True, 2)):
            with self.subTest(calls=calls, pause=pause), Linked() as link:
                numbers = []
                for name, of in zip("AB", calls):
                    told = {} if of is None else {"call": of}
                    program = [put("live_set tracks 0", "name", name)]
                    numbers.append(link.send("program", steps=program, undo=True, **told))
                    if pause:
                        link.live("ticks", n=1)
                link.live("ticks", n=2)
                answers = {frame["id"]: frame for frame in link.device.frames() if frame["kind"] == "answer"}
                self.assertEqual(sum(answers[number]["began_step"] for number in numbers), steps)
                self.assertEqual(link.live("steps"), steps)

    def test_a_program_whose_writes_were_all_refused_is_no_step(self):
        refused = call("live_set", "delete_track", 99)
        for steps, wrote in (((refused,), False), ((refused, put("live_set tracks 0", "name", "A")), True)):
            with self.subTest(wrote=wrote), Linked() as link:
                answer = link.program(*steps, undo=True, go_on=True)
                self.assertEqual((answer["wrote"], answer["began_step"]), (wrote, wrote))

    def test_what_is_made_gets_the_id_that_was_chosen(self):
        with Linked() as link:
            made = link.do(dict(call("live_set", "create_midi_track", -1), **{"as": 5000}),
                           put({"id": 5000}, "name", "Bass"), undo=True)
            self.assertEqual(made, [{"id": 5000}, "Bass"])
            self.assertEqual(link.do(get({"id": 5000}, "name")), ["Bass"])
            later = link.do(call("live_set", "create_scene", -1), undo=True)[0]["id"]
            self.assertGreater(later, 5000)
            for number in (5000, 1, "7"):
                with self.assertRaises(Refused) as refused:
                    link.do(dict(call("live_set", "create_scene", -1), **{"as": number}), undo=True)
                self.assertEqual(refused.exception.error["code"], "malformed")
            self.assertEqual(len(link.do(get("live_set", "scenes"))[0]["ids"]), 9)

    def test_what_is_deleted_is_named_and_not_counted(self):
        with Linked() as link:
            ids = link.do(get("live_set", "tracks"))[0]["ids"]
            scenes = link.do(get("live_set", "scenes"))[0]["ids"]
            (slot,) = link.do({"do": "resolve", "path": "live_set tracks 0 clip_slots 2"})
            (clip,) = link.do(call("live_set tracks 0 clip_slots 2", "create_clip", 4.0), undo=True)
            delete = [{"do": "delete", "of": {"id": one}} for one in (ids[0], ids[2], scenes[0], scenes[2])]
            # The user makes room in front meanwhile.
            link.live("user_call", path="live_set", function="create_midi_track", args=[0])
            self.assertEqual(link.do({"do": "delete", "of": clip}, undo=True), [None])
            self.assertEqual(link.do({"do": "exists", "of": clip}, {"do": "exists", "of": slot}),
                             [{"id": 0}, slot])
            self.assertEqual(link.do(*delete, undo=True), [None] * 4)
            left = link.do(get("live_set", "tracks"))[0]["ids"]
            self.assertEqual(left[1:], [ids[1], ids[3]])
            self.assertEqual(len(link.do(get("live_set", "scenes"))[0]["ids"]), len(scenes) - 2)
            for of, code in (({"id": ids[0]}, "no_object"), ({"path": "live_set view"}, "refused"),
                             ({"path": "live_set master_track"}, "refused"), ({"path": "live_set"}, "no_object")):
                with self.assertRaises(Refused) as refused:
                    link.do({"do": "delete", "of": of}, undo=True)
                self.assertEqual(refused.exception.error["code"], code, of)

    def test_copies_have_ids_beforehand(self):
        with Linked() as link:
            track, scene = {"path": "live_set tracks 1"}, {"path": "live_set scenes 0"}
            clip = link.do(call("live_set tracks 1 clip_slots 0", "create_clip", 4.0), undo=True)[0]
            onto = {"path": "live_set tracks 0 clip_slots 3"}
            made = link.do({"do": "duplicate", "of": track, "as": 7000}, put({"id": 7000}, "name", "Copy"),
                           {"do": "duplicate", "of": scene, "as": 8000},
                           {"do": "duplicate", "of": clip, "onto": onto, "as": 9000}, undo=True)
            self.assertEqual(made, [{"id": 7000}, "Copy", {"id": 8000}, {"id": 9000}])
            paths = link.program({"do": "exists", "of": {"id": 7000}}, {"do": "exists", "of": {"id": 8000}},
                                 {"do": "exists", "of": {"id": 9000}})["objects"]
            self.assertEqual(paths["7000"], ["Track", "live_set tracks 2"])
            self.assertEqual(paths["8000"], ["Scene", "live_set scenes 1"])
            self.assertEqual(paths["9000"], ["Clip", "live_set tracks 0 clip_slots 3 clip"])
            with self.assertRaises(Refused):
                link.do({"do": "duplicate", "of": {"path": "live_set return_tracks 0"}, "as": 9500}, undo=True)

    def test_one_program_is_one_undo_step(self):
        with Linked() as link:
            steps = [call("live_set", "create_midi_track", -1), put({"step": 0}, "name", "A"),
                     call("live_set", "create_scene", -1)]
            link.do(*steps, undo=True)
            self.assertEqual(link.live("steps"), 1)
            self.assertEqual(link.do(call("live_set", "undo"), undo=True), ["Undo"])
            (ids,) = link.do(get("live_set", "tracks"))
            self.assertEqual(len(ids["ids"]), 4)

    def test_what_fails_leaves_the_rest_as_it_is(self):
        with Linked() as link:
            steps = [put("live_set", "tempo", 90), put("live_set", "tempo", 10), put("live_set", "tempo", 100)]
            results = link.program(*steps, undo=True)["results"]
            self.assertEqual((len(results), results[1]["error"]["code"]), (2, "refused"))
            self.assertIn("Invalid value", results[1]["error"]["text"])
            self.assertEqual(link.live("get", path="live_set", member="tempo"), 90.0)
            results = link.program(*steps, go_on=True)["results"]
            self.assertEqual([sorted(result) for result in results], [["ok"], ["error"], ["ok"]])

    def test_refusals(self):
        cases = [
            (get("live_set tracks 9", "name"), "no_object"),
            (get({"id": 4711}, "name"), "no_object"),
            (get("live_set", "nonsense"), "unknown_member"),
            (get("live_set tracks 0 clip_slots 0", "tempo"), "unknown_member"),
            (put("live_set", "can_undo", 1), "read_only"),
            (put("live_set", "tempo", "fast"), "wrong_type"),
            (put("live_set", "tempo", True), "wrong_type"),
            (put("live_set", "tempo", float("inf")), "wrong_type"),
            (put("live_set", "signature_numerator", float("nan")), "wrong_type"),
            (put("live_set", "loop", 2), "wrong_type"),
            (put("live_set", "signature_numerator", 3.5), "wrong_type"),
            (put("live_set tracks 0", "name", 5), "wrong_type"),
            (put("live_set view", "selected_track", 5), "wrong_type"),
            (put("live_set view", "selected_track", {"id": 99}), "no_object"),
            (put("live_set tracks 0", "output_routing_type", {"display_name": "Nowhere"}), "refused"),
            (call("live_set", "nonsense"), "unknown_member"),
            (call("live_set", "create_scene"), "bad_arguments"),
            (call("live_set", "create_scene", 1, 2), "bad_arguments"),
            (call("live_set", "create_scene", "x"), "wrong_type"),
            (call("live_set", "delete_track", 9), "refused"),
            (call("live_set", "begin_undo_step"), "refused"),
            (call("live_set view", "select_device", {"path": "live_set"}), "wrong_type"),
            (put("live_set view", "selected_track", None), "wrong_type"),
            (put("live_set view", "selected_track", {"path": "live_set scenes 0"}), "wrong_type"),
            (call("live_set tracks 2 clip_slots 0", "create_clip", 4), "refused"),
            (call("live_set tracks 0 clip_slots 0", "delete_clip"), "refused"),
            (get("live_set master_track", "arm"), "refused"),
            ({"do": "notes", "of": {"path": "live_set"}}, "refused"),
            (get("live_app", "browser"), "unable"),
            (call("live_set tracks 0", "__str__"), "unknown_member"),
        ]
        with Linked() as link:
            for step, code in cases:
                with self.subTest("%s" % step):
                    error = link.program(step)["results"][0]["error"]
                    self.assertEqual(error["code"], code, error)

    def test_programs_that_are_none_do_nothing(self):
        with Linked() as link:
            link.live("declare", writes=[])
            good = call("live_set", "create_scene", -1)
            for step in ({"do": "eval"}, {"do": "get", "member": "tempo"}, 5, {"do": "set", "of": 5}):
                with self.subTest("%s" % step):
                    with self.assertRaises(Refused) as caught:
                        link.ask("program", steps=[good, step])
                    self.assertEqual(caught.exception.error["code"], "malformed")
            for steps in ([], "get", None, [good] * 5001):
                with self.assertRaises(Refused):
                    link.ask("program", steps=steps)

    def test_names_of_pythons_own_are_none_of_lives(self):
        with Linked() as link:
            for name in ("__class__", "_live_ptr", "_node", "__init__", "add_tempo_listener", "canonical_parent.x"):
                with self.subTest(name):
                    error = link.program(get("live_set", name))["results"][0]["error"]
                    self.assertIn(error["code"], ("unknown_member", "malformed"))
                    error = link.program(call("live_set", name))["results"][0]["error"]
                    self.assertEqual(error["code"], "unknown_member")

    def test_routings_are_chosen_by_name_or_number_and_lead_to_tracks(self):
        of, member = "live_set tracks 2", "output_routing_type"
        with Linked() as link:
            for told, name in (({"display_name": "1-MIDI"}, "1-MIDI"), ({"identifier": 2}, "Sends Only"),
                               ({"struct": {member: {"identifier": 4}}}, "2-MIDI")):
                (now,) = link.do(put(of, member, told))
                self.assertEqual(now["struct"][member]["display_name"], name)
            tracks = link.do(get("live_set", "tracks"))[0]["ids"]
            routed = {"do": "routed", "of": {"path": of}, "member": "available_output_routing_types"}
            self.assertEqual(link.do(routed), [{"ids": [0, 0, tracks[0], tracks[1], tracks[3], 0]}])
            wrong = link.program(dict(routed, member="name"))["results"][0]["error"]
            self.assertEqual(wrong["code"], "wrong_type")

    def test_reading_steps(self):
        with Linked() as link:
            steps = [
                {"do": "count", "of": {"path": "live_set"}, "member": "scenes"},
                {"do": "count", "of": {"path": "live_set tracks 0 clip_slots 0"}, "member": "clip"},
                {"do": "child", "of": {"path": "live_set"}, "member": "tracks", "index": 9},
                {"do": "exists", "of": {"path": "live_set tracks 9"}},
                {"do": "resolve", "path": "live_set tracks"},
                {"do": "members", "of": {"path": "live_set master_track"},
                 "names": ["arm", "mute", "name", "nonsense", "insert_device"]},
                {"do": "labels", "of": {"path": "live_set tracks 0 mixer_device volume"}, "values": [0, 0.5, 1]},
            ]
            self.assertEqual(link.do(*steps), [
                8, 0, {"id": 0}, {"id": 0}, {"id": 0}, ["name", "insert_device"], ["-inf dB", "-14.0 dB", "6.0 dB"]])

    def test_what_lands_late_is_looked_at_later(self):
        with Linked() as link:
            for member, value in (
                    ("is_playing", True), ("loop", True), ("current_song_time", 16), ("is_playing", False)):
                with self.subTest(member):
                    answer = link.program(put("live_set", member, value), undo=True)
                    self.assertNotEqual(answer["results"], [{"ok": value}])
                    self.assertEqual(answer["ticks"], 2)
                    self.assertTrue(answer["late"][0]["landed"], answer)
                    self.assertEqual(answer["late"][0]["member"], member)
            answer = link.program(call("live_set", "start_playing"))
            self.assertEqual(answer["late"], [{"step": 0, "member": "is_playing", "value": True, "landed": True}])

    def test_a_program_may_end_with_a_read(self):
        shapes = [{"properties": ["name", "is_playing"]}]
        with Linked() as link:
            answer = link.program(
                call("live_set", "create_midi_track", 0), put({"step": 0}, "name", "New"),
                put("live_set", "is_playing", True), call("live_set", "create_scene", 99),
                undo=True, read={"shapes": shapes, "parts": [
                    {"of": of, "shape": 0} for of in (
                        {"step": 0}, {"path": "live_set"}, {"step": 3}, {"step": 9}, {"path": "live_set tracks 9"})]})
            track, song = answer["results"][0]["ok"]["id"], answer["read"]["roots"]["live_set"]
            self.assertEqual(answer["read"]["parts"], [track, song, 0, 0, 0])
            read = Read(answer["read"])
            self.assertEqual(read.of(track), {"get": {"name": "New"}})
            self.assertEqual(read.of(song)["get"]["is_playing"], True)
            self.assertEqual(answer["late"][0]["landed"], True)
            for wrong in ({}, {"parts": 5, "shapes": []}):
                with self.assertRaises(Refused) as caught:
                    link.ask("program", steps=[call("live_set", "create_scene", -1)], read=wrong)
                self.assertEqual(caught.exception.error["code"], "malformed")

    def test_a_call_may_delete_what_its_path_led_to(self):
        with Linked() as link:
            link.do(call("live_set tracks 1 clip_slots 2", "create_clip", 4),
                    put("live_set view", "detail_clip", {"step": 0}))
            self.assertEqual(link.do(call("live_set view detail_clip canonical_parent", "delete_clip")), [None])

    def test_what_never_lands_is_told_as_it_is(self):
        with Linked() as link:
            # Two writes of one value: the second wins, the first did not land.
            answer = link.program(put("live_set", "loop", True), put("live_set", "loop", False))
            self.assertEqual([value["landed"] for value in answer["late"]], [False, True])

    def test_time(self):
        with Linked() as link:
            link.live("declare", writes=[])
            with self.assertRaises(Refused) as caught:
                link.ask("program", steps=[call("live_set", "create_scene", -1)],
                         expires_at_ms=link.live("now_ms") - 1)
            self.assertEqual(caught.exception.error["code"], "expired")
            self.assertFalse(caught.exception.error["started"])

    def test_a_request_that_lay_in_the_socket_during_a_dialog_has_expired(self):
        with Linked() as link:
            link.live("declare", writes=[])
            link.live("dialog", text="Save changes?")
            number = link.send("program", steps=[call("live_set", "create_scene", -1)],
                               expires_at_ms=link.live("now_ms") + 500)
            link.live("ticks", n=100)
            link.live("close_dialog")
            self.assertEqual(link.answer(number)["error"]["code"], "expired")

    def test_cancelling(self):
        with Linked() as link:
            link.live("declare", writes=[])
            number = link.send("program", steps=[call("live_set", "create_scene", -1)])
            link.device.send({"kind": "cancel", "id": number})
            error = link.answer(number)["error"]
            self.assertEqual((error["code"], error["started"]), ("cancelled", False))

    def test_selecting_and_launching(self):
        with Linked() as link:
            link.do(call("live_set tracks 1 clip_slots 2", "create_clip", 4),
                    put("live_set view", "selected_track", {"path": "live_set tracks 1"}),
                    put("live_set view", "highlighted_clip_slot", {"path": "live_set tracks 1 clip_slots 2"}),
                    put("live_set view", "detail_clip", {"step": 0}),
                    call("live_set tracks 1 clip_slots 2", "fire"))
            self.assertEqual(link.do(get("live_set tracks 1", "playing_slot_index"), get("live_set", "is_playing")),
                             [2, True])
            link.do(call("live_set scenes 2", "fire"), call("live_set tracks 1", "stop_all_clips"))

    def test_devices_and_parameters(self):
        with Linked() as link:
            given = link.do(call("live_set tracks 0", "insert_device", "Operator"), get({"step": 0}, "parameters"),
                            put({"step": 1, "at": 1}, "value", 1), get({"step": 1, "at": 0}, "value_items"), undo=True)
            self.assertEqual(given[2:], [1.0, ["Off", "On"]])
            error = link.program(call("live_set tracks 0", "insert_device", "Operator"))["results"][0]["error"]
            self.assertEqual(error["text"], "There is an instrument already")


class Notes(unittest.TestCase):
    def setUp(self):
        self.link = Linked()
        self.addCleanup(self.link.__exit__, None, None, None)
        self.clip = self.link.do(call("live_set tracks 0 clip_slots 0", "create_clip", 4))[0]
        notes = [{"pitch": 60 + n, "start_time": n, "duration": 1} for n in range(4)]
        self.ids = self.link.do(call(self.clip, "add_new_notes", {"notes": notes}))[0]

    def call(self, function, *args):
        return self.link.do(call(self.clip, function, *args))[0]

    def starts(self):
        return [(row[1], row[2]) for row in self.link.do({"do": "notes", "of": self.clip})[0]]

    def test_reading(self):
        whole = self.call("get_all_notes_extended")["struct"]["notes"]
        self.assertEqual([note["note_id"] for note in whole], self.ids)
        self.assertEqual(self.call("get_notes_extended", 60, 2, 0, 4)["struct"]["notes"], whole[:2])
        area = {"from_pitch": 60, "pitch_span": 2, "from_time": 0, "time_span": 4}
        self.assertEqual(self.call("get_notes_extended", area)["struct"]["notes"], whole[:2])
        self.assertEqual(self.call("get_notes_extended", dict(area, **{"return": ["pitch"]}))["struct"]["notes"],
                         [{"pitch": 60}, {"pitch": 61}])
        self.assertEqual(self.call("get_notes_by_id", self.ids[:1])["struct"]["notes"], whole[:1])
        self.call("select_notes_by_id", self.ids[1:3])
        self.assertEqual(len(self.call("get_selected_notes_extended")["struct"]["notes"]), 2)

    def test_changing_in_place(self):
        self.call("apply_note_modifications", {"notes": [{"note_id": self.ids[0], "velocity": 30, "start_time": 3}]})
        self.assertEqual(sorted(self.starts()), [(60, 3.0), (61, 1.0), (62, 2.0), (63, 3.0)])
        error = self.link.program(call(self.clip, "apply_note_modifications", {"notes": [{"note_id": 999}]}))
        self.assertEqual(error["results"][0]["error"]["code"], "bad_arguments")

    def test_removing_and_duplicating(self):
        self.call("remove_notes_by_id", self.ids[:1])
        self.call("remove_notes_extended", 61, 1, 0, 4)
        self.call("duplicate_notes_by_id",
                  {"note_ids": self.ids[2:], "destination_time": 0, "transposition_amount": 12})
        self.assertEqual(self.starts(), [(74, 0.0), (75, 1.0), (62, 2.0), (63, 3.0)])
        self.call("duplicate_notes_by_id", {"note_ids": self.ids[3:], "transposition_amount": -1})
        self.assertEqual(self.starts()[-1], (62, 4.0))

    def test_replacing_keeps_the_ids_of_what_stays(self):
        rows = [[0, 60, 0, 0.5, 90, False, 1, 0, 64], [0, 62, 2, 1, 100, True, 1, 0, 64],
                [0, 70, 1, 1, 100, False, 1, 0, 64]]
        (now,) = self.link.do({"do": "replace_notes", "of": self.clip, "rows": rows})
        self.assertEqual([(row[1], row[2], row[3], row[5]) for row in now],
                         [(60, 0.0, 0.5, False), (70, 1.0, 1.0, False), (62, 2.0, 1.0, True)])
        self.assertEqual((now[0][0], now[2][0]), (self.ids[0], self.ids[2]))

    def test_ten_thousand_in_one_program(self):
        rows = [[0, n % 128, (n // 128) * 0.25, 0.25, 100, False, 1, 0, 64] for n in range(10000)]
        (now,) = self.link.do({"do": "replace_notes", "of": self.clip, "rows": rows})
        self.assertEqual(len(now), 10000)

    def test_notes_that_are_none(self):
        for function, argument, code in (
                ("add_new_notes", {"notes": [{"pitch": 60}]}, "wrong_type"),
                ("add_new_notes", {"notes": [{"pitch": 60.5, "start_time": 0, "duration": 1}]}, "wrong_type"),
                ("add_new_notes", {"notes": [{"pitch": 60, "start_time": 0, "duration": 1, "hue": 1}]}, "wrong_type"),
                ("add_new_notes", {"notes": [{"pitch": 200, "start_time": 0, "duration": 1}]}, "refused"),
                ("add_new_notes", 5, "bad_arguments"),
                ("get_notes_by_id", "x", "wrong_type"),
                ("get_notes_by_id", [999], "refused")):
            with self.subTest("%s %s" % (function, argument)):
                error = self.link.program(call(self.clip, function, argument))["results"][0]["error"]
                self.assertEqual(error["code"], code, error)


if __name__ == "__main__":
    unittest.main()
