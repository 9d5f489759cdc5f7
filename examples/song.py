#!/usr/bin/env python3
"""A small song on a running SVC Device: four tracks, a verse, a chorus.

    python3 song.py                          the device at http://127.0.0.1:3350
    python3 song.py http://127.0.0.1:3351    another one (or set SVC_URL)

Change a part below and run it again: the tracks are found by name, the clips are replaced.
"""

import json
import os
import sys
import urllib.error
import urllib.request

DEVICE = (sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SVC_URL", "http://127.0.0.1:3350")).rstrip("/")

# The song, in A minor. Notes are `barbeat`: velocity, length and pitches, then where they sound as bar|beat.
# C3 is middle C; C1, D1, F#1, A#1 and C#2 are kick, snare, closed hat, open hat and crash.

TRACKS = {"Drums": "#FF3636", "Bass": "#FFF034", "Chords": "#25FFA8", "Lead": "#5480E4"}

SCENES = [
    {
        "name": "Verse",
        "length": "4bar",
        "parts": {
            # One bar, copied to the other three; the last one gets a little push at its end.
            "Drums": """
                n/16 v112 C1 1|1,2.75,3.5
                v104 D1 1|2,4
                [v78 v50] F#1 1|1x8@n/8
                @2-4=1
                [v48 v72] D1 4|4.5x2@n/16
            """,
            # Root, push, and a step to the next chord.
            "Bass": """
                v100 n/8
                A0 1|1,2.5,4   E1 1|4.5
                F0 2|1,2.5,4   G0 2|4.5
                C1 3|1,2.5,4   B0 3|4.5
                G0 4|1,2.5,4   G1 4|4.5
            """,
            # Am7, Fmaj7, C, G: the upper voices hardly move.
            "Chords": """
                v66 n/1
                A2 C3 E3 G3  1|1
                A2 C3 E3 F3  2|1
                G2 C3 E3     3|1
                G2 B2 D3     4|1
            """,
            "Lead": """
                v82 n/8 E4 1|2.5  n/4 G4 1|3  n/8 E4 1|4 D4 1|4.5
                n/2 C4 2|1
                n/8 E4 3|2.5  n/4 G4 3|3 A4 3|4
                G4 4|1  n/2 D4 4|2
            """,
        },
    },
    {
        "name": "Chorus",
        "length": "8bar",
        "parts": {
            # Four on the floor, open hats between, a crash on top and a fill that grows.
            "Drums": """
                n/16 v118 C1 1|1x4@n/4
                v108 D1 1|2,4
                v84 A#1 1|1.5x4@n/4
                @2-8=1
                v112 C#2 1|1 5|1
                [v70 v82 v94 v108] D1 8|4x4@n/16
            """,
            "Bass": """
                v108 n/8
                F0 1|1x8@n/8
                G0 2|1x8@n/8
                A0 3|1x8@n/8
                C1 4|1x8@n/8
                @5-7=1-3
                G0 8|1x6@n/8  A0 8|4  B0 8|4.5
            """,
            # F, G, Am, C, in a dotted rhythm; the last bar turns back to G.
            "Chords": """
                v84 n3/8
                A2 C3 F3  1|1,2.5  n/4 1|4
                n3/8 B2 D3 G3  2|1,2.5  n/4 2|4
                n3/8 C3 E3 A3  3|1,2.5  n/4 3|4
                n3/8 C3 E3 G3  4|1,2.5  n/4 4|4
                @5-7=1-3
                n/1 B2 D3 G3 8|1
            """,
            "Lead": """
                v98
                n/4 A4 1|1  n3/8 C5 1|2  n/8 A4 1|3.5  n/4 G4 1|4
                B4 2|1  n3/8 D5 2|2  n/8 B4 2|3.5  n/4 G4 2|4
                n3/8 C5 3|1  n/8 B4 3|2.5  n/2 A4 3|3
                n/4 G4 4|1 E4 4|2  n/2 G4 4|3
                @5-7=1-3
                D5 8|1  n/4 B4 8|3 D5 8|4
            """,
        },
    },
]

# Straight to the device, whatever proxy the environment names for the web.
WEB = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(tool, **arguments):
    """Calls a tool; gives its result, or ends the script with what went wrong."""
    request = urllib.request.Request(
        f"{DEVICE}/api/tools/{tool}",
        data=json.dumps(arguments).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with WEB.open(request, timeout=60) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as refusal:
        sys.exit(f"{tool} was refused ({refusal.code}): {refusal.read().decode(errors='replace')}")
    except OSError as problem:
        sys.exit(
            f"No device answers at {DEVICE} ({problem}).\n"
            "Start svc-device, or put the plugin on a track; its window shows its address, which goes behind the script's name."
        )
    except ValueError:
        sys.exit(f"What answers at {DEVICE} is not an SVC Device.")
    if answer["isError"]:
        sys.exit(f"{tool}: {answer['result']}")
    for warning in answer.get("warnings", []):
        print(f"{tool}: {warning}", file=sys.stderr)
    # Calls that name several objects answer for each of them.
    result = answer["result"]
    failed = [entry for entry in result if not entry.get("ok", True)] if isinstance(result, list) else []
    if failed:
        sys.exit(f"{tool}: " + "; ".join(entry["detail"] for entry in failed))
    return result


def find_tracks():
    """Our tracks that are there already: name -> path."""
    tracks = call("svc-read-live-set", include=["tracks"])["tracks"]
    return {track["name"]: track["path"] for track in tracks if track["name"] in TRACKS}


hello = call("svc-connect")
print(f"Connected to {hello['instance']}, version {hello['svcVersion']}")

# One new track for each that is missing, all in one call: comma lists pair by position.
missing = [name for name in TRACKS if name not in find_tracks()]
if missing:
    call(
        "svc-create-track",
        path=",".join(["t+"] * len(missing)),
        name=",".join(missing),
        color=",".join(TRACKS[name] for name in missing),
    )
paths = find_tracks()

# A slot is where a track and a scene meet: t4/s0 is the fifth track's slot in the first scene.
for row, scene in enumerate(SCENES):
    for track, notes in scene["parts"].items():
        call(
            "svc-create-clip",
            path=f"{paths[track]}/s{row}",
            name=f"{scene['name']} {track}",
            timeSignature="4/4",
            length=scene["length"],
            notes=notes,
        )

# Read back what is there now.
tracks = call("svc-read-track", path=",".join(paths[name] for name in TRACKS), include=["session-clips", "timing"])
for track in tracks:
    rows = {f"{track['path']}/s{row}" for row in range(len(SCENES))}
    clips = [clip for clip in track["sessionClips"] if clip["path"] in rows]
    parts = [f"{clip['name']} ({clip['length']}, {clip['noteCount']} notes)" for clip in clips]
    print(f"{track['path']:<4}{track['name']:<8}{', '.join(parts)}")

playback = call("svc-playback", action="play-scene", path="s0")
print("The verse plays." if playback["playing"] else f"The verse is ready: {playback.get('detail', 'press play')}.")
