/**
 * What moves with the music. Which clips play is a signal, because the page's text says it; where they are is painted
 * frame by frame from the last event, without a render.
 */

import { computed, signal } from "@preact/signals";
import type { Playback, Selection } from "../device/shapes";

export interface Launches {
  /** Scene and clip by track index. */
  playing: ReadonlyMap<number, { scene: number; clipId: string }>;
  /** Scene by track index; -1 where a stop waits. */
  waiting: ReadonlyMap<number, number>;
  /** Tracks whose Session was stopped: they are silent until they follow the Arrangement again. */
  stopped: ReadonlySet<number>;
}

export const launches = signal<Launches>({ playing: new Map(), waiting: new Map(), stopped: new Set() });
export const isPlaying = signal(false);
export const isLedByDaw = signal(false);
export const tempoBpm = signal<number | null>(null);
export const hostSelection = signal<Selection | null>(null);

/** Tracks that do not follow the Arrangement, by index: their Session plays, or was stopped. */
export const takenOver = computed<ReadonlySet<number>>(() => new Set([...launches.value.playing.keys(), ...launches.value.stopped]));

/** What a painter is told of a frame. */
export interface Frame {
  isPlaying: boolean;
  /** Quarters since the song's beginning. */
  beat: number;
  /** 0 to 1 through the clip that a track plays, by track index. */
  progress: ReadonlyMap<number, number>;
  /** Beats from the clip's own zero, by track index. */
  clipBeat: ReadonlyMap<number, number>;
  meters: readonly (readonly [number, number])[];
  lufs: number | null;
}

/** A device that has not told anything for long is not followed into the future. */
const LONGEST_AHEAD_MS = 1000;

type Painter = (frame: Frame) => void;

const painters = new Set<Painter>();
let told: Playback | null = null;
let toldAt = 0;
let order = "";
let isScheduled = false;

export function takePlayback(playback: Playback): void {
  told = playback;
  toldAt = performance.now();
  const next = JSON.stringify([playback.playing.map((row) => [row[0], row[1], row[5]]), playback.waiting, playback.stopped]);
  if (next !== order) {
    order = next;
    launches.value = {
      playing: new Map(playback.playing.map((row) => [row[0], { scene: row[1], clipId: row[5] }])),
      waiting: new Map(playback.waiting),
      stopped: new Set(playback.stopped),
    };
  }
  isPlaying.value = playback.isPlaying;
  isLedByDaw.value = playback.isLedByDaw ?? false;
  tempoBpm.value = playback.tempoBpm;
  if (playback.selection && JSON.stringify(playback.selection) !== JSON.stringify(hostSelection.value)) {
    hostSelection.value = playback.selection;
  }
  schedule();
}

/** Calls the painter in each frame while something moves, and once now; what is given ends that. */
export function onFrame(painter: Painter): () => void {
  painters.add(painter);
  schedule();
  return () => painters.delete(painter);
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(paint);
}

function paint(): void {
  isScheduled = false;
  const frame = frameAt(performance.now());
  for (const painter of painters) painter(frame);
  if (frame.isPlaying && performance.now() - toldAt < LONGEST_AHEAD_MS) schedule();
}

function frameAt(now: number): Frame {
  const progress = new Map<number, number>();
  const clipBeat = new Map<number, number>();
  if (!told) return { isPlaying: false, beat: 0, progress, clipBeat, meters: [], lufs: null };
  const ahead = told.isPlaying ? (Math.min(now - toldAt, LONGEST_AHEAD_MS) / 60_000) * told.tempoBpm : 0;
  for (const [track, , at, start, length] of told.playing) {
    const within = length > 0 ? (((at + ahead - start) % length) + length) % length : 0;
    // Before its loop a clip plays what stands there once.
    const beats = at + ahead < start ? at + ahead : start + within;
    clipBeat.set(track, beats);
    progress.set(track, length > 0 ? Math.max(0, Math.min(1, (beats - start) / length)) : 0);
  }
  return { isPlaying: told.isPlaying, beat: told.beat + ahead, progress, clipBeat, meters: told.meters, lufs: told.lufs };
}
