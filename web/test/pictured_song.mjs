// What the pictures in `docs/` show.

/** A song in its beginnings: what a producer has after an evening with an assistant. */
const TRACKS = [
  ["Drums", "#FF94A6"],
  ["Bass", "#FFA529"],
  ["Keys", "#25FFA8"],
  ["Pad", "#8BC5FF"],
  ["Lead", "#D86CE4"],
];
const SCENES = ["Intro", "Verse", "Build", "Drop", "Break", "Outro"];
const PADS = [["C1", "Kick"], ["D1", "Snare"], ["E1", "Clap"], ["F#1", "Closed Hat"], ["A#1", "Open Hat"], ["C#2", "Crash"]];
const BEAT = "v115 n/16 C1 1|1,3 v100 D1 1|2,4 v60-90 F#1 1|1x8@n/8 v80 p0.5 A#1 1|4.5";
const NOTES = {
  Drums: [null, BEAT, BEAT, "v120 n/16 C1 1|1,2,3,4 v105 E1 1|2,4 v70 F#1 1|1.5x4@n/4", "v60 n/16 F#1 1|1x8@n/8", null],
  Bass: [null, "v100 n/8 A0 1|1 A0 1|2.5 G0 1|4", "v100 n/8 A0 1|1x8@n/8", "v110 n/8 F0 1|1x8@n/8", null, null],
  Keys: ["v80 n/2 A2 1|1 C3 1|1 E3 1|1 G2 1|3 B2 1|3 D3 1|3", "v85 n/4 A2 1|1 C3 1|2 E3 1|3 C3 1|4", null, "v100 n/4 F2 1|1 A2 1|1 C3 1|1 G2 1|3", null, "v60 n/1 A2 1|1 C3 1|1"],
  Pad: ["v70 n/1 A2 1|1 E3 1|1", "v70 n/1 A2 1|1 E3 1|1", "v75 n/1 F2 1|1 C3 1|1", "v80 n/1 F2 1|1 C3 1|1 G3 1|1", "v60 n/1 D2 1|1 A2 1|1", "v50 n/1 A2 1|1"],
  Lead: [null, null, "v90 n/8 E4 1|1 D4 1|1.5 C4 1|2 E4 1|3", "v105 n/8 A4 1|1 G4 1|1.5 E4 1|2 G4 1|3 A4 1|4", null, null],
};

export async function song(device) {
  for (const [at, [name, color]] of TRACKS.entries()) {
    if (at < 2) await device.call("svc-update-track", { path: `t${at}`, name, color });
    else await device.call("svc-create-track", { path: `t${at}`, name, color });
  }
  // The two audio tracks of a new Set, and the scenes behind the last.
  await device.call("svc-delete", { type: "track", path: "t5,t6" });
  await device.call("svc-update-scene", { path: SCENES.map((_, at) => `s${at}`).join(","), name: SCENES.join(",") });
  await device.call("svc-delete", { type: "scene", path: "s6,s7" });
  await device.call("svc-update-live-set", { tempo: 124 });
  await device.call("svc-create-device", { device: "Drum Rack", path: "t0" });
  for (const [pad, name] of PADS) {
    await device.call("svc-create-device", { device: "Drum Sampler", path: `t0/d0/p${pad}` });
    await device.call("svc-update-device", { path: `t0/d0/p${pad}`, name });
  }
  for (const [at, [name, color]] of TRACKS.entries()) {
    for (const [scene, notes] of NOTES[name].entries()) {
      if (notes) await device.call("svc-create-clip", { path: `t${at}/s${scene}`, name: `${name} ${SCENES[scene]}`, color, notes });
    }
    await device.call("svc-update-track", { path: `t${at}`, gainDb: [-2, -4, -8, -11, -6][at], pan: [0, 0, -0.2, 0.3, 0][at] });
  }
}
