"""Envelopes of Session clips: found by asking a clip for each parameter of its track, read as points, and drawn.

What an event of Live's holds is in the unit that is shown, and what Live takes is raw. So points are read by the raw
value beside them: where an event stands, Live still gives what was before it.
"""

import Live

from .classes import cast_plain
from .errors import Failure, is_refusal, malformed, wrong_type

MAX_POINTS = 4000
# Where an envelope ends at the latest, and begins at the earliest.
FAR = 1e6
# Beats from a point at which its value is looked at.
BESIDE = 1e-3
# An event without a bend.
STRAIGHT = 0.5


def read(visit, step):
    """`[{"parameter": id, "points": [[time, raw value, curve], …]}, …]` of a clip."""
    clip = _clip(visit, step)
    visit.made.append(None)
    if not _has("events_in_range"):
        raise Failure("unable", "reading envelopes needs Live 12.2 (Envelope.events_in_range)", needs="12.2")
    found = []
    for parameter in _parameters(_track(clip)):
        envelope = clip.automation_envelope(parameter)
        if envelope is not None and envelope != None:  # noqa: E711
            found.append({"parameter": visit.id_of(parameter), "points": _points(envelope)})
    return found


def draw(visit, step):
    """Draws the points `[[time, raw value, curve], …]` from scratch; none removes the envelope. Gives them as Live has
    them then."""
    clip = _clip(visit, step)
    parameter = visit.find(step.get("parameter", {}))
    points = _given(step.get("points"))
    if visit.class_of(parameter).name != "DeviceParameter":
        raise wrong_type("parameter", "a DeviceParameter")
    steps = None if _has("create_event") else _as_steps(points, clip)
    if clip.automation_envelope(parameter) is not None:
        clip.clear_envelope(parameter)
    visit.moved()
    visit.made.append(None)
    if not points:
        return []
    envelope = clip.create_automation_envelope(parameter)
    if envelope is None or envelope == None:  # noqa: E711
        raise Failure("refused", "Live makes no envelope for that parameter in this clip")
    if steps is not None:
        for start, length, value in steps:
            envelope.insert_step(start, length, value)
    else:
        envelope.delete_events_in_range(-FAR, FAR)
        # The last one first: Live straightens a bend that has nothing behind it.
        for time, value, curve in reversed(points):
            envelope.create_event(_event(time, value, curve))
    if not hasattr(envelope, "events_in_range"):
        return [list(point) for point in points]
    drawn = _points(envelope)
    if not drawn:
        raise Failure("refused", "Live drew nothing of that envelope")
    return drawn


def _has(member):
    return hasattr(getattr(getattr(Live, "Envelope", None), "Envelope", None), member)


def _clip(visit, step):
    clip = visit.find(step.get("of", {}))
    if visit.class_of(clip).name != "Clip":
        raise wrong_type("of", "a Clip")
    return clip


def _given(points):
    if not isinstance(points, list) or len(points) > MAX_POINTS:
        raise malformed("points is a list of at most %d" % MAX_POINTS)
    given = []
    for point in points:
        if not isinstance(point, list) or len(point) != 3:
            raise malformed("a point is [time, value, curve]")
        given.append(tuple(cast_plain("float", number, "points") for number in point))
    return given


def _track(clip):
    at = clip.canonical_parent
    while at is not None and not isinstance(at, Live.Track.Track):
        at = at.canonical_parent
    return at


def _parameters(track):
    """All that stand on a track: of its mixer and of its devices, those in racks too."""
    mixer = track.mixer_device
    names = ("volume", "panning", "left_split_stereo", "right_split_stereo", "track_activator", "crossfader",
             "cue_volume")
    for name in names:
        parameter = _safely(mixer, name)
        if parameter is not None:
            yield parameter
    for send in mixer.sends:
        yield send
    containers = [track]
    while containers:
        for device in containers.pop(0).devices:
            for parameter in device.parameters:
                yield parameter
            if device.can_have_chains:
                for name in ("chains", "return_chains"):
                    containers.extend(_safely(device, name) or ())
                for chain in _safely(device, "chains") or ():
                    for name in ("volume", "panning", "chain_activator"):
                        parameter = _safely(chain.mixer_device, name)
                        if parameter is not None:
                            yield parameter


def _safely(at, name):
    try:
        found = getattr(at, name, None)
    except Exception as error:
        if not is_refusal(error):
            raise
        return None
    return found if found is not None and found != None else None  # noqa: E711


def _points(envelope):
    events = [(float(event.time), _curve(event)) for event in envelope.events_in_range(-FAR, FAR)]
    points = []
    for at, (time, curve) in enumerate(events):
        before = events[at - 1][0] if at > 0 else None
        after = events[at + 1][0] if at + 1 < len(events) else None
        points.append([time, _value_beside(envelope, time, before, after), curve])
    return points


def _value_beside(envelope, time, before, after):
    """The value of an event: what comes after it, or of the first of two at one time what came before."""
    if after == time:
        room = -BESIDE if before is None else -min(BESIDE, (time - before) / 4.0)
    else:
        room = BESIDE if after is None else min(BESIDE, (after - time) / 4.0)
    near = envelope.value_at_time(time + room)
    # A straight way goes on as it came: two looks tell where it is at the event itself.
    return 2.0 * near - envelope.value_at_time(time + 2.0 * room)


def _curve(event):
    told = event.control_coefficients
    bend = ((told.y1 - told.x1) + (told.y2 - told.x2)) / 2.0
    return round(bend, 6)


def _event(time, value, curve):
    half = curve / 2.0
    x, y = STRAIGHT - half, STRAIGHT + half
    return Live.Envelope.EnvelopeEvent(time, value, Live.Envelope.EnvelopeEventControlCoefficients(x, y, x, y))


def _as_steps(points, clip):
    """What a Live without `create_event` can draw: values that are held."""
    steps = []
    for (time, value, curve), (next_time, next_value, _) in zip(points, points[1:]):
        if next_time <= time:
            continue
        if value != next_value or curve:
            raise Failure("unable", "a way between two values needs Live 12.4 (Envelope.create_event); values that are "
                          "held (_) are drawn by this one", needs="12.4")
        steps.append((time, next_time - time, value))
    if points:
        time, value, _ = points[-1]
        end = max(float(clip.loop_end), float(clip.end_marker))
        steps.append((time, max(end - time, 0.25), value))
    return steps
