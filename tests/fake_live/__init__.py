"""A fake Live: the `Live` module, a main thread that gives a script its turns, and police that watch the script.

Written from the type stubs (`surface.json`) and from what is known of Live, not from the script. What a real Live
refuses is refused; what it would suffer in silence is recorded as an incident. `python -m fake_live` runs a script.

Syntax of Python 3.7, like the script, so that both run there.
"""
