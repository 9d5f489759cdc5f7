"""The same by the clock: ticks come by themselves, and the device waits for answers as it will."""

import shutil
import tempfile
import unittest

from .fake import Device, FakeLive, get, put
from .read_answer import Read


class RealTime(unittest.TestCase):
    def test_calls_and_reads_go_on_by_themselves(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        device = Device(folder)
        self.addCleanup(device.end)
        live = FakeLive({"SVC_BRIDGE_FILE": device.file}, real=True, set={"midi": 20, "audio": 0, "scenes": 20})
        self.addCleanup(live.end)
        device.accept()
        device.wait_for("hello")
        device.send({"kind": "welcome", "protocol": 1, "first_id": 1})
        device.wait_for("beat")

        def ask(kind, **told):
            number = device.next_id()
            device.send(dict(told, kind=kind, id=number))
            return device.wait_for("answer", number)

        for tempo in range(60, 160):
            answer = ask("program", more=True, undo=True, steps=[put("live_set", "tempo", tempo)])
            self.assertEqual(answer["results"], [{"ok": float(tempo)}])
        late = ask("program", steps=[put("live_set", "loop", True)])["late"]
        self.assertEqual(late, [{"step": 0, "member": "loop", "value": True, "landed": True}])
        shapes = [{"children": [["tracks", 1]]}, {"properties": ["name"], "children": [["clip_slots", 2]]},
                  {"properties": ["has_clip"], "children": [["clip", 3]]}, {"properties": ["name"], "notes": True}]
        read = ask("read", parts=[{"of": {"path": "live_set"}, "shape": 0}], shapes=shapes)
        slots = [one for one in Read(read).objects.values() if one[0] == "ClipSlot"]
        self.assertEqual((len(slots), read["reads"], read["moved"]), (400, 1, False))
        self.assertEqual(ask("program", steps=[get("live_set", "tempo")])["results"], [{"ok": 159.0}])
        self.assertEqual(live("incidents"), [])


if __name__ == "__main__":
    unittest.main()
