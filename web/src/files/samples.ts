/** Samples into slots: one after the other, and what came of each. */

import { callTool, Refused } from "../device/http";
import { slotName } from "../music/words";
import { explain, inWords, isGone, readView, slotKey, slots, tracks, view } from "../state/store";
import type { Told } from "./told";
import { Cancelled } from "./transfer";

/** A slot by its indices; on a track that is made for it where that is `"new"`. */
export interface Slot {
  track: number | "new";
  scene: number;
}

/** Sends a file and says so; where it lies then. */
export type Send = (file: File) => Promise<string>;

interface Outcome {
  told: Told;
  /** What was not done because the way there broke: with the same files it may go well. */
  left: { files: File[]; slot: Slot } | null;
}

/** The first scene at `wanted` or below it from which on that many slots are free; it may be below the last scene. */
export function freeScene(track: number | "new", count: number, wanted = 0): number {
  const scenes = view.value?.scenes.length ?? 0;
  let first = wanted;
  for (let scene = wanted; track !== "new" && scene < scenes; scene += 1) {
    if (slots.value.has(slotKey(track, scene))) first = scene + 1;
    else if (scene - first + 1 >= count) break;
  }
  return first;
}

/** The name of the clip in a slot, `null` where there is none. */
export function heldBy(track: number | "new", scene: number): string | null {
  const row = track === "new" ? undefined : slots.value.get(slotKey(track, scene));
  return row ? row[3] || "unnamed clip" : null;
}

async function newTrack(gesture: string): Promise<number> {
  const { result } = await callTool("svc-create-track", { type: "audio", name: "Samples" }, gesture);
  await readView();
  return Number(/^t(\d+)$/.exec((result as { path?: string }).path ?? "")?.[1]);
}

/** Why samples cannot lie on that track. */
export function faultOfTrack(track: number | "new"): string | null {
  const found = tracks.value.find(({ path }) => path === `t${track}`);
  if (!found || found.kind === "audio") return null;
  return `${found.name} is ${found.kind === "midi" ? "a MIDI track" : `a ${found.kind} track`}; samples lie on audio tracks.`;
}

/** Why a sample was not taken, as its user knows it: by name, wherever it lies by now. */
function whyNot(file: File, problem: unknown): string {
  const why = explain(problem);
  return why.includes("no audio file that can be read") ? `${file.name} is no audio file that can be read.` : `${file.name}: ${why}`;
}

/** Each below the one before it; one that is not taken leaves its slot to the next. */
export async function placeSamples(files: File[], slot: Slot, refused: string[], send: Send): Promise<Outcome> {
  const gesture = `files${Date.now().toString(36)}`;
  const fault = faultOfTrack(slot.track);
  if (fault) throw new Refused(200, fault);
  const sentences: string[] = [];
  const faults = [...refused];
  let { track, scene } = slot;
  let left: Outcome["left"] = null;
  for (const [at, file] of files.entries()) {
    try {
      const sampleFile = await send(file);
      if (track === "new") track = await newTrack(gesture);
      const held = heldBy(track, scene);
      const { remarks } = await callTool("svc-create-clip", { path: `t${track}/s${scene}`, sampleFile }, gesture);
      const instead = held === null ? "" : `, in place of the clip “${held}”`;
      sentences.push(`Added ${file.name} to ${slotName(track, scene, tracks.value, view.value?.scenes ?? [])}${instead}.`);
      sentences.push(...remarks.filter((text) => !text.startsWith("replaced the clip")).map(inWords));
      scene += 1;
    } catch (problem) {
      const isBroken = problem instanceof Cancelled || isGone(problem);
      if (isBroken && !sentences.length && track === slot.track) throw problem;
      if (!isBroken) {
        faults.push(whyNot(file, problem));
        continue;
      }
      const why = problem instanceof Cancelled ? "it was cancelled" : "the device went away";
      faults.push(`Not added, because ${why}: ${files.slice(at).map(({ name }) => name).join(", ")}.`);
      left = { files: files.slice(at), slot: { track, scene } };
      break;
    }
  }
  // A track that was made for samples is not left behind without any.
  if (!sentences.length && slot.track === "new" && track !== "new") {
    await callTool("svc-delete", { path: `t${track}`, type: "track" }, gesture);
  }
  await readView();
  if (!sentences.length) throw new Refused(200, faults.join("\n"));
  return { told: { sentences, missing: [], faults }, left };
}
