"""Writes `live-script/SvcDevice/members.py`, the script's table of Live's members, from the surface of the stubs.

`python tests/live_script/make_members.py` writes it; a test makes it anew and compares.
"""

import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEMBERS = os.path.join(ROOT, "live-script", "SvcDevice", "members.py")

HEAD = '''"""What each class of Live has: generated from the type stubs of Live {version}, do not edit.

A property is its kind, `=` where it can be written, `*` where it can be listened to. A function is the kinds of its
arguments, `?` behind what may be left out. Of objects that go in, the classes stand behind a colon, `None` among them
where there may be none. What a newer Live has beside it stands in `newer.py`.
"""

'''

PLAIN = {"bool", "int", "float", "str"}
RECORDS = {"PitchClassAndOctave", "ReferencePitch"}


def table_name(stub_name):
    """The name that the object model gives a class of the stubs: `Song.Song.View` is `Song.View`."""
    module, rest = stub_name.split(".", 1)
    return rest if rest.split(".")[0] == module or rest == "CuePoint" else stub_name


class Kinds:
    def __init__(self, surface, wanted):
        classes = surface["classes"]
        # `foreign` are Live's objects that the object model has no class for.
        self.lom, self.enums, self.foreign = set(), set(), set()
        for name, read in classes.items():
            simple = name.rsplit(".", 1)[1]
            if "int" in read["bases"]:
                self.enums.add(simple)
            elif self.is_lom(name, classes):
                (self.lom if table_name(name) in wanted else self.foreign).add(simple)

    def is_lom(self, name, classes):
        if name == "LomObject.LomObject":
            return True
        bases = [base.split(".")[0] for base in classes[name]["bases"]]
        found = [full for full in classes for base in bases if full.rsplit(".", 1)[1] == base]
        return any(self.is_lom(full, classes) for full in found if full != name)

    def words(self, text):
        return [word.strip() for word in text.split("|")]

    def of_property(self, text):
        words = [word for word in self.words(text) if word != "None"] or ["None"]
        one = words[0]
        inner = re.match(r"Vector\[(.*)\]$", one)
        if one in PLAIN:
            return one
        if one in self.enums:
            return "int"
        if one in self.lom or one in ("LomObject", "None"):
            return "object"
        if one == "ATimeableValueVector" or (inner and inner.group(1) in self.lom):
            return "objects"
        if one in ("RoutingType", "RoutingChannel"):
            return "routing"
        if one in ("RoutingTypeVector", "RoutingChannelVector"):
            return "routings"
        if one == "WarpMarkerVector":
            return "warp_markers"
        vectors = ("IntVector", "StringVector", "FloatVector", "UnavailableFeatureVector")
        if one in vectors or one.startswith(("tuple[", "list[")):
            return "list"
        if one in RECORDS:
            return "record"
        return None

    def of_argument(self, text, optional):
        words = self.words(text)
        plain = [word for word in words if word != "None"]
        mark = ("|None" if "None" in words else "") + ("?" if optional else "")
        if "int" in plain:
            return "int" + mark
        if plain == ["Any"]:
            return "any" + mark
        if len(plain) == 1 and plain[0] in PLAIN:
            return plain[0] + mark
        if plain and all(word in self.lom for word in plain):
            return "object:" + "|".join(plain) + mark
        named = {
            "Iterable[int]": "ints", "Iterable[MidiNoteSpecification]": "new_notes", "MidiNoteVector": "notes",
            "WarpMarker": "warp_marker",
        }
        return named[plain[0]] + mark if plain and plain[0] in named else None


def members(surface, wanted):
    """The table of the wanted classes, by the names of the object model."""
    kinds = Kinds(surface, wanted)
    names = {table_name(stub): stub for stub in surface["classes"]}
    table = {}
    for name in wanted:
        if name not in names:
            continue
        read = surface["classes"][names[name]]
        properties = {}
        for member, about in sorted(read["properties"].items()):
            kind = kinds.of_property(about["type"])
            if kind is None or member.startswith("_"):
                continue
            listen = "*" if member in read["listen"] else ""
            if kind == "object" and about["settable"]:
                kind += ":" + "|".join(kinds.words(about["type"]))
            properties[member] = kind + ("=" if about["settable"] else "") + listen
        functions = {}
        for member, about in sorted(read["functions"].items()):
            args = [kinds.of_argument(text, optional) for _, text, optional in about["args"]]
            if None not in args and about["returns"] not in kinds.foreign:
                functions[member] = " ".join(args)
        listen_only = sorted(set(read["listen"]) - set(read["properties"]))
        bases = [table_name("%s.%s" % (base.split(".")[0], base)) for base in read["bases"]]
        extends = [base for base in bases if base in wanted]
        table[name] = {
            "stub": names[name], "extends": extends[0] if extends else None, "properties": properties,
            "functions": functions, "listen": listen_only,
        }
    return table


def as_text(surface, wanted):
    table = members(surface, wanted)
    lines = [HEAD.format(version=surface["stubs"].split(".post")[0]), "MEMBERS = {\n"]
    for name in sorted(table):
        about = table[name]
        lines.append("    %s: {\n" % quoted(name))
        lines.append("        \"stub\": %s,\n" % quoted(about["stub"]))
        lines.append("        \"extends\": %s,\n" % (quoted(about["extends"]) if about["extends"] else "None"))
        for part in ("properties", "functions"):
            if not about[part]:
                lines.append("        \"%s\": {},\n" % part)
                continue
            lines.append("        \"%s\": {\n" % part)
            lines.extend("            %s: %s,\n" % (quoted(k), quoted(v)) for k, v in about[part].items())
            lines.append("        },\n")
        listen = "".join(quoted(word) + ", " for word in about["listen"]).rstrip(" ")
        lines.append("        \"listen\": (%s),\n" % listen)
        lines.append("    },\n")
    lines.append("}\n")
    return "".join(lines)


def quoted(text):
    return json.dumps(text)


def read_inputs():
    with open(os.path.join(ROOT, "tests", "fake_live", "surface.json"), encoding="utf-8") as file:
        surface = json.load(file)
    with open(os.path.join(ROOT, "src", "object_model", "data", "classes.json"), encoding="utf-8") as file:
        wanted = list(json.load(file)["classes"])
    return surface, wanted


if __name__ == "__main__":
    with open(MEMBERS, "w", encoding="utf-8") as out:
        out.write(as_text(*read_inputs()))
