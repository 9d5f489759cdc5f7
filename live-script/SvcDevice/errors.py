"""Why a request or a step failed, as it is told to the other side."""

import Live

# What Live raises when it refuses. Its messages about signatures are `ArgumentError`, a kind of `TypeError`.
REFUSALS = (RuntimeError, AttributeError, ValueError, IndexError,
            getattr(Live.Base, "LimitationError", RuntimeError))


class Failure(Exception):
    """A refusal with its code; `about` holds what the code needs, such as the member.

    The codes are those of docs/live-protocol.md. What the script itself did wrong is `internal` and no `Failure`.
    """

    def __init__(self, code, text, **about):
        Exception.__init__(self, text)
        self.code = code
        self.text = text
        self.about = about

    def to_wire(self):
        return dict(self.about, code=self.code, text=self.text)


def no_object():
    return Failure("no_object", "there is no such object (any more)")


def unknown_member(class_name, member):
    return Failure("unknown_member", "%s has no member \"%s\"" % (class_name, member), member=member,
                   **{"class": class_name})


def wrong_type(member, expected):
    return Failure("wrong_type", "%s takes %s" % (member, expected), member=member, expected=expected)


def bad_arguments(function, expected):
    return Failure("bad_arguments", "%s takes %s" % (function, expected), function=function, expected=expected)


def malformed(text):
    return Failure("malformed", text)


def is_refusal(error):
    """Whether Live refused. Everything else is the script's own mistake."""
    return isinstance(error, REFUSALS) or type(error).__name__ == "ArgumentError"


def refused(error):
    """What Live said when it refused; its first line, as the rest is C++."""
    lines = str(error).strip().splitlines()
    return Failure("refused", lines[0] if lines else type(error).__name__)
