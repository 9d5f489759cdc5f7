"""Loads the VST3 bundle in pedalboard, calls the device, processes audio, moves the state into a second instance.

Arguments: the bundle, and two ports that are free. Prints "all well" at the end; any other end is a failure.
"""

import gc
import http.client
import json
import re
import sys
import time

import numpy
import pedalboard

SAMPLE_RATE = 48_000
BASE64 = ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
HEAD = b"VC2!"


def unpacked(raw_state):
    """The plugin's own bytes in what JUCE makes of them: XML that holds them in a base64 of its own, low bits first."""
    assert raw_state[:4] == HEAD, raw_state[:20]
    length, text = re.search(rb"<IComponent>(\d+)\.([^<]*)<", raw_state).groups()
    bits = sum(BASE64.index(chr(letter)) << (6 * at) for at, letter in enumerate(text))
    return bits.to_bytes(len(text), "little")[: int(length)]


def packed(raw_state, content):
    bits = int.from_bytes(content, "little")
    letters = "".join(BASE64[bits >> (6 * at) & 63] for at in range((len(content) * 8 + 5) // 6))
    component = b"<IComponent>%d.%s<" % (len(content), letters.encode())
    xml = re.sub(rb"<IComponent>[^<]*<", lambda _: component, raw_state[8:])
    # The zero at the end does not count.
    return HEAD + (len(xml) - 1).to_bytes(4, "little") + xml


def with_port(raw_state, port):
    outer = json.loads(unpacked(raw_state))
    device = json.loads(json.loads(outer["fields"]["device"]))
    device["settings"]["port"] = port
    outer["fields"]["device"] = json.dumps(json.dumps(device))
    return packed(raw_state, json.dumps(outer).encode())


def request(port, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    result = answer.status, json.loads(answer.read())
    connection.close()
    return result


def call(port, tool, **arguments):
    status, body = request(port, "POST", f"/api/tools/{tool}", arguments)
    assert status == 200 and not body["isError"], (tool, arguments, status, body)
    return body["result"]


def listens(port):
    try:
        return request(port, "GET", "/config")[0] == 200
    except OSError:
        return False


def wait(what, holds):
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.005)


def loaded(bundle, raw_state, port):
    plugin = pedalboard.load_plugin(bundle)
    plugin.raw_state = with_port(raw_state or plugin.raw_state, port)
    wait(f"a server on port {port}", lambda: listens(port))
    return plugin


def everything(port):
    overview = call(port, "svc-read-live-set", include=["*"])
    paths = ",".join(f"t{at}" for at in range(len(overview["tracks"])))
    return overview, call(port, "svc-read-track", path=paths, include=["*"])


def is_heard(plugin, port):
    """The Set sounds by a clock of its own, as pedalboard's transport stands; switched off, nothing does."""
    silence = numpy.zeros((2, SAMPLE_RATE // 10), numpy.float32)

    def peaks():
        out = plugin.process(silence, SAMPLE_RATE, buffer_size=512, reset=False)
        return numpy.abs(out).max(axis=1)

    request(port, "POST", "/config", {"ownClock": True})
    call(port, "svc-playback", action="play-scene", path="s0")
    wait("both channels are heard", lambda: (peaks() > 0.01).all())
    request(port, "POST", "/config", {"sound": False})
    wait("silence", lambda: (peaks() == 0).all())
    call(port, "svc-playback", action="stop")
    request(port, "POST", "/config", {"ownClock": False})


def main(bundle, first_port, second_port):
    first = loaded(bundle, None, first_port)
    assert first.name == "SVC Device" and first.is_instrument and first.is_effect
    assert packed(first.raw_state, unpacked(first.raw_state)) == first.raw_state, "this script's own packing"

    call(first_port, "svc-create-track", path="t+", name="From Python")
    call(first_port, "svc-create-clip", path="t0/s0", notes="v100 n/4 C3 E3 G3 1|1,2,3,4")

    noise = numpy.random.default_rng(1).uniform(-1, 1, (2, SAMPLE_RATE)).astype(numpy.float32)
    for buffer_size in (512, 8192):
        out = first.process(noise, SAMPLE_RATE, buffer_size=buffer_size)
        assert numpy.array_equal(out, noise), "audio passes through"
    is_heard(first, first_port)
    # Python's thread, which is the host's main one, has been busy; calls work, and from it, too.
    before = everything(first_port)
    assert before[0]["tracks"][-1]["name"] == "From Python", before[0]

    second = loaded(bundle, first.raw_state, second_port)
    assert everything(second_port) == before
    call(second_port, "svc-delete", path="t0", type="track")
    assert everything(first_port) == before, "each has a Set of its own"
    assert everything(second_port) != before

    del first
    gc.collect()
    wait("the first is gone", lambda: not listens(first_port))
    assert numpy.array_equal(second.process(noise, SAMPLE_RATE), noise)
    everything(second_port)
    del second
    gc.collect()
    wait("the second is gone", lambda: not listens(second_port))
    print("all well")


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
