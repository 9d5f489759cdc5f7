/** What the user does, as calls of the same tools that scripts use. */

import { effect, signal } from "@preact/signals";
import { callTool, post, Refused } from "../device/http";
import type { Settings, Track } from "../device/shapes";
import { barBeat, parseMeter } from "../music/time";
import { say } from "./messages";
import { hostSelection, isPlaying } from "./motion";
import { isForCallers, steppedWords } from "../music/words";
import { explain, inWords, isUnauthorised, readView, settings, view } from "./store";

/** The clip that the tab Clip shows; `null` where nobody chose one. */
export const chosenClip = signal<string | null>(null);
export const chosenTrack = signal<string | null>(null);

// What is selected in the window, by a script or in another tab is selected here too.
effect(() => {
  const { clipId, trackId } = hostSelection.value ?? {};
  if (clipId) chosenClip.value = clipId;
  if (trackId) chosenTrack.value = trackId;
});

/** Calls a tool and says what it could not do. Gives whether it was done. */
export async function act(tool: string, args: Record<string, unknown>, gesture?: string): Promise<boolean> {
  try {
    const { remarks } = await callTool(tool, args, gesture);
    for (const remark of remarks.filter((text) => !isForCallers(text))) say(inWords(remark), "warning");
    return true;
  } catch (problem) {
    if (!isUnauthorised(problem)) say(explain(problem), "warning");
    return false;
  }
}

export const launchClip = (track: number, scene: number): Promise<boolean> =>
  act("svc-playback", { action: "play-session-clips", path: `t${track}/s${scene}` });

export const launchScene = (scene: number): Promise<boolean> =>
  act("svc-playback", { action: "play-scene", path: `s${scene}` });

export const stopTrack = (track: number): Promise<boolean> =>
  act("svc-playback", { action: "stop-session-clips", path: `t${track}/s0` });

export const stopAllClips = (): Promise<boolean> => act("svc-playback", { action: "stop-all-session-clips" });

/** What was launched plays again, the other tracks follow the Arrangement. */
export const play = (): Promise<boolean> => act("svc-playback", { action: "start-transport" });

/** Stops the clock; what is launched stays launched. Of one that stands there is nothing to be told. */
export const stop = async (): Promise<boolean> => !isPlaying.value || (await act("svc-playback", { action: "stop-transport" }));

/** All tracks follow the Arrangement. */
export const backToArrangement = (): Promise<boolean> => act("svc-playback", { action: "play-arrangement" });

/** An undo or redo; what it changed out of sight is said. */
async function stepTo(action: "undo" | "redo", step?: number): Promise<boolean> {
  try {
    const { result, remarks } = await callTool("svc-manage", { action, ...(step !== undefined && { step }) });
    const words = steppedWords(action === "undo" ? "Undone" : "Redone", result);
    if (words) say(inWords(words));
    for (const remark of remarks.filter((text) => !isForCallers(text))) say(inWords(remark), "warning");
    return true;
  } catch (problem) {
    if (!isUnauthorised(problem)) say(explain(problem), "warning");
    return false;
  }
}

export const undo = (): Promise<boolean> => stepTo("undo");

/** Undoes this step and all that came after it. Numbers of steps have gaps, so the one before is asked for. */
export async function undoFrom(step: number): Promise<boolean> {
  try {
    const { result } = await callTool("svc-read-history", { before: step, limit: 1 });
    const history = result as { oldest: number; steps: { step: number }[] };
    return await stepTo("undo", history.steps[0]?.step ?? history.oldest);
  } catch (problem) {
    if (!isUnauthorised(problem)) say(explain(problem), "warning");
    return false;
  }
}

export const redo = (): Promise<boolean> => stepTo("redo");

export function updateTrack(path: string, change: Record<string, unknown>, gesture?: string): Promise<boolean> {
  return act("svc-update-track", { path, ...change }, gesture);
}

interface Flip {
  wanted: boolean;
  done: Promise<void>;
}

const flips = new Map<string, Flip>();

/** Switches over what the last click has asked for, which the view may not show yet; in the order of the clicks. */
export function flip(key: string, is: boolean, set: (to: boolean) => Promise<boolean>): void {
  const before = flips.get(key);
  const wanted = !(before?.wanted ?? is);
  const run = async (): Promise<void> => {
    await before?.done;
    await set(wanted);
    await readView();
    if (flips.get(key) === mine) flips.delete(key);
  };
  const mine: Flip = { wanted, done: Promise.resolve() };
  flips.set(key, mine);
  mine.done = run();
}

export function flipTrack(track: Track, name: "mute" | "solo" | "arm", is: boolean): void {
  flip(`${track.id} ${name}`, is, (to) => updateTrack(track.path, { [name]: to }));
}

export function setStart(beat: number): Promise<boolean> {
  const meter = parseMeter(view.value?.song?.meter);
  return act("svc-playback", { action: "update-arrangement", startTime: barBeat(Math.max(0, beat), meter) });
}

export const setLoop = (loop: boolean): Promise<boolean> => act("svc-playback", { action: "update-arrangement", loop });

export const setMetronome = (metronome: boolean): Promise<boolean> => act("svc-update-live-set", { metronome });

/** Selects in the host too, so that all faces show the same. */
export function chooseClip(id: string): void {
  chosenClip.value = id;
  void act("svc-select", { id });
}

export function chooseTrack(id: string): void {
  chosenTrack.value = id;
  void act("svc-select", { id });
}

/** Changes settings; what was refused is thrown with a sentence for each member. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  settings.value = await post<Settings>("/config", change);
}

export async function trySettings(change: Partial<Settings>): Promise<string | null> {
  try {
    await changeSettings(change);
    return null;
  } catch (problem) {
    const name = Object.keys(change)[0] ?? "";
    return (problem instanceof Refused && problem.fields[name]) || explain(problem);
  }
}

/**
 * One drag of a control: calls follow each other one at a time, the newest value wins, and all of them are one step of
 * undo by the gesture's name.
 */
export class Gesture {
  private readonly name = `g${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  private next: (() => Promise<boolean>) | null = null;
  private running: Promise<void> | null = null;

  send(call: (gesture: string) => Promise<boolean>): void {
    this.next = () => call(this.name);
    this.running ??= this.run();
  }

  /** When the last value has reached the Set. */
  async end(): Promise<void> {
    await this.running;
    await readView();
  }

  private async run(): Promise<void> {
    for (;;) {
      const call = this.next;
      this.next = null;
      if (!call) break;
      await call();
    }
    this.running = null;
  }
}
