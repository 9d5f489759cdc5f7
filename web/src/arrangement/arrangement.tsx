/** The timeline: tracks below each other, clips where they lie, locators, loop and playhead. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import type { ArrangedRow, Song } from "../device/shapes";
import { isolated } from "../music/words";
import { textOn } from "../music/color";
import { barBeat, parseMeter, quartersInBar, span, type Meter } from "../music/time";
import { whenSeenOtherwise } from "../parts/window";
import { chooseClip, chosenClip, play, setStart } from "../state/acts";
import { onFrame, takenOver } from "../state/motion";
import { BackToArrangement } from "../parts/transport";
import { flashed, tracks, view } from "../state/store";
import { tab } from "../state/tab";

const ROW = 44;
const RULER = 44;
const ZOOMS = [1, 2, 4, 8, 16, 32, 64] as const;
/** Pixels of a quarter. */
const zoom = signal<number>(8);

/** What is in sight, and a little more. */
interface Sight {
  from: number;
  to: number;
  /** Quarters that fit, however many there are. */
  room: number;
  firstRow: number;
  lastRow: number;
}

export function ArrangementTab(): preact.JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState<Sight>({ from: 0, to: 400, room: 0, firstRow: 0, lastRow: 24 });
  const pixels = zoom.value;
  useLayoutEffect(() => watch(scroller.current, pixels, setSight), [pixels]);
  const song = view.value?.song;
  const rows = tracks.value.map((track, index) => ({ track, index })).filter(({ track }) => track.kind !== "main" && track.kind !== "return");
  const arrangement = view.value?.arrangement;
  if (!song || !arrangement) return <p class="quiet pad">Reading the Set…</p>;
  const meter = parseMeter(song.meter);
  const bar = quartersInBar(meter);
  // Room to click behind the end, and no ruler that ends before its place does.
  const end = Math.max(arrangement.lengthBeats + 8 * bar, 32 * bar, song.loop.startBeat + song.loop.lengthBeats + 4 * bar, sight.room);
  const place = new Map(rows.map(({ index }, row) => [index, row]));
  const clips = arrangement.clips.filter((clip) => {
    const row = place.get(clip[1]);
    return row !== undefined && row >= sight.firstRow && row <= sight.lastRow && clip[3] > sight.from && clip[2] < sight.to;
  });
  return (
    <div class="arrangement">
      <div class="bar-above">
        <span class="quiet">
          {arrangement.clips.length} {arrangement.clips.length === 1 ? "clip" : "clips"}
          {arrangement.lengthBeats > 0 && `, ${span(arrangement.lengthBeats, meter)}`}
        </span>
<BackToArrangement />
        <span class="zoom" role="group" aria-label="Zoom">
          <button type="button" class="button" aria-label="Zoom out" onClick={() => changeZoom(-1)}>
            −
          </button>
          <button type="button" class="button" aria-label="Zoom in" onClick={() => changeZoom(1)}>
            +
          </button>
        </span>
      </div>
      <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label="Timeline">
        <div class="surface" style={{ width: `calc(var(--names) + ${end * pixels}px)`, height: `${RULER + rows.length * ROW}px` }}>
          <Ruler song={song} meter={meter} end={end} sight={sight} />
          <ul class="lanes" aria-label="Tracks">
            {rows.slice(sight.firstRow, sight.lastRow + 1).map(({ track, index }, at) => (
              <li
                key={track.id}
                class={takenOver.value.has(index) ? "lane away" : "lane"}
                style={{ top: `${(sight.firstRow + at) * ROW}px`, "--color": track.color ?? "var(--line)" }}
              >
                <span class="lane-name" dir="auto" title={track.name}>
                  {track.name}
                </span>
              </li>
            ))}
          </ul>
          <div class="clips" role="group" aria-label="Clips of the Arrangement">
            {clips.map((clip) => (
              <ArrangedClip key={clip[0]} clip={clip} top={(place.get(clip[1]) ?? 0) * ROW} meter={meter} />
            ))}
          </div>
          {arrangement.clips.length === 0 && (
            <p class="teach lanes-empty">
              Nothing is arranged yet. Launched clips play all the same; a clip is laid here by a path with a position, such as <code>t0[1|1]</code> (track 1, bar 1).
            </p>
          )}
          <Playhead />
        </div>
      </div>
    </div>
  );
}

function changeZoom(by: number): void {
  const at = ZOOMS.findIndex((step) => step === zoom.value);
  zoom.value = ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, at + by))] ?? zoom.value;
}

/** Tells which beats and rows are in sight, a screen beyond included, whenever that changes by half a screen. */
function watch(element: HTMLElement | null, pixels: number, set: (sight: Sight) => void): (() => void) | undefined {
  if (!element) return undefined;
  let last = "";
  const look = (): void => {
    const screen = element.clientWidth;
    const cell = Math.floor(element.scrollLeft / (screen / 2 + 1));
    const row = Math.floor(element.scrollTop / ROW);
    const shape = `${cell} ${row} ${screen} ${element.clientHeight}`;
    if (shape === last) return;
    last = shape;
    set({
      from: (element.scrollLeft - screen) / pixels,
      to: (element.scrollLeft + 2 * screen) / pixels,
      room: (screen - (element.querySelector<HTMLElement>(".ruler-corner")?.offsetWidth ?? 0)) / pixels,
      firstRow: Math.max(0, row - 4),
      lastRow: row + Math.ceil(element.clientHeight / ROW) + 4,
    });
  };
  return whenSeenOtherwise(element, look);
}

/** Every how many bars there is a number, so that numbers never touch. */
function barStep(barPixels: number): number {
  let step = 1;
  while (step * barPixels < 48) step *= 2;
  return step;
}

function Ruler({ song, meter, end, sight }: { song: Song; meter: Meter; end: number; sight: Sight }): preact.JSX.Element {
  const pixels = zoom.value;
  const bar = quartersInBar(meter);
  const step = barStep(bar * pixels);
  const first = Math.max(0, Math.floor(sight.from / bar / step) * step);
  const last = Math.min(end / bar, sight.to / bar);
  const numbers: number[] = [];
  for (let at = first; at < last; at += step) numbers.push(at);
  const jump = (beat: number): void => void setStart(beat);
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: bar, ArrowLeft: -bar, PageUp: 8 * bar, PageDown: -8 * bar }[event.key];
    if (by !== undefined) jump(Math.max(0, song.startTimeBeats + by));
    else if (event.key === "Home") jump(0);
    else if (event.key === "Enter") void play();
    else return;
    event.preventDefault();
  };
  return (
    <div class="ruler">
      <div class="ruler-corner" />
      <div
        class="ruler-track"
        role="slider"
        tabIndex={0}
        aria-label="Start of the song; a click sets it"
        aria-valuemin={0}
        aria-valuemax={end}
        aria-valuenow={song.startTimeBeats}
        aria-valuetext={`bar ${barBeat(song.startTimeBeats, meter).replace("|", ", beat ")}`}
        onKeyDown={onKey}
        onClick={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
          // To the beat below, as a hand in the dark means it.
          jump(Math.floor(x / pixels));
        }}
      >
        <span
          class={`loop${song.loop.isOn ? " on" : ""}`}
          style={{ left: `${song.loop.startBeat * pixels}px`, width: `${song.loop.lengthBeats * pixels}px` }}
        />
        {numbers.map((at) => (
          <span key={at} class="bar-number" style={{ left: `${at * bar * pixels}px` }}>
            {at + 1}
          </span>
        ))}
        <span class="start" style={{ left: `${song.startTimeBeats * pixels}px` }} />
      </div>
      <Locators jump={jump} />
    </div>
  );
}

/** Below this a label has no room beside its margins. */
const LEAST_LABEL = 20;

/** Each label ends where the next locator stands: of what is cut the title has the whole. */
function Locators({ jump }: { jump: (beat: number) => void }): preact.JSX.Element {
  const pixels = zoom.value;
  const locators = [...(view.value?.arrangement.locators ?? [])].sort((a, b) => a.beat - b.beat);
  return (
    <div class="locators" role="group" aria-label="Locators">
      {locators.map((locator, at) => {
        const next = locators[at + 1];
        const room = next ? Math.max(2, (next.beat - locator.beat) * pixels - 2) : undefined;
        const isTiny = room !== undefined && room < LEAST_LABEL;
        return (
          <button
            key={locator.id}
            type="button"
            class={`locator${isTiny ? " tiny" : ""}${flashed.value.has(locator.id) ? " flash" : ""}`}
            style={{ left: `${locator.beat * pixels}px`, maxWidth: room === undefined ? "none" : `${room}px` }}
            title={`${isolated(locator.name)}: start here`}
            onClick={() => jump(locator.beat)}
          >
            <bdi>{locator.name}</bdi>
          </button>
        );
      })}
    </div>
  );
}

function ArrangedClip({ clip, top, meter }: { clip: ArrangedRow; top: number; meter: Meter }): preact.JSX.Element {
  const [id, , from, to, name, colorIndex, isAudio, isMuted] = clip;
  const pixels = zoom.value;
  const color = view.value?.palette[colorIndex] ?? "#888888";
  const shown = name || (isAudio ? "audio" : "clip");
  const classes = ["arranged"];
  if (isMuted) classes.push("off");
  if (flashed.value.has(id)) classes.push("flash");
  if (chosenClip.value === id) classes.push("chosen");
  const isAway = takenOver.value.has(clip[1]);
  if (isAway) classes.push("away");
  const open = (): void => {
    chooseClip(id);
    tab.value = "clip";
  };
  const where = `bar ${barBeat(from, meter).split("|")[0]}, ${span(to - from, meter)}`;
  const unheard = isAway ? "; its track does not follow the Arrangement" : "";
  return (
    <button
      type="button"
      class={classes.join(" ")}
      aria-label={`Open ${isolated(shown)}, ${isolated(tracks.value[clip[1]]?.name ?? "")}, ${where}${unheard}`}
      title={`${isolated(shown)}, ${where}${unheard}`}
      style={{
        top: `${top}px`,
        left: `${from * pixels}px`,
        width: `${Math.max(3, (to - from) * pixels - 1)}px`,
        "--color": color,
        "--on-color": textOn(color),
      }}
      onClick={open}
    >
      <bdi>{shown}</bdi>
    </button>
  );
}

function Playhead(): preact.JSX.Element {
  const element = useRef<HTMLElement>(null);
  const pixels = zoom.value;
  useEffect(
    () =>
      onFrame(({ beat }) => {
        if (element.current) element.current.style.transform = `translateX(${(beat * pixels).toFixed(1)}px)`;
      }),
    [pixels],
  );
  return <i class="playhead" ref={element} aria-hidden="true" />;
}
