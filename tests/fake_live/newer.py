"""What a Live newer than the stubs has, from what is known of it."""

import copy

# The version, the class, the function, its arguments and what it gives.
FUNCTIONS = (
    ((12, 4, 0), "SimplerDevice.SimplerDevice", "replace_sample", [["path", "str", False]], "None"),
    ((12, 4, 0), "Song.Song", "sync_parameter_changes", [], "None"),
    ((12, 4, 0), "Envelope.Envelope", "create_event", [["event", "EnvelopeEvent", False]], "None"),
)


def with_newer(surface, version):
    """The surface of that version of Live."""
    made = copy.deepcopy(surface)
    for since, owner, name, args, returns in FUNCTIONS:
        if tuple(version) >= since:
            made["classes"][owner]["functions"][name] = {"args": args, "returns": returns}
    return made
