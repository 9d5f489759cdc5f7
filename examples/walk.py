#!/usr/bin/env python3
"""Walk the whole Live Object Model of a running SVC Device and print it as a tree.

    python3 walk.py                             the device at http://127.0.0.1:3350 (or set SVC_URL)
    python3 walk.py http://127.0.0.1:3351       another one
    python3 walk.py --root "live_set tracks 0"  from there on
    python3 walk.py --depth 2                   two floors only
    python3 walk.py --values                    each object with its properties

It knows nothing of the model but where it begins. What lies below an object is asked of the object itself: its field
`children` names the child lists and single children that this very object has, `getChildIds` follows one. An object
that is reached twice (a clip through its track and through its scene) is shown in full where its own path leads, and
elsewhere as an arrow to it.
"""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request
from collections import Counter

# The raw tool takes up to this many operations a call.
MOST_OPERATIONS = 50

# These lead back up or sideways: an object's own floor is what its other children lead to.
UPWARDS = {"canonical_parent", "group_track"}


class Device:
    """The raw tool of a device, `svc-live-api`, switched on for these calls by a header."""

    def __init__(self, url):
        self.url = url.rstrip("/")
        self.calls = 0

    def ask(self, path, operations):
        """Does operations on one object. Gives the object's own path and id, and what each operation gave."""
        self.calls += 1
        body = json.dumps({"path": path, "operations": operations}).encode()
        headers = {"Content-Type": "application/json", "x-svc-live-api": "true"}
        request = urllib.request.Request(f"{self.url}/api/tools/svc-live-api", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                envelope = json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"The device refuses ({error.code}): {error.read().decode(errors='replace')}")
        except OSError as error:
            sys.exit(f"No device answers at {self.url} ({error}).")
        if envelope["isError"]:
            sys.exit(f"{path}: {envelope['result']}")
        result = envelope["result"]
        # A result that is undefined is left out.
        return result["path"], result["id"], [entry.get("result") for entry in result["results"]]

    def ask_many(self, path, operations):
        """The same for any number of operations."""
        gave = []
        for start in range(0, len(operations), MOST_OPERATIONS):
            gave += self.ask(path, operations[start : start + MOST_OPERATIONS])[2]
        return gave


def field(name):
    return {"type": "get_property", "property": name}


def child_ids(name):
    return {"type": "getChildIds", "property": name}


class Walk:
    """Goes down from a root, an object at a time, and remembers what it has seen."""

    def __init__(self, device, depth, values):
        self.device = device
        self.depth = depth
        self.values = values
        self.seen = {}
        self.types = Counter()
        self.again = 0

    def visit(self, path, label, floor=0):
        """Prints an object and what lies below it."""
        own_path, number, (kind, info, children, name) = self.device.ask(
            path, [field("type"), field("info"), field("children"), {"type": "getProperty", "property": "name"}]
        )
        indent = "  " * floor
        if number == "0":
            self.print_line(indent, label, "nothing")
            return
        if number in self.seen:
            self.again += 1
            self.print_line(indent, label, f"-> {self.seen[number]}")
            return
        self.seen[number] = own_path
        self.types[kind] += 1
        shown = f"{kind} {json.dumps(name, ensure_ascii=False)}" if isinstance(name, str) and name else kind
        self.print_line(indent, label, shown)
        if self.values:
            self.print_values(own_path, info, indent + "    ")
        if self.depth is not None and floor >= self.depth:
            return
        self.visit_children(own_path, children, floor + 1)

    def visit_children(self, path, children, floor):
        """Every child list and single child that the object says it has."""
        names = [name for name in children if name not in UPWARDS]
        listed = self.device.ask_many(path, [child_ids(name) for name in names])
        for name, ids in zip(names, listed):
            for position, child in enumerate(ids):
                self.visit_child(path, name, position, child, len(ids), floor)

    def visit_child(self, parent, name, position, child, count, floor):
        """A child is gone into where its own path leads; from elsewhere it is pointed at."""
        own_path, number, _ = self.device.ask(child, [{"type": "exists"}])
        label = f"{name} {position}" if own_path.endswith(f" {name} {position}") or count > 1 else name
        below = own_path.startswith(f"{parent} ")
        if number == "0":
            self.print_line("  " * floor, label, "nothing")
        elif below or number in self.seen:
            self.visit(child, label, floor)
        else:
            self.again += 1
            self.print_line("  " * floor, label, f"-> {own_path}")

    def print_values(self, path, info, indent):
        """The properties that `info` lists, each as the raw tool gives it."""
        lines = [line.split(" ") for line in info.split("\n")]
        names = [line[1] for line in lines if line[0] == "property"]
        gave = self.device.ask_many(path, [{"type": "get", "property": name} for name in names])
        for name, value in zip(names, gave):
            # Everything that is there comes as a list; a member that fails just now comes as 1.
            if isinstance(value, list):
                value = value[0] if len(value) == 1 else value
                print(f"{indent}{name} = {json.dumps(value, ensure_ascii=False)}")

    def print_line(self, indent, label, shown):
        print(f"{indent}{label}: {shown}")

    def summary(self):
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.types.most_common())
        return f"{len(self.seen)} objects ({kinds}), {self.again} reached again, in {self.device.calls} calls"


def main():
    parser = argparse.ArgumentParser(description="Print the object model of a running SVC Device as a tree.")
    parser.add_argument("url", nargs="?", default=os.environ.get("SVC_URL", "http://127.0.0.1:3350"))
    parser.add_argument("--root", default="live_set", help="the path to begin at (live_set)")
    parser.add_argument("--depth", type=int, help="how many floors to go down (all)")
    parser.add_argument("--values", action="store_true", help="print each object's properties too")
    options = parser.parse_args()
    if options.depth is not None and options.depth < 0:
        parser.error("--depth is 0 or more")
    walk = Walk(Device(options.url), options.depth, options.values)
    walk.visit(options.root, options.root)
    if not walk.seen:
        sys.exit(f"There is no object at {options.root}.")
    print(walk.summary())


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        # Whoever read the tree has seen enough, such as `head`.
        sys.stdout = open(os.devnull, "w")
