"""Envelopes of Session clips: events in order of time, with values in the unit that is shown, and raw ones beside."""

from . import readings
from .native import Node


class EnvelopeClipBehaviour:
    """The part of a clip that has to do with them."""

    @staticmethod
    def get_has_envelopes(clip):
        return bool(clip["envelopes"]) or clip["modulated"]

    @staticmethod
    def get_automation_envelopes(clip):
        return [] if not clip["session"] else list(clip["envelopes"])

    @staticmethod
    def do_automation_envelope(clip, device_parameter):
        """None of clips of the Arrangement, and of parameters of another track."""
        found = [one for one in clip["envelopes"] if one["parameter"] is device_parameter]
        return found[0] if found and clip["session"] else None

    @staticmethod
    def do_create_automation_envelope(clip, device_parameter):
        if not clip["session"] or track_of(device_parameter) is not track_of(clip):
            return None
        if clip["is_audio_clip"] and not clip["warping"]:
            return None
        if EnvelopeClipBehaviour.do_automation_envelope(clip, device_parameter) is not None:
            raise RuntimeError("An envelope for this parameter already exists")
        made = Node(clip.world, "Envelope.Envelope", clip, parameter=device_parameter,
                    events=((clip["loop_start"], device_parameter["value"], 0.0),))
        clip["envelopes"] = clip["envelopes"] + [made]
        device_parameter["automation_state"] = max(1, device_parameter["automation_state"])
        clip.tell("has_envelopes")
        return made

    @staticmethod
    def do_clear_envelope(clip, device_parameter):
        for one in [one for one in clip["envelopes"] if one["parameter"] is device_parameter]:
            clip["envelopes"] = [other for other in clip["envelopes"] if other is not one]
            one.kill()
        device_parameter["automation_state"] = 0
        clip.tell("has_envelopes")

    @staticmethod
    def do_clear_all_envelopes(clip):
        for one in list(clip["envelopes"]):
            EnvelopeClipBehaviour.do_clear_envelope(clip, one["parameter"])


class EnvelopeBehaviour:
    @staticmethod
    def do_value_at_time(envelope, time):
        """Where an event stands, what was before it."""
        events = envelope["events"]
        before = [event for event in events if event[0] < time]
        after = [event for event in events if event[0] >= time]
        if not before:
            return events[0][1] if events else envelope["parameter"]["value"]
        if not after:
            return before[-1][1]
        (from_time, from_value, _), (to_time, to_value, _) = before[-1], after[0]
        return from_value + (to_value - from_value) * (time - from_time) / (to_time - from_time)

    @staticmethod
    def do_events_in_range(envelope, start_time, end_time):
        values, parameter = envelope.world.boost.values, envelope["parameter"]
        made = []
        for time, value, curve in envelope["events"]:
            if start_time <= time <= end_time:
                x, y = 0.5 - curve / 2.0, 0.5 + curve / 2.0
                shown = readings.shown(parameter, value)
                bend = values["EnvelopeEventControlCoefficients"](x, y, x, y)
                made.append(values["EnvelopeEvent"](time, shown, bend))
        return envelope.world.boost.vector_of("EnvelopeEventVector")(made)

    @staticmethod
    def do_delete_events_in_range(envelope, start_time, end_time):
        envelope["events"] = tuple(e for e in envelope["events"] if not start_time <= e[0] <= end_time)

    @staticmethod
    def do_create_event(envelope, event):
        """A bend with nothing behind it is straightened. Of two at one time the one that comes later stands first,
        as they are written from the end."""
        told = event.control_coefficients
        has_more = any(other[0] > event.time for other in envelope["events"])
        curve = (told.y1 - told.x1) if has_more and envelope.world.bends else 0.0
        before = [other for other in envelope["events"] if other[0] < event.time]
        rest = [other for other in envelope["events"] if other[0] >= event.time]
        envelope["events"] = tuple(before + [(event.time, event.value, curve)] + rest)

    @staticmethod
    def do_insert_step(envelope, start_time, length, value):
        end = start_time + length
        before = [event for event in envelope["events"] if event[0] <= start_time]
        after = [event for event in envelope["events"] if event[0] >= end]
        envelope["events"] = tuple(before + [(start_time, value, 0.0), (end, value, 0.0)] + after)


def track_of(node):
    at = node
    while at is not None and at.cls != "Track.Track":
        at = at.parent
    return at
