#!/usr/bin/env node
// A small song on a running SVC Device: four tracks, a verse, a chorus. Needs Node 20 and nothing else.
//
//   node song.mjs                          the device at http://127.0.0.1:3350
//   node song.mjs http://127.0.0.1:3351    another one (or set SVC_URL)
//
// Change a part below and run it again: the tracks are found by name, the clips are replaced.

const DEVICE = (process.argv[2] ?? process.env.SVC_URL ?? "http://127.0.0.1:3350").replace(/\/+$/, "");

// The song, in D dorian. Notes are `barbeat`: velocity, length and pitches, then where they sound as bar|beat.
// C3 is middle C; C1, D#1, F#1, A#1 and A1 are kick, clap, closed hat, open hat and tom.

const TRACKS = { Drums: "#FFA529", Bass: "#10A4EE", Chords: "#D86CE4", Lead: "#BFFB00" };

const SCENES = [
  {
    name: "Verse",
    length: "8bar",
    parts: {
      // Half time: the clap waits for beat 3. Two bars, then the same again; a tom leads on.
      Drums: `
        n/16 v110 C1 1|1,2.75 2|1,1.75,4.5
        v98 D#1 1|3 2|3
        [v80 v42 v60 v42] F#1 1|1x32@n/16
        @3-8=1-2
        [v70 v86] A1 8|4.5x2@n/16
      `,
      // Dm7 and G: the fifth, the octave, and air.
      Bass: `
        v102
        n/4 D1 1|1  n/8 A1 1|2.5 C2 1|3 D2 1|4.5
        n/4 G0 2|1  n/8 D1 2|2.5 F1 2|3 G1 2|4.5
        @3-8=1-2
      `,
      // Off the beat, as an organ player would.
      Chords: `
        n/8 v72 F2 A2 C3 E3 1|1.5,2.5,4
        F2 G2 B2 D3 2|1.5,2.5,4
        @3-8=1-2
      `,
      Lead: `
        v78 n/8 A3 1|3.5 C4 1|4 D4 1|4.5
        n/2 B3 2|1
        n/8 F4 3|3.5 E4 3|4 D4 3|4.5
        n/2 D4 4|1
        @5-7=1-3
        n/4 G3 8|1  n/2 A3 8|2
      `,
    },
  },
  {
    name: "Chorus",
    length: "4bar",
    parts: {
      Drums: `
        n/16 v118 C1 1|1x4@n/4
        v104 D#1 1|2,4
        v86 A#1 1|1.5x4@n/4
        [v64 v40] F#1 1|1.25x8@n/8
        @2-4=1
        [v76 v90 v104] A1 4|4.25x3@n/16
      `,
      // Bb, C, Dm, F: the one lifted by a sixteenth's run.
      Bass: `
        v110 n/8
        Bb0 1|1x7@n/8  C1 1|4.5
        C1 2|1x7@n/8   C#1 2|4.5
        D1 3|1x7@n/8   E1 3|4.5
        F1 4|1x6@n/8   E1 4|4  D1 4|4.5
      `,
      Chords: `
        v88
        n3/8 F2 A2 Bb2 D3  1|1  n5/8 1|2.5
        n3/8 G2 Bb2 C3 E3  2|1  n5/8 2|2.5
        n3/8 F2 A2 C3 E3   3|1  n5/8 3|2.5
        n3/8 F2 A2 C3 G3   4|1  n5/8 4|2.5
      `,
      Lead: `
        v100
        n/4 D4 1|1 F4 1|2  n3/8 A4 1|3  n/8 G4 1|4.5
        n/2 G4 2|1  n/4 E4 2|3 C4 2|4
        F4 3|1 E4 3|2  n3/8 D4 3|3  n/8 C4 3|4.5
        n/2 C4 4|1  n/8 A3 4|3 C4 4|3.5  n/4 D4 4|4
      `,
    },
  },
];

/** Ends the script with what went wrong. */
function giveUp(problem) {
  console.error(problem);
  process.exit(1);
}

/** Calls a tool and gives its result. */
async function call(tool, args = {}) {
  let response, answer;
  try {
    response = await fetch(`${DEVICE}/api/tools/${tool}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(args),
    });
  } catch (problem) {
    giveUp(
      `No device answers at ${DEVICE} (${problem.cause?.code ?? problem.message}).\n` +
        "Start svc-device, or put the plugin on a track; its window shows its address, which goes behind the script's name.",
    );
  }
  try {
    answer = await response.json();
  } catch {
    giveUp(`What answers at ${DEVICE} is not an SVC Device.`);
  }
  if (!response.ok) giveUp(`${tool} was refused (${response.status}): ${answer.error}`);
  if (answer.isError) giveUp(`${tool}: ${answer.result}`);
  for (const warning of answer.warnings ?? []) console.error(`${tool}: ${warning}`);
  // Calls that name several objects answer for each of them.
  const failed = [answer.result].flat().filter((entry) => entry?.ok === false);
  if (failed.length > 0) giveUp(`${tool}: ${failed.map((entry) => entry.detail).join("; ")}`);
  return answer.result;
}

/** Our tracks that are there already: name -> path. */
async function findTracks() {
  const { tracks } = await call("svc-read-live-set", { include: ["tracks"] });
  return Object.fromEntries(tracks.filter(({ name }) => name in TRACKS).map(({ name, path }) => [name, path]));
}

const hello = await call("svc-connect");
console.log(`Connected to ${hello.instance}, version ${hello.svcVersion}`);

// One new track for each that is missing, all in one call: comma lists pair by position.
const there = await findTracks();
const missing = Object.keys(TRACKS).filter((name) => !(name in there));
if (missing.length > 0) {
  await call("svc-create-track", {
    path: missing.map(() => "t+").join(),
    name: missing.join(),
    color: missing.map((name) => TRACKS[name]).join(),
  });
}
const paths = await findTracks();

// A slot is where a track and a scene meet: t4/s0 is the fifth track's slot in the first scene.
for (const [row, scene] of SCENES.entries()) {
  for (const [track, notes] of Object.entries(scene.parts)) {
    await call("svc-create-clip", {
      path: `${paths[track]}/s${row}`,
      name: `${scene.name} ${track}`,
      timeSignature: "4/4",
      length: scene.length,
      notes,
    });
  }
}

// Read back what is there now.
const ours = Object.keys(TRACKS).map((name) => paths[name]);
const tracks = await call("svc-read-track", { path: ours.join(), include: ["session-clips", "timing"] });
for (const { path, name, sessionClips } of tracks) {
  const clips = sessionClips.filter((clip) => SCENES.some((_, row) => clip.path === `${path}/s${row}`));
  const parts = clips.map((clip) => `${clip.name} (${clip.length}, ${clip.noteCount} notes)`);
  console.log(path.padEnd(4) + name.padEnd(8) + parts.join(", "));
}

const playback = await call("svc-playback", { action: "play-scene", path: "s0" });
console.log(playback.playing ? "The verse plays." : `The verse is ready: ${playback.detail ?? "press play"}.`);
