"""Live's palette: a colour that is written becomes the nearest of it."""

import json
import os

_CLASSES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "object_model", "data",
                        "classes.json")
_palette = []


def nearest(color):
    """Index and colour."""
    if not _palette:
        with open(_CLASSES, encoding="utf-8") as file:
            _palette.extend(json.load(file)["palette"])

    def distance(index):
        other = _palette[index]
        return sum(((color >> shift & 255) - (other >> shift & 255)) ** 2 for shift in (0, 8, 16))

    index = min(range(len(_palette)), key=distance)
    return index, _palette[index]
