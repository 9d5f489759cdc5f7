"""Runs a script in a fake Live: `python -m fake_live OPTIONS`, options as JSON.

`{"script": "…/SvcDevice"}`, and `tick_ms`, `turn_every_ms`, `real`, `own_time`, `timer`, `version`, `without`,
`access_us`, `cue_grid`, `set`. With `own_time` the script's clock is that of the script alone.
Commands are read from standard input, one JSON object a line (see control.py). With `real` ticks come by themselves;
with `turn_every_ms` sooner than Live's own time goes.
"""

import json
import selectors
import sys
import time

from .control import Control
from .main_thread import MainThread


def main():
    options = json.loads(sys.argv[1])
    answers = sys.stdout
    # Whatever a script prints must not get between the answers.
    sys.stdout = sys.stderr
    real_selector, real_clock = selectors.DefaultSelector, time.perf_counter
    thread = MainThread(options)
    control = Control(thread)
    if options.get("load", True):
        thread.load_script()
    if options.get("real"):
        run_real(thread, control, answers, real_selector, real_clock)
        return
    for line in sys.stdin:
        answer(control, line, answers)


def run_real(thread, control, answers, selector_class, clock):
    """Ticks by the clock, and commands in between."""
    selector = selector_class()
    selector.register(sys.stdin, selectors.EVENT_READ)
    interval = float(thread.options.get("turn_every_ms", thread.options.get("tick_ms", 17))) / 1000.0
    while True:
        due = clock() + interval
        while True:
            left = due - clock()
            if left <= 0:
                break
            if selector.select(left):
                line = sys.stdin.readline()
                if not line:
                    return
                answer(control, line, answers)
        thread.tick()


def answer(control, line, answers):
    try:
        told = {"ok": control.run(json.loads(line))}
    except Exception as error:
        told = {"error": "%s: %s" % (type(error).__name__, error)}
    answers.write(json.dumps(told) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
