"""A JACK client that reads a MIDI port and prints what arrives.

Prints "server" when it has reached the server, "ready" when it is connected to the port named on the command line, then
a line "FRAME HEX" for each message. FRAME counts the frames of the cycles it saw. Ends when its standard input does.
"""

import queue
import sys
import threading
import time

import jack

lines = queue.SimpleQueue()


def reach_server():
    end = time.monotonic() + 30
    while True:
        try:
            return jack.Client("recorder", no_start_server=True)
        except jack.JackOpenError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


jack.set_error_function(lambda _: None)
jack.set_info_function(lambda _: None)
client = reach_server()
port = client.midi_inports.register("in")
frames = 0


@client.set_process_callback
def process(count):
    global frames
    for offset, data in port.incoming_midi_events():
        lines.put(f"{frames + offset} {bytes(data).hex()}")
    frames += count


@client.set_port_registration_callback
def registered(other, is_new):
    if is_new and other.name == sys.argv[1]:
        threading.Thread(target=connect, daemon=True).start()


def connect():
    client.connect(sys.argv[1], port)
    lines.put("ready")


def wait_for_end():
    sys.stdin.read()
    lines.put(None)


threading.Thread(target=wait_for_end, daemon=True).start()
with client:
    print("server", flush=True)
    for line in iter(lines.get, None):
        print(line, flush=True)
