"""Routings: Live's objects, and the dictionaries with `display_name` and `identifier` that Max makes of them.

Live's Python gives no identifier. Ours is the place in the list of what is available plus one; a name is as good when a
routing is written, and better, as the list may have changed meanwhile.
"""

from .errors import Failure, wrong_type

AVAILABLE = {
    "input_routing_type": "available_input_routing_types",
    "input_routing_channel": "available_input_routing_channels",
    "output_routing_type": "available_output_routing_types",
    "output_routing_channel": "available_output_routing_channels",
    "routing_type": "available_routing_types",
    "routing_channel": "available_routing_channels",
}


def to_struct(member, kind, value, owner, hints):
    """`hints` has where a routing of that name was found last: most tracks have theirs in the same place."""
    if kind == "routings":
        return {member: [_described(at, one) for at, one in enumerate(value)]}
    available = getattr(owner, AVAILABLE[member])
    hint = hints.get(member, 0)
    if hint >= len(available) or not available[hint] == value:
        hint = next((at for at, one in enumerate(available) if one == value), -1)
        hints[member] = max(hint, 0)
    return {member: _described(hint, value)}


def _described(at, routing):
    return {"display_name": routing.display_name, "identifier": at + 1}


def chosen(owner, member, value):
    """The object to assign: it has to be one of those that are available."""
    told = value.get("struct", value) if isinstance(value, dict) else value
    if isinstance(told, dict) and member in told:
        told = told[member]
    if not isinstance(told, dict) or not ("display_name" in told or "identifier" in told):
        raise wrong_type(member, "a routing with display_name or identifier")
    available = list(getattr(owner, AVAILABLE[member]))
    if "display_name" in told:
        fits = [one for one in available if one.display_name == told["display_name"]]
    else:
        fits = [one for at, one in enumerate(available) if at + 1 == told["identifier"]]
    if not fits:
        raise Failure("refused", "%s: that routing is not available now" % member)
    return fits[0]
