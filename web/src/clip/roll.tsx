/** The piano roll. Time goes right, pitch goes up; a drum track has a row for each pad that is named or played. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ClipView, Notes } from "../device/shapes";
import { parseMeter, pitchName, position, quartersInBar } from "../music/time";
import { blended, textOn } from "../music/color";
import { onFrame } from "../state/motion";
import { chanceText, noteAt, noteWords, opensAt, planOf, unseen, type Plan, type Sizes, type Unseen } from "./roll_plan";
import { useSize, useSurface, type Surface } from "./surface";

const GUTTER = 92;
const RULER = 22;
const LEAST_ROW = 14;
const MOST_ROW = 40;
/** Of its frame. */
const EDGES = 2;
const LEAST_BEAT = 20;
/** What dash and gap of a broken edge share, beside a pixel of each. */
const DASH = 6;
/** A note of a lower row has no room for its chance in numbers. */
const NAMED_ROW = 18;

export function Roll({ clip, notes }: { clip: ClipView; notes: Notes }): preact.JSX.Element {
  const plan = planOf(clip, notes);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useSize(scroller);
  const [hints, setHints] = useState<Unseen[]>([]);
  const sizes: Sizes = {
    row: Math.max(LEAST_ROW, Math.min(MOST_ROW, (box.height - RULER) / plan.rows.length)),
    beat: Math.max(LEAST_BEAT, (box.width - GUTTER - 2) / (plan.fits - plan.from)),
  };
  const lanes = { width: box.width - GUTTER, height: box.height - RULER };
  const canvas = useSurface(scroller, (surface) => {
    drawRoll(surface, clip, notes, plan, sizes);
    const now = unseen(notes, plan, sizes, { x: surface.x, y: surface.y, width: surface.width - GUTTER, height: surface.height - RULER });
    setHints((old) => (JSON.stringify(old) === JSON.stringify(now) ? old : now));
  });
  // A clip opens where its notes are, once it is known how large it is shown, and then stays where it is scrolled to.
  const opened = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || opened.current === clip.id || notes.pitch.length === 0) return;
    if (element.clientWidth !== box.width || element.clientHeight !== box.height) return;
    opened.current = clip.id;
    const { x, y } = opensAt(clip, notes, plan, sizes, lanes);
    element.scrollTo(x, y);
  });
  const lowest = plan.rows.at(-1) ?? 0;
  const spoken = plan.isDrums
    ? `${notes.pitch.length} notes on ${new Set(notes.pitch).size} pads`
    : `${notes.pitch.length} notes between ${pitchName(lowest)} and ${pitchName(plan.rows[0] ?? 0)}`;
  const point = (event: PointerEvent): void => {
    const element = canvas.current;
    if (!element) return;
    const { left, top } = element.getBoundingClientRect();
    const [x, y] = [event.clientX - left - GUTTER, event.clientY - top - RULER];
    const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {};
    const at = x < 0 || y < 0 ? null : noteAt(notes, plan, sizes, x + scrollLeft, y + scrollTop);
    element.title = at === null ? "" : noteWords(clip, notes, at);
  };
  return (
    // As high as its rows may be: below them is nothing to see.
    <div class="roll-frame" style={{ maxHeight: `${RULER + plan.rows.length * MOST_ROW + EDGES}px` }}>
      <div class="roll" ref={scroller} tabIndex={0} role="region" aria-label="Piano roll" onPointerMove={point}>
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
      {hints.map(({ side, words, nearest }) => (
        <button
          key={side}
          type="button"
          class={`roll-hint ${side}`}
          title="Show them"
          onClick={() => {
            const isDown = side === "above" || side === "below";
            scroller.current?.scrollTo(isDown ? { top: nearest - lanes.height / 2 } : { left: nearest - lanes.width / 2 });
          }}
        >
          {words}
        </button>
      ))}
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
        const left = at === undefined ? -1 : (at - from) * beat;
        // What is scrolled away lies below the names.
        const isInSight = left >= (element.current.closest(".roll")?.scrollLeft ?? 0);
        element.current.hidden = !isInSight;
        if (isInSight) element.current.style.transform = `translateX(${(gutter + left).toFixed(1)}px)`;
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
    const strength = isMuted ? 0.3 : 0.35 + (0.65 * (notes.velocity[at] ?? 100)) / 127;
    const own = isMuted ? color("--quiet") : fill;
    context.globalAlpha = strength;
    context.fillStyle = own;
    context.fillRect(left, top, wide, sizes.row - 3);
    context.globalAlpha = 1;
    const chance = notes.probability[at] ?? 1;
    context.strokeStyle = color("--text");
    // As much of the edge is there as the note is.
    context.setLineDash(chance < 1 ? [1 + DASH * chance, 1 + DASH * (1 - chance)] : []);
    context.lineWidth = 1;
    context.globalAlpha = chance < 1 ? 1 : 0.55;
    context.strokeRect(left + 0.5, top + 0.5, wide - 1, sizes.row - 4);
    context.globalAlpha = 1;
    context.setLineDash([]);
    if (chance >= 1 || sizes.row < NAMED_ROW) return;
    const text = chanceText(chance);
    if (context.measureText(text).width > wide - 8) return;
    context.fillStyle = textOn(blended(own, color("--card"), strength));
    context.fillText(text, left + 4, top + (sizes.row - 3) / 2 + 4);
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
