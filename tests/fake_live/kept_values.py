"""What is kept of a Set, as plain values: two Sets are the same where these are."""

from .native import Node

# What plays, and what a window shows, is not kept.
OF_THE_MOMENT = {
    "current_song_time", "is_playing", "playing", "triggered", "playing_slot_index", "fired_slot_index", "start_time",
    "playing_position", "selected", "view", "order",
}


def kept(node):
    """A node with all that is below it. Values that are nothing are left out: a read makes them."""
    told = {"is": node.cls}
    for name in sorted(node.values):
        value = node.values[name]
        if name in OF_THE_MOMENT or value in (None, False, 0, "", [], (), {}):
            continue
        told[name] = _plain(node, value)
    return told


def _plain(owner, value):
    if isinstance(value, Node):
        return kept(value) if value.parent is owner else value.cls
    if isinstance(value, (list, tuple)):
        return [_plain(owner, one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(owner, one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    return getattr(value, "display_name", type(value).__name__)
