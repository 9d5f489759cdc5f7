/** Which rows a piano roll has, over which time it goes, and which notes of it are where. */

import type { ClipView, Notes } from "../device/shapes";
import { parseMeter, pitchName, position, span } from "../music/time";

export interface Plan {
  /** Pitches from the top row down. */
  rows: number[];
  isDrums: boolean;
  from: number;
  /** Where the loop and the region end: so far fills the width. */
  fits: number;
  /** Where the last note does, too. */
  to: number;
}

export interface Sizes {
  row: number;
  /** Of a quarter. */
  beat: number;
}

/** What of the lanes is in sight, from their own left top. */
export interface Sight {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function planOf(clip: ClipView, notes: Notes): Plan {
  const from = Math.min(clip.loop.startBeat, clip.markers.startBeat, least(notes.startBeat, 0));
  const fits = Math.max(clip.loop.startBeat + clip.loop.lengthBeats, clip.markers.endBeat, from + 1);
  const to = notes.startBeat.reduce((end, start, at) => Math.max(end, start + (notes.lengthBeats[at] ?? 0)), fits);
  const named = Object.keys(clip.padNames).map(Number);
  const isDrums = named.length > 0;
  if (isDrums) {
    const played = new Set(notes.pitch);
    // Sixteen pads are shown whole; of a larger kit what is played.
    const shown = named.length <= 16 ? named : named.filter((pitch) => played.has(pitch));
    const rows = [...new Set([...shown, ...played])].sort((a, b) => b - a);
    return { rows, isDrums, from, fits, to };
  }
  let low = least(notes.pitch, 60);
  let high = notes.pitch.reduce((a, b) => Math.max(a, b), low);
  while (high - low < 13) {
    if (low > 0) low -= 1;
    if (high < 127) high += 1;
  }
  const rows = Array.from({ length: high - low + 3 }, (_, at) => high + 1 - at).filter((pitch) => pitch >= 0 && pitch <= 127);
  return { rows, isDrums, from, fits, to };
}

/** By folding, because a clip may have more notes than a call may have arguments. */
function least(values: number[], otherwise: number): number {
  return values.length ? values.reduce((a, b) => Math.min(a, b)) : otherwise;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where each note lies in the lanes. */
function boxes(notes: Notes, plan: Plan, sizes: Sizes): Box[] {
  const rowOf = new Map(plan.rows.map((pitch, row) => [pitch, row]));
  return notes.pitch.map((pitch, at) => {
    const left = ((notes.startBeat[at] ?? 0) - plan.from) * sizes.beat;
    const top = (rowOf.get(pitch) ?? 0) * sizes.row;
    return { left, right: left + Math.max(3, (notes.lengthBeats[at] ?? 0) * sizes.beat), top, bottom: top + sizes.row };
  });
}

/** What is to be scrolled away at first, so that the notes that play first are in sight. */
export function opensAt(clip: ClipView, notes: Notes, plan: Plan, sizes: Sizes, { width, height }: Omit<Sight, "x" | "y">): { x: number; y: number } {
  const all = boxes(notes, plan, sizes);
  const start = ((clip.loop.isOn ? clip.loop.startBeat : clip.markers.startBeat) - plan.from) * sizes.beat;
  const played = all.filter(({ right }) => right > start);
  const first = least((played.length ? played : all).map(({ left }) => left), start);
  // Where it starts to play, unless the first note is further away than that.
  const x = first >= start && first < start + width ? start : Math.max(0, first - sizes.beat);
  const inSight = all.filter(({ left, right }) => right > x && left < x + width);
  const top = least(inSight.map((box) => box.top), 0);
  const bottom = inSight.reduce((most, box) => Math.max(most, box.bottom), top);
  // In the middle: all of them, or where half of them are above.
  const tops = inSight.map((box) => box.top).sort((a, b) => a - b);
  const middle = bottom - top <= height ? (top + bottom) / 2 : (tops[Math.floor(tops.length / 2)] ?? 0) + sizes.row / 2;
  return { x, y: Math.max(0, middle - height / 2) };
}

const SIDES = { above: "above", below: "below", left: "further left", right: "further right" } as const;
export type Side = keyof typeof SIDES;

export interface Unseen {
  side: Side;
  words: string;
  /** Where the nearest of them is in the lanes, across or down. */
  nearest: number;
}

/** The notes that are out of sight, by the side where they are. */
export function unseen(notes: Notes, plan: Plan, sizes: Sizes, { x, y, width, height }: Sight): Unseen[] {
  const found = new Map<Side, { count: number; nearest: number }>();
  const add = (side: Side, at: number, isNearer: (other: number) => boolean): void => {
    const old = found.get(side);
    found.set(side, { count: (old?.count ?? 0) + 1, nearest: old && !isNearer(old.nearest) ? old.nearest : at });
  };
  for (const { left, right, top, bottom } of boxes(notes, plan, sizes)) {
    // Of a note at the very edge something is seen.
    if (bottom <= y + 1) add("above", top, (other) => top > other);
    if (top >= y + height - 1) add("below", bottom, (other) => bottom < other);
    if (right <= x + 1) add("left", left, (other) => left > other);
    if (left >= x + width - 1) add("right", left, (other) => left < other);
  }
  return (Object.keys(SIDES) as Side[]).flatMap((side) => {
    const there = found.get(side);
    if (!there) return [];
    return [{ side, words: `${there.count} ${there.count === 1 ? "note" : "notes"} ${SIDES[side]}`, nearest: there.nearest }];
  });
}

/** The note at a place in the lanes, the one that was drawn last. */
export function noteAt(notes: Notes, plan: Plan, sizes: Sizes, x: number, y: number): number | null {
  let found: number | null = null;
  boxes(notes, plan, sizes).forEach(({ left, right, top, bottom }, at) => {
    if (x >= left && x < right && y >= top && y < bottom) found = at;
  });
  return found;
}

export function chanceText(chance: number): string {
  // What may happen never reads as if it did not, nor as if it always did.
  const percent = Math.max(1, Math.round(chance * 100));
  return `${chance < 1 ? Math.min(99, percent) : percent} %`;
}

/** All of a note in a line. */
export function noteWords(clip: ClipView, notes: Notes, at: number): string {
  const meter = parseMeter(clip.meter);
  const pitch = notes.pitch[at] ?? 0;
  const words = [
    clip.padNames[pitch] ?? pitchName(pitch),
    position(notes.startBeat[at] ?? 0, meter),
    span(notes.lengthBeats[at] ?? 0, meter),
    `velocity ${notes.velocity[at] ?? 100}`,
    `chance ${chanceText(notes.probability[at] ?? 1)}`,
  ];
  return [...words, ...(notes.isMuted[at] ? ["switched off"] : [])].join(" · ");
}
