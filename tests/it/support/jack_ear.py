"""Listens to two JACK ports, which are named on the command line.

Prints "server" when it has reached the server, and "heard LEFT RIGHT", the peaks, once neither port is silent.
"""

import array
import sys
import time

import jack


def retried(attempt):
    end = time.monotonic() + 30
    while True:
        try:
            return attempt()
        except jack.JackError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


jack.set_error_function(lambda _: None)
jack.set_info_function(lambda _: None)
client = retried(lambda: jack.Client("ear", no_start_server=True))
ears = [client.inports.register(name) for name in ("left", "right")]
peaks = [0.0, 0.0]


@client.set_process_callback
def process(_):
    for at, ear in enumerate(ears):
        samples = array.array("f")
        samples.frombytes(bytes(ear.get_buffer()))
        peaks[at] = max(peaks[at], max(samples), -min(samples))


with client:
    print("server", flush=True)
    for name, ear in zip(sys.argv[1:], ears):
        retried(lambda: client.connect(name, ear))
    while min(peaks) < 0.01:
        time.sleep(0.02)
    print("heard", *peaks, flush=True)
