/** The piano roll. Time goes right, pitch goes up; a drum track has a row for each pad that is named or played. */

import { useEffect, useRef } from "preact/hooks";
import type { ClipView, Notes } from "../device/shapes";
import { parseMeter, pitchName, position, quartersInBar } from "../music/time";
import { onFrame } from "../state/motion";
import { useSize, useSurface, type Surface } from "./surface";

const GUTTER = 92;
const RULER = 22;
const LEAST_ROW = 14;
const MOST_ROW = 40;
/** Of its frame. */
const EDGES = 2;
const LEAST_BEAT = 20;

interface Plan {
  /** Pitches from the top row down. */
  rows: number[];
  isDrums: boolean;
  from: number;
  to: number;
}

function planOf(clip: ClipView, notes: Notes): Plan {
  const from = Math.min(clip.loop.startBeat, clip.markers.startBeat, least(notes.startBeat, 0));
  const to = Math.max(clip.loop.startBeat + clip.loop.lengthBeats, clip.markers.endBeat, from + 1);
  const named = Object.keys(clip.padNames).map(Number);
  const isDrums = named.length > 0;
  if (isDrums) {
    const played = new Set(notes.pitch);
    // Sixteen pads are shown whole; of a larger kit what is played.
    const shown = named.length <= 16 ? named : named.filter((pitch) => played.has(pitch));
    const rows = [...new Set([...shown, ...played])].sort((a, b) => b - a);
    return { rows, isDrums, from, to };
  }
  let low = least(notes.pitch, 60);
  let high = notes.pitch.reduce((a, b) => Math.max(a, b), low);
  while (high - low < 13) {
    if (low > 0) low -= 1;
    if (high < 127) high += 1;
  }
  const rows = Array.from({ length: high - low + 3 }, (_, at) => high + 1 - at).filter((pitch) => pitch >= 0 && pitch <= 127);
  return { rows, isDrums, from, to };
}

/** By folding, because a clip may have more notes than a call may have arguments. */
function least(values: number[], otherwise: number): number {
  return values.length ? values.reduce((a, b) => Math.min(a, b)) : otherwise;
}

interface Sizes {
  row: number;
  beat: number;
}

export function Roll({ clip, notes }: { clip: ClipView; notes: Notes }): preact.JSX.Element {
  const plan = planOf(clip, notes);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useSize(scroller);
  const sizes: Sizes = {
    row: Math.max(LEAST_ROW, Math.min(MOST_ROW, (box.height - RULER) / plan.rows.length)),
    beat: Math.max(LEAST_BEAT, (box.width - GUTTER - 2) / (plan.to - plan.from)),
  };
  const canvas = useSurface(scroller, (surface) => drawRoll(surface, clip, notes, plan, sizes));
  const lowest = plan.rows.at(-1) ?? 0;
  const spoken = plan.isDrums
    ? `${notes.pitch.length} notes on ${new Set(notes.pitch).size} pads`
    : `${notes.pitch.length} notes between ${pitchName(lowest)} and ${pitchName(plan.rows[0] ?? 0)}`;
  return (
    // As high as its rows may be: below them is nothing to see.
    <div class="roll" ref={scroller} style={{ maxHeight: `${RULER + plan.rows.length * MOST_ROW + EDGES}px` }} tabIndex={0} role="region" aria-label="Piano roll">
      <div
        class="roll-size"
        style={{
          width: `${GUTTER + (plan.to - plan.from) * sizes.beat}px`,
          height: `${RULER + plan.rows.length * sizes.row}px`,
        }}
      >
        <canvas ref={canvas} role="img" aria-label={spoken} />
        <ClipPlayhead clip={clip} from={plan.from} beat={sizes.beat} gutter={GUTTER} />
      </div>
      {notes.pitch.length === 0 && <p class="roll-empty quiet">This clip has no notes yet.</p>}
    </div>
  );
}

export function ClipPlayhead(props: { clip: ClipView; from: number; beat: number; gutter: number }): preact.JSX.Element {
  const element = useRef<HTMLElement>(null);
  const { clip, from, beat, gutter } = props;
  const track = Number(/^t(\d+)/.exec(clip.path)?.[1] ?? -1);
  useEffect(
    () =>
      onFrame(({ clipBeat }) => {
        if (!element.current) return;
        const at = clip.path.includes("/s") ? clipBeat.get(track) : undefined;
        element.current.hidden = at === undefined;
        if (at !== undefined) element.current.style.transform = `translateX(${(gutter + (at - from) * beat).toFixed(1)}px)`;
      }),
    [clip.path, from, beat, gutter, track],
  );
  return <i class="playhead" ref={element} hidden aria-hidden="true" />;
}

const BLACK = new Set([1, 3, 6, 8, 10]);

function drawRoll(surface: Surface, clip: ClipView, notes: Notes, plan: Plan, sizes: Sizes): void {
  const { context, width, height, x, y, color } = surface;
  const atX = (beat: number): number => GUTTER + (beat - plan.from) * sizes.beat - x;
  const atY = (row: number): number => RULER + row * sizes.row - y;
  plan.rows.forEach((pitch, row) => {
    context.fillStyle = !plan.isDrums && BLACK.has(pitch % 12) ? color("--ground") : color("--card");
    context.fillRect(GUTTER, atY(row), width, sizes.row - 1);
  });
  drawGrid(surface, clip, plan, sizes, atX);
  drawOutside(surface, clip, atX, GUTTER);
  const rowOf = new Map(plan.rows.map((pitch, row) => [pitch, row]));
  const fill = clip.color ?? "#888888";
  notes.pitch.forEach((pitch, at) => {
    const left = atX(notes.startBeat[at] ?? 0);
    const wide = Math.max(3, (notes.lengthBeats[at] ?? 0) * sizes.beat - 1);
    if (left > width || left + wide < GUTTER) return;
    const top = atY(rowOf.get(pitch) ?? 0) + 1;
    const isMuted = notes.isMuted[at] ?? false;
    // Loud notes are full, soft ones let the ground through.
    context.globalAlpha = isMuted ? 0.3 : 0.35 + (0.65 * (notes.velocity[at] ?? 100)) / 127;
    context.fillStyle = isMuted ? color("--quiet") : fill;
    context.fillRect(left, top, wide, sizes.row - 3);
    context.globalAlpha = 1;
    const chance = notes.probability[at] ?? 1;
    context.strokeStyle = color("--text");
    context.setLineDash(chance < 1 ? [3, 2] : []);
    context.lineWidth = 1;
    context.globalAlpha = chance < 1 ? 1 : 0.55;
    context.strokeRect(left + 0.5, top + 0.5, wide - 1, sizes.row - 4);
    context.globalAlpha = 1;
    context.setLineDash([]);
  });
  drawNames(surface, clip, plan, sizes, atY);
  context.fillStyle = color("--ground");
  context.fillRect(0, 0, GUTTER, RULER);
  context.fillStyle = color("--line");
  context.fillRect(GUTTER - 1, 0, 1, height);
}

/** Lines of beats and bars, and the bars' numbers. */
function drawGrid(surface: Surface, clip: ClipView, plan: Plan, sizes: Sizes, atX: (beat: number) => number): void {
  const { context, width, height, color } = surface;
  const meter = parseMeter(clip.meter);
  const bar = quartersInBar(meter);
  const beat = 4 / meter.denominator;
  const unit = sizes.beat * beat >= 56 ? beat / 4 : beat;
  for (let at = Math.floor(plan.from / unit) * unit; at <= plan.to + 1e-6; at += unit) {
    const left = Math.round(atX(at));
    if (left < GUTTER || left > width) continue;
    const isBar = Math.abs(at / bar - Math.round(at / bar)) < 1e-6;
    const isBeat = Math.abs(at / beat - Math.round(at / beat)) < 1e-6;
    context.globalAlpha = isBar ? 1 : isBeat ? 0.6 : 0.25;
    context.fillStyle = color("--line");
    context.fillRect(left, RULER, 1, height);
  }
  context.globalAlpha = 1;
  context.fillStyle = color("--ground");
  context.fillRect(GUTTER, 0, width, RULER);
  let free = GUTTER;
  const label = sizes.beat * beat >= 56 ? beat : bar;
  for (let at = Math.floor(plan.from / label) * label; at < plan.to - 1e-6; at += label) {
    const left = atX(at);
    if (left < free || left > width) continue;
    context.fillStyle = color("--quiet");
    // Beside the marker that may stand here.
    context.fillText(position(at, meter).replace(/(\.1)?\.1$/, ""), left + 10, RULER - 7);
    free = left + 40;
  }
}

/** Shades what the loop leaves out, draws its brace and the start marker. */
export function drawOutside(surface: Surface, clip: ClipView, atX: (beat: number) => number, left: number): void {
  const { context, width, height, color } = surface;
  const from = Math.max(left, atX(clip.loop.isOn ? clip.loop.startBeat : clip.markers.startBeat));
  const to = atX(clip.loop.isOn ? clip.loop.startBeat + clip.loop.lengthBeats : clip.markers.endBeat);
  context.fillStyle = color("--ground");
  context.globalAlpha = 0.6;
  if (from > left) context.fillRect(left, RULER, from - left, height);
  if (to < width) context.fillRect(Math.max(left, to), RULER, width, height);
  context.globalAlpha = 1;
  // An outline while it is off.
  if (clip.loop.isOn) {
    context.fillStyle = color("--accent");
    context.fillRect(from, RULER - 5, Math.max(0, to - from), 4);
  } else {
    context.strokeStyle = color("--quiet");
    context.lineWidth = 1;
    context.strokeRect(from + 0.5, RULER - 4.5, Math.max(0, to - from - 1), 3);
  }
  const start = atX(clip.markers.startBeat);
  if (start < left) return;
  context.fillStyle = color("--text");
  context.beginPath();
  context.moveTo(start, RULER - 12);
  context.lineTo(start + 7, RULER - 8);
  context.lineTo(start, RULER - 4);
  context.fill();
}

/** The names of pads, or of the white keys as far as they have room. */
function drawNames(surface: Surface, clip: ClipView, plan: Plan, sizes: Sizes, atY: (row: number) => number): void {
  const { context, color } = surface;
  context.fillStyle = color("--ground");
  context.fillRect(0, 0, GUTTER, surface.height);
  plan.rows.forEach((pitch, row) => {
    const top = atY(row);
    const isBlack = BLACK.has(pitch % 12);
    if (!plan.isDrums) {
      context.fillStyle = color(isBlack ? "--ground" : "--card");
      context.fillRect(GUTTER - 30, top, 28, sizes.row - 1);
    }
    if (!plan.isDrums && pitch % 12 !== 0 && (isBlack || sizes.row < 18)) return;
    context.fillStyle = color(pitch % 12 === 0 || plan.isDrums ? "--text" : "--quiet");
    const name = clip.padNames[pitch] ?? pitchName(pitch);
    context.fillText(cutTo(context, name, plan.isDrums ? GUTTER - 12 : 24), plan.isDrums ? 6 : GUTTER - 26, top + sizes.row / 2 + 4);
  });
}

/** As much of a name as has room, with an ellipsis where that is not all: a canvas itself would squeeze it. */
function cutTo(context: CanvasRenderingContext2D, name: string, room: number): string {
  if (context.measureText(name).width <= room) return name;
  // No more is measured than could fit: this is drawn in each frame of a scroll.
  const letters = [...name.slice(0, Math.ceil(room / 2))];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > room) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
