"""The script and the fake against the stubs of Live's API: nobody invents a member."""

import ast
import json
import os
import subprocess
import sys
import unittest

from fake_live import stubs
from fake_live.behaviours import BEHAVIOURS, MADE
from fake_live.newer import with_newer

from . import make_members
from .fake import ROOT, SCRIPT


def script_files():
    return [os.path.join(SCRIPT, name) for name in sorted(os.listdir(SCRIPT)) if name.endswith(".py")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def has_stubs():
    try:
        return bool(stubs.stub_files())
    except Exception:
        return False


class Surface(unittest.TestCase):
    @unittest.skipUnless(has_stubs(), "ableton-live-stubs is not installed")
    def test_the_surface_is_that_of_the_stubs(self):
        self.assertEqual(read(stubs.SURFACE), stubs.as_text(stubs.read_stubs()))

    def test_the_scripts_table_is_that_of_the_surface(self):
        self.assertEqual(read(make_members.MEMBERS), make_members.as_text(*make_members.read_inputs()))

    def test_the_fake_behaves_only_where_live_has_something(self):
        surface = with_newer(stubs.surface(), (99, 0, 0))
        for name, behaviour in BEHAVIOURS.items():
            about = surface["classes"][name]
            for method in dir(behaviour):
                if method.startswith("_"):
                    continue
                kind, member = method.split("_", 1)
                with self.subTest("%s.%s" % (name, method)):
                    self.assertIn(kind, ("get", "set", "do"))
                    if kind == "do":
                        self.assertIn(member, about["functions"])
                    else:
                        self.assertIn(member, about["properties"])
                    if kind == "set":
                        self.assertTrue(about["properties"][member]["settable"])

    def test_every_class_of_the_stubs_is_made_or_listed(self):
        listed = read(os.path.join(ROOT, "tests", "fake_live", "without_instances.txt")).split("\n")
        surface = stubs.surface()
        lom = [name for name in surface["classes"] if name not in MADE and is_lom(surface, name)]
        self.assertEqual([line for line in listed if line and not line.startswith("#")], sorted(lom))

    def test_functions_without_behaviour_are_listed(self):
        """What the fake refuses to do, of classes that it makes objects of."""
        surface = stubs.surface()
        missing = sorted("%s.%s" % (name, function) for name in MADE
                         for function in surface["classes"][name]["functions"]
                         if not hasattr(BEHAVIOURS.get(name), "do_" + function))
        listed = read(os.path.join(ROOT, "tests", "fake_live", "not_modelled.txt")).split("\n")
        self.assertEqual([line for line in listed if line and not line.startswith("#")], missing)

    def test_the_script_covers_the_object_model(self):
        """Every member of the class table is one of the script's, or is listed with the reason."""
        namespace = {}
        for name in ("members.py", "newer.py"):
            exec(compile(read(os.path.join(SCRIPT, name)), name, "exec"), namespace)
        members, newer = namespace["MEMBERS"], namespace["NEWER"]
        with open(os.path.join(ROOT, "src", "object_model", "data", "classes.json"), encoding="utf-8") as file:
            table = json.load(file)["classes"]
        missing = set()
        for name, about in table.items():
            if name not in members:
                missing.add(name)
                continue
            known, at = set(), name
            while at is not None:
                for part in ("properties", "functions", "listen"):
                    known |= set(members[at][part]) | set(newer.get(at, {}).get(part, ()))
                at = members[at]["extends"]
            missing |= {"%s.%s" % (name, member) for part in ("children", "properties", "functions")
                        for member in about[part] if member not in known}
        self.assertEqual(missing, NOT_CARRIED)

    def test_the_script_reads_only_what_live_has(self):
        """Attributes of `Live.…` in the script, by the stubs."""
        surface = stubs.surface()
        for path in script_files():
            for node in ast.walk(ast.parse(read(path))):
                text = dotted(node)
                if text is None or not text.startswith("Live.") or text.count(".") < 2:
                    continue
                words = text.split(".")[1:]
                name = ".".join(words[:2])
                with self.subTest("%s: %s" % (os.path.basename(path), text)):
                    self.assertTrue(name in surface["classes"] or name in surface["functions"])

    def test_python_3_7_can_read_the_script(self):
        for path in script_files():
            with self.subTest(os.path.basename(path)):
                ast.parse(read(path), feature_version=(3, 7))

    def test_lines_keep_the_width_of_the_code(self):
        folders = [SCRIPT, os.path.join(ROOT, "tests", "fake_live"), os.path.join(ROOT, "tests", "live_script")]
        for folder in folders:
            for name in sorted(os.listdir(folder)):
                if name.endswith(".py"):
                    wide = [at for at, line in enumerate(read(os.path.join(folder, name)).split("\n"), 1)
                            if len(line) > 120]
                    with self.subTest(name):
                        self.assertEqual(wide, [])

    def test_nothing_beside_the_standard_library_is_imported(self):
        may = {"Live", "collections", "errno", "hashlib", "json", "math", "operator", "os", "selectors", "socket",
               "struct", "sys", "time", "traceback"}
        for path in script_files():
            for node in ast.walk(ast.parse(read(path))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module]
                with self.subTest("%s %s" % (os.path.basename(path), names)):
                    self.assertLessEqual(set(names), may)

    @unittest.skipUnless(has_stubs(), "the packages of the tests are not installed")
    def test_vermin_finds_nothing_newer_than_3_7(self):
        run = "import sys, vermin; sys.argv[0] = 'vermin'; sys.exit(vermin.main())"
        ran = subprocess.run([sys.executable, "-c", run, "-t=3.7-", "--violations", "--no-tips", SCRIPT],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual(ran.returncode, 0, ran.stdout)


# Members of the class table that the script does not carry: what it says in newer.py, what Max alone has, and what is
# no object here.
NOT_CARRIED = {
    "Application.browser", "Application.control_surfaces", "Application.show_message",
    "Clip.automation_envelope", "Clip.automation_envelopes", "Clip.create_automation_envelope",
    "Clip.replace_selected_notes", "Clip.set_notes",
    "DeviceParameter.__str__",
    "ControlSurface", "this_device",
}


def is_lom(surface, name):
    if name == "LomObject.LomObject":
        return True
    for base in surface["classes"][name]["bases"]:
        simple = base.split(".")[-1]
        for full in surface["classes"]:
            if full.rsplit(".", 1)[1] == simple and full != name and simple != "View" and is_lom(surface, full):
                return True
        if base.endswith(".View"):
            return True
    return False


def dotted(node):
    words = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id] + words[::-1])


if __name__ == "__main__":
    unittest.main()
